//go:build !dangodebug

package bridge

func (b *Bridge) checkHandles(string) {} // see debug_on.go
