package systems

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// look is what the entities of a game mostly have in common with many others, whatever their size, mass and motion. Two that look alike
// are treated alike.
type look struct {
	has      has
	body     components.BodyData // without the mass
	response components.ResponseData
	filter   components.CollisionFilterData
	friction components.FrictionData
	belt     collide.Vec3
}

// style is a look and what follows from it for a step.
type style struct {
	look
	pull    collide.Vec3 // the acceleration of gravity
	damping float64      // factor on the velocity
	locked  uint8
	kind    components.BodyKind
	bends   bool // damping or locked axes change the velocity
}

// styles are the looks that entities have been seen with. The first is no entity's.
type styles struct {
	list []style
	of   map[look]uint16
	last uint16
}

// style returns the style of an entity that is in order, or 0 where it is to be read the long way.
func (p *Physics) style(t *table, c *common) uint16 {
	s := &p.members.styles
	if t.has&hasForce != 0 || t.has&hasSphere != 0 && c.kind() == components.Static && c.velocity != nil {
		return 0
	}
	l := look{t.has, c.body, c.response, c.filter, c.friction, c.belt()}
	l.body.Mass = 0
	if s.list[s.last].look == l {
		return s.last
	}
	if at, ok := s.of[l]; ok {
		s.last = at
		return at
	}
	if len(s.list) >= maxStyles || len(s.list) > 2*len(p.members.bodies)+minStyles {
		p.forgetStyles()
	}
	is := style{look: l, damping: 1, kind: c.kind()}
	if is.kind == components.Dynamic {
		is.pull = p.pull(&c.body, collide.Vec3{})
		is.locked = uint8(c.body.Locked)
		if c.body.LinearDamping != 0 {
			is.damping = damping(c.body.LinearDamping, p.config.StepSeconds)
		}
		is.bends = is.locked != 0 || c.body.LinearDamping != 0
		if !(is.pull.Length() <= usual/p.config.StepSeconds) { // so much that speeds must be checked after it
			return 0
		}
	}
	s.last = uint16(len(s.list))
	s.list = append(s.list, is)
	s.of[l] = s.last
	return s.last
}

// minStyles is how many styles are kept in any case. A game that changes looks all the time, such as a damping that fades, makes ever new
// ones: beyond two for each body all are forgotten, and those that are in use found again.
const (
	minStyles = 1 << 10
	maxStyles = 1 << 16
)

func (p *Physics) forgetStyles() {
	s := &p.members.styles
	if s.of == nil {
		s.of = map[look]uint16{}
	}
	clear(s.of)
	s.list, s.last = append(s.list[:0], style{}), 0
	p.members.round++
	for i := range p.members.list {
		p.members.list[i].style = 0
	}
}

// damping returns the factor on the velocity for a step.
func damping(d, seconds float64) float64 { return 1 / (1 + float64(d*seconds)) }
