//go:build amd64 && !purego

package grid

import (
	"slices"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// hasAVX2 is whether compactRows runs here. It finds the same bodies as collectEach, sooner.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT

// compactRows appends to out the bodies in the slots of n rows, and returns how many. It may write eight places more than that.
// It returns overflow != 0 where a list has a third body; then out is of no use.
//
//go:noescape
func compactRows(lists *int32, rows *Row, n int, out *int32) (count, overflow int)

// Gaps says for each set of slots that hold a body which of the eight come next to each other.
var Gaps = func() (g [64][8]int32) {
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

// collectRows appends the bodies in the rows of a zone about the cell whose slots begin at at.
func (g *Grid) collectRows(lists []int32, c *cells, at int32, out []int32) []int32 {
	const most = 9*6 + 8
	n := len(out)
	if !hasAVX2 || c.n == 0 {
		return g.collectEach(lists, c, at, out)
	}
	if cap(out)-n < most {
		out = slices.Grow(out, most)
	}
	count, overflow := compactRows(&lists[at], &c.rows[0], c.n, &out[:n+1][n])
	if overflow != 0 {
		return g.collectEach(lists, c, at, out)
	}
	return out[:n+count]
}

// fetchRows lets the processor bring n rows while the program goes on.
//
//go:noescape
func fetchRows(lists *int32, rows *Row, n int)

// Place returns where in memory is what Fetch needs to know of body i.
func (g *Grid) Place(i int32) unsafe.Pointer { return unsafe.Pointer(&g.places[i]) }

// Fetch sends for the cells around body i, which will be looked into soon.
func (g *Grid) Fetch(i int32) {
	p := &g.places[i]
	if p.at >= 0 {
		lv := &g.levels[p.level]
		c := &lv.zones[Around]
		fetchRows(&lv.lives[p.at], &c.rows[0], c.n)
	}
}
