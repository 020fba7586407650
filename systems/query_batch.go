package systems

import (
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// CastQuery is one of the casts of [Physics.CastBatch].
type CastQuery struct {
	Sphere    collide.Sphere // that is cast; with radius 0 a ray from its Center
	Shape     collide.Convex // that is cast instead of Sphere, unless it is nil
	Direction collide.Vec3   // any length but zero
	Distance  float64        // metres along Direction, 0 to +Inf
}

// castBatch is what CastBatch needs of all casts.
type castBatch struct {
	p      *Physics
	casts  []CastQuery
	hits   []CastHit
	filter handleFilter
	accept func(solver.Handle) bool
	cast   func(s *solver.Space, worker, i int)
}

// CastBatch makes many casts, each like [Physics.SphereCast], [Physics.RayCast] if its Sphere has
// no Radius, or [Physics.ShapeCast] if it has a Shape. It returns what casts[i] hits in hits[i].
// Entity of a hit is donburi.Null, and Distance that of the cast, if there is none, or if the cast
// isn't valid.
//
// The result uses the memory of hits, so that a batch allocates nothing if the last result is
// passed again. Up to [Config].Workers goroutines share the casts; the hits are the same for any
// number. With an Accept in the filter it is one goroutine.
func (p *Physics) CastBatch(casts []CastQuery, filter Filter, hits []CastHit) []CastHit {
	b := p.batch
	if b == nil {
		b = &castBatch{p: p}
		b.accept, b.cast = b.filter.accepts, b.castOne
	}
	p.batch = nil // Accept may make a batch of its own
	hits = slices.Grow(hits[:0], len(casts))[:len(casts)]
	b.casts, b.hits = casts, hits
	b.filter.set(p, filter)
	if filter.Accept != nil {
		for i := range casts {
			b.castOne(p.space, 0, i)
		}
	} else {
		p.space.QueryAll(len(casts), b.cast)
	}
	b.casts, b.hits, b.filter.Filter = nil, nil, Filter{}
	p.batch = b
	return hits
}

// castOne makes cast i in a space.
func (b *castBatch) castOne(s *solver.Space, _, i int) {
	c, hit := &b.casts[i], &b.hits[i]
	*hit = CastHit{Entity: donburi.Null, Distance: c.Distance}
	probe := solver.Probe{Sphere: c.Sphere}
	n, ok := castable(c.Sphere, c.Direction, c.Distance)
	if c.Shape != nil {
		n, ok = shapeCastable(c.Shape, c.Direction, c.Distance)
		if ok {
			probe = probeOf(c.Shape)
		}
	}
	if !ok {
		return
	}
	if h, found := s.Cast(&probe, n, c.Distance, b.accept); found {
		*hit = b.p.castHit(&h)
	}
}
