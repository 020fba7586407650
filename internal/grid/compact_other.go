//go:build !amd64 || purego

package grid

// compact collects nothing: only amd64 has a faster way than the loop in collectFrom.
func (g *Grid) compact(_ []int32, _ *level, _, _ [3]int32, out []int32) ([]int32, bool) {
	return out, false
}
