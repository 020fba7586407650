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
// of them crosses into another cell. Body i itself is among them.
func (g *Grid) Neighbors(i int32, f Path, out []int32) []int32 {
	p := &g.locations[i]
	if len(g.unbinned) > 0 {
		if p.isUnbinned() {
			g.rebin(i, &f)
		}
		out = append(out, g.unbinned...)
	}
	own := int(p.level)
	lv := &g.levels[own]
	out = g.collect(lv, Full, p, out)
	if len(g.levels) == 1 {
		return out
	}
	if f.V.LengthSquared() > float64(lv.speedLimit*lv.speedLimit) {
		lv.markFast(i, p)
	}
	for l := range g.levels {
		if l != own {
			out = g.crossLevel(&g.levels[l], &f, out)
		}
	}
	return out
}

// HalfNeighbors appends to out one half of what Neighbors finds for body i: called for every body
// of the grid, none of which may be unbinned, it returns each pair once.
func (g *Grid) HalfNeighbors(i int32, f Path, out []int32) []int32 {
	p := &g.locations[i]
	lv := &g.levels[p.level]
	// On the body's own level: the bodies behind it in the list of its cell, and half of the cells
	// around it.
	for j := g.link(i).next; j >= 0; j = g.link(j).next {
		out = append(out, j)
	}
	out = g.collect(lv, Half, p, out)
	// On coarser levels: all bodies. They don't search finer levels.
	for l := int(p.level) + 1; l < len(g.levels); l++ {
		out = g.crossLevel(&g.levels[l], &f, out)
	}
	return out
}

// FaceNeighbors appends to out every body that came near when body i moved across that side.
func (g *Grid) FaceNeighbors(i int32, side Side, out []int32) []int32 {
	p := &g.locations[i]
	return g.collect(&g.levels[p.level], Face(side), p, out)
}
