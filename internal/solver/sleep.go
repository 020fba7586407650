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
type sleepingIsland struct {
	bodies   []int32 // ids
	contacts []contact
}

// sleepState is what is known of a body's rest.
type sleepState struct {
	ownAcceleration        collide.Vec3 // what pulled at it before the solution, in the step solved
	solvedInStep           uint32       // by Space.searches
	position, acceleration collide.Vec3 // where it naps, and under which acceleration
	inverseInertia         float64      // the inverse, if it may turn
	island                 int32        // -1 for none
	calmSteps              int8
	atEndVelocity          bool // what pulls at it in the step, it has been given at once, when that began
	canTurn                bool // it may turn
	changed                bool // the game has made something else of it
}

// bringToRest lets body i stand still.
func (s *Space) bringToRest(i, id int32) {
	s.sleepStates[id].acceleration = s.accelerations[i]
	s.bodies[i].v, s.accelerations[i] = collide.Vec3{}, collide.Vec3{}
	s.flags[i] = s.flags[i]&^accelerated | pairsSolved
	if p := s.spinOf(i); p != nil {
		p.angularVelocity = collide.Vec3{}
	}
}

// putIslandsToSleep lets the islands nap that were at rest already when the step began.
func (s *Space) putIslandsToSleep() {
	if !s.Sleeping {
		return
	}
	for at := range s.contactBodies {
		if s.flags[s.contactBodies[at].index]&neverSleeps != 0 {
			s.contactBodies[s.contactSolver.IslandRoot(int32(at))].neverSleeps = true
		}
	}
	naps := false
	for at := range s.contactBodies {
		k := int32(at)
		if !s.contactSolver.Movable(k) || !s.contactSolver.MaySleep(k) {
			continue
		}
		root := &s.contactBodies[s.contactSolver.IslandRoot(k)]
		if root.neverSleeps {
			continue
		}
		if root.island == 0 {
			root.island = s.newIsland() + 1
		}
		naps = true
		s.putToSleep(s.contactBodies[k].index, root.island-1)
	}
	if !naps {
		return
	}
	for k := range s.solverContacts {
		h := &s.solverContacts[k]
		n := s.islandOf(h)
		if n < 0 {
			continue
		}
		h.gone = true
		kept := *h
		kept.gone = false
		s.sleepingIslands[n].contacts = append(s.sleepingIslands[n].contacts, kept)
		if h.b < 0 {
			s.surfaces[surfaceCode-h.b].supportsSleeper = true
			continue
		}
		for _, id := range [2]int32{h.a, h.b} {
			if i := s.index[id]; s.flags[i]&sleeping == 0 {
				s.flags[i] |= supportsSleeper
			}
		}
	}
	s.removeGoneContacts()
}

// putToSleep lets body i take part in nap n.
func (s *Space) putToSleep(i, n int32) {
	id := s.infos[i].id
	is, p := &s.sleepStates[id], &s.sleepingIslands[n]
	is.position, is.island, is.canTurn, is.inverseInertia, is.changed = s.bodies[i].x, n, false, 0, false
	if spin := s.spinOf(i); spin != nil {
		is.canTurn, is.inverseInertia = true, spin.inverseInertia
	}
	s.flags[i] |= sleeping
	p.bodies = append(p.bodies, id)
}

func (s *Space) newIsland() int32 {
	if n := len(s.freeIslands); n > 0 {
		k := s.freeIslands[n-1]
		s.freeIslands = s.freeIslands[:n-1]
		return k
	}
	s.sleepingIslands = append(s.sleepingIslands, sleepingIsland{})
	return int32(len(s.sleepingIslands) - 1)
}

// islandOf returns the nap that a contact belongs to, or -1.
func (s *Space) islandOf(h *contact) int32 {
	if n := s.sleepStates[h.a].island; n >= 0 {
		return n
	}
	if h.b >= 0 {
		return s.sleepStates[h.b].island
	}
	return -1
}

// wakeLater notes that something has happened to body i, which naps: the nap is over when the next step begins.
func (s *Space) wakeLater(i int32) {
	s.flags[i] &^= sleeping | unchanged
	id := s.infos[i].id
	if s.subdomain == nil {
		s.islandsToWake = append(s.islandsToWake, s.sleepStates[id].island)
	} else if s.owns(i) {
		s.islandsToWake = append(s.islandsToWake, id)
	}
}

// wakeDependents notes that surface k changes or is removed: what rests on it wakes.
func (s *Space) wakeDependents(k int32) {
	if f := &s.surfaces[k]; f.supportsSleeper {
		f.supportsSleeper = false
		s.changedSupports = append(s.changedSupports, surfaceCode-k)
	}
}

// applyGameChanges finds out which of those that nap the game has changed, and puts down again those of which it has said what they are. It also lists the
// bodies that the game has placed.
func (s *Space) applyGameChanges() {
	s.placedIDs = s.placedIDs[:0]
	for i, f := range s.flags {
		if f&(touchedByGame|placed) == 0 {
			continue
		}
		if f&(placed|alive) == placed|alive {
			s.placedIDs = append(s.placedIDs, s.infos[i].id)
		}
		switch {
		case f&touchedByGame == 0:
			continue
		case f&sleeping != 0 && s.isAsItFellAsleep(int32(i)):
			s.bodies[i].v, s.accelerations[i] = collide.Vec3{}, collide.Vec3{}
			s.flags[i] &^= touchedByGame | accelerated
		case f&sleeping != 0:
			s.flags[i] &^= touchedByGame
			s.wakeLater(int32(i))
		default: // it bears others
			s.changedSupports = append(s.changedSupports, s.infos[i].id)
			s.flags[i] &^= touchedByGame | supportsSleeper
		}
	}
}

// isAsItFellAsleep reports whether what the game has said of body i, which naps, is what it was when it fell asleep.
func (s *Space) isAsItFellAsleep(i int32) bool {
	is, b, f := &s.sleepStates[s.infos[i].id], &s.bodies[i], s.flags[i]
	if is.changed || b.x != is.position || f&(placed|neverSleeps) != 0 || (f&hasSpin != 0) != is.canTurn {
		return false
	}
	if s.accelerations[i] != is.acceleration || b.v != (collide.Vec3{}).AddScaled(s.Seconds/2, is.acceleration) {
		return false
	}
	p := s.spinOf(i)
	return p == nil || p.angularVelocity == (collide.Vec3{}) && p.inverseInertia == is.inverseInertia
}

// wakePending ends the naps of what has been roused, or rests on what has changed.
func (s *Space) wakePending() {
	for _, n := range s.islandsToWake {
		s.wakeIsland(n)
	}
	s.islandsToWake = s.islandsToWake[:0]
	if len(s.changedSupports) == 0 {
		return
	}
	slices.Sort(s.changedSupports)
	for n := range s.sleepingIslands {
		if slices.ContainsFunc(s.sleepingIslands[n].contacts, func(h contact) bool { return s.hasChanged(h.a) || s.hasChanged(h.b) }) {
			s.wakeIsland(int32(n))
		}
	}
	s.changedSupports = s.changedSupports[:0]
}

func (s *Space) hasChanged(code int32) bool {
	_, found := slices.BinarySearch(s.changedSupports, code)
	return found
}

// wakeVetoed ends the naps in which two rest on each other that are kept from meeting.
func (s *Space) wakeVetoed() {
	for n := range s.sleepingIslands {
		if slices.ContainsFunc(s.sleepingIslands[n].contacts, func(h contact) bool { return s.vetoed(h.a, h.b) }) {
			s.wakeIsland(int32(n))
		}
	}
}

// wakeIsland ends a nap: what it held is as it was when it began.
func (s *Space) wakeIsland(n int32) {
	if n < 0 || len(s.sleepingIslands[n].bodies) == 0 {
		return
	}
	p := &s.sleepingIslands[n]
	for _, id := range p.bodies {
		i := s.index[id]
		is := &s.sleepStates[id]
		is.island, is.calmSteps = -1, 0
		s.neighborSearches[id] = neighborSearch{}
		if s.flags[i]&sleeping == 0 {
			continue
		}
		s.flags[i] &^= sleeping | unchanged
		s.markStale(i)
		if s.flags[i]&touchedByGame != 0 { // then it is as the game says
			s.flags[i] &^= touchedByGame
			continue
		}
		if is.acceleration != (collide.Vec3{}) {
			s.bodies[i].v = s.bodies[i].v.AddScaled(s.Seconds/2, is.acceleration)
			s.accelerations[i] = is.acceleration
			s.flags[i] |= accelerated
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
	if s.gatheringContacts {
		for k := range p.contacts {
			s.addContactBodies(&p.contacts[k])
		}
	}
	p.bodies, p.contacts = p.bodies[:0], p.contacts[:0]
	s.freeIslands = append(s.freeIslands, n)
}

// isFreeOfContacts reports whether body i has nothing to do with what is held in this step, as far as that is worked out.
func (s *Space) isFreeOfContacts(i int32) bool {
	return s.flags[i]&sleeping != 0 || s.neighborSearches[s.infos[i].id].stepNumber != s.stepNumber
}

// IsAsleep reports whether a body sleeps.
func (s *Space) IsAsleep(id int32) bool { return s.flags[s.index[id]]&sleeping != 0 }
