package solver

import (
	"slices"
	"time"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grid"
)

// Stage is how far a step has come.
type Stage uint8

// The stages, in order. All transitions are in this file:
//
//	Idle --Begin--> PairsFound --Sweep--> ImpactsFound --Finish--> Idle
//
// Begin starts a new step at any stage. Sweep and Finish first make up for the stages that are missing, and Sweep does nothing a second time.
const (
	Idle         Stage = iota // no step is under way
	PairsFound                // candidate pairs are known
	ImpactsFound              // the earliest impacts of free bodies are in the calendar
)

// Stage returns how far the current step has come.
func (s *Space) Stage() Stage { return s.stage }

// Begin is the broadphase: it brings the grid up to date and finds the pairs that could meet in this step. Positions and velocities are those of
// the start of the step, with gravity and forces in them.
func (s *Space) Begin() {
	began := time.Now()
	if s.stage == Idle {
		s.searches++
		s.stopped = s.stopped[:0]
	} else {
		s.forgetStep()
	}
	s.reset()
	s.freeGone()
	s.heed()
	s.stage = PairsFound
	if s.parallel = s.splits() && s.beginParts(); !s.parallel {
		s.begin()
	}
	s.spent = time.Since(began)
}

// Sweep predicts the earliest impacts of the candidates and puts them in the calendar.
func (s *Space) Sweep() {
	if s.stage == Idle {
		s.Begin()
	}
	if s.stage == ImpactsFound {
		return
	}
	began := time.Now()
	s.stage = ImpactsFound
	if s.parallel {
		s.team.sweep()
	} else {
		s.sweep()
	}
	s.spent += time.Since(began)
}

// Finish solves the contacts that last, takes the impacts in the order of time until the step is over, and moves apart what began the step in
// overlap.
func (s *Space) Finish() {
	s.Sweep()
	began := time.Now()
	if len(s.vetoes) > 0 {
		s.inspect()
	}
	if s.parallel {
		s.solveForParts()
	} else {
		s.solveLastingContacts()
	}
	s.solved = true
	if s.parallel && !s.finishParts() {
		s.join()
	}
	if !s.parallel {
		s.resolve()
		s.leaveGone()
		s.run()
		s.land()
		s.Counts.Pairs = len(s.pairs)
	}
	if s.team != nil && s.team.tried && !s.inspected {
		s.team.tuner.Record(s.spent + time.Since(began))
	}
	s.stage = Idle
	s.clock, s.bounded = s.Seconds, false
	s.separate()
	s.updateContacts()
}

// inspect makes a step that was begun in parts one that is taken as a whole, because the game looks at it or vetoes something.
func (s *Space) inspect() {
	if s.parallel {
		s.inspected = true
		s.join()
	}
}

// join takes the step as a whole after all, and repeats the stages so far. Contacts that are solved already stay so.
func (s *Space) join() {
	s.parallel = false
	s.forgetStep()
	s.begin()
	if s.stage == ImpactsFound {
		s.sweep()
	}
}

// reset forgets the step before.
func (s *Space) reset() {
	s.Counts = Counts{}
	s.log.Reset()
	s.contacts.Reset()
	s.halted, s.begunContacts, s.crushed = s.halted[:0], s.begunContacts[:0], s.crushed[:0]
	s.slides, s.deep, s.pairs, s.gone = s.slides[:0], s.deep[:0], s.pairs[:0], s.gone[:0]
	s.unsolvedBodies, s.stale, s.slowed = s.unsolvedBodies[:0], s.stale[:0], s.slowed[:0]
	clear(s.vetoes)
	s.clock, s.bounded, s.inspected, s.solved = 0, false, false, false
}

// forgetStep takes back what the stages of an unfinished step have marked.
func (s *Space) forgetStep() {
	for i := range s.flags {
		s.flags[i] &^= stepFlags
	}
	s.unsolvedBodies, s.stale, s.slowed = s.unsolvedBodies[:0], s.stale[:0], s.slowed[:0]
}

// stepFlags are the flags that mean something between Begin and resolve only.
const stepFlags = unsolved | stale | counted | mustLook

// markStale notes that what is predicted of body i is void: its path has changed before the first event of the step.
func (s *Space) markStale(i int32) {
	if s.stage == Idle || s.flags[i]&stale != 0 {
		return
	}
	s.flags[i] = s.flags[i]&^resting | stale
	s.stale = append(s.stale, i)
}

// resolve predicts the impacts of all bodies again whose paths contact solving, vetoes or slowed drivers have changed, and of those that had no path
// before. After it the calendar is as if everything had been known when the step began.
func (s *Space) resolve() {
	s.markVetoed()
	for _, i := range s.unsolvedBodies {
		s.markStale(i)
	}
	if len(s.stale) > 0 {
		s.dropStale()
		looking := 0
		for _, i := range s.stale {
			if s.refresh(i); s.seeks(i) {
				looking++
			}
		}
		for k := range s.pairs {
			p := &s.pairs[k]
			if (s.flags[p.a]|s.flags[p.b])&unsolved == 0 || s.isChanged(p.a) || s.isChanged(p.b) {
				continue // it doesn't change, or is found again
			}
			if s.comesAfter(p.a, p.b) {
				p.a, p.b = p.b, p.a
			}
			s.checkDeep(p.a, p.b)
			s.predictImpact(p.a, p.b, 0)
		}
		known := len(s.pairs)
		if 2*looking > len(s.bodies) {
			s.pairAllStale()
		} else {
			s.pairStale()
		}
		for _, p := range s.pairs[known:] {
			s.checkDeep(p.a, p.b)
			s.predictImpact(p.a, p.b, 0)
		}
		for _, i := range s.stale {
			if s.flags[i]&resting == 0 || s.restless {
				s.sweepAlone(i)
			}
		}
	}
	for _, k := range s.slowed {
		s.resweep(k, 0)
	}
	s.stirring = 0
	for i, f := range s.flags {
		if f&(stepFlags|placed|overlaps) == 0 {
			continue
		}
		if f&(counted|visiting) == counted {
			s.stirring++
		}
		s.flags[i] = f &^ (stepFlags | placed | overlaps)
	}
	s.stirred += s.stirring
	s.restless = s.statics.Moving() > 0
}

// isChanged reports whether body i had a path when the step began, and has another now.
func (s *Space) isChanged(i int32) bool { return s.flags[i]&(stale|unsolved) == stale }

// markVetoed lets the bodies that are kept from meeting something since Begin be predicted again.
func (s *Space) markVetoed() {
	if len(s.vetoes) == 0 {
		return
	}
	for k := range s.vetoes {
		for _, code := range [2]int32{int32(k >> 32), int32(k)} {
			// A sensor keeps its path: the visits that end in this step are predicted on it.
			if code >= 0 && s.flags[s.index[code]]&alive != 0 && !s.Material(code).Sensor {
				s.markStale(s.index[code])
			}
		}
	}
	slices.Sort(s.stale) // the order of a map is no order
}

// dropStale takes back what was noted of bodies that are predicted again.
func (s *Space) dropStale() {
	s.gone = slices.DeleteFunc(s.gone, func(k goneStay) bool { return s.flags[k.visitor]&stale != 0 })
	if len(s.deep) == 0 {
		return
	}
	for _, p := range s.deep {
		s.flags[p.a] &^= deep
		if p.b >= 0 {
			s.flags[p.b] &^= deep
		}
	}
	s.deep = slices.DeleteFunc(s.deep, func(p deepPair) bool {
		return s.flags[p.a]&stale != 0 || p.b >= 0 && s.flags[p.b]&stale != 0
	})
	for _, p := range s.deep {
		s.flags[p.a] |= deep
		if p.b >= 0 {
			s.flags[p.b] |= deep
		}
	}
}

// refresh starts the path of body i again.
func (s *Space) refresh(i int32) {
	f, b := &s.infos[i], &s.bodies[i]
	s.flags[i] &^= counted
	speed := b.v.LengthSquared()
	if speed > f.fastest || s.flags[i]&unsolved == 0 {
		// Its neighbours looked at it when it was slower, or didn't expect it to change.
		s.flags[i] |= mustLook
	}
	f.fastest = speed
	f.budget = int32(s.MaxImpacts)
	s.newPath(i)
	if s.stirs(i) {
		s.flags[i] |= counted
	} else {
		s.letRest(i)
	}
}

// pairAllStale finds the candidates of stale bodies where most bodies are stale and look: every body looks at half of its neighbours.
func (s *Space) pairAllStale() {
	for i := range int32(len(s.bodies)) {
		if s.flags[i]&alive == 0 {
			continue
		}
		if !s.testNeighborhood(i, 0, maybeDeep, grid.Half) {
			s.near = s.grid.HalfNeighbors(i, s.flight(i, 0), s.near[:0])
			s.testNear(i, 0, maybeDeep)
		}
		for _, j := range s.hits {
			if (s.flags[i]|s.flags[j])&stale != 0 && (s.looks(i) || s.looks(j)) && !s.wasPaired(i, j) {
				s.addPair(i, j)
			}
		}
	}
}

// pairStale finds the candidates of stale bodies where few of them look: those look at all of their neighbours.
func (s *Space) pairStale() {
	for _, i := range s.stale {
		if !s.seeks(i) {
			continue
		}
		s.near = s.grid.Neighbors(i, s.flight(i, 0), s.near[:0])
		s.testNear(i, 0, maybeDeep)
		for _, j := range s.hits {
			// Each pair once: from the side that comes first, or from the only one that seeks.
			if s.flags[j]&stale != 0 && (i == j || i > j && s.seeks(j)) {
				continue
			}
			if (s.looks(i) || s.looks(j)) && !s.wasPaired(i, j) {
				s.addPair(i, j)
			}
		}
	}
}

// seeks reports whether a stale body has to look for its neighbours: because it looks anyway, or because they may have looked in vain for it.
func (s *Space) seeks(i int32) bool { return s.flags[i]&mustLook != 0 || s.looks(i) }

// wasPaired reports whether begin has made i and j a candidate pair of an unsolved body and one that keeps its path.
func (s *Space) wasPaired(i, j int32) bool {
	if s.flags[i]&unsolved == 0 {
		i, j = j, i
	}
	return s.flags[i]&unsolved != 0 && s.flags[j]&(stale|unsolved) == 0 && s.looks(j)
}

// noteStopped notes which bodies have stopped since the last step: see searchAroundStopped.
func (s *Space) noteStopped() {
	if len(s.solverContacts) == 0 {
		return
	}
	for i, f := range s.flags {
		if f&alive == 0 || f&(resting|asleep) != 0 && f&placed == 0 {
			continue
		}
		if s.bodies[i].v == (collide.Vec3{}) && (f&placed != 0 || s.before[i] != s.bodies[i].x) {
			s.stopped = append(s.stopped, s.infos[i].id)
		}
	}
}
