package collide

import "math"

// largest is the largest coordinate, distance, radius or speed that the sweeps work with, 1.8e72. The
// discriminants multiply four lengths and speeds, so anything larger might overflow; such input is
// treated like an infinite one and gives Miss.
const largest = 0x1p240

// slowest is the largest relative speed that counts as rest, 5.7e-73: the squares of anything slower
// might underflow.
const slowest = 0x1p-240

// termSlack bounds the error of a sum of three products of differences, relative to the sum of the
// |terms|: each term passes through at most six roundings of half an ulp (two differences, a product,
// two sums, one more sum or difference with another such term), and two are for good measure. Smaller,
// and a cheap answer might be wrong without being noticed; larger only sends more cases to the slow
// and exact formula.
const termSlack = 8 * 0x1p-53

// within reports whether no component of v is NaN or beyond limit.
func (a Vec3) within(limit float64) bool {
	return math.Abs(a.X) <= limit && math.Abs(a.Y) <= limit && math.Abs(a.Z) <= limit
}

// largestPart returns the largest |component| of a.
func (a Vec3) largestPart() float64 {
	return max(math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z))
}

// absDot returns the sum of the |terms| of a·b, by which the error of a.Dot(b) is bounded.
func (a Vec3) absDot(b Vec3) float64 {
	return math.Abs(float64(a.X*b.X)) + math.Abs(float64(a.Y*b.Y)) + math.Abs(float64(a.Z*b.Z))
}
