package solver

import (
	"runtime"
	"sync"
	"sync/atomic"
)

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
