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
		for axis := range 3 {
			// A body reaches at most half a cell out of its own.
			lo[l][axis] = g.coordinate(lv, axis, low[axis]-float64(lv.size/2))
			hi[l][axis] = g.coordinate(lv, axis, high[axis]+float64(lv.size/2))
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
				for x := lo[l][0]; x <= hi[l][0]; x++ {
					out = g.appendList(lv.slots[2*lv.cellIndex(x, y, z):], out)
				}
			}
		}
	}
	return append(out, g.unbinned...), true
}

// CastPiece returns the length, in metres, of the pieces into which a long cast is best divided for
// InBox.
func (g *Grid) CastPiece() float64 {
	if len(g.levels) == 0 {
		return math.Inf(1)
	}
	return 2 * g.levels[0].size
}
