package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/statics"
)

// The response to an impact: the normal impulse (Newton's law of restitution), then friction
// (Coulomb's law), then new paths and predictions for the bodies that it has changed. An impact
// without a bounce against something immovable does not exchange an impulse: the body slides along
// it from then on (slide.go).
//
// Paths are chords of parabolas (see body), so there are two closing speeds. The closing speed at
// the time of impact decides restitution and impulse. The approach is the closing speed of the mean
// velocities. If the impact did not end it, the paths would still lead into each other.

// partingShare is the speed at which a pair that does not bounce is separated, as a fraction of the
// speeds before the impact. The common velocity of the two is rounded, and an approach left by
// rounding would be another impact at once. 2^-44 is 500 roundings: within a step of 1/60 s at 100
// m/s it opens a gap of 1e-13 m. With less than a few roundings, the pair has impacts until its
// budget is spent; with much more, it visibly gains energy.
const partingShare = 0x1p-44

// resolveImpact resolves the impact of bodies i and j at time t.
func (s *Space) resolveImpact(i, j int32, t float64) {
	s.flags[i] &^= unchanged
	s.flags[j] &^= unchanged
	if s.comesAfter(i, j) {
		i, j = j, i
	}
	bi, bj, fi, fj := &s.bodies[i], &s.bodies[j], &s.infos[i], &s.infos[j]
	pi, pj := bi.at(t), bj.at(t)
	vi, vj := bi.v, bj.v // mean velocities
	d := pi.Sub(pj)
	n, ok := d.Normalized() // from j to i
	if !ok {                // the centres coincide: separate the two along their relative velocity
		n, _ = vj.Sub(vi).Normalized()
	}
	approach := -n.Dot(vi.Sub(vj))
	if !(approach > 0) {
		return // to rounding, they only graze
	}
	energy := s.energyOf(i, j, t)
	closing := -n.Dot(s.velocity(i, t).Sub(s.velocity(j, t)))
	ni, nj := s.unlocked(i, n), s.unlocked(j, n)
	wi := float64(bi.inverseMass * ni.Dot(ni)) // effective inverse masses along n
	wj := float64(bj.inverseMass * nj.Dot(nj))
	e := s.restitution(&fi.material, &fj.material, closing)
	if e > 0 && float64((1+e)*closing) <= approach {
		e = 0 // the bounce would not end the approach within this step
	}
	if s.flags[i]&s.flags[j]&overlapsAtStart != 0 && isOverlapping(d.LengthSquared(), bi, bj) {
		e = 0 // separate moves them apart
	}
	rough := fi.material.FrictionID|fj.material.FrictionID != 0 &&
		(e > 0 || s.slidesOnNothing(i) && s.slidesOnNothing(j))
	impulse := 0.0
	switch {
	case wi == 0 && wj == 0:
		s.blockPair(i, j, t)
		return
	case e > 0:
		change := max(closing+float64(e*closing), leastChange(approach, vi, vj))
		impulse = change / (wi + wj)
		vi = vi.AddScaled(float64(impulse*bi.inverseMass), ni)
		vj = vj.AddScaled(-float64(impulse*bj.inverseMass), nj)
		if wi > 0 && fi.mayBeSupported() {
			vi = s.leaveContacts(i, vi, t)
		}
		if wj > 0 && fj.mayBeSupported() {
			vj = s.leaveContacts(j, vj, t)
		}
	default:
		vi, vj, wi, wj, impulse = s.endApproach(i, j, n, ni, nj, wi, wj, approach, closing, t)
	}
	changedI, changedJ := wi > 0, wj > 0
	if rough {
		var byFrictionI, byFrictionJ bool
		normal := s.pressureImpulse(closing, e, t) / (wi + wj)
		vi, vj, byFrictionI, byFrictionJ = s.applyFriction(i, fj.id, n, vi, vj, normal, t)
		changedI, changedJ = changedI || byFrictionI, changedJ || byFrictionJ
	}
	switch {
	case changedI && !changedJ && bj.inverseMass > 0:
		s.noteDependency(j, i)
	case changedJ && !changedI && bi.inverseMass > 0:
		s.noteDependency(i, j)
	}
	logBody := i // the subdomain that owns this body logs the impact
	if wi == 0 || wj > 0 && fj.id < fi.id {
		logBody = j
	}
	if e == 0 && s.maySolve(i, j) {
		s.beginContact(i, fj.id)
	}
	s.checkImpact(energy, i, j, vi, vj, t, impulse)
	s.logImpact(i, fj.id, logBody, t, pi.AddScaled(-bi.radius, n), n, max(closing, 0), impulse, e > 0)
	if changedI {
		s.setPath(i, pi, vi, t)
	}
	if changedJ {
		s.setPath(j, pj, vj, t)
	}
	if changedI {
		s.spendBudget(i, pi, t, e)
		s.repredict(i, t)
	}
	if changedJ {
		s.spendBudget(j, pj, t, e)
		s.repredict(j, t)
	}
}

// leastChange returns the change of closing speed that ends an approach of the mean velocities vi
// and vj.
func leastChange(approach float64, vi, vj collide.Vec3) float64 {
	return approach + min(approach, float64(partingShare*(vi.SumAbs()+vj.SumAbs())))
}

// endApproach resolves an impact of bodies i and j without a bounce: they continue at the same
// velocity along n, or one slides along the other, which cannot yield. ni and nj are n without the
// locked axes of each body, and wi and wj the effective inverse masses along them. endApproach
// returns the new mean velocities, effective inverse masses that are 0 for a body that could not
// yield, and the normal impulse in N·s.
func (s *Space) endApproach(
	i, j int32, n, ni, nj collide.Vec3, wi, wj, approach, closing, t float64,
) (vi, vj collide.Vec3, ui, uj, impulse float64) {
	bi, bj, fi, fj := &s.bodies[i], &s.bodies[j], &s.infos[i], &s.infos[j]
	vi, vj = bi.v, bj.v
	keepContacts := false
	if wi > 0 && wj > 0 {
		ni, nj, wi, wj, keepContacts = s.yieldingDirections(i, j, n, ni, nj, t)
	}
	switch {
	case wj == 0:
		vi, impulse = s.slideAlong(i, fj.id, n, ni, vj, t)
		return vi, vj, wi, wj, impulse
	case wi == 0:
		vj, impulse = s.slideAlong(j, fi.id, n.Neg(), nj.Neg(), vi, t)
		return vi, vj, wi, wj, impulse
	}
	minChange := leastChange(approach, vi, vj)
	impulse = max(closing, minChange) / (wi + wj)
	ai, aj := s.accelerations[i], s.accelerations[j]
	if s.shareAcceleration(i, j, n, ni, nj, wi+wj, approach > closing) {
		impulse = minChange / (wi + wj)
	}
	vi = vi.AddScaled(float64(impulse*bi.inverseMass), ni)
	vj = vj.AddScaled(-float64(impulse*bj.inverseMass), nj)
	if keepContacts {
		s.shiftSlideOrigins(i, vi.Sub(bi.v), s.accelerations[i].Sub(ai))
		s.shiftSlideOrigins(j, vj.Sub(bj.v), s.accelerations[j].Sub(aj))
	} else {
		fi.slideContacts, fj.slideContacts = -1, -1 // contacts that they still press on have new impacts
	}
	return vi, vj, wi, wj, impulse
}

// resolveSurfaceImpact resolves the impact of body i with surface k at time t. It is resolveImpact
// with an immovable second side.
func (s *Space) resolveSurfaceImpact(i, k int32, t float64) {
	b, f, material := &s.bodies[i], s.statics.At(k), &s.surfaces[k].material
	s.flags[i] &^= unchanged
	p, v := b.at(t), b.v
	n := s.surfaceNormals[i]
	if f.Kind() == statics.Plane {
		n = f.NormalTo(p, t)
	}
	approach := -n.Dot(v.Sub(f.Velocity))
	if !(approach > 0) {
		return // not predicted: statics predicts only what approaches faster than the rounding error here
	}
	energy := s.energyOf(i, surfaceCode-k, t)
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
		e = 0 // the bounce would not end the approach within this step, or the body is inside and separate moves it out
	}
	rough := s.infos[i].material.FrictionID|material.FrictionID != 0 && (e > 0 || s.slidesOnNothing(i))
	impulse := 0.0
	if e == 0 {
		v, impulse = s.slideAlong(i, surfaceCode-k, n, ni, f.Velocity, t)
	} else {
		change := (closing + float64(e*closing)) / size
		impulse = change / b.inverseMass
		v = v.AddScaled(change, ni)
		if s.infos[i].mayBeSupported() {
			v = s.leaveContacts(i, v, t)
		}
	}
	if rough {
		normal := s.pressureImpulse(closing, e, t) / float64(b.inverseMass*size)
		v, _, _, _ = s.applyFriction(i, surfaceCode-k, n, v, collide.Vec3{}, normal, t)
	}
	if e == 0 && s.isMovedByContacts(i) {
		s.beginContact(i, surfaceCode-k)
	}
	s.checkImpact(energy, i, surfaceCode-k, v, collide.Vec3{}, t, impulse)
	s.logImpact(i, surfaceCode-k, i, t, p.AddScaled(-b.radius, n), n, max(closing, 0), impulse, e > 0)
	s.setPath(i, p, v, t)
	s.spendBudget(i, p, t, e)
	s.repredict(i, t)
}

// logImpact logs and counts an impact of body i with code. In a parallel step, several subdomains
// may resolve the same impact. The one that owns logBody, a body whose path the impact changes,
// logs it.
func (s *Space) logImpact(
	i, code, logBody int32, t float64, point, n collide.Vec3, approach, impulse float64, bounced bool,
) {
	if !s.owns(logBody) {
		return
	}
	s.Counts.Impacts++
	e := s.log.Add()
	e.Time, e.Point, e.Normal, e.Approach, e.Impulse = t, point, n, approach, impulse
	e.A, e.B, e.Kind, e.Round, e.Key = s.infos[i].id, code, eventlog.Impact, s.round(), s.dueKey
	if bounced {
		// A contact of its own, unless the two touched before: see eventlog.Contacts.Follow.
		e.Kind |= eventlog.Bounce | eventlog.Begin | eventlog.End
	} else {
		s.Counts.inelastic++
	}
}

// pressureImpulse returns the normal impulse of an impact per effective mass, from its closing
// speed and restitution e. If the impact does not bounce, it includes the impulse of the force that
// presses the two together for the rest of the step.
func (s *Space) pressureImpulse(closing, e, t float64) float64 {
	p := float64((1 + e) * max(closing, 0))
	if e == 0 {
		p += float64(max(s.heldAcceleration, 0) * (s.Seconds - t))
	}
	return p
}

// slidesOnNothing reports whether body i is immovable or slides on nothing. Only then may friction
// act on it in an impact without a bounce (see applyFriction).
func (s *Space) slidesOnNothing(i int32) bool {
	return s.bodies[i].inverseMass == 0 || s.infos[i].slideContacts < 0
}

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
	if code >= 0 {
		j := s.index[code]
		b = s.side(j, vj, t)
		friction = s.combineFriction(&s.infos[i].material, &s.infos[j].material)
	} else {
		f := &s.surfaces[surfaceCode-code]
		b.v = s.statics.At(surfaceCode - code).Velocity.Add(f.surfaceVelocity)
		friction = s.combineFriction(&s.infos[i].material, &f.material)
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
	if d != (collide.Vec3{}) && friction.Static > 0 {
		hi, hj := s.mobilityAlong(&a, d.Neg()), s.mobilityAlong(&b, d)
		inverse := float64(a.inverseMass*hi.LengthSquared()) + float64(b.inverseMass*hj.LengthSquared()) +
			a.spinInverseMass() + b.spinInverseMass()
		// Locked axes can give an impulse along the surface a component along the normal. Then
		// there is no friction.
		if inverse > 0 && !(math.Abs(n.Dot(hi)) > lockedTolerance) && !(math.Abs(n.Dot(hj)) > lockedTolerance) {
			impulse := friction.SlidingImpulse(speed, inverse, normal)
			ui = vi.AddScaled(float64(impulse*a.inverseMass), hi)
			uj = vj.AddScaled(float64(impulse*b.inverseMass), hj)
			axis := n.Cross(d)
			wi = wi.AddScaled(float64(impulse*float64(a.radius*a.inverseInertia)), axis)
			wj = wj.AddScaled(float64(impulse*float64(b.radius*b.inverseInertia)), axis)
		}
	}
	return ui, uj, s.storeFriction(&a, ui.Sub(vi), wi, t), s.storeFriction(&b, uj.Sub(vj), wj, t)
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
		s.spinOf(a.body).setVelocity(w, t)
		return true
	}
	return change != (collide.Vec3{})
}
