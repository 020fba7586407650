package systems_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// underSomething returns a world with a character on a floor, a capsule or a box, and a crate or
// ball of some mass on its head.
func underSomething(
	box, ball bool, mass, offset float64,
) (w donburi.World, p *systems.Physics, hero, load *donburi.Entry) {
	w = donburi.NewWorld()
	p = systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}, Workers: 1})
	components.CreatePlane(w, collide.Vec3{}, collide.Vec3{Y: 1})
	if at := (collide.Vec3{Y: 0.9}); box {
		hero = components.CreateShape(w, at, collide.Box{Half: collide.Vec3{X: 0.3, Y: 0.9, Z: 0.3}},
			components.Velocity, components.CharacterController)
	} else {
		hero = components.CreateCharacter(w, at, 0.3, 1.8)
	}
	if at := (collide.Vec3{X: offset, Y: 2}); ball {
		load = components.CreateBall(w, at, 0.2, components.Body)
	} else {
		load = components.CreateCrate(w, at, collide.Vec3{X: 0.3, Y: 0.2, Z: 0.3})
	}
	components.Body.Get(load).Mass = mass
	for range 60 {
		p.Step(w)
	}
	return w, p, hero, load
}

// feetHeight returns the height of the feet of a character that is 1.8 m high.
func feetHeight(hero *donburi.Entry) float64 { return position(hero).Y - 0.9 }

// A character with anything on its head could not jump: it met a ceiling. Now it shares its
// momentum with that, and jumps as high as the speed that is left leads, but for the step in which
// the two meet.
func TestACharacterJumpsWithSomethingOnItsHead(t *testing.T) {
	for _, box := range []bool{false, true} {
		for _, ball := range []bool{false, true} {
			for _, mass := range []float64{1, 20, 100} {
				w, p, hero, load := underSomething(box, ball, mass, 0)
				c := components.CharacterController.Get(hero)
				c.Jump = true
				highest, worst := 0.0, 0.0
				for range 90 {
					p.Step(w)
					c.Jump = false
					highest = max(highest, feetHeight(hero))
					bottom := components.Transform.Get(load).Position.Y - 0.2
					worst = max(worst, feetHeight(hero)+1.8-bottom)
				}
				kept := c.Mass / (c.Mass + mass)
				most := c.JumpHeight * kept * kept
				what := fmt.Sprintf("box %v, ball %v, %v kg", box, ball, mass)
				if highest > most || highest < most-0.1 {
					t.Errorf("%s: it jumps %v m high, want a little less than %v", what, highest, most)
				}
				if worst > 1e-9 {
					t.Errorf("%s: its head is %v m in the load", what, worst)
				}
				if !c.OnGround() {
					t.Errorf("%s: it doesn't land", what)
				}
			}
		}
	}
}

// What lies between the head of a character and a ceiling is a ceiling: the character must not hang
// there.
func TestACharacterFallsAfterItHasJumpedUnderWhatCannotRise(t *testing.T) {
	w, p, hero, _ := underSomething(false, false, 1, 0)
	components.CreatePlane(w, collide.Vec3{Y: 2.2001}, collide.Vec3{Y: -1})
	c := components.CharacterController.Get(hero)
	c.Jump = true
	steps := 0
	for range 60 {
		p.Step(w)
		c.Jump = false
		if !c.OnGround() {
			steps++
		}
	}
	if steps > 4 {
		t.Errorf("it is in the air for %d steps", steps)
	}
}

// A box with a crate or a ball on its head could not walk: it could keep a distance neither from
// that nor from the floor.
func TestABoxWalksWithSomethingOnItsHead(t *testing.T) {
	for _, ball := range []bool{false, true} {
		for _, offset := range []float64{-0.05, 0, 0.05} {
			w, p, hero, _ := underSomething(true, ball, 1, offset)
			components.CharacterController.Get(hero).DesiredVelocity.X = 2
			for range 60 {
				p.Step(w)
			}
			if x := position(hero).X; math.Abs(x-1.975) > 1e-9 {
				t.Errorf("ball %v, %v m off its middle: it has walked %v m", ball, offset, x)
			}
		}
	}
}

// Something round fell on the head of a character that walked, which was thrown aside by up to 0.28
// m in a step and had a velocity of 2,414 m/s then.
func TestWhatLandsOnTheHeadOfAWalkerDoesNotThrowItAside(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for k := -30; k < 30; k++ {
		for _, height := range []float64{0.5, 2} {
			for _, ball := range []bool{false, true} {
				w := donburi.NewWorld()
				p := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}, Workers: 1})
				components.CreatePlane(w, collide.Vec3{}, collide.Vec3{Y: 1})
				walker := components.CreateCharacter(w, collide.Vec3{Y: 0.9}, 0.3, 1.8)
				c := components.CharacterController.Get(walker)
				c.DesiredVelocity.X = 1
				for range 30 {
					p.Step(w)
				}
				x := position(walker).X + math.Sqrt(2*height/9.81) + 0.01*float64(k)
				if ball {
					components.CreateBall(w, collide.Vec3{X: x, Y: 2.1 + height}, 0.3)
				} else {
					components.CreateCharacter(w, collide.Vec3{X: x, Y: 2.7 + height}, 0.3, 1.8)
				}
				for range 90 {
					p.Step(w)
					if v := c.State.Velocity.Length(); v > 8*math.Sqrt(2*9.81*height) {
						t.Fatalf("%d cm off, from %v m, ball %v: it moves at %v m/s", k, height, ball, v)
					}
				}
			}
		}
	}
}

// A plate pushed a character at 0.2 m/s against a wall that was not quite parallel to it, and shot
// it away at 0.2 m/s divided by the sine of the angle.
func TestAPlateCrushesACharacterAtAWallThatIsNearlyParallel(t *testing.T) {
	for _, angle := range []float64{0, 1e-6, 1e-3, 0.1, 0.2} {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}, Workers: 1})
		components.CreatePlane(w, collide.Vec3{}, collide.Vec3{Y: 1})
		components.CreatePlane(w, collide.Vec3{Z: -1}, collide.Vec3{X: math.Sin(angle), Z: math.Cos(angle)})
		half := collide.Vec3{X: 20, Y: 5, Z: 0.5}
		plate := components.CreateBox(w, collide.Vec3{Y: 2, Z: 1}, half, components.Velocity)
		components.Velocity.Get(plate).Linear.Z = -0.2
		c := components.CharacterController.Get(components.CreateCharacter(w, collide.Vec3{Y: 0.9}, 0.3, 1.8))
		crushed, fastest := false, 0.0
		for range 290 {
			p.Step(w)
			crushed, fastest = crushed || c.State.Crushed, max(fastest, c.State.Velocity.Length())
		}
		switch squeezed := 0.2 / math.Sin(angle); {
		case angle > 0.125: // 1/8: it gets out of the way
			if crushed || math.Abs(fastest-squeezed) > 0.1*squeezed {
				t.Errorf("%v rad: %v m/s, crushed %v, want %v m/s", angle, fastest, crushed, squeezed)
			}
		case !crushed || fastest > 0.3:
			t.Errorf("%v rad: %v m/s, crushed %v", angle, fastest, crushed)
		}
	}
}

// What lies on the head of a character sinks with it and its raft, which air slows down: it lay up
// to 12 cm above the head in every second step. It may be as far away as contacts at rest, 0.4 mm,
// and by what air takes as the step begins, which makes the character slower than the raft.
func TestWhatLiesOnTheHeadOfARiderSinksWithIt(t *testing.T) {
	const damping, tick = 8, 1.0 / 60
	for _, cargo := range []bool{false, true} {
		s := newCharacterScene()
		s.floor()
		raft := components.CreateCrate(s.world, vec(0, 10, 0), vec(2, 0.2, 2))
		*components.Body.Get(raft) = components.BodyData{Mass: 200, LinearDamping: damping}
		hero, c := s.character(vec(0, 10.2, 0))
		crate := components.CreateCrate(s.world, vec(0, 12.26, 0), vec(0.25, 0.25, 0.25))
		components.Body.Get(crate).Mass = 5
		if cargo {
			components.CreateCrate(s.world, vec(1, 10.5, 0), vec(0.25, 0.25, 0.25))
		}
		s.steps(60)
		for n := range 200 {
			s.steps(1)
			loss := 1 - 1/(1+damping*tick)
			most := 0.0004 - components.Velocity.Get(raft).Linear.Y*loss*tick
			gap := position(crate).Y - 0.25 - position(hero).Y - 0.9
			v := components.Velocity.Get(raft).Linear.Y
			if gap > most || v > -1 || c.State.Ground != components.OnGround {
				t.Fatalf("cargo %v, tick %d: %v m above the head, the raft at %v m/s, the character %v",
					cargo, n, gap, v, c.State.Ground)
			}
		}
		s.noErrors(t)
	}
}

// What lies on the head of a character sinks with it also on a crate on a lift: the lift doesn't
// stop the crate.
func TestWhatLiesOnTheHeadSinksWithALiftUnderACrate(t *testing.T) {
	for _, speed := range []float64{2, 5, 8} {
		s := newCharacterScene()
		lift := components.CreateBox(s.world, vec(0, 99.8, 0), vec(3, 0.2, 3), components.Velocity)
		components.CreateCrate(s.world, vec(0, 100.25, 0), vec(0.5, 0.25, 0.5))
		hero, _ := s.character(vec(0, 100.5, 0))
		crate := components.CreateCrate(s.world, vec(0, 102.56, 0), vec(0.25, 0.25, 0.25))
		components.Body.Get(crate).Mass = 5
		s.steps(60)
		for tick := range 120 {
			v := components.Velocity.Get(lift)
			v.Linear.Y = max(-speed, v.Linear.Y-0.1)
			s.steps(1)
			if gap := position(crate).Y - 0.25 - position(hero).Y - 0.9; gap > 0.005 {
				t.Fatalf("at %v m/s, tick %d: %v m above the head", speed, tick, gap)
			}
		}
	}
}
