package contacts

import "math"

// A chain is an island in which each body is in contact with the next one only, such as a column.
// Its normal impulses are the solution of a tridiagonal system of equations, which is found
// directly: iterations would need as many as the square of its height times the ratio of masses.
//
// A contact bears nothing, or it holds its target velocity. Which of the two it is depends on the
// solution, so the system is solved again until no contact changes. Friction, and what is not
// settled then, is left to the iterations. Since nothing is left of approaches, contacts of a chain
// need no springs, and are hard: columns would vibrate on them.

// chainRounds is how often the system of a chain is solved at most. Most take one to three. With
// fewer, columns that are hit take more iterations.
const chainRounds = 10

// chainRow is the equation of a contact of a chain for the changes x of the normal impulses:
// lower·x[k-1] + diagonal·x[k] + upper·x[k+1] = right.
type chainRow struct {
	coupling                      float64 // change of velocity at this contact by an impulse of 1 N·s at the next one
	state                         chainState
	lower, diagonal, upper, right float64
}

// chainState is which equation a contact of a chain has.
type chainState uint8

const (
	chainUnknown chainState = iota
	chainApart              // it bears nothing
	chainHeld               // it has its target velocity
)

// solveChain solves the normal impulses of an island of so many bodies, if it is a chain and a
// velocity is wrong by more than tolerance.
func (s *Solver) solveChain(constraints []contactConstraint, bodies int32, tolerance float64) {
	if !s.findChain(constraints, bodies) {
		return
	}
	for k := range constraints {
		c := &constraints[k]
		if c.relaxedLoad == 0 {
			c.targetVelocity = min(c.targetVelocity, 0) // there is no friction, and the spring is gone
		}
		c.softScale, c.relaxedLoad = 1, 0
	}
	for range chainRounds {
		if !s.setChainEquations(constraints, tolerance) || !s.solveChainEquations(constraints) {
			return
		}
	}
}

// findChain reports whether an island of so many bodies is a chain in the order of its constraints,
// and finds how neighbours affect each other.
func (s *Solver) findChain(constraints []contactConstraint, bodies int32) bool {
	s.chain = s.chain[:0]
	movable, shared := int32(0), int32(-1)
	for k := range constraints {
		c := &constraints[k]
		for _, at := range [2]int32{c.a, c.b} {
			if at != shared && s.infos[at].movable {
				movable++
			}
		}
		row := chainRow{}
		if k+1 < len(constraints) {
			d := &constraints[k+1]
			at, sign := c.a, 1.0
			if at == shared || at != d.a && at != d.b {
				at, sign = c.b, -1
			}
			if at == shared || at != d.a && at != d.b || !s.infos[at].movable {
				return false
			}
			if at == d.b {
				sign = -sign
			}
			shared = at
			row.coupling = sign * c.normal.MulElem(s.bodies[at].mobility).Dot(d.normal)
		}
		s.chain = append(s.chain, row)
	}
	return movable == bodies // or one of them is in contact with a third
}

// setChainEquations gives each contact of a chain the equation that its velocity and impulse call
// for. It reports whether one differs from the last, and something is to be done about it.
func (s *Solver) setChainEquations(constraints []contactConstraint, tolerance float64) bool {
	changed, most := false, 0.0
	lower := 0.0
	for k := range constraints {
		c, r := &constraints[k], &s.chain[k]
		missing := c.targetVelocity - s.bodies[c.a].v.Sub(s.bodies[c.b].v).Dot(c.normal)
		state := chainHeld
		r.lower, r.diagonal, r.upper, r.right = lower, 1/c.mass, r.coupling, missing
		lower = r.coupling
		if c.normalImpulse+float64(missing*c.mass) <= 0 {
			state = chainApart
			r.lower, r.diagonal, r.upper, r.right = 0, 1, 0, -c.normalImpulse
		}
		most = max(most, min(math.Abs(missing), c.normalImpulse/c.mass+max(0, missing)))
		changed = changed || state != r.state
		r.state = state
	}
	return changed && most > tolerance
}

// pivotRounding is the fraction of a diagonal element down to which what elimination leaves of it
// may be rounding.
const pivotRounding = 0x1p-44

// solveChainEquations solves the equations of a chain and applies the changes of its impulses. It
// reports whether they have one solution: between two bodies whose axes are locked, any impulse
// through all that lies there changes nothing.
func (s *Solver) solveChainEquations(constraints []contactConstraint) bool {
	for k := 1; k < len(s.chain); k++ { // Gaussian elimination
		r, p := &s.chain[k], &s.chain[k-1]
		factor := r.lower / p.diagonal
		r.diagonal -= float64(factor * p.upper)
		r.right -= float64(factor * p.right)
		if r.state == chainHeld && !(float64(r.diagonal*constraints[k].mass) > pivotRounding) {
			return false
		}
	}
	x := 0.0
	for k := len(s.chain) - 1; k >= 0; k-- {
		c, r := &constraints[k], &s.chain[k]
		x = (r.right - float64(r.upper*x)) / r.diagonal
		before := c.normalImpulse
		if before+x <= 0 { // without it there is no friction either
			s.applyImpulse(c, -1)
			s.scaleImpulses(c, 0)
			continue
		}
		c.normalImpulse = before + x
		impulse := c.normal.Scale(c.normalImpulse - before)
		a, b := &s.bodies[c.a], &s.bodies[c.b]
		a.v = a.v.Add(impulse.MulElem(a.mobility))
		b.v = b.v.Sub(impulse.MulElem(b.mobility))
	}
	return true
}
