package solver

import (
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/partition"
	"github.com/dango-physics/dango/internal/workers"
)

// team takes a step in parts of space, several at a time. The bits are those of the step taken as a whole.
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
type team struct {
	whole  *Space
	chunks []*chunk
	parts  []*region
	boxes  partition.Partition
	sample []collide.Vec3

	touch  float64 // the largest diameter, metres
	speed  float64 // mean speed of what moves
	reach  float64 // how many times the mean way of a step away something may be and still matter
	margin float64 // how far out of its box a part has guests
	count  int     // into how many parts the step is cut
	misses int     // how often in a row the guess was wrong
	pause  int     // steps to take as a whole before the next try

	tuner     workers.Tuner
	tried     bool // it was asked about this step
	good, bad int  // how many guesses of all were right, and wrong

	what stage                   // that is due
	span int                     // likewise
	does func(worker, piece int) // does a piece of what is due

	// What became of the bodies of the whole.
	bodies []body
	flags  []flags
	marks  []mark
	pulls  []collide.Vec3
	spins  []spin
	places []place
	visits []eventlog.Entry // the log's visits, in order
}

// stage is what a team is at.
type stage uint8

const (
	sorting   stage = iota // which bodies belong to which parts
	beginning              // the parts, up to their candidate pairs
	sweeping               // up to their first impacts
	checking               // the guests
	working                // the parts, to the end of the next span
	landing                // at the end of the step
)

// place says where a body is: of which part it is, and where among that part's bodies.
type place struct{ part, i int32 }

const (
	// firstReach is the first guess of a team's reach. What goes astray in a gas spreads by impacts, a diameter at a time, and so
	// farther than anything flies.
	firstReach, leastReach, mostReach = 6.5, 1, 100

	// spans is how many spans a step has, a power of two. More of them need fewer guests, and more waiting for each other: a gas of 10,000 has guests from 5.6 diameters
	// out with one span, from 4.4 with two, 3.9 with four and 3.3 with eight.
	spans = 4

	// leastPart is how many bodies of its own a part needs to be worth its guests.
	leastPart = 1500
)

// partsFor returns into how many parts a step is cut, going by how many bodies moved in the last one.
func (s *Space) partsFor() int {
	if s.Eager > 0 {
		return min(s.Workers, s.stirring/s.Eager)
	}
	return min(s.Workers, s.stirring/leastPart)
}

// splits reports whether the step is to be taken in parts.
func (s *Space) splits() bool {
	if s.team != nil {
		s.team.tried = false
	}
	n := s.partsFor()
	if n < 2 || s.region != nil {
		return false
	}
	if s.team == nil {
		s.team = &team{reach: firstReach}
	}
	if s.Pool == nil {
		s.Pool = new(workers.Pool)
	}
	t := s.team
	t.count = n
	if s.Eager > 0 {
		return true
	}
	if t.pause > 0 {
		t.pause--
		return false
	}
	t.tried = true
	return t.tuner.Parallel()
}

// beginParts cuts the step into parts and has each begin. It returns false, with all bodies as they were, if that isn't worth while.
func (s *Space) beginParts() bool {
	t := s.team
	s.laidOut++
	if n := t.count; len(t.parts) != n || len(t.chunks) != s.Workers || s.laidOut >= relayAfter {
		s.laidOut = 0
		s.sort()
		t.divide(s)
		t.partition(s, n)
	}
	s.unplaced = true // the grids are those of the parts
	s.statics.Update(s.Seconds)
	s.statics.UpdateFreeBox()
	s.noteStopped()
	s.markUnsolved()
	n := len(s.bodies)
	t.bodies, t.flags, t.marks = resize(t.bodies, n), resize(t.flags, n), resize(t.marks, n)
	t.pulls, t.spins = resize(t.pulls, n), resize(t.spins, len(s.spins))
	t.places = resize(t.places, n)
	t.margin = t.touch + float64(t.reach*t.speed*s.Seconds)
	t.muster()
	defer t.whole.Pool.Release()
	t.give(sorting, len(t.chunks))
	total := 0
	for _, some := range t.chunks {
		total += some.lists.Total()
	}
	if each := float64(total) / float64(min(len(t.chunks), len(t.parts))); each > 0.8*float64(s.Len()) && s.Eager == 0 {
		t.pause = relayAfter // too many guests
		s.forgetStep()
		return false
	}
	t.give(beginning, len(t.parts))
	return true
}

// sweep has the parts predict their first impacts.
func (t *team) sweep() {
	t.muster()
	defer t.whole.Pool.Release()
	t.give(sweeping, len(t.parts))
}

// finishParts has the parts take their events, once the contacts of the whole are solved. It returns false, with all bodies as the solution has left
// them, if that can't be done.
func (s *Space) finishParts() bool {
	t := s.team
	if !t.work() {
		t.bad++
		t.misses = min(t.misses+1, 10)
		t.reach = min(t.reach*1.15, mostReach)
		t.pause = 1<<t.misses - 2
		return false
	}
	t.good++
	t.misses = 0
	t.reach = max(t.reach*0.998, leastReach) // so that one guess in seventy is wrong
	t.commit(s)
	return true
}

// muster calls the workers.
func (t *team) muster() {
	t.whole.Pool.Acquire(workers.Solving, min(len(t.chunks), len(t.parts)), len(t.chunks))
}

// divide divides the bodies of the whole into as many chunks as there are workers.
func (t *team) divide(s *Space) {
	t.whole = s
	t.does = t.piece
	for len(t.chunks) < s.Workers {
		t.chunks = append(t.chunks, &chunk{team: t, number: len(t.chunks)})
	}
	t.chunks = t.chunks[:s.Workers]
}

// give has n pieces of a stage done.
func (t *team) give(what stage, n int) {
	t.what = what
	t.whole.Pool.Run(n, t.does)
}

// piece does piece k of what is due.
func (t *team) piece(_, k int) {
	if t.what == sorting {
		t.chunks[k].sort()
	} else {
		t.parts[k].take(t.what, t.span)
	}
}

// work works out the parts. It returns false if the guess was wrong.
func (t *team) work() bool {
	t.muster()
	defer t.whole.Pool.Release()
	n := len(t.parts)
	t.span = 1
	t.give(working, n)
	for t.right() {
		t.give(checking, n)
		if t.span == spans || !t.right() {
			break
		}
		t.span++
		t.give(working, n)
	}
	if t.right() {
		t.give(landing, n)
	}
	return t.right()
}

// right reports whether no part has failed yet.
func (t *team) right() bool {
	return !slices.ContainsFunc(t.parts, func(p *region) bool { return p.failed })
}

// solveForParts solves what is held, of all parts at once.
func (s *Space) solveForParts() {
	if s.idle() {
		return
	}
	if !s.fits() {
		s.layOut()
	}
	s.putAll(true)
	s.solveLastingContacts()
	s.unplaced = true // it isn't kept up to date
}

// commit makes what came of the parts the state of the whole.
func (t *team) commit(s *Space) {
	s.bodies, t.bodies = t.bodies, s.bodies
	s.flags, t.flags = t.flags, s.flags
	s.marks, t.marks = t.marks, s.marks
	s.pulls, t.pulls = t.pulls, s.pulls
	s.spins, t.spins = t.spins, s.spins
	for _, h := range s.halted { // what the solution has slowed down, and what it has crushed
		s.bodies[h.i].v = h.v
	}
	for k := range s.crushed {
		s.bodies[s.index[s.crushed[k].body]].v = collide.Vec3{}
	}
	t.visits = t.visits[:0]
	s.stirring = 0
	for _, p := range t.parts {
		from := &p.space
		s.stirring += from.stirring
		s.log.AddRun(&from.log)
		s.deep = append(s.deep, p.deep...)
		s.halted = append(s.halted, p.halted...)
		s.crushed = append(s.crushed, from.crushed...)
		for _, id := range from.roused {
			s.roused = append(s.roused, s.stills[id].nap)
		}
		for _, g := range from.begunContacts {
			s.addContact(g.a, g.b)
			s.markLogged(g.a, g.b)
		}
		s.Counts.add(from.Counts)
		if from.Counts.visits > 0 {
			from.log.Each(func(e *eventlog.Entry) {
				if e.Kind&eventlog.Sensor != 0 {
					t.visits = append(t.visits, *e)
				}
			})
		}
	}
	// Visits are begun and ended as in the step taken as a whole, so that their lists come to be the same, too.
	eventlog.SortEntries(t.visits)
	for k := range t.visits {
		e := &t.visits[k]
		if i := s.index[e.A]; e.Kind&eventlog.Begin != 0 {
			s.addStay(i, e.B)
		} else {
			s.endStay(i, e.B)
		}
	}
	s.restless = s.statics.Moving() > 0
	s.unplaced = true
	s.stirred += s.stirring
}

func (c *Counts) add(o Counts) {
	c.Pairs += o.Pairs
	c.Sweeps += o.Sweeps
	c.Impacts += o.Impacts
	c.Spent += o.Spent
	c.Blocked += o.Blocked
	c.lasting += o.lasting
	c.visits += o.visits
}
