package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A crate that slid over the floor into a character stopped dead, and the character didn't move,
// whatever the mass of the crate: with the floor it is in the contact solver, which begins contacts
// without an impact of the event loop. Balls and weightless crates shared their momentum.
func TestACrateThatSlidesIntoACharacterSharesItsMomentum(t *testing.T) {
	for _, c := range []struct {
		name        string
		mass, speed float64
		shape       collide.Shape
		weightless  bool
	}{
		{"weightless crate", 500, 4, collide.Box{Half: vec(0.8, 0.8, 0.8)}, true},
		{"crate", 500, 4, collide.Box{Half: vec(0.8, 0.8, 0.8)}, false},
		{"fast crate", 500, 40, collide.Box{Half: vec(0.8, 0.8, 0.8)}, false},
		{"light crate", 5, 4, collide.Box{Half: vec(0.8, 0.8, 0.8)}, false},
		{"hull", 500, 4, cubicHull(t, 0.8), false},
	} {
		s := newCharacterScene()
		s.floor()
		e := components.CreateCharacter(s.world, vec(0, 0.5, 0), 0.3, 1)
		ch := components.CharacterController.Get(e)
		ch.Acceleration = 0.01 // it hardly brakes
		stepCrates(t, s.physics, s.world, 10)
		b := components.CreateShapeBody(s.world, vec(-2, 0.8, 0), c.shape)
		body := components.Body.Get(b)
		body.Mass, body.Weightless = c.mass, c.weightless
		components.Velocity.Get(b).Linear.X = c.speed
		fastest, hit := 0.0, 0
		for i := range 60 {
			stepCrates(t, s.physics, s.world, 1)
			if v := ch.State.Velocity.X; v > 0 {
				fastest = max(fastest, v)
				if hit++; hit == 1 {
					together := c.mass * c.speed / (c.mass + ch.Mass)
					if got := components.Velocity.Get(b).Linear.X; math.Abs(got-together) > 1e-12*together {
						t.Errorf("%s: moves at %v m/s after the impact, want %v; step %d", c.name, got, together, i)
					}
				}
			}
		}
		want := c.mass*c.speed/(c.mass+ch.Mass) - ch.Acceleration/60 // it has braked for a step
		if math.Abs(fastest-want) > 1e-12*want {
			t.Errorf("%s: character at %v m/s, want %v", c.name, fastest, want)
		}
	}
}

// cubicHull returns a cube as a hull.
func cubicHull(t *testing.T, half float64) *collide.Hull {
	corners := collide.Box{Half: vec(half, half, half)}.Corners()
	h, err := collide.NewHull(corners[:])
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// The first crate of a row got back what the crates behind it had pressed on the character with.
func TestARowOfCratesThatSlidesIntoACharacterGainsNoEnergy(t *testing.T) {
	for _, masses := range [][]float64{{5, 5, 5, 5}, {5000, 5000, 5000, 5000}, {500, 1000}} {
		s := newCharacterScene()
		s.floor()
		e := components.CreateCharacter(s.world, vec(0, 0.5, 0), 0.3, 1)
		ch := components.CharacterController.Get(e)
		ch.Acceleration = 0.01
		stepCrates(t, s.physics, s.world, 10)
		var row []*components.VelocityData
		for i, mass := range masses {
			b := components.CreateCrate(s.world, vec(-1.5-1.001*float64(i), 0.5, 0), vec(0.5, 0.5, 0.5))
			components.Body.Get(b).Mass = mass
			v := components.Velocity.Get(b)
			v.Linear.X = 1.3
			row = append(row, v)
		}
		energy := func() float64 {
			sum := ch.Mass * ch.State.Velocity.LengthSquared()
			for i, v := range row {
				sum += masses[i] * v.Linear.LengthSquared()
			}
			return sum / 2
		}
		before, moved := energy(), 0.0
		for i := range 120 {
			stepCrates(t, s.physics, s.world, 1)
			now := energy()
			if now > before*(1+1e-9) {
				t.Errorf("%v kg, step %d: energy %v J, before %v", masses, i, now, before)
			}
			before, moved = now, max(moved, ch.State.Velocity.X)
		}
		if moved < 0.05 || moved > 1.3 {
			t.Errorf("%v kg: character at up to %v m/s, the row at 1.3", masses, moved)
		}
	}
}

// An impact at the start of a step is not one that the contact solver has solved.
func TestABallThatHitsACharacterAndThenAWallKeepsItsEnergy(t *testing.T) {
	for _, mass := range []float64{70, 700} {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
		ch := components.CharacterController.Get(components.CreateCharacter(w, vec(0, 0.5, 0), 0.25, 1))
		ch.Mode, ch.Acceleration = components.Floating, 0.01
		b := components.CreateBall(w, vec(-0.5, 0.5, 0), 0.25)
		components.Body.Get(b).Mass = mass
		components.Material.Get(b).Restitution = 1
		components.Velocity.Get(b).Linear.X = 20
		back := components.CreateBox(w, vec(-1.5, 0.5, 0), vec(0.5, 1, 1), components.Material)
		components.Material.Get(back).Restitution = 1
		stepCrates(t, p, w, 4)
		v, u := components.Velocity.Get(b).Linear.X, ch.State.Velocity.X
		if got, most := mass*v*v+ch.Mass*u*u, mass*20*20; got > most*(1+1e-9) || u < 10 {
			t.Errorf("%v kg: ball at %v m/s, character at %v: energy %v times what it was", mass, v, u, got/most)
		}
	}
}

// A ball of a milligram that touched a character at the end of a slope made it fly 0.27 m high: its
// own velocity, up the slope, was taken for one that the game had set to throw it into the air.
func TestABallThatTouchesOneWhoWalksOverACrestDoesNotThrowItUp(t *testing.T) {
	for _, mass := range []float64{1e-6, 1e-3, 1} {
		for _, at := range []float64{-2, -0.5, -0.2, -0.15, -0.1, -0.05, 0, 0.05, 0.2} {
			s := newCharacterScene()
			low, crest, end := vec(-5, -4.2, 5), vec(0, 0, 5), vec(9, 0, 5)
			for _, from := range [][2]collide.Vec3{{low, crest}, {crest, end}} {
				a, b, across := from[0], from[1], vec(0, 0, -10)
				components.CreatePolygon(s.world, []collide.Vec3{a, b, b.Add(across), a.Add(across)})
			}
			ch := components.CharacterController.Get(components.CreateCharacter(s.world, vec(-4, -2.2, 0), 0.3, 1.8))
			stepCrates(t, s.physics, s.world, 60)
			ch.DesiredVelocity.X = 5
			hit, before, lost := false, 0.0, 0.0
			for range 120 {
				if p := ch.State.Position; p.X > at && !hit {
					hit = true
					b := components.CreateBall(s.world, vec(p.X, p.Y, p.Z+0.41), 0.1, components.Body)
					components.Body.Get(b).Mass = mass
					components.Velocity.Get(b).Linear = ch.State.Velocity.Add(vec(0, 0, -3))
					before = ch.State.Walk.X
				}
				stepCrates(t, s.physics, s.world, 1)
				if hit {
					lost = max(lost, before-ch.State.Walk.X)
				}
				if !ch.OnGround() || ch.State.Landed {
					t.Fatalf("%v kg at %v m: it is in the air at %v, with %v m/s",
						mass, at, ch.State.Position, ch.State.Velocity)
				}
			}
			if ch.State.Position.X < 3 || lost > 0.1 {
				t.Errorf("%v kg at %v m: it ends at %v, and has lost %v m/s", mass, at, ch.State.Position, lost)
			}
		}
	}
}

// A ball that comes up from below throws up a character at the edge of a floor, if it is heavy.
func TestAHeavyBallFromBelowThrowsUpACharacter(t *testing.T) {
	for _, c := range []struct {
		mass  float64
		flies bool
	}{{1e-6, false}, {70, true}} {
		s := newCharacterScene()
		components.CreatePolygon(s.world, []collide.Vec3{
			vec(-0.05, 0, -5), vec(-0.05, 0, 5), vec(9, 0, 5), vec(9, 0, -5),
		})
		ch := components.CharacterController.Get(components.CreateCharacter(s.world, vec(0, 0.9, 0), 0.3, 1.8))
		stepCrates(t, s.physics, s.world, 10)
		b := components.CreateBall(s.world, vec(-1, -0.7, 0), 0.1, components.Body)
		body := components.Body.Get(b)
		body.Mass, body.Weightless = c.mass, true
		components.Velocity.Get(b).Linear = vec(5, 5, 0)
		highest := 0.0
		for range 60 {
			stepCrates(t, s.physics, s.world, 1)
			highest = max(highest, ch.State.Position.Y-0.9)
		}
		if flies := highest > 0.1; flies != c.flies {
			t.Errorf("%v kg: it rises by %v m", c.mass, highest)
		}
	}
}

// One who presses against a crate, a ball or another character and is hit away from it is thrown as
// if there were nothing: pressing on, it took up the hit.
func TestOneWhoPressesAgainstACrateIsThrownByAHit(t *testing.T) {
	thrown := func(presses bool) float64 {
		s := newCharacterScene()
		s.floor()
		ch := components.CharacterController.Get(components.CreateCharacter(s.world, vec(-0.9, 0.9, 0), 0.3, 1.8))
		if presses {
			crate := components.CreateCrate(s.world, vec(0, 0.5, 0), vec(0.5, 0.5, 0.5))
			components.Body.Get(crate).Locked = components.AxisX | components.AxisZ
			ch.DesiredVelocity.X = 4
		}
		stepCrates(t, s.physics, s.world, 60)
		from := ch.State.Position
		b := components.CreateBall(s.world, from.Add(vec(0.8, 0.5, 0)), 0.1, components.Body)
		components.Body.Get(b).Mass, components.Body.Get(b).Weightless = 20, true
		components.Velocity.Get(b).Linear.X = -20
		ch.DesiredVelocity.X = 0
		stepCrates(t, s.physics, s.world, 30)
		return from.X - ch.State.Position.X
	}
	if free, pressing := thrown(false), thrown(true); free < 0.1 || math.Abs(pressing-free) > 0.01 {
		t.Errorf("one who presses against a crate is thrown by %v m, one who stands by %v", pressing, free)
	}
}

// A ball of 10 g that does not bounce threw a swimmer away at 10 m/s: at its mean speed in the step
// in which it stopped.
func TestALightBallThatStopsAtACharacterGivesItOnlyItsImpulse(t *testing.T) {
	for _, mode := range []components.MotionMode{components.Grounded, components.Floating} {
		s := newCharacterScene()
		s.floor()
		e := components.CreateCharacter(s.world, vec(0, 0.9, 0), 0.3, 1.8)
		ch := components.CharacterController.Get(e)
		ch.Mode, ch.Acceleration = mode, 5
		b := components.CreateBall(s.world, vec(-2, 1, 0), 0.2)
		components.Velocity.Get(b).Linear.X = 20
		components.Body.Get(b).Mass, components.Body.Get(b).Weightless = 0.01, true
		fastest, most := 0.0, 0.01*20/70 // its whole momentum
		for range 30 {
			stepCrates(t, s.physics, s.world, 1)
			fastest = max(fastest, ch.State.Velocity.Length())
		}
		if fastest > 1.001*most {
			t.Errorf("mode %v: it gets %v m/s, want at most %v", mode, fastest, most)
		}
		if x := position(e).X; x > most/5 {
			t.Errorf("mode %v: it is moved by %v m", mode, x)
		}
	}
}
