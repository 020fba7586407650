package solver

import (
	"math"
	"unsafe"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/tiebreak"
)

// Add makes room for a body and returns its id. Fill it in with Set.
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
		s.pathIDs = append(s.pathIDs, pathID{})
		s.flags = append(s.flags, 0)
		s.accelerations = append(s.accelerations, collide.Vec3{})
		s.startPositions = append(s.startPositions, collide.Vec3{})
		s.sleepStates = append(s.sleepStates, sleepState{})
		s.neighborSearches = append(s.neighborSearches, neighborSearch{})
		s.solverBodyOf = append(s.solverBodyOf, -1)
		s.firstContact = append(s.firstContact, -1)
	}
	s.sleepStates[id], s.neighborSearches[id] = sleepState{island: -1}, neighborSearch{}
	s.infos[i] = bodyInfo{id: id, slideContacts: -1, overlaps: -1}
	s.pathIDs[i].stamp++
	s.flags[i] = alive | placed
	s.bodies[i] = body{}
	return id
}

// Remove takes a body out. What it touched is not told; see ForgetBody.
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
	s.flags[i] = 0
	s.bodies[i] = body{}
	s.removedIDs = append(s.removedIDs, id)
}

// State is where a body is and how it moves.
type State struct {
	Position, Velocity collide.Vec3
}

// Set says what a body is, before Begin.
func (s *Space) Set(id int32, st State, radius, inverseMass float64, kind Kind, m Material) {
	i := s.index[id]
	b, f := &s.bodies[i], &s.infos[i]
	if f.traits == 0 || b.radius != radius || b.inverseMass != inverseMass || s.infos[i].material != m {
		f.traits = tiebreak.Hash(&collide.Vec3{X: radius, Y: inverseMass, Z: m.Restitution}, &collide.Vec3{X: float64(m.Layers), Y: float64(m.Mask), Z: float64(m.Rule)})
		if m.Friction != 0 { // its values: the number depends on which friction was added first
			g := &s.frictions[m.Friction]
			f.traits += tiebreak.Hash(&collide.Vec3{X: g.Static, Y: g.Dynamic, Z: g.Rolling}, &collide.Vec3{X: g.Spinning, Y: float64(g.Rule)})
		}
	}
	if s.flags[i]&(sleeping|supportsSleeper) != 0 {
		changed := b.x != st.Position || b.radius != radius || b.inverseMass != inverseMass || f.kind != kind || f.material != m
		s.sleepStates[id].changed = s.sleepStates[id].changed || changed
		if s.flags[i]&sleeping != 0 || changed || st.Velocity != (collide.Vec3{}) {
			s.flags[i] |= touchedByGame
		}
	}
	if b.x != st.Position || b.radius != radius || f.kind != kind || s.infos[i].material != m {
		s.markPlaced(i, st.Position)
	}
	if s.parallelStep != nil {
		s.parallelStep.maxDiameter = max(s.parallelStep.maxDiameter, 2*radius)
	}
	*b = body{st.Position, st.Velocity, radius, inverseMass}
	s.accelerations[i] = collide.Vec3{}
	s.flags[i] &^= accelerated | unfiltered | unchanged | hasSpin | neverSleeps
	if !m.Sensor && m.Layers != 0 && m.Mask == math.MaxUint32 {
		s.flags[i] |= unfiltered
	}
	f.kind = kind
	s.infos[i].material = m
}

// KeepAwake keeps a body from sleeping, after Set, which takes that back.
func (s *Space) KeepAwake(id int32) {
	s.flags[s.index[id]] |= neverSleeps
}

// Frictions returns how many frictions there are.
func (s *Space) Frictions() int { return len(s.frictions) }

// FrictionOf returns the friction of a body or a surface.
func (s *Space) FrictionOf(code int32) Friction {
	if n := s.Material(code).Friction; n != 0 {
		return s.frictions[n]
	}
	return Friction{}
}

// ForgetFrictions forgets all frictions and their numbers. Every body and surface must be given its Material anew before
// the next step.
func (s *Space) ForgetFrictions() {
	s.frictions = s.frictions[:0]
	for i := range s.infos {
		s.infos[i].material.Friction = math.MaxUint16 // no body's: Set will see that it is another
	}
}

// markPlaced notes that the game has put body i at p, or made something else of it.
func (s *Space) markPlaced(i int32, p collide.Vec3) {
	if s.flags[i]&placed != 0 || s.bodies[i].x != p { // it jumped there: nothing lies in between
		s.startPositions[i] = p
	}
	s.flags[i] |= placed
}

// Accelerate lets acceleration a act on a body in the next step, after Set.
func (s *Space) Accelerate(id int32, a collide.Vec3) {
	i := s.index[id]
	s.bodies[i].v = s.bodies[i].v.AddScaled(s.Seconds/2, a)
	s.accelerations[i] = a
	s.flags[i] |= accelerated
}

// Motions are the motions of some bodies. Positions and Velocities point to vectors, which are read and not written.
type Motions struct {
	IDs                   []int32
	Positions, Velocities []unsafe.Pointer // of a collide.Vec3 each, as many as IDs
	Accelerations         []*collide.Vec3  // as many as IDs, or nil where nothing accelerates any of them
}

// Move is Set, and Pull where there are accelerations, for bodies of which nothing changes but their motion.
func (s *Space) Move(m *Motions) {
	index, bodies, flags, half := s.index, s.bodies, s.flags, s.Seconds/2
	ids, positions, velocities := m.IDs, m.Positions[:len(m.IDs)], m.Velocities[:len(m.IDs)]
	for k, id := range ids {
		i := index[id]
		b, x, v := &bodies[i], (*collide.Vec3)(positions[k]), (*collide.Vec3)(velocities[k])
		interrupting := sleeping | supportsSleeper | unchanged | accelerated
		var a *collide.Vec3
		if m.Accelerations != nil {
			if a = m.Accelerations[k]; *a != (collide.Vec3{}) {
				interrupting &^= accelerated // its acceleration is replaced below
			} else {
				a = nil
			}
		}
		if flags[i]&interrupting != 0 || !same(b.x, *x) {
			s.interrupt(i, x, v)
		}
		b.v = *v
		if a != nil {
			b.v, s.accelerations[i] = v.AddScaled(half, *a), *a
			flags[i] |= accelerated
		}
	}
}

// interrupt is Move, but for the velocity, of body i that doesn't simply go on from where it is.
//
//go:noinline
func (s *Space) interrupt(i int32, x, v *collide.Vec3) {
	b := &s.bodies[i]
	if f := s.flags[i]; f&sleeping != 0 || f&supportsSleeper != 0 && (b.x != *x || *v != (collide.Vec3{})) {
		s.flags[i] |= touchedByGame
	}
	if b.x != *x { // the other sign of a zero is no other place
		s.markPlaced(i, *x)
	}
	b.x = *x
	if s.flags[i]&(accelerated|unchanged) != 0 {
		s.clearAcceleration(i)
	}
}

// clearAcceleration takes away what pulled body i, the game or what pressed on it, or its rest.
//
//go:noinline
func (s *Space) clearAcceleration(i int32) {
	s.accelerations[i] = collide.Vec3{}
	s.flags[i] &^= accelerated | unchanged
}

// State returns where a body is and how it moves, after Finish.
func (s *Space) State(id int32) State {
	b := &s.bodies[s.index[id]]
	return State{b.x, b.v}
}

// Motion is State as two vectors, which the compiler can keep in registers.
func (s *Space) Motion(id int32) (position, velocity collide.Vec3) {
	b := &s.bodies[s.index[id]]
	return b.x, b.v
}

// StartPosition returns where a body was when the last step began.
func (s *Space) StartPosition(id int32) collide.Vec3 {
	return s.startPositions[s.index[id]]
}

// IsStill reports whether nothing moves, turns or pulls a body, down to the signs of its zeros.
func (s *Space) IsStill(id int32) bool {
	i := s.index[id]
	return isZero(s.bodies[i].v) && s.accelerations[i] == (collide.Vec3{}) && !s.isRotating(i)
}

// IsUnchanged reports whether nothing has changed where a body is and that it is at rest since long before the last step. Not all of
// those that are at rest are known to be.
func (s *Space) IsUnchanged(id int32) bool { return s.flags[s.index[id]]&unchanged != 0 }

// AreUnchanged is IsUnchanged for all of these.
func (s *Space) AreUnchanged(ids []int32) bool {
	index, flags, all := s.index, s.flags, unchanged
	for _, id := range ids {
		all &= flags[index[id]]
	}
	return all != 0
}

// isZero reports whether all bits of v are 0.
func isZero(v collide.Vec3) bool {
	return math.Float64bits(v.X)|math.Float64bits(v.Y)|math.Float64bits(v.Z) == 0
}

// IsIdle reports whether nothing has happened in the last step: no body has moved, and no surface.
func (s *Space) IsIdle() bool {
	return s.movingBodies == 0 && s.statics.Moving() == 0 && s.log.Len() == 0 && len(s.haltedBodies) == 0 && s.Counts.Moves == 0
}

// EachHalted calls yield with the bodies that a spent budget or something immovable stopped in the last step. They have lost their mass, and
// need Set before the next.
func (s *Space) EachHalted(yield func(id int32)) {
	for _, h := range s.haltedBodies {
		yield(s.infos[h.index].id)
	}
}

// same reports whether a and b are the same bits.
func same(a, b collide.Vec3) bool {
	return (math.Float64bits(a.X)^math.Float64bits(b.X))|(math.Float64bits(a.Y)^math.Float64bits(b.Y))|(math.Float64bits(a.Z)^math.Float64bits(b.Z)) == 0
}
