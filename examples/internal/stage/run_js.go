package stage

import "github.com/hajimehoshi/ebiten/v2"

// Run shows what the address of the page says. It never returns but after an error.
func Run(examples []Example) {
	w := newWindow(examples)
	ebiten.SetScreenClearedEveryFrame(false)
	w.address()
	if err := ebiten.RunGame(w); err != nil {
		panic("stage: " + err.Error())
	}
}
