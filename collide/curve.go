package collide

import (
	"math"

	"github.com/dango-physics/dango/internal/roots"
)

// curve is the path of a sphere's centre relative to a shape, in the frame of the shape: the point
// (x, y, z)/w as a function of u, 0 to 1. All four have the same degree, at most 4, so that the
// squares of distances have at most [roots.MaxDegree].
//
// It is a parabola (w = 1), or the path of something that moves along a straight line, seen from a
// shape that rotates (degree 3).
type curve struct{ x, y, z, w roots.Poly }

// point returns control point i. The curve lies in the convex hull of its control points.
func (c *curve) point(i int) Vec3 {
	w := c.w.C[i]
	return Vec3{c.x.C[i] / w, c.y.C[i] / w, c.z.C[i] / w}
}

// at returns the point of the curve at u.
func (c *curve) at(u float64) Vec3 {
	w := c.w.At(u)
	return Vec3{c.x.At(u) / w, c.y.At(u) / w, c.z.At(u) / w}
}

// split returns the parts of the curve before and after u.
func (c *curve) split(u float64) (before, after curve) {
	before.x, after.x = c.x.Split(u)
	before.y, after.y = c.y.Split(u)
	before.z, after.z = c.z.Split(u)
	before.w, after.w = c.w.Split(u)
	return before, after
}

// bounds returns the bounding box of the control points.
func (c *curve) bounds() AABB {
	box := NewAABB(c.point(0))
	for i := range c.w.N {
		p := c.point(i + 1)
		box.Min = Vec3{min(box.Min.X, p.X), min(box.Min.Y, p.Y), min(box.Min.Z, p.Z)}
		box.Max = Vec3{max(box.Max.X, p.X), max(box.Max.Y, p.Y), max(box.Max.Z, p.Z)}
	}
	return box
}

// heights returns n·(point - from)·w as a polynomial.
func (c *curve) heights(n, from Vec3) roots.Poly {
	p := roots.Poly{N: c.w.N}
	size := 0.0
	for i := range p.N + 1 {
		w := c.w.C[i]
		d := Vec3{
			c.x.C[i] - float64(w*from.X), c.y.C[i] - float64(w*from.Y), c.z.C[i] - float64(w*from.Z),
		}
		p.C[i] = n.Dot(d)
		size = max(size, n.absDot(d), math.Abs(p.C[i]))
	}
	n = n.absolute()
	p.Err = n.Dot(Vec3{c.x.Err, c.y.Err, c.z.Err}) + float64(c.w.Err*n.Dot(from.absolute()))
	// d is the difference of two numbers that were rounded, and each term rounds four times.
	p.Err += float64(float64(4*0x1p-53)*(size+float64(2*n.Dot(from.absolute())))) + 0x1p-1000
	return p
}

// curveTarget is the shape that a sphere on a curve may hit.
type curveTarget struct {
	kind   curveTargetKind
	flat   flatShape // of segments, triangles and polygons
	half   Vec3      // of a box around the origin
	front  bool      // only the front of a plane or polygon is solid
	plane  Plane
	radius float64 // sum of the radii of the sphere and the shape

	hull     *Hull
	cylinder Cylinder
	facet    Facet // flat is its triangle
}

type curveTargetKind uint8

const (
	flatTarget curveTargetKind = iota
	planeTarget
	boxTarget
	hullTarget
	cylinderTarget
	facetTarget
)

// curveSweep finds the first contact of a sphere with a target. It searches the parts of the curve
// from the first to the last, and halves those that are long compared with the radius: the error of
// a squared distance grows with the square of the length.
type curveSweep struct {
	curveTarget
	u       float64 // of the first contact, on the curve that was swept
	normal  Vec3    // unit length, from the target to the sphere, in the target's frame
	overlap bool    // the contact is deeper than rounding

	at        int32   // the face of the hull that is being tested
	on        Feature // the edge or corner of the facet that is being tested
	continues bool    // the part that is being searched goes on from another one
	coarse    bool    // the part that is being searched is longer than it should be
	short     int     // parts so far that have been halved often
}

const (
	// longCurve is the length, in radii, above which a curve is halved. With a larger value the
	// error of a time of impact grows, with a smaller one more parts take time.
	longCurve = 16

	// maxCurveHalvings bounds how often a curve is halved: to 2^-24 of its length.
	maxCurveHalvings = 24

	// fewCurveHalvings is how often a long curve is halved wherever it is near the target. Then
	// only what is near an edge or corner is halved further ([curveSweep.mustHalve]). With a larger
	// value, a point that begins inside of a box takes longer to leave it: twice as long with 7.
	// With a smaller one, results in games have other last digits.
	fewCurveHalvings = 6

	// maxShortCurves is the number of parts beyond fewCurveHalvings after which nothing is halved
	// any more. What passes an edge or a rim needs 20. Only what goes along a rim needs more; then
	// contacts are found too soon ([entries.soonerIf]). With a larger value, that takes longer: a
	// millisecond with this one.
	maxShortCurves = 1 << 8
)

// sweep searches the part of a curve that begins at from and has the given width, and reports
// whether there is a contact. depth is how often the curve has been halved.
func (s *curveSweep) sweep(c *curve, from, width float64, depth int) bool {
	box := c.bounds()
	size := box.Max.Sub(box.Min).Length()
	middle := box.Center()
	slack := float64(64 * (float64(0x1p-53*(box.Min.SumAbs()+box.Max.SumAbs()+s.radius)) + c.x.Err + c.y.Err + c.z.Err))
	reach := s.radius + float64(size/2) + slack // of the curve, from the middle of its bounds
	if s.distance(middle) > reach {
		return false
	}
	s.coarse = false
	if size > float64(longCurve*s.radius) && depth < maxCurveHalvings && s.kind != planeTarget &&
		s.mustHalve(c, middle, reach, slack, depth) {
		before, after := c.split(0.5)
		width = float64(width / 2)
		if s.sweep(&before, from, width, depth+1) {
			return true
		}
		s.continues = true
		return s.sweep(&after, from+width, width, depth+1)
	}
	best, found := 2.0, false
	consider := func(u float64, overlap, ok bool) bool {
		if !ok || u >= best {
			return false
		}
		best, found = u, true
		s.u, s.overlap = from+float64(u*width), overlap
		return true
	}
	switch s.kind {
	case planeTarget:
		s.faces(c, s.plane.Normal, s.plane.Normal.Scale(s.plane.Distance), slack, consider)
	case flatTarget, facetTarget:
		s.flatFeatures(c, middle, reach, slack, consider)
	case boxTarget:
		s.boxFeatures(c, box, middle, reach, slack, consider)
	case hullTarget:
		s.hullFeatures(c, middle, reach, slack, consider)
	case cylinderTarget:
		s.cylinderFeatures(c, slack, consider)
	}
	return found
}

// mustHalve reports whether a part of a curve is so near an edge, a corner or a rim, and so long,
// that it must be halved. After maxShortCurves none is; then it is coarse.
func (s *curveSweep) mustHalve(c *curve, middle Vec3, reach, slack float64, depth int) bool {
	if s.short > maxShortCurves {
		s.coarse = true
		return false
	}
	if depth < fewCurveHalvings {
		return true
	}
	// The square of a distance has an error of 2^-49 of the square of the length, so that of a
	// length of 2^24·slack makes no more than slack.
	long := max(float64(longCurve*s.radius), float64(0x1p24*slack))
	near := false
	test := func(a, b Vec3) {
		if near || (Segment{a, b}).ClosestPoint(middle).Distance(middle) > reach {
			return
		}
		ends := a.Distance(middle) <= reach || b.Distance(middle) <= reach
		// Near an edge, only what is across it matters: [curveSweep.edge].
		e, _ := b.Sub(a).Normalized()
		near = ends && c.length(Vec3{}) > long || c.length(e) > long
	}
	switch s.kind {
	case flatTarget, facetTarget:
		for i := range s.flat.edges() {
			test(s.flat.edge(i))
		}
	case boxTarget:
		corners := Box{Half: s.half}.Corners()
		for _, e := range boxEdges {
			test(corners[e.from], corners[e.to])
		}
	case hullTarget:
		for _, e := range s.hull.shape.edges {
			test(s.hull.shape.points[e.from], s.hull.shape.points[e.to])
		}
	case cylinderTarget:
		near = s.nearCylinder(c, middle, reach, long)
	}
	if near {
		s.short++
	}
	return near
}

// length returns the largest distance of two control points, without what is along the unit vector
// e; up to a factor of 2, and never too small.
func (c *curve) length(e Vec3) float64 {
	first, longest := c.point(0), 0.0
	for i := range c.w.N {
		d := c.point(i + 1).Sub(first)
		longest = max(longest, d.AddScaled(-e.Dot(d), e).Length())
	}
	return float64(2 * longest)
}

// faces tests the sides of a face from which it is solid. Its normal is n, zero for none, and a is
// a point of it.
func (s *curveSweep) faces(c *curve, n, a Vec3, slack float64, consider func(u float64, overlap, ok bool) bool) {
	for _, n := range s.sides(n) {
		if n != (Vec3{}) && consider(s.face(c, n, a, slack)) {
			s.normal = n
		}
	}
}

// flatFeatures tests the face, the edges and the corners of a flat shape or a facet of a mesh.
// Contacts that the neighbours of a facet hide are none.
func (s *curveSweep) flatFeatures(
	c *curve, middle Vec3, reach, slack float64, consider func(u float64, overlap, ok bool) bool,
) {
	s.faces(c, s.flat.normal, s.flat.corners[0], slack, consider)
	for i := range s.flat.edges() {
		a, b := s.flat.edge(i)
		if s.kind == facetTarget && !s.facet.isTested(i) ||
			(Segment{a, b}).ClosestPoint(middle).Distance(middle) > reach {
			continue
		}
		s.on = Edge0 + Feature(i)
		if u, overlap, ok := s.edge(c, a, b, slack); consider(u, overlap, ok) {
			s.normal = normalFrom(Segment{a, b}.ClosestPoint(c.at(u)), c.at(u))
		}
	}
	for i, p := range s.flat.corners {
		if p.Distance(middle) > reach {
			continue
		}
		s.on = Corner0 + Feature(i)
		if u, overlap, ok := s.corner(c, p); consider(u, overlap, ok) {
			s.normal = normalFrom(p, c.at(u))
		}
	}
}

// normalFrom returns the unit vector from p to q, or +Y if they coincide.
func normalFrom(p, q Vec3) Vec3 { return separationNormal(q.Sub(p), Vec3{}) }

// sides returns the normals of the sides of a face from which it is solid. The zero vector stands
// for none.
func (s *curveSweep) sides(n Vec3) [2]Vec3 {
	if s.front {
		return [2]Vec3{n}
	}
	return [2]Vec3{n, n.Neg()}
}

// distance returns the distance of a point from the target.
func (s *curveSweep) distance(p Vec3) float64 {
	switch s.kind {
	case planeTarget:
		h := s.plane.SignedDistance(p)
		if s.front && h < 0 {
			return 0
		}
		return math.Abs(h)
	case boxTarget:
		return p.Sub(p.clamped(s.half)).Length()
	case hullTarget, cylinderTarget:
		return s.distanceToSolid(p)
	case facetTarget:
		q, _ := s.facet.Closest(p)
		return p.Distance(q)
	}
	return p.Distance(s.flat.nearest(p).point)
}

// clamped returns the point of the box around the origin, with these half widths, nearest to p.
func (a Vec3) clamped(half Vec3) Vec3 {
	return Vec3{max(-half.X, min(half.X, a.X)), max(-half.Y, min(half.Y, a.Y)), max(-half.Z, min(half.Z, a.Z))}
}

// boxFeatures tests the faces, edges and corners of a box.
func (s *curveSweep) boxFeatures(
	c *curve, bounds AABB, middle Vec3, reach, slack float64, consider func(u float64, overlap, ok bool) bool,
) {
	h := [3]float64{s.half.X, s.half.Y, s.half.Z}
	axis := func(k int, length float64) (v Vec3) {
		*[3]*float64{&v.X, &v.Y, &v.Z}[k] = length
		return v
	}
	outside := math.Inf(-1) // how far all of the curve is beyond one face, at least
	for k := range 3 {
		outside = max(outside, max(bounds.Min.Component(k), -bounds.Max.Component(k))-h[k])
	}
	for k := range 3 {
		for _, side := range [2]float64{-1, 1} {
			n := axis(k, side)
			low, high := bounds.Min.Component(k)-h[k], bounds.Max.Component(k)-h[k]
			if side < 0 {
				low, high = -bounds.Max.Component(k)-h[k], -bounds.Min.Component(k)-h[k]
			}
			if low > s.radius+slack || high < min(outside, 0)-float64(2*slack) {
				continue // what is covered by the face is above it or nearest to it
			}
			if consider(s.face(c, n, axis(k, side*h[k]), slack)) {
				s.normal = n
			}
		}
	}
	beyond := middle.absolute().Sub(s.half) // of the nearest corner
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		if a := beyond; (Vec3{a.Component(i), a.Component(j), max(0, a.Component(k))}).Length() > reach*(1+0x1p-40) {
			continue
		}
		for q := range 4 {
			across := axis(i, float64(float64(q&1*2-1)*h[i])).Add(axis(j, float64(float64(q>>1*2-1)*h[j])))
			a, b := across.Sub(axis(k, h[k])), across.Add(axis(k, h[k]))
			if (Segment{a, b}).ClosestPoint(middle).Distance(middle) > reach {
				continue
			}
			if u, overlap, ok := s.edge(c, a, b, slack); consider(u, overlap, ok) {
				s.normal = normalFrom(Segment{a, b}.ClosestPoint(c.at(u)), c.at(u))
			}
		}
	}
	if beyond.Length() > reach*(1+0x1p-40) {
		return
	}
	for q := range 8 {
		p := Vec3{float64(q&1*2 - 1), float64(q>>1&1*2 - 1), float64(q>>2*2 - 1)}.MulElem(s.half)
		if p.Distance(middle) > reach {
			continue
		}
		if u, overlap, ok := s.corner(c, p); consider(u, overlap, ok) {
			s.normal = normalFrom(p, c.at(u))
		}
	}
}

// face returns where the sphere first touches a face through p with normal n, coming from the side
// of n, and whether it overlaps the face there.
func (s *curveSweep) face(c *curve, n, p Vec3, slack float64) (u float64, overlap, ok bool) {
	f := c.heights(n, p)
	r := c.w.Scale(s.radius)
	f = f.Sub(&r)
	entries := entries{rest: f, weight: &c.w, power: 1}
	for u, ok = entries.next(); ok; u, ok = entries.next() {
		if s.covers(n, p, c.at(u), slack) && (!s.isSheet() || s.passes(&f, u, &entries)) {
			return u, entries.deep, true
		}
	}
	return 0, false, false
}

// isSheet reports whether a point is swept against something two-sided without thickness.
func (s *curveSweep) isSheet() bool {
	return s.radius == 0 && !s.front && (s.kind == planeTarget || s.kind == flatTarget || s.kind == facetTarget)
}

// passes reports whether a point passes through a sheet at u, where f is its height above the side
// that is tested. A point in the sheet has no side: one that begins there has not come from this
// one, and one that only grazes the sheet from the other side goes back there.
func (s *curveSweep) passes(f *roots.Poly, u float64, e *entries) bool {
	d := f.Derivative()
	return !e.deep && (u > 0 || s.continues) && d.At(u) < -(d.Err+float64(0x1p-50*d.MaxAbs()))
}

// covers reports whether q, the centre at a contact with the plane of a face, is above the face or
// beside that by rounding. The face goes through p and has normal n. What is behind it has come
// there otherwise, or is inside of a solid, where only the nearest face counts. On the surface of a
// solid, up to rounding, only the face there counts.
func (s *curveSweep) covers(n, p, q Vec3, slack float64) bool {
	above := n.Dot(q.Sub(p)) >= -slack
	switch s.kind {
	case planeTarget:
		return above || s.front
	case boxTarget:
		d := q.absolute().Sub(s.half)
		return (n.X != 0 && above || d.X <= slack) && (n.Y != 0 && above || d.Y <= slack) &&
			(n.Z != 0 && above || d.Z <= slack) && (above || isNearest(n.Dot(q.Sub(p)), max(d.X, d.Y, d.Z), slack))
	case hullTarget:
		return s.coversHullFace(q, slack) && (above || isNearest(n.Dot(q.Sub(p)), s.distanceToSolid(q), slack))
	case cylinderTarget:
		return s.coversCylinderEnd(n, p, q, slack) && (above || isNearest(n.Dot(q.Sub(p)), s.distanceToSolid(q), slack))
	}
	for i, in := range s.flat.inward {
		if in.Dot(q.Sub(s.flat.corners[i])) < -float64(slack*in.SumAbs()) {
			return false
		}
	}
	return above
}

// isNearest reports whether a point is inside of a solid by more than rounding, and the face at the
// given height is the nearest one.
func isNearest(height, distance, slack float64) bool {
	return distance < -slack && height >= distance-slack
}

// edge returns where the sphere first touches the side of an edge.
func (s *curveSweep) edge(c *curve, from, to Vec3, slack float64) (u float64, overlap, ok bool) {
	e, ok := to.Sub(from).Normalized()
	if !ok {
		return 0, false, false
	}
	n := perpendicularUnit(e)
	m := e.Cross(n)
	p, q := c.heights(n, from), c.heights(m, from)
	p, q = p.Mul(&p), q.Mul(&q)
	f := p.Add(&q)
	f = s.lessRadius(c, &f)
	length := to.Sub(from).Length()
	entries := entries{rest: f, weight: &c.w, power: 2}
	entries.soonerIf(s.coarse)
	for u, ok = entries.next(); ok; u, ok = entries.next() {
		if at := e.Dot(c.at(u).Sub(from)); at >= -slack && at <= length+slack &&
			s.admits(c.at(u), slack) {
			return u, entries.deep, true
		}
	}
	return 0, false, false
}

// perpendicularUnit returns a unit vector perpendicular to the unit vector e.
func perpendicularUnit(e Vec3) Vec3 {
	n := Vec3{Y: e.Z, Z: -e.Y}
	if math.Abs(e.X) > 0.75 {
		n = Vec3{X: e.Y, Y: -e.X}
		if math.Abs(e.Z) > math.Abs(e.Y) {
			n = Vec3{X: e.Z, Z: -e.X}
		}
	}
	n, ok := n.Normalized()
	if !ok {
		return Vec3{Z: 1} // e is along X
	}
	return n
}

// corner returns where the sphere first touches a corner.
func (s *curveSweep) corner(c *curve, p Vec3) (u float64, overlap, ok bool) {
	x, y, z := c.heights(Vec3{X: 1}, p), c.heights(Vec3{Y: 1}, p), c.heights(Vec3{Z: 1}, p)
	x, y, z = x.Mul(&x), y.Mul(&y), z.Mul(&z)
	f := x.Add(&y)
	f = f.Add(&z)
	f = s.lessRadius(c, &f)
	entries := entries{rest: f, weight: &c.w, power: 2}
	entries.soonerIf(s.coarse)
	for u, ok = entries.next(); ok; u, ok = entries.next() {
		if s.admits(c.at(u), 0) {
			return u, entries.deep, true
		}
	}
	return 0, false, false
}

// lessRadius returns f - (radius·w)², for a squared distance f that is multiplied by w².
func (s *curveSweep) lessRadius(c *curve, f *roots.Poly) roots.Poly {
	r := c.w.Scale(s.radius)
	r = r.Mul(&r)
	return f.Sub(&r)
}

// entries goes through the places at which a distance is not positive and decreases, at most one
// for each interval in which it is not positive. What is given is the distance times a power of the
// weight of the curve.
type entries struct {
	weight *roots.Poly // of the curve; nil where it doesn't count, so that the place may be off if it varies
	power  int
	rest   roots.Poly // what is left to search, on 0 to 1
	from   float64    // where that begins
	found  int        // entries returned so far
	deep   bool       // at the last one, the polynomial was negative by more than rounding
	sooner float64    // what has been subtracted from the polynomial
}

// soonerIf subtracts the error from the polynomial if on is set, so that all that could be entries
// are some, only too soon.
func (e *entries) soonerIf(on bool) {
	if !on {
		return
	}
	e.sooner = float64(4 * e.rest.Err)
	for i := range e.rest.N + 1 {
		e.rest.C[i] -= e.sooner
	}
}

// next returns the next entry.
func (e *entries) next() (u float64, ok bool) {
	if e.from >= 1 || 2*e.found > e.rest.N+1 { // there are no more, but by rounding
		return 0, false
	}
	switch {
	case e.found > 0:
		up := e.rest.Scale(-1)
		if u, ok = up.First(); !ok {
			return 0, false
		}
		e.skip(u)
		u, ok = e.rest.First()
	case e.weight == nil:
		u, ok = e.rest.FirstEntry()
	default:
		u, ok = e.rest.FirstEntryOver(e.weight, e.power)
	}
	if !ok {
		return 0, false
	}
	e.found++
	e.skip(u)
	e.deep = e.rest.C[0] < -(e.rest.Err + e.sooner)
	return e.from, true
}

// skip removes what is before v from the rest.
func (e *entries) skip(v float64) {
	_, e.rest = e.rest.Split(v)
	e.from += float64(v * (1 - e.from))
}
