package grid

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Side is a side of a cell: 1 and 2 for the walls at its lower and upper x, 3 and 4 for y, 5 and 6
// for z.
type Side int32

const sides = 6

// axis returns the axis that the side is perpendicular to, and the direction along it.
func (d Side) axis() (axis int, step int32) { return int(uint32(d-1) / 2), 1 - 2*int32(d&1) }

// NextCrossing returns when body i, which is at x + t·v at time t, leaves its cell, and through
// which side. If that is not before until, it returns until and 0.
func (g *Grid) NextCrossing(i int32, x, v *collide.Vec3, until float64) (t float64, side Side) {
	p := &g.locations[i]
	lv := &g.levels[p.level]
	// Most bodies are still between all walls at the end.
	if isBetween(x.X+float64(v.X*until), p.cell[0], lv.width[0], lv.half[0]) &&
		isBetween(x.Y+float64(v.Y*until), p.cell[1], lv.width[1], lv.half[1]) &&
		isBetween(x.Z+float64(v.Z*until), p.cell[2], lv.width[2], lv.half[2]) {
		return until, 0
	}
	if p.slot < 0 {
		return lv.nextCrossing(p, x, v, until)
	}
	// Along a flat axis the cell has no walls: the time is infinite or no number.
	t = until
	lower := int32(math.Float64bits(v.X) >> 63) // 1 if v.X is negative, without a branch
	if u := (float64(float64(p.cell[0]+1-lower)*lv.width[0]) - x.X) / v.X; u < t {
		t, side = u, Side(2-lower)
	}
	lower = int32(math.Float64bits(v.Y) >> 63)
	if u := (float64(float64(p.cell[1]+1-lower)*lv.width[1]) - x.Y) / v.Y; u < t {
		t, side = u, Side(4-lower)
	}
	lower = int32(math.Float64bits(v.Z) >> 63)
	if u := (float64(float64(p.cell[2]+1-lower)*lv.width[2]) - x.Z) / v.Z; u < t {
		t, side = u, Side(6-lower)
	}
	return t, side
}

// nextCrossing is NextCrossing for cells beyond which there may be none: see farthest.
func (l *level) nextCrossing(p *location, x, v *collide.Vec3, until float64) (t float64, side Side) {
	t = until
	for axis := range 3 {
		v := v.Component(axis)
		lower := int32(math.Float64bits(v) >> 63)
		cell := p.cell[axis]
		if cell*(1-2*lower) >= farthest {
			continue
		}
		if u := (float64(float64(cell+1-lower)*l.width[axis]) - x.Component(axis)) / v; u < t {
			t, side = u, Side(2*int32(axis)+2-lower)
		}
	}
	return t, side
}

// isBetween reports whether coordinate x is between the walls of a cell, which are 2·half apart.
func isBetween(x float64, cell int32, width, half float64) bool {
	return math.Abs(x-float64((float64(cell)+0.5)*width)) <= half
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
		p.slot += lv.steps[side]
	} else {
		p.slot = lv.slotOf(&p.cell)
	}
	g.insert(i, lv, p)
	p.crossings++
	return p.crossings > g.unbinAfter
}
