package collide

// SweepSpherePoint reports when a, moving at va, first touches the point b, moving at vb, within horizon seconds.
// A point is a sphere of radius 0: see [SweepSphereSphere] for the rules.
func SweepSpherePoint(a Sphere, va, b, vb Vec3, horizon float64) (Contact, Outcome) {
	t, normal, outcome := sweepBalls(a.Center, a.Radius, va, b, 0, vb, horizon)
	if outcome == Miss {
		return Contact{}, Miss
	}
	at := b.AddScaled(t, vb)
	return Contact{Time: t, Point: at, Normal: normal, CenterA: a.Center.AddScaled(t, va), CenterB: at}, outcome
}

// SweepSphereStill reports when a, moving at va, first touches b, which doesn't move. It is the same as casting
// the ray of a's centre against b grown by a's radius, but for the order of judgement, which is that of
// [SweepSphereSphere]: a sphere that starts inside b and leaves is a Miss, a ray that does is an Overlap.
func SweepSphereStill(a Sphere, va Vec3, b Sphere, horizon float64) (Contact, Outcome) {
	return SweepSphereSphere(a, va, b, Vec3{}, horizon)
}

// OverlapSpherePoint reports whether p is inside a. A point on its surface isn't. Bad input gives false.
func OverlapSpherePoint(a Sphere, p Vec3) bool { return OverlapSphereSphere(a, Sphere{Center: p}) }
