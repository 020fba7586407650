package systems

import (
	"iter"

	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// Pair is a candidate pair: two bodies that could touch in this step.
type Pair struct{ A, B donburi.Entity }

// Candidates returns the pairs of bodies that could touch in this step, as far as that is known
// before contacts are solved. It may be called between Broadphase and Response; at other times it
// returns nothing.
//
// A body in a persistent contact gets its velocity in Response. Therefore every moving body near it
// is a candidate. Two bodies that are both in persistent contacts are listed only if they touch
// each other.
//
// Which pairs these are, and their order, depends on the cells of the broadphase, and so on
// [Config.Workers]: those that don't meet may be among them, and those that a fast body meets
// beyond the cells around it are not.
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

// FirstImpacts returns the impacts predicted by Sweep, in chronological order. An earlier impact
// may prevent a later one. It may be called between Sweep and Response; at other times it returns
// nothing. Approach and Impulse are not known yet and are 0. Point and Normal are known for pairs
// of spheres and for planes.
//
// Bodies in persistent contacts get their velocities in Response, which then predicts their
// impacts. So impacts between two of them, and with surfaces, are missing here. Their
// impacts with other bodies are predicted from the velocity before contacts are solved, and may
// change. Impacts of a body beyond the cells around it are not predicted yet: see
// [Physics.Candidates].
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

// Veto makes a and b ignore each other for the rest of this step, also if they are in contact. The
// pair is then not in [Physics.Contacts], and a contact of the two ends in this step. Veto has an
// effect between Broadphase and Response only, and only for entities that take part in the step.
// The pair doesn't have to be in [Physics.Candidates].
func (p *Physics) Veto(a, b donburi.Entity) {
	i, ok := p.bridge.Handle(a)
	j, also := p.bridge.Handle(b)
	if ok && also && p.space.Stage() != solver.Idle {
		p.space.Veto(i, j)
	}
}
