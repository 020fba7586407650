package collide

// SweepSphereSegment returns the first contact of a, moving at va, with the segment b, moving at
// vb, within horizon seconds. The rules are those of [SweepSphereSphere], with the distance to the
// segment's nearest point instead of the distance of the centres. A segment whose ends coincide is
// a point.
//
// CenterB is b.A at the time of contact. On an Overlap, Point is the segment's point nearest to a's
// centre.
func SweepSphereSegment(a Sphere, va Vec3, b Segment, vb Vec3, horizon float64) (Contact, Outcome) {
	if !b.A.within(maxInput) || !b.B.within(maxInput) {
		return Contact{}, Miss
	}
	corners := [2]Vec3{b.A, b.B}
	s := flatSweep{ball: a, va: va, vb: vb, limit: horizon}
	s.on.corners = corners[:]
	return s.sweep()
}

// OverlapSphereSegment reports whether b has a point strictly inside a. Touching isn't an overlap.
// Invalid input gives false.
func OverlapSphereSegment(a Sphere, b Segment) bool {
	_, outcome := SweepSphereSegment(a, Vec3{}, b, Vec3{}, 0)
	return outcome == Overlap
}

// ClosestPoint returns the point of s nearest to p.
func (s Segment) ClosestPoint(p Vec3) Vec3 {
	t, atEnd := projectOnSegment(p, s.A, s.B)
	if atEnd && t == 1 {
		return s.B // exactly, without the rounding of Lerp
	}
	return s.A.Lerp(s.B, t)
}

// Bounds returns the smallest box that contains s.
func (s Segment) Bounds() AABB { return NewAABB(s.A, s.B) }
