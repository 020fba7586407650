package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grid"
)

// begin brings the grid up to date, starts the path of every body and finds the candidate pairs of the step.
//
// Bodies that are in contacts (unsolved) get their velocities from the contact solver, in Finish. Until then nobody knows where they go, so every
// moving neighbour of theirs is a candidate, and pairs of two of them are found in Finish.
func (s *Space) begin() {
	if s.subdomain == nil {
		s.statics.Update(s.Seconds)
	}
	s.updateGrid()
	if s.subdomain == nil {
		s.statics.UpdateFreeBox()
		if !s.solved {
			s.listStopped()
			s.markUnsolved()
		}
	}
	if s.calendar.TieBreak == nil {
		s.calendar.TieBreak = s.tied
	}
	s.query.setStep(s.Seconds)
	s.movingBodies = 0
	looking := 0
	if len(s.spins) > 0 {
		s.beginSpins()
	}
	for i := range s.bodies {
		if s.isUnchanged(int32(i)) {
			continue
		}
		f, b := &s.infos[i], &s.bodies[i]
		s.startPositions[i] = b.x
		f.maxSpeedSquared = b.v.LengthSquared()
		s.flags[i] &^= frozen | overlapsAtStart | tilesChecked
		f.slideContacts = -1
		f.budget = int32(s.MaxImpacts)
		if s.flags[i]&alive == 0 {
			continue
		}
		s.startPath(int32(i))
		switch {
		case s.flags[i]&unsolved != 0:
		case s.isMoving(int32(i)):
			s.flags[i] |= isCounted
			s.movingBodies++
			if s.findsPairs(int32(i)) {
				looking++
			}
		default:
			s.markUnchanged(int32(i))
		}
	}
	s.prefetched = prefetched{}
	expected := s.movingBodies + len(s.unsolvedBodies)
	s.calendar.Reset(s.Seconds, max(min(4*expected, len(s.bodies)), len(s.bodies)/16))
	if 2*looking > len(s.bodies) {
		s.pairAll()
	} else {
		s.pairStirring()
	}
}

// markUnsolved marks the bodies whose velocities the contact solver is going to choose.
func (s *Space) markUnsolved() {
	s.unsolvedBodies = s.unsolvedBodies[:0]
	for k := range s.solverContacts {
		h := &s.solverContacts[k]
		s.markContactBody(s.index[h.a])
		if h.b >= 0 {
			s.markContactBody(s.index[h.b])
		}
	}
}

func (s *Space) markContactBody(i int32) {
	if s.flags[i]&unsolved == 0 && s.isMovedByContacts(i) && s.bodies[i].inverseMass > 0 {
		s.flags[i] = s.flags[i]&^unchanged | unsolved
		s.unsolvedBodies = append(s.unsolvedBodies, i)
	}
}

// pairAll finds the candidates where most bodies move: every body looks at half of its neighbours.
func (s *Space) pairAll() {
	for i := range int32(len(s.bodies)) {
		if s.flags[i]&alive == 0 {
			continue
		}
		if len(s.unsolvedBodies) > 0 {
			s.nearby = s.grid.HalfNeighbors(i, s.flight(i, 0), s.nearby[:0])
			s.pairUnsolved(i)
			if s.flags[i]&unsolved != 0 {
				continue
			}
			s.testNear(i, 0, maybeOverlapping)
		} else if !s.testNeighborhood(i, 0, maybeOverlapping, grid.Half) {
			s.nearby = s.grid.HalfNeighbors(i, s.flight(i, 0), s.nearby[:0])
			s.testNear(i, 0, maybeOverlapping)
		}
		for _, j := range s.hits {
			if s.flags[j]&unsolved == 0 && (s.findsPairs(i) || s.findsPairs(j)) {
				s.addPair(i, j)
			}
		}
	}
}

// pairUnsolved notes the candidates among those in s.near of which one body is unsolved and the other one moves: whether they meet is known
// when contacts have been solved.
func (s *Space) pairUnsolved(i int32) {
	for _, j := range s.nearby {
		if a, b := s.flags[i]&unsolved != 0, s.flags[j]&unsolved != 0; a && !b && s.findsPairs(j) || b && !a && s.findsPairs(i) {
			s.addPair(i, j)
		}
	}
}

// pairStirring finds the candidates where few bodies move: those look at all of their neighbours.
func (s *Space) pairStirring() {
	for i := range int32(len(s.bodies)) {
		if s.flags[i]&(alive|unchanged|unsolved) != alive || !s.findsPairs(i) {
			continue
		}
		s.nearby = s.grid.Neighbors(i, s.flight(i, 0), s.nearby[:0])
		if len(s.unsolvedBodies) > 0 {
			s.pairUnsolved(i)
		}
		s.testNear(i, 0, maybeOverlapping)
		for _, j := range s.hits {
			// Each pair once: from the side that comes first, or from the only one that looks.
			if s.flags[j]&unsolved == 0 && (i < j || i > j && !s.findsPairs(j)) {
				s.addPair(i, j)
			}
		}
	}
}

// addPair notes a candidate.
func (s *Space) addPair(i, j int32) {
	if s.comesAfter(i, j) {
		i, j = j, i
	}
	s.pairs = append(s.pairs, pair{i, j})
}

// comesAfter reports whether of a pair the first is body j. Which of the two it is decides how some sums are rounded, so it is decided by their
// paths, and not by where they are in memory or which of them found the other, which depends on the cells.
func (s *Space) comesAfter(i, j int32) bool {
	a, b := s.pathIDs[i].key, s.pathIDs[j].key
	return a > b || a == b && s.infos[i].id > s.infos[j].id
}

// isMoving reports whether a body has to look for others: because it moves, or because the game has just put it there.
func (s *Space) isMoving(i int32) bool {
	return s.flags[i]&(placed|overlapping) != 0 || s.bodies[i].v != (collide.Vec3{})
}

// findsPairs reports whether a body has to look for what it could meet when the step begins. What is settled is solved together with all that is near.
func (s *Space) findsPairs(i int32) bool {
	return s.flags[i]&(pairsSolved|placed|overlapping) != pairsSolved && s.isMoving(i)
}

// markUnchanged lets a body that doesn't stir rest if a step without it would leave it as it is, to the bit.
func (s *Space) markUnchanged(i int32) {
	if s.subdomain != nil || !s.isFreeOfContacts(i) {
		return
	}
	b := &s.bodies[i]
	if s.infos[i].overlaps < 0 && isZero(b.v) && same(b.at(s.Seconds), b.x) && s.accelerations[i] == (collide.Vec3{}) && !s.isRotating(i) {
		s.flags[i] = s.flags[i]&^pairsSolved | unchanged
	}
}

// isUnchanged reports whether begin has nothing to do for body i: it rests, and the step before has left nothing behind. The loops over all bodies pass those
// that rest over, which saves looking at anything but their flags. Whatever changes a body in any way takes its rest away, and the next begin gives it back.
func (s *Space) isUnchanged(i int32) bool {
	return s.flags[i]&(unchanged|placed|overlapping|frozen|overlapsAtStart|tilesChecked) == unchanged
}

// layoutInterval is how many steps the cells and the order of the bodies in memory are kept: they cost little to choose
// anew, and nothing but speed depends on them.
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

// fits reports whether the grid has room for all bodies, and cells as wide as each. Whose radius has changed is placed. But in a part of a step any may have come that is larger than those before.
func (s *Space) fits() bool {
	if s.gridStale || s.grid.Capacity() < len(s.bodies) {
		return false
	}
	if s.subdomain == nil {
		for _, id := range s.placedIDs {
			if !s.grid.Fits(2 * s.bodies[s.index[id]].radius) {
				return false
			}
		}
		return true
	}
	for i, f := range s.flags[:len(s.bodies)] {
		if f&alive != 0 && !s.grid.Fits(2*s.bodies[i].radius) {
			return false
		}
	}
	return true
}

// layOut chooses the cells of the grid, and leaves them empty.
func (s *Space) layOut() {
	s.gridStale = false
	s.samples = s.samples[:0]
	for i := range s.bodies {
		if s.flags[i]&alive != 0 {
			b := &s.bodies[i]
			speed := b.v.Length()
			s.samples = append(s.samples, grid.Sample{Center: b.x, Diameter: 2 * b.radius, Stride: s.stride(speed), Speed: speed})
		}
	}
	n := len(s.bodies)
	room := n + n/4 + 16 // for what the game adds before the next time
	s.grid.Layout(room, s.Seconds, s.samples, &s.scratch)
	s.polygonNormals = resize(s.polygonNormals, room)
}

// putBodies puts the bodies in their cells: all of them, or those that don't rest.
func (s *Space) putBodies(all bool) {
	s.grid.BeginStep()
	for i, f := range s.flags[:len(s.bodies)] {
		if f&alive != 0 && (all || f&unchanged == 0) {
			b := &s.bodies[i]
			if s.grid.StaysInCell(int32(i), &b.x, 2*b.radius) {
				continue
			}
			speed := b.v.Length()
			s.grid.Put(int32(i), b.x, 2*b.radius, s.stride(speed), speed)
		}
	}
}

// maxCellsPerStep is about how many cells a body crosses along an axis in a step, at the most: one that is faster lives among larger cells. Between
// 4 and 256 the scenes `mix` and `bullets` took the same time; without a bound, a bullet at 1e9 m/s took a second a step.
const maxCellsPerStep = 64

// stride returns how wide a body wants its cells to be for its speed.
func (s *Space) stride(speed float64) float64 { return speed * (s.Seconds / maxCellsPerStep) }

// sweep predicts the first impacts of the step. Of bodies that are unsolved it predicts those with bodies that aren't, at the velocities that they have
// before contacts are solved: Finish predicts them again.
func (s *Space) sweep() {
	for _, p := range s.pairs {
		if (s.flags[p.a]|s.flags[p.b])&unsolved == 0 {
			s.noteOverlap(p.a, p.b)
		}
		s.predictImpact(p.a, p.b, 0)
	}
	for i := range s.bodies {
		if s.flags[i]&(alive|unsolved) != alive || s.flags[i]&unchanged != 0 && !s.surfacesChanged {
			continue
		}
		s.predictAlone(int32(i))
	}
}

// predictAlone predicts what body i meets first besides other bodies.
func (s *Space) predictAlone(i int32) {
	f := &s.infos[i]
	if f.overlaps >= 0 {
		s.predictSensorExits(i, 0)
	}
	if s.isMoving(i) || s.surfacesChanged && f.kind != Static {
		s.predictFirstSurface(i)
		if len(s.statics.Sensors()) > 0 {
			s.predictSurfaceSensors(i, 0)
		}
		s.predictCrossing(i, 0)
	}
}

// run takes the events of the step, as far as the calendar gives them.
func (s *Space) run() {
	ahead := canPrefetch && len(s.bodies) >= prefetchFrom
	for {
		e := s.calendar.Pop()
		if e == nil {
			break
		}
		if ahead {
			s.prefetch()
		}
		if s.pathIDs[e.A].stamp != e.StampA {
			continue
		}
		s.dueKey = e.Key
		switch {
		case e.B == crossingCode:
			s.crossCell(e.A, grid.Side(e.StampB), e.Time)
		case e.B >= 0 && s.pathIDs[e.B].stamp == e.StampB:
			s.resolveImpact(e.A, e.B, e.Time)
		case e.B < maxExitCode:
			s.leaveSensor(e.A, surfaceCode-(e.B-exitCode), e.Time)
		case e.B < 0 && s.statics.At(surfaceCode-e.B).Stamp == e.StampB:
			s.resolveSurfaceImpact(e.A, surfaceCode-e.B, e.Time)
		}
	}
}

// finishPaths brings the bodies to where they are at the end of the step.
func (s *Space) finishPaths() {
	for i := range s.bodies {
		if s.flags[i]&unchanged != 0 {
			continue
		}
		s.flags[i] &^= pairsSolved
		b := &s.bodies[i]
		b.x = b.at(s.Seconds)
		b.v = s.velocity(int32(i), s.Seconds)
	}
	if len(s.spins) > 0 {
		s.finishSpins()
	}
	for k := len(s.haltedBodies) - 1; k >= 0; k-- { // the first time counts
		h := &s.haltedBodies[k]
		s.bodies[h.index].v = h.velocity
	}
	for k := range s.crushedBodies { // whatever driverTravel it to and fro, it goes nowhere
		s.bodies[s.index[s.crushedBodies[k].body]].v = collide.Vec3{}
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
