//go:build !amd64 || purego

package grid

// collectRows appends the bodies in the rows of a zone about the cell whose slots begin at at.
func (g *Grid) collectRows(lists []int32, c *cells, at int32, out []int32) []int32 {
	return g.collectEach(lists, c, at, out)
}

// FetchPlace sends for nothing: Go has no way to.
func (g *Grid) FetchPlace(int32) {}

// Fetch sends for nothing.
func (g *Grid) Fetch(int32) {}
