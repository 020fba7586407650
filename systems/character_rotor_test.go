package systems_test

import (
	"math"
	"testing"

	"github.com/yohamta/donburi"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
)

// plankScene is a plank of 6 m that rotates freely about its middle, 1 m above a floor, and a
// character.
type plankScene struct {
	w     donburi.World
	p     *systems.Physics
	plank *donburi.Entry
	hero  *donburi.Entry
	c     *components.CharacterControllerData
}

func newPlankScene(at collide.Vec3) *plankScene {
	s := &plankScene{w: donburi.NewWorld(), p: onEarth()}
	wall(s.w, vec(0, 0, 0), vec(0, 1, 0))
	s.plank = components.CreateBox(s.w, vec(0, 1, 0), vec(3, 0.05, 1), components.Velocity, components.AngularVelocity,
		components.Motor, components.Material)
	components.Material.Get(s.plank).Friction = 0.8
	components.Motor.SetValue(s.plank, components.MotorData{Low: -0.3, High: 0.3, Inertia: 60})
	s.hero = components.CreateCharacter(s.w, at, 0.3, 1.8)
	s.c = components.CharacterController.Get(s.hero)
	return s
}

func (s *plankScene) angle() float64 { return components.Motor.Get(s.plank).Angle }

func (s *plankScene) steps(t *testing.T, n int) {
	t.Helper()
	for range n {
		s.p.Step(s.w)
		expectNoErrors(t, s.p)
	}
}

// A character weighed nothing on a seesaw.
func TestACharacterTiltsASeesaw(t *testing.T) {
	for _, side := range []float64{-1, 1} {
		s := newPlankScene(vec(2*side, 1.96, 0))
		s.steps(t, 180)
		if got := s.angle(); got != -0.3*side { // about +Z, the right side falls as the angle decreases
			t.Errorf("side %v: the angle is %v after 3 s", side, got)
		}
		if s.c.State.Ground != components.OnGround || s.c.State.Crushed {
			t.Errorf("side %v: the character is %+v", side, s.c.State)
		}
		components.CharacterController.Get(s.hero).DesiredVelocity = vec(-2*side, 0, 0)
		s.steps(t, 160)
		s.c.DesiredVelocity = vec(0, 0, 0)
		s.steps(t, 120)
		if got := s.angle(); got != 0.3*side {
			t.Errorf("side %v: the angle is %v after it has walked across, at %v", side, got, position(s.hero))
		}
	}
}

// The heavier side falls, whether that is a character or a crate, and comes to rest at its stop. A
// crate doesn't rotate, so its weight acts at the corner that touches the plank.
func TestACharacterAndACrateBalanceOnASeesaw(t *testing.T) {
	for _, mass := range []float64{1, 20, 50, 110, 300} {
		s := newPlankScene(vec(2, 1.96, 0))
		crate := components.CreateCrate(s.w, vec(-2, 1.3, 0), vec(0.25, 0.25, 0.25))
		components.Body.Get(crate).Mass = mass
		components.Material.Get(crate).Friction = 0.8
		s.steps(t, 360)
		want := -0.3 // the character's side
		if mass > s.c.Mass {
			want = 0.3
		}
		if got := s.angle(); got != want {
			t.Errorf("a crate of %v kg: the angle is %v, want %v; crate at %v, character at %v", mass, got, want,
				position(crate), position(s.hero))
		}
		s.steps(t, 1)
		if n := s.p.Stats().Impacts; n > 0 {
			t.Errorf("a crate of %v kg: %d impacts in a step at rest", mass, n)
		}
	}
}

// A side that carries a character falls as the equation of motion says: the character is a point
// mass at its feet.
func TestASeesawFallsUnderACharacterAsAPointMass(t *testing.T) {
	s := newPlankScene(vec(2, 1.96, 0))
	m := components.Motor.Get(s.plank)
	m.Inertia = 6000
	s.steps(t, 6) // it has found its ground
	before, angle := components.AngularVelocity.Get(s.plank).Angular.Z, s.angle()
	s.steps(t, 30)
	got := components.AngularVelocity.Get(s.plank).Angular.Z - before
	arm := math.Abs(position(s.hero).X)
	want := -70 * 9.81 * arm / (m.Inertia + float64(70*arm*arm)) * 0.5
	if math.Abs(got-want) > 0.03*math.Abs(want) {
		t.Errorf("in half a second from %v rad, the speed has changed by %v rad/s, want %v", angle, got, want)
	}
}

// A door that nothing holds opens for who walks against it, and one with a strong motor doesn't.
func TestACharacterOpensADoor(t *testing.T) {
	for _, torque := range []float64{0, 20, 5000} {
		w, p := donburi.NewWorld(), onEarth()
		wall(w, vec(0, 0, 0), vec(0, 1, 0))
		door := components.CreateBox(w, vec(0, 1.2, 0.6), vec(0.05, 1, 0.6), components.Velocity,
			components.AngularVelocity, components.Motor)
		components.AngularVelocity.Get(door).Pivot = vec(0, 0, -0.6)
		components.Motor.SetValue(door, components.MotorData{
			Axis: vec(0, 1, 0), Low: -1.5, High: 1.5, Inertia: 10, MaxTorque: torque,
		})
		hero := components.CreateCharacter(w, vec(-1, 0.95, 0.8), 0.3, 1.8)
		c := components.CharacterController.Get(hero)
		c.DesiredVelocity = vec(2, 0, 0)
		for range 240 {
			p.Step(w)
			expectNoErrors(t, p)
		}
		if x, opens := position(hero).X, torque < 100; opens != (x > 1) || c.State.Crushed {
			t.Errorf("torque %v: the character is at %v, crushed %v, the door at %v rad", torque, position(hero),
				c.State.Crushed, components.Motor.Get(door).Angle)
		}
	}
}

// A character that lands on a seesaw gives it all of its angular momentum, not only the share that
// the seesaw would have if the character went on by itself. Its weight acts for less than a step
// before the next one begins.
func TestACharacterThatLandsOnASeesawKeepsTheAngularMomentum(t *testing.T) {
	const mass, arm, g, tick = 70, 2, 9.81, 1.0 / 60
	for _, inertia := range []float64{1, 60, 6000} {
		for _, drop := range []float64{0.05, 1, 4} {
			s := newPlankScene(vec(arm, 1.95+drop, 0))
			components.Motor.Get(s.plank).Inertia = inertia
			for n := 0; s.c.State.Ground != components.OnGround; n++ {
				if s.steps(t, 1); n > 100 {
					t.Fatalf("the character hasn't landed from %v m", drop)
				}
			}
			if n := components.AngularVelocity.Get(s.plank).Angular.Z; n != 0 {
				t.Fatalf("the plank rotates at %v rad/s before the character has landed", n)
			}
			want := mass * arm * math.Sqrt(2*g*drop)
			components.Motor.Get(s.plank).Low, components.Motor.Get(s.plank).High = -2, 2 // it may get fast
			s.steps(t, 1)
			got := -components.AngularVelocity.Get(s.plank).Angular.Z * (inertia + mass*arm*arm)
			if got < want || got > want+mass*arm*g*2*tick {
				t.Errorf("inertia %v, from %v m: the angular momentum is %v, want %v", inertia, drop, got, want)
			}
		}
	}
}

// What characters do to a seesaw acts once, and not at all in another world.
func TestAPushOnASeesawActsOnceIfAStepBeginsTwice(t *testing.T) {
	run := func(again bool) float64 {
		s := newPlankScene(vec(2, 1.96, 0))
		game := newECS(s.w)
		for range 20 {
			s.p.Broadphase(game)
			if again {
				s.p.Broadphase(game)
			}
			s.p.Response(game)
		}
		expectNoErrors(t, s.p)
		return s.angle()
	}
	if once, twice := run(false), run(true); once != twice || once > -0.01 {
		t.Errorf("the angle is %v, and %v if each step begins twice", once, twice)
	}
}

// Two who push a bar round at the same time give it their own speed together, not more, also if
// somebody stands on it.
func TestTwoWhoPushABarRoundGiveItTheirSpeed(t *testing.T) {
	const speed, arm = 2, 2
	for _, rider := range []bool{false, true} {
		w, p := donburi.NewWorld(), onEarth()
		wall(w, vec(0, 0, 0), vec(0, 1, 0))
		bar := components.CreateBox(w, vec(0, 0.8, 0), vec(3, 0.6, 0.3), components.Velocity,
			components.AngularVelocity, components.Motor)
		components.Motor.SetValue(bar, components.MotorData{Axis: vec(0, 1, 0), Inertia: 100})
		if rider {
			components.CreateCharacter(w, vec(2.5, 2.3, 0), 0.3, 1.8)
		}
		for _, side := range []float64{-1, 1} {
			hero := components.CreateCharacter(w, vec(arm*side, 0.9, 0.61*side), 0.3, 1.8)
			c := components.CharacterController.Get(hero)
			c.DesiredVelocity, c.MaxPushForce = vec(0, 0, -speed*side), 1e6
			c.Acceleration = 1e6
		}
		got := 0.0
		for n := 0; got == 0; n++ {
			p.Step(w)
			expectNoErrors(t, p)
			if got = components.AngularVelocity.Get(bar).Angular.Y; n > 10 {
				t.Fatal("the bar doesn't rotate")
			}
		}
		if math.Abs(got-speed/arm) > 1e-9 {
			t.Errorf("somebody stands on it: %v: the bar rotates at %v rad/s, want %v", rider, got, speed/arm)
		}
	}
}

// Two characters that land on both sides of a seesaw in the same step give it the sum of their
// angular momenta: a light one got 18 rad/s. The plank has rotated a little when the second one
// meets it, which changes its lever.
func TestTwoCharactersThatLandAtOnceShareTheirAngularMomentum(t *testing.T) {
	const mass, g, tick = 70, 9.81, 1.0 / 60
	for _, inertia := range []float64{1, 60, 6000} {
		for _, arms := range [][2]float64{{2, -2}, {2, -1.8}, {1.5, -2.5}} {
			for _, drop := range []float64{0.01, 0.2, 1} {
				s := newPlankScene(vec(arms[0], 1.95+drop, 0))
				other := components.CreateCharacter(s.w, vec(arms[1], 1.95+drop, 0), 0.3, 1.8)
				m := components.Motor.Get(s.plank)
				m.Inertia = inertia
				for n := 0; s.c.State.Ground != components.OnGround; n++ {
					if s.steps(t, 1); n > 100 {
						t.Fatalf("the characters haven't landed from %v m", drop)
					}
				}
				m.Low, m.High = -2, 2
				total := inertia
				for _, arm := range arms {
					total += mass * arm * arm
				}
				s.steps(t, 1)
				got := -components.AngularVelocity.Get(s.plank).Angular.Z * total
				arm := arms[0] + arms[1]
				low, high := mass*math.Sqrt(2*g*drop)*arm, mass*(math.Sqrt(2*g*drop)+g*2*tick)*arm
				slack := 0.001 * mass * math.Sqrt(2*g*drop) * (arms[0] - arms[1])
				if got < min(low, high)-slack || got > max(low, high)+slack {
					t.Errorf("inertia %v, arms %v, from %v m: the angular momentum is %v, want %v to %v; other at %v",
						inertia, arms, drop, got, low, high, position(other))
				}
			}
		}
	}
}
