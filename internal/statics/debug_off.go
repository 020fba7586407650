//go:build !dangodebug

package statics

// debugState is empty, and the checks do nothing: see debug_on.go.
type debugState struct{}

func (w *Set) check(string)  { _ = w.debug }
func (w *Set) checkFreeBox() {}
