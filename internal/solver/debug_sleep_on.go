//go:build dangodebug

package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/grow"
)

// sleepCheck is a contact solver for sleeping islands, beside that of the step.
type sleepCheck struct {
	solver    contacts.Solver
	bodies    []contactBody
	bodyOf    []int32
	surfaceOf []int32
	surfaces  []int32
	counted   []int32   // scratch: how many bodies name each island
	kept      []contact // scratch: copies of the contacts of sleeping islands
}

// contactsPerCheck is how many contacts of sleeping islands are solved in a step, on average, so
// that the check of large heaps takes no longer than the step.
const contactsPerCheck = 2000

// checkSleepingIslands checks that islands and bodies agree on who sleeps where.
func (s *Space) checkSleepingIslands(stage string) {
	d := &s.debug.sleepers
	d.counted = grow.Resize(d.counted, len(s.sleepingIslands))
	clear(d.counted)
	for id := range s.sleepStates {
		i := s.index[id]
		n := s.sleepStates[id].island
		if s.flags[i]&alive == 0 {
			n = -1 // the island of a body that has been removed wakes in the next step
		}
		if s.flags[i]&sleeping != 0 && n < 0 {
			s.fail(stage, "body %d sleeps in no island", id)
		}
		if n >= 0 {
			d.counted[n]++
		}
	}
	for _, n := range s.islandsToWake {
		if n >= 0 {
			d.counted[n] = -1
		}
	}
	for _, n := range s.freeIslands {
		if p := &s.sleepingIslands[n]; len(p.bodies)+len(p.contacts) > 0 || d.counted[n] > 0 {
			s.fail(stage, "island %d is free, but has %d bodies and %d contacts", n, len(p.bodies), len(p.contacts))
		}
	}
	for n := range s.sleepingIslands {
		p := &s.sleepingIslands[n]
		if d.counted[n] < 0 {
			continue // it wakes in the next step
		}
		if len(p.bodies) != int(d.counted[n]) {
			s.fail(stage, "sleeping island %d has %d bodies, but %d name it as theirs", n, len(p.bodies), d.counted[n])
		}
		for _, id := range p.bodies {
			if i := s.index[id]; s.sleepStates[id].island != int32(n) || s.flags[i]&(alive|sleeping) != alive|sleeping {
				s.fail(stage,
					"body %d of sleeping island %d has flags %#x and island %d, want it to sleep there", id, n,
					s.flags[i], s.sleepStates[id].island)
			} else if s.bodies[i].x != s.sleepStates[id].position {
				s.fail(stage, "body %d fell asleep at %v and is at %v, want it to stay", id,
					s.sleepStates[id].position, s.bodies[i].x)
			}
		}
		for k := range p.contacts {
			if h := &p.contacts[k]; !s.supportsChanged(h) && (!s.isKnown(h.a) || !s.isKnown(h.b)) {
				s.fail(stage, "sleeping island %d has a contact of %d and %d, want two that are in the world", n,
					h.a, h.b)
			}
		}
	}
}

// supportsChanged reports whether one side of a contact of a sleeping island is listed as changed:
// the island wakes in the next step.
func (s *Space) supportsChanged(h *contact) bool {
	for _, code := range s.changedSupports {
		if code == h.a || code == s.supportOf(h.b) {
			return true
		}
	}
	return false
}

// checkSleepersRest solves the sleeping islands as if they were awake, and checks that none of
// their bodies would move.
func (s *Space) checkSleepersRest(stage string) {
	d := &s.debug.sleepers
	total := 0
	for n := range s.sleepingIslands {
		total += len(s.sleepingIslands[n].contacts)
	}
	if total == 0 || int(s.stepNumber)%(1+total/contactsPerCheck) != 0 {
		return
	}
	// The functions that hand contacts to the contact solver get another one for the time being.
	d.swap(s)
	defer d.swap(s)
	s.resetContactSolver()
	s.solverBodyOf = grow.Fill(s.solverBodyOf[:0], len(s.index), -1)
	s.solverSurfaceOf = grow.Fill(s.solverSurfaceOf[:0], s.statics.Numbers(), -1)
	s.contactSurfaces = s.contactSurfaces[:0]
	for n := range s.sleepingIslands {
		for _, id := range s.sleepingIslands[n].bodies {
			s.addSleeper(id)
		}
	}
	kept := d.kept[:0] // copies: solving changes them
	for n := range s.sleepingIslands {
		for k := range s.sleepingIslands[n].contacts {
			if h := s.sleepingIslands[n].contacts[k]; !s.isOver(stage, n, h) {
				kept = append(kept, h)
			}
		}
	}
	for k := range kept {
		s.addContactBodies(&kept[k])
	}
	s.solverPairs = s.solverPairs[:0]
	for k := range kept {
		h := &kept[k]
		if h.b < 0 {
			h.solverB = s.addSolverSurface(surfaceOf(h.b))
		}
		s.solverPairs = append(s.solverPairs, s.solverPair(h))
	}
	s.contactSolver.GroupContacts(s.solverPairs)
	var input contacts.Contact
	for k := range kept {
		if s.describeContact(&kept[k], &s.solverPairs[k], &input) {
			s.passContact(&kept[k], &input)
		}
	}
	d.kept = kept
	s.contactSolver.Solve()
	for n := range s.sleepingIslands {
		for _, id := range s.sleepingIslands[n].bodies {
			k := s.solverBodyOf[id]
			if !s.contactSolver.MaySleep(k) {
				s.fail(stage, "sleeping island %d would move: body %d at %v has velocity %v and %d calm steps "+
					"when it is solved, want it to stay at rest",
					n, id, s.bodies[s.index[id]].x, s.contactSolver.Velocity(k), s.contactSolver.CalmSteps(k))
			}
		}
	}
}

// isOver reports whether a contact of sleeping island n would be removed if the island woke. A
// contact may be that if it bears no load: of bodies that a driver might have brought together
// (comesNear), and did not. It gets a copy, since hasEnded notes in the contact what it finds.
func (s *Space) isOver(stage string, n int, h contact) bool {
	over, _ := s.hasEnded(&h)
	if over && h.NormalImpulse > 0 {
		s.fail(stage, "sleeping island %d has a contact of %d and %d, which do not touch any more, want it awake",
			n, h.a, h.b)
	}
	return over
}

// swap exchanges the contact solver of the step for that of the check.
func (d *sleepCheck) swap(s *Space) {
	s.contactSolver, d.solver = d.solver, s.contactSolver
	s.contactBodies, d.bodies = d.bodies, s.contactBodies
	s.solverBodyOf, d.bodyOf = d.bodyOf, s.solverBodyOf
	s.solverSurfaceOf, d.surfaceOf = d.surfaceOf, s.solverSurfaceOf
	s.contactSurfaces, d.surfaces = d.surfaces, s.contactSurfaces
}

// addSleeper adds a sleeping body to the contact solver, with the motion that it would have if its
// island woke.
func (s *Space) addSleeper(id int32) {
	i, is := s.index[id], &s.sleepStates[id]
	b := &s.bodies[i]
	mean := collide.Vec3{}.AddScaled(s.Seconds/2, is.acceleration)
	c := contacts.Body{
		ID: id, Position: b.x, Velocity: mean.AddScaled(-s.Seconds/2, is.acceleration),
		FreeVelocity: mean.AddScaled(s.Seconds/2, is.acceleration),
		Radius:       s.size(i), InverseMass: b.inverseMass, CalmSteps: s.infos[i].calmSteps,
		Mobility: s.unlocked(i, collide.Vec3{X: b.inverseMass, Y: b.inverseMass, Z: b.inverseMass}),
	}
	if p := s.spinOf(i); p != nil {
		c.AngularVelocity, c.InverseInertia = p.angularVelocity, p.inverseInertia
	}
	s.solverBodyOf[id] = s.contactSolver.AddBody(&c)
	s.contactBodies = append(s.contactBodies, contactBody{index: i, member: true})
}
