package collide

// SweepSpherePolygon reports when a, moving at va, first touches the polygon b, moving at vb, within horizon
// seconds: its face first, then its edges, then its corners. It works from both sides, by the rules of
// [SweepSphereTriangle]. CenterB is b's first corner at that time.
func SweepSpherePolygon(a Sphere, va Vec3, b Polygon, vb Vec3, horizon float64) (Contact, Outcome) {
	s := flatSweep{ball: a, va: va, on: b.on, vb: vb, limit: horizon}
	return s.sweep()
}

// SweepSpherePolygonFront is [SweepSpherePolygon] against a surface that stops only what comes from its front:
// what starts with its centre behind the polygon's plane passes, and so does what doesn't move
// against its normal.
func SweepSpherePolygonFront(a Sphere, va Vec3, b Polygon, vb Vec3, horizon float64) (Contact, Outcome) {
	s := flatSweep{ball: a, va: va, on: b.on, vb: vb, limit: horizon, front: true}
	return s.sweep()
}

// OverlapSpherePolygon reports whether a holds a point of b inside it. Touching isn't enough. Bad
// input gives false.
func OverlapSpherePolygon(a Sphere, b Polygon) bool {
	_, outcome := SweepSpherePolygon(a, Vec3{}, b, Vec3{}, 0)
	return outcome == Overlap
}
