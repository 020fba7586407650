package collide

import "math"

// Cylinder is a solid cylinder with flat ends, whose centres are A and B. They must differ.
//
// Spheres and rays can be swept against cylinders, but they are no [Convex] shapes: their rims are
// round. For other shapes use a [Hull] of points on both rims, or a [Capsule].
type Cylinder struct {
	A, B   Vec3
	Radius float64 // metres, >= 0
}

// cylinderFrame is a cylinder prepared for queries: its axis has unit length.
type cylinderFrame struct {
	axis           Vec3
	length, radius float64
}

func (c Cylinder) frame() (cylinderFrame, bool) {
	e := twoDiff3(c.B, c.A).rounded()
	axis, ok := e.Normalized()
	return cylinderFrame{axis, e.Length(), c.Radius}, ok && c.A.within(maxInput) && c.B.within(maxInput) &&
		c.Radius >= 0 && c.Radius <= maxInput
}

// nearest returns the distance of p from the cylinder's surface, negative inside, and the direction
// in which it grows fastest. p is relative to A.
func (f *cylinderFrame) nearest(p Vec3) (distance float64, normal Vec3) {
	height := p.Dot(f.axis)
	off := p.AddScaled(-height, f.axis)
	around := off.Length()
	outward, ok := off.Normalized()
	if !ok {
		outward, _ = perpendicular(f.axis).Normalized()
	}
	end := f.axis // the normal of the nearer end
	above := height - f.length
	if -height > above {
		above, end = -height, end.Neg()
	}
	beside := around - f.radius
	switch {
	case above > 0 && beside > 0: // at the rim
		distance = math.Sqrt(float64(above*above) + float64(beside*beside))
		normal, _ = end.Scale(above).AddScaled(beside, outward).Normalized()
		return distance, normal
	case above > beside:
		return above, end
	}
	return beside, outward
}

// SweepSphereCylinder returns the first contact of a, moving at va, with the cylinder b, moving at
// vb, within horizon seconds: with its side, an end or a rim. The rules are those of
// [SweepSphereSphere], with the distance from the cylinder; inside of it, the nearer of side and
// ends decides. CenterB is b.A at the time of contact.
//
// A rim is reached after a time that solves an equation of fourth degree. It is found by Newton's
// method: the distance from a convex body is a convex function of time, so each step ends before
// the contact or at it. At time 0, touching is decided to 2^-46 of the sizes.
func SweepSphereCylinder(a Sphere, va Vec3, b Cylinder, vb Vec3, horizon float64) (Contact, Outcome) {
	f, ok := b.frame()
	if !ok || !(a.Radius >= 0 && a.Radius <= maxInput && horizon >= 0) ||
		!a.Center.within(maxInput) || !va.within(maxInput) || !vb.within(maxInput) {
		return Contact{}, Miss
	}
	p, v := twoDiff3(a.Center, b.A), twoDiff3(va, vb)
	speed := v.rounded().Length()
	if v.rounded().MaxAbs() < minSpeed {
		v, speed = twofold3{}, 0 // only an overlap is possible
	}
	least := float64(0x1p-48 * speed) // slower than that isn't an approach
	t := 0.0
	for step := 1; ; step++ {
		at := p.add(v.times(t)).rounded()
		distance, normal := f.nearest(at)
		gap, rate := distance-a.Radius, normal.Dot(v.rounded())
		slack := float64(0x1p-46 * (at.SumAbs() + f.length + f.radius + a.Radius))
		switch {
		case rate > least:
			return Contact{}, Miss
		case gap < -slack && t == 0:
			return cylinderContact(a, va, b, vb, 0, normal, gap), Overlap
		case rate >= -least:
			return Contact{}, Miss
		case gap <= 0 || t == 0 && gap <= slack || step == maxCylinderSteps:
			return cylinderContact(a, va, b, vb, t, normal, 0), Hit
		}
		next := t + gap/-rate
		if !(next <= horizon) {
			return Contact{}, Miss
		}
		if next == t {
			return cylinderContact(a, va, b, vb, t, normal, 0), Hit
		}
		t = next
	}
}

// maxCylinderSteps limits Newton's method. It doubles the digits in each step, except near a graze,
// where a step halves the gap: after 60 steps nothing but rounding is left of it. Where that is
// positive, the time may grow by it in each step, so that the steps have no other end.
const maxCylinderSteps = 100

func cylinderContact(a Sphere, va Vec3, b Cylinder, vb Vec3, t float64, normal Vec3, gap float64) Contact {
	c := Contact{
		Time: t, Normal: normal.Add(Vec3{}),
		CenterA: a.Center.AddScaled(t, va), CenterB: b.A.AddScaled(t, vb),
	}
	c.Point = c.CenterA.AddScaled(-a.Radius-gap, normal)
	return c
}

// times returns s·a.
func (a twofold3) times(s float64) twofold3 {
	f := twofold{s, 0}
	return twofold3{a.x.mul(f), a.y.mul(f), a.z.mul(f)}
}

// SignedDistance returns the distance of p from b's surface, negative inside of it. It is NaN for a
// cylinder without length.
func (b Cylinder) SignedDistance(p Vec3) float64 {
	f, ok := b.frame()
	if !ok {
		return math.NaN()
	}
	d, _ := f.nearest(p.Sub(b.A))
	return d
}

// Nearest returns the distance of p from b's surface, negative inside of it, and the unit normal in
// which it grows. It returns false for a cylinder without length.
func (b Cylinder) Nearest(p Vec3) (distance float64, normal Vec3, ok bool) {
	f, ok := b.frame()
	if !ok {
		return math.NaN(), Vec3{Y: 1}, false
	}
	distance, normal = f.nearest(p.Sub(b.A))
	return distance, normal, true
}

// ClosestPoint returns the point of b nearest to p. For p inside b that is p itself.
func (b Cylinder) ClosestPoint(p Vec3) Vec3 {
	f, ok := b.frame()
	if !ok {
		return b.A
	}
	d, normal := f.nearest(p.Sub(b.A))
	if d <= 0 {
		return p
	}
	return p.AddScaled(-d, normal)
}

// OverlapSphereCylinder reports whether the interiors of a and b share a point. Touching isn't an
// overlap, to an accuracy of a few ulps. Invalid input gives false.
func OverlapSphereCylinder(a Sphere, b Cylinder) bool {
	return a.Radius >= 0 && a.Radius <= maxInput && b.SignedDistance(a.Center) < a.Radius
}

// Bounds returns the smallest box that contains b, enlarged by a few ulps because of rounding.
func (b Cylinder) Bounds() AABB {
	f, _ := b.frame()
	// A disc perpendicular to the axis n reaches r·√(1 - n·n) along each coordinate axis.
	reach := func(n float64) float64 { return float64(b.Radius * math.Sqrt(max(0, 1-float64(n*n)))) }
	e := Vec3{reach(f.axis.X), reach(f.axis.Y), reach(f.axis.Z)}
	e = e.Add(b.A.absolute().Add(b.B.absolute()).Add(Vec3{b.Radius, b.Radius, b.Radius}).Scale(0x1p-48))
	box := NewAABB(b.A, b.B)
	return AABB{box.Min.Sub(e), box.Max.Add(e)}
}

// RayCastCylinder returns the point where r enters b. The rules are those of [RayCastSphere].
func RayCastCylinder(r Ray, b Cylinder, horizon float64) (Contact, Outcome) {
	c, outcome := SweepSphereCylinder(Sphere{Center: r.Origin}, r.Direction, b, Vec3{}, horizon)
	if f, ok := b.frame(); outcome == Miss && ok && r.Direction.within(maxInput) && horizon >= 0 {
		if d, normal := f.nearest(r.Origin.Sub(b.A)); d < 0 { // it starts inside and leaves
			c, outcome = Contact{Normal: normal, CenterA: r.Origin, CenterB: b.A}, Overlap
		}
	}
	c.Point = c.CenterA
	return c, outcome
}

// Prism returns a prism with n sides, at least 3, that contains b: its sides touch the cylinder's.
// It serves where a convex shape is needed. It is up to 1/cos(π/n) times as wide, 0.5 % for 32
// sides. The errors are those of [NewHull].
func (b Cylinder) Prism(n int) (*Hull, error) {
	f, ok := b.frame()
	if !ok || n < 3 {
		return nil, ErrTooFewCorners
	}
	x, _ := perpendicular(f.axis).Normalized()
	y := f.axis.Cross(x)
	_, wide := sincos(math.Pi / float64(n))
	points := make([]Vec3, 0, 2*n)
	for k := range n {
		sin, cos := sincos(2 * math.Pi * float64(k) / float64(n))
		off := x.Scale(float64(b.Radius*cos/wide)).AddScaled(float64(b.Radius*sin/wide), y)
		points = append(points, b.A.Add(off), b.B.Add(off))
	}
	return NewHull(points)
}
