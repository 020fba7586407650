package collide

import (
	"math"

	"github.com/dango-physics/dango/internal/roots"
)

// SweepSphereRotatingPlane returns the first contact of a, moving at va, with the plane b, which
// rotates by m, within horizon seconds of the start of m's step, at most until its end. The shape
// is given as it is at the start of the step.
//
// The rules are those of [SweepSphereSphere], but for one: what recedes at first may be caught up
// with later, so that is a Hit at that time. A contact in which the two approach more slowly than
// rounding is none. CenterB is where the pivot is at the time of contact, and Normal is that of the
// shape as it is rotated then. The time is accurate to the rounding of coordinates, divided by the
// speed of approach. Only the contact of a small sphere with a rim along which it goes, at nearly
// the same distance for more than a thousand of its radii, may be found too soon, by up to a
// millionth of the radius of the rim: a search for the exact time would take seconds.
//
// The plane is two-sided; with front set, only its front stops the sphere, and everything behind it
// is solid.
func SweepSphereRotatingPlane(a Sphere, va Vec3, b Plane, front bool, m Rotating, horizon float64) (Contact, Outcome) {
	s := curveSweep{curveTarget: curveTarget{kind: planeTarget, plane: b, front: front}}
	if !b.Normal.within(2) || !(math.Abs(b.Distance) <= maxInput) {
		return Contact{}, Miss
	}
	// Where the frame of the target begins doesn't matter to a plane. Near the pivot, the
	// coordinates are small.
	s.plane.Distance -= b.Normal.Dot(m.Pivot)
	return s.sweepRotating(a, va, 0, m, Quat{}, m.Pivot, 0, horizon)
}

// SweepSphereRotatingSegment is [SweepSphereRotatingPlane] for a segment, whose ends may coincide.
func SweepSphereRotatingSegment(a Sphere, va Vec3, b Segment, m Rotating, horizon float64) (Contact, Outcome) {
	return SweepSphereRotatingCapsule(a, va, Capsule{A: b.A, B: b.B}, m, horizon)
}

// SweepSphereRotatingCapsule is [SweepSphereRotatingPlane] for a capsule.
func SweepSphereRotatingCapsule(a Sphere, va Vec3, b Capsule, m Rotating, horizon float64) (Contact, Outcome) {
	if !b.A.within(maxInput) || !b.B.within(maxInput) || !(b.Radius >= 0) {
		return Contact{}, Miss
	}
	origin := b.A.Lerp(b.B, 0.5)
	corners := [2]Vec3{b.A.Sub(origin), b.B.Sub(origin)}
	s := curveSweep{curveTarget: curveTarget{flat: flatShape{corners: corners[:]}}}
	return s.sweepRotating(a, va, b.Radius, m, Quat{}, origin, 0, horizon)
}

// SweepSphereRotatingTriangle is [SweepSphereRotatingPlane] for a two-sided triangle.
func SweepSphereRotatingTriangle(a Sphere, va Vec3, b Triangle, m Rotating, horizon float64) (Contact, Outcome) {
	if !b.A.within(maxInput) || !b.B.within(maxInput) || !b.C.within(maxInput) {
		return Contact{}, Miss
	}
	var corners, inward [3]Vec3
	origin := b.A
	b = Triangle{Vec3{}, b.B.Sub(origin), b.C.Sub(origin)}
	s := curveSweep{curveTarget: curveTarget{flat: b.flatShape(&corners, &inward)}}
	return s.sweepRotating(a, va, 0, m, Quat{}, origin, 0, horizon)
}

// SweepSphereRotatingPolygon is [SweepSphereRotatingPlane] for a polygon. With front set, its face
// stops only what comes from the front; its edges stop everything.
func SweepSphereRotatingPolygon(
	a Sphere, va Vec3, b Polygon, front bool, m Rotating, horizon float64,
) (Contact, Outcome) {
	return RotatingFrame{Motion: m}.SweepPolygon(a, va, b, front, 0, horizon)
}

// SweepSphereRotatingBox is [SweepSphereRotatingPlane] for a solid box.
func SweepSphereRotatingBox(a Sphere, va Vec3, b Box, m Rotating, horizon float64) (Contact, Outcome) {
	if !b.Center.within(maxInput) || !b.Half.within(maxInput) || !(b.Half.X >= 0 && b.Half.Y >= 0 && b.Half.Z >= 0) {
		return Contact{}, Miss
	}
	s := curveSweep{curveTarget: curveTarget{kind: boxTarget, half: b.Half}}
	return s.sweepRotating(a, va, 0, m, b.Rotation, b.Center, 0, horizon)
}

// RotatingFrame is the frame of a shape that rotates: the shape is given in a frame of its own,
// which is rotated by Rotation and then moved by Origin at the start of the step, and rotates and
// moves by Motion from then on. So a shape that costs time to build, such as a polygon, is built
// once, however it rotates.
type RotatingFrame struct {
	Rotation Quat // at the start of the step; the zero value means none
	Origin   Vec3 // of the frame at the start of the step, metres
	Motion   Rotating
}

// At returns rotation and origin of the frame at time t of the step.
func (f RotatingFrame) At(t float64) (rotation Quat, origin Vec3) {
	turn := f.Motion.Rotation(t)
	return turn.Mul(f.Rotation), f.Motion.PivotAt(t).Add(turn.Rotate(f.Origin.Sub(f.Motion.Pivot)))
}

// SweepPlane is [SweepSphereRotatingPlane] for a plane in the frame. The centre of a is at
// a.Center + t·va at time t of the step, and contacts before from are ignored.
func (f RotatingFrame) SweepPlane(a Sphere, va Vec3, b Plane, front bool, from, horizon float64) (Contact, Outcome) {
	s := curveSweep{curveTarget: curveTarget{kind: planeTarget, plane: b, front: front}}
	if !b.Normal.within(2) || !(math.Abs(b.Distance) <= maxInput) {
		return Contact{}, Miss
	}
	return s.sweepRotating(a, va, 0, f.Motion, f.Rotation, f.Origin, from, horizon)
}

// SweepPolygon is [RotatingFrame.SweepPlane] for a polygon.
func (f RotatingFrame) SweepPolygon(
	a Sphere, va Vec3, b Polygon, front bool, from, horizon float64,
) (Contact, Outcome) {
	if len(b.on.corners) == 0 {
		return Contact{}, Miss
	}
	s := curveSweep{curveTarget: curveTarget{flat: b.on, front: front}}
	return s.sweepRotating(a, va, 0, f.Motion, f.Rotation, f.Origin, from, horizon)
}

// SweepCapsule is [RotatingFrame.SweepPlane] for a capsule.
func (f RotatingFrame) SweepCapsule(a Sphere, va Vec3, b Capsule, from, horizon float64) (Contact, Outcome) {
	if !b.A.within(maxInput) || !b.B.within(maxInput) {
		return Contact{}, Miss
	}
	corners := [2]Vec3{b.A, b.B}
	s := curveSweep{curveTarget: curveTarget{flat: flatShape{corners: corners[:]}}}
	return s.sweepRotating(a, va, b.Radius, f.Motion, f.Rotation, f.Origin, from, horizon)
}

// SweepBox is [RotatingFrame.SweepPlane] for a solid box around the origin of the frame, with these
// half widths.
func (f RotatingFrame) SweepBox(a Sphere, va, half Vec3, from, horizon float64) (Contact, Outcome) {
	if !half.within(maxInput) || !(half.X >= 0 && half.Y >= 0 && half.Z >= 0) {
		return Contact{}, Miss
	}
	s := curveSweep{curveTarget: curveTarget{kind: boxTarget, half: half}}
	return s.sweepRotating(a, va, 0, f.Motion, f.Rotation, f.Origin, from, horizon)
}

// sweepRotating sweeps sphere a, whose centre is at a.Center + t·va, against the target, which is
// grown by round. The target's frame is rotated by q and moved by origin at the start of the step.
func (s *curveSweep) sweepRotating(
	a Sphere, va Vec3, round float64, m Rotating, q Quat, origin Vec3, from, horizon float64,
) (Contact, Outcome) {
	s.radius = a.Radius + round
	until := min(horizon, m.Seconds)
	if !(a.Radius >= 0 && round >= 0 && s.radius <= maxInput && from >= 0 && until >= from && m.valid() &&
		a.Center.within(maxInput) && va.within(maxInput) && origin.within(maxInput) && q.within(maxInput)) {
		return Contact{}, Miss
	}
	back := q.conjugate()
	path := rotatingPath{
		x: back.Rotate(a.Center.Sub(m.Pivot)), v: back.Rotate(va.Sub(m.Velocity)),
		axis: back.Rotate(m.Angular), pivot: back.Rotate(m.Pivot.Sub(origin)),
	}
	n := m.rotationPieces()
	seconds := m.Seconds / float64(n)
	turn := RotationBy(path.axis.Scale(seconds))
	first := 0
	if n > 1 {
		first = int(max(0, min(math.Floor(from/seconds), float64(n-1))))
	}
	for piece := first; piece < n; piece++ {
		t0, t1 := float64(float64(piece)*seconds), float64(float64(piece+1)*seconds)
		if t0 >= until && piece > first {
			break
		}
		c := path.curve(t0, t1, turn)
		u0, u1 := 0.0, 1.0
		if until < t1 {
			u1 = (until - t0) / seconds
			c, _ = c.split(u1)
		}
		if from > t0 {
			u0 = min(u1, (from-t0)/seconds)
			if u1 > 0 {
				_, c = c.split(u0 / u1)
			}
		}
		if !s.sweep(&c, u0, u1-u0, 0) {
			s.continues = true
			continue
		}
		t := min(max(t0+float64(s.u*seconds), from), until)
		turned := m.Rotation(t).Mul(q)
		contact := Contact{
			Time: t, Normal: turned.Rotate(s.normal), CenterA: a.Center.AddScaled(t, va), CenterB: m.PivotAt(t),
		}
		contact.Point = contact.CenterA.AddScaled(-a.Radius, contact.Normal)
		if s.overlap {
			return contact, Overlap
		}
		return contact, Hit
	}
	return Contact{}, Miss
}

// rotatingPath is the path of a sphere relative to a shape that rotates, in the frame that the
// shape has at the start of the step.
type rotatingPath struct {
	x, v  Vec3 // of the sphere's centre, relative to the pivot
	axis  Vec3 // angular velocity
	pivot Vec3 // relative to the frame's origin
}

// curve returns the path from t0 to t1, a piece of the step in which the shape turns by turn.
//
// With q = a + b·k for the unit vector k of the axis, a = 1 - s·(1-cos) and b = s·sin of half the
// angle of the piece, a vector d of the world is
//
//	((a²-b²)·d - 2ab·k×d + 2b²·(k·d)·k) / (a²+b²)
//
// in the frame of the shape. In Bernstein form, the coefficients of the numerator are d, cos·d -
// sin·k×d, and d turned back by the whole angle, and those of the denominator 1, cos and 1. The
// path is linear in time, so the numerator has degree 3.
func (p *rotatingPath) curve(t0, t1 float64, turn Quat) curve {
	d0, d1 := p.x.AddScaled(t0, p.v), p.x.AddScaled(t1, p.v)
	size := max(d0.SumAbs(), d1.SumAbs()) + p.pivot.SumAbs()
	if t0 > 0 {
		back := RotationBy(p.axis.Scale(t0)).conjugate()
		d0, d1 = back.Rotate(d0), back.Rotate(d1)
	}
	k, ok := Vec3{turn.X, turn.Y, turn.Z}.Normalized()
	sin, cos := Vec3{turn.X, turn.Y, turn.Z}.Length(), turn.W
	if !ok {
		sin, cos = 0, 1
	}
	middle := func(d Vec3) Vec3 { return d.Scale(cos).AddScaled(-sin, k.Cross(d)) }
	end := turn.conjugate().Rotate
	var points [4]Vec3
	points[0] = d0
	points[1] = middle(d0).Scale(2).Add(d1).Scale(1.0 / 3)
	points[2] = end(d0).Add(middle(d1).Scale(2)).Scale(1.0 / 3)
	points[3] = end(d1)
	c := curve{w: roots.Of(1, (1+2*cos)/3, (1+2*cos)/3, 1)}
	c.w.Err = 4 * 0x1p-53
	c.x.N, c.y.N, c.z.N = 3, 3, 3
	for i, q := range points {
		q = q.AddScaled(c.w.C[i], p.pivot)
		c.x.C[i], c.y.C[i], c.z.C[i] = q.X, q.Y, q.Z
	}
	// Each coordinate is a sum of about ten products, of terms that are at most size.
	c.x.Err = float64(rotationError * size)
	c.y.Err, c.z.Err = c.x.Err, c.x.Err
	return c
}

// rotationError bounds the error of a rotated coordinate, as a fraction of the distance from the
// pivot: 16 roundings. If it were smaller, a sphere that touches a shape could get an impact by
// rounding. If it were larger, touches at grazing angles could be missed that are deeper than
// rounding.
const rotationError = 16 * 0x1p-53
