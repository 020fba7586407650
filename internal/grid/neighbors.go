package grid

import "github.com/dango-physics/dango/collide"

// Path is the straight path of a body for the rest of a step: its centre is at X + t·V at time t,
// from Now until Until. Metres and seconds.
type Path struct {
	X, V       collide.Vec3
	Radius     float64
	Now, Until float64
}

// Neighbors appends to out every body that could touch body i, which has just started on that path,
// before the path ends, one of the two starts on a new path, or, for two bodies of one level, one
// of them crosses into another cell. Body i itself is among them. Of finer levels it finds only the
// bodies that could touch before NextSearch.
func (g *Grid) Neighbors(i int32, f Path, out []int32) []int32 {
	p := &g.locations[i]
	if len(g.unbinned) > 0 {
		if p.isUnbinned() {
			g.rebin(i, &f)
		}
		out = append(out, g.unbinned...)
	}
	out = g.collect(&g.levels[p.level], Full, p, out)
	if len(g.levels) == 1 {
		return out
	}
	return g.FinerNeighbors(i, f, g.CoarserNeighbors(i, f, out))
}

// CoarserNeighbors is the part of Neighbors for the bodies of coarser levels.
func (g *Grid) CoarserNeighbors(i int32, f Path, out []int32) []int32 {
	g.NoteSpeed(i, f.V.Length())
	for l := int(g.locations[i].level) + 1; l < len(g.levels); l++ {
		out = g.crossLevel(&g.levels[l], &f, out)
	}
	return out
}

// FinerNeighbors appends to out the bodies of finer levels that could touch body i, which is on
// that path, before NextSearch, the path ends, or one of the two starts on a new path.
func (g *Grid) FinerNeighbors(i int32, f Path, out []int32) []int32 {
	own := int(g.locations[i].level)
	f.Until = min(f.Until, f.Now+g.levels[own].window)
	for l := range own {
		out = g.crossLevel(&g.levels[l], &f, out)
	}
	return out
}

// NextSearch returns when FinerNeighbors must be called for body i, after a search at that time and
// unless the body starts on a new path before. It is infinite if there are no finer levels.
//
// A search of finer levels looks ahead for a short time only. Small bodies are often fast, and
// there are many of them: most of those that could come near in the rest of the step don't, and a
// large body has often been hit by then and searches anyway.
func (g *Grid) NextSearch(i int32, now float64) float64 {
	return now + g.levels[g.locations[i].level].window
}

// HasLevels reports whether there are several levels. If not, NextSearch is always infinite.
func (g *Grid) HasLevels() bool { return len(g.levels) > 1 }

// NoteSpeed notes the speed of body i, metres per second, which has changed since Put.
func (g *Grid) NoteSpeed(i int32, speed float64) {
	p := &g.locations[i]
	if lv := &g.levels[p.level]; len(g.levels) > 1 && speed > lv.speedLimit {
		lv.markFast(i, p)
	}
}

// AreOnOneLevel reports whether two bodies belong to the same level.
func (g *Grid) AreOnOneLevel(i, j int32) bool { return g.locations[i].level == g.locations[j].level }

// HalfNeighbors appends to out one half of what Neighbors finds for body i: called for every body
// of the grid, none of which may be unbinned, it returns each pair once.
func (g *Grid) HalfNeighbors(i int32, f Path, out []int32) []int32 {
	p := &g.locations[i]
	// On the body's own level: the bodies behind it in its cell, and half of the cells
	// around it.
	lv := &g.levels[p.level]
	out = g.collect(lv, Half, p, g.appendFollowers(i, lv, p, out))
	// On finer levels: all bodies. They don't search coarser levels.
	return g.FinerNeighbors(i, f, out)
}

// FaceNeighbors appends to out every body that came near when body i moved across that side.
func (g *Grid) FaceNeighbors(i int32, side Side, out []int32) []int32 {
	p := &g.locations[i]
	return g.collect(&g.levels[p.level], Face(side), p, out)
}
