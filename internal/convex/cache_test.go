package convex_test

import (
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/convex"
	"github.com/dango-physics/dango/internal/slow"
)

// cachedShapes returns boxes, turned boxes, capsules and hulls.
func cachedShapes(t *testing.T, r *rand.Rand) []*convex.Shape {
	random := func() collide.Vec3 {
		return collide.Vec3{X: r.Float64()*2 - 1, Y: r.Float64()*2 - 1, Z: r.Float64()*2 - 1}
	}
	var shapes []*convex.Shape
	for k := range 12 {
		var shape collide.Shape
		q := collide.RotationAround(collide.Vec3{Y: 1}, float64(k))
		switch k % 4 {
		case 0:
			shape, q = collide.Box{Half: collide.Vec3{X: 1, Y: 0.5 + r.Float64(), Z: 1}}, collide.Quat{}
		case 1:
			shape = collide.Box{Half: collide.Vec3{X: 1, Y: 0.5 + r.Float64(), Z: 1}}
		case 2:
			shape = collide.Capsule{A: random(), B: random(), Radius: 0.5}
		case 3:
			hull, err := collide.NewHull([]collide.Vec3{random(), random(), random(), random(), random(), random()})
			if err != nil {
				t.Fatal(err)
			}
			shape = hull
		}
		s, err := convex.New(shape, q)
		if err != nil {
			t.Fatal(err)
		}
		shapes = append(shapes, s)
	}
	return shapes
}

func TestACachedPairAnswersAsANewOne(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	shapes := cachedShapes(t, r)
	var cache convex.Cache
	apart := 0
	for range slow.Cases(20000) {
		i, j := r.IntN(len(shapes)), r.IntN(len(shapes))
		p := collide.Vec3{X: r.Float64()*6 - 3, Y: r.Float64()*6 - 3, Z: r.Float64()*6 - 3}
		var fresh convex.Pair
		var cached *convex.Pair
		if r.IntN(4) == 0 {
			t := collide.Triangle{B: collide.Vec3{Z: float64(1 + r.IntN(2))}, C: collide.Vec3{X: 1}}
			fresh.SetTriangle(shapes[i], t, collide.Vec3{Y: 1})
			cached = cache.Triangle(shapes[i], t, collide.Vec3{Y: 1}, uint32(r.IntN(8)))
		} else if r.IntN(4) == 0 {
			radius := 0.5 * float64(1+r.IntN(2))
			fresh.SetBall(radius, shapes[j])
			cached = cache.Ball(radius, shapes[j], uint32(r.IntN(8)))
		} else {
			fresh.Set(shapes[i], shapes[j])
			cached = cache.Pair(shapes[i], shapes[j], uint32(r.IntN(8)))
		}
		want, got := fresh.Gap(p), cached.Gap(p)
		if got != want {
			t.Fatalf("shapes %d and %d at %v: got %+v, want %+v", i, j, p, got, want)
		}
		if want.Gap > 0 {
			apart++
		}
	}
	if apart == 0 {
		t.Error("all pairs overlap")
	}
}

// A step that meets pairs for the first time may not allocate, if it has met pairs like these.
func TestNewPairsOfKnownKindsAllocateNothing(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	shapes := cachedShapes(t, rand.New(rand.NewPCG(1, 9)))
	var cache convex.Cache
	for i := range shapes {
		for j := range shapes {
			cache.Pair(shapes[i], shapes[j], 0)
		}
	}
	slot := uint32(0)
	if n := testing.AllocsPerRun(100, func() {
		slot++
		cache.Pair(shapes[slot%12], shapes[slot*7%12], slot)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
