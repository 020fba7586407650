package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// sorter holds what sorting the bodies along a curve in space needs.
type sorter struct {
	order  []ranked
	bodies []body
	infos  []info
	marks  []mark
	flags  []flags
	pulls  []collide.Vec3
	before []collide.Vec3
}

type ranked struct {
	code uint64
	from int32
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
	widest := max(hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2])
	if !(widest > 0) {
		return
	}
	scale := (1<<curveBits - 1) / widest
	w := &s.sorter
	w.order = w.order[:0]
	for i := range s.bodies {
		r := ranked{math.MaxUint64, int32(i)}
		if x := s.bodies[i].x; s.flags[i]&alive != 0 {
			r.code = spread((x.X-lo[0])*scale) | spread((x.Y-lo[1])*scale)<<1 | spread((x.Z-lo[2])*scale)<<2
		}
		w.order = append(w.order, r)
	}
	slices.SortFunc(w.order, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.code, b.code), cmp.Compare(a.from, b.from)) })
	w.bodies, w.infos = append(w.bodies[:0], s.bodies...), append(w.infos[:0], s.infos...)
	w.marks, w.flags = append(w.marks[:0], s.marks...), append(w.flags[:0], s.flags...)
	w.pulls, w.before = append(w.pulls[:0], s.pulls...), append(w.before[:0], s.before...)
	for to, r := range w.order {
		s.marks[to], s.flags[to] = w.marks[r.from], w.flags[r.from]
		s.pulls[to], s.before[to] = w.pulls[r.from], w.before[r.from]
		s.bodies[to], s.infos[to] = w.bodies[r.from], w.infos[r.from]
		s.index[s.infos[to].id] = int32(to)
	}
}

const curveBits = 16 // of each coordinate

// spread puts two zero bits before each of the lowest 21 bits of x.
func spread(x float64) uint64 {
	b := uint64(x) & 0x1fffff
	b = (b | b<<32) & 0x1f00000000ffff
	b = (b | b<<16) & 0x1f0000ff0000ff
	b = (b | b<<8) & 0x100f00f00f00f00f
	b = (b | b<<4) & 0x10c30c30c30c30c3
	return (b | b<<2) & 0x1249249249249249
}
