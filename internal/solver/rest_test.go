package solver_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/solver"
)

// sleeper is a world of mostly still bodies. Where it is lazy it tells the space nothing of a body that nothing happened to, which may rest then.
type sleeper struct {
	world
	lazy   bool
	pulled []bool
	told   []ball
	fresh  []bool // told or not, the space has it to hear of this one
	rested int    // bodies that weren't touched, summed over the steps
}

func (w *sleeper) add(b ball) {
	w.world.add(b)
	w.pulled, w.told, w.fresh = append(w.pulled, false), append(w.told, b), append(w.fresh, true)
}

func (w *sleeper) step() {
	for i := range w.balls {
		b := &w.balls[i]
		same := *b == w.told[i] && bits(b.x) == bits(w.told[i].x) && bits(b.v) == [3]uint64{} && bits(w.told[i].v) == [3]uint64{}
		if w.lazy && same && !w.pulled[i] && !w.fresh[i] {
			continue
		}
		w.set(i)
		w.told[i], w.fresh[i] = *b, w.pulled[i]
		if w.pulled[i] {
			w.space.Accelerate(w.ids[i], collide.Vec3{Y: -9.81})
		}
	}
	if !w.lazy {
		w.space.ForgetUnchanged()
	}
	w.space.Begin()
	if !w.lazy {
		w.space.ForgetUnchanged()
	}
	w.space.Sweep()
	w.space.Finish()
	for i := range w.balls {
		b, s := &w.balls[i], w.space.State(w.ids[i])
		if bits(s.Position) == bits(b.x) && bits(s.Velocity) == bits(b.v) {
			if w.space.IsUnchanged(w.ids[i]) {
				w.rested++
			}
			continue
		}
		b.x = s.Position
		if b.kind == solver.Dynamic {
			b.v = s.Velocity
		}
	}
	w.space.EachHalted(func(id int32) { w.fresh[slices.Index(w.ids, id)] = true })
}

// Bodies at rest that nobody touches are passed over, and no bit shows it: whatever hits them, moves them, takes them away,
// wakes them, pulls them or comes to lie in them.
func TestRestingShowsInNoBit(t *testing.T) {
	for seed := range uint64(heavy(8)) {
		r := random(seed)
		lazy, eager := &sleeper{lazy: true}, &sleeper{}
		both := func(f func(w *sleeper)) {
			f(lazy)
			f(eager)
		}
		both(func(w *sleeper) {
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
			both(func(w *sleeper) { w.add(b) })
		}
		door, err := collide.NewPolygon(collide.Vec3{X: -3, Y: -3}, collide.Vec3{X: 3, Y: -3}, collide.Vec3{X: 3, Y: 3}, collide.Vec3{X: -3, Y: 3})
		if err != nil {
			t.Fatal(err)
		}
		both(func(w *sleeper) {
			w.addSurface(solver.Surface{Polygon: &door, Plane: door.Plane(), TwoSided: true, Material: bouncy(0.5)})
		})
		for step := range 200 {
			i, v := r.IntN(len(lazy.balls)), within(r, half)
			other := lazy.balls[r.IntN(len(lazy.balls))].x
			kind, x := r.IntN(14), r.Float64()
			both(func(w *sleeper) {
				b := &w.balls[i]
				switch kind {
				case 0:
					b.x = v
				case 1:
					b.x = other // into another
				case 2:
					b.v = v
				case 3:
					b.v = collide.Vec3{}
				case 4:
					w.pulled[i] = !w.pulled[i]
					w.fresh[i] = true
				case 5:
					b.r = 0.1 + 0.2*x
				case 6:
					b.kind, b.v = solver.Static, collide.Vec3{}
				case 7:
					b.kind = solver.Dynamic
				case 8:
					w.space.Forget(w.ids[i], func(int32, int32, bool) {})
					w.space.Remove(w.ids[i])
					w.ids[i] = w.space.Add()
					b.v, w.fresh[i] = collide.Vec3{}, true
				case 9:
					w.space.Sync()
				case 10:
					f := w.surfaces[6]
					f.Velocity.Z = float64(400 * (x - 0.5)) // metres in a step
					if step%3 == 0 {
						f.Velocity.Z = 0
					}
					w.space.SetSurface(-2-w.codes[6], f)
				case 11:
					b.v.X = math.Copysign(0, -1)
				}
				w.step()
			})
			if !slices.Equal(lazy.space.Log(), eager.space.Log()) {
				t.Fatalf("seed %d, step %d: the logs differ", seed, step)
			}
			for k := range lazy.balls {
				a, b := &lazy.balls[k], &eager.balls[k]
				if bits(a.x) != bits(b.x) || bits(a.v) != bits(b.v) {
					t.Fatalf("seed %d, step %d: body %d is at %v and moves at %v, want %v and %v", seed, step, k, a.x, a.v, b.x, b.v)
				}
				if lazy.space.StartPosition(lazy.ids[k]) != eager.space.StartPosition(eager.ids[k]) {
					t.Fatalf("seed %d, step %d: body %d: got %v as the place where it began, want %v", seed, step, k, lazy.space.StartPosition(lazy.ids[k]), eager.space.StartPosition(eager.ids[k]))
				}
			}
		}
		if lazy.rested < 1000 {
			t.Errorf("seed %d: only %d were left alone", seed, lazy.rested)
		}
	}
}

// TestWhatStopsFarAwayIsNoMatter: a wall comes to a ball on a floor, which was at rest when it last looked for what comes near. Whether it looks again may not depend on what stops in a cell beside it.
func TestWhatStopsFarAwayIsNoMatter(t *testing.T) {
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
		t.Errorf("%v after %d impacts where something stops beside it, and %v after %d where nothing does", balls[0], impacts[0], balls[1], impacts[1])
	}
}

// TestWhatRestsFarAwayIsNoMatter: a ball on a floor looks for what is at rest near it. What is in the same cells without being near isn't.
func TestWhatRestsFarAwayIsNoMatter(t *testing.T) {
	for z, near := range map[float64]bool{1.1: true, 1.6: false, 50: false} {
		w := newWorld(ball{x: collide.Vec3{Y: 0.5}, r: 0.5, mass: 1, material: bouncy(0)})
		w.plane(collide.Vec3{Y: 1}, 0, bouncy(0))
		w.add(ball{x: collide.Vec3{Y: 0.7, Z: z}, r: 0.5, mass: 1, material: bouncy(0)})
		w.step()
		w.step()
		if got := w.space.Traits(w.ids[0]).MissedNeighbor; got != near {
			t.Errorf("%v away: near is %v, want %v", z, got, near)
		}
	}
}
