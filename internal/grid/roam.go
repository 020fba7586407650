package grid

import "math"

// A body's patience is how many cells it crosses, in one step or in several, until it is asked whether it had better roam: at least so many, and one more for
// so many bodies that there are. Crossing them takes about as long as the look at all bodies with which roaming begins. Where its stride has a level a body
// crosses fewer than the least in a step.
const leastPatience, patienceShare = 256, 64

// Roam is to be asked when Move says so of body i, now on that flight: it has crossed many cells. If it would cross as many again before the flight ends, it leaves the cells and
// roams until it starts on another path, and Roam returns true. Then it has to look at all that are InCells, and crosses no more. Those that roam already have looked at it.
func (g *Grid) Roam(i int32, f Flight) bool {
	p := &g.places[i]
	lv := &g.levels[p.level]
	p.crossed = 0
	cells, left := 0.0, (f.Until-f.Now)*lv.inverse
	for axis, v := range [3]float64{f.V.X, f.V.Y, f.V.Z} {
		if !g.flat[axis] {
			cells += math.Abs(float64(v * left))
		}
	}
	if cells <= float64(g.patience) {
		return false
	}
	g.leave(i, p)
	p.crossed, p.races = inNone, false
	g.member[i] = int32(len(g.roaming))
	g.roaming = append(g.roaming, i)
	return true
}

// InCells appends to out all bodies but those that roam.
func (g *Grid) InCells(out []int32) []int32 {
	for l := range g.levels {
		out = append(out, g.levels[l].bodies...)
	}
	return out
}

// settle puts body i, which roams and starts on that flight, back into a cell of its level.
func (g *Grid) settle(i int32, f *Flight) {
	p := &g.places[i]
	x := f.X.AddScaled(f.Now, f.V)
	lv := &g.levels[p.level]
	g.leave(i, p)
	g.enter(i, p.level, [3]int32{g.coordinate(lv, 0, x.X), g.coordinate(lv, 1, x.Y), g.coordinate(lv, 2, x.Z)})
}
