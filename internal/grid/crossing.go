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
	// Most bodies are still between all walls at the end. Of the others, it is as good as random
	// which walls they reach: the times are computed without a branch for each.
	if isBetween(x.X+float64(v.X*until), p.cell[0], lv.size, lv.half[0]) &&
		isBetween(x.Y+float64(v.Y*until), p.cell[1], lv.size, lv.half[1]) &&
		isBetween(x.Z+float64(v.Z*until), p.cell[2], lv.size, lv.half[2]) {
		return Crossing{}, false
	}
	tx, lowerX := leaves(x.X, v.X, p.cell[0], lv.size, lv.half[0])
	ty, lowerY := leaves(x.Y, v.Y, p.cell[1], lv.size, lv.half[1])
	tz, lowerZ := leaves(x.Z, v.Z, p.cell[2], lv.size, lv.half[2])
	first := min(tx, ty, tz)
	if !(first < until) {
		return Crossing{}, false
	}
	side := (3 ^ lowerZ) - lowerZ
	if first == ty {
		side = (2 ^ lowerY) - lowerY
	}
	if first == tx {
		side = (1 ^ lowerX) - lowerX
	}
	return Crossing{first, Side(side)}, true
}

// isBetween reports whether coordinate x is between the walls of a cell, which are 2·half apart.
func isBetween(x float64, cell int32, size, half float64) bool {
	return math.Abs(x-float64((float64(cell)+0.5)*size)) <= half
}

// leaves returns when x + t·v leaves a cell along an axis, +Inf for never, and -1 or 0 for the
// lower or the upper wall.
func leaves(x, v float64, cell int32, size, half float64) (t float64, lower int32) {
	lower = -int32(math.Float64bits(v) >> 63) // -1 if v is negative, without a branch
	t = (float64(float64(cell+1+lower)*size) - x) / v
	if v == 0 || (cell^lower)-lower >= farthest || half > math.MaxFloat64 {
		t = math.Inf(1) // there is no cell beyond
	}
	return t, lower
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
