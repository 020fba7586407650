package contacts_test

import (
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/contacts"
)

// A heap of 2,000 balls through which a heavy one is pushed had 4,000 impacts a step, nearly all
// between balls whose contact had been solved: the iterations left 1,300 of 6,300 contacts
// approaching, and each impact caused others.
func TestAHeapInMotionIsLeftWithoutApproaches(t *testing.T) {
	for _, friction := range []float64{0, 0.35} {
		r := rand.New(rand.NewPCG(2000, 1300))
		s := pyramid(14)
		s.friction = contacts.FrictionCoefficients{Static: friction, Dynamic: friction}
		for k := range s.bodies {
			s.bodies[k].Velocity = direction(r).Scale(r.Float64())
		}
		s.solve()
		left := 0
		for _, k := range s.numbers {
			if s.solver.Unresolved(k) {
				left++
			}
		}
		if left > 0 {
			t.Errorf("friction %v: %d of %d balls are left approaching others", friction, left, len(s.bodies))
		}
	}
}

// What ends approaches must not give a heap energy, nor push balls apart visibly.
func TestEndingApproachesAddsNoEnergy(t *testing.T) {
	r := rand.New(rand.NewPCG(2000, 1301))
	for n := range 20 {
		s := pyramid(6)
		s.friction = contacts.FrictionCoefficients{Static: 0.35, Dynamic: 0.35}
		for k := range s.bodies {
			s.bodies[k].Velocity = direction(r).Scale(r.Float64() * r.Float64())
		}
		before := 0.0
		for k := range s.bodies {
			before += s.bodies[k].Velocity.LengthSquared() / s.bodies[k].InverseMass / 2
		}
		s.solve()
		after := 0.0
		for k := range s.bodies {
			b := &s.bodies[k]
			v, w := s.velocity(k), s.spin(k)
			after += (v.LengthSquared()/2 - s.gravity.Dot(v)*dt) / b.InverseMass
			if b.InverseInertia > 0 {
				after += w.LengthSquared() / b.InverseInertia / 2
			}
		}
		if after > before {
			t.Errorf("heap %d: the energy goes from %v to %v", n, before, after)
		}
	}
}
