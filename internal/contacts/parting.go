package contacts

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// A body that fits exactly between a floor and a ceiling, or between a floor and a character that
// stands on it, may be pressed on both with any impulse: one takes back what the other adds. So may
// a stack of bodies, and if its gaps open, one side presses it on the other.
// Over-relaxation would find a solution with four times the weight as such an impulse, and friction
// would hold the body with nine times what it should. So contacts from which free motion leads away
// don't act at first, where others oppose them, and no gap opens. Only if the rest lets a body
// approach there, all contacts are solved.

// begunContact is a contact as the solution begins with it.
type begunContact struct {
	contactConstraint
	torqueImpulse collide.Vec3
	parts         bool
}

// solveWithoutParting solves an island without the contacts from which free motion leads away. It
// reports whether there are some and the solution is right for them, too. Otherwise it changes
// nothing.
func (s *Solver) solveWithoutParting(
	l *island, constraints []contactConstraint, tolerance float64, iterations int,
) bool {
	acting := 0
	for k := range constraints {
		if !s.parts(constraints, &constraints[k]) {
			acting++
		}
	}
	if acting == len(constraints) {
		return false
	}
	power, sticks := l.power, l.sticks
	s.begun = s.begun[:0]
	for k := range constraints {
		c := &constraints[k]
		s.begun = append(s.begun, begunContact{contactConstraint: *c})
		begun := &s.begun[k]
		if c.rotation >= 0 {
			begun.torqueImpulse = s.rotations[c.rotation].torqueImpulse
		}
		if begun.parts = s.parts(constraints, c); begun.parts {
			power -= s.power(c)
			s.scaleImpulses(c, 0)
			c.bound, c.targetVelocity = -math.MaxFloat64, -math.MaxFloat64
		}
		c.targetVelocity = min(c.targetVelocity, 0)
	}
	s.warmStart(constraints, power)
	s.solveUndriven(l, constraints, acting, tolerance, iterations)
	right := true // where a driver pushes, an impulse may still be growing
	for k := range constraints {
		c, begun := &constraints[k], &s.begun[k]
		if begun.parts {
			c.bound, c.targetVelocity = begun.bound, begun.targetVelocity
		}
		right = right && (c.normalImpulse > 0 && !l.driven || s.partingSpeed(c) >= c.bound-tolerance)
	}
	if right {
		return true
	}
	l.sticks = sticks
	for k := range constraints {
		c, begun := &constraints[k], &s.begun[k]
		*c = begun.contactConstraint
		if c.rotation >= 0 {
			s.rotations[c.rotation].torqueImpulse = begun.torqueImpulse
		}
		for _, at := range [2]int32{c.a, c.b} {
			if p := &s.infos[at]; p.movable {
				s.bodies[at].v, s.spins[at].w = p.freeVelocity.Add(collide.Vec3{}), p.w0.Add(collide.Vec3{})
			}
		}
	}
	return false
}

// parts reports whether free motion leads away from a contact with something that contacts do not
// move, and another such contact opposes it: the two can press an island on each other, since
// friction can hold what their normals differ by.
func (s *Solver) parts(constraints []contactConstraint, c *contactConstraint) bool {
	if s.partingSpeed(c) <= max(c.bound, 0) || !s.isFixed(c) {
		return false
	}
	n := s.towardsBody(c)
	for k := range constraints {
		d := &constraints[k]
		// Minus the cosine of the sum of the angles of friction of both, arctan f and arctan g.
		f, g := c.staticFriction, d.staticFriction
		reach := (float64(f*g) - 1) / math.Sqrt((1+float64(f*f))*(1+float64(g*g)))
		if s.isFixed(d) && s.towardsBody(d).Dot(n) < min(reach, 0) {
			return true
		}
	}
	return false
}

// isSqueezed reports whether the body of an island is pressed from two sides straight against each
// other. If one of them moves towards the other, there is no solution.
func (s *Solver) isSqueezed(constraints []contactConstraint) bool {
	for k := range constraints {
		for j := range constraints[:k] {
			c, d := &constraints[k], &constraints[j]
			if c.normalImpulse > 0 && d.normalImpulse > 0 &&
				s.towardsBody(c).Add(s.towardsBody(d)).MaxAbs() <= opposedRounding {
				return true
			}
		}
	}
	return false
}

// opposedRounding is the sum of two normals that counts as zero: far more than their rounding, and
// far less than what lets a body out on one side.
const opposedRounding = 0x1p-30

// isFixed reports whether one side of a contact is something that contacts do not move.
func (s *Solver) isFixed(c *contactConstraint) bool {
	return !s.infos[c.a].movable || !s.infos[c.b].movable
}

// towardsBody returns the normal of a contact with something that contacts do not move. It points
// away from that.
func (s *Solver) towardsBody(c *contactConstraint) collide.Vec3 {
	if s.infos[c.a].movable {
		return c.normal
	}
	return c.normal.Neg()
}

// partingSpeed returns how fast the two sides of a contact part, m/s.
func (s *Solver) partingSpeed(c *contactConstraint) float64 {
	return s.bodies[c.a].v.Sub(s.bodies[c.b].v).Dot(c.normal)
}
