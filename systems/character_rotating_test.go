package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// A door that can rotate has a frame of its own. A character has to stop where the door is, and not
// where it would be without its rotation.
func TestACharacterStopsAtADoorThatCanRotate(t *testing.T) {
	doors := map[string][]any{
		"polygon": {components.PolygonColliderData{Points: []collide.Vec3{
			vec(0, -2, -2), vec(0, -2, 2), vec(0, 2, 2), vec(0, 2, -2),
		}}},
		"capsule": {capsule(vec(0, 0, 2), 0.1)},
		"plane":   {components.PlaneColliderData{Normal: vec(-1, 0, 0)}},
	}
	for name, door := range doors {
		for _, spin := range []float64{0, -0.5} { // turning away from the character
			s := newCharacterScene()
			s.floor()
			hero, controller := s.character(collide.Vec3{X: 0.5})
			controller.DesiredVelocity = vec(2, 0, 0)
			e := spawn(s.world, append([]any{
				at(3, 0.9, 0.4), moving(0, 0, 0),
				components.BodyData{Kind: components.Kinematic},
				about(vec(0, spin, 0), collide.Vec3{}),
			}, door...)...)
			components.Transform.Get(e).Rotation = collide.RotationBy(vec(0, 0.6, 0))
			least := math.Inf(1)
			for range 90 {
				s.steps(1)
				x := position(hero)
				g, ok := s.physics.Distance(collide.Capsule{
					A: x.Sub(vec(0, 0.6, 0)), B: x.Add(vec(0, 0.6, 0)), Radius: 0.3,
				}, e.Entity())
				if !ok {
					t.Fatalf("%s: no distance", name)
				}
				if least = min(least, g); g < -1e-9 {
					t.Errorf("%s that turns at %v rad/s: the character is %v m deep in it", name, spin, -g)
					break
				}
			}
			s.noErrors(t)
			if least > 0.02 {
				t.Errorf("%s that turns at %v rad/s: the character gets only as close as %v m", name, spin, least)
			}
		}
	}
}
