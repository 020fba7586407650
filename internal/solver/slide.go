package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/statics"
)

// Sliding. A body that meets something immovable without a bounce slides along it for the rest of
// the step, or until it leaves the contact. Several such contacts limit its movement together:
// collide.Slide finds the velocity closest to the wanted one that enters none of them.
// Accelerations are limited likewise, so that a body on a slope gets the part of gravity along the
// slope.
//
// Immovable here is also a body that cannot yield because it slides or rests on something itself.

// slideContact is a contact along which a body slides for the rest of the step.
type slideContact struct {
	collide.SlideContact
	other int32  // the id of a body, or a surface code
	stamp uint32 // of the path of other: when that changes, the contact is void
	next  int32  // index of the body's next slide contact; -1 for none

	// Of a contact of a body on an arc: the time at which the other side has Velocity, and its
	// acceleration, m/s². Otherwise Velocity is constant.
	since        float64
	acceleration collide.Vec3

	// Mean velocity and acceleration of the body before the first of its contacts. All its contacts
	// have the same.
	originVelocity, originAcceleration collide.Vec3
}

// at returns the contact as it is at time t.
func (k *slideContact) at(t float64) collide.SlideContact {
	c := k.SlideContact
	if k.acceleration != (collide.Vec3{}) {
		c.Velocity = c.Velocity.AddScaled(t-k.since, k.acceleration)
	}
	return c
}

// stampOf returns the stamp of the path of a body (its id) or a surface (its code).
func (s *Space) stampOf(code int32) uint32 {
	if code >= 0 {
		return s.pathIDs[s.index[code]].Stamp
	}
	return s.statics.At(surfaceOf(code)).Stamp
}

// immovableShare is the fraction of its effective inverse mass that contacts may leave a pushed
// body for it to count as immovable. It is tiny, so that a pushed body yields if it can at all. It
// is far above rounding (2^-52): with less, a straight column of bodies would not stand.
const immovableShare = 0x1p-30

// leavingShare is the separation speed above which a body leaves a contact, as a fraction of the
// speeds: a thousand roundings. With less, rounding would end contacts; with more, a slow body
// would be held to what it moves away from.
const leavingShare = 0x1p-43

// yieldingDirections returns how two movable bodies that meet without a bounce yield if one of them
// slides or rests on other things: the directions in which an impulse along n moves them, and their
// effective inverse masses along n. A body that cannot yield gets 0: it is as immovable to the
// other as what it rests on. A ball that falls on a ball on the floor so needs one impact for each
// of the two contacts, from the floor up, instead of an endless sequence. With keepContacts, both
// bodies continue to slide along their contacts.
func (s *Space) yieldingDirections(
	i, j int32, n, ni, nj collide.Vec3, t float64,
) (hi, hj collide.Vec3, wi, wj float64, keepContacts bool) {
	mi, mj := s.bodies[i].inverseMass, s.bodies[j].inverseMass
	wi, wj = float64(mi*ni.Dot(ni)), float64(mj*nj.Dot(nj))
	if s.infos[i].slideContacts < 0 && s.infos[j].slideContacts < 0 {
		return ni, nj, wi, wj, false
	}
	hi, hj = s.yieldDirection(i, ni, s.bodies[i].v, t), s.yieldDirection(j, nj.Neg(), s.bodies[j].v, t).Neg()
	ui, uj := float64(mi*hi.Dot(ni)), float64(mj*hj.Dot(nj))
	immovableI, immovableJ := ui <= immovableShare*wi, uj <= immovableShare*wj
	switch {
	case immovableI && immovableJ: // ignore their contacts, which have new impacts with them
		return ni, nj, wi, wj, false
	case immovableI:
		return ni, nj, 0, wj, true
	case immovableJ:
		return ni, nj, wi, 0, true
	case !s.reducesEnergy(i, j, n, hi, hj, ui+uj, t):
		return ni, nj, wi, wj, false
	}
	return hi, hj, ui, uj, true
}

// reducesEnergy reports whether the impulse along hi and hj that ends the approach of bodies i and
// j reduces their energy. It does if the contacts along which they slide are at rest. Moving
// contacts can add energy.
//
// An impulse J changes the energy by J·(J·w/2 - c), where w is the sum of the inverse masses along
// hi and hj, and c the closing speed along them. An impulse that ends the approach along n must
// therefore be at most 2c/w. The same holds for the accelerations, by Gauss's principle of least
// constraint. inverse is the effective inverse mass along n.
func (s *Space) reducesEnergy(i, j int32, n, hi, hj collide.Vec3, inverse, t float64) bool {
	w := float64(s.bodies[i].inverseMass*hi.LengthSquared()) + float64(s.bodies[j].inverseMass*hj.LengthSquared())
	reduces := func(a, b collide.Vec3) bool {
		impulse := n.Dot(b.Sub(a)) / inverse
		return float64(impulse*(float64(impulse*w)-float64(2*(hj.Dot(b)-hi.Dot(a))))) <= 0
	}
	return reduces(s.velocity(i, t), s.velocity(j, t)) && reduces(s.acceleration(i), s.acceleration(j))
}

// yieldDirection returns the direction in which a push along d moves body i, which slides along its
// contacts at time t. Its mean velocity is v.
func (s *Space) yieldDirection(i int32, d, v collide.Vec3, t float64) collide.Vec3 {
	s.listSlideContacts(i, v, t)
	if len(s.slideScratch) == 0 {
		return d
	}
	d, _ = collide.Slide(d, s.slideScratch)
	return d
}

// listSlideContacts lists in s.slideScratch the contacts along which body i slides at time t, with
// velocity zero. The mean velocity of the body is v. Contacts that it leaves are removed.
func (s *Space) listSlideContacts(i int32, v collide.Vec3, t float64) {
	s.dropLostContacts(i, t)
	s.slideScratch = s.slideScratch[:0]
	at := s.velocityFrom(i, v, t)
	for link := &s.infos[i].slideContacts; *link >= 0; {
		k := &s.slideContacts[*link]
		u := k.at(t).Velocity
		if s.isOnArc(i) {
			v = at
		}
		if k.Normal.Dot(v.Sub(u)) > float64(leavingShare*(v.SumAbs()+u.SumAbs())) {
			// An earlier push moves the body away from this contact. Keeping it would add energy.
			*link = k.next
			continue
		}
		s.slideScratch = append(s.slideScratch, collide.SlideContact{Normal: k.Normal})
		link = &k.next
	}
}

// meanVelocity returns the mean velocity of a body (its id) or the velocity of a surface (its
// code).
func (s *Space) meanVelocity(code int32) collide.Vec3 {
	if code >= 0 {
		return s.bodies[s.index[code]].v
	}
	return s.statics.At(surfaceOf(code)).Velocity
}

// shiftSlideOrigins adds changes of the mean velocity and the acceleration of body i, from a push,
// to the movement that its slide contacts limit.
func (s *Space) shiftSlideOrigins(i int32, velocity, acceleration collide.Vec3) {
	for at := s.infos[i].slideContacts; at >= 0; at = s.slideContacts[at].next {
		k := &s.slideContacts[at]
		k.originVelocity = k.originVelocity.Add(velocity)
		k.originAcceleration = k.originAcceleration.Add(acceleration)
	}
}

// mayBeSupported reports whether the body may slide on something, or the contact solver may have
// changed its acceleration. For most bodies neither is true, and leaveContacts has nothing to do.
func (f *bodyInfo) mayBeSupported() bool { return f.slideContacts >= 0 || f.acceleratedByContacts }

// leaveContacts removes all contacts along which body i slides at time t, because it bounces. It
// returns the mean velocity of the body, which was v. A contact that the body leaves must not
// accelerate it any longer, nor turn it: the contact solver has given it the angular velocity of
// the whole step. None turns it after a bounce with friction, which acts against the slip at time t
// and may turn it the other way.
func (s *Space) leaveContacts(i int32, v collide.Vec3, t float64, rough bool) collide.Vec3 {
	if rough {
		s.endTurning(i, t)
	}
	if a, ok := s.accelerationOffContacts(i, s.acceleration(i), v); ok {
		v = v.AddScaled(float64(s.Seconds/2)-t, a.Sub(s.acceleration(i)))
		s.accelerate(i, a)
		s.endTurning(i, t)
	} else if at := s.infos[i].slideContacts; at >= 0 { // it is pushed into them, and may bounce off
		s.noteOwnAcceleration(i, s.slideContacts[at].originAcceleration)
	}
	s.infos[i].slideContacts = -1
	return v
}

// endTurning gives body i the angular velocity that it has at time t. Contacts turn it no more.
func (s *Space) endTurning(i int32, t float64) {
	if p := s.spinOf(i); p != nil && p.byContacts != (collide.Vec3{}) {
		w := p.at(t, s.Seconds)
		if s.KeepPaths {
			s.noteSpin(i, p, w, t)
		}
		p.setVelocity(w, t)
		p.byContacts = collide.Vec3{}
	}
}

// leaveContactsByFriction is leaveContacts after the friction of a bounce. That may press a body
// that only friction can move on what it slides on. And it may end or turn round a motion that
// friction with the contacts was to end: from then on that friction would add energy.
func (s *Space) leaveContactsByFriction(i int32, v collide.Vec3, t float64) collide.Vec3 {
	if !s.infos[i].mayBeSupported() {
		return v
	}
	return s.leaveContacts(i, v, t, true)
}

// dropLostContacts removes the slide contacts of body i that have ended by time t: it no longer
// touches the other side, or the path of that has changed.
//
// The other contacts then limit the present movement. The movement before the first contact would
// give back what the lost contacts have taken. Only a body with a sliding material (a character)
// continues to want its original movement: it has no more energy than when it met the first
// contact.
func (s *Space) dropLostContacts(i int32, t float64) {
	dropped := false
	for link := &s.infos[i].slideContacts; *link >= 0; {
		if k := &s.slideContacts[*link]; k.stamp != s.stampOf(k.other) || !s.stillTouches(i, k.other, t) {
			*link, dropped = k.next, true
		} else {
			link = &k.next
		}
	}
	if dropped && !s.infos[i].material.Sliding {
		s.restartSlide(i, s.bodies[i].v)
	}
}

// restartSlide makes the slide contacts of body i limit its present movement, whose mean velocity
// is v.
func (s *Space) restartSlide(i int32, v collide.Vec3) {
	for at := s.infos[i].slideContacts; at >= 0; at = s.slideContacts[at].next {
		s.slideContacts[at].originVelocity, s.slideContacts[at].originAcceleration = v, s.acceleration(i)
	}
}

// shareAcceleration gives two bodies that meet without a bounce the same acceleration along the
// normal n, if their accelerations approach each other, or in any case if equalize is set. It
// reports whether it has changed them. Then the mean velocities are equal along n whenever the
// velocities are.
func (s *Space) shareAcceleration(i, j int32, n, ni, nj collide.Vec3, inverse float64, equalize bool) bool {
	closing := -n.Dot(s.acceleration(i).Sub(s.acceleration(j)))
	s.cancelledAcceleration = closing
	if closing == 0 || !(closing > 0) && !equalize {
		return false
	}
	force := closing / inverse
	s.accelerate(i, s.acceleration(i).AddScaled(float64(force*s.bodies[i].inverseMass), ni))
	s.accelerate(j, s.acceleration(j).AddScaled(-float64(force*s.bodies[j].inverseMass), nj))
	return true
}

// slideAlong adds a contact to those along which body i slides: at time t the body meets code (a
// body's id or a surface's code), which is immovable to it and moves at velocity u. The normal is
// n, and free is n without locked axes. slideAlong returns the mean velocity that all contacts
// leave the body, and the normal impulse in N·s. It removes contacts that do not limit the
// movement.
//
// All contacts together limit the movement before the first of them. Limiting what the other
// contacts have left of it is not the same: in a funnel each wall would push the body off the
// other, endlessly.
//
// If the body would gain energy from a moving dynamic body, or from a rotor that it slides on, it
// loses its other contacts, which have new impacts with it. If code is that body, slideAlong does
// nothing else, and returns false.
func (s *Space) slideAlong(
	i, code int32, n, free, u collide.Vec3, t float64,
) (v collide.Vec3, impulse float64, ok bool) {
	f := &s.infos[i]
	s.dropLostContacts(i, t)
	before, acceleration := s.velocity(i, t), s.acceleration(i)
	s.cancelledAcceleration = -n.Dot(s.acceleration(i))
	wanted, originAcceleration := s.addSlideContact(i, code, slidePlane(n, free, u), before, t)
	originVelocity := s.slideContacts[f.slideContacts].originVelocity
	s.slideScratch = s.slideScratch[:0]
	for at := f.slideContacts; at >= 0; at = s.slideContacts[at].next {
		s.slideScratch = append(s.slideScratch, s.slideContacts[at].at(t))
	}
	after, result := collide.Slide(wanted, s.slideScratch)
	if result.Outcome == collide.Crushed || s.isSqueezed(i, wanted, after) {
		return s.crushBody(i, n)
	}
	released := false // a contact that limits the velocity is left because of the acceleration
	instant := after
	if s.acceleration(i) != (collide.Vec3{}) {
		active := result.Active
		if s.isOnArc(i) {
			after, result = s.slideOnArc(i, after, active, t)
		} else {
			after, result = s.slideAccelerated(i, after, active, t)
		}
		released = active&^result.Active != 0
		s.cancelledAcceleration += n.Dot(s.acceleration(i))
	}
	after = s.unlocked(i, after)
	if s.gainsFromDriver(i, code, before, s.velocityFrom(i, after, t)) {
		f.slideContacts = -1
		s.setAcceleration(i, acceleration)
		if code >= 0 && s.yieldsAndMoves(code, u) {
			return s.bodies[i].v, 0, false
		}
		return s.slideAlong(i, code, n, free, u, t)
	}
	s.keepActiveContacts(f, result.Active, originVelocity, originAcceleration)
	if released && !f.material.Sliding {
		s.restartSlide(i, after)
	}
	change := after.Sub(s.bodies[i].v)
	if s.isOnArc(i) {
		change = instant.Sub(before)
	}
	return after, change.Dot(n) / s.bodies[i].inverseMass, true
}

// slidePlane returns the contact with something that moves at u, of which n is the normal and free
// is n without locked axes. Only the directions in which the body can move count.
func slidePlane(n, free, u collide.Vec3) collide.SlideContact {
	if free == n {
		return collide.SlideContact{Normal: n, Velocity: u}
	}
	size := free.Length()
	normal := free.Scale(1 / size)
	return collide.SlideContact{Normal: normal, Velocity: normal.Scale(n.Dot(u) / size)}
}

// addSlideContact adds contact c with code to those of body i, which moves at v at time t. It
// returns the velocity and the acceleration that all contacts have to limit. These become the
// origin of the contact, and the acceleration that of the body.
//
// They are those before the first contact if the body has slide contacts, and its present ones
// otherwise, or if it meets the new contact faster than RestSpeed.
func (s *Space) addSlideContact(
	i, code int32, c collide.SlideContact, v collide.Vec3, t float64,
) (wanted, acceleration collide.Vec3) {
	f := &s.infos[i]
	added := slideContact{
		SlideContact: c, other: code, stamp: s.stampOf(code), next: f.slideContacts, since: t,
		originVelocity: s.bodies[i].v, originAcceleration: s.acceleration(i),
	}
	if code >= 0 && s.isOnArc(i) {
		added.acceleration = c.Normal.Scale(c.Normal.Dot(s.bend(s.index[code])))
	}
	leaving := c.Normal.Dot(v.Sub(c.Velocity))
	if f.slideContacts >= 0 && (f.material.Sliding || -leaving <= s.RestSpeed) {
		first := &s.slideContacts[f.slideContacts]
		added.originVelocity, added.originAcceleration = first.originVelocity, first.originAcceleration
		v = added.originVelocity.AddScaled(t-float64(s.Seconds/2), added.originAcceleration)
		s.setAcceleration(i, added.originAcceleration)
	}
	s.slideContacts = append(s.slideContacts, added)
	f.slideContacts = int32(len(s.slideContacts) - 1)
	if code >= 0 {
		s.noteDependency(i, s.index[code])
	}
	return v, added.originAcceleration
}

// keepActiveContacts removes the slide contacts of a body that do not limit its movement: those
// whose bit in active is not set, counted from the first contact. The others limit the movement
// with the given origin.
func (s *Space) keepActiveContacts(f *bodyInfo, active uint64, velocity, acceleration collide.Vec3) {
	kept, k := int32(-1), 0
	for at := f.slideContacts; at >= 0; k++ {
		next := s.slideContacts[at].next
		if k < 64 && active>>k&1 != 0 {
			o := &s.slideContacts[at]
			o.next, o.originVelocity, o.originAcceleration = kept, velocity, acceleration
			kept = at
		}
		at = next
	}
	f.slideContacts = kept
}

// ownAcceleration returns the acceleration of body i by gravity and forces alone.
func (s *Space) ownAcceleration(i int32) collide.Vec3 {
	if a, supported := s.accelerationBeforeSolving(i); supported {
		return a
	}
	if at := s.infos[i].slideContacts; at >= 0 {
		return s.slideContacts[at].originAcceleration
	}
	return s.acceleration(i)
}

// limitSlideEnergy returns the mean velocity w that body i has after an impact with a polygon at
// time t, or less if its energy at the end of the step would be larger than without the impact. It
// may reduce the acceleration by the same factor. Before, its mean velocity was v, and its
// acceleration a. Without contacts its acceleration is own, which is also minus the gradient of its
// potential energy. Friction comes afterwards.
//
// In a bowl of flat faces, a body comes from a face on which gravity accelerates it in one
// direction to one with another direction. For the rest of the step it keeps the acceleration on
// the first face, and moves along the second one. The height that it gains is then not what it
// loses in speed.
func (s *Space) limitSlideEnergy(i int32, v, w, a, own collide.Vec3, t float64) collide.Vec3 {
	for at := s.infos[i].slideContacts; at >= 0; at = s.slideContacts[at].next {
		if s.slideContacts[at].Velocity != (collide.Vec3{}) {
			return w // what moves may add energy
		}
	}
	half, left := float64(s.Seconds/2), s.Seconds-t
	b := s.acceleration(i)
	// On an arc, a body still goes up or down by what it is now off its chord.
	before := float64(v.AddScaled(half, a).LengthSquared()/2) - float64(left*own.Dot(v))
	after := float64(w.AddScaled(half, b).LengthSquared()/2) - float64(left*own.Dot(w))
	off, rise := 0.0, 0.0
	if s.isOnArc(i) {
		off = statics.Bulge(t, s.Seconds)
		rise = float64(off * own.Dot(b))
		before += float64(off * own.Dot(s.bends[i].a))
		after += rise
	}
	size := v.LengthSquared() + float64(left*float64(own.SumAbs()*v.SumAbs()))
	if !(after > before+float64(slideRounding*size)) {
		return w
	}
	// At k times the velocity the energy is k²·p + k·q + r.
	p, q := float64(w.LengthSquared()/2), float64(half*w.Dot(b))-float64(left*own.Dot(w))
	r := float64(float64(half*half)*b.LengthSquared()/2) + rise
	if scaled := w.Scale(largestScale(p, q, r-before)); scaled.AddScaled(t-half, b).LengthSquared() <=
		w.AddScaled(t-half, b).LengthSquared() {
		return scaled
	}
	// Slower on average, but faster at time t, because the acceleration is large compared to the
	// velocity. Then both get k times their size, and so does the velocity at time t.
	p, q = float64(w.AddScaled(half, b).LengthSquared()/2), rise-float64(left*own.Dot(w))
	k := largestScale(p, q, -before)
	s.setAcceleration(i, b.Scale(k))
	return w.Scale(k)
}

// largestScale returns the largest k from 0 to 1 with p·k² + q·k + r <= 0, where p is at least 0.
// If there is none, it returns the k at which the sum is least.
func largestScale(p, q, r float64) float64 {
	root := math.Sqrt(max(0, float64(q*q)-float64(float64(4*p)*r)))
	switch {
	case q > 0:
		return min(1, max(0, -2*r/(q+root)))
	case p > 0:
		return min(1, (root-q)/(2*p))
	}
	return 1
}

// slideRounding is the gain of energy that is rounding, as a fraction of the energy: a thousand
// roundings. With less, slides on planes would be scaled for nothing.
const slideRounding = 0x1p-42

// gainsFromDriver reports whether body i, whose velocity changes from v to w, gains energy from a
// moving dynamic body that counts as immovable to it (see yieldingDirections), or from a rotor that
// it slides on. These would not lose the energy. A rotor that it meets, code, has lost it.
//
// Between such a body and a wall that are almost parallel, a tiny speed of the one would become an
// arbitrary speed of body i.
func (s *Space) gainsFromDriver(i, code int32, v, w collide.Vec3) bool {
	if w.LengthSquared() <= v.LengthSquared() {
		return false
	}
	for at := s.infos[i].slideContacts; at >= 0; at = s.slideContacts[at].next {
		if k := &s.slideContacts[at]; (k.other >= 0 || k.other != code) && s.yieldsAndMoves(k.other, k.Velocity) {
			return true
		}
	}
	return false
}

// yieldsAndMoves reports whether code, which counts as immovable in a slide contact and moves at u
// there, is a dynamic body or a rotor.
func (s *Space) yieldsAndMoves(code int32, u collide.Vec3) bool {
	if u == (collide.Vec3{}) {
		return false
	}
	if code < 0 {
		return len(s.rotors) > 0 && s.rotorOf(surfaceOf(code)) != nil
	}
	return s.infos[s.index[code]].kind == Dynamic
}

// stillTouches reports whether body i touches code at time t. The two slid along each other, and
// part where a surface is round or has an edge.
func (s *Space) stillTouches(i, code int32, t float64) bool {
	b := &s.bodies[i]
	x := s.at(i, t)
	if code >= 0 {
		if j := s.index[code]; !s.areSpheres(i, j) {
			return s.shapeGap(i, j, t).Gap <= float64(touchTolerance*s.size(i))
		}
		o := &s.bodies[s.index[code]]
		return x.Distance(s.at(s.index[code], t)) <= b.radius+o.radius+float64(touchTolerance*b.radius)
	}
	gap, _ := s.gapAt(i, x, surfaceOf(code), t)
	return gap <= float64(touchTolerance*s.size(i))
}

// slideAccelerated subtracts from the acceleration of body i what its contacts take up, and returns
// the mean velocity of a body that moves at v at time t. The contacts are in s.slideScratch; those
// of the bits in active limit v.
//
// The mean velocity may enter a contact that v leaves, or that the acceleration moves the body away
// from. To the former the body would come back within the step, and for the latter a chord is too
// coarse. Along the normals of such contacts (locked) both velocity and acceleration become zero.
// Changing the mean velocity alone would add energy.
func (s *Space) slideAccelerated(
	i int32, v collide.Vec3, active uint64, t float64,
) (collide.Vec3, collide.SlideResult) {
	all := len(s.slideScratch)
	locked := uint64(0)
	for {
		a, u := s.acceleration(i), v
		for k := range min(all, 64) {
			n := s.slideScratch[k].Normal
			switch {
			case locked>>k&1 != 0:
				s.slideScratch = append(s.slideScratch,
					collide.SlideContact{Normal: n}, collide.SlideContact{Normal: n.Neg()})
			case active>>k&1 != 0:
				s.slideScratch = append(s.slideScratch, collide.SlideContact{Normal: n})
			}
		}
		a, _ = collide.Slide(a, s.slideScratch[all:])
		s.slideScratch = s.slideScratch[:all]
		if locked != 0 {
			for k := range min(all, 64) {
				if c := s.slideScratch[k]; locked>>k&1 != 0 {
					c.Normal = c.Normal.Neg()
					s.slideScratch = append(s.slideScratch, c)
				}
			}
			u, _ = collide.Slide(v, s.slideScratch)
			s.slideScratch = s.slideScratch[:all]
		}
		mean, result := collide.Slide(u.AddScaled(float64(s.Seconds/2)-t, a), s.slideScratch)
		entered := uint64(0)
		for k := range min(all, 64) {
			alongNormal := s.slideScratch[k].Normal.Dot(a)
			if result.Active>>k&1 != 0 && math.Abs(alongNormal) > float64(leavingShare*a.SumAbs()) {
				entered |= 1 << k
			}
		}
		if entered &^= locked; entered == 0 {
			s.setAcceleration(i, a)
			return mean, result
		}
		locked |= entered
	}
}

// slidesAlong reports whether body i slides along code, a body's id or a surface's code, so that
// the two cannot have a new impact.
func (s *Space) slidesAlong(i, code int32) bool {
	for at := s.infos[i].slideContacts; at >= 0; at = s.slideContacts[at].next {
		if k := &s.slideContacts[at]; k.other == code {
			return k.stamp == s.stampOf(code)
		}
	}
	return false
}
