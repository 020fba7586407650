package collide

// OverlapAABBCapsule reports whether a and b share at least one point. Touching counts, up to
// rounding. An empty box, a negative radius and a NaN overlap nothing.
//
// The squared distance of the point A + t·(B-A) from the box is convex in t, and quadratic between
// the values of t at which the point passes the plane of a side. So the root of its derivative lies
// between two of these values, and there the derivative is linear.
func OverlapAABBCapsule(a AABB, b Capsule) bool {
	if !(b.Radius >= 0) || !a.Overlaps(b.Bounds()) {
		return false
	}
	d := b.B.Sub(b.A)
	slope := func(t float64) float64 { // half the derivative
		p := b.A.AddScaled(t, d)
		return p.Sub(a.ClosestPoint(p)).Dot(d)
	}
	low, high := 0.0, 1.0 // the minimum is between these
	atLow, atHigh := slope(low), slope(high)
	nearest := 0.0
	switch {
	case atLow >= 0:
	case atHigh <= 0:
		nearest = 1
	default:
		for axis := range 3 {
			from, by := b.A.Component(axis), d.Component(axis)
			for _, side := range [2]float64{a.Min.Component(axis), a.Max.Component(axis)} {
				t := (side - from) / by
				if !(t > low && t < high) {
					continue
				}
				if s := slope(t); s <= 0 {
					low, atLow = t, s
				} else {
					high, atHigh = t, s
				}
			}
		}
		nearest = low + float64((high-low)*(atLow/(atLow-atHigh)))
	}
	p := b.A.AddScaled(nearest, d)
	return p.Sub(a.ClosestPoint(p)).LengthSquared() <= float64(b.Radius*b.Radius)
}
