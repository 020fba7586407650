package collide

import "math"

// SweepConvexHalfSpace is [SweepConvexPlane] for a plane with everything behind it solid. A shape
// that is partly or wholly behind the plane overlaps it.
func SweepConvexHalfSpace(a Convex, va Vec3, b Plane, vb Vec3, horizon float64) (Contact, Outcome) {
	low, _ := ConvexHeights(a, b)
	if low >= 0 {
		return SweepConvexPlane(a, va, b, vb, horizon)
	}
	var s coreStorage
	k, ok := coreOf(a, &s)
	if !ok || !validPlaneSweep(Sphere{}, va, b, vb, horizon) || planeRate(va, b, vb).hi >= 0 {
		return Contact{}, Miss
	}
	c := Contact{Normal: b.Normal.Add(Vec3{}), CenterA: reference(a), CenterB: b.Normal.Scale(b.Distance)}
	c.Point = k.middle(b.Normal.Neg()).Add(k.origin).AddScaled(-k.radius, b.Normal)
	return c, Overlap
}

// ConvexHeights returns the smallest and the largest signed distance of a point of a from the
// plane. Invalid input gives NaN.
func ConvexHeights(a Convex, b Plane) (lowest, highest float64) {
	var s coreStorage
	k, ok := coreOf(a, &s)
	if !ok || !validPlaneSweep(Sphere{Center: k.origin, Radius: k.radius}, Vec3{}, b, Vec3{}, 0) {
		return math.NaN(), math.NaN()
	}
	n := toTwofold3(b.Normal)
	low, high := extremes(k.points, n, b.Normal, float64(0x1p-46*k.size))
	origin, r := planeHeight(k.origin, b), twofold{k.radius, 0}
	return origin.add(n.dot(toTwofold3(low))).sub(r).hi, origin.add(n.dot(toTwofold3(high))).add(r).hi
}
