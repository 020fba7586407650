package grid

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// InBox appends to out every body that could reach into box, each once. If that would mean
// searching more cells than there are bodies, it returns false, and out unchanged.
func (g *Grid) InBox(box collide.AABB, out []int32) ([]int32, bool) {
	from, most := len(out), float64(len(g.locations)+64)
	for l := range g.levels {
		lv := &g.levels[l]
		// How far a body reaches out of its cell, with the room that Put leaves it for rounding.
		reach := float64(lv.maxDiameter/2) + float64(lv.size*((cellSlack-1)/2))
		margin := collide.Vec3{X: reach, Y: reach, Z: reach}
		low, high := box.Min.Sub(margin), box.Max.Add(margin)
		lo, hi := g.cellAt(lv, &low), g.cellAt(lv, &high)
		cells := 1.0
		for axis := range lo {
			hi[axis] = min(hi[axis], lo[axis]+lv.n[axis]-1) // once around the torus is all of it
			cells *= float64(hi[axis]-lo[axis]) + 1
		}
		if most -= cells; most < 0 {
			return out[:from], false
		}
		g.rows.n, g.rows.pieces = 0, 0
		if !g.addBlock(lv, &lo, &hi) {
			for z := lo[2]; z <= hi[2]; z++ {
				for y := lo[1]; y <= hi[1]; y++ {
					out = g.addRun(lv, lo[0], hi[0], y, z, out)
				}
			}
		}
		out = g.collectRows(lv, &g.rows, 0, out)
	}
	return append(out, g.unbinned...), true
}

// CastSegment returns the length, in metres, of the pieces into which a long cast is best divided
// for InBox.
func (g *Grid) CastSegment() float64 {
	if len(g.levels) == 0 {
		return math.Inf(1)
	}
	return 2 * g.levels[0].size
}

// CellOf returns the cell of body i, which is at center. Along flat axes it has no extent. The
// result is false for a body that is unbinned or not in the grid.
func (g *Grid) CellOf(i int32, center collide.Vec3) (collide.AABB, bool) {
	if int(i) >= len(g.locations) {
		return collide.AABB{}, false
	}
	p := &g.locations[i]
	if p.level < 0 || p.isUnbinned() {
		return collide.AABB{}, false
	}
	lv := &g.levels[p.level]
	from := [3]float64{center.X, center.Y, center.Z}
	to := from
	for axis := range from {
		if !g.flat[axis] {
			from[axis], to[axis] = lv.wall(axis, p.cell[axis]), lv.wall(axis, p.cell[axis]+1)
		}
	}
	return collide.AABB{
		Min: collide.Vec3{X: from[0], Y: from[1], Z: from[2]}, Max: collide.Vec3{X: to[0], Y: to[1], Z: to[2]},
	}, true
}
