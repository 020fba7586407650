package collide

import "math"

// NewAABB returns the smallest box that contains the points. Without points the box is empty.
func NewAABB(points ...Vec3) AABB {
	inf := math.Inf(1)
	b := AABB{Vec3{inf, inf, inf}, Vec3{-inf, -inf, -inf}}
	for _, p := range points {
		b = b.Union(AABB{p, p})
	}
	return b
}

// Union returns the smallest box that contains b and c.
func (b AABB) Union(c AABB) AABB {
	return AABB{
		Vec3{min(b.Min.X, c.Min.X), min(b.Min.Y, c.Min.Y), min(b.Min.Z, c.Min.Z)},
		Vec3{max(b.Max.X, c.Max.X), max(b.Max.Y, c.Max.Y), max(b.Max.Z, c.Max.Z)},
	}
}

// Grow returns b with every side moved outwards by margin metres. A negative margin moves the sides
// inwards and may make the box empty.
func (b AABB) Grow(margin float64) AABB {
	m := Vec3{margin, margin, margin}
	return AABB{b.Min.Sub(m), b.Max.Add(m)}
}

// Translate returns b moved by d, in metres.
func (b AABB) Translate(d Vec3) AABB { return AABB{b.Min.Add(d), b.Max.Add(d)} }

// Overlaps reports whether the boxes share at least one point. Boxes that only touch overlap, as a
// broad phase needs it. An empty box, and a box with a NaN, overlaps nothing.
func (b AABB) Overlaps(c AABB) bool {
	return b.Min.X <= c.Max.X && c.Min.X <= b.Max.X &&
		b.Min.Y <= c.Max.Y && c.Min.Y <= b.Max.Y &&
		b.Min.Z <= c.Max.Z && c.Min.Z <= b.Max.Z && !b.IsEmpty() && !c.IsEmpty()
}

// Contains reports whether p is inside b or on its surface.
func (b AABB) Contains(p Vec3) bool { return b.Overlaps(AABB{p, p}) }

// IsEmpty reports whether b contains no point: a component of Min exceeds that of Max, or is NaN.
func (b AABB) IsEmpty() bool {
	return !(b.Min.X <= b.Max.X && b.Min.Y <= b.Max.Y && b.Min.Z <= b.Max.Z)
}

// Center returns the centre of b. It is meaningless for an empty box.
func (b AABB) Center() Vec3 { return b.Min.Scale(0.5).Add(b.Max.Scale(0.5)) }

// Size returns the side lengths of b, in metres. An empty box has a negative component.
func (b AABB) Size() Vec3 { return b.Max.Sub(b.Min) }

// ClosestPoint returns the point of b nearest to p. For p inside b that is p itself.
func (b AABB) ClosestPoint(p Vec3) Vec3 {
	return Vec3{
		min(max(p.X, b.Min.X), b.Max.X), min(max(p.Y, b.Min.Y), b.Max.Y), min(max(p.Z, b.Min.Z), b.Max.Z),
	}
}

// OverlapSphereAABB reports whether b has a point strictly inside a. Touching isn't an overlap.
// Invalid input gives false.
func OverlapSphereAABB(a Sphere, b AABB) bool {
	return !b.IsEmpty() && b.Min.within(maxInput) && b.Max.within(maxInput) &&
		OverlapSpherePoint(a, b.ClosestPoint(a.Center))
}

// Bounds returns a box that contains s. It is the smallest such box, enlarged by a few ulps because
// of rounding.
func (s Sphere) Bounds() AABB { return SweptAABB(s, Vec3{}, 0) }

// SweptAABB returns a box that contains s at every time from 0 to seconds while s moves at velocity
// v (metres per second). The box is never too small: each side is moved outwards by more than the
// rounding error of its computation, a few ulps.
func SweptAABB(s Sphere, v Vec3, seconds float64) AABB {
	b := AABB{s.Center, s.Center}
	b = b.Union(b.Translate(v.Scale(seconds))).Grow(s.Radius)
	// A side is center + v·t ± r. That takes three roundings, each of at most half an ulp of the
	// sum of the absolute values.
	e := s.Center.absolute().Add(v.Scale(seconds).absolute()).Add(Vec3{s.Radius, s.Radius, s.Radius}).Scale(0x1p-50)
	return AABB{b.Min.Sub(e), b.Max.Add(e)}
}

// absolute returns the absolute values of a's components.
func (a Vec3) absolute() Vec3 { return Vec3{math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z)} }
