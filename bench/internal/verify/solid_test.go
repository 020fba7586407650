package verify

import (
	"math"
	"testing"
)

// TestTheGapOfSolids compares gaps with closed forms, and with the nearest of many points.
func TestTheGapOfSolids(t *testing.T) {
	capsule := NewSolid([]V{{0, -1, 0}, {0, 1, 0}}, 0.25)
	ball := NewSolid([]V{{}}, 0.5)
	for _, c := range []struct {
		name string
		a    *Solid
		x    V
		b    *Solid
		want float64
	}{
		{"faces", cube(), V{3, 0.2, 0.1}, cube(), 2},
		{"faces that overlap", cube(), V{0.9, 0.2, 0.1}, cube(), -0.1},
		{"edges", cube(), V{2, 2, 0.1}, cube(), math.Sqrt2},
		{"corners", cube(), V{2, 2, 2}, cube(), math.Sqrt(3)},
		{"side of a capsule", capsule, V{2, 0.3, 0}, cube(), 1.25},
		{"end of a capsule", capsule, V{0, 3, 0}, cube(), 1.25},
		{"end of a capsule at an edge", capsule, V{1.5, 2.5, 0}, cube(), math.Sqrt2 - 0.25},
		{"ball", ball, V{0, 0, 1.5}, cube(), 0.5},
		{"ball at a corner", ball, V{1.5, 1.5, 1.5}, cube(), math.Sqrt(3) - 0.5},
		{"ball inside", ball, V{0, 0, 0.25}, cube(), -0.75},
	} {
		if got := solidGap(c.a, c.x, c.b, math.Inf(1)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if got := solidGap(c.b, c.x.Scale(-1), c.a, math.Inf(1)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s, exchanged: %v, want %v", c.name, got, c.want)
		}
	}
}
