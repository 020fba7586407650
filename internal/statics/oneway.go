package statics

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/bvh"
)

// IsOneSided reports whether it is a polygon or a mesh that stops only what comes from the front.
func (f *Surface) IsOneSided() bool {
	return f.Kind() == Polygon && !f.TwoSided || f.HasFacets() && !f.TwoSided
}

// OneWay returns the plane of a one-sided polygon as it is at time t, and false for anything else.
func (f *Surface) OneWay(t float64) (collide.Plane, bool) {
	if f.Kind() != Polygon || f.TwoSided {
		return collide.Plane{}, false
	}
	n := f.Plane.Normal
	return collide.Plane{Normal: n, Distance: f.Plane.Distance + n.Dot(f.origin(t))}, true
}

// HasOneSided reports whether there are one-sided polygons.
func (w *Set) HasOneSided() bool { return w.oneSided > 0 }

// EachEntered calls found with the one-sided polygons whose front a sphere is in at time now, with
// inside set, or may come into between now and until without meeting it: from behind, or over an
// edge, lower than it would lie on the polygon. The sphere's centre is at x + t·v at time t.
func (w *Set) EachEntered(
	a *Around, x, v collide.Vec3, radius, now, until float64, found func(k int32, inside bool),
) {
	ball := collide.Sphere{Center: x.AddScaled(now, v), Radius: radius}
	var search bvh.Search
	w.tree.Search(&search, boxOf(ball), v, until-now)
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		f := &w.surfaces[k]
		if !f.IsOneSided() || f.Sensor {
			continue
		}
		if f.HasFacets() {
			w.eachEnteredFacet(a, f, ball, v, now, until, found)
			continue
		}
		height := f.Plane.Normal.Dot(ball.Center.Sub(f.origin(now))) - f.Plane.Distance
		rise := float64((f.Plane.Normal.Dot(v) - f.rate) * (until - now))
		margin := f.margin + float64(roundingShare*(ball.Center.SumAbs()+radius+float64(v.SumAbs()*(until-now))))
		if height > radius-margin || height < 0 && height+rise < 0 {
			continue // it lies on the polygon or is higher, or stays behind it
		}
		if height < 0 {
			found(k, false)
			continue
		}
		if gap, _ := f.Separation(ball.Center, radius, now); gap < -margin {
			found(k, true)
		} else if rise >= -margin { // otherwise it falls onto the edge
			found(k, false)
		}
	}
}

// eachEnteredFacet is EachEntered for the facets of a surface.
func (w *Set) eachEnteredFacet(
	a *Around, f *Surface, ball collide.Sphere, v collide.Vec3, now, until float64, found func(k int32, inside bool),
) {
	margin := f.enterMargin(&ball, v.Scale(until-now))
	ball.Center = f.toLocal(ball.Center, now)
	u := f.toLocalDirection(v.Sub(f.Velocity))
	var sweep collide.FacetSweep
	d := u.Scale(until - now)
	length := d.Length()
	touched := func(facets uint32) uint32 { return a.met(f, facets, &ball, d, v) }
	f.eachFacetOnPath(a, &sweep, ball, u, until-now, touched, func(t collide.Facet) float64 {
		h, bound := t.Height(ball.Center) // a quick test
		if h > ball.Radius-margin+bound || h < -bound-length {
			return until - now
		}
		n := a.normal(t, f.facetShape())
		height, rise := n.Dot(ball.Center.Sub(t.Corners()[0])), n.Dot(d)
		if height > ball.Radius-margin || height < 0 && height+rise < 0 {
			return until - now // it lies on the facet or is higher, or stays behind it
		}
		k := f.facets + int32(t.ID())
		gap, toBall, _, _ := a.facetGap(t, f.facetShape(), ball.Center, ball.Radius)
		switch {
		case height < 0:
			gap -= ball.Radius // behind the facet it is that of the centre
		case gap < -margin:
			found(k, true)
			return until - now
		case rise < -margin:
			return until - now
		}
		if gap+min(0, toBall.Dot(d)) > -margin/2 {
			return until - now // the plane through the nearest point separates them all the way
		}
		end := ball.Center.Add(d)
		if gap > length { // the search finds facets that are farther away, too
			return until - now
		}
		if gap, toBall, _, _ := facetGap(t, end, ball.Radius); height+rise > margin &&
			gap-max(0, toBall.Dot(d)) > -margin/2 {
			return until - now // so does that through the point nearest to the end
		}
		way := collide.Capsule{A: ball.Center, B: end, Radius: max(0, ball.Radius-margin)}
		if c := t.Corners(); collide.Overlaps(way, collide.Triangle{A: c[0], B: c[1], C: c[2]}) {
			found(k, false)
		}
		return until - now
	})
}

// enterMargin returns how deep a ball that moves by d has to be in the front of a facet to be
// inside.
func (f *Surface) enterMargin(ball *collide.Sphere, d collide.Vec3) float64 {
	return f.margin + float64(roundingShare*(ball.Center.SumAbs()+ball.Radius+d.SumAbs()))
}

// mayEnterFacet reports whether eachEnteredFacet may find a facet of a mesh when a ball moves by d
// or by a part of that. The ball may be behind the facet only if behind is set. margin is at most
// the one used there.
func mayEnterFacet(
	a *Around, t collide.Facet, m facetShape, ball *collide.Sphere, d collide.Vec3, behind bool, margin float64,
) bool {
	gap, n, _, _ := a.facetGap(t, m, ball.Center, ball.Radius)
	if behind {
		gap -= ball.Radius // there it is that of the centre
	}
	return gap+min(0, n.Dot(d)) <= -margin/2
}
