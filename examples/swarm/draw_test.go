package swarm

import (
	"slices"
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// The slider for the number of bodies was only there after "best number" was switched off, so the
// command line and addresses couldn't set it.
func TestTheNumberOfBodiesCanBeSet(t *testing.T) {
	v := New(1).(*view)
	v.Reset()
	sliders := v.Panel().Sliders
	k := slices.IndexFunc(sliders, func(s stage.Slider) bool { return s.Name == "count" })
	if k < 0 {
		t.Fatal("there is no slider")
	}
	v.Step(stage.Input{Pace: 0.9})
	if n := len(v.scene.bodies); n >= firstBodies || *sliders[k].Value != firstBodies {
		t.Errorf("on a slow machine there are %d bodies, and the slider is at %g", n, *sliders[k].Value)
	}
	sliders[k].Set(2 * leastBodies)
	v.Reset()
	for range 3 {
		v.Step(stage.Input{Pace: 1.5})
	}
	if n := len(v.scene.bodies); n != 2*leastBodies {
		t.Errorf("%d bodies, set to %d", n, 2*leastBodies)
	}
	v.Step(stage.Input{Typed: "B", Pace: 1.5})
	if n := len(v.scene.bodies); n <= 2*leastBodies {
		t.Errorf("with the best number again, it stays at %d bodies", n)
	}
}

// With grab, the pointer drags the body under it and throws it, and the others aren't pulled.
func TestABodyIsDraggedAndThrown(t *testing.T) {
	v := New(1).(*view)
	v.count, v.speed = leastBodies, 1
	v.Reset()
	v.Step(stage.Input{Typed: "G"})
	in := stage.Input{W: 1280, H: 800, Scale: 1, Held: true}
	e := v.scene.bodies[0]
	cam := v.camera(in.W, in.H, in.Scale)
	in.Pointer = cam.At(components.Transform.Get(e).Position)
	side := 1.0 // towards the middle
	if in.Pointer.X > in.W/2 {
		side = -1
	}
	for range 30 {
		in.Pointer.X += 10 * side
		v.Step(in)
	}
	if d := cam.At(components.Transform.Get(e).Position).Sub(in.Pointer).Len(); d > 80 {
		t.Errorf("the body is %.0f pixels away from the pointer", d)
	}
	in.Held = false
	v.Step(in)
	if to := side * components.Velocity.Get(e).Linear.X; to < 10 {
		t.Errorf("let go, it flies at %.1f m/s", to)
	}
	for _, o := range v.scene.bodies[1:] {
		if l := components.Velocity.Get(o).Linear.Length(); l > 45 {
			t.Errorf("another body moves at %.1f m/s", l)
		}
	}
}
