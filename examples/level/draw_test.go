package level

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
	"github.com/yohamta/donburi"
)

// The mouse or a finger drags the crate or the ball that it is pressed on, and throws it, and the
// camera stays as it is. Pressed elsewhere, it turns the camera.
func TestThingsAreDraggedAndThrown(t *testing.T) {
	for _, touch := range []bool{false, true} {
		for class, things := range map[string]func(s *scene) []*donburi.Entry{
			"crate": func(s *scene) []*donburi.Entry { return s.crates },
			"ball":  func(s *scene) []*donburi.Entry { return s.balls },
		} {
			v := New(1).(*view)
			v.Reset()
			s := v.scene
			thing := things(s)[0]
			at := func() collide.Vec3 { return components.Transform.Get(thing).Position }
			components.Transform.Get(thing).Position = collide.Vec3{X: 11, Y: 0.5, Z: -1}
			put(s, collide.Vec3{X: 10, Z: 2})
			in := stage.Input{W: 1280, H: 800, Scale: 1}
			press := func(to stage.Pt, held bool) {
				in.Pointer, in.Held, in.Touch, in.Fingers = to, held, touch, nil
				if held && touch {
					in.Fingers = []stage.Finger{{ID: 0, At: to}}
				}
				v.Step(in)
			}
			shown := func() stage.Pt {
				p := stage.Inverse(s.look()).Rotate(at().Sub(s.eye))
				zoom := in.H / 2 / math.Tan(angleOf(in.W, in.H)/2)
				return stage.Pt{X: in.W/2 + p.X/-p.Z*zoom, Y: in.H/2 - p.Y/-p.Z*zoom}
			}
			begin, yaw, pitch := at(), s.yaw, s.pitch
			to := shown()
			for range 20 {
				to.Y -= 7
				press(to, true)
			}
			if rise := at().Y - begin.Y; rise < 0.8 {
				t.Errorf("%s, touch %v: it rose by %.2f m", class, touch, rise)
			}
			press(to, false)
			if up := components.Velocity.Get(thing).Linear.Y; up < 1.5 {
				t.Errorf("%s, touch %v: let go, it flies up at %.2f m/s", class, touch, up)
			}
			if s.yaw != yaw || s.pitch != pitch {
				t.Errorf("%s, touch %v: the camera has turned", class, touch)
			}
			for i := range 3 {
				press(stage.Pt{X: 900 + 10*float64(i), Y: 60}, true)
			}
			if s.yaw == yaw {
				t.Errorf("%s, touch %v: dragged from the sky, the camera doesn't turn", class, touch)
			}
		}
	}
}

// Whoever shot on read "goals 4 of 3" in the panel.
func TestThePanelHasNoGoalTooMany(t *testing.T) {
	v := New(1).(*view)
	v.Reset()
	v.scene.goals = goalsToWin + 1
	if want := fmt.Sprintf("goals  %d of %d", goalsToWin, goalsToWin); !slices.Contains(v.Panel().Lines, want) {
		t.Errorf("the panel says %q, want %q among it", v.Panel().Lines, want)
	}
}
