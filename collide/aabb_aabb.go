package collide

import "math"

// SweepAABBAABB reports when a, moving at va, first touches b, moving at vb, within horizon seconds.
//
// The order of judgement is that of [SweepSphereSphere]. Boxes that interpenetrate are judged along the axis on which
// they do so least, X before Y before Z where they tie, and Normal lies along it, from b's centre to a's (towards
// +X, +Y or +Z where these agree): moving apart along it is a Miss, else it is an Overlap at Time 0. Boxes that touch, or would
// come to touch, only with sides that slide along each other are a Miss, so that a box runs over the seams of
// a tiled floor.
// Where several pairs of sides meet at the same time Normal is that of the first axis.
//
// CenterA and CenterB are the boxes' centres at that time, and Point is the middle of what they share then. Boxes
// that are empty, NaN, infinite or beyond 1e72, and such velocities, give Miss.
func SweepAABBAABB(a AABB, va Vec3, b AABB, vb Vec3, horizon float64) (Contact, Outcome) {
	if !a.valid() || !b.valid() || !va.within(largest) || !vb.within(largest) || !(horizon >= 0) {
		return Contact{}, Miss
	}
	if depth, normal := boxDepth(a, b); depth > 0 {
		if normal.Dot(va) > normal.Dot(vb) {
			return Contact{}, Miss
		}
		return boxContact(a, va, b, vb, 0, normal), Overlap
	}
	times, normal, ok := boxTimes(a, va, b, vb)
	if !ok || times.First < 0 || times.First > horizon {
		return Contact{}, Miss
	}
	return boxContact(a, va, b, vb, times.First, normal), Hit
}

// IntervalAABBAABB returns from when to when a, moving at va, and b, moving at vb, are in touch, over all
// time: negative times are in the past. It gives false where they never are, or only slide along
// each other. Boxes that rest relative to each other overlap from -Inf to +Inf or never. Bad input gives false
// as in [SweepAABBAABB].
func IntervalAABBAABB(a AABB, va Vec3, b AABB, vb Vec3) (Interval, bool) {
	if !a.valid() || !b.valid() || !va.within(largest) || !vb.within(largest) {
		return Interval{}, false
	}
	times, _, ok := boxTimes(a, va, b, vb)
	return times, ok
}

func (b AABB) valid() bool { return b.Min.within(largest) && b.Max.within(largest) && !b.IsEmpty() }

// axis is two boxes seen along one axis.
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

// boxTimes intersects the times at which the boxes' shadows on the axes are in touch.
func boxTimes(a AABB, va Vec3, b AABB, vb Vec3) (times Interval, normal Vec3, ok bool) {
	times = Interval{math.Inf(-1), math.Inf(1)}
	for _, s := range boxAxes(a, va, b, vb) {
		speed := twoDiff(s.va, s.vb)
		if math.Abs(speed.hi) < slowest {
			if s.aMin >= s.bMax || s.bMin >= s.aMax {
				return Interval{}, Vec3{}, false
			}
			continue
		}
		// Twofold, so that a touch exactly at the horizon is one.
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

// boxDepth returns how deep a is in b along the axis on which it is least so, and the way out. It is 0 or less
// where they are apart or touch.
func boxDepth(a, b AABB) (depth float64, normal Vec3) {
	depth = math.Inf(1)
	for _, s := range boxAxes(a, Vec3{}, b, Vec3{}) {
		up, down := s.bMax-s.aMin, s.aMax-s.bMin // how far a would have to move up, and down
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
