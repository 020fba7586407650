package collide

import "math"

// SweepAABBAABB returns the first contact of a, moving at va, with b, moving at vb, within horizon
// seconds. Velocities are in metres per second; horizon may be 0 or infinite.
//
// The cases are tested in the order described at [SweepSphereSphere]. For boxes that overlap, the
// axis of least penetration decides (X before Y before Z if equal). Normal lies along that axis and
// points from b's centre to a's, or towards the positive axis if these coordinates are equal. If
// the boxes separate along that axis the outcome is Miss, otherwise Overlap at Time 0.
//
// Boxes whose sides only slide along each other are a Miss, so that a box moves over the seams of a
// tiled floor. If several pairs of sides touch at the same time, Normal belongs to the first axis.
//
// CenterA and CenterB are the boxes' centres at the time of contact, and Point is the centre of
// their intersection at that time. Boxes that are empty, and coordinates or velocities that are
// NaN, infinite or beyond 1e72, give Miss.
func SweepAABBAABB(a AABB, va Vec3, b AABB, vb Vec3, horizon float64) (Contact, Outcome) {
	if !a.valid() || !b.valid() || !va.within(maxInput) || !vb.within(maxInput) || !(horizon >= 0) {
		return Contact{}, Miss
	}
	if depth, normal := boxPenetration(a, b); depth > 0 {
		if normal.Dot(va) > normal.Dot(vb) {
			return Contact{}, Miss
		}
		return boxContact(a, va, b, vb, 0, normal), Overlap
	}
	times, normal, ok := boxInterval(a, va, b, vb)
	if !ok || times.First < 0 || times.First > horizon {
		return Contact{}, Miss
	}
	return boxContact(a, va, b, vb, times.First, normal), Hit
}

// IntervalAABBAABB returns the interval of time in which a, moving at va, and b, moving at vb,
// overlap. Time isn't bounded: negative times are in the past. The result is false if they never
// overlap, or only slide along each other. Boxes without relative motion overlap from -Inf to +Inf,
// or never. Invalid input gives false, as it gives Miss in [SweepAABBAABB].
func IntervalAABBAABB(a AABB, va Vec3, b AABB, vb Vec3) (Interval, bool) {
	if !a.valid() || !b.valid() || !va.within(maxInput) || !vb.within(maxInput) {
		return Interval{}, false
	}
	times, _, ok := boxInterval(a, va, b, vb)
	return times, ok
}

func (b AABB) valid() bool { return b.Min.within(maxInput) && b.Max.within(maxInput) && !b.IsEmpty() }

// axis holds the extents and velocities of two boxes along one coordinate axis.
type axis struct {
	aMin, aMax, va, bMin, bMax, vb float64
	unit                           Vec3
}

func boxAxes(a AABB, va Vec3, b AABB, vb Vec3) [3]axis {
	return [3]axis{
		{a.Min.X, a.Max.X, va.X, b.Min.X, b.Max.X, vb.X, Vec3{X: 1}},
		{a.Min.Y, a.Max.Y, va.Y, b.Min.Y, b.Max.Y, vb.Y, Vec3{Y: 1}},
		{a.Min.Z, a.Max.Z, va.Z, b.Min.Z, b.Max.Z, vb.Z, Vec3{Z: 1}},
	}
}

// boxInterval returns the intersection of the time intervals in which the boxes' projections on the
// three axes overlap. The normal is that of the axis whose projections touch last.
func boxInterval(a AABB, va Vec3, b AABB, vb Vec3) (times Interval, normal Vec3, ok bool) {
	times = Interval{math.Inf(-1), math.Inf(1)}
	for _, s := range boxAxes(a, va, b, vb) {
		speed := twoDiff(s.va, s.vb)
		if math.Abs(speed.hi) < minSpeed {
			if s.aMin >= s.bMax || s.bMin >= s.aMax {
				return Interval{}, Vec3{}, false
			}
			continue
		}
		// In twofold arithmetic, so that a contact exactly at the horizon is found.
		first, last := twoDiff(s.bMin, s.aMax).div(speed).hi, twoDiff(s.bMax, s.aMin).div(speed).hi
		out := s.unit.Neg()
		if speed.hi < 0 {
			first, last, out = last, first, s.unit
		}
		if first > times.First {
			times.First, normal = first, out
		}
		times.Last = min(times.Last, last)
	}
	return times, normal, times.First <= times.Last
}

// boxPenetration returns the penetration depth of a in b along the axis of least penetration, and
// the direction in which a separates. The depth is 0 or negative if the boxes touch or are apart.
func boxPenetration(a, b AABB) (depth float64, normal Vec3) {
	depth = math.Inf(1)
	for _, s := range boxAxes(a, Vec3{}, b, Vec3{}) {
		up, down := s.bMax-s.aMin, s.aMax-s.bMin // distances by which a must move to separate
		out := s.unit
		if down < up {
			up, out = down, out.Neg()
		}
		if up < depth {
			depth, normal = up, out
		}
	}
	return depth, normal
}

func boxContact(a AABB, va Vec3, b AABB, vb Vec3, t float64, normal Vec3) Contact {
	a, b = a.Translate(va.Scale(t)), b.Translate(vb.Scale(t))
	shared := AABB{
		Vec3{max(a.Min.X, b.Min.X), max(a.Min.Y, b.Min.Y), max(a.Min.Z, b.Min.Z)},
		Vec3{min(a.Max.X, b.Max.X), min(a.Max.Y, b.Max.Y), min(a.Max.Z, b.Max.Z)},
	}
	return Contact{Time: t, Point: shared.Center(), Normal: normal, CenterA: a.Center(), CenterB: b.Center()}
}
