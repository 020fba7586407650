package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A ball that rolled past another one at 30 m/s, 5 cm away from it, pushed it aside at 1.7 m/s, and
// a post pushed the ball: bodies on a floor, which are in contacts, were kept apart along the line
// of their centres at the start of the step.
func TestABallThatPassesSomethingIsNotPushed(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	const r = 0.5
	for _, other := range []string{"ball", "capsule", "cylinder", "box"} {
		for _, speed := range []float64{1, 3, 10, 30, 100} {
			for _, clearance := range []float64{3e-4, 1e-3, 0.01, 0.05} {
				for phase := range 10 {
					w := donburi.NewWorld()
					components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
					b := ball(w, vec(-2-speed/60*float64(phase)/10, r, 0), vec(speed, 0, 0), r)
					var passed *donburi.Entry
					switch z := 2*r + clearance; other {
					case "ball":
						passed = ball(w, vec(0, r, z), vec(0, 0, 0), r)
					case "capsule":
						components.CreateCapsule(w, vec(0, -1, z), vec(0, 3, z), r)
					case "cylinder":
						post := collide.Cylinder{A: vec(0, -2, 0), B: vec(0, 2, 0), Radius: r}
						spawn(w, at(0, 1, z), components.ShapeColliderData{Shape: post})
					case "box":
						spawn(w, at(0, 1, z), components.ShapeColliderData{Shape: collide.Box{Half: vec(r, 2, r)}})
					}
					p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
					for range int(4/speed*60) + 10 {
						p.Step(w)
					}
					v := velocity(b)
					if off := v.Sub(vec(speed, 0, 0)).Length(); off > 1e-12*speed {
						t.Errorf("%s, %g m/s, clearance %g m: pushed by %g m/s", other, speed, clearance, off)
					}
					if passed != nil && velocity(passed).Length() > 0 {
						t.Errorf("%g m/s, clearance %g m: it pushes at %v", speed, clearance, velocity(passed))
					}
					if x := position(b).X; math.IsNaN(x) || x < 1 {
						t.Fatalf("%s, %g m/s: the ball got to %g m only", other, speed, x)
					}
				}
			}
		}
	}
}
