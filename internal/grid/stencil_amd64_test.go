//go:build amd64 && !purego

package grid

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
)

// TestTheAssemblyCollectsTheSameBodiesAsGo compares collectRows with collectRowsGo.
func TestTheAssemblyCollectsTheSameBodiesAsGo(t *testing.T) {
	if !hasAVX2 {
		t.Skip("this processor has no AVX2")
	}
	r := rand.New(rand.NewPCG(1, 2))
	found, crowded := 0, 0
	for _, side := range []float64{3, 8, 9, 20} { // from many bodies in a cell to few
		var g Grid
		var samples []Sample
		for range 400 {
			at := func() float64 { return side * r.Float64() }
			samples = append(samples, Sample{Center: collide.Vec3{X: at(), Y: at(), Z: at()}, Diameter: 1})
		}
		g.Layout(len(samples), 1, samplesOf(samples), &Scratch{})
		for i, s := range samples {
			g.Put(int32(i), s.Center, s.Diameter, 0, 0)
		}
		lv := &g.levels[0]
		for k := range Stencil(stencils) {
			for x := lv.low[0]; x < lv.low[0]+int32(lv.span[0]); x++ {
				for y := lv.low[1]; y < lv.low[1]+int32(lv.span[1]); y++ {
					at := lv.perCell * (x + y*lv.stride[1] + lv.low[2]*lv.stride[2])
					got := g.collectRows(lv, &lv.stencils[k], at, nil)
					want := g.collectRowsGo(lv, &lv.stencils[k], at, nil)
					slices.Sort(got)
					slices.Sort(want)
					if !slices.Equal(got, want) {
						t.Fatalf("stencil %d at %d, %d: got %v, want %v", k, x, y, got, want)
					}
					if slices.Max(lv.slots) >= more {
						crowded++
					}
					found += len(want)
				}
			}
		}
	}
	if found < 1000 || crowded < 100 {
		t.Errorf("only %d bodies found, and %d searches of crowded cells", found, crowded)
	}
}
