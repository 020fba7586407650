package solver

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/grow"
)

// Rest and sleep.
//
// A body comes to rest when its contacts have kept it slow and hardly accelerated for 30 steps
// (package contacts). Its velocity then becomes zero: it is resting. If all bodies of an island are
// resting and stay so for another step, every further step would begin like this one and change
// nothing. The island then sleeps: steps skip it, and it keeps its contacts with their impulses.
// When something touches or changes one of its bodies, or what they rest on, the island wakes. It
// then continues with the same contacts and impulses.

// sleepingIsland is an island that sleeps. An unused one has no bodies.
type sleepingIsland struct {
	bodies   []int32 // ids
	contacts []contact
}

// sleepState is what is known about the rest and sleep of a body.
type sleepState struct {
	ownAcceleration  collide.Vec3 // acceleration before contacts were solved, in step solvedInStep, m/s²
	solvedInStep     uint32       // the last step in which contacts chose its velocity, by Space.stepNumber
	nearDriverInStep uint32       // the last step in which something kinematic came close to it
	leftByContacts   collide.Vec3 // of a body that moves at its velocity at that step's end: its acceleration, m/s²
	driven           bool         // in step solvedInStep, something that moves pushed into its island
	supported        bool         // in that step, something that contacts do not move pressed on its island
	pressedByBody    bool         // in that step, a contact pressed it and another body together

	// While it sleeps: what it was when it fell asleep.
	position, acceleration collide.Vec3
	inverseInertia         float64 // of its spin, 1/(kg·m²)
	island                 int32   // index in Space.sleepingIslands; -1 if it is awake
	canTurn                bool    // it has spin
	changed                bool    // the game has changed its properties since
}

// neverSolved is the sleepState of a body that has never been in a contact. Nothing writes to it.
var neverSolved = sleepState{island: -1}

// sleepStateOf returns what is known about the rest and sleep of a body, to be read.
func (s *Space) sleepStateOf(id int32) *sleepState {
	if int(id) < len(s.sleepStates) {
		return &s.sleepStates[id]
	}
	return &neverSolved
}

// needSleepStates makes sleepStates and neighborSearches contain all bodies, before one is in a
// contact that is solved. A gas never needs them.
func (s *Space) needSleepStates() {
	known := len(s.sleepStates)
	if known == len(s.index) {
		return
	}
	s.sleepStates = grow.Extend(s.sleepStates, len(s.index))
	s.neighborSearches = grow.Extend(s.neighborSearches, len(s.index))
	for id := known; id < len(s.sleepStates); id++ {
		s.sleepStates[id] = neverSolved
	}
}

// bringToRest makes body i resting: its velocity, acceleration and spin become zero.
func (s *Space) bringToRest(i, id int32) {
	is := &s.sleepStates[id]
	is.acceleration = s.acceleration(i)
	is.ownAcceleration, is.solvedInStep = s.acceleration(i), s.stepNumber
	s.infos[i].acceleratedByContacts, s.infos[i].movesAtEndVelocity = true, false
	s.bodies[i].v = collide.Vec3{}
	s.setAcceleration(i, collide.Vec3{})
	s.flags[i] = s.flags[i]&^accelerated | pairsSolved
	if p := s.spinOf(i); p != nil {
		p.angularVelocity = collide.Vec3{}
	}
}

// putIslandsToSleep puts the islands to sleep that were resting when the step began.
func (s *Space) putIslandsToSleep() {
	if !s.Sleeping {
		return
	}
	for at := range s.contactBodies {
		i := s.contactBodies[at].index
		if s.flags[i]&neverSleeps != 0 || s.sleepStateOf(s.infos[i].id).nearDriverInStep == s.stepNumber {
			s.contactBodies[s.contactSolver.IslandRoot(int32(at))].neverSleeps = true
		}
	}
	found := false
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
		found = true
		s.putToSleep(s.contactBodies[k].index, root.island-1)
	}
	if !found {
		return
	}
	for k := range s.solverContacts {
		c := &s.solverContacts[k]
		n := s.islandOf(c)
		if n < 0 {
			continue
		}
		c.gone = true
		kept := *c
		kept.gone = false
		s.sleepingIslands[n].contacts = append(s.sleepingIslands[n].contacts, kept)
		if kept.isResting() {
			s.sleptContacts = append(s.sleptContacts, sleptContact{eventlog.KeyOf(c.a, s.ownerOf(c.b)), c.b})
		}
		if c.b < 0 {
			s.infoOf(c.b).supportsSleeper = true
			continue
		}
		for _, id := range [2]int32{c.a, c.b} {
			if i := s.index[id]; s.flags[i]&sleeping == 0 {
				s.flags[i] |= supportsSleeper
			}
		}
	}
	slices.SortFunc(s.sleptContacts, func(c, d sleptContact) int {
		return cmp.Or(cmp.Compare(c.pair, d.pair), cmp.Compare(c.b, d.b))
	})
	s.removeGoneContacts()
}

// putToSleep adds body i to sleeping island n.
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

// someSleep reports whether any body sleeps.
func (s *Space) someSleep() bool { return len(s.sleepingIslands) > len(s.freeIslands) }

// newIsland returns the index of an unused element of sleepingIslands.
func (s *Space) newIsland() int32 {
	if n := len(s.freeIslands); n > 0 {
		k := s.freeIslands[n-1]
		s.freeIslands = s.freeIslands[:n-1]
		return k
	}
	s.sleepingIslands = append(s.sleepingIslands, sleepingIsland{})
	return int32(len(s.sleepingIslands) - 1)
}

// islandOf returns the sleeping island that a contact belongs to, or -1.
func (s *Space) islandOf(c *contact) int32 {
	if n := s.sleepStateOf(c.a).island; n >= 0 {
		return n
	}
	if c.b >= 0 {
		return s.sleepStateOf(c.b).island
	}
	return -1
}

// wakeLater wakes the island of body i, which sleeps, when the next step begins: something has
// touched or changed the body.
func (s *Space) wakeLater(i int32) {
	s.flags[i] &^= sleeping | unchanged
	id := s.infos[i].id
	if s.subdomain == nil {
		s.islandsToWake = append(s.islandsToWake, s.sleepStates[id].island)
	} else if s.owns(i) {
		s.islandsToWake = append(s.islandsToWake, id)
	}
}

// wakeDependents wakes what rests on surface k when the next step begins: the surface changes or is
// removed.
func (s *Space) wakeDependents(k int32) {
	if f := &s.surfaces[k]; f.supportsSleeper {
		f.supportsSleeper = false
		s.changedSupports = append(s.changedSupports, codeOf(k))
	}
}

// wakeNearChanged wakes the islands near surfaces that the game has put there or changed. Surfaces
// that meet act as one, so the contact with the edge of one ends when another is put at that edge
// and hides it. What moves doesn't count: it is one only with what moves like it, on which nothing
// sleeps. Nor does what has gone: an edge that it has hidden has no contact yet.
func (s *Space) wakeNearChanged() {
	if len(s.placedSurfaces) == 0 || !s.someSleep() {
		return
	}
	largest := 0.0
	for i, f := range s.flags {
		if f&(alive|sleeping) == alive|sleeping {
			largest = max(largest, s.size(int32(i)))
		}
	}
	for _, k := range s.placedSurfaces {
		if box, ok := s.statics.HidingBounds(k); ok {
			s.wakeNearBox(box, float64(contactLifeReach*largest))
		}
	}
}

// wakeNearBox wakes the islands of bodies that are as close to a box as a body can be to what it
// has a contact with. For the largest one that sleeps, that is reach, m.
func (s *Space) wakeNearBox(box collide.AABB, reach float64) {
	const more = 1 + 0x1p-6 // as in listNear
	s.listNearBox(box.Grow(float64(reach * more)))
	for _, i := range s.nearby {
		if s.flags[i]&(alive|sleeping) != alive|sleeping {
			continue
		}
		b := &s.bodies[i]
		ball := collide.Sphere{Center: b.x, Radius: b.radius + float64(contactLifeReach*s.size(i))}
		if collide.OverlapSphereAABB(ball, box) {
			s.wakeAt(i, 0)
		}
	}
}

// applyGameChanges compares the sleeping bodies that the game has set since the last step with what
// they were when they fell asleep. Those that are the same stay asleep; the others wake. It also
// lists the bodies that the game has placed.
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
			s.bodies[i].v = collide.Vec3{}
			s.setAcceleration(int32(i), collide.Vec3{})
			s.flags[i] &^= touchedByGame | accelerated
		case f&sleeping != 0:
			s.flags[i] &^= touchedByGame
			s.wakeLater(int32(i))
		default: // sleeping bodies rest on it
			s.changedSupports = append(s.changedSupports, s.infos[i].id)
			s.flags[i] &^= touchedByGame | supportsSleeper
		}
	}
}

// isAsItFellAsleep reports whether body i, which sleeps and which the game has set, is what it was
// when it fell asleep.
func (s *Space) isAsItFellAsleep(i int32) bool {
	is, b, f := &s.sleepStates[s.infos[i].id], &s.bodies[i], s.flags[i]
	if is.changed || b.x != is.position || f&(placed|neverSleeps) != 0 || (f&hasSpin != 0) != is.canTurn {
		return false
	}
	own := is.acceleration
	if p := s.stepForceOn(s.infos[i].id); p != nil {
		own = p.acceleration
	}
	if s.acceleration(i) != own || b.v != (collide.Vec3{}).AddScaled(s.Seconds/2, own) {
		return false
	}
	p := s.spinOf(i)
	return p == nil || p.angularVelocity == (collide.Vec3{}) && p.inverseInertia == is.inverseInertia
}

// wakePending wakes the islands that something has touched or changed, and those that rest on
// something that has changed.
func (s *Space) wakePending() {
	defer s.settleWoken()
	for _, n := range s.islandsToWake {
		s.wakeIsland(n)
	}
	s.islandsToWake = s.islandsToWake[:0]
	if len(s.changedSupports) == 0 {
		return
	}
	slices.Sort(s.changedSupports)
	for n := range s.sleepingIslands {
		changed := func(c contact) bool { return s.hasChanged(c.a) || s.hasChanged(s.supportOf(c.b)) }
		if slices.ContainsFunc(s.sleepingIslands[n].contacts, changed) {
			s.wakeIsland(int32(n))
		}
	}
	s.changedSupports = s.changedSupports[:0]
}

// supportOf returns the code of the surface that has the facet with a code, and any other code as
// it is. The parts of an entity are supports of their own.
func (s *Space) supportOf(code int32) int32 {
	if code > surfaceCode {
		return code
	}
	return codeOf(s.statics.Owner(surfaceOf(code)))
}

// hasChanged reports whether code, a body's id or a surface's code, is in changedSupports.
func (s *Space) hasChanged(code int32) bool {
	_, found := slices.BinarySearch(s.changedSupports, code)
	return found
}

// wakeVetoed wakes the islands in which a veto forbids a contact.
func (s *Space) wakeVetoed() {
	for n := range s.sleepingIslands {
		vetoed := func(c contact) bool { return s.vetoed(c.a, c.b) }
		if slices.ContainsFunc(s.sleepingIslands[n].contacts, vetoed) {
			s.wakeIsland(int32(n))
		}
	}
}

// wakeIsland wakes island n. Its contacts are again those with which it fell asleep.
func (s *Space) wakeIsland(n int32) {
	if n < 0 || len(s.sleepingIslands[n].bodies) == 0 {
		return
	}
	p := &s.sleepingIslands[n]
	for _, id := range p.bodies {
		i := s.index[id]
		is := &s.sleepStates[id]
		is.island = -1
		if last := &s.neighborSearches[id]; last.stepNumber > 0 { // it stood still since then
			last.stepNumber = s.stepNumber - 1
		}
		slept := s.flags[i]&sleeping != 0
		s.flags[i] &^= sleeping | unchanged
		s.markStale(i) // also one that woke before: the contact solver may put it to rest again at once
		if !slept {
			continue
		}
		if s.flags[i]&touchedByGame != 0 { // the game has set its velocity and acceleration
			s.flags[i] &^= touchedByGame
			continue
		}
		if is.acceleration != (collide.Vec3{}) {
			s.bodies[i].v = s.bodies[i].v.AddScaled(s.Seconds/2, is.acceleration)
			s.accelerate(i, is.acceleration)
		}
		s.wakeUnderStepForce(i)
	}
	s.firstContact = grow.Fill(s.firstContact, len(s.index), -1)
	for _, c := range p.contacts {
		if s.gatheringContacts {
			s.addContactBodies(&c)
		} else {
			c.solverA = -1
		}
		if at := s.findContact(c.a, c.b); at >= 0 { // an impact has begun it again
			c.logged = c.logged || s.solverContacts[at].logged
			s.solverContacts[at].gone = true
		}
		s.appendContact(&c)
	}
	s.hasWoken = true
	p.bodies, p.contacts = p.bodies[:0], p.contacts[:0]
	s.freeIslands = append(s.freeIslands, n)
}

// settleWoken brings the contacts of islands that have woken to the places that they would have if
// the islands had been awake: in front of new contacts.
func (s *Space) settleWoken() {
	if !s.hasWoken {
		return
	}
	s.hasWoken = false
	s.clearContactLists()
	fresh, kept := s.spareContacts[:0], s.solverContacts[:0]
	for k := range s.solverContacts {
		switch c := &s.solverContacts[k]; {
		case c.gone:
		case c.order == contacts.New:
			fresh = append(fresh, *c)
		default:
			kept = append(kept, *c)
		}
	}
	s.solverContacts, s.spareContacts = append(kept, fresh...), fresh
	s.buildContactLists()
}

// isFreeOfContacts reports whether body i takes no part in contact solving in this step, as far as
// contacts have been found yet: it sleeps, or it is in no contact.
func (s *Space) isFreeOfContacts(i int32) bool {
	return s.flags[i]&sleeping != 0 || !s.isInContact(s.infos[i].id)
}

// isInContact reports whether a body is in a contact that is solved in this step.
func (s *Space) isInContact(id int32) bool {
	return int(id) < len(s.neighborSearches) && s.neighborSearches[id].stepNumber == s.stepNumber
}

// IsAsleep reports whether a body sleeps.
func (s *Space) IsAsleep(id int32) bool { return s.flags[s.index[id]]&sleeping != 0 }

// SleptThrough reports whether a body has slept in all of the last step. One that woke in it may
// sleep again, if what touches it keeps it where it is.
func (s *Space) SleptThrough(id int32) bool {
	return s.IsAsleep(id) && s.sleepStates[id].solvedInStep != s.stepNumber
}

// isSolved reports whether contacts have chosen the velocity of a body in this step, or would have
// if it did not sleep when the step began.
func (s *Space) isSolved(is *sleepState) bool {
	return is.solvedInStep == s.stepNumber || is.island >= 0
}
