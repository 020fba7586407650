package contacts

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
)

// The order is that of a sort by comparisons, also for negative and equal heights, and for those
// that differ in their last bits. A facet counts with its own key and not with its surface's.
func TestMovesAreSortedByHeightAndThenByPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	heights := []float64{0, math.Copysign(0, -1), 1, math.Nextafter(1, 2), -1, math.Nextafter(-1, 0), 1e9, -1e9, 1e-300}
	for n := range 200 {
		s := Solver{}
		pairs, keys, moves := make([]Pair, n), make([]SortKey, n), []Move(nil)
		for k := range pairs {
			h := heights[r.IntN(len(heights))]
			if r.IntN(2) == 0 {
				h = r.NormFloat64()
			}
			key := SortKey{ID: int32(k), Position: collide.Vec3{X: float64(r.IntN(3))}}
			s.locations = append(s.locations, location{SortKey: key})
			pairs[k] = Pair{A: int32(k), B: int32(k), Facet: r.IntN(2) == 0}
			keys[k] = key
			if pairs[k].Facet {
				keys[k] = SortKey{ID: int32(-k), Position: collide.Vec3{X: float64(r.IntN(3))}, Key: uint32(r.IntN(2))}
			}
			moves = append(moves, Move{From: int32(k), height: h})
		}
		want := slices.Clone(moves)
		slices.SortFunc(want, func(p, q Move) int {
			return cmp.Or(cmp.Compare(q.height, p.height), compareSortKeys(
				&s.locations[p.From].SortKey, &keys[p.From], &s.locations[q.From].SortKey, &keys[q.From]))
		})
		if s.sortMoves(moves, pairs, func(k int32) SortKey { return keys[k] }); !slices.Equal(moves, want) {
			t.Fatalf("%d moves: got %v, want %v", n, moves, want)
		}
	}
}
