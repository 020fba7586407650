package collide

import "math"

// maxInput is the largest coordinate, distance, radius or speed that sweeps accept, 1.8e72.
// Discriminants multiply four lengths and speeds, so larger values could overflow. They are treated
// like infinities and give Miss.
const maxInput = 0x1p240

// minSpeed is the relative speed below which shapes count as at rest relative to each other,
// 5.7e-73. The squares of smaller speeds could underflow.
const minSpeed = 0x1p-240

// termError bounds the error of a sum of three products of differences, relative to the sum of the
// absolute values of the terms. Each term passes through at most six roundings of half an ulp: two
// differences, a product, two sums, and one more sum or difference with another such term. Two more
// are a safety margin. If it were smaller, an uncertain sign could go unnoticed in the float64
// path; if it were larger, more cases would take the slower twofold path.
const termError = 8 * 0x1p-53

// within reports whether the absolute values of v's components are at most limit. NaN gives false.
func (a Vec3) within(limit float64) bool {
	return math.Abs(a.X) <= limit && math.Abs(a.Y) <= limit && math.Abs(a.Z) <= limit
}

// within reports whether the absolute values of q's components are at most limit. NaN gives false.
func (a Quat) within(limit float64) bool {
	return Vec3{a.X, a.Y, a.Z}.within(limit) && math.Abs(a.W) <= limit
}

// absDot returns the sum of the absolute values of the terms of a·b, which bounds the error of
// a.Dot(b).
func (a Vec3) absDot(b Vec3) float64 {
	return math.Abs(float64(a.X*b.X)) + math.Abs(float64(a.Y*b.Y)) + math.Abs(float64(a.Z*b.Z))
}
