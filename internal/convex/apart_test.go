package convex_test

import (
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
)

// Of the triangles of terrain under a crate, most are below it or beside it.
func TestWhatStaysApartFromATriangleIsFarFromItAllTheWay(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	shapes := cachedShapes(t, r)
	random := func(size float64) collide.Vec3 {
		return collide.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(size)
	}
	apart, far := 0, 0
	for n := range slow.Cases(20000) {
		shape := shapes[n%len(shapes)]
		x, way, reach := random(3), random(r.Float64()), 0.5*r.Float64()
		corners := [3]collide.Vec3{random(1), random(1), random(1)}
		away := true // at some points of the way
		for k := range 9 {
			at := collide.NewPlaced(shape.Exact, x.AddScaled(float64(k)/8, way), collide.Quat{})
			g := collide.Separation(at, collide.Triangle{A: corners[0], B: corners[1], C: corners[2]})
			away = away && g.Distance > reach
		}
		if away {
			far++
		}
		for k := range corners {
			corners[k] = corners[k].Sub(x)
		}
		if shape.StaysApart(&corners, way, reach) {
			if apart++; !away {
				t.Fatalf("case %d: from %v by %v it comes nearer than %v to %v", n, x, way, reach, corners)
			}
		}
	}
	if apart*2 < far {
		t.Errorf("%d were seen to be apart, of %d", apart, far)
	}
}
