//go:build amd64 && !purego

package grid

import (
	"slices"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// hasAVX2 reports whether the processor can run compactRows.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT

// compactRows writes to out what is in the slots of the rows of c, which has at least one, and
// returns how many that are. It writes up to eight values beyond them. If crowded is not 0, some
// may have the bit more.
//
//go:noescape
func compactRows(slots *int32, c *StencilRows, out *int32, table *[256][8]uint8) (count, crowded int)

// CompactTable contains, for each set of eight slots, the permutation that moves the slots of the
// set to the front.
var CompactTable = func() (table [256][8]uint8) {
	for set := range 256 {
		n := 0
		for slot := range uint8(8) {
			if set>>slot&1 != 0 {
				table[set][n] = slot
				n++
			}
		}
	}
	return table
}()

// collectRows appends the bodies in the rows of a stencil, whose central cell has its first slot at
// center.
func (g *Grid) collectRows(lv *level, c *StencilRows, center int32, out []int32) []int32 {
	if !hasAVX2 || c.pieces == 0 {
		return g.collectRowsGo(lv, c, center, out)
	}
	from := len(out)
	out = slices.Grow(out, 12*maxRows+8)
	n, crowded := compactRows(&lv.slots[center], c, &out[:from+1][from], &CompactTable)
	if out = out[:from+n]; crowded != 0 {
		return g.appendOthers(out, from)
	}
	return out
}

// prefetchRows prefetches the first slots of n rows.
//
//go:noescape
func prefetchRows(slots, offsets *int32, n int)

// LocationAddress returns the address of what PrefetchNeighbors reads about body i.
func (g *Grid) LocationAddress(i int32) unsafe.Pointer { return unsafe.Pointer(&g.locations[i]) }

// PrefetchNeighbors prefetches the cells around body i, which a search will read soon.
func (g *Grid) PrefetchNeighbors(i int32) {
	p := &g.locations[i]
	if p.slot >= 0 {
		lv := &g.levels[p.level]
		c := &lv.stencils[Full]
		prefetchRows(&lv.slots[p.slot], &c.offsets[0], c.pieces)
	}
}
