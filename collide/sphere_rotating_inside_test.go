package collide

import "testing"

// Spheres that are inside of a shape that rotates.

// A sphere in a shape that rotates, with its centre on the axis, is as deep at all times. The curve
// of its path has a weight that is least in the middle of the step, and so the products of heights
// and weights rise until then and fall after that: that was taken for an approach in the middle of
// the step. What approaches slowly had no contact until then, and what recedes slowly had one.
func TestASphereInARotatingShapeHasAContactOnlyIfItApproaches(t *testing.T) {
	square, err := NewPolygon(Vec3{-1, -0.1, -1}, Vec3{-1, -0.1, 1}, Vec3{1, -0.1, 1}, Vec3{1, -0.1, -1})
	if err != nil {
		t.Fatal(err)
	}
	hull, err := NewHull([]Vec3{{-1, -0.1, -1}, {1, -0.1, -1}, {-1, -0.1, 1}, {1, -0.1, 1}, {0, -1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	up := Vec3{Y: 1}
	for _, shape := range []any{
		Plane{up, -0.1},
		square,
		Box{Center: Vec3{Y: -0.6}, Half: Vec3{1, 0.5, 1}},
		hull,
		Cylinder{Vec3{Y: -0.1}, Vec3{Y: -1}, 1},
		Capsule{Vec3{-1, -0.15, 0}, Vec3{1, -0.15, 0}, 0.05}, // an edge
		Segment{Vec3{0, -0.1, 0}, Vec3{0, -0.1, 0}},          // a corner
	} {
		for _, turn := range []float64{-0.5, 0.01, 0.5} {
			for _, speed := range []float64{-1e-6, 0, 1e-6} {
				c := rotatingCase{
					a: Sphere{Radius: 0.15}, va: up.Scale(speed), shape: shape, seconds: 1,
					m: Rotating{Angular: Vec3{Z: turn}, Seconds: 1},
				}
				k, outcome := c.sweep()
				switch {
				case speed < 0 && (outcome != Overlap || k.Time > 1e-9):
					t.Errorf("%T turns by %v, approaches: %v at %v, want an overlap at 0", shape, turn, outcome, k.Time)
				case speed >= 0 && outcome != Miss:
					t.Errorf("%T turns by %v, recedes at %v: %v at %v, want none", shape, turn, speed, outcome, k.Time)
				}
			}
		}
	}
}

// From a sphere with its centre in a solid that rotates, each way out leads away from other faces.
// All faces that it moved away from stopped it, so that it could not move at all. Only the nearest
// one stops it, as at rest: then it comes no deeper.
func TestASphereInsideOfARotatingSolidIsStoppedOnlyByTheNearestFace(t *testing.T) {
	var corners []Vec3
	for i := range 8 {
		corners = append(corners, Vec3{float64(i&1*2 - 1), float64(i>>1&1*2 - 1), float64(i>>2*2 - 1)})
	}
	hull, err := NewHull(corners)
	if err != nil {
		t.Fatal(err)
	}
	for _, shape := range []any{
		Box{Half: Vec3{1, 1, 1}}, hull, Cylinder{Vec3{Y: -1}, Vec3{Y: 1}, 1},
	} {
		for _, c := range []struct {
			v    Vec3
			want Outcome
		}{
			{Vec3{Y: 1}, Miss},
			{Vec3{X: 1, Y: 0.1}, Miss},
			{Vec3{X: -1, Y: 0.1}, Miss},
			{Vec3{Z: -1, Y: 0.1}, Miss},
			{Vec3{Y: -1}, Overlap},
		} {
			k := rotatingCase{
				a: Sphere{Center: Vec3{0.1, 0.7, 0}, Radius: 0.2}, va: c.v, shape: shape, seconds: 0.1,
				m: Rotating{Angular: Vec3{Z: 0.01}, Seconds: 0.1},
			}
			got, outcome := k.sweep()
			if outcome != c.want || outcome == Overlap && (got.Time > 0 || got.Normal.Sub(Vec3{Y: 1}).MaxAbs() > 1e-9) {
				t.Errorf("%T at %v: %v at %v along %v, want %v", shape, c.v, outcome, got.Time, got.Normal, c.want)
			}
		}
	}
}
