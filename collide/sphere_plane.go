package collide

import "math"

// SweepSpherePlane returns the first contact of a, moving at va, with the plane b, moving at vb,
// within horizon seconds. The plane is two-sided: the centre of a decides on which side the sphere
// is, and Normal points to that side. The plane's normal must have unit length.
//
// The cases are tested in the order described at [SweepSphereSphere]: receding is a Miss, even if
// the two overlap; overlapping is an Overlap at Time 0, with Point the projection of the centre on
// the plane; touching is a Hit at time 0 if the sphere approaches, and a Miss if it slides or
// rests.
//
// A sphere whose centre lies exactly in the plane is an Overlap in any case. Normal is then opposed
// to its movement through the plane, or the plane's own if there is none. A sphere of radius 0 that
// lies in the plane has neither a side nor a depth, so it is a Miss; use [SweepSpherePlaneFront]
// for such points.
//
// CenterB is the plane's point nearest to the origin, moved by vb. Invalid input gives Miss as in
// [SweepSphereSphere].
func SweepSpherePlane(a Sphere, va Vec3, b Plane, vb Vec3, horizon float64) (Contact, Outcome) {
	if !validPlaneSweep(a, va, b, vb, horizon) || surelyMissesPlane(a, va, b, vb, horizon) {
		return Contact{}, Miss
	}
	height, rate := planeHeight(a.Center, b), planeRate(va, b, vb)
	if height.hi == 0 {
		if a.Radius == 0 {
			return Contact{}, Miss
		}
		side := 1.0
		if rate.hi > 0 {
			side = -1
		}
		return planeContact(a, va, b, vb, 0, side, 0), Overlap
	}
	side := math.Copysign(1, height.hi)
	if side < 0 {
		height, rate = height.neg(), rate.neg()
	}
	t, outcome := planeImpactTime(height, rate, twofold{a.Radius, 0}, horizon)
	if outcome == Miss {
		return Contact{}, Miss
	}
	return planeContact(a, va, b, vb, t, side, height.hi), outcome
}

// SweepSpherePlaneFront is [SweepSpherePlane] for a one-sided plane. A sphere passes if its centre
// starts behind the plane, or if it doesn't move against the plane's normal. A centre exactly in
// the plane counts as in front of it, so a point that lies in the plane and moves against its
// normal is a Hit at time 0.
func SweepSpherePlaneFront(a Sphere, va Vec3, b Plane, vb Vec3, horizon float64) (Contact, Outcome) {
	if !validPlaneSweep(a, va, b, vb, horizon) || surelyMissesPlane(a, va, b, vb, horizon) {
		return Contact{}, Miss
	}
	height, rate := planeHeight(a.Center, b), planeRate(va, b, vb)
	if height.hi < 0 || rate.hi >= 0 {
		return Contact{}, Miss
	}
	t, outcome := planeImpactTime(height, rate, twofold{a.Radius, 0}, horizon)
	if outcome == Miss {
		return Contact{}, Miss
	}
	return planeContact(a, va, b, vb, t, 1, height.hi), outcome
}

// OverlapSpherePlane reports whether the distance between a's centre and the plane is less than a's
// radius. Invalid input gives false.
func OverlapSpherePlane(a Sphere, b Plane) bool {
	if !validPlaneSweep(a, Vec3{}, b, Vec3{}, 0) {
		return false
	}
	return planeHeight(a.Center, b).abs().sub(twofold{a.Radius, 0}).hi < 0
}

// planeHeight returns the signed distance of p from the plane, in metres.
func planeHeight(p Vec3, b Plane) twofold {
	return toTwofold3(b.Normal).dot(toTwofold3(p)).sub(twofold{b.Distance, 0})
}

// planeRate returns the component of va - vb along the plane's normal, in metres per second.
func planeRate(va Vec3, b Plane, vb Vec3) twofold {
	return toTwofold3(b.Normal).dot(twoDiff3(va, vb))
}

// planeImpactTime solves height + t·rate = r for t, by the rules of the sweeps. The height must not
// be negative.
func planeImpactTime(height, rate, r twofold, horizon float64) (float64, Outcome) {
	if rate.hi > 0 {
		return 0, Miss
	}
	gap := height.sub(r)
	if gap.hi < 0 {
		return 0, Overlap
	}
	if rate.hi == 0 {
		return 0, Miss
	}
	t := gap.div(rate.neg()).hi
	if !(t <= horizon) {
		return 0, Miss
	}
	return t, Hit
}

// surelyMissesPlane is a fast rejection test in float64. It returns true only if the sphere is
// certainly apart from the plane and either recedes or doesn't arrive by the horizon.
func surelyMissesPlane(a Sphere, va Vec3, b Plane, vb Vec3, horizon float64) bool {
	v := va.Sub(vb)
	height, rate := b.SignedDistance(a.Center), b.Normal.Dot(v)
	if height < 0 {
		height, rate = -height, -rate
	}
	gap := height - a.Radius
	gap -= float64(termError * (b.Normal.absDot(a.Center) + math.Abs(b.Distance) + a.Radius))
	rate -= float64(termError * b.Normal.absDot(v))
	return gap > 0 && (rate >= 0 || gap > -rate*horizon)
}

func planeContact(a Sphere, va Vec3, b Plane, vb Vec3, t, side, height float64) Contact {
	c := Contact{
		Time: t, Normal: b.Normal.Scale(side),
		CenterA: a.Center.AddScaled(t, va),
		CenterB: b.Normal.Scale(b.Distance).AddScaled(t, vb),
	}
	c.Point = c.CenterA.AddScaled(-min(height, a.Radius), c.Normal)
	return c
}

func validPlaneSweep(a Sphere, va Vec3, b Plane, vb Vec3, horizon float64) bool {
	return a.Radius >= 0 && a.Radius <= maxInput && horizon >= 0 &&
		a.Center.within(maxInput) && va.within(maxInput) && vb.within(maxInput) &&
		b.Normal.within(2) && math.Abs(b.Distance) <= maxInput
}
