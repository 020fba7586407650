package statics

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/bvh"
)

// Arcs: spheres that move along parabolas. The first impact is found by conservative advancement,
// with planes instead of distances: at each point of the arc, the plane through the nearest point
// of a convex shape, perpendicular to the gap, separates the two. The sphere can't touch the shape
// before it touches that plane, and when it does is a root of a quadratic. For a face that is the
// answer; for edges, corners and round shapes the steps converge quadratically, as Newton's method
// does.
//
// So everything that has a separation has impacts with arcs. Only what rotates doesn't, because the
// plane would have to rotate with it: bodies near such a surface keep to chords (see MeetsTurning).
// Two spheres meet at the root of a quartic: see package solver.

// Arc is the path of a sphere's centre under a constant acceleration A, in a step of the given
// duration: x(t) = X + t·V + t·(t-Seconds)/2·A. So it is at X when the step begins and at X +
// Seconds·V when it ends, and V is its mean velocity. Speed is the size of the velocities that are
// summed up for it, m/s: what rounding is relative to.
type Arc struct {
	X, V, A        collide.Vec3
	Seconds, Speed float64
}

// NewArc returns the arc of a body that is at x when the step begins.
func NewArc(x, v, a collide.Vec3, seconds float64) Arc {
	return Arc{x, v, a, seconds, v.SumAbs() + float64(a.SumAbs()*seconds)}
}

// Sub returns the path of what is on c relative to what is on b.
func (c Arc) Sub(b Arc) Arc {
	return Arc{c.X.Sub(b.X), c.V.Sub(b.V), c.A.Sub(b.A), c.Seconds, c.Speed + b.Speed}
}

// ApproachError is the approach of what moves along the arc to something that moves at u, m/s, that
// may be rounding.
func (c *Arc) ApproachError(u collide.Vec3) float64 {
	return float64(float64(8*0x1p-53) * (c.Speed + u.SumAbs()))
}

// At returns the point of the arc at time t.
func (c *Arc) At(t float64) collide.Vec3 {
	return c.X.AddScaled(t, c.V).AddScaled(Bulge(t, c.Seconds), c.A)
}

// Velocity returns the velocity at time t.
func (c *Arc) Velocity(t float64) collide.Vec3 { return c.V.AddScaled(t-float64(c.Seconds/2), c.A) }

// Bulge returns t·(t-seconds)/2: how far a path is from the chord of a step at time t, for an
// acceleration of 1. It is at most 0.
func Bulge(t, seconds float64) float64 { return t * (t - seconds) / 2 }

// Secant returns a straight path x + t·v that is on the arc at times from and to, and how far the
// arc is from it at most between these.
func (c *Arc) Secant(from, to float64) (x, v collide.Vec3, off float64) {
	v = c.V.AddScaled(float64((from+to)/2)-float64(c.Seconds/2), c.A)
	x = c.At(from).AddScaled(-from, v)
	return x, v, float64(c.A.Length() * float64((to-from)*(to-from)) / 8 * (1 + 0x1p-20))
}

// tangent returns the straight path x + t·v that touches the arc at time t.
func (c *Arc) tangent(t float64) (x, v collide.Vec3) {
	v = c.Velocity(t)
	return c.At(t).AddScaled(-t, v), v
}

// TimeToPlane returns after how many seconds, at most left, something meets a plane that it
// approaches by more than err: gap is its present distance, rate how fast that grows, m/s, and a
// the rate of rate, m/s². What approaches and overlaps the plane meets it now.
func TimeToPlane(gap, rate, a, left, err float64) (t float64, ok bool) {
	square := float64(rate*rate) - float64(2*float64(a*gap)) // of the rate where the gap is 0
	switch {
	case rate < -err:
		if gap <= 0 {
			return 0, true
		}
		if !(square > 0) {
			return 0, false // it turns round before
		}
		t = 2 * gap / (math.Sqrt(square) - rate)
		return t, t <= left && math.Sqrt(square) > err
	case !(a < 0):
		return 0, false
	case square > float64(err*err):
		t = max(0, (rate+math.Sqrt(square))/-a)
		return t, t <= left
	}
	t = (rate + 2*err) / -a // it is there, or below, before it approaches by more than err
	return t, t <= left
}

// maxArcSteps bounds the planes of one search. Close to a graze, each halves what is left; 64
// reach the rounding error.
const maxArcSteps = 64

// Advance finds the first time from now to until at which a sphere on an arc meets something convex
// that moves at u. separation returns the gap and the unit normal at a time when the centre is at
// p, and false if the sphere can't meet the thing any more. scale is the size of the coordinates of
// the thing, m.
func (c *Arc) Advance(
	now, until, scale float64, u collide.Vec3,
	separation func(t float64, p collide.Vec3) (gap float64, n collide.Vec3, ok bool),
) (t float64, n collide.Vec3, ok bool) {
	t = now
	for range maxArcSteps {
		p := c.At(t)
		gap, m, may := separation(t, p)
		if !may {
			return 0, n, false
		}
		n = m
		v := c.Velocity(t)
		err := c.ApproachError(u)
		rate := n.Dot(v) - n.Dot(u)
		wait, meets := TimeToPlane(gap, rate, n.Dot(c.A), until-t, err)
		if !meets {
			return 0, n, false
		}
		t = min(t+wait, until)
		if touch := float64(touchRounding * (scale + p.SumAbs())); gap <= touch && rate < -err || wait <= 0 {
			return t, n, true
		}
	}
	return t, n, true
}

// touchRounding is the rounding error of a gap, as a fraction of the coordinates. A larger value
// loses digits of the time of impact; with a smaller one, the last steps are lost to rounding.
const touchRounding = 0x1p-50

// FirstOnArc is First for a sphere on an arc. Surfaces that rotate in this step count where the
// chord of the arc meets them.
func (w *Set) FirstOnArc(
	around *Around, c *Arc, radius, now, depth float64, meets func(k int32) bool, hides Hides, inside func(k int32),
) (t float64, surface int32, n collide.Vec3) {
	t, surface = math.Inf(1), -1
	around.noteEntered(true)
	p, v := c.At(now), c.Velocity(now)
	for at := range w.planes {
		g := &w.planes[at]
		f := &w.surfaces[g.surface]
		if g.rotating && f.Turns() {
			t, surface, n = w.firstRotatingPlane(
				g.surface, &c.X, &c.V, radius, now, depth, t, surface, n, meets, inside)
			continue
		}
		var gap, rate, a float64
		var m collide.Vec3
		if g.rotating { // it stands still, maybe after it has been stopped
			gap, m = f.Separation(p, radius, now)
			rate, a = m.Dot(v), m.Dot(c.A)
		} else {
			gap = g.Normal.Dot(p) - g.Distance - float64(g.rate*now)
			rate, a = g.Normal.Dot(v)-g.rate, g.Normal.Dot(c.A)
			if g.twoSided && gap < 0 {
				gap, rate, a = -gap, -rate, -a
			}
			gap -= radius
		}
		if gap < -depth {
			inside(g.surface)
		}
		wait, ok := TimeToPlane(gap, rate, a, w.seconds-now, c.ApproachError(f.Velocity))
		if !ok || !meets(g.surface) {
			continue
		}
		if met := min(now+wait, w.seconds); met < t || met == t && f.Key < w.surfaces[surface].Key {
			t, surface, n = met, g.surface, m
		}
	}
	if w.tree.Len() == 0 {
		return t, surface, n
	}
	hit := impact{t, surface, n}
	w.firstBoundedOnArc(around, c, radius, now, depth, &hit, meets, hides, inside)
	return hit.time, hit.surface, hit.normal
}

// FirstInsideOnArc is FirstInside for a ball on an arc.
func (w *Set) FirstInsideOnArc(
	c *Arc, radius, now, first float64, surface int32, normal collide.Vec3, meets func(k int32) bool, hides Hides,
) (float64, int32, collide.Vec3) {
	hit := impact{first, surface, normal}
	x, v, off := c.Secant(now, w.seconds)
	w.eachDeep(c.At(now), radius, now, func(k int32, deep float64) {
		wide := collide.Sphere{Center: x.AddScaled(now, v), Radius: radius - deep + off}
		w.sweepFacetsOnArc(nil, k, c, &wide, v, radius-deep, now, math.MaxFloat64, &hit, meets, hides, nil)
	})
	return hit.time, hit.surface, hit.normal
}

// firstBoundedOnArc is firstBounded for a sphere on an arc.
func (w *Set) firstBoundedOnArc(
	around *Around, c *Arc, radius, now, depth float64, hit *impact,
	meets func(k int32) bool, hides Hides, inside func(k int32),
) {
	left := w.seconds - now
	x, v, off := c.Secant(now, w.seconds)
	wide := collide.Sphere{Center: x.AddScaled(now, v), Radius: radius + off} // contains the sphere
	path := collide.SweptAABB(wide, v, left)
	var search bvh.Search
	w.tree.Search(&search, boxOf(wide), v, left)
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		// With a margin for rounding: surfaces with the same time must all be found.
		until := min(w.seconds, hit.time+float64(roundingShare*w.seconds))
		search.Until(until - now)
		f := &w.surfaces[k]
		if !path.Overlaps(f.bounds) || f.Sensor {
			continue
		}
		if f.HasFacets() {
			w.sweepFacetsOnArc(around, k, c, &wide, v, radius, now, depth, hit, meets, hides, inside)
			continue
		}
		if depth < math.MaxFloat64 && f.startsInside(c.X, radius, depth) {
			if _, _, ok := w.Touch(nil, k, c.X, radius, 0, hides); ok {
				inside(k)
			}
		}
		if f.Turns() {
			if !meets(k) {
				continue
			}
			if t, n, face, ok := f.sweep(c.X, c.V, radius, now, w.seconds); ok {
				w.takeImpact(hit, impact{t, k, n}, face, c.X, c.V, radius, now, hides)
			}
			continue
		}
		if !f.mayMeetArc(&wide, v, now, left) || !meets(k) {
			continue
		}
		face := true
		separation := func(t float64, p collide.Vec3) (gap float64, n collide.Vec3, ok bool) {
			gap, n, face = f.separation(p, radius, t)
			inFront := f.Kind() != Polygon || f.TwoSided ||
				f.Plane.Normal.Dot(p.Sub(f.origin(t))) >= f.Plane.Distance
			return gap, n, inFront
		}
		t, n, ok := c.Advance(now, until, f.size(), f.Velocity, separation)
		if ok {
			w.takeImpactOnArc(hit, impact{t, k, n}, face, c, radius, hides)
		}
	}
}

// size returns the size of the coordinates of a shape with bounds.
func (f *Surface) size() float64 { return f.margin / roundingShare }

// mayMeetArc is mayMeet for a ball around a sphere on an arc, whose secant is v.
func (f *Surface) mayMeetArc(wide *collide.Sphere, v collide.Vec3, now, within float64) bool {
	if f.Kind() != Polygon {
		return f.mayMeet(wide, v, now, within)
	}
	height := f.Plane.Normal.Dot(wide.Center.Sub(f.origin(now))) - f.Plane.Distance
	rise := float64((f.Plane.Normal.Dot(v) - f.rate) * within)
	size := wide.Center.SumAbs() + wide.Radius + float64(v.SumAbs()*within)
	reach := wide.Radius + f.margin + float64(roundingShare*size)
	return !(height > reach && height+rise > reach || height < -reach && height+rise < -reach)
}

// sweepFacetsOnArc is sweepFacets for a sphere on an arc, which stays in the ball wide that moves
// at v from now on.
func (w *Set) sweepFacetsOnArc(
	around *Around, k int32, c *Arc, wide *collide.Sphere, v collide.Vec3, radius, now, depth float64, hit *impact,
	meets func(k int32) bool, hides Hides, inside func(k int32),
) {
	f := &w.surfaces[k]
	left := w.seconds - now
	ball := collide.Sphere{Center: f.toLocal(wide.Center, now), Radius: wide.Radius}
	start := collide.Sphere{Center: f.toLocal(c.X, 0), Radius: radius}
	var sweep collide.FacetSweep
	u := f.toLocalDirection(v.Sub(f.Velocity))
	f.eachFacetOnPath(around, &sweep, ball, u, left, nil, func(t collide.Facet) float64 {
		q := f.facets + int32(t.ID())
		if depth < math.MaxFloat64 && facetStartsInside(around, t, f.facetShape(), start, depth) {
			if _, _, ok := w.Touch(around, q, c.X, radius, 0, hides); ok {
				inside(q)
			}
		}
		if !meets(q) {
			return left
		}
		face, admitted := true, true
		until := min(w.seconds, hit.time+float64(roundingShare*w.seconds))
		separation := func(at float64, p collide.Vec3) (gap float64, n collide.Vec3, ok bool) {
			local := f.toLocal(p, at)
			gap, n, face, admitted = facetGap(t, local, radius)
			return gap, f.toWorld(n), t.TwoSided() || t.Normal().Dot(local.Sub(t.Corners()[0])) >= 0
		}
		met, n, ok := c.Advance(now, until, f.size(), f.Velocity, separation)
		if ok && (face || admitted) {
			w.takeImpactOnArc(hit, impact{met, q, n}, face, c, radius, hides)
		}
		return left
	})
}

// takeImpactOnArc is takeImpact for a sphere on an arc.
func (w *Set) takeImpactOnArc(
	hit *impact, next impact, face bool, c *Arc, radius float64, hides Hides,
) {
	isFirst := func() bool {
		return next.time < hit.time || next.time == hit.time && w.precedes(next.surface, hit.surface)
	}
	if !isFirst() {
		return
	}
	k, met := next.surface, next.time
	x, v := c.tangent(met)
	if !face {
		f := w.At(k)
		center := c.At(met)
		p := center.AddScaled(-radius, next.normal)
		if f.Kind() == Polygon {
			p = f.Polygon.ClosestPoint(center.Sub(f.origin(met))).Add(f.origin(met))
			next.normal = f.acrossEdge(p, next.normal, met)
		}
		if m, ok := w.normalOnUnion(nil, k, p, next.normal, met, hides); ok && f.approaches(m, v) {
			next.normal = m
		} else if next.time, next.normal, ok = w.sweepFaceOnArc(k, c, radius, met); !ok || !isFirst() {
			return
		}
	}
	// What accelerates into a floor is held by none of its tiles, also if it touches two at once.
	presses := -next.normal.Dot(c.A) > float64(floorError*c.A.SumAbs())
	if !presses && !w.At(k).Turning.On && w.isSameFloor(k, next.normal, x, v, radius, met, hides) {
		return
	}
	*hit = next
}

// sweepFaceOnArc returns the first impact of a sphere on an arc with the flat faces of surface or
// facet k alone, after time from. The face is found on the tangent at that time.
func (w *Set) sweepFaceOnArc(k int32, c *Arc, radius, from float64) (t float64, n collide.Vec3, ok bool) {
	x, v := c.tangent(from)
	t, n, ok = w.sweepFace(k, x, v, radius, from)
	if !ok {
		return 0, n, false
	}
	f := w.At(k)
	rate := n.Dot(v) - n.Dot(f.Velocity)
	gap := -float64((t - from) * rate)
	wait, ok := TimeToPlane(gap, rate, n.Dot(c.A), w.seconds-from, c.ApproachError(f.Velocity))
	return min(from+wait, w.seconds), n, ok
}

// MeetsTurning reports whether a sphere within a box may touch a surface that rotates in this step.
func (w *Set) MeetsTurning(box collide.AABB) bool {
	if w.turning == 0 {
		return false
	}
	for at := range w.planes {
		if w.planes[at].rotating && w.surfaces[w.planes[at].surface].Turns() {
			return true
		}
	}
	var search bvh.Search
	w.tree.Search(&search, box, collide.Vec3{}, 0)
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		if f := &w.surfaces[k]; f.Turns() && box.Overlaps(f.bounds) {
			return true
		}
	}
	return false
}

// CanTurn reports whether any surface can rotate.
func (w *Set) CanTurn() bool { return w.turning > 0 }
