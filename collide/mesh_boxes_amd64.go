//go:build amd64 && !purego

package collide

// enterBoxes is enterBoxesGo, bit for bit.
func (s *meshSearch) enterBoxes(n *meshNode) (entered uint32) { return enterEight(s, n) }

// enterEight tests eight boxes, four at a time. It needs no more than SSE2, which each amd64
// processor has.
//
//go:noescape
func enterEight(s *meshSearch, n *meshNode) (entered uint32)
