package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/eventlog"
)

// Contacts that last are solved together, by package contacts. This file tells it what there is to
// solve, decides restitution and friction of each contact, and stores the velocities that it finds.

// contactBody is what this package keeps of a body that takes part in the solution, by its index
// there.
type contactBody struct {
	index       int32 // in Space.bodies
	member      bool  // it is in a contact, and not only something kinematic that might come into one
	neverSleeps bool  // of the root of an island: one of its bodies never sleeps
	island      int32 // of the root of an island that falls asleep: its nap and 1; 0 for none
}

// addSolverBody adds body i to the contact solver, unless it is there, and returns its index there.
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

// addSolverSurface adds surface k to the contact solver, unless it is there, and returns its index
// there.
func (s *Space) addSolverSurface(k int32) int32 {
	if s.solverSurfaceOf[k] < 0 {
		f := s.statics.At(k)
		s.solverSurfaceOf[k] = s.contactSolver.AddSurface(&contacts.Surface{
			ID: surfaceCode - k, Position: f.Plane.Normal.Scale(2), Velocity: f.Velocity, SpeedScale: s.surfaces[k].speedScale,
		})
	}
	return s.solverSurfaceOf[k]
}

// solverPair returns the indices of the two of a contact in the contact solver.
func (s *Space) solverPair(h *contact) contacts.Pair {
	if h.b >= 0 {
		return contacts.Pair{A: s.solverBodyOf[h.a], B: s.solverBodyOf[h.b]}
	}
	return contacts.Pair{A: s.solverBodyOf[h.a], B: s.solverSurfaceOf[surfaceCode-h.b]}
}

// solveContacts solves the contacts that last, and gives their bodies the velocities that they
// leave.
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

// resetContactSolver forgets the bodies and contacts of the last step.
func (s *Space) resetContactSolver() {
	s.contactSolver.Reset(contacts.Settings{
		Seconds: s.Seconds, LengthUnit: s.LengthUnit, Down: s.Down, TouchTolerance: touchTolerance, OverlapTolerance: overlapTolerance,
	})
	s.contactBodies = s.contactBodies[:0]
}

// addSolverSurfaces adds all surfaces that are in contacts. They come after all bodies.
func (s *Space) addSolverSurfaces() {
	s.solverSurfaceOf = resize(s.solverSurfaceOf, s.statics.Numbers())
	for k := range s.solverSurfaceOf {
		s.solverSurfaceOf[k] = -1
	}
	for k := range s.solverContacts {
		if h := &s.solverContacts[k]; h.b < 0 {
			s.addSolverSurface(surfaceCode - h.b)
		}
	}
}

// linkContacts tells the contact solver which bodies are in one island.
func (s *Space) linkContacts() {
	for k := range s.solverContacts {
		if h := &s.solverContacts[k]; h.b >= 0 && !s.isElastic(s.index[h.a], s.index[h.b]) {
			s.contactSolver.LinkBodies(s.solverBodyOf[h.a], s.solverBodyOf[h.b])
		}
	}
}

// isElastic reports whether bodies i and j bounce off each other however slowly they meet.
func (s *Space) isElastic(i, j int32) bool {
	a, b := &s.infos[i].material, &s.infos[j].material
	return (a.Restitution == 1 || b.Restitution == 1) && s.restitution(a, b, 0) > 0
}

// orderContacts puts the contacts in the order in which they are solved. They keep it while none
// comes or goes.
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

// prepareContacts hands the contacts to the contact solver.
func (s *Space) prepareContacts() {
	for k := range s.solverContacts {
		s.prepareContact(&s.solverContacts[k])
	}
}

// prepareContact hands a contact to the contact solver.
func (s *Space) prepareContact(h *contact) {
	pair := s.solverPair(h)
	i := s.index[h.a]
	b, material := &s.bodies[i], &s.infos[i].material
	c := contacts.Contact{A: pair.A, B: pair.B, Island: h.island, History: h.History}
	smaller := b.radius
	var other *Material
	if h.b >= 0 {
		j := s.index[h.b]
		o := &s.bodies[j]
		other = &s.infos[j].material
		smaller = min(smaller, o.radius)
		c.Elastic = s.isElastic(i, j)
		d := b.x.Sub(o.x)
		length := d.Length()
		if !(length > 0) { // there is no normal
			s.contactSolver.AddContact(&c)
			return
		}
		c.Normal, c.Gap = d.Scale(1/length), length-(b.radius+o.radius)
	} else {
		f := &s.surfaces[surfaceCode-h.b]
		other = &f.material
		c.SurfaceVelocity = f.surfaceVelocity
		c.Gap, c.Normal = s.separation(b, surfaceCode-h.b, 0)
	}
	h.near = c.Gap <= float64(2*contacts.RestGap*smaller)
	c.Restitution = s.restitution(material, other, s.contactSolver.ApproachSpeed(c.A, c.B, c.Normal))
	c.Friction = s.combineFriction(material, other)
	switch s.contactSolver.AddContact(&c) {
	case contacts.Bounces: // at its own time, in the calendar
		h.NormalImpulse, h.FrictionImpulse, h.TorqueImpulse = 0, collide.Vec3{}, collide.Vec3{}
	case contacts.Solved:
		h.Before = h.NormalImpulse
	case contacts.Immobile:
	}
}

// storeSpeedScales slows down what is kinematic and pushes into bodies that cannot yield. What it
// presses on where it stands is crushed.
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
		h := &s.solverContacts[s.contactSolver.ContactOf(k)]
		a, b := s.contactSolver.Bodies(k)
		if s.contactSolver.NormalImpulse(k) == 0 {
			continue
		}
		if s.isStopped(a) {
			s.noteCrushed(s.contactBodies[b].index, h.a, s.pathKey(s.index[h.a]), 0)
		}
		if s.isStopped(b) {
			key := uint32(0)
			if h.b >= 0 {
				key = s.pathKey(s.index[h.b])
			} else {
				key = s.statics.At(surfaceCode - h.b).Key
			}
			s.noteCrushed(s.contactBodies[a].index, h.b, key, 0)
		}
	}
}

// isStopped reports whether body or surface k of the contact solver moves by itself and has been
// brought to a stop.
func (s *Space) isStopped(k int32) bool {
	scale, driver := s.contactSolver.SpeedScale(k)
	return driver && !(scale > 0)
}

// slowSurface gives surface k another velocity for this step.
func (s *Space) slowSurface(k int32, v collide.Vec3) {
	s.statics.SetVelocity(k, v)
	s.slowedSurfaces = append(s.slowedSurfaces, k)
}

// storeVelocities gives the bodies the velocities that the contact solver has found, and puts
// islands to sleep.
func (s *Space) storeVelocities() {
	c := &s.contactSolver
	for k := range c.Constraints() {
		h := &s.solverContacts[c.ContactOf(k)]
		if !h.logged && c.NormalImpulse(k) > 0 {
			s.logContact(k, h)
		}
		h.History = c.History(k)
	}
	for at := range s.contactBodies {
		k := int32(at)
		i := s.contactBodies[k].index
		id := s.infos[i].id
		s.solverBodyOf[id] = -1
		if !c.Movable(k) {
			continue
		}
		b, is := &s.bodies[i], &s.sleepStates[id]
		is.calmSteps = c.CalmSteps(k)
		if c.Rests(k) {
			s.bringToRest(i, id)
			continue
		}
		s.flags[i] &^= pairsSolved
		if !c.Pressed(k) {
			continue // it flies
		}
		is.ownAcceleration, is.solvedInStep, is.atEndVelocity = s.accelerations[i], s.stepNumber, c.MovesAtEndVelocity(k)
		s.infos[i].acceleratedByContacts = true
		v := c.Velocity(k)
		if is.atEndVelocity {
			b.v, s.accelerations[i] = v, collide.Vec3{}
			s.flags[i] &^= accelerated
		} else {
			v0 := c.StartVelocity(k)
			b.v = v0.Add(v).Scale(0.5)
			s.accelerations[i] = v.Sub(v0).Scale(1 / s.Seconds)
			s.flags[i] |= accelerated
		}
		if p := s.spinOf(i); p != nil {
			p.angularVelocity = c.AngularVelocity(k)
		}
		if !c.Unresolved(k) && s.isWithinSearch(i) {
			s.flags[i] |= pairsSolved
		}
	}
	s.putIslandsToSleep()
	s.log.Sort()
}

// logContact logs that constraint k has come about without an impact, when the step begins.
func (s *Space) logContact(k int, h *contact) {
	h.logged = true
	c := &s.contactSolver
	a, b := c.Bodies(k)
	n := c.Normal(k)
	body := &s.bodies[s.index[h.a]]
	key := s.pathKey(s.index[h.a])
	if h.b >= 0 {
		key += s.pathKey(s.index[h.b])
	} else {
		key += s.statics.At(surfaceCode - h.b).Key
	}
	*s.log.Add() = eventlog.Entry{
		Point: body.x.AddScaled(-body.radius, n), Normal: n,
		Approach: max(c.ApproachSpeed(a, b, n), 0), Impulse: c.NormalImpulse(k),
		A: h.a, B: h.b, Kind: eventlog.Impact, Key: key,
	}
	s.Counts.inelastic++
}
