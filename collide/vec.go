package collide

import "math"

// Vec3 is a point or a vector in right-handed coordinates. In 2D games Z is 0.
//
// Its methods round every product separately. So builds that could fuse a product and a sum (arm64,
// riscv64, amd64 with GOAMD64=v3, ...) give the same bits as those that can't; see
// docs/numerics.md.
type Vec3 struct{ X, Y, Z float64 }

// Add returns a + b.
func (a Vec3) Add(b Vec3) Vec3 { return Vec3{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }

// Sub returns a - b.
func (a Vec3) Sub(b Vec3) Vec3 { return Vec3{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }

// Neg returns -a.
func (a Vec3) Neg() Vec3 { return Vec3{-a.X, -a.Y, -a.Z} }

// Scale returns s·a.
func (a Vec3) Scale(s float64) Vec3 {
	return Vec3{float64(a.X * s), float64(a.Y * s), float64(a.Z * s)}
}

// AddScaled returns a + s·b: the position after s seconds of a point at a with velocity b.
func (a Vec3) AddScaled(s float64, b Vec3) Vec3 {
	return Vec3{a.X + float64(b.X*s), a.Y + float64(b.Y*s), a.Z + float64(b.Z*s)}
}

// Dot returns a·b.
func (a Vec3) Dot(b Vec3) float64 {
	return float64(a.X*b.X) + float64(a.Y*b.Y) + float64(a.Z*b.Z)
}

// Cross returns a×b.
func (a Vec3) Cross(b Vec3) Vec3 {
	return Vec3{
		float64(a.Y*b.Z) - float64(a.Z*b.Y),
		float64(a.Z*b.X) - float64(a.X*b.Z),
		float64(a.X*b.Y) - float64(a.Y*b.X),
	}
}

// MulElem returns the products of the components of a and b.
func (a Vec3) MulElem(b Vec3) Vec3 {
	return Vec3{float64(a.X * b.X), float64(a.Y * b.Y), float64(a.Z * b.Z)}
}

// Component returns a.X, a.Y or a.Z for axis 0, 1 or 2.
func (a Vec3) Component(axis int) float64 {
	switch axis {
	case 0:
		return a.X
	case 1:
		return a.Y
	}
	return a.Z
}

// SumAbs returns the sum of the absolute values of a's components. It is at least |a|, and scales
// error bounds where a square root would be too slow.
func (a Vec3) SumAbs() float64 { return math.Abs(a.X) + math.Abs(a.Y) + math.Abs(a.Z) }

// MaxAbs returns the largest absolute value of a's components. It is at most |a|.
func (a Vec3) MaxAbs() float64 { return max(math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z)) }

// SameBits reports whether a and b have the same bits. Unlike a == b it distinguishes the signs of
// zeros, and a NaN is the same as itself.
func (a Vec3) SameBits(b Vec3) bool {
	return (math.Float64bits(a.X)^math.Float64bits(b.X))|(math.Float64bits(a.Y)^math.Float64bits(b.Y))|
		(math.Float64bits(a.Z)^math.Float64bits(b.Z)) == 0
}

// LengthSquared returns a·a. It is +Inf if a component exceeds about 1e154.
func (a Vec3) LengthSquared() float64 { return a.Dot(a) }

// Length returns |a|. Components above about 1e154 give +Inf, and components below about 1e-162
// give 0. [Vec3.Normalized] doesn't have these limits.
func (a Vec3) Length() float64 { return math.Sqrt(a.Dot(a)) }

// Distance returns |a - b|.
func (a Vec3) Distance(b Vec3) float64 { return a.Sub(b).Length() }

// Lerp returns a + t·(b - a): a for t = 0, b (up to rounding) for t = 1. t may be outside 0 to 1.
func (a Vec3) Lerp(b Vec3, t float64) Vec3 { return a.AddScaled(t, b.Sub(a)) }

// Normalized returns a / |a| and true. It returns the zero vector and false if a is zero or has a
// NaN or infinite component. It neither overflows nor underflows.
func (a Vec3) Normalized() (Vec3, bool) {
	if d := a.LengthSquared(); d > 0x1p-900 && d < 0x1p900 {
		l := math.Sqrt(d)
		return Vec3{a.X / l, a.Y / l, a.Z / l}, true
	}
	return a.normalizedByScaling()
}

// normalizedByScaling is Normalized for vectors whose squared length may be out of range.
func (a Vec3) normalizedByScaling() (Vec3, bool) {
	m := max(math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z))
	if !(m > 0 && m <= math.MaxFloat64) {
		return Vec3{}, false
	}
	// Scaling by a power of two is exact.
	if m > 0x1p500 {
		a = a.Scale(0x1p-600)
	} else if m < 0x1p-500 {
		a = a.Scale(0x1p600)
	}
	l := a.Length()
	return Vec3{a.X / l, a.Y / l, a.Z / l}, true
}

// IsFinite reports whether no component is NaN or infinite.
func (a Vec3) IsFinite() bool {
	// x - x is 0 for finite x and NaN otherwise.
	return a.X-a.X == 0 && a.Y-a.Y == 0 && a.Z-a.Z == 0
}
