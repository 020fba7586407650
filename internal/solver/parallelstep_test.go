package solver_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
)

// In the middle of parallel steps and after them, the game makes queries and vetoes and changes
// settings. The answers must be those of a sequential step.
func TestDeferredStagesAreNotObservable(t *testing.T) {
	h := &parallelScenes[slices.IndexFunc(parallelScenes, func(h parallelScene) bool { return h.name == "sensors" })]
	const dt = step
	valid := 0
	for seed := range uint64(slow.Cases(4)) {
		var worlds []*world
		var answers [3][]string
		for k, n := range []int{1, 2, 8} {
			w := h.world(seed, n)
			w.space.ForceParallelFrom = 6
			worlds = append(worlds, w)
			record := func(what ...any) { answers[k] = append(answers[k], fmt.Sprint(what...)) }
			r := random(seed)
			ask := func(what int) {
				at, ray := within(r, h.half), direction(r, false)
				switch what {
				case 0:
					for _, id := range w.ids {
						record("before", w.space.StartPosition(id), w.space.State(id), w.space.HasZeroMotion(id))
					}
				case 1:
					w.space.Candidates(func(a, b int32) bool { return true })
				case 2:
					for _, e := range w.space.PredictedImpacts() {
						record("predicted", e.Time, e.A, e.B, bits(e.Point), bits(e.Normal))
					}
				case 3:
					a, b := w.ids[r.IntN(len(w.ids))], w.ids[r.IntN(len(w.ids))]
					w.space.Veto(solver.BodyHandle(a), solver.BodyHandle(b))
					a, b = w.ids[r.IntN(len(w.ids))], w.codes[r.IntN(len(w.codes))]
					w.space.Veto(solver.BodyHandle(a), solver.Handle(b))
				case 4:
					all := w.space.CastAll(&solver.Probe{Sphere: collide.Sphere{Center: at, Radius: 0.5}}, ray, 20,
						func(solver.Handle) bool { return true }, nil)
					first, ok := w.space.Cast(&solver.Probe{Sphere: collide.Sphere{Center: at, Radius: 0.1}}, ray, 20,
						func(solver.Handle) bool { return true })
					record("cast", all, first, ok)
				case 5:
					var found []solver.Handle
					w.space.InSphere(collide.Sphere{Center: at, Radius: 2},
						func(h solver.Handle) { found = append(found, h) })
					slices.Sort(found)
					record("in sphere", found)
				case 6:
					for _, code := range slices.Concat(w.ids, w.codes) {
						record("touching", w.touching(code))
					}
				case 7:
					w.space.Sync()
				}
			}
			for step := range 40 {
				h.change(random(seed<<8+uint64(step)), w, step)
				w.space.SetHalo([]float64{1, 4, 10}[(step+k)%3])
				w.space.Seconds = []float64{dt, dt, 2 * dt, dt / 2}[r.IntN(4)]
				if n > 1 {
					w.space.Workers = []int{n, n, 2, 4, 1}[step%5]
				}
				middle, what := r.IntN(6), r.IntN(7)
				w.between = func(sweep bool) {
					switch {
					case middle == 0 && !sweep && what != 2, middle == 1 && sweep:
						ask(what)
					case middle == 2 && !sweep:
						ask(0)
					case middle == 3 && sweep:
						ask(6)
					}
				}
				w.step()
				if r.IntN(3) == 0 {
					ask(4 + r.IntN(4))
				}
			}
			a, _ := w.space.ParallelSteps()
			valid += a
			if k > 0 {
				if d := worlds[0].differs(w); d != "" {
					t.Errorf("seed %d, %d workers: %s", seed, n, d)
				}
				if !slices.Equal(answers[0], answers[k]) {
					for i := range min(len(answers[0]), len(answers[k])) {
						if answers[0][i] != answers[k][i] {
							t.Fatalf("seed %d, %d workers, answer %d: %s and %s", seed, n, i, answers[0][i],
								answers[k][i])
						}
					}
					t.Fatalf("seed %d, %d workers: %d answers, and %d", seed, n, len(answers[0]), len(answers[k]))
				}
			}
		}
	}
	if valid < 20 {
		t.Errorf("only %d valid parallel steps", valid)
	}
}

// acrossBoundary returns a world with a boundary of two subdomains at x = 0, the given halo width,
// and the given balls. A row of other balls far away makes sure of that: it balances the numbers of
// moving bodies and determines the largest diameter, touch. Speeds are in metres per step.
func acrossBoundary(workers int, touch, haloWidth float64, balls ...ball) *world {
	const others = 40
	w := newWorld()
	w.space.Seconds, w.space.Workers = 1, workers
	w.space.ForceParallelFrom = 6
	right, left, speed, moving := 0, 0, 0.0, 0
	for _, b := range balls {
		switch {
		case b.v == collide.Vec3{}:
			continue
		case b.x.X > 0:
			right++
		default:
			left++
		}
		speed += b.v.Length()
		moving++
	}
	far := ball{v: collide.Vec3{Z: 0.001}, r: touch / 2, mass: 1, material: bouncy(1)}
	addFar := func(x float64) {
		far.x = collide.Vec3{X: x, Y: -300}
		w.add(far)
		speed += 0.001
		moving++
	}
	addFar(0) // in the middle
	for k := range others - left {
		addFar(-float64(k+1) * 5)
	}
	for k := range others - right {
		addFar(float64(k+1) * 5)
	}
	w.step() // counts the moving bodies
	for _, b := range balls {
		w.add(b)
	}
	w.space.SetHalo((haloWidth - touch) * float64(moving) / speed)
	return w
}

func TestImpactsAtABoundaryOfSubdomains(t *testing.T) {
	x := func(at float64) collide.Vec3 { return collide.Vec3{X: at} }
	like := func(at, v collide.Vec3) ball { return ball{x: at, v: v, r: 0.5, mass: 1, material: bouncy(1)} }
	heavy := func(at, v collide.Vec3) ball { return ball{x: at, v: v, r: 0.5, mass: 1000, material: bouncy(1)} }
	static := func(at collide.Vec3, r float64) ball {
		return ball{x: at, r: r, kind: solver.Static, material: bouncy(1)}
	}
	g := polygon(collide.Vec3{X: 0.2, Y: 2, Z: -5}, collide.Vec3{X: 0.2, Y: 90, Z: -5},
		collide.Vec3{X: 0.2, Y: 90, Z: 5}, collide.Vec3{X: 0.2, Y: 2, Z: 5})
	shield := twoSided(g, bouncy(1))
	cases := []struct {
		name             string
		touch, haloWidth float64
		balls            []ball
		surface          *solver.Surface
		impacts          int
		invalid          bool // the halo is too small
		later            []ball
	}{
		// The heavy body is outside the halo of the left subdomain. There the ghost moves on into
		// the box and hits a body. In fact the heavy body deflects it before.
		{
			"a ghost that is deflected before it enters the box", 1, 6.7,
			[]ball{
				like(x(-1), x(0)), like(x(6), x(-8)),
				heavy(collide.Vec3{X: 7.5, Y: -50.7}, collide.Vec3{X: -12.4, Y: 100}),
			},
			&shield, 2, true, nil,
		},
		{
			"the same without a body to hit", 1, 6.7, []ball{
				like(x(6), x(-8)),
				heavy(collide.Vec3{X: 7.5, Y: -50.7}, collide.Vec3{X: -12.4, Y: 100}),
			}, &shield, 2, true, nil,
		},
		// In the left subdomain the ghost doesn't move, and so never enters the box.
		{
			"a ghost that an unknown body pushes into the box", 1, 4,
			[]ball{like(x(-1.1), x(0)), like(x(0.8), x(0)), like(x(4.2), x(-10))},
			nil, 2, true, nil,
		},
		{
			"a ghost that an unknown body pushes into the box and that is corrected in time", 1, 4.2,
			[]ball{like(x(-1.1), x(0)), like(x(2.4), x(0)), like(x(4.3), x(-3.6))},
			nil, 2, false, nil,
		},
		{
			"a sensor outside the halo", 2, 4, []ball{
				like(x(-0.05), x(3.4)),
				{x: x(4.5), r: 1, kind: solver.Static, material: sensor()},
			}, nil, 0, true, nil,
		},
		{
			"a sensor inside the halo", 2, 5, []ball{
				like(x(-0.05), x(3.4)),
				{x: x(4.5), r: 1, kind: solver.Static, material: sensor()},
			}, nil, 0, false, nil,
		},
		// The static body belongs to the left subdomain, which doesn't know of the impact with it.
		{
			"a static body that is hit from the other side", 2, 4,
			[]ball{static(x(-0.3), 1), like(x(2.5), x(-0.1)), like(x(4.6), x(-3.4))},
			nil, 2, false, nil,
		},
		{
			"an older static body that is hit from the other side", 2, 4,
			[]ball{like(x(2.5), x(-0.1)), like(x(4.6), x(-3.4)), static(x(-0.3), 1)},
			nil, 2, false, nil,
		},
		{
			"a body larger than all others that starts overlapping", 1, 1.5,
			[]ball{like(x(0.2), x(0))},
			nil, 0,
			false,
			[]ball{{x: x(-3.2), r: 3, mass: 1, material: bouncy(1)}},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var worlds [2]*world
			for k := range worlds {
				w := acrossBoundary(1+k, c.touch, c.haloWidth, c.balls...)
				if c.surface != nil {
					w.addSurface(*c.surface)
				}
				worlds[k] = w
				w.step()
				for _, b := range c.later {
					w.add(b)
				}
				impacts := w.space.Counts.Impacts
				if c.later != nil {
					w.step()
				}
				if impacts != c.impacts {
					t.Errorf("%d impacts with %d workers, want %d", impacts, 1+k, c.impacts)
				}
			}
			if d := worlds[0].differs(worlds[1]); d != "" {
				t.Error(d)
			}
			if valid, invalid := worlds[1].space.ParallelSteps(); c.invalid != (invalid == 1) ||
				valid+invalid != 1+min(1, len(c.later)) {
				t.Errorf("%d parallel steps were valid and %d invalid, want invalid: %v", valid, invalid, c.invalid)
			}
		})
	}
}

// In fact, b isn't blocked, so it still pushes d when d hits e. In the left subdomain b is blocked
// until its ghost is corrected, and the history hashes don't show that d no longer slides on it.
func TestSlidingOnAGhostThatWasCorrected(t *testing.T) {
	b := ball{x: collide.Vec3{X: 1.12}, v: collide.Vec3{X: -0.2}, r: 1, kind: solver.Kinematic, material: bouncy(0)}
	d := ball{x: collide.Vec3{X: -0.881}, v: collide.Vec3{X: -0.1}, r: 1, mass: 1, material: bouncy(0)}
	blocked := ball{x: collide.Vec3{X: 0.925, Y: 1.19}, r: 0.2, mass: 1, material: bouncy(0)}
	blocked.material.Locked = 3
	away, _ := collide.Vec3{X: 0.714, Y: 0.495, Z: -0.495}.Normalized()
	next := ball{x: blocked.x.AddScaled(0.702, away), r: 0.5, mass: 1, material: bouncy(1)}
	unknown := ball{x: next.x.AddScaled(1.01, away), v: away.Scale(-1.6), r: 0.5, mass: 1, material: bouncy(1)}
	e := ball{x: collide.Vec3{X: -2.605}, v: collide.Vec3{X: 0.3}, r: 0.3, mass: 10, material: bouncy(0)}
	for _, haloWidth := range []float64{2.05, 2.1, 2.14} {
		var worlds [2]*world
		for k := range worlds {
			worlds[k] = acrossBoundary(1+k, 2, haloWidth, b, d, blocked, next, unknown, e)
			worlds[k].step()
			if n := worlds[k].space.Counts.Impacts; n != 5 {
				t.Errorf("haloWidth %v: %d impacts with %d workers, want 5", haloWidth, n, 1+k)
			}
		}
		if d := worlds[0].differs(worlds[1]); d != "" {
			t.Errorf("haloWidth %v: %s", haloWidth, d)
		}
	}
}

// Small worlds are stepped sequentially and with two, three and eight workers. Nothing observable
// may differ. The halo is sometimes too small on purpose, which must be detected.
func TestParallelStepsHaveTheBitsOfSequentialOnes(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	halos := []float64{0, 0.3, 1, 2, 4, 10}
	allInvalid := 0
	for _, h := range parallelScenes {
		t.Run(h.name, func(t *testing.T) {
			if h.name == "at one point" {
				slow.Skip(t, slow.Sequential, "it takes longer than all other scenes, whose goroutines do the same")
			}
			valid, invalid := 0, 0
			for seed := range uint64(slow.Cases(4)) {
				one := h.world(seed, 1)
				var others []*world
				for _, n := range slow.Workers(2, 3, 8) {
					w := h.world(seed, n)
					w.space.ForceParallelFrom = 6
					others = append(others, w)
				}
				for step := range 20 {
					for k, w := range append(others, one) {
						if h.change != nil {
							h.change(random(seed<<8+uint64(step)), w, step)
						}
						w.space.SetHalo(halos[(step+k+int(seed))%len(halos)])
						w.step()
					}
					for _, w := range others {
						if d := one.differs(w); d != "" {
							t.Fatalf("seed %d, step %d, %d workers: %s", seed, step, w.space.Workers, d)
						}
					}
				}
				for _, w := range others {
					a, b := w.space.ParallelSteps()
					valid, invalid = valid+a, invalid+b
				}
			}
			t.Logf("%d valid and %d invalid parallel steps", valid, invalid)
			if valid < 5 {
				t.Errorf("only %d valid parallel steps", valid)
			}
			allInvalid += invalid
		})
	}
	if !t.Failed() && allInvalid < 100 {
		t.Errorf("only %d invalid parallel steps", allInvalid)
	}
}

// A step that is sequential because hardly anything moves doesn't tell which way is faster.
func TestSequentialStepsAreNotMeasured(t *testing.T) {
	w := newWorld()
	w.space.Workers = 2
	for k := range 3100 {
		w.add(ball{x: collide.Vec3{X: 3 * float64(k)}, v: collide.Vec3{Y: 1}, r: 1, mass: 1, material: bouncy(1)})
	}
	for range 3 {
		w.step()
	}
	if !w.space.Measured() {
		t.Error("a step in which all bodies move was not measured")
	}
	for i := range w.balls {
		w.balls[i].v = collide.Vec3{}
		w.set(i)
	}
	for range 2 {
		w.step()
	}
	if w.space.Measured() {
		t.Error("a step in which nothing moves was measured")
	}
}

// row returns a world with a row of balls along x at distances of two metres. With two workers, the
// boundary of the subdomains is near the middle of the row.
func row(workers, count int) *world {
	w := newWorld()
	w.space.Seconds, w.space.Workers = 1, workers
	w.space.ForceParallelFrom = 6
	for k := range count {
		w.add(ball{
			x: collide.Vec3{X: float64(2*k - count), Y: 0.5}, v: collide.Vec3{Z: 0.001}, r: 0.5, mass: 1,
			material: bouncy(0),
		})
	}
	return w
}

// After a parallel step with a halo that was too small, the whole space has a grid that is up to
// date. Then the game makes a ball wider than any cell, and a sliding body must find it when it
// searches its neighbourhood.
func TestSlidingBodyMeetsABodyThatHasGrown(t *testing.T) {
	var worlds [2]*world
	for k := range worlds {
		w := row(1+k, 40)
		worlds[k] = w
		w.plane(collide.Vec3{Y: 1}, 0, bouncy(0))
		w.balls[39].v.X = 0.1
		obstacle := w.add(ball{
			x: w.balls[39].x.Add(collide.Vec3{X: 10.75}), r: 0.5, kind: solver.Static,
			material: bouncy(0),
		})
		// Moves further than the first halo.
		w.add(ball{x: collide.Vec3{Y: 3}, v: collide.Vec3{Z: 3}, r: 0.5, mass: 1, material: bouncy(0)})
		w.step()
		w.space.SetHalo(0)
		w.step()
		w.balls[obstacle].r = 10
		w.space.SetHalo(1000)
		w.step()
	}
	if d := worlds[0].differs(worlds[1]); d != "" {
		t.Error(d)
	}
	if valid, invalid := worlds[1].space.ParallelSteps(); valid != 1 || invalid != 1 {
		t.Errorf("%d parallel steps were valid and %d invalid, want 1 and 1", valid, invalid)
	}
}

// The grid of the subdomain was laid out for smaller bodies, and the large one enters by its own
// motion, without the game placing it.
func TestLargeBodyEntersASubdomainOfSmallOnes(t *testing.T) {
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
	if valid, invalid := worlds[1].space.ParallelSteps(); valid != steps-1 || invalid > 0 {
		t.Errorf("%d parallel steps were valid and %d invalid, want %d and 0", valid, invalid, steps-1)
	}
}

// In parallel steps, too, sleeping islands are woken by impacts, and contacts are found by the
// subdomain in which they begin.
func TestParallelStepsWithSleepingIslandsHaveTheSameBits(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	h := parallelScene{
		bodies: 120, half: collide.Vec3{X: 14, Y: 2, Z: 4}, radii: [2]float64{0.2, 0.3},
		speed: [2]float64{0, 1}, gravity: -10, restSpeed: 0.3,
	}
	slept, valid := 0, 0
	for seed := range uint64(slow.Cases(3)) {
		var worlds []*world
		for _, n := range slow.Workers(1, 2, 3) {
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
		a, _ := worlds[len(worlds)-1].space.ParallelSteps()
		valid += a
	}
	if slept == 0 || valid == 0 {
		t.Errorf("%d sleeping bodies and %d parallel steps, want some", slept, valid)
	}
	t.Log(slept, valid)
}
