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

// stack adds a stack of crates on a floor at some height.
func (s *characterScene) stack(y float64, masses ...float64) (crates []*donburi.Entry) {
	for k, mass := range masses {
		e := s.pushed(0, 0)
		components.Transform.Get(e).Position.Y += y + float64(k)
		components.Body.Get(e).Mass = mass
		e.AddComponent(components.Force)
		crates = append(crates, e)
	}
	return crates
}

// stacks are the masses of crates that lie on each other.
var stacks = [][]float64{{50, 50}, {50, 50, 50}, {50, 2, 50}, {2, 50, 2}, {50, 50, 50, 50, 50}}

// Friction holds the lowest crate of a stack with the weight of all, also on a floor that moves.
// Two crates needed more than twenty times that to move, and did not sleep.
func TestAStackUnderALoadIsHeldByItsWeightOnly(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, speed := range []float64{0, 1} {
		for _, masses := range stacks {
			for name, lid := range lids(float64(len(masses))) {
				if speed > 0 && name != "a character" {
					continue // it doesn't move with the stack
				}
				for _, times := range []float64{0.99, 1.01, 1.2} {
					s := newCharacterScene()
					s.movingFloor().Linear.X = speed
					crates, weight := s.stack(0, masses...), lid(s)
					all := 0.0
					for k, m := range masses {
						all += m
						components.Velocity.Get(crates[k]).Linear.X = speed
					}
					s.steps(200)
					for k, e := range crates {
						if speed == 0 && !s.physics.Asleep(e.Entity()) {
							t.Errorf("%v under %v: crate %d doesn't sleep", masses, name, k)
						}
					}
					friction := 0.5 * (float64(all*pushGravity) + weight)
					components.Force.Get(crates[0]).Force.X = times * friction
					s.steps(5)
					if name == "a character" { // it moves with them
						all += weight / pushGravity
					}
					want := speed + max(0, times-1)*friction/all*5*pushTick
					most := 1e-9
					if speed > 0 { // a column that a driver moves isn't solved directly: solvedShare is 1e-6 m/s
						most = 1e-8
					}
					for k, e := range crates {
						what := fmt.Sprintf("%v under %v, %v of friction: speed of crate %d", masses, name, times, k)
						closeTo(t, what, velocity(e).X, want, most)
					}
					s.noErrors(t)
				}
			}
		}
	}
}

// movingFloor adds a large floor at height 0, and returns the velocity at which it moves.
func (s *characterScene) movingFloor() *components.VelocityData {
	e := components.CreateCrate(s.world, collide.Vec3{Y: -0.5}, collide.Vec3{X: 20, Y: 0.5, Z: 20})
	components.Body.Get(e).Kind = components.Kinematic
	return components.Velocity.Get(e)
}

// The crates lie on each other without a gap: they hung up to 1 mm above each other, and 16 mm
// above something that rotates. The character doesn't move, on crates that are kept awake either.
func TestAStackUnderACharacterLiesOnWhatCarriesIt(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, spin := range []float64{0, 0.3, 1} {
		for _, masses := range stacks {
			s := newCharacterScene()
			s.physics = systems.NewPhysics(systems.Config{
				Gravity: collide.Vec3{Y: -pushGravity}, Workers: 1, NoSleeping: true,
			})
			wheel := s.turnable(vec(0, -0.5, 0), vec(5, 0.5, 5))
			components.AngularVelocity.Get(wheel).Angular.Y = spin
			crates := s.stack(0, masses...)
			for _, e := range crates {
				components.Transform.Get(e).Position.X = 1
			}
			hero, c := s.character(collide.Vec3{X: 1, Y: float64(len(masses))})
			worst, steps := 0.0, slow.Steps(2_000)
			if spin != 0 {
				steps = slow.Steps(300)
			}
			for range steps {
				s.steps(1)
				for k, e := range crates {
					worst = max(worst, math.Abs(position(e).Y-0.5-float64(k)))
				}
				worst = max(worst, math.Abs(feetOf(hero).Y-float64(len(masses))))
			}
			if worst > 1e-9 || !c.OnGround() {
				t.Errorf("%v at %v rad/s: something has moved up or down by %v m", masses, spin, worst)
			}
			s.noErrors(t)
		}
	}
}

// A lift that begins to sink falls away under a stack, which then lands on it. The character is
// faster than the lift then, and must not stop it: the lift stopped in most steps, and under two
// crates made half of its way. The character hops on the crates, by some millimetres.
func TestALiftSinksUnderAStackWithACharacter(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, masses := range stacks {
		s := newCharacterScene()
		lift := s.movingFloor()
		crates := s.stack(0, masses...)
		hero, _ := s.character(collide.Vec3{Y: float64(len(masses))})
		s.steps(60)
		lift.Linear.Y = -0.5
		for step := range 120 {
			s.steps(1)
			if n := s.physics.Stats().Blocked; n > 1 { // the character is
				t.Fatalf("%v: %d kinematic bodies are blocked in step %d", masses, n, step)
			}
		}
		gap := position(crates[0]).Y - 0.5 + 1
		if gap < -1e-9 || gap > 1e-3 {
			t.Errorf("%v: the lowest crate is %v m above the lift", masses, gap)
		}
		gap = feetOf(hero).Y - float64(len(masses)) + 1
		if gap < -1e-9 || gap > 0.01 {
			t.Errorf("%v: the character is %v m too high", masses, gap)
		}
		s.noErrors(t)
	}
}
