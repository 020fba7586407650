package tunnel

import (
	"math"
	"slices"
)

// naive steps as most small engines do: it moves every ball, and then looks for overlaps, pushes
// them apart and lets the velocities bounce.
type naive struct {
	balls, before []state
	substeps      int
}

func newNaive(start []state, substeps int) *naive {
	return &naive{slices.Clone(start), slices.Clone(start), substeps}
}

func (n *naive) ball(i int) state   { return n.balls[i] }
func (n *naive) put(i int, s state) { n.balls[i] = s }

func (n *naive) step() {
	copy(n.before, n.balls)
	for range n.substeps {
		for i := range n.balls {
			b := &n.balls[i]
			b.at = b.at.AddScaled(stepSeconds/float64(n.substeps), b.velocity)
		}
		for i := range n.balls {
			for j := range i {
				n.pair(i, j)
			}
			n.walls(i)
		}
	}
}

// pair separates two balls that overlap and exchanges their velocities along the line of centres.
func (n *naive) pair(i, j int) {
	a, b := &n.balls[i], &n.balls[j]
	d := a.at.Sub(b.at)
	normal, ok := d.Normalized()
	overlap := 2*radius - d.Length()
	if !ok || overlap <= 0 {
		return
	}
	a.at = a.at.AddScaled(overlap/2, normal)
	b.at = b.at.AddScaled(-overlap/2, normal)
	if approach := a.velocity.Sub(b.velocity).Dot(normal); approach < 0 {
		a.velocity = a.velocity.AddScaled(-approach, normal)
		b.velocity = b.velocity.AddScaled(approach, normal)
	}
}

// walls pushes a ball out of the walls that it overlaps, to the side on which its centre is.
func (n *naive) walls(i int) {
	b := &n.balls[i]
	for _, axis := range []struct{ at, along, v *float64 }{
		{&b.at.X, &b.at.Y, &b.velocity.X}, {&b.at.Y, &b.at.X, &b.velocity.Y},
	} {
		if math.Abs(*axis.along) > half {
			continue // beyond the end of the wall
		}
		for _, wall := range []float64{-half, half} {
			d := *axis.at - wall
			if math.Abs(d) >= radius {
				continue
			}
			side := math.Copysign(1, d)
			*axis.at = wall + side*radius
			if *axis.v*side < 0 {
				*axis.v = -*axis.v
			}
		}
	}
}
