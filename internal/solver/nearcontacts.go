package solver

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// This file finds the contacts of bodies with others, and with surfaces, that they come close to.

const (
	// nearTolerance is the gap, as a fraction of the smaller radius, up to which two bodies that
	// are in contacts are solved together. It has to be larger than what bodies of a heap approach
	// each other in a step, or they collide one by one. A larger value adds contacts without
	// impulse, which cost time.
	nearTolerance = 0x1p-4

	// searchReach is the gap, as a fraction of the smaller radius, up to which they are if they
	// come as close as nearTolerance within the step. A smaller value misses faster approaches; a
	// larger one makes each search slower.
	searchReach = 0x1p-2

	// searchMoveShare is how far a body moves before it searches again for bodies close to it, as a
	// fraction of the smallest radius. Two bodies that move must find each other before the gap is
	// larger than nearTolerance, so twice this is less than that. A smaller value means more
	// searches.
	searchMoveShare = 0x1p-6
)

// neighborSearch describes a body's last search for bodies close to it.
type neighborSearch struct {
	position       collide.Vec3 // of the body at that time
	missedNeighbor bool         // it found something with velocity zero that is not solved together with the body
	stepNumber     uint32       // the last step in which the body was in a contact; 0 to search again in any case
}

// searchAgain makes the body with an id search again for what is close to it, though it has not
// moved.
func (s *Space) searchAgain(id int32) {
	if int(id) < len(s.neighborSearches) {
		s.neighborSearches[id].stepNumber = 0
	}
}

// addNearbyContacts adds the contacts of bodies that are in contacts with bodies that are too, and
// with surfaces, if they come close.
func (s *Space) addNearbyContacts() {
	found, prefetches := s.findNeighbors(), s.prefetchesContacts()
	for k := int32(0); int(k) < len(s.contactBodies); k++ {
		if prefetches {
			s.prefetchContactBody(int(k) + contactsAhead)
		}
		if !s.contactBodies[k].member || !s.contactSolver.Movable(k) {
			continue
		}
		i := s.contactBodies[k].index
		id := s.infos[i].id
		last := &s.neighborSearches[id]
		searches := s.searchesNear(i, last)
		last.stepNumber = s.stepNumber
		if !searches {
			continue
		}
		last.position, last.missedNeighbor = s.bodies[i].x, false
		if !found || !s.takeNeighbors(k, id) {
			s.listNearContacts(k, i)
		}
		for _, j := range s.nearby {
			if i == j || s.flags[j]&alive == 0 || !s.mayCollide(i, j) {
				continue
			}
			o := s.infos[j].id
			if !s.maySolve(i, j) {
				last.missedNeighbor = last.missedNeighbor || s.bodies[j].v == collide.Vec3{}
				continue
			}
			if s.isMovedByContacts(j) && s.flags[j]&sleeping == 0 {
				if at := s.solverBodyOf[o]; at < 0 || !s.contactBodies[at].member { // j flies: it has impacts
					last.missedNeighbor = last.missedNeighbor || s.bodies[j].v == collide.Vec3{}
					continue
				}
			}
			if !s.comesNear(k, i, j) || s.vetoed(id, o) {
				continue
			}
			if s.flags[j]&sleeping != 0 {
				s.wakeIsland(s.sleepStates[o].island)
			}
			s.addContact(id, o)
			s.addSolverBody(j, s.isMovedByContacts(j))
		}
		if len(s.nearSurfaces) > 0 {
			s.addSurfaceContacts(i, id)
		}
	}
}

// addContactsOfPlaced adds the contacts of bodies that the game has placed so that they touch
// something on which they would not bounce. Such a body rests or slides from the beginning of the
// step.
func (s *Space) addContactsOfPlaced() {
	for _, id := range s.placedIDs {
		i := s.index[id]
		if !s.isMovedByContacts(i) {
			continue
		}
		b := &s.bodies[i]
		material := &s.infos[i].material
		touches := func(gap, radius float64) bool {
			return gap <= float64(touchTolerance*radius) && gap >= -float64(overlapTolerance*radius)
		}
		size := s.size(i)
		s.listNear(b, float64(touchTolerance*size))
		for _, j := range s.nearby {
			o := &s.bodies[j]
			if i == j || !s.maySolve(i, j) || !s.mayCollide(i, j) {
				continue
			}
			if !s.areSpheres(i, j) {
				s.addShapePairOfPlaced(i, j)
				continue
			}
			d := b.x.Sub(o.x)
			if length := d.Length(); length > 0 && touches(length-(b.radius+o.radius), min(b.radius, o.radius)) {
				approach := -d.Dot(s.startVelocity(i).Sub(s.startVelocity(j))) / length
				if s.restitution(material, &s.infos[j].material, approach) == 0 {
					s.addContact(id, s.infos[j].id)
				}
			}
		}
		s.nearSurfaces = s.nearSurfaces[:0]
		ball := collide.Sphere{Center: b.x, Radius: float64(b.radius * (1 + touchTolerance))}
		s.statics.EachSolidNear(s.around(i), ball, func(k int32) {
			if !s.maySolveSurface(i, k) {
				return
			}
			gap, n, ok := s.touchOf(i, k)
			if !ok || !touches(gap, size) {
				return
			}
			if s.flags[i]&shaped != 0 { // the gap of the coming touch may be smaller than that now
				if now, _ := s.gapAt(i, b.x, k, 0); now > float64(touchTolerance*size) {
					return
				}
			}
			point := b.x.AddScaled(-b.radius, n)
			approach := -n.Dot(s.startVelocity(i).Sub(s.statics.At(k).VelocityAt(point, 0)))
			if s.restitution(material, &s.infoOf(codeOf(k)).material, approach) == 0 {
				s.nearSurfaces = append(s.nearSurfaces, k)
			}
		})
		s.addFloorContacts(i)
	}
}

// searchesNear reports whether body i, a movable body in a contact, searches for bodies close to it
// in this step. last is its last search.
//
// A search is repeated when the body has moved, or is fast: two fast bodies side by side may
// approach each other without having moved far since. Its velocity is that at the start of the
// step: the mean velocity is half a step of gravity faster, and a body that rests on others would
// search for nothing. It leaves that to the others, as one that sleeps does.
func (s *Space) searchesNear(i int32, last *neighborSearch) bool {
	move := float64(searchMoveShare * s.smallestRadius)
	known := last.stepNumber == s.stepNumber-1 && s.flags[i]&placed == 0 // the last search is of the step before
	moved := s.bodies[i].x.Sub(last.position)
	slow := float64(s.startVelocity(i).LengthSquared()*s.Seconds*s.Seconds) <= float64(move*move)
	return !known || !slow || s.driverTravel > move || moved.LengthSquared() > float64(move*move)
}

// listNearContacts lists the bodies near body i in s.nearby, and in s.nearSurfaces the surfaces
// that it comes close to. It is number k of the contact solver.
func (s *Space) listNearContacts(k, i int32) {
	size := s.size(i)
	s.listNear(&s.bodies[i], float64(searchReach*size)+min(s.driverTravel, size))
	s.nearSurfaces = s.nearSurfaces[:0]
	if s.flags[i]&shaped != 0 {
		s.listSurfacesNearShape(i, s.contactSolver.FreeVelocity(k))
	} else {
		s.listSurfacesNear(i, s.contactSolver.FreeVelocity(k))
	}
}

// isWithinSearch reports whether everything that body i can touch in this step is solved together
// with it: the body moves so little that its search has found all of it.
func (s *Space) isWithinSearch(i int32) bool {
	move := float64(searchMoveShare * s.smallestRadius)
	return !s.neighborSearches[s.infos[i].id].missedNeighbor &&
		float64(s.bodies[i].v.LengthSquared()*float64(s.Seconds*s.Seconds)) <= float64(move*move)
}

// listNear lists in s.nearby the bodies whose gap to body b is at most margin, b included. It
// filters what the grid finds by distance, since no result may depend on the cells of the grid.
func (s *Space) listNear(b *body, margin float64) {
	const more = 1 + 0x1p-6 // the grid may omit what touches the box only by rounding
	s.listNearBox(collide.AABB{Min: b.x, Max: b.x}.Grow(b.radius + float64(margin*more)))
	kept := s.nearby[:0]
	for _, j := range s.nearby {
		o := &s.bodies[j]
		reach := b.radius + margin + o.radius
		if b.x.Sub(o.x).LengthSquared() <= float64(reach*reach) {
			kept = append(kept, j)
		}
	}
	s.nearby = kept
}

// listNearBox lists in s.nearby every body that could reach into box, and maybe others, in no
// particular order.
func (s *Space) listNearBox(box collide.AABB) {
	if !s.listInBox(box) {
		s.listAll()
	}
}

// listInBox is listNearBox, but lists nothing of use and returns false if it is faster to test all
// bodies.
func (s *Space) listInBox(box collide.AABB) (few bool) {
	s.nearby, few = s.grid.InBox(box, s.nearby[:0])
	return few
}

// listAll lists all bodies in s.nearby, and returns it.
func (s *Space) listAll() []int32 {
	s.nearby = s.nearby[:0]
	for i, f := range s.flags {
		if f&alive != 0 {
			s.nearby = append(s.nearby, int32(i))
		}
	}
	return s.nearby
}

// comesNear reports whether bodies i and j are solved together: they are close, or come close in
// this step. Body i is number k of the contact solver.
func (s *Space) comesNear(k, i, j int32) bool {
	if !s.areSpheres(i, j) {
		return s.comesNearShape(k, i, j)
	}
	a, b := &s.bodies[i], &s.bodies[j]
	d := a.x.Sub(b.x)
	touch := a.radius + b.radius
	smaller := min(a.radius, b.radius)
	travel := min(s.driverTravel, smaller)
	near := touch + float64(nearTolerance*smaller) + travel
	dd := d.LengthSquared()
	if reach := touch + float64(searchReach*smaller) + travel; dd > float64(reach*reach) {
		return false
	}
	// With the relative velocity w: |d| + Seconds·min(0, n·w) <= near, times |d|.
	w := s.contactSolver.FreeVelocity(k).Sub(s.freeVelocity(j))
	return dd+float64(s.Seconds*min(0, d.Dot(w))) <= float64(near*math.Sqrt(dd))
}

// listSurfacesNear adds to s.nearSurfaces the surfaces that body i comes close to at velocity free,
// which it has if no contact acts, and with which it has no contact yet.
func (s *Space) listSurfacesNear(i int32, free collide.Vec3) {
	x, radius := s.bodies[i].x, s.bodies[i].radius
	near := s.nearReach(radius)
	id := s.infos[i].id
	s.statics.EachApproached(s.needAround(i), x, free, radius, near, func(k int32) bool {
		return s.findContact(id, codeOf(k)) < 0 && s.maySolveSurface(i, k)
	}, func(k int32) { s.nearSurfaces = append(s.nearSurfaces, k) })
}

// addSurfaceContacts adds the contacts of body i with the surfaces of s.nearSurfaces.
func (s *Space) addSurfaceContacts(i, id int32) {
	s.nearSurfaces = slices.DeleteFunc(s.nearSurfaces, func(k int32) bool {
		if s.statics.HasEdges(k) {
			return false
		}
		s.addContact(id, codeOf(k))
		return true
	})
	s.addFloorContacts(i)
}

// maySolveSurface reports whether body i and surface k can have a persistent contact, by their
// materials, and because the body does not go through the surface.
func (s *Space) maySolveSurface(i, k int32) bool {
	m := &s.infoOf(codeOf(k)).material
	return !m.Sliding && !m.Sensor && s.infos[i].material.collides(m) && !s.vetoed(s.infos[i].id, codeOf(k)) &&
		!s.isFast(k) && !s.passes(i, k, s.bodies[i].x, 0)
}
