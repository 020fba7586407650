package collide

// SweepSpherePoint returns the first contact of a, moving at va, with the point b, moving at vb,
// within horizon seconds. A point is a sphere of radius 0; the rules are those of
// [SweepSphereSphere].
func SweepSpherePoint(a Sphere, va, b, vb Vec3, horizon float64) (Contact, Outcome) {
	t, normal, outcome := sweepSpheres(a.Center, a.Radius, va, b, 0, vb, horizon)
	if outcome == Miss {
		return Contact{}, Miss
	}
	at := b.AddScaled(t, vb)
	return Contact{Time: t, Point: at, Normal: normal, CenterA: a.Center.AddScaled(t, va), CenterB: at}, outcome
}

// SweepSphereStill returns the first contact of a, moving at va, with b, which doesn't move, within
// horizon seconds. It is [SweepSphereSphere] with a zero vb. A ray cast from a's centre against b
// grown by a's radius gives the same, except that a sphere that starts inside b and leaves is a
// Miss, and such a ray an Overlap.
func SweepSphereStill(a Sphere, va Vec3, b Sphere, horizon float64) (Contact, Outcome) {
	return SweepSphereSphere(a, va, b, Vec3{}, horizon)
}

// OverlapSpherePoint reports whether p is strictly inside a. Invalid input gives false.
func OverlapSpherePoint(a Sphere, p Vec3) bool { return OverlapSphereSphere(a, Sphere{Center: p}) }
