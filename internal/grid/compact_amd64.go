//go:build amd64 && !purego

package grid

import (
	"slices"

	"golang.org/x/sys/cpu"
)

// hasAVX2 is whether compactRows runs here. It finds the same bodies as the loop in collectFrom, sooner.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT

// row is cells that lie side by side: up to eight slots from at on, those of them whose bit in mask is set.
type row struct{ at, mask int32 }

// compactRows appends to out the bodies in the slots of n rows, and returns how many. It may write eight places more than that.
// It returns overflow != 0 where a list has a third body; then out is of no use.
//
//go:noescape
func compactRows(lists *int32, rows *row, n int, out *int32) (count, overflow int)

// gaps says for each set of slots that hold a body which of the eight come next to each other.
var gaps = func() (g [64][8]int32) {
	for set := range int32(64) {
		n := 0
		for slot := range int32(6) {
			if set>>slot&1 != 0 {
				g[set][n] = slot
				n++
			}
		}
	}
	return g
}()

// compact is collectFrom for blocks of at most three by three by three cells, none of whose rows goes around the
// torus, with at most two bodies a cell. It returns false for others.
func (g *Grid) compact(lists []int32, lv *level, lo, hi [3]int32, out []int32) ([]int32, bool) {
	first, width := (lo[0]+lv.turn)&lv.mask[0], hi[0]-lo[0]
	if !hasAVX2 || width > 2 || first+width > lv.mask[0] || hi[1]-lo[1] > 2 || hi[2]-lo[2] > 2 {
		return out, false
	}
	var rows [9]row
	n := 0
	mask := int32(1)<<(2*width+2) - 1
	for z := lo[2]; z <= hi[2]; z++ {
		layer := (z&lv.mask[2])*lv.stride[2] + first
		for y := lo[1]; y <= hi[1]; y++ {
			rows[n] = row{2 * (layer + (y&lv.mask[1])*lv.stride[1]), mask}
			n++
		}
	}
	const most = 9*6 + 8
	at := len(out)
	out = slices.Grow(out, most)
	count, overflow := compactRows(&lists[0], &rows[0], n, &out[:at+1][at])
	if overflow != 0 {
		return out, false
	}
	return out[:at+count], true
}
