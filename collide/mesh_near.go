package collide

import "math/bits"

// MeshNear keeps the triangles of a mesh around a capsule that is cast there again and again, such
// as that of a character, so that not each cast searches the mesh. It changes no result. The zero
// value is ready for use, with any mesh. It has about 5 kB; two goroutines must not use the same
// one at once.
type MeshNear struct {
	inside [maxMeshNear]nearTriangle // first, and with what follows a multiple of 64 bytes, a cache line
	bounds [maxMeshNear]uint64       // of the triangles; see pack
	m      *Mesh                     // nil for none
	box    nearBox                   // all triangles that touch it are known
	last   nearBox                   // of the last cast for which they were known
	scale  Vec3                      // packMax divided by the size of box
	count  int32
	wait   int32    // how many casts search the mesh, since here are too many triangles
	used   bool     // there was a cast since another place was asked for
	face   meshFace // that was met last
}

// nearTriangle is a triangle with what the first tests need of it. Its corners are elsewhere in the
// mesh, each in another cache line.
type nearTriangle struct {
	normal  Vec3    // of any length
	length  float64 // of normal
	edges   float64 // sum of the two edges from the first corner
	corners [3]Vec3
	index   uint32
	_       [8]byte // so that the first tests need one cache line
}

// nearBox is a box with the corners lo and hi.
type nearBox struct{ lo, hi Vec3 }

const (
	// maxMeshNear is the largest number of triangles. A smaller one has no room for those of
	// stairs; with a larger one, a cast takes longer than a search.
	maxMeshNear = 32

	// nearGrowth is how far the triangles reach beyond a cast, as a fraction of its longest side.
	// With less, they are collected more often; with more, there are more of them.
	nearGrowth = 0.25

	packMax    = 511 // the largest number in a packed box, of 9 bits
	packOnes   = 1 | 1<<10 | 1<<20
	packGuards = (packMax + 1) * packOnes * (1 | 1<<30) // the bits above the six numbers

	// nearWait is how many casts don't try to collect triangles after there were too many.
	nearWait = 32
)

// SweepCapsule is [SweepMesh] for a capsule.
func (n *MeshNear) SweepCapsule(a Capsule, va Vec3, b *Mesh, vb Vec3, horizon float64) (MeshContact, Outcome) {
	if a.A == a.B {
		return SweepMesh(a, va, b, vb, horizon)
	}
	return sweepCapsuleMesh(a, va, b, vb, horizon, n)
}

// sweep tests the triangles that s may touch, if all of them are known or can be collected.
func (n *MeshNear) sweep(s *capsuleMeshSweep, va, vb Vec3) bool {
	if n == nil || !n.need(s.m, &nearBox{s.lo, s.hi}) {
		return false
	}
	if n.count == 0 {
		return true
	}
	first := 0
	s.ball.known = &n.face
	s.within(&n.inside[0], va, vb) // what the last cast has met: the others are soon beyond it
	for touched := n.touched(&nearBox{s.lo, s.hi}) &^ 1; touched != 0; touched &= touched - 1 {
		i, end := bits.TrailingZeros32(touched), s.end
		s.within(&n.inside[i], va, vb)
		if s.end < end {
			first = i
		}
	}
	if first != 0 {
		n.inside[0], n.inside[first] = n.inside[first], n.inside[0]
		n.bounds[0], n.bounds[first] = n.bounds[first], n.bounds[0]
	}
	return true
}

// touched returns the triangles whose bounds touch a box, one bit for each. It has no branches for
// them, because none would be predictable.
func (n *MeshNear) touched(box *nearBox) (found uint32) {
	q := n.pack(&box.lo, &box.hi)
	for i, b := range n.bounds[:n.count] {
		apart := ^((b | packGuards) - q) & packGuards
		found |= uint32((apart-1)>>63) << (i & 31)
	}
	return found
}

// pack returns six numbers of 9 bits, each below a bit of 0: where the coordinates of lo are in
// n.box, and 511 minus where those of hi are. If none of them is larger than that of a triangle
// with hi and lo exchanged, the two boxes may touch: each lo is at most the other's hi, and
// rounding keeps the order of two numbers.
func (n *MeshNear) pack(lo, hi *Vec3) uint64 {
	a, b := lo.Sub(n.box.lo).MulElem(n.scale), hi.Sub(n.box.lo).MulElem(n.scale)
	low, high := int64(a.X)|int64(a.Y)<<10|int64(a.Z)<<20, int64(b.X)|int64(b.Y)<<10|int64(b.Z)<<20
	return uint64(low | (packMax*packOnes-high)<<30)
}

// need reports whether all triangles in a box are known. If not, it collects them, unless there are
// too many, or casts somewhere else need those that are known.
func (n *MeshNear) need(m *Mesh, box *nearBox) bool {
	if n.m == m && n.box.contains(box) {
		n.last, n.used = *box, true
		return true
	}
	beside := n.m == m && n.last.overlaps(box)
	switch {
	case n.wait > 0:
		n.wait--
		return false
	case n.used && !beside:
		n.used = false
		return false
	}
	all := *box
	if beside { // casts to the ground and along it take turns
		all.add(&n.last)
	}
	if !n.collect(m, &all) {
		n.m, n.wait = nil, nearWait
		return false
	}
	n.last, n.used = *box, true
	return true
}

// collect finds all triangles in a box, and around it. It returns false if there are too many.
func (n *MeshNear) collect(m *Mesh, box *nearBox) bool {
	grow := float64(nearGrowth * box.hi.Sub(box.lo).MaxAbs())
	n.box = nearBox{box.lo.Sub(Vec3{grow, grow, grow}), box.hi.Add(Vec3{grow, grow, grow})}
	n.m, n.count, n.face.index = m, 0, noNeighbor
	size := n.box.hi.Sub(n.box.lo)
	half := size.Scale(0.5)
	if !(half.MaxAbs() < maxInput && grow > minSpeed) {
		return false
	}
	n.scale = Vec3{packMax / size.X, packMax / size.Y, packMax / size.Z}
	var search meshSearch
	search.beginBox(m, n.box.lo.Add(half), Vec3{}, half, 0)
	for {
		first, count, ok := search.next()
		if !ok {
			return true
		}
		for k := first; k < first+count; k++ {
			c := Facet{m: m, index: k}.Corners()
			bounds := nearBox{c[0], c[0]}
			bounds.add(&nearBox{c[1], c[1]})
			bounds.add(&nearBox{c[2], c[2]})
			if !bounds.overlaps(&n.box) {
				continue
			}
			if n.count == maxMeshNear {
				return false
			}
			bounds.clip(&n.box)
			n.bounds[n.count] = n.pack(&bounds.hi, &bounds.lo)
			n.inside[n.count].set(k, &c)
			n.count++
		}
	}
}

// set sets t to triangle k with the given corners.
func (t *nearTriangle) set(k uint32, corners *[3]Vec3) {
	e, g := corners[1].Sub(corners[0]), corners[2].Sub(corners[0])
	t.normal = e.Cross(g)
	t.length, t.edges = t.normal.Length(), e.SumAbs()+g.SumAbs()
	t.corners, t.index = *corners, k
}

// add enlarges b so that it contains c.
func (b *nearBox) add(c *nearBox) {
	b.lo = Vec3{min(b.lo.X, c.lo.X), min(b.lo.Y, c.lo.Y), min(b.lo.Z, c.lo.Z)}
	b.hi = Vec3{max(b.hi.X, c.hi.X), max(b.hi.Y, c.hi.Y), max(b.hi.Z, c.hi.Z)}
}

// clip makes b smaller so that c contains it. The two must touch.
func (b *nearBox) clip(c *nearBox) {
	b.lo = Vec3{max(b.lo.X, c.lo.X), max(b.lo.Y, c.lo.Y), max(b.lo.Z, c.lo.Z)}
	b.hi = Vec3{min(b.hi.X, c.hi.X), min(b.hi.Y, c.hi.Y), min(b.hi.Z, c.hi.Z)}
}

// contains reports whether b contains c.
func (b *nearBox) contains(c *nearBox) bool {
	return b.lo.X <= c.lo.X && b.lo.Y <= c.lo.Y && b.lo.Z <= c.lo.Z &&
		c.hi.X <= b.hi.X && c.hi.Y <= b.hi.Y && c.hi.Z <= b.hi.Z
}

// overlaps reports whether b and c touch.
func (b *nearBox) overlaps(c *nearBox) bool {
	return b.lo.X <= c.hi.X && c.lo.X <= b.hi.X && b.lo.Y <= c.hi.Y && c.lo.Y <= b.hi.Y &&
		b.lo.Z <= c.hi.Z && c.lo.Z <= b.hi.Z
}
