package collide

// RayCastSphere returns where r enters s, no further than horizon lengths of r.Direction.
//
// The same rules hold for all ray casts. Time counts in lengths of r.Direction; CenterA and Point are where the
// ray is then; Normal points out of the surface or, for a plane, triangle or polygon, to the side from which the
// ray comes. A ray that starts strictly inside a sphere or box is an Overlap at Time 0, wherever it goes. One
// that starts on their surface is a Hit at 0 if it goes in and a Miss if it goes out or along. A
// plane, triangle or polygon has no inside; a ray that starts in it or runs along it is a Miss. Bad input gives Miss as in
// [SweepSphereSphere], and so does a zero Direction that starts outside.
func RayCastSphere(r Ray, s Sphere, horizon float64) (Contact, Outcome) {
	c, outcome := SweepSphereSphere(Sphere{Center: r.Origin}, r.Direction, s, Vec3{}, horizon)
	if outcome == Miss && r.Direction.within(largest) && horizon >= 0 && OverlapSpherePoint(s, r.Origin) {
		// On its way out, which is no concern of a ray's.
		c = Contact{Normal: awayFrom(r.Origin.Sub(s.Center), r.Direction), CenterA: r.Origin, CenterB: s.Center}
		outcome = Overlap
	}
	c.Point = c.CenterA
	return c, outcome
}

// RayCastPlane returns where r meets p, from either side. See [RayCastSphere] for the rules.
func RayCastPlane(r Ray, p Plane, horizon float64) (Contact, Outcome) {
	return SweepSpherePlane(Sphere{Center: r.Origin}, r.Direction, p, Vec3{}, horizon)
}

// RayCastTriangle returns where r meets t, from either side. The edges belong to the triangle, and a ray that
// meets the edge two triangles share meets at least one of them. See [RayCastSphere] for the rules.
func RayCastTriangle(r Ray, t Triangle, horizon float64) (Contact, Outcome) {
	if !t.A.within(largest) || !t.B.within(largest) || !t.C.within(largest) {
		return Contact{}, Miss
	}
	var corners, inward [3]Vec3
	f := t.flat(&corners, &inward)
	return f.rayCast(r, horizon)
}

// RayCastPolygon returns where r meets g, from either side, edges included as in [RayCastTriangle]. See
// [RayCastSphere] for the rules.
func RayCastPolygon(r Ray, g Polygon, horizon float64) (Contact, Outcome) {
	return g.on.rayCast(r, horizon)
}

// RayCastAABB returns where r enters b. See [RayCastSphere] for the rules.
func RayCastAABB(r Ray, b AABB, horizon float64) (Contact, Outcome) {
	if !b.valid() || !r.Origin.within(largest) || !r.Direction.within(largest) || !(horizon >= 0) {
		return Contact{}, Miss
	}
	c := Contact{CenterA: r.Origin, Point: r.Origin, CenterB: b.Center()}
	point := AABB{r.Origin, r.Origin}
	if depth, normal := boxDepth(b, point); depth > 0 {
		c.Normal = normal.Neg()
		return c, Overlap
	}
	times, normal, ok := boxTimes(point, r.Direction, b, Vec3{})
	if !ok || times.First < 0 || times.First > horizon {
		return Contact{}, Miss
	}
	c.Time, c.Normal = times.First, normal
	c.CenterA = r.Origin.AddScaled(c.Time, r.Direction)
	c.Point = c.CenterA
	return c, Hit
}

// rayCast is RayCastPolygon for any flat.
func (f *flat) rayCast(r Ray, horizon float64) (Contact, Outcome) {
	if f.normal == (Vec3{}) || !r.Origin.within(largest) || !r.Direction.within(largest) || !(horizon >= 0) {
		return Contact{}, Miss
	}
	// The ray's line passes through the face if it passes all edges on the same side: their
	// sides have no two signs.
	var left, right bool
	for i := range f.corners {
		from, to := f.edge(i)
		s := r.side(from, to)
		left, right = left || s > 0, right || s < 0
	}
	if left && right {
		return Contact{}, Miss
	}
	height, rate := f.area.dot(twoDiff3(r.Origin, f.corners[0])), f.area.dot(exactly(r.Direction))
	if height.hi == 0 {
		return Contact{}, Miss
	}
	side := 1.0
	if height.hi < 0 {
		side, height, rate = -1, height.neg(), rate.neg()
	}
	t, outcome := reachPlane(height, rate, twofold{}, horizon)
	if outcome != Hit {
		return Contact{}, Miss
	}
	at := r.Origin.AddScaled(t, r.Direction)
	return Contact{Time: t, Point: at, Normal: f.normal.Scale(side), CenterA: at, CenterB: f.corners[0]}, Hit
}

// side returns on which side of the line from, to the ray passes: the sign of d·(a×b), with a and b the ends seen from
// its origin. The sign is the opposite one for the same line the other way round, so nothing slips between two surfaces.
func (r Ray) side(from, to Vec3) float64 {
	a, b := from.Sub(r.Origin), to.Sub(r.Origin)
	// Six products of three factors, each off by a few roundings.
	err := 8 * termSlack * r.Direction.largestPart() * a.largestPart() * b.largestPart()
	if s := r.Direction.Dot(a.Cross(b)); s > err || s < -err {
		return s
	}
	return exactly(r.Direction).dot(twoDiff3(from, r.Origin).cross(twoDiff3(to, r.Origin))).hi
}
