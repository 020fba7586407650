package convex

import (
	"errors"
	"fmt"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/tiebreak"
)

// Shape is a convex shape of fixed orientation: the convex hull of points, grown by a radius.
type Shape struct {
	Points  []collide.Vec3 // relative to the origin of the shape, m
	Normals []collide.Vec3 // of the faces, of unit length, outwards; a flat shape has two
	Radius  float64        // m

	Exact collide.Convex // the same shape for package collide

	Bound   float64   // radius of the ball around the origin that contains the shape, m
	Size    float64   // half of its least width, m: tolerances are fractions of it
	Key     uint32    // hash of the shape, for an order that no number decides
	arcs    []arc     // of the edges; none for a round shape
	tops    []float64 // how far the shape reaches along each of Normals, m
	upright bool      // all faces are perpendicular to a coordinate axis
}

// arc is what an edge is on the sphere of directions: those in which the points of the edge are the
// farthest of the shape. It is part of a great circle, from the normal of one face at the edge to
// that of the other, and has the directions across edge whose products with first and last are
// positive. An edge of a flat shape has half a circle, around the direction outwards in the plane.
type arc struct {
	edge        collide.Vec3 // unit vector along the edge; around it, from turns to to
	first, last collide.Vec3 // edge × from, to × edge
}

func newArc(edge, from, to collide.Vec3) arc { return arc{edge, edge.Cross(from), to.Cross(edge)} }

// arcRounding is by how much the products of unit vectors may be off, and more. What is counted as
// crossing by mistake costs time only.
const arcRounding = 0x1p-48

// crossing returns the direction in which the sum of two edges, one of a shape and one of another
// shape turned inside out, is a face of their Minkowski sum: where the two arcs cross. It returns
// false if they don't, or if the edges are parallel. (D. Gregorius, The separating axis test
// between convex polyhedra, Game Developers Conference 2013, has the same in another form.)
func (a *arc) crossing(b *arc) (n collide.Vec3, ok bool) {
	n = a.edge.Cross(b.edge)
	if n.Dot(a.first) < 0 {
		n = n.Neg()
	}
	if n.Dot(a.last) < -arcRounding || n.Dot(b.first) > arcRounding || n.Dot(b.last) > arcRounding ||
		n.MaxAbs() <= parallelSine {
		return n, false
	}
	n, ok = n.Normalized()
	return n, ok
}

// prismSides is the number of sides of the prism that stands for a cylinder. With more, contacts
// take longer to find; with fewer, the prism is wider: 2 % with 16.
const prismSides = 16

// ErrNotConvex is the error of New for a shape that is not convex.
var ErrNotConvex = errors.New("is not convex: only boxes, capsules, cylinders, hulls and spheres move by themselves")

// New returns shape turned by q about its origin. The error says what is wrong with it.
func New(shape collide.Shape, q collide.Quat) (*Shape, error) {
	turned := q != (collide.Quat{})
	switch c := shape.(type) {
	case collide.Sphere:
		if turned {
			c.Center = q.Rotate(c.Center)
		}
		return newRound(c, c.Radius, c.Center), nil
	case collide.Capsule:
		if turned {
			c.A, c.B = q.Rotate(c.A), q.Rotate(c.B)
		}
		return newRound(c, c.Radius, c.A, c.B), nil
	case collide.AABB:
		return NewBox(collide.Box{Center: c.Center(), Half: c.Size().Scale(0.5)}.Turned(q)), nil
	case collide.Box:
		if turned {
			c = c.Turned(q)
		}
		return NewBox(c), nil
	case collide.Cylinder:
		if turned {
			c.A, c.B = q.Rotate(c.A), q.Rotate(c.B)
		}
		prism, err := c.Prism(prismSides)
		if err != nil {
			return nil, fmt.Errorf("is no cylinder that can move: %w", err)
		}
		return NewHull(prism), nil
	case collide.PlacedHull:
		points := make([]collide.Vec3, c.Hull.Len())
		for i := range points {
			points[i] = c.Hull.Corner(i).Add(c.Position)
		}
		return ofPoints(points, q)
	case *collide.Hull:
		if !turned {
			return NewHull(c), nil
		}
		points := make([]collide.Vec3, c.Len())
		for i := range points {
			points[i] = c.Corner(i)
		}
		return ofPoints(points, q)
	}
	return nil, ErrNotConvex
}

// ofPoints returns the hull of points turned by q.
func ofPoints(points []collide.Vec3, q collide.Quat) (*Shape, error) {
	if q != (collide.Quat{}) {
		for i := range points {
			points[i] = q.Rotate(points[i])
		}
	}
	hull, err := collide.NewHull(points)
	if err != nil {
		return nil, fmt.Errorf("is no hull that can be turned that way: %w", err)
	}
	return NewHull(hull), nil
}

// newRound returns a ball or capsule.
func newRound(exact collide.Convex, radius float64, points ...collide.Vec3) *Shape {
	s := &Shape{Points: points, Radius: radius, Exact: exact}
	s.measure()
	return s
}

// boxesApart returns the vector from the centre of box b to that of box a, which is at p relative
// to b, and the gap along each axis, negative where they overlap. It returns false unless both are
// boxes whose faces are perpendicular to the coordinate axes.
func boxesApart(a, b *Shape, p collide.Vec3) (between, gaps collide.Vec3, ok bool) {
	if !a.upright || !b.upright {
		return between, gaps, false
	}
	c, d := a.Exact.(collide.Box), b.Exact.(collide.Box)
	between, reach := p.Add(c.Center).Sub(d.Center), c.Half.Add(d.Half)
	gaps.X = math.Abs(between.X) - reach.X
	gaps.Y = math.Abs(between.Y) - reach.Y
	gaps.Z = math.Abs(between.Z) - reach.Z
	return between, gaps, true
}

// BoxDistance returns the distance between boxes a and b whose faces are perpendicular to the
// coordinate axes, where a is at p relative to b, and 0 where they overlap. It returns false for
// other shapes.
func BoxDistance(a, b *Shape, p collide.Vec3) (distance float64, ok bool) {
	_, gaps, ok := boxesApart(a, b, p)
	return collide.Vec3{X: max(0, gaps.X), Y: max(0, gaps.Y), Z: max(0, gaps.Z)}.Length(), ok
}

// BoxPoint returns the middle of the area in which such boxes are closest, on the surface of a, at
// x. Box b is at y.
func BoxPoint(a, b *Shape, x, y collide.Vec3) (point collide.Vec3, ok bool) {
	between, gaps, ok := boxesApart(a, b, x.Sub(y))
	if !ok {
		return point, false
	}
	c, d := a.Exact.(collide.Box), b.Exact.(collide.Box)
	widest := max(gaps.X, gaps.Y, gaps.Z)
	coordinate := func(between, gap, x, a, y, b float64) float64 {
		if gap < widest && gap < 0 { // the two are beside each other
			return (max(x-a, y-b) + min(x+a, y+b)) / 2
		}
		return x - math.Copysign(a, between)
	}
	x, y = x.Add(c.Center), y.Add(d.Center)
	return collide.Vec3{
		X: coordinate(between.X, gaps.X, x.X, c.Half.X, y.X, d.Half.X),
		Y: coordinate(between.Y, gaps.Y, x.Y, c.Half.Y, y.Y, d.Half.Y),
		Z: coordinate(between.Z, gaps.Z, x.Z, c.Half.Z, y.Z, d.Half.Z),
	}, true
}

// NewBox returns a box.
func NewBox(box collide.Box) *Shape {
	s := &Shape{Exact: box, upright: box.Rotation == collide.Quat{}}
	for _, c := range box.Corners() {
		s.Points = append(s.Points, c.Add(box.Center))
	}
	axes := [3]collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}}
	for k := range axes {
		if !s.upright {
			axes[k], _ = box.Rotation.Rotate(axes[k]).Normalized()
		}
		s.Normals = append(s.Normals, axes[k], axes[k].Neg())
	}
	for k, x := range axes {
		y, z := axes[(k+1)%3], axes[(k+2)%3]
		s.arcs = append(s.arcs,
			newArc(x, y, z), newArc(x, z, y.Neg()), newArc(x, y.Neg(), z.Neg()), newArc(x, z.Neg(), y))
	}
	s.measure()
	return s
}

// NewHull returns a hull.
func NewHull(hull *collide.Hull) *Shape {
	s := &Shape{Exact: hull}
	for i := range hull.Len() {
		s.Points = append(s.Points, hull.Corner(i))
	}
	for i := range hull.Faces() {
		s.Normals = append(s.Normals, hull.Plane(i).Normal)
	}
	s.measure()
	faces := map[[2]int32]int{} // that to the left of an edge
	for i := range hull.Faces() {
		corners := hull.Face(i)
		for k, c := range corners {
			faces[[2]int32{c, corners[(k+1)%len(corners)]}] = i
		}
	}
	for i := range hull.Faces() {
		corners := hull.Face(i)
		for k, c := range corners {
			d := corners[(k+1)%len(corners)]
			j, ok := faces[[2]int32{d, c}]
			if !ok || c > d {
				continue
			}
			if edge, ok := hull.Corner(int(d)).Sub(hull.Corner(int(c))).Normalized(); ok {
				s.arcs = append(s.arcs, newArc(edge, s.Normals[i], s.Normals[j]))
			}
		}
	}
	return s
}

// NewPolygon returns a flat polygon, solid from both sides.
func NewPolygon(g *collide.Polygon) *Shape {
	n := g.Plane().Normal
	s := &Shape{Exact: *g, Normals: []collide.Vec3{n, n.Neg()}}
	for i := range g.Len() {
		s.Points = append(s.Points, g.Corner(i))
	}
	s.measure()
	for i := range g.Len() {
		if a, ok := flatArc(g.Corner(i), g.Corner((i+1)%g.Len()), n); ok {
			s.arcs = append(s.arcs, a)
		}
	}
	return s
}

// flatArc returns the arc of the edge from p to q of a flat shape, which has normal n and is to the
// left of the edge.
func flatArc(p, q, n collide.Vec3) (a arc, ok bool) {
	edge, ok := q.Sub(p).Normalized()
	return newArc(edge, n, n.Neg()), ok
}

// measure computes what follows from the points.
func (s *Shape) measure() {
	s.Bound = 0
	for i := range s.Points {
		p := s.Points[i]
		s.Bound = max(s.Bound, p.Length())
		s.Key += tiebreak.Hash(&p, &collide.Vec3{X: s.Radius, Y: float64(len(s.Points))})
	}
	s.Bound = float64((s.Bound + s.Radius) * (1 + 0x1p-50))
	s.Size = s.Radius
	if s.Radius > 0 {
		return
	}
	width := math.Inf(1)
	s.tops = s.tops[:0]
	for _, n := range s.Normals {
		low, high := s.Extent(n)
		width = min(width, high-low)
		s.tops = append(s.tops, high)
	}
	s.Size = width / 2
}

// Extent returns the least and the greatest n·p of the points of the core, without the radius.
func (s *Shape) Extent(n collide.Vec3) (low, high float64) { return extent(s.Points, n) }

// Middle returns the middle of the bounds of the shape, relative to its position.
func (s *Shape) Middle() (m collide.Vec3) {
	for _, axis := range []collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		low, high := s.Extent(axis)
		m = m.AddScaled((low+high)/2, axis)
	}
	return m
}

func extent(points []collide.Vec3, n collide.Vec3) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i := range points {
		h := n.Dot(points[i])
		low, high = min(low, h), max(high, h)
	}
	return low, high
}

// StaysApart reports whether the shape, while it moves by d, surely stays more than reach away from
// a triangle with the given corners, relative to the origin of the shape: whether the plane of the
// triangle, or one that is parallel to a face of the shape, separates them. It is a quick test.
func (s *Shape) StaysApart(corners *[3]collide.Vec3, d collide.Vec3, reach float64) bool {
	a, b, c := &corners[0], &corners[1], &corners[2]
	reach += s.Radius + float64(apartRounding*(a.SumAbs()+b.SumAbs()+c.SumAbs()+d.SumAbs()+s.Bound))
	n := b.Sub(*a).Cross(c.Sub(*a))
	low, high := s.Extent(n)
	height, way, far := n.Dot(*a), n.Dot(d), float64(reach*n.Length())
	if low+min(0, way)-height > far || height-(high+max(0, way)) > far {
		return true
	}
	for i := range s.tops {
		n := &s.Normals[i]
		if min(n.Dot(*a), n.Dot(*b), n.Dot(*c))-(s.tops[i]+max(0, n.Dot(d))) > reach {
			return true
		}
	}
	if s.Radius == 0 {
		return false
	}
	for k := range 3 { // a round shape has no faces: its bounds
		low, high, way := math.Inf(1), math.Inf(-1), d.Component(k)
		for i := range s.Points {
			x := s.Points[i].Component(k)
			low, high = min(low, x), max(high, x)
		}
		x, y, z := a.Component(k), b.Component(k), c.Component(k)
		if min(x, y, z)-(high+max(0, way)) > reach || low+min(0, way)-max(x, y, z) > reach {
			return true
		}
	}
	return false
}

// apartRounding is the rounding of the distances in StaysApart, as a fraction of the coordinates,
// and far more.
const apartRounding = 0x1p-44

// NewTurnedHull returns a hull turned by q. Unlike New it keeps all corners and faces, and rounds
// them.
func NewTurnedHull(hull *collide.Hull, q collide.Quat) *Shape {
	s := NewHull(hull)
	if q == (collide.Quat{}) {
		return s
	}
	s.Exact = collide.NewPlaced(hull, collide.Vec3{}, q)
	for _, list := range [2][]collide.Vec3{s.Points, s.Normals} {
		for i := range list {
			list[i] = q.Rotate(list[i])
		}
	}
	for i := range s.arcs {
		a := &s.arcs[i]
		a.edge, a.first, a.last = q.Rotate(a.edge), q.Rotate(a.first), q.Rotate(a.last)
	}
	s.Key = 0
	s.measure()
	return s
}
