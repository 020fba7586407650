package collide

import "math"

// flat is what segments, triangles and polygons have in common: corners, the edges between them and,
// from three corners on, a face. A moving sphere touches it where its centre enters one of a slab over the face, a
// cylinder along an edge or a ball around a corner; together they are the surface grown by the radius.
type flat struct {
	corners []Vec3
	inward  []Vec3 // inward[i] is at right angles to edge i, in the plane and into the face; of any length
	normal  Vec3   // of the face, unit length; zero where there is none

	// area is the normal before it was rounded, scaled to a length of about 1, and areaLength is that length. Heights
	// are measured along it: then a corner's is 0 exactly, and rounding doesn't tilt large faces.
	area       twofold3
	areaLength twofold
}

// setNormal sets the normal to the direction of area, if it has one.
func (f *flat) setNormal(area twofold3) bool {
	normal, ok := area.rounded().Normalized()
	if !ok {
		return false
	}
	_, exponent := math.Frexp(area.rounded().largestPart())
	f.normal, f.area = normal, area.scaled(math.Ldexp(1, -exponent))
	f.areaLength = f.area.dot(f.area).sqrt()
	return true
}

// feature is a part of a flat: the face, an edge or a corner.
type feature struct {
	kind  featureKind
	index int  // of the edge, from corner index to the next, or of the corner
	point Vec3 // the point of the feature that was asked for
}

type featureKind uint8

const (
	onFace featureKind = iota
	onEdge
	onCorner
)

// edges returns how many edges there are: as many as corners, but one for a segment.
func (f *flat) edges() int {
	if len(f.corners) == 2 {
		return 1
	}
	return len(f.corners)
}

// edge returns the ends of edge i.
func (f *flat) edge(i int) (from, to Vec3) {
	if i+1 == len(f.corners) {
		return f.corners[i], f.corners[0]
	}
	return f.corners[i], f.corners[i+1]
}

// covers reports whether p lies over the face: inside all edges, or on one.
func (f *flat) covers(p Vec3) bool {
	for i, n := range f.inward {
		d := p.Sub(f.corners[i])
		s := n.Dot(d)
		if math.Abs(s) <= float64(8*termSlack*n.largestPart())*d.largestPart() {
			from, to := f.edge(i) // too close to call
			s = f.area.dot(twoDiff3(to, from).cross(twoDiff3(p, from))).hi
		}
		if s < 0 {
			return false
		}
	}
	return f.normal != Vec3{}
}

// nearest returns the part of f nearest to p. Where several are equally near it is the first one.
func (f *flat) nearest(p Vec3) feature {
	if f.covers(p) {
		return feature{onFace, 0, p.AddScaled(-f.normal.Dot(p.Sub(f.corners[0])), f.normal)}
	}
	best, nearest := feature{onCorner, 0, f.corners[0]}, math.Inf(1)
	for i := range f.edges() {
		from, to := f.edge(i)
		along, end := alongSegment(p, from, to)
		part := feature{onEdge, i, from.Lerp(to, along)}
		favour := 1 - 0x1p-47 // over the edge's ends, which are further away though rounding may hide it
		switch {
		case end && along == 0:
			part, favour = feature{onCorner, i, from}, 1
		case end:
			part, favour = feature{onCorner, (i + 1) % len(f.corners), to}, 1
		}
		if d := favour * p.Sub(part.point).LengthSquared(); d < nearest {
			best, nearest = part, d
		}
	}
	return best
}

// alongSegment returns where between from (0) and to (1) the point nearest to p is, and whether it is an end.
func alongSegment(p, from, to Vec3) (along float64, end bool) {
	d, e := p.Sub(from), to.Sub(from)
	s, ee := d.Dot(e), e.LengthSquared()
	before, after := s <= 0, s >= ee
	if slack := termSlack * (d.absDot(e) + ee); math.Abs(s) <= slack || math.Abs(s-ee) <= slack {
		// Too close to call, and it matters: at an end even what moves along the edge moves away.
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

// flatSweep is a sphere on its way to a flat.
type flatSweep struct {
	ball   Sphere
	va     Vec3
	on     flat
	vb     Vec3
	front  bool // only from the front
	limit  float64
	time   float64 // of the earliest touch found so far
	normal Vec3
	hit    bool
}

// sweep finds the first touch. The corners are checked by the caller to be within the limits.
func (s *flatSweep) sweep() (Contact, Outcome) {
	if !(s.ball.Radius >= 0 && s.ball.Radius <= largest && s.limit >= 0 && len(s.on.corners) > 0 &&
		s.ball.Center.within(largest) && s.va.within(largest) && s.vb.within(largest)) {
		return Contact{}, Miss
	}
	near := s.on.nearest(s.ball.Center)
	if s.outOfReach(near) {
		return Contact{}, Miss
	}
	var height, rate twofold
	if s.on.normal != (Vec3{}) {
		// Both times the length of area, which is about 1; and so must be the radius they are compared with.
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
		// The centre lies in the face. A point there is stopped only by a face that knows its front.
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
	b, c := s.towards(near, height, rate)
	switch {
	case b.hi > 0:
		return Contact{}, Miss
	case c.hi < 0:
		s.normal = s.on.normal.Scale(side)
		if near.kind != onFace {
			s.normal = s.awayFromEdge(near)
		}
		return s.contact(near.point), Overlap
	case b.hi == 0:
		return Contact{}, Miss
	}
	s.face(height, rate, side)
	if !s.hit && s.planeInReach(height, rate) {
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

// outOfReach is the cheap early-out: surely apart, and surely receding or not there by the limit.
//
// All of a convex surface is behind the plane through its nearest point q at right angles to d = center - q. So
// the sphere isn't there before t with |d| + t·(d·v)/|d| = r; as 2r|d| <= d·d + r², before (d·d - r²)/(-2 d·v).
func (s *flatSweep) outOfReach(near feature) bool {
	d, v := s.ball.Center.Sub(near.point), s.va.Sub(s.vb)
	// The nearest point is off by a few ulps of the lengths it was computed from.
	extent := d.largestPart() + s.ball.Radius
	for _, corner := range s.on.corners {
		extent = max(extent, s.ball.Center.Sub(corner).largestPart())
	}
	slack := float64(4 * termSlack * extent)
	gap := d.LengthSquared() - float64(s.ball.Radius*s.ball.Radius) - float64(8*slack*extent)
	rate := d.Dot(v) - float64(4*slack*v.largestPart())
	return gap > 0 && (rate >= 0 || gap > float64(-2*rate*s.limit))
}

// towards returns how the squared distance to the near feature changes, B, and its excess over r², C, both
// up to a positive factor (for the face, of the distance itself).
func (s *flatSweep) towards(near feature, height, rate twofold) (b, c twofold) {
	r := twofold{s.ball.Radius, 0}
	switch near.kind {
	case onEdge:
		from, to := s.on.edge(near.index)
		m, w, _, rr := s.acrossEdge(from, to)
		return m.dot(w), m.dot(m).sub(rr)
	case onCorner:
		p, v := twoDiff3(s.ball.Center, s.on.corners[near.index]), twoDiff3(s.va, s.vb)
		return p.dot(v), p.dot(p).sub(r.mul(r))
	}
	return rate, height.sub(s.reach())
}

// reach returns the radius in the scale of the heights over the face.
func (s *flatSweep) reach() twofold { return s.on.areaLength.mul(twofold{s.ball.Radius, 0}) }

// awayFromEdge returns the normal of an overlap with an edge or a corner.
func (s *flatSweep) awayFromEdge(near feature) Vec3 {
	d := s.ball.Center.Sub(near.point)
	if d == (Vec3{}) && near.kind == onEdge {
		from, to := s.on.edge(near.index)
		_, w, e, _ := s.acrossEdge(from, to)
		return awayFrom(e.cross(w).rounded().Neg(), perpendicular(e.rounded()))
	}
	return awayFrom(d, s.va.Sub(s.vb))
}

// perpendicular returns some vector at right angles to e: e turned by a quarter in the plane z = 0, or along +Y.
func perpendicular(e Vec3) Vec3 {
	if e.X == 0 && e.Y == 0 {
		return Vec3{Y: -1}
	}
	return Vec3{X: e.Y, Y: -e.X}
}

// planeInReach reports whether the sphere touches the face's plane within the limit, as it must before it
// touches an edge or a corner.
func (s *flatSweep) planeInReach(height, rate twofold) bool {
	if s.on.normal == (Vec3{}) {
		return true
	}
	_, outcome := reachPlane(height, rate, s.reach(), s.limit)
	gap := height.sub(s.reach())
	// The corners of a polygon may lie a little off its plane, so edges get the benefit of the doubt.
	extent := s.ball.Radius
	for _, corner := range s.on.corners {
		extent = max(extent, s.ball.Center.Sub(corner).largestPart())
	}
	slack := float64(2 * flatSlack * extent)
	return outcome != Miss || gap.hi <= slack || rate.hi < 0 && gap.hi-slack <= float64(-rate.hi*s.limit)
}

// face looks for a touch of the face.
func (s *flatSweep) face(height, rate twofold, side float64) {
	if s.on.normal == (Vec3{}) {
		return
	}
	t, outcome := reachPlane(height, rate, s.reach(), s.limit)
	if outcome == Hit && s.on.covers(s.ball.Center.AddScaled(t, s.va.Sub(s.vb))) {
		s.time, s.normal, s.hit = t, s.on.normal.Scale(side), true
	}
}

// corner looks for an earlier touch of a corner.
func (s *flatSweep) corner(p Vec3) {
	t, normal, outcome := sweepBalls(s.ball.Center, s.ball.Radius, s.va, p, 0, s.vb, s.limit)
	if outcome != Miss && (!s.hit || t < s.time) {
		s.time, s.normal, s.hit = t, normal, true
	}
}
