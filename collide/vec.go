package collide

import "math"

// Vec3 is a point or a direction in space, right-handed. In 2D games Z stays 0.
//
// Every product in its methods is rounded on its own, so that a build which could fuse a product and
// a sum (arm64, riscv64, amd64 with GOAMD64=v3, ...) gives the same bits as one which can't.
// docs/numerics.md has the whole rule.
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

// AddScaled returns a + s·b: where a point a is after s seconds at velocity b.
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

// LengthSquared returns a·a. It overflows to +Inf where a component is beyond about 1e154.
func (a Vec3) LengthSquared() float64 { return a.Dot(a) }

// Length returns |a|. Components beyond about 1e154 give +Inf, those below about 1e-162 give 0;
// [Vec3.Normalized] has neither limit.
func (a Vec3) Length() float64 { return math.Sqrt(a.Dot(a)) }

// Distance returns |a - b|.
func (a Vec3) Distance(b Vec3) float64 { return a.Sub(b).Length() }

// Lerp returns a at t = 0, b at t = 1, and the straight line between and beyond.
func (a Vec3) Lerp(b Vec3, t float64) Vec3 { return a.AddScaled(t, b.Sub(a)) }

// Normalized returns a / |a| and true, or the zero vector and false where a has no direction: it is
// zero, or a component is NaN or infinite. It neither overflows nor underflows.
func (a Vec3) Normalized() (Vec3, bool) {
	largest := max(math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z))
	if !(largest > 0 && largest <= math.MaxFloat64) {
		return Vec3{}, false
	}
	// A power of two scales exactly, so in the ordinary range this changes no digit.
	if largest > 0x1p500 {
		a = a.Scale(0x1p-600)
	} else if largest < 0x1p-500 {
		a = a.Scale(0x1p600)
	}
	l := a.Length()
	return Vec3{a.X / l, a.Y / l, a.Z / l}, true
}

// IsFinite reports whether no component is NaN or infinite.
func (a Vec3) IsFinite() bool {
	// x-x is 0 for finite x and NaN for the rest.
	return a.X-a.X == 0 && a.Y-a.Y == 0 && a.Z-a.Z == 0
}
