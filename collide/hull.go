package collide

import (
	"errors"
	"math"
)

// Hull is the convex hull of points in space: a polytope with flat faces. Hulls are made by
// [NewHull]. They are immutable, so any number of shapes may share one; a [PlacedHull] is a hull at
// a position.
type Hull struct {
	shape  core
	bounds AABB
	planes []Plane // of the faces
}

// PlacedHull is a hull whose points are relative to Position.
type PlacedHull struct {
	Hull     *Hull // shared, not copied
	Position Vec3  // metres
}

// At returns h with its points relative to position.
func (h *Hull) At(position Vec3) PlacedHull { return PlacedHull{h, position} }

func (h *Hull) core() core {
	if h == nil {
		return core{}
	}
	return h.shape
}

// Len returns the number of corners.
func (h *Hull) Len() int { return len(h.shape.points) }

// Corner returns corner i, 0 <= i < Len. Corners have the coordinates of the points that they were
// made of.
func (h *Hull) Corner(i int) Vec3 { return h.shape.points[i] }

// Faces returns the number of faces.
func (h *Hull) Faces() int { return len(h.shape.faces) }

// Face returns the corners of face i, 0 <= i < Faces, counter-clockwise when seen from outside. The
// caller must not change them.
func (h *Hull) Face(i int) []int32 { return h.shape.faces[i].corners }

// Plane returns the plane of face i, 0 <= i < Faces; its front is outside.
func (h *Hull) Plane(i int) Plane { return h.planes[i] }

// Support returns the largest n·p of all points p of h.
func (h *Hull) Support(n Vec3) float64 {
	most := math.Inf(-1)
	for _, p := range h.shape.points {
		most = max(most, n.Dot(p))
	}
	return most
}

// setPlanes computes the planes of the faces.
func (h *Hull) setPlanes() {
	h.planes = make([]Plane, len(h.shape.faces))
	for i, f := range h.shape.faces {
		n := h.shape.faceNormal(i)
		n = n.scaled(inverseScale(n))
		normal, _ := n.rounded().Normalized()
		h.planes[i] = Plane{normal, normal.Dot(h.shape.points[f.corners[0]])}
	}
}

// Nearest returns the distance of p from the hull's surface, negative inside, the unit normal in
// which it grows, and whether a face is nearest, not an edge or a corner.
func (h *Hull) Nearest(p Vec3) (distance float64, normal Vec3, face bool) {
	most, top := math.Inf(-1), 0
	for i := range h.planes {
		if d := h.planes[i].SignedDistance(p); d > most {
			most, top = d, i
		}
	}
	if most <= 0 {
		return most, h.planes[top].Normal, true
	}
	best, at := math.Inf(1), p
	for i := range h.planes {
		height := h.planes[i].SignedDistance(p)
		if height <= 0 {
			continue
		}
		corners := h.shape.faces[i].corners
		inside := true
		for k, c := range corners {
			from, to := h.shape.points[c], h.shape.points[corners[(k+1)%len(corners)]]
			e := to.Sub(from)
			if h.planes[i].Normal.Dot(e.Cross(p.Sub(from))) >= 0 {
				continue
			}
			inside = false
			q := Segment{from, to}.ClosestPoint(p)
			if d := q.Sub(p).LengthSquared(); d < best {
				best, at = d, q
			}
		}
		if inside {
			return height, h.planes[i].Normal, true
		}
	}
	normal, ok := p.Sub(at).Normalized()
	if !ok {
		return most, h.planes[top].Normal, true
	}
	return math.Sqrt(best), normal, false
}

// Bounds returns the smallest box that contains h.
func (h *Hull) Bounds() AABB { return h.bounds }

// Bounds returns the smallest box that contains h, up to rounding.
func (h PlacedHull) Bounds() AABB { return h.Hull.bounds.Translate(h.Position) }

// ClosestPoint returns the point of h nearest to p. For p inside h that is p itself.
func (h *Hull) ClosestPoint(p Vec3) Vec3 { return closestPoint(h, p) }

// ClosestPoint returns the point of h nearest to p. For p inside h that is p itself.
func (h PlacedHull) ClosestPoint(p Vec3) Vec3 { return closestPoint(h, p) }

// Rotated returns h turned by q around the origin of its coordinates. The turned corners are
// rounded, so the hull is computed anew; corners that are flat within rounding may be lost. The
// error is that of [NewHull].
func (h *Hull) Rotated(q Quat) (*Hull, error) {
	points := make([]Vec3, h.Len())
	for i := range points {
		points[i] = q.Rotate(h.Corner(i))
	}
	return NewHull(points)
}

// NewHull2D returns the prism over a convex polygon of a 2D game: the hull of the given points of
// the plane z = 0. It reaches so far along Z that contacts always lie in that plane. The errors are
// those of [NewHull].
func NewHull2D(points []Vec3) (*Hull, error) {
	extent := 0.0
	for _, p := range points {
		extent = max(extent, math.Abs(p.X)+math.Abs(p.Y))
	}
	depth := depth2D(2 * extent)
	prism := make([]Vec3, 0, 2*len(points))
	for _, p := range points {
		prism = append(prism, Vec3{p.X, p.Y, -depth}, Vec3{p.X, p.Y, depth})
	}
	h, err := NewHull(prism)
	if errors.Is(err, ErrFlatHull) || errors.Is(err, ErrTooFewCorners) {
		return nil, &flatError{"collide: a 2D hull needs three points that are not on one line", err}
	}
	return h, err
}
