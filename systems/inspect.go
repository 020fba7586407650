package systems

import (
	"iter"

	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// Pair is two entities that could meet in this step. A is a sphere.
type Pair struct{ A, B donburi.Entity }

// Candidates returns, between Broadphase and Response, the pairs of spheres that could meet in this step if nothing turned them aside.
func (p *Physics) Candidates() iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		if p.space.Stage() == solver.Idle {
			return
		}
		p.space.Candidates(func(a, b int32) bool {
			return yield(Pair{p.bridge.Entity(solver.BodyHandle(a)), p.bridge.Entity(solver.BodyHandle(b))})
		})
	}
}

// FirstImpacts returns, between Sweep and Response, the impacts that are due in this step if no other comes before them, in the
// order of time. An impact's Approach and Impulse aren't known yet and are 0; point and normal are known for
// pairs of spheres and for planes.
func (p *Physics) FirstImpacts() iter.Seq[Impact] {
	return func(yield func(Impact) bool) {
		if p.space.Stage() != solver.ImpactsFound {
			return
		}
		for _, e := range p.space.PredictedImpacts() {
			if !yield(p.impact(&e)) {
				return
			}
		}
	}
}

// Veto keeps a and b from meeting for the rest of this step. Call it between Broadphase and Response; at other times, and for
// entities that take no part, it does nothing.
func (p *Physics) Veto(a, b donburi.Entity) {
	i, ok := p.bridge.Handle(a)
	j, also := p.bridge.Handle(b)
	if ok && also && p.space.Stage() != solver.Idle {
		p.space.Veto(i, j)
	}
}
