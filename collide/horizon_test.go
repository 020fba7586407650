package collide

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

// A sweep without an end finds what one of a million seconds does.
func TestSweepsWithoutAnEndFindWhatLongOnesDo(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	r := rand.New(rand.NewPCG(3, 14))
	random := func(size float64) Vec3 {
		return Vec3{(2*r.Float64() - 1) * size, (2*r.Float64() - 1) * size, (2*r.Float64() - 1) * size}
	}
	heights := make([]float64, 36)
	for k := range heights {
		heights[k] = r.Float64()
	}
	field, err := NewHeightField(Vec3{X: -2.5, Z: -2.5}, 1, 1, 6, heights)
	if err != nil {
		t.Fatal(err)
	}
	hull, err := NewHull([]Vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, -1, -1}})
	if err != nil {
		t.Fatal(err)
	}
	hits := map[string]int{}
	for n := range 600 {
		mesh := randomTerrain(t, r, n)
		center := random(1).Add(Vec3{Y: 10})
		v := random(0.2).Add(Vec3{Y: -2})
		if n%3 == 0 {
			v = Vec3{Y: -1e-3}
		}
		offset := random(0.3)
		ball := Sphere{center, 0.3}
		box := Box{Center: center, Half: Vec3{0.2, 0.4, 0.3}, Rotation: Quat{W: 1}}
		at := hull.At(center)
		triangle := Triangle{Vec3{-3, 0, 3}, Vec3{3, 0, 3}, Vec3{0, 0, -3}}
		both := func(name string, sweep func(horizon float64) (Contact, Outcome)) {
			t.Helper()
			want, outcome := sweep(1e6)
			got, unbounded := sweep(math.Inf(1))
			if got != want || unbounded != outcome {
				t.Fatalf("%s from %v at %v: %v %v without an end, %v %v in a million seconds",
					name, center, v, unbounded, got, outcome, want)
			}
			if outcome == Hit {
				hits[name]++
			}
		}
		for name, a := range map[string]Convex{
			"sphere": ball, "capsule": Capsule{center.Sub(offset), center.Add(offset), 0.2}, "box": box, "hull": at,
		} {
			both(name+" mesh", func(horizon float64) (Contact, Outcome) {
				c, o := SweepMesh(a, v, mesh, Vec3{}, horizon)
				return c.Contact, o
			})
			both(name+" height field", func(horizon float64) (Contact, Outcome) {
				c, o := SweepHeightField(a, v, field, Vec3{}, horizon)
				return c.Contact, o
			})
			for other, b := range map[string]Convex{
				"sphere": Sphere{Vec3{}, 1}, "capsule": Capsule{Vec3{X: -1}, Vec3{X: 1}, 0.5},
				"box": Box{Half: Vec3{1, 1, 1}, Rotation: Quat{W: 1}}, "triangle": triangle,
			} {
				both(name+" "+other, func(horizon float64) (Contact, Outcome) {
					return Sweep(a, v, b, Vec3{}, horizon)
				})
			}
			both(name+" plane", func(horizon float64) (Contact, Outcome) {
				return SweepConvexPlane(a, v, Plane{Normal: Vec3{Y: 1}}, Vec3{}, horizon)
			})
		}
		both("ball cylinder", func(horizon float64) (Contact, Outcome) {
			return SweepSphereCylinder(ball, v, Cylinder{A: Vec3{}, B: Vec3{Y: 1}, Radius: 1}, Vec3{}, horizon)
		})
		ray := Ray{Origin: center, Direction: v}
		both("ray mesh", func(horizon float64) (Contact, Outcome) {
			c, o := RayCastMesh(ray, mesh, horizon)
			return c.Contact, o
		})
		both("ray height field", func(horizon float64) (Contact, Outcome) {
			c, o := RayCastHeightField(ray, field, horizon)
			return c.Contact, o
		})
		both("ray box", func(horizon float64) (Contact, Outcome) {
			return RayCast(ray, Box{Half: Vec3{1, 1, 1}, Rotation: Quat{W: 1}}, horizon)
		})
	}
	if len(hits) != 4*7+4 {
		t.Errorf("hits %v", hits)
	}
	for name, n := range hits {
		if n < 20 {
			t.Errorf("%s: %d hits", name, n)
		}
	}
}
