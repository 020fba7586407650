package bridge

import (
	"runtime"
	"testing"
	"time"
)

// Several workers may share the rows from a fixed number of rows on, and do so in the first steps;
// below it one worker reads and writes them.
func TestManyRowsAreShared(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	for _, c := range []struct{ rows, want int }{{minSharedChunks*chunkRows - 1, 1}, {minSharedChunks * chunkRows, 2}} {
		w, _ := crowd(c.rows, 1e-3)
		p := newStepper(withWorkers(8))
		p.step(w)
		if got := len(p.parallel.workers); got != c.want {
			t.Errorf("%d rows: got %d workers, want %d", c.rows, got, c.want)
		}
	}
}

// One worker reads and writes them where that has taken less time.
func TestRowsAreNotSharedWhereThatTakesLonger(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	w, _ := crowd(minSharedChunks*chunkRows, 1e-3)
	p := newStepper(withWorkers(8))
	for range 40 {
		d := time.Millisecond
		if p.parallel.tuner.Parallel() {
			d *= 10
		}
		p.parallel.tuner.Record(d)
	}
	p.step(w)
	if got := len(p.parallel.workers); got != 1 {
		t.Errorf("got %d workers, want 1", got)
	}
}

// shared returns 1 if several workers did the last chunks, and 0 otherwise.
func (l *parallel) shared() int {
	for i := range l.chunks {
		if l.chunks[i].worker != l.chunks[0].worker {
			return 1
		}
	}
	return 0
}
