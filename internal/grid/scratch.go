package grid

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Scratch is memory that Layout reuses.
type Scratch struct {
	sorted [3][]float64
	needed [maxLevels]bool
}

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
