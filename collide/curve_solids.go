package collide

import "math"

// hullFeatures tests the faces, edges and corners of a hull.
func (s *curveSweep) hullFeatures(
	c *curve, middle Vec3, reach, slack float64, consider func(u float64, overlap, ok bool) bool,
) {
	h := s.hull
	points := h.shape.points
	for i := range h.planes {
		if h.planes[i].SignedDistance(middle) > reach {
			continue
		}
		s.at = int32(i)
		if consider(s.face(c, h.planes[i].Normal, points[h.shape.faces[i].corners[0]], slack)) {
			s.normal = h.planes[i].Normal
		}
		corners := h.shape.faces[i].corners
		for k, from := range corners {
			to := corners[(k+1)%len(corners)]
			if from > to { // the other face has this edge the other way round
				continue
			}
			a, b := points[from], points[to]
			if (Segment{a, b}).ClosestPoint(middle).Distance(middle) > reach {
				continue
			}
			if u, overlap, ok := s.edge(c, a, b, slack); consider(u, overlap, ok) {
				s.normal = normalFrom(Segment{a, b}.ClosestPoint(c.at(u)), c.at(u))
			}
		}
	}
	for _, p := range points {
		if p.Distance(middle) > reach {
			continue
		}
		if u, overlap, ok := s.corner(c, p); consider(u, overlap, ok) {
			s.normal = normalFrom(p, c.at(u))
		}
	}
}

// coversHullFace is covers for a face of a hull, number s.at.
func (s *curveSweep) coversHullFace(q Vec3, slack float64) bool {
	points, corners := s.hull.shape.points, s.hull.shape.faces[s.at].corners
	n := s.hull.planes[s.at].Normal
	for k, c := range corners {
		from, to := points[c], points[corners[(k+1)%len(corners)]]
		in := n.Cross(to.Sub(from))
		if in.Dot(q.Sub(from)) < -float64(slack*in.SumAbs()) {
			return false
		}
	}
	return true
}

// cylinderFeatures tests the ends, the side and the rims of a cylinder.
func (s *curveSweep) cylinderFeatures(
	c *curve, slack float64, consider func(u float64, overlap, ok bool) bool,
) {
	ends := [2]Vec3{s.cylinder.A, s.cylinder.B}
	axis, _ := s.cylinder.B.Sub(s.cylinder.A).Normalized()
	for i, n := range [2]Vec3{axis.Neg(), axis} {
		if consider(s.face(c, n, ends[i], slack)) {
			s.normal = n
		}
	}
	side := *s
	side.radius += s.cylinder.Radius
	if u, overlap, ok := side.edge(c, ends[0], ends[1], slack); consider(u, overlap, ok) {
		p := c.at(u)
		s.normal = normalFrom(ends[0].AddScaled(axis.Dot(p.Sub(ends[0])), axis), p)
	}
	for i, n := range [2]Vec3{axis.Neg(), axis} {
		if u, overlap, ok := s.rim(c, ends[i], n, slack); consider(u, overlap, ok) {
			_, s.normal, _ = s.cylinder.Nearest(c.at(u))
		}
	}
}

// nearCylinder reports whether a part of a curve that is longer than long is near a rim of a
// cylinder, or one that is so across the axis is near its side.
func (s *curveSweep) nearCylinder(c *curve, middle Vec3, reach, long float64) bool {
	axis, _ := s.cylinder.B.Sub(s.cylinder.A).Normalized()
	off := middle.Sub(s.cylinder.A)
	height := axis.Dot(off)
	beside := off.AddScaled(-height, axis).Length() - s.cylinder.Radius
	if math.Abs(beside) > reach {
		return false
	}
	above := height - axis.Dot(s.cylinder.B.Sub(s.cylinder.A))
	atRim := min(math.Abs(height), math.Abs(above)) <= reach
	return c.length(axis) > long+float64(longCurve*s.cylinder.Radius) || atRim && c.length(Vec3{}) > long
}

// coversCylinderEnd is covers for an end of a cylinder.
func (s *curveSweep) coversCylinderEnd(n, p, q Vec3, slack float64) bool {
	off := q.Sub(p)
	return off.AddScaled(-n.Dot(off), n).Length() <= s.cylinder.Radius+slack
}

// rim returns where the sphere first touches a rim with the given middle, at the end of a cylinder
// with normal n.
//
// With the height z above the end, and the distance a from the axis, the squared distance from the
// rim is (a-R)² + z². It is r² where (a² + z² + R² - r²)² = 4·R²·a², of degree 4 in the
// coordinates. With -R instead of R it is the same, but then the nearer side of the rim is met
// before.
func (s *curveSweep) rim(c *curve, middle, n Vec3, slack float64) (u float64, overlap, ok bool) {
	e := perpendicularUnit(n)
	x, y, z := c.heights(e, middle), c.heights(n.Cross(e), middle), c.heights(n, middle)
	x, y, z = x.Mul(&x), y.Mul(&y), z.Mul(&z)
	a := x.Add(&y)
	w := c.w.Mul(&c.w)
	f := a.Add(&z)
	rest := w.Scale(float64((s.cylinder.Radius - s.radius) * (s.cylinder.Radius + s.radius)))
	f = f.Add(&rest)
	f = f.Mul(&f)
	a = a.Mul(&w)
	a = a.Scale(float64(4 * float64(s.cylinder.Radius*s.cylinder.Radius)))
	f = f.Sub(&a)
	entries := entries{rest: f} // the rate over a weight would have a higher degree than a Poly can
	entries.soonerIf(s.coarse)
	for u, ok = entries.next(); ok; u, ok = entries.next() {
		off := c.at(u).Sub(middle)
		height := n.Dot(off)
		if height >= -slack && off.AddScaled(-height, n).Length() >= s.cylinder.Radius-slack {
			return u, entries.deep, true
		}
	}
	return 0, false, false
}

// admits reports whether a contact with an edge or corner, or with the side of a cylinder, the
// centre being at q, is none of its neighbours'.
func (s *curveSweep) admits(q Vec3, slack float64) bool {
	switch s.kind {
	case facetTarget:
	case cylinderTarget:
		n, _ := s.cylinder.B.Sub(s.cylinder.A).Normalized()
		off := q.Sub(s.cylinder.A)
		height := off.AddScaled(-n.Dot(off), n).Length() - s.cylinder.Radius
		return height >= -slack || isNearest(height, s.distanceToSolid(q), slack)
	default:
		return true
	}
	if s.on >= Corner0 {
		i := int(s.on - Corner0)
		return s.facet.m.inCone(s.facet.index, i, normalFrom(s.flat.corners[i], q), s.facet.TwoSided())
	}
	i := int(s.on - Edge0)
	a, b := s.flat.edge(i)
	return s.facet.m.inArc(s.facet.index, i, normalFrom(Segment{a, b}.ClosestPoint(q), q), s.facet.TwoSided())
}

// SweepHull is [RotatingFrame.SweepPlane] for a hull in the frame.
func (f RotatingFrame) SweepHull(a Sphere, va Vec3, b *Hull, from, horizon float64) (Contact, Outcome) {
	if b == nil || len(b.planes) == 0 {
		return Contact{}, Miss
	}
	s := curveSweep{curveTarget: curveTarget{kind: hullTarget, hull: b}}
	return s.sweepRotating(a, va, 0, f.Motion, f.Rotation, f.Origin, from, horizon)
}

// SweepCylinder is [RotatingFrame.SweepPlane] for a cylinder in the frame.
func (f RotatingFrame) SweepCylinder(a Sphere, va Vec3, b Cylinder, from, horizon float64) (Contact, Outcome) {
	if _, ok := b.frame(); !ok {
		return Contact{}, Miss
	}
	s := curveSweep{curveTarget: curveTarget{kind: cylinderTarget, cylinder: b}}
	return s.sweepRotating(a, va, 0, f.Motion, f.Rotation, f.Origin, from, horizon)
}

// SweepFacet is [RotatingFrame.SweepPlane] for a facet of a mesh or height field in the frame.
// Contacts with edges and corners that the neighbours of the facet hide are none. The zero Facet
// meets nothing.
func (f RotatingFrame) SweepFacet(a Sphere, va Vec3, b Facet, from, horizon float64) (Contact, Outcome) {
	if b.m == nil {
		return Contact{}, Miss
	}
	corners := b.Corners()
	var inward [3]Vec3
	origin := corners[0]
	t := Triangle{Vec3{}, corners[1].Sub(origin), corners[2].Sub(origin)}
	s := curveSweep{curveTarget: curveTarget{kind: facetTarget, facet: b, front: !b.TwoSided()}}
	s.flat = t.flatShape(&corners, &inward)
	corners = b.Corners()
	s.flat.corners, s.flat.normal = corners[:], b.Normal()
	return s.sweepRotating(a, va, 0, f.Motion, f.Rotation, f.Origin, from, horizon)
}

// Within returns a ball in the frame that contains all places of a sphere relative to the shape,
// from one time of the step to another. The centre of a is at a.Center + t·va.
func (f RotatingFrame) Within(a Sphere, va Vec3, from, to float64) Sphere {
	m := &f.Motion
	middle := float64((from + to) / 2)
	half := max(0, float64((to-from)/2))
	x := a.Center.AddScaled(middle, va)
	q, origin := f.At(middle)
	// Relative to the frame, the centre moves by at most its way and the arc of the frame.
	arm := x.Distance(m.PivotAt(middle)) + float64(va.Distance(m.Velocity)*half)
	angle := float64(float64(m.Angular.Length()*half) * 1.01)
	reach := float64(va.Distance(m.Velocity)*half) + float64(arm*min(angle, 2))
	size := x.SumAbs() + origin.SumAbs() + arm + a.Radius
	return Sphere{
		Center: q.conjugate().Rotate(x.Sub(origin)),
		Radius: float64((a.Radius+reach)*(1+0x1p-40)) + float64(0x1p-44*size),
	}
}

// distanceToSolid is distance for hulls and cylinders, and negative inside of them.
func (s *curveSweep) distanceToSolid(p Vec3) float64 {
	if s.kind == hullTarget {
		d, _, _ := s.hull.Nearest(p)
		return d
	}
	return s.cylinder.SignedDistance(p)
}
