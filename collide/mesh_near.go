package collide

import (
	"math"
	"math/bits"
)

// MeshNear keeps the triangles of a mesh around a capsule that is cast there again and again, such
// as that of a character, so that not each cast searches the mesh. It changes no result. The zero
// value is ready for use, with any mesh. It has about 5 kB; two goroutines must not use the same
// one at once.
type MeshNear struct {
	inside [maxMeshNear]nearTriangle // first, and with what follows a multiple of 64 bytes, a cache line
	bounds [maxMeshNear]uint64       // of the triangles; see pack
	apart  [maxMeshNear]nearPlane    // behind which the triangles are
	m      *Mesh                     // nil for none
	box    nearBox                   // all triangles that touch it are known
	slack  float32                   // bounds the rounding of a nearPlane, metres
	count  uint8
	wait   uint8    // how many casts search the mesh, since here are too many triangles
	used   bool     // there was a cast since another place was asked for
	scale  Vec3     // packMax divided by the size of box
	axis   Vec3     // of the capsule for which the triangles know which ends their neighbours face
	last   nearBox  // of the last cast for which all triangles were known
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
	tested  bool    // one of its edges or corners can be touched
	known   uint8   // bits of the ends of a capsule for which faces is known
	faces   uint8   // bits of those that all neighbours face; see capsuleMeshSweep.neighborsFace
	_       [9]byte // so that the first tests need one cache line
}

// nearPlane is a plane with a triangle behind it, relative to MeshNear.box.lo: its unit normal, and
// how far it is along that. It separated the triangle from a cast, so it mostly does so in the next
// ones, too.
type nearPlane struct{ x, y, z, top float32 }

// nearCast is a cast in float32, relative to MeshNear.box.lo: its A, axis and motion.
type nearCast struct {
	a, axis, way [3]float32
	radius       float32
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

	// nearAhead and nearBehind are multiples of that in the direction in which casts go on, and in
	// the opposite one.
	nearAhead, nearBehind = 2, 0.25

	maxNearSize = 0x1p100 // of a box, metres: for what is larger, float32 may overflow

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
	if !(s.axis.Sub(n.axis).SumAbs() <= float64(sameAxis*s.axis.SumAbs())) {
		n.axis = s.axis
		for i := range n.inside[:n.count] {
			n.inside[i].known = 0
		}
	}
	first := 0
	s.ball.known = &n.face
	s.within(&n.inside[0], va, vb) // what the last cast has met: the others are soon beyond it
	a, way := s.capsule.A.Sub(n.box.lo), s.motion.Scale(s.end)
	cast := nearCast{single(&a), single(&s.axis), single(&way), float32(s.capsule.Radius)}
	for touched := n.touched(&nearBox{s.lo, s.hi}) &^ 1; touched != 0; touched &= touched - 1 {
		i, end := bits.TrailingZeros32(touched)%maxMeshNear, s.end
		if n.apart[i].excludes(&cast) {
			continue
		}
		if u := s.within(&n.inside[i], va, vb); u != (Vec3{}) {
			n.apart[i] = n.planeBefore(&n.inside[i], u)
		}
		if s.end < end {
			first = i
		}
	}
	if first != 0 {
		n.inside[0], n.inside[first] = n.inside[first], n.inside[0]
		n.bounds[0], n.bounds[first] = n.bounds[first], n.bounds[0]
		n.apart[0], n.apart[first] = n.apart[first], n.apart[0]
	}
	return true
}

// single returns v in float32.
func single(v *Vec3) [3]float32 { return [3]float32{float32(v.X), float32(v.Y), float32(v.Z)} }

// planeBefore returns the plane perpendicular to u that has a triangle just behind it.
func (n *MeshNear) planeBefore(t *nearTriangle, u Vec3) nearPlane {
	unit := u.Scale(1 / u.Length())
	p := nearPlane{x: float32(unit.X), y: float32(unit.Y), z: float32(unit.Z)}
	unit = Vec3{float64(p.x), float64(p.y), float64(p.z)}
	top := unit.Dot(t.corners[0].Sub(n.box.lo))
	for k := 1; k < 3; k++ {
		if h := unit.Dot(t.corners[k].Sub(n.box.lo)); h > top {
			top = h
		}
	}
	p.top = float32(top) + n.slack
	return p
}

// excludes reports whether all of a cast is in front of the plane.
func (p *nearPlane) excludes(c *nearCast) bool {
	at := float32(p.x*c.a[0]) + float32(p.y*c.a[1]) + float32(p.z*c.a[2])
	axis := float32(p.x*c.axis[0]) + float32(p.y*c.axis[1]) + float32(p.z*c.axis[2])
	way := float32(p.x*c.way[0]) + float32(p.y*c.way[1]) + float32(p.z*c.way[2])
	return at-c.radius+min(axis, 0)+min(way, 0) > p.top
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
	if !n.collect(m, n.boxAround(&all, beside)) {
		n.m, n.wait = nil, nearWait
		return false
	}
	n.last, n.used = *box, true
	return true
}

// boxAround returns a box with room around box. If casts go on from n.box, it reaches far on the
// sides where they leave that, and not far on the others.
func (n *MeshNear) boxAround(box *nearBox, goesOn bool) nearBox {
	grow := float64(nearGrowth * box.hi.Sub(box.lo).MaxAbs())
	low, high := Vec3{grow, grow, grow}, Vec3{grow, grow, grow}
	if goesOn {
		low.X, high.X = nearRoom(grow, box.lo.X-n.box.lo.X, n.box.hi.X-box.hi.X)
		low.Y, high.Y = nearRoom(grow, box.lo.Y-n.box.lo.Y, n.box.hi.Y-box.hi.Y)
		low.Z, high.Z = nearRoom(grow, box.lo.Z-n.box.lo.Z, n.box.hi.Z-box.hi.Z)
	}
	return nearBox{box.lo.Sub(low), box.hi.Add(high)}
}

// nearRoom returns the room at both sides along an axis where a box is so far inside of the last
// one.
func nearRoom(grow, low, high float64) (roomLow, roomHigh float64) {
	switch {
	case low < 0:
		return float64(nearAhead * grow), float64(nearBehind * grow)
	case high < 0:
		return float64(nearBehind * grow), float64(nearAhead * grow)
	}
	return grow, grow
}

// limit forgets all triangles, and sets the box for others. It returns false if that is too large
// or too small.
func (n *MeshNear) limit(box nearBox) bool {
	n.box, n.count, n.face.index = box, 0, noNeighbor
	size := box.hi.Sub(box.lo)
	// Products with a normal have errors of less than 2^-20 of the size of the box in all.
	n.slack = float32(minSlack + float64(0x1p-18*size.SumAbs()))
	n.scale = Vec3{packMax / size.X, packMax / size.Y, packMax / size.Z}
	return size.MaxAbs() < maxNearSize && min(size.X, size.Y, size.Z) > minSpeed
}

// collect finds all triangles that touch a box. It returns false if there are too many.
func (n *MeshNear) collect(m *Mesh, box nearBox) bool {
	n.m = m
	if !n.limit(box) {
		return false
	}
	half := box.hi.Sub(box.lo).Scale(0.5)
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
			n.inside[n.count].set(m, k, &c)
			n.apart[n.count] = nearPlane{top: float32(math.Inf(1))}
			n.count++
		}
	}
}

// set sets t to triangle k of m, which has the given corners.
func (t *nearTriangle) set(m *Mesh, k uint32, corners *[3]Vec3) {
	e, g := corners[1].Sub(corners[0]), corners[2].Sub(corners[0])
	t.normal = e.Cross(g)
	t.length, t.edges = t.normal.Length(), e.SumAbs()+g.SumAbs()
	t.corners, t.index, t.known, t.tested = *corners, k, 0, m.testsRim(k)
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
