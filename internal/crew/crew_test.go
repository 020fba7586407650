package crew

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
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
				time.Sleep(2 * longest)
			}
		}
	}
}

// A crew that nobody musters any more leaves no goroutine behind.
func TestWhoIsNotCalledAgainLeaves(t *testing.T) {
	before := runtime.NumGoroutine()
	var c Crew
	for range 20 {
		c.Muster(Solving, 4, 4)
		c.Do(4, func(int, int) {})
		c.Dismiss()
	}
	for tries := 0; runtime.NumGoroutine() > before; tries++ {
		if tries == 1000 {
			t.Fatalf("there are %d goroutines, and were %d", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
	for _, h := range c.helpers {
		if h.is.Load() != away {
			t.Errorf("helper %d is %d", h.number, h.is.Load())
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

// Where one muster follows soon upon the other, the second finds the helpers at hand.
func TestWhoIsCalledAgainSoonIsAtHand(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	}
	var c Crew
	for range 10000 {
		c.Muster(Reading, 2, 1000)
		c.Do(1000, func(int, int) {})
		c.Dismiss()
		if c.helpers[0].is.Load() == atHand && c.stays {
			return
		}
	}
	t.Error("nobody was ever at hand")
}

// A phase that the next comes long after lets its helpers go, whatever the other phases do.
func TestAPhaseWithALongPauseAfterItKeepsNobody(t *testing.T) {
	var c Crew
	for range 4 {
		c.Muster(Reading, 2, 1)
		c.Dismiss()
		c.Muster(Writing, 2, 1)
		c.Dismiss()
		if c.stays {
			t.Fatal("they stay for the next step, which is long in coming")
		}
		time.Sleep(2 * longest)
	}
}

func TestAWarmMusterAllocatesNothing(t *testing.T) {
	var c Crew
	job := func(int, int) {}
	step := func() {
		c.Muster(Solving, 3, 12)
		c.Do(12, job)
		c.Dismiss()
	}
	for range 100 {
		step()
	}
	if n := testing.AllocsPerRun(100, step); n > 0 {
		t.Errorf("%v allocations", n)
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
