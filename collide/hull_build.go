package collide

import (
	"cmp"
	"errors"
	"slices"
)

// Errors returned by [NewHull], in addition to [ErrPoint].
var (
	ErrTooFewCorners = errors.New("collide: a hull needs four points or more that differ")
	ErrFlatHull      = errors.New("collide: the points lie in one plane, so their hull has no volume")
	ErrLargeHull     = errors.New("collide: a hull has at most 4,096 points")
)

// maxHullPoints limits the time of a construction, which is proportional to the number of points
// times the number of edges.
const maxHullPoints = 1 << 12

// NewHull returns the convex hull of points. Points inside of it, on a face or on an edge are left
// out, and so are repeated ones. The orientation tests are exact: points in one plane make one
// face, and points that are off by an ulp make several. The error is
//
//   - [ErrPoint] for a coordinate that is NaN, infinite or beyond 1e72,
//   - [ErrTooFewCorners] for fewer than four different points,
//   - [ErrFlatHull] if all points lie exactly in one plane,
//   - [ErrLargeHull] for more than 4,096 points.
func NewHull(points []Vec3) (*Hull, error) {
	if len(points) > maxHullPoints {
		return nil, ErrLargeHull
	}
	for _, p := range points {
		if !p.within(maxInput) {
			return nil, ErrPoint
		}
	}
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, compareVec)
	sorted = slices.Compact(sorted)
	if len(sorted) < 4 {
		return nil, ErrTooFewCorners
	}
	w := hullBuilder{points: sorted, faceOf: map[coreEdge]bool{}}
	if !w.wrap() {
		return nil, ErrFlatHull
	}
	return w.hull(), nil
}

// compareVec orders vectors by X, then Y, then Z.
func compareVec(a, b Vec3) int {
	return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z))
}

// hullBuilder wraps a hull face by face: the plane of a face is turned around each of its edges
// until it meets the next face (Chand and Kapur, "An algorithm for convex polytopes", 1970). Exact
// orientation tests make that work for any points.
type hullBuilder struct {
	points []Vec3 // sorted, all different
	faces  []coreFace
	faceOf map[coreEdge]bool // directed edges that have a face to their left
}

// wrap finds all faces. It returns false if the points lie in one plane.
func (w *hullBuilder) wrap() bool {
	from, to, ok := w.firstEdge()
	if !ok {
		return false
	}
	open := []coreEdge{{from, to}}
	for len(open) > 0 {
		e := open[len(open)-1]
		open = open[:len(open)-1]
		if w.faceOf[e] {
			continue
		}
		corners := w.face(e.from, e.to)
		if corners == nil {
			return false
		}
		w.faces = append(w.faces, coreFace{corners})
		for k, c := range corners {
			next := corners[(k+1)%len(corners)]
			w.faceOf[coreEdge{c, next}] = true
			if back := (coreEdge{next, c}); !w.faceOf[back] {
				open = append(open, back)
			}
		}
	}
	return true
}

// firstEdge returns an edge of the hull. The first of the sorted points is a corner. Seen along Z,
// the hull's outline has a line through that corner; of the points that lie on this line in that
// view, the hull's edge is found in the same way.
func (w *hullBuilder) firstEdge() (from, to int32, ok bool) {
	// The plane through the corner and a point far away along Z, turned around that axis.
	corner := w.points[0]
	above := corner
	above.Z += 1 + 2*max(-corner.Z, corner.Z)
	best := int32(-1)
	for k := 1; k < len(w.points); k++ {
		p := w.points[k]
		if p.X == corner.X && p.Y == corner.Y {
			continue // on the axis
		}
		if best < 0 || Orientation(corner, above, w.points[best], p) > 0 {
			best = int32(k)
		}
	}
	if best < 0 {
		return 0, 0, false
	}
	// All points lie on one side of the plane through corner, above and best. In that plane, the
	// edge is the line from the corner that has all points of the plane on one side. A point off
	// the plane tells the sides apart.
	side, off := w.points[best], int32(-1)
	for k := range w.points {
		if Orientation(corner, above, side, w.points[k]) != 0 {
			off = int32(k)
			break
		}
	}
	if off < 0 {
		return 0, 0, false
	}
	for k := 1; k < len(w.points); k++ {
		p := w.points[k]
		if int32(k) == best || Orientation(corner, above, side, p) != 0 {
			continue
		}
		o := Orientation(corner, w.points[best], w.points[off], p)
		if o > 0 || o == 0 && w.beyond(0, best, int32(k)) {
			best = int32(k)
		}
	}
	return 0, best, true
}

// beyond reports whether point k, which lies on the line through a and b, is farther from a than b,
// on the same side.
func (w *hullBuilder) beyond(a, b, k int32) bool {
	p, q, r := w.points[a], w.points[b], w.points[k]
	return compareVec(p, q) == compareVec(q, r)
}

// face returns the corners of the face to the left of the edge from u to v, or nil if all points
// lie in one plane.
func (w *hullBuilder) face(u, v int32) []int32 {
	third := int32(-1)
	for k := range w.points {
		k := int32(k)
		if k == u || k == v || third < 0 && areCollinear(w.points[u], w.points[v], w.points[k]) {
			continue
		}
		if third < 0 || Orientation(w.points[u], w.points[v], w.points[third], w.points[k]) > 0 {
			third = k
		}
	}
	if third < 0 {
		return nil
	}
	var plane []int32
	inside := int32(-1)
	for k := range w.points {
		if Orientation(w.points[u], w.points[v], w.points[third], w.points[k]) == 0 {
			plane = append(plane, int32(k))
		} else {
			inside = int32(k)
		}
	}
	if inside < 0 {
		return nil
	}
	// Wrap the points of the plane. Seen from outside, the plane through an edge and the inner
	// point has the face to its left.
	corners := []int32{u, v}
	for {
		at := corners[len(corners)-1]
		best := int32(-1)
		for _, k := range plane {
			if k == at {
				continue
			}
			if best < 0 {
				best = k
				continue
			}
			// k is to the right of the line from at to best, seen from outside.
			o := Orientation(w.points[at], w.points[best], w.points[inside], w.points[k])
			if o < 0 || o == 0 && w.beyond(at, best, k) {
				best = k
			}
		}
		if best == u {
			return corners
		}
		if len(corners) == len(plane) {
			return nil // impossible with exact tests
		}
		corners = append(corners, best)
	}
}

// hull returns the hull of the faces found, without the points that are no corners.
func (w *hullBuilder) hull() *Hull {
	h := &Hull{}
	number := make([]int32, len(w.points))
	for k := range number {
		number[k] = -1
	}
	used := make([]bool, len(w.points))
	for _, f := range w.faces {
		for _, k := range f.corners {
			used[k] = true
		}
	}
	for k, p := range w.points {
		if used[k] {
			number[k] = int32(len(h.shape.points))
			h.shape.points = append(h.shape.points, p)
		}
	}
	for _, f := range w.faces {
		corners := make([]int32, len(f.corners))
		for k, c := range f.corners {
			corners[k] = number[c]
		}
		h.shape.faces = append(h.shape.faces, coreFace{corners})
		for k, c := range corners {
			if next := corners[(k+1)%len(corners)]; c < next {
				h.shape.edges = append(h.shape.edges, coreEdge{c, next})
			}
		}
	}
	h.shape.directions = h.shape.edges
	if len(h.shape.edges) <= maxDirections {
		h.shape.directions = h.shape.distinctDirections()
	}
	h.bounds = NewAABB(h.shape.points...)
	h.setPlanes()
	return h
}

// maxDirections is the number of edges up to which parallel ones are looked for. Each is compared
// with all others, so with more the construction would take longer than it saves.
const maxDirections = 512

// distinctDirections returns the edges without those that are parallel to an earlier one.
func (c *core) distinctDirections() []coreEdge {
	var distinct []coreEdge
	for _, e := range c.edges {
		if !slices.ContainsFunc(distinct, func(d coreEdge) bool {
			return c.edgeVector(e).cross(c.edgeVector(d)).rounded() == Vec3{}
		}) {
			distinct = append(distinct, e)
		}
	}
	return distinct
}
