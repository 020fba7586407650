package collide

// SweepSphereSegment reports when a, moving at va, first touches the segment b, moving at vb, within horizon seconds:
// its side first, then its ends. The rules are those of [SweepSphereSphere], with the distance to the
// segment's nearest point in place of that of the centres. A segment whose ends coincide is a point.
//
// CenterB is b.A at that time. On an Overlap Point is the segment's point nearest to a's centre.
func SweepSphereSegment(a Sphere, va Vec3, b Segment, vb Vec3, horizon float64) (Contact, Outcome) {
	if !b.A.within(largest) || !b.B.within(largest) {
		return Contact{}, Miss
	}
	corners := [2]Vec3{b.A, b.B}
	s := flatSweep{ball: a, va: va, vb: vb, limit: horizon}
	s.on.corners = corners[:]
	return s.sweep()
}

// OverlapSphereSegment reports whether a holds a point of b inside it. Touching isn't enough. Bad
// input gives false.
func OverlapSphereSegment(a Sphere, b Segment) bool {
	_, outcome := SweepSphereSegment(a, Vec3{}, b, Vec3{}, 0)
	return outcome == Overlap
}

// ClosestPoint returns the point of s nearest to p.
func (s Segment) ClosestPoint(p Vec3) Vec3 {
	along, end := alongSegment(p, s.A, s.B)
	if end && along == 1 {
		return s.B // Lerp might round
	}
	return s.A.Lerp(s.B, along)
}

// Bounds returns the smallest box around s.
func (s Segment) Bounds() AABB { return NewAABB(s.A, s.B) }
