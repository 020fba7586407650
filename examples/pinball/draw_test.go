package pinball

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// The mouse or a finger drags the ball that it is pressed on, without a flipper and for no points,
// and throws it. Pressed elsewhere it is a flipper, and on a ball in the lane the plunger.
func TestTheBallIsDraggedAndThrown(t *testing.T) {
	for _, touch := range []bool{false, true} {
		v := New(1).(*view)
		v.Reset()
		s := v.scene
		in := stage.Input{W: 520, H: 760, Scale: 1, Held: true, Touch: touch}
		press := func(p stage.Pt) {
			in.Pointer = p
			if touch {
				in.Fingers = []stage.Finger{{ID: 0, At: p}}
			}
			v.Step(in)
		}
		release := func() {
			in.Held, in.Fingers = false, nil
			v.Step(in)
			in.Held = true
		}
		cam := camera(in.W, in.H, in.Scale)
		plunger := components.Transform.Get(s.plunger).Position.Y
		press(cam.At(s.at()))
		press(in.Pointer)
		if at := components.Transform.Get(s.plunger).Position.Y; at >= plunger || s.dragged {
			t.Errorf("touch %v: pressed on the ball in the lane, the plunger is at %v of %v", touch, at, plunger)
		}
		release()

		components.Transform.Get(s.ball).Position = collide.Vec2(0.15, 0.35)
		*s.velocity() = collide.Vec3{}
		v.Step(stage.Input{})
		press(cam.At(s.at()))
		for range 15 {
			press(in.Pointer.Add(stage.Pt{X: 6}))
			if components.Motor.Get(s.left).On || components.Motor.Get(s.right).On {
				t.Fatalf("touch %v: the drag is a flipper", touch)
			}
		}
		if d := s.at().Distance(cam.World(in.Pointer)); d > 0.08 || s.score > 0 {
			t.Errorf("touch %v: the ball is %g m from the pointer, and the score is %d", touch, d, s.score)
		}
		release()
		if to := s.velocity().X; to < 0.3 || s.dragged {
			t.Errorf("touch %v: let go, the ball flies at %g m/s", touch, to)
		}
		press(stage.Pt{X: 100, Y: 700})
		if !components.Motor.Get(s.left).On {
			t.Errorf("touch %v: pressed beside the ball, no flipper moves", touch)
		}
	}
}
