package grid

import "slices"

// Stencil names a set of cells around a cell.
type Stencil int

// The stencils. The others contain the cells beyond one side: see Face.
const (
	Half     Stencil = 0 // half of the neighbours: of two neighbouring cells, one is in the other's Half
	Full     Stencil = 1 // the cell and all its neighbours
	stencils         = Full + sides + 1
)

// Face returns the stencil that a body adds when it crosses into a cell through its opposite side:
// the layer of neighbours on the given side.
func Face(side Side) Stencil { return Full + Stencil(side) }

// maxRows is the largest number of rows in a stencil, maxSlots that of slots in a row, and
// maxPieces that of pieces.
const maxRows, maxSlots, maxPieces = 9, 12, 18

// StencilRows is the cells of a stencil, relative to its central cell, in rows along x.
type StencilRows struct {
	// For assembly, which knows where these fields are: the rows in pieces of up to eight slots.
	pieces  int
	offsets [maxPieces]int32
	masks   [maxPieces]int32 // of a piece: bit k is set if slot k belongs to it

	runs [maxRows]run // the same cells
	n    int
}

// run is cells that are neighbours along x, and therefore beside each other in memory, with up to
// maxSlots slots: the offset of its first slot from the first slot of the central cell, that of its
// first cell by coordinates, and the numbers of cells and of slots.
type run struct{ offset, x, y, z, width, slots int32 }

// add adds a row of cells with so many slots.
func (c *StencilRows) add(r run, perCell int32) {
	r.slots = r.width * perCell
	c.runs[c.n] = r
	c.n++
	for at, end := r.offset, r.offset+r.slots; at < end; at += 8 {
		c.offsets[c.pieces], c.masks[c.pieces] = at, 1<<min(end-at, 8)-1
		c.pieces++
	}
}

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
					at := lo[0] + y*l.stride[1] + z*l.stride[2]
					c.add(run{offset: at * l.perCell, x: lo[0], y: y, z: z, width: width}, l.perCell)
				}
			}
		}
	}
	add(Full, [3]int32{-1, -1, -1}, [3]int32{1, 1, 1})
	add(Half, [3]int32{1, 0, 0}, [3]int32{1, 0, 0})
	add(Half, [3]int32{-1, 1, 0}, [3]int32{1, 1, 0})
	add(Half, [3]int32{-1, -1, 1}, [3]int32{1, 1, 1})
	for axis := range 3 {
		for k, step := range [2]int32{-1, 1} {
			lo, hi := [3]int32{-1, -1, -1}, [3]int32{1, 1, 1}
			lo[axis], hi[axis] = step, step
			add(Face(Side(2*axis+k+1)), lo, hi)
		}
	}
}

// collect appends the bodies in the cells of a stencil around a body's cell.
func (g *Grid) collect(lv *level, stencil Stencil, p *location, out []int32) []int32 {
	c := &lv.stencils[stencil]
	if p.slot >= 0 {
		return g.collectRows(lv, c, p.slot, out)
	}
	// At the edge of the torus, cells that are neighbours in the world are not neighbours in
	// memory.
	for _, r := range c.runs[:c.n] {
		for x := range r.width {
			cell := lv.cellIndex(p.cell[0]+r.x+x, p.cell[1]+r.y, p.cell[2]+r.z)
			if slots := lv.slotsAt(cell * lv.perCell); slots[0] >= 0 {
				out = g.appendCell(slots, out)
			}
		}
	}
	return out
}

// collectRowsGo appends the bodies in the rows of a stencil, whose central cell has its first slot
// at center. It is collectRows without assembly.
//
// Whether a slot has a body is unpredictable, so there is no branch for it: the -1 of an empty one
// is written, too, and overwritten by the next body. A row has up to maxSlots slots, and is read
// as an array of them, so that its bounds are checked once.
func (g *Grid) collectRowsGo(lv *level, c *StencilRows, center int32, out []int32) []int32 {
	from := len(out)
	out = slices.Grow(out, 128)
	found := (*[128]int32)(out[from : from+128]) // a stencil has 27 cells, with up to 4 slots each
	n, slots := uint32(0), lv.slots
	ends := int32(0) // has the bit more if a last slot has it; -1 + 1 has none
	for k := range c.runs[:c.n] {
		r := &c.runs[k]
		row := (*[maxSlots]int32)(slots[center+r.offset:])
		n = put(found, put(found, n, row[0]), row[1])
		ends |= row[1] + 1
		if r.slots > 2 {
			n = put(found, put(found, n, row[2]), row[3])
			ends |= row[3] + 1
			if r.slots > 4 {
				n = put(found, put(found, n, row[4]), row[5])
				ends |= row[5] + 1
				if r.slots > 6 {
					n = put(found, put(found, n, row[6]), row[7])
					ends |= row[7] + 1
					if r.slots > 8 {
						n = put(found, put(found, n, row[8]), row[9])
						ends |= row[9] + 1
						if r.slots > 10 {
							n = put(found, put(found, n, row[10]), row[11])
							ends |= row[11] + 1
						}
					}
				}
			}
		}
	}
	if out = out[:from+int(n)]; ends&more != 0 {
		return g.appendOthers(out, from)
	}
	return out
}

// put writes j to place n of found, and returns the place after it, or n if j is negative.
func put(found *[128]int32, n uint32, j int32) uint32 {
	found[n%128] = j
	return n + 1 + uint32(j>>31)
}

// appendOthers appends the bodies that have no slot and follow those in out from index from on,
// which have the bit more then.
func (g *Grid) appendOthers(out []int32, from int) []int32 {
	for k, j := range out[from:] {
		if j >= more {
			out[from+k] = j &^ more
			out = g.appendList(j&^more, out)
		}
	}
	return out
}
