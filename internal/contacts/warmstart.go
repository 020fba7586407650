package contacts

// warmStart applies the impulses of the last step, or a fraction of them.
//
// An iteration takes energy from the velocities, whatever it begins with, so energy could only come
// from the impulses that it begins with. A fraction k of them changes the energy by k·P + k²·Q/2,
// where P is their power before and Q what they add to it. If all of them would add energy, because
// what loaded the contacts is gone, the k that adds least is taken: -P/Q.
func (s *Solver) warmStart(constraints []contactConstraint, infos []constraintInfo) {
	before := s.power(constraints, infos)
	for k := range constraints {
		s.applyImpulse(&constraints[k], &infos[k], 1)
	}
	work := s.power(constraints, infos) - before
	if before+float64(work/2) <= 0 {
		return
	}
	fraction := max(0, -before/work)
	for k := range constraints {
		c, d := &constraints[k], &infos[k]
		s.applyImpulse(c, d, fraction-1)
		scaleImpulses(c, d, fraction)
	}
}

// scaleImpulses makes the impulses of a contact so many times as large.
func scaleImpulses(c *contactConstraint, d *constraintInfo, times float64) {
	c.normalImpulse = float64(times * c.normalImpulse)
	c.frictionImpulse, d.torqueImpulse = c.frictionImpulse.Scale(times), d.torqueImpulse.Scale(times)
}

// power returns the sum of all impulses times the velocities at their contacts, J: positive where
// they add energy.
func (s *Solver) power(constraints []contactConstraint, infos []constraintInfo) float64 {
	sum := 0.0
	for k := range constraints {
		c, d := &constraints[k], &infos[k]
		if c.normalImpulse == 0 {
			continue
		}
		w := s.bodies[c.a].v.Sub(s.bodies[c.b].v)
		sum += float64(c.normalImpulse * w.Dot(c.normal))
		if c.tangentMass > 0 {
			if c.rotates {
				w = s.slipVelocity(c, d, w)
			}
			sum += c.frictionImpulse.Dot(w)
		}
		if d.angularMass > 0 {
			sum += d.torqueImpulse.Dot(s.spins[c.a].w.Sub(s.spins[c.b].w))
		}
	}
	return sum
}
