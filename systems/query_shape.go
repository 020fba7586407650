package systems

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// CapsuleCast is [Physics.SphereCast] for a capsule, which doesn't turn. See [Physics.ShapeCast].
func (p *Physics) CapsuleCast(
	capsule collide.Capsule, direction collide.Vec3, distance float64, filter Filter,
) (CastHit, bool) {
	return p.ShapeCast(capsule, direction, distance, filter)
}

// BoxCast is [Physics.SphereCast] for a box of any orientation, which doesn't turn. See
// [Physics.ShapeCast].
func (p *Physics) BoxCast(
	box collide.Box, direction collide.Vec3, distance float64, filter Filter,
) (CastHit, bool) {
	return p.ShapeCast(box, direction, distance, filter)
}

// ShapeCast returns the first collider that a convex shape touches when it moves, without turning,
// along direction (any length but zero) by at most distance metres, 0 to +Inf. The rules are those
// of [Physics.SphereCast] and [collide.Sweep]:
//
//   - A collider that the shape only slides along, or leaves, isn't found. A box that stands on a
//     floor can be cast along it.
//   - A collider that the shape overlaps at the start is a hit at distance 0 with Overlap set,
//     unless the shape moves in the direction in which it is free soonest. That is Normal.
//   - A one-sided polygon stops a shape whose middle is in front of it, and is not found otherwise.
//
// Center of the hit is the middle of the shape's bounds, so Distance times the direction is how far
// it has moved. A shape of radius 0 such as a box costs about 1 µs for each collider that it comes
// near.
func (p *Physics) ShapeCast(
	shape collide.Convex, direction collide.Vec3, distance float64, filter Filter,
) (CastHit, bool) {
	n, ok := shapeCastable(shape, direction, distance)
	if !ok {
		return CastHit{}, false
	}
	probe := probeOf(shape)
	h, ok := p.space.Cast(&probe, n, distance, p.accepts(filter))
	if !ok {
		return CastHit{}, false
	}
	return p.castHit(&h), true
}

// ShapeCastAll returns all colliders that a convex shape would touch if nothing stopped it, nearest
// first. See [Physics.ShapeCast].
func (p *Physics) ShapeCastAll(
	shape collide.Convex, direction collide.Vec3, distance float64, filter Filter,
) iter.Seq[CastHit] {
	return func(yield func(CastHit) bool) {
		n, ok := shapeCastable(shape, direction, distance)
		if !ok {
			return
		}
		probe := probeOf(shape)
		for _, h := range p.space.CastAll(&probe, n, distance, p.accepts(filter), nil) {
			if !yield(p.castHit(&h)) {
				return
			}
		}
	}
}

// probeOf returns the probe of a shape.
func probeOf(shape collide.Convex) solver.Probe {
	if s, ok := shape.(collide.Sphere); ok {
		return solver.Probe{Sphere: s}
	}
	return solver.ProbeOf(shape)
}

// shapeCastable returns direction with length 1, and whether the arguments of a cast are valid.
func shapeCastable(shape collide.Convex, direction collide.Vec3, distance float64) (collide.Vec3, bool) {
	n, ok := direction.Normalized()
	return n, ok && distance >= 0 && validShape(shape)
}

// validShape reports whether a shape is finite, within coordinates, and no zero value of a type
// that has constructors.
func validShape(shape collide.Convex) bool {
	switch s := shape.(type) {
	case nil:
		return false
	case collide.Sphere:
		return validSphere(s)
	case collide.Capsule:
		if !(s.Radius >= 0) {
			return false
		}
	case collide.Box:
		if !(s.Half.X >= 0 && s.Half.Y >= 0 && s.Half.Z >= 0) {
			return false
		}
	case collide.Segment, collide.Triangle, collide.AABB:
	case collide.Polygon:
		if s.Len() == 0 {
			return false
		}
	case *collide.Hull:
		if s == nil || s.Len() == 0 {
			return false
		}
	case collide.PlacedHull:
		if s.Hull == nil || s.Hull.Len() == 0 {
			return false
		}
	case collide.Placed:
		if _, nested := s.Shape.(collide.Placed); nested || !validShape(s.Shape) {
			return false
		}
	case *collide.Placed:
		return s != nil && validShape(*s)
	default: // a pointer to one of the others, which may be nil
		return false
	}
	b := shape.Bounds()
	return !b.IsEmpty() && b.Min.MaxAbs() <= components.MaxCoordinate && b.Max.MaxAbs() <= components.MaxCoordinate
}

// Gap is a collider near a shape.
type Gap struct {
	Entity   donburi.Entity // of the collider
	Distance float64        // between the surfaces, metres; negative where they overlap, by that depth
	Normal   collide.Vec3   // unit length, out of Entity: the direction in which the shape leaves it
	Point    collide.Vec3   // of Entity, nearest to the shape, metres
	Own      collide.Vec3   // the point of the shape that is nearest to Entity
}

// Gaps returns the colliders that are at most margin metres away from a convex shape, 0 to +Inf,
// nearest first, with distances, normals and nearest points. Overlapping ones have negative
// distances; moving the shape by -Distance along Normal is the shortest way out of that collider,
// or out of one triangle of a mesh or height field, and not over an edge into the next one. A
// one-sided polygon with the middle of the shape behind it doesn't overlap it. Nor does a one-sided
// mesh or height field: its distance is 0 then, where the shape reaches it. Everything behind a
// one-sided plane is solid.
func (p *Physics) Gaps(shape collide.Convex, margin float64, filter Filter) iter.Seq[Gap] {
	return func(yield func(Gap) bool) {
		if !validShape(shape) || !(margin >= 0) {
			return
		}
		accepts := p.accepts(filter)
		var all []Gap
		p.space.Gaps(shape, margin, func(h solver.Handle, g collide.Gap) float64 {
			if accepts(h) {
				all = append(all, Gap{p.bridge.Entity(h), g.Distance, g.Normal, g.PointB, g.PointA})
			}
			return margin
		})
		slices.SortFunc(all, compareGaps)
		for i, g := range all {
			if slices.ContainsFunc(all[:i], func(o Gap) bool { return o.Entity == g.Entity }) {
				continue // a farther part of a compound
			}
			if !yield(g) {
				return
			}
		}
	}
}

// compareGaps orders gaps by distance, and equal ones by entity.
func compareGaps(a, b Gap) int {
	return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Entity, b.Entity))
}

// Closest returns the collider that is nearest to a convex shape, at most margin metres away. See
// [Physics.Gaps].
func (p *Physics) Closest(shape collide.Convex, margin float64, filter Filter) (Gap, bool) {
	best, found := Gap{Distance: math.Inf(1)}, false
	if !validShape(shape) || !(margin >= 0) {
		return Gap{}, false
	}
	accepts := p.accepts(filter)
	p.space.Gaps(shape, margin, func(h solver.Handle, g collide.Gap) float64 {
		if g.Distance > best.Distance || !accepts(h) {
			return best.Distance
		}
		next := Gap{p.bridge.Entity(h), g.Distance, g.Normal, g.PointB, g.PointA}
		if !found || compareGaps(next, best) < 0 {
			best, found = next, true
		}
		return best.Distance
	})
	if !found {
		return Gap{}, false
	}
	return best, true
}

// ClosestPoint is [Physics.Closest] for a point: it returns the collider that is nearest to it, and
// its nearest point.
func (p *Physics) ClosestPoint(point collide.Vec3, margin float64, filter Filter) (Gap, bool) {
	return p.Closest(collide.Sphere{Center: point}, margin, filter)
}

// Distance returns the distance in metres between a convex shape and the collider of an entity,
// negative where they overlap. It returns false for an entity that takes no part in the physics.
func (p *Physics) Distance(shape collide.Convex, entity donburi.Entity) (float64, bool) {
	handle, ok := p.bridge.Handle(entity)
	if !ok || !validShape(shape) {
		return 0, false
	}
	return p.space.Distance(shape, handle), true
}

// OverlapShape returns the entities that overlap or touch a convex shape, in the order of entities.
// One-sided colliders are found as by [Physics.OverlapSphere].
func (p *Physics) OverlapShape(shape collide.Convex, filter Filter) iter.Seq[donburi.Entity] {
	return p.overlaps(filter, func(found func(solver.Handle)) {
		if validShape(shape) {
			p.space.Gaps(shape, 0, func(h solver.Handle, _ collide.Gap) float64 {
				found(h)
				return 0
			})
		}
	})
}
