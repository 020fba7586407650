package collide

// Sphere is a ball. In 2D it is a circle in the plane z = 0.
type Sphere struct {
	Center Vec3
	Radius float64 // metres, >= 0; a sphere of radius 0 is a point
}

// Plane is the set of points p with Normal·p = Distance. It has a front, where the normal points,
// and a back.
type Plane struct {
	Normal   Vec3    // unit length
	Distance float64 // metres from the origin along Normal; negative when the origin is in front
}

// SignedDistance returns how far p is in front of the plane, negative behind it, in metres.
func (p Plane) SignedDistance(point Vec3) float64 { return p.Normal.Dot(point) - p.Distance }

// Segment is the straight line from A to B. A and B may coincide.
type Segment struct{ A, B Vec3 }

// Triangle is the flat surface between three corners. Its front is the side from which A, B, C run counter-clockwise.
type Triangle struct{ A, B, C Vec3 }

// AABB is a box with sides along the axes. It is empty where a component of Min exceeds that of Max.
type AABB struct{ Min, Max Vec3 }

// Ray is a half-line: the points Origin + t·Direction for t >= 0. Direction need not be of unit
// length; times and distances along the ray count in its lengths.
type Ray struct{ Origin, Direction Vec3 }
