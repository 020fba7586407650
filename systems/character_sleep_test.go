package systems_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A character stood on a stack of light crates that slept. When the floor was removed, the crates
// fell under the whole weight of the character, at 6 m/s after one step; and so they did, asleep or
// not, where the floor was still an entity. The contact between the crates still pushes the two
// apart at 0.006 m/s when they begin to fall. That moves the lower one, which is 71 times as light
// as the upper one with the character.
func TestTheFloorIsTakenAwayUnderCratesAndWhoStandsOnThem(t *testing.T) {
	for name, takeAway := range map[string]func(w donburi.World, floor *donburi.Entry){
		"removed":             func(w donburi.World, e *donburi.Entry) { w.Remove(e.Entity()) },
		"without a collider":  func(_ donburi.World, e *donburi.Entry) { e.RemoveComponent(components.ShapeCollider) },
		"without a Transform": func(_ donburi.World, e *donburi.Entry) { e.RemoveComponent(components.Transform) },
		"a sensor":            func(_ donburi.World, e *donburi.Entry) { e.AddComponent(components.Sensor) },
		"moved":               func(_ donburi.World, e *donburi.Entry) { components.Transform.Get(e).Position.X = 100 },
	} {
		t.Run(name, func(t *testing.T) {
			asleep, awake := fallsWithACharacter(t, true, takeAway), fallsWithACharacter(t, false, takeAway)
			if !slices.Equal(asleep, awake) {
				t.Errorf("asleep %v, awake %v", asleep, awake)
			}
		})
	}
}

// fallsWithACharacter returns the speeds of two crates with a character on them, step by step after
// their floor has been taken away.
func fallsWithACharacter(
	t *testing.T, asleep bool, takeAway func(w donburi.World, floor *donburi.Entry),
) (speeds []float64) {
	w := donburi.NewWorld()
	floor := components.CreateBox(w, collide.Vec3{Y: -0.5}, collide.Vec3{X: 2, Y: 0.5, Z: 2})
	var crates []*donburi.Entry
	for n := range 2 {
		e := components.CreateCrate(w, collide.Vec3{Y: 0.5 + float64(n)}, collide.Vec3{X: 0.5, Y: 0.5, Z: 0.5})
		components.Body.Get(e).Mass = 1
		crates = append(crates, e)
	}
	who := components.CreateCharacter(w, collide.Vec3{Y: 2.9}, 0.3, 1.8)
	p := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}, NoSleeping: !asleep})
	for range 200 {
		p.Step(w)
	}
	if got := p.Asleep(crates[0].Entity()); got != asleep {
		t.Fatalf("the lower crate sleeps: %v", got)
	}
	if c := components.CharacterController.Get(who); c.State.GroundEntity != crates[1].Entity() {
		t.Fatal("the character doesn't stand on the upper crate")
	}
	takeAway(w, floor)
	for n := 1; n <= 10; n++ {
		p.Step(w)
		want := -9.81 * float64(n) / 60
		for _, e := range crates {
			got := components.Velocity.Get(e).Linear.Y
			if speeds = append(speeds, got); math.Abs(got-want) > 0.006 {
				t.Errorf("asleep %v, step %d: a crate falls at %v m/s, want about %v", asleep, n, got, want)
			}
		}
	}
	return speeds
}

// One that stood still stayed where it was when its collider shrank, grew or turned, or when its
// MaxSlopeAngle became less than the slope on which it stood.
func TestACharacterThatRestsNoticesItsNewShape(t *testing.T) {
	half := func(e *donburi.Entry, size float64) { // gives it that half height
		switch {
		case e.HasComponent(components.CapsuleCollider):
			c := components.CapsuleCollider.Get(e)
			c.A.Y, c.B.Y = 0.3-size, size-0.3
		case e.HasComponent(components.ShapeCollider):
			components.ShapeCollider.Get(e).Shape = collide.Box{Half: collide.Vec3{X: 0.3, Y: size, Z: 0.3}}
		default:
			components.SphereCollider.Get(e).Radius = size
		}
	}
	more := []donburi.IComponentType{components.Velocity, components.CharacterController}
	for name, create := range map[string]func(w donburi.World) *donburi.Entry{
		"capsule": func(w donburi.World) *donburi.Entry {
			return components.CreateCharacter(w, collide.Vec3{Y: 0.9}, 0.3, 1.8)
		},
		"box": func(w donburi.World) *donburi.Entry {
			return components.CreateBox(w, collide.Vec3{Y: 0.9}, collide.Vec3{X: 0.3, Y: 0.9, Z: 0.3}, more...)
		},
		"ball": func(w donburi.World) *donburi.Entry {
			e := components.CreateBall(w, collide.Vec3{Y: 0.9}, 0.9, components.CharacterController)
			components.Body.Get(e).Kind = components.Kinematic
			return e
		},
	} {
		s := newCharacterScene()
		s.floor()
		e := create(s.world)
		for _, size := range []float64{0.9, 0.4, 1.4} {
			half(e, size)
			s.steps(120)
			s.noErrors(t)
			if at := components.Transform.Get(e).Position.Y; math.Abs(at-size) > 1e-9 {
				t.Errorf("%s: its feet are %v m above the floor when it is %v m high", name, at-size, 2*size)
			}
		}
		if name == "capsule" {
			half(e, 0.9)
			components.Transform.Get(e).Rotation = collide.RotationBy(collide.Vec3{Z: math.Pi / 2}) // it lies down
			s.steps(120)
			if at := components.Transform.Get(e).Position.Y; math.Abs(at-0.3) > 1e-9 {
				t.Errorf("a capsule of radius 0.3 m lies %v m above the floor", at-0.3)
			}
		}
	}
}

func TestACharacterThatRestsNoticesThatASlopeIsTooSteepForIt(t *testing.T) {
	s := newCharacterScene()
	components.CreatePlane(s.world, collide.Vec3{}, collide.Vec3{X: math.Sin(0.6), Y: math.Cos(0.6)})
	_, c := s.character(collide.Vec3{Y: 0.1})
	s.steps(60)
	before := c.State.Position
	s.steps(10)
	if !c.OnGround() || c.State.Position != before {
		t.Fatalf("it doesn't stand at %v", c.State.Position)
	}
	c.MaxSlopeAngle = 0.5
	s.steps(60)
	s.noErrors(t)
	if c.OnGround() || c.State.Position.Y > before.Y-0.5 {
		t.Errorf("it stands at %v, on a slope that is too steep", c.State.Position)
	}
}
