package contacts

import "github.com/dango-physics/dango/collide"

// FrictionCoefficients say how much a surface or a contact resists sliding, rolling and spinning.
// They have no unit. The zero value resists nothing.
//
// components.MaterialData calls Dynamic Friction and Static StaticFriction, where 0 stands for
// Friction. Here Static is filled in.
type FrictionCoefficients struct {
	Static, Dynamic float64 // Coulomb's coefficients, >= 0, Static >= Dynamic
	Rolling         float64 // greatest torque against rolling, in parts of lever times normal force, >= 0
	Spinning        float64 // the same against spinning about the normal
}

// SlidingImpulse returns the magnitude of the friction impulse against a slip by Coulomb's law,
// N·s: the impulse that ends the slip if that is at most Static·normal, and Dynamic·normal
// otherwise. A slip of 1 m/s takes an impulse of 1/inverseMass to end, where inverseMass is the
// effective inverse mass along it, spin included. normal is the normal impulse, >= 0.
func (f *FrictionCoefficients) SlidingImpulse(speed, inverseMass, normal float64) float64 {
	if stop := speed / inverseMass; !(stop > float64(f.Static*normal)) {
		return stop
	}
	return float64(f.Dynamic * normal)
}

// TorqueImpulse returns the angular impulse, N·m·s, by which a contact with normal n resists the
// relative angular velocity w of its two spheres. Rolling (about axes in the contact plane) and
// spinning (about n) are resisted separately, each by at most its coefficient times lever times the
// normal impulse, and by no more than what ends it. The result acts on the first sphere, and its
// negative on the second. inverseInertia is the sum of both.
func (f *FrictionCoefficients) TorqueImpulse(
	w, n collide.Vec3, inverseInertia, lever, normal float64,
) (impulse collide.Vec3) {
	spinning := n.Dot(w)
	rolling := w.AddScaled(-spinning, n)
	if axis, ok := rolling.Normalized(); ok {
		most := float64(f.Rolling * float64(lever*normal))
		impulse = axis.Scale(-min(most, axis.Dot(rolling)/inverseInertia))
	}
	most := float64(f.Spinning * float64(lever*normal))
	return impulse.AddScaled(-max(-most, min(most, spinning/inverseInertia)), n)
}

// RollingLever returns the lever of [Friction.TorqueImpulse], m, for a sphere of radius a at one of
// radius b, or at a surface, which has the radius 0 and counts as flat. It is the radius of a
// sphere on a plane with the same relative curvature.
func RollingLever(a, b float64) float64 {
	if b == 0 {
		return a
	}
	return float64(a*b) / (a + b)
}
