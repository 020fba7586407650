package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// slideContact is a contact along which a body slides for the rest of the step.
type slideContact struct {
	collide.SlideContact
	other int32  // the id of a body, or a surface code
	stamp uint32 // of its path: once that is stopped, the contact is void
	next  int32

	originVelocity, originAcceleration collide.Vec3 // the body's mean velocity and its acceleration before it met the first of its contacts
}

// stampOf returns the stamp of something's path: a body, by its id, or a surface, by its code.
func (s *Space) stampOf(code int32) uint32 {
	if code >= 0 {
		return s.pathIDs[s.index[code]].stamp
	}
	return s.statics.At(surfaceCode - code).Stamp
}

// heldShare is how much of its freedom, in the square, a body may have left along a push and still count as held. Next to nothing, so that what
// is pushed gives way if it can at all; more than rounding, so that a straight column stands.
const heldShare = 0x1p-30

// leavingShare is the speed, in parts of the speeds, at which a body leaves a contact: a thousand roundings.
const leavingShare = 0x1p-43

// yieldingDirections returns how two movable bodies that meet without a bounce give way, where one of them slides or rests on other things: along
// which directions, and how easily (the inverse masses along the normal). One that can't give way at all has 0, and is as
// immovable to the other as what it rests on. So a ball on a ball on the floor needs one impact each, from the
// floor up, and not endlessly many. With pressed, both keep the contacts that they slide on.
func (s *Space) yieldingDirections(i, j int32, n, ni, nj collide.Vec3, t float64) (hi, hj collide.Vec3, wi, wj float64, pressed bool) {
	mi, mj := s.bodies[i].inverseMass, s.bodies[j].inverseMass
	wi, wj = float64(mi*ni.Dot(ni)), float64(mj*nj.Dot(nj))
	if s.infos[i].slideContacts < 0 && s.infos[j].slideContacts < 0 {
		return ni, nj, wi, wj, false
	}
	hi, hj = s.yieldDirection(i, ni, s.bodies[i].v, t), s.yieldDirection(j, nj.Neg(), s.bodies[j].v, t).Neg()
	ui, uj := float64(mi*hi.Dot(ni)), float64(mj*hj.Dot(nj))
	heldI, heldJ := ui <= heldShare*wi, uj <= heldShare*wj
	switch {
	case heldI && heldJ: // jammed: let them go, and meet again what holds them
		return ni, nj, wi, wj, false
	case heldI:
		return ni, nj, 0, wj, true
	case heldJ:
		return ni, nj, wi, 0, true
	case !s.reducesEnergy(i, j, n, hi, hj, ui+uj, t):
		return ni, nj, wi, wj, false
	}
	return hi, hj, ui, uj, true
}

// reducesEnergy reports whether to stop bodies i and j on each other along hi and hj takes energy. It does where what they slide on gives none.
//
// A push of J changes the energy by J·(J·w/2 - c), where w is how easily the two give way and c how fast they close in along those
// directions. One that ends their closing along the normal must be at most 2c/w. The same goes for the accelerations (Gauss's principle of least constraint).
func (s *Space) reducesEnergy(i, j int32, n, hi, hj collide.Vec3, inverse, t float64) bool {
	give := float64(s.bodies[i].inverseMass*hi.LengthSquared()) + float64(s.bodies[j].inverseMass*hj.LengthSquared())
	least := func(a, b collide.Vec3) bool {
		push := n.Dot(b.Sub(a)) / inverse
		return float64(push*(float64(push*give)-float64(2*(hj.Dot(b)-hi.Dot(a))))) <= 0
	}
	return least(s.velocity(i, t), s.velocity(j, t)) && least(s.accelerations[i], s.accelerations[j])
}

// yieldDirection returns what is left of a push in the direction d of body i, which moves at a mean v, after what it slides on at time t.
func (s *Space) yieldDirection(i int32, d, v collide.Vec3, t float64) collide.Vec3 {
	s.listSlideContacts(i, v, t)
	if len(s.slideScratch) == 0 {
		return d
	}
	d, _ = collide.Slide(d, s.slideScratch)
	return d
}

// listSlideContacts lists in s.slideScratch what body i, which moves at a mean v, slides on at time t, as if it were still.
func (s *Space) listSlideContacts(i int32, v collide.Vec3, t float64) {
	s.dropLostContacts(i, t)
	s.slideScratch = s.slideScratch[:0]
	for link := &s.infos[i].slideContacts; *link >= 0; {
		k := &s.slideContacts[*link]
		if k.Normal.Dot(v.Sub(k.Velocity)) > float64(leavingShare*(abs1(v)+abs1(k.Velocity))) {
			// An earlier push takes it off this one. To let it hold would make energy from nothing.
			*link = k.next
			continue
		}
		s.slideScratch = append(s.slideScratch, collide.SlideContact{Normal: k.Normal})
		link = &k.next
	}
}

// shiftSlideOrigins adds what a push changed in the mean velocity and the acceleration of body i to the movement that its contacts limit.
func (s *Space) shiftSlideOrigins(i int32, change, pull collide.Vec3) {
	for at := s.infos[i].slideContacts; at >= 0; at = s.slideContacts[at].next {
		k := &s.slideContacts[at]
		k.originVelocity, k.originAcceleration = k.originVelocity.Add(change), k.originAcceleration.Add(pull)
	}
}

// mayBeHeld reports whether a body may slide on something, or what pulls at it may have been taken by the solution: most don't, and leaveContacts has nothing to do for them.
func (f *bodyInfo) mayBeHeld() bool { return f.slideContacts >= 0 || f.acceleratedByContacts }

// leaveContacts takes body i off all that it slides on at time t, and returns its mean velocity, which was v. Where it moves away from what held it up, that must not go on to push it: what pulls at it pulls again.
func (s *Space) leaveContacts(i int32, v collide.Vec3, t float64) collide.Vec3 {
	f := &s.infos[i]
	pull, held := s.accelerationBeforeSolving(i)
	if f.slideContacts >= 0 {
		if !held {
			pull, held = s.slideContacts[f.slideContacts].originAcceleration, true
		}
		f.slideContacts = -1
	}
	if !held {
		return v
	}
	if change := pull.Sub(s.accelerations[i]); change.Dot(v) < 0 {
		v = v.AddScaled(float64(s.Seconds/2)-t, change)
		s.accelerations[i] = pull
		s.flags[i] |= accelerated
	}
	return v
}

// accelerationBeforeSolving returns what pulls at body i, if the solution has taken that in this step.
func (s *Space) accelerationBeforeSolving(i int32) (collide.Vec3, bool) {
	f := &s.infos[i]
	if !f.acceleratedByContacts { // most are never held, and their stills are far away in memory
		return collide.Vec3{}, false
	}
	if is := &s.sleepStates[f.id]; is.solvedInStep == s.stepNumber {
		return is.ownAcceleration, true
	}
	f.acceleratedByContacts = false
	return collide.Vec3{}, false
}

// dropLostContacts drops the contacts of body i that are over at time t: it doesn't touch them any more, or they have turned.
//
// What is left of them no more limits the movement from before the first, which would give back what the dropped ones took, but the present one. Only a
// character goes on as it wanted to: it has no more energy than when it met the first.
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

// restartSlide lets the contacts of body i limit its present movement, of a mean v.
func (s *Space) restartSlide(i int32, v collide.Vec3) {
	for at := s.infos[i].slideContacts; at >= 0; at = s.slideContacts[at].next {
		s.slideContacts[at].originVelocity, s.slideContacts[at].originAcceleration = v, s.accelerations[i]
	}
}

// shareAcceleration lets two bodies that don't bounce off each other press on each other: they have the same acceleration along the normal from now on if theirs approach, or
// if together, and it reports whether they do. Their velocities are then as equal as their mean ones.
func (s *Space) shareAcceleration(i, j int32, n, ni, nj collide.Vec3, inverse float64, together bool) bool {
	closing := -n.Dot(s.accelerations[i].Sub(s.accelerations[j]))
	s.heldAcceleration = closing
	if closing == 0 || !(closing > 0) && !together {
		return false
	}
	force := closing / inverse
	s.accelerations[i] = s.accelerations[i].AddScaled(float64(force*s.bodies[i].inverseMass), ni)
	s.accelerations[j] = s.accelerations[j].AddScaled(-float64(force*s.bodies[j].inverseMass), nj)
	s.flags[i] |= accelerated
	s.flags[j] |= accelerated
	return true
}

// slideAlong adds what body i has met at time t, something immovable that moves at u, to the contacts it slides along, and
// returns the mean velocity that they leave it, with the impulse that took. Contacts that it leaves are dropped.
//
// Where it slides, or rests, all contacts limit the movement that it had before the first of them. Limiting what the
// others have left of it isn't the same: in a funnel each wall would throw it off the one before, for ever.
func (s *Space) slideAlong(i, with int32, n, free, u collide.Vec3, t float64) (collide.Vec3, float64) {
	c := collide.SlideContact{Normal: n, Velocity: u}
	if free != n { // what counts is the part of the contact along which the body can move
		size := free.Length()
		c.Normal = free.Scale(1 / size)
		c.Velocity = c.Normal.Scale(n.Dot(u) / size)
	}
	f := &s.infos[i]
	s.dropLostContacts(i, t)
	v := s.velocity(i, t)
	present := v
	s.heldAcceleration = -n.Dot(s.accelerations[i])
	first := slideContact{c, with, s.stampOf(with), f.slideContacts, s.bodies[i].v, s.accelerations[i]}
	leaving := c.Normal.Dot(v.Sub(c.Velocity))
	if f.slideContacts >= 0 && (s.infos[i].material.Sliding || -leaving <= s.RestSpeed) {
		first.originVelocity, first.originAcceleration = s.slideContacts[f.slideContacts].originVelocity, s.slideContacts[f.slideContacts].originAcceleration
		v, s.accelerations[i] = first.originVelocity.AddScaled(t-float64(s.Seconds/2), first.originAcceleration), first.originAcceleration
	}
	s.slideContacts = append(s.slideContacts, first)
	f.slideContacts = int32(len(s.slideContacts) - 1)
	if with >= 0 {
		s.noteDependency(i, s.index[with])
	}
	s.slideScratch = s.slideScratch[:0]
	for at := f.slideContacts; at >= 0; at = s.slideContacts[at].next {
		s.slideScratch = append(s.slideScratch, s.slideContacts[at].SlideContact)
	}
	after, result := collide.Slide(v, s.slideScratch)
	if result.Outcome == collide.Crushed || s.squeezesOut(i, v, after) {
		return s.crushBody(i, n)
	}
	lifted := false // one that limits its movement is left for what pulls at it
	if s.accelerations[i] != (collide.Vec3{}) {
		active := result.Active
		after, result = s.slideAccelerated(i, after, active, t)
		lifted = active&^result.Active != 0
		s.heldAcceleration += n.Dot(s.accelerations[i])
	}
	after = s.unlocked(i, after)
	if s.gainsFromDriver(i, present, s.velocityFrom(i, after, t)) {
		return s.crushBody(i, n)
	}
	kept, k := int32(-1), 0
	for at := f.slideContacts; at >= 0; k++ {
		next := s.slideContacts[at].next
		if k < 64 && result.Active>>k&1 != 0 {
			o := &s.slideContacts[at]
			o.next, o.originVelocity, o.originAcceleration = kept, first.originVelocity, first.originAcceleration
			kept = at
		}
		at = next
	}
	f.slideContacts = kept
	if lifted && !s.infos[i].material.Sliding {
		s.restartSlide(i, after)
	}
	return after, after.Sub(s.bodies[i].v).Dot(n) / s.bodies[i].inverseMass
}

// squeezesOut reports whether the contacts of body i, which moved at v, would throw it out at a speed that they have only because nearly nothing is left to it: two
// that face each other to a millionth part, closing in by rounding.
func (s *Space) squeezesOut(i int32, v, after collide.Vec3) bool {
	fastest := abs1(v)
	for at := s.infos[i].slideContacts; at >= 0; at = s.slideContacts[at].next {
		fastest = max(fastest, abs1(s.slideContacts[at].Velocity))
	}
	return abs1(after) > float64(maxSqueezeSpeed*fastest)
}

// maxSqueezeSpeed is how many times as fast as anything that takes part a body may be squeezed out: a wedge with an angle of two degrees does that.
const maxSqueezeSpeed = 64

// crushBody stops body i for the rest of the step: what holds it closes in on it. It stops here, and they at it.
func (s *Space) crushBody(i int32, n collide.Vec3) (collide.Vec3, float64) {
	s.infos[i].slideContacts, s.infos[i].budget = -1, 0
	s.accelerations[i] = collide.Vec3{}
	return collide.Vec3{}, n.Dot(s.bodies[i].v.Neg()) / s.bodies[i].inverseMass
}

// gainsFromDriver reports whether body i, which moved at v and is to move at w, is driven by one that counts as immovable to it but isn't (see press). That one wouldn't pay for it.
//
// Between that and a wall that are all but parallel, what is next to nothing in the one would be anything in the other.
func (s *Space) gainsFromDriver(i int32, v, w collide.Vec3) bool {
	if w.LengthSquared() <= v.LengthSquared() {
		return false
	}
	for at := s.infos[i].slideContacts; at >= 0; at = s.slideContacts[at].next {
		if k := &s.slideContacts[at]; k.other >= 0 && k.Velocity != (collide.Vec3{}) && s.infos[s.index[k.other]].kind == Dynamic {
			return true
		}
	}
	return false
}

// stillTouches reports whether body i still touches at time t what it slid along: that can be round, or come to an edge.
func (s *Space) stillTouches(i, with int32, t float64) bool {
	b := s.bodies[i]
	b.x = b.at(t)
	if with >= 0 {
		o := &s.bodies[s.index[with]]
		return b.x.Distance(o.at(t)) <= b.radius+o.radius+float64(touchTolerance*b.radius)
	}
	gap, _ := s.separation(&b, surfaceCode-with, t)
	return gap <= float64(touchTolerance*b.radius)
}

// slideAccelerated takes from the acceleration of body i what its contacts, those in s.slideScratch that are active, hold up, and returns the mean
// velocity of a body that moves at v at time t.
//
// The mean velocity can enter contacts that v leaves, or that the acceleration takes it off. To the ones it would come back within the step; for the others, the path is too coarse. Along their
// normals it gets neither velocity nor acceleration: to turn the mean velocity alone would make it faster.
func (s *Space) slideAccelerated(i int32, v collide.Vec3, active uint64, t float64) (collide.Vec3, collide.SlideResult) {
	all := len(s.slideScratch)
	tied := uint64(0)
	for {
		pull, u := s.accelerations[i], v
		for k := range min(all, 64) {
			c := s.slideScratch[k]
			switch {
			case tied>>k&1 != 0:
				s.slideScratch = append(s.slideScratch, collide.SlideContact{Normal: c.Normal}, collide.SlideContact{Normal: c.Normal.Neg()})
			case active>>k&1 != 0:
				s.slideScratch = append(s.slideScratch, collide.SlideContact{Normal: c.Normal})
			}
		}
		pull, _ = collide.Slide(pull, s.slideScratch[all:])
		s.slideScratch = s.slideScratch[:all]
		if tied != 0 {
			for k := range min(all, 64) {
				if c := s.slideScratch[k]; tied>>k&1 != 0 {
					s.slideScratch = append(s.slideScratch, collide.SlideContact{Normal: c.Normal.Neg(), Velocity: c.Velocity})
				}
			}
			u, _ = collide.Slide(v, s.slideScratch)
			s.slideScratch = s.slideScratch[:all]
		}
		after, result := collide.Slide(u.AddScaled(float64(s.Seconds/2)-t, pull), s.slideScratch)
		more := uint64(0)
		for k := range min(all, 64) {
			if along := s.slideScratch[k].Normal.Dot(pull); result.Active>>k&1 != 0 && math.Abs(along) > float64(leavingShare*abs1(pull)) {
				more |= 1 << k
			}
		}
		if more &^= tied; more == 0 {
			s.accelerations[i] = pull
			return after, result
		}
		tied |= more
	}
}

// slidesAlong reports whether body i slides along with, a body's id or a surface code, so that they can't meet anew.
func (s *Space) slidesAlong(i, with int32) bool {
	for at := s.infos[i].slideContacts; at >= 0; at = s.slideContacts[at].next {
		if k := &s.slideContacts[at]; k.other == with {
			return k.stamp == s.stampOf(with)
		}
	}
	return false
}
