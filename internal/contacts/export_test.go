package contacts

import (
	"math"
	"slices"
)

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

// Unexplained returns the greatest velocity of a body and torque of a rotor that the impulses of
// contacts don't explain, m/s, rad/s and N·m·s, and how many contacts bear something.
func (s *Solver) Unexplained() (most float64, loaded int) {
	found, turned := slices.Clone(s.bodies), slices.Clone(s.spins)
	for k := range s.infos {
		if p := &s.infos[k]; p.movable {
			s.bodies[k].v, s.spins[k].w = p.freeVelocity, p.w0
		}
	}
	s.applyImpulses(s.constraints, 1)
	for k := range s.infos {
		if s.infos[k].movable {
			most = max(most, s.bodies[k].v.Distance(found[k].v), s.spins[k].w.Distance(turned[k].w))
		}
	}
	torques := make([]float64, len(s.rotors))
	for k := range s.rotors {
		torques[k], s.rotors[k].torque = s.rotors[k].torque, 0
	}
	s.startRotors(s.constraints)
	for k, torque := range torques {
		most = max(most, math.Abs(s.rotors[k].torque-torque))
		s.rotors[k].torque = torque
	}
	for k := range s.constraints {
		if s.constraints[k].normalImpulse > 0 {
			loaded++
		}
	}
	s.bodies, s.spins = found, turned
	return most, loaded
}
