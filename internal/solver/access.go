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
		s.infos = append(s.infos, info{})
		s.marks = append(s.marks, mark{})
		s.flags = append(s.flags, 0)
		s.pulls = append(s.pulls, collide.Vec3{})
		s.before = append(s.before, collide.Vec3{})
		s.stills = append(s.stills, still{})
		s.searched = append(s.searched, search{})
		s.solverBodyOf = append(s.solverBodyOf, -1)
		s.firstContact = append(s.firstContact, -1)
	}
	s.stills[id], s.searched[id] = still{nap: -1}, search{}
	s.infos[i] = info{id: id, slides: -1, inside: -1}
	s.marks[i].stamp++
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
	if s.flags[i]&asleep != 0 {
		s.rouse(i)
	}
	if s.flags[i]&bears != 0 {
		s.shaken = append(s.shaken, id)
	}
	s.flags[i] = 0
	s.bodies[i] = body{}
	s.goneIDs = append(s.goneIDs, id)
}

// State is where a body is and how it moves.
type State struct {
	Position, Velocity collide.Vec3
}

// Set says what a body is, before Begin.
func (s *Space) Set(id int32, st State, radius, inverseMass float64, kind Kind, m Material) {
	i := s.index[id]
	b, f := &s.bodies[i], &s.infos[i]
	if f.nature == 0 || b.radius != radius || b.inverseMass != inverseMass || s.infos[i].material != m {
		f.nature = tiebreak.Hash(&collide.Vec3{X: radius, Y: inverseMass, Z: m.Restitution}, &collide.Vec3{X: float64(m.Layers), Y: float64(m.Mask), Z: float64(m.Rule)})
		if m.Friction != 0 { // its values: the number depends on which friction was added first
			g := &s.frictions[m.Friction]
			f.nature += tiebreak.Hash(&collide.Vec3{X: g.Static, Y: g.Dynamic, Z: g.Rolling}, &collide.Vec3{X: g.Spinning, Y: float64(g.Rule)})
		}
	}
	if s.flags[i]&(asleep|bears) != 0 {
		changed := b.x != st.Position || b.radius != radius || b.inverseMass != inverseMass || f.kind != kind || f.material != m
		s.stills[id].changed = s.stills[id].changed || changed
		if s.flags[i]&asleep != 0 || changed || st.Velocity != (collide.Vec3{}) {
			s.flags[i] |= said
		}
	}
	if b.x != st.Position || b.radius != radius || f.kind != kind || s.infos[i].material != m {
		s.moved(i, st.Position)
	}
	if s.team != nil {
		s.team.touch = max(s.team.touch, 2*radius)
	}
	*b = body{st.Position, st.Velocity, radius, inverseMass}
	s.pulls[i] = collide.Vec3{}
	s.flags[i] &^= pulled | plain | resting | spins | wakeful
	if !m.Sensor && m.Layers != 0 && m.Mask == math.MaxUint32 {
		s.flags[i] |= plain
	}
	f.kind = kind
	s.infos[i].material = m
}

// KeepAwake keeps a body from sleeping, after Set, which takes that back.
func (s *Space) KeepAwake(id int32) {
	s.flags[s.index[id]] |= wakeful
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

// moved notes that the game has put body i at p, or made something else of it.
func (s *Space) moved(i int32, p collide.Vec3) {
	if s.flags[i]&placed != 0 || s.bodies[i].x != p { // it jumped there: nothing lies in between
		s.before[i] = p
	}
	s.flags[i] |= placed
}

// Pull lets acceleration a act on a body in the next step, after Set.
func (s *Space) Pull(id int32, a collide.Vec3) {
	i := s.index[id]
	s.bodies[i].v = s.bodies[i].v.AddScaled(s.Seconds/2, a)
	s.pulls[i] = a
	s.flags[i] |= pulled
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
		interrupting := asleep | bears | resting | pulled
		var a *collide.Vec3
		if m.Accelerations != nil {
			if a = m.Accelerations[k]; *a != (collide.Vec3{}) {
				interrupting &^= pulled // its acceleration is replaced below
			} else {
				a = nil
			}
		}
		if flags[i]&interrupting != 0 || !same(b.x, *x) {
			s.interrupt(i, x, v)
		}
		b.v = *v
		if a != nil {
			b.v, s.pulls[i] = v.AddScaled(half, *a), *a
			flags[i] |= pulled
		}
	}
}

// interrupt is Move, but for the velocity, of body i that doesn't simply go on from where it is.
//
//go:noinline
func (s *Space) interrupt(i int32, x, v *collide.Vec3) {
	b := &s.bodies[i]
	if f := s.flags[i]; f&asleep != 0 || f&bears != 0 && (b.x != *x || *v != (collide.Vec3{})) {
		s.flags[i] |= said
	}
	if b.x != *x { // the other sign of a zero is no other place
		s.moved(i, *x)
	}
	b.x = *x
	if s.flags[i]&(pulled|resting) != 0 {
		s.release(i)
	}
}

// release takes away what pulled body i, the game or what pressed on it, or its rest.
//
//go:noinline
func (s *Space) release(i int32) {
	s.pulls[i] = collide.Vec3{}
	s.flags[i] &^= pulled | resting
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

// Before returns where a body was when the last step began.
func (s *Space) Before(id int32) collide.Vec3 {
	return s.before[s.index[id]]
}

// IsStill reports whether nothing moves, turns or pulls a body, down to the signs of its zeros.
func (s *Space) IsStill(id int32) bool {
	i := s.index[id]
	return isZero(s.bodies[i].v) && s.pulls[i] == (collide.Vec3{}) && !s.turns(i)
}

// IsUntouched reports whether nothing has changed where a body is and that it is at rest since long before the last step. Not all of
// those that are at rest are known to be.
func (s *Space) IsUntouched(id int32) bool { return s.flags[s.index[id]]&resting != 0 }

// AreUntouched is IsUntouched for all of these.
func (s *Space) AreUntouched(ids []int32) bool {
	index, flags, all := s.index, s.flags, resting
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
	return s.stirring == 0 && s.statics.Moving() == 0 && s.log.Len() == 0 && len(s.halted) == 0 && s.Counts.Moves == 0
}

// Stopped calls yield with the bodies that a spent budget or something immovable stopped in the last step. They have lost their mass, and
// need Set before the next.
func (s *Space) Stopped(yield func(id int32)) {
	for _, h := range s.halted {
		yield(s.infos[h.i].id)
	}
}

// same reports whether a and b are the same bits.
func same(a, b collide.Vec3) bool {
	return (math.Float64bits(a.X)^math.Float64bits(b.X))|(math.Float64bits(a.Y)^math.Float64bits(b.Y))|(math.Float64bits(a.Z)^math.Float64bits(b.Z)) == 0
}
