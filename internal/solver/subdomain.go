package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/grow"
	"github.com/dango-physics/dango/internal/partition"
)

// subdomain is a box of space that one worker simulates in a parallel step: see parallelStep.
type subdomain struct {
	space     Space // with the owned bodies and the ghosts
	parent    *parallelStep
	number    int32
	box       partition.Box
	haloWidth float64 // how far from its box it has ghosts, metres
	invalid   bool    // its results may differ from those of the whole space

	// A body that travels no farther than safeTravel surely stays within the halo, unless it is
	// larger than any body was when boxes were chosen.
	safeTravel       float64 // metres
	safeSpeedSquared float64 // square of the speed at which a body travels safeTravel in a step, m²/s²

	globalIndex      []int32         // by body: its index in the whole space
	ghosts           []int32         // indices of the ghosts
	historyHashes    []uint64        // by body: hash of all that happened to it in the step
	dependencies     []dependency    // what histories don't contain
	corrections      []correction    // of ghosts, for the next sub-step
	corrected        []bool          // by body: it has a correction
	newOverlaps      []sensorOverlap // of corrected ghosts, one ghost after the other
	newSlideContacts []slideContact  // likewise

	// Results, with indices of the whole space.
	overlapPairs []overlapPair
	haltedBodies []haltedBody
}

// runPhase runs a phase. subStep is its sub-step, from 1.
func (p *subdomain) runPhase(ph phase, subStep int) {
	switch ph {
	case pairPhase:
		p.findPairs()
	case sweepPhase:
		p.space.predictFirstImpacts()
	case checkPhase:
		p.check(p.endOfSubStep(subStep))
	case eventPhase:
		if subStep == 1 {
			p.adoptSolution()
		} else {
			p.apply(p.endOfSubStep(subStep - 1))
		}
		p.processEvents(subStep)
		p.space.checkCells("processEvents", p.endOfSubStep(subStep))
	case finishPhase:
		p.finishPaths()
	}
}

// findPairs copies the bodies of the subdomain and finds its candidate pairs.
func (p *subdomain) findPairs() {
	s := &p.space
	s.reset()
	s.stage = PairsFound // the stage of the whole space
	p.copyIn()
	s.findPairs()
}

// localFlags are the flags that adoptSolution doesn't copy from the whole space.
const localFlags = ghost | frozen | overlapsAtStart | touchesChecked | countedAsMoving

// adoptSolution copies what contact solving has changed in the whole space, and makes new
// predictions for it.
func (p *subdomain) adoptSolution() {
	s, w := &p.space, p.parent.whole
	if len(w.unsolvedBodies)+len(w.staleBodies) > 0 {
		for n, i := range p.globalIndex {
			from := w.flags[i]
			if from&(unsolved|stale) == 0 {
				s.flags[n] |= from & supportsSleeper // a body on it may have fallen asleep
				continue
			}
			s.bodies[n], s.accelerations[n] = w.bodies[i], w.accelerations[i]
			s.infos[n].acceleratedByContacts = w.infos[i].acceleratedByContacts
			s.infos[n].movesAtEndVelocity = w.infos[i].movesAtEndVelocity
			s.flags[n] = s.flags[n]&localFlags | from&^(localFlags|unchanged|stale)
			if from&hasSpin != 0 {
				p, from := &s.spins[s.infos[n].id], &w.spins[s.infos[n].id]
				p.angularVelocity, p.byContacts = from.angularVelocity, from.byContacts
			}
			s.markStale(int32(n))
		}
		s.slowedSurfaces = append(s.slowedSurfaces, w.slowedSurfaces...)
	}
	s.repredictStale()
	s.Counts.Pairs = len(s.pairs)
	s.leaveEndedSensors()
}

// passOverlaps tells the whole space which bodies overlap something at the start of the step:
// contacts of those are solved otherwise.
func (p *subdomain) passOverlaps() {
	s := &p.space
	if len(s.overlapPairs) == 0 {
		return
	}
	for n, i := range p.globalIndex {
		if s.flags[n]&overlapsAtStart != 0 && s.owns(int32(n)) {
			p.parent.whole.flags[i] |= overlapsAtStart
		}
	}
}

// processEvents processes events up to the end of a sub-step.
func (p *subdomain) processEvents(subStep int) {
	p.space.calendar.Until(subStep, subSteps)
	p.space.processEvents()
}

// endOfSubStep returns the time at which a sub-step ends.
func (p *subdomain) endOfSubStep(subStep int) float64 {
	return p.space.Seconds * float64(subStep) / subSteps
}

// finishPaths moves the bodies to where they are at the end of the step, and stores the results.
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

// copyIn fills the subdomain's space with copies of its bodies.
func (p *subdomain) copyIn() {
	t, s := p.parent, &p.space
	w := t.whole
	n := 0
	for _, from := range t.chunks {
		n += len(from.lists.Of(p.number))
	}
	p.invalid, p.haloWidth = false, t.haloWidth
	// 1 % covers touchTolerance and rounding: see paddedRadius.
	p.safeTravel = max(0, float64(0.99*(t.haloWidth-float64(t.maxDiameter/2)))-float64(2*w.bulge))
	p.safeSpeedSquared = p.safeTravel / w.Seconds * p.safeTravel / w.Seconds * (1 - 0x1p-30)
	p.ghosts, p.overlapPairs, p.haltedBodies = p.ghosts[:0], p.overlapPairs[:0], p.haltedBodies[:0]
	p.dependencies, p.corrections = p.dependencies[:0], p.corrections[:0]
	p.globalIndex, p.historyHashes = grow.Resize(p.globalIndex, n), grow.Resize(p.historyHashes, n)
	p.corrected = grow.Resize(p.corrected, n)
	clear(p.corrected)
	s.bodies, s.infos = grow.Resize(s.bodies, n), grow.Resize(s.infos, n)
	s.pathIDs, s.flags = grow.Resize(s.pathIDs, n), grow.Resize(s.flags, n)
	s.accelerations, s.startPositions = grow.Resize(s.accelerations, n), grow.Resize(s.startPositions, n)
	s.index = grow.Resize(s.index, len(w.index))
	s.spins = grow.Resize(s.spins, len(w.spins))
	s.Settings = w.Settings
	s.setArcs(w.maxBend, w.leastRadius)
	// The subdomains share these, which don't change meanwhile.
	s.sleepStates, s.stepNumber = w.sleepStates, w.stepNumber
	s.frictions, s.combinedFriction = w.frictions, combinedFriction{}
	s.statics, s.surfaces = w.statics, w.surfaces
	s.sensorOverlaps, s.freeOverlaps, s.islandsToWake = s.sensorOverlaps[:0], s.freeOverlaps[:0], s.islandsToWake[:0]
	n = 0
	for _, from := range t.chunks {
		for _, i := range from.lists.Of(p.number) {
			s.bodies[n], s.infos[n], s.accelerations[n] = w.bodies[i], w.infos[i], w.accelerations[i]
			s.pathIDs[n], s.flags[n] = w.pathIDs[i], w.flags[i]&^(unchanged|stale)
			p.globalIndex[n], p.historyHashes[n] = i, 0
			if p.box.Contains(&s.bodies[n].x) {
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

// copyOverlaps copies the sensor overlaps of body i from the whole space, where its index is from.
func (s *Space) copyOverlaps(w *Space, from, i int32) {
	last := &s.infos[i].overlaps
	for at := w.infos[from].overlaps; at >= 0; at = w.sensorOverlaps[at].next {
		last = s.appendOverlap(last, w.sensorOverlaps[at])
	}
	*last = -1
}

// appendOverlap appends a sensor overlap to a list whose last link is last, and returns its new
// last link.
func (s *Space) appendOverlap(last *int32, k sensorOverlap) *int32 {
	*last = int32(len(s.sensorOverlaps))
	s.sensorOverlaps = append(s.sensorOverlaps, k)
	return &s.sensorOverlaps[len(s.sensorOverlaps)-1].next
}

// check compares the history of each ghost, up to the time now, with the one that its owner has. If
// they differ and the ghost was in the box in either simulation, the subdomain is invalid.
// Otherwise it collects a correction. Other subdomains read this one meanwhile, so check changes
// nothing that they read.
func (p *subdomain) check(now float64) {
	for k := range p.corrections {
		p.corrected[p.corrections[k].ghost] = false
	}
	p.corrections, p.newOverlaps, p.newSlideContacts = p.corrections[:0], p.newOverlaps[:0], p.newSlideContacts[:0]
	for _, n := range p.ghosts {
		at := p.parent.owners[p.globalIndex[n]]
		if p.parent.subdomains[at.subdomain].historyHashes[at.i] != p.historyHashes[n] {
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

// dependency says that the path of body depended, or may still depend, on the path of body on in a
// way that its history doesn't contain: it slid on it, or was hit by it without changing its path.
// If the history of on is wrong, that of body counts as wrong, too.
type dependency struct{ body, on int32 }

// noteDependency notes that the path of body i depends on that of body j, in a subdomain.
func (s *Space) noteDependency(i, j int32) {
	if s.subdomain != nil {
		s.subdomain.dependencies = append(s.subdomain.dependencies, dependency{i, j})
	}
}

// mayContain reports whether body i of s, the space of a subdomain, may have been in p's box, even
// in part, in the sub-step that ends now.
func (p *subdomain) mayContain(s *Space, i int32, now float64) bool {
	x := s.at(i, now)
	return p.box.Outside(&x) <= s.paddedRadius(i, &x)+float64(s.maxTravel(i)/subSteps)
}

// checkTravel is called where body i changes its path or ends the step, at x. If the body was fast
// and is owned, it checks how far it travelled: the subdomain is invalid if the body may have come
// to a box whose subdomain doesn't have it.
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

// maxTravel returns an upper bound of the distance that body i travels in a step, in metres.
func (s *Space) maxTravel(i int32) float64 {
	return math.Sqrt(s.infos[i].maxSpeedSquared) * s.Seconds * (1 + 0x1p-40)
}

// paddedRadius returns the radius of body i at x plus margins: the distance at which things count
// as touching, the rounding errors of coordinates, and how far an arc may be from its chord.
func (s *Space) paddedRadius(i int32, x *collide.Vec3) float64 {
	return float64(s.bodies[i].radius*(1+touchTolerance)) + float64(0x1p-46*x.SumAbs()) + 2*s.bulge
}

// correction is the state of a ghost at the end of a sub-step according to its owner.
type correction struct {
	ghost                   int32
	key                     uint32
	historyHash             uint64
	body                    body
	info                    bodyInfo
	flags                   flags
	acceleration            collide.Vec3
	bend                    bend
	spin                    spin
	overlaps, slideContacts int // how many of newOverlaps and newSlideContacts are of this ghost
}

// collect notes the correction of body n at the time now. The subdomain is invalid if it owns the
// body, or if the body may have been in its box.
func (p *subdomain) collect(n int32, now float64) {
	s := &p.space
	at := p.parent.owners[p.globalIndex[n]]
	own, i := p.parent.subdomains[at.subdomain], at.i
	o := &own.space
	p.corrected[n] = true
	if s.firstApartOf(n) >= 0 || o.firstApartOf(i) >= 0 || s.takenFrom(n) != nil || o.takenFrom(i) != nil {
		p.invalid = true // corrections don't copy what groups have done
	}
	if s.owns(n) || p.mayContain(s, n, now) || p.mayContain(o, i, now) {
		p.invalid = true
		return
	}
	k := correction{
		ghost: n, key: o.pathIDs[i].Key, historyHash: own.historyHashes[i],
		body: o.bodies[i], info: o.infos[i], flags: o.flags[i], acceleration: o.accelerations[i],
	}
	if len(o.bends) > 0 {
		k.bend = o.bends[i]
	}
	if k.flags&hasSpin != 0 {
		k.spin = o.spins[k.info.id]
	}
	for at := k.info.overlaps; at >= 0; at = o.sensorOverlaps[at].next {
		p.newOverlaps = append(p.newOverlaps, o.sensorOverlaps[at])
		k.overlaps++
	}
	for at := k.info.slideContacts; at >= 0; at = o.slideContacts[at].next {
		// It no longer slides on what has changed its path since. A contact with a body that the
		// subdomain doesn't have is left out: if that matters in the box, histories will differ.
		if c := o.slideContacts[at]; c.stamp == o.stampOf(c.other) && (c.other < 0 || p.space.hasBody(c.other)) {
			p.newSlideContacts = append(p.newSlideContacts, c)
			k.slideContacts++
		}
	}
	p.corrections = append(p.corrections, k)
}

// apply applies the corrections to the ghosts and predicts their next events.
func (p *subdomain) apply(now float64) {
	s := &p.space
	overlaps, slides := p.newOverlaps, p.newSlideContacts
	for k := range p.corrections {
		w := &p.corrections[k]
		n := w.ghost
		for at := s.infos[n].overlaps; at >= 0; at = s.infos[n].overlaps {
			s.removeOverlap(at)
		}
		s.bodies[n], s.infos[n], s.accelerations[n] = w.body, w.info, w.acceleration
		s.flags[n] = w.flags | ghost
		if len(s.bends) > 0 {
			s.bends[n] = w.bend
		}
		s.pathIDs[n].Stamp++ // each subdomain counts its own stamps
		s.pathIDs[n].Key = w.key
		if w.flags&hasSpin != 0 {
			s.spins[w.info.id] = w.spin
		}
		last := &s.infos[n].overlaps
		for _, c := range overlaps[:w.overlaps] {
			last = s.appendOverlap(last, c)
		}
		*last = -1
		overlaps = overlaps[w.overlaps:]
		p.historyHashes[n] = w.historyHash
		x := w.body.at(now)
		speed := w.body.v.Length()
		s.grid.Put(n, x, s.diameter(&w.body), s.stride(speed), speed)
	}
	for k := range p.corrections { // only now all stamps are known
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

// copyOut stores the state of the owned bodies in the parallel step's results.
func (p *subdomain) copyOut() {
	t, s := p.parent, &p.space
	for n := range s.bodies {
		if !s.owns(int32(n)) {
			continue
		}
		i := p.globalIndex[n]
		t.bodies[i], t.flags[i], t.pathIDs[i] = s.bodies[n], s.flags[n], s.pathIDs[n]
		t.accelerations[i] = s.accelerations[n]
		if len(s.bends) > 0 {
			t.bends[i] = s.bends[n]
		}
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
				d.pair = pair{p.globalIndex[i], j}
				p.overlapPairs = append(p.overlapPairs, d)
			}
		case s.owns(i) && (s.infos[i].id < s.infos[j].id) || s.owns(j) && s.infos[j].id < s.infos[i].id:
			d.pair = pair{p.globalIndex[i], p.globalIndex[j]}
			p.overlapPairs = append(p.overlapPairs, d)
		}
	}
}

// owns reports whether this space owns body i. It always does, except in a subdomain if the body is
// a ghost.
func (s *Space) owns(i int32) bool { return s.flags[i]&ghost == 0 }

// recordTurn adds to the history of body i that it took a new path at time now, at x. The key of
// the event identifies the path of the other body. The round decides what comes next at the same
// time.
func (p *subdomain) recordTurn(i int32, x collide.Vec3, now float64) {
	s := &p.space
	p.checkTravel(i, &x)
	p.hashEvent(i, now, (uint64(s.pathIDs[i].Key)<<32|uint64(s.dueKey))+uint64(s.round())<<48)
}

// recordSensorEvent adds to the history of body i that it entered or left a sensor.
func (p *subdomain) recordSensorEvent(i, sensor int32, kind eventlog.Kind, t float64) {
	p.hashEvent(i, t, uint64(uint32(sensor))<<32|uint64(kind))
}

// hashEvent adds to the history of body i that something happened to it at time t. detail
// distinguishes it from anything else that could have happened then.
func (p *subdomain) hashEvent(i int32, t float64, detail uint64) {
	k := p.historyHashes[i]
	k = (k ^ math.Float64bits(t)) * 0x9e3779b97f4a7c15
	k = (k ^ k>>29 ^ detail) * 0xbf58476d1ce4e5b9
	p.historyHashes[i] = k ^ k>>32 | 1 // 0 is the hash of a body to which nothing has happened
}

// checkGroup makes the step be repeated in the whole space if the group that has been resolved at
// time t concerns a body of this subdomain and isn't inside its box. Only inside does the subdomain
// know everything that the group touches. If a group is not inside any box, the subdomain in whose
// box the first two touch finds that out.
func (p *subdomain) checkGroup(t float64) {
	s := &p.space
	concerns, inside := false, true
	for k := range s.group.parts {
		m := &s.group.parts[k]
		if !m.movable && !m.halts || !m.engaged {
			continue
		}
		r := s.paddedRadius(m.code, &m.x) + s.TouchingGap
		low, high := m.x.Sub(collide.Vec3{X: r, Y: r, Z: r}), m.x.Add(collide.Vec3{X: r, Y: r, Z: r})
		inside = inside && p.box.Contains(&low) && p.box.Contains(&high)
		concerns = concerns || s.owns(m.code) || p.box.Outside(&m.x) <= r
	}
	if concerns && !inside {
		p.invalidate()
	}
}

// invalidate makes the step be repeated in the whole space, because something happened that
// concerns other subdomains.
func (p *subdomain) invalidate() { p.invalid = true }

// hasBody reports whether the space has the body with an id.
func (s *Space) hasBody(id int32) bool {
	k := s.index[id]
	return int(k) < len(s.infos) && s.infos[k].id == id
}
