package drum

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// The pointer drags the ball that it is pressed on, towards the middle of the drum, and nothing
// overlaps.
func TestABallIsDragged(t *testing.T) {
	v := New(1).(*view)
	v.count = leastBalls
	v.Reset()
	in := stage.Input{W: 1280, H: 800, Scale: 1}
	for range settleTicks + 10 {
		v.Step(in)
	}
	front := v.scene.balls[0]
	for _, b := range v.scene.balls {
		if components.Transform.Get(b).Position.Z > components.Transform.Get(front).Position.Z {
			front = b
		}
	}
	box, _ := areas(in.W, in.H)
	l := v.lens(box, in.Scale)
	in.Held = true
	in.Pointer, _ = l.At(components.Transform.Get(front).Position)
	before := components.Transform.Get(front).Position
	above, _ := l.At(before.Add(collide.Vec3{Y: 0.3}))
	v.Step(in)
	in.Pointer = above
	for range 60 {
		v.Step(in)
	}
	if rise := components.Transform.Get(front).Position.Y - before.Y; rise < 0.25 {
		t.Errorf("the ball rose by %.3f m, want 0.3", rise)
	}
	if v.scene.worstOverlap > slack*v.scene.least {
		t.Errorf("overlap of %g m", v.scene.worstOverlap)
	}
}
