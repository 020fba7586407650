package grid

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grow"
)

// Layout chooses levels and cells so that a step costs least. Cells as narrow as the bodies allow
// need the fewest pair tests, but a fast body crosses many of them. Levels keep small bodies in
// small cells, but each search has to visit all levels. A model estimates what a step costs from
// the number, size and speed of the bodies. Results don't depend on it.

// What parts of a step cost, in instructions, as counted with cachegrind on amd64. Only their
// ratios matter: with twice the value for any of them, the scenes of bench/cost change by a few
// percent.
const (
	crossingCost = 1000 // a body moves to the next cell, without the pair tests
	testCost     = 30   // a pair test, with its share of cache misses
	searchCost   = 350  // a search of another level, without rows and pair tests
	cellCost     = 15   // a cell that such a search visits
	edgeFactor   = 2    // how much longer crossings and pair tests take without a [Grid.View]
)

const (
	// cellGrowth is the ratio of the cell widths that are compared. The cost changes little near
	// its minimum.
	cellGrowth = 1.1

	// narrowest is the least width of a cell in mean distances between the bodies of its level.
	// There is memory for eight cells a body, at the edges included.
	narrowest = 0.73

	// maxClasses bounds the size classes, and with them the combinations that are compared.
	maxClasses = 16
)

// sizeClass is a group of bodies of similar size.
type sizeClass struct {
	count        int
	least, width float64 // of the cells that the smallest and the largest of them need, metres
	travel       float64 // mean distance that one moves in a step, metres
	searches     float64 // estimate of how often one gets a new path in a step
}

// chooseLevels makes the levels, with cells no narrower than least.
func (g *Grid) chooseLevels(least float64, s *Scratch) {
	s.groupSizes(least)
	n := len(s.groups)
	g.levels = slices.Grow(g.levels[:0], n)[:n] // keeps the memory of an earlier layout
	for l, c := range s.groups {
		lv := &g.levels[l]
		lv.size, lv.inverse, lv.bodies = c.width, 1/c.width, grow.Resize(lv.bodies, c.count)
	}
}

// groupSizes groups the size classes into levels so that the sum of their costs is least.
func (s *Scratch) groupSizes(least float64) {
	s.groups = s.groups[:0]
	n := len(s.sizes)
	if n == 0 {
		s.groups = append(s.groups, sizeClass{count: 1, width: 1})
		return
	}
	s.estimateSearches()
	// best[l][k] is the least cost of the classes from k on, in at most l+1 levels, of which the
	// first has the classes from k to next[l][k].
	var best [maxLevels][maxClasses + 1]float64
	var next [maxLevels][maxClasses]int
	for k := n - 1; k >= 0; k-- {
		for l := range maxLevels {
			best[l][k] = math.Inf(1)
		}
		for to := k + 1; to <= n; to++ {
			cost, _ := s.levelCost(k, to, least)
			for l := range maxLevels {
				rest := 0.0
				if to < n {
					if l == 0 {
						continue
					}
					rest = best[l-1][to]
				}
				if cost+rest < best[l][k] {
					best[l][k], next[l][k] = cost+rest, to
				}
			}
		}
	}
	for k, l := 0, maxLevels-1; k < n; l-- {
		to := next[l][k]
		c := sizeClass{}
		for _, d := range s.sizes[k:to] {
			c.count += d.count
			c.searches += float64(float64(d.count) * d.searches)
		}
		c.least = s.sizes[k].least
		_, c.width = s.levelCost(k, to, least)
		s.groups = append(s.groups, c)
		k = to
	}
}

// levelCost returns the cost of a level that has the size classes from first to last, without last,
// and the cell width at which it is least.
func (s *Scratch) levelCost(first, last int, least float64) (cost, width float64) {
	var in sizeClass
	travel := 0.0
	for _, c := range s.sizes[first:last] {
		in.count += c.count
		in.width = max(in.width, c.width)
		in.searches += float64(float64(c.count) * c.searches)
		travel += float64(float64(c.count) * c.travel)
	}
	in.travel = travel / float64(in.count)
	widest := math.Inf(1) // larger bodies belong to the next level
	if last < len(s.sizes) {
		widest = s.sizes[last].least
	}
	w := max(in.width, least, min(narrowest*spacing(s.extent, in.count), widest))
	cost, width = s.costAt(&in, first, last, w), w
	widest = min(widest, max(s.extent[0], s.extent[1], s.extent[2])) // wider cells hold everything
	for w = s.fit(w * cellGrowth); w < widest; w = s.fit(w * cellGrowth) {
		c := s.costAt(&in, first, last, w)
		if !(c < cost) {
			break
		}
		cost, width = c, w
	}
	return cost, width
}

// costAt returns the cost of a level with cells of width w. The level has the size classes from
// first to last, without last; in is all of them together, with the sum of their searches.
func (s *Scratch) costAt(in *sizeClass, first, last int, w float64) float64 {
	n := float64(in.count)
	full := s.inCube(n, 3*w)
	const crossings = 1.5 // walls that a path crosses in a random direction, in cell widths
	crossing := crossingCost + float64(testCost/3.0*full)
	cost := float64(float64(crossings*n*in.travel*s.walls(w)) * crossing)
	own := float64(n/2) + in.searches
	cost += float64(float64(testCost*full) * own)
	if s.allCells(w) > cellLimit(in.count) { // most bodies are at the edges of the torus
		cost *= edgeFactor
	}
	for k := range s.sizes {
		if k >= first && k < last {
			continue
		}
		c := &s.sizes[k]
		searches, side := c.searches, c.width+in.width+w
		longer, inside := 1.0, 0.0
		if k < first { // smaller bodies look ahead for the rest of the step
			side += float64(2 * in.travel)
			longer += c.travel / side
		} else { // larger ones until something may have come from the next cell
			searches += 1 + float64(2*in.travel/w)
			side += 2 * w
			inside = s.inCube(n, c.width) / 2
		}
		across := side / w
		cells, tests := float64(across*across*across*longer), float64(s.inCube(n, side)*longer)-inside
		if cells > n {
			cells, tests = 0, n
		}
		each := searchCost + float64(cellCost*cells) + float64(testCost*min(tests, n))
		cost += float64(float64(float64(c.count)*searches) * each)
	}
	return cost
}

// inCube returns how many of n bodies that are spread like all bodies are in a cube, on average.
func (s *Scratch) inCube(n, side float64) float64 {
	in := n
	for _, e := range s.extent {
		if side < e {
			in *= side / e
		}
	}
	return min(n, float64(in*s.crowding))
}

// estimateSearches estimates how often the bodies of each class get a new path in a step: as often
// as spheres of their sizes and speeds meet that move in random directions.
func (s *Scratch) estimateSearches() {
	for k := range s.sizes {
		c := &s.sizes[k]
		c.searches = 0
		for j := range s.sizes {
			d := &s.sizes[j]
			across := 0.89 * (c.width + d.width) / 2 // the side of a square as large as the circle of both radii
			path := math.Sqrt(float64(c.travel*c.travel) + float64(d.travel*d.travel))
			c.searches += s.inCube(float64(d.count), math.Cbrt(float64(across*across*path)))
		}
	}
}

// countSizes sorts the bodies of sample into size classes. Each spans a quarter of an octave, or
// more if there are too many.
func (s *Scratch) countSizes(sample Samples, seconds float64) {
	s.sizes = s.sizes[:0]
	if s.narrowest > s.widest {
		return // there are no bodies
	}
	least, largest := classOf(s.narrowest), classOf(s.widest)
	span := (largest-least)/maxClasses + 1
	count := (largest-least)/span + 1
	s.sizes = slices.Grow(s.sizes, count)[:count]
	clear(s.sizes)
	for k := range sample.Count {
		b, ok := sample.At(k)
		if !ok {
			continue
		}
		width := b.cellWidth()
		c := &s.sizes[(classOf(width)-least)/span]
		if c.count == 0 {
			c.least = width
		}
		c.count++
		c.least, c.width = min(c.least, width), max(c.width, width)
		c.travel += float64(b.Speed * seconds)
	}
	s.sizes = slices.DeleteFunc(s.sizes, func(c sizeClass) bool { return c.count == 0 })
	for k := range s.sizes {
		s.sizes[k].travel /= float64(s.sizes[k].count)
	}
}

// classOf returns the size class of x: its exponent and the first two bits of its fraction.
func classOf(x float64) int { return int(math.Float64bits(x) >> 50) }

// maxBins is the largest number of bins along an axis for measureCrowding.
const maxBins = 16

// measureCrowding estimates how many times as many bodies a body has around it as if they were
// spread evenly. It counts them in bins, of two bodies each on average.
func (s *Scratch) measureCrowding(sample Samples, middle collide.Vec3) {
	s.crowding = 1
	bins := min(maxBins, int(math.Cbrt(float64(sample.Count)/2)))
	if bins < 2 {
		return
	}
	clear(s.bins[:])
	var first, perMetre [3]float64
	total := 1.0
	for axis, x := range [3]float64{middle.X, middle.Y, middle.Z} {
		if e := s.extent[axis]; e > 0 && !math.IsInf(e, 1) {
			first[axis], perMetre[axis] = x-float64(e/2), float64(bins)/e
			total *= float64(bins)
		}
	}
	n := 0.0
	for k := range sample.Count {
		b, ok := sample.At(k)
		if !ok {
			continue
		}
		n++
		at := 0
		for axis, x := range [3]float64{b.Center.X, b.Center.Y, b.Center.Z} {
			at = at*bins + int(min(max((x-first[axis])*perMetre[axis], 0), float64(bins-1)))
		}
		s.bins[at]++
	}
	pairs := 0.0
	for _, n := range s.bins {
		pairs += float64(float64(n) * float64(n-1))
	}
	s.crowding = max(1, float64(pairs*total)/max(1, float64(n*n)))
}
