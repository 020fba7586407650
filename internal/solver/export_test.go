package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
)

// Rouse takes their rest away from all bodies, for tests that compare with a step in which none is passed over.
func (s *Space) Rouse() {
	for i := range s.flags {
		s.flags[i] &^= resting
	}
}

// MaterialFriction returns the friction that a material names.
func (s *Space) MaterialFriction(m Material) Friction {
	if m.Friction == 0 {
		return Friction{}
	}
	return s.frictions[m.Friction]
}

// Guess sets how far out of its box a part looks for guests in the next step, beyond touch, in times the mean way of a step.
func (s *Space) Guess(reach float64) {
	if s.team == nil {
		s.team = &team{}
	}
	s.team.reach = reach
}

// Guesses returns how many steps were taken in parts, and how many had to be taken as a whole after all.
func (s *Space) Guesses() (right, wrong int) {
	if s.team == nil {
		return 0, 0
	}
	return s.team.good, s.team.bad
}

// Stirring returns how many bodies moved in the last step, by which it is decided into how many parts the next is cut.
func (s *Space) Stirring() int { return s.stirring }

// Tried reports whether the last step was one that a trial was asked about.
func (s *Space) Tried() bool { return s.team != nil && s.team.tried }

// Traits are what the next step begins with, beyond what can be seen of a body.
type Traits struct {
	Flags, Key, Nature  uint32
	Radius, InverseMass uint64
	Open                bool // something at rest is near with which it isn't solved
	Sensors             [8]int32
}

// Traits returns those of a body.
func (s *Space) Traits(id int32) Traits {
	i := s.index[id]
	t := Traits{
		Flags: uint32(s.flags[i] &^ (looked | pulled | resting)), Key: s.marks[i].key, Nature: s.infos[i].nature,
		Radius: math.Float64bits(s.bodies[i].radius), InverseMass: math.Float64bits(s.bodies[i].inverseMass),
		Open: s.searched[id].open,
	}
	k := 0
	for at := s.infos[i].inside; at >= 0 && k < len(t.Sensors); at = s.stays[at].next {
		t.Sensors[k] = s.stays[at].sensor + 1<<30
		k++
	}
	return t
}

// Halted returns with what velocities those go on that were stopped, by id.
func (s *Space) Halted() map[int32]collide.Vec3 {
	m := map[int32]collide.Vec3{}
	for _, h := range s.halted {
		m[s.infos[h.i].id] = h.v
	}
	return m
}

// Plain returns an entry of the log without its key and round, which are of use within a step only.
func Plain(e eventlog.Entry) eventlog.Entry {
	e.Round, e.Key = 0, 0
	return e
}

// BoxesWith returns in how many of the boxes of a team's parts x is, and whether there is a team.
func (s *Space) BoxesWith(x collide.Vec3) (n int, ok bool) {
	if s.team == nil {
		return 0, false
	}
	for _, p := range s.team.parts {
		if p.has(&x) {
			n++
		}
	}
	return n, len(s.team.parts) > 0
}

// Holds returns how many contacts last.
func (s *Space) Holds() int { return len(s.solverContacts) }

// RoamEagerly has all bodies roam in the next step that cross a cell.
func (s *Space) RoamEagerly() {
	s.grid.EagerUnbin, s.unplaced = true, true
	if s.team != nil {
		for _, p := range s.team.parts {
			p.space.RoamEagerly()
		}
	}
}
