package grid

import (
	"math"
	"unsafe"

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
//
// There is no branch for the side, since it is unpredictable.
func (g *Grid) NextCrossing(i int32, x, v *collide.Vec3, until float64) (t float64, side Side) {
	p := &g.locations[i]
	lv := &g.levels[p.level]
	if p.slot < 0 {
		return lv.nextCrossing(p, x, v, until)
	}
	dx, dy, dz := signOf(&v.X), signOf(&v.Y), signOf(&v.Z)
	ux := crossingBits((float64(float64(p.cell[0]+1+dx)*lv.width[0]) + lv.origin[0] - x.X) / v.X)
	uy := crossingBits((float64(float64(p.cell[1]+1+dy)*lv.width[1]) + lv.origin[1] - x.Y) / v.Y)
	uz := crossingBits((float64(float64(p.cell[2]+1+dz)*lv.width[2]) + lv.origin[2] - x.Z) / v.Z)
	first, through := ux, 2+dx
	if uy < first {
		first, through = uy, 4+dy
	}
	if uz < first {
		first, through = uz, 6+dz
	}
	if t = math.Float64frombits(first); !(t < until) {
		return until, 0
	}
	return t, Side(through)
}

// signOf returns -1 if v is negative, and otherwise 0, without a branch. math.Float64bits would
// load v into a register for floats first.
func signOf(v *float64) int32 { return int32(*(*int64)(unsafe.Pointer(v)) >> 63) }

// crossingBits returns a number that is smaller the earlier time t is: its bits without the sign.
// Along a flat axis the cell has no walls: there the time is infinite or no number, and the result
// larger than that of any time. A time is negative only by rounding, if the body is on the wall.
func crossingBits(t float64) uint64 { return math.Float64bits(t) &^ (1 << 63) }

// nextCrossing is NextCrossing for cells beyond which there may be none: see farthest.
func (l *level) nextCrossing(p *location, x, v *collide.Vec3, until float64) (t float64, side Side) {
	t = until
	for axis := range 3 {
		v := v.Component(axis)
		sign := signOf(&v)
		cell := p.cell[axis]
		if cell*(1+2*sign) >= farthest {
			continue
		}
		if u := (float64(float64(cell+1+sign)*l.width[axis]) + l.origin[axis] - x.Component(axis)) / v; u < t {
			t, side = u, Side(2*int32(axis)+2+sign)
		}
	}
	return t, side
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
