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
func (w *Set) EachEntered(x, v collide.Vec3, radius, now, until float64, found func(k int32, inside bool)) {
	ball := collide.Sphere{Center: x.AddScaled(now, v), Radius: radius}
	var search bvh.Search
	w.tree.Search(&search, boxOf(ball), v, until-now)
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		f := &w.surfaces[k]
		if !f.IsOneSided() || f.Sensor {
			continue
		}
		if f.HasFacets() {
			w.eachEnteredFacet(f, ball, v, now, until, found)
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
	f *Surface, ball collide.Sphere, v collide.Vec3, now, until float64, found func(k int32, inside bool),
) {
	margin := f.margin + float64(roundingShare*(ball.Center.SumAbs()+ball.Radius+float64(v.SumAbs()*(until-now))))
	ball.Center = f.toLocal(ball.Center, now)
	u := f.toLocalDirection(v.Sub(f.Velocity))
	var sweep collide.FacetSweep
	f.eachFacetOnPath(&sweep, ball, u, until-now, func(t collide.Facet) float64 {
		h, bound := t.Height(ball.Center) // a quick test
		if h > ball.Radius-margin+bound || h < -bound-float64(u.Length()*(until-now)) {
			return until - now
		}
		n := t.Normal()
		height, rise := n.Dot(ball.Center.Sub(t.Corners()[0])), float64(n.Dot(u)*(until-now))
		if height > ball.Radius-margin || height < 0 && height+rise < 0 {
			return until - now // it lies on the facet or is higher, or stays behind it
		}
		k := f.facets + int32(t.ID())
		if height < 0 {
			found(k, false)
			return until - now
		}
		if gap, _, _, _ := facetGap(t, ball.Center, ball.Radius); gap < -margin {
			found(k, true)
		} else if rise >= -margin {
			found(k, false)
		}
		return until - now
	})
}
