package collide

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

// exactGaps computes the gap of a rotatingCase with numbers of 200 bits, for planes, segments and
// boxes: from the definition of the interpolation, with the series of sine and cosine.
type exactGaps struct {
	c        *rotatingCase
	n        int64   // pieces of the step
	axis     [3]*num // unit length
	cos, sin *num    // of half the angle of a piece
}

type num = big.Float

func newNum(f float64) *num { return new(num).SetPrec(200).SetFloat64(f) }

func plus(a, b *num) *num  { return newNum(0).Add(a, b) }
func minus(a, b *num) *num { return newNum(0).Sub(a, b) }
func times(a, b *num) *num { return newNum(0).Mul(a, b) }
func over(a, b *num) *num  { return newNum(0).Quo(a, b) }

func numVec(v Vec3) [3]*num { return [3]*num{newNum(v.X), newNum(v.Y), newNum(v.Z)} }

func dotNum(a, b [3]*num) *num {
	return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]))
}

func lengthNum(a [3]*num) *num { return newNum(0).Sqrt(dotNum(a, a)) }

func crossNum(a, b [3]*num) [3]*num {
	return [3]*num{
		minus(times(a[1], b[2]), times(a[2], b[1])),
		minus(times(a[2], b[0]), times(a[0], b[2])),
		minus(times(a[0], b[1]), times(a[1], b[0])),
	}
}

// alongNum returns a + s·b.
func alongNum(a [3]*num, s *num, b [3]*num) (c [3]*num) {
	for k := range c {
		c[k] = plus(a[k], times(s, b[k]))
	}
	return c
}

func newExactGaps(c *rotatingCase) *exactGaps {
	w := numVec(c.m.Angular)
	speed := lengthNum(w)
	e := &exactGaps{c: c, n: 1, cos: newNum(1), sin: newNum(0), axis: numVec(Vec3{Z: 1})}
	if speed.Sign() == 0 {
		return e
	}
	e.axis = alongNum(numVec(Vec3{}), over(newNum(1), speed), w)
	e.n = int64(c.m.rotationPieces())
	half := over(times(speed, newNum(c.m.Seconds)), newNum(float64(2*e.n)))
	term := newNum(1)
	for k := 1; term.MantExp(nil) > -190 && term.Sign() != 0; k++ {
		term = over(times(term, half), newNum(float64(k)))
		sum := [2]*num{e.cos, e.sin}[k%2]
		if k%4 >= 2 {
			sum.Sub(sum, term)
		} else {
			sum.Add(sum, term)
		}
	}
	return e
}

// at returns the gap at a time, which is at most the duration of the step.
func (e *exactGaps) at(t *num) *num {
	c := e.c
	s := over(times(t, newNum(float64(e.n))), newNum(c.m.Seconds))
	piece, _ := s.Int64()
	piece = min(piece, e.n-1)
	s = minus(s, newNum(float64(piece)))
	// The half angle at t as a complex number: first the interpolation, then whole pieces.
	x, y := plus(minus(newNum(1), s), times(s, e.cos)), times(s, e.sin)
	for range piece {
		x, y = minus(times(x, e.cos), times(y, e.sin)), plus(times(x, e.sin), times(y, e.cos))
	}
	xx, yy := times(x, x), times(y, y)
	square := plus(xx, yy)
	cos, sin := over(minus(xx, yy), square), over(times(newNum(-2), times(x, y)), square) // turned back
	one := newNum(1)
	d := alongNum(numVec(c.a.Center), t, numVec(c.va))
	d = alongNum(d, newNum(-1), alongNum(numVec(c.m.Pivot), t, numVec(c.m.Velocity)))
	p := alongNum(numVec(Vec3{}), cos, d)
	p = alongNum(p, sin, crossNum(e.axis, d))
	p = alongNum(p, times(dotNum(e.axis, d), minus(one, cos)), e.axis)
	p = alongNum(p, one, numVec(c.m.Pivot))
	var distance *num
	switch b := c.shape.(type) {
	case Plane:
		distance = minus(dotNum(numVec(b.Normal), p), newNum(b.Distance))
		distance.Abs(distance)
	case Segment:
		from, way := numVec(b.A), alongNum(numVec(b.B), newNum(-1), numVec(b.A))
		p = alongNum(p, newNum(-1), from)
		if length := dotNum(way, way); length.Sign() > 0 {
			u := over(dotNum(p, way), length)
			if u.Sign() < 0 {
				u = newNum(0)
			} else if u.Cmp(one) > 0 {
				u = one
			}
			p = alongNum(p, u.Neg(u), way)
		}
		distance = lengthNum(p)
	case Box:
		q := b.Rotation
		back, two := numVec(Vec3{-q.X, -q.Y, -q.Z}), newNum(2)
		p = alongNum(p, newNum(-1), numVec(b.Center))
		r := crossNum(back, p)
		p = alongNum(alongNum(p, newNum(2*q.W), r), two, crossNum(back, r))
		deepest, outside := newNum(math.Inf(-1)), newNum(0)
		for k, half := range numVec(b.Half) {
			beyond := minus(newNum(0).Abs(p[k]), half)
			if beyond.Cmp(deepest) > 0 {
				deepest = beyond
			}
			if beyond.Sign() > 0 {
				outside.Add(outside, times(beyond, beyond))
			}
		}
		if distance = deepest; deepest.Sign() > 0 {
			distance = newNum(0).Sqrt(outside)
		}
	default:
		panic("unknown shape")
	}
	return minus(distance, newNum(c.a.Radius))
}

// checkTime compares the time of a first contact with the exact gap, and reports whether there is
// one, and whether it is early by more than 1e-11 s, which a gap within rounding excuses. The
// rounding is that of coordinates: size times half an ulp of 1.
func (c *rotatingCase) checkTime(t *testing.T) (hit, early bool) {
	t.Helper()
	const earliest = 1e-11
	contact, outcome := c.sweep()
	rounding := 0x1p-53 * (c.size() + somewhereOn(c.shape).SumAbs())
	if outcome != Hit || c.gap(0) < 100*rounding {
		return false, false
	}
	e, at := newExactGaps(c), newNum(contact.Time)
	gap, _ := e.at(at).Float64()
	if gap < -16*rounding {
		t.Fatalf("hit at %v, where the overlap is %v roundings: %+v", contact.Time, -gap/rounding, *c)
	}
	end := newNum(c.seconds)
	after := plus(at, newNum(earliest))
	if after.Cmp(end) > 0 {
		after = end
	}
	later, _ := e.at(after).Float64()
	if later > 0 && min(gap, later) > 4*rounding {
		t.Fatalf("hit at %v, where the gap is %v roundings, and %v after %v s: %+v",
			contact.Time, gap/rounding, later/rounding, earliest, *c)
	}
	return true, later > 0
}

// In most families no contact is early at all. Where surfaces approach by less than 1e-5 m/s, the
// rounding of coordinates is more than 1e-11 s.
func TestTimesOfRotatingSweepsAreThoseOfExactArithmetic(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	run := func(name string, seed uint64, n int, next func(r *rand.Rand, k int) rotatingCase) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 8))
			hits, earlies := 0, 0
			for k := range n {
				c := next(r, k)
				hit, early := c.checkTime(t)
				if hit {
					hits++
				}
				if early {
					earlies++
				}
			}
			t.Logf("%d of %d hit, %d early within rounding", hits, n, earlies)
			if hits < n/20 || earlies > 0 && name != "slow rotation" {
				t.Errorf("%d of %d hit, %d early by more than 1e-11 s", hits, n, earlies)
			}
		})
	}
	const exactShapes = 4
	cases := slow.Cases(250_000) // of each of the four shapes: a million
	if !slow.All() {
		cases /= 20
	}
	for kind := range exactShapes {
		run(rotatingShapes[kind], uint64(kind), cases, func(r *rand.Rand, _ int) rotatingCase {
			return randomRotatingCase(r, kind)
		})
	}
	for k, f := range degenerateRotations {
		run(f.name, uint64(10+k), slow.Cases(10_000), func(r *rand.Rand, k int) rotatingCase {
			c := randomRotatingCase(r, k%exactShapes)
			f.make(r, &c)
			return c
		})
	}
}
