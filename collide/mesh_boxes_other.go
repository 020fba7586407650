//go:build !amd64 || purego

package collide

func (s *meshSearch) enterBoxes(n *meshNode) (entered uint32) { return s.enterBoxesGo(n) }
