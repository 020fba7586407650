package contacts

// WarmStart applies the impulses that the contacts begin with, as far as they add no energy.
func (s *Solver) WarmStart() { s.warmStart(s.constraints, s.constraintInfos) }

// ApplyImpulses applies the impulses that the contacts begin with, whatever they do.
func (s *Solver) ApplyImpulses() {
	for k := range s.constraints {
		s.applyImpulse(&s.constraints[k], &s.constraintInfos[k], 1)
	}
}

// LimitEnergy takes impulses back that add energy.
func (s *Solver) LimitEnergy() { s.limitEnergy(s.constraints, s.constraintInfos) }
