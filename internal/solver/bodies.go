package solver

import (
	"math"
	"slices"
	"unsafe"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/calendar"
	"github.com/dango-physics/dango/internal/tiebreak"
)

// Add adds a body and returns its id. Set says what it is.
func (s *Space) Add() int32 {
	i := int32(len(s.bodies))
	var id int32
	if n := len(s.freeIDs); n > 0 {
		id = s.freeIDs[n-1]
		s.freeIDs = s.freeIDs[:n-1]
		i = s.index[id]
	} else {
		id = int32(len(s.index))
		s.index = append(s.index, i)
		s.bodies = append(s.bodies, body{})
		s.infos = append(s.infos, bodyInfo{})
		s.pathIDs = append(s.pathIDs, calendar.PathID{})
		s.flags = append(s.flags, 0)
		s.startPositions = append(s.startPositions, collide.Vec3{})
		if len(s.accelerations) > 0 {
			s.accelerations = append(s.accelerations, collide.Vec3{})
		}
		s.solverBodyOf = append(s.solverBodyOf, -1)
		s.firstContact = append(s.firstContact, -1)
	}
	if int(id) < len(s.sleepStates) {
		s.sleepStates[id], s.neighborSearches[id] = neverSolved, neighborSearch{}
	}
	s.infos[i] = bodyInfo{id: id, slideContacts: -1, overlaps: -1}
	s.pathIDs[i].Stamp++
	s.flags[i] = alive | placed
	s.bodies[i] = body{}
	s.paths.forgetPath(id)
	return id
}

// ReserveBodies makes room for n more bodies, for when many are added at once.
func (s *Space) ReserveBodies(n int) {
	s.index, s.bodies, s.infos = slices.Grow(s.index, n), slices.Grow(s.bodies, n), slices.Grow(s.infos, n)
	s.pathIDs, s.flags = slices.Grow(s.pathIDs, n), slices.Grow(s.flags, n)
	s.startPositions = slices.Grow(s.startPositions, n)
	if len(s.accelerations) > 0 {
		s.accelerations = slices.Grow(s.accelerations, n)
	}
	s.solverBodyOf, s.firstContact = slices.Grow(s.solverBodyOf, n), slices.Grow(s.firstContact, n)
}

// Remove removes a body. It reports no end of a contact; see Forget.
func (s *Space) Remove(id int32) {
	i := s.index[id]
	if int(i) < s.grid.Capacity() {
		s.grid.Remove(i)
	}
	if s.flags[i]&sleeping != 0 {
		s.wakeLater(i)
	}
	if s.flags[i]&supportsSleeper != 0 {
		s.changedSupports = append(s.changedSupports, id)
	}
	s.dropShape(i)
	s.removeStepForce(id)
	s.countSensor(i, false)
	s.flags[i] = 0
	s.bodies[i] = body{}
	s.removedIDs = append(s.removedIDs, id)
}

// State is the position of a body, metres, and its velocity, metres per second.
type State struct {
	Position, Velocity collide.Vec3
}

// Set says what a body is, before Begin. Acceleration, spin and KeepAwake are set after it.
func (s *Space) Set(id int32, st State, radius, inverseMass float64, kind Kind, m Material) {
	i := s.index[id]
	b, f := &s.bodies[i], &s.infos[i]
	change := motionChange(&st.Velocity)
	if b.radius != radius || f.kind != kind || f.material != m {
		change |= reshaped
	}
	if b.inverseMass != inverseMass {
		change |= massChanged
	}
	if s.flags[i]&shaped != 0 {
		s.dropShape(i)
		f.traits = 0
	}
	if f.traits == 0 || b.radius != radius || b.inverseMass != inverseMass || f.material != m {
		f.traits = s.traitsOf(radius, inverseMass, &m)
	}
	s.applyGameChange(i, &st.Position, change)
	if s.parallelStep != nil {
		s.parallelStep.maxDiameter = max(s.parallelStep.maxDiameter, 2*radius)
	}
	*b = body{st.Position, st.Velocity, radius, inverseMass}
	s.setAcceleration(i, collide.Vec3{})
	s.flags[i] &^= accelerated | unfiltered | movedByContacts | unchanged | hasSpin | neverSleeps | unusual
	if !m.Sensor && m.Layers != 0 && m.Mask == math.MaxUint32 {
		s.flags[i] |= unfiltered
	}
	if kind == Dynamic && !m.Sensor && !m.Sliding {
		s.flags[i] |= movedByContacts
	}
	if kind != Dynamic || m.Locked != 0 || m.FrictionID != 0 {
		s.flags[i] |= unusual
	}
	f.kind = kind
	s.countSensor(i, m.Sensor)
	f.material = m
}

// traitsOf returns a hash of the properties of a body, for the order of simultaneous events. It
// contains the values of the friction and not its ID, which depends on the order in which
// frictions were registered.
func (s *Space) traitsOf(radius, inverseMass float64, m *Material) uint32 {
	traits := tiebreak.Hash(
		&collide.Vec3{X: radius, Y: inverseMass, Z: m.Restitution},
		&collide.Vec3{X: float64(m.Layers), Y: float64(m.Mask), Z: float64(m.RestitutionRule)})
	if m.FrictionID != 0 {
		g := &s.frictions[m.FrictionID]
		traits += tiebreak.Hash(
			&collide.Vec3{X: g.Static, Y: g.Dynamic, Z: g.Rolling},
			&collide.Vec3{X: g.Spinning, Y: float64(g.FrictionRule)})
	}
	return traits
}

// gameChange says what the game has changed of a body, besides its position.
type gameChange uint8

const (
	reshaped    gameChange = 1 << iota // its radius, kind or material
	massChanged                        // its mass
	inMotion                           // it is given a velocity or angular velocity other than zero
)

// motionChange returns inMotion if v isn't zero.
func motionChange(v *collide.Vec3) gameChange {
	if *v != (collide.Vec3{}) {
		return inMotion
	}
	return 0
}

// applyGameChange puts body i at x and notes what else the game changes. All functions by which the
// game changes a body call it (Set, Move, SetSpin) or come after one that does (Accelerate,
// KeepAwake). So it decides alone what a change means for sleep and for pairs:
//
//   - A sleeping body may have to wake, whatever the game sets: applyGameChanges decides in Begin.
//   - Bodies that sleep on this one may have to wake if anything about it changes or it moves.
//   - A body that was moved or reshaped needs candidate pairs, even if it is at rest. One whose
//     mass changed doesn't; every halted body gets its mass back this way.
//   - If it was moved, it jumped: nothing lies between its last position and this one.
//   - Its velocity and acceleration no longer contain a step force.
func (s *Space) applyGameChange(i int32, x *collide.Vec3, change gameChange) {
	b, f := &s.bodies[i], s.flags[i]
	moved := b.x != *x // the sign of a zero is no difference
	if f&(sleeping|supportsSleeper) != 0 {
		if moved || change&(reshaped|massChanged) != 0 {
			s.sleepStates[s.infos[i].id].changed = true
		}
		if f&sleeping != 0 || moved || change != 0 {
			s.flags[i] |= touchedByGame
		}
	}
	if moved || change&reshaped != 0 {
		if f&placed != 0 || moved {
			s.startPositions[i] = *x
			s.paths.forgetPath(s.infos[i].id)
			if f&placed == 0 && b.v != (collide.Vec3{}) && IsMotionOfAStep(x.Sub(b.x), b.v, s.Seconds) {
				s.likeSteps++
			}
		}
		s.flags[i] |= placed
	}
	s.flags[i] &^= forced
	b.x = *x
}

// IsMotionOfAStep reports whether d is about the way of a body of velocity v, which is not zero, in
// the given seconds: as a step moves it, also if something accelerates it.
func IsMotionOfAStep(d, v collide.Vec3, seconds float64) bool {
	way := v.Scale(seconds)
	return d != (collide.Vec3{}) && d.Distance(way) <= way.Length()/4
}

// MovedLikeSteps returns how many bodies the game moved, before the last step, about as far as a
// step would have moved them, and how many bodies were moving.
func (s *Space) MovedLikeSteps() (moved, total int) { return s.lastLikeSteps, s.movingBodies }

// KeepAwake keeps a body from sleeping until the next Set.
func (s *Space) KeepAwake(id int32) {
	s.flags[s.index[id]] |= neverSleeps
}

// Accelerate sets the acceleration of a body in the next step, in m/s², after Set.
func (s *Space) Accelerate(id int32, a collide.Vec3) {
	i := s.index[id]
	s.bodies[i].v = s.bodies[i].v.AddScaled(s.Seconds/2, a)
	s.accelerate(i, a)
}

// Motions are positions, velocities and accelerations of some bodies.
type Motions struct {
	Bodies                []Handle
	Positions, Velocities []unsafe.Pointer // of a collide.Vec3 each, as many as Bodies
	Accelerations         []*collide.Vec3  // as many as Bodies, or nil where nothing accelerates any of them
}

// Move is Set, and Accelerate if there are accelerations, for bodies of which nothing but the
// motion changes. It only reads the vectors.
func (s *Space) Move(m *Motions) {
	if m.Accelerations != nil {
		s.moveAccelerated(m)
		return
	}
	index, bodies, flags := s.index, s.bodies, s.flags
	positions, velocities := m.Positions[:len(m.Bodies)], m.Velocities[:len(m.Bodies)]
	for k, h := range m.Bodies {
		i := index[h]
		b, x, v := &bodies[i], (*collide.Vec3)(positions[k]), (*collide.Vec3)(velocities[k])
		if flags[i]&(sleeping|supportsSleeper|unchanged|accelerated|forced) != 0 || !b.x.SameBits(*x) {
			s.interrupt(i, x, v)
		}
		b.v = *v
	}
}

// moveAccelerated is Move with accelerations.
func (s *Space) moveAccelerated(m *Motions) {
	half := s.Seconds / 2
	for k, h := range m.Bodies {
		i := s.index[h]
		b, x, v := &s.bodies[i], (*collide.Vec3)(m.Positions[k]), (*collide.Vec3)(m.Velocities[k])
		a, interrupting := m.Accelerations[k], sleeping|supportsSleeper|unchanged|forced
		accelerates := *a != (collide.Vec3{})
		if !accelerates { // otherwise its acceleration is replaced below
			interrupting |= accelerated
		}
		if s.flags[i]&interrupting != 0 || !b.x.SameBits(*x) {
			s.interrupt(i, x, v)
		}
		b.v = *v
		if accelerates {
			b.v = v.AddScaled(half, *a)
			s.accelerate(i, *a)
		}
	}
}

// interrupt is Move, except for the velocity, for a body that doesn't simply continue from where it
// is.
//
//go:noinline
func (s *Space) interrupt(i int32, x, v *collide.Vec3) {
	s.applyGameChange(i, x, motionChange(v))
	if s.flags[i]&(accelerated|unchanged) != 0 {
		s.clearAcceleration(i)
	}
}

// acceleration returns the acceleration of body i.
func (s *Space) acceleration(i int32) (a collide.Vec3) {
	if int(i) < len(s.accelerations) {
		a = s.accelerations[i]
	}
	return a
}

// setAcceleration sets the acceleration of body i, and leaves the flag accelerated as it is.
func (s *Space) setAcceleration(i int32, a collide.Vec3) {
	if len(s.accelerations) > 0 || !a.SameBits(collide.Vec3{}) {
		s.ListAccelerations()
		s.accelerations[i] = a
	}
}

// accelerate sets the acceleration of body i, which may be zero, and the flag accelerated. The list
// of accelerations exists if any body has the flag.
func (s *Space) accelerate(i int32, a collide.Vec3) {
	s.ListAccelerations()
	s.accelerations[i] = a
	s.flags[i] |= accelerated
}

// ListAccelerations makes the list of accelerations, if there is none yet. Without the list,
// goroutines must not call Move with accelerations at the same time.
func (s *Space) ListAccelerations() {
	if len(s.accelerations) == 0 {
		s.accelerations = make([]collide.Vec3, len(s.bodies), cap(s.bodies))
	}
}

// clearAcceleration removes the acceleration of body i. The body is no longer unchanged.
//
//go:noinline
func (s *Space) clearAcceleration(i int32) {
	s.setAcceleration(i, collide.Vec3{})
	s.flags[i] &^= accelerated | unchanged
}

// Motion returns the position and velocity of a body, after Finish. They are two values, which the
// compiler can keep in registers.
func (s *Space) Motion(id int32) (position, velocity collide.Vec3) {
	b := &s.bodies[s.index[id]]
	return b.x, b.v
}

// IsAt reports whether the position of a body is x. A negative zero counts as zero: a step makes
// one of the other.
func (s *Space) IsAt(id int32, x *collide.Vec3) bool { return s.bodies[s.index[id]].x == *x }

// StartPosition returns where a body was when the last step began.
func (s *Space) StartPosition(id int32) collide.Vec3 {
	return s.startPositions[s.index[id]]
}

// StoreMotions is Motion for several bodies: it writes their positions and velocities to where
// Positions and Velocities of m point. It reports whether all are in motion.
func (s *Space) StoreMotions(m *Motions) (allMove bool) {
	index, bodies := s.index, s.bodies
	positions, velocities := m.Positions[:len(m.Bodies)], m.Velocities[:len(m.Bodies)]
	allMove = true
	for k, h := range m.Bodies {
		b := &bodies[index[h]]
		*(*collide.Vec3)(positions[k]), *(*collide.Vec3)(velocities[k]) = b.x, b.v
		if b.v == (collide.Vec3{}) {
			allMove = false
		}
	}
	return allMove
}

// HasZeroMotion reports whether velocity, acceleration and angular velocity of a body are zero. A
// velocity with a negative zero doesn't count as zero.
func (s *Space) HasZeroMotion(id int32) bool {
	i := s.index[id]
	return s.bodies[i].v.SameBits(collide.Vec3{}) && s.acceleration(i) == (collide.Vec3{}) && !s.isRotating(i)
}

// IsUnchanged reports whether the last step has left a body at rest as it was, to the bit. It may
// return false for a body at rest.
func (s *Space) IsUnchanged(id int32) bool { return s.flags[s.index[id]]&unchanged != 0 }

// AreUnchanged reports whether IsUnchanged is true for all ids.
func (s *Space) AreUnchanged(ids []Handle) bool {
	index, flags, all := s.index, s.flags, unchanged
	for _, id := range ids {
		all &= flags[index[id]]
	}
	return all != 0
}

// IsIdle reports whether nothing happened in the last step: no body and no surface moved.
func (s *Space) IsIdle() bool {
	return s.movingBodies == 0 && s.statics.Moving() == 0 && s.log.Len() == 0 &&
		len(s.haltedBodies) == 0 && s.Counts.Moves == 0
}

// EachJammed calls yield with each body that has used up its impacts in the last step.
func (s *Space) EachJammed(yield func(id int32)) {
	for i := range s.infos {
		if f := &s.infos[i]; s.flags[i]&(alive|unchanged) == alive && f.budget < 0 {
			yield(f.id)
		}
	}
}

// EachHalted calls yield with each body that was halted in the last step. Halted bodies have lost
// their mass and need Set before the next step.
func (s *Space) EachHalted(yield func(id int32)) {
	for _, h := range s.haltedBodies {
		yield(s.infos[h.index].id)
	}
}
