package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// What is kinematic, and pushes into a pile, is solved together with that from before it touches it: then the pile gives way in time. What it met in the
// calendar would only find its neighbours in the way, which stand still, and they theirs.

// drives reports whether body i goes somewhere by itself.
func (s *Space) drives(i int32) bool {
	b := &s.bodies[i]
	return s.flags[i]&(alive|resting|asleep) == alive && b.inverseMass == 0 && b.v != (collide.Vec3{}) && s.infos[i].kind == Kinematic
}

// rouseDriven wakes what sleeps where something kinematic comes.
func (s *Space) rouseDriven() {
	if len(s.naps) == len(s.freeNaps) {
		return
	}
	for i := range int32(len(s.flags)) {
		if s.drives(i) {
			s.driveAll(i, s.rouseIn)
		}
	}
	if s.moving > 0 {
		s.driveSurfaces(s.rouseIn)
	}
}

// findDriven adds holds of what is kinematic, and comes near, with what other bodies hold. What nothing else holds meets it in the calendar, which is exact.
func (s *Space) findDriven() {
	s.thrust = 0
	any := s.moving > 0
	for i := range int32(len(s.flags)) {
		if s.drives(i) {
			any = true
			s.addSolverBody(i, false)
		}
	}
	if !any {
		return
	}
	s.linkContacts()
	for i := range int32(len(s.flags)) {
		if s.drives(i) {
			s.driveAll(i, s.drive)
		}
	}
	if s.moving > 0 {
		s.driveSurfaces(s.drive)
	}
}

// rouseIn ends the nap that body i is in, if any.
func (s *Space) rouseIn(i, _ int32) {
	if s.flags[i]&asleep != 0 {
		s.wake(s.stills[s.infos[i].id].nap)
	}
}

// drive adds a hold of body i, if others hold it, with what comes: a body's id or a surface's code.
func (s *Space) drive(i, code int32) {
	if at := s.solverBodyOf[s.infos[i].id]; at >= 0 && s.contactSolver.Linked(at) {
		s.addHold(s.infos[i].id, code)
		var v collide.Vec3
		if code >= 0 {
			v = s.bodies[s.index[code]].v
		} else {
			v = s.surfaces[surfaceCode-code].Velocity
		}
		s.thrust = max(s.thrust, float64(v.Distance(s.bodies[i].v)*s.Seconds))
	}
}

// driveAll calls meets with the bodies that the kinematic body i comes near to in this step, and its id.
func (s *Space) driveAll(i int32, meets func(j, code int32)) {
	if s.infos[i].material.Sensor || s.infos[i].material.Slide {
		return
	}
	b := &s.bodies[i]
	id, v := s.infos[i].id, b.v
	s.lookNear(b, b.radius)
	for _, j := range s.near {
		o := &s.bodies[j]
		if !s.canHold(j) || s.infos[j].material.Slide || !s.infos[i].material.collides(&s.infos[j].material) {
			continue
		}
		least := min(b.radius, o.radius)
		d := o.x.Sub(b.x)
		length, touch := d.Length(), b.radius+o.radius
		if gap := length - touch; gap > least || gap < -least || !(length > 0) {
			continue // farther than that off where it is says little of where it is going to be met
		}
		w := s.fallOf(j).Sub(v)
		if length+float64(min(0, d.Dot(w))/length*s.Seconds) <= touch+float64(nearShare*least) {
			meets(j, id)
		}
	}
}

// fallOf returns the velocity that body i has at the end of the step if nothing holds it.
func (s *Space) fallOf(i int32) collide.Vec3 {
	if s.flags[i]&pulled != 0 {
		return s.bodies[i].v.AddScaled(s.Seconds/2, s.pulls[i])
	}
	return s.bodies[i].v
}

// driveSurfaces calls meets with the bodies that moving surfaces come near to in this step, and their codes.
func (s *Space) driveSurfaces(meets func(i, code int32)) {
	for k := range s.surfaces {
		f := &s.surfaces[k]
		if !f.moves() || f.Material.Sensor || f.Material.Slide {
			continue
		}
		for i := range int32(len(s.bodies)) {
			if !s.canHold(i) || !s.mayHoldSurface(i, int32(k)) {
				continue
			}
			b := &s.bodies[i]
			if f.Polygon != nil && math.Abs(f.Plane.Normal.Dot(b.x.Sub(f.shift(0)))-f.Plane.Distance) > 2*b.radius {
				continue
			}
			gap, n := s.separation(b, int32(k), 0)
			if gap > b.radius || gap < -b.radius {
				continue
			}
			if gap+float64(min(0, n.Dot(s.fallOf(i).Sub(f.Velocity)))*s.Seconds) <= float64(nearShare*b.radius) {
				meets(i, surfaceCode-int32(k))
			}
		}
	}
}
