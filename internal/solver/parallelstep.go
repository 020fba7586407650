package solver

import (
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/partition"
	"github.com/dango-physics/dango/internal/workers"
)

// parallelStep takes a step in parts of space, several at a time. The bits are those of the step taken as a whole.
//
// The boxes of the parts fill space. Each part is worked out as a space of its own (region.go), by the workers of a pool: the bodies whose centres are in its box when the step
// begins, its own, and copies of those around it, its guests, as far out as what happens there may still matter to its own. How far that is nobody
// can know beforehand, so it is a guess, which is checked. A body's trail is a hash of all that happened to it: when, in which round, with what on which path, and
// the path that it took then. All parts work to the end of a span of the step, and then compare. The guess was right if
//
//	whatever body was in a part's box in the span, by however little, be it in this part's working or in that of the part whose own it is,
//	is the part's own or a guest, and has the same trail in both.
//
// Then every part's own are as in the step taken as a whole. For let the first thing that is otherwise in this span happen to body b, which is in order until then:
//
//   - Something happens to b that shouldn't. It happens at a point of some box. That box's part has b, so the trail says that the same happened to b there,
//     with something on the same path. That came to the point, so this part has it in order, too, and it does happen.
//   - Something doesn't happen that should: b meets c at a point of some box. That box's part has both in order until then, and sees them meet.
//   - It happens, and what comes of it is otherwise, because another thing that b slides on isn't in order. That touches b at a point of some box.
//     That box's part has it in order, and what came of it there is in the trail.
//
// For the last of these the trail doesn't tell all: that b slides on c, or was hit by c and held, isn't in b's. So where c is a guest and has other trails, b counts as if its own
// differed (lean).
//
// Both conditions are needed. Without the one, something comes into the box that the part knows nothing of; without the other, a guest does that would have been turned away
// by something too far out to be a guest.
//
// Guests that went astray outside the box, where others were missing, are put right before the next span begins: each part tells the others how its own are. So what goes wrong
// far out has no more than a span to come in.
//
// What isn't of one body, such as the log, is told by the part whose own the body is that it happened to. So no order in which parts are worked out, and no number of
// workers, changes anything. Something that concerns all parts at once, such as a wall that is stopped, makes the step be taken as a whole.
type parallelStep struct {
	whole      *Space
	chunks     []*bodyChunk
	subdomains []*subdomain
	boxes      partition.Partition
	sample     []collide.Vec3

	maxDiameter  float64 // the largest diameter, metres
	meanSpeed    float64 // mean speed of what moves
	haloFactor   float64 // how many times the mean way of a step away something may be and still matter
	haloWidth    float64 // how far out of its box a part has guests
	wanted       int     // into how many parts the step is cut
	missesInARow int     // how often in a row the guess was wrong
	pause        int     // steps to take as a whole before the next try

	tuner                    workers.Tuner
	measured                 bool // it was asked about this step
	validSteps, invalidSteps int  // how many guesses of all were right, and wrong

	phase    phase                   // that is due
	subStep  int                     // likewise
	runPiece func(worker, piece int) // does a piece of what is due

	// What became of the bodies of the whole.
	bodies       []body
	flags        []flags
	marks        []pathID
	pulls        []collide.Vec3
	spins        []spin
	owners       []ownerPlace
	sensorEvents []eventlog.Entry // the log's visits, in order
}

// phase is what a team is at.
type phase uint8

const (
	sortingPhase phase = iota // which bodies belong to which parts
	pairPhase                 // the parts, up to their candidate pairs
	sweepPhase                // up to their first impacts
	checkPhase                // the guests
	eventPhase                // the parts, to the end of the next span
	finishPhase               // at the end of the step
)

// ownerPlace says where a body is: of which part it is, and where among that part's bodies.
type ownerPlace struct{ subdomain, i int32 }

const (
	// firstHalo is the first guess of a team's reach. What goes astray in a gas spreads by impacts, a diameter at a time, and so
	// farther than anything flies.
	firstHalo, minHalo, maxHalo = 6.5, 1, 100

	// subSteps is how many spans a step has, a power of two. More of them need fewer guests, and more waiting for each other: a gas of 10,000 has guests from 5.6 diameters
	// out with one span, from 4.4 with two, 3.9 with four and 3.3 with eight.
	subSteps = 4

	// minSubdomainBodies is how many bodies of its own a part needs to be worth its guests.
	minSubdomainBodies = 1500
)

// subdomainCount returns into how many parts a step is cut, going by how many bodies moved in the last one.
func (s *Space) subdomainCount() int {
	if s.ForceParallelFrom > 0 {
		return min(s.Workers, s.movingBodies/s.ForceParallelFrom)
	}
	return min(s.Workers, s.movingBodies/minSubdomainBodies)
}

// wantsParallel reports whether the step is to be taken in parts.
func (s *Space) wantsParallel() bool {
	if s.parallelStep != nil {
		s.parallelStep.measured = false
	}
	n := s.subdomainCount()
	if n < 2 || s.subdomain != nil {
		return false
	}
	if s.parallelStep == nil {
		s.parallelStep = &parallelStep{haloFactor: firstHalo}
	}
	if s.Pool == nil {
		s.Pool = new(workers.Pool)
	}
	t := s.parallelStep
	t.wanted = n
	if s.ForceParallelFrom > 0 {
		return true
	}
	if t.pause > 0 {
		t.pause--
		return false
	}
	t.measured = true
	return t.tuner.Parallel()
}

// beginSubdomains cuts the step into parts and has each begin. It returns false, with all bodies as they were, if that isn't worth while.
func (s *Space) beginSubdomains() bool {
	t := s.parallelStep
	s.stepsSinceLayout++
	if n := t.wanted; len(t.subdomains) != n || len(t.chunks) != s.Workers || s.stepsSinceLayout >= layoutInterval {
		s.stepsSinceLayout = 0
		s.sort()
		t.makeChunks(s)
		t.partition(s, n)
	}
	s.gridStale = true // the grids are those of the parts
	s.statics.Update(s.Seconds)
	s.statics.UpdateFreeBox()
	s.listStopped()
	s.markUnsolved()
	n := len(s.bodies)
	t.bodies, t.flags, t.marks = resize(t.bodies, n), resize(t.flags, n), resize(t.marks, n)
	t.pulls, t.spins = resize(t.pulls, n), resize(t.spins, len(s.spins))
	t.owners = resize(t.owners, n)
	t.haloWidth = t.maxDiameter + float64(t.haloFactor*t.meanSpeed*s.Seconds)
	t.acquireWorkers()
	defer t.whole.Pool.Release()
	t.runPhase(sortingPhase, len(t.chunks))
	total := 0
	for _, some := range t.chunks {
		total += some.lists.Total()
	}
	if each := float64(total) / float64(min(len(t.chunks), len(t.subdomains))); each > 0.8*float64(s.Bodies()) && s.ForceParallelFrom == 0 {
		t.pause = layoutInterval // too many guests
		s.clearStepFlags()
		return false
	}
	t.runPhase(pairPhase, len(t.subdomains))
	return true
}

// sweep has the parts predict their first impacts.
func (t *parallelStep) predictFirstImpacts() {
	t.acquireWorkers()
	defer t.whole.Pool.Release()
	t.runPhase(sweepPhase, len(t.subdomains))
}

// finishSubdomains has the parts take their events, once the contacts of the whole are solved. It returns false, with all bodies as the solution has left
// them, if that can't be done.
func (s *Space) finishSubdomains() bool {
	t := s.parallelStep
	if !t.finish() {
		t.invalidSteps++
		t.missesInARow = min(t.missesInARow+1, 10)
		t.haloFactor = min(t.haloFactor*1.15, maxHalo)
		t.pause = 1<<t.missesInARow - 2
		return false
	}
	t.validSteps++
	t.missesInARow = 0
	t.haloFactor = max(t.haloFactor*0.998, minHalo) // so that one guess in seventy is wrong
	t.commit(s)
	return true
}

// acquireWorkers calls the workers.
func (t *parallelStep) acquireWorkers() {
	t.whole.Pool.Acquire(workers.Solving, min(len(t.chunks), len(t.subdomains)), len(t.chunks))
}

// makeChunks divides the bodies of the whole into as many chunks as there are workers.
func (t *parallelStep) makeChunks(s *Space) {
	t.whole = s
	t.runPiece = t.piece
	for len(t.chunks) < s.Workers {
		t.chunks = append(t.chunks, &bodyChunk{team: t, number: len(t.chunks)})
	}
	t.chunks = t.chunks[:s.Workers]
}

// runPhase has n pieces of a stage done.
func (t *parallelStep) runPhase(what phase, n int) {
	t.phase = what
	t.whole.Pool.Run(n, t.runPiece)
}

// piece does piece k of what is due.
func (t *parallelStep) piece(_, k int) {
	if t.phase == sortingPhase {
		t.chunks[k].sort()
	} else {
		t.subdomains[k].runPhase(t.phase, t.subStep)
	}
}

// finish works out the parts. It returns false if the guess was wrong.
func (t *parallelStep) finish() bool {
	t.acquireWorkers()
	defer t.whole.Pool.Release()
	n := len(t.subdomains)
	t.subStep = 1
	t.runPhase(eventPhase, n)
	for t.isValid() {
		t.runPhase(checkPhase, n)
		if t.subStep == subSteps || !t.isValid() {
			break
		}
		t.subStep++
		t.runPhase(eventPhase, n)
	}
	if t.isValid() {
		t.runPhase(finishPhase, n)
	}
	return t.isValid()
}

// isValid reports whether no part has failed yet.
func (t *parallelStep) isValid() bool {
	return !slices.ContainsFunc(t.subdomains, func(p *subdomain) bool { return p.invalid })
}

// solveContactsForSubdomains solves what is held, of all parts at once.
func (s *Space) solveContactsForSubdomains() {
	if s.hasNoContacts() {
		return
	}
	if !s.fits() {
		s.layOut()
	}
	s.putBodies(true)
	s.solveLastingContacts()
	s.gridStale = true // it isn't kept up to date
}

// commit makes what came of the parts the state of the whole.
func (t *parallelStep) commit(s *Space) {
	s.bodies, t.bodies = t.bodies, s.bodies
	s.flags, t.flags = t.flags, s.flags
	s.pathIDs, t.marks = t.marks, s.pathIDs
	s.accelerations, t.pulls = t.pulls, s.accelerations
	s.spins, t.spins = t.spins, s.spins
	for _, h := range s.haltedBodies { // what the solution has slowed down, and what it has crushed
		s.bodies[h.index].v = h.velocity
	}
	for k := range s.crushedBodies {
		s.bodies[s.index[s.crushedBodies[k].body]].v = collide.Vec3{}
	}
	t.sensorEvents = t.sensorEvents[:0]
	s.movingBodies = 0
	for _, p := range t.subdomains {
		from := &p.space
		s.movingBodies += from.movingBodies
		s.log.AddRun(&from.log)
		s.overlapPairs = append(s.overlapPairs, p.overlapPairs...)
		s.haltedBodies = append(s.haltedBodies, p.haltedBodies...)
		s.crushedBodies = append(s.crushedBodies, from.crushedBodies...)
		for _, id := range from.islandsToWake {
			s.islandsToWake = append(s.islandsToWake, s.sleepStates[id].island)
		}
		for _, g := range from.begunContacts {
			s.addContact(g.a, g.b)
			s.markLogged(g.a, g.b)
		}
		s.Counts.add(from.Counts)
		if from.Counts.sensorEvents > 0 {
			from.log.Each(func(e *eventlog.Entry) {
				if e.Kind&eventlog.Sensor != 0 {
					t.sensorEvents = append(t.sensorEvents, *e)
				}
			})
		}
	}
	// Visits are begun and ended as in the step taken as a whole, so that their lists come to be the same, too.
	eventlog.SortEntries(t.sensorEvents)
	for k := range t.sensorEvents {
		e := &t.sensorEvents[k]
		if i := s.index[e.A]; e.Kind&eventlog.Begin != 0 {
			s.addOverlap(i, e.B)
		} else {
			s.endOverlap(i, e.B)
		}
	}
	s.surfacesChanged = s.statics.Moving() > 0
	s.gridStale = true
	s.movesSinceLayout += s.movingBodies
}

func (c *Counts) add(o Counts) {
	c.Pairs += o.Pairs
	c.Sweeps += o.Sweeps
	c.Impacts += o.Impacts
	c.SpentBudgets += o.SpentBudgets
	c.Blocked += o.Blocked
	c.inelastic += o.inelastic
	c.sensorEvents += o.sensorEvents
}
