package collide

import "math"

// Quat is a rotation as a unit quaternion W + Xi + Yj + Zk. The zero value stands for no rotation,
// so a component that nobody filled in is upright.
type Quat struct{ X, Y, Z, W float64 }

// RotationAround returns the rotation by radians around axis, counter-clockwise when looking against
// it. A zero axis gives no rotation. It uses sine and cosine, whose last digit may differ from one
// processor to another: set rotations up with it, but not inside a step that must give the same bits everywhere.
func RotationAround(axis Vec3, radians float64) Quat {
	n, ok := axis.Normalized()
	if !ok {
		return Quat{}
	}
	n = n.Scale(math.Sin(radians / 2))
	return Quat{n.X, n.Y, n.Z, math.Cos(radians / 2)}
}

// Rotate returns v turned by q, which must be of unit length or zero.
func (q Quat) Rotate(v Vec3) Vec3 {
	if q == (Quat{}) {
		return v
	}
	// v + 2w(u×v) + 2u×(u×v), the product q v q* written out.
	u := Vec3{q.X, q.Y, q.Z}
	t := u.Cross(v).Scale(2)
	return v.AddScaled(q.W, t).Add(u.Cross(t))
}

// Mul returns the rotation that turns by b first and by a after it.
func (a Quat) Mul(b Quat) Quat {
	if a == (Quat{}) {
		return b
	}
	if b == (Quat{}) {
		return a
	}
	u, v := Vec3{a.X, a.Y, a.Z}, Vec3{b.X, b.Y, b.Z}
	w := u.Cross(v).AddScaled(a.W, v).AddScaled(b.W, u)
	return Quat{w.X, w.Y, w.Z, float64(a.W*b.W) - u.Dot(v)}
}

// LengthSquared returns the sum of the squares of q's parts: 1 for a rotation.
func (q Quat) LengthSquared() float64 {
	return Vec3{q.X, q.Y, q.Z}.LengthSquared() + float64(q.W*q.W)
}
