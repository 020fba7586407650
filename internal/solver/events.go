package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grid"
	"github.com/dango-physics/dango/internal/prefetch"
)

// predictFirstImpacts predicts the first events of the step. Pairs of an unsolved body and another
// one are predicted with the velocity that the unsolved body has before contacts are solved;
// repredictStale predicts them again.
func (s *Space) predictFirstImpacts() {
	for _, p := range s.pairs {
		if (s.flags[p.a]|s.flags[p.b])&unsolved == 0 {
			s.noteOverlap(p.a, p.b)
		}
		s.predictImpact(p.a, p.b, 0)
	}
	if s.chunksLoops {
		s.predictedBodies = s.predictedBodies[:0]
		for i := range int32(len(s.bodies)) {
			if s.hasOwnEvents(i) {
				s.predictedBodies = append(s.predictedBodies, i)
			}
		}
	}
	chunked := s.predictFirstSurfaces()
	for i := range int32(len(s.bodies)) {
		if s.hasOwnEvents(i) {
			s.predictOwnEvents(i, chunked)
		}
	}
	s.checkPredictions()
}

// hasOwnEvents reports whether body i, if its velocity is known, may have events of its own in this
// step.
func (s *Space) hasOwnEvents(i int32) bool {
	return s.flags[i]&(alive|unsolved) == alive && !s.isUndisturbed(i)
}

// predictOwnEvents predicts the first events of body i that involve no other body, and its exits
// from sensors. If surfaces is true, its first impact with a surface is known.
func (s *Space) predictOwnEvents(i int32, surfaces bool) {
	// In most scenes nothing here reads infos, which are half of the bodies' memory.
	if len(s.sensorOverlaps) > 0 && s.infos[i].overlaps >= 0 {
		s.predictSensorExits(i, 0)
	}
	if s.predictsSurfaces(i) {
		if !surfaces {
			if t, k := s.firstSurface(i); k >= 0 {
				s.push(t, i, codeOf(k))
			}
		}
		if s.statics.HasSensors() {
			s.predictSurfaceSensors(i, 0)
		}
		s.predictCrossing(i, 0)
		if s.grid.HasLevels() {
			s.predictSearch(i, 0)
		}
	}
}

// predictsSurfaces reports whether body i may meet surfaces in this step.
func (s *Space) predictsSurfaces(i int32) bool {
	return s.flags[i]&countedAsMoving != 0 || s.flags[i]&nearMovingSurface != 0 && s.infos[i].kind != Static
}

// processEvents processes events in chronological order, up to the time at which the calendar ends.
func (s *Space) processEvents() {
	prefetches := prefetch.Works && len(s.bodies) >= prefetchFrom
	events := 0
	defer func() { s.eventCount += events }()
	for {
		e := s.calendar.Pop()
		if e == nil {
			break
		}
		events++
		s.checkEvent(e)
		if prefetches {
			s.prefetch()
		}
		if s.pathIDs[e.A].Stamp != e.StampA {
			continue // void: the body has changed its path
		}
		s.dueKey = e.Key
		switch {
		case e.B == crossingCode && e.StampB == searchSide:
			s.searchFiner(e.A, e.Time)
		case e.B == crossingCode:
			s.crossCell(e.A, grid.Side(e.StampB), e.Time)
		case e.B >= 0 && s.pathIDs[e.B].Stamp == e.StampB:
			if s.infos[e.A].material.Sensor || s.infos[e.B].material.Sensor {
				s.enterOrLeaveSensor(e.A, e.B, e.Time)
			} else {
				s.resolveImpact(e.A, e.B, e.Time)
			}
		case e.B < maxExitCode && s.statics.At(e.B-exitCode).Stamp != e.StampB: // void
		case e.B < maxExitCode:
			s.leaveSensor(e.A, codeOf(e.B-exitCode), e.Time)
			if s.isOnArc(e.A) { // which may lead back
				s.predictSurfaceSensors(e.A, e.Time)
			}
		case e.B < 0 && s.statics.At(surfaceOf(e.B)).Stamp == e.StampB:
			if s.statics.At(surfaceOf(e.B)).Sensor {
				s.enterOrLeaveSensor(e.A, e.B, e.Time)
			} else {
				s.resolveSurfaceImpact(e.A, surfaceOf(e.B), e.Time)
			}
		}
	}
}

// finishPaths moves the bodies to where they are at the end of the step.
func (s *Space) finishPaths() {
	all, end := s.flags[:len(s.bodies)], s.Seconds
	for i := range s.bodies {
		if all[i]&unchanged != 0 {
			continue
		}
		all[i] &^= pairsSolved
		b := &s.bodies[i]
		b.x = b.at(end)
		if all[i]&accelerated != 0 {
			b.v = s.velocity(int32(i), end)
		}
		if b.v.LengthSquared() > maxSpeed*maxSpeed {
			b.v = limited(b.v)
		}
	}
	if len(s.spins) > 0 {
		s.finishSpins()
	}
	for k := len(s.haltedBodies) - 1; k >= 0; k-- { // the first halt of a body counts
		h := &s.haltedBodies[k]
		s.bodies[h.index].v = h.velocity
	}
	for k := range s.crushedBodies { // a crushed body stands still, whatever hit it before
		s.bodies[s.index[s.crushedBodies[k].body]].v = collide.Vec3{}
	}
}
