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
	Parts     int          // at how many times a push by a surface that rotates keeps it clear of that

	pairs convex.Cache
	own   convex.Pair  // with a plane or a facet
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
		if f.TwoSided && plane.SignedDistance(m.at(t)) < 0 {
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
	m.pair = &m.own
	m.pair.SetTriangle(m.Shape, collide.Triangle{B: e, C: g}, f.toWorld(t.Normal()))
	m.facet = facetOf{f: f, t: t}
	m.pair.Admits = &m.facet
	return f.toWorldPoint(c[0], time)
}

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
			if next, ok := m.sweepPair(f, origin, now, w.seconds); ok && meets(k) {
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
	f.eachFacetOnPath(nil, &m.sweep, ball, u, left, func(t collide.Facet) float64 {
		q := f.facets + int32(t.ID())
		origin := m.setFacet(f, t, now)
		if depth < math.MaxFloat64 {
			if c := m.pair.Gap(m.X.Sub(origin)); c.Gap < -depth && !m.pair.Hidden(c) {
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
// which the two will touch in their motion: see [convex.Pair.Near].
func (w *Set) TouchOfShape(m *Mover, k int32, t float64, closing bool) (gap float64, n collide.Vec3, ok bool) {
	f := w.At(k)
	if f.Turning.On {
		return w.gapTurning(m, k, t)
	}
	near := func(p collide.Vec3) convex.Contact { return m.pair.Gap(p) }
	if closing {
		v, free := m.V.Sub(f.Velocity), m.Free.Sub(f.Velocity)
		near = func(p collide.Vec3) convex.Contact { return m.pair.Near(p, v, free, w.seconds, m.Tolerance) }
	}
	if IsFacet(k) {
		w.withFacet(k, func(f *Surface, facet collide.Facet) {
			p := m.at(t).Sub(m.setFacet(f, facet, t))
			c := near(p)
			gap, n, ok = c.Gap, c.Normal, !m.pair.Hidden(c)
		})
		return gap, n, ok
	}
	if f.HasFacets() {
		gap = math.Inf(1)
		reach := m.Shape.Bound + f.reachOf(m, t)
		f.eachFacetAt(nil, f.toLocal(m.at(t), t), reach, func(facet collide.Facet) {
			p := m.at(t).Sub(m.setFacet(f, facet, t))
			if c := near(p); c.Gap < gap && !m.pair.Hidden(c) {
				gap, n, ok = c.Gap, c.Normal, true
			}
		})
		return gap, n, ok
	}
	origin, ok := m.setPair(f, t)
	if !ok {
		return math.Inf(1), f.Plane.Normal, false
	}
	c := near(m.at(t).Sub(origin))
	return c.Gap, c.Normal, true
}

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
// mover at the start of the step. Sensors with bounds are included, plane sensors are not.
func (w *Set) EachNearShape(m *Mover, reach float64, found func(k int32)) {
	w.EachSolidNear(nil, collide.Sphere{Center: m.X, Radius: m.Shape.Bound + reach}, found)
}

// obstacle is a surface that can rotate, or one facet of it: convex, but for planes.
type obstacle struct {
	f     *Surface
	facet collide.Facet
	alone bool // it is the facet
}

// gap returns the gap between a convex shape and the obstacle at time t. It returns false where
// neighbours of a facet have that contact.
func (o *obstacle) gap(shape collide.Convex, t float64) (g collide.Gap, ok bool) {
	if !o.alone {
		return o.f.Gap(shape, t)
	}
	placed, q, origin := o.f.placedIn(shape, t)
	c := o.facet.Corners()
	g = collide.Separation(placed, collide.Triangle{A: c[0], B: c[1], C: c[2]})
	ok = o.facet.AdmitsNormal(g.Normal)
	g.Normal = q.Rotate(g.Normal)
	g.PointA, g.PointB = q.Rotate(g.PointA).Add(origin), q.Rotate(g.PointB).Add(origin)
	return g, ok
}

// gapTurning is TouchOfShape for surface or facet k, which can rotate.
func (w *Set) gapTurning(m *Mover, k int32, t float64) (gap float64, n collide.Vec3, ok bool) {
	o := obstacle{f: w.At(k)}
	if !IsFacet(k) {
		return m.gapTo(&o, t)
	}
	w.withFacet(k, func(_ *Surface, facet collide.Facet) {
		o.facet, o.alone = facet, true
		gap, n, ok = m.gapTo(&o, t)
	})
	return gap, n, ok
}

// gapTo is gap without the points.
func (m *Mover) gapTo(o *obstacle, t float64) (gap float64, n collide.Vec3, ok bool) {
	g, ok := m.gap(o, t)
	return g.Distance, g.Normal, ok
}

// gap is obstacle.gap for the mover. How deep it is in a facet counts along the normals that the
// facet has, if any: what comes into both faces of a concave edge leaves each most easily through
// the other.
func (m *Mover) gap(o *obstacle, t float64) (g collide.Gap, ok bool) {
	g, ok = o.gap(collide.NewPlaced(m.Shape.Exact, m.at(t), collide.Quat{}), t)
	if ok || !o.alone || g.Distance >= 0 {
		return g, ok
	}
	p := m.at(t).Sub(m.setTurnedFacet(o, t))
	c, ok := m.pair.Own(p)
	if ok {
		g.Distance, g.Normal = c.Gap, c.Normal
	}
	return g, ok
}

const (
	// maxAdvances bounds the steps by which a shape advances to its impact with a surface that
	// rotates: each comes a good part nearer. After half of them the gap at which the two touch
	// doubles with each step. With fewer, impacts where the two come near slowly are less exact.
	maxAdvances = 64

	// bendShare is how much of the acceleration by a steady rotation counts: within a step the rate
	// varies by 0.6 %, which takes a tenth more. With less, impacts could be missed; with more, the
	// search takes more steps.
	bendShare = 1.25

	// turningReach is the gap to a surface that rotates at which a shape touches it, as a fraction
	// of its size. With less, an impact takes more steps.
	turningReach = 0x1p-32

	// turningParts is into how many parts the search for an impact divides the time in which a
	// mover touches a surface that rotates, and its square that in which it is near it. With less,
	// the mover could come into it in between; with more, what rests on a turntable takes longer.
	turningParts = 16

	// timeDigits is how often the time in which an impact lies is halved: until it is rounding.
	timeDigits = 40
)

// firstTurning is FirstOfShape for a surface that can rotate. Each facet is an obstacle of its own:
// what touches a floor all the way would not find the wall that it comes to.
func (w *Set) firstTurning(
	m *Mover, k int32, now, depth float64, meets func(k int32) bool, inside func(k int32),
	take func(next impact, k int32),
) {
	f := &w.surfaces[k]
	if !f.HasFacets() {
		w.firstOfObstacle(m, &obstacle{f: f}, k, now, depth, meets, inside, take)
		return
	}
	// Within a step, what touches one facet all the way may be in it by as much as an arc is off
	// its chord, and comes over the edge of the next one so deep. It must not count as coming into
	// that.
	if deep := m.depthIn(f, now); deep > m.Tolerance {
		_, bend := m.motion(f, now, w.seconds)
		interval := w.seconds / 2 // the longest between times at which a push keeps it clear
		m.sag = min(deep, float64(bend*float64(interval*interval))/8)
		defer func() { m.sag = 0 }()
	}
	ball := collide.Sphere{Center: m.X, Radius: m.Shape.Bound + m.Tolerance}
	frame := f.frameFrom(now, w.seconds)
	within := frame.Within(ball, m.V, now, w.seconds)
	f.eachFacetAt(nil, within.Center, within.Radius+f.margin, func(t collide.Facet) {
		q := f.facets + int32(t.ID())
		w.firstOfObstacle(m, &obstacle{f: f, facet: t, alone: true}, q, now, depth, meets, inside, take)
	})
}

// depthIn returns how deep the mover is in the facets of f, which rotates, along their own normals.
func (m *Mover) depthIn(f *Surface, t float64) float64 {
	deep := 0.0
	f.eachFacetAt(nil, f.toLocal(m.at(t), t), m.Shape.Bound+f.margin, func(facet collide.Facet) {
		if gap, _, own := m.gapTo(&obstacle{f: f, facet: facet, alone: true}, t); own {
			deep = max(deep, -gap)
		}
	})
	return deep
}

// firstOfObstacle is firstTurning for one obstacle, surface or facet k. The shape advances by the
// time in which the two can't touch, until they do (conservative advancement).
func (w *Set) firstOfObstacle(
	m *Mover, o *obstacle, k int32, now, depth float64, meets func(k int32) bool, inside func(k int32),
	take func(next impact, k int32),
) {
	f := o.f
	if depth < math.MaxFloat64 {
		if gap, _, ok := m.gapTo(o, 0); ok && gap < -depth {
			inside(k)
		}
	}
	if !meets(k) {
		return
	}
	fastest, bend := m.motion(f, now, w.seconds)
	if !(fastest > 0) {
		return
	}
	t, least := now, float64(turningReach*m.Shape.Size)
	touches := least
	for step := range maxAdvances {
		g, ok := m.gap(o, t)
		if !ok && !o.alone {
			return
		}
		gap, n := g.Distance, g.Normal
		if step >= maxAdvances/2 {
			touches *= 2
		}
		end := min(f.PieceEnd(t), w.seconds)
		switch {
		case gap > touches:
			t = min(t+max(gap/fastest, m.apartFor(o, &g, t, bend)), end)
		case ok && t > now && gap >= 0 && gap <= least:
			take(impact{time: t, normal: n}, k)
			return
		default: // it touches the obstacle, and may keep clear of it
			if gap, _, _ := m.gapTo(o, end); ok && gap < -m.Tolerance {
				take(impact{time: t, normal: n}, k)
				return
			}
			if at, n := m.comesInto(o, t, end, bend, n, ok); at < math.Inf(1) {
				take(impact{time: at, normal: n}, k)
				return
			}
			t = end
		}
		if !(t < w.seconds) {
			return
		}
	}
	_, n, ok := m.gapTo(o, t) // it is out of steps
	if at, n := m.comesInto(o, t, w.seconds, bend, n, ok); at < math.Inf(1) {
		take(impact{time: at, normal: n}, k)
	}
}

// motion returns bounds of the speed and the acceleration of points of the mover and of f relative
// to each other, in the frame of either, from now until the given end.
func (m *Mover) motion(f *Surface, now, end float64) (fastest, bend float64) {
	arm := m.at(now).Distance(f.Turning.Pivot) + m.Shape.Bound +
		float64((m.V.Length()+f.Velocity.Length())*(end-now))
	speed, turn := m.V.Sub(f.Velocity).Length(), f.Turning.Angular.Length()
	return speed + float64(turn*arm), float64(bendShare * turn * (2*speed + float64(turn*arm)))
}

// apartFor returns a time in which the mover surely does not touch o, to which it has gap g at time
// t. bend is how much points of the two may accelerate towards each other in the frames of both.
//
// A plane across g separates the two. It may move with the obstacle, and some point of the mover
// comes to it first, or with the mover, and some point of the obstacle does.
func (m *Mover) apartFor(o *obstacle, g *collide.Gap, t, bend float64) float64 {
	if !(g.Distance > 0) {
		return 0
	}
	f := o.f
	until := func(height, rate float64) float64 { // the root of height + rate·t - bend·t²/2
		if !(height > 0) {
			return 0
		}
		return 2 * height / (math.Sqrt(float64(rate*rate)+2*float64(bend*height)) - rate)
	}
	most, x := math.Inf(1), m.at(t)
	for _, p := range m.Shape.Points {
		p = p.Add(x)
		height := g.Normal.Dot(p.Sub(g.PointB)) - m.Shape.Radius
		most = min(most, until(height, g.Normal.Dot(m.V.Sub(f.VelocityAt(p, t)))))
	}
	if f.Kind() == Plane {
		return most
	}
	other, radius := math.Inf(1), 0.0
	q, origin := f.pose(t)
	meets := func(points []collide.Vec3) {
		for _, p := range points {
			p = q.Rotate(p).Add(origin)
			height := g.Normal.Dot(g.PointA.Sub(p)) - radius
			other = min(other, until(height, g.Normal.Dot(m.V.Sub(f.VelocityAt(p, t)))))
		}
	}
	if o.alone {
		corners := o.facet.Corners()
		meets(corners[:])
		return max(most, other)
	}
	shape := f.convexShape()
	radius = shape.Radius
	meets(shape.Points)
	return max(most, other)
}

// comesInto returns when the mover, which is not in o at time t and has the normal n then, comes
// into it before the given end, and the normal then; +Inf for never. ok says that no neighbour of a
// facet has the contact along n.
//
// It looks at the times at which a push keeps the mover clear (Parts), from each as far as the two
// are surely apart, and at the end. Where neighbours have the contact it goes on: what slides from
// one facet to the next, and is in both by more than the tolerance, is found as soon as the next
// one has it.
func (m *Mover) comesInto(
	o *obstacle, t, end, bend float64, n collide.Vec3, ok bool,
) (at float64, normal collide.Vec3) {
	left, clear := end-t, 0.0
	for s := math.Ldexp(left, 1-m.Parts); left > 0; {
		g, own := m.gap(o, t+s)
		deepest := m.Tolerance
		if s < left {
			deepest += m.sag
		}
		if g.Distance < -deepest && own {
			for range timeDigits {
				middle := clear + float64((s-clear)/2)
				if gap, k, own := m.gapTo(o, t+middle); gap < 0 && own {
					s = middle
				} else {
					clear, n, ok = middle, k, own
				}
			}
			if !ok { // until then a neighbour had the contact
				n = g.Normal
			}
			return t + clear, n
		}
		if s >= left {
			break
		}
		clear, n, ok = s, g.Normal, own
		least := min(s, left/turningParts)
		if g.Distance > 4*m.Tolerance {
			least /= turningParts
		}
		s = min(left, s+max(least, m.apartFor(o, &g, t+s, bend)))
	}
	return math.Inf(1), n
}
