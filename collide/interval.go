package collide

import "math"

// Interval is a span of time, in seconds, from First to Last.
type Interval struct{ First, Last float64 }

// IntervalSphereSphere returns from when to when a, moving at va, and b, moving at vb, touch or overlap, over all
// time: negative times are in the past. It gives false where they never do. Spheres that rest
// relative to each other touch from -Inf to +Inf or never. Bad input gives false, as it gives Miss in [SweepSphereSphere].
func IntervalSphereSphere(a Sphere, va Vec3, b Sphere, vb Vec3) (Interval, bool) {
	r := twoSum(a.Radius, b.Radius)
	if !(a.Radius >= 0 && b.Radius >= 0 && r.hi <= largest &&
		a.Center.within(largest) && b.Center.within(largest) && va.within(largest) && vb.within(largest)) {
		return Interval{}, false
	}
	p, v := twoDiff3(a.Center, b.Center), twoDiff3(va, vb)
	rr := r.mul(r)
	c := p.dot(p).sub(rr)
	if v.rounded().largestPart() < slowest {
		return Interval{math.Inf(-1), math.Inf(1)}, c.hi <= 0
	}
	// The roots of A t² + 2B t + C, with the discriminant as in SweepSphereSphere. One is C/q and the other q/A, with q
	// the sum -B ± √D in which nothing cancels.
	vv, n := v.dot(v), p.cross(v)
	disc := vv.mul(rr).sub(n.dot(n))
	if disc.hi < 0 {
		return Interval{}, false
	}
	s, b2 := disc.sqrt(), p.dot(v)
	if b2.hi <= 0 {
		q := s.sub(b2)
		if q.hi == 0 {
			return Interval{}, true // two points, at one another now and at no other time
		}
		return Interval{c.div(q).hi, q.div(vv).hi}, true
	}
	q := s.add(b2).neg()
	return Interval{q.div(vv).hi, c.div(q).hi}, true
}
