package systems

import (
	"sync/atomic"
	"time"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/workers"
)

// lanes share the rows of all tables when the world is read and written, where there are many. Each works on pieces of its own, so that no result
// depends on how many there are.
type lanes struct {
	rows                  int // of a piece
	readAhead, writeAhead int // from how many rows on, or bodies that may have moved, what will be wanted is sent for
	all                   []*lane
	pieces                []piece
	what                  task
	work                  func(worker, piece int)
	reading, writing      workers.Tuner // whether they are sooner done by several lanes
	eager                 bool          // in tests: rows are shared whether that is sooner or not
	lost                  atomic.Bool   // when writing: some page isn't true any more, and which one isn't known
}

// task is what the lanes do with a piece.
type task struct {
	write    bool // scatter, and not gather
	stepping bool
	unbroken bool
	ahead    bool // what will be wanted is sent for: see send
}

// lane is one of those that work at once.
type lane struct {
	physics *Physics
	odd     []int          // rows that are not read the quick way
	told    int            // bodies of which the space has been told how they move
	bent    []collide.Vec3 // velocities of a block that are not taken as they are
}

// piece is some rows of a table, and what came of them.
type piece struct {
	table, from, to int
	lane            *lane // who did it
	first, last     int   // where in the lane's list of odd rows those of the piece are
	moving          int   // how many of the others may move; when writing, of all
}

const (
	// pieceRows is how many rows are done in one go: enough that taking the next costs nothing, and few enough that all lanes come to an end at
	// about the same time.
	pieceRows = 16 * blockRows

	// leastShared is from how many pieces on they are shared, and sharedPieces how many a lane has at least: it costs some microseconds to call it. Of 10,000 spheres each took 25 ns
	// with one lane and 15 with two (BenchmarkInStep/moving).
	leastShared  = 4
	sharedPieces = 2

	// A step of some thousands of bodies leaves little of the world in a processor's second-level cache, one of some tens of thousands not much in the third.
	// These are from how many rows on, or bodies that may have moved, it pays to send for what will be wanted. Of a gas of 10,000 (BenchmarkStep of bench)
	// gather took 19 ns an entity with that and 28 without, of one of 100,000 32 and 57; of one of 2,000 17 and 12. Scatter, which looks ahead far enough by
	// itself where a cache is near, took 18 and 14 for 40,000, and 19 and 25 for 100,000. What a page remembers is always sent for, row by row.
	readAheadFrom, writeAheadFrom = 8_000, 50_000
)

// share cuts the rows of the tables that have all of these components into pieces, and has them done.
func (p *Physics) share(wanted has, what task) {
	l := &p.lanes
	l.pieces = l.pieces[:0]
	rows := 0
	for i := range p.members.tables {
		t := &p.members.tables[i]
		if t.has&wanted != wanted {
			continue
		}
		n := len(t.ents)
		rows += n
		if !what.write && t.has&(moves|hasSphere) == moves|hasSphere {
			t.pages = resized(t.pages, n/l.rows*l.pages()+(n%l.rows+blockRows-1)/blockRows)
		}
		for from := 0; from < n; from += l.rows {
			l.pieces = append(l.pieces, piece{table: i, from: from, to: min(from+l.rows, n)})
		}
	}
	what.ahead = canFetch && rows >= l.readAhead
	if what.write { // what is still isn't written
		what.ahead = canFetch && p.members.told >= l.writeAhead
	}
	l.what = what
	count := 1 // workers
	if rows >= leastShared*l.rows {
		count = min(p.config.Workers, len(l.pieces)/sharedPieces)
	}
	for len(l.all) < count {
		l.all = append(l.all, &lane{physics: p, bent: make([]collide.Vec3, blockRows)})
	}
	if !what.write {
		for _, n := range l.all {
			n.odd, n.told = n.odd[:0], 0
		}
	}
	phase, tuner := workers.Reading, &l.reading
	if what.write {
		phase, tuner = workers.Writing, &l.writing
	}
	if count > 1 && !l.eager {
		start := time.Now()
		defer func() { tuner.Record(time.Since(start)) }()
		if !tuner.Parallel() {
			count = 1
		}
	}
	if count == 1 {
		for i := range l.pieces {
			l.all[0].do(&l.pieces[i])
		}
		return
	}
	if l.work == nil {
		l.work = func(worker, piece int) { l.all[worker].do(&l.pieces[piece]) }
	}
	p.pool.Acquire(phase, count, len(l.pieces))
	defer p.pool.Release()
	p.pool.Run(len(l.pieces), l.work)
}

// do does a piece.
func (l *lane) do(c *piece) {
	p := l.physics
	what := p.lanes.what
	t := &p.members.tables[c.table]
	c.lane, c.first = l, len(l.odd)
	if what.write {
		c.moving = p.writeBack(t, c.from, c.to, what)
		if t.has&(hasSphere|hasSpin) == hasSphere|hasSpin {
			p.writeSpins(t, c.from, c.to, what.unbroken)
		}
	} else {
		c.moving = p.readQuickly(l, t, c.from, c.to, what)
	}
	c.last = len(l.odd)
}
