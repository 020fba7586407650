package systems_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// train is a floor and a wall that move together, and a character at the wall.
type train struct {
	w                 donburi.World
	p                 *systems.Physics
	floor, wall, hero *donburi.Entry
}

func newTrain(seconds float64) *train {
	w := donburi.NewWorld()
	return &train{
		w: w, p: systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), StepSeconds: seconds}),
		floor: components.CreateBox(w, vec(0, -0.5, 0), vec(30, 0.5, 5), components.Velocity),
		wall:  components.CreateBox(w, vec(1, 1, 0), vec(0.2, 1, 5), components.Velocity),
		hero:  components.CreateCharacter(w, vec(0.5, 0.9, 0), 0.3, 1.8),
	}
}

// step moves the train at v for a step, and reports what overlaps the character by more than 1 nm:
// the wall, or a body of half the given width.
func (c *train) step(t *testing.T, v float64, body *donburi.Entry, half float64) {
	t.Helper()
	components.Velocity.Get(c.floor).Linear.X, components.Velocity.Get(c.wall).Linear.X = v, v
	stepCrates(t, c.p, c.w, 1)
	at := func(e *donburi.Entry) float64 { return components.Transform.Get(e).Position.X }
	if gap := at(c.wall) - at(c.hero) - 0.5; gap < -1e-9 {
		t.Fatalf("the character is %.3g m inside the wall", -gap)
	}
	if gap := at(c.hero) - at(body) - 0.3 - half; gap < -1e-9 {
		t.Fatalf("the character is %.3g m inside the body", -gap)
	}
}

// In a train that accelerated, a light crate pressed a character up to 0.1 m into the wall, and
// Crushed was set in every other step: bodies saw the character move as in the step before.
func TestACharacterInATrainThatAcceleratesPushesALightCrate(t *testing.T) {
	for _, acceleration := range []float64{2, 8} {
		for _, mass := range []float64{1, 100} {
			t.Run(fmt.Sprint(acceleration, mass), func(t *testing.T) {
				c := newTrain(1.0 / 60)
				crate := components.CreateCrate(c.w, vec(-2, 0.35, 0), vec(0.35, 0.35, 0.35))
				components.Body.Get(crate).Mass = mass
				for tick := range 150 {
					c.step(t, -acceleration*float64(tick)/60, crate, 0.35)
				}
				train, pushed := components.Velocity.Get(c.floor).Linear.X, components.Velocity.Get(crate).Linear.X
				if d := pushed - train; d < -0.1 || d > 0.1 {
					t.Errorf("the crate moves at %.3g m/s, the train at %.3g", pushed, train)
				}
			})
		}
	}
}

// In a train at constant speed, a ball that rolled against a character at the wall pressed it into
// that, or came into it, by what the train moves in a step.
func TestABallHitsACharacterInATrain(t *testing.T) {
	for _, v := range []float64{0, 3, -3, 3.5} {
		for _, restitution := range []float64{0, 0.6} {
			for _, perSecond := range []float64{30, 60} {
				t.Run(fmt.Sprint(v, restitution, perSecond), func(t *testing.T) {
					c := newTrain(1 / perSecond)
					ball := components.CreateBall(c.w, vec(-5, 0.35, 0), 0.35, components.AngularVelocity)
					components.Body.Get(ball).Mass = 100
					*components.Material.Get(ball) = components.MaterialData{Friction: 0.5, Restitution: restitution}
					components.Velocity.Get(ball).Linear.X = v + 10
					for range int(2 * perSecond) {
						c.step(t, v, ball, 0.35)
						if components.CharacterController.Get(c.hero).State.Crushed {
							t.Fatal("the character is crushed")
						}
					}
				})
			}
		}
	}
}

// A character that ran into another one at a wall gave it seven times its speed: 57 m/s, and in the
// air 73.
func TestACharacterThatRunsIntoAnotherDoesNotThrowItAside(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, inAir := range []bool{false, true} {
		for i := range 40 {
			w := donburi.NewWorld()
			gravity := vec(0, -9.81, 0)
			p := systems.NewPhysics(systems.Config{Gravity: gravity})
			height := 0.9
			if inAir {
				height = 20
			}
			components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
			components.CreateBox(w, vec(1, 3, 0), vec(0.5, 30, 50))
			a := components.CreateCharacter(w, vec(-2.93, height, 0), 0.2, 1.8)
			b := components.CreateCharacter(w, vec(0.3, height, 2.6+0.02*float64(i)), 0.2, 1.8)
			components.CharacterController.Get(a).DesiredVelocity.X = 8
			components.CharacterController.Get(b).DesiredVelocity.Z = -8
			for _, e := range []*donburi.Entry{a, b} {
				components.CharacterController.Get(e).AirAcceleration = 1000
			}
			at := components.Transform.Get(b).Position
			for range 40 {
				stepCrates(t, p, w, 1)
				v := components.CharacterController.Get(b).State.Velocity
				now := components.Transform.Get(b).Position
				way := now.Sub(at).Length() * 60
				if v.Y = 0; v.Length() > 12.1 || !inAir && way > 12.1 {
					t.Fatalf("case %d, in air %v: it has %.3g m/s, and moves at %.3g", i, inAir, v.Length(), way)
				}
				at = now
			}
		}
	}
}

// Two characters ran to the rear wall of a train, and the wall went through the one in front: the
// one behind took it for standing still in the world.
func TestTwoCharactersAtTheRearWallOfATrainStayInIt(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, run := range []float64{0.5, 3, 8} {
		for _, v := range []float64{0, 2, -2, 16, -16} {
			c := newTrain(1.0 / 60)
			components.Velocity.Get(c.floor).Linear.X, components.Velocity.Get(c.wall).Linear.X = v, v
			behind := components.CreateCharacter(c.w, vec(-1.5, 0.9, 0), 0.3, 1.8)
			for tick := range 300 {
				if tick == 60 { // they have taken up the speed of the train
					components.CharacterController.Get(c.hero).DesiredVelocity.X = run
					components.CharacterController.Get(behind).DesiredVelocity.X = run
				}
				stepCrates(t, c.p, c.w, 1)
				at := func(e *donburi.Entry) float64 { return components.Transform.Get(e).Position.X }
				inWall, inFront := at(c.hero)+0.5-at(c.wall), at(behind)+0.6-at(c.hero)
				crushed := components.CharacterController.Get(c.hero).State.Crushed
				if inWall > 1e-9 || inFront > 1e-9 || crushed {
					t.Fatalf("train at %v, run at %v, tick %d: %.3g m in the wall, %.3g m in the other, crushed %v",
						v, run, tick, inWall, inFront, crushed)
				}
			}
		}
	}
}

// A crate beside a character was kicked when the game stopped or reversed a platform that something
// blocked: the character had not moved with it.
func TestACharacterOnABlockedPlatformKicksNothingWhenThatReverses(t *testing.T) {
	for _, after := range []float64{-1, -0.5, 0} {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
		components.CreatePlane(w, vec(0, -1, 0), vec(0, 1, 0))
		components.CreateBox(w, vec(3, 0, 0), vec(0.5, 1, 5))
		components.CreateCrate(w, vec(2.3, -0.5, 0), vec(0.2, 0.4, 0.4)) // between platform and wall
		platform := components.CreateBox(w, vec(0, -0.5, 0), vec(2, 0.3, 5), components.Velocity)
		hero := components.CreateCharacter(w, vec(0, 0.7, 0), 0.3, 1.8)
		crate := components.CreateCrate(w, vec(-1.5, 0.15, 0), vec(0.35, 0.35, 0.35))
		components.Velocity.Get(platform).Linear.X = 8
		stepCrates(t, p, w, 60)
		components.Transform.Get(crate).Position.X = components.Transform.Get(hero).Position.X - 0.66
		stepCrates(t, p, w, 1)
		components.Velocity.Get(platform).Linear.X = 8 * after
		stepCrates(t, p, w, 1)
		if v := components.Velocity.Get(crate).Linear.X; v != 0 {
			t.Errorf("platform from 8 to %v m/s: a crate that nothing touches has %v m/s", 8*after, v)
		}
	}
}

// A character that was held exactly between two walls that moved was carried through a thin wall in
// their way.
func TestAHeldCharacterIsNotCarriedThroughAThinWall(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, v := range []float64{15, 20} {
		for _, perSecond := range []float64{30, 60} {
			for _, room := range []float64{-1e-13, 0, 1e-15, 1e-13, 1e-9} {
				w := donburi.NewWorld()
				p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), StepSeconds: 1 / perSecond})
				cell := []*donburi.Entry{
					components.CreateBox(w, vec(0, -1, 0), vec(300, 1, 30), components.Velocity),
					components.CreateBox(w, vec(0.2+room, 1, 0), vec(0.1, 1, 5), components.Velocity),
					components.CreateBox(w, vec(-0.2-room, 1, 0), vec(0.1, 1, 5), components.Velocity),
				}
				hero := components.CreateCharacter(w, vec(0, 0.3, 0), 0.1, 0.6)
				components.CreateBox(w, vec(10.37, 1, 0), vec(0.005, 1, 5))
				for _, e := range cell {
					components.Velocity.Get(e).Linear.X = v
				}
				components.CharacterController.Get(hero).DesiredVelocity.X = 2
				stepCrates(t, p, w, int(2*perSecond))
				if x := components.Transform.Get(hero).Position.X; x > 10.3 {
					t.Errorf("%v m/s, %v steps/s, room %v: it is at %v, behind the wall", v, perSecond, room, x)
				}
			}
		}
	}
}

// A platform that lost its Transform between Sweep and Response made Response panic when a
// character stood on it.
func TestAPlatformThatLosesItsTransformWithinAStep(t *testing.T) {
	c := newTrain(1.0 / 60)
	stepCrates(t, c.p, c.w, 30)
	e := newECS(c.w)
	c.p.Broadphase(e)
	c.p.Sweep(e)
	c.floor.RemoveComponent(components.Transform)
	c.p.Response(e)
	c.p.Step(c.w)
	for err := range c.p.Errors() {
		if err.Entity == c.floor.Entity() && strings.Contains(err.Error(), "Transform") {
			return
		}
	}
	t.Error("no error names the platform and its Transform")
}
