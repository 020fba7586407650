package solver_test

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/solver"
)

// row returns a world with a row of so many balls along x, two metres apart. It is cut in two about where the middle one is.
func row(workers, count int) *world {
	w := newWorld()
	w.space.Seconds, w.space.Workers = 1, workers
	w.space.ForceParallelFrom = 6
	for k := range count {
		w.add(ball{x: collide.Vec3{X: float64(2*k - count), Y: 0.5}, v: collide.Vec3{Z: 0.001}, r: 0.5, mass: 1, material: bouncy(0)})
	}
	return w
}

// TestWhatSlidesComesAgainstOneThatHasGrown: a wrong guess leaves the whole with a grid that is up to date. What the game makes of a ball before the next step is wider than
// any of its cells, and what is held looks there for what it comes near to.
func TestWhatSlidesComesAgainstOneThatHasGrown(t *testing.T) {
	var worlds [2]*world
	for k := range worlds {
		w := row(1+k, 40)
		worlds[k] = w
		w.plane(collide.Vec3{Y: 1}, 0, bouncy(0))
		w.balls[39].v.X = 0.1
		pillar := w.add(ball{x: w.balls[39].x.Add(collide.Vec3{X: 10.75}), r: 0.5, kind: solver.Static, material: bouncy(0)})
		w.add(ball{x: collide.Vec3{Y: 3}, v: collide.Vec3{Z: 3}, r: 0.5, mass: 1, material: bouncy(0)}) // comes farther than the first guess
		w.step()
		w.space.SetHalo(0)
		w.step()
		w.balls[pillar].r = 10
		w.space.SetHalo(1000)
		w.step()
	}
	if d := worlds[0].differs(worlds[1]); d != "" {
		t.Error(d)
	}
	if right, wrong := worlds[1].space.ParallelSteps(); right != 1 || wrong != 1 {
		t.Errorf("%d guesses were right and %d wrong, want 1 and 1", right, wrong)
	}
}

// TestOneLargerThanAllOfAPartComesIntoIt: the part's grid was laid out for smaller ones. No game has placed the large one since: it comes by itself.
func TestOneLargerThanAllOfAPartComesIntoIt(t *testing.T) {
	const steps = 12
	var worlds [2]*world
	for k := range worlds {
		w := row(1+k, 200)
		worlds[k] = w
		w.add(ball{x: collide.Vec3{X: -60, Z: 12}, r: 0.5, mass: 1, material: bouncy(1)})
		w.add(ball{x: collide.Vec3{X: 90, Z: 12}, v: collide.Vec3{X: -15}, r: 10, mass: 1, material: bouncy(1)})
		impacts := 0
		for range steps {
			w.space.SetHalo(300)
			w.step()
			impacts += w.space.Counts.Impacts
		}
		if impacts != 1 {
			t.Errorf("%d impacts with %d workers, want 1", impacts, 1+k)
		}
	}
	if d := worlds[0].differs(worlds[1]); d != "" {
		t.Error(d)
	}
	if right, wrong := worlds[1].space.ParallelSteps(); right != steps-1 || wrong > 0 {
		t.Errorf("%d guesses were right and %d wrong, want %d and 0", right, wrong, steps-1)
	}
}
