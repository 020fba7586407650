package contacts

import (
	"cmp"
	"math"
	"math/bits"
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
// here on. It may be called more than once for a pair. All pairs must be linked before the call of
// GroupContacts, except for contacts that are [Contact.Elastic].
func (s *Solver) LinkBodies(a, b int32) {
	p, q := &s.infos[a], &s.infos[b]
	if !p.movable || !q.movable {
		return
	}
	p.linked, q.linked = true, true
	if a, b = s.IslandRoot(a), s.IslandRoot(b); a != b {
		s.nodes[max(a, b)].parent = min(a, b)
	}
}

// Linked reports whether body k is in contact with another movable body.
func (s *Solver) Linked(k int32) bool { return s.infos[k].linked }

// IslandRoot returns the body that stands for the island of body k: the one of them with the
// smallest index.
func (s *Solver) IslandRoot(k int32) int32 {
	for s.nodes[k].parent != k {
		up := s.nodes[k].parent
		s.nodes[k].parent = s.nodes[up].parent // path halving
		k = up
	}
	return k
}

// rootOf is IslandRoot after GroupContacts, from which on each root is one step away.
func (s *Solver) rootOf(k int32) *islandNode { return &s.nodes[s.nodes[k].parent] }

// island is the contacts of an island.
type island struct {
	first, next int32 // its constraints are those from first up to next
	contacts    int32 // those that were grouped
	own         int32 // those that are not with another island, which are bounces
	movables    int32 // movable bodies, counted by OrderContacts
	unordered   int32 // those of its own that OrderContacts has not put in order
	label       int32 // what Pair calls it, by the last step's contacts; noIsland if there are none
	rough       int32 // constraints with at least roughFriction
	merged      bool  // they were in several islands

	slanted            bool // a contact is
	sticks             bool // a contact has a greater static than dynamic friction, and fixFriction is to be called
	turning            bool // a contact has a rotation constraint
	drivers            bool // a driver touches it
	driven             bool // a driver pushes into bodies that hold each other
	turned             bool // a driver rotates
	rotors             bool // a body touches a rotor
	reorders           bool // all of its contacts are to be put in order
	carried            bool // a body touches something that moves and that contacts do not move
	reached            bool // it has several bodies, or one that would touch in this step without contacts
	moving             bool // a body was not calm in the last step: the first iteration will not settle it
	batched            bool // the iterations were those of relaxPrepared
	bodies             int32
	scale              float64 // greatest change of a body's velocity by free motion, m/s
	lightest, heaviest float64 // inverse masses
	power              float64 // of the impulses of the last step at the free velocities
	gain, energy       float64 // twice the energy that contacts have added, and that of the free velocities
	rise               float64 // twice the energy gained on the way through the step
}

// isUnordered reports whether all contacts of an island are to be put in order: if more than a few
// are new, or if it may be a chain, which solveChain only finds in order.
func (l *island) isUnordered() bool {
	return l.unordered > 0 && l.own <= l.movables+1 ||
		float64(l.unordered) > float64(unorderedShare*float64(l.own))
}

// isRough reports whether at least half of the constraints are rough.
func (l *island) isRough() bool { return 2*l.rough >= l.next-l.first }

// isUneven reports whether masses differ much.
func (l *island) isUneven() bool { return l.lightest > float64(unevenRatio*l.heaviest) }

// describeIslands finds what of the bodies of each island decides how it is solved.
func (s *Solver) describeIslands() {
	for k := range s.infos {
		p := &s.infos[k]
		root := s.rootOf(int32(k)).island
		if !p.movable || root < 0 {
			continue
		}
		l := &s.islands[root]
		l.scale = max(l.scale, p.freeVelocity.Sub(p.v0).SumAbs(), float64(speedShare*p.freeVelocity.SumAbs()))
		l.bodies++
		l.moving = l.moving || s.nodes[k].calmSteps == 0
		l.lightest, l.heaviest = max(l.lightest, p.inverseMass), min(l.heaviest, p.inverseMass)
	}
}

// islandOf returns the island of a contact of a and b.
func (s *Solver) islandOf(a, b int32) *island {
	return &s.islands[s.contactRoot(a, b).island]
}

// contactRoot returns the root of the island of a contact of a and b. It is called after
// GroupContacts.
func (s *Solver) contactRoot(a, b int32) *islandNode {
	if !s.infos[a].movable && !s.infos[b].surface {
		a = b
	}
	return s.rootOf(a)
}

// noIsland stands for the island of a contact of two.
const noIsland = math.MinInt32

// Pair is the two bodies, or the body and the surface, of a contact, as in [Contact], and what the
// caller keeps of the order of the solution from step to step.
type Pair struct {
	A, B   int32 // two bodies, of which A has the smaller ID, or a body and a surface
	Facet  bool  // B is a surface with facets, and OrderContacts is to ask for the key of one
	Island int32 // as GroupContacts set it in the last step; of no meaning for a new contact
	Order  Order // as OrderContacts set it
	at     int32 // its island in this step, by index
}

// Order says how far a contact has been put into the order of the solution.
type Order uint8

// How far a contact has been put in order.
const (
	New     Order = iota // its place among the contacts of this step has no meaning
	Placed               // after the contacts that were there before it
	Ordered              // among all contacts of its island
)

// GroupContacts finds the islands of the contacts that are about to be added, when all bodies have
// been linked. Where islands have merged, all of their contacts have to be put in order again.
func (s *Solver) GroupContacts(pairs []Pair) {
	for k := range s.nodes {
		s.nodes[k].parent = s.IslandRoot(int32(k)) // from here on one step away
	}
	for k := range pairs {
		p := &pairs[k]
		a, b := &s.infos[p.A], &s.infos[p.B]
		at := s.nodes[p.A].parent
		if !a.movable && !b.surface {
			at = s.nodes[p.B].parent
		}
		root := &s.nodes[at]
		if root.island < 0 {
			root.island = int32(len(s.islands))
			s.islands = append(s.islands, island{heaviest: math.Inf(1), label: noIsland})
		}
		p.at = root.island
		l := &s.islands[p.at]
		l.contacts++
		if a.movable && b.movable && at != s.nodes[p.B].parent { // its A decides, and that is by ID
			p.Island = noIsland
			continue
		}
		l.own++
		if p.Order != New && p.Island != noIsland {
			l.merged = l.merged || l.label != noIsland && l.label != p.Island
			l.label = p.Island
		}
		if p.Order != Ordered {
			l.unordered++
		}
		p.Island = s.locations[at].ID
	}
	at := int32(0)
	for k := range s.islands {
		l := &s.islands[k]
		l.first, l.next = at, at
		at += l.contacts
		if l.merged {
			l.unordered = l.own
		}
	}
	s.constraints = slices.Grow(s.constraints, len(pairs))[:len(pairs)]
	s.needs = slices.Grow(s.needs, len(pairs))[:len(pairs)]
}

// Move says that the contact at place From is to be at place To.
type Move struct {
	From, To int32
	Order    Order // from here on
	height   float64
}

// OrderContacts returns which of the contacts that were grouped have to change places, so that each
// island is solved from its highest contact to its lowest: the weight of what lies above is then
// passed down in one iteration. Contacts of one height are ordered by place, and those of one place
// by the middle and key of the surface and by ID, so the order does not depend on that in which
// contacts were found. sortKeyOf returns the key of the facet of a pair.
//
// New contacts come last, in order. Only when more than a few contacts of an island are new, all of
// it is put in order: the order only affects how fast the iterations converge. The result is valid
// until the next call.
func (s *Solver) OrderContacts(pairs []Pair, sortKeyOf func(pair int32) SortKey) []Move {
	if !slices.ContainsFunc(s.islands, func(l island) bool { return l.unordered > 0 }) {
		return nil
	}
	for k := range s.infos {
		if root := s.rootOf(int32(k)).island; s.infos[k].movable && root >= 0 {
			s.islands[root].movables++
		}
	}
	for k := range s.islands {
		s.islands[k].reorders = s.islands[k].isUnordered()
	}
	moves, last := s.moves[:0], s.lastMoves[:0]
	for k := range pairs {
		p := &pairs[k]
		switch {
		case p.Island != noIsland && s.islands[p.at].reorders:
			moves = append(moves, s.moveOf(p, k, Ordered))
		case p.Order == New:
			last = append(last, s.moveOf(p, k, Placed))
		}
	}
	// The two lists are sorted apart. Sorted together, a new contact could get the place of another
	// island's contact, before older ones of its own island.
	s.sortMoves(moves, pairs, sortKeyOf)
	s.sortMoves(last, pairs, sortKeyOf)
	s.moves, s.lastMoves = append(moves, last...), last
	return s.moves
}

// moveOf returns the move of pair k that leaves it where it is.
func (s *Solver) moveOf(p *Pair, k int, order Order) Move {
	height := max(s.locations[p.A].height, s.locations[p.B].height)
	return Move{From: int32(k), To: int32(k), Order: order, height: height}
}

// sortMoves makes contacts change places among themselves, as OrderContacts says. It sorts the
// upper bits of the heights as plain numbers, and compares only moves in which these are equal.
func (s *Solver) sortMoves(moves []Move, pairs []Pair, sortKeyOf func(pair int32) SortKey) {
	s.order = s.order[:0]
	for k := range moves {
		s.order = append(s.order, moves[k].To)
	}
	n := uint(bits.Len(uint(len(moves)))) // number of bits of an index
	s.sorted, s.spareMoves = s.sorted[:0], append(s.spareMoves[:0], moves...)
	for k := range moves {
		b := math.Float64bits(moves[k].height + 0) // -0 is as high as 0
		if b>>63 == 0 {
			b ^= 1<<63 - 1 // greater heights have smaller numbers, as the negative ones have already
		}
		s.sorted = append(s.sorted, b>>n<<n|uint64(k))
	}
	slices.Sort(s.sorted)
	for k, b := range s.sorted {
		moves[k] = s.spareMoves[b&(1<<n-1)]
	}
	for first, next := 0, 0; first < len(moves); first = next {
		for next = first + 1; next < len(moves) && s.sorted[next]>>n == s.sorted[first]>>n; {
			next++
		}
		if next == first+1 {
			continue
		}
		slices.SortFunc(moves[first:next], func(p, q Move) int {
			if p.height != q.height {
				return cmp.Compare(q.height, p.height)
			}
			a, b := &pairs[p.From], &pairs[q.From]
			pb, qb := s.locations[a.B].SortKey, s.locations[b.B].SortKey
			if a.Facet {
				pb = sortKeyOf(p.From)
			}
			if b.Facet {
				qb = sortKeyOf(q.From)
			}
			return compareSortKeys(&s.locations[a.A].SortKey, &pb, &s.locations[b.A].SortKey, &qb)
		})
	}
	for k := range moves {
		moves[k].To = s.order[k]
	}
}

// compareSortKeys orders two contacts of an island at the same height, between what has the keys pa
// and pb, and qa and qb: by the sum of positions, which does not depend on which body has the
// smaller ID, then by the middles and keys of surfaces, and then by ID. The middles order coplanar
// tiles, which have one Position, and the keys order what crosses, whenever they were added.
func compareSortKeys(pa, pb, qa, qb *SortKey) int {
	a, b := pa.Position.Add(pb.Position), qa.Position.Add(qb.Position)
	return cmp.Or(
		cmp.Compare(a.X, b.X), cmp.Compare(a.Z, b.Z), cmp.Compare(a.Y, b.Y),
		compareMiddles(pb.Middle, qb.Middle), cmp.Compare(pb.Key, qb.Key),
		cmp.Compare(pa.ID, qa.ID), cmp.Compare(pb.ID, qb.ID),
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
