package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grid"
	"github.com/dango-physics/dango/internal/tiebreak"
)

// findPairs updates the grid, starts the path of every body and finds the candidate pairs of the
// step.
//
// Bodies in contacts (unsolved) get their velocities from the contact solver, in Finish. Until then
// their paths are unknown. Therefore every moving neighbour of theirs is a candidate, and pairs of
// two of them are found in Finish.
func (s *Space) findPairs() {
	if s.subdomain == nil {
		if !s.solved { // bounds of what has been slowed down stay what they were when the step began
			s.statics.Update(s.Seconds)
		}
		s.beginArcs()
	}
	s.updateGrid()
	if s.subdomain == nil {
		s.statics.UpdateFreeBox()
		if !s.solved {
			s.listStopped()
			s.markUnsolved()
			s.markNearMovingSurfaces()
		}
	}
	if s.calendar.TieBreak == nil {
		s.calendar.TieBreak = s.tied
	}
	s.calendar.Paths = s.pathIDs
	s.query.setStep(s.Seconds)
	s.widenQuery()
	if len(s.spins) > 0 {
		s.beginSpins()
	}
	searching := s.startPaths()
	s.prefetched = prefetched{}
	expected := s.movingBodies + len(s.unsolvedBodies)
	expected = max(min(4*expected, len(s.bodies)), len(s.bodies)/16)
	s.calendar.Reset(s.Seconds, max(expected, s.eventCount/2)) // four buckets for each or more
	s.eventCount = 0
	if 2*searching > len(s.bodies) {
		s.findPairsDense()
	} else {
		s.findPairsSparse()
	}
	s.checkPairs()
}

// startPaths starts the path of every body, and counts those that move. It returns how many need
// candidate pairs. Unsolved bodies are not among either.
func (s *Space) startPaths() (searching int) {
	bodies, moving := s.bodies, 0
	all, infos, starts := s.flags[:len(bodies)], s.infos[:len(bodies)], s.startPositions[:len(bodies)]
	ids := s.pathIDs[:len(bodies)]
	budget := int32(s.MaxImpacts)
	for i := range bodies {
		if all[i].isUnchanged() {
			continue
		}
		b, f := &bodies[i], &infos[i]
		starts[i] = b.x
		f.maxSpeedSquared, f.slideContacts, f.budget = b.v.LengthSquared(), -1, budget
		is := all[i] &^ (frozen | overlapsAtStart | touchesChecked | countedAsMoving)
		all[i] = is
		if is&alive == 0 {
			continue
		}
		if len(s.bends) > 0 {
			s.startArc(int32(i))
		}
		// startPath, without a call:
		m := &ids[i]
		m.Stamp++
		m.Key = f.traits + tiebreak.End(tiebreak.Begin(&b.x), &b.v)
		if is&hasSpin != 0 {
			s.addSpinKey(int32(i), m)
		}
		switch {
		case is&unsolved != 0:
		case is&(placed|overlapping) != 0 || b.v != (collide.Vec3{}) || s.isOnArc(int32(i)): // isMoving
			all[i] = is | countedAsMoving
			moving++
			if is.mayNeedPairs() {
				searching++
			}
		default:
			s.markUnchanged(int32(i))
		}
	}
	s.movingBodies = moving
	return searching
}

// listStopped lists the bodies that have stopped since the last step: see searchAroundStopped.
func (s *Space) listStopped() {
	if len(s.solverContacts) == 0 && !s.someSleep() {
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

// markUnsolved marks the bodies whose velocities the contact solver is going to choose.
func (s *Space) markUnsolved() {
	s.unsolvedBodies = s.unsolvedBodies[:0]
	for k := range s.solverContacts {
		h := &s.solverContacts[k]
		s.markUnsolvedBody(s.index[h.a])
		if h.b >= 0 {
			s.markUnsolvedBody(s.index[h.b])
		}
	}
}

// markUnsolvedBody is markUnsolved for body i of a contact.
func (s *Space) markUnsolvedBody(i int32) {
	if s.flags[i]&unsolved == 0 && s.isMovedByContacts(i) && s.bodies[i].inverseMass > 0 {
		s.flags[i] = s.flags[i]&^unchanged | unsolved
		s.unsolvedBodies = append(s.unsolvedBodies, i)
	}
}

// findPairsDense finds the candidate pairs where most bodies need them: every body searches half of
// its neighbourhood.
func (s *Space) findPairsDense() {
	for i := range int32(len(s.bodies)) {
		if s.flags[i]&alive == 0 {
			continue
		}
		if s.grid.HasLevels() && !s.isMoving(i) {
			s.predictSearch(i, 0) // those that move do it in predictOwnEvents
		}
		var hits []int32
		if len(s.unsolvedBodies) > 0 {
			s.nearby = s.grid.HalfNeighbors(i, s.flight(i, 0), s.nearby[:0])
			s.addUnsolvedPairs(i)
			if s.flags[i]&unsolved != 0 {
				continue
			}
			hits = s.testNear(i, 0, maybeOverlapping)
		} else {
			hits = s.testHalf(i)
		}
		for _, j := range hits {
			if s.flags[j]&unsolved == 0 && (s.needsPairs(i) || s.needsPairs(j)) {
				s.addPair(i, j)
			}
		}
	}
}

// testHalf returns the bodies in half of the neighbourhood of body i that pass the pair test when
// the step begins.
func (s *Space) testHalf(i int32) []int32 {
	hits, ok := s.testNeighborhood(i, 0, maybeOverlapping, grid.Half)
	if !ok {
		s.nearby = s.grid.HalfNeighbors(i, s.flight(i, 0), s.nearby[:0])
		hits = s.testNear(i, 0, maybeOverlapping)
	}
	return hits
}

// addUnsolvedPairs adds the pairs of body i and a body of s.nearby of which one is unsolved and the
// other one moves. No pair test can reject them before contacts are solved.
func (s *Space) addUnsolvedPairs(i int32) {
	for _, j := range s.nearby {
		a, b := s.flags[i]&unsolved != 0, s.flags[j]&unsolved != 0
		if a && !b && s.needsPairs(j) || b && !a && s.needsPairs(i) {
			s.addPair(i, j)
		}
	}
}

// findPairsSparse finds the candidate pairs where few bodies need them: those search their whole
// neighbourhood.
func (s *Space) findPairsSparse() {
	for i := range int32(len(s.bodies)) {
		if s.flags[i]&(alive|unchanged|unsolved) != alive || !s.needsPairs(i) {
			continue
		}
		s.nearby = s.grid.Neighbors(i, s.flight(i, 0), s.nearby[:0])
		if len(s.unsolvedBodies) > 0 {
			s.addUnsolvedPairs(i)
		}
		for _, j := range s.testNear(i, 0, maybeOverlapping) {
			// Each pair is added once: by the body with the smaller index, or by the only one that
			// searches.
			if s.flags[j]&unsolved == 0 && (i < j || i > j && !s.needsPairs(j)) {
				s.addPair(i, j)
			}
		}
	}
}

// addPair adds a candidate pair.
func (s *Space) addPair(i, j int32) {
	i, j = s.inOrder(i, j)
	s.pairs = append(s.pairs, pair{i, j})
}

// isMoving reports whether body i moves, or counts as moving in this step because it was placed or
// overlaps something.
func (s *Space) isMoving(i int32) bool {
	return s.flags[i]&(placed|overlapping) != 0 || s.bodies[i].v != (collide.Vec3{}) ||
		s.bend(i) != (collide.Vec3{})
}

// needsPairs reports whether body i needs candidate pairs: it moves, and contact solving hasn't
// already treated all that it could meet.
func (s *Space) needsPairs(i int32) bool {
	return s.flags[i].mayNeedPairs() && s.isMoving(i)
}

// mayNeedPairs is needsPairs for a body that moves.
func (f flags) mayNeedPairs() bool { return f&(pairsSolved|placed|overlapping) != pairsSolved }

// markUnchanged marks body i, which doesn't move, as unchanged if a step without it would leave it
// as it is, to the bit.
func (s *Space) markUnchanged(i int32) {
	if s.subdomain != nil || !s.isFreeOfContacts(i) {
		return
	}
	b := &s.bodies[i]
	if s.infos[i].overlaps < 0 && b.v.SameBits(collide.Vec3{}) && b.at(s.Seconds).SameBits(b.x) &&
		s.acceleration(i) == (collide.Vec3{}) && !s.isRotating(i) {
		s.flags[i] = s.flags[i]&^pairsSolved | unchanged
	}
}

// isUnchanged reports whether findPairs has nothing to do for a body: it is unchanged, and the last
// step has left nothing to clear. Loops over all bodies then read nothing but its flags. Whatever
// changes a body clears the flag, and the next findPairs may set it again.
func (f flags) isUnchanged() bool {
	return f&(unchanged|placed|overlapping|frozen|overlapsAtStart|touchesChecked) == unchanged
}

// layoutInterval is for how many steps cells and the order of bodies in memory are kept. With a
// smaller value, layouts cost more; with a larger one, cells no longer fit how bodies are spread.
// Results don't depend on it.
const layoutInterval = 16

// updateGrid puts every body in its cell.
func (s *Space) updateGrid() {
	s.stepsSinceLayout++
	again := !s.fits() || s.stepsSinceLayout >= layoutInterval && s.movesSinceLayout >= len(s.bodies)
	switch {
	case again:
		s.stepsSinceLayout, s.movesSinceLayout = 0, 0
		if s.subdomain == nil {
			s.sort()
		}
		s.layOut()
	case s.subdomain != nil: // its bodies are others in each step
		s.grid.Clear()
	}
	s.putBodies(again || s.subdomain != nil)
}

// fits reports whether the grid has room for all bodies, a level with cells as wide as each, and
// speed limits for their speeds.
// Bodies whose radius has changed are among the placed ones. A subdomain checks all bodies, since
// any may be new to it.
func (s *Space) fits() bool {
	if s.gridStale || s.grid.Capacity() < len(s.bodies) || s.grid.HasManyFast() {
		return false
	}
	if s.subdomain == nil {
		for _, id := range s.placedIDs {
			if !s.grid.Fits(s.diameter(&s.bodies[s.index[id]])) {
				return false
			}
		}
		return true
	}
	for i, f := range s.flags[:len(s.bodies)] {
		if f&alive != 0 && !s.grid.Fits(s.diameter(&s.bodies[i])) {
			return false
		}
	}
	return true
}

// layOut chooses the cells of the grid and leaves them empty. There is room for as many bodies as
// in the list of bodies, which has some to spare once it has grown.
func (s *Space) layOut() {
	s.gridStale = false
	count := len(s.bodies)
	s.grid.Layout(cap(s.bodies), s.Seconds, grid.Samples{Count: count, At: func(i int) (sample grid.Sample, ok bool) {
		if s.flags[i]&alive != 0 {
			b := &s.bodies[i]
			speed := b.v.Length()
			sample, ok = grid.Sample{Center: b.x, Diameter: s.diameter(b), Stride: s.stride(speed), Speed: speed}, true
		}
		return sample, ok
	}}, &s.scratch)
}

// putBodies puts the bodies in their cells: all of them, or those that may have to be in others
// than they are.
func (s *Space) putBodies(all bool) {
	s.grid.BeginStep()
	if !all && s.grid.FollowsPaths() {
		for _, id := range s.placedIDs {
			s.putBody(s.index[id])
		}
		return
	}
	for i, f := range s.flags[:len(s.bodies)] {
		if f&alive != 0 && (all || f&unchanged == 0) {
			s.putBody(int32(i))
		}
	}
}

// putBody puts body i in its cell.
func (s *Space) putBody(i int32) {
	b := &s.bodies[i]
	speed := b.v.Length()
	s.grid.Put(i, b.x, s.diameter(b), s.stride(speed), speed)
}

// diameter returns how wide a body is for the grid, with the bulge of its arc.
func (s *Space) diameter(b *body) float64 { return 2 * (b.radius + s.gridBulge) }

// maxCellsPerStep is about how many cells a body may cross along an axis in a step. A faster body
// is put on a level with larger cells. With values from 4 to 256, the scenes `mix` and `bullets`
// took the same time; without a bound, a bullet at 1e9 m/s took a second per step.
const maxCellsPerStep = 64

// stride returns the smallest cell width for a body of that speed, in metres.
func (s *Space) stride(speed float64) float64 { return speed * (s.Seconds / maxCellsPerStep) }
