package grid

import "unsafe"

// View returns the first slot of body i's cell and the cells of a stencil around it, for assembly
// that searches them without a call of this package. Up to eight slots may be read from where a row
// begins. A stencil may have no rows. Half also includes what ListFollowers lists, and Full, in a
// grid of several levels, what CoarserNeighbors lists.
//
// View returns nil where the cells are not in rows, at the edges of the torus. For Half and Full it
// also does in grids with unbinned bodies, which a search must find too, and for bodies above the
// finest level, which search finer ones.
func (g *Grid) View(i int32, s Stencil) (slots *int32, rows *StencilRows) {
	p := &g.locations[i]
	if p.slot < 0 || (p.level > 0 || len(g.unbinned) > 0) && s <= Full {
		return nil, nil
	}
	lv := &g.levels[p.level]
	return &lv.slots[p.slot], &lv.stencils[s]
}

// IsAlone reports whether a body whose View begins with slots has its cell for itself.
func IsAlone(slots *int32) bool { return (*[2]int32)(unsafe.Pointer(slots))[1] < 0 }

// ListFollowers appends to out the bodies of the cell of body i that Half includes.
func (g *Grid) ListFollowers(i int32, out []int32) []int32 {
	p := &g.locations[i]
	return g.appendFollowers(i, &g.levels[p.level], p, out)
}

// Next returns the address of what follows body 0 in its cell. That of body i is i numbers further
// on.
func (g *Grid) Next() *int32 { return &g.next[0] }
