package systems

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// OverlapQuery is one of the shapes of [Physics.OverlapBatch].
type OverlapQuery struct {
	Sphere collide.Sphere // with radius 0 a point
	Shape  collide.Convex // instead of Sphere, unless it is nil
}

// Overlap is an entity that overlaps or touches a shape of [Physics.OverlapBatch].
type Overlap struct {
	Query  int // index of the shape
	Entity donburi.Entity
}

// overlapBatch is what OverlapBatch needs of all queries.
type overlapBatch struct {
	p       *Physics
	queries []OverlapQuery
	filter  handleFilter
	workers []*overlapWorker
	ask     func(s *solver.Space, worker, i int)
}

// overlapWorker has what a worker finds.
type overlapWorker struct {
	query int // that is being asked
	all   []Overlap
	found func(solver.Handle)
	gap   func(solver.Handle, collide.Gap) (margin float64)
}

// OverlapBatch finds what overlaps or touches each of many shapes, as [Physics.OverlapSphere] does,
// or [Physics.OverlapShape] for a query that has a Shape. The result is in the order of queries,
// and of entities within each. A shape that isn't valid overlaps nothing.
//
// The result uses the memory of found, so that a batch allocates nothing if the last result is
// passed again and has room. Up to [Config].Workers goroutines share the queries; the result is the
// same for any number. With an Accept in the filter it is one goroutine.
func (p *Physics) OverlapBatch(queries []OverlapQuery, filter Filter, found []Overlap) []Overlap {
	b := p.overlapBatch
	if b == nil {
		b = &overlapBatch{p: p}
		b.ask = b.askOne
	}
	p.overlapBatch = nil // Accept may make a batch of its own
	b.queries = queries
	b.filter.set(p, filter)
	for len(b.workers) < max(1, p.space.Workers) {
		b.workers = append(b.workers, b.newWorker())
	}
	if filter.Accept != nil {
		for i := range queries {
			b.askOne(p.space, 0, i)
		}
	} else {
		p.space.QueryAll(len(queries), b.ask)
	}
	found = found[:0]
	for _, w := range b.workers {
		found = append(found, w.all...)
		w.all = w.all[:0]
	}
	slices.SortFunc(found, func(x, y Overlap) int {
		return cmp.Or(cmp.Compare(x.Query, y.Query), cmp.Compare(x.Entity, y.Entity))
	})
	found = slices.Compact(found) // a compound is found with each part
	b.queries, b.filter.Filter = nil, Filter{}
	p.overlapBatch = b
	return found
}

// newWorker returns a worker that has found nothing.
func (b *overlapBatch) newWorker() *overlapWorker {
	w := new(overlapWorker)
	w.found = func(h solver.Handle) {
		if b.filter.accepts(h) {
			w.all = append(w.all, Overlap{w.query, b.p.bridge.Entity(h)})
		}
	}
	w.gap = func(h solver.Handle, _ collide.Gap) (margin float64) {
		w.found(h)
		return 0
	}
	return w
}

// askOne asks query i in a space.
func (b *overlapBatch) askOne(s *solver.Space, worker, i int) {
	q, w := &b.queries[i], b.workers[worker]
	w.query = i
	switch {
	case q.Shape != nil:
		if validShape(q.Shape) {
			s.Gaps(q.Shape, 0, w.gap)
		}
	case validSphere(q.Sphere):
		s.InSphere(q.Sphere, w.found)
	}
}
