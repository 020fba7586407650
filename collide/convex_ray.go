package collide

import "math"

// RayCast returns the point where r enters b, at most horizon lengths of r.Direction away. The
// rules are those of [RayCastSphere]. A ray that only grazes an edge of a box or hull, or runs in a
// side of it, is a Miss.
func RayCast(r Ray, b Convex, horizon float64) (Contact, Outcome) {
	switch b := b.(type) {
	case Sphere:
		return RayCastSphere(r, b, horizon)
	case Capsule:
		return RayCastCapsule(r, b, horizon)
	case Triangle:
		return RayCastTriangle(r, b, horizon)
	case Polygon:
		return RayCastPolygon(r, b, horizon)
	case AABB:
		return RayCastAABB(r, b, horizon)
	}
	var sa, sb coreStorage
	p, ok := newPair(Sphere{Center: r.Origin}, &sa, r.Direction, b, &sb, Vec3{}, horizon)
	if !ok || p.surelyApart() {
		return Contact{}, Miss
	}
	outcome := Miss
	if p.b.solid() {
		if outcome = p.sweepAxes(); outcome == Overlap {
			_, p.normal, _ = p.penetration()
		}
	} else {
		outcome = p.sweepFeatures()
	}
	if outcome == Miss {
		return Contact{}, Miss
	}
	at := r.Origin.AddScaled(p.time, r.Direction)
	return Contact{Time: p.time, Point: at, Normal: p.normal, CenterA: at, CenterB: reference(b)}, outcome
}

// SweepConvexPlane returns the first contact of a, moving at va, with the plane b, moving at vb,
// within horizon seconds. The plane is two-sided. The rules are those of [Sweep]: a shape on both
// sides of the plane is an Overlap, unless it leaves towards the side on which more of it is.
// CenterB is the plane's point nearest to the origin, moved by vb.
func SweepConvexPlane(a Convex, va Vec3, b Plane, vb Vec3, horizon float64) (Contact, Outcome) {
	var s coreStorage
	k, ok := coreOf(a, &s)
	if !ok || !validPlaneSweep(Sphere{Center: k.origin, Radius: k.radius}, va, b, vb, horizon) {
		return Contact{}, Miss
	}
	n := toTwofold3(b.Normal)
	lowest, highest := extremes(k.points, n, b.Normal, float64(0x1p-46*k.size))
	origin, r := planeHeight(k.origin, b), twofold{k.radius, 0}
	low := origin.add(n.dot(toTwofold3(lowest))).sub(r)
	high := origin.add(n.dot(toTwofold3(highest))).add(r)
	rate, side := planeRate(va, b, vb), 1.0
	if low.hi < 0 && (high.hi <= 0 || -low.hi > high.hi) {
		low, high, rate, side = high.neg(), low.neg(), rate.neg(), -1
	}
	t, outcome := planeImpactTime(low, rate, twofold{}, horizon)
	if outcome == Miss {
		return Contact{}, Miss
	}
	normal := b.Normal.Scale(side)
	at := k.middle(normal.Neg()).Add(k.origin.AddScaled(t, va))
	c := Contact{
		Time: t, Normal: normal,
		CenterA: reference(a).AddScaled(t, va), CenterB: b.Normal.Scale(b.Distance).AddScaled(t, vb),
	}
	depth := 0.0
	if outcome == Overlap {
		depth = low.hi
	}
	c.Point = at.AddScaled(-k.radius-depth, c.Normal)
	return c, outcome
}

// middle returns the middle of the face, the edge or the corner that is the farthest along n,
// relative to the origin.
func (c *core) middle(n Vec3) Vec3 {
	var room [2]int32
	b := AABB{Vec3{math.Inf(1), math.Inf(1), math.Inf(1)}, Vec3{math.Inf(-1), math.Inf(-1), math.Inf(-1)}}
	corners := c.extreme(n, &room)
	for _, k := range corners {
		b = b.Union(AABB{c.points[k], c.points[k]})
	}
	at := b.Center()
	return at.AddScaled(n.Dot(c.points[corners[0]].Sub(at)), n) // the middle of the bounds is beside a face
}
