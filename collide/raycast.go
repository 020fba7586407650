package collide

// RayCastSphere returns the point where r enters s, at most horizon lengths of r.Direction away.
//
// All ray casts follow the same rules. Time is measured in lengths of r.Direction. CenterA and
// Point are the point of contact. Normal points out of a sphere, capsule or box; for a plane,
// triangle or polygon it points to the side from which the ray comes. A ray that starts strictly
// inside a sphere, capsule or box is an Overlap at Time 0, whatever its direction. A ray that
// starts on the surface of one is a Hit at 0 if it goes inwards, and a Miss otherwise. A ray that
// starts in a plane, triangle or polygon, or runs parallel to it, is a Miss. Invalid input gives
// Miss as in [SweepSphereSphere], and so does a zero Direction with an Origin outside.
func RayCastSphere(r Ray, s Sphere, horizon float64) (Contact, Outcome) {
	c, outcome := SweepSphereSphere(Sphere{Center: r.Origin}, r.Direction, s, Vec3{}, horizon)
	if outcome == Miss && r.Direction.within(maxInput) && horizon >= 0 && OverlapSpherePoint(s, r.Origin) {
		// The ray starts inside and leaves. That is a Miss for a sweep, but an Overlap for a ray.
		c = Contact{Normal: separationNormal(r.Origin.Sub(s.Center), r.Direction), CenterA: r.Origin, CenterB: s.Center}
		outcome = Overlap
	}
	c.Point = c.CenterA
	return c, outcome
}

// RayCastCapsule returns the point where r enters b. The rules are those of [RayCastSphere].
func RayCastCapsule(r Ray, b Capsule, horizon float64) (Contact, Outcome) {
	c, outcome := SweepSphereCapsule(Sphere{Center: r.Origin}, r.Direction, b, Vec3{}, horizon)
	if outcome == Miss && r.Direction.within(maxInput) && horizon >= 0 &&
		OverlapSphereCapsule(Sphere{Center: r.Origin}, b) {
		normal := separationNormal(r.Origin.Sub(b.axis().ClosestPoint(r.Origin)), r.Direction)
		c, outcome = Contact{Normal: normal, CenterA: r.Origin, CenterB: b.A}, Overlap
	}
	c.Point = c.CenterA
	return c, outcome
}

// RayCastPlane returns the point where r meets p, from either side. The rules are those of
// [RayCastSphere].
func RayCastPlane(r Ray, p Plane, horizon float64) (Contact, Outcome) {
	return SweepSpherePlane(Sphere{Center: r.Origin}, r.Direction, p, Vec3{}, horizon)
}

// RayCastTriangle returns the point where r meets t, from either side. The edges belong to the
// triangle, and a ray that meets an edge shared by two triangles hits at least one of them. The
// rules are those of [RayCastSphere].
func RayCastTriangle(r Ray, t Triangle, horizon float64) (Contact, Outcome) {
	if !t.A.within(maxInput) || !t.B.within(maxInput) || !t.C.within(maxInput) {
		return Contact{}, Miss
	}
	var corners, inward [3]Vec3
	f := t.flatShape(&corners, &inward)
	return f.rayCast(r, horizon)
}

// RayCastPolygon returns the point where r meets g, from either side, edges included as in
// [RayCastTriangle]. The rules are those of [RayCastSphere].
func RayCastPolygon(r Ray, g Polygon, horizon float64) (Contact, Outcome) {
	return g.on.rayCast(r, horizon)
}

// RayCastAABB returns the point where r enters b. The rules are those of [RayCastSphere].
func RayCastAABB(r Ray, b AABB, horizon float64) (Contact, Outcome) {
	if !b.valid() || !r.Origin.within(maxInput) || !r.Direction.within(maxInput) || !(horizon >= 0) {
		return Contact{}, Miss
	}
	c := Contact{CenterA: r.Origin, Point: r.Origin, CenterB: b.Center()}
	point := AABB{r.Origin, r.Origin}
	if depth, normal := boxPenetration(b, point); depth > 0 {
		c.Normal = normal.Neg()
		return c, Overlap
	}
	times, normal, ok := boxInterval(point, r.Direction, b, Vec3{})
	if !ok || times.First < 0 || times.First > horizon {
		return Contact{}, Miss
	}
	c.Time, c.Normal = times.First, normal
	c.CenterA = r.Origin.AddScaled(c.Time, r.Direction)
	c.Point = c.CenterA
	return c, Hit
}

// rayCast is RayCastPolygon for any flatShape.
func (f *flatShape) rayCast(r Ray, horizon float64) (Contact, Outcome) {
	if f.normal == (Vec3{}) || !r.Origin.within(maxInput) || !r.Direction.within(maxInput) || !(horizon >= 0) {
		return Contact{}, Miss
	}
	// The line of the ray passes through the face if all edges are on the same side of it.
	var left, right bool
	for i := range f.corners {
		from, to := f.edge(i)
		s := r.side(from, to)
		left, right = left || s > 0, right || s < 0
	}
	if left && right {
		return Contact{}, Miss
	}
	height, rate := f.area.dot(twoDiff3(r.Origin, f.corners[0])), f.area.dot(toTwofold3(r.Direction))
	if height.hi == 0 {
		return Contact{}, Miss
	}
	side := 1.0
	if height.hi < 0 {
		side, height, rate = -1, height.neg(), rate.neg()
	}
	t, outcome := planeImpactTime(height, rate, twofold{}, horizon)
	if outcome != Hit {
		return Contact{}, Miss
	}
	at := r.Origin.AddScaled(t, r.Direction)
	return Contact{Time: t, Point: at, Normal: f.normal.Scale(side), CenterA: at, CenterB: f.corners[0]}, Hit
}

// side returns a value whose sign tells on which side the ray passes the line from, to: the sign of
// d·(a×b), with a and b the ends relative to the ray's origin. Reversing the line reverses the
// sign, so no ray passes between two surfaces that share an edge.
func (r Ray) side(from, to Vec3) float64 {
	a, b := from.Sub(r.Origin), to.Sub(r.Origin)
	// Six products of three factors, each with a few roundings.
	err := 8 * termError * r.Direction.MaxAbs() * a.MaxAbs() * b.MaxAbs()
	if s := r.Direction.Dot(a.Cross(b)); s > err || s < -err {
		return s
	}
	return toTwofold3(r.Direction).dot(twoDiff3(from, r.Origin).cross(twoDiff3(to, r.Origin))).hi
}
