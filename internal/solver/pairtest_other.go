//go:build !amd64 || purego

package solver

import "github.com/dango-physics/dango/internal/grid"

const (
	maxTested, padding = 0, 0
	hasAVX2            = false
)

// testNeighborhood returns false: without assembly, bodies are collected and tested one after the
// other.
func (s *Space) testNeighborhood(int32, float64, float64, grid.Stencil) (hits []int32, ok bool) {
	return nil, false
}

// filter appends to out the bodies of near whose paths could touch the path of body i.
func (q *pairQuery) filter(bodies []body, _ int32, near, out []int32) []int32 {
	return q.filterGo(bodies, near, out)
}
