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
		s.stepNumber++
		s.stoppedIDs = s.stoppedIDs[:0]
	} else {
		s.forgetStep()
	}
	s.reset()
	s.releaseRemoved()
	s.applyGameChanges()
	s.stage = PairsFound
	if s.isParallel = s.wantsParallel() && s.beginSubdomains(); !s.isParallel {
		s.begin()
	}
	s.stepTime = time.Since(began)
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
	if s.isParallel {
		s.parallelStep.sweep()
	} else {
		s.sweep()
	}
	s.stepTime += time.Since(began)
}

// Finish solves the contacts that last, takes the impacts in the order of time until the step is over, and moves apart what began the step in
// overlap.
func (s *Space) Finish() {
	s.Sweep()
	began := time.Now()
	if len(s.vetoes) > 0 {
		s.takeAsWholeForInspection()
	}
	if s.isParallel {
		s.solveContactsForSubdomains()
	} else {
		s.solveLastingContacts()
	}
	s.solved = true
	if s.isParallel && !s.finishSubdomains() {
		s.takeAsWhole()
	}
	if !s.isParallel {
		s.repredictStale()
		s.leaveEndedSensors()
		s.run()
		s.finishPaths()
		s.Counts.Pairs = len(s.pairs)
	}
	if s.parallelStep != nil && s.parallelStep.measured && !s.inspected {
		s.parallelStep.tuner.Record(s.stepTime + time.Since(began))
	}
	s.stage = Idle
	s.queryTime, s.boundsValid = s.Seconds, false
	s.separate()
	s.updateContacts()
}

// takeAsWholeForInspection makes a step that was begun in parts one that is taken as a whole, because the game looks at it or vetoes something.
func (s *Space) takeAsWholeForInspection() {
	if s.isParallel {
		s.inspected = true
		s.takeAsWhole()
	}
}

// takeAsWhole takes the step as a whole after all, and repeats the stages so far. Contacts that are solved already stay so.
func (s *Space) takeAsWhole() {
	s.isParallel = false
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
	s.openContacts.Reset()
	s.haltedBodies, s.begunContacts, s.crushedBodies = s.haltedBodies[:0], s.begunContacts[:0], s.crushedBodies[:0]
	s.slideContacts, s.overlapPairs, s.pairs, s.endedOverlaps = s.slideContacts[:0], s.overlapPairs[:0], s.pairs[:0], s.endedOverlaps[:0]
	s.unsolvedBodies, s.staleBodies, s.slowedSurfaces = s.unsolvedBodies[:0], s.staleBodies[:0], s.slowedSurfaces[:0]
	clear(s.vetoes)
	s.queryTime, s.boundsValid, s.inspected, s.solved = 0, false, false, false
}

// forgetStep takes back what the stages of an unfinished step have marked.
func (s *Space) forgetStep() {
	for i := range s.flags {
		s.flags[i] &^= stepFlags
	}
	s.unsolvedBodies, s.staleBodies, s.slowedSurfaces = s.unsolvedBodies[:0], s.staleBodies[:0], s.slowedSurfaces[:0]
}

// stepFlags are the flags that mean something between Begin and resolve only.
const stepFlags = unsolved | stale | isCounted | mustFindPairs

// markStale notes that what is predicted of body i is void: its path has changed before the first event of the step.
func (s *Space) markStale(i int32) {
	if s.stage == Idle || s.flags[i]&stale != 0 {
		return
	}
	s.flags[i] = s.flags[i]&^unchanged | stale
	s.staleBodies = append(s.staleBodies, i)
}

// repredictStale predicts the impacts of all bodies again whose paths contact solving, vetoes or slowed drivers have changed, and of those that had no path
// before. After it the calendar is as if everything had been known when the step began.
func (s *Space) repredictStale() {
	s.markVetoed()
	for _, i := range s.unsolvedBodies {
		s.markStale(i)
	}
	if len(s.staleBodies) > 0 {
		s.dropStale()
		looking := 0
		for _, i := range s.staleBodies {
			if s.restartPath(i); s.mustFindPairsFor(i) {
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
			s.noteOverlap(p.a, p.b)
			s.predictImpact(p.a, p.b, 0)
		}
		known := len(s.pairs)
		if 2*looking > len(s.bodies) {
			s.pairAllStale()
		} else {
			s.pairStale()
		}
		for _, p := range s.pairs[known:] {
			s.noteOverlap(p.a, p.b)
			s.predictImpact(p.a, p.b, 0)
		}
		for _, i := range s.staleBodies {
			if s.flags[i]&unchanged == 0 || s.surfacesChanged {
				s.predictAlone(i)
			}
		}
	}
	for _, k := range s.slowedSurfaces {
		s.repredictNearSurface(k, 0)
	}
	s.movingBodies = 0
	for i, f := range s.flags {
		if f&(stepFlags|placed|overlapping) == 0 {
			continue
		}
		if f&(isCounted|ghost) == isCounted {
			s.movingBodies++
		}
		s.flags[i] = f &^ (stepFlags | placed | overlapping)
	}
	s.movesSinceLayout += s.movingBodies
	s.surfacesChanged = s.statics.Moving() > 0
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
	slices.Sort(s.staleBodies) // the order of a map is no order
}

// dropStale takes back what was noted of bodies that are predicted again.
func (s *Space) dropStale() {
	s.endedOverlaps = slices.DeleteFunc(s.endedOverlaps, func(k endedOverlap) bool { return s.flags[k.visitor]&stale != 0 })
	if len(s.overlapPairs) == 0 {
		return
	}
	for _, p := range s.overlapPairs {
		s.flags[p.a] &^= overlapsAtStart
		if p.b >= 0 {
			s.flags[p.b] &^= overlapsAtStart
		}
	}
	s.overlapPairs = slices.DeleteFunc(s.overlapPairs, func(p overlapPair) bool {
		return s.flags[p.a]&stale != 0 || p.b >= 0 && s.flags[p.b]&stale != 0
	})
	for _, p := range s.overlapPairs {
		s.flags[p.a] |= overlapsAtStart
		if p.b >= 0 {
			s.flags[p.b] |= overlapsAtStart
		}
	}
}

// restartPath starts the path of body i again.
func (s *Space) restartPath(i int32) {
	f, b := &s.infos[i], &s.bodies[i]
	s.flags[i] &^= isCounted
	speed := b.v.LengthSquared()
	if speed > f.maxSpeedSquared || s.flags[i]&unsolved == 0 {
		// Its neighbours looked at it when it was slower, or didn't expect it to change.
		s.flags[i] |= mustFindPairs
	}
	f.maxSpeedSquared = speed
	f.budget = int32(s.MaxImpacts)
	s.startPath(i)
	if s.isMoving(i) {
		s.flags[i] |= isCounted
	} else {
		s.markUnchanged(i)
	}
}

// pairAllStale finds the candidates of stale bodies where most bodies are stale and look: every body looks at half of its neighbours.
func (s *Space) pairAllStale() {
	for i := range int32(len(s.bodies)) {
		if s.flags[i]&alive == 0 {
			continue
		}
		if !s.testNeighborhood(i, 0, maybeOverlapping, grid.Half) {
			s.nearby = s.grid.HalfNeighbors(i, s.flight(i, 0), s.nearby[:0])
			s.testNear(i, 0, maybeOverlapping)
		}
		for _, j := range s.hits {
			if (s.flags[i]|s.flags[j])&stale != 0 && (s.findsPairs(i) || s.findsPairs(j)) && !s.wasPaired(i, j) {
				s.addPair(i, j)
			}
		}
	}
}

// pairStale finds the candidates of stale bodies where few of them look: those look at all of their neighbours.
func (s *Space) pairStale() {
	for _, i := range s.staleBodies {
		if !s.mustFindPairsFor(i) {
			continue
		}
		s.nearby = s.grid.Neighbors(i, s.flight(i, 0), s.nearby[:0])
		s.testNear(i, 0, maybeOverlapping)
		for _, j := range s.hits {
			// Each pair once: from the side that comes first, or from the only one that seeks.
			if s.flags[j]&stale != 0 && (i == j || i > j && s.mustFindPairsFor(j)) {
				continue
			}
			if (s.findsPairs(i) || s.findsPairs(j)) && !s.wasPaired(i, j) {
				s.addPair(i, j)
			}
		}
	}
}

// mustFindPairsFor reports whether a stale body has to look for its neighbours: because it looks anyway, or because they may have looked in vain for it.
func (s *Space) mustFindPairsFor(i int32) bool {
	return s.flags[i]&mustFindPairs != 0 || s.findsPairs(i)
}

// wasPaired reports whether begin has made i and j a candidate pair of an unsolved body and one that keeps its path.
func (s *Space) wasPaired(i, j int32) bool {
	if s.flags[i]&unsolved == 0 {
		i, j = j, i
	}
	return s.flags[i]&unsolved != 0 && s.flags[j]&(stale|unsolved) == 0 && s.findsPairs(j)
}

// listStopped notes which bodies have stopped since the last step: see searchAroundStopped.
func (s *Space) listStopped() {
	if len(s.solverContacts) == 0 {
		return
	}
	for i, f := range s.flags {
		if f&alive == 0 || f&(unchanged|sleeping) != 0 && f&placed == 0 {
			continue
		}
		if s.bodies[i].v == (collide.Vec3{}) && (f&placed != 0 || s.startPositions[i] != s.bodies[i].x) {
			s.stoppedIDs = append(s.stoppedIDs, s.infos[i].id)
		}
	}
}
