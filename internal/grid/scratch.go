package grid

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Scratch is memory that Layout reuses.
type Scratch struct {
	sorted [3][]float64
	sizes  []class // from the smallest up, some empty
	chosen []class // levels
	speeds [maxLevels][64]int
}

// class is bodies of about one size: four classes to an octave.
type class struct {
	count  int
	widest float64 // cell that one of them needs
}

const classes = 4

// sortSizes counts how many bodies need cells of what width.
func (s *Scratch) sortSizes(sample []Sample) {
	s.sizes = s.sizes[:0]
	least, largest := math.MaxInt, math.MinInt
	for i := range sample {
		k := classOf(sample[i].need())
		least, largest = min(least, k), max(largest, k)
	}
	if len(sample) == 0 {
		return
	}
	s.sizes = slices.Grow(s.sizes, largest-least+1)[:largest-least+1]
	clear(s.sizes)
	for i := range sample {
		need := sample[i].need()
		c := &s.sizes[classOf(need)-least]
		c.count++
		c.widest = max(c.widest, need)
	}
}

// classOf numbers the classes of size: it is the exponent of x and the first two bits that follow it.
func classOf(x float64) int { return int(math.Float64bits(x) >> 50) }

const (
	measured = 256 // bodies looked at to tell how far the world extends
	outlying = 16  // one part in so many of them is left out at either end: a few strays don't make a world large
)

// extents returns how far the bodies of sample reach along each axis, where their middle is, and how far out from the origin they are.
func (s *Scratch) extents(sample []Sample) (extent [3]float64, middle collide.Vec3, farOut float64) {
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
		cut := len(x) / outlying
		// The middle part stands for the whole as it would if bodies were spread evenly.
		inner := x[len(x)-1-cut] - x[cut]
		middles[axis] = x[cut] + float64(inner/2)
		farOut = max(farOut, math.Abs(x[cut]), math.Abs(x[len(x)-1-cut]))
		extent[axis] = inner * float64(len(x)) / float64(len(x)-2*cut)
	}
	return extent, collide.Vec3{X: middles[0], Y: middles[1], Z: middles[2]}, farOut
}
