package collide

import "errors"

// Errors returned by [NewPolygon], in addition to those of planes.
var (
	ErrTooFewPoints = errors.New("collide: a polygon needs three points or more")
	ErrRepeated     = errors.New("collide: a polygon names the same point twice")
	ErrNotFlat      = errors.New("collide: a polygon's points don't lie in one plane")
	ErrNotConvex    = errors.New("collide: a polygon isn't convex, or crosses itself")
)

// Polygon is a flat convex surface bounded by the edges between its corners. Its front is the side
// from which the corners run counter-clockwise. Polygons are made by [NewPolygon]; the zero value
// has no corners and touches nothing. Polygons are immutable, so copies may share storage.
type Polygon struct {
	on     flatShape
	plane  Plane
	bounds AABB
}

// NewPolygon returns the polygon with the given corners, in order around it. Corners may lie on a
// straight edge. The error is
//
//   - [ErrTooFewPoints] for fewer than three points,
//   - [ErrPoint] for a coordinate that is NaN, infinite or beyond 1e72,
//   - [ErrRepeated] if two points are equal,
//   - [ErrCollinear] if the points lie on one line,
//   - [ErrNotFlat] if a point lies off the plane of the others,
//   - [ErrNotConvex] if a point lies outside an edge.
//
// The tolerance of the last three is 2^-45 of the largest coordinate or distance, which is 256
// times the rounding of a coordinate. That accepts points that were rotated and moved a few times,
// and is far below anything visible.
func NewPolygon(points ...Vec3) (Polygon, error) {
	if len(points) < 3 {
		return Polygon{}, ErrTooFewPoints
	}
	for _, p := range points {
		if !p.within(maxInput) {
			return Polygon{}, ErrPoint
		}
	}
	longest, extent := 0.0, 0.0
	var area twofold3 // twice the area, along the normal, by triangles from the first corner
	for i, p := range points {
		for _, q := range points[:i] {
			if p == q {
				return Polygon{}, ErrRepeated
			}
			longest = max(longest, p.Distance(q))
		}
		extent = max(extent, p.MaxAbs())
		if i > 1 {
			area = area.add(twoDiff3(points[i-1], points[0]).cross(twoDiff3(p, points[0])))
		}
	}
	extent = max(extent, longest)
	slack := float64(flatTolerance * extent)
	g := Polygon{on: flatShape{corners: append([]Vec3(nil), points...)}, bounds: NewAABB(points...)}
	if !g.on.setNormal(area) || area.rounded().Length() <= float64(slack*longest) {
		return Polygon{}, noAreaError(points, longest, slack)
	}
	normal := g.on.normal
	for i, p := range points {
		if h := normal.Dot(p.Sub(points[0])); h > slack || h < -slack {
			return Polygon{}, ErrNotFlat
		}
		from, to := g.on.edge(i)
		inward, _ := normal.Cross(to.Sub(from)).Normalized()
		for _, q := range points {
			if inward.Dot(q.Sub(p)) < -slack {
				return Polygon{}, ErrNotConvex
			}
		}
		g.on.inward = append(g.on.inward, inward)
	}
	var err error
	g.plane, err = PlaneThrough(points[0], normal)
	return g, err
}

// noAreaError returns why points that enclose no area make no polygon. A convex polygon encloses at
// least the triangle of its longest diagonal and any other corner. So the points lie on one line,
// or their edges cross.
func noAreaError(points []Vec3, longest, slack float64) error {
	var area Vec3 // of the largest triangle on a longest diagonal, twice
	var from Vec3
	for i, p := range points {
		for _, q := range points[:i] {
			if p.Distance(q) < longest {
				continue
			}
			for _, r := range points {
				if c := q.Sub(p).Cross(r.Sub(p)); c.LengthSquared() > area.LengthSquared() {
					area, from = c, p
				}
			}
		}
	}
	if area.Length() <= float64(slack*longest) {
		return ErrCollinear
	}
	normal, _ := area.Normalized()
	for _, p := range points {
		if h := normal.Dot(p.Sub(from)); h > slack || h < -slack {
			return ErrNotFlat
		}
	}
	return ErrNotConvex
}

// Len returns the number of corners, which is also the number of edges.
func (g Polygon) Len() int { return len(g.on.corners) }

// Corner returns corner i, 0 <= i < Len.
func (g Polygon) Corner(i int) Vec3 { return g.on.corners[i] }

// Edge returns edge i, from corner i to the next corner.
func (g Polygon) Edge(i int) Segment {
	from, to := g.on.edge(i)
	return Segment{from, to}
}

// EdgeNormal returns the unit vector that lies in the plane of the polygon and points outwards,
// perpendicular to edge i.
func (g Polygon) EdgeNormal(i int) Vec3 { return g.on.inward[i].Neg() }

// Plane returns the polygon's plane. Its front is that of the polygon.
func (g Polygon) Plane() Plane { return g.plane }

// Bounds returns the smallest box that contains the polygon.
func (g Polygon) Bounds() AABB { return g.bounds }

// Covers reports whether the point of the polygon's plane nearest to p lies in the polygon, edges
// included. Invalid input gives false.
func (g Polygon) Covers(p Vec3) bool { return p.within(maxInput) && g.on.covers(p) }

// ClosestPoint returns the point of the polygon nearest to p, or p for a polygon without corners.
func (g Polygon) ClosestPoint(p Vec3) Vec3 {
	if len(g.on.corners) == 0 {
		return p
	}
	return g.on.nearest(p).point
}

func (a twofold3) add(b twofold3) twofold3 {
	return twofold3{a.x.add(b.x), a.y.add(b.y), a.z.add(b.z)}
}
