//go:build !amd64 || purego

package grid

import "unsafe"

// collectRows appends the bodies in the rows of a stencil, whose central cell has its first slot at
// center.
func (g *Grid) collectRows(lv *level, c *StencilRows, center int32, out []int32) []int32 {
	return g.collectRowsGo(lv, c, center, out)
}

// LocationAddress returns nil: without assembly nothing is prefetched.
func (g *Grid) LocationAddress(int32) unsafe.Pointer { return nil }

// PrefetchNeighbors does nothing.
func (g *Grid) PrefetchNeighbors(int32) {}
