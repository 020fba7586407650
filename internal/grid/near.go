package grid

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Near appends to out every body that could touch body i before it or they cross into another cell. Body i is among them.
func (g *Grid) Near(i int32, out []int32) []int32 {
	p := &g.places[i]
	for l := int(p.level); l < len(g.levels); l++ {
		lv := &g.levels[l]
		down := lv.shift - g.levels[p.level].shift
		lo := [3]int32{p.cell[0]>>down - 1, p.cell[1]>>down - 1, p.cell[2]>>down - 1}
		hi := [3]int32{lo[0] + 2, lo[1] + 2, lo[2] + 2}
		out = g.collect(l, lo, hi, l == int(p.level), out)
	}
	return out
}

// collect appends the bodies in the cells lo to hi of level l: those that live there, and the finer ones if asked.
func (g *Grid) collect(l int, lo, hi [3]int32, finer bool, out []int32) []int32 {
	lv := &g.levels[l]
	for axis := range 3 {
		if g.flat[axis] {
			lo[axis], hi[axis] = 0, 0
		}
	}
	if len(g.levels) == 1 {
		return g.collectOnly(lo, hi, out)
	}
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			row := (z&lv.mask[2])*lv.stride[2] + (y&lv.mask[1])*lv.stride[1]
			for x := lo[0]; x <= hi[0]; x++ {
				c := row + x&lv.mask[0]
				out = g.list(lv.heads[c], int8(l), out)
				if finer && l > 0 {
					out = g.list(lv.finer[c], int8(l), out)
				}
			}
		}
	}
	return out
}

// list appends the bodies of a list of level l.
func (g *Grid) list(head int32, l int8, out []int32) []int32 {
	if head < 0 {
		return out
	}
	for j := head &^ more; j >= 0; j = g.link(j, l).next {
		out = append(out, j)
	}
	return out
}

// collectOnly is collect for a grid with a single level, which is what a world of like bodies has. Whether there is a body in a cell
// is as good as random, so there is no branch for it: an empty cell's -1 is written and then written over. That a
// second body follows is rare.
func (g *Grid) collectOnly(lo, hi [3]int32, out []int32) []int32 {
	lv := &g.levels[0]
	heads := lv.heads
	n := len(out)
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			row := heads[(z&lv.mask[2])*lv.stride[2]+(y&lv.mask[1])*lv.stride[1]:][:lv.mask[0]+1]
			for x := lo[0]; x <= hi[0]; x++ {
				j := row[x&lv.mask[0]]
				if n == len(out) {
					out = slices.Grow(out, 64)
					out = out[:cap(out)]
				}
				out[n] = j
				n += 1 + int(j>>31)
				if j >= more { // neither -1 nor the only one
					out = g.list(j, 0, out[:n-1])
					n = len(out)
					out = out[:cap(out)]
				}
			}
		}
	}
	return out[:n]
}

// Crossing says when and where a body leaves its cell.
type Crossing struct {
	Time float64
	Axis int8 // 0, 1, 2 for x, y, z
	Step int8 // +1 or -1
}

// NextCrossing returns when body i, which is at x + t·v at time t, leaves its cell: a time before until, or none with false.
func (g *Grid) NextCrossing(i int32, x, v collide.Vec3, until float64) (Crossing, bool) {
	p := &g.places[i]
	lv := &g.levels[p.level]
	c := Crossing{Time: until}
	if !g.flat[0] {
		c.along(0, x.X, v.X, p.cell[0], lv)
	}
	if !g.flat[1] {
		c.along(1, x.Y, v.Y, p.cell[1], lv)
	}
	if !g.flat[2] {
		c.along(2, x.Z, v.Z, p.cell[2], lv)
	}
	return c, c.Step != 0
}

// along makes c the crossing of one axis where that comes first.
func (c *Crossing) along(axis int8, x, v float64, cell int32, lv *level) {
	switch {
	case v > 0:
		// Multiplied out, x + t·v >= wall before c.Time, so that only real crossings pay for a division.
		if wall := float64(float64(cell+1) * lv.size); x+float64(v*c.Time) > wall && cell < lv.last {
			*c = Crossing{(wall - x) / v, axis, 1}
		}
	case v < 0:
		if wall := float64(float64(cell) * lv.size); x+float64(v*c.Time) < wall && cell > -lv.last {
			*c = Crossing{(wall - x) / v, axis, -1}
		}
	}
}

// Cross moves body i over to the next cell and appends to out every body that this brings near.
func (g *Grid) Cross(i int32, c Crossing, out []int32) []int32 {
	p := &g.places[i]
	was := p.cell[c.Axis]
	is := was + int32(c.Step)
	own := int(p.level)
	for l := own; l < len(g.levels); l++ {
		lv := &g.levels[l]
		down := lv.shift - g.levels[own].shift
		if was>>down == is>>down {
			break // then it stays where it is on all coarser levels too
		}
		g.unlink(i, int8(l))
	}
	p.cell[c.Axis] = is
	for l := own; l < len(g.levels); l++ {
		lv := &g.levels[l]
		down := lv.shift - g.levels[own].shift
		if was>>down == is>>down {
			break
		}
		g.insert(i, int8(l))
		lo := [3]int32{p.cell[0]>>down - 1, p.cell[1]>>down - 1, p.cell[2]>>down - 1}
		hi := [3]int32{lo[0] + 2, lo[1] + 2, lo[2] + 2}
		ahead := is>>down + int32(c.Step)
		lo[c.Axis], hi[c.Axis] = ahead, ahead
		out = g.collect(l, lo, hi, l == own, out)
	}
	return out
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
			lo[l][axis] = g.coordinate(axis, low[axis]-float64(lv.size/2)) >> lv.shift
			hi[l][axis] = g.coordinate(axis, high[axis]+float64(lv.size/2)) >> lv.shift
			n *= float64(hi[l][axis]) - float64(lo[l][axis]) + 1
			if hi[l][axis]-lo[l][axis] > lv.mask[axis] { // once around the torus
				return out, false
			}
		}
		cells += n
	}
	if cells > float64(len(g.places)+64) {
		return out, false
	}
	for l := range g.levels {
		out = g.collect(l, lo[l], hi[l], false, out)
	}
	return out, true
}

// Part returns how long a part of a cast's way is best looked at as one box.
func (g *Grid) Part() float64 {
	if len(g.levels) == 0 {
		return math.Inf(1)
	}
	return 2 * g.levels[0].size
}
