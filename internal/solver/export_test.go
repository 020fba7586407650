package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
)

// ForgetUnchanged takes their rest away from all bodies, for tests that compare with a step in which none is passed over.
func (s *Space) ForgetUnchanged() {
	for i := range s.flags {
		s.flags[i] &^= unchanged
	}
}

// MaterialFriction returns the friction that a material names.
func (s *Space) MaterialFriction(m Material) Friction {
	if m.Friction == 0 {
		return Friction{}
	}
	return s.frictions[m.Friction]
}

// SetHalo sets how far out of its box a part looks for guests in the next step, beyond touch, in times the mean way of a step.
func (s *Space) SetHalo(reach float64) {
	if s.parallelStep == nil {
		s.parallelStep = &parallelStep{}
	}
	s.parallelStep.haloFactor = reach
}

// ParallelSteps returns how many steps were taken in parts, and how many had to be taken as a whole after all.
func (s *Space) ParallelSteps() (right, wrong int) {
	if s.parallelStep == nil {
		return 0, 0
	}
	return s.parallelStep.validSteps, s.parallelStep.invalidSteps
}

// MovingBodies returns how many bodies moved in the last step, by which it is decided into how many parts the next is cut.
func (s *Space) MovingBodies() int { return s.movingBodies }

// Measured reports whether the last step was one that a trial was asked about.
func (s *Space) Measured() bool { return s.parallelStep != nil && s.parallelStep.measured }

// Traits are what the next step begins with, beyond what can be seen of a body.
type Traits struct {
	Flags, Key, Traits  uint32
	Radius, InverseMass uint64
	MissedNeighbor      bool // something at rest is near with which it isn't solved
	Sensors             [8]int32
}

// Traits returns those of a body.
func (s *Space) Traits(id int32) Traits {
	i := s.index[id]
	t := Traits{
		Flags: uint32(s.flags[i] &^ (tilesChecked | accelerated | unchanged)), Key: s.pathIDs[i].key, Traits: s.infos[i].traits,
		Radius: math.Float64bits(s.bodies[i].radius), InverseMass: math.Float64bits(s.bodies[i].inverseMass),
		MissedNeighbor: s.neighborSearches[id].missedNeighbor,
	}
	k := 0
	for at := s.infos[i].overlaps; at >= 0 && k < len(t.Sensors); at = s.sensorOverlaps[at].next {
		t.Sensors[k] = s.sensorOverlaps[at].sensor + 1<<30
		k++
	}
	return t
}

// Halted returns with what velocities those go on that were stopped, by id.
func (s *Space) Halted() map[int32]collide.Vec3 {
	m := map[int32]collide.Vec3{}
	for _, h := range s.haltedBodies {
		m[s.infos[h.index].id] = h.velocity
	}
	return m
}

// Plain returns an entry of the log without its key and round, which are of use within a step only.
func Plain(e eventlog.Entry) eventlog.Entry {
	e.Round, e.Key = 0, 0
	return e
}

// SubdomainsWith returns in how many of the boxes of a team's parts x is, and whether there is a team.
func (s *Space) SubdomainsWith(x collide.Vec3) (n int, ok bool) {
	if s.parallelStep == nil {
		return 0, false
	}
	for _, p := range s.parallelStep.subdomains {
		if p.contains(&x) {
			n++
		}
	}
	return n, len(s.parallelStep.subdomains) > 0
}

// Contacts returns how many contacts last.
func (s *Space) Contacts() int { return len(s.solverContacts) }

// UnbinEagerly has all bodies roam in the next step that cross a cell.
func (s *Space) UnbinEagerly() {
	s.grid.EagerUnbin, s.gridStale = true, true
	if s.parallelStep != nil {
		for _, p := range s.parallelStep.subdomains {
			p.space.UnbinEagerly()
		}
	}
}
