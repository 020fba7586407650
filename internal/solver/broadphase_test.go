package solver_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
)

// cloud returns a world with 40 small balls around the origin, at rest or slow, and away from the x
// and y axes.
func cloud(seed uint64) *world {
	w, r := newWorld(), random(seed)
	for len(w.balls) < 40 {
		b := ball{
			x: within(r, collide.Vec3{X: 10, Y: 10, Z: 10}), v: direction(r, false).Scale(r.Float64()), r: 0.5,
			mass: 1, material: bouncy(1),
		}
		w.balls = append(w.balls, b)
		gap, _, _ := w.overlap()
		w.balls = w.balls[:len(w.balls)-1]
		if gap <= 0 && math.Hypot(b.x.Y, b.x.Z) > 3 && math.Hypot(b.x.X, b.x.Z) > 3 {
			w.add(b)
		}
	}
	return w
}

// launch adds a very heavy body that hits ball i at time t and launches it with the given speed in
// the direction toward, a unit vector.
func (w *world) launch(i int, toward collide.Vec3, speed, t float64) {
	v := toward.Scale(speed / 2) // the ball becomes twice as fast, up to rounding
	b := &w.balls[i]
	w.add(ball{
		x: b.x.AddScaled(t, b.v).AddScaled(-t, v).AddScaled(-1.5, toward), v: v, r: 1, mass: 1e30,
		material: bouncy(1),
	})
}

// stepBounded runs a step and checks that it tests a plausible number of pairs for some dozens of
// bodies.
func (w *world) stepBounded(t *testing.T) {
	t.Helper()
	w.step()
	if n, most := w.space.Counts.Sweeps, 3000*(1+w.space.Counts.Impacts); n > most {
		t.Fatalf("%d pairs were tested for %d impacts of %d bodies, want at most %d", n, w.space.Counts.Impacts,
			len(w.balls), most)
	}
}

// extremeTravels are distances travelled in a step, in metres, for balls with a radius of 0.5 m.
// With the smallest ones, a step that takes too long fails soon.
var extremeTravels = []float64{1e6, 3e7, 1e10, 1e12, 5e14}

// stepLikeOracle runs a step and compares its impacts with the oracle. The tolerance of a time is
// slack metres divided by the speed.
func (w *world) stepLikeOracle(t *testing.T, speed, slack float64, impacts int) {
	t.Helper()
	ref := w.reference(nil, 0)
	log, ok := ref.Step(w.space.Seconds, 1000)
	w.stepBounded(t)
	if d := differ(w.impacts(), log, slack/speed); d != "" || !ok {
		t.Fatalf("%s\n%v\n%v", d, w.impacts(), log)
	}
	if len(log) < impacts {
		t.Errorf("%d impacts, want %d", len(log), impacts)
	}
}

func TestHeavyBodyLaunchesALightOneWithinAStep(t *testing.T) {
	for _, travel := range extremeTravels {
		t.Run(fmt.Sprint(travel), func(t *testing.T) {
			for seed := range uint64(4) {
				w := cloud(seed)
				i := w.add(ball{r: 0.5, mass: 1, material: bouncy(1)})
				w.launch(i, collide.Vec3{X: 1}, travel/step, step/2)
				w.stepLikeOracle(t, travel/step, travel*1e-12, 1)
				if got := w.balls[i].x.X; math.Abs(got-travel/2) > travel*1e-6 {
					t.Errorf("its position is %v, want %v", got, travel/2)
				}
				w.stepBounded(t)
			}
		})
	}
}

// The body leaves the box of its subdomain, so the step is repeated as a whole.
func TestHeavyBodyLaunchesALightOneInASubdomain(t *testing.T) {
	for _, travel := range extremeTravels {
		t.Run(fmt.Sprint(travel), func(t *testing.T) {
			for seed := range uint64(4) {
				var worlds [2]*world
				for k := range worlds {
					w := cloud(seed)
					w.space.Workers = 1 + 2*k
					w.space.ForceParallelFrom = 2
					i := w.add(ball{r: 0.5, mass: 1, material: bouncy(1)})
					w.launch(i, collide.Vec3{X: 1}, travel/step, 1.5*step)
					for range 3 {
						w.stepBounded(t)
					}
					worlds[k] = w
				}
				if d := worlds[0].differs(worlds[1]); d != "" {
					t.Error(d)
				}
				if valid, invalid := worlds[1].space.ParallelSteps(); valid+invalid == 0 {
					t.Error("no parallel step was tried")
				}
			}
		})
	}
}

func TestExtremelyFastBodiesMeetAndOneHitsARow(t *testing.T) {
	const away, at = 20000, 1e-9 * step
	for _, travel := range extremeTravels {
		t.Run(fmt.Sprint(travel), func(t *testing.T) {
			for seed := range uint64(4) {
				w := cloud(seed)
				a := w.add(ball{x: collide.Vec3{X: -away}, r: 0.5, mass: 1, material: bouncy(1)})
				b := w.add(ball{x: collide.Vec3{Y: -away}, r: 0.5, mass: 1, material: bouncy(1)})
				for k := range 2 { // with more of them the grid would be laid out for them
					w.add(ball{x: collide.Vec3{X: away + 2*float64(k), Y: -0.5}, r: 0.5, mass: 1, material: bouncy(1)})
				}
				w.launch(a, collide.Vec3{X: 1}, travel/step, at)
				w.launch(b, collide.Vec3{Y: 1}, travel/step, at)
				w.stepLikeOracle(t, travel/step, 1e-3, 6)
			}
		})
	}
}

// The grid was laid out when the body was slow.
func TestBodyStartsAStepExtremelyFast(t *testing.T) {
	for _, travel := range extremeTravels {
		t.Run(fmt.Sprint(travel), func(t *testing.T) {
			for seed := range uint64(4) {
				w := cloud(seed)
				i := w.add(ball{x: collide.Vec3{X: -20000}, r: 0.5, mass: 1, material: bouncy(1)})
				for k := range 4 {
					w.add(ball{x: collide.Vec3{X: 2 * float64(k)}, r: 0.5, mass: 1, material: bouncy(1)})
				}
				w.step()
				w.balls[i].v = collide.Vec3{X: travel / step}
				w.stepLikeOracle(t, travel/step, 1e-3, 4)
			}
		})
	}
}

// The body enters and leaves the sensor far from the place where it was unbinned.
func TestExtremelyFastBodyPassesASensor(t *testing.T) {
	const away, at = 20000, 1e-9 * step
	for _, travel := range extremeTravels {
		t.Run(fmt.Sprint(travel), func(t *testing.T) {
			w := cloud(1)
			i := w.add(ball{r: 0.5, mass: 1, material: bouncy(1)})
			eye := w.add(ball{x: collide.Vec3{X: away}, r: 3, kind: solver.Static, material: sensor()})
			w.launch(i, collide.Vec3{X: 1}, travel/step, at)
			w.stepBounded(t)
			var got []float64
			for _, e := range w.space.Log() {
				if e.Kind&eventlog.Sensor != 0 && e.A == w.ids[i] && e.B == w.ids[eye] {
					got = append(got, (e.Time-at)*travel/step)
				}
			}
			if len(got) != 2 || math.Abs(got[0]-(away-3.5)) > 0.01 || math.Abs(got[1]-(away+3.5)) > 0.01 {
				t.Errorf("it enters and leaves it at %v m, want %v and %v", got, away-3.5, away+3.5)
			}
		})
	}
}

// Runs the same steps sequentially and in parallel with bodies that are unbinned as soon as they
// leave a cell.
func TestUnbinningChangesNoBit(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	valid := 0
	for _, h := range parallelScenes {
		t.Run(h.name, func(t *testing.T) {
			for seed := range uint64(slow.Cases(2)) {
				one, whole, parts := h.world(seed, 1), h.world(seed, 1), h.world(seed, 3)
				parts.space.ForceParallelFrom = 6
				for step := range 20 {
					whole.space.UnbinEagerly()
					parts.space.UnbinEagerly()
					parts.space.SetHalo(float64(2 + step%9))
					for _, w := range []*world{one, whole, parts} {
						if h.change != nil {
							h.change(random(seed<<8+uint64(step)), w, step)
						}
						w.step()
						if d := one.differs(w); d != "" {
							t.Fatalf("seed %d, step %d, %d workers: %s", seed, step, w.space.Workers, d)
						}
					}
				}
				n, _ := parts.space.ParallelSteps()
				valid += n
			}
		})
	}
	if !t.Failed() && valid < 100 {
		t.Errorf("only %d valid parallel steps", valid)
	}
}
