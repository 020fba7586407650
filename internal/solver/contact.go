package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/eventlog"
)

// contact is a persistent contact: between two things that rest, slide or roll on each other, or
// that are close to such things. Persistent contacts are solved together (package contacts), once
// in each step. All other impacts are resolved one by one in chronological order; an impact that
// does not bounce begins a persistent contact.
//
// Bodies that touch other movable bodies keep a small gap, contacts.RestGap, so that an approach
// that the contact solver leaves does not become an impact at once.
type contact struct {
	a, b    int32 // a body's id, and a larger id or a surface's code
	logged  bool  // its beginning has been logged, and its end has not
	gone    bool  // to be removed
	left    bool  // it is gone because its body has left a polygon or facet
	near    bool  // the gap is at most twice RestGap
	touches bool  // it was at most touchTolerance when the contact was solved last

	contacts.History
	constraint int32 // in the contact solver, when it has been passed to it; -1 if it is not solved
	island     int32 // as [contacts.Pair]
	order      contacts.Order
	solverA    int32 // index of a in the contact solver; -1 if it has not been looked up
	solverB    int32 // that of b
	next       int32 // if left is set, of a sphere: the surface with which it continues; -1 for none

	// Of a sphere and a surface, the gap and the normal that hasEnded has found in this step. In a
	// contact that it has not seen, the normal is zero.
	gap    float64
	normal collide.Vec3
}

// contactLink is a contact in the list of its body a. Links are apart from contacts, which are ten
// times as large: in large heaps, lists would be searched from cache miss to cache miss.
type contactLink struct {
	b       int32 // as in contact
	next    int32 // the next contact of the same a; -1 for none
	resting bool  // the two are pressed together or close to each other: set when contacts are solved
}

// isResting reports whether the two sides of a contact are pressed together or close to each other.
func (c *contact) isResting() bool { return c.NormalImpulse > 0 || c.near }

// contactLifeReach is the gap, as a fraction of the smaller radius, at which a contact ends. It
// is larger than nearTolerance, so that a contact does not end and begin in turn: each time,
// all contacts are ordered again. A larger value keeps contacts without impulse.
const contactLifeReach = 0x1p-3

// beginContact adds the contact of body i with code, a body's id or a surface's code, after an
// impact that has been logged. In a subdomain of a parallel step it only notes the contact.
func (s *Space) beginContact(i, code int32) {
	if s.subdomain != nil {
		if s.owns(i) || code >= 0 && s.owns(s.index[code]) {
			s.begunContacts = append(s.begunContacts, eventlog.Pair{A: s.infos[i].id, B: code})
		}
		return
	}
	if at := s.addContact(s.infos[i].id, code); code >= 0 {
		s.solverContacts[at].logged = true
	} else {
		s.markLogged(s.infos[i].id, code)
	}
}

// addContact adds the contact of a and b, ids or codes, unless it exists, and returns its index in
// solverContacts.
func (s *Space) addContact(a, b int32) int32 {
	if b >= 0 && b < a {
		a, b = b, a
	}
	if at := s.findContact(a, b); at >= 0 {
		return at
	}
	logged := false // a contact with another facet of the same mesh is the same one for the game
	if owner := s.ownerOf(b); owner != b {
		for at := s.firstOfOwner(a, owner); at >= 0 && !logged; at = s.nextOfOwner(at, owner) {
			logged = s.solverContacts[at].logged
		}
	}
	return s.appendContact(&contact{a: a, b: b, logged: logged, solverA: -1})
}

// appendContact appends a contact to solverContacts and to the list of its body, and returns its
// index.
func (s *Space) appendContact(c *contact) int32 {
	at := int32(len(s.solverContacts))
	s.solverContacts = append(s.solverContacts, *c)
	s.contactLinks = append(s.contactLinks, contactLink{c.b, s.firstContact[c.a], c.isResting()})
	s.firstContact[c.a] = at
	return at
}

// findContact returns the index in solverContacts of the contact of a and b, where a is the smaller
// of two ids, or -1.
func (s *Space) findContact(a, b int32) int32 {
	if int(a) >= len(s.firstContact) {
		return -1
	}
	at := s.firstContact[a]
	for at >= 0 && s.contactLinks[at].b != b {
		at = s.contactLinks[at].next
	}
	return at
}

// areInContact reports whether two things, by ids and codes, are pressed together or rest close to
// each other after a step. A sleeping body stays in contact with what it rests on.
func (s *Space) areInContact(a, b int32) bool {
	if a < 0 || b >= 0 && b < a {
		a, b = b, a
	}
	i := s.index[a]
	if b >= 0 {
		if at := s.findContact(a, b); at >= 0 && s.contactLinks[at].resting && s.isAtRestDistance(i, b) {
			return true
		}
	} else {
		for at := s.firstOfOwner(a, b); at >= 0; at = s.nextOfOwner(at, b) {
			if s.contactLinks[at].resting && s.isAtRestDistance(i, s.contactLinks[at].b) {
				return true
			}
		}
	}
	if s.rests(a, b) {
		return true
	}
	for _, id := range [2]int32{a, b} { // one has been hit in this step, and its island keeps the contact
		if id < 0 || s.IsAsleep(id) || s.sleepStateOf(id).island < 0 {
			continue
		}
		for k := range s.sleepingIslands[s.sleepStates[id].island].contacts {
			c := &s.sleepingIslands[s.sleepStates[id].island].contacts[k]
			if c.a == a && s.ownerOf(c.b) == b && c.isResting() && s.isAtRestDistance(s.index[a], c.b) {
				return true
			}
		}
	}
	return false
}

// rests reports whether a body and something else, which have an open contact, hold each other in
// their sleep: they are as they were when the step began, or have fallen asleep with the contact.
func (s *Space) rests(a, b int32) bool {
	if b < 0 && s.SleptThrough(a) && s.surfaceIsAsBefore(b) || b >= 0 && s.bodyIsAsBefore(a) && s.bodyIsAsBefore(b) {
		return true
	}
	key := eventlog.KeyOf(a, b)
	at, _ := slices.BinarySearchFunc(s.sleptContacts, key, func(c sleptContact, k eventlog.PairKey) int {
		return cmp.Compare(c.pair, k)
	})
	for ; at < len(s.sleptContacts) && s.sleptContacts[at].pair == key; at++ {
		if s.isAtRestDistance(s.index[a], s.sleptContacts[at].b) {
			return true
		}
	}
	return false
}

// bodyIsAsBefore reports whether a body is as it was at the end of the step before, asleep or not.
// The flag unchanged doesn't say it: a parallel step doesn't set that.
func (s *Space) bodyIsAsBefore(id int32) bool {
	if s.SleptThrough(id) {
		return true
	}
	i := s.index[id]
	return s.bodies[i].x == s.startPositions[i] && !s.isMoving(i) && !s.isRotating(i) && !s.isInContact(id) &&
		s.acceleration(i) == (collide.Vec3{}) && !slices.Contains(s.placedIDs, id)
}

// surfaceIsAsBefore reports whether an entity of surfaces, by its code, is as it was at the end of
// the step before.
func (s *Space) surfaceIsAsBefore(code int32) bool {
	if _, set := slices.BinarySearch(s.setSurfaces, code); set {
		return false
	}
	same := true
	s.eachPart(surfaceOf(code), func(k int32) { same = same && !s.statics.At(k).Moves() })
	return same
}

// sleptContact is a contact that held a body when it fell asleep in this step.
type sleptContact struct {
	pair eventlog.PairKey // of the body and the other body or entity of surfaces
	b    int32            // as in contact
}

// firstOfOwner returns the index in solverContacts of the first contact of body a with b, an id or
// the code of a surface, or with one of the surface's facets; -1 for none. nextOfOwner returns the
// next one.
func (s *Space) firstOfOwner(a, b int32) int32 {
	if int(a) >= len(s.firstContact) {
		return -1
	}
	return s.ofOwner(s.firstContact[a], b)
}

func (s *Space) nextOfOwner(at, b int32) int32 { return s.ofOwner(s.contactLinks[at].next, b) }

// ofOwner returns the first contact of the list from at on that is with b or a facet of it.
func (s *Space) ofOwner(at, b int32) int32 {
	for at >= 0 && s.ownerOf(s.contactLinks[at].b) != b {
		at = s.contactLinks[at].next
	}
	return at
}

// RestGap returns the greatest gap that contacts of a body keep open, m.
func (s *Space) RestGap(id int32) float64 { return float64(contacts.RestGap * s.size(s.index[id])) }

// isAtRestDistance reports whether body i and code are at most twice RestGap apart.
func (s *Space) isAtRestDistance(i, code int32) bool {
	if code < 0 {
		k, limit := surfaceOf(code), 2*contacts.RestGap*s.size(i)
		gap := s.gap(i, k)
		return gap <= limit && (gap <= 0 || s.isCloseToSurface(i, k, limit))
	}
	j := s.index[code]
	if a, b := &s.bodies[i], &s.bodies[j]; s.areSpheres(i, j) { // without calls: all pairs of a heap are tested
		return a.x.Distance(b.x)-(a.radius+b.radius) <= 2*contacts.RestGap*min(a.radius, b.radius)
	}
	limit := 2 * contacts.RestGap * min(s.size(i), s.size(j))
	gap := s.gapNow(i, j)
	return gap <= limit && (gap <= 0 || s.isCloseToBody(i, j, limit))
}

// markLogged notes that the beginning of the contact of a and b has been logged.
func (s *Space) markLogged(a, b int32) {
	if b >= 0 && b < a {
		a, b = b, a
	}
	b = s.ownerOf(b)
	for at := s.firstOfOwner(a, b); at >= 0; at = s.nextOfOwner(at, b) {
		s.solverContacts[at].logged = true
	}
}

// markUnlogged notes that the end of the contact of a and b has been logged.
func (s *Space) markUnlogged(a, b int32) {
	if a < 0 || b >= 0 && b < a {
		a, b = b, a
	}
	for at := s.firstOfOwner(a, b); at >= 0; at = s.nextOfOwner(at, b) {
		s.solverContacts[at].logged = false
	}
	for _, id := range [2]int32{a, b} { // if one sleeps, its island keeps the contact
		if id < 0 || s.sleepStateOf(id).island < 0 {
			continue
		}
		for k := range s.sleepingIslands[s.sleepStates[id].island].contacts {
			if c := &s.sleepingIslands[s.sleepStates[id].island].contacts[k]; c.a == a && s.ownerOf(c.b) == b {
				c.logged = false
			}
		}
	}
}

// releaseRemoved removes the contacts of bodies and surfaces that have been removed, and makes
// their ids and numbers available again.
func (s *Space) releaseRemoved() {
	if len(s.removedIDs) == 0 && !s.statics.HasRemoved() {
		return
	}
	s.wakePending()
	lost := false
	for k := range s.solverContacts {
		c := &s.solverContacts[k]
		c.gone = !s.exists(c.a) || !s.exists(c.b)
		lost = lost || c.gone
	}
	if lost {
		s.removeGoneContacts()
	}
	s.freeIDs = append(s.freeIDs, s.removedIDs...)
	s.removedIDs = s.removedIDs[:0]
	s.statics.Release()
}

// exists reports whether a body (its id) or a surface (its code) has not been removed.
func (s *Space) exists(code int32) bool {
	if code >= 0 {
		return s.flags[s.index[code]]&alive != 0
	}
	return s.statics.Exists(surfaceOf(code))
}

// solvePersistentContacts finds the persistent contacts, solves them, and sets the velocities of
// their bodies.
func (s *Space) solvePersistentContacts() {
	s.wakePending()
	if len(s.vetoes) > 0 {
		s.wakeVetoed()
	}
	s.searchAfterVetoes()
	s.addContactsOfPlaced()
	s.wakeNearDrivers()
	s.wakeNearStopped()
	s.wakeNearChanged()
	if len(s.solverContacts) > 0 {
		s.addSolverBodies()
		s.gatheringContacts = true
		s.searchAroundStopped()
		s.findDriverContacts()
		s.addNearbyContacts()
		s.gatheringContacts = false
		s.solveContacts()
		for k := range s.contactBodies {
			// What falls asleep stands still from now on. Unless it was unsolved, its predictions
			// are those of another path.
			i := s.contactBodies[k].index
			if !s.contactSolver.Movable(int32(k)) || s.flags[i]&sleeping != 0 && s.flags[i]&unsolved != 0 {
				continue
			}
			s.markStale(i)
			if s.grid.HasLevels() {
				s.putBody(i)
			}
		}
	}
	s.startRotors(len(s.solverContacts) > 0)
	s.checkContacts()
	s.Counts.Asleep = 0
	for n := range s.sleepingIslands {
		s.Counts.Asleep += len(s.sleepingIslands[n].bodies)
	}
}

// addSolverBodies removes the contacts that have ended, and adds the bodies of all others to the
// contact solver.
func (s *Space) addSolverBodies() {
	s.resetContactSolver()
	lost := false
	s.leftTiles = s.leftTiles[:0]
	chunked := s.runChunks((*Space).findGone)
	prefetches := s.prefetchesContacts()
	for k := range s.solverContacts {
		if prefetches {
			s.prefetchContact(k + contactsAhead)
		}
		c := &s.solverContacts[k]
		if !chunked {
			if c.gone, c.left = s.hasEnded(c); c.left {
				c.next = s.nextTile(c)
			}
		}
		if !c.gone {
			s.addContactBodies(c)
			continue
		}
		lost = true
		if c.left {
			s.leftTiles = append(s.leftTiles, *c)
		}
	}
	if lost {
		s.removeGoneContacts()
	}
	known := len(s.solverContacts)
	for k := range s.leftTiles {
		s.continueOnNextTile(&s.leftTiles[k])
	}
	for k := known; k < len(s.solverContacts); k++ {
		s.addContactBodies(&s.solverContacts[k])
	}
}

// addContactBodies adds the bodies of a contact to the contact solver, and links them.
func (s *Space) addContactBodies(c *contact) {
	c.solverA = s.addMember(c.a)
	if c.b < 0 {
		return
	}
	c.solverB = s.addMember(c.b)
	if !s.elasticBodies || !s.areElastic(s.index[c.a], s.index[c.b]) {
		s.contactSolver.LinkBodies(c.solverA, c.solverB)
	}
}

// addMember adds the body with an id to the contact solver, unless it is there already, as one that
// is in a contact. It returns its index there.
func (s *Space) addMember(id int32) int32 {
	if k := s.solverBodyOf[id]; k >= 0 {
		s.contactBodies[k].member = true
		return k
	}
	return s.addSolverBody(s.index[id], true)
}

// searchAfterVetoes makes the bodies of the vetoes that have ended search again for what is close
// to them: they may have a contact now without having moved. Those that sleep wake for that. Their
// islands would otherwise search later than in a world without sleep, when it may be too late to
// find the same. A veto that the game, or a contact rule that ignores a pair, repeats in each step
// does not end.
func (s *Space) searchAfterVetoes() {
	for _, key := range s.endedVetoes {
		if _, repeated := s.vetoes[key]; repeated {
			continue
		}
		for _, code := range [2]int32{int32(key >> 32), int32(key)} {
			if code >= 0 {
				s.searchAgain(code)
				s.wakeIsland(s.sleepStateOf(code).island)
			}
		}
	}
}

// searchAroundStopped makes the bodies around each body that has stopped without a contact search
// again for bodies close to them. Otherwise neither would, since none of them moves.
func (s *Space) searchAroundStopped() {
	s.smallestRadius = math.Inf(1)
	for i, f := range s.flags {
		if f&alive != 0 {
			s.smallestRadius = min(s.smallestRadius, s.size(int32(i)))
		}
	}
	for _, id := range s.stoppedIDs {
		b := &s.bodies[s.index[id]]
		if at := s.solverBodyOf[id]; at >= 0 && s.contactSolver.Movable(at) {
			continue
		}
		s.listNear(b, float64(searchReach*s.size(s.index[id])))
		for _, j := range s.nearby {
			s.searchAgain(s.infos[j].id)
		}
	}
}

// wakeNearStopped wakes the islands whose bodies would search again for that reason.
func (s *Space) wakeNearStopped() {
	if !s.someSleep() {
		return
	}
	for _, id := range s.stoppedIDs {
		i := s.index[id]
		if s.flags[i]&sleeping != 0 || int(id) < len(s.firstContact) && s.firstContact[id] >= 0 {
			continue
		}
		s.listNear(&s.bodies[i], float64(searchReach*s.size(i)))
		for _, j := range s.nearby {
			s.wakeAt(j, id)
		}
	}
}

// removeGoneContacts removes the contacts that are marked as gone.
func (s *Space) removeGoneContacts() {
	s.clearContactLists()
	kept := 0
	for k := range s.solverContacts { // slices.DeleteFunc would copy each contact once more
		if c := &s.solverContacts[k]; !c.gone {
			if kept < k {
				s.solverContacts[kept] = *c
			}
			kept++
		}
	}
	s.solverContacts = s.solverContacts[:kept]
	s.buildContactLists()
}

// clearContactLists empties the contact lists of all bodies.
func (s *Space) clearContactLists() {
	for k := range s.solverContacts {
		s.firstContact[s.solverContacts[k].a] = -1
	}
}

// buildContactLists builds the contact list of each body. All lists must be empty.
func (s *Space) buildContactLists() {
	n := len(s.solverContacts)
	s.contactLinks = slices.Grow(s.contactLinks[:0], n)[:n]
	links, firstContact := s.contactLinks, s.firstContact
	for k := range s.solverContacts {
		c := &s.solverContacts[k]
		first := &firstContact[c.a]
		links[k] = contactLink{c.b, *first, c.isResting()}
		*first = int32(k)
	}
}

// isMovedByContacts reports whether the contact solver chooses the velocity of body i when it is in
// a contact, if its inverse mass is not 0.
func (s *Space) isMovedByContacts(i int32) bool { return s.flags[i]&movedByContacts != 0 }

// maySolve reports whether bodies i and j can have a persistent contact, by their kinds and
// materials.
func (s *Space) maySolve(i, j int32) bool {
	if s.flags[i]&s.flags[j]&movedByContacts != 0 {
		return true
	}
	a, b := &s.infos[i].material, &s.infos[j].material
	return (s.flags[i]|s.flags[j])&movedByContacts != 0 && !a.Sliding && !b.Sliding && !a.Sensor && !b.Sensor
}

// mayCollide reports whether the layers and masks of bodies i and j let them collide.
func (s *Space) mayCollide(i, j int32) bool {
	return s.flags[i]&s.flags[j]&unfiltered != 0 || s.infos[i].material.collides(&s.infos[j].material)
}

// hasEnded reports whether the two sides of a contact are no longer close enough or don't collide
// any more, and whether the body has left a polygon.
func (s *Space) hasEnded(c *contact) (ended, left bool) {
	i := s.index[c.a]
	a := &s.bodies[i]
	if c.b >= 0 {
		j := s.index[c.b]
		b := &s.bodies[j]
		if !s.areSpheres(i, j) {
			return !s.shapePersists(i, j) || s.vetoed(c.a, c.b), false
		}
		reach := a.radius + b.radius + float64(contactLifeReach*min(a.radius, b.radius))
		lasts := a.x.Sub(b.x).LengthSquared() <= float64(reach*reach) && s.maySolve(i, j) &&
			s.mayCollide(i, j) && !s.vetoed(c.a, c.b)
		return !lasts, false
	}
	m := &s.infoOf(c.b).material
	if !s.statics.Exists(surfaceOf(c.b)) || s.isFast(surfaceOf(c.b)) ||
		m.Sensor || m.Sliding || !s.isMovedByContacts(i) ||
		!s.infos[i].material.collides(m) || s.vetoed(c.a, c.b) || s.passes(i, surfaceOf(c.b), a.x, 0) {
		return true, false
	}
	gap, n, ok := s.touchOf(i, surfaceOf(c.b))
	if ok && gap <= float64(contactLifeReach*s.size(i)) {
		if s.flags[i]&shaped == 0 {
			c.gap, c.normal = gap, n
			return false, false
		}
		if s.staysOnTile(i, c, gap, n) {
			return false, false
		}
	}
	return true, s.statics.HasEdges(surfaceOf(c.b))
}

// hasNoContacts reports whether solvePersistentContacts has nothing to do.
func (s *Space) hasNoContacts() bool {
	if len(s.solverContacts)+len(s.sleepingIslands)-len(s.freeIslands) > 0 {
		return false
	}
	return len(s.placedIDs) == 0
}
