package solver

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Contact solving, vetoes and slowed drivers change paths after the first impacts have been
// predicted. This file makes the calendar what it would be if those paths had been known when the
// step began.

// markStale notes that the predictions of body i are void: its path has changed before the first
// event of the step.
func (s *Space) markStale(i int32) {
	if s.stage == Idle || s.flags[i]&(alive|stale) != alive { // the game may have removed it within the step
		return
	}
	s.flags[i] = s.flags[i]&^unchanged | stale
	s.staleBodies = append(s.staleBodies, i)
}

// repredictStale predicts the impacts of all bodies again whose paths have changed since the step
// began, and for the first time those of unsolved bodies.
func (s *Space) repredictStale() {
	s.markVetoed()
	for _, i := range s.unsolvedBodies {
		s.markStale(i)
	}
	for _, k := range s.slowedSurfaces {
		s.markNearSurface(k)
	}
	if len(s.staleBodies) > 0 {
		s.dropStale()
		searching := 0
		prefetches := s.prefetchesContacts()
		for k, i := range s.staleBodies {
			if prefetches && k+contactsAhead < len(s.staleBodies) {
				s.prefetchBody(s.staleBodies[k+contactsAhead])
			}
			if s.restartPath(i); s.needsNewPairs(i) {
				searching++
			}
		}
		for k := range s.pairs {
			p := &s.pairs[k]
			if (s.flags[p.a]|s.flags[p.b])&unsolved == 0 || s.isChanged(p.a) || s.isChanged(p.b) {
				continue // its prediction is valid, or the pair is found again below
			}
			p.a, p.b = s.inOrder(p.a, p.b)
			s.noteOverlap(p.a, p.b)
			s.predictImpact(p.a, p.b, 0)
		}
		known := len(s.pairs)
		if 2*searching > len(s.bodies) {
			s.findStalePairsDense()
		} else {
			s.findStalePairsSparse()
		}
		for _, p := range s.pairs[known:] {
			s.noteOverlap(p.a, p.b)
			s.predictImpact(p.a, p.b, 0)
		}
		s.predictOwnEventsOfStale()
	}
	for _, k := range s.slowedSurfaces {
		if s.statics.At(k).Sensor {
			s.repredictNearSurface(k, 0)
		}
	}
	s.movingBodies = 0
	for i, f := range s.flags {
		if f&(stepFlags|placed|overlapping) == 0 {
			continue
		}
		if f&(countedAsMoving|ghost) == countedAsMoving {
			s.movingBodies++
		}
		s.flags[i] = f &^ (stepFlags | placed | overlapping)
	}
	s.movesSinceLayout += s.movingBodies
	s.placedSurfaces = s.placedSurfaces[:0]
}

// predictOwnEventsOfStale calls predictOwnEvents for the stale bodies that need it.
func (s *Space) predictOwnEventsOfStale() {
	if s.chunksLoops {
		s.predictedBodies = s.predictedBodies[:0]
		for _, i := range s.staleBodies {
			if s.predictsAnew(i) {
				s.predictedBodies = append(s.predictedBodies, i)
			}
		}
	}
	chunked := s.predictFirstSurfaces()
	for _, i := range s.staleBodies {
		if s.predictsAnew(i) {
			s.predictOwnEvents(i, chunked)
		}
		if len(s.sensorOverlaps) > 0 && s.infos[i].material.Sensor {
			s.predictVisitorExits(s.infos[i].id, 0)
		}
	}
}

// predictsAnew reports whether stale body i has events of its own in this step.
func (s *Space) predictsAnew(i int32) bool { return !s.isUndisturbed(i) }

// markNearSurface marks all bodies as stale that may meet surface k, which has been slowed down. A
// prediction for another surface, at the same time as the one that is now the first, would come
// before it by chance.
func (s *Space) markNearSurface(k int32) {
	f := s.statics.At(k)
	if f.Sensor {
		return
	}
	for i := range s.infos {
		b := &s.bodies[i]
		ball := collide.Sphere{Center: b.x, Radius: b.radius + s.bulge}
		if b.inverseMass != 0 && !s.infos[i].material.Sensor && f.MayBeMet(collide.SweptAABB(ball, b.v, s.Seconds)) {
			s.markStale(int32(i))
		}
	}
}

// isChanged reports whether body i had a path when the step began, and has another one now.
func (s *Space) isChanged(i int32) bool { return s.flags[i]&(stale|unsolved) == stale }

// markVetoed marks the bodies of vetoed pairs as stale.
func (s *Space) markVetoed() {
	if len(s.vetoes) == 0 {
		return
	}
	for k := range s.vetoes {
		for _, code := range [2]int32{int32(k >> 32), int32(k)} {
			// A sensor keeps its path: exits that were predicted on it stay valid.
			if code >= 0 && s.flags[s.index[code]]&alive != 0 && !s.materialOf(code).Sensor {
				s.markStale(s.index[code])
			}
		}
	}
	slices.Sort(s.staleBodies) // the order of a map varies
}

// dropStale removes the overlaps that were noted of stale bodies.
func (s *Space) dropStale() {
	s.endedOverlaps = slices.DeleteFunc(s.endedOverlaps, func(k endedOverlap) bool {
		return s.flags[k.visitor]&stale != 0
	})
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

// restartPath begins the step anew for stale body i, on the path that it has now.
func (s *Space) restartPath(i int32) {
	f, b := &s.infos[i], &s.bodies[i]
	s.flags[i] &^= countedAsMoving
	speed := b.v.LengthSquared()
	if speed > f.maxSpeedSquared || s.flags[i]&unsolved == 0 {
		// Its neighbours searched when it was slower, or did not expect its path to change.
		s.flags[i] |= missedByNeighbors
	}
	f.maxSpeedSquared = speed
	s.grid.NoteSpeed(i, math.Sqrt(speed))
	f.budget = int32(s.MaxImpacts)
	if len(s.bends) > 0 {
		s.startArc(i)
	}
	s.startPath(i, b, f)
	if s.isMoving(i) {
		s.flags[i] |= countedAsMoving
	} else {
		s.markUnchanged(i)
	}
}

// findStalePairsDense finds the candidate pairs of stale bodies where most bodies are stale and
// need new pairs: every body searches half of its neighbourhood.
func (s *Space) findStalePairsDense() {
	for i := range int32(len(s.bodies)) {
		if s.flags[i]&alive == 0 {
			continue
		}
		if s.grid.HasLevels() && !s.isMoving(i) {
			s.predictSearch(i, 0)
		}
		for _, j := range s.testHalf(i) {
			if (s.flags[i]|s.flags[j])&stale != 0 && (s.needsPairs(i) || s.needsPairs(j)) && !s.wasPaired(i, j) {
				s.addPair(i, j)
			}
		}
	}
}

// findStalePairsSparse finds the candidate pairs of stale bodies where few of them need new pairs:
// those search their whole neighbourhood.
func (s *Space) findStalePairsSparse() {
	for _, i := range s.staleBodies {
		if !s.needsNewPairs(i) {
			continue
		}
		s.nearby = s.grid.Neighbors(i, s.flight(i, 0), s.nearby[:0])
		for _, j := range s.testNear(i, 0, maybeOverlapping) {
			// Each pair is added once: by the body with the smaller index, or by the only one that
			// searches.
			if s.flags[j]&stale != 0 && (i == j || i > j && s.needsNewPairs(j)) {
				continue
			}
			if (s.needsPairs(i) || s.needsPairs(j)) && !s.wasPaired(i, j) {
				s.addPair(i, j)
			}
		}
	}
}

// needsNewPairs reports whether stale body i has to search for candidate pairs.
func (s *Space) needsNewPairs(i int32) bool {
	return s.flags[i]&missedByNeighbors != 0 || s.needsPairs(i)
}

// wasPaired reports whether findPairs has made i and j a candidate pair of an unsolved body and one
// that keeps its path. It returns false for bodies on different levels of the grid: which of those
// findPairs has found depends on the path that the unsolved body had.
func (s *Space) wasPaired(i, j int32) bool {
	if !s.grid.AreOnOneLevel(i, j) {
		return false
	}
	if s.flags[i]&unsolved == 0 {
		i, j = j, i
	}
	return s.flags[i]&unsolved != 0 && s.flags[j]&(stale|unsolved) == 0 && s.needsPairs(j)
}
