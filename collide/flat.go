package collide

import "math"

// flatShape is the common form of segments, triangles and polygons: corners, the edges between them
// and, for three or more corners, a face. A capsule is a segment that flatSweep rounds. A sphere
// touches it when its centre enters the shape grown by the radius. That is the union of a slab over
// the face, a cylinder along each edge and a ball around each corner.
type flatShape struct {
	corners []Vec3
	inward  []Vec3 // inward[i] lies in the plane, is perpendicular to edge i and points into the face; any length
	normal  Vec3   // of the face, unit length; zero without a face

	// area is the normal before rounding, scaled to a length of about 1, and areaLength is that
	// length. Heights over the face are measured along area. Then the height of a corner is exactly
	// 0, and rounding doesn't tilt large faces.
	area       twofold3
	areaLength twofold
}

// setNormal sets the normal to the direction of area. It returns false if area has no direction.
func (f *flatShape) setNormal(area twofold3) bool {
	normal, ok := area.rounded().Normalized()
	if !ok {
		return false
	}
	_, exponent := math.Frexp(area.rounded().MaxAbs())
	f.normal, f.area = normal, area.scaled(math.Ldexp(1, -exponent))
	f.areaLength = f.area.dot(f.area).sqrt()
	return true
}

// feature is a part of a flatShape: the face, an edge or a corner.
type feature struct {
	kind  featureKind
	index int  // of the corner, or of the edge from corner index to the next
	point Vec3 // the point of the feature nearest to the given one
}

type featureKind uint8

const (
	onFace featureKind = iota
	onEdge
	onCorner
)

// edges returns the number of edges: 1 for a segment, otherwise the number of corners.
func (f *flatShape) edges() int {
	if len(f.corners) == 2 {
		return 1
	}
	return len(f.corners)
}

// edge returns the ends of edge i.
func (f *flatShape) edge(i int) (from, to Vec3) {
	if i+1 == len(f.corners) {
		return f.corners[i], f.corners[0]
	}
	return f.corners[i], f.corners[i+1]
}

// covers reports whether the projection of p on the plane lies in the face, edges included.
func (f *flatShape) covers(p Vec3) bool {
	for i, n := range f.inward {
		d := p.Sub(f.corners[i])
		s := n.Dot(d)
		if math.Abs(s) <= float64(8*termError*n.MaxAbs())*d.MaxAbs() {
			from, to := f.edge(i) // the sign is uncertain: use twofold arithmetic
			s = f.area.dot(twoDiff3(to, from).cross(twoDiff3(p, from))).hi
		}
		if s < 0 {
			return false
		}
	}
	return f.normal != Vec3{}
}

// nearest returns the feature of f nearest to p; the first one if several are equally near.
func (f *flatShape) nearest(p Vec3) feature {
	if f.covers(p) {
		return feature{onFace, 0, p.AddScaled(-f.normal.Dot(p.Sub(f.corners[0])), f.normal)}
	}
	best, nearest := feature{onCorner, 0, f.corners[0]}, math.Inf(1)
	for i := range f.edges() {
		from, to := f.edge(i)
		t, atEnd := projectOnSegment(p, from, to)
		candidate := feature{onEdge, i, from.Lerp(to, t)}
		bias := 1 - 0x1p-47 // for the edge: rounding may make its ends seem nearer
		switch {
		case atEnd && t == 0:
			candidate, bias = feature{onCorner, i, from}, 1
		case atEnd:
			candidate, bias = feature{onCorner, (i + 1) % len(f.corners), to}, 1
		}
		if d := bias * p.Sub(candidate.point).LengthSquared(); d < nearest {
			best, nearest = candidate, d
		}
	}
	return best
}

// projectOnSegment returns the position of the point nearest to p between from (0) and to (1), and
// whether that point is an end.
func projectOnSegment(p, from, to Vec3) (t float64, atEnd bool) {
	d, e := p.Sub(from), to.Sub(from)
	s, ee := d.Dot(e), e.LengthSquared()
	before, after := s <= 0, s >= ee
	if slack := termError * (d.absDot(e) + ee); math.Abs(s) <= slack || math.Abs(s-ee) <= slack {
		// The sign is uncertain here, and it decides the outcome: a sphere that moves along the
		// edge recedes from its end. So it is computed in twofold arithmetic.
		e2 := twoDiff3(to, from)
		s2 := twoDiff3(p, from).dot(e2)
		before, after = s2.hi <= 0, s2.sub(e2.dot(e2)).hi >= 0
	}
	switch {
	case before:
		return 0, true
	case after:
		return 1, true
	}
	return min(max(s/ee, 0), 1), false
}

// flatSweep is the sweep of a sphere against a flatShape.
type flatSweep struct {
	ball   Sphere
	va     Vec3
	on     flatShape
	vb     Vec3
	front  bool    // one-sided
	round  float64 // radius of a capsule around the segment; 0 for other shapes
	limit  float64
	time   float64 // of the earliest contact found so far
	normal Vec3
	hit    bool
}

// sweep returns the first contact. The caller has checked that the corners are within maxInput.
func (s *flatSweep) sweep() (Contact, Outcome) {
	if !(s.ball.Radius >= 0 && s.round >= 0 && s.ball.Radius+s.round <= maxInput && s.limit >= 0 &&
		len(s.on.corners) > 0 && s.ball.Center.within(maxInput) && s.va.within(maxInput) && s.vb.within(maxInput)) {
		return Contact{}, Miss
	}
	near := s.on.nearest(s.ball.Center)
	if s.surelyMisses(near) {
		return Contact{}, Miss
	}
	var height, rate twofold
	if s.on.normal != (Vec3{}) {
		// Both are multiplied by the length of area, about 1. So is the radius that they are
		// compared with (scaledRadius).
		height = s.on.area.dot(twoDiff3(s.ball.Center, s.on.corners[0]))
		rate = s.on.area.dot(twoDiff3(s.va, s.vb))
	}
	if s.front && (height.hi < 0 || rate.hi >= 0) {
		return Contact{}, Miss
	}
	side := 1.0
	if height.hi < 0 || height.hi == 0 && rate.hi > 0 {
		side, height, rate = -1, height.neg(), rate.neg()
	}
	if near.kind == onFace && height.hi == 0 {
		// The centre lies in the face. A sphere of radius 0 there hits one-sided faces only: for
		// two-sided ones it has no side to come from.
		outcome := Overlap
		switch {
		case s.ball.Radius == 0 && s.front:
			outcome = Hit
		case s.ball.Radius == 0:
			return Contact{}, Miss
		}
		s.normal = s.on.normal.Scale(side)
		return s.contact(near.point), outcome
	}
	b, c := s.approach(near, height, rate)
	switch {
	case b.hi > 0:
		return Contact{}, Miss
	case c.hi < 0:
		s.normal = s.on.normal.Scale(side)
		if near.kind != onFace {
			s.normal = s.edgeOverlapNormal(near)
		}
		return s.contact(near.point), Overlap
	case b.hi == 0:
		return Contact{}, Miss
	}
	s.face(height, rate, side)
	if !s.hit && s.mayTouchPlane(height, rate) {
		for i := range s.on.edges() {
			s.edge(s.on.edge(i))
		}
		for _, corner := range s.on.corners {
			s.corner(corner)
		}
	}
	if !s.hit {
		return Contact{}, Miss
	}
	c2 := s.contact(Vec3{})
	c2.Point = c2.CenterA.AddScaled(-s.ball.Radius, s.normal)
	return c2, Hit
}

func (s *flatSweep) contact(point Vec3) Contact {
	return Contact{
		Time: s.time, Point: point, Normal: s.normal,
		CenterA: s.ball.Center.AddScaled(s.time, s.va),
		CenterB: s.on.corners[0].AddScaled(s.time, s.vb),
	}
}

// surelyMisses is a fast rejection test in float64. It returns true only if the sphere is certainly
// apart from the shape and either recedes or doesn't arrive within the limit.
//
// With q the nearest point and d = center - q, a convex shape lies behind the plane through q
// perpendicular to d. So the contact isn't before the time t with |d| + t·(d·v)/|d| = r. As 2r|d|
// <= d·d + r², it isn't before (d·d - r²)/(-2 d·v) either.
func (s *flatSweep) surelyMisses(near feature) bool {
	d, v := s.ball.Center.Sub(near.point), s.va.Sub(s.vb)
	// The error of the nearest point is a few ulps of the lengths that it was computed from.
	r := s.ball.Radius + s.round
	extent := d.MaxAbs() + r
	for _, corner := range s.on.corners {
		extent = max(extent, s.ball.Center.Sub(corner).MaxAbs())
	}
	slack := float64(4 * termError * extent)
	gap := d.LengthSquared() - float64(r*r) - float64(8*slack*extent)
	rate := d.Dot(v) - float64(4*slack*v.MaxAbs())
	return gap > 0 && (rate >= 0 || gap > float64(-2*rate*s.limit))
}

// approach returns half the rate of change of the squared distance to the nearest feature, B, and
// the excess of the squared distance over r², C. Both are multiplied by a positive factor. For the
// face they are those of the distance itself.
func (s *flatSweep) approach(near feature, height, rate twofold) (b, c twofold) {
	r := s.radius()
	switch near.kind {
	case onEdge:
		from, to := s.on.edge(near.index)
		m, w, _, rr := s.edgeEquation(from, to)
		return m.dot(w), m.dot(m).sub(rr)
	case onCorner:
		p, v := twoDiff3(s.ball.Center, s.on.corners[near.index]), twoDiff3(s.va, s.vb)
		return p.dot(v), p.dot(p).sub(r.mul(r))
	}
	return rate, height.sub(s.scaledRadius())
}

// radius returns the distance of the sphere's centre from the flat shape at a contact.
func (s *flatSweep) radius() twofold { return twoSum(s.ball.Radius, s.round) }

// scaledRadius returns the radius in the scale of the heights over the face, of which rounded
// shapes have none.
func (s *flatSweep) scaledRadius() twofold { return s.on.areaLength.mul(twofold{s.ball.Radius, 0}) }

// edgeOverlapNormal returns the contact normal for an overlap with an edge or a corner.
func (s *flatSweep) edgeOverlapNormal(near feature) Vec3 {
	d := s.ball.Center.Sub(near.point)
	if d == (Vec3{}) && near.kind == onEdge {
		from, to := s.on.edge(near.index)
		_, w, e, _ := s.edgeEquation(from, to)
		return separationNormal(e.cross(w).rounded().Neg(), perpendicular(e.rounded()))
	}
	return separationNormal(d, s.va.Sub(s.vb))
}

// perpendicular returns a vector perpendicular to e: e rotated by 90° in the plane z = 0 or, for e
// along Z, -Y.
func perpendicular(e Vec3) Vec3 {
	if e.X == 0 && e.Y == 0 {
		return Vec3{Y: -1}
	}
	return Vec3{X: e.Y, Y: -e.X}
}

// mayTouchPlane reports whether the sphere may touch the plane of the face within the limit, which
// it must do before it touches an edge or a corner.
func (s *flatSweep) mayTouchPlane(height, rate twofold) bool {
	if s.on.normal == (Vec3{}) {
		return true
	}
	_, outcome := planeImpactTime(height, rate, s.scaledRadius(), s.limit)
	gap := height.sub(s.scaledRadius())
	// The corners of a polygon may lie slightly off its plane. The tolerance makes sure that their
	// edges are tested.
	extent := s.ball.Radius
	for _, corner := range s.on.corners {
		extent = max(extent, s.ball.Center.Sub(corner).MaxAbs())
	}
	slack := float64(2 * flatTolerance * extent)
	return outcome != Miss || gap.hi <= slack || rate.hi < 0 && gap.hi-slack <= float64(-rate.hi*s.limit)
}

// face tests for a contact with the face.
func (s *flatSweep) face(height, rate twofold, side float64) {
	if s.on.normal == (Vec3{}) {
		return
	}
	t, outcome := planeImpactTime(height, rate, s.scaledRadius(), s.limit)
	if outcome == Hit && s.on.covers(s.ball.Center.AddScaled(t, s.va.Sub(s.vb))) {
		s.time, s.normal, s.hit = t, s.on.normal.Scale(side), true
	}
}

// corner tests for a contact with one corner and keeps it if it is the earliest.
func (s *flatSweep) corner(p Vec3) {
	t, normal, outcome := sweepSpheres(s.ball.Center, s.ball.Radius, s.va, p, s.round, s.vb, s.limit)
	if outcome != Miss && (!s.hit || t < s.time) {
		s.time, s.normal, s.hit = t, normal, true
	}
}
