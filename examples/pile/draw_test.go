package pile

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// The pointer is over the place of the pile that is seen there, however the bin leans, and nearer
// things look larger.
func TestPointerFindsThePile(t *testing.T) {
	v := &view{seed: 1, height: 24}
	v.Reset()
	v.scene.volume = 2
	for _, lean := range []collide.Vec3{{}, {X: 0.5}, {X: -0.3, Z: 0.2}} {
		v.scene.lean = lean
		in := stage.Input{W: 1280, H: 800, Scale: 1}
		l := v.lens(in.W, in.H, in.Scale)
		area := stage.Rect{W: in.W, H: in.H}
		for _, x := range []float64{-1, 0, 1} {
			for _, z := range []float64{-1, 0, 1} {
				want := corner(x, 0, z)
				want.Y = v.scene.level()
				in.Pointer = v.at(l, want)
				if got, ok := v.under(in); !ok || got.Distance(want) > 1e-9 {
					t.Errorf("leaning by %v: the pointer over %v finds %v", lean, want, got)
				}
				if !area.Has(in.Pointer) {
					t.Errorf("leaning by %v: %v is shown at %v, outside of %v", lean, want, in.Pointer, area)
				}
			}
		}
		_, far := l.At(corner(0, 0, -1))
		_, near := l.At(corner(0, 0, 1))
		if near < far*1.2 {
			t.Errorf("a metre is %g pixels wide behind and %g in front", far, near)
		}
	}
}
