package bridge

import (
	"sync/atomic"
	"time"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grow"
	"github.com/dango-physics/dango/internal/prefetch"
	"github.com/dango-physics/dango/internal/workers"
)

// parallel divides the rows of all tables into chunks, for one worker or several. Chunks are
// independent of each other, so no result depends on the number of workers.
type parallel struct {
	rows int // rows of a chunk

	// prefetchFrom is the number of rows from which the components of a block are prefetched while
	// the block before it is read or written.
	prefetchFrom int
	workers      []*rowWorker
	chunks       []chunk
	task         task
	work         func(worker, chunk int)

	tuner   workers.Tuner // decides whether workers share the rows of a step, if there are enough
	several bool          // what it has decided
	always  bool          // they share them whatever it says: for tests
	spent   time.Duration // reading the rows of this step; 0 if there are too few to share

	// Set while writing if a record changed that a row cache describes, and which cache is unknown.
	stale atomic.Bool
}

// task is what workers do with a chunk.
type task struct {
	write         bool // scatter instead of gather
	stepping      bool // time passes: gravity, forces and damping act
	uninterrupted bool // no game code runs between gather and scatter
	prefetch      bool // the components of the next block are prefetched
}

// rowWorker is the state of one worker.
type rowWorker struct {
	bridge   *Bridge
	slowRows []int32        // rows that the fast path doesn't take
	informed int            // bodies whose motion was passed to the space
	adjusted []collide.Vec3 // velocities of a block after damping and locked axes
	forced   []collide.Vec3 // accelerations of a block's rows with a Force
}

// chunk is a range of rows of a table, and the outcome of reading or writing it.
type chunk struct {
	table, from, to int
	worker          *rowWorker
	first, last     int // the chunk's range of the worker's slowRows
	moving          int // rows that may move; when reading, without the slow rows
}

const (
	// chunkRows is how many rows a worker takes at a time. With fewer, the overhead of taking
	// chunks grows; with more, workers finish at different times.
	chunkRows = 16 * blockRows

	// minSharedChunks is the number of chunks from which several workers may share them, about
	// 4,000 rows, and minWorkerChunks is the least number for each of them. Starting a worker costs
	// some microseconds. With fewer rows several workers save little: of 10,000 spheres each took
	// 25 ns with one worker and 15 ns with two (BenchmarkInStep/moving).
	minSharedChunks = 4
	minWorkerChunks = 2

	// minPrefetchRows is the number of rows from which prefetching pays. Fewer rows stay in the
	// processor's cache from one step to the next. With it a step of 100,000 resting spheres takes
	// a fifth less processor time, and a step of a gas of 100,000 some percent less. For a gas of
	// 10,000 it depends on what else uses the cache: docs/decisions/reading-and-writing.md.
	minPrefetchRows = 8_000
)

// runChunks divides the rows of the tables that have all the wanted components into chunks, and
// does the task for each of them.
func (b *Bridge) runChunks(wanted has, what task) {
	l := &b.parallel
	l.chunks = l.chunks[:0]
	rows := 0
	for i := range b.registry.tables {
		t := &b.registry.tables[i]
		if t.has&wanted != wanted {
			continue
		}
		if !what.write && t.settled {
			for _, row := range t.fresh {
				l.chunks = append(l.chunks, chunk{table: i, from: row, to: row + 1})
			}
			continue
		}
		n := len(t.ents)
		rows += n
		if !what.write && t.has&(moves|hasSphere) == moves|hasSphere {
			caches := n/l.rows*l.chunkCaches() + (n%l.rows+blockRows-1)/blockRows
			t.caches = grow.Extend(t.caches[:min(caches, len(t.caches))], caches)
		}
		for from := 0; from < n; from += l.rows {
			l.chunks = append(l.chunks, chunk{table: i, from: from, to: min(from+l.rows, n)})
		}
	}
	what.prefetch = prefetch.Works && rows >= l.prefetchFrom
	l.task = what
	count, began := 1, time.Time{}
	if rows >= minSharedChunks*l.rows && b.settings.Solver.Workers > 1 {
		if !what.write {
			l.several = l.tuner.Parallel() || l.always
		}
		if l.several {
			count = min(b.settings.Solver.Workers, len(l.chunks)/minWorkerChunks)
		}
		began = time.Now()
	}
	for len(l.workers) < count {
		l.workers = append(l.workers, &rowWorker{
			bridge: b, adjusted: make([]collide.Vec3, blockRows), forced: make([]collide.Vec3, blockRows),
		})
	}
	if !what.write {
		for _, n := range l.workers {
			n.slowRows, n.informed = n.slowRows[:0], 0
		}
	}
	if count == 1 {
		for i := range l.chunks {
			l.workers[0].do(&l.chunks[i])
		}
	} else {
		b.shareChunks(count)
	}
	l.measure(what.write, began)
}

// shareChunks does the task for each chunk with so many workers.
func (b *Bridge) shareChunks(count int) {
	l := &b.parallel
	if l.work == nil {
		l.work = func(worker, chunk int) { l.workers[worker].do(&l.chunks[chunk]) }
	}
	phase := workers.Reading
	if l.task.write {
		phase = workers.Writing
	}
	b.pool.Acquire(phase, count, len(l.chunks))
	defer b.pool.Release()
	b.pool.Run(len(l.chunks), l.work)
}

// measure notes how long the rows of a step took, if there were enough to share them. It began at
// this time.
func (l *parallel) measure(write bool, began time.Time) {
	d := time.Duration(0)
	if !began.IsZero() {
		d = time.Since(began)
	}
	if !write {
		l.spent = d
	} else if l.spent > 0 {
		l.tuner.Record(l.spent + d)
		l.spent = 0
	}
}

// do does the task for a chunk.
func (l *rowWorker) do(c *chunk) {
	b := l.bridge
	what := b.parallel.task
	t := &b.registry.tables[c.table]
	c.worker, c.first = l, len(l.slowRows)
	if what.write {
		c.moving = b.writeRows(t, c.from, c.to, what)
		if t.has&(hasSphere|hasSpin) == hasSphere|hasSpin {
			b.writeSpins(t, c.from, c.to, what.uninterrupted)
		}
	} else {
		c.moving = b.readRows(l, t, c.from, c.to, what)
	}
	c.last = len(l.slowRows)
}
