package grid

import "math"

// A body may cross minUnbinAfter cells, and one more for each bodiesPerCrossing bodies of the grid,
// before Move asks for TryUnbin. These crossings take about as long as testing the body against all
// others, which TryUnbin makes necessary. With fewer, many bodies would be tested against all
// others; with more, a very fast body costs several times as much as it must. Where the body's
// stride has a level, a body crosses fewer than minUnbinAfter cells in a step.
const minUnbinAfter, bodiesPerCrossing = 256, 64

// TryUnbin must be called for body i when Move asks for it. The body is now on that path. If it
// would cross as many cells again, it is taken out of the cells until it starts on another path,
// and TryUnbin returns true. The caller then tests it against all bodies that Binned returns; the
// unbinned bodies have been tested with it already. It has no crossings until it is back in a cell.
func (g *Grid) TryUnbin(i int32, f Path) bool {
	p := &g.locations[i]
	lv := &g.levels[p.level]
	p.crossings = 0
	cells, left := 0.0, (f.Until-f.Now)*lv.inverse
	for axis, v := range [3]float64{f.V.X, f.V.Y, f.V.Z} {
		if !g.flat[axis] {
			cells += math.Abs(float64(v * left))
		}
	}
	if cells <= float64(g.unbinAfter) {
		return false
	}
	g.leave(i, p)
	p.crossings, p.isFast = noCell, false
	g.index[i] = int32(len(g.unbinned))
	g.unbinned = append(g.unbinned, i)
	return true
}

// Binned appends to out all bodies that are in a cell.
func (g *Grid) Binned(out []int32) []int32 {
	for l := range g.levels {
		out = append(out, g.levels[l].bodies...)
	}
	return out
}

// rebin returns body i, which is unbinned and starts on a path, to a cell of its level.
func (g *Grid) rebin(i int32, f *Path) {
	p := &g.locations[i]
	x := f.X.AddScaled(f.Now, f.V)
	lv := &g.levels[p.level]
	g.leave(i, p)
	g.enter(i, p.level, g.cellAt(lv, &x))
}
