package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
)

// State returns the position and velocity of a body, after Finish.
func (s *Space) State(id int32) State {
	x, v := s.Motion(id)
	return State{x, v}
}

// ForgetUnchanged clears the unchanged flag of all bodies, so that the next step skips none. For
// tests that compare with such a step.
func (s *Space) ForgetUnchanged() {
	for i := range s.flags {
		s.flags[i] &^= unchanged
	}
}

// MaterialFriction returns the friction that a material refers to.
func (s *Space) MaterialFriction(m Material) Friction {
	if m.FrictionID == 0 {
		return Friction{}
	}
	return s.frictions[m.FrictionID]
}

// SetHalo sets the halo width of the next parallel step, beyond the largest diameter, in multiples
// of the mean distance that a body moves in a step.
func (s *Space) SetHalo(reach float64) {
	if s.parallelStep == nil {
		s.parallelStep = &parallelStep{}
	}
	s.parallelStep.haloFactor = reach
}

// ParallelSteps returns the number of valid parallel steps, and of those that were repeated as a
// whole because the halo was too small.
func (s *Space) ParallelSteps() (valid, invalid int) {
	if s.parallelStep == nil {
		return 0, 0
	}
	return s.parallelStep.validSteps, s.parallelStep.invalidSteps
}

// MovingBodies returns the number of bodies that moved in the last step, which determines the
// number of subdomains of the next.
func (s *Space) MovingBodies() int { return s.movingBodies }

// Measured reports whether the time of the last step was measured by the tuner.
func (s *Space) Measured() bool { return s.measured }

// Traits is state of a body that the next step depends on and that the public methods don't show.
type Traits struct {
	Flags, Key, Traits  uint32
	Radius, InverseMass uint64
	MissedNeighbor      bool // a resting body is nearby that isn't in its list of contacts
	Sensors             [8]int32
}

// Traits returns the traits of a body.
func (s *Space) Traits(id int32) Traits {
	i := s.index[id]
	t := Traits{
		Flags: uint32(s.flags[i] &^ (touchesChecked | accelerated | unchanged)), Key: s.pathIDs[i].Key,
		Traits: s.infos[i].traits,
		Radius: math.Float64bits(s.bodies[i].radius), InverseMass: math.Float64bits(s.bodies[i].inverseMass),
		MissedNeighbor: int(id) < len(s.neighborSearches) && s.neighborSearches[id].missedNeighbor,
	}
	k := 0
	for at := s.infos[i].overlaps; at >= 0 && k < len(t.Sensors); at = s.sensorOverlaps[at].next {
		t.Sensors[k] = s.sensorOverlaps[at].sensor + 1<<30
		k++
	}
	return t
}

// Halted returns the velocities with which halted bodies continue, by id.
func (s *Space) Halted() map[int32]collide.Vec3 {
	m := map[int32]collide.Vec3{}
	for _, h := range s.haltedBodies {
		m[s.infos[h.index].id] = h.velocity
	}
	return m
}

// Plain returns a log entry without its key and round, which have a meaning within a step only.
func Plain(e eventlog.Entry) eventlog.Entry {
	e.Round, e.Key = 0, 0
	return e
}

// SubdomainsWith returns the number of subdomains whose box contains x, and whether there are
// subdomains.
func (s *Space) SubdomainsWith(x collide.Vec3) (n int, ok bool) {
	if s.parallelStep == nil {
		return 0, false
	}
	for _, p := range s.parallelStep.subdomains {
		if p.box.Contains(&x) {
			n++
		}
	}
	return n, len(s.parallelStep.subdomains) > 0
}

// Contacts returns the number of persistent contacts.
func (s *Space) Contacts() int { return len(s.solverContacts) }

// UnbinEagerly makes the next step unbin every body that leaves its cell.
func (s *Space) UnbinEagerly() {
	s.grid.EagerUnbin, s.gridStale = true, true
	if s.parallelStep != nil {
		for _, p := range s.parallelStep.subdomains {
			p.space.UnbinEagerly()
		}
	}
}
