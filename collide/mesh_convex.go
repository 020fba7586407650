package collide

import "math"

// SweepMesh returns the first contact of a, moving at va, with the mesh b, moving at vb, within
// horizon seconds. The rules are those of [Sweep] against each triangle and of [SweepSphereMesh].
// Against a one-sided mesh, contacts whose normal points to the back of a triangle don't count.
// CenterB is the origin, moved by vb.
func SweepMesh(a Convex, va Vec3, b *Mesh, vb Vec3, horizon float64) (MeshContact, Outcome) {
	if ball, ok := a.(Sphere); ok {
		return SweepSphereMesh(ball, va, b, vb, horizon)
	}
	if capsule, ok := a.(Capsule); ok && capsule.A != capsule.B {
		return sweepCapsuleMesh(capsule, va, b, vb, horizon, nil)
	}
	s, ok := newConvexMeshSweep(b, a, va, vb, horizon)
	if !ok {
		return MeshContact{}, Miss
	}
	var search meshSearch
	search.beginBox(b, s.center, va.Sub(vb), s.half, horizon)
	for {
		first, count, ok := search.next()
		if !ok {
			return s.best, s.outcome
		}
		for k := first; k < first+count; k++ {
			s.triangle(a, va, k, vb)
			search.shorten(s.end)
		}
	}
}

// convexMeshSweep is the sweep of a convex shape against a mesh.
type convexMeshSweep struct {
	m            *Mesh
	center, half Vec3 // of the shape's bounds

	// The best contact found so far, and the time up to which a better one may be.
	best    MeshContact
	outcome Outcome
	depth   float64 // of an overlap, metres
	end     float64
}

// newConvexMeshSweep returns false for invalid input, and if nothing moves.
func newConvexMeshSweep(m *Mesh, a Convex, va, vb Vec3, horizon float64) (convexMeshSweep, bool) {
	var storage coreStorage
	k, ok := coreOf(a, &storage)
	if !ok || !va.within(maxInput) || !vb.within(maxInput) || !(horizon >= 0) || va.Sub(vb).MaxAbs() < minSpeed {
		return convexMeshSweep{}, false
	}
	s := convexMeshSweep{m: m, end: horizon}
	s.center, s.half = k.box()
	return s, true
}

// box returns the centre and the half extents of the bounds of the shape.
func (c *core) box() (center, half Vec3) {
	b := c.bounds()
	return b.Center().Add(c.origin), b.Size().Scale(0.5).Add(Vec3{c.radius, c.radius, c.radius})
}

// triangle tests triangle k and keeps the contact if it is the earliest, or the deepest overlap; of
// equal ones that of the triangle with the lowest number, so that the order doesn't matter.
func (s *convexMeshSweep) triangle(a Convex, va Vec3, k uint32, vb Vec3) {
	c, depth, o := s.m.sweepTriangle(a, va, k, vb, s.end)
	if o == Miss {
		return
	}
	c.CenterB = vb.Scale(c.Time)
	s.keep(MeshContact{c, int(s.m.triangles[k].original)}, o, depth)
}

// keep keeps a contact if it is the earliest, or the deepest overlap, as triangle says.
func (s *convexMeshSweep) keep(c MeshContact, o Outcome, depth float64) {
	better := s.outcome == Miss
	switch {
	case o == Overlap && s.outcome != Miss:
		better = s.outcome == Hit || depth > s.depth || depth == s.depth && c.Triangle < s.best.Triangle
	case o == Hit && s.outcome == Hit:
		better = c.Time < s.best.Time || c.Time == s.best.Time && c.Triangle < s.best.Triangle
	}
	if better {
		s.best, s.outcome, s.depth, s.end = c, o, depth, c.Time
	}
}

// sweepTriangle is the sweep against triangle t, without the contacts that its neighbours rule out.
// depth is that of an overlap, in metres, or -Inf for a way out that isn't the shortest: others
// come first.
func (m *Mesh) sweepTriangle(a Convex, va Vec3, t uint32, vb Vec3, end float64) (c Contact, depth float64, o Outcome) {
	if c, o = Sweep(a, va, m.triangle(t), vb, end); o == Miss {
		return c, 0, o
	}
	if !m.admits(t, c.Normal, m.twoSided) {
		c, o = m.otherNormal(a, va, t, vb, &c, o)
		return c, math.Inf(-1), o
	}
	if v := va.Sub(vb); !(c.Normal.Dot(v) < -float64(arcTolerance*v.MaxAbs())) {
		return Contact{}, 0, Miss // grazes
	}
	if o == Overlap {
		depth = -Separation(a, m.triangle(t)).Distance
	}
	return c, depth, o
}

// otherNormal is called when triangle t may not be touched with the normal of contact c. The shape
// would get between the triangles if none of them were met, so this looks for a normal that the
// triangle's neighbours admit. Where the shape touches the triangle, several normals are equally
// good if a corner meets a corner or an edge, or but for rounding if the end of a capsule that lies
// on the triangle is above an edge. Where the two overlap, the normal is that of the shortest way
// out that doesn't lead into a neighbour. Of a round shape, the triangle below the deepest point
// knows that way, so here it differs from that of c by rounding only.
func (m *Mesh) otherNormal(a Convex, va Vec3, t uint32, vb Vec3, c *Contact, o Outcome) (Contact, Outcome) {
	var sa, sb coreStorage
	p, ok := newPair(a, &sa, va, m.triangle(t), &sb, vb, c.Time)
	if !ok || o == Overlap && !m.twoSided && m.admits(t, c.Normal, true) {
		return Contact{}, Miss // leaves to the back of the triangle
	}
	slowest, deepest := -float64(arcTolerance*p.vRounded.MaxAbs()), math.Inf(1)
	depth, found := math.Inf(1), false
	if o == Overlap && p.rRounded > 0 {
		deepest = -Separation(a, m.triangle(t)).Distance
		near := p.nearest()
		if n := p.direction(&near); p.separates(&near) && m.admits(t, n, true) {
			p.normal, depth, found = n, deepest, true // the same normal, with less rounding
		}
	}
	for k := range p.axisCount() {
		n, ok := p.axisRounded(k).Normalized()
		if !ok {
			continue
		}
		low, high, rate, err, _ := p.projectRounded(n)
		for range 2 {
			switch {
			case o == Overlap:
				if out := p.rRounded - low; out < depth && out <= deepest+err && m.admits(t, n, true) {
					p.normal, depth, found = n, out, true
				}
			case !found && rate < slowest && math.Abs(low-p.rRounded+float64(rate*c.Time)) <= err &&
				m.admits(t, n, m.twoSided):
				p.normal, depth, found = n, 0, true
			}
			n, low, high, rate = n.Neg(), -high, -low, -rate
		}
	}
	if !found || !(p.normal.Dot(p.vRounded) < slowest) || !m.admits(t, p.normal, m.twoSided) {
		return Contact{}, Miss
	}
	p.time, p.normal = c.Time, p.normal.Add(Vec3{}) // without negative zeros
	c.Normal, c.Point = p.normal, p.contactPoint().Add(p.b.origin.AddScaled(p.time, vb))
	return *c, o
}

// admits reports whether triangle t may be touched from the direction of the normal: with its face
// from the front, or with an edge or a vertex that lies at the border of the mesh in that
// direction. Both sides may be solid even if those of the mesh are not.
func (m *Mesh) admits(t uint32, normal Vec3, both bool) bool {
	a, b, c := m.corners(t)
	heights := [3]float64{0, normal.Dot(b.Sub(*a)), normal.Dot(c.Sub(*a))}
	top := max(heights[0], heights[1], heights[2])
	slack := float64(arcTolerance * max(b.Sub(*a).SumAbs(), c.Sub(*a).SumAbs()))
	var on [3]bool
	n := 0
	for k, h := range heights {
		on[k] = h >= top-slack
		if on[k] {
			n++
		}
	}
	switch n {
	case 3:
		return both || normal.Dot(b.Sub(*a).Cross(c.Sub(*a))) > 0
	case 2:
		for k := range 3 {
			if on[k] && on[(k+1)%3] {
				return m.isSharp(t, k) && m.inArc(t, k, normal, both)
			}
		}
	}
	for k := range 3 {
		if on[k] {
			return m.inCone(t, k, normal, both)
		}
	}
	return false
}

// OverlapsMesh reports whether a triangle of b has a point in the interior of a. Touching isn't an
// overlap. A shape that lies wholly on the inner side of a mesh overlaps no triangle. Invalid input
// gives false.
func OverlapsMesh(a Convex, b *Mesh) bool {
	var sa coreStorage
	k, ok := coreOf(a, &sa)
	if !ok {
		return false
	}
	center, half := k.box()
	var s meshSearch
	s.beginBox(b, center, Vec3{}, half, 0)
	for {
		first, count, ok := s.next()
		if !ok {
			return false
		}
		for t := first; t < first+count; t++ {
			if Overlaps(a, b.triangle(t)) {
				return true
			}
		}
	}
}

// ClosestPoint returns the point of m nearest to p, and the number of a triangle that has it. p
// must be finite. The zero Mesh has no point; then the number is -1.
func (m *Mesh) ClosestPoint(p Vec3) (Vec3, int) {
	var stack [maxMeshStack]meshChild
	var distances [maxMeshStack]float64
	depth, best, at, number := 1, math.Inf(1), Vec3{}, -1
	if m.isEmpty() {
		return at, number
	}
	for depth > 0 {
		depth--
		if distances[depth] > best {
			continue
		}
		if stack[depth]&leafChild == 0 {
			n, bottom := &m.nodes[stack[depth]], depth
			for k, child := range n.children {
				if child == 0 {
					break
				}
				d, i := n.squaredDistance(k, p, m.treeScale), depth
				for ; i > bottom && distances[i-1] < d; i-- {
					stack[i], distances[i] = stack[i-1], distances[i-1]
				}
				stack[i], distances[i] = child, d
				depth++
			}
			continue
		}
		first, count := stack[depth].leaf()
		for t := first; t < first+count; t++ {
			q := m.triangle(t).ClosestPoint(p)
			d := q.Sub(p).LengthSquared()
			if o := int(m.triangles[t].original); d < best || d == best && o < number {
				best, at, number = d, q, o
			}
		}
	}
	return at, number
}

// squaredDistance returns a lower bound of the squared distance of p from the box of child k. scale
// is that of the tree.
func (n *meshNode) squaredDistance(k int, p Vec3, scale float64) float64 {
	sum := 0.0
	for axis := range 3 {
		x, origin, quantum := p.Component(axis), float64(n.origin[axis]), float64(n.scale[axis])
		low := float64((origin + float64(float64(n.quanta[k/4][axis][k%4])*quantum)) / scale)
		high := float64((origin + float64(float64(n.quanta[k/4][axis+3][k%4])*quantum)) / scale)
		slack := float64(0x1p-51 * max(-low, low, -high, high))
		d := max(low-x, x-high, slack) - slack
		sum += float64(d * d)
	}
	return float64(sum * (1 - 0x1p-48))
}
