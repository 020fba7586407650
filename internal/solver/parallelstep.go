package solver

import (
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/calendar"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/grow"
	"github.com/dango-physics/dango/internal/partition"
	"github.com/dango-physics/dango/internal/workers"
)

// parallelStep divides a step into subdomains, which several workers simulate at a time. Results
// are the same to the bit as those of a step in the whole space, for any number of workers.
//
// # Method
//
// The boxes of the subdomains fill space. A subdomain owns the bodies whose centres are in its box
// when the step begins. It also has ghosts: copies of the bodies around its box, up to the halo
// width. It simulates all of them in a space of its own (subdomain.go).
//
// How far from a box something can be and still affect the owned bodies is unknown in advance.
// Therefore the halo width is estimated, and verified. The history hash of a body covers each
// change of its path: the time, the round, the key of the event (which identifies the path of the
// other body), and the new path. All subdomains simulate up to the end of a sub-step, and then
// compare histories. The halo was wide enough if this condition is met in each subdomain:
//
//	Every body that was in its box during the sub-step, even in part, according to this
//	subdomain's simulation or to that of the body's owner, is an owned body or a ghost here, and
//	has the same history in both simulations.
//
// Otherwise the step is repeated in the whole space.
//
// # Proof
//
// If the condition is met, each owned body moves as in the whole space. For suppose not, and let
// body b be the one to which, in its owner's simulation, the first difference happens. Until then
// everything in owners' simulations is right. The difference is at a point in the box of some
// subdomain D. There are three cases:
//
//   - An event happens to b that does not happen in the whole space. D knows b, and b's history
//     there says that the same event happened in D, with another body on the same path. That body
//     came to this point, too. So by the condition D has it right, and the event happens in the
//     whole space as well.
//   - An event of the whole space, in which b meets c, does not happen. Both b and c are at a point
//     in D's box, so D has both right until then, and the event happens in D. So it is in the
//     history of b.
//   - The event happens, but the path after it is wrong, because another body that b slides on is
//     wrong. That body touches b at a point in D's box. So D has it right, and the right path is in
//     the history of b.
//
// Each case contradicts the assumption.
//
// In the third case the history does not tell everything: it does not contain that b slides on c,
// or that c hit b without changing b's path. Such a dependency is recorded. If c is a ghost whose
// history differs, b counts as if its own history differed.
//
// The condition needs both simulations. Without the owner's, a body could enter the box that this
// subdomain doesn't know. Without this subdomain's, a ghost could enter the box here that something
// beyond the halo deflects in the whole space.
//
// # Ghosts that went wrong
//
// Ghosts outside the box, where other bodies are missing, may differ from their originals without
// violating the condition. Before the next sub-step they are corrected: each subdomain copies the
// state of the originals from their owners. So errors from outside the halo have only one sub-step
// to travel inwards.
//
// # Results that concern more than one body
//
// Entries of the log and the like are reported by the subdomain that owns the body that the event
// turned. Therefore results depend neither on the order in which subdomains are simulated nor on
// the number of workers. What concerns all subdomains at once, such as a moving wall that is
// stopped, makes the step be repeated in the whole space.
type parallelStep struct {
	whole      *Space
	chunks     []*bodyChunk
	subdomains []*subdomain
	boxes      partition.Partition
	sample     []collide.Vec3 // centres of some moving bodies, from which boxes are chosen

	maxDiameter  float64 // the largest diameter, metres
	meanSpeed    float64 // mean speed of the moving bodies, metres per second
	haloFactor   float64 // estimate of the halo width beyond maxDiameter, in mean distances travelled per step
	haloWidth    float64 // how far from its box a subdomain has ghosts, metres
	wanted       int     // number of subdomains for this step
	missesInARow int     // how many parallel steps in a row failed
	pause        int     // steps to take in the whole space before the next parallel one

	validSteps, invalidSteps int // how many parallel steps succeeded and failed

	phase    phase                   // the phase that pieces run
	subStep  int                     // its sub-step, from 1
	runPiece func(worker, piece int) // piece, as a value

	// The results of the subdomains, by indices and ids of the whole space.
	bodies        []body
	flags         []flags
	pathIDs       []calendar.PathID
	accelerations []collide.Vec3
	bends         []bend
	spins         []spin
	owners        []ownerPlace
	sensorEvents  []eventlog.Entry // sensor entries and exits of the step, in order
}

// phase is a part of the parallel step that ends when all workers have finished it.
type phase uint8

const (
	sortingPhase phase = iota // decides which bodies each subdomain has
	pairPhase                 // finds candidate pairs
	sweepPhase                // predicts first impacts
	checkPhase                // compares the histories of ghosts after a sub-step
	eventPhase                // processes the events of a sub-step
	finishPhase               // stores the results
)

// ownerPlace says which subdomain owns a body, and the body's index there.
type ownerPlace struct{ subdomain, i int32 }

const (
	// firstHalo, minHalo and maxHalo are the first, smallest and largest haloFactor, in mean
	// distances travelled per step. Effects spread by impacts, one diameter at a time, and so
	// farther than any body moves. From firstHalo on, the factor adapts: with a smaller one the
	// first parallel steps fail, with a larger one they have needless ghosts. minHalo and maxHalo
	// only bound it.
	firstHalo, minHalo, maxHalo = 6.5, 1, 100

	// subSteps is the number of sub-steps, a power of two. With more, halos are narrower and
	// workers wait for each other more often: a gas of 10,000 needs a halo of 5.6 diameters with
	// one sub-step, 4.4 with two, 3.9 with four and 3.3 with eight.
	subSteps = 4

	// minSubdomainBodies is how many moving bodies a subdomain needs. With fewer, most of its work
	// is on ghosts; a larger value leaves workers of medium worlds unused.
	minSubdomainBodies = 1500

	// maxWorkShare is the work of one worker, as a fraction of the bodies of the whole space, above
	// which a parallel step isn't worthwhile. With a larger value, steps with many ghosts take
	// longer than in the whole space; below 0.5, two workers would never share a step.
	maxWorkShare = 0.8
)

// subdomainCount returns into how many subdomains the step is divided, from the number of bodies
// that moved in the last one.
func (s *Space) subdomainCount() int {
	if s.ForceParallelFrom > 0 {
		return min(s.Workers, s.movingBodies/s.ForceParallelFrom)
	}
	return min(s.Workers, s.movingBodies/minSubdomainBodies)
}

// chooseWorkers decides whether workers share the loops of the step, and reports whether to try to
// divide it into subdomains, too.
func (s *Space) chooseWorkers() (divide bool) {
	s.measured, s.chunksLoops = false, false
	if s.Workers < 2 || s.ContactRule != nil || s.subdomain != nil || s.shapedBodies > 0 || len(s.rotors) > 0 {
		return false
	}
	n := s.subdomainCount()
	divide = n >= 2
	if divide && s.parallelStep == nil {
		s.parallelStep = &parallelStep{haloFactor: firstHalo}
	}
	if s.Pool == nil {
		s.Pool = new(workers.Pool)
	}
	if divide {
		s.parallelStep.wanted = n
	}
	if s.ForceParallelFrom > 0 {
		s.chunksLoops = true
		return divide
	}
	if divide && s.parallelStep.pause > 0 {
		s.parallelStep.pause--
		divide = false
	}
	hasLoops := len(s.solverContacts) >= 2*contactsAWorker && s.statics.Facets() > 0
	if !divide && !hasLoops {
		return false
	}
	s.measured = true
	if !s.tuner.Parallel() {
		return false
	}
	s.chunksLoops = hasLoops
	return divide
}

// beginSubdomains divides the step into subdomains, and each finds its candidate pairs. It returns
// false, with all bodies unchanged, if that is not worthwhile.
func (s *Space) beginSubdomains() bool {
	t := s.parallelStep
	s.stepsSinceLayout++
	if n := t.wanted; len(t.subdomains) != n || len(t.chunks) != s.Workers || s.stepsSinceLayout >= layoutInterval {
		s.stepsSinceLayout = 0
		s.sort()
		t.makeChunks(s)
		t.partition(s, n)
	}
	s.gridStale = true // only the grids of the subdomains are up to date
	s.ListAccelerations()
	s.statics.Update(s.Seconds)
	s.statics.UpdateFreeBox()
	s.beginArcs()
	s.listStopped()
	s.markUnsolved()
	s.markNearMovingSurfaces()
	n := len(s.bodies)
	t.bodies, t.flags, t.pathIDs = grow.Resize(t.bodies, n), grow.Resize(t.flags, n), grow.Resize(t.pathIDs, n)
	t.accelerations, t.spins = grow.Resize(t.accelerations, n), grow.Resize(t.spins, len(s.spins))
	t.owners, t.bends = grow.Resize(t.owners, n), grow.Resize(t.bends, len(s.bends))
	clear(t.bends)
	t.haloWidth = t.maxDiameter + float64(t.haloFactor*t.meanSpeed*s.Seconds)
	t.acquireWorkers()
	defer t.whole.Pool.Release()
	t.runPhase(sortingPhase, len(t.chunks))
	total := 0
	for _, c := range t.chunks {
		total += c.lists.Total()
	}
	each := float64(total) / float64(min(len(t.chunks), len(t.subdomains)))
	if each > maxWorkShare*float64(s.Bodies()) && s.ForceParallelFrom == 0 {
		t.pause = layoutInterval // too many ghosts
		s.clearStepFlags()
		return false
	}
	t.runPhase(pairPhase, len(t.subdomains))
	return true
}

// predictFirstImpacts has the subdomains predict their first impacts.
func (t *parallelStep) predictFirstImpacts() {
	t.acquireWorkers()
	defer t.whole.Pool.Release()
	t.runPhase(sweepPhase, len(t.subdomains))
}

// finishSubdomains has the subdomains process their events, once the contacts of the whole space
// are solved. It returns false if the step failed; bodies then are as contact solving left them.
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
	t.haloFactor = max(t.haloFactor*0.998, minHalo) // with these two factors, one step in seventy fails
	t.commit(s)
	return true
}

// acquireWorkers acquires the workers of the pool. The caller releases them.
func (t *parallelStep) acquireWorkers() {
	t.whole.Pool.Acquire(workers.Solving, min(len(t.chunks), len(t.subdomains)), len(t.chunks))
}

// makeChunks divides the bodies of the whole space into one chunk per worker.
func (t *parallelStep) makeChunks(s *Space) {
	t.whole = s
	t.runPiece = t.piece
	for len(t.chunks) < s.Workers {
		t.chunks = append(t.chunks, &bodyChunk{parent: t, number: len(t.chunks)})
	}
	t.chunks = t.chunks[:s.Workers]
}

// runPhase runs n pieces of a phase and waits for them.
func (t *parallelStep) runPhase(ph phase, n int) {
	t.phase = ph
	t.whole.Pool.Run(n, t.runPiece)
}

// piece runs piece k of the current phase: a chunk or a subdomain.
func (t *parallelStep) piece(_, k int) {
	if t.phase == sortingPhase {
		t.chunks[k].sort()
	} else {
		t.subdomains[k].runPhase(t.phase, t.subStep)
	}
}

// finish simulates all sub-steps and stores the results. It returns false if the step failed.
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

// isValid reports whether no subdomain has failed yet.
func (t *parallelStep) isValid() bool {
	return !slices.ContainsFunc(t.subdomains, func(p *subdomain) bool { return p.invalid })
}

// solveContactsForSubdomains solves the persistent contacts of the whole space. For that it needs
// its own grid.
func (s *Space) solveContactsForSubdomains() {
	if s.hasNoContacts() {
		return
	}
	if !s.fits() {
		s.layOut()
	}
	s.putBodies(true)
	for _, p := range s.parallelStep.subdomains {
		p.passOverlaps()
	}
	s.solvePersistentContacts()
	for _, p := range s.parallelStep.subdomains {
		p.space.sleepStates = s.sleepStates // there may be more now
	}
	s.gridStale = true // the events of the subdomains don't update it
}

// commit stores the results of the subdomains in the whole space.
func (t *parallelStep) commit(s *Space) {
	s.bodies, t.bodies = t.bodies, s.bodies
	s.flags, t.flags = t.flags, s.flags
	s.pathIDs, t.pathIDs = t.pathIDs, s.pathIDs
	s.accelerations, t.accelerations = t.accelerations, s.accelerations
	s.bends, t.bends = t.bends, s.bends
	s.spins, t.spins = t.spins, s.spins
	for _, h := range s.haltedBodies { // bodies that contact solving has slowed down or crushed
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
		s.paths.add(&from.paths)
		s.overlapPairs = append(s.overlapPairs, p.overlapPairs...)
		s.haltedBodies = append(s.haltedBodies, p.haltedBodies...)
		s.crushedBodies = append(s.crushedBodies, from.crushedBodies...)
		for _, id := range from.islandsToWake {
			s.islandsToWake = append(s.islandsToWake, s.sleepStates[id].island)
		}
		for _, g := range from.begunContacts {
			s.addContact(g.A, g.B)
			s.markLogged(g.A, g.B)
		}
		for k := range from.closingContacts {
			s.addClosing(&from.closingContacts[k])
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
	// Sensor overlaps begin and end in the order of the whole space, so that their lists are the
	// same, too.
	eventlog.SortEntries(t.sensorEvents)
	for k := range t.sensorEvents {
		e := &t.sensorEvents[k]
		if e.Kind&eventlog.Begin != 0 {
			s.addOverlap(e.A, e.B)
		} else {
			s.endOverlap(e.A, e.B)
		}
	}
	s.placedSurfaces = s.placedSurfaces[:0]
	s.gridStale = true
	s.movesSinceLayout += s.movingBodies
}

// add adds the counts of a subdomain.
func (c *Counts) add(o Counts) {
	c.Pairs += o.Pairs
	c.Sweeps += o.Sweeps
	c.Impacts += o.Impacts
	c.SpentBudgets += o.SpentBudgets
	c.Jammed += o.Jammed
	c.Blocked += o.Blocked
	c.inelastic += o.inelastic
	c.sensorEvents += o.sensorEvents
}
