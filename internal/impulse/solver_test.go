package impulse_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/impulse"
)

// heap returns touching balls of random masses and velocities, on a floor if there is one, and
// their contacts. Body 0 is the floor.
func heap(rng *rand.Rand, n int, ratio, parting float64) (bodies []impulse.Body, contacts []impulse.Contact) {
	bodies = append(bodies, impulse.Body{})
	var places []collide.Vec3
	side := int(math.Ceil(math.Cbrt(float64(n))))
	for k := range n {
		x := collide.Vec3{X: float64(k % side), Y: float64(k / side % side), Z: float64(k / side / side)}
		m := math.Pow(ratio, -rng.Float64())
		bodies = append(bodies, impulse.Body{
			Velocity: collide.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()},
			Mobility: collide.Vec3{X: m, Y: m, Z: m},
		})
		for j, y := range places {
			if d := x.Sub(y); d.Length() < 1.01 || rng.IntN(4) == 0 && d.Length() < 1.8 {
				u, _ := d.Normalized()
				c := impulse.Contact{A: int32(k + 1), B: int32(j + 1), Normal: u, Parting: parting * rng.Float64()}
				contacts = append(contacts, c)
			}
		}
		if x.Y == 0 {
			contacts = append(contacts, impulse.Contact{A: int32(k + 1), Normal: collide.Vec3{Y: 1}})
		}
		places = append(places, x)
	}
	return bodies, contacts
}

// The conditions that define the solution hold: impulses push, contacts part as fast as they have
// to, and those that part faster have no impulse. The velocities follow from the impulses.
func TestImpulsesAndPartingSpeedsAreComplementary(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var s impulse.Solver
	for _, n := range []int{1, 2, 3, 10, 100, 500} {
		for _, ratio := range []float64{1, 10, 1e3} {
			for _, parting := range []float64{0, 0.5} {
				bodies, contacts := heap(rng, n, ratio, parting)
				before := append([]impulse.Body(nil), bodies...)
				if !s.Solve(bodies, contacts, 0) {
					t.Errorf("%d bodies, ratio %v: not solved", n, ratio)
					continue
				}
				fastest := 0.0
				for _, b := range bodies {
					fastest = max(fastest, b.Velocity.Length())
				}
				// A second search begins where the rounding errors of large impulses have left the
				// first.
				first := make([]float64, len(contacts))
				for k := range contacts {
					first[k] = contacts[k].Impulse
				}
				if parting == 0 && !s.Solve(bodies, contacts, 0) {
					t.Errorf("%d bodies, ratio %v: not solved again", n, ratio)
				}
				for k := range contacts {
					if parting == 0 {
						contacts[k].Impulse += first[k]
					}
				}
				momentum, size := collide.Vec3{}, 0.0
				for k, b := range bodies {
					if m := b.Mobility.X; m > 0 {
						d := b.Velocity.Sub(before[k].Velocity).Scale(1 / m)
						momentum, size = momentum.Add(d), size+d.Length()
					}
				}
				// Impulses between heavy bodies cancel in the light ones between them.
				tolerance := 1e-12 * fastest * max(1, ratio/100)
				for _, c := range contacts {
					v := c.Normal.Dot(bodies[c.A].Velocity.Sub(bodies[c.B].Velocity)) - c.Parting
					if c.Impulse < 0 || v < -tolerance || c.Impulse > tolerance && math.Abs(v) > tolerance {
						t.Fatalf("%d bodies, ratio %v: impulse %v, parting speed %v too large", n, ratio, c.Impulse, v)
					}
					if c.B == 0 {
						momentum = momentum.Sub(c.Normal.Scale(c.Impulse))
					}
				}
				if momentum.Length() > 1e-13*(size+1) {
					t.Errorf("%d bodies, ratio %v: momentum changes by %v of %v", n, ratio, momentum, size)
				}
			}
		}
	}
}

// A row that is hit inelastically moves on as one, for any length.
func TestALongRowMovesOnAsOne(t *testing.T) {
	var s impulse.Solver
	for _, n := range []int{2, 20, 200, 2000} {
		bodies := make([]impulse.Body, n)
		var contacts []impulse.Contact
		for k := range bodies {
			bodies[k].Mobility = collide.Vec3{X: 1, Y: 1, Z: 1}
			if k > 0 {
				contacts = append(contacts, impulse.Contact{A: int32(k), B: int32(k - 1), Normal: collide.Vec3{X: 1}})
			}
		}
		bodies[0].Velocity.X = 1e4
		if !s.Solve(bodies, contacts, 0) {
			t.Fatalf("%d: not solved", n)
		}
		for k := range bodies {
			if v := bodies[k].Velocity.X; math.Abs(v-1e4/float64(n)) > 1e-12*1e4 {
				t.Fatalf("%d: body %d has %v, want %v", n, k, v, 1e4/float64(n))
			}
		}
	}
}

// There are no impulses that keep a body away from two walls that close in on it.
func TestABodyBetweenClosingWallsHasNoSolution(t *testing.T) {
	for _, angle := range []float64{0, 1e-16} {
		bodies := []impulse.Body{
			{Mobility: collide.Vec3{X: 1, Y: 1, Z: 1}},
			{Velocity: collide.Vec3{X: 1}},
			{Velocity: collide.Vec3{X: -1}},
		}
		contacts := []impulse.Contact{
			{A: 0, B: 1, Normal: collide.Vec3{X: 1, Y: angle}}, {A: 0, B: 2, Normal: collide.Vec3{X: -1}},
		}
		before := append([]impulse.Body(nil), bodies...)
		if new(impulse.Solver).Solve(bodies, contacts, 0) {
			t.Errorf("angle %v: solved, want no solution", angle)
		}
		for k := range bodies {
			if bodies[k] != before[k] {
				t.Errorf("angle %v: body %d has changed to %v", angle, k, bodies[k])
			}
		}
	}
	locked := []impulse.Body{{Velocity: collide.Vec3{Y: -1}, Mobility: collide.Vec3{X: 1}}, {}}
	if new(impulse.Solver).Solve(locked, []impulse.Contact{{A: 0, B: 1, Normal: collide.Vec3{Y: 1}}}, 0) {
		t.Errorf("a body that is locked along the normal: solved, want no solution")
	}
}

// A press on a full box took steps of more than a second: one group did many times the work that
// all groups of a step may do.
func TestASolutionThatTakesTooMuchWorkIsGivenUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	bodies, contacts := heap(rng, 200, 1e3, 0)
	before := slices.Clone(bodies)
	s := impulse.Solver{MaxWork: 10 * len(contacts)}
	if s.Solve(bodies, contacts, 0) || s.Work > 11*len(contacts) {
		t.Errorf("work %d, of at most %d", s.Work, s.MaxWork)
	}
	if !slices.Equal(bodies, before) {
		t.Error("velocities have changed, although there are no impulses")
	}
	s = impulse.Solver{}
	if !s.Solve(bodies, contacts, 0) || s.Work <= 11*len(contacts) {
		t.Errorf("without a bound: work %d", s.Work)
	}
}
