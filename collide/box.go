package collide

import "math"

// Box is a box of any orientation. Its sides are parallel to the axes of the coordinates turned by
// Rotation. In 2D, use [NewBox2D].
type Box struct {
	Center   Vec3 // metres
	Half     Vec3 // half of the side lengths, metres, >= 0
	Rotation Quat // zero value: parallel to the axes
}

// NewBox2D returns the box of a 2D game with the given half widths, turned from X towards Y by
// radians. It reaches so far along Z that contacts always lie in the plane z = 0.
func NewBox2D(center Vec3, halfX, halfY, radians float64) Box {
	b := Box{Center: center, Half: Vec3{halfX, halfY, depth2D(math.Abs(halfX) + math.Abs(halfY))}}
	if radians != 0 {
		b.Rotation = RotationBy(Vec3{Z: radians})
	}
	return b
}

// depth2D returns half the extent along Z of a 2D shape of the given extent: a power of two above
// it. So the direction in which two 2D shapes overlap least is never Z, and no rounding occurs.
func depth2D(extent float64) float64 {
	_, exponent := math.Frexp(extent)
	return math.Ldexp(1, exponent+1)
}

// Axes returns the vectors from the centre to the middle of the sides, for sides X, Y and Z. They
// are rounded so that the box's corners are exact sums of them, to 2^-50 of the box's size; what
// collides is exactly that box.
func (b Box) Axes() [3]Vec3 {
	r := [3]Vec3{{X: b.Half.X}, {Y: b.Half.Y}, {Z: b.Half.Z}}
	if b.Rotation == (Quat{}) {
		return r
	}
	for k := range r {
		r[k] = b.Rotation.Rotate(r[k])
	}
	r[0].X, r[1].X, r[2].X = exactSummands(r[0].X, r[1].X, r[2].X)
	r[0].Y, r[1].Y, r[2].Y = exactSummands(r[0].Y, r[1].Y, r[2].Y)
	r[0].Z, r[1].Z, r[2].Z = exactSummands(r[0].Z, r[1].Z, r[2].Z)
	return r
}

// exactSummands rounds a, b and c to multiples of one power of two, such that all sums ±a±b±c are
// exact. If only one of them isn't zero, nothing is rounded.
func exactSummands(a, b, c float64) (x, y, z float64) {
	if a == 0 && b == 0 || b == 0 && c == 0 || c == 0 && a == 0 {
		return a, b, c
	}
	// Adding 3·2^k, for a sum of sizes of at most 2^k, rounds to multiples of 2^(k-51).
	_, k := math.Frexp(math.Abs(a) + math.Abs(b) + math.Abs(c))
	big := math.Ldexp(3, k)
	return (a + big) - big, (b + big) - big, (c + big) - big
}

// Bounds returns the smallest box parallel to the axes that contains b, enlarged by a few ulps
// because of rounding.
func (b Box) Bounds() AABB {
	r := b.Axes()
	e := r[0].absolute().Add(r[1].absolute()).Add(r[2].absolute())
	e = e.Add(b.Center.absolute().Add(e).Scale(0x1p-50))
	return AABB{b.Center.Sub(e), b.Center.Add(e)}
}

// Corners returns the eight corners relative to the centre. Bits 0, 1 and 2 of the index are set
// for the positive side along X, Y and Z.
func (b Box) Corners() [8]Vec3 {
	r := b.Axes()
	var c [8]Vec3
	for i := range c {
		s := [3]float64{-1, -1, -1}
		for k := range s {
			if i>>k&1 == 1 {
				s[k] = 1
			}
		}
		c[i] = r[0].Scale(s[0]).Add(r[1].Scale(s[1])).Add(r[2].Scale(s[2]))
	}
	return c
}

// ClosestPoint returns the point of b nearest to p. For p inside b that is p itself.
func (b Box) ClosestPoint(p Vec3) Vec3 { return closestPoint(b, p) }

// Turned returns b turned by q around the origin.
func (b Box) Turned(q Quat) Box { return Box{q.Rotate(b.Center), b.Half, q.Mul(b.Rotation)} }
