package contacts

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grow"
)

// searchDirection is the sum of the last changes of a contact's impulses, and their values before
// the iteration.
type searchDirection struct {
	normal, normal0                      float64
	friction, friction0, torque, torque0 collide.Vec3
}

// bodyDirection is what the search directions of its contacts do to a body: the sum of the last
// changes of its velocities. v0 and w0 are the velocities before the iteration.
type bodyDirection struct {
	body         int32
	v, w, v0, w0 collide.Vec3
}

// iterateConjugate iterates at most so many times, and reports whether nothing is left to change.
// After each iteration it goes on along the direction that the last ones took together: nonlinear
// conjugate gradients after Fletcher and Reeves. (M. Silcowitz, S. Niebe and K. Erleben, A
// nonsmooth nonlinear conjugate gradient method for interactive contact force problems, 2010.)
func (s *Solver) iterateConjugate(
	l *island, constraints []contactConstraint, tolerance float64, iterations int,
) (settled bool) {
	l.batched = s.prepareBatches(l, constraints)
	s.directions = slices.Grow(s.directions[:0], len(constraints))[:len(constraints)]
	s.listBodyDirections(constraints)
	s.beginDirections(constraints)
	before := math.Inf(1)
	for iteration := 1; ; iteration++ {
		unsettled := s.relaxAgain(l.batched, constraints, tolerance)
		now := s.takeResidual(l.batched, constraints)
		if !unsettled || iteration >= iterations {
			return !unsettled
		}
		if l.sticks && iteration == iterations/2 {
			s.fixFriction(l, constraints)
			if l.batched {
				s.passImpulses(constraints)
			}
		}
		beta := now / before
		before = now
		if !(beta <= 1) { // the residual grew: begin anew
			s.beginDirections(constraints)
			before = math.Inf(1)
			continue
		}
		for k := range constraints {
			s.stepAlong(l.batched, k, &constraints[k], beta)
		}
		s.moveAlong(beta)
	}
}

// relaxAgain is relax with the factor 1, in batches if they have been prepared. Then these have the
// impulses.
func (s *Solver) relaxAgain(batched bool, constraints []contactConstraint, tolerance float64) (unsettled bool) {
	switch {
	case len(s.withRotors) > 0:
		return s.relaxRotors(batched, constraints, tolerance)
	case batched:
		return s.relaxPrepared(1, tolerance)
	default:
		return s.relax(constraints, 1, tolerance)
	}
}

// takeResidual copies the impulses from the batches, if there are some, and returns the squared
// length of the residual, which is their last change.
func (s *Solver) takeResidual(batched bool, constraints []contactConstraint) float64 {
	sum := 0.0
	for k := range constraints {
		g, c := &s.directions[k], &constraints[k]
		if batched {
			s.takeImpulse(k, c)
		}
		x := c.normalImpulse - g.normal0
		sum += float64(x*x) / c.mass
		if c.tangentMass > 0 {
			sum += c.frictionImpulse.Sub(g.friction0).LengthSquared() / c.tangentMass
		}
	}
	return sum
}

// listBodyDirections lists the bodies of contacts.
func (s *Solver) listBodyDirections(constraints []contactConstraint) {
	s.bodyDirections = s.bodyDirections[:0]
	s.bodyPlaces = grow.Extend(s.bodyPlaces, len(s.bodies))
	for k := range constraints {
		s.bodyPlaces[constraints[k].a], s.bodyPlaces[constraints[k].b] = -1, -1
	}
	for k := range constraints {
		for _, at := range [2]int32{constraints[k].a, constraints[k].b} {
			if s.bodyPlaces[at] < 0 && s.infos[at].movable {
				s.bodyPlaces[at] = int32(len(s.bodyDirections))
				s.bodyDirections = append(s.bodyDirections, bodyDirection{body: at})
			}
		}
	}
}

// beginDirections makes all directions zero.
func (s *Solver) beginDirections(constraints []contactConstraint) {
	for k := range constraints {
		g, c := &s.directions[k], &constraints[k]
		*g = searchDirection{normal0: c.normalImpulse, friction0: c.frictionImpulse}
		if c.rotation >= 0 {
			g.torque0 = s.rotations[c.rotation].torqueImpulse
		}
	}
	for k := range s.bodyDirections {
		d := &s.bodyDirections[k]
		*d = bodyDirection{body: d.body, v0: s.bodies[d.body].v, w0: s.spins[d.body].w}
	}
	for k := range s.rotors {
		r := &s.rotors[k]
		r.direction, r.torque0 = 0, r.torque
	}
}

// stepAlong adds beta times the search direction of contact k to its impulses, and then their last
// change to the direction.
func (s *Solver) stepAlong(batched bool, k int, c *contactConstraint, beta float64) {
	g := &s.directions[k]
	if c.normalImpulse == 0 { // it bears nothing, so it has no friction either
		if g.normal0 != 0 || g.normal != 0 {
			s.removeFromDirections(g, c)
			*g = searchDirection{}
		}
		return
	}
	x, y := c.normalImpulse-g.normal0, c.frictionImpulse.Sub(g.friction0)
	g.normal, g.friction = float64(beta*g.normal), g.friction.Scale(beta)
	c.normalImpulse += g.normal
	c.frictionImpulse = c.frictionImpulse.Add(g.friction)
	g.normal0, g.friction0 = c.normalImpulse, c.frictionImpulse
	g.normal, g.friction = g.normal+x, g.friction.Add(y)
	if c.rotation >= 0 {
		d := &s.rotations[c.rotation]
		z := d.torqueImpulse.Sub(g.torque0)
		g.torque = g.torque.Scale(beta)
		d.torqueImpulse = d.torqueImpulse.Add(g.torque)
		g.torque0 = d.torqueImpulse
		g.torque = g.torque.Add(z)
	}
	if batched {
		s.passImpulse(k, c)
	}
}

// moveAlong is stepAlong for the velocities of bodies, and the torques on rotors.
func (s *Solver) moveAlong(beta float64) {
	for k := range s.bodyDirections {
		d := &s.bodyDirections[k]
		v, w := &s.bodies[d.body].v, &s.spins[d.body].w
		x, y := v.Sub(d.v0), w.Sub(d.w0)
		d.v, d.w = d.v.Scale(beta), d.w.Scale(beta)
		*v, *w = v.Add(d.v), w.Add(d.w)
		d.v0, d.w0 = *v, *w
		d.v, d.w = d.v.Add(x), d.w.Add(y)
	}
	for k := range s.rotors {
		r := &s.rotors[k]
		x := r.torque - r.torque0
		r.direction = float64(beta * r.direction)
		r.torque += r.direction
		r.torque0, r.direction = r.torque, r.direction+x
	}
}

// removeFromDirections removes what a contact has added to the directions of its bodies, and what
// its last change has added to their last changes.
func (s *Solver) removeFromDirections(g *searchDirection, c *contactConstraint) {
	x := searchDirection{normal: c.normalImpulse - g.normal0, friction: c.frictionImpulse.Sub(g.friction0)}
	if c.rotation >= 0 {
		x.torque = s.rotations[c.rotation].torqueImpulse.Sub(g.torque0)
	}
	for side, at := range [2]int32{c.a, c.b} {
		k := s.bodyPlaces[at]
		if k < 0 {
			continue
		}
		d := &s.bodyDirections[k]
		v, w := s.changeBy(g, c, side)
		d.v, d.w = d.v.Sub(v), d.w.Sub(w)
		v, w = s.changeBy(&x, c, side)
		d.v0, d.w0 = d.v0.Add(v), d.w0.Add(w)
	}
	if r := s.rotorOf(c.b); r != nil {
		arm := s.armOf(c.b)
		r.direction += arm.Dot(c.normal.Scale(g.normal).Add(g.friction))
		r.torque0 -= arm.Dot(c.normal.Scale(x.normal).Add(x.friction))
	}
}

// changeBy returns what the impulses of a direction add to the velocities of body A of a contact,
// or of B if side is 1.
func (s *Solver) changeBy(g *searchDirection, c *contactConstraint, side int) (v, w collide.Vec3) {
	at, sign := c.a, 1.0
	if side == 1 {
		at, sign = c.b, -1
	}
	v = c.normal.Scale(g.normal).Add(g.friction).Scale(sign).MulElem(s.bodies[at].mobility)
	if c.rotation >= 0 {
		d, inverse := &s.rotations[c.rotation], s.spins[at].inverseInertia
		lever := d.ra
		if side == 1 {
			lever = d.rb
		}
		w = c.normal.Cross(g.friction).Scale(-float64(lever*inverse)).AddScaled(float64(sign*inverse), g.torque)
	}
	return v, w
}
