package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
)

// Friction is how a surface resists what slides, rolls or spins on it.
type Friction = contacts.Friction

// AddFriction returns the number by which a Material names f. A game has few different ones. They are kept until
// ForgetFrictions.
func (s *Space) AddFriction(g Friction) uint16 {
	if g == (Friction{}) {
		return 0
	}
	if len(s.frictions) == 0 {
		s.frictions = append(s.frictions, Friction{})
	}
	for k := range s.frictions {
		if s.frictions[k] == g {
			return uint16(k)
		}
	}
	if len(s.frictions) > maxFrictions {
		return maxFrictions
	}
	s.frictions = append(s.frictions, g)
	return uint16(len(s.frictions) - 1)
}

// maxFrictions is how many different frictions there can be: as many as a uint16 can number.
const maxFrictions = 1<<16 - 2

// combineFriction returns the friction of a contact between two materials.
func (s *Space) combineFriction(a, b *Material) Friction {
	if a.Friction|b.Friction == 0 {
		return Friction{}
	}
	return s.CombineFriction(&s.frictions[a.Friction], &s.frictions[b.Friction])
}

// pressureImpulse returns the normal impulse of an impact at that closing speed, for a mass of 1. If the impact does not
// bounce, the impulse of the weight that the contact bears for the rest of the step is added.
func (s *Space) pressureImpulse(closing, e, t float64) float64 {
	p := float64((1 + e) * max(closing, 0))
	if e == 0 {
		p += float64(max(s.heldAcceleration, 0) * (s.Seconds - t))
	}
	return p
}

// slidesOnNothing reports whether friction may act on body i in an impact without a bounce: the body is immovable, or slides on
// nothing.
func (s *Space) slidesOnNothing(i int32) bool {
	return s.bodies[i].inverseMass == 0 || s.infos[i].slideContacts < 0
}

// applyFriction applies friction to an impact at time t of body i with another body, by its id, or a surface, by its
// code. The normal n points at body i, normal is the impulse along it, and vi and vj are the mean velocities that the
// normal impulse has left. applyFriction returns the velocities that friction leaves, changes the spins, and reports
// for each side whether anything about it has changed.
//
// Coulomb's law for two rigid spheres: the impulse that ends the slip of the two surfaces if that is at most Static
// times the normal impulse, and otherwise Dynamic times it, against the slip. It acts on both sides at the point of
// contact, so linear and angular momentum are kept. Between spheres the slip changes along its own direction only. An
// impulse J against a slip u changes the energy by J·(J·w/2 - u), where w is the effective inverse mass, so an impulse
// that does not reverse the slip adds none, whatever normal is, and one impulse is enough.
//
// That holds for two spheres that nothing else touches. A body that slides on other things would be driven into them.
// So the friction of an impact acts only where both bodies are loose, or bounce off. A contact that does not bounce
// lasts, and has its friction in the next step, where it is solved with all others (package contacts).
//
// Rolling and spinning resistance comes first, as a torque impulse that at most ends the relative spin. Then friction
// ends the slip that this has left, so that an impact that sticks leaves no slip.
func (s *Space) applyFriction(i, with int32, n, vi, vj collide.Vec3, normal, t float64) (ui, uj collide.Vec3, ri, rj bool) {
	if !(normal > 0) {
		return vi, vj, false, false
	}
	a, b, g := s.side(i, vi, t), frictionSide{body: -1}, Friction{}
	if with >= 0 {
		j := s.index[with]
		b = s.side(j, vj, t)
		g = s.combineFriction(&s.infos[i].material, &s.infos[j].material)
	} else {
		f := &s.surfaces[surfaceCode-with]
		b.v = s.statics.At(surfaceCode - with).Velocity.Add(f.surfaceVelocity)
		g = s.combineFriction(&s.infos[i].material, &f.material)
	}
	wi, wj := a.w, b.w
	if inverse := a.inverseInertia + b.inverseInertia; inverse > 0 && (g.Rolling > 0 || g.Spinning > 0) {
		lever := a.radius
		if with >= 0 { // the radius of a sphere on a plane with the same relative curvature
			lever = float64(a.radius*b.radius) / (a.radius + b.radius)
		}
		torque := g.TorqueImpulse(wi.Sub(wj), n, inverse, lever, normal)
		wi = wi.AddScaled(a.inverseInertia, torque)
		wj = wj.AddScaled(-b.inverseInertia, torque)
	}
	turning := wi.Scale(a.radius).Add(wj.Scale(b.radius))
	slip := a.v.Sub(b.v).Add(n.Cross(turning))
	slip = slip.AddScaled(-n.Dot(slip), n)
	d, speed := collide.Vec3{}, slip.Length()
	if speed > float64(slipTolerance*(abs1(a.v)+abs1(b.v)+abs1(turning))) {
		d, _ = slip.AddScaled(-n.Dot(slip), n).Normalized() // once more, for what the first rounding left
	}
	ui, uj = vi, vj
	if d != (collide.Vec3{}) && g.Static > 0 {
		hi, hj := s.mobilityAlong(&a, d.Neg()), s.mobilityAlong(&b, d)
		inverse := float64(a.inverseMass*hi.LengthSquared()) + float64(b.inverseMass*hj.LengthSquared()) + a.spinInverseMass() + b.spinInverseMass()
		// Locked axes can turn an impulse along the surface into one against it. Then there is no friction.
		if inverse > 0 && !(math.Abs(n.Dot(hi)) > lockedTolerance) && !(math.Abs(n.Dot(hj)) > lockedTolerance) {
			impulse := g.SlidingImpulse(speed, inverse, normal)
			ui = vi.AddScaled(float64(impulse*a.inverseMass), hi)
			uj = vj.AddScaled(float64(impulse*b.inverseMass), hj)
			turn := n.Cross(d)
			wi = wi.AddScaled(float64(impulse*float64(a.radius*a.inverseInertia)), turn)
			wj = wj.AddScaled(float64(impulse*float64(b.radius*b.inverseInertia)), turn)
		}
	}
	return ui, uj, s.storeFriction(&a, ui.Sub(vi), wi, t), s.storeFriction(&b, uj.Sub(vj), wj, t)
}

// slipTolerance is the slip that counts as none, as a fraction of the speeds that it is the difference of: 32 roundings. Each
// component goes through about ten. A smaller slip has no reliable direction, and an impulse against it would press one
// body into the other.
const slipTolerance = 0x1p-48

// lockedTolerance is the component along the normal, as a fraction of an impulse along the surface, that counts as none: 32
// roundings.
const lockedTolerance = 0x1p-48

// frictionSide is one of the two sides of an impact, with what friction needs of it.
type frictionSide struct {
	body                                int32 // -1 for a surface
	v, w                                collide.Vec3
	radius, inverseMass, inverseInertia float64
}

// side returns the side of body i at time t where its mean velocity is v.
func (s *Space) side(i int32, v collide.Vec3, t float64) frictionSide {
	b := &s.bodies[i]
	a := frictionSide{body: i, v: s.velocityFrom(i, v, t), radius: b.radius, inverseMass: b.inverseMass}
	if p := s.spinOf(i); p != nil && s.flags[i]&frozen == 0 { // a body that has been stopped does not turn either
		a.w = p.angularVelocity
		if b.inverseMass > 0 {
			a.inverseInertia = p.inverseInertia
		}
	}
	return a
}

// spinInverseMass returns what spin adds to the effective inverse mass of an impulse along the surface.
func (a *frictionSide) spinInverseMass() float64 {
	return float64(a.inverseInertia * float64(a.radius*a.radius))
}

// mobilityAlong returns the direction in which an impulse along d moves a body.
func (s *Space) mobilityAlong(a *frictionSide, d collide.Vec3) collide.Vec3 {
	if a.inverseMass == 0 {
		return collide.Vec3{}
	}
	return s.unlocked(a.body, d)
}

// storeFriction stores what friction has done to a body, except for its velocity, and reports whether it has done
// anything.
func (s *Space) storeFriction(a *frictionSide, change, w collide.Vec3, t float64) bool {
	if change != (collide.Vec3{}) {
		s.shiftSlideOrigins(a.body, change, collide.Vec3{})
	}
	if w != a.w && a.inverseInertia > 0 {
		s.spinOf(a.body).setVelocity(w, t)
		return true
	}
	return change != (collide.Vec3{})
}
