package systems

import (
	"runtime"
	"testing"
	"time"

	"github.com/dango-physics/dango/internal/workers"
)

// Rows are read, and written, by several lanes or by one, whichever has taken less time.
func TestRowsAreSharedWhereThatIsSooner(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("this platform has one processor, where the second lane never comes in time")
	}
	w, _ := crowd(8*pieceRows, 1e-3)
	for _, reading := range []bool{true, false} {
		read, written := 0, 0
		for tries := 0; read+written == 0 && tries < 200; tries++ { // on a busy machine the second lane may come too late
			p := NewPhysics(Config{Workers: 2})
			learn(&p.lanes.reading, reading)
			learn(&p.lanes.writing, !reading)
			for range 8 { // fewer than after which the other way is tried
				p.broadphase(w, true)
				read += p.lanes.shared()
				p.respond(w, true)
				written += p.lanes.shared()
			}
		}
		if (read > 0) != reading || (written > 0) == reading {
			t.Errorf("it is sooner for reading: %v, else for writing: %d steps were read by several, and %d written", reading, read, written)
		}
	}
}

// What a way takes is noted: one after the other both are tried.
func TestBothWaysToShareRowsAreTried(t *testing.T) {
	w, _ := crowd(8*pieceRows, 1e-3)
	p := NewPhysics(Config{Workers: 2})
	var ways [2]struct{ together, alone bool }
	for range 40 {
		p.Step(w)
		for k, tuner := range []workers.Tuner{p.lanes.reading, p.lanes.writing} { // copies
			if tuner.Parallel() {
				ways[k].together = true
			} else {
				ways[k].alone = true
			}
		}
	}
	for k, way := range ways {
		if !way.together || !way.alone {
			t.Errorf("%s: %+v", []string{"reading", "writing"}[k], way)
		}
	}
}

// learn makes a tuner choose the given way.
func learn(t *workers.Tuner, together bool) {
	for range 40 {
		d := time.Millisecond
		if t.Parallel() != together {
			d *= 10
		}
		t.Record(d)
	}
}

// shared returns 1 if several lanes have done the last pieces, and 0 otherwise.
func (l *lanes) shared() int {
	for i := range l.pieces {
		if l.pieces[i].lane != l.pieces[0].lane {
			return 1
		}
	}
	return 0
}
