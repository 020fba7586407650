package collide

import (
	"math"

	"github.com/dango-physics/dango/internal/roots"
)

// Throw is the path of something that moves under a constant acceleration, such as gravity: a
// parabola.
type Throw struct {
	Position     Vec3 // at time 0, metres
	Velocity     Vec3 // at time 0, m/s
	Acceleration Vec3 // m/s²
}

// PositionAt returns where it is at time t.
func (p Throw) PositionAt(t float64) Vec3 {
	return p.Position.AddScaled(t, p.Velocity.AddScaled(t/2, p.Acceleration))
}

// VelocityAt returns its velocity at time t.
func (p Throw) VelocityAt(t float64) Vec3 { return p.Velocity.AddScaled(t, p.Acceleration) }

// ThrowTo returns the throw from one point that arrives at another one after the given seconds.
func ThrowTo(from, to, acceleration Vec3, seconds float64) Throw {
	v := to.Sub(from).Scale(1/seconds).AddScaled(-seconds/2, acceleration)
	return Throw{from, v, acceleration}
}

// SweepThrownSpherePlane returns the first contact of a sphere whose centre follows a, with the
// plane b, moving at vb, within horizon seconds, which must be finite. With front set, only the
// front of the plane stops the sphere, and everything behind it is solid.
//
// The rules are those of [SweepSphereSphere], but for one: what recedes at first may come back
// later, so that is a Hit at that time. A contact in which the two approach more slowly than
// rounding is none. Times are accurate to the rounding of the coordinates on the way, divided by
// the speed of approach; see [SweepSphereRotatingPlane] for very small spheres.
func SweepThrownSpherePlane(
	a Throw, radius float64, b Plane, front bool, vb Vec3, horizon float64,
) (Contact, Outcome) {
	s := curveSweep{curveTarget: curveTarget{kind: planeTarget, plane: b, front: front}}
	if !b.Normal.within(2) || !(math.Abs(b.Distance) <= maxInput) {
		return Contact{}, Miss
	}
	return s.sweepThrown(a, radius, 0, Vec3{}, vb, horizon)
}

// SweepThrownSphereSphere is [SweepThrownSpherePlane] for a sphere, which may have radius 0.
func SweepThrownSphereSphere(a Throw, radius float64, b Sphere, vb Vec3, horizon float64) (Contact, Outcome) {
	if !(b.Radius >= 0) {
		return Contact{}, Miss
	}
	var corners [1]Vec3
	s := curveSweep{curveTarget: curveTarget{flat: flatShape{corners: corners[:]}}}
	return s.sweepThrown(a, radius, b.Radius, b.Center, vb, horizon)
}

// SweepThrownSphereSegment is [SweepThrownSpherePlane] for a segment.
func SweepThrownSphereSegment(a Throw, radius float64, b Segment, vb Vec3, horizon float64) (Contact, Outcome) {
	return SweepThrownSphereCapsule(a, radius, Capsule{A: b.A, B: b.B}, vb, horizon)
}

// SweepThrownSphereCapsule is [SweepThrownSpherePlane] for a capsule.
func SweepThrownSphereCapsule(a Throw, radius float64, b Capsule, vb Vec3, horizon float64) (Contact, Outcome) {
	if !(b.Radius >= 0) || !b.A.within(maxInput) || !b.B.within(maxInput) {
		return Contact{}, Miss
	}
	corners := [2]Vec3{{}, b.B.Sub(b.A)}
	s := curveSweep{curveTarget: curveTarget{flat: flatShape{corners: corners[:]}}}
	return s.sweepThrown(a, radius, b.Radius, b.A, vb, horizon)
}

// SweepThrownSpherePolygon is [SweepThrownSpherePlane] for a polygon. With front set, its face
// stops only what comes from the front; its edges stop everything.
func SweepThrownSpherePolygon(
	a Throw, radius float64, b Polygon, front bool, vb Vec3, horizon float64,
) (Contact, Outcome) {
	if len(b.on.corners) == 0 {
		return Contact{}, Miss
	}
	s := curveSweep{curveTarget: curveTarget{flat: b.on, front: front}}
	return s.sweepThrown(a, radius, 0, Vec3{}, vb, horizon)
}

// SweepThrownSphereBox is [SweepThrownSpherePlane] for a solid box.
func SweepThrownSphereBox(a Throw, radius float64, b Box, vb Vec3, horizon float64) (Contact, Outcome) {
	if !b.Half.within(maxInput) || !b.Rotation.within(maxInput) || !(b.Half.X >= 0 && b.Half.Y >= 0 && b.Half.Z >= 0) {
		return Contact{}, Miss
	}
	s := curveSweep{curveTarget: curveTarget{kind: boxTarget, half: b.Half}}
	back := b.Rotation.conjugate()
	at := Throw{back.Rotate(a.Position.Sub(b.Center)), back.Rotate(a.Velocity), back.Rotate(a.Acceleration)}
	c, outcome := s.sweepThrown(at, radius, 0, Vec3{}, back.Rotate(vb), horizon)
	if outcome == Miss {
		return c, outcome
	}
	c.Normal, _ = b.Rotation.Rotate(c.Normal).Normalized()
	c.CenterA, c.CenterB = a.PositionAt(c.Time), b.Center.AddScaled(c.Time, vb)
	c.Point = c.CenterA.AddScaled(-radius, c.Normal)
	return c, outcome
}

// sweepThrown sweeps a thrown sphere against the target, which is at origin and grown by round.
func (s *curveSweep) sweepThrown(
	a Throw, radius, round float64, origin, vb Vec3, horizon float64,
) (Contact, Outcome) {
	s.radius = radius + round
	if !(radius >= 0 && s.radius <= maxInput && horizon >= 0 && horizon <= maxInput &&
		origin.within(maxInput) && a.Position.within(maxInput) && a.Velocity.within(maxInput) &&
		a.Acceleration.within(maxInput) && vb.within(maxInput)) {
		return Contact{}, Miss
	}
	c := parabola(a.Position.Sub(origin), a.Velocity.Sub(vb), a.Acceleration, horizon)
	if !s.sweep(&c, 0, 1, 0) {
		return Contact{}, Miss
	}
	t := float64(s.u * horizon)
	contact := Contact{
		Time: t, Normal: s.normal, CenterA: a.PositionAt(t), CenterB: origin.AddScaled(t, vb),
	}
	contact.Point = contact.CenterA.AddScaled(-radius, contact.Normal)
	if s.overlap {
		return contact, Overlap
	}
	return contact, Hit
}

// parabola returns x + t·v + t²/2·a for t from 0 to seconds.
func parabola(x, v, a Vec3, seconds float64) curve {
	half := v.Scale(seconds / 2)
	square := a.Scale(float64(seconds * seconds / 2))
	points := [3]Vec3{x, x.Add(half), x.Add(half.Scale(2)).Add(square)}
	c := curve{w: roots.Of(1, 1, 1)}
	c.x.N, c.y.N, c.z.N = 2, 2, 2
	size := 0.0
	for i, q := range points {
		c.x.C[i], c.y.C[i], c.z.C[i] = q.X, q.Y, q.Z
		size = max(size, q.MaxAbs())
	}
	c.x.Err = float64(4 * 0x1p-53 * (size + half.MaxAbs() + square.MaxAbs()))
	c.y.Err, c.z.Err = c.x.Err, c.x.Err
	return c
}
