package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// share is what a space knows that is a part of another's step, beyond its bodies.
type share struct {
	part   *region
	margin float64
	home   []int32        // where each body is in the whole
	trails []uint64       // what happened to each body, turn for turn, as a hash
	strays []float64      // of a body of its own, see team; of a guest, 1 if it ever came into the part's box
	last   []collide.Vec3 // where a guest was when it was looked at last
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
	h.home, h.trails, h.strays, h.last = resize(h.home, n), resize(h.trails, n), resize(h.strays, n), resize(h.last, n)
	s.bodies, s.infos, s.marks, s.flags = resize(s.bodies, n), resize(s.infos, n), resize(s.marks, n), resize(s.flags, n)
	s.pulls, s.before = resize(s.pulls, n), resize(s.before, n)
	s.index = resize(s.index, len(w.index))
	s.spins = resize(s.spins, len(w.spins))
	s.Settings = w.Settings
	s.stills, s.searches = w.stills, w.searches                                                                                         // what the whole has solved
	s.surfaces, s.planes, s.polygons, s.sensing, s.restless, s.grips = w.surfaces, w.planes, w.polygons, w.sensing, w.restless, w.grips // nothing changes them meanwhile
	s.stays, s.freeStays = s.stays[:0], s.freeStays[:0]
	*p = region{lo: p.lo, hi: p.hi, guests: p.guests[:0], log: p.log[:0], deep: p.deep[:0], halted: p.halted[:0], crushed: p.crushed[:0], grasped: p.grasped[:0], roused: p.roused[:0]}
	n = 0
	for _, from := range t.lanes {
		for _, i := range from.lists[k] {
			s.bodies[n], s.infos[n], s.marks[n], s.flags[n] = w.bodies[i], w.infos[i], w.marks[i], w.flags[i]&^resting
			s.pulls[n] = w.pulls[i]
			h.home[n], h.trails[n], h.strays[n], h.last[n] = i, 0, 0, w.bodies[i].x
			if !p.has(&s.bodies[n].x) {
				s.flags[n] |= visiting
			}
			id := s.infos[n].id
			s.index[id] = int32(n)
			if s.flags[n]&spins != 0 {
				s.spins[id] = w.spins[id]
			}
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
			p.guests = append(p.guests, guest{i, h.strays[n] > 0, h.trails[n]})
			continue
		}
		t.bodies[i], t.flags[i], t.marks[i], t.pulls[i] = s.bodies[n], s.flags[n], s.marks[n], s.pulls[n]
		t.trails[i], t.strays[i] = h.trails[n], h.strays[n]
		if s.flags[n]&spins != 0 {
			t.spins[s.infos[n].id] = s.spins[s.infos[n].id]
		}
	}
	p.counts = s.Counts
	p.log = append(p.log, s.log...)
	p.grasped, p.roused = append(p.grasped, s.grasped...), append(p.roused, s.roused...)
	s.roused = s.roused[:0]
	p.crushed = append(p.crushed, s.crushed...)
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
				p.deep = append(p.deep, deepPair{pair: pair{h.home[i], j}, key: d.key})
			}
		case s.owns(i) && (s.infos[i].id < s.infos[j].id) || s.owns(j) && s.infos[j].id < s.infos[i].id:
			p.deep = append(p.deep, deepPair{pair: pair{h.home[i], h.home[j]}, key: d.key})
		}
	}
}

// owns reports whether body i is this space's own, and not a guest.
func (s *Space) owns(i int32) bool { return s.flags[i]&visiting == 0 }

// turn notes in the trail of body i that at time now it took a new path at p. What it met is noted by the key of the event, in which there is the
// path of that.
func (h *share) turn(s *Space, i int32, p collide.Vec3, now float64) {
	h.follow(s, i, p, now, uint64(s.marks[i].key)<<32|uint64(s.due))
}

// visit notes in the trail of body i that it entered or left a sensor.
func (h *share) visit(s *Space, i, sensor int32, what Event, p collide.Vec3, t float64) {
	h.follow(s, i, p, t, uint64(uint32(sensor))<<32|uint64(what))
}

// follow notes in the trail of body i that at time t something happened to it at p: what tells it from whatever else may have happened is mark.
func (h *share) follow(s *Space, i int32, p collide.Vec3, t float64, mark uint64) {
	k := h.trails[i]
	k = (k ^ math.Float64bits(t)) * 0x9e3779b97f4a7c15
	k = (k ^ k>>29 ^ mark) * 0xbf58476d1ce4e5b9
	h.trails[i] = k ^ k>>32 | 1 // 0 is that of a body to which nothing has happened
	h.stray(s, i, p)
}

// stray is told where body i, a body of the part's own or a guest, begins, turns and ends. It notes how far one of its own came from where it began, if it ever was not wholly
// in the box, and of a guest whether it ever came into the box.
//
// The box is convex: a path whose ends are in it is in it.
func (h *share) stray(s *Space, i int32, p collide.Vec3) {
	q := h.part
	// The margins are for what touches by rounding: of the radius, within which things count as touching, and of the coordinates.
	r := float64(s.bodies[i].radius*(1+touchShare)) + float64(0x1p-46*abs1(p))
	if !s.owns(i) {
		if h.strays[i] == 0 && q.reaches(&h.last[i], &p, r) {
			h.strays[i] = 1
		}
		h.last[i] = p
		return
	}
	b := &s.before[i]
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

// reaches reports whether the box around two points, r larger on each side, has a point of the part's box.
func (q *region) reaches(a, b *collide.Vec3, r float64) bool {
	return min(a.X, b.X)-r <= q.hi[0] && max(a.X, b.X)+r >= q.lo[0] &&
		min(a.Y, b.Y)-r <= q.hi[1] && max(a.Y, b.Y)+r >= q.lo[1] &&
		min(a.Z, b.Z)-r <= q.hi[2] && max(a.Z, b.Z)+r >= q.lo[2]
}

// fail makes the step be taken as a whole: something happened that concerns other parts as well.
func (h *share) fail() { h.part.failed = true }

// knows reports whether the space has the body with that id.
func (s *Space) knows(id int32) bool {
	k := s.index[id]
	return int(k) < len(s.infos) && s.infos[k].id == id
}
