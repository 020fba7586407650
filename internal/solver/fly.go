package solver

import (
	"unsafe"

	"github.com/dango-physics/dango/collide"
)

// interrupts are the flags of bodies that Fly has more to do for than to say how they move.
const interrupts = int(asleep | bears | pulled | resting)

// Fly is Move for bodies whose positions and velocities are in these places.
func (s *Space) Fly(ids []int32, positions, velocities []unsafe.Pointer) {
	for {
		n := fly(ids, s.index, s.bodies, s.flags, interrupts, positions, velocities)
		if n == len(ids) {
			return
		}
		i, x, v := s.index[ids[n]], (*collide.Vec3)(positions[n]), (*collide.Vec3)(velocities[n])
		s.interrupt(i, x, v)
		s.bodies[i].v = *v
		ids, positions, velocities = ids[n+1:], positions[n+1:], velocities[n+1:]
	}
}

// flyPlain gives bodies their velocities, up to the first that has any of some flags or is elsewhere, and returns how many that is.
func flyPlain(ids, index []int32, bodies []body, all []flags, mask int, positions, velocities []unsafe.Pointer) int {
	positions, velocities = positions[:len(ids)], velocities[:len(ids)]
	for k, id := range ids {
		i := index[id]
		b := &bodies[i]
		if int(all[i])&mask != 0 || !same(b.x, *(*collide.Vec3)(positions[k])) {
			return k
		}
		b.v = *(*collide.Vec3)(velocities[k])
	}
	return len(ids)
}

// Landed puts where these bodies are and how they move into these places, after Finish, and into states, unless that is nil. It says whether any has no velocity, to the
// bit, and whether all are steady: while one is in that very state, Fly has nothing to do for it the next time.
//
// Next are the ids with which Landed will be called next, as many, with what is in the places that are ahead by so many. Ids and 0 will do.
func (s *Space) Landed(ids, next []int32, positions, velocities []unsafe.Pointer, ahead int, states []State) (rests, steady bool) {
	found := land(ids, next, s.index, s.bodies, s.flags, positions, velocities, ahead, states)
	return found&noVelocity != 0, found&interrupts == 0
}

// noVelocity stands among flags for a velocity of 0.
const noVelocity = 1 << 24

// landPlain is Landed. It returns the flags of all bodies, and noVelocity.
func landPlain(ids, index []int32, bodies []body, all []flags, positions, velocities []unsafe.Pointer, states []State) (found int) {
	positions, velocities = positions[:len(ids)], velocities[:len(ids)]
	for k, id := range ids {
		i := index[id]
		x, v := bodies[i].x, bodies[i].v
		*(*collide.Vec3)(positions[k]), *(*collide.Vec3)(velocities[k]) = x, v
		if states != nil {
			states[k] = State{x, v}
		}
		found |= int(all[i])
		if isZero(v) {
			found |= noVelocity
		}
	}
	return found
}

// Bring lets the processor bring what says how these bodies fly, while the program goes on.
func (s *Space) Bring(ids []int32) { bring(ids, s.index, s.bodies) }
