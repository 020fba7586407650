package collide

// Shape is any shape with bounds: all shapes of this package but [Plane].
type Shape interface {
	Bounds() AABB // the smallest box that contains the shape, up to rounding
}

// Sphere is a ball. In 2D it is a circle in the plane z = 0.
type Sphere struct {
	Center Vec3    // metres
	Radius float64 // metres, >= 0; a sphere of radius 0 is a point
}

// Plane is the set of points p with Normal·p = Distance. Its front is the side to which the normal
// points.
type Plane struct {
	Normal   Vec3    // unit length
	Distance float64 // metres from the origin along Normal; negative when the origin is in front
}

// SignedDistance returns the distance of point from the plane in metres, positive in front of it
// and negative behind it.
func (p Plane) SignedDistance(point Vec3) float64 { return p.Normal.Dot(point) - p.Distance }

// Segment is the straight line segment from A to B. A and B may coincide.
type Segment struct{ A, B Vec3 }

// Capsule is the set of points that are at most Radius away from the segment from A to B: a
// cylinder with a half ball at each end. In 2D it is a rectangle with round ends. A and B may
// coincide; then it is a sphere.
type Capsule struct {
	A, B   Vec3
	Radius float64 // metres, >= 0; with radius 0 it is a segment
}

// Triangle is a flat surface with three corners. Its front is the side from which A, B, C run
// counter-clockwise.
type Triangle struct{ A, B, C Vec3 }

// AABB is an axis-aligned bounding box. It is empty if a component of Min exceeds that of Max.
type AABB struct{ Min, Max Vec3 }

// Ray is a half-line: the points Origin + t·Direction for t >= 0. Direction need not have unit
// length; times and distances along the ray are measured in lengths of Direction.
type Ray struct{ Origin, Direction Vec3 }
