package collide

// SweepSphereCapsule returns the first contact of a, moving at va, with the capsule b, moving at
// vb, within horizon seconds. The rules are those of [SweepSphereSphere], with the nearest point of
// the segment from b.A to b.B in place of b's centre. CenterB is b.A at the time of contact.
func SweepSphereCapsule(a Sphere, va Vec3, b Capsule, vb Vec3, horizon float64) (Contact, Outcome) {
	if !b.A.within(maxInput) || !b.B.within(maxInput) {
		return Contact{}, Miss
	}
	corners := [2]Vec3{b.A, b.B}
	s := flatSweep{ball: a, va: va, vb: vb, limit: horizon, round: b.Radius}
	s.on.corners = corners[:]
	c, outcome := s.sweep()
	if outcome == Overlap { // c.Point is the nearest point of the segment
		depth := a.Radius + b.Radius - a.Center.Distance(c.Point)
		c.Point = a.Center.AddScaled(float64(0.5*depth)-a.Radius, c.Normal)
	}
	return c, outcome
}

// OverlapSphereCapsule reports whether the interiors of a and b share a point. Touching isn't an
// overlap. Invalid input gives false.
func OverlapSphereCapsule(a Sphere, b Capsule) bool {
	_, outcome := SweepSphereCapsule(a, Vec3{}, b, Vec3{}, 0)
	return outcome == Overlap
}

// axis returns the segment around which the capsule is.
func (b Capsule) axis() Segment { return Segment{b.A, b.B} }

// ClosestPoint returns the point of b nearest to p. For p inside b that is p itself.
func (b Capsule) ClosestPoint(p Vec3) Vec3 {
	q := b.axis().ClosestPoint(p)
	n, ok := p.Sub(q).Normalized()
	if !ok || p.Distance(q) <= b.Radius {
		return p
	}
	return q.AddScaled(b.Radius, n)
}

// SignedDistance returns the distance of point from b's surface in metres, negative inside.
func (b Capsule) SignedDistance(point Vec3) float64 {
	return point.Distance(b.axis().ClosestPoint(point)) - b.Radius
}

// Bounds returns the smallest box that contains b, up to rounding.
func (b Capsule) Bounds() AABB { return b.axis().Bounds().Grow(b.Radius) }
