package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/eventlog"
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
	b := &s.bodies[i]
	c := contacts.Body{
		ID: id, Position: b.x, Velocity: s.startVelocity(i), FreeVelocity: s.freeVelocity(i),
		Radius: b.radius, CalmSteps: s.sleepStates[id].calmSteps,
	}
	movable := s.isMovedByContacts(i) && b.inverseMass > 0
	if movable {
		c.InverseMass = b.inverseMass
		c.Mobility = s.unlocked(i, collide.Vec3{X: b.inverseMass, Y: b.inverseMass, Z: b.inverseMass})
	} else if int(id) < len(s.speedScales) {
		c.SpeedScale = s.speedScales[id]
	}
	if p := s.spinOf(i); p != nil {
		c.AngularVelocity, c.InverseInertia = p.angularVelocity, p.inverseInertia
	}
	k := s.contactSolver.AddBody(&c)
	s.contactBodies = append(s.contactBodies, contactBody{index: i, member: member})
	s.solverBodyOf[id] = k
	return k
}

// addSolverSurface adds surface k to the contact solver, unless it is there already, and returns
// its index there.
func (s *Space) addSolverSurface(k int32) int32 {
	if s.solverSurfaceOf[k] < 0 {
		f := s.statics.At(k)
		s.solverSurfaceOf[k] = s.contactSolver.AddSurface(&contacts.Surface{
			ID: surfaceCode - k, Position: f.Plane.Normal.Scale(2), Middle: f.Middle(),
			Velocity: f.Velocity, SpeedScale: s.surfaces[k].speedScale,
		})
	}
	return s.solverSurfaceOf[k]
}

// solverPair returns the indices of the two sides of a contact in the contact solver.
func (s *Space) solverPair(c *contact) contacts.Pair {
	if c.b >= 0 {
		return contacts.Pair{A: s.solverBodyOf[c.a], B: s.solverBodyOf[c.b]}
	}
	return contacts.Pair{A: s.solverBodyOf[c.a], B: s.solverSurfaceOf[surfaceCode-c.b]}
}

// solveContacts solves the persistent contacts and sets the velocities of their bodies.
func (s *Space) solveContacts() {
	s.addSolverSurfaces()
	s.linkContacts()
	if s.contactsChanged {
		s.orderContacts()
	}
	s.prepareContacts()
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
	s.contactBodies = s.contactBodies[:0]
}

// addSolverSurfaces adds all surfaces that are in contacts. Their indices follow those of all
// bodies.
func (s *Space) addSolverSurfaces() {
	s.solverSurfaceOf = resize(s.solverSurfaceOf, s.statics.Numbers())
	for k := range s.solverSurfaceOf {
		s.solverSurfaceOf[k] = -1
	}
	for k := range s.solverContacts {
		if c := &s.solverContacts[k]; c.b < 0 {
			s.addSolverSurface(surfaceCode - c.b)
		}
	}
}

// linkContacts tells the contact solver which pairs of bodies belong to the same island.
func (s *Space) linkContacts() {
	for k := range s.solverContacts {
		if c := &s.solverContacts[k]; c.b >= 0 && !s.isElastic(s.index[c.a], s.index[c.b]) {
			s.contactSolver.LinkBodies(s.solverBodyOf[c.a], s.solverBodyOf[c.b])
		}
	}
}

// isElastic reports whether bodies i and j bounce off each other at any closing speed.
func (s *Space) isElastic(i, j int32) bool {
	a, b := &s.infos[i].material, &s.infos[j].material
	return (a.Restitution == 1 || b.Restitution == 1) && s.restitution(a, b, 0) > 0
}

// orderContacts puts the contacts into the order in which they are solved. They keep it until one
// begins or ends.
func (s *Space) orderContacts() {
	s.contactsChanged = false
	s.solverPairs = s.solverPairs[:0]
	for k := range s.solverContacts {
		s.solverPairs = append(s.solverPairs, s.solverPair(&s.solverContacts[k]))
	}
	s.clearContactLists()
	s.spareContacts = resize(s.spareContacts, len(s.solverContacts))
	for k, r := range s.contactSolver.OrderContacts(s.solverPairs) {
		s.spareContacts[k] = s.solverContacts[r.Contact]
		s.spareContacts[k].island = r.Island
	}
	s.solverContacts, s.spareContacts = s.spareContacts, s.solverContacts
	s.buildContactLists()
}

// prepareContacts passes the contacts to the contact solver.
func (s *Space) prepareContacts() {
	for k := range s.solverContacts {
		s.prepareContact(&s.solverContacts[k])
	}
}

// prepareContact passes a contact to the contact solver.
func (s *Space) prepareContact(c *contact) {
	pair := s.solverPair(c)
	i := s.index[c.a]
	b, material := &s.bodies[i], &s.infos[i].material
	input := contacts.Contact{A: pair.A, B: pair.B, Island: c.island, History: c.History}
	smaller := b.radius
	var other *Material
	if c.b >= 0 {
		j := s.index[c.b]
		o := &s.bodies[j]
		other = &s.infos[j].material
		smaller = min(smaller, o.radius)
		input.Elastic = s.isElastic(i, j)
		d := b.x.Sub(o.x)
		length := d.Length()
		if !(length > 0) { // coincident centres: no normal
			s.contactSolver.AddContact(&input)
			return
		}
		input.Normal, input.Gap = d.Scale(1/length), length-(b.radius+o.radius)
	} else {
		f := &s.surfaces[surfaceCode-c.b]
		other = &f.material
		input.SurfaceVelocity = f.surfaceVelocity
		input.Gap, input.Normal = s.separation(b, surfaceCode-c.b, 0)
	}
	c.near = input.Gap <= float64(2*contacts.RestGap*smaller)
	input.Restitution = s.restitution(material, other, s.contactSolver.ApproachSpeed(input.A, input.B, input.Normal))
	input.Friction = s.combineFriction(material, other)
	switch s.contactSolver.AddContact(&input) {
	case contacts.Bounces: // as an impact of the event loop
		c.NormalImpulse, c.FrictionImpulse, c.TorqueImpulse = 0, collide.Vec3{}, collide.Vec3{}
	case contacts.Solved:
		c.Before = c.NormalImpulse
	case contacts.Immobile:
	}
}

// storeSpeedScales slows down drivers that push into bodies that cannot yield fast enough. Bodies
// on which a stopped driver presses are crushed.
func (s *Space) storeSpeedScales() {
	for k := range s.contactBodies {
		scale, driver := s.contactSolver.SpeedScale(int32(k))
		if !driver {
			continue
		}
		i := s.contactBodies[k].index
		id := s.infos[i].id
		s.speedScales = extendTo(s.speedScales, len(s.index), 0)
		s.speedScales[id] = 0
		if scale < 1 {
			v := s.contactSolver.StartVelocity(int32(k))
			s.speedScales[id] = max(scale, contacts.MinSpeedScale)
			s.haltedBodies = append(s.haltedBodies, haltedBody{i, v})
			s.bodies[i].v = v.Scale(scale)
			s.markStale(i)
			s.Counts.Blocked++
		}
	}
	for k, at := range s.solverSurfaceOf {
		if at < 0 {
			continue
		}
		scale, driver := s.contactSolver.SpeedScale(at)
		if !driver {
			continue
		}
		f := &s.surfaces[k]
		f.speedScale = 0
		if scale < 1 {
			f.speedScale = max(scale, contacts.MinSpeedScale)
			s.slowSurface(int32(k), s.contactSolver.StartVelocity(at).Scale(scale))
			s.Counts.Blocked++
		}
	}
	for k := range s.contactSolver.Constraints() {
		c := &s.solverContacts[s.contactSolver.ContactOf(k)]
		a, b := s.contactSolver.Bodies(k)
		if s.contactSolver.NormalImpulse(k) == 0 {
			continue
		}
		if s.isStopped(a) {
			s.noteCrushed(s.contactBodies[b].index, c.a, s.pathKey(s.index[c.a]), 0)
		}
		if s.isStopped(b) {
			key := uint32(0)
			if c.b >= 0 {
				key = s.pathKey(s.index[c.b])
			} else {
				key = s.statics.At(surfaceCode - c.b).Key
			}
			s.noteCrushed(s.contactBodies[a].index, c.b, key, 0)
		}
	}
}

// isStopped reports whether body or surface k of the contact solver is a driver that has been
// stopped.
func (s *Space) isStopped(k int32) bool {
	scale, driver := s.contactSolver.SpeedScale(k)
	return driver && !(scale > 0)
}

// slowSurface changes the velocity of surface k for this step.
func (s *Space) slowSurface(k int32, v collide.Vec3) {
	s.statics.SetVelocity(k, v)
	s.slowedSurfaces = append(s.slowedSurfaces, k)
}

// storeVelocities sets the velocities that the contact solver has found, and puts islands to sleep.
func (s *Space) storeVelocities() {
	solver := &s.contactSolver
	for k := range solver.Constraints() {
		c := &s.solverContacts[solver.ContactOf(k)]
		if !c.logged && solver.NormalImpulse(k) > 0 {
			s.logContact(k, c)
		}
		c.History = solver.History(k)
	}
	for at := range s.contactBodies {
		k := int32(at)
		i := s.contactBodies[k].index
		id := s.infos[i].id
		s.solverBodyOf[id] = -1
		if !solver.Movable(k) {
			continue
		}
		b, is := &s.bodies[i], &s.sleepStates[id]
		is.calmSteps = solver.CalmSteps(k)
		if solver.Rests(k) {
			s.bringToRest(i, id)
			continue
		}
		s.flags[i] &^= pairsSolved
		if !solver.Pressed(k) {
			continue // no contact acts on it
		}
		is.ownAcceleration, is.solvedInStep = s.accelerations[i], s.stepNumber
		is.atEndVelocity = solver.MovesAtEndVelocity(k)
		s.infos[i].acceleratedByContacts = true
		v := solver.Velocity(k)
		if is.atEndVelocity {
			b.v, s.accelerations[i] = v, collide.Vec3{}
			s.flags[i] &^= accelerated
		} else {
			v0 := solver.StartVelocity(k)
			b.v = v0.Add(v).Scale(0.5)
			s.accelerations[i] = v.Sub(v0).Scale(1 / s.Seconds)
			s.flags[i] |= accelerated
		}
		if p := s.spinOf(i); p != nil {
			p.angularVelocity = solver.AngularVelocity(k)
		}
		if !solver.Unresolved(k) && s.isWithinSearch(i) {
			s.flags[i] |= pairsSolved
		}
	}
	s.putIslandsToSleep()
	s.log.Sort()
}

// logContact logs that constraint k began without an impact, at the start of the step.
func (s *Space) logContact(k int, c *contact) {
	c.logged = true
	solver := &s.contactSolver
	a, b := solver.Bodies(k)
	n := solver.Normal(k)
	body := &s.bodies[s.index[c.a]]
	key := s.pathKey(s.index[c.a])
	if c.b >= 0 {
		key += s.pathKey(s.index[c.b])
	} else {
		key += s.statics.At(surfaceCode - c.b).Key
	}
	*s.log.Add() = eventlog.Entry{
		Point: body.x.AddScaled(-body.radius, n), Normal: n,
		Approach: max(solver.ApproachSpeed(a, b, n), 0), Impulse: solver.NormalImpulse(k),
		A: c.a, B: c.b, Kind: eventlog.Impact, Key: key,
	}
	s.Counts.inelastic++
}
