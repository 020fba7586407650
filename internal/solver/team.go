package solver

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dango-physics/dango/collide"
)

// team takes a step in parts of space, several at a time. The bits are those of the step taken as a whole.
//
// The boxes of the parts fill space. Each part is worked out as a space of its own (share.go): the bodies whose centres are in its box when the step
// begins, its own, and copies of those around it, its guests, as far out as what happens there may still matter to its own. How far that is nobody
// can know beforehand, so it is a guess, which is checked. A body's trail is a hash of all that happened to it: when, with what on which path, and
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
// lanes, changes anything. Something that concerns all parts at once, such as a wall that is stopped, makes the step be taken as a whole.
type team struct {
	whole  *Space
	lanes  []*lane
	parts  []*region
	cuts   []cut
	sample []collide.Vec3

	touch  float64 // the largest diameter, metres
	speed  float64 // mean speed of what moves
	reach  float64 // how many times the mean way of a step away something may be and still matter
	margin float64 // how far out of its box a part has guests
	count  int     // into how many parts the step is cut
	misses int     // how often in a row the guess was wrong
	pause  int     // steps to take as a whole before the next try

	trial     trial
	tried     bool // it was asked about this step
	good, bad int  // how many guesses of all were right, and wrong

	order   atomic.Uint64   // what is due, an order
	turn    uint64          // the number of the last one
	span    int             // the span that is due
	taken   []atomic.Uint64 // of each piece, the number of the last order of which it was begun
	left    atomic.Int32    // pieces of the order that aren't done
	isDone  func() bool     // left is 0
	due     bell            // rings when there is an order
	done    bell            // rings when left comes to 0
	here    atomic.Int32    // lanes that help
	isAlone func() bool     // here is 0

	// What became of the bodies of the whole.
	bodies []body
	flags  []flags
	marks  []mark
	pulls  []collide.Vec3
	spins  []spin
	places []place
	visits []Impact // the log's visits, in order
}

// stage is what the lanes of a team are at.
type stage uint8

const (
	sorting   stage = iota // which bodies belong to which parts
	beginning              // the parts, up to the end of the first span
	checking               // the guests
	working                // the parts, to the end of the next span
	landing                // at the end of the step
	dismissed              // the lanes, until the next step
)

// lane is a worker of a team.
type lane struct {
	team   *team
	number int
	lists  [][]int32   // for each part, those bodies of the lane's share of the whole that belong there
	moving int         // how many of its share move
	seen   uint64      // what it was ordered last
	hears  func() bool // whether there is another order
	run    func()      // serve
}

// place says where a body is: of which part it is, and where among that part's bodies.
type place struct{ part, i int32 }

// cut is a node of the tree of boxes: what lies before at along axis belongs to the first child. A child is a cut, or -1-k for part k.
type cut struct {
	axis     int
	at       float64
	children [2]int32
}

const (
	// firstReach is the first guess of a team's reach. What goes astray in a gas spreads by impacts, a diameter at a time, and so
	// farther than anything flies.
	firstReach, leastReach, mostReach = 6.5, 1, 100

	// spans is how many spans a step has, a power of two. More of them need fewer guests, and more waiting for each other: a gas of 10,000 has guests from 5.6 diameters
	// out with one span, from 4.4 with two, 3.9 with four and 3.3 with eight.
	spans = 4

	// leastPart is how many bodies of its own a part needs to be worth its guests.
	leastPart = 1500

	cutSample = 2048 // about how many bodies are looked at to choose where to cut
)

// partsFor returns into how many parts a step is cut, going by how many bodies moved in the last one.
func (s *Space) partsFor() int {
	if s.eager > 0 {
		return min(s.Workers, s.stirring/s.eager)
	}
	return min(s.Workers, s.stirring/leastPart)
}

// splits reports whether the step is to be taken in parts.
func (s *Space) splits() bool {
	n := s.partsFor()
	if n < 2 || s.region != nil {
		return false
	}
	if s.team == nil {
		s.team = &team{reach: firstReach}
		s.team.trial.begin(true)
	}
	t := s.team
	t.count, t.tried = n, false
	if s.eager > 0 {
		return true
	}
	if t.pause > 0 {
		t.pause--
		return false
	}
	t.tried = true
	return t.trial.inParts()
}

// ready has a look at how the step begins that was put off, before anything that lasts has its say: it changes nothing that counts.
// Sensors, walls and bodies come as near as they would if nothing held them.
func (s *Space) ready() {
	s.looking = true
	if s.putOff > 0 && s.seen == 0 {
		s.seen = 1
		s.begin()
	}
	if s.putOff > 1 && s.seen == 1 {
		s.seen = 2
		s.sweep()
	}
	s.looking = false
}

// inParts takes the whole step in parts. It returns false, with everything as it was, if that can't be done.
func (s *Space) inParts() bool {
	t := s.team
	s.laidOut++
	if n := t.count; len(t.parts) != n || len(t.lanes) != s.Workers || s.laidOut >= relayAfter {
		s.laidOut = 0
		s.sort()
		s.unplaced = true
		t.enlist(s)
		t.cutUp(s, n)
	}
	s.listSurfaces()
	s.solveWhole()
	n := len(s.bodies)
	t.bodies, t.flags, t.marks = resize(t.bodies, n), resize(t.flags, n), resize(t.marks, n)
	t.pulls, t.spins = resize(t.pulls, n), resize(t.spins, len(s.spins))
	t.places = resize(t.places, n)
	if need := max(len(t.lanes), len(t.parts)); len(t.taken) < need {
		t.taken = make([]atomic.Uint64, need)
	}
	t.call()
	defer t.dismiss()
	t.margin = t.touch + float64(t.reach*t.speed*s.Seconds)
	t.give(sorting, len(t.lanes))
	s.stirring = 0
	total := 0
	for _, l := range t.lanes {
		s.stirring += l.moving
		for _, list := range l.lists {
			total += len(list)
		}
	}
	if each := float64(total) / float64(min(len(t.lanes), len(t.parts))); each > 0.8*float64(s.Len()) && s.eager == 0 {
		t.pause = relayAfter // too many guests
		return false
	}
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

// work works out the parts. It returns false if the guess was wrong.
func (t *team) work() bool {
	n := len(t.parts)
	t.span = 1
	t.give(beginning, n)
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

// solveWhole solves what is held, of all parts at once.
func (s *Space) solveWhole() {
	if s.idle() {
		return
	}
	if s.unplaced || s.grid.Capacity() < len(s.bodies) {
		s.layOut()
		s.unplaced = true // it isn't kept up to date
	}
	s.putAll(true)
	s.holdTogether()
	s.solved = true
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
	t.visits, s.first = t.visits[:0], len(s.log)
	for _, p := range t.parts {
		from := &p.space
		s.log = append(s.log, from.log...)
		s.runs = append(s.runs, len(s.log))
		s.deep = append(s.deep, p.deep...)
		s.halted = append(s.halted, p.halted...)
		s.crushed = append(s.crushed, from.crushed...)
		for _, id := range from.roused {
			s.roused = append(s.roused, s.stills[id].nap)
		}
		for _, g := range from.grasped {
			s.addHold(g.a, g.b)
			s.told(g.a, g.b)
		}
		s.Counts.add(from.Counts)
		for k := 0; k < len(from.log) && from.Counts.visits > 0; k++ {
			if from.log[k].What&Visit != 0 {
				t.visits = append(t.visits, from.log[k])
			}
		}
	}
	// Visits are begun and ended as in the step taken as a whole, so that their lists come to be the same, too.
	slices.SortFunc(t.visits, func(a, b Impact) int {
		switch {
		case a.before(&b):
			return -1
		case b.before(&a):
			return 1
		}
		return 0
	})
	for k := range t.visits {
		e := &t.visits[k]
		if i := s.index[e.A]; e.What&Begins != 0 {
			s.addStay(i, e.B)
		} else {
			s.endStay(i, e.B)
		}
	}
	s.restless = s.moving > 0
	s.unplaced = true
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

// enlist makes as many lanes as there are workers.
func (t *team) enlist(s *Space) {
	t.whole = s
	t.due.cond.L, t.done.cond.L = &t.due.mutex, &t.done.mutex
	t.isDone = func() bool { return t.left.Load() == 0 }
	t.isAlone = func() bool { return t.here.Load() == 0 }
	for len(t.lanes) < s.Workers {
		l := &lane{team: t, number: len(t.lanes)}
		l.run, l.hears = l.serve, func() bool { return t.order.Load() != l.seen }
		t.lanes = append(t.lanes, l)
	}
	t.lanes = t.lanes[:s.Workers]
}

// order is what the lanes are to do: a stage, the span that it is about, and a number that tells it from all orders before.
type order uint64

func (o order) stage() stage { return stage(o & 0xff) }

func (o order) span() int { return int(o >> 8 & 0xff) }

// give orders n pieces of a stage and sees to it that they are done.
func (t *team) give(what stage, n int) {
	t.left.Store(int32(n))
	t.announce(what)
	t.lanes[0].work(order(t.order.Load()), n)
	t.done.wait(t.isDone)
}

// announce lets all lanes know what is due.
func (t *team) announce(what stage) {
	t.turn++
	t.order.Store(t.turn<<16 | uint64(t.span)<<8 | uint64(what))
	t.due.ring()
}

// bell lets lanes wait for each other.
type bell struct {
	mutex    sync.Mutex
	cond     sync.Cond
	asleep   atomic.Int32 // how many wait in vain for so long that they sleep
	patience int          // how often one looks before that
}

// longestLook is how often a lane looks before it falls asleep, which takes some hundred microseconds. Mostly what it waits for takes less long than it would take to wake it. And who
// wakes it does so on its own processor, where nothing is in the cache that the lane works with. But where there are more lanes than idle processors, it had better make way.
const longestLook = 50000

// wait returns as soon as is returns true. Whoever makes it true rings then.
func (b *bell) wait(is func() bool) {
	for range b.patience {
		if is() {
			return
		}
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.asleep.Add(1)
	for !is() {
		b.cond.Wait()
	}
	b.asleep.Add(-1)
}

// ring wakes those that wait.
func (b *bell) ring() {
	if b.asleep.Load() > 0 {
		b.mutex.Lock()
		b.cond.Broadcast()
		b.mutex.Unlock()
	}
}

// call lets the lanes of a team help until dismiss.
func (t *team) call() {
	helpers := t.lanes[1:min(len(t.lanes), len(t.parts))]
	for _, b := range []*bell{&t.due, &t.done} {
		b.patience = 0
		if len(helpers) < runtime.GOMAXPROCS(0) {
			b.patience = longestLook
		}
	}
	t.here.Store(int32(len(helpers)))
	for _, l := range helpers {
		l.seen = t.order.Load()
		go l.run()
	}
}

func (t *team) dismiss() {
	t.announce(dismissed)
	t.done.wait(t.isAlone)
}

// serve does what is ordered until the lane is dismissed.
func (l *lane) serve() {
	t := l.team
	for {
		t.due.wait(l.hears)
		l.seen = t.order.Load()
		switch o := order(l.seen); o.stage() {
		case dismissed:
			if t.here.Add(-1) == 0 {
				t.done.ring()
			}
			return
		case sorting:
			l.work(o, len(t.lanes))
		default:
			l.work(o, len(t.parts))
		}
	}
}

// work does those of n pieces of what is ordered that no other lane has begun, first those that it did before: they are in its processor's cache.
func (l *lane) work(o order, n int) {
	t := l.team
	for k := l.number; k < n; k += len(t.lanes) {
		t.take(o, k)
	}
	for k := range n {
		t.take(o, k)
	}
}

// take does piece k of what is ordered, unless somebody has begun it.
func (t *team) take(o order, k int) {
	turn := uint64(o >> 16)
	if last := t.taken[k].Load(); last >= turn || !t.taken[k].CompareAndSwap(last, turn) {
		return
	}
	if o.stage() == sorting {
		t.lanes[k].sort()
	} else {
		t.parts[k].take(o)
	}
	if t.left.Add(-1) == 0 {
		t.done.ring()
	}
}

// take does what is ordered.
func (p *region) take(o order) {
	switch o.stage() {
	case beginning:
		p.begin()
		p.run(o.span())
	case checking:
		p.check(p.endOf(o.span()))
	case working:
		p.mend(p.endOf(o.span() - 1))
		p.run(o.span())
	case landing:
		p.land()
	}
}

// sort finds out to which parts the bodies of the lane's share of the whole belong.
func (l *lane) sort() {
	t := l.team
	s := t.whole
	for len(l.lists) < len(t.parts) {
		l.lists = append(l.lists, nil)
	}
	l.lists = l.lists[:len(t.parts)]
	for k := range l.lists {
		l.lists[k] = l.lists[k][:0]
	}
	l.moving = 0
	n, all := len(s.bodies), len(t.lanes)
	for i := l.number * n / all; i < (l.number+1)*n/all; i++ {
		b := &s.bodies[i]
		s.before[i] = b.x
		if s.flags[i]&alive == 0 {
			t.bodies[i], t.flags[i], t.marks[i], t.pulls[i] = body{}, 0, s.marks[i], collide.Vec3{}
			continue
		}
		if s.stirs(int32(i)) {
			l.moving++
		}
		l.add(0, int32(i), &b.x)
	}
}

// add puts body i into the lists of the parts under node that it is in or near.
func (l *lane) add(node, i int32, x *collide.Vec3) {
	for node >= 0 {
		c := &l.team.cuts[node]
		d := along(x, c.axis) - c.at
		switch m := l.team.margin; {
		case d < -m:
			node = c.children[0]
		case d > m:
			node = c.children[1]
		default:
			l.add(c.children[0], i, x)
			node = c.children[1]
		}
	}
	l.lists[-1-node] = append(l.lists[-1-node], i)
}

func along(v *collide.Vec3, axis int) float64 {
	switch axis {
	case 0:
		return v.X
	case 1:
		return v.Y
	}
	return v.Z
}

// cutUp chooses the boxes, so that each has about as many of the moving bodies as the others.
func (t *team) cutUp(s *Space, n int) {
	for len(t.parts) < n {
		p := &region{team: t, number: int32(len(t.parts))}
		p.space.region = p
		t.parts = append(t.parts, p)
	}
	t.parts = t.parts[:n]
	t.cuts, t.sample = t.cuts[:0], t.sample[:0]
	t.touch, t.speed = 0, 0
	every := s.stirring/cutSample + 1
	moving := 0
	for i := range s.bodies {
		b := &s.bodies[i]
		t.touch = max(t.touch, 2*b.radius)
		if b.v == (collide.Vec3{}) {
			continue
		}
		t.speed += b.v.Length()
		if moving%every == 0 {
			t.sample = append(t.sample, b.x)
		}
		moving++
	}
	t.speed /= float64(max(moving, 1))
	inf := math.Inf(1)
	t.cut(t.sample, 0, n, [3]float64{-inf, -inf, -inf}, [3]float64{inf, inf, inf})
	for _, p := range t.parts {
		p.space.unplaced = true // its grid was made for another box
	}
}

// cut cuts the box from lo to hi, in which the bodies of sample are, into n parts, the first of them part first, and returns its node.
func (t *team) cut(sample []collide.Vec3, first, n int, lo, hi [3]float64) int32 {
	if n == 1 {
		t.parts[first].lo, t.parts[first].hi = lo, hi
		return int32(-1 - first)
	}
	axis, widest := 0, -1.0
	for a := range 3 {
		least, most := math.Inf(1), math.Inf(-1)
		for k := range sample {
			x := along(&sample[k], a)
			least, most = min(least, x), max(most, x)
		}
		if most-least > widest {
			axis, widest = a, most-least
		}
	}
	slices.SortFunc(sample, func(a, b collide.Vec3) int {
		switch x, y := along(&a, axis), along(&b, axis); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	half := n / 2
	middle := len(sample) * half / n
	at := min(max(0, lo[axis]), hi[axis]) // without bodies anywhere will do that is in the box
	if len(sample) > 0 {
		at = along(&sample[middle], axis)
	}
	node := int32(len(t.cuts))
	t.cuts = append(t.cuts, cut{axis: axis, at: at})
	below, above := hi, lo
	below[axis], above[axis] = at, at
	a := t.cut(sample[:middle], first, half, lo, below)
	b := t.cut(sample[middle:], first+half, n-half, above, hi)
	t.cuts[node].children = [2]int32{a, b}
	return node
}
