package collide

import (
	"math"
	"testing"
)

func TestSweepSpherePlane(t *testing.T) {
	floor := Plane{Normal: Vec3{Y: 1}}
	for _, tt := range []struct {
		name    string
		y, vy   float64 // the centre's height and speed; the radius is 1 and the horizon 10
		outcome Outcome
		time    float64
		normal  float64
	}{
		{"falls and lands", 3, -2, Hit, 1, 1},
		{"rises to the ceiling from below", -3, 2, Hit, 1, -1},
		{"rises away", 3, 2, Miss, 0, 0},
		{"sinks away below", -3, -2, Miss, 0, 0},
		{"rests on the surface", 1, 0, Miss, 0, 0},
		{"touches and approaches", 1, -2, Hit, 0, 1},
		{"touches and recedes", 1, 2, Miss, 0, 0},
		{"starts in the surface and approaches", 0.5, -2, Overlap, 0, 1},
		{"starts in the surface and rests", 0.5, 0, Overlap, 0, 1},
		{"starts in the surface and recedes", 0.5, 2, Miss, 0, 0},
		{"starts in the surface from below and approaches", -0.5, 2, Overlap, 0, -1},
		{"has its centre in the surface and falls", 0, -2, Overlap, 0, 1},
		{"has its centre in the surface and rises", 0, 2, Overlap, 0, -1},
		{"has its centre in the surface and rests", 0, 0, Overlap, 0, 1},
		{"lands exactly at the horizon", 21, -2, Hit, 10, 1},
		{"lands just after the horizon", math.Nextafter(21, 22), -2, Miss, 0, 0},
		{"touches but for one ulp and creeps", math.Nextafter(1, 2), -0x1p-52, Hit, 1, 1},
		{"overlaps by one ulp", math.Nextafter(1, 0), -1, Overlap, 0, 1},
		{"comes from 1e8 away", 1e8 + 1, -1e8, Hit, 1, 1},
		{"has a speed of NaN", 3, math.NaN(), Miss, 0, 0},
		{"has an infinite speed", 3, math.Inf(-1), Miss, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ball := Sphere{Vec3{X: 5, Y: tt.y}, 1}
			c, outcome := SweepSpherePlane(ball, Vec3{Y: tt.vy}, floor, Vec3{}, 10)
			if outcome != tt.outcome || c.Time != tt.time || c.Normal.Y != tt.normal {
				t.Errorf("got %v at %v s with normal %v, want %v at %v s with %v",
					outcome, c.Time, c.Normal, tt.outcome, tt.time, tt.normal)
			}
			if outcome == Hit && (c.Point.Y != 0 || c.Point.X != 5) {
				t.Errorf("touches at %v, want {5 0 0}", c.Point)
			}
		})
	}
}
