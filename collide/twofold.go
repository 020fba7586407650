package collide

import "math"

// twofold is a number stored as the unevaluated sum hi + lo of two floats ("double-double"), with
// |lo| at most half an ulp of hi: about 106 bits. Sweeps use it when the error bound of the float64
// computation doesn't determine the outcome: near contact, at grazing angles and far away. It
// doesn't use fused multiply-add, so it needs no processor feature and gives the same bits on all
// platforms.
//
// It is built on Knuth's error-free sum and Dekker's error-free product (T. J. Dekker, "A
// floating-point technique for extending the available precision", 1971). Both are exact unless a
// product overflows or underflows, which maxInput and minSpeed prevent.
type twofold struct{ hi, lo float64 }

// twoSum returns a + b without rounding error.
func twoSum(a, b float64) twofold {
	s := a + b
	t := s - a
	return twofold{s, (a - (s - t)) + (b - t)}
}

// twoDiff returns a - b without rounding error.
func twoDiff(a, b float64) twofold { return twoSum(a, -b) }

// fastSum returns a + b without rounding error, for |a| >= |b| or a = 0.
func fastSum(a, b float64) twofold {
	s := a + b
	return twofold{s, b - (s - a)}
}

// split splits x into two parts of at most 26 bits each, so that products of parts are exact.
func split(x float64) (high, low float64) {
	c := float64(x * (1<<27 + 1))
	high = c - (c - x)
	return high, x - high
}

// twoProd returns a·b without rounding error.
func twoProd(a, b float64) twofold {
	p := float64(a * b)
	ah, al := split(a)
	bh, bl := split(b)
	e := float64(ah*bh) - p
	e += float64(ah * bl)
	e += float64(al * bh)
	e += float64(al * bl)
	return twofold{p, e}
}

func (a twofold) neg() twofold { return twofold{-a.hi, -a.lo} }

// add returns a + b with a relative error of at most 3·2^-106, also under cancellation. A sum that
// is smaller than cancelTolerance times its first term is set to 0.
func (a twofold) add(b twofold) twofold {
	s, t := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	s = fastSum(s.hi, s.lo+t.hi)
	s = fastSum(s.hi, s.lo+t.lo)
	if math.Abs(s.hi) <= float64(cancelTolerance*math.Abs(a.hi)) {
		return twofold{}
	}
	return s
}

// cancelTolerance is the relative size below which the result of a cancellation is set to 0. It is
// a few times 7·2^-106, the rounding error of the products that are added. So shapes that exactly
// touch, graze or slide along each other are recognized. If it were smaller, such contacts could
// become overlaps; if it were larger, results would be less accurate.
const cancelTolerance = 0x1p-99

func (a twofold) sub(b twofold) twofold { return a.add(b.neg()) }

// mul returns a·b with a relative error of at most 7·2^-106.
func (a twofold) mul(b twofold) twofold {
	p := twoProd(a.hi, b.hi)
	return fastSum(p.hi, p.lo+(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

// div returns a/b. b must not be 0.
func (a twofold) div(b twofold) twofold {
	q := a.hi / b.hi
	r := a.sub(b.mul(twofold{q, 0}))
	return fastSum(q, r.hi/b.hi)
}

// sqrt returns the square root of a, and 0 for a <= 0. One Newton step doubles the number of
// correct digits of math.Sqrt.
func (a twofold) sqrt() twofold {
	if !(a.hi > 0) {
		return twofold{}
	}
	s := math.Sqrt(a.hi)
	return fastSum(s, a.sub(twoProd(s, s)).hi/(s+s))
}

// twofold3 is a vector with twofold components.
type twofold3 struct{ x, y, z twofold }

// twoDiff3 returns a - b without rounding error.
func twoDiff3(a, b Vec3) twofold3 {
	return twofold3{twoDiff(a.X, b.X), twoDiff(a.Y, b.Y), twoDiff(a.Z, b.Z)}
}

func toTwofold3(v Vec3) twofold3 {
	return twofold3{twofold{v.X, 0}, twofold{v.Y, 0}, twofold{v.Z, 0}}
}

func (a twofold3) dot(b twofold3) twofold {
	return a.x.mul(b.x).add(a.y.mul(b.y)).add(a.z.mul(b.z))
}

func (a twofold3) cross(b twofold3) twofold3 {
	return twofold3{
		a.y.mul(b.z).sub(a.z.mul(b.y)),
		a.z.mul(b.x).sub(a.x.mul(b.z)),
		a.x.mul(b.y).sub(a.y.mul(b.x)),
	}
}

// rounded returns a rounded to float64.
func (a twofold3) rounded() Vec3 { return Vec3{a.x.hi, a.y.hi, a.z.hi} }

// crossTwofold returns a×b. Each component has an error of at most half an ulp, even if a and b are
// nearly parallel.
func crossTwofold(a, b Vec3) Vec3 { return toTwofold3(a).cross(toTwofold3(b)).rounded() }

func (a twofold) abs() twofold {
	if a.hi < 0 {
		return a.neg()
	}
	return a
}
