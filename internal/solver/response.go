package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/statics"
)

// partingShare is the speed, in parts of the speeds before, at which a pair leaves that doesn't bounce. Their common velocity is rounded, and
// what rounding leaves of an approach would be another impact at once. 2^-44 is 500 roundings: within
// a step of 1/60 s at 100 m/s it opens a gap of 1e-13 m.
const partingShare = 0x1p-44

// resolveImpact lets bodies i and j meet at time t.
func (s *Space) resolveImpact(i, j int32, t float64) {
	if s.infos[i].material.Sensor || s.infos[j].material.Sensor {
		s.enterOrLeaveSensor(i, j, t)
		return
	}
	s.flags[i] &^= unchanged
	s.flags[j] &^= unchanged
	if s.comesAfter(i, j) {
		i, j = j, i
	}
	bi, bj, fi, fj := &s.bodies[i], &s.bodies[j], &s.infos[i], &s.infos[j]
	pi, pj := bi.at(t), bj.at(t)
	vi, vj := bi.v, bj.v
	d := pi.Sub(pj)
	n, ok := d.Normalized()
	if !ok { // the same centre: part along the motion
		n, _ = vj.Sub(vi).Normalized()
	}
	approach := -n.Dot(vi.Sub(vj)) // of their chords
	if !(approach > 0) {
		return // it only grazes, to rounding
	}
	closing := -n.Dot(s.velocity(i, t).Sub(s.velocity(j, t)))
	ni, nj := s.unlocked(i, n), s.unlocked(j, n)
	wi := float64(bi.inverseMass * ni.Dot(ni))
	wj := float64(bj.inverseMass * nj.Dot(nj))
	e := s.restitution(&fi.material, &fj.material, closing)
	if e > 0 && float64((1+e)*closing) <= approach {
		e = 0 // it wouldn't leave for as long as the step
	}
	if s.flags[i]&s.flags[j]&overlapsAtStart != 0 && isOverlapping(d.LengthSquared(), bi, bj) {
		e = 0 // separate moves them apart
	}
	rough := fi.material.Friction|fj.material.Friction != 0 && (e > 0 || s.slidesOnNothing(i) && s.slidesOnNothing(j))
	impulse, pressed := 0.0, false
	if e == 0 && wi > 0 && wj > 0 {
		ni, nj, wi, wj, pressed = s.yieldingDirections(i, j, n, ni, nj, t)
	}
	switch {
	case wi == 0 && wj == 0:
		s.blockPair(i, j, t)
		return
	case e == 0 && wj == 0:
		vi, impulse = s.slideAlong(i, fj.id, n, ni, vj, t)
	case e == 0 && wi == 0:
		vj, impulse = s.slideAlong(j, fi.id, n.Neg(), nj.Neg(), vi, t)
	default:
		least := approach + min(approach, float64(partingShare*(abs1(vi)+abs1(vj))))
		change := closing + float64(e*closing)
		if change < least {
			change = least
		}
		impulse = change / (wi + wj)
		var ai, aj collide.Vec3
		if pressed { // otherwise nobody asks, and pulls need not come from memory
			ai, aj = s.accelerations[i], s.accelerations[j]
		}
		if e == 0 && s.shareAcceleration(i, j, n, ni, nj, wi+wj, approach > closing) {
			impulse = least / (wi + wj)
		}
		vi = vi.AddScaled(float64(impulse*bi.inverseMass), ni)
		vj = vj.AddScaled(-float64(impulse*bj.inverseMass), nj)
		switch {
		case pressed:
			s.shiftSlideOrigins(i, vi.Sub(bi.v), s.accelerations[i].Sub(ai))
			s.shiftSlideOrigins(j, vj.Sub(bj.v), s.accelerations[j].Sub(aj))
		case e == 0:
			fi.slideContacts, fj.slideContacts = -1, -1 // what they slid on is found again if they still press on it
		default:
			if wi > 0 && fi.mayBeHeld() {
				vi = s.leaveContacts(i, vi, t)
			}
			if wj > 0 && fj.mayBeHeld() {
				vj = s.leaveContacts(j, vj, t)
			}
		}
	}
	ti, tj := wi > 0, wj > 0 // which of them turn
	if rough {
		var ri, rj bool
		vi, vj, ri, rj = s.applyFriction(i, fj.id, n, vi, vj, s.pressureImpulse(closing, e, t)/(wi+wj), t)
		ti, tj = ti || ri, tj || rj
	}
	switch {
	case ti && !tj && bj.inverseMass > 0:
		s.noteDependency(j, i)
	case tj && !ti && bi.inverseMass > 0:
		s.noteDependency(i, j)
	}
	teller := i
	if wi == 0 || wj > 0 && fj.id < fi.id {
		teller = j
	}
	if e == 0 && s.maySolve(i, j) {
		s.beginContact(i, fj.id)
	}
	s.logImpact(i, fj.id, teller, t, pi.AddScaled(-bi.radius, n), n, max(closing, 0), impulse, e > 0)
	if ti {
		s.setPath(i, pi, vi, t)
	}
	if tj {
		s.setPath(j, pj, vj, t)
	}
	if ti {
		s.spendBudget(i, pi, t, e)
		s.repredict(i, t)
	}
	if tj {
		s.spendBudget(j, pj, t, e)
		s.repredict(j, t)
	}
}

// resolveSurfaceImpact lets body i meet surface k at time t.
func (s *Space) resolveSurfaceImpact(i, k int32, t float64) {
	b, f, material := &s.bodies[i], s.statics.At(k), &s.surfaces[k].material
	if f.Sensor {
		s.enterOrLeaveSensor(i, surfaceCode-k, t)
		return
	}
	s.flags[i] &^= unchanged
	p, v := b.at(t), b.v
	n := s.polygonNormals[i]
	if f.Kind() == statics.Plane {
		n = f.NormalTo(p, t)
	}
	approach := -n.Dot(v.Sub(f.Velocity))
	if !(approach > 0) {
		return // nothing so slow is predicted: the bound there, approachError, is above the rounding here
	}
	ni := s.unlocked(i, n)
	size := ni.Dot(ni)
	if b.inverseMass == 0 || size == 0 {
		if s.subdomain == nil {
			s.noteCrushed(i, surfaceCode-k, f.Key, t)
		}
		s.stopSurface(k, t)
		return
	}
	closing := -n.Dot(s.velocity(i, t).Sub(f.Velocity))
	e := s.restitution(&s.infos[i].material, material, closing)
	if float64((1+e)*closing) <= approach || s.flags[i]&overlapsAtStart != 0 && s.isInsideSurface(p, b.radius, k, t) {
		e = 0 // it wouldn't leave for as long as the step, or is inside, and separate moves it out
	}
	rough := s.infos[i].material.Friction|material.Friction != 0 && (e > 0 || s.slidesOnNothing(i))
	impulse := 0.0
	if e == 0 {
		v, impulse = s.slideAlong(i, surfaceCode-k, n, ni, f.Velocity, t)
	} else {
		change := (closing + float64(e*closing)) / size
		impulse = change / b.inverseMass
		v = v.AddScaled(change, ni)
		if s.infos[i].mayBeHeld() {
			v = s.leaveContacts(i, v, t)
		}
	}
	if rough {
		v, _, _, _ = s.applyFriction(i, surfaceCode-k, n, v, collide.Vec3{}, s.pressureImpulse(closing, e, t)/float64(b.inverseMass*size), t)
	}
	if e == 0 && s.isMovedByContacts(i) {
		s.beginContact(i, surfaceCode-k)
	}
	s.logImpact(i, surfaceCode-k, i, t, p.AddScaled(-b.radius, n), n, max(closing, 0), impulse, e > 0)
	s.setPath(i, p, v, t)
	s.spendBudget(i, p, t, e)
	s.repredict(i, t)
}

// restitution returns what counts for an impact at that closing speed.
func (s *Space) restitution(a, b *Material, approach float64) float64 {
	if a.Sliding || b.Sliding {
		return 0
	}
	e := s.Combine(a, b)
	if e < 1 && approach <= s.RestSpeed {
		return 0
	}
	return e
}

// unlocked returns n without the axes along which body i never moves.
func (s *Space) unlocked(i int32, n collide.Vec3) collide.Vec3 {
	if s.infos[i].material.Locked != 0 {
		return Unlocked(n, s.infos[i].material.Locked)
	}
	return n
}

// Unlocked returns v with its parts along the locked axes, bit 0 for x, set to zero.
func Unlocked(v collide.Vec3, locked uint8) collide.Vec3 {
	if locked&1 != 0 {
		v.X = 0
	}
	if locked&2 != 0 {
		v.Y = 0
	}
	if locked&4 != 0 {
		v.Z = 0
	}
	return v
}
