//go:build dangodebug

package solver

import (
	"fmt"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/calendar"
	"github.com/dango-physics/dango/internal/grow"
)

// With the tag dangodebug each stage of a step checks what it leaves behind, and panics where an
// invariant does not hold. Without it the functions of debug_off.go take the place of those of
// debug_on.go, debug_overlap.go and debug_sleep.go.
//
// Checks never change what a step computes. In a subdomain of a parallel step they see its bodies;
// contacts, sleep and overlaps are checked in the whole.

// debugState is what the checks remember, and their scratch.
type debugState struct {
	lastEvent float64 // time of the last event of the step
	seen      []bool  // scratch of checkIDs
	overlaps  overlapCheck
	sleepers  sleepCheck
}

// fail panics with the name of the package and the stage.
func (s *Space) fail(stage, format string, args ...any) {
	where := ""
	if s.subdomain != nil {
		where = fmt.Sprintf(" in subdomain %d", s.subdomain.number)
	}
	panic(fmt.Sprintf("solver: %s%s, step %d: ", stage, where, s.stepNumber) + fmt.Sprintf(format, args...))
}

// checkGameChanges checks the state with which a step begins, when Begin has taken over what the
// game has changed.
func (s *Space) checkGameChanges() {
	const stage = "Begin"
	s.checkIDs(stage)
	s.checkContactLists(stage)
	s.checkSleepingIslands(stage)
	s.checkStepForces(stage)
	s.beginOverlapCheck()
	for i, f := range s.flags {
		if f&stepFlags != 0 {
			s.fail(stage, "body %d has flags %#x of the step before", s.infos[i].id, f&stepFlags)
		}
		if b := &s.bodies[i]; f&alive != 0 && (!b.x.IsFinite() || !b.v.IsFinite() || !(b.radius > 0) ||
			!(b.inverseMass >= 0)) {
			s.fail(stage, "body %d is %+v, want finite numbers and a radius > 0", s.infos[i].id, *b)
		}
	}
}

// checkPairs checks the candidate pairs and the grid, when the pairs have been found.
func (s *Space) checkPairs() {
	const stage = "findPairs"
	s.checkIDs(stage)
	s.debug.lastEvent = 0
	for _, p := range s.pairs {
		if p.a == p.b || s.flags[p.a]&alive == 0 || s.flags[p.b]&alive == 0 {
			s.fail(stage, "bodies %d and %d are a candidate pair, want two that are in the world",
				s.infos[p.a].id, s.infos[p.b].id)
		}
	}
	s.checkCells(stage, 0)
	if s.subdomain == nil {
		s.statics.Check(stage)
	}
}

// checkPredictions checks the calendar, when the first impacts have been predicted.
func (s *Space) checkPredictions() {
	s.calendar.All(func(e calendar.Event) bool {
		s.checkCalendarEvent("predictFirstImpacts", &e)
		return true
	})
}

// checkEvent checks an event that is about to be processed.
func (s *Space) checkEvent(e *calendar.Event) {
	s.checkCalendarEvent("processEvents", e)
	if e.Time < s.debug.lastEvent {
		s.fail("processEvents", "the event of body %d at %v s comes after one at %v s, want times in order",
			s.infos[e.A].id, e.Time, s.debug.lastEvent)
	}
	s.debug.lastEvent = e.Time
}

// checkCalendarEvent checks that an event is within the step, is about things that exist, and was
// predicted on paths that have begun.
func (s *Space) checkCalendarEvent(stage string, e *calendar.Event) {
	if !(e.Time >= 0 && e.Time <= s.Seconds) {
		s.fail(stage, "the event of body %d is at %v s, want within the step of %v s", s.infos[e.A].id, e.Time,
			s.Seconds)
	}
	current := func(name string, id int32, now, stamp uint32) {
		if int32(now-stamp) < 0 {
			s.fail(stage, "an event at %v s has stamp %d of %s %d, whose path is number %d", e.Time, stamp, name,
				id, now)
		}
	}
	known := func(i int32) {
		if i < 0 || int(i) >= len(s.bodies) || s.flags[i]&alive == 0 {
			s.fail(stage, "an event at %v s is of body number %d, which is not in the world", e.Time, i)
		}
	}
	known(e.A)
	current("body", s.infos[e.A].id, s.pathIDs[e.A].Stamp, e.StampA)
	switch {
	case e.B == crossingCode:
		if side := int32(e.StampB); side < 0 || side > 6 || side == searchSide && !s.grid.HasLevels() {
			s.fail(stage, "body %d leaves its cell through side %d", s.infos[e.A].id, side)
		}
	case e.B >= 0:
		known(e.B)
		current("body", s.infos[e.B].id, s.pathIDs[e.B].Stamp, e.StampB)
	default:
		k := surfaceOf(e.B)
		if e.B < maxExitCode {
			k = e.B - exitCode
		}
		if !s.statics.Exists(k) && !s.debug.overlaps.replaced {
			s.fail(stage, "body %d has an event with surface %d, which is not in the world", s.infos[e.A].id, k)
		}
		if e.B >= maxExitCode {
			current("surface", k, s.statics.At(k).Stamp, e.StampB)
		}
	}
}

// checkCell checks that body i is in its cell at time t.
func (s *Space) checkCell(i int32, t float64) {
	s.checkPlace("processEvents", i, s.bodies[i].at(t))
}

// checkPlace checks that body i, which is at x, is in its cell.
func (s *Space) checkPlace(stage string, i int32, x collide.Vec3) {
	b := &s.bodies[i]
	rounding := float64(0x1p-50 * (b.x.SumAbs() + s.startPositions[i].SumAbs() + float64(b.v.SumAbs()*s.Seconds)))
	if err := s.grid.CheckBody(i, x, rounding, s.diameter(b)); err != nil {
		s.fail(stage, "body %d: %v", s.infos[i].id, err)
	}
}

// checkCells checks that each body is in its cell at time t, and that the lists of the grid agree.
func (s *Space) checkCells(stage string, t float64) {
	count := 0
	for i, f := range s.flags {
		if f&alive != 0 {
			count++
			s.checkPlace(stage, int32(i), s.bodies[i].at(t))
		}
	}
	if err := s.grid.CheckLists(count); err != nil {
		s.fail(stage, "%v", err)
	}
}

// checkContacts checks the persistent contacts, when they have been solved.
func (s *Space) checkContacts() {
	const stage = "solvePersistentContacts"
	s.checkContactLists(stage)
	s.checkSleepingIslands(stage)
	s.checkSleepersRest(stage)
	for id, k := range s.solverBodyOf {
		if k >= 0 {
			s.fail(stage, "body %d is still number %d of the contact solver, want none", id, k)
		}
	}
}

// checkFinish checks the state at the end of a step.
func (s *Space) checkFinish() {
	const stage = "Finish"
	s.checkIDs(stage)
	s.checkFlags(stage)
	s.checkContactLists(stage)
	s.checkSleepingIslands(stage)
	s.checkStepForces(stage)
	s.checkChains(stage)
	s.checkLockedAxes(stage)
	if !s.gridStale {
		for i := range s.bodies { // paths have ended: x is where a body is now
			if s.flags[i]&alive != 0 {
				s.checkPlace(stage, int32(i), s.bodies[i].x)
			}
		}
	}
	s.endOverlapCheck()
}

// checkLockedAxes checks that no body moves along an axis that is locked: nothing that it meets
// there could stop it.
func (s *Space) checkLockedAxes(stage string) {
	for i, f := range s.flags {
		b := &s.bodies[i]
		if k := int32(i); f&alive != 0 && b.inverseMass > 0 && s.unlocked(k, b.v) != b.v {
			s.fail(stage, "body %d moves at %v along locked axes (%b)", s.infos[i].id, b.v, s.infos[i].material.Locked)
		}
	}
}

// checkStepForces checks that bodies and step forces name each other, and that a force in the step
// that has begun is part of the acceleration of its body, unless that sleeps under the same force.
func (s *Space) checkStepForces(stage string) {
	named := 0
	for id, k := range s.stepForceOf {
		if k == 0 {
			continue
		}
		named++
		if int(k) > len(s.stepForces) || s.stepForces[k-1].id != int32(id) || s.flags[s.index[id]]&alive == 0 {
			s.fail(stage, "body %d has step force %d, which is not its own", id, k-1)
		}
	}
	if named != len(s.stepForces) {
		s.fail(stage, "%d bodies have step forces, and there are %d", named, len(s.stepForces))
	}
	for k := range s.stepForces {
		p := &s.stepForces[k]
		f, begun := s.flags[s.index[p.id]], stage == "Begin"
		wrong := (f&forced != 0) != begun
		if f&sleeping != 0 {
			wrong = f&forced != 0 || begun && p.next != p.last
		}
		if wrong {
			s.fail(stage, "body %d has flags %#x under the force %v, and had %v before", p.id, f, p.next, p.last)
		}
	}
}

// checkIDs checks that ids and bodies belong to each other, and that each id is used or free, once.
func (s *Space) checkIDs(stage string) {
	n := len(s.bodies)
	if len(s.infos) != n || len(s.pathIDs) != n || len(s.flags) != n || len(s.startPositions) != n ||
		len(s.accelerations) != n && len(s.accelerations) > 0 {
		s.fail(stage, "the arrays have %d bodies, %d infos, %d path ids, %d flags, %d accelerations and %d start "+
			"positions",
			n, len(s.infos), len(s.pathIDs), len(s.flags), len(s.accelerations), len(s.startPositions))
	}
	if s.subdomain != nil {
		for i := range s.infos {
			if id := s.infos[i].id; s.index[id] != int32(i) {
				s.fail(stage, "body %d is number %d, but its id has index %d", id, i, s.index[id])
			}
		}
		return
	}
	if ids := len(s.index); ids != n || len(s.sleepStates) > n || len(s.neighborSearches) != len(s.sleepStates) ||
		len(s.solverBodyOf) != n || len(s.firstContact) < n {
		s.fail(stage, "there are %d bodies and %d ids", n, ids)
	}
	used := 0
	for i := range s.infos {
		if id := s.infos[i].id; id < 0 || int(id) >= n || s.index[id] != int32(i) {
			s.fail(stage, "body number %d has id %d, but that id does not have index %d", i, id, i)
		}
		if s.flags[i]&alive != 0 {
			used++
		}
	}
	seen := grow.Resize(s.debug.seen, n)
	clear(seen)
	s.debug.seen = seen
	for _, list := range [2][]int32{s.freeIDs, s.removedIDs} {
		for _, id := range list {
			if s.flags[s.index[id]]&alive != 0 {
				s.fail(stage, "id %d is free, but body %d is in the world", id, id)
			}
			if seen[id] {
				s.fail(stage, "id %d is free twice", id)
			}
			seen[id] = true
		}
	}
	if free := len(s.freeIDs) + len(s.removedIDs); used+free != n {
		s.fail(stage, "%d ids are used and %d free, want %d together", used, free, n)
	}
}

// checkFlags checks that flags agree with the rest of what is known of a body, between steps.
func (s *Space) checkFlags(stage string) {
	if len(s.unsolvedBodies) > 0 && s.flags[s.unsolvedBodies[0]]&unsolved != 0 {
		s.fail(stage, "body %d is still unsolved", s.infos[s.unsolvedBodies[0]].id)
	}
	for i, f := range s.flags {
		id, b, a := s.infos[i].id, &s.bodies[i], s.acceleration(int32(i))
		if f&(stepFlags|ghost) != 0 {
			s.fail(stage, "body %d has flags %#x, which mean something within a step only", id, f&(stepFlags|ghost))
		}
		if f&alive == 0 {
			continue
		}
		if !b.x.IsFinite() || !b.v.IsFinite() || !a.IsFinite() {
			s.fail(stage, "body %d is at %v with velocity %v and acceleration %v, want finite numbers", id, b.x,
				b.v, a)
		}
		if f&accelerated != 0 && len(s.accelerations) == 0 {
			s.fail(stage, "body %d has the flag accelerated, but no acceleration is listed", id)
		}
		if f&accelerated == 0 && a != (collide.Vec3{}) {
			s.fail(stage, "body %d has acceleration %v, but not the flag accelerated", id, a)
		}
		// What was halted stands still, and has its velocity of the next step, in which it is Set
		// anew.
		isHalted := slices.ContainsFunc(s.haltedBodies, func(h haltedBody) bool { return h.index == int32(i) })
		if f&unchanged != 0 && !isHalted && (!b.v.SameBits(collide.Vec3{}) || a != (collide.Vec3{}) ||
			s.isRotating(int32(i)) || f&pairsSolved != 0) {
			s.fail(stage, "body %d is marked as unchanged, but has velocity %v, acceleration %v and flags %#x",
				id, b.v, a, f)
		}
		if f&sleeping != 0 && (b.v != (collide.Vec3{}) || a != (collide.Vec3{})) {
			s.fail(stage, "body %d sleeps, but has velocity %v and acceleration %v", id, b.v, a)
		}
		if p := s.spinOf(int32(i)); p != nil && (!p.angularVelocity.IsFinite() ||
			!(math.Abs(p.rotation.LengthSquared()-1) < 1e-9)) {
			s.fail(stage,
				"body %d turns at %v and has turned by %v, want a finite velocity and a unit quaternion", id,
				p.angularVelocity, p.rotation)
		}
	}
}

// checkChains checks the lists of sensor overlaps and slide contacts of each body.
func (s *Space) checkChains(stage string) {
	used := 0
	for i := range s.infos {
		if s.flags[i]&alive == 0 {
			continue
		}
		f := &s.infos[i]
		for at := f.overlaps; at >= 0; at = s.sensorOverlaps[at].next {
			if k := &s.sensorOverlaps[at]; k.visitor != f.id {
				s.fail(stage, "the sensor overlap of body %d with %d is in the list of body %d", k.visitor,
					k.sensor, f.id)
			}
			if used++; used > len(s.sensorOverlaps) {
				s.fail(stage, "the sensor overlaps of body %d have no end", f.id)
			}
		}
	}
	for k := range s.surfaces {
		if s.subdomain != nil {
			break // the lists of surfaces are those of the whole space
		}
		code := codeOf(int32(k))
		for at := s.surfaces[k].overlaps; at >= 0; at = s.sensorOverlaps[at].next {
			if of := s.sensorOverlaps[at].visitor; of != code {
				s.fail(stage, "a sensor overlap of %d is in the list of surface %d", of, k)
			}
			if used++; used > len(s.sensorOverlaps) {
				s.fail(stage, "the sensor overlaps of surface %d have no end", k)
			}
		}
	}
	if want := len(s.sensorOverlaps) - len(s.freeOverlaps); used != want {
		s.fail(stage, "%d sensor overlaps are in the lists of bodies, want %d", used, want)
	}
}

// isKnown reports whether a code is that of a body or surface in the world.
func (s *Space) isKnown(code int32) bool {
	if code >= 0 {
		return int(code) < len(s.index) && s.flags[s.index[code]]&alive != 0
	}
	return s.statics.Exists(surfaceOf(code))
}

// IsAlive reports whether a body or surface is in the space.
func (s *Space) IsAlive(h Handle) bool { return s.isKnown(int32(h)) }

// checkContactLists checks that each contact is of two things in the world, once, and in the list
// of its first body.
func (s *Space) checkContactLists(stage string) {
	for k := range s.solverContacts {
		h := &s.solverContacts[k]
		if h.a < 0 || h.b >= 0 && h.b <= h.a || !s.isKnown(h.a) || !s.isKnown(h.b) {
			s.fail(stage, "contact %d is of %d and %d, want two that are in the world, the smaller id first", k,
				h.a, h.b)
		}
		if h.gone {
			s.fail(stage, "the contact of %d and %d is marked as gone, but still there", h.a, h.b)
		}
		if !(h.NormalImpulse >= 0) || !h.FrictionImpulse.IsFinite() || !h.TorqueImpulse.IsFinite() {
			s.fail(stage, "the contact of %d and %d has impulses %+v, want finite numbers, and none negative",
				h.a, h.b, h.History)
		}
	}
	chained := 0
	for id, first := range s.firstContact {
		for at := first; at >= 0; at = s.contactLinks[at].next {
			if int(at) >= len(s.solverContacts) || s.solverContacts[at].a != int32(id) {
				s.fail(stage, "contact %d is in the list of body %d, want one of its own", at, id)
			}
			if chained++; chained > len(s.solverContacts) {
				s.fail(stage, "the list of contacts of body %d has no end", id)
			}
			for other := s.contactLinks[at].next; other >= 0; other = s.contactLinks[other].next {
				if other == at || s.contactLinks[other].b == s.contactLinks[at].b {
					s.fail(stage, "the contact of %d and %d is listed twice", id, s.contactLinks[at].b)
				}
			}
		}
	}
	if chained != len(s.solverContacts) {
		s.fail(stage, "%d contacts are in the lists of bodies, want %d", chained, len(s.solverContacts))
	}
}

// energyTolerance is by how much the energy of a pair may grow in an impact, as a fraction of what
// its speeds come to, for rounding.
const energyTolerance = 1e-12

// leastEnergy is the energy in J below which rounding is no longer relative.
const leastEnergy = 0x1p-1000

// pairEnergy is the energy of two things before an impact.
type pairEnergy struct {
	energy  float64 // kinetic, J
	allowed float64 // gain that the chords of accelerated paths and slide contacts allow, J
	driven  bool    // something that takes part moves by itself, and may add energy
}

// energyOf returns the energy of body i and code, a body's index or a surface's code, at time t.
func (s *Space) energyOf(i, code int32, t float64) pairEnergy {
	var e pairEnergy
	half := s.Seconds / 2
	for _, k := range [2]int32{i, code} {
		if k < 0 {
			f := s.statics.At(surfaceOf(k))
			e.driven = e.driven || f.Velocity != (collide.Vec3{}) || f.Rotates() ||
				s.beltVelocity(s.infoOf(k)) != (collide.Vec3{})
			continue
		}
		b := &s.bodies[k]
		if b.inverseMass == 0 {
			e.driven = e.driven || b.v != (collide.Vec3{}) || s.isRotating(k)
			continue
		}
		e.energy += s.kineticEnergy(k, b.v, t)
		speed := s.velocity(k, t).LengthSquared()
		if s.flags[k]&accelerated != 0 {
			e.allowed += s.acceleration(k).LengthSquared() * half * half / b.inverseMass
		}
		if p := s.spinOf(k); p != nil && p.inverseInertia == 0 && p.angularVelocity != (collide.Vec3{}) {
			e.driven = true
		}
		for at := s.infos[k].slideContacts; at >= 0; at = s.slideContacts[at].next {
			// Contacts limit the movement from before the first of them: what they took may come
			// back.
			c := &s.slideContacts[at]
			v := c.originVelocity.AddScaled(t-half, c.originAcceleration)
			e.allowed = max(e.allowed, 0.5*(v.LengthSquared()-speed)/b.inverseMass)
			if c.other < 0 {
				e.driven = e.driven || c.Velocity != (collide.Vec3{})
			} else {
				o := s.index[c.other]
				e.driven = e.driven || s.bodies[o].inverseMass == 0 && s.bodies[o].v != (collide.Vec3{})
			}
		}
		if p := s.spinOf(k); p != nil && p.inverseInertia > 0 {
			// A bounce off the contacts gives back the spin that they would have taken after it.
			gain := p.at(t, s.Seconds).LengthSquared() - p.angularVelocity.LengthSquared()
			e.allowed += max(0, 0.5*gain/p.inverseInertia)
		}
	}
	return e
}

// kineticEnergy returns the energy of body i at time t where its mean velocity is v.
func (s *Space) kineticEnergy(i int32, v collide.Vec3, t float64) float64 {
	e := 0.5 * s.velocityFrom(i, v, t).LengthSquared() / s.bodies[i].inverseMass
	if p := s.spinOf(i); p != nil && p.inverseInertia > 0 {
		e += 0.5 * p.angularVelocity.LengthSquared() / p.inverseInertia
	}
	return e
}

// checkImpact checks that an impact at time t of body i with code, a body's index or a surface's
// code, pushes and does not pull, and does not add energy. It leaves them mean velocities vi and
// vj.
func (s *Space) checkImpact(before pairEnergy, i, code int32, vi, vj collide.Vec3, t, impulse float64) {
	const stage = "processEvents"
	name := code
	if code >= 0 {
		name = s.infos[code].id
	}
	if !vi.IsFinite() || !vj.IsFinite() || math.IsNaN(impulse) {
		s.fail(stage, "the impact of %d and %d at %v s leaves velocities %v and %v after an impulse of %v",
			s.infos[i].id, name, t, vi, vj, impulse)
	}
	after, rounding, scale := 0.0, 0.0, before.energy
	for n, k := range [2]int32{i, code} {
		if k < 0 || s.bodies[k].inverseMass == 0 {
			continue
		}
		v := [2]collide.Vec3{vi, vj}[n]
		after += s.kineticEnergy(k, v, t)
		speed := v.SumAbs() + s.bodies[k].v.SumAbs()
		taken := float64(s.ownAcceleration(k).SumAbs() * s.Seconds) // at most, by what it presses on
		rounding += float64(0x1p-40*(speed+taken)) / s.bodies[k].inverseMass
		scale += float64(speed*speed) / s.bodies[k].inverseMass
	}
	allowed := before.allowed + float64(energyTolerance*scale) + leastEnergy
	if gain := after - before.energy; !before.driven && gain > allowed {
		s.fail(stage, "the impact of %d and %d at %v s adds %v J to %v J, want none (impulse %v, mean velocities "+
			"%v and %v; body %+v, acceleration %v, spin %+v)",
			s.infos[i].id, name, t, gain, before.energy, impulse, vi, vj, s.bodies[i], s.acceleration(i), s.spinOf(i))
	}
	// A body that something closes in on stops dead (crushBody). Where it moved out of the way, but
	// too slowly, that takes an impulse against the normal.
	crushed := vi == (collide.Vec3{}) && s.infos[i].budget == crushedBudget || vj == (collide.Vec3{}) && code >= 0 &&
		s.infos[code].budget == crushedBudget
	if !(impulse >= -rounding) && !crushed {
		s.fail(stage, "the impact of %d and %d at %v s has an impulse of %v, want >= 0", s.infos[i].id, name, t,
			impulse)
	}
}

// checkGroup checks that the impulses of a group have not added energy, unless something in it
// moves by itself or accelerates.
func (s *Space) checkGroup(t float64) {
	g := &s.group
	if g.takes {
		return // the velocities contain what accelerations do in the rest of the step
	}
	before, after, scale := 0.0, 0.0, 0.0
	for k := range g.parts {
		m := &g.parts[k]
		if !m.movable {
			if g.bodies[k].Velocity != (collide.Vec3{}) {
				return
			}
			continue
		}
		if m.released || m.acceleration != s.acceleration(m.code) || m.acceleration != (collide.Vec3{}) {
			return
		}
		mass, v, w := 1/s.bodies[m.code].inverseMass, s.velocity(m.code, t), g.bodies[k].Velocity
		before, after = before+0.5*mass*v.LengthSquared(), after+0.5*mass*w.LengthSquared()
		scale += mass * (v.LengthSquared() + w.LengthSquared())
	}
	if gain := after - before; gain > energyTolerance*scale+leastEnergy {
		s.fail("processEvents", "a group of %d contacts adds %v J to %v J at %v s, want none", len(g.contacts), gain,
			before, t)
	}
}
