//go:build !js

package stage

import "github.com/hajimehoshi/ebiten/v2"

// browse lets the pointer choose an example of the gallery.
func (w *window) browse(in Input) {
	m := &w.menu
	m.over = m.choose(in.Pointer)
	if in.Held && !m.held && m.over >= 0 {
		w.open(w.examples[m.over].Name, "")
	}
	m.held = in.Held
	shape := ebiten.CursorShapeDefault
	if m.over >= 0 {
		shape = ebiten.CursorShapePointer
	}
	ebiten.SetCursorShape(shape)
}
