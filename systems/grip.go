package systems

import (
	"math"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// grips are the numbers by which the space knows frictions.
type grips struct {
	of   map[components.FrictionData]uint16
	last components.FrictionData
	code uint16 // of the last
}

// grip returns the number by which the space knows a friction, which is in order.
func (p *Physics) grip(d *components.FrictionData) (uint16, error) {
	if *d == (components.FrictionData{}) {
		return 0, nil
	}
	g := &p.members.grips
	if g.code != 0 && *d == g.last {
		return g.code, nil
	}
	code, ok := g.of[*d]
	if !ok {
		if p.space.Frictions() >= mostGrips {
			return 0, &components.FieldError{Component: "Friction", Field: "Dynamic", Value: d.Dynamic, Reason: "is of one friction too many: a world may have 65,000 that differ"}
		}
		if g.of == nil {
			g.of = map[components.FrictionData]uint16{}
		}
		code = p.space.AddFriction(solver.Friction{
			Static: max(d.Static, d.Dynamic) + 0, Dynamic: d.Dynamic + 0, Rolling: d.Rolling + 0, Spinning: d.Spinning + 0, // -0 is 0
			Rule: uint8(d.Combine),
		})
		g.of[*d] = code
	}
	g.last, g.code = *d, code
	return code, nil
}

// tidyGrips forgets all grips where there are far more than a world can have in use: a game that changes frictions all the time makes ever new
// ones. All that there is in the world is then read the long way.
func (p *Physics) tidyGrips() {
	m := &p.members
	if n := p.space.Frictions(); n >= mostGrips || n > 2*m.count+minGrips {
		p.space.ForgetFrictions()
		clear(m.grips.of)
		m.grips.code = 0
		for k := range m.made {
			m.made[k].Material.Friction = math.MaxUint16 // no surface's: so that the space is told the new one
		}
		p.forgetStyles()
	}
}

const (
	minGrips  = 1 << 10 // so many are kept in any case
	mostGrips = 65_000  // that the space has room for
)

// combineGrip is how two frictions join.
func combineGrip(a, b *solver.Friction) solver.Friction {
	d := components.CombineFriction(frictionOf(a), frictionOf(b))
	return solver.Friction{Static: d.Static, Dynamic: d.Dynamic, Rolling: d.Rolling, Spinning: d.Spinning, Rule: uint8(d.Combine)}
}

func frictionOf(g *solver.Friction) components.FrictionData {
	return components.FrictionData{Dynamic: g.Dynamic, Static: g.Static, Rolling: g.Rolling, Spinning: g.Spinning, Combine: components.CombineRule(g.Rule)}
}
