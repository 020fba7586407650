package statics

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/bvh"
	"github.com/dango-physics/dango/internal/convex"
)

// Convex shapes other than spheres against surfaces: first.go, near.go and union.go for bodies that
// are boxes, hulls and capsules. Package convex knows the contacts of one shape with another, and
// that what slides on one face does not hit the side of the next. So no search for neighbours is
// needed, but in meshes, where facets know theirs.

// Mover is a convex shape on its path, and memory for questions about it.
type Mover struct {
	Shape     *convex.Shape
	X, V      collide.Vec3 // its origin is at X + t·V at time t
	Free      collide.Vec3 // its velocity if no contact acts, for contacts that are to be solved, m/s
	Tolerance float64      // overlap up to which it touches something, m
	Reach     float64      // gap up to which it has a contact that is to be solved, m: see convex.Pair.Near
	Parts     int          // at how many times a push by a surface that rotates keeps it clear of that
	Inside    bool         // it was put into something, from which it may move, but not deeper
	Gaps      *GapCache    // nil for none

	pairs convex.Cache
	own   convex.Pair  // with a plane, or a facet of what rotates
	pair  *convex.Pair // the one that is being asked
	facet facetOf
	sweep collide.FacetSweep
	sag   float64 // by how much it may be deeper than Tolerance within the step, m
}

// facetOf is a facet and the surface that has it.
type facetOf struct {
	f    *Surface
	t    collide.Facet
	turn collide.Quat // from the world into the frame of a surface that rotates
}

// AdmitsNormal implements convex.Admitter.
func (a *facetOf) AdmitsNormal(n collide.Vec3) bool {
	if a.f.Turning.On {
		return a.t.AdmitsNormal(a.turn.Rotate(n))
	}
	return a.t.AdmitsNormal(a.f.toLocalDirection(n))
}

// at returns where the mover is at time t.
func (m *Mover) at(t float64) collide.Vec3 { return m.X.AddScaled(t, m.V) }

// hasSamePolytope reports whether g is the same as f but for its place.
func (f *Shape) hasSamePolytope(g *Shape) bool {
	return f.Kind() == g.Kind() && f.Polygon == g.Polygon && f.Capsule == g.Capsule && f.Half == g.Half &&
		f.Hull == g.Hull && f.polytopeRotation() == g.polytopeRotation()
}

// polytopeRotation returns the rotation of what convex shapes meet. The frame of what can rotate
// changes from step to step, and under load within one.
func (f *Shape) polytopeRotation() collide.Quat {
	if f.Turning.On {
		return collide.Quat{}
	}
	return f.Rotation
}

// convexShape returns what convex shapes meet, relative to origin, or in the frame of what can
// rotate. It is for surfaces without facets that are no planes.
func (f *Surface) convexShape() *convex.Shape {
	if f.polytope != nil {
		return f.polytope
	}
	switch f.Kind() {
	case Polygon:
		f.polytope = convex.NewPolygon(f.Polygon)
	case Capsule:
		f.polytope, _ = convex.New(f.Capsule, collide.Quat{})
	case Cylinder:
		f.polytope = convex.NewHull(f.Hull)
	case Box:
		f.polytope = convex.NewBox(collide.Box{Half: f.Half, Rotation: f.polytopeRotation()})
	case Hull:
		f.polytope = convex.NewTurnedHull(f.Hull, f.polytopeRotation())
	default: // planes, meshes and height fields have none
		panic(unknownKind)
	}
	return f.polytope
}

// ConvexAt returns the shape of the surface as it is at time t, and false for a plane, a mesh and a
// height field.
func (f *Surface) ConvexAt(t float64) (collide.Placed, bool) {
	if f.Kind() == Plane || f.HasFacets() {
		return collide.Placed{}, false
	}
	exact := f.convexShape().Exact
	if !f.Turning.On {
		return collide.NewPlaced(exact, f.origin(t), collide.Quat{}), true
	}
	q, origin := f.pose(t)
	return collide.NewPlaced(exact, origin, q), true
}

// setPair sets the mover's pair with surface f as it is at time t, and returns where its origin is.
// It returns false if the surface doesn't stop the mover, because that isn't in front of it.
func (m *Mover) setPair(f *Surface, t float64) (origin collide.Vec3, ok bool) {
	switch f.Kind() {
	case Plane:
		plane := f.planeAt(t)
		if f.TwoSided && m.isMostlyBehind(plane, t) {
			plane = collide.Plane{Normal: plane.Normal.Neg(), Distance: -plane.Distance}
		}
		m.pair = &m.own
		m.pair.SetPlane(m.Shape, plane)
		return collide.Vec3{}, true
	case Polygon:
		if !f.TwoSided && !m.isInFront(f, t) {
			return origin, false
		}
	case Capsule, Cylinder, Box, Hull, Mesh, Field:
	}
	m.pair = m.pairs.Pair(m.Shape, f.convexShape(), m.Shape.Key+f.Key)
	return f.origin(t), true
}

// isMostlyBehind reports whether more of the mover is behind a plane than in front of it at time t.
// Its position need not be inside of it.
func (m *Mover) isMostlyBehind(plane collide.Plane, t float64) bool {
	low, high := m.Shape.Extent(plane.Normal)
	return plane.SignedDistance(m.at(t))+float64(0.5*(low+high)) < 0
}

// isInFront reports whether all of the mover is in front of a polygon at time t.
func (m *Mover) isInFront(f *Surface, t float64) bool {
	low, _ := m.Shape.Extent(f.Plane.Normal)
	height := f.Plane.Normal.Dot(m.at(t).Sub(f.origin(t))) - f.Plane.Distance
	return height+low-m.Shape.Radius >= -m.Tolerance
}

// setFacet sets the mover's pair with a facet of surface f, and returns where the facet's first
// corner is at time t.
func (m *Mover) setFacet(f *Surface, t collide.Facet, time float64) (origin collide.Vec3) {
	c := t.Corners()
	e, g := c[1].Sub(c[0]), c[2].Sub(c[0])
	if f.Rotation != (collide.Quat{}) {
		e, g = f.Rotation.Rotate(e), f.Rotation.Rotate(g)
	}
	slot := m.Shape.Key + f.Key + uint32(t.ID())*facetSlots
	m.pair = m.pairs.Triangle(m.Shape, collide.Triangle{B: e, C: g}, f.toWorld(t.Normal()), slot)
	m.facet = facetOf{f: f, t: t}
	m.pair.Admits = &m.facet
	return f.toWorldPoint(c[0], time)
}

// facetSlots spreads the facets of a mesh over the slots of a convex.Cache: an odd number.
const facetSlots = 0x9e3779b1

// setTurnedFacet is setFacet for a facet of a surface that rotates.
func (m *Mover) setTurnedFacet(o *obstacle, t float64) (origin collide.Vec3) {
	c := o.facet.Corners()
	q, at := o.f.pose(t)
	e, g := q.Rotate(c[1].Sub(c[0])), q.Rotate(c[2].Sub(c[0]))
	m.pair = &m.own
	m.pair.SetTriangle(m.Shape, collide.Triangle{B: e, C: g}, q.Rotate(o.facet.Normal()))
	m.facet = facetOf{f: o.f, t: o.facet, turn: inverse(q)}
	m.pair.Admits = &m.facet
	return q.Rotate(c[0]).Add(at)
}

// slack returns the approach to surface f that counts as none: see approachError and floorError.
func (m *Mover) slack(f *Surface) float64 {
	speeds := m.V.SumAbs() + f.Velocity.SumAbs()
	if f.hasEdges() {
		return float64(floorError * speeds)
	}
	return float64(8 * 0x1p-53 * speeds)
}

// sweepPair sweeps the mover's pair, with surface f, from now on. origin is where the other shape
// is now.
func (m *Mover) sweepPair(f *Surface, origin collide.Vec3, now, seconds float64) (impact, bool) {
	p, w := m.at(now).Sub(origin), m.V.Sub(f.Velocity)
	slack := m.slack(f)
	t, c, ok := m.pair.Sweep(p, w, seconds-now, m.Tolerance, slack)
	if !ok && c.Normal != (collide.Vec3{}) && c.Gap < -m.Tolerance/4 && slack > 0 {
		// It has sunk in by approaches too slow to count: now they do.
		t, c, ok = m.pair.Sweep(p, w, seconds-now, m.Tolerance, float64(0x1p-12*slack))
	}
	return impact{time: min(now+t, seconds), normal: c.Normal}, ok
}

// FirstOfShape is [Set.First] for a mover: it returns the first impact between now and the end of
// the step.
func (w *Set) FirstOfShape(
	m *Mover, now, depth float64, meets func(k int32) bool, inside func(k int32),
) (t float64, surface int32, n collide.Vec3) {
	hit := impact{time: math.Inf(1), surface: -1}
	take := func(next impact, k int32) {
		next.surface = k
		if next.time < hit.time || next.time == hit.time && w.comesFirst(k, hit.surface) {
			hit = next
		}
	}
	for at := range w.planes {
		k := w.planes[at].surface
		f := &w.surfaces[k]
		if f.Turning.On {
			w.firstTurning(m, k, now, depth, meets, inside, take)
			continue
		}
		origin, _ := m.setPair(f, now)
		if depth < math.MaxFloat64 && m.pair.Gap(m.X).Gap < -depth {
			inside(k)
		}
		if next, ok := m.sweepPair(f, origin, now, w.seconds); ok && meets(k) {
			take(next, k)
		}
	}
	if w.tree.Len() == 0 {
		return hit.time, hit.surface, hit.normal
	}
	left := w.seconds - now
	ball := collide.Sphere{Center: m.at(now), Radius: m.Shape.Bound + m.Tolerance}
	path := collide.SweptAABB(ball, m.V, left)
	var search bvh.Search
	w.tree.Search(&search, boxOf(ball), m.V, left)
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		f := &w.surfaces[k]
		if !path.Overlaps(f.bounds) || f.Sensor {
			continue
		}
		switch {
		case f.Turning.On:
			w.firstTurning(m, k, now, depth, meets, inside, take)
		case f.HasFacets():
			w.firstOfFacets(m, k, now, depth, meets, inside, take)
		default:
			origin, ok := m.setPair(f, now)
			if !ok {
				continue
			}
			if depth < math.MaxFloat64 && m.pair.Gap(m.X.Sub(origin)).Gap < -depth {
				inside(k)
			}
			next, ok := m.sweepPair(f, origin, now, w.seconds)
			if f.IsOneSided() && ok && !m.isInFront(f, next.time) {
				continue // it comes over an edge
			}
			if ok && meets(k) {
				take(next, k)
			}
		}
	}
	return hit.time, hit.surface, hit.normal
}

// comesFirst reports whether surface k comes before another one with the same time of impact.
func (w *Set) comesFirst(k, other int32) bool {
	if other < 0 {
		return true
	}
	if w.At(k).Kind() == Plane || w.At(other).Kind() == Plane {
		if w.Key(k) == w.Key(other) {
			return w.At(k).Kind() == Plane && w.At(other).Kind() != Plane
		}
		return w.Key(k) < w.Key(other)
	}
	return w.Compare(k, other) < 0
}

// firstOfFacets is FirstOfShape for the facets of surface k.
func (w *Set) firstOfFacets(
	m *Mover, k int32, now, depth float64, meets func(k int32) bool, inside func(k int32),
	take func(next impact, k int32),
) {
	f := &w.surfaces[k]
	left := w.seconds - now
	ball := collide.Sphere{Center: f.toLocal(m.at(now), now), Radius: m.Shape.Bound + m.Tolerance}
	u := f.toLocalDirection(m.V.Sub(f.Velocity))
	way := m.V.Sub(f.Velocity).Scale(left)
	f.eachFacetOnPath(nil, &m.sweep, ball, u, left, nil, func(t collide.Facet) float64 {
		if m.staysApart(f, t, now, way, m.Tolerance) {
			return left
		}
		q := f.facets + int32(t.ID())
		origin := m.setFacet(f, t, now)
		if depth < math.MaxFloat64 {
			if c, ok := m.admittedGap(m.X.Sub(origin), depth); ok && c.Gap < -depth {
				inside(q)
			}
		}
		if next, ok := m.sweepPair(f, origin, now, w.seconds); ok && meets(q) {
			take(next, q)
		}
		return left
	})
}

// TouchOfShape returns the gap and the normal of the contact of a mover with surface or facet k at
// time t, and false if the surface doesn't stop it. With closing set, the contact is that along
// which the two will touch in their motion, if they don't pass each other: see [convex.Pair.Near]
// and [convex.Pair.Passes].
func (w *Set) TouchOfShape(m *Mover, k int32, t float64, closing bool) (gap float64, n collide.Vec3, ok bool) {
	f := w.At(k)
	if f.Turning.On {
		return w.gapTurning(m, k, t)
	}
	near := func(p collide.Vec3) (convex.Contact, bool) { return m.admittedGap(p, m.Tolerance) }
	if closing {
		v, free := m.V.Sub(f.Velocity), m.Free.Sub(f.Velocity)
		near = func(p collide.Vec3) (convex.Contact, bool) {
			c, ok := m.admittedNear(p, v, free, w.seconds)
			return c, ok && !m.pair.Passes(p, v, free, w.seconds, m.Tolerance, m.Shape.Size)
		}
	}
	if IsFacet(k) {
		w.withFacet(k, func(f *Surface, facet collide.Facet) {
			var c convex.Contact
			c, ok = near(m.at(t).Sub(m.setFacet(f, facet, t)))
			gap, n = c.Gap, c.Normal
		})
		return gap, n, ok
	}
	if f.HasFacets() {
		gap = math.Inf(1)
		reach := m.Shape.Bound + f.reachOf(m, t)
		f.eachFacetAt(nil, f.toLocal(m.at(t), t), reach, func(facet collide.Facet) {
			if c, own := near(m.at(t).Sub(m.setFacet(f, facet, t))); own && c.Gap < gap {
				gap, n, ok = c.Gap, c.Normal, true
			}
		})
		return gap, n, ok
	}
	origin, ok := m.setPair(f, t)
	if !ok {
		return math.Inf(1), f.Plane.Normal, false
	}
	c, ok := near(m.at(t).Sub(origin))
	return c.Gap, c.Normal, ok || !closing
}

// admittedGap returns the gap where the mover is at p relative to the other side of its pair, and
// whether it has that normal: the neighbours of a facet may hide it. What overlaps by more than
// tolerance leaves along a normal that they admit.
func (m *Mover) admittedGap(p collide.Vec3, tolerance float64) (c convex.Contact, ok bool) {
	if c = m.pair.Gap(p); !m.pair.Hidden(c) {
		return c, true
	}
	if c.Gap < -tolerance {
		if own, ok := m.pair.Own(p); ok {
			return own, true
		}
	}
	return c, false
}

// admittedNear returns the contact that the mover is about to have where it is at p relative to the
// other side of its pair and moves at v, and at free if nothing holds it, and whether it has that
// normal. At the bottom of a pit or valley a corner touches several facets, and each of them along
// several normals, most of which the other facets hide: then it has one that they admit.
func (m *Mover) admittedNear(p, v, free collide.Vec3, seconds float64) (c convex.Contact, ok bool) {
	if c = m.pair.Near(p, v, free, seconds, m.Tolerance, m.Reach); !m.pair.Hidden(c) {
		return c, true
	}
	if c.Gap <= float64(hiddenGap*m.Shape.Size) {
		if own, ok := m.pair.Own(p); ok && own.Gap >= -m.Tolerance {
			return own, true
		}
	}
	return c, false
}

// hiddenGap is the gap along a hidden normal up to which a facet has a contact along another one,
// as a fraction of a size. It is the gap at which bodies rest. With a larger one they lie on the
// plane of a facet that they are beside. With rounding only, one hull in six trembles in a pit.
const hiddenGap = 0x1p-9

// reachOf returns how far from the mover the nearest facet of f is at most.
func (f *Surface) reachOf(m *Mover, t float64) float64 {
	p := f.toLocal(m.at(t), t)
	var q collide.Vec3
	if f.Mesh != nil {
		q, _ = f.Mesh.ClosestPoint(p)
	} else {
		q, _ = f.Field.ClosestPoint(p)
	}
	return p.Distance(q) + f.margin
}

// EachNearShape calls found with all surfaces and facets that may be at most reach away from a
// mover at the start of the step, or come that near at its velocity Free. Sensors with bounds are
// included, plane sensors are not.
func (w *Set) EachNearShape(m *Mover, reach float64, found func(k int32)) {
	comesNear := func(f *Surface, t collide.Facet) bool {
		return f.Turning.On || !m.staysApart(f, t, 0, m.Free.Sub(f.Velocity).Scale(w.seconds), reach)
	}
	w.eachSolidNear(nil, collide.Sphere{Center: m.X, Radius: m.Shape.Bound + reach}, comesNear, found)
}

// staysApart is a quick test whether the mover, which moves by way relative to surface f from time
// t on, surely stays more than reach away from a facet. The surface must not rotate.
func (m *Mover) staysApart(f *Surface, t collide.Facet, now float64, way collide.Vec3, reach float64) bool {
	x, corners := m.at(now), t.Corners()
	for i := range corners {
		corners[i] = f.toWorldPoint(corners[i], now).Sub(x)
	}
	return m.Shape.StaysApart(&corners, way, reach+f.margin)
}
