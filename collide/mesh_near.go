package collide

// MeshNear keeps the triangles of a mesh around a capsule that is cast there again and again, such
// as that of a character, so that not each cast searches the mesh. It changes no result. The zero
// value is ready for use, with any mesh. It has about 4 kB; two goroutines must not use the same
// one at once.
type MeshNear struct {
	m      *Mesh   // nil for none
	box    nearBox // all triangles that touch it are known
	last   nearBox // of the last cast for which they were known
	used   bool    // there was one since another place was asked for
	wait   int     // how many casts search the mesh, since here are too many triangles
	count  int
	inside [maxMeshNear]nearTriangle
}

// nearTriangle is a triangle, its bounds and its corners, which are elsewhere in the mesh, each in
// another cache line.
type nearTriangle struct {
	nearBox
	corners [3]Vec3
	index   uint32
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
	first := 0
	for i := range n.count {
		t := &n.inside[i]
		if !t.overlaps(&nearBox{s.lo, s.hi}) {
			continue
		}
		end := s.end
		s.within(t.index, &t.corners, va, vb)
		if s.end < end {
			first = i
		}
	}
	// The next cast probably meets the same one. If it is the first, the others are seen to be
	// beyond.
	n.inside[0], n.inside[first] = n.inside[first], n.inside[0]
	return true
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
	n.m, n.count = m, 0
	half := n.box.hi.Sub(n.box.lo).Scale(0.5)
	if !(half.MaxAbs() < maxInput) {
		return false
	}
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
			n.inside[n.count] = nearTriangle{bounds, c, k}
			n.count++
		}
	}
}

// add enlarges b so that it contains c.
func (b *nearBox) add(c *nearBox) {
	b.lo = Vec3{min(b.lo.X, c.lo.X), min(b.lo.Y, c.lo.Y), min(b.lo.Z, c.lo.Z)}
	b.hi = Vec3{max(b.hi.X, c.hi.X), max(b.hi.Y, c.hi.Y), max(b.hi.Z, c.hi.Z)}
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
