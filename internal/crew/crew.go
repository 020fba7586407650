// Package crew lets several goroutines do the pieces of a job at the same time, and keeps them at hand between one job and the next.
//
// What a step has to share out takes some hundred microseconds, and as long passes until somebody asleep has been woken, on a processor that may have slept as well: for the next
// milliseconds it is slower than one that hasn't. So those who wait do so by looking, for a while, and only then by sleeping.
package crew

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Crew is some workers. The zero Crew is ready for use. Its methods are for one goroutine at a time, that of its caller, and that may be in one bubble of testing/synctest at a time.
type Crew struct {
	helpers  []*helper // all but the caller
	workers  int       // that have been mustered
	mustered bool      // and not been dismissed
	phase    Phase
	soon     [phases]bool // whether the next muster came soon after that phase, the last time
	ended    time.Time    // when the last muster ended
	stays    bool         // the helpers are to stay at hand

	job   func(worker, piece int)
	order atomic.Uint64   // what is due, an order
	turn  uint64          // the number of the last one
	taken []atomic.Uint64 // of each piece, the number of the last order of which it was begun
	left  atomic.Int32    // pieces of the order that aren't done
	here  atomic.Int32    // helpers that haven't been dismissed
	due   *bell           // rings when there is an order
	done  *bell           // rings when left or here comes to 0

	isDone  func() bool // left is 0
	isAlone func() bool // here is 0
}

// Phase tells the musters of a step apart, of which each has its own time until the next.
type Phase int

// The phases of a step.
const (
	Reading Phase = iota // the world
	Solving
	Writing // the world
	phases
)

const (
	// longest is how long somebody looks before falling asleep, or leaving.
	longest = 2 * time.Millisecond

	// era is how long a pause is that surely isn't one: the clock is another.
	era = time.Hour

	// mostLooks is how often somebody looks, in pieces of lookAtOnce, where the clock stands still meanwhile, as it does in a bubble of testing/synctest.
	mostLooks, lookAtOnce = 1 << 14, 256
)

// order is what the workers are to do: so many pieces of a job, none if they are dismissed, and a number that tells it from all orders before.
type order uint64

const pieceBits = 20

func (o order) turn() uint64 { return uint64(o) >> pieceBits }

func (o order) pieces() int { return int(o & (1<<pieceBits - 1)) }

// Muster lets so many workers, the caller among them and so at least 1, do the jobs of a phase, of up to so many pieces, until Dismiss. It panics if the last muster has not been dismissed.
func (c *Crew) Muster(phase Phase, workers, pieces int) {
	if c.isDone == nil {
		c.isDone = func() bool { return c.left.Load() == 0 }
		c.isAlone = func() bool { return c.here.Load() == 0 }
	}
	if c.mustered {
		panic("crew: a muster before the last one is dismissed")
	}
	c.mustered = true
	pause := time.Since(c.ended)
	if pause < 0 || pause > era {
		// In a bubble of testing/synctest, which has a clock of its own, nobody may wait for goroutines outside, nor be woken by them. Those leave by themselves.
		c.helpers, c.due, c.done = nil, newBell(), newBell()
		pause = era
	}
	c.soon[c.phase] = pause < longest
	c.phase, c.workers = phase, workers
	if len(c.taken) < pieces {
		c.taken = make([]atomic.Uint64, pieces)
	}
	for len(c.helpers) < workers-1 {
		h := &helper{crew: c, number: len(c.helpers) + 1, due: c.due, done: c.done}
		h.run, h.hears = h.serve, func() bool { return c.order.Load() != h.seen }
		h.comes = func() bool { return h.is.Load() == called }
		c.helpers = append(c.helpers, h)
	}
	looks := workers <= runtime.GOMAXPROCS(0) // or they had better make way
	c.due.looks, c.done.looks = looks, looks
	c.here.Store(int32(workers - 1))
	for _, h := range c.helpers[:workers-1] {
		h.seen = c.order.Load() // before it is called
		if !h.is.CompareAndSwap(atHand, called) {
			h.is.Store(called)
			go h.run()
		}
	}
}

// Do has all pieces of a job done by those that are mustered, and returns when they are. The same worker does the same pieces each time, as far as it has the time: what they need is in its processor's cache.
// If a job panics, only Dismiss may follow; helpers may go on with its other pieces until then.
func (c *Crew) Do(pieces int, job func(worker, piece int)) {
	if pieces == 0 {
		return
	}
	c.job = job
	c.left.Store(int32(pieces))
	c.work(0, c.announce(pieces))
	c.done.wait(c.isDone)
}

// Dismiss lets the helpers go. When it returns none of them looks at anything of the caller's any more. It doesn't wait for those that haven't come yet.
func (c *Crew) Dismiss() {
	c.stays = c.soon[c.phase] && c.due.looks
	for _, h := range c.helpers[:c.workers-1] {
		if h.is.CompareAndSwap(called, atHand) {
			c.here.Add(-1)
		}
	}
	c.announce(0)
	c.done.wait(c.isAlone)
	c.ended, c.mustered = time.Now(), false
}

// announce lets all helpers know what is due.
func (c *Crew) announce(pieces int) order {
	c.turn++
	o := order(c.turn<<pieceBits | uint64(pieces))
	c.order.Store(uint64(o))
	c.due.ring()
	return o
}

// work does those pieces of what is ordered that no other worker has begun, its own first.
func (c *Crew) work(worker int, o order) {
	for k := worker; k < o.pieces(); k += c.workers {
		c.take(worker, o, k)
	}
	for k := range o.pieces() {
		c.take(worker, o, k)
	}
}

// take does piece k of what is ordered, unless somebody has begun it. Whoever comes late, when another order is due, finds that somebody has.
func (c *Crew) take(worker int, o order, k int) {
	turn := o.turn()
	if last := c.taken[k].Load(); last >= turn || !c.taken[k].CompareAndSwap(last, turn) {
		return
	}
	c.job(worker, k)
	if c.left.Add(-1) == 0 {
		c.done.ring()
	}
}

// helper is a worker besides the caller.
type helper struct {
	crew   *Crew
	number int
	due    *bell // the crew's
	done   *bell // likewise
	is     atomic.Int32
	seen   uint64      // the last order that it has had a look at
	hears  func() bool // whether there is another
	comes  func() bool // whether it is called
	run    func()      // serve
}

// What a helper is.
const (
	away   int32 = iota
	atHand       // waits to be called, or is still on its way, and was dismissed before it came
	called
	helping
)

// serve helps whenever the helper is called, as long as that is soon.
func (h *helper) serve() {
	for {
		switch {
		case h.is.CompareAndSwap(called, helping):
			if h.help() {
				look(h.comes)
			}
		case h.is.CompareAndSwap(atHand, away):
			return
		}
	}
}

// help does what is ordered until the helper is dismissed, and returns whether to stay at hand.
func (h *helper) help() bool {
	c := h.crew
	for {
		h.due.wait(h.hears)
		h.seen = c.order.Load()
		if o := order(h.seen); o.pieces() > 0 {
			c.work(h.number, o)
			continue
		}
		stays := c.stays
		h.is.Store(atHand) // first: the caller may call it again as soon as nobody is here
		if c.here.Add(-1) == 0 {
			h.done.ring()
		}
		return stays
	}
}

// bell lets workers wait for each other.
type bell struct {
	mutex  sync.Mutex
	cond   sync.Cond
	asleep atomic.Int32
	looks  bool // whoever waits looks for a while before falling asleep
}

func newBell() *bell {
	b := new(bell)
	b.cond.L = &b.mutex
	return b
}

// wait returns as soon as is returns true. Whoever makes it true rings then.
func (b *bell) wait(is func() bool) {
	if b.looks && look(is) {
		return
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

// look waits until is returns true, or for too long, and reports which. Now and then it makes way for other goroutines.
func look(is func() bool) bool {
	start := time.Time{}
	for n := range mostLooks {
		for range lookAtOnce {
			if is() {
				return true
			}
		}
		switch {
		case n == 0:
			start = time.Now()
		case n%16 == 0:
			runtime.Gosched()
			fallthrough
		default:
			if time.Since(start) > longest {
				return false
			}
		}
	}
	return false
}
