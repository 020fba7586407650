package systems

import (
	"cmp"
	"iter"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// Filter selects the entities that a query may find. The zero value selects everything but sensors.
type Filter struct {
	Layers  uint32                          // only entities in one of these layers; 0 stands for all
	As      *components.CollisionFilterData // only entities that would collide with this filter; nil for no limit
	Except  []donburi.Entity                // none of these entities
	Sensors bool                            // sensors, too
	Accept  func(donburi.Entity) bool       // only entities for which it returns true; nil for no limit
}

// CastHit is an entity found by a cast.
type CastHit struct {
	Entity   donburi.Entity // that was hit
	Distance float64        // along the cast, metres; 0 for an Overlap
	Point    collide.Vec3   // where the surfaces touch, metres
	Normal   collide.Vec3   // unit length, out of Entity
	Center   collide.Vec3   // of the sphere, or of the bounds of another shape, or the end of the ray, at Distance
	Overlap  bool           // the cast starts inside Entity and doesn't move out of it
}

// RayCast returns the first collider that a ray from origin touches within distance metres along
// direction, which may have any length but zero. It is a [Physics.SphereCast] with radius 0. Rays
// that start inside something follow the same rules. A ray that starts in a sphere and goes towards
// its centre, or at right angles to it, is an Overlap; one that goes outwards doesn't find the
// sphere.
//
// A ray that runs exactly in a side of a box or hull misses it. So it passes between two boxes
// that share that side; a sphere of any radius doesn't.
//
// A ray that starts exactly on a sheet (a two-sided plane or a polygon) comes from no side of it,
// and doesn't find it. The exception is a one-sided polygon and a ray against its normal: a hit at
// distance 0.
func (p *Physics) RayCast(origin, direction collide.Vec3, distance float64, filter Filter) (CastHit, bool) {
	return p.SphereCast(collide.Sphere{Center: origin}, direction, distance, filter)
}

// SphereCast returns the first collider that sphere touches when it moves along direction (any
// length but zero) by at most distance metres, 0 to +Inf. If several are equally near, it returns
// the same one in every run.
//
// A collider that the sphere touches at the start without overlapping is a hit at distance 0 if the
// sphere moves into it, and otherwise not found.
//
// A collider that the sphere overlaps at the start is a hit at distance 0 with Overlap set, unless
// the sphere moves out of it. These casts move out:
//
//   - Of a sphere: the distance of the centres grows. Of a capsule: that from its axis.
//   - Of a one-sided plane, which is solid behind its surface: along its normal or at right angles
//     to it.
//   - Of a two-sided plane or polygon, which is a sheet: away from the sheet, on the side of the
//     centre. With the center exactly in the sheet a cast is always an Overlap, except for a ray.
//   - Of a one-sided polygon: with the centre behind it, or not against its normal. Nothing is
//     solid behind a polygon, so a cast that starts inside a closed body of polygons can leave it.
func (p *Physics) SphereCast(
	sphere collide.Sphere, direction collide.Vec3, distance float64, filter Filter,
) (CastHit, bool) {
	n, ok := castable(sphere, direction, distance)
	if !ok {
		return CastHit{}, false
	}
	h, ok := p.space.Cast(&solver.Probe{Sphere: sphere}, n, distance, p.accepts(filter))
	if !ok {
		return CastHit{}, false
	}
	return p.castHit(&h), true
}

// RayCastAll returns all colliders that a ray touches, nearest first. See [Physics.RayCast].
func (p *Physics) RayCastAll(origin, direction collide.Vec3, distance float64, filter Filter) iter.Seq[CastHit] {
	return p.SphereCastAll(collide.Sphere{Center: origin}, direction, distance, filter)
}

// SphereCastAll returns all colliders that a sphere would touch if nothing stopped it, nearest
// first. See [Physics.SphereCast].
func (p *Physics) SphereCastAll(
	sphere collide.Sphere, direction collide.Vec3, distance float64, filter Filter,
) iter.Seq[CastHit] {
	return func(yield func(CastHit) bool) {
		n, ok := castable(sphere, direction, distance)
		if !ok {
			return
		}
		for _, h := range p.space.CastAll(&solver.Probe{Sphere: sphere}, n, distance, p.accepts(filter), nil) {
			if !yield(p.castHit(&h)) {
				return
			}
		}
	}
}

// castable returns direction with length 1, and whether the arguments of a cast are valid.
func castable(sphere collide.Sphere, direction collide.Vec3, distance float64) (collide.Vec3, bool) {
	n, ok := direction.Normalized()
	return n, ok && distance >= 0 && validSphere(sphere)
}

// validSphere reports whether a sphere is finite, within coordinates, and of no negative radius.
func validSphere(s collide.Sphere) bool {
	t := components.TransformData{Position: s.Center}
	return t.Validate() == nil && s.Radius >= 0 && s.Radius <= components.MaxCoordinate
}

// castHit returns a hit with its entity.
func (p *Physics) castHit(h *solver.Hit) CastHit {
	return CastHit{p.bridge.Entity(h.Handle), h.Distance, h.Point, h.Normal, h.Center, h.Overlap}
}

// OverlapSphere returns the entities that overlap or touch sphere, in the order of entities.
// One-sided polygons, meshes and terrain are found only if the middle of the sphere is in front of
// them. So one inside [components.CreatePolygon2D] finds nothing: that is an outline.
func (p *Physics) OverlapSphere(sphere collide.Sphere, filter Filter) iter.Seq[donburi.Entity] {
	return p.overlaps(filter, func(found func(solver.Handle)) {
		if validSphere(sphere) {
			p.space.InSphere(sphere, found)
		}
	})
}

// OverlapBox returns the entities that overlap or touch box, in the order of entities. One-sided
// colliders are found as by [Physics.OverlapSphere]. A box with Min beyond Max, or that is not
// finite, is empty.
func (p *Physics) OverlapBox(box collide.AABB, filter Filter) iter.Seq[donburi.Entity] {
	return p.overlaps(filter, func(found func(solver.Handle)) {
		if box.Min.IsFinite() && box.Max.IsFinite() &&
			box.Min.X <= box.Max.X && box.Min.Y <= box.Max.Y && box.Min.Z <= box.Max.Z {
			p.space.InBox(box, found)
		}
	})
}

// overlaps returns the entities that a search finds and the filter selects, in the order of
// entities.
func (p *Physics) overlaps(filter Filter, search func(found func(solver.Handle))) iter.Seq[donburi.Entity] {
	return func(yield func(donburi.Entity) bool) {
		accepts := p.accepts(filter)
		var all []donburi.Entity
		search(func(h solver.Handle) {
			if accepts(h) {
				all = append(all, p.bridge.Entity(h))
			}
		})
		slices.SortFunc(all, func(a, b donburi.Entity) int { return cmp.Compare(a, b) })
		all = slices.Compact(all) // a compound is found with each part
		for _, e := range all {
			if !yield(e) {
				return
			}
		}
	}
}

// accepts returns a function that reports whether filter selects a body or surface of the space.
func (p *Physics) accepts(filter Filter) func(solver.Handle) bool {
	f := new(handleFilter)
	f.set(p, filter)
	return f.accepts
}

// handleFilter is a Filter for bodies and surfaces of the space.
type handleFilter struct {
	Filter
	p            *Physics
	layers, mask uint32 // of As
}

// set sets the filter.
func (f *handleFilter) set(p *Physics, filter Filter) {
	*f = handleFilter{Filter: filter, p: p}
	if filter.As != nil {
		f.layers, f.mask = filter.As.Effective()
	}
}

// accepts reports whether the filter selects a body or surface.
func (f *handleFilter) accepts(h solver.Handle) bool {
	m := f.p.space.Material(h)
	e := f.p.bridge.Entity(h)
	return (f.Sensors || !m.Sensor) &&
		(f.Layers == 0 || f.Layers&m.Layers != 0) &&
		(f.As == nil || f.layers&m.Mask != 0 && m.Layers&f.mask != 0) &&
		!slices.Contains(f.Except, e) &&
		(f.Accept == nil || f.Accept(e))
}
