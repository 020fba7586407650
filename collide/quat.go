package collide

import "math"

// Quat is a rotation, represented by the unit quaternion W + Xi + Yj + Zk. The zero value stands
// for no rotation, so that a component without a rotation needs no initialization.
type Quat struct{ X, Y, Z, W float64 }

// RotationAround returns the rotation by an angle in radians around axis, counter-clockwise when
// the axis points at the viewer. The axis need not have unit length; a zero axis gives no rotation.
// The sine and cosine of package math are used, whose last bits depend on the processor: use it to
// set up a scene, and [RotationBy] in a step whose results must be bit-identical on all platforms.
func RotationAround(axis Vec3, radians float64) Quat {
	n, ok := axis.Normalized()
	if !ok {
		return Quat{}
	}
	n = n.Scale(math.Sin(radians / 2))
	return Quat{n.X, n.Y, n.Z, math.Cos(radians / 2)}
}

// RotationBy returns the rotation by |v| radians around v, counter-clockwise when v points at the
// viewer. A body with angular velocity w (rad/s) turns by RotationBy(w·t) in t seconds. The result
// has the same bits on all platforms, and unit length up to 2^-51. Any number of turns is accurate
// up to the rounding of |v|. A v without a finite length gives no rotation.
func RotationBy(v Vec3) Quat {
	angle := v.Length()
	if !(angle > 0 && angle <= math.MaxFloat64) {
		// The squared length underflows below 1e-162. Such angles are so small that the sine of the
		// half angle equals the half angle.
		if v.IsFinite() && angle == 0 {
			v = v.Scale(0.5)
			return Quat{v.X, v.Y, v.Z, 1}
		}
		return Quat{W: 1}
	}
	sin, cos := sincos(angle / 2)
	v = v.Scale(sin / angle)
	return Quat{v.X, v.Y, v.Z, cos}
}

// sincos returns the sine and the cosine of an angle x >= 0, in radians, with an error of about an
// ulp and the same bits on all platforms. Those of package math may be written in assembly or use
// fused instructions. Method and polynomials are those of Sun's fdlibm.
func sincos(x float64) (sin, cos float64) {
	const manyTurns = 1 << 20
	if x > manyTurns {
		// The rounding of 2π causes an error of at most 4e-17·x, which is less than the rounding of
		// x.
		x = math.Mod(x, 2*math.Pi)
	}
	// x = k·π/2 + r with |r| <= π/4. The three constants add up to π/2. The first two have 33 bits,
	// so that their products with k are exact.
	const (
		first  = 1.57079632673412561417
		second = 6.07710050630396597660e-11
		third  = 2.02226624879595063154e-21
	)
	k := math.Floor(float64(x*(2/math.Pi)) + 0.5)
	r := x - float64(k*first) - float64(k*second) - float64(k*third)
	z := float64(r * r)
	sin = polynomial(z,
		1.58969099521155010221e-10, -2.50507602534068634195e-08, 2.75573137070700676789e-06,
		-1.98412698298579493134e-04, 8.33333333332248946124e-03, -1.66666666666666324348e-01)
	sin = r + float64(float64(r*z)*sin)
	cos = polynomial(z,
		-1.13596475577881948265e-11, 2.08757232129817482790e-09, -2.75573143513906633035e-07,
		2.48015872894767294178e-05, -1.38888888888741095749e-03, 4.16666666666666019037e-02)
	cos = 1 - (float64(0.5*z) - float64(float64(z*z)*cos))
	switch int(k) & 3 {
	case 1:
		return cos, -sin
	case 2:
		return -sin, -cos
	case 3:
		return -cos, sin
	}
	return sin, cos
}

// polynomial returns (((((a·z + b)·z + c)·z + d)·z + e)·z + f.
func polynomial(z, a, b, c, d, e, f float64) float64 {
	p := float64(a*z) + b
	p = float64(p*z) + c
	p = float64(p*z) + d
	p = float64(p*z) + e
	return float64(p*z) + f
}

// Rotate returns v rotated by q, which must have unit length or be zero.
func (q Quat) Rotate(v Vec3) Vec3 {
	if q == (Quat{}) {
		return v
	}
	// The product q v q* in vector form: v + 2w(u×v) + 2u×(u×v).
	u := Vec3{q.X, q.Y, q.Z}
	t := u.Cross(v).Scale(2)
	return v.AddScaled(q.W, t).Add(u.Cross(t))
}

// Mul returns the rotation that rotates by b first and by a second.
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

// Normalized returns q scaled to unit length, which removes the rounding errors that accumulate in
// many products. A q without a direction gives the zero value, no rotation.
func (q Quat) Normalized() Quat {
	l := math.Sqrt(q.LengthSquared())
	if !(l > 0 && l <= math.MaxFloat64) {
		return Quat{}
	}
	return Quat{q.X / l, q.Y / l, q.Z / l, q.W / l}
}

// LengthSquared returns the sum of the squares of the components: 1 for a rotation.
func (q Quat) LengthSquared() float64 {
	return Vec3{q.X, q.Y, q.Z}.LengthSquared() + float64(q.W*q.W)
}
