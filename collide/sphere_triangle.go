package collide

// SweepSphereTriangle returns the first contact of a, moving at va, with the triangle b, moving at
// vb, within horizon seconds: with its face, an edge or a corner. The triangle is two-sided. The
// rules are those of [SweepSphereSphere], with the distance to the triangle's nearest point instead
// of the distance of the centres; a centre that lies in the face is treated as in
// [SweepSpherePlane]. A triangle without area consists of its edges.
//
// CenterB is b.A at the time of contact. On an Overlap, Point is the triangle's point nearest to
// a's centre. For repeated sweeps against the same surface a [Polygon] is faster, as it stores what
// this function computes in each call.
func SweepSphereTriangle(a Sphere, va Vec3, b Triangle, vb Vec3, horizon float64) (Contact, Outcome) {
	return sweepTriangle(a, va, b, vb, horizon, false)
}

// SweepSphereTriangleFront is [SweepSphereTriangle] for a one-sided triangle. A sphere passes if
// its centre starts behind the triangle's plane, or if it doesn't move against the triangle's
// normal. A triangle without area has no front, so everything passes.
func SweepSphereTriangleFront(a Sphere, va Vec3, b Triangle, vb Vec3, horizon float64) (Contact, Outcome) {
	return sweepTriangle(a, va, b, vb, horizon, true)
}

func sweepTriangle(a Sphere, va Vec3, b Triangle, vb Vec3, horizon float64, front bool) (Contact, Outcome) {
	if !b.A.within(maxInput) || !b.B.within(maxInput) || !b.C.within(maxInput) {
		return Contact{}, Miss
	}
	var corners, inward [3]Vec3
	s := flatSweep{ball: a, va: va, vb: vb, limit: horizon, front: front}
	s.on = b.flatShape(&corners, &inward)
	return s.sweep()
}

// flatShape returns the triangle as a flatShape. Its slices refer to the storage that the caller
// provides.
func (t Triangle) flatShape(corners, inward *[3]Vec3) flatShape {
	*corners = [3]Vec3{t.A, t.B, t.C}
	f := flatShape{corners: corners[:]}
	if !f.setNormal(twoDiff3(t.B, t.A).cross(twoDiff3(t.C, t.A))) {
		return f
	}
	for i := range corners {
		from, to := f.edge(i)
		inward[i] = f.normal.Cross(to.Sub(from))
	}
	f.inward = inward[:]
	return f
}

// OverlapSphereTriangle reports whether b has a point strictly inside a. Touching isn't an overlap.
// Invalid input gives false.
func OverlapSphereTriangle(a Sphere, b Triangle) bool {
	_, outcome := SweepSphereTriangle(a, Vec3{}, b, Vec3{}, 0)
	return outcome == Overlap
}

// ClosestPoint returns the point of t nearest to p.
func (t Triangle) ClosestPoint(p Vec3) Vec3 {
	var corners, inward [3]Vec3
	f := t.flatShape(&corners, &inward)
	return f.nearest(p).point
}

// Plane returns the plane of t, with the same front. The errors are those of [PlaneThroughPoints].
func (t Triangle) Plane() (Plane, error) { return PlaneThroughPoints(t.A, t.B, t.C) }

// Bounds returns the smallest box that contains t.
func (t Triangle) Bounds() AABB { return NewAABB(t.A, t.B, t.C) }

// Polygon returns t as a polygon. The errors are those of [NewPolygon].
func (t Triangle) Polygon() (Polygon, error) { return NewPolygon(t.A, t.B, t.C) }
