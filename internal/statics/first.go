package statics

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/bvh"
)

// MayMeet reports whether a sphere whose centre is at x + t·v at time t may touch a surface from
// now on. If it returns false, [Set.First] finds nothing.
func (w *Set) MayMeet(x, v *collide.Vec3, radius, now float64) bool {
	return w.tree.Len() > 0 || !w.avoidsPlanes(x, v, radius, now)
}

// First returns the first impact of a sphere with a surface between now and the end of the step:
// the time, the surface, and for a surface with bounds the unit normal, from the surface to the
// sphere. The surface is -1 if there is none. The centre of the sphere is at x + t·v at time t.
//
// Only surfaces for which meets is true count. Of those with exactly the same time of impact, the
// one with the smaller key is returned. First also calls inside with the surfaces, except sensors,
// that overlap the sphere by more than depth at the start of the step, planes before others; now
// must be 0 unless depth is infinite.
func (w *Set) First(
	x, v *collide.Vec3, radius, now, depth float64, meets func(k int32) bool, inside func(k int32),
) (t float64, surface int32, n collide.Vec3) {
	t, surface = math.Inf(1), -1
	planes := w.planes
	if w.tree.Len() > 0 && w.avoidsPlanes(x, v, radius, now) {
		planes = nil
	}
	until := w.seconds
	for at := range planes {
		p := &planes[at]
		gap := p.Normal.Dot(*x) - p.Distance
		rate := p.Normal.Dot(*v) - p.rate
		if p.twoSided {
			if gap+float64(rate*now) < 0 { // the sphere is behind it
				gap, rate = -gap, -rate
			}
		}
		gap -= radius
		if gap < -depth {
			inside(p.surface)
		}
		if gap+float64(rate*until) > 0 || rate >= 0 { // true for most spheres, so it is tested first
			continue
		}
		k := p.surface
		f := &w.surfaces[k]
		if -rate <= approachError(p.Normal, *v, f.Velocity) || !meets(k) {
			continue
		}
		met := max(now, gap/-rate)
		if met < t || met == t && f.Key < w.surfaces[surface].Key {
			t, surface = met, k
		}
	}
	if w.tree.Len() > 0 {
		return w.firstBounded(*x, *v, radius, now, depth, t, surface, meets, inside)
	}
	return t, surface, n
}

// firstBounded is First for the surfaces with bounds. The first impact with a plane is known:
// surface, -1 for none. No result may depend on the order in which the tree returns surfaces.
func (w *Set) firstBounded(
	x, v collide.Vec3, radius, now, depth, first float64, surface int32, meets func(k int32) bool, inside func(k int32),
) (float64, int32, collide.Vec3) {
	left := w.seconds - now
	ball := collide.Sphere{Center: x.AddScaled(now, v), Radius: radius}
	path := collide.SweptAABB(ball, v, left)
	var normal collide.Vec3
	var search bvh.Search
	w.tree.Search(&search, boxOf(ball), v, left)
	within := left
	shorten := func() { // with a margin for rounding: surfaces with the same time must all be found
		within = min(left, first-now+float64(roundingShare*w.seconds))
		search.Until(within)
	}
	if surface >= 0 {
		shorten()
	}
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		f := &w.surfaces[k]
		if !path.Overlaps(f.bounds) || f.Sensor {
			continue
		}
		if depth < math.MaxFloat64 && f.startsInside(x, radius, depth) {
			inside(k)
		}
		if !f.mayMeet(&ball, v, now, within) || !meets(k) {
			continue
		}
		t, n, ok := f.sweep(x, v, radius, now, w.seconds)
		if !ok || t > first || t == first && !w.precedes(k, surface) {
			continue
		}
		first, surface, normal = t, k, n
		shorten()
	}
	return first, surface, normal
}

// precedes reports whether a surface with bounds comes before another one with the same time of
// impact. The smaller key comes first. If the keys are the same, because the two are equal and in
// the same place, a plane comes before a bounded surface, and otherwise the smaller number first.
func (w *Set) precedes(bounded, other int32) bool {
	a, b := &w.surfaces[bounded], &w.surfaces[other]
	return a.Key < b.Key || a.Key == b.Key && b.Kind() != Plane && bounded < other
}

// boxOf returns the bounding box of a ball, up to rounding: the tree adds a margin.
func boxOf(b collide.Sphere) collide.AABB {
	return collide.AABB{Min: b.Center, Max: b.Center}.Grow(b.Radius)
}
