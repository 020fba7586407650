package solver

import (
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
// Where paths are chords of parabolas (see body), there are two closing speeds. The closing speed
// at the time of impact decides restitution and impulse. The approach is the closing speed of the
// mean velocities. If the impact did not end it, the paths would still lead into each other.

// partingShare is the speed at which a pair that does not bounce is separated, as a fraction of the
// speeds before the impact. The common velocity of the two is rounded, and an approach left by
// rounding would be another impact at once. 2^-44 is 500 roundings: within a step of 1/60 s at 100
// m/s it opens a gap of 1e-13 m. With less than a few roundings, the pair has impacts until its
// budget is spent; with much more, it visibly gains energy.
const partingShare = 0x1p-44

// maxBounceSpeed is the closing speed in m/s above which nothing bounces off what moves by itself.
// Speeds may be 1e9 m/s at most, and such a bounce may double them.
const maxBounceSpeed = 5e8

// endsBounce reports whether nothing bounces off a kinematic body or surface that moves at u, and
// was last blocked in step blockedInStep (0 for never), at a closing speed. It does not if it was
// blocked in the last step: in each step it begins anew at its full speed, and what is elastic and
// cannot get out of its way would bounce between it and what blocks it, thousands of times, each
// time faster.
func (s *Space) endsBounce(u collide.Vec3, closing float64, blockedInStep uint32) bool {
	return u != (collide.Vec3{}) &&
		(closing > maxBounceSpeed || blockedInStep > 0 && s.stepNumber-blockedInStep <= 1)
}

// endsBounceAtOnce reports whether a bounce with restitution e counts as none. On chords, it is one
// that would not end the approach of the mean velocities within this step; on arcs, a short hop.
// The path relative to the other side is bent by bend, and n points out of that.
func (s *Space) endsBounceAtOnce(e, closing, approach float64, onArc bool, n, bend collide.Vec3) bool {
	if onArc {
		return s.endsHop(e, closing, -n.Dot(bend))
	}
	return float64((1+e)*closing) <= approach
}

// approachOffContacts returns how much faster body i, on a chord, approaches what has the normal n
// once it leaves its contacts, because it bounces at time t with this change of its velocity along
// n. Contacts that bear its weight hide it.
func (s *Space) approachOffContacts(i int32, n collide.Vec3, change float64, onArc bool, t float64) float64 {
	if onArc || !s.infos[i].mayBeSupported() {
		return 0
	}
	now := s.acceleration(i)
	a, changes := s.accelerationOffContacts(i, now, s.bodies[i].v.AddScaled(change, n))
	if !changes {
		return 0
	}
	return max(0, -n.Dot(a.Sub(now))*(float64(s.Seconds/2)-t))
}

// resolveImpact resolves the impact of bodies i and j at time t.
func (s *Space) resolveImpact(i, j int32, t float64) {
	isI, isJ := &s.flags[i], &s.flags[j]
	*isI &^= unchanged
	*isJ &^= unchanged
	i, j = s.inOrder(i, j)
	if (*isI|*isJ)&special != 0 || !s.bouncePair(i, j, t) {
		s.resolveAnyImpact(i, j, t)
	}
}

// approachOfFree returns the approach and the closing speed of two bodies along n, which are given,
// without those of bodies that can't move along n: these are rounding.
func (s *Space) approachOfFree(
	i, j int32, n collide.Vec3, t, approach, closing float64,
) (freeApproach, freeClosing float64) {
	if s.isBlocked(i, n) {
		approach += n.Dot(s.pathVelocity(i, t))
		closing += n.Dot(s.velocity(i, t))
	}
	if s.isBlocked(j, n) {
		approach -= n.Dot(s.pathVelocity(j, t))
		closing -= n.Dot(s.velocity(j, t))
	}
	return approach, closing
}

// resolveAnyImpact is resolveImpact for all kinds of impacts. Body i is the first of the pair.
func (s *Space) resolveAnyImpact(i, j int32, t float64) {
	bi, bj, fi, fj := &s.bodies[i], &s.bodies[j], &s.infos[i], &s.infos[j]
	pi, pj := s.at(i, t), s.at(j, t)
	vi, vj := bi.v, bj.v // mean velocities
	d := pi.Sub(pj)
	n, ok := d.Normalized() // from j to i
	switch {
	case !s.areSpheres(i, j):
		c, approaches := s.shapeImpact(i, j, t)
		if n = c.Normal; !approaches {
			return // they only slide along each other
		}
	case !ok: // the centres coincide: separate the two along their relative velocity
		n, _ = vj.Sub(vi).Normalized()
	}
	approach := -n.Dot(vi.Sub(vj))
	closing := approach
	if (s.flags[i]|s.flags[j])&accelerated != 0 {
		closing = -n.Dot(s.velocity(i, t).Sub(s.velocity(j, t)))
	}
	bend := s.bend(i).Sub(s.bend(j))
	onArc := bend != collide.Vec3{}
	if onArc {
		approach = -n.Dot(s.pathVelocity(i, t).Sub(s.pathVelocity(j, t)))
	}
	speeds := vi.SumAbs() + vj.SumAbs()
	if approach <= float64(contacts.LockedRounding*speeds) && (fi.material.Locked|fj.material.Locked) != 0 {
		approach, closing = s.approachOfFree(i, j, n, t, approach, closing)
	}
	if isGraze(approach, speeds) {
		if onArc {
			v := s.pathVelocity(i, t).Sub(s.pathVelocity(j, t))
			s.meetLater(i, j, float64(4*grazeShare*speeds), approach, pressingOnArc(n, bend, v, d.Length()), t)
		}
		return
	}
	if s.ContactRule != nil && s.ignoreImpact(i, j, n, closing, t) {
		return
	}
	if (s.TouchingGap > 0 || fi.budget < 0 || fj.budget < 0) && s.resolveGroup(i, fj.id, n, t) {
		return
	}
	energy := s.energyOf(i, j, t)
	ni, nj, size := n, n, n.Dot(n)
	wi, wj := float64(bi.inverseMass*size), float64(bj.inverseMass*size) // effective inverse masses along n
	if fi.material.Locked|fj.material.Locked != 0 {
		ni, nj = s.freeNormal(i, n), s.freeNormal(j, n)
		wi, wj = float64(bi.inverseMass*ni.Dot(ni)), float64(bj.inverseMass*nj.Dot(nj))
		if bj.inverseMass == 0 && isWedged(n, ni, vi, vj) {
			wi = 0
		}
		if bi.inverseMass == 0 && isWedged(n.Neg(), nj, vj, vi) {
			wj = 0
		}
	}
	e := s.impactRestitution(&fi.material, &fj.material, closing)
	if fi.kind|fj.kind != Dynamic && e > 0 &&
		(fi.kind == Kinematic && s.endsBounce(vi, closing, fi.blockedInStep) ||
			fj.kind == Kinematic && s.endsBounce(vj, closing, fj.blockedInStep)) {
		e = 0
	}
	if fi.acceleratedByContacts || fj.acceleratedByContacts {
		v, onParabola := s.parabolaVelocity(i, t)
		w, alsoOnParabola := s.parabolaVelocity(j, t)
		if (onParabola || alsoOnParabola) && !(-n.Dot(v.Sub(w)) > 0) {
			e = 0 // forces press them together later in the step
		}
		if s.pairUsesParabolas(i, j, t, e > 0) {
			return // if they still meet, their impact is the next event
		}
	}
	if e > 0 && s.endsBounceAtOnce(e, closing, approach, onArc, n, bend) {
		e = 0
	}
	if s.flags[i]&s.flags[j]&overlapsAtStart != 0 && s.areOverlapping(i, j, t) {
		e = 0 // separate moves them apart
	}
	rough := s.isRough(&fi.material, &fj.material) &&
		(e > 0 || s.slidesOnNothing(i) && s.slidesOnNothing(j))
	impulse := 0.0
	switch {
	case wi == 0 && wj == 0:
		s.blockPair(i, j, t)
		return
	case e > 0:
		change := closing + float64(e*closing)
		if least := leastChange(approach, speeds); change < least {
			change = least
		}
		impulse = change / (wi + wj)
		vi = vi.AddScaled(float64(impulse*bi.inverseMass), ni)
		vj = vj.AddScaled(-float64(impulse*bj.inverseMass), nj)
		if wi > 0 && fi.mayBeSupported() {
			vi = s.leaveContacts(i, vi, t, rough)
		}
		if wj > 0 && fj.mayBeSupported() {
			vj = s.leaveContacts(j, vj, t, rough)
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
		if e > 0 && byFrictionI {
			vi = s.leaveContactsByFriction(i, vi, t)
		}
		if e > 0 && byFrictionJ {
			vj = s.leaveContactsByFriction(j, vj, t)
		}
	}
	if changedI != changedJ {
		s.noteOneSided(i, j, changedI)
	}
	logBody := i // the subdomain that owns this body logs the impact
	if wi == 0 || wj > 0 && fj.id < fi.id {
		logBody = j
	}
	if e == 0 && s.maySolve(i, j) {
		s.beginContact(i, fj.id)
	}
	s.checkImpact(energy, i, j, vi, vj, t, impulse)
	s.logImpact(i, fj.id, logBody, t, s.contactPoint(i, fj.id, n, t), n, max(closing, 0), impulse, e > 0)
	if changedI {
		s.setPath(i, pi, vi, t)
	}
	if changedJ {
		s.setPath(j, pj, vj, t)
	}
	if changedI {
		s.spendBudget(i, pi, t, s.lastingRestitution(e, j), fj.kind == Kinematic && s.isDriver(j))
		s.repredict(i, t)
	}
	if changedJ {
		s.spendBudget(j, pj, t, s.lastingRestitution(e, i), fi.kind == Kinematic && s.isDriver(i))
		s.repredict(j, t)
	}
}

// noteOneSided notes that an impact of bodies i and j has changed only one of the two, although the
// other one can move. It is i if changedI is set.
func (s *Space) noteOneSided(i, j int32, changedI bool) {
	if !changedI {
		i, j = j, i
	}
	if s.bodies[j].inverseMass > 0 {
		s.noteDependency(j, i)
	}
}

// pairUsesParabolas is useParabola for both bodies of an impact at time t. If they don't bounce, it
// does nothing unless only one of two movable bodies moves at its velocity at the end of the step:
// they could not get the same acceleration and the same velocity.
func (s *Space) pairUsesParabolas(i, j int32, t float64, bounces bool) bool {
	mixed := s.bodies[i].inverseMass > 0 && s.bodies[j].inverseMass > 0 &&
		s.movesAtEndVelocity(i) != s.movesAtEndVelocity(j)
	if !bounces && !mixed {
		return false
	}
	changedI, changedJ := s.useParabola(i, t), s.useParabola(j, t)
	if changedI != changedJ {
		s.noteOneSided(i, j, changedI)
	}
	return changedI || changedJ
}

// grazeShare is the approach of two bodies that touch, as a fraction of their speeds, up to which
// they only graze: four roundings of a speed. An impulse that ends less leaves the velocities as
// they are, so the impact would come again until the budget of the two is spent. With much more,
// bodies that touch would come to overlap by more than the rounding of their paths.
const grazeShare = 0x1p-51

// isGraze reports whether an approach of two bodies is none but for rounding. speeds is the sum of
// the absolute values of the components of both mean velocities.
func isGraze(approach, speeds float64) bool { return !(approach > float64(grazeShare*speeds)) }

// leastChange returns the change of closing speed that ends an approach. speeds is as for isGraze.
func leastChange(approach, speeds float64) float64 {
	parting := float64(partingShare * speeds)
	if parting > approach {
		parting = approach
	}
	return approach + parting
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
	keepContacts, mi, mj := false, ni, nj
	if ui, uj = wi, wj; wi > 0 && wj > 0 {
		mi, mj, ui, uj, keepContacts = s.yieldingDirections(i, j, n, ni, nj, t)
	}
	ok := true
	switch {
	case uj == 0:
		if vi, impulse, ok = s.slideAlong(i, fj.id, n, mi, s.slideVelocity(i, j, t), t); !ok && wj == 0 {
			vi, impulse, ok = s.crushBody(i, n)
		}
	case ui == 0:
		if vj, impulse, ok = s.slideAlong(j, fi.id, n.Neg(), mj.Neg(), s.slideVelocity(j, i, t), t); !ok && wi == 0 {
			vj, impulse, ok = s.crushBody(j, n.Neg())
		}
	default:
		ni, nj, wi, wj, ok = mi, mj, ui, uj, false
	}
	if ok {
		return vi, vj, ui, uj, impulse
	}
	keepContacts = keepContacts && ui > 0 && uj > 0 // otherwise sliding would have added energy
	minChange := leastChange(approach, vi.SumAbs()+vj.SumAbs())
	impulse = max(closing, minChange) / (wi + wj)
	ai, aj := s.acceleration(i), s.acceleration(j)
	if s.shareAcceleration(i, j, n, ni, nj, wi+wj, approach > closing) {
		impulse = minChange / (wi + wj)
		if s.bend(i) != s.bend(j) { // they have to part at time t, and not only on average
			vi = vi.AddScaled(float64(s.Seconds/2)-t, s.acceleration(i).Sub(ai))
			vj = vj.AddScaled(float64(s.Seconds/2)-t, s.acceleration(j).Sub(aj))
		}
	}
	vi = vi.AddScaled(float64(impulse*bi.inverseMass), ni)
	vj = vj.AddScaled(-float64(impulse*bj.inverseMass), nj)
	keepContacts = keepContacts && !s.dipsOnArc(i, vi, t) && !s.dipsOnArc(j, vj, t)
	if keepContacts {
		s.shiftSlideOrigins(i, vi.Sub(bi.v), s.acceleration(i).Sub(ai))
		s.shiftSlideOrigins(j, vj.Sub(bj.v), s.acceleration(j).Sub(aj))
	}
	s.noteSupport(i, j, ai, aj)
	if !keepContacts {
		fi.slideContacts, fj.slideContacts = -1, -1 // contacts that they still press on have new impacts
	}
	return vi, vj, wi, wj, impulse
}

// slideVelocity returns the velocity of body j for body i, which slides along it from time t on:
// the one at that time if both move on arcs, and otherwise the mean velocity until the step ends.
func (s *Space) slideVelocity(i, j int32, t float64) collide.Vec3 {
	switch {
	case s.bend(j) == (collide.Vec3{}):
		return s.bodies[j].v
	case s.isOnArc(i):
		return s.velocity(j, t)
	}
	return s.restVelocity(j, t)
}

// resolveSurfaceImpact resolves the impact of body i with surface k at time t.
func (s *Space) resolveSurfaceImpact(i, k int32, t float64) {
	s.flags[i] &^= unchanged
	if s.flags[i]&special != 0 || !s.bounceOffPlane(i, k, t) {
		s.resolveAnySurfaceImpact(i, k, t)
	}
}

// resolveAnySurfaceImpact is resolveAnyImpact with an immovable second side.
func (s *Space) resolveAnySurfaceImpact(i, k int32, t float64) {
	b, f, info := &s.bodies[i], s.statics.At(k), s.infoOf(codeOf(k))
	material := &info.material
	p, v := s.at(i, t), b.v
	var n collide.Vec3
	if f.Kind() == statics.Plane && !f.Rotates() && s.flags[i]&shaped == 0 {
		n = f.NormalTo(p, t)
	} else {
		var ok bool
		if n, ok = s.predictedNormal(i, k); !ok {
			return
		}
	}
	u, rotates := f.Velocity, f.Turns()
	if rotates {
		u = f.VelocityAt(s.contactPoint(i, codeOf(k), n, t), t)
	}
	closing := -n.Dot(s.velocity(i, t).Sub(u))
	approach, onArc := -n.Dot(v.Sub(u)), s.isOnArc(i)
	if coming := n.Dot(u); approach <= float64(contacts.LockedRounding*v.SumAbs())+coming && s.isBlocked(i, n) {
		if coming <= float64(contacts.LockedRounding*u.SumAbs()) { // it moves along itself
			coming = 0
		}
		closing, approach = coming, coming
	} else if onArc {
		approach = closing
	}
	if !(approach > 0) && !rotates {
		if onArc {
			speed := float64(8 * grazeShare * (v.SumAbs() + u.SumAbs()))
			s.meetLater(i, codeOf(k), speed, approach, -n.Dot(s.bend(i)), t)
		} else { // hardly ever: statics asks for more than the rounding error
			s.passSurface(i, k, t)
		}
		return
	}
	if s.ContactRule != nil && s.ignoreImpact(i, codeOf(k), n, closing, t) {
		return
	}
	if (s.TouchingGap > 0 || s.infos[i].budget < 0) && s.resolveGroup(i, codeOf(k), n, t) {
		return
	}
	energy := s.energyOf(i, codeOf(k), t)
	ni := s.freeNormal(i, n)
	size := ni.Dot(ni)
	if b.inverseMass == 0 || size == 0 || size < 1 && isWedged(n, ni, v, u) {
		if s.subdomain == nil {
			s.noteCrushed(i, s.ownerOf(codeOf(k)), s.statics.Key(k), t)
		}
		s.stopSurface(s.statics.Owner(k), t)
		return
	}
	e := s.impactRestitution(&s.infos[i].material, material, closing)
	if s.endsBounce(u, closing, info.blockedInStep) || !(approach > 0) {
		e = 0
	}
	if w, ok := s.parabolaVelocity(i, t); ok && !(-n.Dot(w.Sub(u)) > 0) {
		e = 0 // forces press it on the surface later in the step
	}
	if e > 0 && s.useParabola(i, t) {
		return // if they still meet, their impact is the next event
	}
	inside := s.flags[i]&overlapsAtStart != 0 && s.isInsideSurface(i, p, k, t)
	hidden := s.approachOffContacts(i, n, float64((1+e)*closing), onArc, t)
	if inside || s.endsBounceAtOnce(e, closing, approach+hidden, onArc, n, s.bend(i)) {
		e = 0 // if it is inside, separate moves it out
	}
	if rotates && e > 0 && s.endsHopOnTurning(i, k, n, u, e, closing) {
		e = 0
	}
	rotor, arm, yield, stamp := s.rotorOf(k), collide.Vec3{}, 0.0, s.statics.At(k).Stamp
	given, speedBefore := 0.0, 0.0 // part of the impulse that the rotor has got, and its speed before that
	if rotor != nil {
		speedBefore = rotor.speed
		arm = s.armOf(rotor, s.contactPoint(i, codeOf(k), n, t), t)
		if yield = s.rotorInverseMass(rotor, arm, n, t); rotor.changes >= maxRotorChanges {
			e = 0
		}
		effective := size // how much of its inverse mass acts on the rotor
		if e == 0 {       // what it slides on may be in its way
			s.dropSlideContact(i, codeOf(k))
			if left := s.yieldDirection(i, ni, s.velocity(i, t), t).Dot(n); left > float64(immovableShare*size) {
				effective = left // otherwise the rotor would have to turn at any speed to make way
			}
		}
		if inverse := float64(b.inverseMass*effective) + yield; e == 0 && rotor.changes >= maxRotorChanges {
			rotor.pushLater(arm, n, closing, inverse)
			if float64(rotor.speed*(rotor.speed+rotor.pending)) < 0 { // what it has got would turn it round
				rotor.pending += rotor.speed
				s.turnRotor(rotor, 0, t)
				u = f.VelocityAt(s.contactPoint(i, codeOf(k), n, t), t)
			}
		} else if e == 0 && closing > 0 {
			given = closing / inverse
			s.pushRotor(rotor, arm, n.Neg(), given, t)
			u = f.VelocityAt(s.contactPoint(i, codeOf(k), n, t), t)
		}
	}
	if e == 0 && rotates {
		if rotor == nil {
			u = s.pushVelocity(i, k, p, n, u, t)
		} else {
			u, given = s.pushByRotor(rotor, i, k, p, n, u, given, speedBefore, t)
		}
		s.dropSlideContact(i, codeOf(k))
	}
	rough := s.isRough(&s.infos[i].material, material) && (e > 0 || s.slidesOnNothing(i))
	impulse := 0.0
	own, a := s.ownAcceleration(i), s.acceleration(i)
	if e == 0 {
		v, impulse, _ = s.slideAlong(i, codeOf(k), n, ni, u, t)
		if rotor != nil {
			// The body leaves on a chord, faster than the surface. That slows the rotor, too.
			if lever := n.Dot(arm); impulse > given && float64(lever*rotor.speed) > 0 {
				if s.isFast(k) {
					s.pushRotor(rotor, arm, n.Neg(), impulse-given, t)
				} else {
					rotor.slowLater(float64((impulse-given)*lever) / rotor.Inertia)
				}
			}
			// The body's weight presses on it from now on, and is solved from the next step on.
			gained := float64(s.cancelledAcceleration * (s.Seconds - t))
			rotor.pushLater(arm, n, gained, float64(b.inverseMass*size)+yield)
		}
	} else {
		meeting := closing
		if rotor != nil {
			meeting = rotor.closingForBounce(e, closing, closing-n.Dot(u)+float64(rotor.speed*n.Dot(arm)))
		}
		change := (meeting + float64(e*meeting)) / (size + yield/b.inverseMass)
		impulse = change / b.inverseMass
		v = v.AddScaled(change, ni)
		if rotor != nil {
			s.pushRotor(rotor, arm, n.Neg(), impulse, t)
		}
		if s.infos[i].mayBeSupported() {
			v = s.leaveContacts(i, v, t, rough)
		}
	}
	zero := collide.Vec3{}
	if s.statics.HasEdges(k) && f.Velocity == zero && !f.Rotates() && info.surfaceVelocity == zero {
		v = s.limitSlideEnergy(i, b.v, v, a, own, t)
	}
	if rough {
		normal := s.pressureImpulse(closing, e, t) / (float64(b.inverseMass*size) + yield)
		var byFriction bool
		v, _, byFriction, _ = s.applyFriction(i, codeOf(k), n, v, collide.Vec3{}, normal, t)
		if e > 0 && byFriction {
			v = s.leaveContactsByFriction(i, v, t)
		}
	}
	if e == 0 && s.isMovedByContacts(i) {
		s.beginContact(i, codeOf(k))
	}
	s.checkImpact(energy, i, codeOf(k), v, collide.Vec3{}, t, impulse)
	s.logImpact(i, codeOf(k), i, t, s.contactPoint(i, codeOf(k), n, t), n, max(closing, 0), impulse, e > 0)
	path, arc := *b, bend{}
	if onArc {
		arc = s.bends[i]
	}
	s.setPath(i, p, v, t)
	if e == 1 && onArc && !rough && u == zero && s.bends[i].a == arc.a { // contacts that it has left bend it no more
		s.keepEnergy(i, &path, arc.since, n, t)
	}
	driven := rotates && e > 0 || !rotates && f.Velocity != (collide.Vec3{})
	if rotates && !inside {
		e = 1 // a push along a rotating surface takes many small impacts
	}
	s.spendBudget(i, p, t, e, driven)
	s.repredict(i, t)
	if rotor != nil && s.statics.At(k).Stamp != stamp { // also if friction gave it its old speed back
		s.repredictNearRotor(rotor, t)
	}
}

// logImpact logs and counts an impact of body i with code. In a parallel step, several subdomains
// may resolve the same impact. The one that owns logBody, a body whose path the impact changes,
// logs it.
//
// What several contacts hold at the same time changes its velocity by the sum of their impulses.
// Along the normal of one of them that may be negative, which is reported as 0.
func (s *Space) logImpact(
	i, code, logBody int32, t float64, point, n collide.Vec3, approach, impulse float64, bounced bool,
) {
	if !s.owns(logBody) {
		return
	}
	s.Counts.Impacts++
	if !(impulse > 0) {
		impulse = 0
	}
	e := s.log.Add()
	e.Time, e.Point, e.Normal, e.Approach, e.Impulse = t, point, n, approach, impulse
	e.A, e.B, e.Kind, e.Round, e.Key = s.infos[i].id, s.ownerOf(code), eventlog.Impact, s.round(), s.dueKey
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
		p += float64(max(s.cancelledAcceleration, 0) * (s.Seconds - t))
	}
	return p
}

// slidesOnNothing reports whether body i is immovable or slides on nothing. Only then may friction
// act on it in an impact without a bounce (see applyFriction).
func (s *Space) slidesOnNothing(i int32) bool {
	return s.bodies[i].inverseMass == 0 || s.infos[i].slideContacts < 0
}
