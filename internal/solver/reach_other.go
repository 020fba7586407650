//go:build !amd64 || purego

package solver

// filter appends to out those of near, bodies that are near body i, that come within touch.
func (q *query) filter(bodies []body, _ int32, near, out []int32) []int32 {
	return q.among(bodies, near, out)
}
