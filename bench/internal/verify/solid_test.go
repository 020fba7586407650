package verify

import (
	"math"
	"testing"
)

// TestTheGapOfSolids compares gaps with closed forms, and with the nearest of many points.
func TestTheGapOfSolids(t *testing.T) {
	capsule := NewSolid([]V{{0, -1, 0}, {0, 1, 0}}, 0.25)
	ball := NewSolid([]V{{}}, 0.5)
	corners := []V{{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}} // a square with sides of 2
	sheet := newSheet(corners, normalOf(corners))
	lying := NewSolid([]V{{-1, 0, 0}, {1, 0, 0}}, 0.25)
	corners = []V{{0, 0, -999.7}, {0, 0, 1000.3}, {0, -1, 1000.3}, {0, -1, -999.7}}
	long := newSheet(corners, normalOf(corners))
	tilted := turnedCube(math.Pi / 4)
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
		{"cube above a sheet", cube(), V{0.2, 0.7, 0.1}, sheet, 0.2},
		{"cube under a sheet", cube(), V{0.2, -0.7, 0.1}, sheet, 0.2},
		{"cube halfway through a sheet", cube(), V{0.2, 0, 0.1}, sheet, -0.5},
		{"cube a bit in a sheet", cube(), V{0.2, 0.49, 0.1}, sheet, -0.01},
		{"cube a bit over the edge of a sheet", cube(), V{1.49, 0.1, 0}, sheet, -0.01},
		{"cube beside a sheet", cube(), V{1.75, 0.1, 0}, sheet, 0.25},
		{"cube over the edge of a sheet", cube(), V{1.8, 0.9, 0}, sheet, 0.5},
		{"cube over the corner of a sheet", cube(), V{1.8, 0.9, 1.8}, sheet, math.Sqrt(0.34)},
		{"edge of a cube above a sheet", tilted, V{0.2, 1, 0.1}, sheet, 1 - math.Sqrt(0.5)},
		{"edge of a cube in a sheet", tilted, V{0.2, 0.6, 0.1}, sheet, 0.6 - math.Sqrt(0.5)},
		{"side of a cube at the edge of a sheet", tilted, V{1.5, 0.5, 0}, sheet, math.Sqrt(0.5) - 0.5},
		{"side of a cube in the edge of a sheet", tilted, V{1.3, 0.3, 0}, sheet, 0.6*math.Sqrt(0.5) - 0.5},
		{"capsule that stands on a sheet", capsule, V{0.5, 1.25, 0.5}, sheet, 0},
		{"capsule through a sheet", capsule, V{0.5, 0.5, 0.5}, sheet, -0.75},
		{"capsule beside a sheet", capsule, V{1.5, 0.5, 0.5}, sheet, 0.25},
		{"capsule over the corner of a sheet", capsule, V{1.3, 2.2, 1.4}, sheet, 1.3 - 0.25},
		{"capsule that lies on a sheet", lying, V{1.5, 0.25, 0.3}, sheet, 0},
		{"capsule that lies in a sheet", lying, V{0.5, 0, 0.3}, sheet, -0.25},
		{"capsule in the plane of a sheet", lying, V{2.5, 0, 0}, sheet, 0.25},
		{"ball over the edge of a sheet", ball, V{1.3, 0.4, 0}, sheet, 0},
		{"ball over a long edge", ball, V{0.3, 0.4, 0.1}, long, 0},
		{"end of a capsule over a long edge", capsule, V{0.15, 1.2, 0.1}, long, 0},
	} {
		if got := solidGap(c.a, c.x, c.b, math.Inf(1)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if got := solidGap(c.b, c.x.Scale(-1), c.a, math.Inf(1)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s, exchanged: %v, want %v", c.name, got, c.want)
		}
	}
}
