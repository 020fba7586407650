package collide

import "errors"

// Errors of [NewPolygon], beside those of planes.
var (
	ErrTooFewPoints = errors.New("collide: a polygon needs three points or more")
	ErrRepeated     = errors.New("collide: a polygon names the same point twice")
	ErrNotFlat      = errors.New("collide: a polygon's points don't lie in one plane")
	ErrNotConvex    = errors.New("collide: a polygon isn't convex, or crosses itself")
)

// Polygon is a flat convex surface bounded by the edges between its corners. Its front is the side from which
// they run counter-clockwise. [NewPolygon] makes one; the zero value has no corners and touches nothing. A
// Polygon doesn't change, so copies may share it.
type Polygon struct {
	on     flat
	plane  Plane
	bounds AABB
}

// NewPolygon returns the polygon with these corners, in order around it. Corners may lie on a straight edge. It gives
//
//   - [ErrTooFewPoints] for fewer than three points,
//   - [ErrPoint] for a NaN or infinite coordinate and one beyond 1e72,
//   - [ErrRepeated] where two are the same,
//   - [ErrCollinear] where they enclose no area to within the rounding of their coordinates,
//   - [ErrNotFlat] where one lies off the plane of the others, and [ErrNotConvex] where one
//     lies outside an edge, by more than 2^-45 of the largest coordinate or distance. That is 256 times the
//     rounding of a coordinate: enough for points that were rotated and moved a few times, and for
//     an error far below what a game can show.
func NewPolygon(points ...Vec3) (Polygon, error) {
	if len(points) < 3 {
		return Polygon{}, ErrTooFewPoints
	}
	for _, p := range points {
		if !p.within(largest) {
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
		extent = max(extent, p.largestPart())
		if i > 1 {
			area = area.add(twoDiff3(points[i-1], points[0]).cross(twoDiff3(p, points[0])))
		}
	}
	extent = max(extent, longest)
	slack := float64(flatSlack * extent)
	g := Polygon{on: flat{corners: append([]Vec3(nil), points...)}, bounds: NewAABB(points...)}
	if !g.on.setNormal(area) || area.rounded().Length() <= float64(slack*longest) {
		return Polygon{}, ErrCollinear
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

// Len returns the number of corners, which is also that of edges.
func (g Polygon) Len() int { return len(g.on.corners) }

// Corner returns corner i.
func (g Polygon) Corner(i int) Vec3 { return g.on.corners[i] }

// Edge returns edge i, from corner i to the next.
func (g Polygon) Edge(i int) Segment {
	from, to := g.on.edge(i)
	return Segment{from, to}
}

// EdgeNormal returns the unit vector that points out of the polygon at edge i, in its plane.
func (g Polygon) EdgeNormal(i int) Vec3 { return g.on.inward[i].Neg() }

// Plane returns the polygon's plane, whose front is the polygon's.
func (g Polygon) Plane() Plane { return g.plane }

// Bounds returns the smallest box around the polygon.
func (g Polygon) Bounds() AABB { return g.bounds }

// ClosestPoint returns the polygon's point nearest to p, and p itself for a polygon without corners.
func (g Polygon) ClosestPoint(p Vec3) Vec3 {
	if len(g.on.corners) == 0 {
		return p
	}
	return g.on.nearest(p).point
}

func (a twofold3) add(b twofold3) twofold3 {
	return twofold3{a.x.add(b.x), a.y.add(b.y), a.z.add(b.z)}
}
