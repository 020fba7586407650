package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/grow"
)

// Accelerations that contacts have taken from bodies, and what bodies get back of them: those of
// groups of impacts (see impactgroup.go), of the contact solver and of slides.

// takenAcceleration is the acceleration of a body that a group has made move at its velocity at the
// end of the step, which includes it. If the body bounces later in the step, it gets it back. What
// is jammed doesn't: it has no bounce for the rest of the step.
type takenAcceleration struct {
	own       collide.Vec3 // acceleration without contacts, m/s²
	left      collide.Vec3 // what the contacts of the group have left of it, m/s²
	velocity  collide.Vec3 // with the whole acceleration and without those contacts, m/s
	supported bool         // something immovable takes part in the group
}

// takeAccelerations makes all bodies of the group move at the velocity that they would have at the
// end of the step, unless they all accelerate alike and are held by nothing. It reports whether
// contacts may approach then, which end that without a bounce.
//
// If the bodies of a group accelerate differently, they would approach again within the step. The
// velocity of the step's end includes the whole acceleration and, like implicit integration, adds
// no energy.
func (s *Space) takeAccelerations(t float64) bool {
	g := &s.group
	var common collide.Vec3
	known, alike, supported := false, true, false
	for k := range g.parts {
		m := &g.parts[k]
		if m.movable && m.engaged {
			if a, ok := s.accelerationOffContacts(m.code, m.acceleration, g.bodies[k].Velocity); ok && m.bounces {
				m.acceleration, m.released = a, true
			}
			alike = alike && (!known || m.acceleration == common)
			common, known = m.acceleration, true
		}
		supported = supported || m.engaged && !m.movable
	}
	if alike && (!supported || common == collide.Vec3{}) {
		return false
	}
	g.takes = true
	for k := range g.parts {
		m := &g.parts[k]
		switch {
		case !m.movable:
		case m.engaged:
			s.takeAcceleration(int32(k), s.Seconds-t)
		default:
			g.bodies[k].Velocity = s.restVelocity(m.code, t)
		}
	}
	return true
}

// takeAcceleration makes a member of the group move at the velocity that its acceleration gives it
// in a time in seconds.
func (s *Space) takeAcceleration(member int32, seconds float64) {
	m, b := &s.group.parts[member], &s.group.bodies[member]
	b.Velocity = b.Velocity.AddScaled(seconds, m.acceleration)
	m.taken.left, m.taken.velocity, m.acceleration = m.acceleration, b.Velocity, collide.Vec3{}
}

// noteTaken notes that a member of the group moves at velocity v from time t on, which is that at
// the end of the step. Something immovable is in the group if supported is set.
func (s *Space) noteTaken(m *member, v collide.Vec3, t float64, supported bool) {
	a := m.taken
	a.own = s.acceleration(m.code)
	if before, ok := s.accelerationBeforeSolving(m.code); ok {
		a.own = before
	} else if at := s.infos[m.code].slideContacts; at >= 0 {
		a.own = s.slideContacts[at].originAcceleration
	}
	a.supported = supported
	// What contacts end at once is no acceleration, as in [contacts.Solver.Acceleration].
	change := v.Sub(a.velocity).AddScaled(s.Seconds-t, a.left)
	if most := float64(contacts.MaxAcceleration * (s.Seconds - t)); !supported ||
		change.LengthSquared() > float64(most*most)*a.own.LengthSquared() {
		a.left = a.own
	} else if t < s.Seconds {
		a.left = change.Scale(1 / (s.Seconds - t))
	}
	s.setTaken(m.code, &a, true)
}

// noteSupport notes what supports bodies i and j after an impact without a bounce, before which
// they had accelerations ai and aj: what supports the one of them supports the other one, too.
func (s *Space) noteSupport(i, j int32, ai, aj collide.Vec3) {
	bi, onI := s.unsupportedAcceleration(i)
	bj, onJ := s.unsupportedAcceleration(j)
	if !onI && !onJ {
		return
	}
	if !onI {
		bi = ai
	}
	if !onJ {
		bj = aj
	}
	s.noteOwnAcceleration(i, bi)
	s.noteOwnAcceleration(j, bj)
	s.noteDependency(i, j)
	s.noteDependency(j, i)
}

// noteOwnAcceleration notes the acceleration that body i had before it was pressed on something
// that other things support, unless the contact solver or a group knows it. If the body bounces
// later in the step, it gets that back.
func (s *Space) noteOwnAcceleration(i int32, own collide.Vec3) {
	if _, known := s.accelerationBeforeSolving(i); !known && own != s.acceleration(i) {
		s.setTaken(i, &takenAcceleration{own: own, supported: true}, false)
	}
}

// setTaken remembers the acceleration that contacts have taken from body i.
func (s *Space) setTaken(i int32, a *takenAcceleration, movesAtEndVelocity bool) {
	if len(s.taken) == 0 {
		s.takenOf = grow.Resize(s.takenOf, len(s.bodies))
		clear(s.takenOf)
	}
	if at := s.takenOf[i]; at > 0 {
		s.taken[at-1] = *a
	} else {
		s.taken = append(s.taken, *a)
		s.takenOf[i] = int32(len(s.taken))
	}
	f := &s.infos[i]
	f.acceleratedByContacts, f.movesAtEndVelocity = true, movesAtEndVelocity
}

// takenFrom returns what a group has made of body i in this step, or nil.
func (s *Space) takenFrom(i int32) *takenAcceleration {
	if len(s.taken) == 0 || s.takenOf[i] == 0 {
		return nil
	}
	return &s.taken[s.takenOf[i]-1]
}

// accelerationLeft returns the acceleration that contacts leave body i, which moves at its velocity
// at the end of the step, m/s².
func (s *Space) accelerationLeft(i int32) collide.Vec3 {
	if a := s.takenFrom(i); a != nil {
		return a.left
	}
	return s.sleepStateOf(s.infos[i].id).leftByContacts
}

// accelerationOffContacts returns the acceleration of body i once it leaves its contacts at
// velocity v: the one that it had before it was supported, if contacts, which have made it now,
// would add energy. In an island in which nothing is immovable it keeps what it has: the other
// bodies would have to lose what it gets back.
func (s *Space) accelerationOffContacts(i int32, now, v collide.Vec3) (a collide.Vec3, changes bool) {
	a, supported := s.unsupportedAcceleration(i)
	return a, supported && a.Sub(now).Dot(v) < s.turningPower(i)
}

// unsupportedAcceleration returns the acceleration that body i had before something immovable
// supported it, directly or through others. It reports whether that is so.
func (s *Space) unsupportedAcceleration(i int32) (a collide.Vec3, supported bool) {
	a, supported = s.accelerationBeforeSolving(i)
	if taken := s.takenFrom(i); taken != nil {
		supported = supported && taken.supported
	} else {
		supported = supported && s.sleepStateOf(s.infos[i].id).supported
	}
	if at := s.infos[i].slideContacts; at >= 0 && !supported {
		a, supported = s.slideContacts[at].originAcceleration, true
	}
	return a, supported
}

// turningPower returns the power at which contacts turn body i, for each kg of it, W/kg.
func (s *Space) turningPower(i int32) float64 {
	p := s.spinOf(i)
	if p == nil || p.byContacts == (collide.Vec3{}) || p.inverseInertia == 0 {
		return 0
	}
	scale := s.bodies[i].inverseMass / float64(p.inverseInertia*s.Seconds)
	return float64(scale * p.byContacts.Dot(p.angularVelocity))
}

// accelerationBeforeSolving returns the acceleration of body i before contacts were solved, if the
// contact solver or a group has changed it in this step, or the former in the one in which the body
// fell asleep.
func (s *Space) accelerationBeforeSolving(i int32) (collide.Vec3, bool) {
	f := &s.infos[i]
	if !f.acceleratedByContacts { // true for most bodies, and spares reading their state
		return collide.Vec3{}, false
	}
	if a := s.takenFrom(i); a != nil {
		return a.own, true
	}
	is := s.sleepStateOf(f.id)
	if is.solvedInStep == s.stepNumber {
		return is.ownAcceleration, true
	}
	if is.island >= 0 {
		return is.acceleration, true
	}
	f.acceleratedByContacts = false
	return collide.Vec3{}, false
}
