package grid

import "slices"

// Zone is which cells around a cell to look into.
type Zone int

// The zones.
const (
	Around Zone = 4 // the cell and all its neighbours
	After  Zone = 0 // those neighbours that don't have the cell in their own zone After: half of them
	zones       = 8 // the others are those beyond a side: see Ahead
)

// Ahead is the cells beyond a cell's neighbour on the given side that it comes near: the layer of neighbours there.
func Ahead(side Side) Zone { return Around + Zone(side) }

// cells is the rows of cells of a zone, as they lie about the cell in its middle.
type cells struct {
	n    int
	rows [10]Row // nine, and an empty one for who takes them in pairs
	near [9]offset
}

// Row is cells that lie side by side: up to eight slots from at on, those of them whose bit in mask is set.
type Row struct{ at, mask int32 }

// offset is where a row begins, in cells from the middle, and how many cells it has.
type offset struct{ x, y, z, width int32 }

// chooseZones works out where in memory the cells of each zone lie.
func (l *level) chooseZones(flat [3]bool) {
	l.zones = [zones]cells{}
	along := func(axis int, lo, hi int32) (int32, int32) { // a flat axis has one cell
		if flat[axis] {
			return max(lo, 0), min(hi, 0)
		}
		return lo, hi
	}
	add := func(to Zone, lo, hi [3]int32) {
		for axis := range 3 {
			lo[axis], hi[axis] = along(axis, lo[axis], hi[axis])
		}
		c := &l.zones[to]
		for z := lo[2]; z <= hi[2]; z++ {
			for y := lo[1]; y <= hi[1]; y++ {
				if width := hi[0] - lo[0] + 1; width > 0 {
					c.near[c.n] = offset{lo[0], y, z, width}
					c.rows[c.n] = Row{2 * (lo[0] + y*l.stride[1] + z*l.stride[2]), 1<<(2*width) - 1}
					c.n++
				}
			}
		}
	}
	add(Around, [3]int32{-1, -1, -1}, [3]int32{1, 1, 1})
	add(After, [3]int32{1, 0, 0}, [3]int32{1, 0, 0})
	add(After, [3]int32{-1, 1, 0}, [3]int32{1, 1, 0})
	add(After, [3]int32{-1, -1, 1}, [3]int32{1, 1, 1})
	for axis := range 3 {
		for _, step := range [2]int32{-1, 1} {
			lo, hi := [3]int32{-1, -1, -1}, [3]int32{1, 1, 1}
			lo[axis], hi[axis] = step, step
			add(Ahead(Side(step*int32(axis+1))), lo, hi)
		}
	}
}

// collect appends the bodies that live in a zone about the cell of a place.
func (g *Grid) collect(lv *level, zone Zone, p *place, out []int32) []int32 {
	if p.at < 0 {
		return g.collectAround(lv, zone, p.cell, out)
	}
	return g.collectRows(lv.lives, &lv.zones[zone], p.at, out)
}

// collectEach appends the bodies in the rows of a zone about the cell whose slots begin at at.
func (g *Grid) collectEach(lists []int32, c *cells, at int32, out []int32) []int32 {
	n := len(out)
	for k := range c.n {
		r := &c.rows[k]
		row := lists[at+r.at:][:2*c.near[k].width]
		for ; len(row) >= 2; row = row[2:] {
			if n == len(out) {
				out = slices.Grow(out, 64)
				out = out[:cap(out)]
			}
			// Whether there is a body in a cell is as good as random, so there is no branch for it: an empty
			// cell's -1 is written and then written over. That a second one follows is rare.
			out[n] = row[0]
			n += 1 + int(row[0]>>31)
			if row[1] >= 0 {
				out = g.list(row, out[:n-1])
				n = len(out)
				out = out[:cap(out)]
			}
		}
	}
	return out[:n]
}

// collectAround is collect for a cell at the edge of the torus, where cells side by side in the world aren't so in memory.
func (g *Grid) collectAround(lv *level, z Zone, cell [3]int32, out []int32) []int32 {
	c := &lv.zones[z]
	for _, r := range c.near[:c.n] {
		for x := range r.width {
			out = g.list(lv.lives[2*lv.at(cell[0]+r.x+x, cell[1]+r.y, cell[2]+r.z):], out)
		}
	}
	return out
}

// list appends the bodies of the list whose slots are the first two of those given.
func (g *Grid) list(slots []int32, out []int32) []int32 {
	if slots[0] < 0 {
		return out
	}
	out = append(out, slots[0])
	second := slots[1]
	if second < 0 {
		return out
	}
	out = append(out, second&^more)
	if second < more {
		return out
	}
	for j := g.link(second &^ more).next; j >= 0; j = g.link(j).next {
		out = append(out, j)
	}
	return out
}
