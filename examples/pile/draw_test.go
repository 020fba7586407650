package pile

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
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

// With grab, a mouse or a finger picks the ball that is seen under it, drags it, and throws it.
func TestABallIsDraggedAndThrown(t *testing.T) {
	for _, touch := range []bool{false, true} {
		v := &view{seed: 1, height: 24, weight: 1}
		v.Reset()
		v.scene.waiting = 100
		for range 100 {
			v.Step(stage.Input{})
		}
		v.Step(stage.Input{Typed: "G"})
		in := stage.Input{W: 1280, H: 800, Scale: 1, Touch: touch, Held: true}
		top := v.scene.balls[0]
		for _, e := range v.scene.balls {
			if components.Transform.Get(e).Position.Y > components.Transform.Get(top).Position.Y {
				top = e
			}
		}
		shown := func() stage.Pt {
			p, _ := v.lens(in.W, in.H, in.Scale).At(components.Transform.Get(top).Position)
			return p
		}
		in.Pointer = shown()
		begin := in.Pointer
		for range 25 {
			in.Pointer.Y -= 12
			v.Step(in)
		}
		if d := shown().Sub(in.Pointer).Len(); d > 90 {
			t.Errorf("touch %v: the pointer is at %.0f, and the ball is shown at %.0f", touch, in.Pointer, shown())
		}
		if v.scene.worstOverlap > 1e-9*leastRadius {
			t.Errorf("touch %v: an overlap of %g m", touch, v.scene.worstOverlap)
		}
		in.Held = false
		v.Step(in)
		if up := components.Velocity.Get(top).Linear.Y; up < 0.8 {
			t.Errorf("touch %v: let go at %.0f from %.0f, it flies up at %.2f m/s", touch, in.Pointer, begin, up)
		}
	}
}

// Autoplay poured on, and kept its balls, though steps took ten times too long.
func TestAutoplayDropsBallsThatAreTooMany(t *testing.T) {
	v := New(1).(*view)
	v.Reset()
	for range 120 {
		v.Step(stage.Input{Auto: true})
	}
	n := len(v.scene.balls)
	v.Step(stage.Input{Auto: true, Load: 10, Pace: 0.6})
	if got, want := len(v.scene.balls), n*6/10; got != want || v.scene.waiting != 0 {
		t.Errorf("%d of %d balls are left and %d are waiting, want %d and none", got, n, v.scene.waiting, want)
	}
}
