package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/partition"
)

// region is a part of a step: a box of space, and what happens in it.
type region struct {
	space  Space
	team   *team
	number int32
	box    partition.Box
	margin float64 // how far out of it there are guests
	slow   float64 // metres: what comes no farther than that surely stays within the margin, unless it is larger than any before
	fast   float64 // the square of the speed of what may come farther
	failed bool    // it can't be told what happens in it

	home      []int32    // where each body is in the whole
	guests    []int32    // those of the bodies that aren't its own
	trails    []uint64   // what happened to each body, turn for turn, as a hash
	leans     []lean     // what of a body isn't in its trail
	news      []news     // what guests have to be put right
	heard     []bool     // of each body, whether there is news of it
	newStays  []stay     // theirs, one after the other
	newSlides []slide    // likewise
	deep      []deepPair // by where bodies are in the whole
	halted    []halt     // likewise
}

// take does what is due.
func (p *region) take(what stage, span int) {
	switch what {
	case beginning:
		p.begin()
	case sweeping:
		p.space.sweep()
	case checking:
		p.check(p.endOf(span))
	case working:
		if span == 1 {
			p.resolve()
		} else {
			p.mend(p.endOf(span - 1))
		}
		p.run(span)
	case landing:
		p.land()
	}
}

// begin finds the candidate pairs of the part.
func (p *region) begin() {
	s := &p.space
	s.reset()
	s.stage = PairsFound // as the whole is
	p.copyIn()
	s.begin()
}

// ownFlags are the flags that a part doesn't take over from the whole when that has solved its contacts.
const ownFlags = visiting | frozen | deep | looked | counted

// resolve takes over what contact solving has changed in the whole, and predicts again what that concerns.
func (p *region) resolve() {
	s, w := &p.space, p.team.whole
	if len(w.unsolvedBodies)+len(w.stale) > 0 {
		for n, i := range p.home {
			from := w.flags[i]
			if from&(unsolved|stale) == 0 {
				s.flags[n] |= from & bears // something on it may have fallen asleep
				continue
			}
			s.bodies[n], s.pulls[n] = w.bodies[i], w.pulls[i]
			s.infos[n].solved = w.infos[i].solved
			s.flags[n] = s.flags[n]&ownFlags | from&^(ownFlags|resting|stale)
			if from&spins != 0 {
				id := s.infos[n].id
				s.spins[id].w = w.spins[id].w
			}
			s.markStale(int32(n))
		}
		s.slowed = append(s.slowed, w.slowed...)
	}
	s.resolve()
	s.Counts.Pairs = len(s.pairs)
	s.leaveGone()
}

// run goes on to the end of a span.
func (p *region) run(span int) {
	p.space.calendar.Until(span, spans)
	p.space.run()
}

// endOf returns when a span ends.
func (p *region) endOf(span int) float64 { return p.space.Seconds * float64(span) / spans }

// land brings the bodies to where they are at the end of the step, and tells the team.
func (p *region) land() {
	s := &p.space
	s.land()
	for n := range s.bodies {
		i := int32(n)
		if !s.owns(i) {
			continue
		}
		p.stray(i, &s.bodies[n].x)
		if s.wide(i, &s.before[n])+min(s.wayOf(i), p.slow) > p.margin {
			p.failed = true
		}
	}
	if !p.failed {
		p.copyOut()
	}
}

// copyIn fills the part's space with its bodies.
func (p *region) copyIn() {
	t, s := p.team, &p.space
	w := t.whole
	n := 0
	for _, from := range t.chunks {
		n += len(from.lists.Of(p.number))
	}
	p.failed, p.margin = false, t.margin
	p.slow = 0.99 * (t.margin - float64(t.touch/2))
	p.fast = p.slow / w.Seconds * p.slow / w.Seconds * (1 - 0x1p-30)
	p.guests, p.deep, p.halted, p.leans, p.news = p.guests[:0], p.deep[:0], p.halted[:0], p.leans[:0], p.news[:0]
	p.home, p.trails, p.heard = resize(p.home, n), resize(p.trails, n), resize(p.heard, n)
	clear(p.heard)
	s.bodies, s.infos, s.marks, s.flags = resize(s.bodies, n), resize(s.infos, n), resize(s.marks, n), resize(s.flags, n)
	s.pulls, s.before = resize(s.pulls, n), resize(s.before, n)
	s.index = resize(s.index, len(w.index))
	s.spins = resize(s.spins, len(w.spins))
	s.Settings = w.Settings
	s.stills, s.searches = w.stills, w.searches // what the whole has solved
	// Nothing changes these meanwhile.
	s.statics, s.surfaces, s.restless, s.frictions = w.statics, w.surfaces, w.restless, w.frictions
	s.stays, s.freeStays, s.roused = s.stays[:0], s.freeStays[:0], s.roused[:0]
	n = 0
	for _, from := range t.chunks {
		for _, i := range from.lists.Of(p.number) {
			s.bodies[n], s.infos[n], s.marks[n], s.flags[n] = w.bodies[i], w.infos[i], w.marks[i], w.flags[i]&^(resting|stale)
			s.pulls[n] = w.pulls[i]
			p.home[n], p.trails[n] = i, 0
			if p.has(&s.bodies[n].x) {
				t.places[i] = place{p.number, int32(n)}
			} else {
				s.flags[n] |= visiting
				p.guests = append(p.guests, int32(n))
			}
			id := s.infos[n].id
			s.index[id] = int32(n)
			if s.flags[n]&spins != 0 {
				s.spins[id] = w.spins[id]
			}
			if s.flags[n]&unsolved != 0 {
				s.unsolvedBodies = append(s.unsolvedBodies, int32(n))
			}
			s.copyStays(w, i, int32(n))
			n++
		}
	}
}

// copyStays copies the stays of body i from the whole, in which it is body from.
func (s *Space) copyStays(w *Space, from, i int32) {
	last := &s.infos[i].inside
	for at := w.infos[from].inside; at >= 0; at = w.stays[at].next {
		last = s.appendStay(last, w.stays[at])
	}
	*last = -1
}

// appendStay puts a stay at the end of a list, at last, and returns where the next belongs.
func (s *Space) appendStay(last *int32, k stay) *int32 {
	*last = int32(len(s.stays))
	s.stays = append(s.stays, k)
	return &s.stays[len(s.stays)-1].next
}

// check looks whether the guests took the paths that they took in their own parts, as far as they came into the box in either, by the time now. Where they didn't the part has failed.
// The true paths of those that took others out there are noted as news. Nothing that another part may be looking at changes.
func (p *region) check(now float64) {
	for k := range p.news {
		p.heard[p.news[k].guest] = false
	}
	p.news, p.newStays, p.newSlides = p.news[:0], p.newStays[:0], p.newSlides[:0]
	for _, n := range p.guests {
		at := p.team.places[p.home[n]]
		if p.team.parts[at.part].trails[at.i] != p.trails[n] {
			p.hear(n, now)
		}
	}
	for grown := len(p.news) > 0 && len(p.leans) > 0; grown; {
		grown = false
		for _, k := range p.leans {
			if p.heard[k.on] && !p.heard[k.of] {
				p.hear(k.of, now)
				grown = true
			}
		}
	}
}

// lean is that what became of one body depended on another's path, or may still, in a way that isn't in its trail: it slid on it, or was hit by it and not turned. Where the
// other went astray, so has the one, whatever its trail says.
type lean struct{ of, on int32 }

// lean notes that body i leaned on body j, where the space is a part of another's step.
func (s *Space) lean(i, j int32) {
	if s.region != nil {
		s.region.leans = append(s.region.leans, lean{i, j})
	}
}

// mayContain reports whether body i of s, a space of a part, may have been in p's box, by however little, in the span that ends now.
func (p *region) mayContain(s *Space, i int32, now float64) bool {
	x := s.bodies[i].at(now)
	return p.distance(&x) <= s.wide(i, &x)+float64(s.wayOf(i)/spans)
}

// stray is told where body i, one of the part's own, turns and ends, as soon as it is fast. The part has failed if the body has come where it may be no guest.
func (p *region) stray(i int32, x *collide.Vec3) {
	s := &p.space
	if s.infos[i].fastest <= p.fast {
		return
	}
	b := &s.before[i]
	if s.owns(i) && s.wide(i, x)+max(math.Abs(x.X-b.X), math.Abs(x.Y-b.Y), math.Abs(x.Z-b.Z)) > p.margin {
		p.failed = true
	}
}

// wayOf returns how far body i comes in a step, at the most.
func (s *Space) wayOf(i int32) float64 {
	return math.Sqrt(s.infos[i].fastest) * s.Seconds * (1 + 0x1p-40)
}

// wide returns the radius of body i at x with margins for what touches by rounding: of the radius, within which things count as touching, and of the coordinates.
func (s *Space) wide(i int32, x *collide.Vec3) float64 {
	return float64(s.bodies[i].radius*(1+touchShare)) + float64(0x1p-46*abs1(*x))
}

// news is what a guest really is at the end of a span.
type news struct {
	guest         int32
	key           uint32
	trail         uint64
	body          body
	info          info
	flags         flags
	pull          collide.Vec3
	spin          spin
	stays, slides int // how many of newStays and newSlides are its
}

// hear notes what body n really is by the time now. The part has failed if it is its own, or may have been in its box.
func (p *region) hear(n int32, now float64) {
	s := &p.space
	at := p.team.places[p.home[n]]
	own, i := p.team.parts[at.part], at.i
	o := &own.space
	p.heard[n] = true
	if s.owns(n) || p.mayContain(s, n, now) || p.mayContain(o, i, now) {
		p.failed = true
		return
	}
	k := news{guest: n, key: o.marks[i].key, trail: own.trails[i], body: o.bodies[i], info: o.infos[i], flags: o.flags[i], pull: o.pulls[i]}
	if k.flags&spins != 0 {
		k.spin = o.spins[k.info.id]
	}
	for at := k.info.inside; at >= 0; at = o.stays[at].next {
		p.newStays = append(p.newStays, o.stays[at])
		k.stays++
	}
	for at := k.info.slides; at >= 0; at = o.slides[at].next {
		// What has turned since, it slides on no more. Contacts with what the part doesn't know are left out: where that matters in the box, the guest's trail will differ.
		if c := o.slides[at]; c.stamp == o.stampOf(c.with) && (c.with < 0 || p.space.knows(c.with)) {
			p.newSlides = append(p.newSlides, c)
			k.slides++
		}
	}
	p.news = append(p.news, k)
}

// mend makes the guests what the news say, and lets them look for what they meet from now on.
func (p *region) mend(now float64) {
	s := &p.space
	stays, slides := p.newStays, p.newSlides
	for k := range p.news {
		w := &p.news[k]
		n := w.guest
		for at := s.infos[n].inside; at >= 0; at = s.infos[n].inside {
			s.removeStay(at)
		}
		s.bodies[n], s.infos[n], s.pulls[n] = w.body, w.info, w.pull
		s.flags[n] = w.flags | visiting
		s.marks[n].stamp++ // the part's own count
		s.marks[n].key = w.key
		if w.flags&spins != 0 {
			s.spins[w.info.id] = w.spin
		}
		last := &s.infos[n].inside
		for _, c := range stays[:w.stays] {
			last = s.appendStay(last, c)
		}
		*last = -1
		stays = stays[w.stays:]
		p.trails[n] = w.trail
		x := w.body.at(now)
		speed := w.body.v.Length()
		s.grid.Put(n, x, 2*w.body.radius, s.stride(speed), speed)
	}
	for k := range p.news { // now that the stamps are known of all
		w := &p.news[k]
		last := &s.infos[w.guest].slides
		for _, c := range slides[:w.slides] {
			c.stamp = s.stampOf(c.with)
			*last = int32(len(s.slides))
			s.slides = append(s.slides, c)
			last = &s.slides[len(s.slides)-1].next
			if c.with >= 0 {
				s.lean(w.guest, s.index[c.with])
			}
		}
		*last = -1
		slides = slides[w.slides:]
	}
	for k := range p.news {
		s.repredict(p.news[k].guest, now)
	}
}

// copyOut tells the team what became of the part's own bodies.
func (p *region) copyOut() {
	t, s := p.team, &p.space
	for n := range s.bodies {
		if !s.owns(int32(n)) {
			continue
		}
		i := p.home[n]
		t.bodies[i], t.flags[i], t.marks[i], t.pulls[i] = s.bodies[n], s.flags[n], s.marks[n], s.pulls[n]
		if s.flags[n]&spins != 0 {
			t.spins[s.infos[n].id] = s.spins[s.infos[n].id]
		}
	}
	for _, k := range s.halted {
		if s.owns(k.i) {
			p.halted = append(p.halted, halt{p.home[k.i], k.v})
		}
	}
	for _, d := range s.deep {
		i, j := d.a, d.b
		switch {
		case j < 0:
			if s.owns(i) {
				p.deep = append(p.deep, deepPair{pair: pair{p.home[i], j}, key: d.key})
			}
		case s.owns(i) && (s.infos[i].id < s.infos[j].id) || s.owns(j) && s.infos[j].id < s.infos[i].id:
			p.deep = append(p.deep, deepPair{pair: pair{p.home[i], p.home[j]}, key: d.key})
		}
	}
}

// owns reports whether body i is this space's own, and not a guest.
func (s *Space) owns(i int32) bool { return s.flags[i]&visiting == 0 }

// turn notes in the trail of body i that at time now it took a new path at x. What it met is noted by the key of the event, in which there is the
// path of that, and by its round, which decides what comes next at the same time.
func (p *region) turn(i int32, x *collide.Vec3, now float64) {
	s := &p.space
	p.stray(i, x)
	p.follow(i, now, (uint64(s.marks[i].key)<<32|uint64(s.due))+uint64(s.round())<<48)
}

// visit notes in the trail of body i that it entered or left a sensor.
func (p *region) visit(i, sensor int32, kind eventlog.Kind, t float64) {
	p.follow(i, t, uint64(uint32(sensor))<<32|uint64(kind))
}

// follow notes in the trail of body i that at time t something happened to it: what tells it from whatever else may have happened is mark.
func (p *region) follow(i int32, t float64, mark uint64) {
	k := p.trails[i]
	k = (k ^ math.Float64bits(t)) * 0x9e3779b97f4a7c15
	k = (k ^ k>>29 ^ mark) * 0xbf58476d1ce4e5b9
	p.trails[i] = k ^ k>>32 | 1 // 0 is that of a body to which nothing has happened
}

// distance returns how far x is from the box along the axis along which it is farthest.
func (p *region) distance(x *collide.Vec3) float64 {
	return p.box.Outside(x)
}

// has reports whether x is in the box.
func (p *region) has(x *collide.Vec3) bool {
	return p.box.Contains(x)
}

// fail makes the step be taken as a whole: something happened that concerns other parts as well.
func (p *region) fail() { p.failed = true }

// knows reports whether the space has the body with that id.
func (s *Space) knows(id int32) bool {
	k := s.index[id]
	return int(k) < len(s.infos) && s.infos[k].id == id
}
