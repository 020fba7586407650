package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/workers"
)

// queryBatch is what QueryAll needs.
type queryBatch struct {
	spaces []Space // for each worker, with scratch of its own
	ask    func(s *Space, worker, i int)
	n      int
	piece  func(worker, piece int)
}

const (
	// queriesAPiece is the number of queries that a worker does at once. With fewer, sharing them
	// out takes longer than a ray in an empty world; with more, the last worker is waited for.
	queriesAPiece = 64

	// queriesAWorker is the least number of queries for each worker: waking one up takes as long as
	// about a hundred.
	queriesAWorker = 256
)

// QueryAll calls ask with the numbers i from 0 to n-1 and a space for queries, on up to
// Settings.Workers goroutines. ask writes no memory but that of i or of the worker, whose number is
// 0 if there is one only. The spaces are valid until ask returns.
func (s *Space) QueryAll(n int, ask func(s *Space, worker, i int)) {
	count := min(s.Workers, n/queriesAWorker)
	if count < 2 {
		for i := range n {
			ask(s, 0, i)
		}
		return
	}
	s.prepareQueries()
	b := s.batch
	if b == nil {
		b = new(queryBatch)
		b.piece = func(worker, piece int) {
			for i := piece * queriesAPiece; i < min(b.n, (piece+1)*queriesAPiece); i++ {
				b.ask(&b.spaces[worker], worker, i)
			}
		}
		s.batch = b
	}
	for len(b.spaces) < count {
		b.spaces = append(b.spaces, Space{})
	}
	for k := range b.spaces[:count] {
		own := b.spaces[k].nearby
		b.spaces[k] = *s
		b.spaces[k].nearby = own[:0]
	}
	if s.Pool == nil {
		s.Pool = new(workers.Pool)
	}
	b.n, b.ask = n, ask
	pieces := (n + queriesAPiece - 1) / queriesAPiece
	s.Pool.Acquire(workers.Querying, count, pieces)
	defer s.Pool.Release()
	s.Pool.Run(pieces, b.piece)
	b.ask = nil
	for k := range b.spaces[:count] { // nothing else is kept alive
		own := b.spaces[k].nearby
		b.spaces[k] = Space{}
		b.spaces[k].nearby = own
	}
}

// prepareQueries does what the first query after a change does, so that several goroutines may
// query the space at once.
func (s *Space) prepareQueries() {
	s.statics.Update(s.Seconds)
	s.eachNear(collide.AABB{}, func(int32) {})
	s.clip(collide.Sphere{}, collide.Vec3{X: 1}, 0)
}
