package contacts

import "math"

// limitEnergy takes back as much of the impulses of each island as adds kinetic energy to the free
// velocities. Friction that is cut off because its contact bears less can add some, as the
// iterations end before it is balanced. So can gaps that open on both sides of a narrow wedge: they
// squeeze out what is in it, at many times their speed. Islands that something kinematic drives are
// exempt.
func (s *Solver) limitEnergy() {
	for k := range s.infos {
		p := &s.infos[k]
		root := s.rootOf(int32(k)).island
		if !p.movable || root < 0 {
			continue
		}
		l := &s.islands[root]
		l.carried = l.carried || p.carried
		mass := 1 / p.inverseMass
		free := float64(mass * p.freeVelocity.LengthSquared())
		v := s.bodies[k].v
		moving, turning := float64(mass*v.LengthSquared()), 0.0
		if w := &s.spins[k]; w.inverseInertia > 0 {
			turning = (w.w.LengthSquared() - p.w0.LengthSquared()) / w.inverseInertia
		}
		l.gain += moving - free + turning
		l.energy += free
		if p.linked { // its way is Seconds times v, and the potential energy falls by the work on that
			change := p.freeVelocity.Sub(p.v0)
			l.rise += moving - float64(mass*(p.v0.LengthSquared()+float64(2*change.Dot(v)))) + turning
			l.freeLoss += float64(mass * change.LengthSquared())
		}
	}
	for k := range s.islands {
		l := &s.islands[k]
		allowed := float64(energyRounding * l.energy)
		if l.carried {
			continue
		}
		if l.gain > allowed {
			s.limitGain(l, s.constraints[l.first:l.next], allowed)
		} else if l.rise > allowed {
			s.limitRise(l, s.constraints[l.first:l.next])
		}
	}
}

// limitRise keeps the largest fraction of the impulses of an island with which its bodies do not
// gain energy on their way through the step, beyond what gaps that open add. With much friction the
// iterations may go in circles, and end where a contact that parts still presses.
func (s *Solver) limitRise(l *island, constraints []contactConstraint) {
	allowed := 0.0
	for k := range constraints {
		c := &constraints[k]
		allowed += float64(2 * c.normalImpulse * max(0, c.targetVelocity))
	}
	if l.rise <= allowed {
		return
	}
	// With a fraction x of the impulses, twice the energy rises by q·x² + 2p·x - freeLoss.
	after := s.totalPower(constraints)
	s.applyImpulses(constraints, -1)
	q := after - s.totalPower(constraints)
	s.applyImpulses(constraints, 1)
	if !(q > 0) {
		return
	}
	p := float64((l.rise + l.freeLoss - q) / 2)
	x := (math.Sqrt(float64(p*p)+float64(q*(l.freeLoss+allowed))) - p) / q
	s.keepFraction(constraints, max(0, min(1, x)))
}

// limitGain is limitEnergy for an island that has gained more than allowed, which is twice the
// energy. If gaps open there, it solves the island again without that, and then keeps as much of
// the impulses as takes most energy, if they still add some.
func (s *Solver) limitGain(l *island, constraints []contactConstraint, allowed float64) {
	opens := false
	for k := range constraints {
		c := &constraints[k]
		opens = opens || c.targetVelocity > 0 && c.normalImpulse > 0
		c.targetVelocity = min(c.targetVelocity, 0)
	}
	if opens {
		s.iterate(l, constraints, float64(roundingShare*l.scale), iterationsSmooth+extraIterations)
	}
	// The energy is a parabola in the fraction of the impulses that is kept, as in warmStart.
	after := s.totalPower(constraints)
	s.applyImpulses(constraints, -1)
	before := s.totalPower(constraints)
	s.applyImpulses(constraints, 1)
	if before+after <= allowed {
		return
	}
	fraction := 0.0
	if work := after - before; work > 0 {
		fraction = max(0, min(1, -before/work))
	}
	s.keepFraction(constraints, fraction)
}

// LimitMotion slows down body k if it would gain energy on its way through the step. It does
// nothing for a body that touches another one, or something that moves. It is called after Finish
// of all constraints.
//
// A ball that rolls from one face of a terrain to the next slips on that at first. Friction ends
// the slip, and is the force that holds back the ball, too: this may do work on the mean slip. A
// ball that spins in a corner climbs out of it, against what presses it in, by the friction that
// ends its slip there.
func (s *Solver) LimitMotion(k int32) {
	p, b, w := &s.infos[k], &s.bodies[k], &s.spins[k]
	if p.carried || p.linked {
		return
	}
	// The energy changes by half of z·x² + y·x - c if velocity and angular velocity at the end are
	// x times what they are: the way of a parabola is Seconds times the mean velocity, or that at
	// the end, and the potential energy falls by its product with the free acceleration.
	mass := 1 / p.inverseMass
	z := float64(mass * b.v.LengthSquared())
	y := float64(mass * b.v.Dot(p.v0.Sub(p.freeVelocity)))
	c := float64(mass * p.freeVelocity.Dot(p.v0))
	if p.abrupt {
		y, c = 2*y, float64(mass*p.v0.LengthSquared())
	}
	if w.inverseInertia > 0 {
		z += w.w.LengthSquared() / w.inverseInertia
		c += p.w0.LengthSquared() / w.inverseInertia
	}
	if !(z+y-c > float64(energyRounding*(z+math.Abs(y)+math.Abs(c)))) {
		return
	}
	x := 0.0
	if d := float64(y*y) + float64(float64(4*z)*c); d > 0 {
		x = max(0, min(1, (math.Sqrt(d)-y)/(2*z)))
	}
	b.v, w.w = b.v.Scale(x), w.w.Scale(x)
}
