package bridge

import (
	"math"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// frictions maps frictions to their numbers in the space.
type frictions struct {
	of map[solver.Friction]uint16

	// Most materials of a world are alike, so the last one looked up is found without the map.
	last   solver.Friction
	number uint16 // of the last
}

// friction returns the number of a valid material's friction in the space, or 0 for none. The error
// says that the world has too many different frictions.
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
				Component: "Material", Field: "Friction", Value: d.Friction,
				Reason: "is of one friction too many: a world may have 65,000 that differ",
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

// pruneFrictions forgets all frictions if the space has far more of them than can be in use, as
// happens in a game that changes frictions all the time. All entities then take the slow path once.
func (b *Bridge) pruneFrictions() {
	r := &b.registry
	if n := b.space.Frictions(); n >= maxFrictions || n > 2*r.count+minFrictions {
		b.space.ForgetFrictions()
		clear(r.frictions.of)
		r.frictions.number = 0
		for k := range r.surfaceState {
			r.surfaceState[k].Material.Friction = math.MaxUint16 // no surface has it: the next Read finds a change
		}
		b.forgetProfiles()
	}
}

const (
	// minFrictions is the number of frictions up to which none are forgotten. With a smaller one,
	// small worlds would forget, and take the slow path, too often.
	minFrictions = 1 << 10

	// maxFrictions is the greatest number of frictions of a world. The space numbers them with 16
	// bits.
	maxFrictions = 65_000
)
