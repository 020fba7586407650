package solver

import (
	"math"
	"math/bits"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// sorter holds what sorting the bodies along a curve in space needs.
type sorter struct {
	order  []uint64 // of each body its place on the curve, and below that its index
	bodies []body
	infos  []bodyInfo
	marks  []pathID
	flags  []flags
	pulls  []collide.Vec3
	before []collide.Vec3
}

// sort puts the bodies in memory in the order of a Morton curve, so that neighbours in space mostly share cache lines. No result depends
// on it.
func (s *Space) sort() {
	lo, hi := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}, [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for i := range s.bodies {
		if s.flags[i]&alive == 0 {
			continue
		}
		for axis := range 3 {
			x := part(s.bodies[i].x, axis)
			lo[axis], hi[axis] = min(lo[axis], x), max(hi[axis], x)
		}
	}
	s.statics.SetExtent(collide.AABB{Min: collide.Vec3{X: lo[0], Y: lo[1], Z: lo[2]}, Max: collide.Vec3{X: hi[0], Y: hi[1], Z: hi[2]}})
	widest := max(hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2])
	if !(widest > 0) {
		return
	}
	n := uint(bits.Len(uint(len(s.bodies)))) // bits of an index
	scale := float64(uint(1)<<min(maxCurveBits, (64-n)/3)-1) / widest
	w := &s.sorter
	w.order = w.order[:0]
	for i := range s.bodies {
		code := uint64(math.MaxUint64)
		if x := s.bodies[i].x; s.flags[i]&alive != 0 {
			code = spread((x.X-lo[0])*scale) | spread((x.Y-lo[1])*scale)<<1 | spread((x.Z-lo[2])*scale)<<2
		}
		w.order = append(w.order, code<<n|uint64(i))
	}
	slices.Sort(w.order)
	w.bodies, w.infos = append(w.bodies[:0], s.bodies...), append(w.infos[:0], s.infos...)
	w.marks, w.flags = append(w.marks[:0], s.pathIDs...), append(w.flags[:0], s.flags...)
	w.pulls, w.before = append(w.pulls[:0], s.accelerations...), append(w.before[:0], s.startPositions...)
	for k := range s.haltedBodies { // by ids in between
		s.haltedBodies[k].index = s.infos[s.haltedBodies[k].index].id
	}
	for to, code := range w.order {
		from := code & (1<<n - 1)
		s.pathIDs[to], s.flags[to] = w.marks[from], w.flags[from]
		s.accelerations[to], s.startPositions[to] = w.pulls[from], w.before[from]
		s.bodies[to], s.infos[to] = w.bodies[from], w.infos[from]
		s.index[s.infos[to].id] = int32(to)
	}
	for k := range s.haltedBodies {
		s.haltedBodies[k].index = s.index[s.haltedBodies[k].index]
	}
}

const maxCurveBits = 16 // of each coordinate; more make no difference

// spread puts two zero bits before each of the lowest 21 bits of x.
func spread(x float64) uint64 {
	b := uint64(x) & 0x1fffff
	b = (b | b<<32) & 0x1f00000000ffff
	b = (b | b<<16) & 0x1f0000ff0000ff
	b = (b | b<<8) & 0x100f00f00f00f00f
	b = (b | b<<4) & 0x10c30c30c30c30c3
	return (b | b<<2) & 0x1249249249249249
}
