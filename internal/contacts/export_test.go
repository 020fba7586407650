package contacts

// WarmStart applies the impulses that the contacts begin with, as far as they add no energy.
func (s *Solver) WarmStart() {
	for _, l := range s.islands {
		s.warmStart(s.constraints[l.first:l.next], l.power)
	}
}

// ApplyImpulses applies the impulses that the contacts begin with, whatever they do.
func (s *Solver) ApplyImpulses() {
	for _, l := range s.islands {
		s.applyImpulses(s.constraints[l.first:l.next], 1)
	}
}

// LimitEnergy takes impulses back that add energy.
func (s *Solver) LimitEnergy() { s.limitEnergy() }

// TotalRise is totalRise of the first island.
func (s *Solver) TotalRise() (gain, freeLoss float64) {
	l := &s.islands[0]
	return s.totalRise(s.constraints[l.first:l.next])
}
