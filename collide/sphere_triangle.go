package collide

// SweepSphereTriangle reports when a, moving at va, first touches the triangle b, moving at vb, within horizon
// seconds: its face first, then its edges, then its corners. It works from both sides. The rules are those of
// [SweepSphereSphere], with the distance to the triangle's nearest point in place of that of the centres; a
// centre that lies in the face is judged as by [SweepSpherePlane]. A triangle without area is its edges.
//
// CenterB is b.A at that time. On an Overlap Point is the triangle's point nearest to a's centre. A [Polygon]
// keeps what this function works out anew at every call, so it is faster where a surface is swept against often.
func SweepSphereTriangle(a Sphere, va Vec3, b Triangle, vb Vec3, horizon float64) (Contact, Outcome) {
	return sweepTriangle(a, va, b, vb, horizon, false)
}

// SweepSphereTriangleFront is [SweepSphereTriangle] against a surface that stops only what comes from its front:
// what starts with its centre behind the triangle's plane passes, and so does what doesn't move
// against its normal. A triangle without area has no front and stops nothing.
func SweepSphereTriangleFront(a Sphere, va Vec3, b Triangle, vb Vec3, horizon float64) (Contact, Outcome) {
	return sweepTriangle(a, va, b, vb, horizon, true)
}

func sweepTriangle(a Sphere, va Vec3, b Triangle, vb Vec3, horizon float64, front bool) (Contact, Outcome) {
	if !b.A.within(largest) || !b.B.within(largest) || !b.C.within(largest) {
		return Contact{}, Miss
	}
	var corners, inward [3]Vec3
	s := flatSweep{ball: a, va: va, vb: vb, limit: horizon, front: front}
	s.on = b.flat(&corners, &inward)
	return s.sweep()
}

// flat returns the triangle in the form shared by all flats, in the storage it is lent.
func (t Triangle) flat(corners, inward *[3]Vec3) flat {
	*corners = [3]Vec3{t.A, t.B, t.C}
	f := flat{corners: corners[:]}
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

// OverlapSphereTriangle reports whether a holds a point of b inside it. Touching isn't enough. Bad
// input gives false.
func OverlapSphereTriangle(a Sphere, b Triangle) bool {
	_, outcome := SweepSphereTriangle(a, Vec3{}, b, Vec3{}, 0)
	return outcome == Overlap
}

// ClosestPoint returns the point of t nearest to p.
func (t Triangle) ClosestPoint(p Vec3) Vec3 {
	var corners, inward [3]Vec3
	f := t.flat(&corners, &inward)
	return f.nearest(p).point
}

// Plane returns the plane of t, with t's front, or an error as [PlaneThroughPoints] does.
func (t Triangle) Plane() (Plane, error) { return PlaneThroughPoints(t.A, t.B, t.C) }

// Bounds returns the smallest box around t.
func (t Triangle) Bounds() AABB { return NewAABB(t.A, t.B, t.C) }

// Polygon returns t as a polygon, or an error as [NewPolygon] does.
func (t Triangle) Polygon() (Polygon, error) { return NewPolygon(t.A, t.B, t.C) }
