package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// share is what a space knows that is a part of another's step, beyond its bodies.
type share struct {
	part   *region
	margin float64
	home   []int32   // where each body is in the whole
	trails []uint64  // tells a body's path, turn for turn, from any other
	strays []float64 // see team
}

// take works out part k of the step.
func (l *lane) take(k int) {
	l.copyIn(l.team.parts[k], k)
	s := &l.space
	s.reset()
	s.begin()
	s.sweep()
	s.run()
	s.land()
	l.copyOut(l.team.parts[k])
}

// copyIn fills the lane's space with the bodies of part p, which has number k.
func (l *lane) copyIn(p *region, k int) {
	t, w, s := l.team, l.whole, &l.space
	n := 0
	for _, from := range t.lanes {
		n += len(from.lists[k])
	}
	h := s.share
	h.part, h.margin = p, t.margin
	h.home, h.trails, h.strays = resize(h.home, n), resize(h.trails, n), resize(h.strays, n)
	s.bodies, s.infos, s.marks, s.flags = resize(s.bodies, n), resize(s.infos, n), resize(s.marks, n), resize(s.flags, n)
	s.pulls, s.before = resize(s.pulls, n), resize(s.before, n)
	s.index = resize(s.index, len(w.index))
	s.Settings = w.Settings
	s.surfaces, s.planes, s.polygons, s.sensing, s.restless = w.surfaces, w.planes, w.polygons, w.sensing, w.restless // nothing changes them meanwhile
	s.stays, s.freeStays = s.stays[:0], s.freeStays[:0]
	*p = region{lo: p.lo, hi: p.hi, guests: p.guests[:0], log: p.log[:0], deep: p.deep[:0], stays: p.stays[:0], halted: p.halted[:0]}
	n = 0
	for _, from := range t.lanes {
		for _, i := range from.lists[k] {
			s.bodies[n], s.infos[n], s.marks[n], s.flags[n] = w.bodies[i], w.infos[i], w.marks[i], w.flags[i]&^resting
			s.pulls[n] = w.pulls[i]
			h.home[n], h.trails[n], h.strays[n] = i, 0, 0
			if !p.has(&s.bodies[n].x) {
				s.flags[n] |= visiting
			}
			s.index[s.infos[n].id] = int32(n)
			s.copyStays(w, int32(n))
			n++
		}
	}
}

// copyStays copies the stays of body i from the whole.
func (s *Space) copyStays(w *Space, i int32) {
	at := s.infos[i].inside
	last := &s.infos[i].inside
	for *last = -1; at >= 0; at = w.stays[at].next {
		*last = int32(len(s.stays))
		s.stays = append(s.stays, w.stays[at])
		last = &s.stays[len(s.stays)-1].next
		*last = -1
	}
}

// copyOut tells the team what became of the part's bodies.
func (l *lane) copyOut(p *region) {
	t, s := l.team, &l.space
	h := s.share
	for n := range s.bodies {
		i := h.home[n]
		if s.flags[n]&visiting != 0 {
			p.guests = append(p.guests, guest{i, h.trails[n]})
			continue
		}
		t.bodies[i], t.flags[i], t.marks[i], t.trails[i], t.strays[i] = s.bodies[n], s.flags[n], s.marks[n], h.trails[n], h.strays[n]
		if at := s.infos[n].inside; at >= 0 || l.whole.infos[i].inside >= 0 {
			p.stays = append(p.stays, stayed{i, none})
			from := len(p.stays)
			for ; at >= 0; at = s.stays[at].next {
				p.stays = append(p.stays, stayed{i, s.stays[at].sensor})
			}
			for a, b := from, len(p.stays)-1; a < b; a, b = a+1, b-1 { // the last is put in first
				p.stays[a], p.stays[b] = p.stays[b], p.stays[a]
			}
		}
	}
	p.counts = s.Counts
	p.counts.Impacts = 0
	for k := range s.log {
		e := &s.log[k]
		if first := e.A; e.B < 0 || e.What&Visit != 0 || first < e.B {
			if !s.owns(s.index[first]) {
				continue
			}
		} else if !s.owns(s.index[e.B]) {
			continue
		}
		p.log = append(p.log, *e)
		if e.What&Impacts != 0 {
			p.counts.Impacts++
		}
	}
	for _, k := range s.halted {
		if s.owns(k.i) {
			p.halted = append(p.halted, halt{h.home[k.i], k.v})
		}
	}
	for _, d := range s.deep {
		i, j := d.a, d.b
		switch {
		case j < 0:
			if s.owns(i) {
				p.deep = append(p.deep, deepPair{pair{h.home[i], j}, d.key})
			}
		case s.owns(i) && (s.infos[i].id < s.infos[j].id) || s.owns(j) && s.infos[j].id < s.infos[i].id:
			p.deep = append(p.deep, deepPair{pair{h.home[i], h.home[j]}, d.key})
		}
	}
}

// owns reports whether body i is this space's own, and not a guest.
func (s *Space) owns(i int32) bool { return s.flags[i]&visiting == 0 }

// follow notes in the trail of body i that at time t something happened to it at p: what tells it from whatever else may have happened is mark.
func (h *share) follow(s *Space, i int32, p collide.Vec3, t float64, mark uint32) {
	k := h.trails[i]
	k = (k ^ math.Float64bits(t)) * 0x9e3779b97f4a7c15
	k = (k ^ k>>29 ^ uint64(mark)) * 0xbf58476d1ce4e5b9
	h.trails[i] = k ^ k>>32 | 1 // 0 is that of a body to which nothing has happened
	h.stray(s, i, p)
}

// stray notes how far body i is from where it began if at p it isn't wholly in its part's box.
//
// Between two points that are in a box a straight path stays in it. So it is enough to look at a step's
// beginning, its end, and each turn.
func (h *share) stray(s *Space, i int32, p collide.Vec3) {
	if !s.owns(i) {
		return
	}
	q, b, r := h.part, &s.before[i], float64(s.bodies[i].radius*(1+0x1p-20)) // the margin is for what touches by rounding
	far := max(math.Abs(h.strays[i]), r+max(math.Abs(p.X-b.X), math.Abs(p.Y-b.Y), math.Abs(p.Z-b.Z)))
	if h.strays[i] <= 0 && q.lo[0] <= p.X-r && p.X+r <= q.hi[0] && q.lo[1] <= p.Y-r && p.Y+r <= q.hi[1] && q.lo[2] <= p.Z-r && p.Z+r <= q.hi[2] {
		h.strays[i] = -far
		return
	}
	h.strays[i] = far
	if far > h.margin {
		q.failed = true // it may have come where it is no guest
	}
}

// fail makes the step be taken as a whole: something happened that concerns other parts as well.
func (h *share) fail() { h.part.failed = true }

// knows reports whether the space has the body with that id.
func (s *Space) knows(id int32) bool {
	k := s.index[id]
	return int(k) < len(s.infos) && s.infos[k].id == id
}
