package solver

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/calendar"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/statics"
)

// Veto keeps two bodies or surfaces from colliding for the rest of this step.
func (s *Space) Veto(a, b Handle) {
	if s.vetoes == nil {
		s.vetoes = map[eventlog.PairKey]struct{}{}
	}
	s.vetoes[eventlog.KeyOf(int32(a), int32(b))] = struct{}{}
}

// vetoed reports whether the game has vetoed a pair in this step.
func (s *Space) vetoed(a, b int32) bool {
	return len(s.vetoes) > 0 && s.findVeto(a, b)
}

func (s *Space) findVeto(a, b int32) bool {
	_, ok := s.vetoes[eventlog.KeyOf(s.ownerOf(a), s.ownerOf(b))]
	return ok
}

// Candidates calls yield with the pairs of bodies, by their ids, the smaller first, that Begin
// found, and with those that are in contact or sleep on each other.
func (s *Space) Candidates(yield func(a, b int32) bool) {
	s.leaveParallelForInspection()
	for _, p := range s.pairs {
		a, b := s.infos[p.a].id, s.infos[p.b].id
		if !yield(min(a, b), max(a, b)) {
			return
		}
	}
	for k := range s.solverContacts {
		h := &s.solverContacts[k]
		if h.b < 0 {
			continue
		}
		if i, j := s.index[h.a], s.index[h.b]; s.isUnpaired(i) && s.isUnpaired(j) && !yield(h.a, h.b) {
			return
		}
	}
	for n := range s.sleepingIslands {
		for k := range s.sleepingIslands[n].contacts {
			if h := &s.sleepingIslands[n].contacts[k]; h.b >= 0 && !yield(h.a, h.b) {
				return
			}
		}
	}
}

// isUnpaired reports whether findPairs has not added the pairs of body i and unsolved bodies.
func (s *Space) isUnpaired(i int32) bool { return s.flags[i]&unsolved != 0 || !s.needsPairs(i) }

// PredictedImpacts returns the impacts that Sweep found, in chronological order.
func (s *Space) PredictedImpacts() []eventlog.Entry {
	s.leaveParallelForInspection()
	var all []eventlog.Entry
	s.calendar.All(func(e calendar.Event) bool {
		if e.B == crossingCode || e.B < maxExitCode ||
			s.infos[e.A].material.Sensor || e.B >= 0 && s.infos[e.B].material.Sensor ||
			e.B < 0 && s.statics.At(surfaceOf(e.B)).Sensor {
			return true // no impact
		}
		p := s.at(e.A, e.Time)
		f := eventlog.Entry{Time: e.Time, A: s.infos[e.A].id, B: s.ownerOf(e.B), Kind: eventlog.Impact}
		switch {
		case e.B >= 0:
			f.B = s.infos[e.B].id
			f.Normal = s.normalBetween(e.A, e.B, e.Time)
		case s.kindOf(e.B) != statics.Plane:
			n, ok := s.predictedNormal(e.A, surfaceOf(e.B))
			if !ok {
				return true
			}
			f.Normal = n
		default:
			_, f.Normal = s.gapAt(e.A, p, surfaceOf(e.B), e.Time)
		}
		f.Point = s.contactPoint(e.A, f.B, f.Normal, e.Time)
		if f.B >= 0 && f.B < f.A {
			f.A, f.B, f.Normal = f.B, f.A, f.Normal.Neg()
			f.Point = s.contactPoint(e.B, f.B, f.Normal, e.Time)
		}
		all = append(all, f)
		return true
	})
	slices.SortFunc(all, func(a, b eventlog.Entry) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	return all
}

// CellOf returns the grid cell of a body, as the last search for pairs in the whole space left it.
func (s *Space) CellOf(id int32) (collide.AABB, bool) {
	i := s.index[id]
	return s.grid.CellOf(i, s.bodies[i].x)
}
