package collide

import "math"

// SweepSphereSphere returns the first contact of a, moving at va, with b, moving at vb, within
// horizon seconds. Velocities are in metres per second; horizon may be 0 or infinite.
//
// The cases are tested in this order. Spheres that separate are a Miss, even if they overlap.
// Overlapping spheres are an Overlap at Time 0. Spheres that touch are a Hit at time 0 if they
// approach, and a Miss if they slide along each other or have no relative motion. All others are a
// Hit if the first contact is at horizon or before, and a Miss otherwise.
//
// On an Overlap, Normal points from b's centre to a's, and Point is the middle of the overlap. If
// the centres coincide, Normal is opposed to a's velocity relative to b, or +Y if that is zero as
// well.
//
// Swapping the two spheres gives the same Time and Point bit for bit and negates Normal (except for
// that +Y). Time has a relative error of at most 3e-13 for the given floats, and usually of an ulp.
// Exact contacts and exact grazes are recognized; spheres that pass at a distance of less than one
// part in 2^95 count as grazing. Normal is computed directly. Far from the origin it is more
// accurate than the difference of the centres, whose last digits are those of the coordinates.
//
// Miss is the result for a NaN or an infinity (except in horizon), a negative radius or horizon,
// and lengths or speeds beyond 1e72. Relative speeds below 1e-72 count as no motion.
func SweepSphereSphere(a Sphere, va Vec3, b Sphere, vb Vec3, horizon float64) (Contact, Outcome) {
	t, normal, outcome := sweepSpheres(a.Center, a.Radius, va, b.Center, b.Radius, vb, horizon)
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
	// The point on the smaller sphere has the smaller rounding error. Equal spheres use the middle,
	// so that swapping them changes nothing.
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

// OverlapSphereSphere reports whether the distance of the centres is less than the sum of the
// radii. Touching isn't an overlap. The answer is exact to within one part in 2^100. Invalid input
// gives false.
func OverlapSphereSphere(a, b Sphere) bool {
	if !(a.Radius >= 0 && b.Radius >= 0 && a.Center.Sub(b.Center).within(maxInput) && a.Radius+b.Radius <= maxInput) {
		return false
	}
	p, r := twoDiff3(a.Center, b.Center), twoSum(a.Radius, b.Radius)
	return p.dot(p).sub(r.mul(r)).hi < 0
}

// sweepSpheres returns time, normal and outcome of SweepSphereSphere. It also serves corners, which
// are spheres of radius 0.
func sweepSpheres(
	ca Vec3, ra float64, va Vec3, cb Vec3, rb float64, vb Vec3, horizon float64,
) (float64, Vec3, Outcome) {
	// In b's frame, a's centre moves along p + t·v. The spheres touch when |p + t·v| = r:
	//   A t² + 2B t + C = 0,  A = v·v,  B = p·v,  C = p·p - r².
	p, v, r := ca.Sub(cb), va.Sub(vb), ra+rb
	b := p.Dot(v)
	bErr := float64(termError * p.absDot(v))
	if b > bErr {
		return 0, Vec3{}, Miss // receding
	}
	pp, vv, rr := p.Dot(p), v.Dot(v), float64(r*r)
	if !(ra >= 0 && rb >= 0 && horizon >= 0 && pp+rr <= maxInput*maxInput && vv <= maxInput*maxInput) {
		return 0, Vec3{}, Miss // invalid input; every comparison with NaN is false
	}
	c := pp - rr
	cErr := float64(termError * (pp + rr))
	if !(b < -bErr && c > cErr) {
		return sweepSpheresTwofold(ca, ra, va, cb, rb, vb, horizon)
	}
	// The smaller root is C/(√D - B) with D = B² - A·C. As √D <= -B, it is at least C/(-2B).
	if c-cErr > float64(2*(bErr-b)*horizon) {
		return 0, Vec3{}, Miss
	}
	// For distant spheres, all digits of B² - A·C cancel. By Lagrange's identity it equals A·r² -
	// |p×v|², which doesn't have that problem. The components of p×v have errors of at most
	// 4u|p||v|, u = 2^-53. That adds up to 12u·|p|²|v|² in |p×v|², plus 5u for the squares and
	// sums.
	n := p.Cross(v)
	disc := float64(vv*rr) - n.Dot(n)
	discErr := float64(2 * termError * float64(vv*(pp+rr)))
	if disc < -discErr {
		return 0, Vec3{}, Miss // passes without contact
	}
	if disc > discErr {
		s := math.Sqrt(disc)
		q := s - b // B < 0, so there is no cancellation
		t := c / q
		// The relative error of t is the sum of those of C and q. If it may exceed fastTolerance,
		// or t is that close to the horizon, twofold arithmetic decides.
		sq := float64(s * q)
		err := float64(cErr*sq) + float64((float64(bErr*s)+discErr)*c)
		if err <= fastTolerance*float64(c*sq) && math.Abs(t-horizon) > fastTolerance*t {
			if t > horizon {
				return 0, Vec3{}, Miss
			}
			normal, _ := p.AddScaled(t, v).Normalized()
			return t, normal, Hit
		}
	}
	return sweepSpheresTwofold(ca, ra, va, cb, rb, vb, horizon)
}

// fastTolerance is the relative error of a time of impact up to which float64 arithmetic is used:
// 2.3e-13, or 4e-15 s in a step of 1/60 s. If it were smaller, pairs with a gap of a hundredth of
// the radius would already take the twofold path, which is five times slower. If it were larger,
// times would have errors of more than 1e-11 s for horizons of a minute.
const fastTolerance = 0x1p-42

// sweepSpheresTwofold is sweepSpheres in twofold arithmetic, for valid input.
func sweepSpheresTwofold(
	ca Vec3, ra float64, va Vec3, cb Vec3, rb float64, vb Vec3, horizon float64,
) (float64, Vec3, Outcome) {
	p, v, r := twoDiff3(ca, cb), twoDiff3(va, vb), twoSum(ra, rb)
	if v.rounded().MaxAbs() < minSpeed {
		v = twofold3{}
	}
	return sweepPoint(p, v, r, horizon)
}

// sweepPoint sweeps a sphere of radius r at p, moving at v, against the origin.
func sweepPoint(p, v twofold3, r twofold, horizon float64) (float64, Vec3, Outcome) {
	b, rr := p.dot(v), r.mul(r)
	c := p.dot(p).sub(rr)
	switch {
	case b.hi > 0:
		return 0, Vec3{}, Miss
	case c.hi < 0:
		return 0, separationNormal(p.rounded(), v.rounded()), Overlap
	case b.hi == 0:
		return 0, Vec3{}, Miss
	}
	n := p.cross(v)
	vv, nn := v.dot(v), n.dot(n)
	disc := vv.mul(rr).sub(nn)
	// The rounding error of p×v is relative to |p||v|, which may be much larger than p×v.
	noise := math.Sqrt(float64(nn.hi*float64(p.dot(p).hi*vv.hi))) + float64(vv.hi*rr.hi)
	if c.hi > 0 && disc.hi < -float64(cancelTolerance*noise) {
		return 0, Vec3{}, Miss
	}
	s := disc.sqrt()
	t := c.div(s.sub(b)).hi
	if t > horizon {
		return 0, Vec3{}, Miss
	}
	if c.hi == 0 {
		return 0, separationNormal(p.rounded(), v.rounded()), Hit
	}
	// The position p + t·v at the contact, multiplied by A, is v×(p×v) - s·v: its components
	// perpendicular to v and along v. Nothing cancels in it, however large p is.
	return t, separationNormal(v.cross(n).rounded().AddScaled(-s.hi, v.rounded()), v.rounded()), Hit
}

// separationNormal returns the direction of d, or that of -v if d is zero, or +Y if both are zero.
func separationNormal(d, v Vec3) Vec3 {
	if n, ok := d.Normalized(); ok {
		return n
	}
	if n, ok := v.Neg().Normalized(); ok {
		return n
	}
	return Vec3{Y: 1}
}
