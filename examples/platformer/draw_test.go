package platformer

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
	"github.com/dango-physics/dango/levels"
)

// The mouse or a finger drags the crate or the ball that it is pressed on, and throws it. The hero
// stands still, though a thumb in the left half is otherwise a stick.
func TestThingsAreDraggedAndThrown(t *testing.T) {
	for _, touch := range []bool{false, true} {
		for _, class := range []string{"crate", "ball"} {
			v := New(1).(*view)
			v.Reset()
			s := v.scene
			v.Step(stage.Input{}) // queries find bodies from the first step on
			thing := s.things[0]
			for _, e := range s.things { // the last is on top
				if levels.Object.Get(e).Class == class {
					thing = e
					if class == "crate" {
						break
					}
				}
			}
			place := func() collide.Vec3 { return components.Transform.Get(thing).Position }
			in := stage.Input{W: 1280, H: 800, Scale: 1}
			v.camera = mapPoint(place().Add(collide.Vec2(3, 0))) // it is in the left half
			hero := s.at()
			put := func(to stage.Pt, held bool) {
				in.Pointer, in.Held, in.Touch, in.Fingers = to, held, touch, nil
				if held && touch {
					in.Fingers = []stage.Finger{{ID: 0, At: to}}
				}
				camera := v.camera
				v.Step(in)
				v.camera = camera // which would follow the hero
			}
			cam := v.shown(in.W, in.H)
			begin := place()
			at := cam.At(begin)
			for range 20 {
				at.Y -= 6
				put(at, true)
			}
			if rise := place().Y - begin.Y; rise < 1 {
				t.Errorf("%s, touch %v: it rose by %.2f m", class, touch, rise)
			}
			put(at, false)
			if up := components.Velocity.Get(thing).Linear.Y; up < 2 {
				t.Errorf("%s, touch %v: let go, it flies up at %.2f m/s", class, touch, up)
			}
			if moved := s.at().X - hero.X; moved > 0.01 || moved < -0.01 {
				t.Errorf("%s, touch %v: the hero moved by %.2f m", class, touch, moved)
			}
		}
	}
}
