package grid

const (
	// MaxStencilSlots is the largest number of slots in the rows of a stencil.
	MaxStencilSlots = maxRows * 6

	// MaxListed bounds the bodies that ListFollowers lists. Only heaps of bodies much smaller than
	// a cell have more in one cell.
	MaxListed = 64
)

// View returns the first slot of body i's cell and the rows of a stencil around it, for assembly
// that searches them without a call of this package. Up to eight slots may be read from where a row
// begins. A stencil may have no rows. Half also includes what ListFollowers lists.
//
// View returns nil where the cells are not in rows, at the edges of the torus, and for Half and
// Full in grids of several levels or with unbinned bodies, where a search must find other bodies
// too.
func (g *Grid) View(i int32, s Stencil) (slots *int32, rows *StencilRows) {
	p := &g.locations[i]
	if p.slot < 0 || s <= Full && (len(g.levels) > 1 || len(g.unbinned) > 0) {
		return nil, nil
	}
	lv := &g.levels[p.level]
	return &lv.slots[p.slot], &lv.stencils[s]
}

// ListFollowers writes the bodies that follow body i in the list of its cell to listed, and returns
// how many there are. It returns -1 if listed is too short.
func (g *Grid) ListFollowers(i int32, listed []int32) int {
	n := 0
	for j := g.link(i).next; j >= 0; j = g.link(j).next {
		if n == len(listed) {
			return -1
		}
		listed[n] = j
		n++
	}
	return n
}

// Links returns the address of body 0's link. Body i's link is i links further on.
func (g *Grid) Links() *Link { return &g.links[1] }
