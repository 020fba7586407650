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

// cloud is 40 small balls around the origin, at rest or slow, and well apart from the axes.
func cloud(seed uint64) *world {
	w, r := newWorld(), random(seed)
	for len(w.balls) < 40 {
		b := ball{x: within(r, collide.Vec3{X: 10, Y: 10, Z: 10}), v: direction(r, false).Scale(r.Float64()), r: 0.5, mass: 1, material: bouncy(1)}
		w.balls = append(w.balls, b)
		gap, _, _ := w.overlap()
		w.balls = w.balls[:len(w.balls)-1]
		if gap <= 0 && math.Hypot(b.x.Y, b.x.Z) > 3 && math.Hypot(b.x.X, b.x.Z) > 3 {
			w.add(b)
		}
	}
	return w
}

// hammer adds something enormous that hits a ball at time t, and throws it off along a unit vector at that speed.
func (w *world) hammer(i int, along collide.Vec3, speed, t float64) {
	v := along.Scale(speed / 2) // and the ball twice as fast, to rounding
	b := &w.balls[i]
	w.add(ball{x: b.x.AddScaled(t, b.v).AddScaled(-t, v).AddScaled(-1.5, along), v: v, r: 1, mass: 1e30, material: bouncy(1)})
}

// stepBounded takes a step, and fails the test if that was more work than it may be for some dozens of bodies.
func (w *world) stepBounded(t *testing.T) {
	t.Helper()
	w.step()
	if n, most := w.space.Counts.Sweeps, 3000*(1+w.space.Counts.Impacts); n > most {
		t.Fatalf("%d pairs were looked at for %d impacts of %d bodies, want at most %d", n, w.space.Counts.Impacts, len(w.balls), most)
	}
}

// extremes are in metres a step, of balls of half a metre: the lowest ones tell a step that takes too long soon.
var extremes = []float64{1e6, 3e7, 1e10, 1e12, 5e14}

// stepLikeTheOracle takes a step and compares its impacts with the reference. Times may be off by as much as something at that speed needs for slack metres.
func (w *world) stepLikeTheOracle(t *testing.T, speed, slack float64, impacts int) {
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

func TestALightBallIsHitByAnEnormousOneInTheMiddleOfAStep(t *testing.T) {
	for _, far := range extremes {
		t.Run(fmt.Sprint(far), func(t *testing.T) {
			for seed := range uint64(4) {
				w := cloud(seed)
				i := w.add(ball{r: 0.5, mass: 1, material: bouncy(1)})
				w.hammer(i, collide.Vec3{X: 1}, far/step, step/2)
				w.stepLikeTheOracle(t, far/step, far*1e-12, 1)
				if got := w.balls[i].x.X; math.Abs(got-far/2) > far*1e-6 {
					t.Errorf("it comes to %v, want %v", got, far/2)
				}
				w.stepBounded(t)
			}
		})
	}
}

// TestALightBallIsHitByAnEnormousOneInAPart: it leaves the part's box, so the step is taken as a whole after all.
func TestALightBallIsHitByAnEnormousOneInAPart(t *testing.T) {
	for _, far := range extremes {
		t.Run(fmt.Sprint(far), func(t *testing.T) {
			for seed := range uint64(4) {
				var worlds [2]*world
				for k := range worlds {
					w := cloud(seed)
					w.space.Workers = 1 + 2*k
					w.space.ForceParallelFrom = 2
					i := w.add(ball{r: 0.5, mass: 1, material: bouncy(1)})
					w.hammer(i, collide.Vec3{X: 1}, far/step, 1.5*step)
					for range 3 {
						w.stepBounded(t)
					}
					worlds[k] = w
				}
				if d := worlds[0].differs(worlds[1]); d != "" {
					t.Error(d)
				}
				if right, wrong := worlds[1].space.ParallelSteps(); right+wrong == 0 {
					t.Error("no step was tried in parts")
				}
			}
		})
	}
}

func TestTwoExtremelyFastMeetAndOneGoesOnIntoARow(t *testing.T) {
	const away, at = 20000, 1e-9 * step
	for _, far := range extremes {
		t.Run(fmt.Sprint(far), func(t *testing.T) {
			for seed := range uint64(4) {
				w := cloud(seed)
				a := w.add(ball{x: collide.Vec3{X: -away}, r: 0.5, mass: 1, material: bouncy(1)})
				b := w.add(ball{x: collide.Vec3{Y: -away}, r: 0.5, mass: 1, material: bouncy(1)})
				for k := range 2 { // no more, or the cells are made for them
					w.add(ball{x: collide.Vec3{X: away + 2*float64(k), Y: -0.5}, r: 0.5, mass: 1, material: bouncy(1)})
				}
				w.hammer(a, collide.Vec3{X: 1}, far/step, at)
				w.hammer(b, collide.Vec3{Y: 1}, far/step, at)
				w.stepLikeTheOracle(t, far/step, 1e-3, 6)
			}
		})
	}
}

// TestOneThatBeginsAStepExtremelyFast: the cells were chosen when it was slow.
func TestOneThatBeginsAStepExtremelyFast(t *testing.T) {
	for _, far := range extremes {
		t.Run(fmt.Sprint(far), func(t *testing.T) {
			for seed := range uint64(4) {
				w := cloud(seed)
				i := w.add(ball{x: collide.Vec3{X: -20000}, r: 0.5, mass: 1, material: bouncy(1)})
				for k := range 4 {
					w.add(ball{x: collide.Vec3{X: 2 * float64(k)}, r: 0.5, mass: 1, material: bouncy(1)})
				}
				w.step()
				w.balls[i].v = collide.Vec3{X: far / step}
				w.stepLikeTheOracle(t, far/step, 1e-3, 4)
			}
		})
	}
}

// TestSomethingExtremelyFastVisitsASensor: it enters and leaves it far from where it is told to roam.
func TestSomethingExtremelyFastVisitsASensor(t *testing.T) {
	const away, at = 20000, 1e-9 * step
	for _, far := range extremes {
		t.Run(fmt.Sprint(far), func(t *testing.T) {
			w := cloud(1)
			i := w.add(ball{r: 0.5, mass: 1, material: bouncy(1)})
			eye := w.add(ball{x: collide.Vec3{X: away}, r: 3, kind: solver.Static, material: sensor()})
			w.hammer(i, collide.Vec3{X: 1}, far/step, at)
			w.stepBounded(t)
			var got []float64
			for _, e := range w.space.Log() {
				if e.Kind&eventlog.Sensor != 0 && e.A == w.ids[i] && e.B == w.ids[eye] {
					got = append(got, (e.Time-at)*far/step)
				}
			}
			if len(got) != 2 || math.Abs(got[0]-(away-3.5)) > 0.01 || math.Abs(got[1]-(away+3.5)) > 0.01 {
				t.Errorf("it enters and leaves it at %v m, want %v and %v", got, away-3.5, away+3.5)
			}
		})
	}
}

// TestWhoRoamsIsNoMatter takes the same steps, as a whole and in parts, with bodies that roam as soon as they leave a cell.
func TestWhoRoamsIsNoMatter(t *testing.T) {
	slow.Skip(t, slow.Sequential, "one goroutine, and TestSameBitsEverywhere compares the bits")
	right := 0
	for _, h := range halls {
		t.Run(h.name, func(t *testing.T) {
			for seed := range uint64(heavy(2)) {
				one, whole, parts := h.world(seed, 1), h.world(seed, 1), h.world(seed, 3)
				parts.space.ForceParallelFrom = 6
				for step := range 20 {
					whole.space.UnbinEagerly()
					parts.space.UnbinEagerly()
					parts.space.SetHalo(float64(2 + step%9))
					for _, w := range []*world{one, whole, parts} {
						if h.drive != nil {
							h.drive(random(seed<<8+uint64(step)), w, step)
						}
						w.step()
						if d := one.differs(w); d != "" {
							t.Fatalf("seed %d, step %d, %d workers: %s", seed, step, w.space.Workers, d)
						}
					}
				}
				n, _ := parts.space.ParallelSteps()
				right += n
			}
		})
	}
	if !t.Failed() && right < 100 {
		t.Errorf("only %d steps in parts", right)
	}
}
