package grid

import "slices"

// Stencil names a set of cells around a cell.
type Stencil int

// The stencils. The others contain the cells beyond one side: see Face.
const (
	Half     Stencil = 0 // half of the neighbours: of two neighbouring cells, one is in the other's Half
	Full     Stencil = 4 // the cell and all its neighbours
	stencils         = 8
)

// Face returns the stencil that a body adds when it crosses into a cell through its opposite side:
// the layer of neighbours on the given side.
func Face(side Side) Stencil { return Full + Stencil(side) }

// maxRows is the largest number of rows in a stencil.
const maxRows = 9

// StencilRows is the rows of cells of a stencil, relative to its central cell.
type StencilRows struct {
	n    int
	rows [maxRows]Row
	runs [maxRows]run // the same rows
}

// Row is up to three cells that are neighbours along x, and therefore beside each other in memory.
// Assembly reads it.
type Row struct {
	offset int32 // of its first slot, from the first slot of the central cell
	mask   int32 // bit k is set if slot k belongs to the row
}

// run is a row of cells by coordinates: the offset of the first cell from the central cell, and the
// number of cells.
type run struct{ x, y, z, width int32 }

// chooseStencils computes where the cells of each stencil lie in memory.
func (l *level) chooseStencils(flat [3]bool) {
	l.stencils = [stencils]StencilRows{}
	clip := func(axis int, lo, hi int32) (int32, int32) { // a flat axis has one cell
		if flat[axis] {
			return max(lo, 0), min(hi, 0)
		}
		return lo, hi
	}
	add := func(to Stencil, lo, hi [3]int32) {
		for axis := range 3 {
			lo[axis], hi[axis] = clip(axis, lo[axis], hi[axis])
		}
		c := &l.stencils[to]
		for z := lo[2]; z <= hi[2]; z++ {
			for y := lo[1]; y <= hi[1]; y++ {
				if width := hi[0] - lo[0] + 1; width > 0 {
					c.runs[c.n] = run{lo[0], y, z, width}
					c.rows[c.n] = Row{2 * (lo[0] + y*l.stride[1] + z*l.stride[2]), 1<<(2*width) - 1}
					c.n++
				}
			}
		}
	}
	add(Full, [3]int32{-1, -1, -1}, [3]int32{1, 1, 1})
	add(Half, [3]int32{1, 0, 0}, [3]int32{1, 0, 0})
	add(Half, [3]int32{-1, 1, 0}, [3]int32{1, 1, 0})
	add(Half, [3]int32{-1, -1, 1}, [3]int32{1, 1, 1})
	for axis := range 3 {
		for _, step := range [2]int32{-1, 1} {
			lo, hi := [3]int32{-1, -1, -1}, [3]int32{1, 1, 1}
			lo[axis], hi[axis] = step, step
			add(Face(Side(step*int32(axis+1))), lo, hi)
		}
	}
}

// collect appends the bodies in the cells of a stencil around a body's cell.
func (g *Grid) collect(lv *level, stencil Stencil, p *location, out []int32) []int32 {
	if p.slot < 0 {
		return g.collectWrapped(lv, stencil, p.cell, out)
	}
	return g.collectRows(lv.slots, &lv.stencils[stencil], p.slot, out)
}

// collectRowsGo appends the bodies in the rows of a stencil, whose central cell has its first slot
// at center. It is collectRows without assembly, and handles cells of any number of bodies.
//
// Whether a cell holds a body is unpredictable, so there is no branch for it: the -1 of an empty
// cell is written, too, and overwritten by the next body. A second body in a cell is rare.
func (g *Grid) collectRowsGo(slots []int32, c *StencilRows, center int32, out []int32) []int32 {
	from := len(out)
	out = slices.Grow(out, 32)
	first := (*[32]int32)(out[from : from+32]) // the first body of each cell; a stencil has 27 cells
	n := uint32(0)
	seconds := int32(-1) // negative if no cell has a second body
	for k := range c.n {
		row := (*[8]int32)(slots[center+c.rows[k].offset:])
		a := row[0]
		first[n%32] = a
		n += 1 + uint32(a>>31)
		seconds &= row[1]
		if width := c.runs[k].width; width > 1 {
			a, b := row[2], row[4]
			first[n%32] = a
			n += 1 + uint32(a>>31)
			seconds &= row[3]
			if width > 2 {
				first[n%32] = b
				n += 1 + uint32(b>>31)
				seconds &= row[5]
			}
		}
	}
	out = out[:from+int(n)]
	if seconds < 0 {
		return out
	}
	for k := range c.n {
		for row := slots[center+c.rows[k].offset:][:2*c.runs[k].width]; len(row) >= 2; row = row[2:] {
			if row[1] >= 0 {
				out = g.appendFollowers(row[1], out)
			}
		}
	}
	return out
}

// collectWrapped is collect for a cell at the edge of the torus, where cells that are neighbours in
// the world are not neighbours in memory.
func (g *Grid) collectWrapped(lv *level, s Stencil, cell [3]int32, out []int32) []int32 {
	c := &lv.stencils[s]
	for _, r := range c.runs[:c.n] {
		for x := range r.width {
			out = g.appendList(lv.slots[2*lv.cellIndex(cell[0]+r.x+x, cell[1]+r.y, cell[2]+r.z):], out)
		}
	}
	return out
}

// appendList appends the bodies of a cell, whose two slots are the first two of slots.
func (g *Grid) appendList(slots []int32, out []int32) []int32 {
	if slots[0] < 0 {
		return out
	}
	out = append(out, slots[0])
	if slots[1] < 0 {
		return out
	}
	return g.appendFollowers(slots[1], out)
}

// appendFollowers appends the bodies of a cell but for the first, given the cell's second slot.
func (g *Grid) appendFollowers(second int32, out []int32) []int32 {
	out = append(out, second&^more)
	if second < more {
		return out
	}
	for j := g.link(second &^ more).next; j >= 0; j = g.link(j).next {
		out = append(out, j)
	}
	return out
}
