package grid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
)

// TestCrossLevelFindsBodiesThatJustReachThePath places a body of another level so that, at the
// speed limit of that level, it just touches the moving ball.
func TestCrossLevelFindsBodiesThatJustReachThePath(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Portable)
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
		g.Layout(len(sample), seconds, samplesOf(sample), new(Scratch))
		for i, b := range sample {
			g.Put(int32(i), b.Center, diameter, 0, 0)
		}
		lv := &g.levels[0]
		small := 0 // searches that don't return most bodies
		for range 20000 {
			lv.fast = lv.fast[:0]
			lv.speedLimit = 8 * r.Float64() * r.Float64()
			f := Path{X: within(world), V: within(math.Pow(10, 3*r.Float64()-1)), Until: seconds}
			f.Radius, f.Now = math.Pow(10, 2*r.Float64()-1.5), seconds*r.Float64()
			at := f.Now + float64((seconds-f.Now)*r.Float64())
			n, ok := within(1).Normalized()
			if r.IntN(2) == 0 { // along an axis the body is nearest to the walls of its cell
				n = [3]collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[r.IntN(3)]
				ok = !flat[0] && n.X != 0 || !flat[1] && n.Y != 0 || !flat[2] && n.Z != 0
			}
			if !ok {
				continue
			}
			if r.IntN(2) == 0 { // at the end of the path, from ahead
				at = f.Until
				if n.Dot(f.V) < 0 {
					n = n.Neg()
				}
			}
			touch := f.X.AddScaled(at, f.V).AddScaled((f.Radius+diameter/2)*(1-1e-12), n)
			i := int32(r.IntN(len(sample)))
			g.Put(i, touch.AddScaled(lv.speedLimit*(at-f.Now), n), diameter, 0, 0)
			fast := (i + 1 + int32(r.IntN(len(sample)-1))) % int32(len(sample))
			lv.fast = append(lv.fast, fast)
			g.locations[fast].isFast = true
			got := g.crossLevel(lv, &f, []int32{-7})
			g.locations[fast].isFast = false
			if !slices.Contains(got, i) {
				t.Fatalf("flat %v: a body that touches at %v is not found: path %+v, speed limit %v, cell %v, width %v",
					flat, at, f, lv.speedLimit, g.locations[i].cell, lv.size)
			}
			if !slices.Contains(got, fast) || got[0] != -7 {
				t.Fatalf("flat %v: crossLevel omits a fast body, or overwrites out", flat)
			}
			if len(got) <= len(sample)/2 {
				small++
			}
			slices.Sort(got)
			if n := len(got); len(slices.Compact(got)) != n {
				t.Fatalf("flat %v: crossLevel lists a body twice", flat)
			}
		}
		if small < 5000 {
			t.Errorf("flat %v: only %d searches returned less than half of the bodies", flat, small)
		}
	}
}

// samplesOf returns the bodies of a list.
func samplesOf(list []Sample) Samples {
	return Samples{Count: len(list), At: func(k int) (Sample, bool) { return list[k], true }}
}
