package collide

import "errors"

// Errors of the constructors of planes and polygons.
var (
	ErrNormal    = errors.New("collide: a plane's normal must be finite and not zero")
	ErrDistance  = errors.New("collide: a plane's distance must be finite")
	ErrPoint     = errors.New("collide: a point has a NaN or infinite coordinate")
	ErrCollinear = errors.New("collide: the points lie on one line, so they span no plane")
)

// NewPlane returns the plane that lies distance metres from the origin along normal, which need not be
// of unit length; distance is measured along it after it has been made so. It gives [ErrNormal] for a normal
// that is zero, NaN or infinite, and [ErrDistance] for such a distance.
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

// PlaneThrough returns the plane that contains point and whose front is where normal points. It gives
// [ErrPoint] or [ErrNormal] for what it can't work with.
func PlaneThrough(point, normal Vec3) (Plane, error) {
	if !point.IsFinite() {
		return Plane{}, ErrPoint
	}
	n, ok := normal.Normalized()
	if !ok {
		return Plane{}, ErrNormal
	}
	return NewPlane(n, exactly(n).dot(exactly(point)).hi)
}

// PlaneThroughPoints returns the plane through three points that run counter-clockwise when seen from
// its front. It gives [ErrPoint] for a NaN or infinite coordinate and one beyond 1e72, and [ErrCollinear] for points that lie
// on one line to within the rounding of their coordinates.
func PlaneThroughPoints(a, b, c Vec3) (Plane, error) {
	if !(a.within(largest) && b.within(largest) && c.within(largest)) {
		return Plane{}, ErrPoint
	}
	n := twoDiff3(b, a).cross(twoDiff3(c, a)).rounded()
	longest := max(a.Distance(b), b.Distance(c), c.Distance(a))
	extent := max(longest, a.largestPart(), b.largestPart(), c.largestPart())
	// |n| is the triangle's longest side times its height over it.
	if !(n.Length() > flatSlack*float64(longest*extent)) {
		return Plane{}, ErrCollinear
	}
	return PlaneThrough(a, n)
}

// flatSlack is the height of the flattest triangle that spans a plane, and how far a polygon's points may
// lie off its plane, relative to their largest coordinate or distance. Half an ulp of
// rounding in the coordinates turns such a triangle's plane by 2^-8 rad. Smaller, and the direction
// of the normal would be noise; larger, and honest slivers would be refused.
const flatSlack = 0x1p-45
