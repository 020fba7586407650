package systems_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"
	"weak"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	math2 "github.com/yohamta/donburi/features/math"
	"github.com/yohamta/donburi/features/transform"
)

// characterScene is a world with gravity for tests of characters.
type characterScene struct {
	world   donburi.World
	physics *systems.Physics
}

func newCharacterScene() *characterScene {
	return &characterScene{donburi.NewWorld(), systems.NewPhysics(systems.Config{
		Gravity: collide.Vec3{Y: -9.81}, Workers: 1,
	})}
}

func (s *characterScene) floor() *donburi.Entry {
	return components.CreatePlane(s.world, collide.Vec3{}, collide.Vec3{Y: 1})
}

// tiles is a floor of square polygons of the given size with its middle at the origin.
func (s *characterScene) quad(y, half float64, more ...donburi.IComponentType) *donburi.Entry {
	e := components.CreatePolygon(s.world, []collide.Vec3{
		{X: -half, Z: half}, {X: half, Z: half}, {X: half, Z: -half}, {X: -half, Z: -half},
	}, more...)
	components.Transform.Get(e).Position.Y = y
	return e
}

func (s *characterScene) character(feet collide.Vec3) (*donburi.Entry, *components.CharacterControllerData) {
	e := components.CreateCharacter(s.world, feet.Add(collide.Vec3{Y: 0.9}), 0.3, 1.8)
	return e, components.CharacterController.Get(e)
}

func (s *characterScene) steps(n int) {
	for range n {
		s.physics.Step(s.world)
	}
}

func (s *characterScene) noErrors(t *testing.T) {
	t.Helper()
	for e := range s.physics.Errors() {
		t.Error(e)
	}
}

func feetOf(e *donburi.Entry) collide.Vec3 {
	c := components.CapsuleCollider.Get(e)
	return components.Transform.Get(e).Position.Add(c.A).Sub(collide.Vec3{Y: c.Radius})
}

func closeTo(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestACharacterWalksAndJumpsOnEveryKindOfGround(t *testing.T) {
	for name, ground := range map[string]func(s *characterScene){
		"plane":   func(s *characterScene) { s.floor() },
		"polygon": func(s *characterScene) { s.quad(0, 50) },
		"one-sided polygon": func(s *characterScene) {
			components.PolygonCollider.Get(s.quad(0, 50)).OneSided = true
		},
		"capsule": func(s *characterScene) {
			components.CreateCapsule(s.world, collide.Vec3{X: -50, Y: -9}, collide.Vec3{X: 50, Y: -9}, 9)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newCharacterScene()
			ground(s)
			e, c := s.character(collide.Vec3{Y: 0.2})
			s.steps(30)
			s.noErrors(t)
			if !c.OnGround() || c.State.GroundEntity == donburi.Null {
				t.Fatalf("state %+v", c.State)
			}
			closeTo(t, "height", feetOf(e).Y, 0, 1e-10)
			c.DesiredVelocity = collide.Vec3{X: 4}
			s.steps(10)
			from := feetOf(e)
			s.steps(60)
			closeTo(t, "way", feetOf(e).X-from.X, 4, 1e-9)
			closeTo(t, "height", feetOf(e).Y, 0, 1e-10)
			c.Jump = true
			s.steps(1)
			if !c.State.Jumped || c.Jump {
				t.Errorf("no jump: %+v", c.State)
			}
			closeTo(t, "top", feetOf(e).Y+c.State.Velocity.Y*c.State.Velocity.Y/(2*9.81), 1, 1e-9)
			s.steps(90)
			if !c.OnGround() {
				t.Errorf("it didn't land: %+v", c.State)
			}
		})
	}
}

func TestACharacterRidesPlatforms(t *testing.T) {
	for _, v := range []collide.Vec3{{X: 3}, {Y: 2}, {Y: -2}, {X: 2, Y: -15, Z: 1}, {Y: 100}} {
		for _, oneSided := range []bool{false, true} {
			s := newCharacterScene()
			lift := s.quad(0, 3, components.Velocity)
			components.PolygonCollider.Get(lift).OneSided = oneSided
			e, c := s.character(collide.Vec3{})
			s.steps(2)
			components.Velocity.Get(lift).Linear = v
			gap := components.Transform.Get(e).Position.Sub(components.Transform.Get(lift).Position)
			for range 60 {
				s.steps(1)
				if !c.OnGround() || c.State.GroundEntity != lift.Entity() || c.State.GroundVelocity.Distance(v) > 1e-9 {
					t.Fatalf("on a platform at %v: %+v", v, c.State)
				}
			}
			now := components.Transform.Get(e).Position.Sub(components.Transform.Get(lift).Position)
			if now.Distance(gap) > 1e-9 {
				t.Errorf("on a platform at %v it moves by %v", v, now.Sub(gap))
			}
		}
	}
}

func TestACharacterWalksOnAPlatformThatStandsStillAsOnAFloor(t *testing.T) {
	walk := func(kind components.BodyKind) collide.Vec3 {
		s := newCharacterScene()
		lift := components.CreateBox(s.world, collide.Vec3{Y: -1}, collide.Vec3{X: 20, Y: 1, Z: 20},
			components.Velocity, components.Body)
		components.Body.Get(lift).Kind = kind
		e, c := s.character(collide.Vec3{})
		s.steps(5)
		for k := range 8 {
			sin, cos := math.Sincos(float64(k) * 0.9)
			c.DesiredVelocity = collide.Vec3{X: 4 * cos, Z: 4 * sin}
			s.steps(30)
			if !c.OnGround() || c.State.GroundEntity != lift.Entity() {
				t.Fatalf("%v: %+v", kind, c.State)
			}
		}
		return feetOf(e)
	}
	floor, platform := walk(components.Static), walk(components.Kinematic)
	if floor.Distance(platform) > 1e-12 || floor.Length() < 1 {
		t.Errorf("it gets to %v on a floor, and to %v on a platform that stands still", floor, platform)
	}
}

func TestACharacterKicksAndIsPushed(t *testing.T) {
	s := newCharacterScene()
	s.floor()
	e, c := s.character(collide.Vec3{})
	ball := components.CreateBall(s.world, collide.Vec3{X: 2, Y: 0.5}, 0.5)
	s.steps(5)
	c.DesiredVelocity = collide.Vec3{X: 4}
	s.steps(60)
	if v := components.Velocity.Get(ball).Linear.X; v < 3.9 {
		t.Errorf("the ball rolls at %v, want 4", v)
	}
	if x := feetOf(e).X; x < 3 {
		t.Errorf("the ball stops the character at %v", x)
	}
	// A ball of its own mass that hits it head-on, without restitution: both go on at half speed.
	s = newCharacterScene()
	_, c = s.character(collide.Vec3{})
	c.Mode, c.Acceleration = components.Floating, 0
	ball = components.CreateBall(s.world, collide.Vec3{X: -3, Y: 0.9}, 0.5)
	components.Body.Get(ball).Mass, components.Body.Get(ball).Weightless = 70, true
	components.Velocity.Get(ball).Linear.X = 6
	s.steps(60)
	closeTo(t, "character", c.State.Velocity.X, 3, 1e-9)
	closeTo(t, "ball", components.Velocity.Get(ball).Linear.X, 3, 1e-9)
	// It stands on a heavy ball's top and rides on it.
	s = newCharacterScene()
	s.floor()
	big := components.CreateBall(s.world, collide.Vec3{Y: 2}, 2)
	components.Body.Get(big).Mass = 1000
	_, c = s.character(collide.Vec3{Y: 4.1})
	s.steps(60)
	if !c.OnGround() || c.State.GroundEntity != big.Entity() {
		t.Errorf("it doesn't stand on the ball: %+v", c.State)
	}
}

func TestCharactersCollideWithCharacters(t *testing.T) {
	s := newCharacterScene()
	s.floor()
	a, ca := s.character(collide.Vec3{X: -2})
	b, cb := s.character(collide.Vec3{X: 2})
	ca.DesiredVelocity.X, cb.DesiredVelocity.X = 4, -4
	for range 120 {
		s.steps(1)
		if d := feetOf(b).X - feetOf(a).X; d < 0.6-1e-9 {
			t.Fatalf("they are %v apart, want 0.6", d)
		}
	}
	closeTo(t, "apart", feetOf(b).X-feetOf(a).X, 0.6, 1e-9)
	// One behind the other is as fast as the first.
	cb.DesiredVelocity.X = 3
	s.steps(60)
	from := feetOf(a).X
	s.steps(60)
	closeTo(t, "way of the one behind", feetOf(a).X-from, 3, 1e-6)
}

func TestACharacterCrouchesWhereThereIsNoRoomToStand(t *testing.T) {
	s := newCharacterScene()
	s.floor()
	roof := s.quad(1.2, 3)
	components.Transform.Get(roof).Position.X = 6
	e, c := s.character(collide.Vec3{})
	c.CrouchHeight = 1
	c.DesiredVelocity = collide.Vec3{X: 3}
	s.steps(90)
	closeTo(t, "stopped by the roof", feetOf(e).X, 3, 0.31)
	c.Crouch = true
	s.steps(60)
	if !c.State.Crouching || feetOf(e).X < 4 {
		t.Fatalf("crouching %v at %v", c.State.Crouching, feetOf(e))
	}
	closeTo(t, "feet", feetOf(e).Y, 0, 1e-9)
	c.Crouch = false
	s.steps(30)
	if !c.State.Crouching {
		t.Errorf("it stands up in the roof at %v", feetOf(e))
	}
	s.steps(120)
	if c.State.Crouching || feetOf(e).X < 9 {
		t.Errorf("crouching %v at %v", c.State.Crouching, feetOf(e))
	}
	collider := components.CapsuleCollider.Get(e)
	closeTo(t, "length", collider.B.Distance(collider.A), 1.2, 1e-12)
}

func TestACharacterThatStandsUpBelowAnotherStopsIt(t *testing.T) {
	s := newCharacterScene()
	s.floor()
	lower, c := s.character(collide.Vec3{X: -0.01})
	c.CrouchHeight, c.Crouch = 0.8, true
	upper, d := s.character(collide.Vec3{Y: 1.84})
	d.Mode = components.Floating
	s.steps(5)
	if !c.State.Crouching {
		t.Fatal("it doesn't crouch")
	}
	c.Crouch, d.State.Velocity, d.DesiredVelocity = false, collide.Vec3{Y: -5}, collide.Vec3{Y: -5}
	for range 10 {
		s.steps(1)
		if gap := collide.Separation(capsuleOf(lower), capsuleOf(upper)).Distance; gap < -1e-9 {
			t.Fatalf("they are %v deep in each other", -gap)
		}
	}
	if c.State.Crouching {
		t.Error("it still crouches")
	}
}

func TestACharacterFallsWhenTheOneBelowCrouches(t *testing.T) {
	s := newCharacterScene()
	s.floor()
	_, c := s.character(collide.Vec3{})
	c.CrouchHeight = 1.7
	upper, _ := s.character(collide.Vec3{Y: 1.8})
	s.steps(30)
	closeTo(t, "on the head", feetOf(upper).Y, 1.8, 1e-9)
	c.Crouch = true
	s.steps(60)
	closeTo(t, "on the head of the one who crouches", feetOf(upper).Y, 1.7, 1e-9)
}

func TestACharacterThatHasFallenOffALiftIsNotCarriedByIt(t *testing.T) {
	s := newCharacterScene()
	lift := components.CreateBall(s.world, collide.Vec3{X: -0.75}, 0.5, components.Body)
	components.Body.Get(lift).Kind = components.Kinematic
	components.Velocity.Get(lift).Linear = collide.Vec3{Y: 3}
	e, c := s.character(collide.Vec3{Y: 0.5})
	touched := false
	for range 60 {
		s.steps(1)
		steep := c.State.Ground == components.OnSteepGround
		touched = touched || steep
		if v := components.Velocity.Get(e).Linear; touched && !steep && v != (collide.Vec3{}) {
			t.Fatalf("it falls, and moves at %v in the step", v)
		}
	}
	if !touched || c.State.Ground != components.InAir {
		t.Fatalf("touched %v, on %v at the end", touched, c.State.Ground)
	}
	// It stops a ball that comes from below.
	ball := components.CreateBall(s.world, feetOf(e).Sub(collide.Vec3{Y: 0.31}), 0.3)
	components.Velocity.Get(ball).Linear = collide.Vec3{Y: 2}
	c.State.Velocity = collide.Vec3{}
	s.steps(2)
	if v := components.Velocity.Get(ball).Linear.Y; v > 1.5 {
		t.Errorf("the ball goes on at %v m/s", v)
	}
}

func TestABallIsStoppedByACharacterWhoseGroundMovesTowardsAWall(t *testing.T) {
	s := newCharacterScene()
	components.CreatePlane(s.world, collide.Vec3{X: 0.3}, collide.Vec3{X: -1})
	lift := s.quad(0, 5, components.Velocity)
	components.Velocity.Get(lift).Linear = collide.Vec3{X: 1.4}
	e, c := s.character(collide.Vec3{})
	s.steps(30)
	closeTo(t, "at the wall", feetOf(e).X, 0, 1e-9)
	ball := components.CreateBall(s.world, collide.Vec3{X: -0.6001, Y: 0.9}, 0.3)
	components.Velocity.Get(ball).Linear = collide.Vec3{X: 1.4}
	s.steps(1)
	if gap := collide.Separation(capsuleOf(e), collide.Sphere{
		Center: components.Transform.Get(ball).Position, Radius: 0.3,
	}).Distance; gap < -1e-9 || c.State.Crushed {
		t.Errorf("the ball is %v deep in it, crushed: %v", -gap, c.State.Crushed)
	}
}

// The ball moves with the lift, just behind the last of the characters, and so meets it when the
// first one is stopped, within a step.
func TestABallIsStoppedByCharactersWhoseGroundReachesAWall(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, n := range []int{1, 3} {
		for k := range 40 {
			side, speed := float64(1-k%2*2), 0.5+0.1*float64(k)
			s := newCharacterScene()
			components.CreatePlane(s.world, collide.Vec3{X: side * (0.4 + 0.013*float64(k))}, collide.Vec3{X: -side})
			lift := s.quad(0, 20, components.Velocity)
			components.Velocity.Get(lift).Linear = collide.Vec3{X: side * speed}
			var last *donburi.Entry
			for i := range n {
				last, _ = s.character(collide.Vec3{X: -0.6001 * float64(i) * side})
			}
			s.steps(2)
			ball := components.CreateBall(s.world, feetOf(last).Add(vec(-side*0.6001, 0.9, 0)), 0.3)
			components.Velocity.Get(ball).Linear = collide.Vec3{X: side * speed}
			for step := range 30 {
				s.steps(1)
				for e := range components.CharacterController.Iter(s.world) {
					state := &components.CharacterController.Get(e).State
					if gap := collide.Separation(capsuleOf(e), collide.Sphere{
						Center: components.Transform.Get(ball).Position, Radius: 0.3,
					}).Distance; gap < -1e-9 || n == 1 && state.Crushed {
						t.Fatalf("%d characters, speed %v, step %d: the ball is %v deep, crushed: %v",
							n, side*speed, step, -gap, state.Crushed)
					}
				}
			}
			s.noErrors(t)
		}
	}
}

func TestACharacterDropsThroughAPlatform(t *testing.T) {
	s := newCharacterScene()
	s.floor()
	platform := s.quad(2, 3)
	components.PolygonCollider.Get(platform).OneSided = true
	e, c := s.character(collide.Vec3{Y: 2})
	s.steps(10)
	closeTo(t, "on the platform", feetOf(e).Y, 2, 1e-9)
	c.DropThrough = true
	s.steps(1)
	c.DropThrough = false
	s.steps(90)
	closeTo(t, "on the floor", feetOf(e).Y, 0, 1e-9)
	c.JumpHeight, c.Jump = 2.5, true
	s.steps(120)
	closeTo(t, "back on the platform", feetOf(e).Y, 2, 1e-9)
}

func TestA2DCharacterStaysInItsPlane(t *testing.T) {
	s := newCharacterScene()
	components.CreateWall2D(s.world, collide.Vec3{X: -20}, collide.Vec3{X: 3})
	components.CreatePolygon(s.world, []collide.Vec3{ // a ramp that leans sideways
		{X: 3, Y: -1, Z: 5}, {X: 9, Y: 2, Z: 5}, {X: 9, Y: 4, Z: -5}, {X: 3, Y: 1, Z: -5},
	})
	e := components.CreateCharacter2D(s.world, collide.Vec3{Y: 0.6}, 0.3, 1.2)
	c := components.CharacterController.Get(e)
	c.DesiredVelocity = collide.Vec3{X: 4}
	s.steps(90)
	p := components.Transform.Get(e).Position
	if p.Z != 0 || p.X < 4 || !c.OnGround() {
		t.Errorf("at %v, ground %v", p, c.State.Ground)
	}
}

func TestInvalidCharactersAreErrorsAndStay(t *testing.T) {
	s := newCharacterScene()
	s.floor()
	good, c := s.character(collide.Vec3{X: 5})
	c.DesiredVelocity.X = 1
	type data = components.CharacterControllerData
	for i, tt := range []struct {
		change func(e *donburi.Entry, c *data)
		want   string
	}{
		{func(_ *donburi.Entry, c *data) { c.DesiredVelocity.X = math.NaN() }, "CharacterController.DesiredVelocity"},
		{func(_ *donburi.Entry, c *data) { c.StepHeight = -1 }, "CharacterController.StepHeight"},
		{func(_ *donburi.Entry, c *data) { c.MaxSlopeAngle = 2 }, "CharacterController.MaxSlopeAngle"},
		{func(_ *donburi.Entry, c *data) { c.Mass = 0 }, "CharacterController.Mass"},
		{func(_ *donburi.Entry, c *data) { c.Mode = 9 }, "CharacterController.Mode"},
		{func(_ *donburi.Entry, c *data) { c.State.Velocity.Y = math.Inf(1) }, "CharacterController.State.Velocity"},
		{func(_ *donburi.Entry, c *data) { c.Up.Y = math.Inf(1) }, "CharacterController.Up"},
		{func(e *donburi.Entry, _ *data) {
			e.AddComponent(components.Force)
			components.Force.Get(e).Force.X = math.NaN()
		}, "Force.Force"},
		{func(e *donburi.Entry, _ *data) { e.RemoveComponent(components.Velocity) }, "Velocity.Linear"},
		{func(e *donburi.Entry, _ *data) { e.RemoveComponent(components.CapsuleCollider) }, "Collider.Shape"},
		{func(e *donburi.Entry, _ *data) {
			e.RemoveComponent(components.CapsuleCollider)
			e.AddComponent(components.SphereCollider)
			body := components.Body.Get(e) // it is a ball, which falls unless it is weightless
			body.Kind, body.Weightless = components.Dynamic, true
		}, "Body.Kind"},
		{func(e *donburi.Entry, _ *data) {
			e.RemoveComponent(components.CapsuleCollider)
			e.AddComponent(components.ShapeCollider)
			components.ShapeCollider.Get(e).Shape = collide.Cylinder{B: collide.Vec3{Y: 1}, Radius: 0.3}
		}, "ShapeCollider.Shape"},
	} {
		e, c := s.character(collide.Vec3{X: float64(10 + 2*i), Y: 3})
		start := components.Transform.Get(e).Position
		tt.change(e, c)
		s.steps(2)
		found := 0
		for err := range s.physics.Errors() {
			if err.Entity == e.Entity() {
				found++
				var f *components.FieldError
				if !errors.As(err.Err, &f) || f.Component+"."+f.Field != tt.want {
					t.Errorf("%v, want one of %s", err, tt.want)
				}
			}
		}
		if found != 1 {
			t.Errorf("%s: %d errors, want 1", tt.want, found)
		}
		if at := components.Transform.Get(e).Position; at != start {
			t.Errorf("%s: it moved to %v", tt.want, at)
		}
		s.world.Remove(e.Entity())
	}
	if x := feetOf(good).X; x < 5.1 {
		t.Errorf("the valid character is at %v", x)
	}
}

func TestCharactersDontDependOnTheOrderOfCreationOrWorkers(t *testing.T) {
	slow.Skip(t, slow.Foreign, slow.Hashed)
	run := func(backwards bool, workers int) map[string]string {
		s := newCharacterScene()
		s.physics = systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}, Workers: workers})
		s.floor()
		lift := s.quad(0.2, 2, components.Velocity)
		components.Velocity.Get(lift).Linear = collide.Vec3{X: 0.5, Y: 0.1}
		const n = 60
		named := map[string]*donburi.Entry{}
		for i := range n {
			if backwards {
				i = n - 1 - i
			}
			at := collide.Vec3{X: float64(i%8) * 0.8, Y: 0.5, Z: float64(i/8) * 0.7}
			e, c := s.character(at)
			a := float64(i * i % 7)
			c.DesiredVelocity = collide.Vec3{X: 3 - a, Z: a - 2}
			c.Jump = i%5 == 0
			named[fmt.Sprint("character ", i)] = e
			ball := components.CreateBall(s.world, at.Add(collide.Vec3{X: 0.4, Y: 3, Z: 0.3}), 0.2)
			named[fmt.Sprint("ball ", i)] = ball
			if i%3 == 0 { // characters walk against it, and push it to others
				crate := s.pushed(at.X, at.Z+6)
				components.Body.Get(crate).Mass = float64(2 + i)
				named[fmt.Sprint("crate ", i)] = crate
				_, c := s.character(at.Add(collide.Vec3{X: 1, Z: 6.5}))
				c.DesiredVelocity, c.MaxPushForce = collide.Vec3{X: a - 3, Z: 2 - a}, 300
			}
		}
		s.steps(120)
		result := map[string]string{}
		for name, e := range named {
			p := components.Transform.Get(e).Position
			result[name] = fmt.Sprintf("%x %x %x", math.Float64bits(p.X), math.Float64bits(p.Y), math.Float64bits(p.Z))
		}
		return result
	}
	want := run(false, 1)
	others := []func() map[string]string{
		func() map[string]string { return run(true, 3) },
		func() map[string]string { return run(true, 1) },
		func() map[string]string { return run(false, 2) },
	}
	if slow.RaceDetector {
		others = others[:1] // the order of creation races with nothing
	}
	for _, other := range others {
		got := other()
		for name := range want {
			if got[name] != want[name] {
				t.Fatalf("%s: %s, want %s", name, got[name], want[name])
			}
		}
	}
}

func TestAStandingCharacterIsStill(t *testing.T) {
	s := newCharacterScene()
	s.quad(0, 50)
	e, c := s.character(collide.Vec3{X: 3.3, Z: 1.7})
	s.steps(30)
	at := feetOf(e)
	for range 1000 {
		if s.steps(1); feetOf(e) != at || c.State.Velocity != (collide.Vec3{}) || !c.OnGround() {
			t.Fatalf("it moves by %v", feetOf(e).Sub(at))
		}
	}
}

func TestAStandingCharacterNoticesWhatChanges(t *testing.T) {
	for name, change := range map[string]func(s *characterScene, e, ground *donburi.Entry){
		"the ground is removed":  func(s *characterScene, _, ground *donburi.Entry) { s.world.Remove(ground.Entity()) },
		"the ground is lowered":  func(_ *characterScene, _, ground *donburi.Entry) { lower(ground) },
		"the ground is filtered": func(_ *characterScene, e, _ *donburi.Entry) { disable(e) },
		"it is lifted":           func(_ *characterScene, e, _ *donburi.Entry) { lower(e); lift(e) },
	} {
		s := newCharacterScene()
		ground := s.quad(0, 50)
		e := components.CreateCharacter(s.world, collide.Vec3{Y: 0.9}, 0.3, 1.8, components.CollisionFilter)
		s.steps(60)
		if !components.CharacterController.Get(e).State.Resting {
			t.Fatalf("%s: it doesn't rest before", name)
		}
		change(s, e, ground)
		s.steps(2)
		if components.CharacterController.Get(e).OnGround() {
			t.Errorf("%s: it still stands", name)
		}
	}
	// A wall that appears in a character pushes it out.
	s := newCharacterScene()
	s.quad(0, 50)
	e, c := s.character(collide.Vec3{})
	s.steps(60)
	components.CreateCapsule(s.world, collide.Vec3{X: 0.4, Y: -1}, collide.Vec3{X: 0.4, Y: 3}, 0.3)
	s.steps(60)
	closeTo(t, "pushed to", feetOf(e).X, -0.2, 1e-9)
	if !c.OnGround() {
		t.Errorf("state %+v", c.State)
	}
}

func lower(e *donburi.Entry) { components.Transform.Get(e).Position.Y -= 5 }

func lift(e *donburi.Entry) { components.Transform.Get(e).Position.Y += 7 }

func disable(e *donburi.Entry) { components.CollisionFilter.Get(e).Disabled = true }

func BenchmarkStandingCharacters(b *testing.B) { benchmarkCharacters(b, collide.Vec3{}) }

func BenchmarkWalkingCharacters(b *testing.B) { benchmarkCharacters(b, collide.Vec3{X: 1}) }

func benchmarkCharacters(b *testing.B, desired collide.Vec3) {
	const n = 1000
	s := newCharacterScene()
	s.quad(0, 5000)
	for i := range n {
		_, c := s.character(collide.Vec3{X: float64(i%32) * 2, Z: float64(i/32) * 2})
		c.DesiredVelocity = desired
	}
	s.steps(30)
	for b.Loop() {
		s.steps(1)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/character")
}

func TestCharactersAreDrawnBetweenTheirLastTwoPositions(t *testing.T) {
	s := newCharacterScene()
	s.quad(0, 50)
	e, c := s.character(collide.Vec3{})
	c.DesiredVelocity.X = 4
	s.steps(30)
	before := components.Transform.Get(e).Position
	s.physics.Advance(s.world, 1.25/60)
	now := components.Transform.Get(e).Position
	at, ok := s.physics.Interpolated(e.Entity())
	if want := before.Lerp(now, s.physics.Alpha()); !ok || at.Position.Distance(want) > 1e-12 || now == before {
		t.Errorf("%v, %v, want %v", at.Position, ok, want)
	}
}

// Donburi's own Transform follows a character, and moves it.
func TestACharacterHasDonburisTransform(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: 9.81}, Transform2D: true, Workers: 1})
	components.CreateWall2D(w, collide.Vec2(-50, 2), collide.Vec2(50, 2))
	e := components.CreateCharacter2D(w, collide.Vec2(1, 1.4), 0.3, 1.2, transform.Transform)
	c := components.CharacterController.Get(e)
	c.DesiredVelocity.X = 3
	for range 60 {
		p.Step(w)
	}
	at := components.Transform.Get(e).Position
	if got := transform.WorldPosition(e); got.X != at.X || got.Y != at.Y || at.X < 3 || !c.OnGround() {
		t.Errorf("Donburi's Transform is at %v, ours at %v, ground %v", got, at, c.State.Ground)
	}
	transform.SetWorldPosition(e, math2.NewVec2(-10, 1))
	p.Step(w)
	if x := components.Transform.Get(e).Position.X; x > -9.9 {
		t.Errorf("at %v, want near -10", x)
	}
}

// The push of a character that lands on a crate is no motion of the ground that carries it: what
// stands on a floor cannot follow it, and was squeezed.
func TestACharacterThatLandsOnACrateDoesNotSqueezeIt(t *testing.T) {
	for _, heights := range [][]float64{{3}, {3, 3.02}} {
		s := newCharacterScene()
		s.floor()
		crate := components.CreateCrate(s.world, collide.Vec3{Y: 0.5}, collide.Vec3{X: 0.8, Y: 0.5, Z: 0.5})
		components.Body.Get(crate).Mass = 8
		for k, y := range heights {
			s.character(collide.Vec3{X: 0.7 * float64(2*k-len(heights)+1), Y: y})
		}
		for step := range 120 {
			s.steps(1)
			if stats := s.physics.Stats(); stats.SpentBudgets > 0 || stats.Blocked > 0 {
				t.Errorf("%d characters, step %d: %d are halted, %d blocked", len(heights), step,
					stats.SpentBudgets, stats.Blocked)
			}
		}
		s.noErrors(t)
	}
}

// A character that the game creates on the ground has never been in the air: it walks in the first
// step, and a game that plays a sound when a character lands plays none.
func TestACharacterCreatedOnTheGroundStandsThereAtOnce(t *testing.T) {
	s := newCharacterScene()
	lift := s.quad(0, 3, components.Velocity)
	components.Velocity.Get(lift).Linear = vec(3, 2, 0)
	e, c := s.character(collide.Vec3{})
	c.DesiredVelocity = vec(0, 0, 1)
	c.Acceleration = math.Inf(1)
	for step := range 10 {
		s.steps(1)
		if !c.OnGround() || c.State.Landed {
			t.Errorf("step %d: on ground %v, landed %v", step, c.OnGround(), c.State.Landed)
		}
	}
	closeTo(t, "place", position(e).Distance(vec(0.5, 0.9+2.0/6, 1.0/6)), 0, 1e-9)

	above, c := s.character(vec(0.5, 1, 1)) // this one does fall
	landed := 0
	for range 60 {
		s.steps(1)
		if c.State.Landed {
			landed++
		}
	}
	if landed != 1 || !c.OnGround() {
		t.Errorf("one that falls from %v landed %d times", position(above), landed)
	}
}

// Physics keeps the triangles around a character from step to step. They kept the mesh of a level
// in memory when the game had removed both, for as long as there were other characters.
func TestARemovedCharacterKeepsNoMeshInMemory(t *testing.T) {
	slow.Skip(t, slow.Sequential, "no platform changes what refers to a mesh")
	s := newCharacterScene()
	s.quad(-1, 50)
	s.character(collide.Vec3{X: 20})
	floor := func() *collide.Mesh {
		return flatFloor(9, 2, 1, func(p collide.Vec3) collide.Vec3 { return p })
	}
	level := func() (old weak.Pointer[collide.Mesh], ground, hero *donburi.Entry) {
		mesh := floor()
		ground = components.CreateMesh(s.world, collide.Vec3{}, mesh)
		hero, c := s.character(collide.Vec3{Y: 0.1})
		c.DesiredVelocity.X = 1
		s.steps(20)
		if c.State.GroundEntity != ground.Entity() {
			t.Fatalf("it doesn't walk on the mesh: %+v", c.State)
		}
		return weak.Make(mesh), ground, hero
	}
	mesh, ground, hero := level()
	s.world.Remove(hero.Entity())
	s.steps(3)
	components.ShapeCollider.Get(ground).Shape = floor()
	s.steps(3)
	runtime.GC()
	if mesh.Value() != nil {
		t.Error("something refers to the mesh")
	}
	runtime.KeepAlive(s)
}
