package solver_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
)

// spinScene returns a scene with several frictions in which bodies land, bounce and pile up. The
// function order permutes the bodies and frictions.
func spinScene(seed uint64, half collide.Vec3, n int, order func(n int) []int, more func(w *spinWorld)) *spinWorld {
	from := newSpinWorld()
	r := random(seed)
	all := from.frictions(0.5)
	all = append(all, from.rough(0, 0.3), from.rough(1, 2))
	from.addSpinning(r, n, half.Scale(0.9), all, 0.3)
	w := newSpinWorld()
	for _, k := range order(len(all)) { // frictions are registered in another order, too
		w.space.AddFriction(from.space.MaterialFriction(all[k]))
	}
	w.gravity.Y = -10
	w.space.RestSpeed = 2 * 10 * step
	rename := func(m solver.Material) solver.Material {
		m.FrictionID = w.frictionID(from.space.MaterialFriction(m).FrictionCoefficients)
		return m
	}
	w.box(half, rename(all[2]))
	for _, k := range order(len(from.balls)) {
		b := from.balls[k]
		b.material = rename(b.material)
		w.add(b, from.spins[k])
	}
	if more != nil {
		more(w)
	}
	return w
}

func inOrder(n int) []int {
	o := make([]int, n)
	for k := range o {
		o[k] = k
	}
	return o
}

func checkSameSpins(t *testing.T, a, b *spinWorld, which []int, when any) {
	t.Helper()
	for k, i := range which {
		p, q := a.spins[i], b.spins[k]
		if bits(a.balls[i].x) != bits(b.balls[k].x) || bits(a.balls[i].v) != bits(b.balls[k].v) ||
			bits(p.w) != bits(q.w) || p.rotation != q.rotation {
			t.Fatalf("%v: %d is at %v, moves at %v, spins %v; or is at %v, moves at %v, spins %v", when, i,
				a.balls[i].x, a.balls[i].v, p.w, b.balls[k].x, b.balls[k].v, q.w)
		}
	}
}

func TestSpinsDoNotDependOnTheOrderOfBodies(t *testing.T) {
	half := collide.Vec3{X: 4, Y: 4, Z: 4}
	for seed := range uint64(slow.Cases(10)) {
		a := spinScene(seed, half, 80, inOrder, nil)
		r := random(seed + 100)
		var which []int
		b := spinScene(seed, half, 80, func(n int) []int {
			which = r.Perm(n)
			return which
		}, nil)
		for k := range 120 {
			a.step()
			b.step()
			checkSameSpins(t, a, b, which, fmt.Sprint("seed ", seed, " step ", k))
		}
	}
}

// Two balls that are equal except for their spin hit a third at the same time.
func TestBodiesThatDifferOnlyInSpinHaveADefinedOrder(t *testing.T) {
	make := func(swap bool) *spinWorld {
		w := newSpinWorld()
		m := w.rough(0.5, 0.5)
		b := ball{x: collide.Vec3{X: 2}, v: collide.Vec3{X: -10}, r: 0.5, mass: 1, material: m}
		one, other := bodySpin{w: collide.Vec3{Z: 5}, inverseInertia: solidInverseInertia(b)},
			bodySpin{w: collide.Vec3{Z: -3}, inverseInertia: solidInverseInertia(b)}
		if swap {
			one, other = other, one
		}
		b.material.Layers, b.material.Mask = 2, 1 // they don't collide with each other
		w.add(b, one)
		w.add(b, other)
		c := ball{x: collide.Vec3{X: 0.9}, r: 0.5, mass: 1, material: m}
		c.material.Mask = 3
		w.add(c, bodySpin{inverseInertia: solidInverseInertia(c)})
		return w
	}
	a, b := make(false), make(true)
	for k := range 20 {
		a.step()
		b.step()
		checkSameSpins(t, a, b, []int{1, 0, 2}, k)
	}
}

func TestSpinsInParallelStepsHaveTheSameBits(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	half := collide.Vec3{X: 15, Y: 3, Z: 3}
	for seed := range uint64(slow.Cases(24)) {
		a := spinScene(seed, half, 220, inOrder, nil)
		b := spinScene(seed, half, 220, inOrder, func(w *spinWorld) {
			w.space.Workers = 3
			w.space.ForceParallelFrom = 20
			w.space.SetHalo(float64(2 + seed))
		})
		for k := range 60 {
			a.step()
			b.step()
			checkSameSpins(t, a, b, inOrder(len(a.balls)), fmt.Sprint("seed ", seed, " step ", k))
		}
		valid, invalid := b.space.ParallelSteps()
		t.Logf("%d valid and %d invalid parallel steps", valid, invalid)
		if valid == 0 {
			t.Error("no step was parallel")
		}
	}
}

// The golden hash is from amd64.
func TestSpinsHaveTheSameBitsOnAllPlatforms(t *testing.T) {
	w := spinScene(7, collide.Vec3{X: 4, Y: 4, Z: 4}, 80, inOrder, nil)
	for range 60 {
		w.step()
	}
	h := uint64(14695981039346656037)
	add := func(parts ...float64) {
		for _, p := range parts {
			h = (h ^ math.Float64bits(p)) * 1099511628211
		}
	}
	for i, b := range w.balls {
		p := w.spins[i]
		add(b.x.X, b.x.Y, b.x.Z, b.v.X, b.v.Y, b.v.Z, p.w.X, p.w.Y, p.w.Z, p.rotation.X, p.rotation.Y, p.rotation.Z,
			p.rotation.W)
	}
	if want := uint64(0x9a3d09933a6a8cd8); h != want {
		t.Errorf("the hash is %#x, want %#x", h, want)
	}
}

func TestStepWithSpinDoesNotAllocate(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	w := spinScene(3, collide.Vec3{X: 4, Y: 4, Z: 4}, 80, inOrder, nil)
	for range 200 {
		w.step()
	}
	if n := testing.AllocsPerRun(50, w.step); n > 0 {
		t.Errorf("a step allocates %v times", n)
	}
}
