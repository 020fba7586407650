package workers

import (
	"runtime"
	"sync/atomic"
	"time"
)

// Pool is a group of workers: the caller and helper goroutines. The zero Pool is ready for use.
//
// One goroutine at a time may call its methods. A pool may be used in several bubbles of
// testing/synctest, one after the other, and outside of them.
type Pool struct {
	helpers   []*helper    // all workers but the caller
	workers   int          // how many workers are acquired, the caller included
	acquired  bool         // between Acquire and Release
	phase     Phase        // of the last Acquire
	soonAfter [phases]bool // for each phase: the next Acquire came within spinTime, the last time
	released  time.Time    // when Release returned last
	keep      bool         // helpers spin after Release instead of leaving

	job     func(worker, piece int)
	order   atomic.Uint64   // the current order
	number  uint64          // its number
	started []atomic.Uint64 // for each piece, the number of the last order of which it was started
	pending atomic.Int32    // pieces of the current order that are not finished
	active  atomic.Int32    // helpers that have not been released yet
	work    *spinCond       // signalled when there is a new order
	done    *spinCond       // signalled when pending or active reaches 0

	isDone func() bool // pending is 0
	isIdle func() bool // active is 0
}

// Phase names the part of a step for which workers are acquired. The time until the next Acquire
// differs between phases, and Pool remembers it for each.
type Phase int

// The phases of a step.
const (
	Reading Phase = iota // components are copied into the solver
	Solving
	Writing  // results are copied into components
	Querying // the game asks many questions at once
	phases
)

// clockJump is a time between two uses of a pool that is too long to be real: the clock is a
// different one. The clock of a synctest bubble starts in the year 2000.
const clockJump = time.Hour

// order is what the workers have to do: the number of pieces in the low bits (0 means that they are
// released), and above them a number that is different for each order.
type order uint64

const pieceBits = 20

func (o order) number() uint64 { return uint64(o) >> pieceBits }

func (o order) pieces() int { return int(o & (1<<pieceBits - 1)) }

// Acquire makes workers, the caller and workers-1 helpers, available for jobs of at most pieces
// pieces, until Release. workers is at least 1. Acquire panics if the pool is acquired already.
func (p *Pool) Acquire(phase Phase, workers, pieces int) {
	if p.isDone == nil {
		p.isDone = func() bool { return p.pending.Load() == 0 }
		p.isIdle = func() bool { return p.active.Load() == 0 }
	}
	if p.acquired {
		panic("workers: Acquire before the last Release")
	}
	p.acquired = true
	pause := time.Since(p.released)
	if pause < 0 || pause > clockJump {
		// The pool was last used outside of this synctest bubble, or in another one. Goroutines of
		// a bubble must not wait for goroutines outside of it, or be woken by them. The old helpers
		// leave when they have spun for spinTime.
		p.helpers, p.work, p.done = nil, newSpinCond(), newSpinCond()
		pause = clockJump
	}
	p.soonAfter[p.phase] = pause < spinTime
	p.phase, p.workers = phase, workers
	if len(p.started) < pieces {
		p.started = make([]atomic.Uint64, pieces)
	}
	for len(p.helpers) < workers-1 {
		p.helpers = append(p.helpers, newHelper(p, len(p.helpers)+1))
	}
	spin := workers <= runtime.GOMAXPROCS(0) // otherwise a spinning worker takes the processor from a working one
	p.work.spin, p.done.spin = spin, spin
	p.active.Store(int32(workers - 1))
	for _, h := range p.helpers[:workers-1] {
		h.seen = p.order.Load() // before the helper can start
		if !h.state.CompareAndSwap(waiting, called) {
			h.state.Store(called)
			go h.run()
		}
	}
}

// Run calls job once for each piece from 0 to pieces-1, on all acquired workers at the same time,
// and returns when all calls have returned. A worker prefers the pieces that it had in the run
// before, because their data may still be in its processor's cache.
//
// If a call of job panics, only Release may follow. Helpers may continue with other pieces until
// then.
func (p *Pool) Run(pieces int, job func(worker, piece int)) {
	if pieces == 0 {
		return
	}
	p.job = job
	p.pending.Store(int32(pieces))
	p.execute(0, p.issue(pieces))
	p.done.wait(p.isDone)
}

// Release ends the use of the helpers. After it returns, no helper accesses any memory of the
// caller. Release doesn't wait for helpers that have not started yet.
func (p *Pool) Release() {
	p.keep = p.soonAfter[p.phase] && p.work.spin
	for _, h := range p.helpers[:p.workers-1] {
		if h.state.CompareAndSwap(called, waiting) {
			p.active.Add(-1)
		}
	}
	p.issue(0)
	p.done.wait(p.isIdle)
	p.released, p.acquired = time.Now(), false
}

// issue publishes the next order.
func (p *Pool) issue(pieces int) order {
	p.number++
	o := order(p.number<<pieceBits | uint64(pieces))
	p.order.Store(uint64(o))
	p.work.broadcast()
	return o
}

// execute runs the pieces of an order that no other worker has started, the worker's preferred
// pieces first.
func (p *Pool) execute(worker int, o order) {
	for k := worker; k < o.pieces(); k += p.workers {
		p.tryPiece(worker, o, k)
	}
	for k := range o.pieces() {
		p.tryPiece(worker, o, k)
	}
}

// tryPiece runs piece k of an order, unless it was started before. For an outdated order it does
// nothing: all of its pieces were started before.
func (p *Pool) tryPiece(worker int, o order, k int) {
	number := o.number()
	if last := p.started[k].Load(); last >= number || !p.started[k].CompareAndSwap(last, number) {
		return
	}
	p.job(worker, k)
	if p.pending.Add(-1) == 0 {
		p.done.broadcast()
	}
}

// helper is a worker other than the caller.
type helper struct {
	pool     *Pool
	number   int
	work     *spinCond // the pool's, from when the helper was made
	done     *spinCond // likewise
	state    atomic.Int32
	seen     uint64      // the last order that the helper has seen
	hasOrder func() bool // whether there is a new one
	isCalled func() bool // whether state is called
	run      func()      // loop
}

// States of a helper.
const (
	absent  int32 = iota // has no goroutine
	waiting              // has a goroutine that can be called; it may not have started yet
	called               // acquired, but not started
	running              // executes orders
)

func newHelper(p *Pool, number int) *helper {
	h := &helper{pool: p, number: number, work: p.work, done: p.done}
	h.run = h.loop
	h.hasOrder = func() bool { return p.order.Load() != h.seen }
	h.isCalled = func() bool { return h.state.Load() == called }
	return h
}

// loop executes orders whenever the helper is called, and returns when it has waited too long for a
// call.
func (h *helper) loop() {
	for {
		switch {
		case h.state.CompareAndSwap(called, running):
			if h.executeOrders() {
				spin(h.isCalled)
			}
		case h.state.CompareAndSwap(waiting, absent):
			return
		}
	}
}

// executeOrders executes orders until the helper is released. It reports whether to wait for the
// next call.
func (h *helper) executeOrders() bool {
	p := h.pool
	for {
		h.work.wait(h.hasOrder)
		h.seen = p.order.Load()
		if o := order(h.seen); o.pieces() > 0 {
			p.execute(h.number, o)
			continue
		}
		keep := p.keep
		h.state.Store(waiting) // before active goes down: the caller may call the helper again as soon as it is 0
		if p.active.Add(-1) == 0 {
			h.done.broadcast()
		}
		return keep
	}
}
