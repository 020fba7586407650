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
		l.gain += float64(mass*s.bodies[k].v.LengthSquared()) - free
		l.energy += free
		if w := &s.spins[k]; w.inverseInertia > 0 {
			l.gain += (w.w.LengthSquared() - p.w0.LengthSquared()) / w.inverseInertia
		}
	}
	for k := range s.islands {
		if l := &s.islands[k]; !l.carried && l.gain > float64(energyRounding*l.energy) {
			s.limitGain(l, s.constraints[l.first:l.next], float64(energyRounding*l.energy))
		}
	}
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
