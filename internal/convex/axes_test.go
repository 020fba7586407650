package convex

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
)

// The faces of a Minkowski sum are found from the edges whose arcs cross. Here every product of two
// edges is tried instead: inside of the sum, the way out is the same, and outside of it some axis
// separates the two.
func TestAxesOfCrossingArcsBoundTheMinkowskiSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	vector := func() collide.Vec3 {
		return collide.Vec3{X: r.Float64()*2 - 1, Y: r.Float64()*2 - 1, Z: r.Float64()*2 - 1}
	}
	shape := func() *Shape {
		q := collide.RotationAround(vector(), 3*r.Float64())
		var s collide.Shape
		switch r.IntN(4) {
		case 0:
			s = collide.Box{Half: collide.Vec3{X: 1, Y: 0.5 + r.Float64(), Z: 1}}
		case 1:
			s = collide.Cylinder{A: collide.Vec3{Y: -1}, B: collide.Vec3{Y: r.Float64()}, Radius: 1}
		case 2:
			points := make([]collide.Vec3, 4+r.IntN(12))
			for i := range points {
				points[i] = vector()
			}
			hull, err := collide.NewHull(points)
			if err != nil {
				t.Fatal(err)
			}
			s = hull
		default:
			corners := []collide.Vec3{{X: -1, Z: 1}, {X: 1, Z: 1}, {X: 1, Z: -1}, {X: -1, Z: -1}}
			g, err := collide.NewPolygon(corners...)
			if err != nil {
				t.Fatal(err)
			}
			return NewPolygon(&g)
		}
		if r.IntN(4) == 0 {
			q = collide.Quat{}
		}
		c, err := New(s, q)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	inside, fewer, all := 0, 0, 0
	for range slow.Cases(300) {
		a, b := shape(), shape()
		var pair Pair
		pair.Set(a, b)
		every := Pair{a: a, b: b, axes: append([]axis(nil), pair.axes...)}
		for i := range a.arcs {
			for k := range b.arcs {
				n, ok := a.arcs[i].edge.Cross(b.arcs[k].edge).Normalized()
				if !ok || a.arcs[i].edge.Cross(b.arcs[k].edge).MaxAbs() < 1e-6 {
					continue
				}
				for _, n := range [2]collide.Vec3{n, n.Neg()} {
					low, _ := a.Extent(n)
					_, high := b.Extent(n)
					every.axes = append(every.axes, axis{n, high - low})
				}
			}
		}
		fewer, all = fewer+len(pair.axes), all+len(every.axes)
		for range 200 {
			p := vector().Scale(2.5)
			got, want := pair.Gap(p), every.Gap(p)
			if want.Gap <= 0 {
				inside++
			}
			if (got.Gap > 1e-12) != (want.Gap > 1e-12) || want.Gap <= 0 && math.Abs(got.Gap-want.Gap) > 1e-12 ||
				got.Gap > want.Gap {
				t.Fatalf("got %v, want %v", got, want)
			}
		}
	}
	t.Logf("%d of %d axes", fewer, all)
	if inside < 1000 || 10*fewer > all {
		t.Errorf("%d inside, %d of %d axes", inside, fewer, all)
	}
}
