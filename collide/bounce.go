package collide

import "math"

// Bounce returns the velocities after an impact of two bodies, and the magnitude of the impulse
// between them in kg·m/s. The impulse on a is impulse·normal, and the impulse on b is the opposite.
//
// The normal has unit length and points from b to a, as in [Contact]. Inverse masses are in 1/kg
// and at least 0; 0 stands for an immovable body. Restitution is between 0 (no rebound) and 1 (no
// energy loss). The velocities are returned unchanged, with impulse 0, if the bodies don't approach
// along the normal, if both are immovable, and for invalid input: a NaN, an infinity, or a negative
// inverse mass or restitution. Swapping the bodies and negating the normal swaps the results bit
// for bit.
func Bounce(
	va, vb Vec3, inverseMassA, inverseMassB float64, normal Vec3, restitution float64,
) (va2, vb2 Vec3, impulse float64) {
	approach := normal.Dot(va.Sub(vb))
	inverse := inverseMassA + inverseMassB
	if !(approach < 0 && inverse > 0 && inverseMassA >= 0 && inverseMassB >= 0 && restitution >= 0) {
		return va, vb, 0
	}
	// Newton's law of restitution: the normal velocity is reversed and scaled by the restitution.
	j := -(1 + restitution) * approach / inverse
	if !(j <= math.MaxFloat64 && inverse <= math.MaxFloat64) {
		return va, vb, 0
	}
	return va.AddScaled(float64(j*inverseMassA), normal), vb.AddScaled(-float64(j*inverseMassB), normal), j
}

// BounceOff returns the velocity of a body after an impact with an immovable surface. The surface
// moves at surfaceVelocity: zero for a wall, the platform's velocity for a moving platform. The
// normal has unit length and points out of the surface. [Bounce] has the rules.
func BounceOff(v, surfaceVelocity, normal Vec3, restitution float64) Vec3 {
	after, _, _ := Bounce(v, surfaceVelocity, 1, 0, normal, restitution)
	return after
}
