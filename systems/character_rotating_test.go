package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// turnable creates a box that rotates.
func (s *characterScene) turnable(center, half collide.Vec3) *donburi.Entry {
	return components.CreateBox(s.world, center, half, components.Velocity, components.AngularVelocity)
}

// gap returns the gap between a character and an entity.
func (s *characterScene) gap(t *testing.T, hero, e *donburi.Entry) float64 {
	t.Helper()
	x := position(hero)
	g, ok := s.physics.Distance(collide.Capsule{
		A: x.Sub(vec(0, 0.6, 0)), B: x.Add(vec(0, 0.6, 0)), Radius: 0.3,
	}, e.Entity())
	if !ok {
		t.Fatal("no distance")
	}
	return g
}

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
				g := s.gap(t, hero, e)
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

func TestACharacterRidesOnWhatRotates(t *testing.T) {
	for _, pivot := range []collide.Vec3{{}, {X: 1}, {X: 30}} {
		s := newCharacterScene()
		wheel := s.turnable(vec(0, -0.5, 0), vec(3, 0.5, 3))
		hero, c := s.character(collide.Vec3{X: 2})
		s.steps(10) // it stands still before the wheel begins to rotate
		from := position(hero)
		components.AngularVelocity.SetValue(wheel, about(vec(0, 1, 0), pivot))
		for range 90 {
			s.steps(1)
			if !c.OnGround() || c.State.GroundEntity != wheel.Entity() || len(c.State.Contacts) > 0 {
				t.Fatalf("pivot %v: %+v", pivot, c.State)
			}
		}
		s.noErrors(t)
		arm := collide.RotationBy(vec(0, 1.5, 0)).Rotate(vec(from.X-pivot.X, 0, 0))
		want := pivot.Add(arm)
		want.Y = from.Y
		if at := position(hero); at.Distance(want) > 1e-9 {
			t.Errorf("pivot %v: it is at %v, want %v", pivot, at, want)
		}
		if v := vec(0, 1, 0).Cross(arm); c.State.GroundVelocity.Distance(v) > 0.02*v.Length() {
			t.Errorf("pivot %v: the ground moves at %v, want %v", pivot, c.State.GroundVelocity, v)
		}
	}
}

func TestWhatRotatesPushesACharacter(t *testing.T) {
	for _, spin := range []float64{0.3, 1, 3, -10} {
		s := newCharacterScene()
		s.floor()
		arm := s.turnable(vec(0, 1, 0), vec(3, 1, 0.1))
		hero, c := s.character(vec(2, 0, math.Copysign(0.8, -spin)))
		s.steps(10) // it stands still before the arm reaches it
		components.AngularVelocity.Get(arm).Angular = vec(0, spin, 0)
		deepest, start := 0.0, position(hero)
		for range int(1.5 / math.Abs(spin) * 60) {
			s.steps(1)
			deepest = max(deepest, -s.gap(t, hero, arm))
		}
		s.noErrors(t)
		if at := position(hero); deepest > 1e-3 || at.Distance(start) < 0.5 || c.State.Crushed {
			t.Errorf("at %v rad/s: pushed from %v to %v, %v m deep: %+v", spin, start, at, deepest, c.State)
		}
	}
}

func TestACharacterStandsOnGroundThatTilts(t *testing.T) {
	s := newCharacterScene()
	ground := s.turnable(vec(0, -0.1, 0), vec(3, 0.1, 3))
	hero, c := s.character(vec(2, 0, 0))
	s.steps(10)
	for _, spin := range []float64{0.5, -0.5} {
		components.AngularVelocity.Get(ground).Angular = vec(0, 0, spin)
		for range 60 {
			s.steps(1)
			if g := s.gap(t, hero, ground); !c.OnGround() || math.Abs(g) > 1e-3 {
				t.Fatalf("%v m above the ground: %+v", g, c.State)
			}
		}
	}
	if x := position(hero); math.Abs(x.Y-0.9) > 1e-3 || math.Abs(x.X-2) > 0.3 {
		t.Errorf("after the ground has tilted there and back it is at %v", x)
	}
}
