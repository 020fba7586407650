package contacts_test

import (
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/slow"
)

// A heap of 10,000 never came to rest. Some balls crept at a steady 2e-5 m/s. They were stopped
// every half second, had that speed again after one step, and so counted as moving.
func TestWhatCreptDoesNotBeginToCreepAgain(t *testing.T) {
	for _, c := range []struct {
		slope, radius float64
		rests         bool
	}{{0x1p-13, 0.5, true}, {0x1p-9, 0.5, true}, {0x1p-9, 0.001, true}, {0x1p-7, 0.5, false}} {
		s := slope(0, 0, 0, false)
		s.bodies[0].Radius, s.bodies[0].Position.Y = c.radius, c.radius
		for range 32 {
			s.solve()
			s.move()
		}
		if !s.solver.MaySleep(s.numbers[0]) {
			t.Fatal("a ball on a floor is not at rest after 32 steps")
		}
		s.gravity.X = c.slope * g
		s.solve()
		if got := s.solver.Rests(s.numbers[0]); got != c.rests {
			t.Errorf("%+v: pulled aside by this part of its weight, it is at rest: %v", c, got)
		}
	}
}

// In steps of a second, a ball that had been at rest and lost its floor stayed in the air: another
// floor, 1 cm below, left it so slow that it counted as at rest.
func TestABallThatFallsTowardsAFloorNearbyIsNotAtRest(t *testing.T) {
	for _, c := range []struct {
		lower float64 // m
		rests bool
	}{{0, true}, {0.01, false}} {
		s := slope(0, 0, 0, false)
		s.settings.Seconds = 1
		for range 32 {
			s.solve()
			s.move()
		}
		if !s.solver.MaySleep(s.numbers[0]) {
			t.Fatal("a ball on a floor is not at rest after 32 steps")
		}
		s.bodies[0].Position.Y += c.lower
		s.solve()
		if got := s.solver.Rests(s.numbers[0]); got != c.rests {
			t.Errorf("floor lower by %g m: at rest %v, want %v", c.lower, got, c.rests)
		}
	}
}

// Calm bodies of a heap were stopped while others of the heap still moved, which pushed the others
// on.
func TestACalmBodyIsNotStoppedBeforeItsIsland(t *testing.T) {
	s := column(0, 1, 1)
	s.gravity.X = 0.02 * g // what friction takes from slow balls that hold each other
	slow := collide.Vec3{X: 0.01}
	for k := range s.bodies {
		s.bodies[k].InverseInertia = 0
		s.bodies[k].Velocity = slow
	}
	for step := range 40 {
		s.solve()
		s.move()
		s.bodies[1].CalmSteps = 0 // as if it had been hit
		if v := s.bodies[0].Velocity.X; v < 0.005 || v > 0.02 {
			t.Fatalf("step %d: the lower ball moves at %v m/s, want about 0.01", step, v)
		}
	}
	if s.bodies[0].CalmSteps < 30 {
		t.Errorf("the lower ball is calm for %d steps, want 30 or more", s.bodies[0].CalmSteps)
	}
}

// A heap of 10,000 balls with a friction of 0.1 had 25,000 impacts a step and did not come to rest:
// it had as few iterations as one with much friction.
func TestLittleFrictionHoldsALargeHeap(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, f := range []float64{0.1, 0.2} {
		s := pyramid(16)
		s.friction = contacts.FrictionCoefficients{Static: f, Dynamic: f}
		s.solve()
		left := 0.0 // the fastest approach that is left; g·dt is 0.16 m/s
		for _, p := range s.pairs {
			n, _ := s.normal(p)
			v := s.velocity(p.a)
			if p.b >= 0 {
				v = v.Sub(s.velocity(p.b))
			}
			left = max(left, -n.Dot(v))
		}
		if left > 0.02 {
			t.Errorf("friction %g: an approach at %g m/s is left, want at most 0.02", f, left)
		}
	}
}

// A heap that had come to rest began to move again where it was kept awake, up to seven seconds
// later: its impulses still settled. So it did something else than where it slept.
func TestAnIslandAtRestBeginsEachStepAlike(t *testing.T) {
	s := column(0, 1, 3, 1, 2, 1)
	for range 32 {
		s.solve()
		s.move()
	}
	for k := range s.bodies {
		if !s.solver.MaySleep(s.numbers[k]) {
			t.Fatalf("ball %d is not at rest after 32 steps", k)
		}
	}
	s.history[2].NormalImpulse *= 1 + 0x1p-20 // as if it had not settled
	before := slices.Clone(s.history)
	for range 100 {
		s.solve()
		s.move()
	}
	for k := range before {
		if s.history[k] != before[k] {
			t.Errorf("contact %d begins a step with %+v, want %+v as in the first at rest", k, s.history[k], before[k])
		}
	}
}
