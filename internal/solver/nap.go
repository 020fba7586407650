package solver

import (
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Rest and sleep.
//
// A body comes to rest when it has been calm for calmSteps steps: slow, and hardly accelerated. Then its velocity becomes zero. If what holds all bodies of an island
// keeps them calm for another step, from rest, then every further step would begin like this one, and do nothing. So the island naps: it is taken out of the
// lists of what has to be solved, and keeps the impulses with which it went to rest. Something that touches or changes one of its bodies, or
// what it rests on, puts it back as it was.
//
// That is why sleeping changes nothing but the cost: without it the same islands come to rest in the same steps, and what
// is worked out for them again and again is thrown away.
const (
	calmSteps = 30      // half a second at 60 steps a second
	calmSpeed = 0.1     // metres a second
	calmShare = 0x1p-14 // of what pulls at a body in a step, as a change of its velocity: below that it is held
)

// nap is an island at rest.
type nap struct {
	bodies []int32 // ids
	holds  []hold
	awake  bool // one of them never sleeps: it is worked out all the same
}

// still is what is known of a body's rest.
type still struct {
	pull collide.Vec3 // the acceleration that it naps under
	nap  int32        // -1 for none
	calm int8
	said uint8 // what has been said of it again since it naps: see saidPull
}

const (
	saidPull = 1 << iota
	saidSpin
	hadSpin
)

// calmDown finds out how calm each island is.
func (s *Space) calmDown() {
	s.stills = extendTo(s.stills, len(s.index), still{nap: -1})
	speed := float64(calmSpeed * s.Length)
	for k := range s.sitters {
		s.sitters[k].calm = calmSteps + 1
	}
	for k := range s.sitters {
		st := &s.sitters[k]
		if !st.movable {
			continue
		}
		is := &s.stills[s.infos[st.body].id]
		if s.isCalm(int32(k), speed) {
			is.calm = min(is.calm+1, calmSteps+1)
		} else {
			is.calm = 0
		}
		st.stands = is.calm >= calmSteps
		top := &s.sitters[s.top(int32(k))]
		top.calm = min(top.calm, is.calm)
	}
}

func (s *Space) isCalm(k int32, speed float64) bool {
	st, v := &s.sitters[k], s.seats[k].v
	if st.jumps || st.carried || v.LengthSquared() > float64(speed*speed) {
		return false
	}
	most := float64(calmShare*calmShare) * st.fall.Sub(st.v0).LengthSquared()
	if v.Sub(st.v0).LengthSquared() > most || most == 0 && v != (collide.Vec3{}) {
		return false // what nothing presses drifts on, however slowly
	}
	w, r := s.whirls[k].w, s.bodies[st.body].radius
	if w == (collide.Vec3{}) && st.w0 == (collide.Vec3{}) {
		return true
	}
	return float64(w.LengthSquared()*float64(r*r)) <= float64(speed*speed) && float64(w.Sub(st.w0).LengthSquared()*float64(r*r)) <= most
}

// stand lets body i stand still.
func (s *Space) stand(i, id int32) {
	s.stills[id].pull = s.pulls[i]
	s.bodies[i].v, s.pulls[i] = collide.Vec3{}, collide.Vec3{}
	s.flags[i] = s.flags[i]&^pulled | settled
	if p := s.spinOf(i); p != nil {
		p.w = collide.Vec3{}
	}
}

// nap lets the islands nap that were at rest already when the step began.
func (s *Space) nap() {
	naps := false
	for k := range s.sitters {
		st := &s.sitters[k]
		if !st.movable {
			continue
		}
		top := s.top(int32(k))
		if s.sitters[top].calm <= calmSteps {
			continue
		}
		if s.sitters[top].body >= 0 && s.sitters[top].nap == 0 {
			s.sitters[top].nap = s.newNap() + 1
		}
		naps = true
		n := s.sitters[top].nap - 1
		id := s.infos[st.body].id
		is := &s.stills[id]
		is.nap, is.said = n, saidPull|saidSpin
		if s.flags[st.body]&spins != 0 {
			is.said |= hadSpin
		}
		s.flags[st.body] |= asleep
		s.naps[n].bodies = append(s.naps[n].bodies, id)
		s.naps[n].awake = s.naps[n].awake || s.flags[st.body]&wakeful != 0
	}
	if !naps {
		return
	}
	for k := range s.holds {
		h := &s.holds[k]
		n := s.napOf(h)
		if n < 0 {
			continue
		}
		h.gone = true
		kept := *h
		kept.gone = false
		s.naps[n].holds = append(s.naps[n].holds, kept)
		if h.b < 0 {
			s.surfaces[surfaceCode-h.b].bears = true
		} else {
			for _, id := range [2]int32{h.a, h.b} {
				if i := s.index[id]; s.flags[i]&asleep == 0 {
					s.flags[i] |= bears
				}
			}
		}
	}
	s.tidyHolds()
}

func (s *Space) newNap() int32 {
	if n := len(s.freeNaps); n > 0 {
		k := s.freeNaps[n-1]
		s.freeNaps = s.freeNaps[:n-1]
		return k
	}
	s.naps = append(s.naps, nap{})
	return int32(len(s.naps) - 1)
}

// napOf returns the nap that a hold belongs to, or -1.
func (s *Space) napOf(h *hold) int32 {
	if n := s.stills[h.a].nap; n >= 0 {
		return n
	}
	if h.b >= 0 {
		return s.stills[h.b].nap
	}
	return -1
}

// rouse notes that something has happened to body i, which naps: the nap is over when the next step begins.
func (s *Space) rouse(i int32) {
	s.flags[i] &^= asleep | resting
	id := s.infos[i].id
	if s.share == nil {
		s.roused = append(s.roused, s.stills[id].nap)
	} else if s.owns(i) {
		s.roused = append(s.roused, id)
	}
}

// disturb notes that the game changes body i, which naps or bears what does.
func (s *Space) disturb(i int32) {
	if s.flags[i]&asleep != 0 {
		s.rouse(i)
	}
	if s.flags[i]&bears != 0 {
		s.flags[i] &^= bears
		s.wakeOn(s.infos[i].id)
	}
}

// doubt notes that the game has said again where body i is, which sleeps. What pulls and turns it has to be said again as well.
func (s *Space) doubt(i int32) {
	if s.flags[i]&asleep != 0 {
		id := s.infos[i].id
		s.stills[id].said &= hadSpin
		s.doubts = append(s.doubts, id)
	}
}

// wakeRoused ends the naps of what has been roused.
func (s *Space) wakeRoused() {
	for _, id := range s.doubts {
		i := s.index[id]
		if int(id) >= len(s.stills) || s.stills[id].nap < 0 || s.flags[i]&asleep == 0 {
			continue
		}
		is := &s.stills[id]
		if is.said&saidPull == 0 && is.pull != (collide.Vec3{}) || is.said&hadSpin != 0 && is.said&saidSpin == 0 {
			s.rouse(i)
		}
		is.said |= saidPull | saidSpin
	}
	s.doubts = s.doubts[:0]
	for _, n := range s.roused {
		s.wake(n)
	}
	s.roused = s.roused[:0]
}

// wake ends a nap: what it held is as it was when it began.
func (s *Space) wake(n int32) {
	if n < 0 || len(s.naps[n].bodies) == 0 {
		return
	}
	p := &s.naps[n]
	for _, id := range p.bodies {
		i := s.index[id]
		is := &s.stills[id]
		is.nap, is.calm = -1, 0
		s.searched[id] = search{}
		if s.flags[i]&asleep == 0 {
			continue
		}
		s.flags[i] &^= asleep | resting
		if s.flags[i]&spins != 0 && is.said&hadSpin == 0 {
			continue
		}
		if is.pull != (collide.Vec3{}) {
			s.bodies[i].v = s.bodies[i].v.AddScaled(s.Seconds/2, is.pull)
			s.pulls[i] = is.pull
			s.flags[i] |= pulled
		}
	}
	s.firstHold = extendTo(s.firstHold, len(s.index), -1)
	for _, h := range p.holds {
		h.next = s.firstHold[h.a]
		s.firstHold[h.a] = int32(len(s.holds))
		s.holds = append(s.holds, h)
	}
	s.holdsChanged = true
	p.bodies, p.holds, p.awake = p.bodies[:0], p.holds[:0], false
	s.freeNaps = append(s.freeNaps, n)
	if s.seatOf != nil && len(s.seats) > 0 && s.solving {
		for k := len(s.holds) - 1; k >= 0; k-- {
			h := &s.holds[k]
			s.sit(s.index[h.a], true)
			if h.b >= 0 {
				s.sit(s.index[h.b], true)
			}
		}
	}
}

// wakeOn ends the naps of what rests on a body or surface that changes.
func (s *Space) wakeOn(code int32) {
	for n := range s.naps {
		if slices.ContainsFunc(s.naps[n].holds, func(h hold) bool { return h.a == code || h.b == code }) {
			s.wake(int32(n))
		}
	}
}

// Asleep reports whether a body sleeps.
func (s *Space) Asleep(id int32) bool {
	return s.Sleeping && s.flags[s.index[id]]&asleep != 0 && !s.naps[s.stills[id].nap].awake
}
