package statics

import (
	"cmp"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/bvh"
)

// MayMeet reports whether a sphere whose centre is at x + t·v at time t may touch a surface from
// now on. If it returns false, [Set.First] finds nothing.
func (w *Set) MayMeet(x, v *collide.Vec3, radius, now float64) bool {
	return w.tree.Len() > 0 || !w.avoidsPlanes(x, v, radius, now)
}

// skipPlanes returns the first plane from index at on that matters to First: it is two-sided, or
// the sphere overlaps it by more than depth or touches it before the end of the step.
func skipPlanes(planes []plane, at int, x, v *collide.Vec3, radius, depth, until float64) int {
	for ; at < len(planes); at++ {
		p := &planes[at]
		gap, rate := p.Normal.Dot(*x)-p.Distance-radius, p.Normal.Dot(*v)-p.rate
		if p.twoSided || gap < -depth || gap+float64(rate*until) <= 0 && rate < 0 {
			break
		}
	}
	return at
}

// First returns the first impact of a sphere with a surface between now and the end of the step:
// the time, the surface, and for a surface with bounds the unit normal, from the surface to the
// sphere. The surface is -1 if there is none. The centre of the sphere is at x + t·v at time t.
//
// Only surfaces for which meets is true count. Of those with exactly the same time of impact, the
// one with the smaller key is returned. A surface hides edges and corners of another one where
// hides is true: see normalOnUnion. First also calls inside with the surfaces, except sensors, that
// overlap the sphere by more than depth at the start of the step, planes before others; now must be
// 0 unless depth is infinite. around may be nil. Otherwise around.MayEnter is valid afterwards.
func (w *Set) First(
	around *Around, x, v *collide.Vec3, radius, now, depth float64,
	meets func(k int32) bool, hides Hides, inside func(k int32),
) (t float64, surface int32, n collide.Vec3) {
	t, surface = math.Inf(1), -1
	around.noteEntered(false)
	planes := w.planes
	if w.tree.Len() > 0 && w.avoidsPlanes(x, v, radius, now) {
		planes = nil
	}
	until := w.seconds
	for at := 0; ; at++ {
		if at = skipPlanes(planes, at, x, v, radius, depth, until); at == len(planes) {
			break
		}
		p := &planes[at]
		gap := p.Normal.Dot(*x) - p.Distance
		rate := p.Normal.Dot(*v) - p.rate
		if p.twoSided {
			if p.rotating {
				t, surface, n = w.firstRotatingPlane(p.surface, x, v, radius, now, depth, t, surface, n, meets, inside)
				continue
			}
			if gap+float64(rate*now) < 0 { // the sphere is behind it
				gap, rate = -gap, -rate
			}
		}
		gap -= radius
		if gap < -depth {
			inside(p.surface)
		}
		if gap+float64(rate*until) > 0 || rate >= 0 {
			continue
		}
		k := p.surface
		f := &w.surfaces[k]
		if -rate <= approachError(p.Normal, *v, f.Velocity) || !meets(k) {
			continue
		}
		met := max(now, gap/-rate)
		if met < t || met == t && f.Key < w.surfaces[surface].Key {
			t, surface, n = met, k, collide.Vec3{}
		}
	}
	if w.tree.Len() > 0 {
		return w.firstBounded(around, *x, *v, radius, now, depth, t, surface, n, meets, hides, inside)
	}
	return t, surface, n
}

// firstBounded is First for the surfaces with bounds. The first impact with a plane is known:
// surface, -1 for none. No result may depend on the order in which the tree returns surfaces.
func (w *Set) firstBounded(
	around *Around, x, v collide.Vec3, radius, now, depth, first float64, surface int32, normal collide.Vec3,
	meets func(k int32) bool, hides Hides, inside func(k int32),
) (float64, int32, collide.Vec3) {
	left := w.seconds - now
	ball := collide.Sphere{Center: x.AddScaled(now, v), Radius: radius}
	hit := impact{first, surface, normal}
	var search bvh.Search
	w.tree.Search(&search, boxOf(ball), v, left)
	within := left
	shorten := func() { // with a margin for rounding: surfaces with the same time must all be found
		within = min(left, hit.time-now+float64(roundingShare*w.seconds))
		search.Until(within)
	}
	if surface >= 0 {
		shorten()
	}
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		f := &w.surfaces[k]
		if !f.Sensor && f.IsOneSided() && (f.Kind() == Polygon || f.Turning.On) {
			around.noteEntered(true)
		}
		if f.Sensor || !f.bounds.Contains(ball.Center) && !collide.SweptAABB(ball, v, left).Overlaps(f.bounds) {
			continue
		}
		if f.HasFacets() {
			if w.sweepFacets(around, k, x, v, radius, now, depth, &hit, meets, hides, inside) {
				shorten()
			}
			continue
		}
		if depth < math.MaxFloat64 && f.startsInside(x, radius, depth) {
			if _, _, ok := w.Touch(nil, k, x, radius, 0, hides); ok {
				inside(k)
			}
		}
		if !f.mayMeet(&ball, v, now, within) || !meets(k) {
			continue
		}
		t, n, face, ok := f.sweep(x, v, radius, now, w.seconds)
		if ok && w.takeImpact(&hit, impact{t, k, n}, face, x, v, radius, now, hides) {
			shorten()
		}
	}
	return hit.time, hit.surface, hit.normal
}

// FirstInside is First for a ball that the game has put into meshes or terrain, among their facets.
// It comes to the next facet as deep as it is, where its nearest point is still below the one
// before. So it is swept as a ball that is as much smaller, which touches what it is in. first is
// what First has found, surface -1 for nothing.
func (w *Set) FirstInside(
	x, v collide.Vec3, radius, now, first float64, surface int32, normal collide.Vec3,
	meets func(k int32) bool, hides Hides,
) (float64, int32, collide.Vec3) {
	hit := impact{first, surface, normal}
	w.eachDeep(x.AddScaled(now, v), radius, now, func(k int32, deep float64) {
		w.sweepFacets(nil, k, x, v, radius-deep, now, math.MaxFloat64, &hit, meets, hides, nil)
	})
	return hit.time, hit.surface, hit.normal
}

// eachDeep calls do with the meshes and terrain that a ball at center is in at time t, and how
// deep.
func (w *Set) eachDeep(center collide.Vec3, radius, t float64, do func(k int32, deep float64)) {
	var search bvh.Search
	w.tree.Search(&search, boxOf(collide.Sphere{Center: center, Radius: radius}), collide.Vec3{}, 0)
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		f := &w.surfaces[k]
		if f.Sensor || !f.HasFacets() {
			continue
		}
		if deep := f.depthOf(center, radius, t); deep > 0 {
			do(k, deep)
		}
	}
}

// impact is an impact of a sphere with a surface or facet; surface -1 is none.
type impact struct {
	time    float64
	surface int32
	normal  collide.Vec3
}

// takeImpact makes next the first impact if it is earlier than the one in hit, after it has been
// corrected for the surfaces that meet there. It reports whether it did.
func (w *Set) takeImpact(
	hit *impact, next impact, face bool, x, v collide.Vec3, radius, now float64, hides Hides,
) bool {
	k := next.surface
	if next.time > hit.time || next.time == hit.time && !w.precedes(k, hit.surface) {
		return false
	}
	if !face {
		var ok bool
		next.time, next.normal, ok = w.sweepUnion(k, next.time, next.normal, x, v, radius, now, hides)
		if !ok || next.time > hit.time || next.time == hit.time && !w.precedes(k, hit.surface) {
			return false
		}
	}
	if !w.At(k).Turning.On && w.isSameFloor(k, next.normal, x, v, radius, now, hides) {
		return false
	}
	*hit = next
	return true
}

// sweepFacets is firstBounded for the facets of surface k. It reports whether it has found an
// earlier impact than that in hit.
func (w *Set) sweepFacets(
	around *Around, k int32, x, v collide.Vec3, radius, now, depth float64, hit *impact,
	meets func(k int32) bool, hides Hides, inside func(k int32),
) (found bool) {
	f := &w.surfaces[k]
	if f.Turning.On {
		return w.sweepTurningFacets(k, x, v, radius, now, depth, hit, meets, hides, inside)
	}
	left := w.seconds - now
	ball := collide.Sphere{Center: x.AddScaled(now, v), Radius: radius}
	margin := f.enterMargin(&ball, collide.Vec3{})
	ball.Center = f.toLocal(ball.Center, now)
	u := f.toLocalDirection(v.Sub(f.Velocity))
	until := left
	if hit.surface >= 0 {
		until = min(left, hit.time-now+float64(roundingShare*w.seconds))
	}
	var sweep collide.FacetSweep
	sweep.MovesAt(x)
	d := u.Scale(left)
	length := d.Length()
	touched := func(facets uint32) uint32 { return around.met(f, facets, &ball, d, v) }
	f.eachFacetOnPath(around, &sweep, ball, u, until, touched, func(t collide.Facet) float64 {
		q := f.facets + int32(t.ID())
		h, bound := t.Height(ball.Center)
		if around != nil && !around.enters && !f.TwoSided && h <= ball.Radius-margin+bound && h >= -bound-length &&
			mayEnterFacet(around, t, f.facetShape(), &ball, d, h <= bound, margin) {
			around.enters = true
		}
		// A quick test: the centre is as far from the plane as the radius.
		if depth < math.MaxFloat64 && math.Abs(h) <= ball.Radius-depth+bound &&
			facetStartsInside(around, t, f.facetShape(), ball, depth) {
			if _, _, ok := w.Touch(around, q, x, radius, 0, hides); ok {
				inside(q)
			}
		}
		if !meets(q) {
			return until
		}
		var met float64
		var n collide.Vec3
		var outcome collide.Outcome
		if around != nil && h > bound && math.Abs(h-ball.Radius) <= margin+bound &&
			f.movesAlong(around.normal(t, f.facetShape()), v) {
			met, n, outcome = sweep.SweepRim(t)
		} else {
			met, n, outcome = sweep.Sweep(t)
		}
		if outcome == collide.Miss {
			return until
		}
		own := around.normal(t, f.facetShape())
		face := n.Sub(own).MaxAbs() <= 0x1p-51 || t.TwoSided() && n.Add(own).MaxAbs() <= 0x1p-51
		n = f.toWorld(n)
		if !f.approaches(n, v) {
			return until
		}
		next := impact{min(now+met, w.seconds), q, n}
		if w.takeImpact(hit, next, face, x, v, radius, now, hides) {
			found = true
			until = min(until, hit.time-now+float64(roundingShare*w.seconds))
		}
		return until
	})
	return found
}

// insideShare is how far inside of a facet's edges a ball touches only the face, as a fraction of
// the radius. With a larger share, the nearest feature is found for more balls near edges; with a
// smaller one, the difference would be rounding.
const insideShare = 0x1p-6

// movesAlong reports whether approaches is certainly false for something that moves at v and a
// normal that differs by rounding from own, that of a facet in its frame.
func (f *Surface) movesAlong(own, v collide.Vec3) bool {
	n := f.toWorld(own)
	return -(n.Dot(v) - n.Dot(f.Velocity)) <= approachError(n, v, f.Velocity)/2
}

// facetStartsInside reports whether a ball in the frame of a facet overlaps it by more than depth,
// from its front or, if it has two, either side.
func facetStartsInside(a *Around, t collide.Facet, m facetShape, ball collide.Sphere, depth float64) bool {
	// A quick test: the centre is as far from the plane as the radius.
	if h, bound := t.Height(ball.Center); math.Abs(h) > ball.Radius-depth+bound || h < -bound && !t.TwoSided() {
		return false
	}
	gap, _, _, _ := a.facetGap(t, m, ball.Center, ball.Radius)
	return gap < -depth
}

// precedes reports whether a surface with bounds comes before another one with the same time of
// impact: a plane comes before one with the same key.
func (w *Set) precedes(bounded, other int32) bool {
	if w.At(other).Kind() == Plane && w.Key(bounded) == w.Key(other) {
		return false
	}
	return w.Compare(bounded, other) < 0
}

// Compare orders two surfaces with bounds by their geometry: the smaller key comes first, and then
// the smaller middle. If both are the same, because the two are equal and in the same place, the
// smaller number comes first.
func (w *Set) Compare(j, k int32) int {
	if IsFacet(j) || IsFacet(k) {
		return w.comparePieces(j, k)
	}
	a, b := &w.surfaces[j], &w.surfaces[k]
	return cmp.Or(
		cmp.Compare(a.Key, b.Key), cmp.Compare(a.middle.X, b.middle.X), cmp.Compare(a.middle.Y, b.middle.Y),
		cmp.Compare(a.middle.Z, b.middle.Z), cmp.Compare(j, k),
	)
}

// boxOf returns the bounding box of a ball, up to rounding: the tree adds a margin.
func boxOf(b collide.Sphere) collide.AABB {
	return collide.AABB{Min: b.Center, Max: b.Center}.Grow(b.Radius)
}
