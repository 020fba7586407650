package collide

import "math"

// SweepSphereSphere reports when a, moving at va, first touches b, moving at vb, within horizon seconds.
// Velocities are in metres per second; horizon may be 0 or infinite.
//
// The pair is judged in this order. Moving apart is a Miss, even while interpenetrating. Interpenetrating
// is an Overlap, with Time 0. Touching is a Hit at time 0 if they approach, and a Miss if they slide
// along one another or rest. Otherwise it is a Hit if the first touch comes at horizon or before.
//
// On an Overlap Normal is the direction from b's centre to a's and Point is in the middle of the overlap.
// Where the centres coincide Normal points against a's velocity relative to b, and along +Y where
// that is zero too.
//
// Swapping the two spheres gives the same Time and Point bit for bit and flips Normal (except for
// that +Y). Time is within 3e-13 of itself of the exact one for the given floats, and mostly within an ulp. What touches or
// grazes exactly is treated as such; a pass that misses by less than one part in 2^95 counts as a graze. Normal is worked
// out for itself, so far from the origin it is better than the centres, whose last digits are those of their coordinates.
//
// A NaN or an infinity anywhere but in horizon, a negative radius or horizon, and lengths or speeds beyond 1e72
// give Miss. Relative speeds below 1e-72 count as rest.
func SweepSphereSphere(a Sphere, va Vec3, b Sphere, vb Vec3, horizon float64) (Contact, Outcome) {
	t, normal, outcome := sweepBalls(a.Center, a.Radius, va, b.Center, b.Radius, vb, horizon)
	if outcome == Miss {
		return Contact{}, Miss
	}
	c := Contact{
		Time: t, Normal: normal,
		CenterA: a.Center.AddScaled(t, va), CenterB: b.Center.AddScaled(t, vb),
	}
	depth := 0.0
	if outcome == Overlap {
		depth = a.Radius + b.Radius - a.Center.Distance(b.Center)
	}
	// The smaller sphere gives the more exact point; equal ones give the middle, so that a swap changes nothing.
	switch {
	case a.Radius < b.Radius:
		c.Point = c.CenterA.AddScaled(float64(0.5*depth)-a.Radius, normal)
	case b.Radius < a.Radius:
		c.Point = c.CenterB.AddScaled(b.Radius-float64(0.5*depth), normal)
	default:
		c.Point = c.CenterA.Add(c.CenterB).Scale(0.5)
	}
	return c, outcome
}

// OverlapSphereSphere reports whether a and b share more than a single point of their surfaces: the
// distance of their centres is less than the sum of their radii. The answer is that of exact arithmetic
// to within one part in 2^100. Bad input gives false.
func OverlapSphereSphere(a, b Sphere) bool {
	if !(a.Radius >= 0 && b.Radius >= 0 && a.Center.Sub(b.Center).within(largest) && a.Radius+b.Radius <= largest) {
		return false
	}
	p, r := twoDiff3(a.Center, b.Center), twoSum(a.Radius, b.Radius)
	return p.dot(p).sub(r.mul(r)).hi < 0
}

// sweepBalls is SweepSphereSphere without the bookkeeping. It is also how a sphere meets a corner.
func sweepBalls(ca Vec3, ra float64, va Vec3, cb Vec3, rb float64, vb Vec3, horizon float64) (float64, Vec3, Outcome) {
	// In b's frame a's centre goes along p + t·v, and the two touch where |p + t·v| = r:
	//   A t² + 2B t + C = 0,  A = v·v,  B = p·v,  C = p·p - r².
	p, v, r := ca.Sub(cb), va.Sub(vb), ra+rb
	b := p.Dot(v)
	bErr := float64(termSlack * p.absDot(v))
	if b > bErr {
		return 0, Vec3{}, Miss // receding
	}
	pp, vv, rr := p.Dot(p), v.Dot(v), float64(r*r)
	if !(ra >= 0 && rb >= 0 && horizon >= 0 && pp+rr <= largest*largest && vv <= largest*largest) {
		return 0, Vec3{}, Miss // bad input; a NaN fails every comparison
	}
	c := pp - rr
	cErr := float64(termSlack * (pp + rr))
	if !(b < -bErr && c > cErr) {
		return sweepBallsExactly(ca, ra, va, cb, rb, vb, horizon)
	}
	// The smaller root is C/(√D - B), with D = B² - A·C. As √D <= -B it can't be before C/(-2B).
	if c-cErr > float64(2*(bErr-b)*horizon) {
		return 0, Vec3{}, Miss
	}
	// B² - A·C loses every digit for distant spheres; by Lagrange's identity it equals A·r² - |p×v|²,
	// which does not. Each component of p×v is off by at most 4u(|p||v|) in the sense of its
	// terms, u = 2^-53; that sums up to 12u·|p|²|v|² in |p×v|², with 5u for its own squares and sums.
	n := p.Cross(v)
	disc := float64(vv*rr) - n.Dot(n)
	discErr := float64(2 * termSlack * float64(vv*(pp+rr)))
	if disc < -discErr {
		return 0, Vec3{}, Miss // passes by
	}
	if disc > discErr {
		s := math.Sqrt(disc)
		q := s - b // B < 0, so nothing cancels
		t := c / q
		// The relative error of t is that of C plus that of q. cheapEnough·t bounds it, or we compute exactly.
		sq := float64(s * q)
		err := float64(cErr*sq) + float64((float64(bErr*s)+discErr)*c)
		if err <= cheapEnough*float64(c*sq) && math.Abs(t-horizon) > cheapEnough*t {
			if t > horizon {
				return 0, Vec3{}, Miss
			}
			normal, _ := p.AddScaled(t, v).Normalized()
			return t, normal, Hit
		}
	}
	return sweepBallsExactly(ca, ra, va, cb, rb, vb, horizon)
}

// cheapEnough is the relative error of a time of impact up to which plain floats will do: 2.3e-13, or
// 4e-15 s in a step of 1/60 s. Smaller, and pairs a hundredth of a radius apart already take the
// slow way (five times slower); larger, and the promise of 1e-11 s fails for horizons of a minute.
const cheapEnough = 0x1p-42

// sweepBallsExactly is sweepBalls in twofold arithmetic, for input that has been checked.
func sweepBallsExactly(ca Vec3, ra float64, va Vec3, cb Vec3, rb float64, vb Vec3, horizon float64) (float64, Vec3, Outcome) {
	p, v, r := twoDiff3(ca, cb), twoDiff3(va, vb), twoSum(ra, rb)
	if v.rounded().largestPart() < slowest {
		v = twofold3{}
	}
	b, rr := p.dot(v), r.mul(r)
	c := p.dot(p).sub(rr)
	switch {
	case b.hi > 0:
		return 0, Vec3{}, Miss
	case c.hi < 0:
		return 0, awayFrom(p.rounded(), v.rounded()), Overlap
	case b.hi == 0:
		return 0, Vec3{}, Miss
	}
	n := p.cross(v)
	vv, nn := v.dot(v), n.dot(n)
	disc := vv.mul(rr).sub(nn)
	// The rounding of p×v is relative to |p||v|, which may be much larger than itself.
	noise := math.Sqrt(float64(nn.hi*float64(p.dot(p).hi*vv.hi))) + float64(vv.hi*rr.hi)
	if c.hi > 0 && disc.hi < -float64(vanishing*noise) {
		return 0, Vec3{}, Miss
	}
	s := disc.sqrt()
	t := c.div(s.sub(b)).hi
	if t > horizon {
		return 0, Vec3{}, Miss
	}
	if c.hi == 0 {
		return 0, awayFrom(p.rounded(), v.rounded()), Hit
	}
	// p + t·v is what is left of p across v, minus s/A along v; A times that is v×(p×v) - s·v,
	// in which nothing cancels however far away p is.
	return t, awayFrom(v.cross(n).rounded().AddScaled(-s.hi, v.rounded()), v.rounded()), Hit
}

// awayFrom returns the direction of d; where d is zero, that against v; where v is zero too, +Y.
func awayFrom(d, v Vec3) Vec3 {
	if n, ok := d.Normalized(); ok {
		return n
	}
	if n, ok := v.Neg().Normalized(); ok {
		return n
	}
	return Vec3{Y: 1}
}
