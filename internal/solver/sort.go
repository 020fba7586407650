package solver

import (
	"math"
	"math/bits"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// sorter is scratch memory for sorting the bodies.
type sorter struct {
	order []uint64 // by body: its position on the curve, and in the lower bits its index
}

// sort sorts the bodies in memory along a Morton curve, so that bodies that are close in space
// mostly share cache lines. Results do not depend on it.
func (s *Space) sort() {
	lo := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
	hi := [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for i := range s.bodies {
		if s.flags[i]&alive == 0 {
			continue
		}
		for axis := range 3 {
			x := s.bodies[i].x.Component(axis)
			lo[axis], hi[axis] = min(lo[axis], x), max(hi[axis], x)
		}
	}
	s.statics.SetExtent(collide.AABB{
		Min: collide.Vec3{X: lo[0], Y: lo[1], Z: lo[2]}, Max: collide.Vec3{X: hi[0], Y: hi[1], Z: hi[2]},
	})
	widest := max(hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2])
	if !(widest > 0) {
		return
	}
	n := uint(bits.Len(uint(len(s.bodies)))) // number of bits of an index
	scale := float64(uint(1)<<min(maxCurveBits, (64-n)/3)-1) / widest
	w := &s.sorter
	w.order = slices.Grow(w.order[:0], len(s.bodies))
	for i := range s.bodies {
		code := uint64(math.MaxUint64)
		if x := s.bodies[i].x; s.flags[i]&alive != 0 {
			code = spread((x.X-lo[0])*scale) | spread((x.Y-lo[1])*scale)<<1 | spread((x.Z-lo[2])*scale)<<2
		}
		w.order = append(w.order, code<<n|uint64(i))
	}
	slices.Sort(w.order)
	for k := range s.haltedBodies { // by id while indices change
		s.haltedBodies[k].index = s.infos[s.haltedBodies[k].index].id
	}
	s.permute(w.order, 1<<n-1)
	for k := range s.haltedBodies {
		s.haltedBodies[k].index = s.index[s.haltedBodies[k].index]
	}
}

// permute moves each body to where its index is in the lower bits of order, which mask selects. It
// follows one cycle of the permutation after the other, so it needs no second copy of the bodies,
// and leaves each place in order marked as done.
func (s *Space) permute(order []uint64, mask uint64) {
	const done = math.MaxUint64
	for first := range order {
		if order[first] == done {
			continue
		}
		b, f, id, bits := s.bodies[first], s.infos[first], s.pathIDs[first], s.flags[first]
		a, x := s.acceleration(int32(first)), s.startPositions[first]
		to := first
		for {
			from := int(order[to] & mask)
			order[to] = done
			if from == first {
				break
			}
			s.bodies[to], s.infos[to] = s.bodies[from], s.infos[from]
			s.pathIDs[to], s.flags[to] = s.pathIDs[from], s.flags[from]
			s.startPositions[to] = s.startPositions[from]
			if len(s.accelerations) > 0 {
				s.accelerations[to] = s.accelerations[from]
			}
			s.index[s.infos[to].id] = int32(to)
			to = from
		}
		s.bodies[to], s.infos[to], s.pathIDs[to], s.flags[to] = b, f, id, bits
		s.startPositions[to] = x
		if len(s.accelerations) > 0 {
			s.accelerations[to] = a
		}
		s.index[f.id] = int32(to)
	}
}

// maxCurveBits is the largest number of bits of each coordinate on the curve. More make no
// difference; with much fewer, the bodies of a small dense region are not sorted.
const maxCurveBits = 16

// spread inserts two zero bits before each of the lowest 21 bits of x.
func spread(x float64) uint64 {
	b := uint64(x) & 0x1fffff
	b = (b | b<<32) & 0x1f00000000ffff
	b = (b | b<<16) & 0x1f0000ff0000ff
	b = (b | b<<8) & 0x100f00f00f00f00f
	b = (b | b<<4) & 0x10c30c30c30c30c3
	return (b | b<<2) & 0x1249249249249249
}
