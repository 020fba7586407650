package workers

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dango-physics/dango/internal/slow"
)

// Run runs every piece exactly once before it returns, for any number of workers and processors.
func TestEveryPieceRunsOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(processors)
		r := rand.New(rand.NewPCG(1, uint64(processors)))
		var p Pool
		runs := make([]int, 40) // not atomic, so that the race detector finds a piece that runs twice or too late
		var busy [8]atomic.Int32
		job := func(worker, piece int) {
			if busy[worker].Add(1) > 1 {
				t.Error("a worker runs two pieces at the same time")
			}
			runs[piece]++
			if piece%7 == 0 {
				runtime.Gosched()
			}
			busy[worker].Add(-1)
		}
		for range 300 {
			workers, most := 1+r.IntN(6), 1+r.IntN(40)
			p.Acquire(Phase(r.IntN(int(phases))), workers, most)
			for range r.IntN(5) {
				pieces := 1 + r.IntN(most)
				clear(runs)
				p.Run(pieces, job)
				for k, n := range runs {
					if want := min(max(pieces-k, 0), 1); n != want {
						t.Fatalf("%d workers: piece %d of %d ran %d times", workers, k, pieces, n)
					}
				}
			}
			p.Release()
			if r.IntN(50) == 0 {
				waitUntilAbsent(t, &p)
			}
		}
	}
}

// A worker that still has an outdated order runs nothing.
func TestAnOutdatedOrderRunsNothing(t *testing.T) {
	var p Pool
	n := 0
	job := func(int, int) { n++ }
	p.Acquire(Solving, 1, 2)
	defer p.Release()
	p.Run(2, job)
	outdated := order(p.order.Load())
	p.Run(2, job)
	p.tryPiece(0, outdated, 1)
	if n != 4 {
		t.Errorf("%d pieces ran, want 4", n)
	}
}

// After a panic in a job and a Release the pool works as before.
func TestThePoolWorksAfterAPanic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var p Pool
	for range 200 {
		func() {
			defer func() {
				if recover() == nil {
					t.Fatal("the panic did not reach the caller of Run")
				}
			}()
			p.Acquire(Solving, 4, 8)
			defer p.Release()
			p.Run(8, func(worker, _ int) {
				if worker == 0 {
					panic("worker 0")
				}
			})
			panic("worker 0 got no piece")
		}()
		var done [8]int
		p.Acquire(Solving, 4, 8)
		p.Run(8, func(_, k int) { done[k]++ })
		p.Release()
		if done != [8]int{1, 1, 1, 1, 1, 1, 1, 1} {
			t.Fatalf("the pieces ran %v times, want once each", done)
		}
	}
}

// A pool can be acquired once at a time.
func TestASecondAcquirePanics(t *testing.T) {
	var p Pool
	p.Acquire(Reading, 1, 1)
	defer func() {
		if recover() == nil {
			t.Error("Acquire of an acquired pool did not panic")
		}
		p.Release()
	}()
	p.Acquire(Reading, 1, 1)
}

// A pool that is no longer used leaves no goroutine behind.
func TestUnusedHelpersLeave(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	before := runtime.NumGoroutine()
	var p Pool
	for range 20 {
		p.Acquire(Solving, 4, 4)
		p.Run(4, func(int, int) {})
		p.Release()
	}
	waitUntilAbsent(t, &p)
	// Helpers of other tests may be among those that were there before.
	for start := time.Now(); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Since(start) > time.Minute {
			t.Fatalf("%d goroutines are left, there were %d before", runtime.NumGoroutine(), before)
		}
	}
}

// waitUntilAbsent yields to the helpers until all of them have left.
func waitUntilAbsent(t *testing.T, p *Pool) {
	t.Helper()
	start := time.Now()
	for _, h := range p.helpers {
		for h.state.Load() != absent {
			if time.Since(start) > time.Minute {
				t.Fatalf("helper %d is in state %d", h.number, h.state.Load())
			}
			runtime.Gosched()
		}
	}
}

// Helpers leave even if the clock stands still while they spin.
func TestHelpersLeaveWhenTheClockStandsStill(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	synctest.Test(t, func(t *testing.T) {
		var p Pool
		for range 100 {
			p.Acquire(Solving, 2, 100)
			p.Run(100, func(int, int) { runtime.Gosched() })
			p.Release()
		}
		synctest.Wait()
		if state := p.helpers[0].state.Load(); state != absent {
			t.Errorf("the helper is in state %d", state)
		}
	})
}

// In a bubble of testing/synctest the pool never waits for helpers that were started outside of it,
// even if those are still waiting for a call or have not started yet.
func TestABubbleHasItsOwnHelpers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 2} {
		runtime.GOMAXPROCS(processors)
		for range 4 {
			var p Pool
			var done atomic.Int32
			steps := func(job func(worker, piece int)) {
				for range 3 {
					p.Acquire(Solving, 2, 12)
					p.Run(12, func(worker, piece int) {
						done.Add(1)
						job(worker, piece)
					})
					p.Release()
				}
			}
			nothing := func(int, int) {}
			steps(nothing)
			synctest.Test(t, func(*testing.T) {
				steps(func(worker, piece int) {
					runtime.Gosched()
					if worker > 0 && piece == 1 {
						time.Sleep(10 * time.Millisecond) // takes no real time in a bubble
					}
				})
			})
			steps(nothing)
			if n := done.Load(); n != 3*3*12 {
				t.Fatalf("%d pieces ran, want %d", n, 3*3*12)
			}
		}
	}
}

// On one processor a helper starts only when the caller yields. Release does not wait for helpers
// that have not started.
func TestReleaseDoesNotWaitForHelpersThatHaveNotStarted(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var p Pool
	late := 0
	for range 100 {
		p.Acquire(Solving, 3, 3)
		p.Run(3, func(int, int) {})
		p.Release()
		if n := p.active.Load(); n != 0 {
			t.Fatalf("%d helpers are active after Release", n)
		}
		for _, h := range p.helpers {
			if h.state.Load() == waiting {
				late++
			}
		}
	}
	if late < 100 {
		t.Errorf("a helper had not started when the job was done in %d of 200 cases, want at least 100", late)
	}
}

// When the next Acquire comes soon, a helper keeps its goroutine.
func TestAHelperThatIsCalledAgainSoonKeepsItsGoroutine(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("this platform has one processor, where helpers always leave")
	}
	var p Pool
	var starts, helped atomic.Int32
	for kept, n := 0, 0; kept < 100; n++ {
		if n == 20000 {
			t.Fatalf("the helper kept its goroutine %d times and started %d times", kept, starts.Load())
		}
		before := starts.Load()
		helped.Store(0)
		p.Acquire(Reading, 2, 2)
		if h := p.helpers[0]; n == 0 {
			run := h.run
			h.run = func() { starts.Add(1); run() } // from the second time on
		}
		p.Run(2, func(worker, _ int) {
			helped.Or(int32(worker))
			for start := time.Now(); helped.Load() == 0 && time.Since(start) < spinTime; {
			}
		})
		p.Release()
		if helped.Load() == 1 && n > 0 && starts.Load() == before {
			kept++
		}
	}
}

// Helpers leave after a phase that is followed by a long pause, whatever comes after the other
// phases.
func TestNoHelperIsKeptAfterAPhaseWithALongPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where time passes only in Sleep
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
		var p Pool
		for k := range 4 {
			p.Acquire(Reading, 2, 1)
			p.Release()
			if want := k > 0 && runtime.GOMAXPROCS(0) > 1; p.keep != want {
				t.Errorf("step %d: helpers are kept after Reading: %v, want %v", k, p.keep, want)
			}
			p.Acquire(Writing, 2, 1)
			p.Release()
			if p.keep {
				t.Errorf("step %d: helpers are kept after Writing, which a long pause follows", k)
			}
			time.Sleep(spinTime)
		}
	})
}

// Every broadcast reaches a waiter that has blocked.
func TestBroadcastWakesBlockedWaiters(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	a, b := newSpinCond(), newSpinCond()
	const rounds = 100000
	var x, y atomic.Int32
	go func() {
		for k := range int32(rounds) {
			a.wait(func() bool { return x.Load() > k })
			y.Store(k + 1)
			b.broadcast()
		}
	}()
	end := make(chan bool)
	go func() {
		for k := range int32(rounds) {
			x.Store(k + 1)
			a.broadcast()
			b.wait(func() bool { return y.Load() > k })
		}
		close(end)
	}()
	select {
	case <-end:
	case <-time.After(time.Minute):
		t.Fatalf("a waiter was not woken after %d rounds", x.Load())
	}
}

// A waiter is counted as blocked before its last check, so that no broadcast is missed in between.
func TestAWaiterIsCountedBeforeItsLastCheck(t *testing.T) {
	b := newSpinCond()
	n := int32(0)
	b.wait(func() bool { n = b.blocked.Load(); return true })
	if n != 1 || b.blocked.Load() != 0 {
		t.Errorf("%d waiters are counted during the check and %d after it, want 1 and 0", n, b.blocked.Load())
	}
}

// testing.AllocsPerRun would use one processor, where helpers neither spin nor stay. The runtime
// sometimes allocates a goroutine again that it has freed, so a few allocations are allowed.
func TestAWarmPoolAllocatesNothing(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts allocations, to which the race detector adds and which no platform changes")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	var p Pool
	job := func(int, int) {}
	count := func(times int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range times {
			p.Acquire(Solving, 2, 12)
			p.Run(12, job)
			p.Release()
		}
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs
	}
	count(100)
	if n := count(1000); n > 100 {
		t.Errorf("%d allocations in 1000 times Acquire, Run and Release", n)
	}
}

func BenchmarkRun(b *testing.B) {
	var p Pool
	p.Acquire(Solving, 2, 2)
	defer p.Release()
	job := func(int, int) {}
	for b.Loop() {
		p.Run(2, job)
	}
}

func BenchmarkAcquire(b *testing.B) {
	var p Pool
	job := func(int, int) {}
	for b.Loop() {
		p.Acquire(Solving, 2, 2)
		p.Run(2, job)
		p.Release()
	}
}
