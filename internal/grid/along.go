package grid

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Flight is the path of a body for the rest of a step: its centre is at X + t·V at time t, from Now until Until.
type Flight struct {
	X, V       collide.Vec3
	Radius     float64
	Now, Until float64
}

// tube is where a flight reaches: all that is within reach of where its centre is at some time.
type tube struct {
	lv    *level
	x, v  [3]float64
	reach float64
	long  bool // the flight goes through several cells
}

// along appends to out every body of another level that could touch the one on this flight before it ends or either turns.
//
// Nobody there comes further than at its level's pace, but for those that race. So whom it touches is in a cell that is within reach of
// the flight now: as far as the radii and that way. Those cells are looked into row by row, unless the level has fewer bodies than that. Those
// that race are taken in without a look. A body that has turned and not yet told its speed is going to look itself.
func (g *Grid) along(lv *level, f *Flight, out []int32) []int32 {
	if len(lv.bodies) == 0 {
		return out
	}
	b := tube{lv: lv, x: [3]float64{f.X.X, f.X.Y, f.X.Z}, v: [3]float64{f.V.X, f.V.Y, f.V.Z}}
	reach := f.Radius + float64(lv.widest/2) + float64(lv.pace*(f.Until-f.Now))
	// Rounding moves the flight, the others and their crossings by less than 2^-50 of the coordinates and 2^-30 of a cell.
	far := math.Abs(f.X.X) + math.Abs(f.X.Y) + math.Abs(f.X.Z) + float64(f.Until*(math.Abs(f.V.X)+math.Abs(f.V.Y)+math.Abs(f.V.Z)))
	b.reach = float64(reach*cellSlack) + float64(lv.size*0x1p-20) + float64(far*0x1p-46)
	var lo, hi [3]int32
	cells, way := int64(1), 0.0
	for axis := range 3 {
		if g.flat[axis] {
			continue
		}
		from, to := b.span(axis, f.Now, f.Until)
		way = max(way, to-from)
		lo[axis], hi[axis] = lv.coordinate(from-b.reach), lv.coordinate(to+b.reach)
		if hi[axis]-lo[axis] >= lv.n[axis] { // once around the torus and more: that is all of it
			return append(out, lv.bodies...)
		}
		cells *= int64(hi[axis] - lo[axis] + 1)
	}
	if cells > int64(len(lv.bodies)) {
		return append(out, lv.bodies...)
	}
	start := len(out)
	c := &g.some
	c.n = 0
	if cells <= few && g.block(lv, &lo, &hi) {
		return g.racing(lv, start, g.collectRows(lv.lives, c, 0, out))
	}
	b.long = way > 2*lv.size
	for z := lo[2]; z <= hi[2]; z++ {
		from, to, side := f.Now, f.Until, b.reach
		if !g.flat[2] {
			from, to, side = b.slice(2, z, from, to, side)
		}
		if side < 0 {
			continue
		}
		first, last := int32(0), int32(0)
		if !g.flat[1] {
			first, last = b.cells(1, from, to, side)
		}
		for y := first; y <= last; y++ {
			from, to, side := from, to, side
			if !g.flat[1] {
				from, to, side = b.slice(1, y, from, to, side)
			}
			if side < 0 {
				continue
			}
			first, last := int32(0), int32(0)
			if !g.flat[0] {
				first, last = b.cells(0, from, to, side)
			}
			out = g.row(lv, first, last, y, z, out)
		}
	}
	return g.racing(lv, start, g.collectRows(lv.lives, c, 0, out))
}

// racing appends the bodies of a level that race, unless they are in out from start on already.
func (g *Grid) racing(lv *level, start int, out []int32) []int32 {
	if len(lv.racing) == 0 {
		return out
	}
	n := start
	for _, j := range out[start:] {
		out[n] = j
		if !g.places[j].races {
			n++
		}
	}
	return append(out[:n], lv.racing...)
}

// block makes rows of the cells of a block of at most three along each axis, unless it goes around the torus.
func (g *Grid) block(lv *level, lo, hi *[3]int32) bool {
	width := hi[0] - lo[0] + 1
	if width > 3 || (hi[1]-lo[1]+1)*(hi[2]-lo[2]+1) > int32(len(g.some.near)) {
		return false
	}
	for axis := range 3 {
		if lo[axis]+lv.turn[axis] < 0 || hi[axis]+lv.turn[axis] >= lv.n[axis] {
			return false
		}
	}
	c := &g.some
	first := lo[0] + lv.turn[0] + (lo[1]+lv.turn[1])*lv.stride[1] + (lo[2]+lv.turn[2])*lv.stride[2]
	for z := lo[2]; z <= hi[2]; z++ {
		at := first
		for y := lo[1]; y <= hi[1]; y++ {
			c.rows[c.n], c.near[c.n].width = Row{2 * at, 1<<(2*width) - 1}, width
			c.n++
			at += lv.stride[1]
		}
		first += lv.stride[2]
	}
	return true
}

// few is how many cells, at the most, are looked into sooner than it is found out which of them are in reach.
const few = 27

// span returns between which coordinates the flight is.
func (b *tube) span(axis int, from, to float64) (lo, hi float64) {
	p, q := b.x[axis]+float64(from*b.v[axis]), b.x[axis]+float64(to*b.v[axis])
	return min(p, q), max(p, q)
}

// cells returns the cells along an axis that are within reach.
func (b *tube) cells(axis int, from, to, reach float64) (first, last int32) {
	lo, hi := b.span(axis, from, to)
	return b.lv.coordinate(lo - reach), b.lv.coordinate(hi + reach)
}

// slice narrows a part of the flight down to where it is within reach of one layer of cells across an axis. It
// also returns how far to the sides of the flight it reaches in that layer, or less than 0 for nowhere.
func (b *tube) slice(axis int, cell int32, from, to, reach float64) (first, last, side float64) {
	low, high := float64(float64(cell)*b.lv.size), float64(float64(cell+1)*b.lv.size)
	if cell <= -farthest {
		low = math.Inf(-1)
	}
	if cell >= farthest {
		high = math.Inf(1)
	}
	if v := b.v[axis]; b.long && v != 0 {
		t, u := (low-reach-b.x[axis])/v, (high+reach-b.x[axis])/v
		from, to = max(from, min(t, u)), min(to, max(t, u))
		if from > to {
			return 0, 0, -1
		}
	}
	lo, hi := b.span(axis, from, to)
	gap := max(0, low-hi, lo-high)
	if gap > reach {
		return 0, 0, -1
	}
	return from, to, math.Sqrt(float64(reach*reach) - float64(gap*gap))
}

// row appends the bodies in the cells from lo to hi along x, or leaves that to the next call of collectRows.
func (g *Grid) row(lv *level, lo, hi, y, z int32, out []int32) []int32 {
	c := &g.some
	at := wrap(y+lv.turn[1], lv.n[1])*lv.stride[1] + wrap(z+lv.turn[2], lv.n[2])*lv.stride[2]
	x := wrap(lo+lv.turn[0], lv.n[0])
	for left := hi - lo + 1; left > 0; {
		width := min(left, 3, lv.n[0]-x)
		if c.n == len(c.near) {
			out = g.collectRows(lv.lives, c, 0, out)
			c.n = 0
		}
		c.rows[c.n] = Row{2 * (at + x), 1<<(2*width) - 1}
		c.near[c.n].width = width
		c.n++
		left -= width
		if x += width; x == lv.n[0] {
			x = 0
		}
	}
	return out
}
