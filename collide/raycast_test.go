package collide

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestRayCast(t *testing.T) {
	type cast func(r Ray, horizon float64) (Contact, Outcome)
	ball := func(r Ray, h float64) (Contact, Outcome) { return RayCastSphere(r, Sphere{Radius: 1}, h) }
	floor := func(r Ray, h float64) (Contact, Outcome) { return RayCastPlane(r, Plane{Normal: Vec3{Y: 1}}, h) }
	box := func(r Ray, h float64) (Contact, Outcome) {
		return RayCastAABB(r, AABB{Vec3{-1, -1, -1}, Vec3{1, 1, 1}}, h)
	}
	tile := func(r Ray, h float64) (Contact, Outcome) {
		return RayCastTriangle(r, Triangle{Vec3{0, 0, 0}, Vec3{0, 0, 4}, Vec3{4, 0, 0}}, h)
	}
	pill := func(r Ray, h float64) (Contact, Outcome) {
		return RayCastCapsule(r, Capsule{Vec3{Y: -2}, Vec3{Y: 2}, 1}, h)
	}
	for _, tt := range []struct {
		name    string
		cast    cast
		ray     Ray
		horizon float64
		outcome Outcome
		time    float64
		normal  Vec3
	}{
		{"meets a ball", ball, Ray{Vec3{X: -5}, Vec3{X: 2}}, 10, Hit, 2, Vec3{X: -1}},
		{"meets a ball at the horizon", ball, Ray{Vec3{X: -5}, Vec3{X: 2}}, 2, Hit, 2, Vec3{X: -1}},
		{"ends before a ball", ball, Ray{Vec3{X: -5}, Vec3{X: 2}}, math.Nextafter(2, 0), Miss, 0, Vec3{}},
		{"starts in a ball and goes out", ball, Ray{Vec3{X: 0.5}, Vec3{X: 2}}, 10, Overlap, 0, Vec3{X: 1}},
		{"starts in a ball and goes through", ball, Ray{Vec3{X: 0.5}, Vec3{X: -2}}, 10, Overlap, 0, Vec3{X: 1}},
		{"starts on a ball and goes in", ball, Ray{Vec3{X: -1}, Vec3{X: 2}}, 10, Hit, 0, Vec3{X: -1}},
		{"starts on a ball and goes out", ball, Ray{Vec3{X: -1}, Vec3{X: -2}}, 10, Miss, 0, Vec3{}},
		{"starts outside a ball with a zero direction", ball, Ray{Vec3{X: -5}, Vec3{}}, 10, Miss, 0, Vec3{}},
		{"meets a capsule's side", pill, Ray{Vec3{X: -5, Y: 1}, Vec3{X: 2}}, 10, Hit, 2, Vec3{X: -1}},
		{"meets a capsule's end", pill, Ray{Vec3{Y: 7}, Vec3{Y: -2}}, 10, Hit, 2, Vec3{Y: 1}},
		{"ends before a capsule", pill, Ray{Vec3{Y: 7}, Vec3{Y: -2}}, math.Nextafter(2, 0), Miss, 0, Vec3{}},
		{"starts in a capsule and goes out", pill, Ray{Vec3{X: 0.5, Y: 1}, Vec3{X: 2}}, 10, Overlap, 0, Vec3{X: 1}},
		{"starts in a capsule and goes along", pill, Ray{Vec3{X: 0.5, Y: 1}, Vec3{Y: -2}}, 10, Overlap, 0, Vec3{X: 1}},
		{"starts on a capsule and goes in", pill, Ray{Vec3{X: -1}, Vec3{X: 2}}, 10, Hit, 0, Vec3{X: -1}},
		{"starts on a capsule and goes out", pill, Ray{Vec3{X: -1}, Vec3{X: -2}}, 10, Miss, 0, Vec3{}},
		{"runs along a capsule", pill, Ray{Vec3{X: 1}, Vec3{Y: 2}}, 10, Miss, 0, Vec3{}},
		{"meets the floor", floor, Ray{Vec3{Y: 4}, Vec3{X: 1, Y: -2}}, 10, Hit, 2, Vec3{Y: 1}},
		{"meets the floor from below", floor, Ray{Vec3{Y: -4}, Vec3{X: 1, Y: 2}}, 10, Hit, 2, Vec3{Y: -1}},
		{"runs along the floor", floor, Ray{Vec3{Y: 4}, Vec3{X: 1}}, 10, Miss, 0, Vec3{}},
		{"meets a box", box, Ray{Vec3{-5, 0.5, 0}, Vec3{X: 2}}, 10, Hit, 2, Vec3{X: -1}},
		{"starts in a box and goes out", box, Ray{Vec3{0.5, 0, 0}, Vec3{X: 2}}, 10, Overlap, 0, Vec3{X: 1}},
		{"starts on a box and goes in", box, Ray{Vec3{-1, 0, 0}, Vec3{X: 2}}, 10, Hit, 0, Vec3{X: -1}},
		{"runs along a box", box, Ray{Vec3{-5, 1, 0}, Vec3{X: 2}}, 10, Miss, 0, Vec3{}},
		{"meets a tile", tile, Ray{Vec3{1, 4, 1}, Vec3{Y: -2}}, 10, Hit, 2, Vec3{Y: 1}},
		{"meets a tile from below", tile, Ray{Vec3{1, -4, 1}, Vec3{Y: 2}}, 10, Hit, 2, Vec3{Y: -1}},
		{"meets a tile's edge", tile, Ray{Vec3{0, 4, 1}, Vec3{Y: -2}}, 10, Hit, 2, Vec3{Y: 1}},
		{"passes by a tile", tile, Ray{Vec3{-0.1, 4, 1}, Vec3{Y: -2}}, 10, Miss, 0, Vec3{}},
		{"has a NaN", tile, Ray{Vec3{1, math.NaN(), 1}, Vec3{Y: -2}}, 10, Miss, 0, Vec3{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, got := tt.cast(tt.ray, tt.horizon)
			if got != tt.outcome || c.Time != tt.time || c.Normal != tt.normal {
				t.Errorf("got %v at %v, %v, want %v at %v, %v", got, c.Time, c.Normal, tt.outcome, tt.time, tt.normal)
			}
			if want := tt.ray.Origin.AddScaled(tt.time, tt.ray.Direction); got != Miss && c.Point != want {
				t.Errorf("at %v, want %v", c.Point, want)
			}
		})
	}
}

func TestNoRayPassesBetweenTwoTrianglesThatShareAnEdge(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for range 10000 {
		a, b, c := randomVec(rng), randomVec(rng), randomVec(rng)
		d := a.Add(b).Sub(c) // a, b is the diagonal of a planar quadrilateral
		on := a.Lerp(b, rng.Float64())
		origin := randomVec(rng).Scale(5)
		r := Ray{origin, on.Sub(origin)}
		_, left := RayCastTriangle(r, Triangle{a, b, c}, 2)
		_, right := RayCastTriangle(r, Triangle{b, a, d}, 2)
		if left != Hit && right != Hit {
			t.Fatalf("%+v passes between %v and %v", r, a, b)
		}
	}
}
