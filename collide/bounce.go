package collide

import "math"

// Bounce returns the velocities after an impact of two bodies, and the impulse between them, in
// kilogram metres per second: b pushes a by impulse·normal and a pushes b by as much the other way.
//
// The normal is of unit length and points from b towards a, as in [Contact]. Inverse masses are in 1/kg
// and at least 0; 0 makes a body immovable. Restitution is 0 for no rebound to 1 for no loss.
// Bodies that don't approach along the normal come back unchanged with impulse 0, and so do two immovable
// ones and bad input: a NaN or an infinity, or a negative inverse mass or restitution. Swapping the bodies and turning the
// normal swaps the results bit for bit.
func Bounce(va, vb Vec3, inverseMassA, inverseMassB float64, normal Vec3, restitution float64) (va2, vb2 Vec3, impulse float64) {
	approach := normal.Dot(va.Sub(vb))
	inverse := inverseMassA + inverseMassB
	if !(approach < 0 && inverse > 0 && inverseMassA >= 0 && inverseMassB >= 0 && restitution >= 0) {
		return va, vb, 0
	}
	// Newton's law of restitution: the speed of approach is reversed and scaled by the restitution.
	j := -(1 + restitution) * approach / inverse
	if !(j <= math.MaxFloat64 && inverse <= math.MaxFloat64) {
		return va, vb, 0
	}
	return va.AddScaled(float64(j*inverseMassA), normal), vb.AddScaled(-float64(j*inverseMassB), normal), j
}

// BounceOff returns the velocity of a body after it has met an immovable surface, which itself may move at
// surfaceVelocity (zero for a wall, that of the platform for a platform). The normal points out of the surface. See [Bounce].
func BounceOff(v, surfaceVelocity, normal Vec3, restitution float64) Vec3 {
	after, _, _ := Bounce(v, surfaceVelocity, 1, 0, normal, restitution)
	return after
}
