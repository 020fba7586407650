package statics

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/bvh"
)

// Where polygons meet, they act as one surface. A sphere that touches an edge or a corner of a
// polygon touches the union of that polygon and its neighbours only if the normal is in the normal
// cone of the union there: no neighbour has a point on the sphere's side of the plane through the
// point of contact. Otherwise a neighbour is nearer, and is found by its own contact.
//
// In exact arithmetic, a first touch always satisfies this. With rounding, a sphere that slides on
// a floor of tiles is lower than its radius by some 1e-16, so it touches the next tile at its edge,
// before its centre is above that tile, with a normal that is tilted by 1e-8.
//
// The test is made for each contact with an edge or a corner, in the tree, and nothing is kept from
// step to step: what is hidden depends on the body, since not all surfaces stop all bodies. It uses
// only points and faces, so neighbours need not share edges or corners, and may overlap.

// Hides reports whether surface q may hide edges and corners of surface k at time t.
type Hides = func(q, k int32, t float64) bool

// Touch returns the distance between a sphere at x and surface k as it is at time t, negative
// inside, and the unit normal there, from the surface to the sphere. It returns false if another
// surface hides the nearest edge or corner.
func (w *Set) Touch(
	a *Around, k int32, x collide.Vec3, radius, t float64, hides Hides,
) (gap float64, n collide.Vec3, ok bool) {
	var face bool
	admitted := true
	if IsFacet(k) {
		gap, n, face, admitted = w.separationOfFacet(a, k, x, radius, t)
	} else {
		gap, n, face = w.surfaces[k].separation(x, radius, t)
	}
	if face || !admitted || w.At(k).Turning.On {
		return gap, n, admitted
	}
	p := x.AddScaled(-(gap + radius), n)
	if f := w.At(k); f.Kind() == Polygon {
		n = f.acrossEdge(p, n, t)
	}
	m, ok := w.normalOnUnion(a, k, p, n, t, hides)
	if m != n {
		gap, n = m.Dot(x.Sub(p))-radius, m
	}
	return gap, n, ok
}

// sweepUnion corrects an impact of a sphere with an edge or a corner of surface k at time met, with
// normal n: it returns the impact of the sphere with surface k as a part of the union, if there is
// one.
func (w *Set) sweepUnion(
	k int32, met float64, n, x, v collide.Vec3, radius, now float64, hides Hides,
) (float64, collide.Vec3, bool) {
	f := w.At(k)
	center := x.AddScaled(met, v)
	p := center.AddScaled(-radius, n)
	if f.Kind() == Polygon {
		p = f.Polygon.ClosestPoint(center.Sub(f.origin(met))).Add(f.origin(met))
		n = f.acrossEdge(p, n, met)
	}
	if m, ok := w.normalOnUnion(nil, k, p, n, met, hides); ok && f.approaches(m, v) {
		return met, m, true
	}
	return w.sweepFace(k, x, v, radius, now)
}

// faceTilt is the angle to the normal of a face, squared and halved, up to which the normal at an
// edge where polygons meet becomes that of the face: 1e-6 rad. It is larger than what rounding
// tilts normals by, 1e-8, and too small to be seen.
const faceTilt = 0x1p-40

// hiddenShare is how far a surface may reach to the sphere's side of a contact without hiding it,
// as a fraction of its margin: about a hundred roundings of the coordinates. With less, the ends of
// an edge hide that edge, by rounding; with more, edges of a floor are hit.
const hiddenShare = 0x1p-6

// normalOnUnion returns the normal of the contact of a sphere with an edge or a corner of surface
// k, at point p and with normal n at time t, as a part of the union: n or, if n is the normal of a
// face but for a tilt by rounding, that of the face. It returns false if the contact is hidden.
func (w *Set) normalOnUnion(
	a *Around, k int32, p, n collide.Vec3, t float64, hides Hides,
) (m collide.Vec3, ok bool) {
	f := w.At(k)
	own := w.faceNormalAt(k, p, n, t)
	m = own
	best, whose, flat := n.Dot(m), k, false // flat: another face continues that of surface k
	hidden := f.Kind() == Polygon && f.rise(p, n, t) > float64(hiddenShare*f.margin)
	w.eachPieceAt(a, k, p, n, t, 0, hides, func(g piece) {
		if g.f != f || f.Kind() == Polygon { // neighbours in a mesh have been asked already: Facet.Admits
			hidden = hidden || g.rise(n) > float64(hiddenShare*(f.margin+g.f.margin))
		}
		face, ok := g.faceNormal(n)
		if !ok {
			return
		}
		flat = flat || face.Dot(own) >= 1-faceTilt
		if n.Dot(face) > best || n.Dot(face) == best && w.Compare(g.k, whose) < 0 {
			m, best, whose = face, n.Dot(face), g.k
		}
	})
	if hidden && best < 1-faceTilt {
		return w.acrossSeam(a, k, p, n, t, hides)
	}
	if !hidden && !flat || best < 1-faceTilt {
		return n, !hidden
	}
	if f.Kind() == Polygon && f.rise(p, m, t) > 2*f.margin {
		return n, !hidden
	}
	rises := false
	w.eachPieceAt(a, k, p, n, t, 0, hides, func(g piece) {
		rises = rises || g.rise(m) > f.margin+g.f.margin
	})
	if rises {
		return n, !hidden
	}
	return m, true
}

// seamTilt is the angle by which rounding may tilt a normal along the edge at which two surfaces
// meet: see acrossSeam.
const seamTilt = 0x1p-20

// acrossSeam is for a contact with an edge or corner of surface k, with normal n, that other
// surfaces seem to hide. It returns n without its tilt by rounding towards their highest corners,
// and false if they hide the contact all the same. Where two tiles in a row meet, a ball may touch
// the corner of either, with a normal that is tilted towards the other. Then each would hide the
// contact of the other, and the ball would go through.
func (w *Set) acrossSeam(
	a *Around, k int32, p, n collide.Vec3, t float64, hides Hides,
) (m collide.Vec3, ok bool) {
	f := w.At(k)
	m, ok = n, f.Kind() != Polygon || f.rise(p, n, t) <= float64(hiddenShare*f.margin)
	eachRising := func(n collide.Vec3, do func(g piece, rise float64)) {
		w.eachPieceAt(a, k, p, n, t, 0, hides, func(g piece) {
			if g.f != f || f.Kind() == Polygon {
				if rise := g.rise(n); rise > float64(hiddenShare*(f.margin+g.f.margin)) {
					do(g, rise)
				}
			}
		})
	}
	eachRising(n, func(g piece, rise float64) {
		end := g.highest(n)
		edge, far := end.Normalized()
		if ok = ok && far && rise <= float64(seamTilt*end.Length()); ok {
			m = m.AddScaled(-m.Dot(edge), edge)
		}
	})
	if !ok {
		return n, false
	}
	if m, ok = m.Normalized(); ok {
		eachRising(m, func(piece, float64) { ok = false })
	}
	return m, ok
}

// piece is a polygon, a solid or a facet at a point where something touches another one.
type piece struct {
	k     int32
	f     *Surface // it, or the owner of the facet
	facet collide.Facet
	p     collide.Vec3 // the point, in the world's frame for polygons and otherwise in that of the shape
	t     float64
}

// eachPieceAt calls do with all polygons, solids and facets but k that contain point p at time t,
// up to reach, that move with surface k, are solid from the side to which n points, and for which
// hides is true.
func (w *Set) eachPieceAt(
	a *Around, k int32, p, n collide.Vec3, t, reach float64, hides Hides, do func(g piece),
) {
	f := w.At(k)
	var search bvh.Search
	box := collide.AABB{Min: p, Max: p}.Grow(2*f.margin + reach)
	w.tree.Search(&search, box, collide.Vec3{}, 0)
	for q, found := search.Next(); found; q, found = search.Next() {
		g := &w.surfaces[q]
		if q == k || g.Sensor || g.Turning.On || g.Velocity != f.Velocity || g.travelled != f.travelled ||
			!g.hasEdges() {
			continue
		}
		switch {
		case g.Kind() == Polygon:
			if g.adjoins(f, p, n, t, reach) && hides(q, k, t) {
				do(piece{k: q, f: g, p: p, t: t})
			}
		case g.isSolid():
			local := g.toLocal(p, t)
			if d, _, _ := g.nearest(local); d <= f.margin+g.margin+reach && hides(q, k, t) {
				do(piece{k: q, f: g, p: local, t: t})
			}
		default:
			local, towards := g.toLocal(p, t), g.toLocalDirection(n)
			margin := f.margin + g.margin
			g.eachFacetAt(a, local, margin+reach, func(facet collide.Facet) {
				number := g.facets + int32(facet.ID())
				if number != k && isOnFacet(facet, a.normal(facet, g.facetShape()), local, towards, margin, reach) &&
					hides(number, k, t) {
					do(piece{k: number, f: g, facet: facet, p: local, t: t})
				}
			})
		}
	}
}

// isOnFacet reports whether a facet with the given normal contains p up to margin, or up to reach
// in its plane, and is solid from the side to which n points.
func isOnFacet(t collide.Facet, normal, p, n collide.Vec3, margin, reach float64) bool {
	c := t.Corners()
	if !t.TwoSided() && normal.Dot(n) < -faceTilt {
		return false
	}
	if math.Abs(normal.Dot(p.Sub(c[0]))) > margin {
		return false
	}
	for i := range c {
		out, _ := c[(i+1)%3].Sub(c[i]).Cross(normal).Normalized()
		if out.Dot(p.Sub(c[i])) > margin+reach {
			return false
		}
	}
	return true
}

// rise returns how far the piece reaches from its point along n, a direction of the world, m.
func (g piece) rise(n collide.Vec3) float64 {
	switch {
	case g.f.Kind() == Polygon:
		return g.f.rise(g.p, n, g.t)
	case g.f.isSolid():
		n = g.f.toLocalDirection(n)
		return g.f.support(n) - n.Dot(g.p)
	}
	n = g.f.toLocalDirection(n)
	rise := math.Inf(-1)
	for _, c := range g.facet.Corners() {
		rise = max(rise, n.Dot(c.Sub(g.p)))
	}
	return rise
}

// highest returns the corner of the piece that is highest along n, a direction of the world,
// relative to its point and in the world's frame. It is zero for hulls and cylinders.
func (g piece) highest(n collide.Vec3) (end collide.Vec3) {
	best := math.Inf(-1)
	offer := func(d collide.Vec3) {
		if n.Dot(d) > best {
			best, end = n.Dot(d), d
		}
	}
	switch g.f.Kind() {
	case Polygon:
		for i := range g.f.Polygon.Len() {
			offer(g.f.Polygon.Corner(i).Sub(g.p.Sub(g.f.origin(g.t))))
		}
	case Box:
		h, m := g.f.Half, g.f.toLocalDirection(n)
		corner := collide.Vec3{X: math.Copysign(h.X, m.X), Y: math.Copysign(h.Y, m.Y), Z: math.Copysign(h.Z, m.Z)}
		return g.f.Rotation.Rotate(corner.Sub(g.p))
	case Mesh, Field:
		for _, c := range g.facet.Corners() {
			offer(g.f.Rotation.Rotate(c.Sub(g.p)))
		}
	case Plane, Capsule, Cylinder, Hull:
	}
	return end
}

// faceNormal returns the normal of that face of the piece at its point that is closest to n, and
// false if the point is on no face.
func (g piece) faceNormal(n collide.Vec3) (collide.Vec3, bool) {
	switch {
	case g.f.Kind() == Polygon:
		return g.f.faceNormal(n), true
	case g.f.isSolid():
		m, ok := g.f.faceAt(g.p, g.f.toLocalDirection(n), 2*g.f.margin)
		return g.f.toWorld(m), ok
	}
	m := g.f.toWorld(g.facet.Normal())
	if g.facet.TwoSided() && m.Dot(n) < 0 {
		m = m.Neg()
	}
	return m, true
}

// faceNormalAt returns the normal of that face of surface or facet k that is closest to n, of those
// that contain p at time t.
func (w *Set) faceNormalAt(k int32, p, n collide.Vec3, t float64) (m collide.Vec3) {
	f := w.At(k)
	switch {
	case IsFacet(k):
		w.withFacet(k, func(f *Surface, facet collide.Facet) {
			m, _ = piece{k: k, f: f, facet: facet}.faceNormal(n)
		})
		return m
	case f.isSolid():
		m, _ = piece{k: k, f: f, p: f.toLocal(p, t)}.faceNormal(n)
		return m
	}
	return f.faceNormal(n)
}

// faceNormal returns the normal of the face of a polygon on the side to which n points, or of its
// front.
func (f *Surface) faceNormal(n collide.Vec3) collide.Vec3 {
	if f.TwoSided && f.Plane.Normal.Dot(n) < 0 {
		return f.Plane.Normal.Neg()
	}
	return f.Plane.Normal
}

// isFaceNormal reports whether n is the normal of the face up to rounding, or the surface is no
// polygon.
func (f *Surface) isFaceNormal(n collide.Vec3) bool {
	return f.Kind() != Polygon || n.Sub(f.faceNormal(n)).MaxAbs() <= 0x1p-51
}

// adjoins reports whether surface g, at time t, is a polygon that contains point p of surface f, or
// is that close to it in its plane, moves with f, and is solid from the side to which n points.
func (g *Surface) adjoins(f *Surface, p, n collide.Vec3, t, reach float64) bool {
	if g.Kind() != Polygon || g.Sensor || g.Turning.On || f.Turning.On ||
		g.Velocity != f.Velocity || g.travelled != f.travelled {
		return false
	}
	if !g.TwoSided && g.Plane.Normal.Dot(n) < -faceTilt {
		return false
	}
	p = p.Sub(g.origin(t))
	margin := f.margin + g.margin
	if math.Abs(g.Plane.Normal.Dot(p)-g.Plane.Distance) > margin {
		return false
	}
	for i := range g.Polygon.Len() {
		if g.Polygon.EdgeNormal(i).Dot(p.Sub(g.Polygon.Corner(i))) > margin+reach {
			return false
		}
	}
	return true
}

// rise returns how far a polygon reaches along n from point p at time t, m.
func (g *Surface) rise(p, n collide.Vec3, t float64) float64 {
	p = p.Sub(g.origin(t))
	rise := math.Inf(-1)
	for i := range g.Polygon.Len() {
		rise = max(rise, n.Dot(g.Polygon.Corner(i).Sub(p)))
	}
	return rise
}

// acrossEdge returns n, the normal of a contact at point p of a polygon at time t, without its
// component towards the polygon's highest corner, if the polygon would hide that contact itself.
// The component is rounding: a ball that meets an edge 1e-10 m beside its end gets the normal of
// the corner, since both times are the same, and along a large polygon rounding alone is more than
// what counts as a rise.
func (f *Surface) acrossEdge(p, n collide.Vec3, t float64) collide.Vec3 {
	if f.rise(p, n, t) <= float64(hiddenShare*f.margin) {
		return n
	}
	if edge, ok := (piece{f: f, p: p, t: t}).highest(n).Normalized(); ok {
		if m, ok := n.AddScaled(-n.Dot(edge), edge).Normalized(); ok {
			return m
		}
	}
	return n
}

// approaches reports whether something that moves at v approaches the surface along n by more than
// rounding.
func (f *Surface) approaches(n, v collide.Vec3) bool {
	return -(n.Dot(v) - n.Dot(f.Velocity)) > approachError(n, v, f.Velocity)
}

// isSameFloor reports whether an impact of a sphere with the face of surface k, with normal n, is
// none: at the given time, the sphere slides on another surface in the same plane. The normals of
// the tiles of a floor differ by the rounding of their corners, which is larger than approachError.
func (w *Set) isSameFloor(k int32, n, x, v collide.Vec3, radius, now float64, hides Hides) bool {
	f := w.At(k)
	u := v.Sub(f.Velocity)
	if !f.hasEdges() || -n.Dot(u) > float64(floorError*(v.SumAbs()+f.Velocity.SumAbs())) {
		return false
	}
	center := x.AddScaled(now, v)
	face, height, ok := w.FaceHeight(nil, k, center, n, now)
	if f.Kind() == Polygon {
		face = f.faceNormal(n)
		height = math.Abs(f.Plane.Normal.Dot(center.Sub(f.origin(now))) - f.Plane.Distance)
	}
	if !ok || n.Dot(face) < 1-faceTilt || math.Abs(height-radius) > float64(floorGap*radius) {
		return false
	}
	p := center.AddScaled(-height, face)
	same := false
	w.eachPieceAt(nil, k, p, face, now, float64(seamReach*radius), hides, func(g piece) {
		m, ok := g.faceNormal(face)
		same = same || ok && m.Dot(face) >= 1-faceTilt
	})
	return same
}

const (
	// floorError is the approach speed to a polygon that counts as sliding along it, as a fraction
	// of the speeds. Corners that were turned and moved are some 2^-50 of their coordinates off, so
	// that the normals of tiles of a hundredth of these sizes differ by 2^-43. A smaller value lets
	// a ball have impacts at the edges of a slanted floor; with a larger one, it sinks visibly into
	// a floor on which nothing presses it.
	floorError = 0x1p-38

	// floorGap is the gap, as a fraction of the radius, up to which a sphere that slides on a
	// polygon touches its plane. It is also the overlap up to which it may sink by floorError,
	// 1e-9.
	floorGap = 0x1p-30

	// seamReach is how far, as a fraction of the radius, a sphere may be past the edge of a tile
	// whose face it is in contact with: where the normal at the edge is tilted by faceTilt.
	seamReach = 0x1p-19
)

// sweepFace returns the first impact of a sphere with the flat faces of surface or facet k alone,
// between now and the end of the step.
func (w *Set) sweepFace(
	k int32, x, v collide.Vec3, radius, now float64,
) (t float64, n collide.Vec3, ok bool) {
	f := w.At(k)
	left := w.seconds - now
	switch {
	case f.Kind() == Polygon:
		return f.sweepFace(x, v, radius, now, w.seconds)
	case f.isSolid():
		t, n, ok = f.sweepSolidFaces(f.toLocal(x.AddScaled(now, v), now), f.toLocalDirection(v.Sub(f.Velocity)),
			radius, left)
		n = f.toWorld(n)
		return min(now+t, w.seconds), n, ok && f.approaches(n, v)
	}
	w.withFacet(k, func(f *Surface, facet collide.Facet) {
		p, u := f.toLocal(x.AddScaled(now, v), now), f.toLocalDirection(v.Sub(f.Velocity))
		c := facet.Corners()
		n = facet.Normal()
		height := n.Dot(p.Sub(c[0]))
		if height < 0 {
			if !facet.TwoSided() {
				return
			}
			height, n = -height, n.Neg()
		}
		t = max(0, (height-radius)/-n.Dot(u))
		n = f.toWorld(n)
		if !f.approaches(n, v) || !(t <= left) {
			return
		}
		_, on := facet.ClosestFeature(p.AddScaled(t, u))
		t, ok = min(now+t, w.seconds), on == collide.Face
	})
	return t, n, ok
}

// sweepFace is sweep for the face of a polygon alone.
func (f *Surface) sweepFace(x, v collide.Vec3, radius, now, seconds float64) (t float64, n collide.Vec3, ok bool) {
	p := x.AddScaled(now, v).Sub(f.origin(now))
	height, n := f.Plane.Normal.Dot(p)-f.Plane.Distance, f.Plane.Normal
	if height < 0 {
		if !f.TwoSided {
			return 0, n, false
		}
		height, n = -height, n.Neg()
	}
	if !f.approaches(n, v) {
		return 0, n, false
	}
	u := v.Sub(f.Velocity)
	t = max(0, (height-radius)/-n.Dot(u))
	if !(t <= seconds-now) || !f.Polygon.Covers(p.AddScaled(t, u)) {
		return 0, n, false
	}
	return min(now+t, seconds), n, true
}
