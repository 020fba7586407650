package bridge

import (
	"fmt"
	"math"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// frictions maps frictions to their IDs in the space.
type frictions struct {
	ids map[solver.Friction]uint16

	// Most materials of a world are alike, so the last one looked up is found without the map.
	last   solver.Friction
	lastID uint16 // 0 if there is no last
}

// friction returns the ID of a valid material's friction in the space, or 0 for none. The error
// says that the world has too many different frictions.
func (b *Bridge) friction(d *components.MaterialData) (uint16, error) {
	f := solver.Friction{FrictionRule: uint8(d.FrictionCombine), FrictionCoefficients: solver.FrictionCoefficients{
		Static: max(d.StaticFriction, d.Friction) + 0, Dynamic: d.Friction + 0, // -0 is 0
		Rolling: d.RollingResistance + 0, Spinning: d.SpinningResistance + 0,
	}}
	if f == (solver.Friction{}) {
		return 0, nil
	}
	s := &b.registry.frictions
	if s.lastID != 0 && f == s.last {
		return s.lastID, nil
	}
	id, ok := s.ids[f]
	if !ok {
		if id, ok = b.space.AddFriction(f); !ok {
			return 0, &components.FieldError{
				Component: "Material", Field: "Friction", Value: d.Friction,
				Reason: fmt.Sprintf("is one friction too many: a world may have %d", solver.MaxFrictions),
			}
		}
		if s.ids == nil {
			s.ids = map[solver.Friction]uint16{}
		}
		s.ids[f] = id
	}
	s.last, s.lastID = f, id
	return id, nil
}

// pruneFrictions forgets all frictions if the space has far more of them than can be in use, as
// happens in a game that changes frictions all the time. All entities then take the slow path once.
func (b *Bridge) pruneFrictions() {
	r := &b.registry
	if n := b.space.Frictions(); n >= solver.MaxFrictions || n > 2*r.count+minFrictions {
		b.space.ForgetFrictions()
		clear(r.frictions.ids)
		r.frictions.lastID = 0
		for k := range r.surfaceState {
			r.surfaceState[k].Material.FrictionID = math.MaxUint16 // no friction has it: the next Read finds a change
		}
		b.forgetProfiles()
	}
}

// minFrictions is the number of frictions up to which none are forgotten. With a smaller one, small
// worlds would forget, and take the slow path, too often.
const minFrictions = 1 << 10
