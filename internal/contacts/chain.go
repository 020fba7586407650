package contacts

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// A chain is an island in which each body is in contact with the next one only, such as a column.
// Its normal impulses are the solution of a tridiagonal system of equations, which is found
// directly: iterations would need as many as the square of its height times the ratio of masses.
//
// A contact bears nothing, or it holds its target velocity. Which of the two it is depends on the
// solution, so the system is solved again until no contact changes. Since nothing is left of
// approaches, contacts of a chain need no springs, and are hard: columns would vibrate on them.
//
// If no body turns, friction of contacts that stick is found directly, too: such a contact holds
// its target velocity, and no velocity across its normal. Iterations pass friction from body to
// body as slowly as weight. They only find which contacts stick, and what slips. Where bodies turn,
// friction is left to iterations.

// chainRounds is how often the system of a chain is solved at most. Most take one to three. With
// fewer, columns that are hit take more iterations.
const chainRounds = 10

// chainRow is the equation of a contact of a chain for the changes x of the normal impulses:
// lower·x[k-1] + diagonal·x[k] + upper·x[k+1] = right.
type chainRow struct {
	// Change of the velocity at this contact by an impulse of 1 N·s at the next one, along each
	// axis: the mobility of the body that is in both, negative if it is A in one and B in the
	// other.
	shared collide.Vec3

	coupling                      float64 // the same along the two normals
	state                         chainState
	lower, diagonal, upper, right float64

	// Of a contact that sticks, for each axis: the diagonal of its equation for the change of the
	// whole impulse, and the right side, which then becomes that change.
	pivot, change collide.Vec3
}

// chainState is which equation a contact of a chain has.
type chainState uint8

const (
	chainUnknown chainState = iota
	chainApart              // it bears nothing
	chainHeld               // it has its target velocity
)

// hardenChain takes the springs away from the contacts of a chain.
func hardenChain(constraints []contactConstraint) {
	for k := range constraints {
		c := &constraints[k]
		if c.relaxedLoad == 0 {
			c.targetVelocity = min(c.targetVelocity, 0) // there is no friction, and the spring is gone
		}
		c.softScale, c.relaxedLoad = 1, 0
	}
}

// solveStickingChain solves a chain in which nothing turns. It takes at most so many iterations,
// and reports whether the last one had nothing left to change. Two are enough if nothing slips.
// With coefficients of friction far above 1 they may not converge.
func (s *Solver) solveStickingChain(constraints []contactConstraint, tolerance float64, iterations int) bool {
	for range iterations {
		s.solveChain(constraints, tolerance)
		if !s.relax(constraints, 1, tolerance) {
			return true
		}
		s.stickChain(constraints)
	}
	return false
}

// solveChain solves the normal impulses of a chain, if a velocity is wrong by more than tolerance.
func (s *Solver) solveChain(constraints []contactConstraint, tolerance float64) {
	for k := range s.chain {
		s.chain[k].state = chainUnknown
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
			row.shared = s.bodies[at].mobility.Scale(sign)
			row.coupling = c.normal.MulElem(row.shared).Dot(d.normal)
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

// stickChain finds the friction of the contacts of a chain that stick.
func (s *Solver) stickChain(constraints []contactConstraint) {
	for first, next := 0, 0; first < len(constraints); first = next + 1 {
		for next = first; next < len(constraints) && s.canStick(&constraints[next]); {
			next++
		}
		s.stickTogether(constraints[first:next], s.chain[first:next])
	}
}

// canStick reports whether the friction of a contact can stop what slips there.
func (s *Solver) canStick(c *contactConstraint) bool {
	w := s.bodies[c.a].v.Sub(s.bodies[c.b].v)
	slip := w.AddScaled(-w.Dot(c.normal), c.normal)
	friction, cone := c.frictionImpulse.AddScaled(-c.tangentMass, slip), float64(c.staticFriction*c.normalImpulse)
	return friction.LengthSquared() < float64(cone*cone)
}

// stickTogether gives successive contacts of a chain the impulses with which all of them stick. The
// next iteration finds those that can't bear that.
func (s *Solver) stickTogether(constraints []contactConstraint, rows []chainRow) {
	for k := range rows { // Gaussian elimination, along each axis
		c, r := &constraints[k], &rows[k]
		across := s.bodies[c.a].mobility.Add(s.bodies[c.b].mobility)
		r.pivot = across
		r.change = c.normal.Scale(c.targetVelocity).Sub(s.bodies[c.a].v.Sub(s.bodies[c.b].v))
		if k > 0 {
			p := &rows[k-1]
			factor := p.shared.MulElem(inverses(p.pivot))
			r.pivot = r.pivot.Sub(factor.MulElem(p.shared))
			r.change = r.change.Sub(factor.MulElem(p.change))
		}
		if r.pivot.X < float64(pivotRounding*across.X) || r.pivot.Y < float64(pivotRounding*across.Y) ||
			r.pivot.Z < float64(pivotRounding*across.Z) {
			return
		}
	}
	next := collide.Vec3{}
	for k := len(rows) - 1; k >= 0; k-- {
		r := &rows[k]
		next = r.change.Sub(r.shared.MulElem(next)).MulElem(inverses(r.pivot))
		r.change = next
	}
	for k := range rows {
		c, change := &constraints[k], rows[k].change
		pressing := change.Dot(c.normal)
		c.normalImpulse += pressing
		c.frictionImpulse = c.frictionImpulse.Add(change.AddScaled(-pressing, c.normal))
		a, b := &s.bodies[c.a], &s.bodies[c.b]
		a.v = a.v.Add(change.MulElem(a.mobility))
		b.v = b.v.Sub(change.MulElem(b.mobility))
	}
}

// inverses returns the inverse of each component, and 0 for 0: what is locked along an axis stays.
func inverses(v collide.Vec3) collide.Vec3 {
	for _, x := range []*float64{&v.X, &v.Y, &v.Z} {
		if *x != 0 {
			*x = 1 / *x
		}
	}
	return v
}
