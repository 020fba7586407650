package collide

import "math"

// SweepSpherePlane reports when a, moving at va, first touches the plane b, moving at vb, within horizon
// seconds. The plane works from both sides: the side that counts is the one on which a's centre starts,
// and Normal points to that side. The length of the plane's normal is taken as 1.
//
// The order of judgement is that of [SweepSphereSphere]: moving away is a Miss, even while
// interpenetrating; interpenetrating is an Overlap at Time 0, with Point the centre's foot on the plane; touching is a
// Hit at time 0 when approaching and a Miss when sliding along or at rest.
//
// A sphere whose centre lies exactly in the plane is an Overlap whichever way it moves; Normal is then against
// its movement, and the plane's own where it doesn't move through the plane. A sphere of radius 0 that lies in
// the plane has no side to come from and no depth, so it is a Miss: such points want [SweepSpherePlaneFront].
//
// CenterB is the plane's point nearest to the origin, moved by vb. Bad input gives Miss as in [SweepSphereSphere].
func SweepSpherePlane(a Sphere, va Vec3, b Plane, vb Vec3, horizon float64) (Contact, Outcome) {
	if !validPlaneSweep(a, va, b, vb, horizon) || outOfReach(a, va, b, vb, horizon) {
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
	t, outcome := reachPlane(height, rate, twofold{a.Radius, 0}, horizon)
	if outcome == Miss {
		return Contact{}, Miss
	}
	return planeContact(a, va, b, vb, t, side, height.hi), outcome
}

// SweepSpherePlaneFront is [SweepSpherePlane] against a plane that stops only what comes from its front: what
// starts with its centre behind the plane passes, and so does what doesn't move against its normal. A
// centre exactly in the plane counts as in front of it, so a point that lies in the plane and moves
// against its normal is a Hit at time 0.
func SweepSpherePlaneFront(a Sphere, va Vec3, b Plane, vb Vec3, horizon float64) (Contact, Outcome) {
	if !validPlaneSweep(a, va, b, vb, horizon) || outOfReach(a, va, b, vb, horizon) {
		return Contact{}, Miss
	}
	height, rate := planeHeight(a.Center, b), planeRate(va, b, vb)
	if height.hi < 0 || rate.hi >= 0 {
		return Contact{}, Miss
	}
	t, outcome := reachPlane(height, rate, twofold{a.Radius, 0}, horizon)
	if outcome == Miss {
		return Contact{}, Miss
	}
	return planeContact(a, va, b, vb, t, 1, height.hi), outcome
}

// OverlapSpherePlane reports whether a's surface crosses the plane: its centre is nearer than its
// radius. Bad input gives false.
func OverlapSpherePlane(a Sphere, b Plane) bool {
	if !validPlaneSweep(a, Vec3{}, b, Vec3{}, 0) {
		return false
	}
	return planeHeight(a.Center, b).abs().sub(twofold{a.Radius, 0}).hi < 0
}

// planeHeight returns how far p is in front of the plane.
func planeHeight(p Vec3, b Plane) twofold {
	return exactly(b.Normal).dot(exactly(p)).sub(twofold{b.Distance, 0})
}

// planeRate returns how fast something at velocity va moves along the plane's normal, seen from the plane.
func planeRate(va Vec3, b Plane, vb Vec3) twofold {
	return exactly(b.Normal).dot(twoDiff3(va, vb))
}

// reachPlane solves height + t·rate = r for t, judging by the rules of the sweeps; height >= 0.
func reachPlane(height, rate, r twofold, horizon float64) (float64, Outcome) {
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

// outOfReach is the cheap early-out, in plain floats: surely apart, and surely receding or not there by
// the horizon.
func outOfReach(a Sphere, va Vec3, b Plane, vb Vec3, horizon float64) bool {
	v := va.Sub(vb)
	height, rate := b.SignedDistance(a.Center), b.Normal.Dot(v)
	if height < 0 {
		height, rate = -height, -rate
	}
	gap := height - a.Radius
	gap -= float64(termSlack * (b.Normal.absDot(a.Center) + math.Abs(b.Distance) + a.Radius))
	rate -= float64(termSlack * b.Normal.absDot(v))
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
	return a.Radius >= 0 && a.Radius <= largest && horizon >= 0 &&
		a.Center.within(largest) && va.within(largest) && vb.within(largest) &&
		b.Normal.within(2) && math.Abs(b.Distance) <= largest
}
