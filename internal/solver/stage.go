package solver

import (
	"maps"
	"slices"
	"time"
)

// Stage is how far the current step has progressed.
type Stage uint8

// The stages, in order. All transitions are in this file:
//
//	Idle --Begin--> PairsFound --Sweep--> ImpactsFound --Finish--> Idle
//
// Begin starts a new step at any stage. Sweep and Finish first run the stages that are missing. A
// second call of Sweep does nothing.
const (
	Idle         Stage = iota // no step has begun
	PairsFound                // candidate pairs are known
	ImpactsFound              // the earliest impacts of bodies that aren't in contacts are in the calendar
)

// Stage returns how far the current step has progressed.
func (s *Space) Stage() Stage { return s.stage }

// Begin is the broadphase: it updates the grid and finds the pairs that could meet in this step.
// Positions and velocities are those at the start of the step, after gravity and forces.
func (s *Space) Begin() {
	began := time.Now()
	if s.stage == Idle {
		s.stepNumber++
		s.stoppedIDs, s.endedVetoes = s.stoppedIDs[:0], s.endedVetoes[:0]
	} else {
		s.clearStepFlags()
		s.stage = Idle // the step begins again: what wakes has no predictions that could be void
	}
	s.reset()
	s.releaseRemoved()
	s.applyGameChanges()
	s.beginStepForces()
	s.checkGameChanges()
	s.keepIgnoring()
	s.stage = PairsFound
	if s.isParallel = s.chooseWorkers() && s.beginSubdomains(); !s.isParallel {
		s.findPairs()
	} else if len(s.spins) > 0 {
		s.beginSpins() // contacts are solved in the whole space
	}
	s.stepTime = time.Since(began)
}

// Sweep predicts the earliest impacts of the candidate pairs and adds them to the calendar.
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
		s.parallelStep.predictFirstImpacts()
	} else {
		s.predictFirstImpacts()
	}
	s.stepTime += time.Since(began)
}

// Finish solves the persistent contacts, processes all impacts of the step in chronological order,
// and separates bodies that overlapped when it began.
func (s *Space) Finish() {
	s.Sweep()
	began := time.Now()
	if len(s.vetoes) > 0 {
		s.leaveParallelForInspection()
	}
	if s.isParallel {
		s.solveContactsForSubdomains()
	} else {
		s.solvePersistentContacts()
	}
	s.solved = true
	if s.isParallel && !s.finishSubdomains() {
		s.leaveParallel()
	}
	if !s.isParallel {
		s.repredictStale()
		s.leaveEndedSensors()
		s.processEvents()
		s.checkCells("processEvents", s.Seconds)
		s.finishPaths()
		s.Counts.Pairs = len(s.pairs)
	}
	s.stage = Idle
	s.queryTime, s.boundsValid = s.Seconds, false
	s.separate()
	s.updateContacts()
	s.finishPushes()
	s.finishRotors()
	s.finishStepForces()
	if s.measured && !s.inspected {
		s.tuner.Record(s.stepTime + time.Since(began))
	}
	s.checkFinish()
}

// leaveParallelForInspection continues a parallel step in the whole space, because the game asks
// about it or vetoes a pair.
func (s *Space) leaveParallelForInspection() {
	if s.isParallel {
		s.inspected = true
		s.leaveParallel()
	}
}

// leaveParallel continues a parallel step in the whole space: it repeats the stages that the
// subdomains have run. Contacts that have been solved are not solved again.
func (s *Space) leaveParallel() {
	s.isParallel = false
	s.clearStepFlags()
	s.findPairs()
	if s.stage == ImpactsFound {
		s.predictFirstImpacts()
	}
}

// reset removes what the previous step has left.
func (s *Space) reset() {
	s.Counts, s.group.solver.Work, s.wastedWork = Counts{}, 0, 0
	s.log.Reset()
	s.paths.reset(s.KeepPaths)
	s.lastLikeSteps, s.likeSteps = s.likeSteps, 0
	s.openContacts.Reset()
	for k := range s.haltedBodies {
		s.infos[s.haltedBodies[k].index].blockedInStep = s.stepNumber - 1
	}
	s.haltedBodies, s.begunContacts, s.crushedBodies = s.haltedBodies[:0], s.begunContacts[:0], s.crushedBodies[:0]
	s.sleptContacts = s.sleptContacts[:0]
	s.apartPairs, s.taken, s.closingContacts = s.apartPairs[:0], s.taken[:0], s.closingContacts[:0]
	s.slideContacts, s.overlapPairs = s.slideContacts[:0], s.overlapPairs[:0]
	s.pairs, s.endedOverlaps = s.pairs[:0], s.endedOverlaps[:0]
	s.clearStepLists()
	s.forgetVetoes()
	s.queryTime, s.boundsValid, s.inspected, s.solved = 0, false, false, false
}

// forgetVetoes ends the vetoes of the last step. In endedVetoes, they are in an order that the same
// game always has.
func (s *Space) forgetVetoes() {
	if len(s.vetoes) == 0 {
		return
	}
	s.endedVetoes = slices.AppendSeq(s.endedVetoes, maps.Keys(s.vetoes))
	slices.Sort(s.endedVetoes)
	clear(s.vetoes)
}

// stepFlags are the flags that are set only between Begin and the end of repredictStale.
const stepFlags = unsolved | stale | countedAsMoving | missedByNeighbors

// clearStepFlags removes what the stages of an unfinished step have marked.
func (s *Space) clearStepFlags() {
	for i := range s.flags {
		s.flags[i] &^= stepFlags
	}
	s.clearStepLists()
}

// clearStepLists empties the lists of what stages of the step have marked.
func (s *Space) clearStepLists() {
	s.unsolvedBodies, s.staleBodies = s.unsolvedBodies[:0], s.staleBodies[:0]
	s.slowedSurfaces = s.slowedSurfaces[:0]
}
