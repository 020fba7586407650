package scene

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
)

func TestPouredKnowsItsKinds(t *testing.T) {
	if s, err := Poured("gas", 10); err == nil {
		t.Errorf("gas: got %d spheres, want an error", len(s.Spheres))
	}
}

// The watch has to see what the slow measurement sees, also where spheres are strewn over each
// other and out of the box.
func TestWatchSeesWhatMeasureSees(t *testing.T) {
	overlaps, escapes := 0, 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 21))
		half := 1 + float64(seed%7)*2
		s := newBox(half)
		s.OpenTop = seed%2 == 0
		for range 60 {
			p, v := uniform(rng, half*1.05), uniform(rng, 1)
			s.Spheres = append(s.Spheres, Sphere{Position: p, Velocity: v, Radius: 0.25 + 0.25*unit(rng), Mass: 1})
		}
		if seed%10 == 3 {
			s.Spheres[7].Position = collide.Vec3{X: math.NaN()}
		}
		w := NewWorld(s)
		want, got := s.Measure(w), NewWatch(s).Look(w)
		pair, wall := math.Inf(-1), math.Inf(-1)
		for i, a := range s.Spheres {
			for _, b := range s.Spheres[:i] {
				if deep := a.Radius + b.Radius - a.Position.Distance(b.Position); deep > 0 {
					pair = max(pair, deep)
				}
			}
			if !a.Position.IsFinite() {
				continue
			}
			for _, f := range s.walls() {
				wall = max(wall, a.Radius+f.Distance-f.Normal.Dot(a.Position))
			}
		}
		if (got.Pair > 0) != (want.Overlap > 0) || got.Pair != pair && math.Abs(got.Pair-pair) > 1e-15 {
			t.Errorf("seed %d: pair: got %v, want %v; Measure says %v of a radius", seed, got.Pair, pair, want.Overlap)
		}
		if math.Abs(got.Wall-wall) > 1e-15 {
			t.Errorf("seed %d: wall: got %v, want %v", seed, got.Wall, wall)
		}
		if got.Escaped != want.Escaped+want.NaN || seed%10 != 3 && got.Fastest != want.Fastest {
			t.Errorf("seed %d: got %+v, want %+v", seed, got, want)
		}
		if pair > 0 {
			overlaps++
		}
		escapes += got.Escaped
	}
	if overlaps < 30 || overlaps == 100 || escapes < 30 {
		t.Errorf(
			"%d of 100 scenes have overlaps, and %d spheres are outside: too few or too many to say anything",
			overlaps, escapes,
		)
	}
}
