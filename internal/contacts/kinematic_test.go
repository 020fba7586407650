package contacts_test

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
)

// press returns a row of balls, with this gap before each, between a plane that comes at 2 m/s and
// a wall, or nothing.
func press(n int, gap float64, wall bool) *scene {
	s := newScene()
	s.gravity = collide.Vec3{}
	piston := s.floor(surface{normal: collide.Vec3{X: 1}, velocity: collide.Vec3{X: 2}})
	for k := range n {
		s.ball(collide.Vec3{X: 0.5 + gap + float64(k)*(1+gap)}, 0.5, 1, collide.Vec3{})
		if k > 0 {
			s.contact(k-1, k)
		}
	}
	s.contact(0, piston)
	if wall {
		end := s.floor(surface{normal: collide.Vec3{X: -1}, distance: -float64(n) - float64(n+1)*gap})
		s.contact(n-1, end)
	}
	return s
}

// openGap is the gap between balls of radius 0.5 that are driven.
const openGap = contacts.RestGap / 2

func TestWhatCanYieldIsPushed(t *testing.T) {
	s := press(8, openGap, false)
	s.solve()
	if scale, driver := s.solver.SpeedScale(s.number(-1)); scale != 1 || !driver {
		t.Errorf("speed scale %v, driver %v; want 1, true", scale, driver)
	}
	for k := range s.bodies {
		near(t, "speed", s.velocity(k).X, 2, 2, 1e-2)
	}
	if s.solver.CalmSteps(s.numbers[0]) != 0 {
		t.Error("what is pushed counts as calm")
	}
}

func TestWhatCannotYieldStopsTheDriver(t *testing.T) {
	s := press(2, 0, true)
	s.solve()
	if scale, driver := s.solver.SpeedScale(s.number(-1)); scale != 0 || !driver {
		t.Errorf("speed scale %v, driver %v; want 0, true", scale, driver)
	}
	if v := s.solver.Velocity(s.number(-1)); v != (collide.Vec3{}) {
		t.Errorf("the driver moves at %v", v)
	}
	for k := range s.bodies {
		near(t, "speed", s.velocity(k).Length(), 0, 2, 1e-2)
	}
	if _, driver := s.solver.SpeedScale(s.number(-2)); driver {
		t.Error("a wall counts as a driver")
	}
}

// What each contact of a long row leaves of an approach is a small part of the driver's speed. If
// it were compared with the speed that the driver has without the row, the driver would creep on
// into what can't yield, with impacts along the whole row in each step.
func TestADriverDoesNotCreepIntoARow(t *testing.T) {
	for _, n := range []int{4, 8, 16, 24} {
		s := press(n, 0, true)
		scale := 1.0
		for range 6 {
			s.surfaces[0].scale = max(scale, contacts.MinSpeedScale)
			s.solve()
			scale, _ = s.solver.SpeedScale(s.number(-1))
		}
		if scale != 0 {
			t.Errorf("%d balls: speed scale %v, want 0", n, scale)
		}
	}
}

// A kinematic ball pushes like a plane.
func TestAKinematicBallIsADriver(t *testing.T) {
	s := press(2, 0, true)
	s.pairs[1] = pair{0, s.ball(collide.Vec3{X: -0.5}, 0.5, 1, collide.Vec3{X: 2})}
	s.bodies[2].InverseMass = 0
	s.solve()
	if scale, driver := s.solver.SpeedScale(s.numbers[2]); scale != 0 || !driver {
		t.Errorf("speed scale %v, driver %v; want 0, true", scale, driver)
	}
}

// A driver that was slowed down begins each step at twice the fraction that it reached.
func TestADriverTakesUpSpeed(t *testing.T) {
	s := press(3, openGap, false)
	scale := contacts.MinSpeedScale
	for _, want := range []float64{1. / 16, 1. / 8, 1. / 4, 1. / 2, 1, 1} {
		s.surfaces[0].scale = scale
		s.solve()
		scale, _ = s.solver.SpeedScale(s.number(-1))
		if scale != want {
			t.Fatalf("speed scale %v, want %v", scale, want)
		}
	}
}

// A driver that would bounce off one ball is solved together with a heap.
func TestADriverDoesNotBounceOffAHeap(t *testing.T) {
	for n, want := range map[int]contacts.Preparation{1: contacts.LeftOut, 3: contacts.Solved} {
		s := press(n, 0, false)
		s.surfaces[0].restitution = 0.9
		s.solve()
		if got := s.results[len(s.results)-1]; got != want {
			t.Errorf("%d balls: got %v, want %v", n, got, want)
		}
	}
}

// A ball by itself is no heap: nothing slows a driver down, and the two touch.
func TestASingleBallIsNoHeap(t *testing.T) {
	s := press(1, openGap, false)
	s.solve()
	if scale, _ := s.solver.SpeedScale(s.number(-1)); scale != 1 {
		t.Errorf("speed scale %v, want 1", scale)
	}
	near(t, "speed", s.velocity(0).X, 2-openGap/dt, 2, 1e-9)
}
