package solver

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/statics"
)

// A driver is a moving kinematic body or a moving surface. A driver that pushes into a heap is
// solved together with the heap from before it touches it, so that the heap yields in time (package
// contacts). An impact of the driver alone would find bodies that cannot yield because of their
// resting neighbours.

// isDriver reports whether body i is kinematic and moves.
func (s *Space) isDriver(i int32) bool {
	b := &s.bodies[i]
	return s.flags[i]&(alive|unchanged|sleeping) == alive && s.infos[i].kind == Kinematic &&
		b.inverseMass == 0 && b.v != (collide.Vec3{})
}

// wakeNearDrivers wakes the islands that a driver comes close to.
func (s *Space) wakeNearDrivers() {
	if !s.someSleep() {
		return
	}
	for i := range int32(len(s.flags)) {
		if s.isDriver(i) {
			s.eachNearDriver(i, s.wakeAt)
		}
	}
	if s.statics.Moving() > 0 {
		s.eachNearMovingSurface(s.wakeAt)
	}
}

// findDriverContacts adds the contacts of drivers with bodies that are in contact with other
// movable bodies. A body without such contacts has an impact with the driver instead, which is
// exact.
func (s *Space) findDriverContacts() {
	s.driverTravel = 0
	hasDrivers := s.statics.Moving() > 0
	for i := range int32(len(s.flags)) {
		if s.isDriver(i) {
			hasDrivers = true
			s.addSolverBody(i, false)
		}
	}
	if !hasDrivers {
		return
	}
	s.linkContacts()
	for i := range int32(len(s.flags)) {
		if s.isDriver(i) {
			s.eachNearDriver(i, s.addDriverContact)
		}
	}
	if s.statics.Moving() > 0 {
		s.eachNearMovingSurface(s.addDriverContact)
	}
}

// wakeAt wakes the island of body i, if it sleeps.
func (s *Space) wakeAt(i, _ int32) {
	if s.flags[i]&sleeping != 0 {
		s.wakeIsland(s.sleepStates[s.infos[i].id].island)
	}
}

// addDriverContact adds the contact of body i with a driver, a body's id or a surface's code, if
// body i is in contact with other movable bodies. It keeps track of driverTravel. The island of the
// body does not fall asleep in this step: nothing predicts when a driver reaches what sleeps.
func (s *Space) addDriverContact(i, code int32) {
	if id := s.infos[i].id; int(id) < len(s.sleepStates) {
		s.sleepStates[id].nearDriverInStep = s.stepNumber
	}
	if at := s.solverBodyOf[s.infos[i].id]; at >= 0 && s.contactSolver.Linked(at) {
		s.addContact(s.infos[i].id, code)
		var v collide.Vec3
		if code >= 0 {
			v = s.bodies[s.index[code]].v
		} else {
			v = s.statics.At(surfaceOf(code)).VelocityAt(s.bodies[i].x, 0)
		}
		s.driverTravel = max(s.driverTravel, float64(v.Distance(s.bodies[i].v)*s.Seconds))
	}
}

// eachNearDriver calls found with each body that the kinematic body i comes close to in this step,
// and the id of body i.
func (s *Space) eachNearDriver(i int32, found func(j, code int32)) {
	if s.infos[i].material.Sensor || s.infos[i].material.Sliding {
		return
	}
	b := &s.bodies[i]
	id, v := s.infos[i].id, b.v
	s.listNear(b, b.radius)
	for _, j := range s.nearby {
		o := &s.bodies[j]
		if !s.isMovedByContacts(j) || !s.mayCollide(i, j) || s.vetoed(id, s.infos[j].id) {
			continue
		}
		if !s.areSpheres(i, j) {
			if s.comesNearDriver(i, j) {
				found(j, id)
			}
			continue
		}
		smaller := min(b.radius, o.radius)
		d := o.x.Sub(b.x)
		length, touch := d.Length(), b.radius+o.radius
		if gap := length - touch; gap > smaller || gap < -smaller || !(length > 0) {
			continue // from farther away, the direction is a poor estimate of where the two will touch
		}
		if length+float64(s.towards(j, d, v)/length*s.Seconds) <= touch+float64(nearTolerance*smaller) {
			found(j, id)
		}
	}
}

// towards returns n·w if that is negative, and otherwise 0, where w is the velocity of body i
// relative to a driver that moves at v, and n points from the driver to it. A sleeping body has to
// wake both for what reaches it and for what it would reach if it were awake, so it counts at rest
// and in free motion.
func (s *Space) towards(i int32, n, v collide.Vec3) float64 {
	approach := min(0, n.Dot(s.freeVelocity(i).Sub(v)))
	if s.flags[i]&sleeping != 0 {
		approach = min(approach, -n.Dot(v))
	}
	return approach
}

// eachNearMovingSurface calls found with each body that a moving surface comes close to in this
// step, and the code of the surface.
func (s *Space) eachNearMovingSurface(found func(i, code int32)) {
	largest := 0.0
	for i := range s.bodies {
		if s.flags[i]&alive != 0 {
			largest = max(largest, s.bodies[i].radius)
		}
	}
	const more = 1 + 0x1p-6 // as in listNear
	for _, k := range s.movingSurfaces {
		f := s.statics.At(k)
		if !f.Moves() || f.Sensor || s.surfaces[k].material.Sliding {
			continue
		}
		s.listNearBox(s.statics.Reach(k).Grow(float64(2 * largest * more)))
		slices.Sort(s.nearby) // no result may depend on the cells of the grid
		s.Counts.reachTests += len(s.nearby)
		for _, i := range s.nearby {
			b := &s.bodies[i]
			if !f.MayBeMet(collide.AABB{Min: b.x, Max: b.x}.Grow(float64(3 * b.radius))) {
				continue
			}
			if !s.isMovedByContacts(i) || !s.maySolveSurface(i, k) {
				continue
			}
			if f.Kind() == statics.Polygon && !f.Rotates() && math.Abs(f.PlaneHeight(b.x)) > 2*b.radius {
				continue
			}
			s.statics.EachFacetNear(s.around(i), k, b.x, 2*b.radius, 0, func(k int32) {
				size := s.size(i)
				gap, n := s.gapNear(i, k)
				if gap > size || gap < -size || f.IsOneSided() && n.Dot(s.statics.Normal(s.around(i), k)) < 0 {
					return // or the body's centre is behind the surface, where nothing collides
				}
				v := f.VelocityAt(b.x.AddScaled(-b.radius, n), 0)
				if gap+float64(s.towards(i, n, v)*s.Seconds) <= float64(nearTolerance*size) {
					found(i, codeOf(k))
				}
			})
		}
	}
}
