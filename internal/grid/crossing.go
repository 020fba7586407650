package grid

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Crossing says when a body leaves its cell, and through which side.
type Crossing struct {
	Time float64 // seconds
	Side Side
}

// Side is a side of a cell: 1 and -1 for the walls at its upper and lower x, 2 and -2 for y, 3 and
// -3 for z.
type Side int8

// axis returns the axis that the side is perpendicular to, and the direction along it.
func (d Side) axis() (axis int, step int32) {
	if d < 0 {
		return int(-d - 1), -1
	}
	return int(d - 1), 1
}

// NextCrossing returns when body i, which is at x + t·v at time t, leaves its cell. It returns
// false if that is not before until.
func (g *Grid) NextCrossing(i int32, x, v collide.Vec3, until float64) (Crossing, bool) {
	p := &g.locations[i]
	size := g.levels[p.level].size
	if (g.flat[0] || inside(x.X+float64(v.X*until), p.cell[0], size)) &&
		(g.flat[1] || inside(x.Y+float64(v.Y*until), p.cell[1], size)) &&
		(g.flat[2] || inside(x.Z+float64(v.Z*until), p.cell[2], size)) {
		return Crossing{}, false // the most frequent case, without a division
	}
	tx, ty, tz := until, until, until
	if !g.flat[0] {
		tx = exitTime(x.X, v.X, p.cell[0], size)
	}
	if !g.flat[1] {
		ty = exitTime(x.Y, v.Y, p.cell[1], size)
	}
	if !g.flat[2] {
		tz = exitTime(x.Z, v.Z, p.cell[2], size)
	}
	t := min(tx, ty, tz)
	if !(t < until) {
		return Crossing{}, false
	}
	switch {
	case t == tx && !isOutermost(v.X, p.cell[0]):
		return Crossing{t, sideOf(1, v.X)}, true
	case t == ty && !isOutermost(v.Y, p.cell[1]):
		return Crossing{t, sideOf(2, v.Y)}, true
	case t == tz && !isOutermost(v.Z, p.cell[2]):
		return Crossing{t, sideOf(3, v.Z)}, true
	}
	return g.crossingFromOutermost(p, x, v, until)
}

// inside reports whether x is in a cell.
func inside(x float64, cell int32, size float64) bool {
	from := x - float64(float64(cell)*size)
	return from >= 0 && from < size
}

// exitTime returns when x + t·v leaves a cell. The direction is unpredictable, so there is no
// branch for it.
func exitTime(x, v float64, cell int32, size float64) float64 {
	ahead := 1 - int32(math.Float64bits(v)>>63)
	t := (float64(float64(cell+ahead)*size) - x) / v
	if v == 0 {
		t = math.Inf(1)
	}
	return t
}

// isOutermost reports whether there is no cell beyond this one in the direction of v.
func isOutermost(v float64, cell int32) bool {
	return v > 0 && cell >= farthest || v < 0 && cell <= -farthest
}

// sideOf returns upper or the opposite side, in the direction of v.
func sideOf(upper Side, v float64) Side {
	if v < 0 {
		return -upper
	}
	return upper
}

// crossingFromOutermost is NextCrossing for a body whose cell is the outermost along an axis.
func (g *Grid) crossingFromOutermost(p *location, x, v collide.Vec3, until float64) (Crossing, bool) {
	lv := &g.levels[p.level]
	c := Crossing{Time: until}
	try := func(axis int, upper Side, x, v float64) {
		if g.flat[axis] || isOutermost(v, p.cell[axis]) {
			return
		}
		if t := exitTime(x, v, p.cell[axis], lv.size); t < c.Time {
			c = Crossing{t, sideOf(upper, v)}
		}
	}
	try(0, 1, x.X, v.X)
	try(1, 2, x.Y, v.Y)
	try(2, 3, x.Z, v.Z)
	return c, c.Side != 0
}

// Move moves body i to the next cell on that side. If it returns true, the caller calls TryUnbin.
func (g *Grid) Move(i int32, side Side) (askUnbin bool) {
	axis, step := side.axis()
	p := &g.locations[i]
	lv := &g.levels[p.level]
	g.unlink(i, lv, p)
	p.cell[axis] += step
	g.insert(i, lv, p)
	p.crossings++
	return p.crossings > g.unbinAfter
}
