package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// slide is a contact along which a body slides for the rest of the step.
type slide struct {
	collide.SlideContact
	with  int32  // the id of a body, or a surface code
	stamp uint32 // of its path: once that is stopped, the contact is void
	next  int32

	from, pull collide.Vec3 // the body's mean velocity and its acceleration before it met the first of its contacts
}

// stampOf returns the stamp of something's path: a body, by its id, or a surface, by its code.
func (s *Space) stampOf(code int32) uint32 {
	if code >= 0 {
		return s.marks[s.index[code]].stamp
	}
	return s.statics.At(surfaceCode - code).Stamp
}

// held is how much of its freedom, in the square, a body may have left along a push and still count as held. Next to nothing, so that what
// is pushed gives way if it can at all; more than rounding, so that a straight column stands.
const held = 0x1p-30

// leaves is the speed, in parts of the speeds, at which a body leaves a contact: a thousand roundings.
const leaves = 0x1p-43

// press returns how two movable bodies that meet without a bounce give way, where one of them slides or rests on other things: along
// which directions, and how easily (the inverse masses along the normal). One that can't give way at all has 0, and is as
// immovable to the other as what it rests on. So a ball on a ball on the floor needs one impact each, from the
// floor up, and not endlessly many. With pressed, both keep the contacts that they slide on.
func (s *Space) press(i, j int32, n, ni, nj collide.Vec3, t float64) (hi, hj collide.Vec3, wi, wj float64, pressed bool) {
	mi, mj := s.bodies[i].inverseMass, s.bodies[j].inverseMass
	wi, wj = float64(mi*ni.Dot(ni)), float64(mj*nj.Dot(nj))
	if s.infos[i].slides < 0 && s.infos[j].slides < 0 {
		return ni, nj, wi, wj, false
	}
	hi, hj = s.yield(i, ni, s.bodies[i].v, t), s.yield(j, nj.Neg(), s.bodies[j].v, t).Neg()
	ui, uj := float64(mi*hi.Dot(ni)), float64(mj*hj.Dot(nj))
	heldI, heldJ := ui <= held*wi, uj <= held*wj
	switch {
	case heldI && heldJ: // jammed: let them go, and meet again what holds them
		return ni, nj, wi, wj, false
	case heldI:
		return ni, nj, 0, wj, true
	case heldJ:
		return ni, nj, wi, 0, true
	case !s.takes(i, j, n, hi, hj, ui+uj, t):
		return ni, nj, wi, wj, false
	}
	return hi, hj, ui, uj, true
}

// takes reports whether to stop bodies i and j on each other along hi and hj takes energy. It does where what they slide on gives none.
//
// A push of J changes the energy by J·(J·w/2 - c), where w is how easily the two give way and c how fast they close in along those
// directions. One that ends their closing along the normal must be at most 2c/w. The same goes for the accelerations (Gauss's principle of least constraint).
func (s *Space) takes(i, j int32, n, hi, hj collide.Vec3, inverse, t float64) bool {
	give := float64(s.bodies[i].inverseMass*hi.LengthSquared()) + float64(s.bodies[j].inverseMass*hj.LengthSquared())
	least := func(a, b collide.Vec3) bool {
		push := n.Dot(b.Sub(a)) / inverse
		return float64(push*(float64(push*give)-float64(2*(hj.Dot(b)-hi.Dot(a))))) <= 0
	}
	return least(s.velocity(i, t), s.velocity(j, t)) && least(s.pulls[i], s.pulls[j])
}

// yield returns what is left of a push in the direction d of body i, which moves at a mean v, after what it slides on at time t.
func (s *Space) yield(i int32, d, v collide.Vec3, t float64) collide.Vec3 {
	s.holding(i, v, t)
	if len(s.slideWork) == 0 {
		return d
	}
	d, _ = collide.Slide(d, s.slideWork)
	return d
}

// holding lists in s.slideWork what body i, which moves at a mean v, slides on at time t, as if it were still.
func (s *Space) holding(i int32, v collide.Vec3, t float64) {
	s.dropLeft(i, t)
	s.slideWork = s.slideWork[:0]
	for link := &s.infos[i].slides; *link >= 0; {
		k := &s.slides[*link]
		if k.Normal.Dot(v.Sub(k.Velocity)) > float64(leaves*(abs1(v)+abs1(k.Velocity))) {
			// An earlier push takes it off this one. To let it hold would make energy from nothing.
			*link = k.next
			continue
		}
		s.slideWork = append(s.slideWork, collide.SlideContact{Normal: k.Normal})
		link = &k.next
	}
}

// shove adds what a push changed in the mean velocity and the acceleration of body i to the movement that its contacts limit.
func (s *Space) shove(i int32, change, pull collide.Vec3) {
	for at := s.infos[i].slides; at >= 0; at = s.slides[at].next {
		k := &s.slides[at]
		k.from, k.pull = k.from.Add(change), k.pull.Add(pull)
	}
}

// mayLetGo reports whether a body may slide on something, or what pulls at it may have been taken by the solution: most don't, and letGo has nothing to do for them.
func (f *info) mayLetGo() bool { return f.slides >= 0 || f.solved }

// letGo takes body i off all that it slides on at time t, and returns its mean velocity, which was v. Where it moves away from what held it up, that must not go on to push it: what pulls at it pulls again.
func (s *Space) letGo(i int32, v collide.Vec3, t float64) collide.Vec3 {
	f := &s.infos[i]
	pull, held := s.heldPull(i)
	if f.slides >= 0 {
		if !held {
			pull, held = s.slides[f.slides].pull, true
		}
		f.slides = -1
	}
	if !held {
		return v
	}
	if change := pull.Sub(s.pulls[i]); change.Dot(v) < 0 {
		v = v.AddScaled(float64(s.Seconds/2)-t, change)
		s.pulls[i] = pull
		s.flags[i] |= pulled
	}
	return v
}

// heldPull returns what pulls at body i, if the solution has taken that in this step.
func (s *Space) heldPull(i int32) (collide.Vec3, bool) {
	f := &s.infos[i]
	if !f.solved { // most are never held, and their stills are far away in memory
		return collide.Vec3{}, false
	}
	if is := &s.stills[f.id]; is.solved == s.searches {
		return is.own, true
	}
	f.solved = false
	return collide.Vec3{}, false
}

// dropLeft drops the contacts of body i that are over at time t: it doesn't touch them any more, or they have turned.
//
// What is left of them no more limits the movement from before the first, which would give back what the dropped ones took, but the present one. Only a
// character goes on as it wanted to: it has no more energy than when it met the first.
func (s *Space) dropLeft(i int32, t float64) {
	dropped := false
	for link := &s.infos[i].slides; *link >= 0; {
		if k := &s.slides[*link]; k.stamp != s.stampOf(k.with) || !s.stillTouches(i, k.with, t) {
			*link, dropped = k.next, true
		} else {
			link = &k.next
		}
	}
	if dropped && !s.infos[i].material.Slide {
		s.startOver(i, s.bodies[i].v)
	}
}

// startOver lets the contacts of body i limit its present movement, of a mean v.
func (s *Space) startOver(i int32, v collide.Vec3) {
	for at := s.infos[i].slides; at >= 0; at = s.slides[at].next {
		s.slides[at].from, s.slides[at].pull = v, s.pulls[i]
	}
}

// rest lets two bodies that don't bounce off each other press on each other: they have the same acceleration along the normal from now on if theirs approach, or
// if together, and it reports whether they do. Their velocities are then as equal as their mean ones.
func (s *Space) rest(i, j int32, n, ni, nj collide.Vec3, inverse float64, together bool) bool {
	closing := -n.Dot(s.pulls[i].Sub(s.pulls[j]))
	s.held = closing
	if closing == 0 || !(closing > 0) && !together {
		return false
	}
	force := closing / inverse
	s.pulls[i] = s.pulls[i].AddScaled(float64(force*s.bodies[i].inverseMass), ni)
	s.pulls[j] = s.pulls[j].AddScaled(-float64(force*s.bodies[j].inverseMass), nj)
	s.flags[i] |= pulled
	s.flags[j] |= pulled
	return true
}

// slide adds what body i has met at time t, something immovable that moves at u, to the contacts it slides along, and
// returns the mean velocity that they leave it, with the impulse that took. Contacts that it leaves are dropped.
//
// Where it slides, or rests, all contacts limit the movement that it had before the first of them. Limiting what the
// others have left of it isn't the same: in a funnel each wall would throw it off the one before, for ever.
func (s *Space) slide(i, with int32, n, free, u collide.Vec3, t float64) (collide.Vec3, float64) {
	c := collide.SlideContact{Normal: n, Velocity: u}
	if free != n { // what counts is the part of the contact along which the body can move
		size := free.Length()
		c.Normal = free.Scale(1 / size)
		c.Velocity = c.Normal.Scale(n.Dot(u) / size)
	}
	f := &s.infos[i]
	s.dropLeft(i, t)
	v := s.velocity(i, t)
	present := v
	s.held = -n.Dot(s.pulls[i])
	first := slide{c, with, s.stampOf(with), f.slides, s.bodies[i].v, s.pulls[i]}
	leaving := c.Normal.Dot(v.Sub(c.Velocity))
	if f.slides >= 0 && (s.infos[i].material.Slide || -leaving <= s.RestSpeed) {
		first.from, first.pull = s.slides[f.slides].from, s.slides[f.slides].pull
		v, s.pulls[i] = first.from.AddScaled(t-float64(s.Seconds/2), first.pull), first.pull
	}
	s.slides = append(s.slides, first)
	f.slides = int32(len(s.slides) - 1)
	if with >= 0 {
		s.lean(i, s.index[with])
	}
	s.slideWork = s.slideWork[:0]
	for at := f.slides; at >= 0; at = s.slides[at].next {
		s.slideWork = append(s.slideWork, s.slides[at].SlideContact)
	}
	after, result := collide.Slide(v, s.slideWork)
	if result.Outcome == collide.Crushed || s.flings(i, v, after) {
		return s.crush(i, n)
	}
	lifted := false // one that limits its movement is left for what pulls at it
	if s.pulls[i] != (collide.Vec3{}) {
		active := result.Active
		after, result = s.slidePulled(i, after, active, t)
		lifted = active&^result.Active != 0
		s.held += n.Dot(s.pulls[i])
	}
	after = s.unlocked(i, after)
	if s.isDriven(i, present, s.velocityFrom(i, after, t)) {
		return s.crush(i, n)
	}
	kept, k := int32(-1), 0
	for at := f.slides; at >= 0; k++ {
		next := s.slides[at].next
		if k < 64 && result.Active>>k&1 != 0 {
			o := &s.slides[at]
			o.next, o.from, o.pull = kept, first.from, first.pull
			kept = at
		}
		at = next
	}
	f.slides = kept
	if lifted && !s.infos[i].material.Slide {
		s.startOver(i, after)
	}
	return after, after.Sub(s.bodies[i].v).Dot(n) / s.bodies[i].inverseMass
}

// flings reports whether the contacts of body i, which moved at v, would throw it out at a speed that they have only because nearly nothing is left to it: two
// that face each other to a millionth part, closing in by rounding.
func (s *Space) flings(i int32, v, after collide.Vec3) bool {
	fastest := abs1(v)
	for at := s.infos[i].slides; at >= 0; at = s.slides[at].next {
		fastest = max(fastest, abs1(s.slides[at].Velocity))
	}
	return abs1(after) > float64(mostFling*fastest)
}

// mostFling is how many times as fast as anything that takes part a body may be squeezed out: a wedge with an angle of two degrees does that.
const mostFling = 64

// crush stops body i for the rest of the step: what holds it closes in on it. It stops here, and they at it.
func (s *Space) crush(i int32, n collide.Vec3) (collide.Vec3, float64) {
	s.infos[i].slides, s.infos[i].budget = -1, 0
	s.pulls[i] = collide.Vec3{}
	return collide.Vec3{}, n.Dot(s.bodies[i].v.Neg()) / s.bodies[i].inverseMass
}

// isDriven reports whether body i, which moved at v and is to move at w, is driven by one that counts as immovable to it but isn't (see press). That one wouldn't pay for it.
//
// Between that and a wall that are all but parallel, what is next to nothing in the one would be anything in the other.
func (s *Space) isDriven(i int32, v, w collide.Vec3) bool {
	if w.LengthSquared() <= v.LengthSquared() {
		return false
	}
	for at := s.infos[i].slides; at >= 0; at = s.slides[at].next {
		if k := &s.slides[at]; k.with >= 0 && k.Velocity != (collide.Vec3{}) && s.infos[s.index[k.with]].kind == Dynamic {
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
		return b.x.Distance(o.at(t)) <= b.radius+o.radius+float64(touchShare*b.radius)
	}
	gap, _ := s.separation(&b, surfaceCode-with, t)
	return gap <= float64(touchShare*b.radius)
}

// slidePulled takes from the acceleration of body i what its contacts, those in s.slideWork that are active, hold up, and returns the mean
// velocity of a body that moves at v at time t.
//
// The mean velocity can enter contacts that v leaves, or that the acceleration takes it off. To the ones it would come back within the step; for the others, the path is too coarse. Along their
// normals it gets neither velocity nor acceleration: to turn the mean velocity alone would make it faster.
func (s *Space) slidePulled(i int32, v collide.Vec3, active uint64, t float64) (collide.Vec3, collide.SlideResult) {
	all := len(s.slideWork)
	tied := uint64(0)
	for {
		pull, u := s.pulls[i], v
		for k := range min(all, 64) {
			c := s.slideWork[k]
			switch {
			case tied>>k&1 != 0:
				s.slideWork = append(s.slideWork, collide.SlideContact{Normal: c.Normal}, collide.SlideContact{Normal: c.Normal.Neg()})
			case active>>k&1 != 0:
				s.slideWork = append(s.slideWork, collide.SlideContact{Normal: c.Normal})
			}
		}
		pull, _ = collide.Slide(pull, s.slideWork[all:])
		s.slideWork = s.slideWork[:all]
		if tied != 0 {
			for k := range min(all, 64) {
				if c := s.slideWork[k]; tied>>k&1 != 0 {
					s.slideWork = append(s.slideWork, collide.SlideContact{Normal: c.Normal.Neg(), Velocity: c.Velocity})
				}
			}
			u, _ = collide.Slide(v, s.slideWork)
			s.slideWork = s.slideWork[:all]
		}
		after, result := collide.Slide(u.AddScaled(float64(s.Seconds/2)-t, pull), s.slideWork)
		more := uint64(0)
		for k := range min(all, 64) {
			if along := s.slideWork[k].Normal.Dot(pull); result.Active>>k&1 != 0 && math.Abs(along) > float64(leaves*abs1(pull)) {
				more |= 1 << k
			}
		}
		if more &^= tied; more == 0 {
			s.pulls[i] = pull
			return after, result
		}
		tied |= more
	}
}

// slidesOn reports whether body i slides along with, a body's id or a surface code, so that they can't meet anew.
func (s *Space) slidesOn(i, with int32) bool {
	for at := s.infos[i].slides; at >= 0; at = s.slides[at].next {
		if k := &s.slides[at]; k.with == with {
			return k.stamp == s.stampOf(with)
		}
	}
	return false
}
