package solver

import (
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Rest and sleep.
//
// A body comes to rest when it has been calm for 30 steps (package contacts): slow, and hardly accelerated. Then its velocity becomes zero. If contacts of all bodies of an island
// keep them calm for another step, from rest, then every further step would begin like this one, and do nothing. So the island naps: it is taken out of the
// lists of what has to be solved, and keeps the impulses with which it went to rest. Something that touches or changes one of its bodies, or
// what it rests on, puts it back as it was.
// nap is an island at rest.
type nap struct {
	bodies   []int32 // ids
	contacts []contact
}

// still is what is known of a body's rest.
type still struct {
	own     collide.Vec3 // what pulled at it before the solution, in the step solved
	solved  uint32       // by Space.searches
	x, pull collide.Vec3 // where it naps, and under which acceleration
	inertia float64      // the inverse, if it may turn
	nap     int32        // -1 for none
	calm    int8
	early   bool // what pulls at it in the step, it has been given at once, when that began
	turns   bool // it may turn
	changed bool // the game has made something else of it
}

// stand lets body i stand still.
func (s *Space) stand(i, id int32) {
	s.stills[id].pull = s.pulls[i]
	s.bodies[i].v, s.pulls[i] = collide.Vec3{}, collide.Vec3{}
	s.flags[i] = s.flags[i]&^pulled | settled
	if p := s.spinOf(i); p != nil {
		p.w = collide.Vec3{}
	}
}

// nap lets the islands nap that were at rest already when the step began.
func (s *Space) nap() {
	if !s.Sleeping {
		return
	}
	for at := range s.contactBodies {
		if s.flags[s.contactBodies[at].index]&wakeful != 0 {
			s.contactBodies[s.contactSolver.IslandRoot(int32(at))].wakeful = true
		}
	}
	naps := false
	for at := range s.contactBodies {
		k := int32(at)
		if !s.contactSolver.Movable(k) || !s.contactSolver.MaySleep(k) {
			continue
		}
		root := &s.contactBodies[s.contactSolver.IslandRoot(k)]
		if root.wakeful {
			continue
		}
		if root.nap == 0 {
			root.nap = s.newNap() + 1
		}
		naps = true
		s.layDown(s.contactBodies[k].index, root.nap-1)
	}
	if !naps {
		return
	}
	for k := range s.solverContacts {
		h := &s.solverContacts[k]
		n := s.napOf(h)
		if n < 0 {
			continue
		}
		h.gone = true
		kept := *h
		kept.gone = false
		s.naps[n].contacts = append(s.naps[n].contacts, kept)
		if h.b < 0 {
			s.surfaces[surfaceCode-h.b].supportsSleeper = true
			continue
		}
		for _, id := range [2]int32{h.a, h.b} {
			if i := s.index[id]; s.flags[i]&asleep == 0 {
				s.flags[i] |= bears
			}
		}
	}
	s.removeGoneContacts()
}

// layDown lets body i take part in nap n.
func (s *Space) layDown(i, n int32) {
	id := s.infos[i].id
	is, p := &s.stills[id], &s.naps[n]
	is.x, is.nap, is.turns, is.inertia, is.changed = s.bodies[i].x, n, false, 0, false
	if spin := s.spinOf(i); spin != nil {
		is.turns, is.inertia = true, spin.inverseInertia
	}
	s.flags[i] |= asleep
	p.bodies = append(p.bodies, id)
}

func (s *Space) newNap() int32 {
	if n := len(s.freeNaps); n > 0 {
		k := s.freeNaps[n-1]
		s.freeNaps = s.freeNaps[:n-1]
		return k
	}
	s.naps = append(s.naps, nap{})
	return int32(len(s.naps) - 1)
}

// napOf returns the nap that a contact belongs to, or -1.
func (s *Space) napOf(h *contact) int32 {
	if n := s.stills[h.a].nap; n >= 0 {
		return n
	}
	if h.b >= 0 {
		return s.stills[h.b].nap
	}
	return -1
}

// rouse notes that something has happened to body i, which naps: the nap is over when the next step begins.
func (s *Space) rouse(i int32) {
	s.flags[i] &^= asleep | resting
	id := s.infos[i].id
	if s.region == nil {
		s.roused = append(s.roused, s.stills[id].nap)
	} else if s.owns(i) {
		s.roused = append(s.roused, id)
	}
}

// shake notes that surface k changes or is removed: what rests on it wakes.
func (s *Space) shake(k int32) {
	if f := &s.surfaces[k]; f.supportsSleeper {
		f.supportsSleeper = false
		s.shaken = append(s.shaken, surfaceCode-k)
	}
}

// heed finds out which of those that nap the game has changed, and puts down again those of which it has said what they are. It also lists the
// bodies that the game has placed.
func (s *Space) heed() {
	s.placedIDs = s.placedIDs[:0]
	for i, f := range s.flags {
		if f&(said|placed) == 0 {
			continue
		}
		if f&(placed|alive) == placed|alive {
			s.placedIDs = append(s.placedIDs, s.infos[i].id)
		}
		switch {
		case f&said == 0:
			continue
		case f&asleep != 0 && s.isAsBefore(int32(i)):
			s.bodies[i].v, s.pulls[i] = collide.Vec3{}, collide.Vec3{}
			s.flags[i] &^= said | pulled
		case f&asleep != 0:
			s.flags[i] &^= said
			s.rouse(int32(i))
		default: // it bears others
			s.shaken = append(s.shaken, s.infos[i].id)
			s.flags[i] &^= said | bears
		}
	}
}

// isAsBefore reports whether what the game has said of body i, which naps, is what it was when it fell asleep.
func (s *Space) isAsBefore(i int32) bool {
	is, b, f := &s.stills[s.infos[i].id], &s.bodies[i], s.flags[i]
	if is.changed || b.x != is.x || f&(placed|wakeful) != 0 || (f&spins != 0) != is.turns {
		return false
	}
	if s.pulls[i] != is.pull || b.v != (collide.Vec3{}).AddScaled(s.Seconds/2, is.pull) {
		return false
	}
	p := s.spinOf(i)
	return p == nil || p.w == (collide.Vec3{}) && p.inverseInertia == is.inertia
}

// wakeRoused ends the naps of what has been roused, or rests on what has changed.
func (s *Space) wakeRoused() {
	for _, n := range s.roused {
		s.wake(n)
	}
	s.roused = s.roused[:0]
	if len(s.shaken) == 0 {
		return
	}
	slices.Sort(s.shaken)
	for n := range s.naps {
		if slices.ContainsFunc(s.naps[n].contacts, func(h contact) bool { return s.isShaken(h.a) || s.isShaken(h.b) }) {
			s.wake(int32(n))
		}
	}
	s.shaken = s.shaken[:0]
}

func (s *Space) isShaken(code int32) bool {
	_, found := slices.BinarySearch(s.shaken, code)
	return found
}

// wakeVetoed ends the naps in which two rest on each other that are kept from meeting.
func (s *Space) wakeVetoed() {
	for n := range s.naps {
		if slices.ContainsFunc(s.naps[n].contacts, func(h contact) bool { return s.vetoed(h.a, h.b) }) {
			s.wake(int32(n))
		}
	}
}

// wake ends a nap: what it held is as it was when it began.
func (s *Space) wake(n int32) {
	if n < 0 || len(s.naps[n].bodies) == 0 {
		return
	}
	p := &s.naps[n]
	for _, id := range p.bodies {
		i := s.index[id]
		is := &s.stills[id]
		is.nap, is.calm = -1, 0
		s.searched[id] = search{}
		if s.flags[i]&asleep == 0 {
			continue
		}
		s.flags[i] &^= asleep | resting
		s.markStale(i)
		if s.flags[i]&said != 0 { // then it is as the game says
			s.flags[i] &^= said
			continue
		}
		if is.pull != (collide.Vec3{}) {
			s.bodies[i].v = s.bodies[i].v.AddScaled(s.Seconds/2, is.pull)
			s.pulls[i] = is.pull
			s.flags[i] |= pulled
		}
	}
	s.firstContact = extendTo(s.firstContact, len(s.index), -1)
	for _, h := range p.contacts {
		if at := s.findContact(h.a, h.b); at >= 0 { // it began anew after something had roused them
			h.logged, h.next = h.logged || s.solverContacts[at].logged, s.solverContacts[at].next
			s.solverContacts[at] = h
			continue
		}
		h.next = s.firstContact[h.a]
		s.firstContact[h.a] = int32(len(s.solverContacts))
		s.solverContacts = append(s.solverContacts, h)
	}
	s.contactsChanged = true
	if s.solving {
		for k := range p.contacts {
			s.addContactBodies(&p.contacts[k])
		}
	}
	p.bodies, p.contacts = p.bodies[:0], p.contacts[:0]
	s.freeNaps = append(s.freeNaps, n)
}

// isFree reports whether body i has nothing to do with what is held in this step, as far as that is worked out.
func (s *Space) isFree(i int32) bool {
	return s.flags[i]&asleep != 0 || s.searched[s.infos[i].id].number != s.searches
}

// Asleep reports whether a body sleeps.
func (s *Space) Asleep(id int32) bool { return s.flags[s.index[id]]&asleep != 0 }
