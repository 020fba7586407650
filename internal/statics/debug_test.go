//go:build dangodebug

package statics

import (
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
)

// The quick test of the debug build must not hide an overlap with a facet.
func TestNoBallThatOverlapsAFacetIsFar(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	heights := make([]float64, 6*6)
	for i := range heights {
		heights[i] = r.Float64()
	}
	field, err := collide.NewHeightField(collide.Vec3{X: -2, Z: -2}, 0.8, 0.8, 6, heights)
	if err != nil {
		t.Fatal(err)
	}
	overlaps, far := 0, 0
	for range 100 {
		var w Set
		k := w.Add()
		at := vector(r, 10)
		field := field
		if r.IntN(2) == 0 {
			field = field.WithBothSides()
		}
		w.Put(k, Shape{
			Field: field, Rotation: someRotation(r), Offset: at, TwoSided: field.TwoSided(),
			Velocity: vector(r, 20),
			Turning:  Turning{On: r.IntN(2) == 0, Angular: vector(r, 30), Pivot: at},
		})
		w.Update(seconds)
		f := w.At(k)
		for range 40 {
			x, radius, now := f.Offset.Add(vector(r, 4)), r.Float64(), seconds*r.Float64()
			near := f.IsNearFacets(x, radius, now)
			gap, _ := f.Separation(x, radius, now)
			if gap < 0 {
				overlaps++
			}
			if !near {
				far++
			}
			if gap < 0 && !near {
				t.Fatalf("a ball at %v with radius %v overlaps by %v and is said to be far from %+v", x, radius, -gap,
					f.Shape)
			}
		}
	}
	t.Logf("%d overlaps, %d far", overlaps, far)
	if overlaps < 100 || far < 100 {
		t.Errorf("%d overlaps and %d far balls, want 100 of each", overlaps, far)
	}
}
