//go:build !amd64 || purego

package solver

import "github.com/dango-physics/dango/internal/grid"

const mostSeen, overrun = 0, 0

// sees would look into cells and test what is in them in one go.
func (s *Space) sees(int32, float64, float64, grid.Stencil) bool { return false }

// filter appends to out those of near, bodies that are near body i, that come within touch.
func (q *query) filter(bodies []body, _ int32, near, out []int32) []int32 {
	return q.among(bodies, near, out)
}
