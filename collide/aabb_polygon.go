package collide

import "math"

// OverlapAABBPolygon reports whether a and b share at least one point. Touching counts, up to
// rounding if the polygon isn't parallel to an axis. An empty or non-finite polygon or box overlaps
// nothing.
//
// It uses the separating axis theorem. Two convex shapes are disjoint if and only if their
// projections are disjoint on one of these axes: an axis of the box, the polygon's normal, or the
// cross product of an axis of the box and an edge of the polygon (Gottschalk, Lin and Manocha,
// "OBBTree", 1996).
func OverlapAABBPolygon(a AABB, b Polygon) bool {
	if b.Len() == 0 || !a.Overlaps(b.Bounds()) || !a.Min.within(maxInput) || !a.Max.within(maxInput) {
		return false
	}
	half := a.Size().Scale(0.5)
	center := a.Center()
	if !projectionsOverlap(b, center, half, b.Plane().Normal) {
		return false
	}
	for i := range b.Len() {
		e := b.Edge(i)
		d := e.B.Sub(e.A)
		for _, axis := range [3]Vec3{{Y: -d.Z, Z: d.Y}, {X: d.Z, Z: -d.X}, {X: -d.Y, Y: d.X}} {
			if !projectionsOverlap(b, center, half, axis) {
				return false
			}
		}
	}
	return true
}

// projectionsOverlap reports whether the projections of the polygon and of the box on axis overlap.
// The axis may have any length.
func projectionsOverlap(b Polygon, center, half, axis Vec3) bool {
	reach := Vec3{math.Abs(axis.X), math.Abs(axis.Y), math.Abs(axis.Z)}.Dot(half)
	low, high := math.Inf(1), math.Inf(-1)
	for i := range b.Len() {
		h := axis.Dot(b.Corner(i).Sub(center))
		low, high = min(low, h), max(high, h)
	}
	return low <= reach && high >= -reach
}
