package collide

import "math"

// Rotating is the motion of a shape that rotates about a point, for a step of a given duration.
//
// Within a step the rotation is the normalised linear interpolation of unit quaternions: with q0 at
// the start and q1 at the end of a piece of the step, the rotation at a fraction s of the piece is
// ((1-s)·q0 + s·q1)/|(1-s)·q0 + s·q1|. The step has as few equal pieces as it needs to rotate by at
// most [MaxRotationPiece] in each. At the ends of pieces the rotation is that of a uniform angular
// velocity. In between it deviates by at most 6.5e-5 rad, and the rate of rotation by at most 0.3 %
// ([Rotating.AngularVelocityAt]). So the matrix of the rotation is a quotient of polynomials of
// degree 2, and the times of impact with a sphere on a straight path are roots of polynomials.
type Rotating struct {
	Pivot    Vec3    // the point about which the shape rotates, at the start of the step, metres
	Velocity Vec3    // of the pivot, m/s, constant
	Angular  Vec3    // angular velocity, rad/s, along the axis, counter-clockwise seen from its tip
	Seconds  float64 // duration of the step, s, > 0
}

// MaxRotationPiece is the largest angle by which a shape rotates within a piece of a step, rad.
// With a larger one the rotation in between would be less uniform: the deviation is 4e-6 rad for
// 0.1 rad, and 5e-4 rad for 0.5. With a smaller one steps would have more pieces, each of which
// takes time.
const MaxRotationPiece = 0.25

// maxRotationPieces is the largest number of pieces of a step: 40 turns. Faster shapes rotate
// further in each piece, up to a quarter of a turn; beyond that there are no sweeps.
const maxRotationPieces = 1 << 10

// rotationPieces returns into how many pieces the step is divided.
func (m *Rotating) rotationPieces() int {
	angle := float64(m.Angular.Length() * m.Seconds)
	if !(angle > MaxRotationPiece) {
		return 1
	}
	return int(min(math.Ceil(angle/MaxRotationPiece), maxRotationPieces))
}

// pieceAt returns the piece of the step in which time t is, its start, and its duration.
func (m *Rotating) pieceAt(t float64) (piece int, start, seconds float64) {
	n := m.rotationPieces()
	seconds = m.Seconds / float64(n)
	if n > 1 {
		piece = int(max(0, min(math.Floor(t/seconds), float64(n-1))))
	}
	return piece, float64(float64(piece) * seconds), seconds
}

// Rotation returns the rotation of the shape from the start of the step to time t, 0 to Seconds.
func (m *Rotating) Rotation(t float64) Quat {
	if t == 0 || m.Angular == (Vec3{}) || !(m.Seconds > 0) {
		return Quat{W: 1}
	}
	piece, start, seconds := m.pieceAt(t)
	s := (t - start) / seconds
	if s == 1 {
		return RotationBy(m.Angular.Scale(start + seconds))
	}
	q := RotationBy(m.Angular.Scale(seconds))
	q = Quat{float64(s * q.X), float64(s * q.Y), float64(s * q.Z), 1 - float64(s*(1-q.W))}.Normalized()
	if piece > 0 {
		q = q.Mul(RotationBy(m.Angular.Scale(start)))
	}
	return q
}

// PivotAt returns where the pivot is at time t.
func (m *Rotating) PivotAt(t float64) Vec3 { return m.Pivot.AddScaled(t, m.Velocity) }

// PointAt returns where the point of the shape that is at p at the start of the step is at time t.
func (m *Rotating) PointAt(p Vec3, t float64) Vec3 {
	return m.PivotAt(t).Add(m.Rotation(t).Rotate(p.Sub(m.Pivot)))
}

// StartOf returns where the point of the shape that is at p at time t is at the start of the step.
func (m *Rotating) StartOf(p Vec3, t float64) Vec3 {
	return m.Pivot.Add(m.Rotation(t).conjugate().Rotate(p.Sub(m.PivotAt(t))))
}

// AngularVelocityAt returns the angular velocity at time t, rad/s. It varies around Angular within
// each piece of the step, since the interpolation isn't uniform: it is lowest at the ends of the
// piece.
func (m *Rotating) AngularVelocityAt(t float64) Vec3 {
	angle := m.Angular.Length()
	if !(angle > 0) || !(m.Seconds > 0) {
		return Vec3{}
	}
	_, start, seconds := m.pieceAt(t)
	q := RotationBy(m.Angular.Scale(seconds))
	// With tan(φ/2) = s·sin/(1 - s·(1-cos)), sine and cosine of half the angle of the piece.
	s := (t - start) / seconds
	sin := Vec3{q.X, q.Y, q.Z}.Length()
	a, b := 1-float64(s*(1-q.W)), float64(s*sin)
	return m.Angular.Scale(2 * sin / (float64(a*a) + float64(b*b)) / float64(angle*seconds))
}

// VelocityAt returns the velocity of the point of the shape that is at p at time t, m/s: the speed
// at which a conveyor there would have to run to carry things like the shape does. It is the
// derivative of [Rotating.PointAt].
func (m *Rotating) VelocityAt(p Vec3, t float64) Vec3 {
	return m.Velocity.Add(m.AngularVelocityAt(t).Cross(p.Sub(m.PivotAt(t))))
}

// valid reports whether the motion has a duration and all values are in the range of sweeps.
func (m *Rotating) valid() bool {
	return m.Seconds > 0 && m.Seconds <= maxInput && m.Pivot.within(maxInput) && m.Velocity.within(maxInput) &&
		float64(m.Angular.Length()*m.Seconds) <= maxRotationPieces*math.Pi/2
}

// conjugate returns the opposite rotation.
func (a Quat) conjugate() Quat {
	if a == (Quat{}) {
		return a
	}
	return Quat{-a.X, -a.Y, -a.Z, a.W}
}
