package collide

import "math"

// capsuleMeshSweep is the sweep of a capsule against a mesh. Where the faces around all point to
// the same side of the capsule's axis, as terrain does under one that stands, only one of its round
// ends can touch: the sweep of a sphere decides. All other triangles are tested with the whole
// capsule.
type capsuleMeshSweep struct {
	convexMeshSweep
	capsule  Capsule
	axis     Vec3      // from A to B
	axisSlop float64   // bound for the rounding of products with axis, relative to the other factor
	lo, hi   Vec3      // bounds of the whole sweep
	ball     meshSweep // the sweep of the round ends
	touching Vec3      // the end that touches first, of those in ball
	motion   Vec3      // relative velocity

	size, speed float64 // radius plus sum of the axis, and sum of the motion
}

// sideSlack is the cosine, relative to the lengths of axis and normal, below which a face counts as
// parallel to the axis: 1e-9. It is far above the tolerance of the normals of edges, so a contact
// on the other side of the axis isn't missed.
const sideSlack = 0x1p-30

// sweepCapsuleMesh is SweepMesh for a capsule. near may be nil.
func sweepCapsuleMesh(
	a Capsule, va Vec3, b *Mesh, vb Vec3, horizon float64, near *MeshNear,
) (MeshContact, Outcome) {
	var s capsuleMeshSweep
	if !s.begin(b, a, va, vb, horizon) {
		return MeshContact{}, Miss
	}
	if !near.sweep(&s, va, vb) {
		s.search(va, vb)
	}
	return s.result(va, vb)
}

// result returns the best contact with the triangles that were tested.
func (s *capsuleMeshSweep) result(va, vb Vec3) (MeshContact, Outcome) {
	if c, outcome := s.ball.contact(Sphere{s.touching, s.capsule.Radius}, va, vb); outcome != Miss {
		c.CenterA = s.capsule.A.AddScaled(c.Time, va)
		s.keep(c, outcome, s.ball.depth)
	}
	return s.best, s.outcome
}

// search tests the triangles that the tree finds on the way.
func (s *capsuleMeshSweep) search(va, vb Vec3) {
	var search meshSearch
	var t nearTriangle
	search.beginBox(s.m, s.center, s.motion, s.half, s.end)
	for {
		first, count, ok := search.next()
		if !ok {
			return
		}
		for k := first; k < first+count; k++ {
			if c := (Facet{m: s.m, index: k}).Corners(); !s.isOutside(&c[0], &c[1], &c[2]) {
				t.set(s.m, k, &c)
				s.within(&t, va, vb)
			}
		}
		search.shorten(s.end)
	}
}

// begin returns false for invalid input, and if nothing moves.
func (s *capsuleMeshSweep) begin(m *Mesh, a Capsule, va, vb Vec3, horizon float64) bool {
	v2 := twoDiff3(va, vb)
	v := v2.rounded()
	if !a.A.within(maxInput) || !a.B.within(maxInput) || !(a.Radius >= 0 && a.Radius <= maxInput) ||
		!va.within(maxInput) || !vb.within(maxInput) || !(horizon >= 0) || v.MaxAbs() < minSpeed {
		return false
	}
	s.m, s.end, s.capsule, s.motion = m, horizon, a, v
	s.axis = a.B.Sub(a.A)
	s.center = a.A.AddScaled(0.5, s.axis)
	s.half = Vec3{
		float64(0.5*math.Abs(s.axis.X)) + a.Radius, float64(0.5*math.Abs(s.axis.Y)) + a.Radius,
		float64(0.5*math.Abs(s.axis.Z)) + a.Radius,
	}
	s.axisSlop = float64(sideSlack * s.axis.SumAbs())
	s.size, s.speed = a.Radius+s.axis.SumAbs(), v.SumAbs()
	s.ball.m, s.ball.r, s.ball.v, s.ball.v2 = m, a.Radius, v, v2
	s.bound()
	return true
}

// bound sets the bounds of the sweep until its end, with a margin for rounding.
func (s *capsuleMeshSweep) bound() {
	way := s.motion.Scale(0.5 * min(s.end, longestSweep))
	margin := float64(0x1p-39 * (s.center.SumAbs() + s.half.SumAbs() + way.SumAbs()))
	// Grown by half the way, around the middle of the way.
	middle, grow := s.center.Add(way), Vec3{
		s.half.X + math.Abs(way.X) + margin, s.half.Y + math.Abs(way.Y) + margin, s.half.Z + math.Abs(way.Z) + margin,
	}
	s.lo, s.hi = middle.Sub(grow), middle.Add(grow)
}

// longestSweep is the duration, in seconds, from which on a sweep counts as one without an end:
// whatever moves comes out of the range of coordinates before.
const longestSweep = 0x1p700

// isOutside reports whether a triangle is beyond one of the bounds of the sweep: whether three
// differences are negative. It has no branches, because none would be predictable.
func (s *capsuleMeshSweep) isOutside(a, b, c *Vec3) bool {
	bits := math.Float64bits
	return int64(bits(s.hi.X-a.X)&bits(s.hi.X-b.X)&bits(s.hi.X-c.X)|
		bits(a.X-s.lo.X)&bits(b.X-s.lo.X)&bits(c.X-s.lo.X)|
		bits(s.hi.Y-a.Y)&bits(s.hi.Y-b.Y)&bits(s.hi.Y-c.Y)|
		bits(a.Y-s.lo.Y)&bits(b.Y-s.lo.Y)&bits(c.Y-s.lo.Y)|
		bits(s.hi.Z-a.Z)&bits(s.hi.Z-b.Z)&bits(s.hi.Z-c.Z)|
		bits(a.Z-s.lo.Z)&bits(b.Z-s.lo.Z)&bits(c.Z-s.lo.Z)) < 0
}

// within tests a triangle that isn't outside of the bounds of the sweep. It returns the normal, of
// any length, of a plane between the two, or zero if it has found none.
func (s *capsuleMeshSweep) within(t *nearTriangle, va, vb Vec3) (apart Vec3) {
	// A capsule that stays in front of the triangle's plane, or behind it, touches no point of it.
	n, p := t.normal, s.capsule.A.Sub(t.corners[0])
	height, side, rate := n.Dot(p), n.Dot(s.axis), float64(n.Dot(s.motion)*s.end)
	size := p.SumAbs() + t.edges + s.size
	slack := float64(0x1p-46 * float64(float64(t.edges*t.edges)*(size+float64(s.speed*s.end))))
	radius := float64(t.length * s.capsule.Radius) // times the length of n, as the heights are
	reach := radius + slack
	// The middle of the heights between which it moves, and half their difference.
	middle, half := height+float64(0.5*(side+rate)), float64(0.5*(math.Abs(side)+math.Abs(rate)))
	if math.Abs(middle) > reach+half {
		return n.Scale(math.Copysign(1, middle))
	}
	e, g := t.corners[1].Sub(t.corners[0]), t.corners[2].Sub(t.corners[0])
	if !s.ball.known.is(t.index) {
		if apart = s.keepsOff(&t.corners, side, &p, &e, &g, size); apart != (Vec3{}) {
			return apart
		}
	}
	before := s.end
	if end := s.endFor(t, height, side, radius); end >= 0 {
		had, number := s.ball.outcome, s.ball.number
		s.ball.p, s.ball.end = [2]Vec3{s.capsule.A, s.capsule.B}[end], s.end
		if !s.ball.decideByFace(t.index, &t.corners[0], &t.corners[1], &t.corners[2]) && t.tested {
			s.ball.rimOf(t.index)
		}
		s.end = s.ball.end
		if s.ball.outcome != had || s.ball.number != number {
			s.touching = s.ball.p
		}
	} else if !s.passes(&p, &e, &g, &n, size) {
		s.convexMeshSweep.triangle(s.capsule, va, t.index, vb)
	}
	if s.end < before {
		s.bound()
	}
	return Vec3{}
}

// keepsOff returns the normal of a plane that separates the capsule from a triangle until the end:
// the one through the triangle's point nearest to an end of the capsule, and perpendicular to the
// way there. If that doesn't separate them, it returns zero. Most of the triangles beside the one
// that a capsule stands on are excluded by that. side is the product of the triangle's normal and
// the axis; for the rest see passes.
func (s *capsuleMeshSweep) keepsOff(corners *[3]Vec3, side float64, p, e, g *Vec3, size float64) Vec3 {
	center := s.capsule.A
	if side < 0 {
		center = s.capsule.B
	}
	near, on := closestFeature(corners, center)
	if on == Face {
		return Vec3{}
	}
	way, u := s.motion.Scale(s.end), center.Sub(near)
	if !s.separates(u, p, e, g, &way, size+way.SumAbs()) {
		return Vec3{}
	}
	return u
}

// passes reports whether the capsule is seen to pass a triangle without a touch: a plane
// perpendicular to the triangle or parallel to an edge and to the axis or to the motion separates
// the two until the end. p is the capsule's A relative to the triangle's first corner, e and g are
// the edges from there, n is their product, and size is the sum of the sizes of all of that.
func (s *capsuleMeshSweep) passes(p, e, g, n *Vec3, size float64) bool {
	way := s.motion.Scale(s.end)
	size += way.SumAbs()
	edges := [3]Vec3{*e, g.Sub(*e), g.Neg()}
	for i := range edges {
		for _, with := range [3]*Vec3{n, &s.axis, &way} {
			if s.separates(edges[i].Cross(*with), p, e, g, &way, size) {
				return true
			}
		}
	}
	return false
}

// separates reports whether a plane perpendicular to u, of any length, separates the capsule from a
// triangle on its whole way. size bounds the other vectors.
func (s *capsuleMeshSweep) separates(u Vec3, p, e, g, way *Vec3, size float64) bool {
	// The highest corner of the triangle along u and the lowest point of the sweep, and the same
	// the other way round.
	q, x, y := u.Dot(*p), u.Dot(*e), u.Dot(*g)
	a, w := u.Dot(s.axis), u.Dot(*way)
	reach := float64(u.Length()*s.capsule.Radius) + float64(0x1p-44*float64(u.SumAbs()*size))
	middle, half := q+float64(0.5*(a+w)), reach+float64(0.5*(math.Abs(a)+math.Abs(w)))
	return middle-half > max(x, y, 0) || middle+half < min(x, y, 0)
}

// endFor returns which end of the capsule a triangle can touch: 0 or 1, or -1 if that isn't sure.
// height is that of A above its plane, side the product of its normal and the axis, and radius that
// of the capsule, all times the length of the normal.
func (s *capsuleMeshSweep) endFor(t *nearTriangle, height, side, radius float64) int {
	if s.m.twoSided {
		return -1
	}
	slack := float64(s.axisSlop * t.normal.SumAbs())
	end := 0
	switch {
	case side > slack:
	case side < -slack:
		end, height = 1, height+side
	default:
		return -1
	}
	switch {
	case height <= 0:
		return -1 // the axis pierces the plane, or is behind it
	case height < float64(radius*(1-sideSlack)):
		// If it overlaps the triangle, the rest of it decides how it gets out.
		center := [2]Vec3{s.capsule.A, s.capsule.B}[end]
		near, on := closestFeature(&t.corners, center)
		if on == Face || near.Distance(center) < float64(s.capsule.Radius*(1-sideSlack)) {
			return -1
		}
	}
	if !s.neighborsFace(t, end) {
		return -1
	}
	return end
}

// sameAxis is the difference of two axes, relative to their size, up to which neighborsFace has the
// same result for both: a sixteenth of sideSlack, and far more than rounding.
const sameAxis = sideSlack / 16

// neighborsFace reports whether all neighbours of a triangle face an end of the capsule. It notes
// the result in t if that is the same for all axes that differ by twice sameAxis.
func (s *capsuleMeshSweep) neighborsFace(t *nearTriangle, end int) bool {
	if t.known>>end&1 != 0 {
		return t.faces>>end&1 != 0
	}
	t.faces &^= 1 << end
	own, sure := &s.m.triangles[t.index], uint8(1)<<end
	for i := range 3 {
		j := own.neighbor(i)
		if j == noNeighbor {
			t.known |= 1 << end
			return false
		}
		p := &t.corners[i]
		// The neighbour's normal: it has the edge in the opposite direction. A neighbour that is
		// parallel to the axis is tested with the whole capsule, and with it the edge.
		m := s.m.opposite(t.index, i).Sub(*p).Cross(t.corners[(i+1)%3].Sub(*p))
		other, limit := m.Dot(s.axis), float64(0.5*float64(s.axisSlop*m.SumAbs()))
		if end == 1 {
			other = -other
		}
		if !(other >= -limit) {
			if other < float64(-1.5*limit) {
				t.known |= 1 << end
			}
			return false
		}
		if other < float64(-0.5*limit) {
			sure = 0
		}
	}
	t.known |= sure
	t.faces |= 1 << end
	return true
}
