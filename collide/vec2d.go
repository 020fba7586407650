package collide

import "math"

// The functions in this file are for 2D games, which use the plane z = 0. There is no vector type
// of its own for them: a point or vector of a 2D game is a [Vec3] with Z = 0, and all its methods
// work.
//
// Angles are in radians and go from X towards Y: clockwise on a screen whose Y points down, as
// Ebitengine's does, and counter-clockwise otherwise.

// Vec2 returns the point or vector (x, y) of a 2D game: a [Vec3] with Z = 0.
func Vec2(x, y float64) Vec3 { return Vec3{X: x, Y: y} }

// Polar2D returns the 2D vector of the given length in the direction of an angle in radians. The
// result has the same bits on all platforms.
func Polar2D(length, radians float64) Vec3 {
	return Rotation2D(radians).Rotate(Vec3{X: length})
}

// Angle2D returns the direction of a 2D vector in radians, -π to π, and 0 for the zero vector. Its
// last digits may differ between processors: use it for drawing, and compare directions with
// [Vec3.Dot] in code whose results must be the same everywhere.
func (a Vec3) Angle2D() float64 { return math.Atan2(a.Y, a.X) }

// Rotated2D returns a 2D vector turned by an angle in radians. The result has the same bits on all
// platforms.
func (a Vec3) Rotated2D(radians float64) Vec3 { return Rotation2D(radians).Rotate(a) }

// Perp2D returns a 2D vector turned by a quarter turn from X towards Y: (-Y, X). It is exact.
func (a Vec3) Perp2D() Vec3 { return Vec3{X: -a.Y, Y: a.X, Z: a.Z} }

// Cross2D returns a.X·b.Y - a.Y·b.X: the area that two 2D vectors span, positive if b lies from a
// in the direction from X towards Y.
func (a Vec3) Cross2D(b Vec3) float64 { return float64(a.X*b.Y) - float64(a.Y*b.X) }

// Rotation2D returns the rotation of a 2D game by an angle in radians: about the Z axis, from X
// towards Y. The result has the same bits on all platforms.
func Rotation2D(radians float64) Quat { return RotationBy(Vec3{Z: radians}) }

// Angle2D returns the angle in radians by which a rotation about the Z axis turns, -π to π. Its
// last digits may differ between processors, so use it for drawing only.
func (q Quat) Angle2D() float64 {
	if q == (Quat{}) {
		return 0
	}
	if q.W < 0 { // q and -q are the same rotation
		q.Z, q.W = -q.Z, -q.W
	}
	return 2 * math.Atan2(q.Z, q.W)
}
