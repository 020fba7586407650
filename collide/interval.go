package collide

import "math"

// Interval is an interval of time from First to Last, both included, in seconds.
type Interval struct{ First, Last float64 }

// IntervalSphereSphere returns the interval of time in which a, moving at va, and b, moving at vb,
// touch or overlap. Time isn't bounded: negative times are in the past. The result is false if they
// never touch. Spheres without relative motion touch from -Inf to +Inf, or never. Invalid input
// gives false, as it gives Miss in [SweepSphereSphere].
func IntervalSphereSphere(a Sphere, va Vec3, b Sphere, vb Vec3) (Interval, bool) {
	r := twoSum(a.Radius, b.Radius)
	if !(a.Radius >= 0 && b.Radius >= 0 && r.hi <= maxInput &&
		a.Center.within(maxInput) && b.Center.within(maxInput) && va.within(maxInput) && vb.within(maxInput)) {
		return Interval{}, false
	}
	p, v := twoDiff3(a.Center, b.Center), twoDiff3(va, vb)
	rr := r.mul(r)
	c := p.dot(p).sub(rr)
	if v.rounded().MaxAbs() < minSpeed {
		return Interval{math.Inf(-1), math.Inf(1)}, c.hi <= 0
	}
	// The roots of A t² + 2B t + C, with the discriminant computed as in SweepSphereSphere. With q
	// = -B ± √D, with the sign that avoids cancellation, one root is C/q and the other is q/A.
	vv, n := v.dot(v), p.cross(v)
	disc := vv.mul(rr).sub(n.dot(n))
	if disc.hi < 0 {
		return Interval{}, false
	}
	s, b2 := disc.sqrt(), p.dot(v)
	if b2.hi <= 0 {
		q := s.sub(b2)
		if q.hi == 0 {
			return Interval{}, true // two points that coincide at time 0 only
		}
		return Interval{c.div(q).hi, q.div(vv).hi}, true
	}
	q := s.add(b2).neg()
	return Interval{q.div(vv).hi, c.div(q).hi}, true
}
