package systems

import (
	"math"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// frictions maps frictions to their numbers in the space.
type frictions struct {
	of     map[components.FrictionData]uint16
	last   components.FrictionData
	number uint16 // of the last
}

// friction returns the number of a valid friction in the space.
func (p *Physics) friction(d *components.FrictionData) (uint16, error) {
	if *d == (components.FrictionData{}) {
		return 0, nil
	}
	g := &p.registry.frictions
	if g.number != 0 && *d == g.last {
		return g.number, nil
	}
	number, ok := g.of[*d]
	if !ok {
		if p.space.Frictions() >= maxFrictions {
			return 0, &components.FieldError{Component: "Friction", Field: "Dynamic", Value: d.Dynamic, Reason: "is of one friction too many: a world may have 65,000 that differ"}
		}
		if g.of == nil {
			g.of = map[components.FrictionData]uint16{}
		}
		number = p.space.AddFriction(solver.Friction{
			Static: max(d.Static, d.Dynamic) + 0, Dynamic: d.Dynamic + 0, Rolling: d.Rolling + 0, Spinning: d.Spinning + 0, // -0 is 0
			Rule: uint8(d.Combine),
		})
		g.of[*d] = number
	}
	g.last, g.number = *d, number
	return number, nil
}

// pruneFrictions forgets all frictions if there are far more than the world can have in use: a game that changes frictions all the
// time makes new ones all the time. All entities then take the slow path once.
func (p *Physics) pruneFrictions() {
	r := &p.registry
	if n := p.space.Frictions(); n >= maxFrictions || n > 2*r.count+minFrictions {
		p.space.ForgetFrictions()
		clear(r.frictions.of)
		r.frictions.number = 0
		for k := range r.surfaceState {
			r.surfaceState[k].Material.Friction = math.MaxUint16 // no surface's, so that the next reading finds a change
		}
		p.forgetProfiles()
	}
}

const (
	minFrictions = 1 << 10 // as many are always kept, so that small worlds don't forget too often
	maxFrictions = 65_000  // close to the maximum of the space's 16-bit numbers
)

// combineFriction combines two frictions.
func combineFriction(a, b *solver.Friction) solver.Friction {
	d := components.CombineFriction(frictionOf(a), frictionOf(b))
	return solver.Friction{Static: d.Static, Dynamic: d.Dynamic, Rolling: d.Rolling, Spinning: d.Spinning, Rule: uint8(d.Combine)}
}

func frictionOf(g *solver.Friction) components.FrictionData {
	return components.FrictionData{Dynamic: g.Dynamic, Static: g.Static, Rolling: g.Rolling, Spinning: g.Spinning, Combine: components.CombineRule(g.Rule)}
}
