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

	// maxLevels bounds the levels. Each level is searched by every body on a new path.
	maxLevels = 8

	// spareCells is how many cells along an axis exceed the extent of the bodies: one beside the
	// first and one beside the last cell, and two because the extent is an estimate.
	spareCells = 4

	// crowdedCell is the mean number of bodies in a cell from which on cells have four slots
	// instead of two. With a smaller value, searches read more memory; with a larger one, many
	// cells have more bodies than slots.
	crowdedCell = 1

	// minCells is the least number of cells along an axis that is not flat. With fewer than three,
	// a stencil would contain the same cell twice; four is what spareCells allows anyway.
	minCells = 4
)

// Samples are the bodies that Layout is told of, numbered from 0: At returns false for a number
// that no body has. It is called several times for each, since a copy of all would take 48 bytes a
// body.
type Samples struct {
	Count int
	At    func(k int) (Sample, bool)
}

// Sample describes a body to Layout.
type Sample struct {
	Center   collide.Vec3
	Diameter float64 // metres
	Stride   float64 // as for Put
	Speed    float64 // as for Put
}

// cellWidth returns the least width of the cells in which the body is stored.
func (b *Sample) cellWidth() float64 { return max(b.Diameter*cellSlack, b.Stride) }

// Layout empties the grid, makes room for so many bodies, and chooses levels and cell sizes for the
// bodies of sample and for steps of that duration.
func (g *Grid) Layout(bodies int, seconds float64, sample Samples, s *Scratch) {
	extent, middle, farOut := s.measure(sample)
	s.extent = extent
	s.measureAll(sample)
	s.countSizes(sample, seconds)
	s.measureCrowding(sample, middle)
	// Smaller cells could not be told apart at the bodies' distance from the origin: their walls
	// and the bodies' positions are rounded.
	g.chooseLevels(farOut*0x2p-29, s)
	for axis := range 3 {
		g.flat[axis] = extent[axis] < 2*g.levels[0].size
	}
	for l := range g.levels {
		g.levels[l].chooseCells(g, middle, s)
	}
	g.chooseSpeedLimits(seconds, sample, s)
	if len(g.locations) < bodies {
		g.locations, g.next, g.index = make([]location, bodies), make([]int32, bodies), make([]int32, bodies)
	}
	g.unbinned = g.unbinned[:0]
	g.unbinAfter = int16(min(minUnbinAfter+sample.Count/bodiesPerCrossing, math.MaxInt16-1))
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

// cellLimit returns the greatest number of cells of a level with so many bodies.
func cellLimit(bodies int) float64 { return float64(8*bodies + 64) }

// allCells returns how many cells of that width a level has if memory does not limit them.
func (s *Scratch) allCells(width float64) float64 {
	all := 1.0
	for _, e := range s.extent {
		if e >= 2*width {
			all *= spareCells + e/width
		}
	}
	return all
}

// chooseCells gives the level so many cells that its bodies seldom share one, but at most about
// eight cells a body. Bodies of one size need two or three each.
func (l *level) chooseCells(g *Grid, middle collide.Vec3, s *Scratch) {
	extent := s.extent
	limit := int64(cellLimit(len(l.bodies)))
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
	l.stride = [3]int32{1, 0, 0}
	for axis := range 3 {
		l.origin[axis], l.shift[axis], l.low[axis], l.span[axis], l.width[axis] = 0, 0, 0, 1, math.Inf(1)
		if !g.flat[axis] {
			l.width[axis] = l.size
			first, last := int32(0), int32(s.cells(axis, l.size))-1
			if all := int64(last) + 1 + spareCells; all <= n[axis]+1 {
				n[axis] = max(n[axis], all)
				l.origin[axis] = (s.least[axis] + s.most[axis] - float64(l.size*float64(last+1))) / 2
			} else {
				first = l.coordinate(axis, middle.Component(axis)-float64(extent[axis]/2))
				last = l.coordinate(axis, middle.Component(axis)+float64(extent[axis]/2))
			}
			l.shift[axis] = int32((n[axis] - 1 - int64(first) - int64(last)) >> 1)
			l.low[axis], l.span[axis] = 1, uint32(n[axis]-2)
		}
		l.n[axis] = int32(n[axis])
		if axis < 2 {
			l.stride[axis+1] = l.stride[axis] * l.n[axis]
		}
	}
	l.perCell = 2
	if s.inCube(float64(len(l.bodies)), l.size) > crowdedCell {
		l.perCell = 4
	}
	l.chooseStencils(g.flat)
	for side := Side(1); side <= sides; side++ {
		axis, step := side.axis()
		l.steps[side] = step * l.stride[axis] * l.perCell
	}
	l.slots = emptySlots(l.slots, int(n[0]*n[1]*n[2])*int(l.perCell))
	l.bodies, l.fast, l.maxDiameter, l.speedLimit = l.bodies[:0], l.fast[:0], 0, 0
}

// chooseSpeedLimits chooses the speed limit of each level, and how far searches of finer levels
// look ahead. Searches from other levels extend by the distance that the speed limit allows for,
// and include all faster bodies without a search. With a higher limit, the searched volume is
// larger or searches look ahead less far and are more; with a lower one, more bodies are fast.
func (g *Grid) chooseSpeedLimits(seconds float64, sample Samples, s *Scratch) {
	g.fastExpected = 0
	for l := range g.levels {
		g.levels[l].window = math.Inf(1)
	}
	if len(g.levels) == 1 {
		return
	}
	s.speeds = [maxLevels][64]int{}
	fastest := 0.0
	for k := range sample.Count {
		if b, ok := sample.At(k); ok {
			fastest = max(fastest, b.Speed)
		}
	}
	if fastest == 0 {
		return
	}
	for i := range sample.Count {
		if b, ok := sample.At(i); ok {
			// The speeds of class k are between fastest/2^k and half of that.
			k := math.Float64bits(fastest)>>52 - math.Float64bits(b.Speed)>>52
			s.speeds[g.finest(b.cellWidth())][min(k, 63)]++
		}
	}
	for l := range g.levels {
		lv := &g.levels[l]
		count := float64(s.count(l))
		finer, coarser, coarserBodies, width := 0.0, 0.0, 0.0, 0.0
		for k := range s.groups {
			switch c := &s.groups[k]; {
			case k < l:
				finer += c.searches
			case k > l:
				coarser += c.searches
				coarserBodies += float64(c.count)
				width += float64(float64(c.count) * c.least)
			}
		}
		width /= max(1, coarserBodies)
		inside := s.inCube(count, width)
		least, fast, chosen := math.Inf(1), 0, 0
		for k, n := range s.speeds[l] {
			limit := math.Ldexp(fastest, -k)
			limit = math.Float64frombits(math.Float64bits(limit) | 1<<52 - 1) // the fastest of the class
			travel := float64(limit * seconds)
			ahead := min(travel, lv.size)
			fineSearches := finer + 1
			found := float64(fast) + s.inCube(count, float64(2*lv.size)+travel)
			coarseSearches := coarser + float64(coarserBodies*(1+travel/lv.size))
			coarseFound := float64(fast) + s.inCube(count, width+float64(2*ahead)+lv.size) - inside
			cost := float64(fineSearches*found) + float64(coarseSearches*coarseFound)
			if cost < least {
				least, lv.speedLimit, chosen = cost, limit, fast
			}
			fast += n
		}
		g.fastExpected += chosen
		for k := l + 1; k < len(g.levels); k++ {
			g.levels[k].window = min(g.levels[k].window, lv.size/lv.speedLimit)
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
	extent [3]float64 // of the bodies without outliers, metres
	least  [3]float64 // the least coordinate of all bodies along each axis, metres
	most   [3]float64 // and the largest

	narrowest, widest float64 // widths of the cells that the bodies need, metres

	sizes  []sizeClass // from the smallest up
	groups []sizeClass // one for each level
	bins   [maxBins * maxBins * maxBins]int32

	// crowding is how many times as many bodies a body has around it as if all were spread evenly.
	crowding float64
	speeds   [maxLevels][64]int
}

const (
	// measured is about how many bodies are used to estimate the extent of the world.
	measured = 256

	// outlierShare: one in so many bodies is ignored at each end of an axis, so that a few stray
	// bodies don't make the world large.
	outlierShare = 16
)

// edge is how much farther than its bodies a world is taken to extend, as a fraction of its extent:
// they move on.
const edge = 1.0 / 64

// whole is by how much a number of cells may exceed a whole one and count as that: it is rounded.
const whole = 0x1p-20

// measureAll measures the extent of the bodies with all outliers, and their widths.
func (s *Scratch) measureAll(sample Samples) {
	for axis := range 3 {
		s.least[axis], s.most[axis] = math.Inf(1), math.Inf(-1)
	}
	s.narrowest, s.widest = math.Inf(1), 0
	for k := range sample.Count {
		b, ok := sample.At(k)
		if !ok {
			continue
		}
		width := b.cellWidth()
		s.narrowest, s.widest = min(s.narrowest, width), max(s.widest, width)
		for axis, x := range [3]float64{b.Center.X, b.Center.Y, b.Center.Z} {
			s.least[axis], s.most[axis] = min(s.least[axis], x), max(s.most[axis], x)
		}
	}
}

// cells returns how many cells of that width the bodies need along an axis.
func (s *Scratch) cells(axis int, width float64) float64 {
	return math.Ceil(min(max((s.most[axis]-s.least[axis])*(1+edge)/width-whole, 1), farthest))
}

// longest returns the extent of the world along its longest axis.
func (s *Scratch) longest() float64 {
	return max(s.most[0]-s.least[0], s.most[1]-s.least[1], s.most[2]-s.least[2]) * (1 + edge)
}

// fit returns the least width of cells, at least w, for which the world is a whole number of cells
// wide along its longest axis.
func (s *Scratch) fit(w float64) float64 {
	longest := s.longest()
	if cells := math.Floor(longest / w); cells >= minCells && cells < farthest {
		return max(w, longest/cells)
	}
	return w
}

// walls returns how many walls of cells of that width there are in a metre of the world. Where the
// world ends in a cell there is none.
func (s *Scratch) walls(width float64) float64 {
	longest := s.longest()
	if cells := math.Ceil(longest/width - whole); cells >= minCells && cells < farthest {
		return (cells - 1) / longest
	}
	return 1 / width
}

// measure returns the extent of the bodies along each axis, their middle, and their largest
// coordinate, all in metres and without outliers.
func (s *Scratch) measure(sample Samples) (extent [3]float64, middle collide.Vec3, farOut float64) {
	every := sample.Count/measured + 1
	var middles [3]float64
	for axis := range s.sorted {
		s.sorted[axis] = s.sorted[axis][:0]
	}
	for k := 0; k < sample.Count; k += every {
		if b, ok := sample.At(k); ok {
			s.sorted[0] = append(s.sorted[0], b.Center.X)
			s.sorted[1] = append(s.sorted[1], b.Center.Y)
			s.sorted[2] = append(s.sorted[2], b.Center.Z)
		}
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
