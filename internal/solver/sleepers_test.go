package solver_test

import (
	"testing"

	"github.com/dango-physics/dango/collide"
)

// In parts, too, what naps is roused by what hits it, and contacts are found by whichever part they begin in.
func TestPartsOfARoomOfSleepersHaveTheBitsOfTheWhole(t *testing.T) {
	h := hall{bodies: 120, half: collide.Vec3{X: 14, Y: 2, Z: 4}, radii: [2]float64{0.2, 0.3}, speed: [2]float64{0, 1}, gravity: -10, rest: 0.3}
	slept, right := 0, 0
	for seed := range uint64(heavy(3)) {
		var worlds []*world
		for _, n := range []int{1, 2, 3} {
			w := h.world(seed, n)
			w.space.LengthUnit, w.space.Sleeping = 1, true
			w.space.ForceParallelFrom = 4
			worlds = append(worlds, w)
		}
		for step := range 250 {
			for _, w := range worlds {
				if r := random(seed<<10 + uint64(step)); step > 80 && r.IntN(3) == 0 {
					for range 4 {
						w.balls[r.IntN(len(w.balls))].v = direction(r, false).Scale(10)
					}
				}
				w.space.SetHalo(4)
				w.step()
			}
			for _, w := range worlds[1:] {
				if d := worlds[0].differs(w); d != "" {
					t.Fatalf("seed %d, step %d, %d workers: %s", seed, step, w.space.Workers, d)
				}
			}
			slept += worlds[0].space.Counts.Asleep
		}
		a, _ := worlds[2].space.ParallelSteps()
		right += a
	}
	if slept == 0 || right == 0 {
		t.Errorf("%d slept and %d steps were taken in parts, want some", slept, right)
	}
	t.Log(slept, right)
}
