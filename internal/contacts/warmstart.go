package contacts

// warmStart applies the impulses of the last step, or a fraction of them.
//
// An iteration takes energy from the velocities, whatever it begins with, so energy could only come
// from the impulses that it begins with. A fraction k of them changes the energy by k·P + k²·Q/2,
// where P is their power before and Q what they add to it. If all of them would add energy, because
// what loaded the contacts is gone, the k that adds least is taken: -P/Q, or 0 if they add energy
// from the start. Then Q is rounding where bodies can't move, and may be negative.
func (s *Solver) warmStart(constraints []contactConstraint, before float64) {
	s.applyImpulses(constraints, 1)
	work := s.totalPower(constraints) - before
	switch {
	case !(before+float64(work/2) > 0):
	case before >= 0:
		s.keepFraction(constraints, 0)
	default:
		s.keepFraction(constraints, -before/work)
	}
}

// applyImpulses gives the bodies of contacts so many times their impulses.
func (s *Solver) applyImpulses(constraints []contactConstraint, times float64) {
	for k := range constraints {
		s.applyImpulse(&constraints[k], times)
	}
}

// keepFraction takes back all but a fraction of impulses that have been applied.
func (s *Solver) keepFraction(constraints []contactConstraint, fraction float64) {
	s.applyImpulses(constraints, fraction-1)
	for k := range constraints {
		s.scaleImpulses(&constraints[k], fraction)
	}
}

// scaleImpulses makes the impulses of a contact so many times as large.
func (s *Solver) scaleImpulses(c *contactConstraint, times float64) {
	c.normalImpulse, c.frictionImpulse = float64(times*c.normalImpulse), c.frictionImpulse.Scale(times)
	if c.rotation >= 0 {
		d := &s.rotations[c.rotation]
		d.torqueImpulse = d.torqueImpulse.Scale(times)
	}
}

// totalPower is the sum of power.
func (s *Solver) totalPower(constraints []contactConstraint) float64 {
	sum := 0.0
	for k := range constraints {
		sum += s.power(&constraints[k])
	}
	return sum
}

// power returns the impulses of a contact times the velocities at it, J: positive where they add
// energy.
func (s *Solver) power(c *contactConstraint) float64 {
	if c.normalImpulse == 0 {
		return 0
	}
	a, b := &s.bodies[c.a], &s.bodies[c.b]
	w := a.v.Sub(b.v)
	sum := float64(c.normalImpulse * w.Dot(c.normal))
	if c.rotation >= 0 {
		turning := s.spins[c.a].w.Sub(s.spins[c.b].w)
		return sum + c.frictionImpulse.Dot(s.slipVelocity(c, w)) + s.rotations[c.rotation].torqueImpulse.Dot(turning)
	}
	return sum + c.frictionImpulse.Dot(w)
}
