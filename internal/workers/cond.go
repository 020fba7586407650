package workers

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// spinTime is how long a goroutine spins before it blocks. With 0.1 ms, one of two workers was
	// nearly always waking up, and a step of 10,000 bodies took 6.3 ms instead of 4.9. Between 1
	// and 8 ms there was no difference; longer would only keep processors busy.
	spinTime = 2 * time.Millisecond

	// A goroutine spins for at most maxSpins rounds of spinChecks checks each. The limit matters
	// only where the clock stands still, as it does in a bubble of testing/synctest.
	maxSpins, spinChecks = 1 << 14, 256
)

// spinCond is a condition variable whose waiters spin before they block.
type spinCond struct {
	mutex   sync.Mutex
	cond    sync.Cond
	blocked atomic.Int32 // waiters that have stopped spinning
	spin    bool         // waiters spin before they block
}

func newSpinCond() *spinCond {
	c := new(spinCond)
	c.cond.L = &c.mutex
	return c
}

// wait returns as soon as condition returns true. Whoever makes it true calls broadcast afterwards.
func (c *spinCond) wait(condition func() bool) {
	if c.spin && spin(condition) {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	// The counter goes up before the check: a broadcast that comes after the check then finds a
	// waiter.
	c.blocked.Add(1)
	for !condition() {
		c.cond.Wait()
	}
	c.blocked.Add(-1)
}

// broadcast wakes all waiters.
func (c *spinCond) broadcast() {
	if c.blocked.Load() > 0 {
		c.mutex.Lock()
		c.cond.Broadcast()
		c.mutex.Unlock()
	}
}

// spin waits until condition returns true or spinTime is over, and reports which. It yields to
// other goroutines from time to time.
func spin(condition func() bool) bool {
	start := time.Time{}
	for n := range maxSpins {
		for range spinChecks {
			if condition() {
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
			if time.Since(start) > spinTime {
				return false
			}
		}
	}
	return false
}
