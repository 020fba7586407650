package collide

import "errors"

// Errors returned by the constructors of planes and polygons.
var (
	ErrNormal    = errors.New("collide: a plane's normal must be finite and not zero")
	ErrDistance  = errors.New("collide: a plane's distance must be finite")
	ErrPoint     = errors.New("collide: a point has a NaN or infinite coordinate")
	ErrCollinear = errors.New("collide: the points lie on one line, so they span no plane")
)

// NewPlane returns the plane at distance metres from the origin along normal. The normal need not
// have unit length; the distance is measured along the normalized normal. The error is [ErrNormal]
// for a normal that is zero, NaN or infinite, and [ErrDistance] for a distance that is NaN or
// infinite.
func NewPlane(normal Vec3, distance float64) (Plane, error) {
	n, ok := normal.Normalized()
	if !ok {
		return Plane{}, ErrNormal
	}
	if distance-distance != 0 { // NaN or infinite
		return Plane{}, ErrDistance
	}
	return Plane{Normal: n, Distance: distance}, nil
}

// PlaneThrough returns the plane that contains point and whose front is in the direction of normal.
// The normal need not have unit length. The error is [ErrPoint] for a point with a NaN or infinite
// coordinate, and [ErrNormal] for a normal that is zero, NaN or infinite.
func PlaneThrough(point, normal Vec3) (Plane, error) {
	if !point.IsFinite() {
		return Plane{}, ErrPoint
	}
	n, ok := normal.Normalized()
	if !ok {
		return Plane{}, ErrNormal
	}
	return NewPlane(n, toTwofold3(n).dot(toTwofold3(point)).hi)
}

// PlaneThroughPoints returns the plane through three points that run counter-clockwise when seen
// from its front. The error is [ErrPoint] for a coordinate that is NaN, infinite or beyond 1e72,
// and [ErrCollinear] for points that lie on one line up to the rounding of their coordinates.
func PlaneThroughPoints(a, b, c Vec3) (Plane, error) {
	if !(a.within(maxInput) && b.within(maxInput) && c.within(maxInput)) {
		return Plane{}, ErrPoint
	}
	n := twoDiff3(b, a).cross(twoDiff3(c, a)).rounded()
	longest := max(a.Distance(b), b.Distance(c), c.Distance(a))
	extent := max(longest, a.MaxAbs(), b.MaxAbs(), c.MaxAbs())
	// |n| is the longest side of the triangle multiplied by the height over that side.
	if !(n.Length() > flatTolerance*float64(longest*extent)) {
		return Plane{}, ErrCollinear
	}
	return PlaneThrough(a, n)
}

// flatTolerance is the smallest height of a triangle that defines a plane, and the largest distance
// of a polygon's point from its plane. Both are relative to the largest coordinate or distance
// between points. For the flattest triangle, half an ulp of rounding in the coordinates turns the
// plane by 2^-8 rad. If it were smaller, the direction of the normal would be noise; if it were
// larger, valid thin triangles would be refused.
const flatTolerance = 0x1p-45
