package swarm

import (
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
)

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
