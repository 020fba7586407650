package contacts

// limitEnergy takes back as much of the impulses of an island as adds kinetic energy to the free
// velocities. Friction that is cut off because its contact bears less can add some, as the
// iterations end before it is balanced. Openings of a gap are exempt, as they add energy on
// purpose, and so are islands that something kinematic drives.
func (s *Solver) limitEnergy(constraints []contactConstraint, infos []constraintInfo) {
	gain, scale := 0.0, 0.0 // twice the energy
	s.visited++
	for k := range constraints {
		c := &constraints[k]
		if c.targetVelocity > 0 {
			gain -= float64(2 * c.normalImpulse * c.targetVelocity)
		}
		for _, at := range [2]int32{c.a, c.b} {
			p := &s.infos[at]
			if p.carried {
				return
			}
			if !p.movable || p.visited == s.visited {
				continue
			}
			p.visited = s.visited
			mass := 1 / p.inverseMass
			free := float64(mass * p.freeVelocity.LengthSquared())
			gain += float64(mass*s.bodies[at].v.LengthSquared()) - free
			scale += free
			if w := &s.spins[at]; w.inverseInertia > 0 {
				gain += (w.w.LengthSquared() - p.w0.LengthSquared()) / w.inverseInertia
			}
		}
	}
	if gain <= float64(energyRounding*scale) {
		return
	}
	// The energy is a parabola in the fraction of the impulses that is kept, as in warmStart.
	after := s.power(constraints, infos)
	for k := range constraints {
		s.applyImpulse(&constraints[k], &infos[k], -1)
	}
	before := s.power(constraints, infos)
	fraction := 0.0
	if work := after - before; work > 0 {
		fraction = max(0, min(1, -before/work))
	}
	for k := range constraints {
		c, d := &constraints[k], &infos[k]
		s.applyImpulse(c, d, fraction)
		scaleImpulses(c, d, fraction)
	}
}
