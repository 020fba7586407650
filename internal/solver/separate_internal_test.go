package solver

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Pairs come in one order, however many there are, in whatever order they were found, and if keys
// are equal.
func TestOverlapPairsAreSortedInAnyNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 100, 255, 256, 257, 5000, 30000} {
		for _, mask := range []uint32{^uint32(0), 1<<20 - 1, 0xf, 0} { // ever more equal keys
			s := &Space{}
			for id := range int32(300) {
				s.infos = append(s.infos, bodyInfo{id: 299 - id})
			}
			for range n {
				p := pair{int32(r.IntN(300)), int32(r.IntN(310)) - 10}
				if p.b >= -1 && p.b < 0 {
					p.b = surfaceCode
				}
				s.overlapPairs = append(s.overlapPairs, overlapPair{pair: p, key: r.Uint32() & mask})
			}
			want := slices.Clone(s.overlapPairs)
			slices.SortFunc(want, s.compareOverlapPairs)
			for range 2 {
				s.sortOverlapPairs()
				for k, p := range s.overlapPairs {
					if s.compareOverlapPairs(p, want[k]) != 0 {
						t.Fatalf("%d pairs, mask %#x: pair %d is %v, want %v", n, mask, k, p, want[k])
					}
				}
				r.Shuffle(n, func(i, j int) {
					s.overlapPairs[i], s.overlapPairs[j] = s.overlapPairs[j], s.overlapPairs[i]
				})
			}
		}
	}
}
