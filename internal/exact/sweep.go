package exact

import "github.com/dango-physics/dango/collide"

// Result is the exact result of a sweep without a horizon. Time is the time of the first touch at
// or after time 0 if Outcome is Hit, and not defined otherwise. The caller compares it with its
// horizon.
type Result struct {
	Outcome collide.Outcome
	Time    Num
	// Close is set if two different values that decided about the outcome differ by less than one
	// part in 2^90. A sweep with fewer digits may then have another outcome.
	Close bool
}

// isClose reports whether a and b differ by less than one part in 2^90, but are not equal.
func isClose(a, b Num) bool {
	d := a.Sub(b).Abs()
	return d.Sign() != 0 && d.Cmp(a.Abs().Add(b.Abs()).Mul(Of(0x1p-90))) < 0
}

// first returns the smaller solution t of |p + t·v|² = rr, by the formula (-B - √(B² - AC)) / A. ok
// is false if there is none.
func first(p, v Vec, rr Num) (t Num, ok, near bool) {
	a, b, c := v.Dot(v), p.Dot(v), p.Dot(p).Sub(rr)
	disc := b.Mul(b).Sub(a.Mul(c))
	near = isClose(b.Mul(b), a.Mul(c)) || isClose(disc.Add(a.Mul(rr)), a.Mul(rr))
	if a.Sign() == 0 || disc.Sign() < 0 {
		return Num{}, false, near
	}
	return b.Neg().Sub(disc.Sqrt()).Div(a), true, near
}

// judge decides the outcomes that depend on time 0 only: moving apart, overlap and touch. d is the
// vector from the nearest point of one shape to the centre of the other, and rr the square of the
// radius. d may be scaled by any positive factor, and rr then by its square. done is false if the
// sweep must be computed.
func judge(d, v Vec, rr Num) (result Result, done bool) {
	rate, excess := d.Dot(v).Sign(), d.Dot(d).Cmp(rr)
	if near := d.X.Mul(v.X).Add(d.Y.Mul(v.Y)); isClose(d.Dot(d), rr) ||
		isClose(near, d.Z.Mul(v.Z).Neg()) || isClose(d.X.Mul(v.X), d.Y.Mul(v.Y).Neg()) {
		return Result{Close: true}, true
	}
	switch {
	case rate > 0:
		return Result{}, true
	case excess < 0:
		return Result{Outcome: collide.Overlap}, true
	case rate == 0:
		return Result{}, true
	case excess == 0:
		return Result{Outcome: collide.Hit, Time: Of(0)}, true
	}
	return Result{}, false
}

// SphereSphere is the reference of [collide.SweepSphereSphere], without a horizon.
func SphereSphere(a collide.Sphere, va collide.Vec3, b collide.Sphere, vb collide.Vec3) Result {
	p, v := OfVec(a.Center).Sub(OfVec(b.Center)), OfVec(va).Sub(OfVec(vb))
	r := Of(a.Radius).Add(Of(b.Radius))
	if result, done := judge(p, v, r.Mul(r)); done {
		return result
	}
	t, ok, near := first(p, v, r.Mul(r))
	if ok {
		return Result{collide.Hit, t, near}
	}
	return Result{Close: near}
}

// SpherePlane is the reference of [collide.SweepSpherePlane], with the plane's normal as it is: its
// length may differ from 1 by rounding.
func SpherePlane(a collide.Sphere, va collide.Vec3, b collide.Plane, vb collide.Vec3) Result {
	n := OfVec(b.Normal)
	height := n.Dot(OfVec(a.Center)).Sub(Of(b.Distance))
	rate := n.Dot(OfVec(va).Sub(OfVec(vb)))
	switch {
	case height.Sign() == 0 && a.Radius == 0:
		return Result{}
	case height.Sign() == 0:
		return Result{Outcome: collide.Overlap}
	case height.Sign() < 0:
		height, rate = height.Neg(), rate.Neg()
	}
	gap := height.Sub(Of(a.Radius))
	switch {
	case isClose(height, Of(a.Radius)):
		return Result{Close: true}
	case rate.Sign() > 0:
		return Result{}
	case gap.Sign() < 0:
		return Result{Outcome: collide.Overlap}
	case rate.Sign() == 0:
		return Result{}
	}
	return Result{Outcome: collide.Hit, Time: gap.Div(rate.Neg())}
}

// SphereSegment is the reference of [collide.SweepSphereSegment].
func SphereSegment(a collide.Sphere, va collide.Vec3, b collide.Segment, vb collide.Vec3) Result {
	return sphereFlat(a, 0, va, vb, b.A, b.B)
}

// SphereCapsule is the reference of [collide.SweepSphereCapsule].
func SphereCapsule(a collide.Sphere, va collide.Vec3, b collide.Capsule, vb collide.Vec3) Result {
	return sphereFlat(a, b.Radius, va, vb, b.A, b.B)
}

// SphereTriangle is the reference of [collide.SweepSphereTriangle].
func SphereTriangle(a collide.Sphere, va collide.Vec3, b collide.Triangle, vb collide.Vec3) Result {
	return sphereFlat(a, 0, va, vb, b.A, b.B, b.C)
}

// SpherePolygon is the reference of [collide.SweepSpherePolygon], for corners that lie exactly in
// one plane.
func SpherePolygon(a collide.Sphere, va collide.Vec3, b collide.Polygon, vb collide.Vec3) Result {
	var corners []collide.Vec3
	for i := range b.Len() {
		corners = append(corners, b.Corner(i))
	}
	return sphereFlat(a, 0, va, vb, corners...)
}

// surface is a segment or a convex polygon, in the frame of a sphere.
type surface struct {
	corners []Vec // relative to the sphere's centre at time 0
	normal  Vec   // of any length; zero for a segment
}

// sphereFlat sweeps a sphere against all points at most round away from the convex hull of corners
// in a plane. Round is 0 unless there are two corners.
func sphereFlat(a collide.Sphere, round float64, va, vb collide.Vec3, corners ...collide.Vec3) Result {
	s := surface{}
	for _, c := range corners {
		s.corners = append(s.corners, OfVec(c).Sub(OfVec(a.Center)))
	}
	s.normal = OfVec(collide.Vec3{})
	for i := 2; i < len(corners); i++ {
		s.normal = s.normal.Add(s.corners[i-1].Sub(s.corners[0]).Cross(s.corners[i].Sub(s.corners[0])))
	}
	v, r := OfVec(va).Sub(OfVec(vb)), Of(a.Radius).Add(Of(round))
	d, times := s.fromNearest(OfVec(collide.Vec3{}))
	if d.Dot(d).Sign() == 0 && s.normal.Dot(s.normal).Sign() != 0 {
		if a.Radius == 0 {
			return Result{}
		}
		return Result{Outcome: collide.Overlap}
	}
	if result, done := judge(d, v, r.Mul(r).Mul(times).Mul(times)); done {
		return result
	}
	return s.sweepFrom(v, r)
}

// sweepFrom sweeps a sphere of radius r from the origin, which doesn't touch it at time 0.
func (s surface) sweepFrom(v Vec, r Num) Result {
	rr := r.Mul(r)
	var best Result
	var near bool
	offer := func(t Num, ok, close bool) {
		near = near || close
		if ok && t.Sign() >= 0 && (best.Outcome == collide.Miss || t.Cmp(best.Time) < 0) {
			best = Result{Outcome: collide.Hit, Time: t}
		}
	}
	for i, c := range s.corners {
		offer(first(c.Neg(), v, rr))
		next := s.corners[(i+1)%len(s.corners)]
		e := next.Sub(c)
		ee := e.Dot(e)
		if ee.Sign() == 0 {
			continue
		}
		// Multiplied by e·e, so that no division is needed.
		across := func(x Vec) Vec { return x.Scale(ee).Sub(e.Scale(x.Dot(e))) }
		t, ok, close := first(across(c.Neg()), across(v), rr.Mul(ee).Mul(ee))
		if ok {
			along := v.Scale(t).Sub(c).Dot(e)
			ok = along.Sign() >= 0 && along.Cmp(ee) <= 0
		}
		offer(t, ok, close)
	}
	if rate := s.normal.Dot(v); rate.Sign() != 0 {
		height, reach := s.normal.Dot(s.corners[0]).Neg(), s.normal.Dot(s.normal).Sqrt().Mul(r)
		if height.Sign() < 0 {
			reach = reach.Neg()
		}
		t := reach.Sub(height).Div(rate)
		offer(t, s.covers(v.Scale(t)), false)
	}
	best.Close = near
	return best
}

// covers reports whether the projection of p onto the plane is inside the polygon.
func (s surface) covers(p Vec) bool {
	for i, c := range s.corners {
		if s.normal.Dot(s.corners[(i+1)%len(s.corners)].Sub(c).Cross(p.Sub(c))).Sign() < 0 {
			return false
		}
	}
	return s.normal.Dot(s.normal).Sign() != 0
}

// fromNearest returns the vector from the nearest point of the surface to p, multiplied by a
// positive number, and that number. It needs no division, so the result is exact.
func (s surface) fromNearest(p Vec) (d Vec, times Num) {
	if s.covers(p) {
		return s.normal.Scale(s.normal.Dot(p.Sub(s.corners[0]))), s.normal.Dot(s.normal)
	}
	d, times = p.Sub(s.corners[0]), Of(1)
	for i, c := range s.corners {
		e := s.corners[(i+1)%len(s.corners)].Sub(c)
		along, ee := p.Sub(c).Dot(e), e.Dot(e)
		d2, times2 := p.Sub(c), Of(1)
		if along.Sign() > 0 && along.Cmp(ee) < 0 {
			d2, times2 = d2.Scale(ee).Sub(e.Scale(along)), ee
		}
		if d2.Dot(d2).Mul(times.Mul(times)).Cmp(d.Dot(d).Mul(times2.Mul(times2))) < 0 {
			d, times = d2, times2
		}
	}
	return d, times
}
