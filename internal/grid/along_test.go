package grid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
)

// TestAlongFindsWhatComesFromAsFarAsItCan puts a body of another level where, at that level's pace, it just reaches a flight.
func TestAlongFindsWhatComesFromAsFarAsItCan(t *testing.T) {
	for _, flat := range [][3]bool{{}, {false, false, true}, {true, false, false}, {false, true, true}} {
		r := rand.New(rand.NewPCG(5, 5))
		within := func(size float64) collide.Vec3 {
			var v [3]float64
			for axis := range v {
				if !flat[axis] {
					v[axis] = size * (2*r.Float64() - 1)
				}
			}
			return collide.Vec3{X: v[0], Y: v[1], Z: v[2]}
		}
		const diameter, seconds, world = 1.0, 0.25, 20.0
		var g Grid
		var sample []Sample
		for range 4000 {
			sample = append(sample, Sample{Center: within(world), Diameter: diameter, Speed: 1})
		}
		g.Layout(len(sample), seconds, sample, new(Scratch))
		for i, b := range sample {
			g.Put(int32(i), b.Center, diameter, 0, 0)
		}
		lv := &g.levels[0]
		some := 0
		for range 20000 {
			lv.racing = lv.racing[:0]
			lv.pace = 8 * r.Float64() * r.Float64()
			f := Flight{X: within(world), V: within(math.Pow(10, 3*r.Float64()-1)), Radius: math.Pow(10, 2*r.Float64()-1.5), Now: seconds * r.Float64(), Until: seconds}
			at := f.Now + float64((seconds-f.Now)*r.Float64())
			n, ok := within(1).Normalized()
			if r.IntN(2) == 0 { // along an axis it comes nearest to the walls of cells
				n = [3]collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[r.IntN(3)]
				ok = !flat[0] && n.X != 0 || !flat[1] && n.Y != 0 || !flat[2] && n.Z != 0
			}
			if !ok {
				continue
			}
			if r.IntN(2) == 0 { // at the end, from ahead
				at = f.Until
				if n.Dot(f.V) < 0 {
					n = n.Neg()
				}
			}
			touch := f.X.AddScaled(at, f.V).AddScaled((f.Radius+diameter/2)*(1-1e-12), n)
			i := int32(r.IntN(len(sample)))
			g.Put(i, touch.AddScaled(lv.pace*(at-f.Now), n), diameter, 0, 0)
			racing := (i + 1 + int32(r.IntN(len(sample)-1))) % int32(len(sample))
			lv.racing = append(lv.racing, racing)
			g.places[racing].races = true
			got := g.along(lv, &f, []int32{-7})
			g.places[racing].races = false
			if !slices.Contains(got, i) {
				t.Fatalf("flat %v: at %v, %+v of pace %v misses a body of cell %v, %v wide", flat, at, f, lv.pace, g.places[i].cell, lv.size)
			}
			if !slices.Contains(got, racing) || got[0] != -7 {
				t.Fatalf("flat %v: along forgets what races, or writes over what was there", flat)
			}
			if len(got) <= len(sample)/2 {
				some++
			}
			slices.Sort(got)
			if n := len(got); len(slices.Compact(got)) != n {
				t.Fatalf("flat %v: along names bodies twice", flat)
			}
		}
		if some < 5000 {
			t.Errorf("flat %v: only %d flights didn't ask most bodies", flat, some)
		}
	}
}
