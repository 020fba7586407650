package grid

// StencilView is a stencil around a body's cell as it lies in memory, for assembly that searches it
// without a call of this package.
type StencilView struct {
	Slots  *int32 // first slot of the central cell
	Rows   *Row   // the first of Count rows. Up to eight slots may be read from where a row begins.
	Count  int
	Listed int // bodies of the stencil that View has listed
}

const (
	// MaxStencilSlots is the largest number of slots in the rows of a stencil.
	MaxStencilSlots = maxRows * 6

	// MaxListed bounds the bodies that View lists. Only heaps of bodies much smaller than a cell
	// have more in one cell, and those are searched without a view.
	MaxListed = 64
)

// View returns a stencil around body i. It returns false where the cells are not in rows, at the
// edges of the torus, and in grids of several levels or with unbinned bodies, where a search must
// find other bodies too.
//
// Half includes the bodies of the body's own cell that follow it in the list: View writes these to
// listed.
func (g *Grid) View(i int32, s Stencil, listed []int32) (StencilView, bool) {
	p, lv := &g.locations[i], &g.levels[0]
	c := &lv.stencils[s]
	if len(g.levels) > 1 || len(g.unbinned) > 0 || c.n == 0 || p.slot < 0 {
		return StencilView{}, false
	}
	n := 0
	if s == Half {
		for j := g.link(i).next; j >= 0; j = g.link(j).next {
			if n == len(listed) {
				return StencilView{}, false
			}
			listed[n] = j
			n++
		}
	}
	return StencilView{&lv.slots[p.slot], &c.rows[0], c.n, n}, true
}
