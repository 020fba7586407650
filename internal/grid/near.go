package grid

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Near appends to out every body that could touch body i, which has just started on that flight, before it ends or one of them turns,
// or, for one of the same level, crosses into another cell. Body i is among them.
func (g *Grid) Near(i int32, f Flight, out []int32) []int32 {
	p := &g.places[i]
	if len(g.roaming) > 0 {
		if p.roams() {
			g.settle(i, &f)
		}
		out = append(out, g.roaming...)
	}
	own := int(p.level)
	lv := &g.levels[own]
	out = g.collect(lv, Around, p, out)
	if len(g.levels) == 1 {
		return out
	}
	if f.V.LengthSquared() > float64(lv.pace*lv.pace) {
		lv.race(i, p)
	}
	for l := range g.levels {
		if l != own {
			out = g.along(&g.levels[l], &f, out)
		}
	}
	return out
}

// After appends to out those bodies that Near finds around body i and that don't find it in turn: asked for every body in the
// grid, none of which roams, it names each pair that is near exactly once.
func (g *Grid) After(i int32, f Flight, out []int32) []int32 {
	p := &g.places[i]
	lv := &g.levels[p.level]
	// On the body's own level: those behind it in the list of its cell, and the cells that come after it.
	for j := g.link(i).next; j >= 0; j = g.link(j).next {
		out = append(out, j)
	}
	out = g.collect(lv, After, p, out)
	// On coarser levels all: they would find this one on a finer.
	for l := int(p.level) + 1; l < len(g.levels); l++ {
		out = g.along(&g.levels[l], &f, out)
	}
	return out
}

// Crossing says when and where a body leaves its cell.
type Crossing struct {
	Time float64
	Side Side
}

// Side is a side of a cell: 1 and -1 for the wall ahead and behind along x, 2 and -2 along y, 3 and -3 along z.
type Side int8

// axis returns the axis across which the side lies, and in which direction.
func (d Side) axis() (axis int, step int32) {
	if d < 0 {
		return int(-d - 1), -1
	}
	return int(d - 1), 1
}

// NextCrossing returns when body i, which is at x + t·v at time t, leaves its cell: a time before until, or none with false.
func (g *Grid) NextCrossing(i int32, x, v collide.Vec3, until float64) (Crossing, bool) {
	p := &g.places[i]
	size := g.levels[p.level].size
	if (g.flat[0] || inside(x.X+float64(v.X*until), p.cell[0], size)) &&
		(g.flat[1] || inside(x.Y+float64(v.Y*until), p.cell[1], size)) &&
		(g.flat[2] || inside(x.Z+float64(v.Z*until), p.cell[2], size)) {
		return Crossing{}, false // more often than not; only the others need to divide
	}
	tx, ty, tz := until, until, until
	if !g.flat[0] {
		tx = leaves(x.X, v.X, p.cell[0], size)
	}
	if !g.flat[1] {
		ty = leaves(x.Y, v.Y, p.cell[1], size)
	}
	if !g.flat[2] {
		tz = leaves(x.Z, v.Z, p.cell[2], size)
	}
	t := min(tx, ty, tz)
	if !(t < until) {
		return Crossing{}, false
	}
	// The last cell has no wall behind it.
	switch {
	case t == tx && !ends(v.X, p.cell[0]):
		return Crossing{t, sideOf(1, v.X)}, true
	case t == ty && !ends(v.Y, p.cell[1]):
		return Crossing{t, sideOf(2, v.Y)}, true
	case t == tz && !ends(v.Z, p.cell[2]):
		return Crossing{t, sideOf(3, v.Z)}, true
	}
	return g.lateCrossing(p, x, v, until)
}

// inside reports whether x is in a cell.
func inside(x float64, cell int32, size float64) bool {
	from := x - float64(float64(cell)*size)
	return from >= 0 && from < size
}

// leaves returns when x + t·v leaves a cell. Which way it goes is as good as random, so there is no branch for it.
func leaves(x, v float64, cell int32, size float64) float64 {
	ahead := 1 - int32(math.Float64bits(v)>>63)
	t := (float64(float64(cell+ahead)*size) - x) / v
	if v == 0 {
		t = math.Inf(1)
	}
	return t
}

// ends reports whether a body that moves at v through a cell has no next one.
func ends(v float64, cell int32) bool {
	return v > 0 && cell >= farthest || v < 0 && cell <= -farthest
}

func sideOf(ahead Side, v float64) Side {
	if v < 0 {
		return -ahead
	}
	return ahead
}

// lateCrossing is NextCrossing for a body in a cell that is the last along an axis.
func (g *Grid) lateCrossing(p *place, x, v collide.Vec3, until float64) (Crossing, bool) {
	lv := &g.levels[p.level]
	c := Crossing{Time: until}
	along := func(axis int, ahead Side, x, v float64) {
		if g.flat[axis] || ends(v, p.cell[axis]) {
			return
		}
		if t := leaves(x, v, p.cell[axis], lv.size); t < c.Time {
			c = Crossing{t, sideOf(ahead, v)}
		}
	}
	along(0, 1, x.X, v.X)
	along(1, 2, x.Y, v.Y)
	along(2, 3, x.Z, v.Z)
	return c, c.Side != 0
}

// Move moves body i over to the next cell on that side. It returns whether Roam is to be asked.
func (g *Grid) Move(i int32, side Side) (far bool) {
	axis, step := side.axis()
	p := &g.places[i]
	lv := &g.levels[p.level]
	g.unlink(i, lv, p)
	p.cell[axis] += step
	g.insert(i, lv, p)
	p.crossed++
	return p.crossed > g.patience
}

// Beyond appends to out every body that came near when body i moved over to that side.
func (g *Grid) Beyond(i int32, side Side, out []int32) []int32 {
	p := &g.places[i]
	return g.collect(&g.levels[p.level], Ahead(side), p, out)
}

// InBox appends to out every body whose surface could reach into box, each once, unless that
// would mean looking at more cells than there are bodies: then it returns false and out as it was.
func (g *Grid) InBox(box collide.AABB, out []int32) ([]int32, bool) {
	var lo, hi [maxLevels][3]int32
	cells := 0.0
	for l := range g.levels {
		lv := &g.levels[l]
		n := 1.0
		low := [3]float64{box.Min.X, box.Min.Y, box.Min.Z}
		high := [3]float64{box.Max.X, box.Max.Y, box.Max.Z}
		for axis := range 3 {
			// A body that lives here reaches at most half a cell out of its own.
			lo[l][axis] = g.coordinate(lv, axis, low[axis]-float64(lv.size/2))
			hi[l][axis] = g.coordinate(lv, axis, high[axis]+float64(lv.size/2))
			hi[l][axis] = min(hi[l][axis], lo[l][axis]+lv.n[axis]-1) // once around the torus is all
			n *= float64(hi[l][axis]-lo[l][axis]) + 1
		}
		cells += n
	}
	if cells > float64(len(g.places)+64) {
		return out, false
	}
	for l := range g.levels {
		lv := &g.levels[l]
		for z := lo[l][2]; z <= hi[l][2]; z++ {
			for y := lo[l][1]; y <= hi[l][1]; y++ {
				for x := lo[l][0]; x <= hi[l][0]; x++ {
					out = g.list(lv.lives[2*lv.at(x, y, z):], out)
				}
			}
		}
	}
	return append(out, g.roaming...), true
}

// Part returns how long a part of a cast's way is best looked at as one box.
func (g *Grid) Part() float64 {
	if len(g.levels) == 0 {
		return math.Inf(1)
	}
	return 2 * g.levels[0].size
}
