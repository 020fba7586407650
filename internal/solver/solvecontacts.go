package solver

import (
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/grow"
	"github.com/dango-physics/dango/internal/statics"
)

// Persistent contacts are solved together, by package contacts. This file passes bodies and
// contacts to it, with restitution and friction of each contact, and stores the velocities that it
// finds.

// contactBody is what this package knows about a body in the contact solver, by its index there.
type contactBody struct {
	index       int32 // in Space.bodies
	member      bool  // it is in a contact; false for a driver that might come into one
	neverSleeps bool  // in the root of an island: one of the island's bodies never sleeps
	island      int32 // in the root of an island that falls asleep: 1 + its index in sleepingIslands; otherwise 0
}

// addSolverBody adds body i to the contact solver, unless it is there already, and returns its
// index there.
func (s *Space) addSolverBody(i int32, member bool) int32 {
	id := s.infos[i].id
	if k := s.solverBodyOf[id]; k >= 0 {
		s.contactBodies[k].member = s.contactBodies[k].member || member
		return k
	}
	s.needSleepStates()
	b := &s.bodies[i]
	c := contacts.Body{
		ID: id, Position: b.x, Velocity: s.startVelocity(i), FreeVelocity: s.freeVelocity(i),
		Radius: s.size(i), CalmSteps: s.infos[i].calmSteps,
	}
	movable := s.isMovedByContacts(i) && b.inverseMass > 0
	if movable {
		c.InverseMass = b.inverseMass
		c.Mobility = s.unlocked(i, collide.Vec3{X: b.inverseMass, Y: b.inverseMass, Z: b.inverseMass})
	} else if g := s.infos[i].group; g > 0 {
		c.Group, c.SpeedScale = g, s.groups[g].speedScale
	} else if int(id) < len(s.speedScales) {
		c.SpeedScale = s.speedScales[id]
	}
	if p := s.spinOf(i); p != nil {
		c.AngularVelocity, c.InverseInertia = p.angularVelocity, p.inverseInertia
	}
	k := s.contactSolver.AddBody(&c)
	s.contactBodies = append(s.contactBodies, contactBody{index: i, member: member})
	s.elasticBodies = s.elasticBodies || s.infos[i].material.Restitution == 1
	s.solverBodyOf[id] = k
	return k
}

// addSolverSurface adds surface k to the contact solver, unless it is there already, and returns
// its index there. All facets of a surface are one.
func (s *Space) addSolverSurface(k int32) int32 {
	if k = s.statics.Owner(k); s.solverSurfaceOf[k] < 0 {
		s.contactSurfaces = append(s.contactSurfaces, k)
		c := s.solverSurface(k)
		s.solverSurfaceOf[k] = s.contactSolver.AddSurface(&c)
	}
	return s.solverSurfaceOf[k]
}

// solverSurface returns what the contact solver has to know about surface k.
func (s *Space) solverSurface(k int32) contacts.Surface {
	f, info := s.statics.At(k), s.infoOf(codeOf(k))
	scale := info.speedScale
	if info.group > 0 {
		scale = s.groups[info.group].speedScale
	}
	return contacts.Surface{SortKey: s.sortKeyOf(nil, k), Velocity: f.Velocity, SpeedScale: scale, Group: info.group}
}

// solverPair returns the two sides of a contact in the contact solver.
func (s *Space) solverPair(c *contact) contacts.Pair {
	isFacet := c.b < 0 && statics.IsFacet(surfaceOf(c.b))
	return contacts.Pair{A: c.solverA, B: c.solverB, Facet: isFacet, Island: c.island, Order: c.order}
}

// solveContacts solves the persistent contacts and sets the velocities of their bodies.
func (s *Space) solveContacts() {
	s.settleWoken()
	s.linkContacts()
	s.addRotors()
	s.addSolverSurfaces()
	s.orderContacts()
	s.passContacts()
	s.contactSolver.Solve()
	s.storeSpeedScales()
	s.storeVelocities()
}

// resetContactSolver removes the bodies and contacts of the last step from the contact solver.
func (s *Space) resetContactSolver() {
	s.contactSolver.Reset(contacts.Settings{
		Seconds: s.Seconds, LengthUnit: s.LengthUnit, Down: s.Down,
		TouchTolerance: touchTolerance, OverlapTolerance: overlapTolerance,
	})
	s.contactBodies, s.elasticBodies = s.contactBodies[:0], false
}

// SetDown changes the direction in which most bodies fall. If it is another one, all contacts are
// put in order again in the next step, also those of islands that sleep, when they wake.
func (s *Space) SetDown(down collide.Vec3) {
	was := s.Down
	s.Down = down
	if was.Dot(down) > 0 && was.Cross(down) == (collide.Vec3{}) {
		return
	}
	reset := func(list []contact) {
		for k := range list {
			list[k].order = min(list[k].order, contacts.Placed)
		}
	}
	reset(s.solverContacts)
	for n := range s.sleepingIslands {
		reset(s.sleepingIslands[n].contacts)
	}
}

// addSolverSurfaces adds all surfaces that are in contacts. Their indices follow those of all
// bodies.
func (s *Space) addSolverSurfaces() {
	for _, k := range s.contactSurfaces {
		s.solverSurfaceOf[k] = -1
	}
	s.contactSurfaces, s.turningGroups = s.contactSurfaces[:0], 0
	s.solverSurfaceOf = grow.Fill(s.solverSurfaceOf, s.statics.Numbers(), -1)
	for k := range s.solverContacts {
		if c := &s.solverContacts[k]; c.b < 0 {
			if s.statics.At(surfaceOf(c.b)).Turns() {
				s.addTurningSurface(c)
			} else {
				c.solverB = s.addSolverSurface(surfaceOf(c.b))
			}
			s.solverPairs[k] = s.solverPair(c)
		}
	}
}

// linkContacts lists the contacts in solverPairs, and links the bodies of those that have been
// found since addSolverBodies. Those with surfaces get their second side in addSolverSurfaces.
func (s *Space) linkContacts() {
	s.solverPairs = slices.Grow(s.solverPairs[:0], len(s.solverContacts))[:len(s.solverContacts)]
	for k := range s.solverContacts {
		c := &s.solverContacts[k]
		if c.solverA < 0 {
			s.addContactBodies(c)
		}
		s.solverPairs[k] = contacts.Pair{A: c.solverA, B: c.solverB, Island: c.island, Order: c.order}
	}
}

// isElastic reports whether bodies i and j, which are in the contact solver, bounce off each other
// at any closing speed.
func (s *Space) isElastic(i, j int32) bool { return s.elasticBodies && s.areElastic(i, j) }

func (s *Space) areElastic(i, j int32) bool {
	if s.ContactRule != nil {
		return false // it has not been asked yet
	}
	a, b := &s.infos[i].material, &s.infos[j].material
	return (a.Restitution == 1 || b.Restitution == 1) && s.restitution(a, b, 0) > 0
}

// orderContacts puts the contacts into the order in which they are solved.
func (s *Space) orderContacts() {
	s.contactSolver.GroupContacts(s.solverPairs)
	moves := s.contactSolver.OrderContacts(s.solverPairs, s.sortKeyOfFacet)
	if len(moves) == 0 {
		return
	}
	moved := false
	for _, m := range moves {
		s.solverContacts[m.From].order = m.Order
		moved = moved || m.From != m.To
	}
	if moved {
		s.clearContactLists()
		s.moveContacts(moves)
		s.buildContactLists()
	}
}

// moveContacts puts contacts at their new places, along the cycles of the permutation. A copy of
// all would take 168 bytes a contact.
func (s *Space) moveContacts(moves []contacts.Move) {
	from := grow.Resize(s.movedFrom, len(s.solverContacts))
	s.movedFrom = from
	for k := range from {
		from[k] = int32(k)
	}
	for _, m := range moves {
		from[m.To] = m.From
	}
	for k := range from {
		first := int32(k)
		if from[first] == first {
			continue
		}
		c, p, at := s.solverContacts[first], s.solverPairs[first], first
		for next := from[at]; next != first; next = from[at] {
			s.solverContacts[at], s.solverPairs[at] = s.solverContacts[next], s.solverPairs[next]
			from[at], at = at, next
		}
		s.solverContacts[at], s.solverPairs[at], from[at] = c, p, at
	}
}

// sortKeyOfFacet returns what orders contact k, which is with a facet.
func (s *Space) sortKeyOfFacet(k int32) contacts.SortKey {
	c := &s.solverContacts[k]
	return s.sortKeyOf(s.around(s.index[c.a]), surfaceOf(c.b))
}

// sortKeyOf returns what orders the contacts of surface or facet k. a may be nil.
func (s *Space) sortKeyOf(a *statics.Around, k int32) contacts.SortKey {
	return contacts.SortKey{
		ID: codeOf(k), Position: s.statics.Normal(a, k).Scale(2), Middle: s.statics.Middle(k), Key: s.statics.Key(k),
	}
}

// passContacts passes all contacts to the contact solver.
func (s *Space) passContacts() {
	var input contacts.Contact
	prefetches := s.prefetchesContacts()
	for k := range s.solverContacts {
		if prefetches {
			s.prefetchContact(k + contactsAhead)
		}
		c := &s.solverContacts[k]
		c.island = s.solverPairs[k].Island
		if s.describeContact(c, &s.solverPairs[k], &input) {
			s.passContact(c, &input)
		}
	}
}

// passContact passes a contact to the contact solver.
func (s *Space) passContact(c *contact, input *contacts.Contact) {
	var result contacts.Preparation
	if c.constraint, result = s.contactSolver.AddContact(input); result == contacts.LeftOut { // in the event loop
		c.NormalImpulse, c.FrictionImpulse, c.TorqueImpulse = 0, collide.Vec3{}, collide.Vec3{}
	}
}

// describeContact sets what the contact solver has to know about a contact. It returns false if the
// contact rule makes the two sides ignore each other.
func (s *Space) describeContact(c *contact, pair *contacts.Pair, input *contacts.Contact) bool {
	i := s.index[c.a]
	b, material := &s.bodies[i], &s.infos[i].material
	*input = contacts.Contact{}
	input.A, input.B, input.History = pair.A, pair.B, &c.History
	w := s.contactSolver.StartVelocity(pair.A).Sub(s.contactSolver.StartVelocity(pair.B))
	var other *Material
	var smaller float64 // radius
	if c.b >= 0 {
		j := s.index[c.b]
		o := &s.bodies[j]
		other = &s.infos[j].material
		input.Elastic = s.isElastic(i, j)
		if s.areSpheres(i, j) {
			d := b.x.Sub(o.x)
			length := d.Length()
			if !(length > 0) { // coincident centres: no normal
				return true
			}
			input.Normal, input.Gap = d.Scale(1/length), length-(b.radius+o.radius)
			smaller = min(b.radius, o.radius)
		} else {
			near := s.shapeContact(i, j, s.freeVelocity(i).Sub(s.freeVelocity(j)))
			if c.NormalImpulse > 0 && w == (collide.Vec3{}) { // one rests on the other: see restContact
				near = s.restContact(i, j, near)
			}
			input.Normal, input.Gap = near.Normal, near.Gap
			smaller = min(s.size(i), s.size(j))
		}
	} else {
		f := s.infoOf(c.b)
		smaller = s.size(i)
		other = &f.material
		input.SurfaceVelocity = f.surfaceVelocity
		if input.Gap, input.Normal, c.normal = c.gap, c.normal, (collide.Vec3{}); input.Normal == (collide.Vec3{}) {
			input.Gap, input.Normal, _ = s.touchOf(i, surfaceOf(c.b))
		}
		if kind := s.kindOf(c.b); kind != statics.Plane && kind != statics.Polygon { // others have it in any direction
			v := input.SurfaceVelocity
			input.SurfaceVelocity = v.AddScaled(-input.Normal.Dot(v), input.Normal)
		}
	}
	c.near = input.Gap <= float64(2*contacts.RestGap*smaller)
	c.touches = input.Gap <= float64(touchTolerance*smaller)
	approach := -input.Normal.Dot(w)
	rest := float64(contacts.RestGap * smaller)
	if way := float64(approach * s.Seconds); way > 0 && way > input.Gap-rest {
		input.Misses = !(c.NormalImpulse > 0) && s.misses(i, c.b, float64(passingMove*smaller)) ||
			c.b < 0 && s.passesHiddenEnd(i, c.b, w)
	}
	if s.ContactRule != nil {
		return s.applyRule(c, input, approach)
	}
	input.Restitution = s.restitution(material, other, approach)
	input.Friction = s.combineFriction(material, other)
	return true
}

// passingMove is how far two sides of a contact move against each other in a step before it matters
// that they may pass, as a fraction of the smaller radius. What they gain by passing is the square
// of that, far less than RestGap for slower ones. Heaps at rest have none that is as fast: if such
// contacts were left out, heaps would not come to rest.
const passingMove = 0x1p-5

// grazeDepth is how much deeper than a touch a sphere may come to something round in a floor and
// still count as passing, as a fraction of its radius: what is below that is rounding, such as that
// of the floor's height, and left to the event loop, which finds it.
const grazeDepth = 0x1p-30

// misses reports whether body i passes code, a body's id or a surface's code, without a touch in
// this step, both at the velocities with which the step begins and at those of free motion, and
// moves farther than least against it. A contact acts along its normal at the start of the step, in
// which direction two that pass each other may come closer than they do. It answers no where it
// doesn't know, and yes for the round end of a capsule, whose touch is left to the event loop.
func (s *Space) misses(i, code int32, least float64) bool {
	b, start := &s.bodies[i], s.startVelocity(i)
	isFast := func(w collide.Vec3) bool {
		return float64(w.LengthSquared()*float64(s.Seconds*s.Seconds)) > float64(least*least)
	}
	if code < 0 {
		k := surfaceOf(code)
		if s.flags[i]&shaped != 0 || !isFast(start.Sub(s.statics.At(k).Velocity)) {
			return false
		}
		if s.statics.FacesEnd(k, b.x) {
			return true // its contact would act where thick walls meet, and the next one hides this end
		}
		free, radius := s.freeVelocity(i), b.radius
		if !s.statics.HasEdges(k) {
			free, radius = s.carriedVelocity(i, code), float64(radius*(1-grazeDepth))
		}
		return s.statics.Misses(k, b.x, start, radius) && s.statics.Misses(k, b.x, free, radius)
	}
	j := s.index[code]
	if start = start.Sub(s.startVelocity(j)); !isFast(start) || !s.areSpheres(i, j) {
		return false
	}
	o, free := &s.bodies[j], s.freeVelocity(i).Sub(s.freeVelocity(j))
	d, touch := b.x.Sub(o.x), b.radius+o.radius
	switch {
	case o.inverseMass == 0:
		free, touch = s.carriedVelocity(i, code).Sub(o.v), float64(touch*(1-grazeDepth))
	case b.inverseMass == 0:
		free, touch = b.v.Sub(s.carriedVelocity(j, code)), float64(touch*(1-grazeDepth))
	}
	passes := func(w collide.Vec3) bool {
		nearest := min(-d.Dot(w)/w.LengthSquared(), s.Seconds)
		return d.AddScaled(nearest, w).LengthSquared() > float64(touch*touch)
	}
	return passes(start) && passes(free)
}

// hiddenEndMove is passingMove for the hidden ends of thick walls. What rests beside one is slower.
const hiddenEndMove = 0x1p-10

// passesHiddenEnd reports whether body i moves, at w relative to it, past the round end of a thick
// wall, the surface with a code, that is inside another wall with which the body is in contact.
// Next to the joint of two walls in a line, it would come to that end at an angle, and would be
// slowed down.
func (s *Space) passesHiddenEnd(i, code int32, w collide.Vec3) bool {
	least := float64(hiddenEndMove*s.bodies[i].radius) / s.Seconds
	if s.flags[i]&shaped != 0 || !(w.LengthSquared() > float64(least*least)) ||
		!s.statics.FacesEnd(surfaceOf(code), s.bodies[i].x) {
		return false
	}
	for at := s.firstContact[s.infos[i].id]; at >= 0; at = s.contactLinks[at].next {
		if by := s.contactLinks[at].b; by < 0 && s.statics.HidesEnd(surfaceOf(by), surfaceOf(code), s.bodies[i].x) {
			return true
		}
	}
	return false
}

// carriedVelocity returns freeVelocity of a sphere that is carried by a surface which it touches:
// without its approach to that surface. Of several it is that which it approaches fastest. What has
// the code except doesn't carry it.
func (s *Space) carriedVelocity(i, except int32) collide.Vec3 {
	free := s.freeVelocity(i)
	var rate float64
	var normal collide.Vec3
	at, by := s.firstContact[s.infos[i].id], int32(-1)
	for ; at >= 0; at = s.contactLinks[at].next {
		if code := s.contactLinks[at].b; code < 0 && code != except {
			k := surfaceOf(code)
			gap, n, ok := s.touchOf(i, k)
			r := n.Dot(free.Sub(s.statics.At(k).VelocityAt(s.bodies[i].x, 0)))
			if !ok || gap > float64(touchTolerance*s.size(i)) || r > rate ||
				r == rate && (by < 0 || s.statics.Compare(k, by) > 0) { // not by their order in memory
				continue
			}
			rate, normal, by = r, n, k
		}
	}
	return free.AddScaled(-rate, normal)
}

// storeSpeedScales slows down drivers that push into bodies that cannot yield fast enough, and the
// groups of such drivers.
func (s *Space) storeSpeedScales() {
	for k := range s.contactBodies {
		if scale, driver := s.contactSolver.SpeedScale(int32(k)); driver {
			info := &s.infos[s.contactBodies[k].index]
			s.storeSpeedScale(info.id, info.group, scale)
		}
	}
	slices.Sort(s.contactSurfaces)
	for _, k := range s.contactSurfaces {
		if scale, driver := s.contactSolver.SpeedScale(s.solverSurfaceOf[k]); driver {
			s.storeSpeedScale(codeOf(k), s.surfaces[k].group, scale)
		}
	}
	s.storeGroupScales()
}

// noteStopped notes the body that has stopped the driver of a contact as crushed.
func (s *Space) noteStopped(c *contact) {
	a, b := s.contactSolver.Bodies(c.constraint)
	switch {
	case c.b < 0:
		s.noteCrushed(s.contactBodies[a].index, s.ownerOf(c.b), s.statics.Key(surfaceOf(c.b)), 0)
	case s.contactSolver.Movable(a):
		s.noteCrushed(s.contactBodies[a].index, c.b, s.pathKey(s.index[c.b]), 0)
	default:
		s.noteCrushed(s.contactBodies[b].index, c.a, s.pathKey(s.index[c.a]), 0)
	}
}

// storeSpeedScale stores the speed scale of a driver, a body's id or a surface's code, and slows it
// down in this step if the scale is below 1. Members of a group wait for storeGroupScales.
func (s *Space) storeSpeedScale(code, group int32, scale float64) {
	if group > 0 {
		s.groups[group].driver, s.groups[group].speedScale = true, scale
		return
	}
	s.slowDriver(code, scale)
	if scale < 1 {
		s.Counts.Blocked++
	}
}

// slowDriver makes a kinematic body (its id) or a surface (its code) move at a fraction of its
// velocity in this step.
func (s *Space) slowDriver(code int32, scale float64) {
	kept := 0.0 // stands for 1
	if scale < 1 {
		kept = max(scale, contacts.MinSpeedScale)
	}
	if code < 0 {
		k := surfaceOf(code)
		s.surfaces[k].speedScale = kept
		if f := s.statics.At(k); scale < 1 && f.Moves() {
			s.statics.Slow(k, scale)
			s.slowedSurfaces = append(s.slowedSurfaces, k)
			s.surfaces[k].slowedInStep = s.stepNumber
		}
		return
	}
	i := s.index[code]
	s.speedScales = grow.Extend(s.speedScales, len(s.index))
	s.speedScales[code] = kept
	if v := s.bodies[i].v; scale < 1 && v != (collide.Vec3{}) {
		s.haltedBodies = append(s.haltedBodies, haltedBody{i, v})
		s.bodies[i].v = v.Scale(scale)
		s.markStale(i)
	}
}

// storeVelocities sets the velocities that the contact solver has found, and puts islands to sleep.
func (s *Space) storeVelocities() {
	solver := &s.contactSolver
	for k := range s.solverContacts {
		c := &s.solverContacts[k]
		if c.constraint >= 0 {
			solver.Finish(c.constraint, &c.History)
		}
		s.contactLinks[k].resting = c.isResting()
		if c.constraint < 0 {
			continue
		}
		if !(c.NormalImpulse > 0) {
			continue
		}
		if !c.logged {
			s.noteBegun(c)
		}
		if solver.Stopped(c.constraint) {
			s.noteStopped(c)
		}
	}
	prefetches := s.prefetchesContacts()
	for at := range s.contactBodies {
		if prefetches {
			s.prefetchContactBody(at + contactsAhead)
		}
		k := int32(at)
		i := s.contactBodies[k].index
		id := s.infos[i].id
		s.solverBodyOf[id] = -1
		if !solver.Movable(k) {
			continue
		}
		b, is := &s.bodies[i], &s.sleepStates[id]
		s.infos[i].calmSteps = solver.CalmSteps(k)
		is.supported, is.driven, is.pressedByBody = solver.Supported(k), solver.Driven(k), solver.PressedByBody(k)
		if solver.Rests(k) {
			s.bringToRest(i, id)
			continue
		}
		s.flags[i] &^= pairsSolved
		if !solver.Pressed(k) {
			continue // no contact acts on it
		}
		if solver.FallsFreely(k) {
			b.v = solver.Velocity(k).AddScaled(-s.Seconds/2, s.acceleration(i))
			if p := s.spinOf(i); p != nil {
				p.angularVelocity = solver.AngularVelocity(k)
			}
			continue
		}
		is.ownAcceleration, is.solvedInStep = s.acceleration(i), s.stepNumber
		s.infos[i].acceleratedByContacts, s.infos[i].movesAtEndVelocity = true, solver.MovesAtEndVelocity(k)
		v0 := solver.LimitMotion(k)
		v := solver.Velocity(k)
		if s.infos[i].movesAtEndVelocity {
			is.leftByContacts = solver.Acceleration(k)
			b.v = v
			s.setAcceleration(i, collide.Vec3{})
			s.flags[i] &^= accelerated
		} else {
			b.v = v0.Add(v).Scale(0.5)
			s.accelerate(i, v.Sub(v0).Scale(1/s.Seconds))
		}
		if p := s.spinOf(i); p != nil {
			w := solver.AngularVelocity(k)
			p.byContacts = w.Sub(p.angularVelocity)
			if s.infos[i].movesAtEndVelocity { // then some of the change is at once
				p.byContacts = solver.AngularAcceleration(k).Scale(s.Seconds)
			}
			p.angularVelocity = w
		}
		if !solver.Unresolved(k) && s.isWithinSearch(i) {
			s.flags[i] |= pairsSolved
		}
	}
	s.putIslandsToSleep()
	s.log.Sort()
}
