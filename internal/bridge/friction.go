package bridge

import (
	"math"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// frictions maps frictions to their numbers in the space.
type frictions struct {
	of     map[solver.Friction]uint16
	last   solver.Friction
	number uint16 // of the last
}

// friction returns the number of a valid material's friction in the space; 0 for none.
func (b *Bridge) friction(d *components.MaterialData) (uint16, error) {
	f := solver.Friction{
		Static: max(d.StaticFriction, d.Friction) + 0, Dynamic: d.Friction + 0, // -0 is 0
		Rolling: d.RollingResistance + 0, Spinning: d.SpinningResistance + 0, Rule: uint8(d.FrictionCombine),
	}
	if f == (solver.Friction{}) {
		return 0, nil
	}
	s := &b.registry.frictions
	if s.number != 0 && f == s.last {
		return s.number, nil
	}
	number, ok := s.of[f]
	if !ok {
		if b.space.Frictions() >= maxFrictions {
			return 0, &components.FieldError{
				Component: "Material", Field: "Friction", Value: d.Friction, Reason: "is of one friction too many: a world may have 65,000 that differ",
			}
		}
		if s.of == nil {
			s.of = map[solver.Friction]uint16{}
		}
		number = b.space.AddFriction(f)
		s.of[f] = number
	}
	s.last, s.number = f, number
	return number, nil
}

// pruneFrictions forgets all frictions if there are far more than the world can have in use: a game that changes frictions all the
// time makes new ones all the time. All entities then take the slow path once.
func (b *Bridge) pruneFrictions() {
	r := &b.registry
	if n := b.space.Frictions(); n >= maxFrictions || n > 2*r.count+minFrictions {
		b.space.ForgetFrictions()
		clear(r.frictions.of)
		r.frictions.number = 0
		for k := range r.surfaceState {
			r.surfaceState[k].Material.Friction = math.MaxUint16 // no surface's, so that the next reading finds a change
		}
		b.forgetProfiles()
	}
}

const (
	minFrictions = 1 << 10 // as many are always kept, so that small worlds don't forget too often
	maxFrictions = 65_000  // close to the maximum of the space's 16-bit numbers
)
