package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
)

// applyFriction applies friction to an impact at time t of body i with a body (its id) or a surface
// (its code). The unit normal n points to body i, normal is the impulse along it in N·s, and vi and
// vj are the mean velocities after the normal impulse. applyFriction changes the spins. It returns
// the mean velocities after friction, and for each side whether its velocity or spin has changed.
//
// Coulomb's law for two rigid spheres: the friction impulse is opposite to the slip of the two
// surfaces. It ends the slip if at most Static times the normal impulse does that, and otherwise is
// Dynamic times the normal impulse. It acts on both sides at the point of contact, so linear and
// angular momentum are kept. Between spheres the slip changes along its own direction only. An
// impulse J against a slip u changes the energy by J·(J·w/2 - u), where w is the effective inverse
// mass, so an impulse that does not reverse the slip adds none, whatever normal is, and one impulse
// is enough.
//
// That holds for two spheres that nothing else touches. Friction would drive a body that slides on
// other things into them. So friction acts in an impact only if both bodies slide on nothing, or
// bounce. A contact that does not bounce persists, and its friction is solved in the next step,
// together with all other contacts (package contacts).
//
// Rolling and spinning resistance comes first, as a torque impulse that at most ends the relative
// spin. Then friction ends the slip that this has left, so that an impact that sticks leaves no
// slip.
func (s *Space) applyFriction(
	i, code int32, n, vi, vj collide.Vec3, normal, t float64,
) (ui, uj collide.Vec3, changedI, changedJ bool) {
	if !(normal > 0) {
		return vi, vj, false, false
	}
	a, b, friction := s.side(i, vi, t), frictionSide{body: -1}, FrictionCoefficients{}
	var rotor *rotor
	var arm collide.Vec3
	if code >= 0 {
		j := s.index[code]
		b = s.side(j, vj, t)
		friction = s.combineFriction(&s.infos[i].material, &s.infos[j].material)
	} else {
		f := s.infoOf(code)
		contact := s.contactPoint(i, code, n, t)
		b.v = s.statics.At(surfaceOf(code)).VelocityAt(contact, t).Add(s.beltVelocity(f))
		if rotor = s.rotorOf(surfaceOf(code)); rotor != nil {
			arm = s.armOf(rotor, contact, t)
		}
		friction = s.combineFriction(&s.infos[i].material, &f.material)
	}
	if s.ContactRule != nil {
		friction = s.ruling.Friction
	}
	wi, wj := a.w, b.w
	if inverse := a.inverseInertia + b.inverseInertia; inverse > 0 && (friction.Rolling > 0 || friction.Spinning > 0) {
		lever := contacts.RollingLever(a.radius, b.radius)
		torque := friction.TorqueImpulse(wi.Sub(wj), n, inverse, lever, normal)
		wi = wi.AddScaled(a.inverseInertia, torque)
		wj = wj.AddScaled(-b.inverseInertia, torque)
	}
	surfaceSpin := wi.Scale(a.radius).Add(wj.Scale(b.radius))
	slip := a.v.Sub(b.v).Add(n.Cross(surfaceSpin))
	slip = slip.AddScaled(-n.Dot(slip), n)
	d, speed := collide.Vec3{}, slip.Length()
	if speed > float64(slipTolerance*(a.v.SumAbs()+b.v.SumAbs()+surfaceSpin.SumAbs())) {
		// The second projection removes the rounding error of the first.
		d, _ = slip.AddScaled(-n.Dot(slip), n).Normalized()
	}
	ui, uj = vi, vj
	stands, used := d == (collide.Vec3{}), 0.0
	if !stands && friction.Static > 0 {
		hi, hj := s.mobilityAlong(&a, d.Neg()), s.mobilityAlong(&b, d)
		inverse := float64(a.inverseMass*hi.LengthSquared()) + float64(b.inverseMass*hj.LengthSquared()) +
			a.spinInverseMass() + b.spinInverseMass()
		if rotor != nil {
			inverse += s.rotorInverseMass(rotor, arm, d.Neg(), t)
		}
		// Locked axes can give an impulse along the surface a component along the normal. Then
		// there is no friction.
		if inverse > 0 && !(math.Abs(n.Dot(hi)) > lockedTolerance) && !(math.Abs(n.Dot(hj)) > lockedTolerance) {
			impulse := friction.SlidingImpulse(speed, inverse, normal)
			stands, used = impulse == speed/inverse, impulse
			ui = vi.AddScaled(float64(impulse*a.inverseMass), hi)
			uj = vj.AddScaled(float64(impulse*b.inverseMass), hj)
			if rotor != nil {
				s.pushRotor(rotor, arm, d, impulse, t)
			}
			axis := n.Cross(d)
			wi = wi.AddScaled(float64(impulse*float64(a.radius*a.inverseInertia)), axis)
			wj = wj.AddScaled(float64(impulse*float64(b.radius*b.inverseInertia)), axis)
		}
	}
	if stands && s.isUnsolved(i, code) {
		switch {
		case b.inverseMass == 0:
			ui = s.holdStill(&a, n, ui, &friction, normal, used, t)
		case a.inverseMass == 0:
			uj = s.holdStill(&b, n, uj, &friction, normal, used, t)
		}
	}
	return ui, uj, s.storeFriction(&a, ui.Sub(vi), wi, t), s.storeFriction(&b, uj.Sub(vj), wj, t)
}

// isUnsolved reports whether the contact solver leaves the contact of body i with a body (its id)
// or a surface (its code) to impacts, since one of the two has a sliding material.
func (s *Space) isUnsolved(i, code int32) bool {
	if s.infos[i].material.Sliding {
		return true
	}
	if code >= 0 {
		return s.infos[s.index[code]].material.Sliding
	}
	return s.infoOf(code).material.Sliding
}

// holdStill reduces the acceleration of a body along something immovable, on which friction has
// ended its slip at time t, and returns its mean velocity, which was v. Friction holds the body for
// the rest of the step if that takes no more than is left of Static times the normal impulse, of
// which used has ended the slip. Otherwise it slows the body down by what is left of Dynamic times
// the normal impulse. A body that can rotate would begin to roll instead.
func (s *Space) holdStill(
	a *frictionSide, n, v collide.Vec3, friction *FrictionCoefficients, normal, used, t float64,
) collide.Vec3 {
	if a.inverseInertia > 0 || a.inverseMass == 0 {
		return v
	}
	acceleration := s.acceleration(a.body)
	tangent := s.unlocked(a.body, acceleration.AddScaled(-n.Dot(acceleration), n))
	size := tangent.Length()
	if size == 0 || math.Abs(n.Dot(tangent)) > float64(lockedTolerance*acceleration.SumAbs()) {
		return v
	}
	ratio := 1.0
	if impulse := float64(size*(s.Seconds-t)) / a.inverseMass; used+impulse > float64(friction.Static*normal) {
		ratio = min(1, max(0, float64(friction.Dynamic*normal)-used)/impulse)
	}
	change := tangent.Scale(-ratio)
	s.setAcceleration(a.body, acceleration.Add(change))
	s.shiftSlideOrigins(a.body, collide.Vec3{}, change)
	return v.AddScaled(float64(s.Seconds/2)-t, change) // the velocity at time t stays as it is
}

// slipTolerance is the slip that counts as zero, as a fraction of the speeds of which it is the
// difference: 32 roundings, where each component goes through about ten. The direction of a smaller
// slip is rounding error, and an impulse against it would press one body into the other. With a
// much larger value, slow slip would have no friction.
const slipTolerance = 0x1p-48

// lockedTolerance is the component along the normal that counts as zero in an impulse along the
// surface, as a fraction of that: 32 roundings. A smaller value would take rounding for a locked
// axis and omit friction; a larger one would let friction press bodies together.
const lockedTolerance = 0x1p-48

// frictionSide is one side of an impact as applyFriction sees it: a body, or a surface of infinite
// mass.
type frictionSide struct {
	body                                int32        // -1 for a surface
	v, w                                collide.Vec3 // velocity at the time of impact, m/s, and angular velocity, rad/s
	radius, inverseMass, inverseInertia float64
}

// side returns body i at time t as a side of an impact. Its mean velocity is v.
func (s *Space) side(i int32, v collide.Vec3, t float64) frictionSide {
	b := &s.bodies[i]
	a := frictionSide{body: i, v: s.velocityFrom(i, v, t), radius: b.radius, inverseMass: b.inverseMass}
	if p := s.spinOf(i); p != nil && s.flags[i]&frozen == 0 { // a halted body does not rotate either
		a.w = p.angularVelocity
		if b.inverseMass > 0 {
			a.inverseInertia = p.inverseInertia
		}
	}
	return a
}

// spinInverseMass returns what spin adds to the effective inverse mass of an impulse along the
// surface.
func (a *frictionSide) spinInverseMass() float64 {
	return float64(a.inverseInertia * float64(a.radius*a.radius))
}

// mobilityAlong returns the change of velocity per impulse along d and inverse mass: d without the
// locked axes, or zero if the body is immovable.
func (s *Space) mobilityAlong(a *frictionSide, d collide.Vec3) collide.Vec3 {
	if a.inverseMass == 0 {
		return collide.Vec3{}
	}
	return s.unlocked(a.body, d)
}

// storeFriction stores the effects of friction on a body besides its velocity: the new angular
// velocity w, and the change of velocity in the contacts along which the body slides. It reports
// whether velocity or spin has changed.
func (s *Space) storeFriction(a *frictionSide, change, w collide.Vec3, t float64) bool {
	if change != (collide.Vec3{}) {
		s.shiftSlideOrigins(a.body, change, collide.Vec3{})
	}
	if w != a.w && a.inverseInertia > 0 {
		p := s.spinOf(a.body)
		if s.KeepPaths {
			s.noteSpin(a.body, p, w, t)
		}
		p.setVelocity(w, t)
		return true
	}
	return change != (collide.Vec3{})
}
