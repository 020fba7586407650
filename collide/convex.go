package collide

// Convex is a convex shape that [Sweep], [Separation], [Overlaps] and [RayCast] accept: [Sphere],
// [Capsule], [Segment], [Triangle], [Polygon], [AABB], [Box], [*Hull], [PlacedHull] and [Placed]. A
// pointer to a Placed is one, too.
type Convex interface {
	Bounds() AABB
	isConvex()
}

func (Sphere) isConvex()     {}
func (Capsule) isConvex()    {}
func (Segment) isConvex()    {}
func (Triangle) isConvex()   {}
func (Polygon) isConvex()    {}
func (AABB) isConvex()       {}
func (Box) isConvex()        {}
func (*Hull) isConvex()      {}
func (PlacedHull) isConvex() {}

// core is the common form of all convex shapes: the convex hull of points, grown by a radius. The
// points are relative to the origin, which is a point of float64 coordinates as well, so that a
// shape keeps its exact form wherever it is.
type core struct {
	origin Vec3
	points []Vec3
	edges  []coreEdge
	faces  []coreFace
	// directions are the directions of the edges, without parallel ones, as differences of points.
	directions []coreEdge
	normal     twofold3 // of the only face of a flat core, of any length; zero for others
	radius     float64
	// size bounds the absolute values of the points' coordinates.
	size float64
}

// coreEdge is an edge between two points, given by their indices.
type coreEdge struct{ from, to int32 }

// coreFace is a face of a core. Its corners run counter-clockwise when seen from outside. In a
// solid core, the first three don't lie on a line.
type coreFace struct{ corners []int32 }

// solid reports whether the core has an interior.
func (c *core) solid() bool { return len(c.faces) > 1 }

// coreStorage is memory for the core of any shape, so that making one doesn't allocate.
type coreStorage struct{ points [8]Vec3 }

// maxSmallPolygon is the number of corners up to which the core of a polygon needs no allocation.
const maxSmallPolygon = 32

// polygonFaces[n] and polygonEdges[n] are the face and the edges of a polygon with n corners.
var polygonFaces, polygonEdges = func() (faces [maxSmallPolygon + 1]coreFace, edges [maxSmallPolygon + 1][]coreEdge) {
	corners := countUp(maxSmallPolygon)
	for n := range faces {
		faces[n], edges[n] = coreFace{corners[:n]}, edgesAround(n)
	}
	return faces, edges
}()

// countUp returns 0, 1, ..., n-1.
func countUp(n int) []int32 {
	numbers := make([]int32, n)
	for i := range numbers {
		numbers[i] = int32(i)
	}
	return numbers
}

var (
	// Corner i of a box has bit k of i set if it is on the positive side of axis k.
	boxEdges = [12]coreEdge{
		{0, 1}, {2, 3}, {4, 5}, {6, 7}, // along X
		{0, 2}, {1, 3}, {4, 6}, {5, 7}, // along Y
		{0, 4}, {1, 5}, {2, 6}, {3, 7}, // along Z
	}
	boxDirections = [3]coreEdge{{0, 1}, {0, 2}, {0, 4}}
	boxFaces      = [6]coreFace{
		{[]int32{0, 4, 6, 2}},
		{[]int32{1, 3, 7, 5}},
		{[]int32{0, 1, 5, 4}},
		{[]int32{2, 6, 7, 3}},
		{[]int32{0, 2, 3, 1}},
		{[]int32{4, 5, 7, 6}},
	}
	oneEdge = [1]coreEdge{{0, 1}}
)

// coreOf returns the core of c in the given storage. It returns false for a shape that has no point
// or whose numbers are NaN, negative where they must not be, or beyond maxInput.
func coreOf(c Convex, s *coreStorage) (core, bool) {
	if p, ok := placedOf(c); ok {
		return p.core(s)
	}
	return plainCore(c, s)
}

// plainCore is coreOf for a shape that isn't a Placed.
func plainCore(c Convex, s *coreStorage) (core, bool) {
	var k core
	switch c := c.(type) {
	case Sphere:
		s.points[0] = Vec3{}
		k = core{origin: c.Center, points: s.points[:1], radius: c.Radius}
	case Capsule:
		s.points[0], s.points[1] = c.A, c.B
		k = core{points: s.points[:2], edges: oneEdge[:], directions: oneEdge[:], radius: c.Radius}
	case Segment:
		s.points[0], s.points[1] = c.A, c.B
		k = core{points: s.points[:2], edges: oneEdge[:], directions: oneEdge[:]}
	case Triangle:
		s.points[0], s.points[1], s.points[2] = c.A, c.B, c.C
		k = flatCore(s.points[:3])
		k.normal = twoDiff3(c.B, c.A).cross(twoDiff3(c.C, c.A))
	case Polygon:
		k = flatCore(c.on.corners)
		k.normal = c.on.area
	case AABB:
		if c.IsEmpty() {
			return k, false
		}
		for i := range s.points {
			s.points[i] = c.Min
			if i&1 != 0 {
				s.points[i].X = c.Max.X
			}
			if i&2 != 0 {
				s.points[i].Y = c.Max.Y
			}
			if i&4 != 0 {
				s.points[i].Z = c.Max.Z
			}
		}
		k = boxCore(s, c.Min.X == c.Max.X, c.Min.Y == c.Max.Y, c.Min.Z == c.Max.Z)
	case Box:
		if !(c.Half.X >= 0 && c.Half.Y >= 0 && c.Half.Z >= 0) || !c.Rotation.within(maxInput) {
			return k, false
		}
		s.points = c.Corners()
		r := c.Axes()
		k = boxCore(s, r[0] == Vec3{}, r[1] == Vec3{}, r[2] == Vec3{})
		k.origin = c.Center
	case *Hull:
		k = c.core()
	case PlacedHull:
		k = c.Hull.core()
		k.origin = c.Position
	case nil, Placed, *Placed: // a Placed in a Placed
		return k, false
	default:
		panic("collide: plainCore doesn't know this type of Convex")
	}
	for _, p := range k.points {
		if !p.within(maxInput) {
			return k, false
		}
		k.size = max(k.size, p.MaxAbs())
	}
	return k, len(k.points) > 0 && k.radius >= 0 && k.radius <= maxInput && k.origin.within(maxInput)
}

// boxCore returns the core of a box with the corners in s. A box without extent along an axis is
// flat, a segment or a point.
func boxCore(s *coreStorage, noX, noY, noZ bool) core {
	if !noX && !noY && !noZ {
		return core{points: s.points[:], edges: boxEdges[:], faces: boxFaces[:], directions: boxDirections[:]}
	}
	n, stride := 1, [3]int{1, 2, 4}
	for k, none := range [3]bool{noX, noY, noZ} {
		if !none {
			s.points[n] = s.points[stride[k]]
			n++
		}
	}
	switch n {
	case 1:
		return core{points: s.points[:1]}
	case 2:
		return core{points: s.points[:2], edges: oneEdge[:], directions: oneEdge[:]}
	}
	// A parallelogram: its first corner, its two neighbours, and the opposite corner.
	x, y := s.points[1], s.points[2]
	opposite := s.points[7]
	s.points[2], s.points[3] = opposite, y
	k := flatCore(s.points[:4])
	k.normal = twoDiff3(x, s.points[0]).cross(twoDiff3(y, s.points[0]))
	return k
}

// flatCore returns the core of a polygon, without its normal.
func flatCore(corners []Vec3) core {
	n := len(corners)
	if n <= maxSmallPolygon {
		return core{points: corners, edges: polygonEdges[n], faces: polygonFaces[n : n+1], directions: polygonEdges[n]}
	}
	edges := edgesAround(n)
	return core{points: corners, edges: edges, faces: []coreFace{{countUp(n)}}, directions: edges}
}

// edgesAround returns the edges of a polygon with n corners.
func edgesAround(n int) []coreEdge {
	edges := make([]coreEdge, n)
	for i := range edges {
		edges[i] = coreEdge{int32(i), int32((i + 1) % n)}
	}
	return edges
}

// bounds returns the bounds of the core's points in float64, relative to the origin.
func (c *core) bounds() AABB {
	b := AABB{c.points[0], c.points[0]}
	for _, p := range c.points[1:] {
		b.Min = Vec3{min(b.Min.X, p.X), min(b.Min.Y, p.Y), min(b.Min.Z, p.Z)}
		b.Max = Vec3{max(b.Max.X, p.X), max(b.Max.Y, p.Y), max(b.Max.Z, p.Z)}
	}
	return b
}

// faceNormal returns a vector of any length along the outward normal of face f.
func (c *core) faceNormal(f int) twofold3 {
	if len(c.faces) == 1 {
		return c.normal
	}
	k := c.faces[f].corners
	return twoDiff3(c.points[k[1]], c.points[k[0]]).cross(twoDiff3(c.points[k[2]], c.points[k[0]]))
}

// pair is two cores that move relative to each other. It describes the set D of all differences b -
// a of a point of b's core and one of a's. The cores touch where D contains the origin, and the
// shapes touch when a sphere of radius r that moves from the origin at velocity v touches D. The
// corners of D are differences of corners; its edges, a corner of one and an edge of the other; its
// faces, a corner and a face, or two edges.
type pair struct {
	a, b   core
	origin twofold3 // a's origin relative to b's
	v      twofold3 // a's velocity relative to b
	r      twofold  // sum of the radii
	limit  float64

	// The same in float64.
	originRounded, vRounded Vec3
	rRounded                float64
	// extent bounds the coordinates from which the position of one corner relative to another is
	// computed. Such a difference has an error of at most 3·2^-53 of it per component.
	extent float64

	// The earliest contact found so far.
	hit    bool
	time   float64
	normal Vec3
	inner  innerContact
}

// innerContact is the earliest contact with a feature inside of D. Nothing touches that before the
// border of D, but by rounding, where it ends there.
type innerContact struct {
	hit    bool
	time   float64
	normal Vec3
	late   float64 // when something after the limit touches the border, or 0
}

// newPair returns false for invalid input.
func newPair(a Convex, sa *coreStorage, va Vec3, b Convex, sb *coreStorage, vb Vec3, horizon float64) (pair, bool) {
	var p pair
	var okA, okB bool
	p.a, okA = coreOf(a, sa)
	p.b, okB = coreOf(b, sb)
	if !okA || !okB || !va.within(maxInput) || !vb.within(maxInput) || !(horizon >= 0) {
		return p, false
	}
	p.origin, p.v, p.r = twoDiff3(p.a.origin, p.b.origin), twoDiff3(va, vb), twoSum(p.a.radius, p.b.radius)
	p.limit = horizon
	p.originRounded, p.vRounded, p.rRounded = p.origin.rounded(), p.v.rounded(), p.r.hi
	if p.vRounded.MaxAbs() < minSpeed {
		p.v, p.vRounded = twofold3{}, Vec3{}
	}
	p.extent = p.originRounded.MaxAbs() + p.a.size + p.b.size
	return p, true
}

// between returns the position of a's corner i relative to b's corner j at time 0.
func (p *pair) between(i, j int32) twofold3 {
	return p.origin.add(twoDiff3(p.a.points[i], p.b.points[j]))
}

// betweenRounded is between in float64.
func (p *pair) betweenRounded(i, j int32) Vec3 {
	return p.originRounded.Add(p.a.points[i].Sub(p.b.points[j]))
}

// surelyApart reports whether the sphere certainly doesn't touch the bounds of D by the limit.
func (p *pair) surelyApart() bool {
	a, b := p.a.bounds(), p.b.bounds()
	slack := float64(16*0x1p-53*(p.extent+p.rRounded)) + p.rRounded
	low, high := b.Min.Sub(a.Max).Sub(p.originRounded), b.Max.Sub(a.Min).Sub(p.originRounded)
	first, last := 0.0, p.limit
	for k := range 3 {
		v := p.vRounded.Component(k)
		from, to := low.Component(k)-slack, high.Component(k)+slack
		if v == 0 {
			if from > 0 || to < 0 {
				return true
			}
			continue
		}
		enter, leave := from/v, to/v
		if v < 0 {
			enter, leave = leave, enter
		}
		first, last = max(first, float64(enter*(1-0x1p-50))), min(last, float64(leave*(1+0x1p-50)))
	}
	return first > last
}

// reference returns the point that CenterA and CenterB of a contact refer to.
func reference(c Convex) Vec3 {
	if p, ok := placedOf(c); ok {
		return p.Rotation.Rotate(plainReference(p.Shape)).Add(p.Position)
	}
	return plainReference(c)
}

// plainReference is reference for a shape that isn't a Placed.
func plainReference(c Convex) Vec3 {
	switch c := c.(type) {
	case Sphere:
		return c.Center
	case Capsule:
		return c.A
	case Segment:
		return c.A
	case Triangle:
		return c.A
	case Polygon:
		return c.on.corners[0]
	case AABB:
		return c.Center()
	case Box:
		return c.Center
	case PlacedHull:
		return c.Position
	}
	return Vec3{}
}

// edgeVector returns the vector from the start of an edge to its end.
func (c *core) edgeVector(e coreEdge) twofold3 { return twoDiff3(c.points[e.to], c.points[e.from]) }

// edgeVectorRounded is edgeVector in float64.
func (c *core) edgeVectorRounded(e coreEdge) Vec3 { return c.points[e.to].Sub(c.points[e.from]) }

// Bounds returns b.
func (b AABB) Bounds() AABB { return b }
