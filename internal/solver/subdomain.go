package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/partition"
)

// subdomain is a part of a step: a box of space, and what happens in it.
type subdomain struct {
	space            Space
	team             *parallelStep
	number           int32
	box              partition.Box
	haloWidth        float64 // how far out of it there are guests
	safeTravel       float64 // metres: what comes no farther than that surely stays within the margin, unless it is larger than any before
	safeSpeedSquared float64 // the square of the speed of what may come farther
	invalid          bool    // it can't be told what happens in it

	globalIndex      []int32         // where each body is in the whole
	ghosts           []int32         // those of the bodies that aren't its own
	historyHashes    []uint64        // what happened to each body, turn for turn, as a hash
	dependencies     []dependency    // what of a body isn't in its trail
	corrections      []correction    // what guests have to be put right
	corrected        []bool          // of each body, whether there is news of it
	newOverlaps      []sensorOverlap // theirs, one after the other
	newSlideContacts []slideContact  // likewise
	overlapPairs     []overlapPair   // by where bodies are in the whole
	haltedBodies     []haltedBody    // likewise
}

// runPhase does what is due.
func (p *subdomain) runPhase(what phase, span int) {
	switch what {
	case pairPhase:
		p.findPairs()
	case sweepPhase:
		p.space.predictFirstImpacts()
	case checkPhase:
		p.check(p.endOfSubStep(span))
	case eventPhase:
		if span == 1 {
			p.resolve()
		} else {
			p.apply(p.endOfSubStep(span - 1))
		}
		p.processEvents(span)
	case finishPhase:
		p.finishPaths()
	}
}

// begin finds the candidate pairs of the part.
func (p *subdomain) findPairs() {
	s := &p.space
	s.reset()
	s.stage = PairsFound // as the whole is
	p.copyIn()
	s.findPairs()
}

// localFlags are the flags that a part doesn't take over from the whole when that has solved its contacts.
const localFlags = ghost | frozen | overlapsAtStart | tilesChecked | countedAsMoving

// resolve takes over what contact solving has changed in the whole, and predicts again what that concerns.
func (p *subdomain) resolve() {
	s, w := &p.space, p.team.whole
	if len(w.unsolvedBodies)+len(w.staleBodies) > 0 {
		for n, i := range p.globalIndex {
			from := w.flags[i]
			if from&(unsolved|stale) == 0 {
				s.flags[n] |= from & supportsSleeper // something on it may have fallen asleep
				continue
			}
			s.bodies[n], s.accelerations[n] = w.bodies[i], w.accelerations[i]
			s.infos[n].acceleratedByContacts = w.infos[i].acceleratedByContacts
			s.flags[n] = s.flags[n]&localFlags | from&^(localFlags|unchanged|stale)
			if from&hasSpin != 0 {
				id := s.infos[n].id
				s.spins[id].angularVelocity = w.spins[id].angularVelocity
			}
			s.markStale(int32(n))
		}
		s.slowedSurfaces = append(s.slowedSurfaces, w.slowedSurfaces...)
	}
	s.repredictStale()
	s.Counts.Pairs = len(s.pairs)
	s.leaveEndedSensors()
}

// run goes on to the end of a span.
func (p *subdomain) processEvents(span int) {
	p.space.calendar.Until(span, subSteps)
	p.space.processEvents()
}

// endOfSubStep returns when a span ends.
func (p *subdomain) endOfSubStep(span int) float64 { return p.space.Seconds * float64(span) / subSteps }

// finishPaths brings the bodies to where they are at the end of the step, and tells the team.
func (p *subdomain) finishPaths() {
	s := &p.space
	s.finishPaths()
	for n := range s.bodies {
		i := int32(n)
		if !s.owns(i) {
			continue
		}
		p.checkTravel(i, &s.bodies[n].x)
		if s.paddedRadius(i, &s.startPositions[n])+min(s.maxTravel(i), p.safeTravel) > p.haloWidth {
			p.invalid = true
		}
	}
	if !p.invalid {
		p.copyOut()
	}
}

// copyIn fills the part's space with its bodies.
func (p *subdomain) copyIn() {
	t, s := p.team, &p.space
	w := t.whole
	n := 0
	for _, from := range t.chunks {
		n += len(from.lists.Of(p.number))
	}
	p.invalid, p.haloWidth = false, t.haloWidth
	p.safeTravel = 0.99 * (t.haloWidth - float64(t.maxDiameter/2))
	p.safeSpeedSquared = p.safeTravel / w.Seconds * p.safeTravel / w.Seconds * (1 - 0x1p-30)
	p.ghosts, p.overlapPairs, p.haltedBodies, p.dependencies, p.corrections = p.ghosts[:0], p.overlapPairs[:0], p.haltedBodies[:0], p.dependencies[:0], p.corrections[:0]
	p.globalIndex, p.historyHashes, p.corrected = resize(p.globalIndex, n), resize(p.historyHashes, n), resize(p.corrected, n)
	clear(p.corrected)
	s.bodies, s.infos, s.pathIDs, s.flags = resize(s.bodies, n), resize(s.infos, n), resize(s.pathIDs, n), resize(s.flags, n)
	s.accelerations, s.startPositions = resize(s.accelerations, n), resize(s.startPositions, n)
	s.index = resize(s.index, len(w.index))
	s.spins = resize(s.spins, len(w.spins))
	s.Settings = w.Settings
	s.sleepStates, s.stepNumber = w.sleepStates, w.stepNumber // what the whole has solved
	// Nothing changes these meanwhile.
	s.statics, s.surfaces, s.surfacesChanged, s.frictions = w.statics, w.surfaces, w.surfacesChanged, w.frictions
	s.sensorOverlaps, s.freeOverlaps, s.islandsToWake = s.sensorOverlaps[:0], s.freeOverlaps[:0], s.islandsToWake[:0]
	n = 0
	for _, from := range t.chunks {
		for _, i := range from.lists.Of(p.number) {
			s.bodies[n], s.infos[n], s.pathIDs[n], s.flags[n] = w.bodies[i], w.infos[i], w.pathIDs[i], w.flags[i]&^(unchanged|stale)
			s.accelerations[n] = w.accelerations[i]
			p.globalIndex[n], p.historyHashes[n] = i, 0
			if p.contains(&s.bodies[n].x) {
				t.owners[i] = ownerPlace{p.number, int32(n)}
			} else {
				s.flags[n] |= ghost
				p.ghosts = append(p.ghosts, int32(n))
			}
			id := s.infos[n].id
			s.index[id] = int32(n)
			if s.flags[n]&hasSpin != 0 {
				s.spins[id] = w.spins[id]
			}
			if s.flags[n]&unsolved != 0 {
				s.unsolvedBodies = append(s.unsolvedBodies, int32(n))
			}
			s.copyOverlaps(w, i, int32(n))
			n++
		}
	}
}

// copyOverlaps copies the stays of body i from the whole, in which it is body from.
func (s *Space) copyOverlaps(w *Space, from, i int32) {
	last := &s.infos[i].overlaps
	for at := w.infos[from].overlaps; at >= 0; at = w.sensorOverlaps[at].next {
		last = s.appendOverlap(last, w.sensorOverlaps[at])
	}
	*last = -1
}

// appendOverlap puts a stay at the end of a list, at last, and returns where the next belongs.
func (s *Space) appendOverlap(last *int32, k sensorOverlap) *int32 {
	*last = int32(len(s.sensorOverlaps))
	s.sensorOverlaps = append(s.sensorOverlaps, k)
	return &s.sensorOverlaps[len(s.sensorOverlaps)-1].next
}

// check looks whether the guests took the paths that they took in their own parts, as far as they came into the box in either, by the time now. Where they didn't the part has failed.
// The true paths of those that took others out there are noted as news. Nothing that another part may be looking at changes.
func (p *subdomain) check(now float64) {
	for k := range p.corrections {
		p.corrected[p.corrections[k].ghost] = false
	}
	p.corrections, p.newOverlaps, p.newSlideContacts = p.corrections[:0], p.newOverlaps[:0], p.newSlideContacts[:0]
	for _, n := range p.ghosts {
		at := p.team.owners[p.globalIndex[n]]
		if p.team.subdomains[at.subdomain].historyHashes[at.i] != p.historyHashes[n] {
			p.collect(n, now)
		}
	}
	for grown := len(p.corrections) > 0 && len(p.dependencies) > 0; grown; {
		grown = false
		for _, k := range p.dependencies {
			if p.corrected[k.on] && !p.corrected[k.body] {
				p.collect(k.body, now)
				grown = true
			}
		}
	}
}

// dependency is that what became of one body depended on another's path, or may still, in a way that isn't in its trail: it slid on it, or was hit by it and not turned. Where the
// other went astray, so has the one, whatever its trail says.
type dependency struct{ body, on int32 }

// noteDependency notes that body i leaned on body j, where the space is a part of another's step.
func (s *Space) noteDependency(i, j int32) {
	if s.subdomain != nil {
		s.subdomain.dependencies = append(s.subdomain.dependencies, dependency{i, j})
	}
}

// mayContain reports whether body i of s, a space of a part, may have been in p's box, by however little, in the span that ends now.
func (p *subdomain) mayContain(s *Space, i int32, now float64) bool {
	x := s.bodies[i].at(now)
	return p.distance(&x) <= s.paddedRadius(i, &x)+float64(s.maxTravel(i)/subSteps)
}

// checkTravel is told where body i, one of the part's own, turns and ends, as soon as it is fast. The part has failed if the body has come where it may be no guest.
func (p *subdomain) checkTravel(i int32, x *collide.Vec3) {
	s := &p.space
	if s.infos[i].maxSpeedSquared <= p.safeSpeedSquared {
		return
	}
	b := &s.startPositions[i]
	if s.owns(i) && s.paddedRadius(i, x)+max(math.Abs(x.X-b.X), math.Abs(x.Y-b.Y), math.Abs(x.Z-b.Z)) > p.haloWidth {
		p.invalid = true
	}
}

// maxTravel returns how far body i comes in a step, at the most.
func (s *Space) maxTravel(i int32) float64 {
	return math.Sqrt(s.infos[i].maxSpeedSquared) * s.Seconds * (1 + 0x1p-40)
}

// paddedRadius returns the radius of body i at x with margins for what touches by rounding: of the radius, within which things count as touching, and of the coordinates.
func (s *Space) paddedRadius(i int32, x *collide.Vec3) float64 {
	return float64(s.bodies[i].radius*(1+touchTolerance)) + float64(0x1p-46*abs1(*x))
}

// correction is what a guest really is at the end of a span.
type correction struct {
	ghost                   int32
	key                     uint32
	historyHash             uint64
	body                    body
	info                    bodyInfo
	flags                   flags
	acceleration            collide.Vec3
	spin                    spin
	overlaps, slideContacts int // how many of newOverlaps and newSlideContacts are its
}

// collect notes what body n really is by the time now. The part has failed if it is its own, or may have been in its box.
func (p *subdomain) collect(n int32, now float64) {
	s := &p.space
	at := p.team.owners[p.globalIndex[n]]
	own, i := p.team.subdomains[at.subdomain], at.i
	o := &own.space
	p.corrected[n] = true
	if s.owns(n) || p.mayContain(s, n, now) || p.mayContain(o, i, now) {
		p.invalid = true
		return
	}
	k := correction{ghost: n, key: o.pathIDs[i].key, historyHash: own.historyHashes[i], body: o.bodies[i], info: o.infos[i], flags: o.flags[i], acceleration: o.accelerations[i]}
	if k.flags&hasSpin != 0 {
		k.spin = o.spins[k.info.id]
	}
	for at := k.info.overlaps; at >= 0; at = o.sensorOverlaps[at].next {
		p.newOverlaps = append(p.newOverlaps, o.sensorOverlaps[at])
		k.overlaps++
	}
	for at := k.info.slideContacts; at >= 0; at = o.slideContacts[at].next {
		// What has turned since, it slides on no more. Contacts with what the part doesn't know are left out: where that matters in the box, the guest's trail will differ.
		if c := o.slideContacts[at]; c.stamp == o.stampOf(c.other) && (c.other < 0 || p.space.hasBody(c.other)) {
			p.newSlideContacts = append(p.newSlideContacts, c)
			k.slideContacts++
		}
	}
	p.corrections = append(p.corrections, k)
}

// apply makes the guests what the news say, and lets them look for what they meet from now on.
func (p *subdomain) apply(now float64) {
	s := &p.space
	stays, slides := p.newOverlaps, p.newSlideContacts
	for k := range p.corrections {
		w := &p.corrections[k]
		n := w.ghost
		for at := s.infos[n].overlaps; at >= 0; at = s.infos[n].overlaps {
			s.removeOverlap(at)
		}
		s.bodies[n], s.infos[n], s.accelerations[n] = w.body, w.info, w.acceleration
		s.flags[n] = w.flags | ghost
		s.pathIDs[n].stamp++ // the part's own count
		s.pathIDs[n].key = w.key
		if w.flags&hasSpin != 0 {
			s.spins[w.info.id] = w.spin
		}
		last := &s.infos[n].overlaps
		for _, c := range stays[:w.overlaps] {
			last = s.appendOverlap(last, c)
		}
		*last = -1
		stays = stays[w.overlaps:]
		p.historyHashes[n] = w.historyHash
		x := w.body.at(now)
		speed := w.body.v.Length()
		s.grid.Put(n, x, 2*w.body.radius, s.stride(speed), speed)
	}
	for k := range p.corrections { // now that the stamps are known of all
		w := &p.corrections[k]
		last := &s.infos[w.ghost].slideContacts
		for _, c := range slides[:w.slideContacts] {
			c.stamp = s.stampOf(c.other)
			*last = int32(len(s.slideContacts))
			s.slideContacts = append(s.slideContacts, c)
			last = &s.slideContacts[len(s.slideContacts)-1].next
			if c.other >= 0 {
				s.noteDependency(w.ghost, s.index[c.other])
			}
		}
		*last = -1
		slides = slides[w.slideContacts:]
	}
	for k := range p.corrections {
		s.repredict(p.corrections[k].ghost, now)
	}
}

// copyOut tells the team what became of the part's own bodies.
func (p *subdomain) copyOut() {
	t, s := p.team, &p.space
	for n := range s.bodies {
		if !s.owns(int32(n)) {
			continue
		}
		i := p.globalIndex[n]
		t.bodies[i], t.flags[i], t.marks[i], t.pulls[i] = s.bodies[n], s.flags[n], s.pathIDs[n], s.accelerations[n]
		if s.flags[n]&hasSpin != 0 {
			t.spins[s.infos[n].id] = s.spins[s.infos[n].id]
		}
	}
	for _, k := range s.haltedBodies {
		if s.owns(k.index) {
			p.haltedBodies = append(p.haltedBodies, haltedBody{p.globalIndex[k.index], k.velocity})
		}
	}
	for _, d := range s.overlapPairs {
		i, j := d.a, d.b
		switch {
		case j < 0:
			if s.owns(i) {
				p.overlapPairs = append(p.overlapPairs, overlapPair{pair: pair{p.globalIndex[i], j}, key: d.key})
			}
		case s.owns(i) && (s.infos[i].id < s.infos[j].id) || s.owns(j) && s.infos[j].id < s.infos[i].id:
			p.overlapPairs = append(p.overlapPairs, overlapPair{pair: pair{p.globalIndex[i], p.globalIndex[j]}, key: d.key})
		}
	}
}

// owns reports whether body i is this space's own, and not a guest.
func (s *Space) owns(i int32) bool { return s.flags[i]&ghost == 0 }

// recordTurn notes in the trail of body i that at time now it took a new path at x. What it met is noted by the key of the event, in which there is the
// path of that, and by its round, which decides what comes next at the same time.
func (p *subdomain) recordTurn(i int32, x *collide.Vec3, now float64) {
	s := &p.space
	p.checkTravel(i, x)
	p.hashEvent(i, now, (uint64(s.pathIDs[i].key)<<32|uint64(s.dueKey))+uint64(s.round())<<48)
}

// recordSensorEvent notes in the trail of body i that it entered or left a sensor.
func (p *subdomain) recordSensorEvent(i, sensor int32, kind eventlog.Kind, t float64) {
	p.hashEvent(i, t, uint64(uint32(sensor))<<32|uint64(kind))
}

// hashEvent notes in the trail of body i that at time t something happened to it: what tells it from whatever else may have happened is mark.
func (p *subdomain) hashEvent(i int32, t float64, mark uint64) {
	k := p.historyHashes[i]
	k = (k ^ math.Float64bits(t)) * 0x9e3779b97f4a7c15
	k = (k ^ k>>29 ^ mark) * 0xbf58476d1ce4e5b9
	p.historyHashes[i] = k ^ k>>32 | 1 // 0 is that of a body to which nothing has happened
}

// distance returns how far x is from the box along the axis along which it is farthest.
func (p *subdomain) distance(x *collide.Vec3) float64 {
	return p.box.Outside(x)
}

// contains reports whether x is in the box.
func (p *subdomain) contains(x *collide.Vec3) bool {
	return p.box.Contains(x)
}

// invalidate makes the step be taken as a whole: something happened that concerns other parts as well.
func (p *subdomain) invalidate() { p.invalid = true }

// hasBody reports whether the space has the body with that id.
func (s *Space) hasBody(id int32) bool {
	k := s.index[id]
	return int(k) < len(s.infos) && s.infos[k].id == id
}
