package contacts_test

import (
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/contacts"
)

// The velocities that iterations along conjugate directions leave are those that the impulses give,
// also where contacts open and leave the directions of their bodies.
func TestConjugateDirectionsMoveBodiesByTheirImpulses(t *testing.T) {
	all, open := 0, 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		friction := contacts.FrictionCoefficients{Static: r.Float64(), Rolling: 0.1 * r.Float64()}
		friction.Dynamic = friction.Static
		s := jam(r, 5+r.IntN(15), friction)
		if seed%2 == 1 { // surfaces of a rotor touch half of the balls
			s.rotor = &contacts.Rotor{InverseInertia: 0.1, Least: -1e3, Most: 1e3}
			for k := range len(s.bodies) / 2 {
				b, n := &s.bodies[k], direction(r)
				s.contact(k, s.floor(surface{normal: n, distance: n.Dot(b.Position) - b.Radius, arm: direction(r)}))
			}
		}
		s.solve()
		found, loaded := s.solver.Unexplained()
		if !(found < 1e-12) {
			t.Errorf("seed %d: impulses don't explain %v m/s", seed, found)
		}
		all, open = all+len(s.pairs), open+len(s.pairs)-loaded
	}
	if open < all/4 || open > 3*all/4 {
		t.Errorf("%d of %d contacts are open", open, all)
	}
}
