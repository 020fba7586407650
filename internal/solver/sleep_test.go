package solver_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
)

// skippingWorld is a world of mostly resting bodies. If skips is set it doesn't call Set for bodies
// that nothing has happened to, so that the space may treat them as unchanged.
type skippingWorld struct {
	world
	skips       bool
	accelerated []bool
	lastSet     []ball
	mustSet     []bool // the next step must call Set, changed or not
	unchanged   int    // number of unchanged bodies, summed over the steps
}

func (w *skippingWorld) add(b ball) {
	w.world.add(b)
	w.accelerated, w.lastSet, w.mustSet = append(w.accelerated, false), append(w.lastSet, b), append(w.mustSet, true)
}

func (w *skippingWorld) step() {
	for i := range w.balls {
		b := &w.balls[i]
		same := *b == w.lastSet[i] && bits(b.x) == bits(w.lastSet[i].x) && bits(b.v) == [3]uint64{} &&
			bits(w.lastSet[i].v) == [3]uint64{}
		if w.skips && same && !w.accelerated[i] && !w.mustSet[i] {
			continue
		}
		w.set(i)
		w.lastSet[i], w.mustSet[i] = *b, w.accelerated[i]
		if w.accelerated[i] {
			w.space.Accelerate(w.ids[i], collide.Vec3{Y: -9.81})
		}
	}
	if !w.skips {
		w.space.ForgetUnchanged()
	}
	w.space.Begin()
	if !w.skips {
		w.space.ForgetUnchanged()
	}
	w.space.Sweep()
	w.space.Finish()
	for i := range w.balls {
		b, s := &w.balls[i], w.space.State(w.ids[i])
		if bits(s.Position) == bits(b.x) && bits(s.Velocity) == bits(b.v) {
			if w.space.IsUnchanged(w.ids[i]) {
				w.unchanged++
			}
			continue
		}
		b.x = s.Position
		if b.kind == solver.Dynamic {
			b.v = s.Velocity
		}
	}
	w.space.EachHalted(func(id int32) { w.mustSet[slices.Index(w.ids, id)] = true })
}

// Steps skip unchanged bodies. That must not change a bit, whatever hits, moves, removes, wakes,
// accelerates or overlaps them.
func TestSkippingUnchangedBodiesChangesNoBit(t *testing.T) {
	for seed := range uint64(slow.Cases(8)) {
		r := random(seed)
		skips, checked := &skippingWorld{skips: true}, &skippingWorld{}
		both := func(f func(w *skippingWorld)) {
			f(skips)
			f(checked)
		}
		both(func(w *skippingWorld) {
			w.space.Settings = settings()
			w.box(collide.Vec3{X: 6, Y: 6, Z: 6}, bouncy(1))
		})
		half := collide.Vec3{X: 5, Y: 5, Z: 5}
		for k := range 120 {
			b := ball{x: within(r, half), r: 0.1 + 0.2*r.Float64(), mass: 1, material: bouncy(float64(k % 2))}
			switch {
			case k%10 < 2:
				b.kind = solver.Static
			case k%30 == 5:
				b.kind, b.material = solver.Static, sensor()
			case k%30 == 6:
				b.kind, b.v = solver.Kinematic, within(r, collide.Vec3{X: 1, Y: 1, Z: 1})
			case k%10 == 7:
				b.v = within(r, half)
			case k%40 == 9:
				b.x.X = math.Copysign(0, -1)
			}
			both(func(w *skippingWorld) { w.add(b) })
		}
		door, err := collide.NewPolygon(collide.Vec3{X: -3, Y: -3}, collide.Vec3{X: 3, Y: -3},
			collide.Vec3{X: 3, Y: 3}, collide.Vec3{X: -3, Y: 3})
		if err != nil {
			t.Fatal(err)
		}
		both(func(w *skippingWorld) {
			w.addSurface(twoSided(&door, bouncy(0.5)))
		})
		for step := range 200 {
			i, v := r.IntN(len(skips.balls)), within(r, half)
			other := skips.balls[r.IntN(len(skips.balls))].x
			kind, x := r.IntN(14), r.Float64()
			both(func(w *skippingWorld) {
				b := &w.balls[i]
				switch kind {
				case 0:
					b.x = v
				case 1:
					b.x = other // overlapping another body
				case 2:
					b.v = v
				case 3:
					b.v = collide.Vec3{}
				case 4:
					w.accelerated[i] = !w.accelerated[i]
					w.mustSet[i] = true
				case 5:
					b.r = 0.1 + 0.2*x
				case 6:
					b.kind, b.v = solver.Static, collide.Vec3{}
				case 7:
					b.kind = solver.Dynamic
				case 8:
					w.space.Forget(solver.BodyHandle(w.ids[i]), func(solver.Handle, solver.Handle, bool) {})
					w.space.Remove(w.ids[i])
					w.ids[i] = w.space.Add()
					b.v, w.mustSet[i] = collide.Vec3{}, true
				case 9:
					w.space.Sync()
				case 10:
					f := w.surfaces[6]
					f.Velocity.Z = float64(400 * (x - 0.5)) // metres in a step
					if step%3 == 0 {
						f.Velocity.Z = 0
					}
					w.space.SetSurface(w.surface(6), f)
				case 11:
					b.v.X = math.Copysign(0, -1)
				}
				w.step()
			})
			if !slices.Equal(skips.space.Log(), checked.space.Log()) {
				t.Fatalf("seed %d, step %d: the logs differ", seed, step)
			}
			for k := range skips.balls {
				a, b := &skips.balls[k], &checked.balls[k]
				if bits(a.x) != bits(b.x) || bits(a.v) != bits(b.v) {
					t.Fatalf("seed %d, step %d: body %d is at %v and moves at %v, want %v and %v", seed, step, k, a.x,
						a.v, b.x, b.v)
				}
				if skips.space.StartPosition(skips.ids[k]) != checked.space.StartPosition(checked.ids[k]) {
					t.Fatalf("seed %d, step %d: body %d: start position %v, want %v", seed, step, k,
						skips.space.StartPosition(skips.ids[k]), checked.space.StartPosition(checked.ids[k]))
				}
			}
		}
		if skips.unchanged < 1000 {
			t.Errorf("seed %d: only %d bodies were unchanged", seed, skips.unchanged)
		}
	}
}

// A wall approaches a ball on a floor. The ball was at rest when it last searched its
// neighbourhood. A body that stops in a neighbouring cell must not cause a new search.
func TestBodiesThatStopFarAwayHaveNoEffect(t *testing.T) {
	var balls [2]ball
	var impacts [2]int
	for k, z := range []float64{2, 50} {
		w := newWorld(ball{x: collide.Vec3{Y: 0.5}, r: 0.5, mass: 1, material: bouncy(0)})
		w.space.Seconds = 1
		w.plane(collide.Vec3{Y: 1}, 0, bouncy(0))
		wall := w.plane(collide.Vec3{X: 1}, -0.75, bouncy(0))
		w.surfaces[wall].Velocity = collide.Vec3{X: 0.1}
		other := w.add(ball{x: collide.Vec3{Y: 2, Z: z}, v: collide.Vec3{Z: 0.1}, r: 0.5, mass: 1, material: bouncy(0)})
		w.step()
		w.step()
		w.balls[other].v = collide.Vec3{}
		w.step()
		balls[k], impacts[k] = w.balls[0], w.space.Counts.Impacts
	}
	if balls[0] != balls[1] || impacts[0] != impacts[1] {
		t.Errorf("%v after %d impacts with a body that stops nearby, and %v after %d without", balls[0], impacts[0],
			balls[1], impacts[1])
	}
}

// A ball on a floor searches for resting bodies nearby. Bodies in the same cells that aren't nearby
// don't count.
func TestBodiesThatRestFarAwayHaveNoEffect(t *testing.T) {
	for z, missed := range map[float64]bool{1.1: true, 1.6: false, 50: false} {
		w := newWorld(ball{x: collide.Vec3{Y: 0.5}, r: 0.5, mass: 1, material: bouncy(0)})
		w.plane(collide.Vec3{Y: 1}, 0, bouncy(0))
		w.add(ball{x: collide.Vec3{Y: 0.7, Z: z}, r: 0.5, mass: 1, material: bouncy(0)})
		w.step()
		w.step()
		if got := w.space.Traits(w.ids[0]).MissedNeighbor; got != missed {
			t.Errorf("%v away: missed is %v, want %v", z, got, missed)
		}
	}
}

// A ball at rest is hit from above and bounces off the floor. From then on gravity acts on it, so
// that the two balls have no more energy at the end of the step than at its start, but for the
// chord.
func TestWhatBouncesOffItsRestFallsInTheSameStep(t *testing.T) {
	const g = 10.0
	for _, atRest := range []int{40, 5} { // asleep, or in contacts that are solved
		w := newWorld(ball{x: collide.Vec3{Y: 0.5}, r: 0.5, mass: 1, material: bouncy(1)})
		w.gravity = collide.Vec3{Y: -g}
		w.plane(collide.Vec3{Y: 1}, 0, bouncy(1))
		for range atRest {
			w.step()
		}
		w.add(ball{
			x: collide.Vec3{X: 0.65, Y: 1.35}, v: collide.Vec3{X: -10, Y: -20}, r: 0.5, mass: 1, material: bouncy(1),
		})
		energy := func() (sum float64) {
			for _, b := range w.balls {
				sum += 0.5*b.mass*b.v.LengthSquared() + b.mass*g*b.x.Y
			}
			return sum
		}
		before := energy()
		w.step()
		if w.balls[0].v.Y < 5 {
			t.Fatalf("the ball moves up at %v m/s, want it to bounce", w.balls[0].v.Y)
		}
		if gain, most := energy()-before, 2*g*g*step*step; math.Abs(gain) > most {
			t.Errorf("after %d steps at rest the energy grows by %v J, want at most %v", atRest, gain, most)
		}
	}
}
