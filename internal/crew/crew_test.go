package crew

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Every piece of every job is done once, and before Do returns, by however many workers on however many processors.
func TestEveryPieceIsDoneOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(processors)
		r := rand.New(rand.NewPCG(1, uint64(processors)))
		var c Crew
		done := make([]int, 40) // not atomic: the race detector sees a piece that is done twice, or too late
		var busy [8]atomic.Int32
		job := func(worker, piece int) {
			if busy[worker].Add(1) > 1 {
				t.Error("a worker does two pieces at once")
			}
			done[piece]++
			if piece%7 == 0 {
				runtime.Gosched()
			}
			busy[worker].Add(-1)
		}
		for range 300 {
			workers, most := 1+r.IntN(6), 1+r.IntN(40)
			c.Muster(Phase(r.IntN(int(phases))), workers, most)
			for range r.IntN(5) {
				pieces := 1 + r.IntN(most)
				clear(done)
				c.Do(pieces, job)
				for k, n := range done {
					if want := min(max(pieces-k, 0), 1); n != want {
						t.Fatalf("%d workers: piece %d of %d is done %d times", workers, k, pieces, n)
					}
				}
			}
			c.Dismiss()
			if r.IntN(50) == 0 {
				untilAway(t, &c)
			}
		}
	}
}

// Whoever comes with an order that isn't due any more does nothing.
func TestWhoComesLateDoesNothing(t *testing.T) {
	var c Crew
	n := 0
	job := func(int, int) { n++ }
	c.Muster(Solving, 1, 2)
	defer c.Dismiss()
	c.Do(2, job)
	late := order(c.order.Load())
	c.Do(2, job)
	c.take(0, late, 1)
	if n != 4 {
		t.Errorf("%d pieces were done, not 4", n)
	}
}

// A job that panics is over when the crew is dismissed, and the next one is done as ever.
func TestAPanicCostsNobodyElseAnything(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var c Crew
	for range 200 {
		func() {
			defer func() {
				if recover() == nil {
					t.Fatal("the panic is lost")
				}
			}()
			c.Muster(Solving, 4, 8)
			defer c.Dismiss()
			c.Do(8, func(worker, _ int) {
				if worker == 0 {
					panic("worker 0")
				}
			})
			panic("worker 0 had nothing to do")
		}()
		var done [8]int
		c.Muster(Solving, 4, 8)
		c.Do(8, func(_, k int) { done[k]++ })
		c.Dismiss()
		if done != [8]int{1, 1, 1, 1, 1, 1, 1, 1} {
			t.Fatalf("pieces are done %v times", done)
		}
	}
}

// Nobody is mustered for two things at once.
func TestASecondMusterPanics(t *testing.T) {
	var c Crew
	c.Muster(Reading, 1, 1)
	defer func() {
		if recover() == nil {
			t.Error("it doesn't")
		}
		c.Dismiss()
	}()
	c.Muster(Reading, 1, 1)
}

// A crew that nobody musters any more leaves no goroutine behind.
func TestWhoIsNotCalledAgainLeaves(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	before := runtime.NumGoroutine()
	var c Crew
	for range 20 {
		c.Muster(Solving, 4, 4)
		c.Do(4, func(int, int) {})
		c.Dismiss()
	}
	untilAway(t, &c)
	for start := time.Now(); runtime.NumGoroutine() > before; runtime.Gosched() { // of other tests' helpers some may have been leaving
		if time.Since(start) > time.Minute {
			t.Fatalf("there are %d goroutines, and were %d", runtime.NumGoroutine(), before)
		}
	}
}

// untilAway makes way for the helpers until all have left.
func untilAway(t *testing.T, c *Crew) {
	t.Helper()
	start := time.Now()
	for _, h := range c.helpers {
		for h.is.Load() != away {
			if time.Since(start) > time.Minute {
				t.Fatalf("helper %d is %d", h.number, h.is.Load())
			}
			runtime.Gosched()
		}
	}
}

// Helpers leave also where the clock stands still while they look.
func TestWhoLooksLeavesWhereTheClockStandsStill(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	synctest.Test(t, func(t *testing.T) {
		var c Crew
		for range 100 {
			c.Muster(Solving, 2, 100)
			c.Do(100, func(int, int) { runtime.Gosched() })
			c.Dismiss()
		}
		synctest.Wait()
		if is := c.helpers[0].is.Load(); is != away {
			t.Errorf("the helper is %d", is)
		}
	})
}

// In a bubble of testing/synctest nobody waits for helpers that are outside, though they are at hand, or on their way.
func TestABubbleHasHelpersOfItsOwn(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 2} {
		runtime.GOMAXPROCS(processors)
		for range 4 {
			var c Crew
			var done atomic.Int32
			steps := func(job func(worker, piece int)) {
				for range 3 {
					c.Muster(Solving, 2, 12)
					c.Do(12, func(worker, piece int) {
						done.Add(1)
						job(worker, piece)
					})
					c.Dismiss()
				}
			}
			nothing := func(int, int) {}
			steps(nothing)
			synctest.Test(t, func(*testing.T) {
				steps(func(worker, piece int) {
					runtime.Gosched()
					if worker > 0 && piece == 1 {
						time.Sleep(10 * time.Millisecond) // takes no time in here
					}
				})
			})
			steps(nothing)
			if n := done.Load(); n != 3*3*12 {
				t.Fatalf("%d pieces were done, not %d", n, 3*3*12)
			}
		}
	}
}

// On one processor a helper doesn't begin before the caller makes way for it. The caller doesn't.
func TestNobodyWaitsForWhoHasNotCome(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var c Crew
	absent := 0
	for range 100 {
		c.Muster(Solving, 3, 3)
		c.Do(3, func(int, int) {})
		c.Dismiss()
		if n := c.here.Load(); n != 0 {
			t.Fatalf("%d are here after they were dismissed", n)
		}
		for _, h := range c.helpers {
			if h.is.Load() == atHand {
				absent++
			}
		}
	}
	if absent < 100 {
		t.Errorf("%d of 200 times a helper hadn't come when all was done", absent)
	}
}

// Where one muster follows soon upon the other, a helper's goroutine is the one that it was.
func TestWhoIsCalledAgainSoonIsAtHand(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("this platform has one processor, where nobody stays")
	}
	var c Crew
	var begun, came atomic.Int32
	for found, musters := 0, 0; found < 100; musters++ {
		if musters == 20000 {
			t.Fatalf("a helper that came was the one before %d times, and began %d times", found, begun.Load())
		}
		before := begun.Load()
		came.Store(0)
		c.Muster(Reading, 2, 2)
		if h := c.helpers[0]; musters == 0 {
			run := h.run
			h.run = func() { begun.Add(1); run() } // from the second time on
		}
		c.Do(2, func(worker, _ int) {
			came.Or(int32(worker))
			for start := time.Now(); came.Load() == 0 && time.Since(start) < longest; {
			}
		})
		c.Dismiss()
		if came.Load() == 1 && musters > 0 && begun.Load() == before {
			found++
		}
	}
}

// A phase that the next comes long after lets its helpers go, whatever the other phases do.
func TestAPhaseWithALongPauseAfterItKeepsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where no time passes but by Sleep
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
		var c Crew
		for k := range 4 {
			c.Muster(Reading, 2, 1)
			c.Dismiss()
			if want := k > 0 && runtime.GOMAXPROCS(0) > 1; c.stays != want {
				t.Errorf("step %d: after reading they stay: %v, want %v", k, c.stays, want)
			}
			c.Muster(Writing, 2, 1)
			c.Dismiss()
			if c.stays {
				t.Errorf("step %d: they stay for the next one, which is long in coming", k)
			}
			time.Sleep(longest)
		}
	})
}

// Whoever sleeps while waiting for another is woken.
func TestABellWakes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	a, b := newBell(), newBell()
	const rounds = 100000
	var x, y atomic.Int32
	go func() {
		for k := range int32(rounds) {
			a.wait(func() bool { return x.Load() > k })
			y.Store(k + 1)
			b.ring()
		}
	}()
	end := make(chan bool)
	go func() {
		for k := range int32(rounds) {
			x.Store(k + 1)
			a.ring()
			b.wait(func() bool { return y.Load() > k })
		}
		close(end)
	}()
	select {
	case <-end:
	case <-time.After(time.Minute):
		t.Fatalf("nobody wakes after %d rounds", x.Load())
	}
}

// It is known of a sleeper before it has its last look.
func TestASleeperIsCountedBeforeItLooks(t *testing.T) {
	b := newBell()
	n := int32(0)
	b.wait(func() bool { n = b.asleep.Load(); return true })
	if n != 1 || b.asleep.Load() != 0 {
		t.Errorf("%d sleep before it looks, and %d when it is awake", n, b.asleep.Load())
	}
}

// AllocsPerRun would count on one processor only, where nobody looks or stays. Now and then the runtime makes a goroutine anew that it has let go.
func TestAWarmMusterAllocatesNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	var c Crew
	job := func(int, int) {}
	count := func(musters int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range musters {
			c.Muster(Solving, 2, 12)
			c.Do(12, job)
			c.Dismiss()
		}
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs
	}
	count(100)
	if n := count(1000); n > 100 {
		t.Errorf("%d allocations in 1000 musters", n)
	}
}

func BenchmarkDo(b *testing.B) {
	var c Crew
	c.Muster(Solving, 2, 2)
	defer c.Dismiss()
	job := func(int, int) {}
	for b.Loop() {
		c.Do(2, job)
	}
}

func BenchmarkMuster(b *testing.B) {
	var c Crew
	job := func(int, int) {}
	for b.Loop() {
		c.Muster(Solving, 2, 2)
		c.Do(2, job)
		c.Dismiss()
	}
}
