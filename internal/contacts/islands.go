package contacts

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// An island is a set of movable bodies that touch each other, directly or through others. What
// contacts do not move joins no island: two columns on one floor are two islands. Islands are
// solved one by one.
//
// They are a union-find forest. The root of an island is its body with the smallest index, in
// whatever order contacts are linked.

// LinkBodies notes that a and b are in contact. If both are movable they are in one island from
// here on. It may be called more than once for a pair. All pairs must be linked before the first
// call of OrderContacts or AddContact, except for contacts that are [Contact.Elastic].
func (s *Solver) LinkBodies(a, b int32) {
	p, q := &s.infos[a], &s.infos[b]
	if !p.movable || !q.movable {
		return
	}
	p.linked, q.linked = true, true
	if a, b = s.IslandRoot(a), s.IslandRoot(b); a != b {
		s.infos[max(a, b)].island = min(a, b)
	}
}

// Linked reports whether body k is in contact with another movable body.
func (s *Solver) Linked(k int32) bool { return s.infos[k].linked }

// IslandRoot returns the body that stands for the island of body k: the one of them with the
// smallest index.
func (s *Solver) IslandRoot(k int32) int32 {
	for s.infos[k].island != k {
		up := s.infos[k].island
		s.infos[k].island = s.infos[up].island // path halving
		k = up
	}
	return k
}

// Pair is the two bodies, or the body and the surface, of a contact: as in [Contact].
type Pair struct{ A, B int32 }

// Rank is the place of a contact in the order of the solution.
type Rank struct {
	Contact int32 // index of its pair
	Island  int32 // for [Contact.Island]
	height  float64
}

// OrderContacts returns the order in which contacts are to be added: island by island, and each
// island from its lowest contact to its highest, so that a contact is solved after those that it
// stands on. Contacts of one height are ordered by place, and those of one place by the middle of
// the surface and by ID. So the order of pairs does not matter. Of two bodies, A must be that with
// the smaller ID.
//
// The caller may keep the order while no contact comes or goes: it only affects how fast the
// iterations converge. The result is valid until the next call.
func (s *Solver) OrderContacts(pairs []Pair) []Rank {
	ranks := s.ranks[:0]
	for k, p := range pairs {
		a := p.A
		height := max(s.infos[a].height, s.infos[p.B].height)
		if !s.infos[a].movable && !s.infos[p.B].surface {
			a = p.B
		}
		ranks = append(ranks, Rank{Contact: int32(k), Island: s.IslandRoot(a), height: height})
	}
	slices.SortFunc(ranks, func(p, q Rank) int {
		if p.Island != q.Island {
			return cmp.Compare(p.Island, q.Island)
		}
		if p.height != q.height {
			return cmp.Compare(p.height, q.height)
		}
		return s.comparePairs(pairs[p.Contact], pairs[q.Contact])
	})
	s.ranks = ranks
	return ranks
}

// comparePairs orders two contacts of an island at the same height: by the sum of positions, which
// does not depend on which body has the smaller ID, then by the middles of surfaces, and then by
// ID. The middles order coplanar tiles, which have one Position, whenever they were added.
func (s *Solver) comparePairs(p, q Pair) int {
	pa, pb, qa, qb := &s.infos[p.A], &s.infos[p.B], &s.infos[q.A], &s.infos[q.B]
	a, b := pa.position.Add(pb.position), qa.position.Add(qb.position)
	return cmp.Or(
		cmp.Compare(a.X, b.X), cmp.Compare(a.Z, b.Z), cmp.Compare(a.Y, b.Y),
		compareMiddles(pb.middle, qb.middle),
		cmp.Compare(pa.id, qa.id), cmp.Compare(pb.id, qb.id),
	)
}

// compareMiddles orders points along a diagonal of space, the farthest first. Any order of places
// would do; this one orders the tiles of most levels as their IDs do.
func compareMiddles(p, q collide.Vec3) int {
	return cmp.Or(
		cmp.Compare(q.X+q.Y+q.Z, p.X+p.Y+p.Z),
		cmp.Compare(q.Z, p.Z), cmp.Compare(q.X, p.X), cmp.Compare(q.Y, p.Y),
	)
}
