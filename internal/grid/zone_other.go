//go:build !amd64 || purego

package grid

import "unsafe"

// collectRows appends the bodies in the rows of a zone about the cell whose slots begin at at.
func (g *Grid) collectRows(lists []int32, c *cells, at int32, out []int32) []int32 {
	return g.collectEach(lists, c, at, out)
}

// Place returns nothing, and Fetch sends for nothing: Go has no way to.
func (g *Grid) Place(int32) unsafe.Pointer { return nil }

// Fetch: see Place.
func (g *Grid) Fetch(int32) {}
