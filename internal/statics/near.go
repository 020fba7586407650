package statics

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/bvh"
)

// Cursor iterates over the surfaces that a search finds, roughly from near to far. Declare one,
// pass it to a method of [Set] that begins a search, and call Next. It allocates nothing.
type Cursor struct {
	planes  []plane
	sensors []int32 // that are planes
	search  bvh.Search
}

// Next returns the next surface, and false if there are no more.
func (c *Cursor) Next() (k int32, ok bool) {
	if len(c.planes) > 0 {
		k, c.planes = c.planes[0].surface, c.planes[1:]
		return k, true
	}
	if len(c.sensors) > 0 {
		k, c.sensors = c.sensors[0], c.sensors[1:]
		return k, true
	}
	return c.search.Next()
}

// Until limits a search along a path to the given time, or to that distance if the velocity is a
// unit vector.
func (c *Cursor) Until(seconds float64) { c.search.Until(seconds) }

// AllOnPath begins a search for all surfaces, including sensors, that something inside a box may
// touch when it moves at v for the given seconds. All planes are included.
func (w *Set) AllOnPath(c *Cursor, box collide.AABB, v collide.Vec3, seconds float64) {
	c.planes, c.sensors = w.planes, w.sensors
	w.tree.Search(&c.search, box, v, seconds)
}

// MayBeMet reports whether something that stays inside a box during the whole step may touch the
// surface.
func (f *Surface) MayBeMet(path collide.AABB) bool {
	return f.Kind() == Plane || path.Overlaps(f.bounds)
}

// Reach returns a box that contains surface k wherever it may be in this step. That of a plane
// contains everything.
func (w *Set) Reach(k int32) collide.AABB {
	f := &w.surfaces[k]
	if f.Kind() == Plane {
		inf := math.Inf(1)
		return collide.AABB{Min: collide.Vec3{X: -inf, Y: -inf, Z: -inf}, Max: collide.Vec3{X: inf, Y: inf, Z: inf}}
	}
	if box, ok := w.tree.Box(k); ok && f.Turning.On { // a load may change how it turns
		return box
	}
	return f.bounds.Grow(f.margin)
}

// AllNear begins a search for all surfaces, including sensors, that may touch a box. All planes are
// included.
func (w *Set) AllNear(c *Cursor, box collide.AABB) {
	c.planes, c.sensors = w.planes, w.sensors
	w.tree.Search(&c.search, box, collide.Vec3{}, 0)
}

// SolidNear begins a search for all surfaces that may touch a ball. Sensors with bounds are
// included, plane sensors are not.
func (w *Set) SolidNear(c *Cursor, ball collide.Sphere) {
	c.planes, c.sensors = w.planes, nil
	w.tree.Search(&c.search, boxOf(ball), collide.Vec3{}, 0)
}

// BoundedNear appends the numbers of all surfaces with bounds that may touch a box in this step.
func (w *Set) BoundedNear(box collide.AABB, out []int32) []int32 {
	var search bvh.Search
	w.tree.Search(&search, box, collide.Vec3{}, 0)
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		if box.Overlaps(w.surfaces[k].bounds) {
			out = append(out, k)
		}
	}
	return out
}

// EachSensorNear calls found with all sensors that something that stays inside a box during the
// whole step may touch.
func (w *Set) EachSensorNear(box collide.AABB, found func(k int32)) {
	for _, k := range w.sensors {
		found(k)
	}
	if w.shapeSensors == 0 {
		return
	}
	var search bvh.Search
	w.tree.Search(&search, box, collide.Vec3{}, 0)
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		if f := &w.surfaces[k]; f.Sensor && box.Overlaps(f.bounds) {
			found(k)
		}
	}
}

// EachApproached calls found with the surfaces that a sphere at x comes closer to than near in this
// step, if its velocity is v, and if its centre is above the interior of the surface and not beyond
// an edge. Surfaces that it overlaps by more than its radius are excluded, and so are those for
// which counts is false; sensors may be included.
func (w *Set) EachApproached(
	a *Around, x, v collide.Vec3, radius, near float64, counts func(k int32) bool, found func(k int32),
) {
	for at := range w.planes {
		p := &w.planes[at]
		if p.rotating {
			f := &w.surfaces[p.surface]
			gap, n := f.Separation(x, radius, 0)
			rate := n.Dot(v.Sub(f.VelocityAt(x.AddScaled(-radius, n), 0)))
			if gap+float64(min(0, rate)*w.seconds) <= near && math.Abs(gap) <= radius && counts(p.surface) {
				found(p.surface)
			}
			continue
		}
		gap := p.Normal.Dot(x) - p.Distance
		rate := p.Normal.Dot(v) - p.rate
		if p.twoSided && gap < 0 {
			gap, rate = -gap, -rate
		}
		gap -= radius
		if gap+float64(min(0, rate)*w.seconds) <= near && math.Abs(gap) <= radius && counts(p.surface) {
			found(p.surface)
		}
	}
	if w.tree.Len() == 0 {
		return
	}
	ball := collide.Sphere{Center: x, Radius: radius + near}
	var search bvh.Search
	w.tree.Search(&search, boxOf(ball), collide.Vec3{}, 0)
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		f := &w.surfaces[k]
		if f.HasFacets() {
			local := collide.Sphere{Center: f.toLocal(x, 0), Radius: ball.Radius}
			a.prepare(f, local, f.toLocalDirection(v.Sub(f.Velocity)), w.seconds)
			f.eachFacetFaced(a, local.Center, radius, ball.Radius, counts, found)
			continue
		}
		if f.faces(x, radius, ball.Radius) && counts(k) {
			found(k)
		}
	}
}

// Misses reports whether a sphere that moves at v from x does not touch surface k in this step. It
// answers no where it doesn't know: for planes, facets and what turns.
func (w *Set) Misses(k int32, x, v collide.Vec3, radius float64) bool {
	if IsFacet(k) {
		return false
	}
	f := &w.surfaces[k]
	if f.Kind() == Plane || f.Turning.On {
		return false
	}
	_, _, _, meets := f.sweep(x, v, radius, 0, w.seconds)
	return !meets
}

// FacesEnd reports whether the point of surface k that is nearest to x at the start of the step is
// on a round end of a capsule that doesn't turn.
func (w *Set) FacesEnd(k int32, x collide.Vec3) bool {
	if IsFacet(k) {
		return false
	}
	_, ok := w.surfaces[k].endFaced(x)
	return ok
}

// endFaced returns the centre of the round end that FacesEnd finds.
func (f *Surface) endFaced(x collide.Vec3) (end collide.Vec3, ok bool) {
	if f.Kind() != Capsule || f.Turning.On {
		return end, false
	}
	origin, axis := f.origin(0), f.Capsule.B.Sub(f.Capsule.A)
	switch way := x.Sub(origin).Sub(f.Capsule.A).Dot(axis); {
	case !(way > 0):
		return origin.Add(f.Capsule.A), true
	case !(way < axis.Dot(axis)):
		return origin.Add(f.Capsule.B), true
	}
	return end, false
}

// hiddenEndTolerance is how far the end of a thick wall may be out of the next one and still count
// as inside, as a fraction of the coordinates: what rounding leaves where walls in a line are moved
// and turned.
const hiddenEndTolerance = 0x1p-40

// HidesEnd reports whether the round end of k that faces x is inside by, a capsule that moves as k
// does and that faces x with its side. So nothing at x can touch that end.
func (w *Set) HidesEnd(by, k int32, x collide.Vec3) bool {
	if IsFacet(by) || IsFacet(k) || by == k {
		return false
	}
	f, g := &w.surfaces[k], &w.surfaces[by]
	end, ok := f.endFaced(x)
	if !ok || g.Kind() != Capsule || g.Turning.On || f.Velocity != g.Velocity {
		return false
	}
	if _, ok := g.endFaced(x); ok {
		return false
	}
	apart, _ := g.Separation(end, f.Capsule.Radius, 0)
	return apart <= float64(hiddenEndTolerance*(end.SumAbs()+f.Capsule.Radius))-float64(2*f.Capsule.Radius)
}

// eachFacetFaced calls found with the facets above whose interior the centre p of a ball, in their
// frame, is, at most reach away, and for which counts is true.
func (f *Surface) eachFacetFaced(
	a *Around, p collide.Vec3, radius, reach float64, counts func(k int32) bool, found func(k int32),
) {
	faced := func(t collide.Facet) {
		k := f.facets + int32(t.ID())
		if !counts(k) {
			return
		}
		gap, n, face, _ := a.facetGap(t, f.facetShape(), p, radius)
		if !face || gap > reach-radius {
			return
		}
		above, own := gap > -radius, a.normal(t, f.facetShape())
		if !above { // by rounding, the centre is in the plane
			height := own.Dot(p.Sub(t.Corners()[0]))
			above = height > 0 || height < 0 && t.TwoSided()
		}
		if above && (n == own || t.TwoSided()) {
			found(k)
		}
	}
	if among, ok := a.among(f.facetShape(), p, collide.Vec3{}, reach); ok {
		a.call(a.below(among, p), faced)
		return
	}
	f.eachFacetAt(nil, p, reach, func(t collide.Facet) {
		h, bound := t.Height(p)
		if h > reach+bound || h < -bound && (!t.TwoSided() || h < -reach-bound) {
			return // a quick test
		}
		faced(t)
	})
}
