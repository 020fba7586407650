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

// Filter says which entities a query sees. The zero value sees everything but sensors.
type Filter struct {
	Layers  uint32                          // only what is in one of these layers; 0 stands for all
	As      *components.CollisionFilterData // only what would collide with this; nil for no such limit
	Except  []donburi.Entity                // not these
	Sensors bool                            // sensors too
	Accept  func(donburi.Entity) bool       // only those for which it returns true; nil for no such limit
}

// CastHit is what a cast found.
type CastHit struct {
	Entity   donburi.Entity
	Distance float64      // metres along the cast; 0 if it starts inside
	Point    collide.Vec3 // where the surfaces touch
	Normal   collide.Vec3 // unit length, out of what was hit
	Center   collide.Vec3 // the cast sphere's centre, or the end of the ray, at that distance
	Overlap  bool         // the cast starts inside of Entity and doesn't move out of it; Distance is 0
}

// RayCast returns the first collider that a ray from origin meets within distance metres along direction, which may have any
// length but zero. It is a [Physics.SphereCast] of radius 0, with the same rules for a ray that starts inside something: a ray that
// starts in a sphere and goes towards its centre, or at right angles to it, is an Overlap; one that goes outwards doesn't meet it.
//
// A ray that starts exactly on a sheet (a two-sided plane or a polygon) has no side to come from and doesn't meet it, unless the
// polygon is one-sided and the ray goes against its normal: then it is a hit at distance 0.
func (p *Physics) RayCast(origin, direction collide.Vec3, distance float64, filter Filter) (CastHit, bool) {
	return p.SphereCast(collide.Sphere{Center: origin}, direction, distance, filter)
}

// SphereCast returns the first collider that sphere meets when it moves from its centre along direction (any length but zero) by at
// most distance metres, which may be infinite. Where several are as near, it is the same one in every run.
//
// A collider that the sphere touches at the start, without overlapping, is a hit at distance 0 if the sphere moves into it. If it
// moves away or along, the collider is not in its way.
//
// A collider that the sphere overlaps at the start is a hit at distance 0 with Overlap set, unless the sphere moves out of it:
//
//   - A sphere: unless the distance of the centres grows.
//   - A one-sided plane, which is solid behind its surface, however deep: unless the cast moves along its normal or at right
//     angles to it.
//   - A two-sided plane or polygon, which is a sheet: unless the cast moves away from the sheet, on the side of its centre. With
//     its centre exactly in the sheet, it is always an Overlap, except for a ray.
//   - A one-sided polygon: unless the centre is behind it, or the cast doesn't move against its normal. There is nothing solid
//     behind a polygon, so a cast that starts inside of a closed body of polygons leaves it unhindered.
func (p *Physics) SphereCast(sphere collide.Sphere, direction collide.Vec3, distance float64, filter Filter) (CastHit, bool) {
	n, ok := castable(sphere, direction, distance)
	if !ok {
		return CastHit{}, false
	}
	h, ok := p.space.Cast(sphere, n, distance, p.accepts(filter))
	if !ok {
		return CastHit{}, false
	}
	return p.castHit(&h), true
}

// RayCastAll returns everything that a ray meets, nearest first. See [Physics.RayCast].
func (p *Physics) RayCastAll(origin, direction collide.Vec3, distance float64, filter Filter) iter.Seq[CastHit] {
	return p.SphereCastAll(collide.Sphere{Center: origin}, direction, distance, filter)
}

// SphereCastAll returns everything on the sphere's way as if nothing stopped it, nearest first. See [Physics.SphereCast].
func (p *Physics) SphereCastAll(sphere collide.Sphere, direction collide.Vec3, distance float64, filter Filter) iter.Seq[CastHit] {
	return func(yield func(CastHit) bool) {
		n, ok := castable(sphere, direction, distance)
		if !ok {
			return
		}
		for _, h := range p.space.CastAll(sphere, n, distance, p.accepts(filter), nil) {
			if !yield(p.castHit(&h)) {
				return
			}
		}
	}
}

func castable(sphere collide.Sphere, direction collide.Vec3, distance float64) (collide.Vec3, bool) {
	n, ok := direction.Normalized()
	return n, ok && distance >= 0 && validSphere(sphere)
}

func validSphere(s collide.Sphere) bool {
	t := components.TransformData{Position: s.Center}
	return t.Validate() == nil && s.Radius >= 0 && s.Radius <= components.MaxCoordinate
}

func (p *Physics) castHit(h *solver.Hit) CastHit {
	return CastHit{p.bridge.Entity(solver.Handle(h.Code)), h.Distance, h.Point, h.Normal, h.Center, h.Overlap}
}

// OverlapSphere returns what overlaps or touches sphere, in the order of entities.
func (p *Physics) OverlapSphere(sphere collide.Sphere, filter Filter) iter.Seq[donburi.Entity] {
	return p.overlaps(filter, func(found func(int32)) {
		if validSphere(sphere) {
			p.space.InSphere(sphere, found)
		}
	})
}

// OverlapBox returns what overlaps or touches box, in the order of entities. A box with Min beyond Max is empty.
func (p *Physics) OverlapBox(box collide.AABB, filter Filter) iter.Seq[donburi.Entity] {
	return p.overlaps(filter, func(found func(int32)) {
		if box.Min.X <= box.Max.X && box.Min.Y <= box.Max.Y && box.Min.Z <= box.Max.Z && box.Min.IsFinite() && box.Max.IsFinite() {
			p.space.InBox(box, found)
		}
	})
}

func (p *Physics) overlaps(filter Filter, search func(found func(int32))) iter.Seq[donburi.Entity] {
	return func(yield func(donburi.Entity) bool) {
		accepts := p.accepts(filter)
		var all []donburi.Entity
		search(func(handle int32) {
			if accepts(handle) {
				all = append(all, p.bridge.Entity(solver.Handle(handle)))
			}
		})
		slices.SortFunc(all, func(a, b donburi.Entity) int { return cmp.Compare(a, b) })
		for _, e := range all {
			if !yield(e) {
				return
			}
		}
	}
}

// accepts returns filter as a question about bodies and surfaces of the space.
func (p *Physics) accepts(filter Filter) func(handle int32) bool {
	var layers, mask uint32 // of As
	if filter.As != nil {
		layers, mask = filter.As.Effective()
	}
	return func(handle int32) bool {
		m := p.space.Material(handle)
		e := p.bridge.Entity(solver.Handle(handle))
		return (filter.Sensors || !m.Sensor) &&
			(filter.Layers == 0 || filter.Layers&m.Layers != 0) &&
			(filter.As == nil || layers&m.Mask != 0 && m.Layers&mask != 0) &&
			!slices.Contains(filter.Except, e) &&
			(filter.Accept == nil || filter.Accept(e))
	}
}
