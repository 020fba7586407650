package collide

// SweepSpherePolygon returns the first contact of a, moving at va, with the polygon b, moving at
// vb, within horizon seconds: with its face, an edge or a corner. The polygon is two-sided. The
// rules are those of [SweepSphereTriangle]. CenterB is b's first corner at the time of contact.
func SweepSpherePolygon(a Sphere, va Vec3, b Polygon, vb Vec3, horizon float64) (Contact, Outcome) {
	s := flatSweep{ball: a, va: va, on: b.on, vb: vb, limit: horizon}
	return s.sweep()
}

// SweepSpherePolygonFront is [SweepSpherePolygon] for a one-sided polygon. A sphere passes if its
// centre starts behind the polygon's plane, or if it doesn't move against the polygon's normal.
func SweepSpherePolygonFront(a Sphere, va Vec3, b Polygon, vb Vec3, horizon float64) (Contact, Outcome) {
	s := flatSweep{ball: a, va: va, on: b.on, vb: vb, limit: horizon, front: true}
	return s.sweep()
}

// OverlapSpherePolygon reports whether b has a point strictly inside a. Touching isn't an overlap.
// Invalid input gives false.
func OverlapSpherePolygon(a Sphere, b Polygon) bool {
	_, outcome := SweepSpherePolygon(a, Vec3{}, b, Vec3{}, 0)
	return outcome == Overlap
}
