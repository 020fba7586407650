package collide

import "math"

// Orientation returns on which side of the plane through a, b and c the point d lies: 1 if d is in
// front, where a, b, c run counter-clockwise, -1 if d is behind, and 0 if the four points lie
// exactly in one plane.
//
// The sign is exact for coordinates whose products neither overflow nor underflow: magnitudes of 0,
// or from 1e-72 to 1e72. A float64 evaluation with an error bound decides almost all cases, one
// with twice the digits most of the others, and expansion arithmetic the rest (J. R. Shewchuk,
// "Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997).
func Orientation(a, b, c, d Vec3) int {
	u, v, w := b.Sub(d), a.Sub(d), c.Sub(d)
	yz := float64(v.Y*w.Z) - float64(v.Z*w.Y)
	zx := float64(v.Z*w.X) - float64(v.X*w.Z)
	xy := float64(v.X*w.Y) - float64(v.Y*w.X)
	det := float64(u.X*yz) + float64(u.Y*zx) + float64(u.Z*xy)
	size := float64((math.Abs(float64(v.Y*w.Z))+math.Abs(float64(v.Z*w.Y)))*math.Abs(u.X)) +
		float64((math.Abs(float64(v.Z*w.X))+math.Abs(float64(v.X*w.Z)))*math.Abs(u.Y)) +
		float64((math.Abs(float64(v.X*w.Y))+math.Abs(float64(v.Y*w.X)))*math.Abs(u.Z))
	// Shewchuk's bound is (7 + 56u)u times the size, u = 2^-53.
	if bound := float64(0x1p-50 * size); det > bound || det < -bound {
		return sign(det)
	}
	if size == 0 {
		return 0 // each product has a factor 0, as on a level floor
	}
	return orientationOfFlat(a, b, c, d, size)
}

// orientationOfFlat is Orientation for points that are nearly in one plane, such as corners of
// terrain with a constant slope. size is that of the products of coordinates.
func orientationOfFlat(a, b, c, d Vec3, size float64) int {
	u, v, w := twoDiff3(b, d), twoDiff3(a, d), twoDiff3(c, d)
	if u.isInPlane(v, w) || v.isInPlane(u, w) || w.isInPlane(u, v) {
		return 0
	}
	// The products have relative errors of 2^-103, and sums of cancelTolerance.
	if det, bound := u.dot(v.cross(w)).hi, float64(0x1p-94*size); det > bound || det < -bound {
		return sign(det)
	}
	return orientationExact(a, b, c, d)
}

// isInPlane reports whether u is parallel to an axis and v and w differ by nothing in the other two
// coordinates, so that the three are in one plane. Terrain that is level along an axis has many
// such.
func (u twofold3) isInPlane(v, w twofold3) bool {
	zero := twofold{}
	x, y, z := v.x == w.x, v.y == w.y, v.z == w.z
	return u.x == zero && x && (u.y == zero && y || u.z == zero && z) || u.y == zero && u.z == zero && y && z
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// orientationExact is Orientation with expansions: sums of floats that don't overlap, the largest
// last, whose terms add up to the value without rounding. Terms that are zero are left out, so that
// coordinates with few digits, as on a grid, take few operations.
func orientationExact(a, b, c, d Vec3) int {
	var u, v, w [3]shortExpansion
	for k := range 3 {
		at := d.Component(k)
		u[k] = shortExpansionOf(twoDiff(b.Component(k), at))
		v[k] = shortExpansionOf(twoDiff(a.Component(k), at))
		w[k] = shortExpansionOf(twoDiff(c.Component(k), at))
	}
	var sum, minor, term expansion
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		minor.n = 0
		minor.addProduct(v[i], w[j], 1)
		minor.addProduct(v[j], w[i], -1)
		for _, f := range u[k].terms[:u[k].n] {
			term.setScaled(&minor, f)
			for _, x := range term.terms[:term.n] {
				sum.add(x)
			}
		}
	}
	if sum.n == 0 {
		return 0
	}
	return sign(sum.terms[sum.n-1])
}

// shortExpansion is an expansion of at most two terms.
type shortExpansion struct {
	terms [2]float64
	n     int
}

func shortExpansionOf(t twofold) shortExpansion {
	var p shortExpansion
	for _, x := range [2]float64{t.lo, t.hi} {
		if x != 0 {
			p.terms[p.n] = x
			p.n++
		}
	}
	return p
}

// expansion is an expansion with room for the determinant: a minor has at most 16 terms, six of
// them scaled by a float have at most 32 terms each.
type expansion struct {
	terms [200]float64
	n     int
}

// add adds x (Shewchuk's GROW-EXPANSION with zero elimination).
func (e *expansion) add(x float64) {
	m := 0
	for _, t := range e.terms[:e.n] {
		s := twoSum(x, t)
		if s.lo != 0 {
			e.terms[m] = s.lo
			m++
		}
		x = s.hi
	}
	if x != 0 {
		e.terms[m] = x
		m++
	}
	e.n = m
}

// addProduct adds s·a·b for s = 1 or -1.
func (e *expansion) addProduct(a, b shortExpansion, s float64) {
	for _, x := range a.terms[:a.n] {
		for _, y := range b.terms[:b.n] {
			p := twoProd(x, y)
			e.add(float64(s * p.lo))
			e.add(float64(s * p.hi))
		}
	}
}

// setScaled sets e to f·a.
func (e *expansion) setScaled(a *expansion, f float64) {
	e.n = 0
	for _, t := range a.terms[:a.n] {
		p := twoProd(t, f)
		e.add(p.lo)
		e.add(p.hi)
	}
}
