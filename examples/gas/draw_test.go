package gas

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// With grab, the pointer drags the sphere under it and throws it, and the box doesn't turn. The
// energy changes by the work of the hand alone.
func TestASphereIsDraggedAndThrown(t *testing.T) {
	v := New(1).(*view)
	v.count, v.fill, v.speed = leastCount, 0.02, 5
	v.Reset()
	v.Step(stage.Input{Typed: "G"})
	in := stage.Input{W: 1280, H: 800, Scale: 1, Held: true}
	box, _ := areas(in.W, in.H)
	l, s := v.lens(box, in.Scale), v.scene
	front := s.balls[0]
	for _, e := range s.balls {
		near := func(at components.TransformData) float64 { return at.Position.Distance(l.Eye) }
		if near(*components.Transform.Get(e)) < near(*components.Transform.Get(front)) {
			front = e
		}
	}
	in.Pointer, _ = l.At(components.Transform.Get(front).Position)
	before, turn := s.energy, v.turn
	begin := in.Pointer
	middle, _ := l.At(collide.Vec3{})
	for i := range 40 {
		in.Pointer = begin.Lerp(middle, float64(i)/40)
		v.Step(in)
	}
	if p, _ := l.At(components.Transform.Get(front).Position); p.Sub(in.Pointer).Len() > 60 {
		t.Errorf("dragged from %.0f, the sphere is at %.0f, and the pointer at %.0f", begin, p, in.Pointer)
	}
	in.Held = false
	v.Step(in)
	if fast := components.Velocity.Get(front).Linear.Length(); fast < 1 {
		t.Errorf("let go, it flies at %.2f m/s", fast)
	}
	for range 120 {
		v.Step(in)
	}
	if v.turn != turn || math.Abs(s.energy/before-1) < 1e-6 || s.drift > 1e-12 {
		t.Errorf("turned by %g, energy %g J of %g J, changed by %g besides the work of the hand",
			v.turn-turn, s.energy, before, s.drift)
	}
	v.Step(stage.Input{Typed: "G"})
	in.Held = true
	for range 2 {
		in.Pointer.X += 10
		v.Step(in)
	}
	if v.turn == turn {
		t.Error("without grab, dragging doesn't turn the box")
	}
}
