package collide

import "math"

// OverlapAABBPolygon reports whether a and b have a point in common, touching included (to rounding, where they touch at a slant). A polygon or box that is empty or not finite
// overlaps nothing.
//
// By the separating axis theorem: two convex bodies are apart where, along an axis of the box, the polygon's normal, or a
// direction perpendicular to an edge of each, they don't reach one another (Gottschalk, Lin and Manocha 1996).
func OverlapAABBPolygon(a AABB, b Polygon) bool {
	if b.Len() == 0 || !a.Overlaps(b.Bounds()) {
		return false
	}
	half := a.Size().Scale(0.5)
	center := a.Center()
	if !reaches(b, center, half, b.Plane().Normal) {
		return false
	}
	for i := range b.Len() {
		e := b.Edge(i)
		d := e.B.Sub(e.A)
		for _, axis := range [3]Vec3{{Y: -d.Z, Z: d.Y}, {X: d.Z, Z: -d.X}, {X: -d.Y, Y: d.X}} {
			if !reaches(b, center, half, axis) {
				return false
			}
		}
	}
	return true
}

// reaches reports whether the polygon and the box reach one another along axis.
func reaches(b Polygon, center, half, axis Vec3) bool {
	reach := Vec3{math.Abs(axis.X), math.Abs(axis.Y), math.Abs(axis.Z)}.Dot(half)
	low, high := math.Inf(1), math.Inf(-1)
	for i := range b.Len() {
		h := axis.Dot(b.Corner(i).Sub(center))
		low, high = min(low, h), max(high, h)
	}
	return low <= reach && high >= -reach
}
