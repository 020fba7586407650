package grid

import "math"

// sweptBall is the region that a moving body can interact with: all points within reach of its
// centre at some time of its path.
type sweptBall struct {
	lv     *level // the level that is searched
	x, v   [3]float64
	reach  float64 // metres
	isLong bool    // the path goes through several cells of lv
}

// maxBlock is the number of cells up to which a search takes the whole block of cells around the
// path, instead of computing which of them are within reach.
const maxBlock = 27

// crossLevel appends to out every body of another level that could touch a body on path f, before
// the path ends or one of the two starts on a new path.
//
// Bodies of the level are no faster than its speed limit, except for those in level.fast. A body
// that touches the path is therefore in a cell within reach of it: the sum of both radii and the
// distance that the speed limit allows for. These cells are searched row by row, or all bodies are
// taken if the level has fewer bodies than that. Fast bodies are always included. A body that has
// just changed its speed and is not yet in level.fast starts on a new path, and so does its own
// search later.
func (g *Grid) crossLevel(lv *level, f *Path, out []int32) []int32 {
	if len(lv.bodies) == 0 {
		return out
	}
	b := sweptBall{lv: lv, x: [3]float64{f.X.X, f.X.Y, f.X.Z}, v: [3]float64{f.V.X, f.V.Y, f.V.Z}}
	reach := f.Radius + float64(lv.maxDiameter/2) + float64(lv.speedLimit*(f.Until-f.Now))
	// Rounding moves the path, the other bodies and their crossings by less than 2^-50 of the
	// coordinates and 2^-30 of a cell.
	far := math.Abs(f.X.X) + math.Abs(f.X.Y) + math.Abs(f.X.Z) +
		float64(f.Until*(math.Abs(f.V.X)+math.Abs(f.V.Y)+math.Abs(f.V.Z)))
	b.reach = float64(reach*cellSlack) + float64(lv.size*0x1p-20) + float64(far*0x1p-46)
	var lo, hi [3]int32
	cells, longest := int64(1), 0.0
	for axis := range 3 {
		if g.flat[axis] {
			continue
		}
		from, to := b.interval(axis, f.Now, f.Until)
		longest = max(longest, to-from)
		lo[axis], hi[axis] = lv.coordinate(axis, from-b.reach), lv.coordinate(axis, to+b.reach)
		if hi[axis]-lo[axis] >= lv.n[axis] { // once around the torus or more
			return append(out, lv.bodies...)
		}
		cells *= int64(hi[axis] - lo[axis] + 1)
	}
	if cells > int64(len(lv.bodies)) {
		return append(out, lv.bodies...)
	}
	start := len(out)
	c := &g.rows
	c.n, c.pieces = 0, 0
	if cells <= maxBlock && g.addBlock(lv, &lo, &hi) {
		return g.appendFast(lv, start, g.collectRows(lv, c, 0, out))
	}
	b.isLong = longest > 2*lv.size
	for z := lo[2]; z <= hi[2]; z++ {
		from, to, side := f.Now, f.Until, b.reach
		if !g.flat[2] {
			from, to, side = b.clip(2, z, from, to, side)
		}
		if side < 0 {
			continue
		}
		first, last := int32(0), int32(0)
		if !g.flat[1] {
			first, last = b.cellRange(1, from, to, side)
		}
		for y := first; y <= last; y++ {
			from, to, side := from, to, side
			if !g.flat[1] {
				from, to, side = b.clip(1, y, from, to, side)
			}
			if side < 0 {
				continue
			}
			first, last := int32(0), int32(0)
			if !g.flat[0] {
				first, last = b.cellRange(0, from, to, side)
			}
			out = g.addRun(lv, first, last, y, z, out)
		}
	}
	return g.appendFast(lv, start, g.collectRows(lv, c, 0, out))
}

// appendFast appends the fast bodies of a level, and removes them from out[start:] first, so that
// none is there twice.
func (g *Grid) appendFast(lv *level, start int, out []int32) []int32 {
	if len(lv.fast) == 0 {
		return out
	}
	n := start
	for _, j := range out[start:] {
		out[n] = j
		if !g.locations[j].isFast {
			n++
		}
	}
	return append(out[:n], lv.fast...)
}

// addBlock adds a block of cells, of at most maxRows rows, to g.rows. It returns false, and adds
// nothing, if the block is larger or reaches around the torus.
func (g *Grid) addBlock(lv *level, lo, hi *[3]int32) bool {
	width := hi[0] - lo[0] + 1
	if width*lv.perCell > maxSlots || (hi[1]-lo[1]+1)*(hi[2]-lo[2]+1) > maxRows {
		return false
	}
	for axis := range 3 {
		if lo[axis]+lv.shift[axis] < 0 || hi[axis]+lv.shift[axis] >= lv.n[axis] {
			return false
		}
	}
	c := &g.rows
	first := lo[0] + lv.shift[0] + (lo[1]+lv.shift[1])*lv.stride[1] + (lo[2]+lv.shift[2])*lv.stride[2]
	for z := lo[2]; z <= hi[2]; z++ {
		at := first
		for y := lo[1]; y <= hi[1]; y++ {
			c.add(run{offset: at * lv.perCell, width: width}, lv.perCell)
			at += lv.stride[1]
		}
		first += lv.stride[2]
	}
	return true
}

// addRun adds the cells from lo to hi along x to g.rows. When g.rows is full, it appends the bodies
// of those rows to out.
func (g *Grid) addRun(lv *level, lo, hi, y, z int32, out []int32) []int32 {
	c := &g.rows
	at := wrap(y+lv.shift[1], lv.n[1])*lv.stride[1] + wrap(z+lv.shift[2], lv.n[2])*lv.stride[2]
	x := wrap(lo+lv.shift[0], lv.n[0])
	for left := hi - lo + 1; left > 0; {
		width := min(left, maxSlots/lv.perCell, lv.n[0]-x)
		if c.n == maxRows {
			out = g.collectRows(lv, c, 0, out)
			c.n, c.pieces = 0, 0
		}
		c.add(run{offset: (at + x) * lv.perCell, width: width}, lv.perCell)
		left -= width
		if x += width; x == lv.n[0] {
			x = 0
		}
	}
	return out
}

// interval returns the range of the centre's coordinate between two times.
func (b *sweptBall) interval(axis int, from, to float64) (lo, hi float64) {
	p, q := b.x[axis]+float64(from*b.v[axis]), b.x[axis]+float64(to*b.v[axis])
	return min(p, q), max(p, q)
}

// cellRange returns the cells along an axis that are within reach between two times.
func (b *sweptBall) cellRange(axis int, from, to, reach float64) (first, last int32) {
	lo, hi := b.interval(axis, from, to)
	return b.lv.coordinate(axis, lo-reach), b.lv.coordinate(axis, hi+reach)
}

// clip restricts a time interval of the path to the times at which a layer of cells, perpendicular
// to an axis, is within reach. It also returns the reach that is left along the other axes in that
// layer: less than 0 if the layer is never within reach.
func (b *sweptBall) clip(axis int, cell int32, from, to, reach float64) (first, last, side float64) {
	low, high := b.lv.wall(axis, cell), b.lv.wall(axis, cell+1)
	if cell <= -farthest {
		low = math.Inf(-1)
	}
	if cell >= farthest {
		high = math.Inf(1)
	}
	if v := b.v[axis]; b.isLong && v != 0 {
		t, u := (low-reach-b.x[axis])/v, (high+reach-b.x[axis])/v
		from, to = max(from, min(t, u)), min(to, max(t, u))
		if from > to {
			return 0, 0, -1
		}
	}
	lo, hi := b.interval(axis, from, to)
	gap := max(0, low-hi, lo-high)
	if gap > reach {
		return 0, 0, -1
	}
	return from, to, math.Sqrt(float64(reach*reach) - float64(gap*gap))
}
