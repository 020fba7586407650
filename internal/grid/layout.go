package grid

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

const (
	// cellSlack makes cells wider than the largest diameter. The time of a crossing is rounded by
	// far less than 2^-20 of the time that it takes to cross this margin, so a pair is always found
	// before it touches.
	cellSlack = 1 + 0x1p-20

	// spacingShare is the width of a cell in mean distances between the bodies of its level, where
	// bodies are smaller than that. Measured with BenchmarkStep: smaller cells cost crossings,
	// larger ones pair tests. Between 0.73 and 0.92 there is no difference.
	spacingShare = 0.73

	// maxLevels bounds the levels. Each level is searched by every body on a new path.
	maxLevels = 8

	// spareCells is how many cells along an axis exceed the extent of the bodies: one beside the
	// first and one beside the last cell, and two because the extent is an estimate.
	spareCells = 4

	// minCells is the least number of cells along an axis that is not flat. With fewer than three,
	// a stencil would contain the same cell twice; four is what spareCells allows anyway.
	minCells = 4
)

// Sample describes a body to Layout.
type Sample struct {
	Center   collide.Vec3
	Diameter float64 // metres
	Stride   float64 // as for Put
	Speed    float64 // as for Put
}

// cellWidth returns the least width of the cells in which the body is stored.
func (b *Sample) cellWidth() float64 { return max(b.Diameter*cellSlack, b.Stride) }

// Layout empties the grid, makes room for bodies numbered below capacity, and chooses levels and
// cell sizes for the bodies of sample and for steps of that duration.
func (g *Grid) Layout(capacity int, seconds float64, sample []Sample, s *Scratch) {
	extent, middle, farOut := s.measure(sample)
	s.countSizes(sample)
	// Smaller cells could not be told apart at the bodies' distance from the origin: their walls
	// and the bodies' positions are rounded.
	g.chooseLevels(extent, farOut*0x2p-29, s)
	for axis := range 3 {
		g.flat[axis] = extent[axis] < 2*g.levels[0].size
	}
	for l := range g.levels {
		g.levels[l].chooseCells(g, extent, middle)
	}
	g.chooseSpeedLimits(extent, seconds, sample, s)
	g.locations = resize(g.locations, capacity)
	g.links = resize(g.links, 1+capacity)
	g.index = resize(g.index, capacity)
	g.links[0] = link{-1, -1}
	g.unbinned = g.unbinned[:0]
	g.unbinAfter = int16(min(minUnbinAfter+capacity/bodiesPerCrossing, math.MaxInt16-1))
	if g.EagerUnbin {
		g.unbinAfter = 0
	}
	for i := range g.locations {
		g.locations[i] = location{level: -1}
	}
}

// spacing returns the mean distance between count bodies in a box of that extent. It ignores the
// axes along which the box is thin.
func spacing(extent [3]float64, count int) float64 {
	widest := max(extent[0], extent[1], extent[2])
	volume, dimensions := 1.0, 0
	for _, e := range extent {
		if e > widest/float64(count) {
			volume *= e
			dimensions++
		}
	}
	each := volume / float64(count)
	switch {
	case !(each > 0) || math.IsInf(each, 1):
		return 0
	case dimensions == 1:
		return each
	case dimensions == 2:
		return math.Sqrt(each)
	}
	return math.Cbrt(each)
}

// chooseLevels makes the levels, with cells no narrower than least.
func (g *Grid) chooseLevels(extent [3]float64, least float64, s *Scratch) {
	for octaves := 1; !s.groupSizes(extent, least, octaves); octaves *= 2 {
	}
	n := len(s.groups)
	g.levels = slices.Grow(g.levels[:0], n)[:n] // keeps the memory of an earlier layout
	for l, c := range s.groups {
		lv := &g.levels[l]
		lv.size, lv.inverse, lv.bodies = c.width, 1/c.width, resize(lv.bodies, c.count)
	}
}

// groupSizes groups the size classes into levels, from the smallest bodies up. The cells of a level
// are as wide as the mean distance of its bodies, but wide enough for all bodies within so many
// octaves of its smallest. It returns false if that makes more than maxLevels levels.
func (s *Scratch) groupSizes(extent [3]float64, least float64, octaves int) bool {
	s.groups = s.groups[:0]
	for k := 0; k < len(s.sizes); {
		if len(s.groups) == maxLevels {
			return false
		}
		c := sizeClass{0, least}
		for first := k; k < len(s.sizes); k++ {
			next := s.sizes[k]
			n := c.count + next.count
			if k >= first+octaves*classesPerOctave && next.width > max(c.width, spacingShare*spacing(extent, n)) {
				break
			}
			c = sizeClass{n, max(c.width, next.width)}
		}
		c.width = max(c.width, spacingShare*spacing(extent, c.count))
		for k < len(s.sizes) && s.sizes[k].width <= c.width {
			c.count += s.sizes[k].count
			k++
		}
		s.groups = append(s.groups, c)
	}
	if len(s.groups) == 0 {
		s.groups = append(s.groups, sizeClass{1, 1})
	}
	return true
}

// chooseCells gives the level so many cells that its bodies seldom share one, but at most about
// eight cells a body. Bodies of one size need two or three each.
func (l *level) chooseCells(g *Grid, extent [3]float64, middle collide.Vec3) {
	limit := int64(8*len(l.bodies) + 64)
	var n [3]int64
	for axis := range 3 {
		n[axis] = 1
		if !g.flat[axis] {
			n[axis] = spareCells + int64(min(extent[axis]*l.inverse, float64(limit)))
		}
	}
	for n[0]*n[1]*n[2] > limit {
		widest := 0
		for axis := range 3 {
			if n[axis] > n[widest] {
				widest = axis
			}
		}
		if n[widest] <= minCells {
			break
		}
		n[widest] = max(minCells, n[widest]*3/4)
	}
	for axis := range 3 {
		l.n[axis] = int32(n[axis])
	}
	l.stride = [3]int32{1, int32(n[0]), int32(n[0] * n[1])}
	for axis, x := range [3]float64{middle.X, middle.Y, middle.Z} {
		l.shift[axis], l.low[axis], l.span[axis] = 0, 0, 1
		if !g.flat[axis] {
			first := l.coordinate(x - float64(extent[axis]/2))
			last := l.coordinate(x + float64(extent[axis]/2))
			l.shift[axis] = int32((n[axis] - 1 - int64(first) - int64(last)) >> 1)
			l.low[axis], l.span[axis] = 1, uint32(n[axis]-2)
		}
	}
	l.chooseStencils(g.flat)
	l.slots = emptySlots(l.slots, int(n[0]*n[1]*n[2]))
	l.bodies, l.fast, l.maxDiameter, l.speedLimit = l.bodies[:0], l.fast[:0], 0, 0
}

// chooseSpeedLimits chooses the speed limit of each level. Searches from other levels extend by the
// distance that the speed limit allows for, and include all faster bodies without a search. A
// higher limit makes the searched volume larger; a lower one makes more bodies fast.
func (g *Grid) chooseSpeedLimits(extent [3]float64, seconds float64, sample []Sample, s *Scratch) {
	if len(g.levels) == 1 {
		return
	}
	s.speeds = [maxLevels][64]int{}
	fastest := 0.0
	for i := range sample {
		fastest = max(fastest, sample[i].Speed)
	}
	if fastest == 0 {
		return
	}
	for i := range sample {
		// The speeds of class k are between fastest/2^k and half of that.
		k := math.Float64bits(fastest)>>52 - math.Float64bits(sample[i].Speed)>>52
		s.speeds[g.finest(sample[i].cellWidth())][min(k, 63)]++
	}
	dimensions := 0
	for axis := range 3 {
		if !g.flat[axis] {
			dimensions++
		}
	}
	for l := range g.levels {
		lv := &g.levels[l]
		each := spacing(extent, max(1, s.count(l)))
		least, fast := math.Inf(1), 0
		for k, n := range s.speeds[l] {
			limit := math.Ldexp(fastest, -k)
			limit = math.Float64frombits(math.Float64bits(limit) | 1<<52 - 1) // the fastest of the class
			// The number of bodies that a typical search finds: those that are fast, and those in a
			// cube. On average half of the step is left, and the searching body is about a cell
			// wide.
			cost, side := float64(fast), (2*lv.size+float64(limit*seconds))/each
			found := 1.0
			for range dimensions {
				found *= side
			}
			if cost += found; cost < least {
				least, lv.speedLimit = cost, limit
			}
			fast += n
		}
	}
}

// count returns how many bodies of the sample belong to a level.
func (s *Scratch) count(l int) (count int) {
	for _, n := range s.speeds[l] {
		count += n
	}
	return count
}

// Scratch is memory that Layout reuses.
type Scratch struct {
	sorted [3][]float64
	sizes  []sizeClass // from the smallest up, some empty
	groups []sizeClass // one for each level
	speeds [maxLevels][64]int
}

// sizeClass is a group of bodies of similar size.
type sizeClass struct {
	count int
	width float64 // of the cells that the largest of them needs, metres
}

// classesPerOctave is how many size classes a doubling of the size is divided into.
const classesPerOctave = 4

// countSizes sorts the bodies of sample into size classes.
func (s *Scratch) countSizes(sample []Sample) {
	s.sizes = s.sizes[:0]
	least, largest := math.MaxInt, math.MinInt
	for i := range sample {
		k := classOf(sample[i].cellWidth())
		least, largest = min(least, k), max(largest, k)
	}
	if len(sample) == 0 {
		return
	}
	s.sizes = slices.Grow(s.sizes, largest-least+1)[:largest-least+1]
	clear(s.sizes)
	for i := range sample {
		width := sample[i].cellWidth()
		c := &s.sizes[classOf(width)-least]
		c.count++
		c.width = max(c.width, width)
	}
}

// classOf returns the size class of x: its exponent and the first two bits of its fraction.
func classOf(x float64) int { return int(math.Float64bits(x) >> 50) }

const (
	// measured is about how many bodies are used to estimate the extent of the world.
	measured = 256

	// outlierShare: one in so many bodies is ignored at each end of an axis, so that a few stray
	// bodies don't make the world large.
	outlierShare = 16
)

// measure returns the extent of the bodies along each axis, their middle, and their largest
// coordinate, all in metres and without outliers.
func (s *Scratch) measure(sample []Sample) (extent [3]float64, middle collide.Vec3, farOut float64) {
	every := len(sample)/measured + 1
	var middles [3]float64
	for axis := range s.sorted {
		s.sorted[axis] = s.sorted[axis][:0]
	}
	for i := 0; i < len(sample); i += every {
		c := sample[i].Center
		s.sorted[0] = append(s.sorted[0], c.X)
		s.sorted[1] = append(s.sorted[1], c.Y)
		s.sorted[2] = append(s.sorted[2], c.Z)
	}
	for axis, x := range s.sorted {
		if len(x) == 0 {
			continue
		}
		slices.Sort(x)
		cut := len(x) / outlierShare
		// The extent of all is estimated from that of the inner part, as if bodies were spread
		// evenly.
		inner := x[len(x)-1-cut] - x[cut]
		middles[axis] = x[cut] + float64(inner/2)
		farOut = max(farOut, math.Abs(x[cut]), math.Abs(x[len(x)-1-cut]))
		extent[axis] = inner * float64(len(x)) / float64(len(x)-2*cut)
	}
	return extent, collide.Vec3{X: middles[0], Y: middles[1], Z: middles[2]}, farOut
}
