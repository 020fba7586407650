package cradle

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/examples/internal/stage"
)

// A pointer takes a ball, pulls it out with those beyond it, and lets go.
func TestPointer(t *testing.T) {
	for _, size := range []stage.Pt{{X: 1280, Y: 800}, {X: 400, Y: 700}} {
		v := &view{}
		v.Reset()
		l := v.layout(size.X, size.Y, 1)
		point := func(p stage.Pt, held bool, ticks int) {
			for range ticks {
				v.Step(stage.Input{W: size.X, H: size.Y, Scale: 1, Pointer: p, Held: held})
			}
		}
		v.scene.hand = hand{}
		at, _ := v.scene.row.hung(3)
		from := l.swing.At(at)
		point(from, true, 1)
		to := from.Add(stage.Pt{X: 0.09 * l.swing.Zoom})
		point(to, true, 90)
		for i := range ballCount {
			out := v.scene.row.out(i)
			if pulled := i >= 3; pulled && math.Abs(out-0.09) > 0.01 || !pulled && math.Abs(out) > 0.01 {
				t.Errorf("%v: ball %d is out by %g", size, i, out)
			}
		}
		point(to, false, 120)
		if v.scene.row.impacts == 0 {
			t.Errorf("%v: nothing was hit", size)
		}
	}
}
