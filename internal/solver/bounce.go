package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/statics"
)

// In a gas, nearly all impacts are plain bounces: of spheres that nothing accelerates, without
// friction, contacts or locked axes, and nothing is kinematic. The functions of this file resolve
// them with the same bits as resolveAnyImpact and resolveAnySurfaceImpact, in a third of the code.
// That stays in the instruction cache together with the predictions that follow each impact.

// special are the flags of bodies whose impacts are no plain bounces. Callers of bouncePair and
// bounceOffPlane test them, so that a heap does not need the code of these.
const special = shaped | accelerated | overlapsAtStart | unusual

// hasOnlyPlainImpacts reports whether nothing in the settings and paths of the step keeps impacts
// from being plain bounces.
func (s *Space) hasOnlyPlainImpacts() bool {
	return s.ContactRule == nil && !(s.TouchingGap > 0) && len(s.bends) == 0
}

// isPlain reports whether a body without special flags may have a plain bounce now.
func (f *bodyInfo) isPlain() bool {
	return f.slideContacts < 0 && f.budget >= 0 && !f.acceleratedByContacts
}

// spendOne subtracts one impact from the budget of a body if spendBudget would do nothing else, as
// for most elastic bounces.
func (s *Space) spendOne(f *bodyInfo, e float64) bool {
	if e == 1 && f.budget > 0 && s.calendar.Round() < maxFreeRounds {
		f.budget--
		return true
	}
	return false
}

// bouncePair resolves the impact of bodies i and j at time t if it is a plain bounce, and reports
// whether it is. Neither has special flags. Body i is the first of the pair: see inOrder.
func (s *Space) bouncePair(i, j int32, t float64) bool {
	bi, bj, fi, fj := &s.bodies[i], &s.bodies[j], &s.infos[i], &s.infos[j]
	if !fi.isPlain() || !fj.isPlain() || !s.hasOnlyPlainImpacts() {
		return false
	}
	pi, pj, vi, vj := bi.at(t), bj.at(t), bi.v, bj.v
	n, ok := pi.Sub(pj).Normalized()
	if !ok {
		return false
	}
	closing := -n.Dot(vi.Sub(vj))
	speeds := vi.SumAbs() + vj.SumAbs()
	if isGraze(closing, speeds) {
		return true
	}
	size := n.Dot(n)
	wi, wj := float64(bi.inverseMass*size), float64(bj.inverseMass*size)
	e := s.restitution(&fi.material, &fj.material, closing)
	if !(wi > 0) || !(wj > 0) || !(float64((1+e)*closing) > closing) {
		return false
	}
	energy := s.energyOf(i, j, t)
	change := closing + float64(e*closing)
	if least := leastChange(closing, speeds); change < least {
		change = least
	}
	impulse := change / (wi + wj)
	vi = vi.AddScaled(float64(impulse*bi.inverseMass), n)
	vj = vj.AddScaled(-float64(impulse*bj.inverseMass), n)
	logBody := i
	if fj.id < fi.id {
		logBody = j
	}
	s.checkImpact(energy, i, j, vi, vj, t, impulse)
	s.logImpact(i, fj.id, logBody, t, pi.AddScaled(-bi.radius, n), n, closing, impulse, true)
	s.setPath(i, pi, vi, t)
	s.setPath(j, pj, vj, t)
	if !s.spendOne(fi, e) {
		s.spendBudget(i, pi, t, e, false)
	}
	s.repredict(i, t)
	if !s.spendOne(fj, e) {
		s.spendBudget(j, pj, t, e, false)
	}
	s.repredict(j, t)
	return true
}

// bounceOffPlane resolves the impact of body i with surface k at time t if it is a plain bounce off
// a plane at rest, and reports whether it is. The body has no special flags.
func (s *Space) bounceOffPlane(i, k int32, t float64) bool {
	b, f, info := &s.bodies[i], &s.infos[i], s.infoOf(codeOf(k))
	plane := s.statics.At(k)
	if !f.isPlain() || !s.hasOnlyPlainImpacts() ||
		plane.Moves() || plane.Rotates() || plane.Kind() != statics.Plane || info.material.FrictionID != 0 {
		return false
	}
	p, v := b.at(t), b.v
	n := plane.NormalTo(p, t)
	closing, size := -n.Dot(v), n.Dot(n)
	e := s.restitution(&f.material, &info.material, closing)
	if !(closing > 0) || !(b.inverseMass > 0) || !(float64((1+e)*closing) > closing) {
		return false
	}
	energy := s.energyOf(i, codeOf(k), t)
	change := (closing + float64(e*closing)) / size
	v = v.AddScaled(change, n)
	s.checkImpact(energy, i, codeOf(k), v, collide.Vec3{}, t, change/b.inverseMass)
	s.logImpact(i, codeOf(k), i, t, p.AddScaled(-b.radius, n), n, closing, change/b.inverseMass, true)
	s.setPath(i, p, v, t)
	if !s.spendOne(f, e) {
		s.spendBudget(i, p, t, e, false)
	}
	s.repredict(i, t)
	return true
}
