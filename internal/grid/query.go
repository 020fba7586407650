package grid

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// InBox appends to out every body that could reach into box, each once. If that would mean
// searching more cells than there are bodies, it returns false, and out unchanged.
func (g *Grid) InBox(box collide.AABB, out []int32) ([]int32, bool) {
	var lo, hi [maxLevels][3]int32
	cells := 0.0
	for l := range g.levels {
		lv := &g.levels[l]
		n := 1.0
		low := [3]float64{box.Min.X, box.Min.Y, box.Min.Z}
		high := [3]float64{box.Max.X, box.Max.Y, box.Max.Z}
		// How far a body reaches out of its cell, with the room that Put leaves it for rounding.
		reach := float64(lv.maxDiameter/2) + float64(lv.size*((cellSlack-1)/2))
		for axis := range 3 {
			lo[l][axis] = g.coordinate(lv, axis, low[axis]-reach)
			hi[l][axis] = g.coordinate(lv, axis, high[axis]+reach)
			hi[l][axis] = min(hi[l][axis], lo[l][axis]+lv.n[axis]-1) // once around the torus is all of it
			n *= float64(hi[l][axis]-lo[l][axis]) + 1
		}
		cells += n
	}
	if cells > float64(len(g.locations)+64) {
		return out, false
	}
	for l := range g.levels {
		lv := &g.levels[l]
		for z := lo[l][2]; z <= hi[l][2]; z++ {
			for y := lo[l][1]; y <= hi[l][1]; y++ {
				cell := lv.cellIndex(lo[l][0], y, z)
				x := wrap(lo[l][0]+lv.shift[0], lv.n[0]) // on the torus
				for range hi[l][0] - lo[l][0] + 1 {
					if at := cell * lv.perCell; lv.slots[at] >= 0 {
						out = g.appendCell(lv.slots[at:at+lv.perCell], out)
					}
					x++
					cell++
					if x == lv.n[0] {
						x, cell = 0, cell-lv.n[0]
					}
				}
			}
		}
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
