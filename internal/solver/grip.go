package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
)

// Grip is how a surface resists what slides, rolls or spins on it.
type Grip = contacts.Friction

// Grip returns the number by which a Material names g. There are few of them in a game, and they are kept for good.
func (s *Space) Grip(g Grip) uint16 {
	if g == (Grip{}) {
		return 0
	}
	if len(s.grips) == 0 {
		s.grips = append(s.grips, Grip{})
	}
	for k := range s.grips {
		if s.grips[k] == g {
			return uint16(k)
		}
	}
	if len(s.grips) > maxGrips {
		return maxGrips
	}
	s.grips = append(s.grips, g)
	return uint16(len(s.grips) - 1)
}

// maxGrips bounds how many different grips there can be.
const maxGrips = 1<<16 - 2

// grip returns how two things hold on to each other.
func (s *Space) grip(a, b *Material) Grip {
	if a.Grip|b.Grip == 0 {
		return Grip{}
	}
	return s.CombineGrip(&s.grips[a.Grip], &s.grips[b.Grip])
}

// pressing returns the impulse of an impact at that closing speed, of something with mass 1. If it doesn't bounce, that with which
// it is going to press for the rest of the step counts at once.
func (s *Space) pressing(closing, e, t float64) float64 {
	p := float64((1 + e) * max(closing, 0))
	if e == 0 {
		p += float64(max(s.held, 0) * (s.Seconds - t))
	}
	return p
}

// loose reports whether friction may act on body i in an impact without a bounce: nothing moves it, or it slides on nothing.
func (s *Space) loose(i int32) bool { return s.bodies[i].inverseMass == 0 || s.infos[i].slides < 0 }

// rub lets body i and what it meets at time t hold on to each other: with is the id of a body or the code of a surface. The normal n points at body i, normal is the
// impulse along it, and vi and vj are the mean velocities that it has left them. rub returns those that friction leaves, and changes the spins. It tells whether the one
// or the other has changed in anything.
//
// Coulomb's law as it is for two rigid spheres: the impulse that ends the slip of the two surfaces on each other, if that is at most Static times the normal one, and
// otherwise Dynamic times that, against the slip. It acts at the one point at which they touch, on the one as much as on the other, so linear and angular momentum are kept.
// For spheres the slip changes in its own direction and no other. An impulse J against a slip u changes the energy by J·(J·ease/2 - u), so none that doesn't turn the slip round can
// add to it, whatever normal is, and one is enough.
//
// That holds for two that nothing else touches. What slides on other things would be driven against those, and what they take and give depends on all that they touch in turn: so the friction of an impact acts only where
// both are loose, or bounce off. What doesn't bounce stays, and has its friction in the next step, with all that it touches (package contacts).
//
// Resistance to rolling and turning comes first, as a torque's impulse that at most ends the relative spin. Then friction ends the slip that this has left, so that an impact that sticks leaves no slip.
func (s *Space) rub(i, with int32, n, vi, vj collide.Vec3, normal, t float64) (ui, uj collide.Vec3, ri, rj bool) {
	if !(normal > 0) {
		return vi, vj, false, false
	}
	a, b, g := s.side(i, vi, t), side{body: -1}, Grip{}
	if with >= 0 {
		j := s.index[with]
		b = s.side(j, vj, t)
		g = s.grip(&s.infos[i].material, &s.infos[j].material)
	} else {
		f := &s.surfaces[surfaceCode-with]
		b.v = f.Velocity.Add(f.Belt)
		g = s.grip(&s.infos[i].material, &f.Material)
	}
	wi, wj := a.w, b.w
	if ease := a.inverseInertia + b.inverseInertia; ease > 0 && (g.Rolling > 0 || g.Spinning > 0) {
		lever := a.radius
		if with >= 0 { // of the sphere that is to a plane as the two are to each other
			lever = float64(a.radius*b.radius) / (a.radius + b.radius)
		}
		torque := g.TorqueImpulse(wi.Sub(wj), n, ease, lever, normal)
		wi = wi.AddScaled(a.inverseInertia, torque)
		wj = wj.AddScaled(-b.inverseInertia, torque)
	}
	turning := wi.Scale(a.radius).Add(wj.Scale(b.radius))
	slip := a.v.Sub(b.v).Add(n.Cross(turning))
	slip = slip.AddScaled(-n.Dot(slip), n)
	d, speed := collide.Vec3{}, slip.Length()
	if speed > float64(noSlip*(abs1(a.v)+abs1(b.v)+abs1(turning))) {
		d, _ = slip.AddScaled(-n.Dot(slip), n).Normalized() // once more, for what the first rounding left
	}
	ui, uj = vi, vj
	if d != (collide.Vec3{}) && g.Static > 0 {
		hi, hj := s.give(&a, d.Neg()), s.give(&b, d)
		ease := float64(a.inverseMass*hi.LengthSquared()) + float64(b.inverseMass*hj.LengthSquared()) + a.twist() + b.twist()
		// Where locked axes turn the push along the surface into one against it, they hold it, as if it had none.
		if ease > 0 && !(math.Abs(n.Dot(hi)) > aslant) && !(math.Abs(n.Dot(hj)) > aslant) {
			impulse := g.SlidingImpulse(speed, ease, normal)
			ui = vi.AddScaled(float64(impulse*a.inverseMass), hi)
			uj = vj.AddScaled(float64(impulse*b.inverseMass), hj)
			turn := n.Cross(d)
			wi = wi.AddScaled(float64(impulse*float64(a.radius*a.inverseInertia)), turn)
			wj = wj.AddScaled(float64(impulse*float64(b.radius*b.inverseInertia)), turn)
		}
	}
	return ui, uj, s.rubbed(&a, ui.Sub(vi), wi, t), s.rubbed(&b, uj.Sub(vj), wj, t)
}

// noSlip is the slip, in parts of the speeds that it is the difference of, that counts as none: 32 roundings. Each of its
// components goes through about ten. Below, it has no direction, and what acted against that would press one into the other.
const noSlip = 0x1p-48

// aslant is how far, in parts of itself, a push along the surface may go against it: 32 roundings.
const aslant = 0x1p-48

// side is one of the two in a contact, as friction sees it.
type side struct {
	body                                int32 // -1 for a surface
	v, w                                collide.Vec3
	radius, inverseMass, inverseInertia float64
}

// side returns that of body i at time t where its mean velocity is v.
func (s *Space) side(i int32, v collide.Vec3, t float64) side {
	b := &s.bodies[i]
	a := side{body: i, v: s.velocityFrom(i, v, t), radius: b.radius, inverseMass: b.inverseMass}
	if p := s.spinOf(i); p != nil && s.flags[i]&frozen == 0 { // what is stopped drags nothing along
		a.w = p.w
		if b.inverseMass > 0 {
			a.inverseInertia = p.inverseInertia
		}
	}
	return a
}

// twist returns how easily a push on the surface turns it.
func (a *side) twist() float64 { return float64(a.inverseInertia * float64(a.radius*a.radius)) }

// give returns how a body gives way to a push along d.
func (s *Space) give(a *side, d collide.Vec3) collide.Vec3 {
	if a.inverseMass == 0 {
		return collide.Vec3{}
	}
	return s.unlocked(a.body, d)
}

// rubbed makes true what friction has done to a body, but for its velocity, and reports whether that is anything.
func (s *Space) rubbed(a *side, change, w collide.Vec3, t float64) bool {
	if change != (collide.Vec3{}) {
		s.shove(a.body, change, collide.Vec3{})
	}
	if w != a.w && a.inverseInertia > 0 {
		s.spinOf(a.body).become(w, t)
		return true
	}
	return change != (collide.Vec3{})
}
