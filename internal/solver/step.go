package solver

import (
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/calendar"
	"github.com/dango-physics/dango/internal/grid"
)

// begin brings the grid up to date, starts the path of every body and finds the candidate pairs of the step.
//
// Bodies that are in contacts (unsolved) get their velocities from the contact solver, in Finish. Until then nobody knows where they go, so every
// moving neighbour of theirs is a candidate, and pairs of two of them are found in Finish.
func (s *Space) begin() {
	if s.region == nil {
		s.statics.Update(s.Seconds)
	}
	s.place()
	if s.region == nil {
		s.statics.UpdateFreeBox()
		if !s.solved {
			s.noteStopped()
			s.markUnsolved()
		}
	}
	if s.calendar.TieBreak == nil {
		s.calendar.TieBreak = s.tied
	}
	s.query.setStep(s.Seconds)
	s.stirring = 0
	looking := 0
	if len(s.spins) > 0 {
		s.beginSpins()
	}
	for i := range s.bodies {
		if s.rests(int32(i)) {
			continue
		}
		f, b := &s.infos[i], &s.bodies[i]
		s.before[i] = b.x
		f.fastest = b.v.LengthSquared()
		s.flags[i] &^= frozen | deep | looked
		f.slides = -1
		f.budget = int32(s.MaxImpacts)
		if s.flags[i]&alive == 0 {
			continue
		}
		s.newPath(int32(i))
		switch {
		case s.flags[i]&unsolved != 0:
		case s.stirs(int32(i)):
			s.flags[i] |= counted
			s.stirring++
			if s.looks(int32(i)) {
				looking++
			}
		default:
			s.letRest(int32(i))
		}
	}
	s.prefetched = prefetched{}
	expected := s.stirring + len(s.unsolvedBodies)
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
		s.flags[i] = s.flags[i]&^resting | unsolved
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
			s.near = s.grid.HalfNeighbors(i, s.flight(i, 0), s.near[:0])
			s.pairUnsolved(i)
			if s.flags[i]&unsolved != 0 {
				continue
			}
			s.testNear(i, 0, maybeDeep)
		} else if !s.testNeighborhood(i, 0, maybeDeep, grid.Half) {
			s.near = s.grid.HalfNeighbors(i, s.flight(i, 0), s.near[:0])
			s.testNear(i, 0, maybeDeep)
		}
		for _, j := range s.hits {
			if s.flags[j]&unsolved == 0 && (s.looks(i) || s.looks(j)) {
				s.addPair(i, j)
			}
		}
	}
}

// pairUnsolved notes the candidates among those in s.near of which one body is unsolved and the other one moves: whether they meet is known
// when contacts have been solved.
func (s *Space) pairUnsolved(i int32) {
	for _, j := range s.near {
		if a, b := s.flags[i]&unsolved != 0, s.flags[j]&unsolved != 0; a && !b && s.looks(j) || b && !a && s.looks(i) {
			s.addPair(i, j)
		}
	}
}

// pairStirring finds the candidates where few bodies move: those look at all of their neighbours.
func (s *Space) pairStirring() {
	for i := range int32(len(s.bodies)) {
		if s.flags[i]&(alive|resting|unsolved) != alive || !s.looks(i) {
			continue
		}
		s.near = s.grid.Neighbors(i, s.flight(i, 0), s.near[:0])
		if len(s.unsolvedBodies) > 0 {
			s.pairUnsolved(i)
		}
		s.testNear(i, 0, maybeDeep)
		for _, j := range s.hits {
			// Each pair once: from the side that comes first, or from the only one that looks.
			if s.flags[j]&unsolved == 0 && (i < j || i > j && !s.looks(j)) {
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
	a, b := s.marks[i].key, s.marks[j].key
	return a > b || a == b && s.infos[i].id > s.infos[j].id
}

// stirs reports whether a body has to look for others: because it moves, or because the game has just put it there.
func (s *Space) stirs(i int32) bool {
	return s.flags[i]&(placed|overlaps) != 0 || s.bodies[i].v != (collide.Vec3{})
}

// looks reports whether a body has to look for what it could meet when the step begins. What is settled is solved together with all that is near.
func (s *Space) looks(i int32) bool {
	return s.flags[i]&(settled|placed|overlaps) != settled && s.stirs(i)
}

// letRest lets a body that doesn't stir rest if a step without it would leave it as it is, to the bit.
func (s *Space) letRest(i int32) {
	if s.region != nil || !s.isFree(i) {
		return
	}
	b := &s.bodies[i]
	if s.infos[i].inside < 0 && isZero(b.v) && same(b.at(s.Seconds), b.x) && s.pulls[i] == (collide.Vec3{}) && !s.turns(i) {
		s.flags[i] = s.flags[i]&^settled | resting
	}
}

// rests reports whether begin has nothing to do for body i: it rests, and the step before has left nothing behind. The loops over all bodies pass those
// that rest over, which saves looking at anything but their flags. Whatever changes a body in any way takes its rest away, and the next begin gives it back.
func (s *Space) rests(i int32) bool {
	return s.flags[i]&(resting|placed|overlaps|frozen|deep|looked) == resting
}

// relayAfter is how many steps the cells and the order of the bodies in memory are kept: they cost little to choose
// anew, and nothing but speed depends on them.
const relayAfter = 16

// place puts every body in its cell.
func (s *Space) place() {
	s.laidOut++
	again := !s.fits() || s.laidOut >= relayAfter && s.stirred >= len(s.bodies)
	switch {
	case again:
		s.laidOut, s.stirred = 0, 0
		if s.region == nil {
			s.sort()
		}
		s.layOut()
	case s.region != nil: // its bodies are others in each step
		s.grid.Clear()
	}
	s.putAll(again || s.region != nil)
}

// fits reports whether the grid has room for all bodies, and cells as wide as each. Whose radius has changed is placed. But in a part of a step any may have come that is larger than those before.
func (s *Space) fits() bool {
	if s.unplaced || s.grid.Capacity() < len(s.bodies) {
		return false
	}
	if s.region == nil {
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
	s.unplaced = false
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
	s.pending = resize(s.pending, room)
}

// putAll puts the bodies in their cells: all of them, or those that don't rest.
func (s *Space) putAll(all bool) {
	s.grid.BeginStep()
	for i, f := range s.flags[:len(s.bodies)] {
		if f&alive != 0 && (all || f&resting == 0) {
			b := &s.bodies[i]
			if s.grid.StaysInCell(int32(i), &b.x, 2*b.radius) {
				continue
			}
			speed := b.v.Length()
			s.grid.Put(int32(i), b.x, 2*b.radius, s.stride(speed), speed)
		}
	}
}

// mostCells is about how many cells a body crosses along an axis in a step, at the most: one that is faster lives among larger cells. Between
// 4 and 256 the scenes `mix` and `bullets` took the same time; without a bound, a bullet at 1e9 m/s took a second a step.
const mostCells = 64

// stride returns how wide a body wants its cells to be for its speed.
func (s *Space) stride(speed float64) float64 { return speed * (s.Seconds / mostCells) }

// sweep predicts the first impacts of the step. Of bodies that are unsolved it predicts those with bodies that aren't, at the velocities that they have
// before contacts are solved: Finish predicts them again.
func (s *Space) sweep() {
	for _, p := range s.pairs {
		if (s.flags[p.a]|s.flags[p.b])&unsolved == 0 {
			s.checkDeep(p.a, p.b)
		}
		s.predictImpact(p.a, p.b, 0)
	}
	for i := range s.bodies {
		if s.flags[i]&(alive|unsolved) != alive || s.flags[i]&resting != 0 && !s.restless {
			continue
		}
		s.sweepAlone(int32(i))
	}
}

// sweepAlone predicts what body i meets first besides other bodies.
func (s *Space) sweepAlone(i int32) {
	f := &s.infos[i]
	if f.inside >= 0 {
		s.predictSensorExits(i, 0)
	}
	if s.stirs(i) || s.restless && f.kind != Static {
		s.beginSurfaces(i)
		if len(s.statics.Sensors()) > 0 {
			s.sweepSensing(i, 0)
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
		if s.marks[e.A].stamp != e.StampA {
			continue
		}
		s.due = e.Key
		switch {
		case e.B == crossingCode:
			s.cross(e.A, grid.Side(e.StampB), e.Time)
		case e.B >= 0 && s.marks[e.B].stamp == e.StampB:
			s.collide(e.A, e.B, e.Time)
		case e.B < maxExitCode:
			s.leave(e.A, surfaceCode-(e.B-exitCode), e.Time)
		case e.B < 0 && s.statics.At(surfaceCode-e.B).Stamp == e.StampB:
			s.meet(e.A, surfaceCode-e.B, e.Time)
		}
	}
}

// land brings the bodies to where they are at the end of the step.
func (s *Space) land() {
	for i := range s.bodies {
		if s.flags[i]&resting != 0 {
			continue
		}
		s.flags[i] &^= settled
		b := &s.bodies[i]
		b.x = b.at(s.Seconds)
		b.v = s.velocity(int32(i), s.Seconds)
	}
	if len(s.spins) > 0 {
		s.landSpins()
	}
	for k := len(s.halted) - 1; k >= 0; k-- { // the first time counts
		h := &s.halted[k]
		s.bodies[h.i].v = h.v
	}
	for k := range s.crushed { // whatever driverTravel it to and fro, it goes nowhere
		s.bodies[s.index[s.crushed[k].body]].v = collide.Vec3{}
	}
}

// predictCrossing adds the time when body i next leaves its cell to the calendar.
func (s *Space) predictCrossing(i int32, now float64) {
	b := &s.bodies[i]
	if c, ok := s.grid.NextCrossing(i, b.x, b.v, s.Seconds); ok {
		if c.Time < now {
			c.Time = now
		}
		s.calendar.Push(calendar.Event{Time: c.Time, A: i, B: crossingCode, StampA: s.marks[i].stamp, StampB: uint32(c.Side), Key: s.marks[i].key})
	}
}

// cross moves body i to its next cell and predicts impacts with the bodies that this brings near. If it
// has crossed very many cells, it is taken out of the cells: see grid.TryUnbin.
func (s *Space) cross(i int32, side grid.Side, now float64) {
	if s.grid.Move(i, side) && s.grid.TryUnbin(i, s.flight(i, now)) {
		s.near = s.grid.Binned(s.near[:0])
		s.testNear(i, now, deepAt(now))
		s.predictImpacts(i, now)
		return
	}
	if deep := deepAt(now); !s.testNeighborhood(i, now, deep, grid.Face(side)) {
		s.near = s.grid.FaceNeighbors(i, side, s.near[:0])
		s.testNear(i, now, deep)
	}
	s.predictImpacts(i, now)
	s.predictCrossing(i, now)
}

// testNear leaves in s.hits the bodies of s.near that pass the pair test with body i.
func (s *Space) testNear(i int32, now, deep float64) {
	s.Counts.Sweeps += len(s.near)
	s.near = slices.Grow(s.near, padding)
	s.passed = s.filterPairs(i, now, deep, s.near, s.passed[:0])
	s.hits = s.passed
}

// deepAt returns the argument deep of the pair test for bodies on a new path at time now.
func deepAt(now float64) float64 {
	if now == 0 { // a body that starts inside a sensor enters it, even if an impact at time 0 came first
		return maybeDeep
	}
	return notDeep
}

// predictImpacts adds the next impacts of body i with the bodies of s.hits to the calendar.
func (s *Space) predictImpacts(i int32, now float64) {
	for _, j := range s.hits {
		s.predictImpact(i, j, now)
	}
}

// flight is the path of body i from now on.
func (s *Space) flight(i int32, now float64) grid.Path {
	b := &s.bodies[i]
	return grid.Path{X: b.x, V: b.v, Radius: b.radius, Now: now, Until: s.Seconds}
}

// velocity returns the velocity of body i at time t.
func (s *Space) velocity(i int32, t float64) collide.Vec3 {
	v := s.bodies[i].v
	if s.flags[i]&pulled != 0 {
		v = v.AddScaled(t-float64(s.Seconds/2), s.pulls[i])
	}
	return v
}

// velocityFrom returns the velocity at time t of body i where its mean velocity is v.
func (s *Space) velocityFrom(i int32, v collide.Vec3, t float64) collide.Vec3 {
	if s.flags[i]&pulled != 0 {
		v = v.AddScaled(t-float64(s.Seconds/2), s.pulls[i])
	}
	return v
}

// turn puts body i on a new path: it is at p at time now, and moves on at a mean v.
func (s *Space) turn(i int32, p, v collide.Vec3, now float64) {
	if s.flags[i]&(resting|asleep|settled) != 0 {
		s.stir(i)
	}
	b := &s.bodies[i]
	b.x, b.v = p.AddScaled(-now, v), v
	f := &s.infos[i]
	if speed := v.LengthSquared(); speed > f.fastest {
		f.fastest = speed
	}
	s.newPath(i)
	if s.region != nil {
		s.region.turn(i, &p, now)
	}
}

// stir takes body i out of its rest.
func (s *Space) stir(i int32) {
	if s.flags[i]&asleep != 0 {
		s.rouse(i)
	}
	s.flags[i] &^= resting | settled
}

// repredict adds the next events of body i on its new path to the calendar.
func (s *Space) repredict(i int32, now float64) {
	if deep := deepAt(now); !s.testNeighborhood(i, now, deep, grid.Full) {
		s.near = s.grid.Neighbors(i, s.flight(i, now), s.near[:0])
		s.testNear(i, now, deep)
	}
	s.predictImpacts(i, now)
	s.sweepSurfaces(i, now)
	if len(s.statics.Sensors()) > 0 {
		s.sweepSensing(i, now)
	}
	s.predictCrossing(i, now)
	if s.infos[i].inside >= 0 {
		s.predictSensorExits(i, now)
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
