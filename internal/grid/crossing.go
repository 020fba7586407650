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

// axis returns the axis that the side is perpendicular to, and the direction along it. It has no
// branch, since both directions are equally frequent.
func (d Side) axis() (axis int, step int32) {
	lower := d >> 7 // -1 for the side at the lower coordinate, 0 for the other one
	return int((d^lower)-lower) - 1, int32(lower | 1)
}

// NextCrossing returns when body i, which is at x + t·v at time t, leaves its cell. It returns
// false if that is not before until.
func (g *Grid) NextCrossing(i int32, x, v *collide.Vec3, until float64) (Crossing, bool) {
	p := &g.locations[i]
	lv := &g.levels[p.level]
	c := Crossing{Time: until}
	// Most bodies are still between the two walls of an axis at the end. Then there is no division.
	if math.Abs(x.X+float64(v.X*until)-float64((float64(p.cell[0])+0.5)*lv.size)) > lv.half[0] {
		c.leave(x.X, v.X, p.cell[0], lv.size, 1)
	}
	if math.Abs(x.Y+float64(v.Y*until)-float64((float64(p.cell[1])+0.5)*lv.size)) > lv.half[1] {
		c.leave(x.Y, v.Y, p.cell[1], lv.size, 2)
	}
	if math.Abs(x.Z+float64(v.Z*until)-float64((float64(p.cell[2])+0.5)*lv.size)) > lv.half[2] {
		c.leave(x.Z, v.Z, p.cell[2], lv.size, 3)
	}
	return c, c.Side != 0
}

// leave replaces c by when x + t·v leaves a cell along an axis, if that is earlier and there is a
// cell beyond.
func (c *Crossing) leave(x, v float64, cell int32, size float64, upper Side) {
	lower := -int32(math.Float64bits(v) >> 63) // -1 if v is negative, without a branch
	t := (float64(float64(cell+1+lower)*size) - x) / v
	outwards := (cell ^ lower) - lower // farthest where there is no cell beyond
	if t < c.Time && v != 0 && outwards < farthest {
		c.Time, c.Side = t, (upper^Side(lower))-Side(lower)
	}
}

// Move moves body i to the next cell on that side. If it returns true, the caller calls TryUnbin.
func (g *Grid) Move(i int32, side Side) (askUnbin bool) {
	axis, step := side.axis()
	p := &g.locations[i]
	lv := &g.levels[p.level]
	g.unlink(i, lv, p)
	cell := p.cell[axis] + step
	p.cell[axis] = cell
	if p.slot >= 0 && uint32(cell+lv.shift[axis]-lv.low[axis]) < lv.span[axis] {
		p.slot += 2 * step * lv.stride[axis]
	} else {
		p.slot = lv.slotOf(&p.cell)
	}
	g.insert(i, lv, p)
	p.crossings++
	return p.crossings > g.unbinAfter
}
