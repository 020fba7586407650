package collide

import "math"

// Sweep returns the first contact of a, moving at va, with b, moving at vb, within horizon seconds.
// The shapes don't rotate. The cases are tested in the order described at [SweepSphereSphere], with
// the distance between the shapes instead of the distance of the centres: receding is a Miss, even
// if the shapes overlap; then come overlapping, touching and approaching, and the rest.
//
// Normal is that of the surface that is hit: of a side, perpendicular to two edges, or from an edge
// or a corner to the centre of a sphere. If several sides are hit at the same time, as by a box
// that falls into a corner, Normal is that of one of them. Boxes and hulls that only slide along
// each other, or graze each other's edges, are a Miss.
//
// On an Overlap, Normal is the direction in which a has to move least to be free, as in
// [Separation]. If a already moves that way, the outcome is Miss.
//
// Point is in the middle of the area of contact. CenterA and CenterB are the centre of a sphere or
// box, the position of a [PlacedHull], the origin of a [*Hull], and the first point of other
// shapes, all at the time of contact.
//
// The time has a relative error of at most 3e-13 for the shapes as they are in float64; see
// [Box.Axes] for boxes that are turned. Swapping the shapes gives the same time up to rounding, and
// the opposite Normal.
//
// The number of operations is proportional to the product of the numbers of corners if both shapes
// are hulls. Nothing is allocated, except for polygons with more than 32 corners. Invalid input
// gives Miss as in [SweepSphereSphere].
func Sweep(a Convex, va Vec3, b Convex, vb Vec3, horizon float64) (Contact, Outcome) {
	if s, ok := a.(Sphere); ok {
		switch b := b.(type) {
		case Sphere:
			return SweepSphereSphere(s, va, b, vb, horizon)
		case Segment:
			return SweepSphereSegment(s, va, b, vb, horizon)
		case Capsule:
			return SweepSphereCapsule(s, va, b, vb, horizon)
		case Triangle:
			return SweepSphereTriangle(s, va, b, vb, horizon)
		case Polygon:
			return SweepSpherePolygon(s, va, b, vb, horizon)
		}
	}
	var sa, sb coreStorage
	p, ok := newPair(a, &sa, va, b, &sb, vb, horizon)
	if !ok {
		return Contact{}, Miss
	}
	outcome := p.sweep()
	if outcome == Miss {
		return Contact{}, Miss
	}
	c := Contact{
		Time: p.time, Normal: p.normal.Add(Vec3{}), // without negative zeros
		CenterA: reference(a).AddScaled(p.time, va), CenterB: reference(b).AddScaled(p.time, vb),
	}
	c.Point = p.contactPoint().Add(p.b.origin.AddScaled(p.time, vb))
	return c, outcome
}

// sweep sets time and normal of the first contact.
func (p *pair) sweep() Outcome {
	if p.surelyApart() {
		return Miss
	}
	if p.r.hi > 0 || !p.a.solid() && !p.b.solid() {
		return p.sweepFeatures()
	}
	outcome := p.sweepAxes()
	if outcome == Overlap {
		_, normal, leaves := p.penetration()
		if leaves {
			return Miss
		}
		p.time, p.normal = 0, normal
	}
	return outcome
}

// contactPoint returns the middle of the area in which the shapes touch at the time and with the
// normal found, relative to b's origin at that time. Of shapes that overlap it is the middle
// between their surfaces along the normal.
func (p *pair) contactPoint() Vec3 {
	var room areaStorage
	shift := p.originRounded.AddScaled(p.time, p.vRounded)
	a := p.a.extreme(p.normal.Neg(), &room.a)
	b := p.b.extreme(p.normal, &room.b)
	heightA := p.normal.Dot(p.a.points[a[0]].Add(shift)) - p.a.radius
	heightB := p.normal.Dot(p.b.points[b[0]]) + p.b.radius
	at := p.area(a, b, shift)
	return at.AddScaled(float64(0.5*(heightA+heightB))-p.normal.Dot(at), p.normal)
}

// areaStorage is memory for the corners of two touching features.
type areaStorage struct{ a, b [2]int32 }

// extreme returns the corners of the face, the edge or the corner of the core that is the farthest
// along n. A face or edge counts as perpendicular to n if its corners are equally far to 2^-30 of
// the core's extent. That affects only which point of a touching face is reported.
func (c *core) extreme(n Vec3, room *[2]int32) []int32 {
	most, best, extent := math.Inf(-1), 0, 0.0
	for k, q := range c.points {
		if h := n.Dot(q); h > most {
			most, best = h, k
		}
		extent = max(extent, q.Sub(c.points[0]).MaxAbs())
	}
	most -= max(float64(0x1p-30*extent), float64(0x1p-50*c.size))
	for _, f := range c.faces {
		all := true
		for _, k := range f.corners {
			all = all && n.Dot(c.points[k]) >= most
		}
		if all {
			return f.corners
		}
	}
	for _, e := range c.edges {
		from, to := c.points[e.from], c.points[e.to]
		if from != to && n.Dot(from) >= most && n.Dot(to) >= most { // a capsule's axis may have no length
			*room = [2]int32{e.from, e.to}
			return room[:]
		}
	}
	room[0] = int32(best)
	return room[:1]
}

// area returns the middle of the intersection of two features, given by their corners, that lie in
// one plane perpendicular to the normal: the centre of the box around the corners of the
// intersection. These are the corners of each that lie in the other, and the points where edges
// cross. a is shifted by shift.
func (p *pair) area(a, b []int32, shift Vec3) Vec3 {
	cornerA := func(k int) Vec3 { return p.a.points[a[k%len(a)]].Add(shift) }
	cornerB := func(k int) Vec3 { return p.b.points[b[k%len(b)]] }
	if len(a) == 1 {
		return cornerA(0)
	}
	if len(b) == 1 {
		return cornerB(0)
	}
	found := NewAABB()
	for i := range a {
		if p.inArea(cornerA(i), b, cornerB) {
			found = found.Union(AABB{cornerA(i), cornerA(i)})
		}
	}
	for j := range b {
		if p.inArea(cornerB(j), a, cornerA) {
			found = found.Union(AABB{cornerB(j), cornerB(j)})
		}
	}
	for i := range a {
		from, e := cornerA(i), cornerA(i+1).Sub(cornerA(i))
		for j := range b {
			d, g := cornerB(j).Sub(from), cornerB(j+1).Sub(cornerB(j))
			cross := p.normal.Dot(e.Cross(g))
			s, t := p.normal.Dot(d.Cross(g))/cross, p.normal.Dot(d.Cross(e))/cross
			if s >= 0 && s <= 1 && t >= 0 && t <= 1 {
				q := from.AddScaled(s, e)
				found = found.Union(AABB{q, q})
			}
		}
	}
	if found.IsEmpty() { // by rounding
		return cornerA(0).Add(cornerB(0)).Scale(0.5)
	}
	return found.Center()
}

// inArea reports whether q lies in the convex polygon with the given corners, seen along the
// normal. Of an edge it reports false: the ends of edges are found as crossings.
func (p *pair) inArea(q Vec3, corners []int32, corner func(int) Vec3) bool {
	if len(corners) < 3 {
		e, d := corner(1).Sub(corner(0)), q.Sub(corner(0))
		at, ee := e.Dot(d), e.Dot(e)
		slack := float64(0x1p-30*(p.a.size+p.b.size)) * e.Length()
		return at >= 0 && at <= ee && math.Abs(p.normal.Dot(e.Cross(d))) <= slack
	}
	left, right := true, true
	for k := range corners {
		e := corner(k + 1).Sub(corner(k))
		s := p.normal.Dot(e.Cross(q.Sub(corner(k))))
		left, right = left && s >= 0, right && s <= 0
	}
	return left || right
}
