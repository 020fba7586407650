package partition

import "github.com/dango-physics/dango/collide"

// Box is a box of the partition, with coordinates in metres. It may extend to infinity. Points on
// its lower faces belong to it, points on its upper faces to the box beyond.
type Box struct{ Lo, Hi [3]float64 }

// Contains reports whether x is in the box.
func (b *Box) Contains(x *collide.Vec3) bool {
	return b.Lo[0] <= x.X && x.X < b.Hi[0] && b.Lo[1] <= x.Y && x.Y < b.Hi[1] && b.Lo[2] <= x.Z && x.Z < b.Hi[2]
}

// Outside returns how far x is outside of the box, in metres: the largest distance along an axis.
// It is negative inside of the box, where it is the distance to the nearest face.
func (b *Box) Outside(x *collide.Vec3) float64 {
	d := max(b.Lo[0]-x.X, x.X-b.Hi[0], b.Lo[1]-x.Y, x.Y-b.Hi[1])
	return max(d, b.Lo[2]-x.Z, x.Z-b.Hi[2])
}
