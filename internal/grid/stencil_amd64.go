//go:build amd64 && !purego

package grid

import (
	"slices"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// hasAVX2 reports whether the processor can run compactRows.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT

// compactRows writes to out the bodies in the slots of n rows, and returns how many. It writes up
// to eight values beyond them. overflow is not 0 if a cell has a third body; then numbers in out
// may have the bit more.
//
//go:noescape
func compactRows(slots *int32, rows *Row, n int, out *int32) (count, overflow int)

// CompactTable contains, for each set of the six slots of a row, the permutation that moves the
// slots of the set to the front.
var CompactTable = func() (table [64][8]uint8) {
	for set := range 64 {
		n := 0
		for slot := range uint8(6) {
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
func (g *Grid) collectRows(slots []int32, c *StencilRows, center int32, out []int32) []int32 {
	const most = MaxStencilSlots + 8
	n := len(out)
	if !hasAVX2 || c.n == 0 {
		return g.collectRowsGo(slots, c, center, out)
	}
	if cap(out)-n < most {
		out = slices.Grow(out, most)
	}
	count, overflow := compactRows(&slots[center], &c.rows[0], c.n, &out[:n+1][n])
	out = out[:n+count]
	if overflow == 0 {
		return out
	}
	for k := range out[n:] {
		out[n+k] &^= more
	}
	return g.appendCrowded(slots, c, center, out)
}

// appendCrowded appends the bodies in the rows of a stencil except the first two of each cell.
func (g *Grid) appendCrowded(slots []int32, c *StencilRows, center int32, out []int32) []int32 {
	for k := range c.n {
		row := slots[center+c.rows[k].offset:][:2*c.runs[k].width]
		for ; len(row) >= 2; row = row[2:] {
			if row[1] < more {
				continue
			}
			for j := g.link(row[1] &^ more).next; j >= 0; j = g.link(j).next {
				out = append(out, j)
			}
		}
	}
	return out
}

// prefetchRows prefetches the first slots of n rows.
//
//go:noescape
func prefetchRows(slots *int32, rows *Row, n int)

// LocationAddress returns the address of what PrefetchNeighbors reads about body i.
func (g *Grid) LocationAddress(i int32) unsafe.Pointer { return unsafe.Pointer(&g.locations[i]) }

// PrefetchNeighbors prefetches the cells around body i, which a search will read soon.
func (g *Grid) PrefetchNeighbors(i int32) {
	p := &g.locations[i]
	if p.slot >= 0 {
		lv := &g.levels[p.level]
		c := &lv.stencils[Full]
		prefetchRows(&lv.slots[p.slot], &c.rows[0], c.n)
	}
}
