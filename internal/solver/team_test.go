package solver_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
)

// TestNobodySeesThatAStepIsPutOff asks, vetoes and changes settings in the middle of steps that are going to be taken in parts, and after them.
func TestNobodySeesThatAStepIsPutOff(t *testing.T) {
	h := &halls[slices.IndexFunc(halls, func(h hall) bool { return h.name == "sensors" })]
	const dt = step
	right := 0
	for seed := range uint64(heavy(4)) {
		var worlds []*world
		var said [3][]string
		for k, n := range []int{1, 2, 8} {
			w := h.world(seed, n)
			w.space.ForceParallelFrom = 6
			worlds = append(worlds, w)
			say := func(what ...any) { said[k] = append(said[k], fmt.Sprint(what...)) }
			r := random(seed)
			ask := func(what int) {
				at, ray := within(r, h.half), direction(r, false)
				switch what {
				case 0:
					for _, id := range w.ids {
						say("before", w.space.StartPosition(id), w.space.State(id), w.space.IsStill(id))
					}
				case 1:
					w.space.Candidates(func(a, b int32) bool { return true })
				case 2:
					for _, e := range w.space.PredictedImpacts() {
						say("predicted", e.Time, e.A, e.B, bits(e.Point), bits(e.Normal))
					}
				case 3:
					w.space.Veto(w.ids[r.IntN(len(w.ids))], w.ids[r.IntN(len(w.ids))])
					w.space.Veto(w.ids[r.IntN(len(w.ids))], w.codes[r.IntN(len(w.codes))])
				case 4:
					all := w.space.CastAll(collide.Sphere{Center: at, Radius: 0.5}, ray, 20, func(int32) bool { return true }, nil)
					first, ok := w.space.Cast(collide.Sphere{Center: at, Radius: 0.1}, ray, 20, func(int32) bool { return true })
					say("cast", all, first, ok)
				case 5:
					var codes []int32
					w.space.InSphere(collide.Sphere{Center: at, Radius: 2}, func(code int32) { codes = append(codes, code) })
					slices.Sort(codes)
					say("in sphere", codes)
				case 6:
					for _, code := range slices.Concat(w.ids, w.codes) {
						say("touching", w.touching(code))
					}
				case 7:
					w.space.Sync()
				}
			}
			for step := range 40 {
				h.drive(random(seed<<8+uint64(step)), w, step)
				w.space.SetHalo([]float64{1, 4, 10}[(step+k)%3])
				w.space.Seconds = []float64{dt, dt, 2 * dt, dt / 2}[r.IntN(4)]
				if n > 1 {
					w.space.Workers = []int{n, n, 2, 4, 1}[step%5]
				}
				middle, what := r.IntN(6), r.IntN(7)
				w.meanwhile = func(sweep bool) {
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
			right += a
			if k > 0 {
				if d := worlds[0].differs(w); d != "" {
					t.Errorf("seed %d, %d workers: %s", seed, n, d)
				}
				if !slices.Equal(said[0], said[k]) {
					for i := range min(len(said[0]), len(said[k])) {
						if said[0][i] != said[k][i] {
							t.Fatalf("seed %d, %d workers, answer %d: %s and %s", seed, n, i, said[0][i], said[k][i])
						}
					}
					t.Fatalf("seed %d, %d workers: %d answers, and %d", seed, n, len(said[0]), len(said[k]))
				}
			}
		}
	}
	if right < 20 {
		t.Errorf("only %d steps in parts", right)
	}
}

// astride returns a world that is cut in two at x = 0, in which a part has guests from as far as margin, and a ball of radius touch/2. What those
// who keep it so do, along a line far away, is no matter. Speeds below are in metres a step.
func astride(workers int, touch, margin float64, balls ...ball) *world {
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
	place := func(x float64) {
		far.x = collide.Vec3{X: x, Y: -300}
		w.add(far)
		speed += 0.001
		moving++
	}
	place(0) // the middle one
	for k := range others - left {
		place(-float64(k+1) * 5)
	}
	for k := range others - right {
		place(float64(k+1) * 5)
	}
	w.step() // so that the space knows how many move
	for _, b := range balls {
		w.add(b)
	}
	w.space.SetHalo((margin - touch) * float64(moving) / speed)
	return w
}

func TestWhatHappensAtACut(t *testing.T) {
	x := func(at float64) collide.Vec3 { return collide.Vec3{X: at} }
	like := func(at, v collide.Vec3) ball { return ball{x: at, v: v, r: 0.5, mass: 1, material: bouncy(1)} }
	heavy := func(at, v collide.Vec3) ball { return ball{x: at, v: v, r: 0.5, mass: 1000, material: bouncy(1)} }
	pillar := func(at collide.Vec3, r float64) ball {
		return ball{x: at, r: r, kind: solver.Static, material: bouncy(1)}
	}
	g := polygon(collide.Vec3{X: 0.2, Y: 2, Z: -5}, collide.Vec3{X: 0.2, Y: 90, Z: -5}, collide.Vec3{X: 0.2, Y: 90, Z: 5}, collide.Vec3{X: 0.2, Y: 2, Z: 5})
	shield := solver.Surface{Polygon: g, Plane: g.Plane(), TwoSided: true, Material: bouncy(1)}
	cases := []struct {
		name          string
		touch, margin float64
		balls         []ball
		surface       *solver.Surface
		impacts       int
		wrong         bool // the guess is
		later         []ball
	}{
		// The left part can't know the heavy one. To it the guest goes on into its box and hits what is there. In truth that never comes about.
		{"a guest that is turned away before it comes in", 1, 6.7, []ball{like(x(-1), x(0)), like(x(6), x(-8)), heavy(collide.Vec3{X: 7.5, Y: -50.7}, collide.Vec3{X: -12.4, Y: 100})}, &shield, 2, true, nil},
		{"the same and nobody to hit", 1, 6.7, []ball{like(x(6), x(-8)), heavy(collide.Vec3{X: 7.5, Y: -50.7}, collide.Vec3{X: -12.4, Y: 100})}, &shield, 2, true, nil},
		// To the left part the guest stays where it is, and never comes in.
		{"a guest that is thrown in by one out of sight", 1, 4, []ball{like(x(-1.1), x(0)), like(x(0.8), x(0)), like(x(4.2), x(-10))}, nil, 2, true, nil},
		{"a guest that is thrown in by one out of sight, and put right on the way", 1, 4.2, []ball{like(x(-1.1), x(0)), like(x(2.4), x(0)), like(x(4.3), x(-3.6))}, nil, 2, false, nil},
		{"a visit out of sight", 2, 4, []ball{like(x(-0.05), x(3.4)), {x: x(4.5), r: 1, kind: solver.Static, material: sensor()}}, nil, 0, true, nil},
		{"a visit in sight", 2, 5, []ball{like(x(-0.05), x(3.4)), {x: x(4.5), r: 1, kind: solver.Static, material: sensor()}}, nil, 0, false, nil},
		// The pillar is the left part's, which doesn't see it hit.
		{"a pillar hit from the other side", 2, 4, []ball{pillar(x(-0.3), 1), like(x(2.5), x(-0.1)), like(x(4.6), x(-3.4))}, nil, 2, false, nil},
		{"a pillar hit from the other side, which is older", 2, 4, []ball{like(x(2.5), x(-0.1)), like(x(4.6), x(-3.4)), pillar(x(-0.3), 1)}, nil, 2, false, nil},
		{"one larger than any before that begins inside another", 1, 1.5, []ball{like(x(0.2), x(0))}, nil, 0, false, []ball{{x: x(-3.2), r: 3, mass: 1, material: bouncy(1)}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var worlds [2]*world
			for k := range worlds {
				w := astride(1+k, c.touch, c.margin, c.balls...)
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
			if right, wrong := worlds[1].space.ParallelSteps(); c.wrong != (wrong == 1) || right+wrong != 1+min(1, len(c.later)) {
				t.Errorf("%d guesses were right and %d wrong, want wrong: %v", right, wrong, c.wrong)
			}
		})
	}
}

// TestWhoSlidesOnOneThatWentAstray: in truth b is not blocked, so d goes on being pushed by it when it hits e. To the left part b is blocked, until it is put right; no trail
// says that d doesn't slide on it there any more.
func TestWhoSlidesOnOneThatWentAstray(t *testing.T) {
	b := ball{x: collide.Vec3{X: 1.12}, v: collide.Vec3{X: -0.2}, r: 1, kind: solver.Kinematic, material: bouncy(0)}
	d := ball{x: collide.Vec3{X: -0.881}, v: collide.Vec3{X: -0.1}, r: 1, mass: 1, material: bouncy(0)}
	inItsWay := ball{x: collide.Vec3{X: 0.925, Y: 1.19}, r: 0.2, mass: 1, material: bouncy(0)}
	inItsWay.material.Locked = 3
	away, _ := collide.Vec3{X: 0.714, Y: 0.495, Z: -0.495}.Normalized()
	next := ball{x: inItsWay.x.AddScaled(0.702, away), r: 0.5, mass: 1, material: bouncy(1)}
	outOfSight := ball{x: next.x.AddScaled(1.01, away), v: away.Scale(-1.6), r: 0.5, mass: 1, material: bouncy(1)}
	e := ball{x: collide.Vec3{X: -2.605}, v: collide.Vec3{X: 0.3}, r: 0.3, mass: 10, material: bouncy(0)}
	for _, margin := range []float64{2.05, 2.1, 2.14} {
		var worlds [2]*world
		for k := range worlds {
			worlds[k] = astride(1+k, 2, margin, b, d, inItsWay, next, outOfSight, e)
			worlds[k].step()
			if n := worlds[k].space.Counts.Impacts; n != 5 {
				t.Errorf("margin %v: %d impacts with %d workers, want 5", margin, n, 1+k)
			}
		}
		if d := worlds[0].differs(worlds[1]); d != "" {
			t.Errorf("margin %v: %s", margin, d)
		}
	}
}

// remove takes a body out of the world.
func (w *world) remove(i int) {
	w.space.Forget(w.ids[i], func(a, b int32, visit bool) { w.forgotten = append(w.forgotten, fmt.Sprint(a, b, visit)) })
	w.space.Remove(w.ids[i])
	w.balls, w.ids = slices.Delete(w.balls, i, i+1), slices.Delete(w.ids, i, i+1)
}

// TestPartsHaveTheBitsOfTheWhole takes the steps of small worlds as a whole, and in two, three and eight parts. Nothing that can be seen of
// them may differ. The guess how far away something may be and still matter is a bad one on purpose, now and then, and must be found out.
func TestPartsHaveTheBitsOfTheWhole(t *testing.T) {
	slow.Skip(t, slow.Emulated, "compares what runs natively too; TestSameBitsEverywhere has the bits of this platform")
	reaches := []float64{0, 0.3, 1, 2, 4, 10}
	allWrong := 0
	for _, h := range halls {
		t.Run(h.name, func(t *testing.T) {
			right, wrong := 0, 0
			for seed := range uint64(heavy(4)) {
				one := h.world(seed, 1)
				var others []*world
				for _, n := range []int{2, 3, 8} {
					w := h.world(seed, n)
					w.space.ForceParallelFrom = 6
					others = append(others, w)
				}
				for step := range 20 {
					for k, w := range append(others, one) {
						if h.drive != nil {
							h.drive(random(seed<<8+uint64(step)), w, step)
						}
						w.space.SetHalo(reaches[(step+k+int(seed))%len(reaches)])
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
					right, wrong = right+a, wrong+b
				}
			}
			t.Logf("%d steps in parts, %d guesses were wrong", right, wrong)
			if right < 5 {
				t.Errorf("only %d steps in parts", right)
			}
			allWrong += wrong
		})
	}
	if !t.Failed() && allWrong < 100 {
		t.Errorf("only %d guesses were wrong", allWrong)
	}
}

// A step that is taken as a whole because hardly anything moves says nothing about which way is quicker.
func TestNoTrialIsToldOfStepsThatAreNotShared(t *testing.T) {
	w := newWorld()
	w.space.Workers = 2
	for k := range 3100 {
		w.add(ball{x: collide.Vec3{X: 3 * float64(k)}, v: collide.Vec3{Y: 1}, r: 1, mass: 1, material: bouncy(1)})
	}
	for range 3 {
		w.step()
	}
	if !w.space.Measured() {
		t.Error("no trial was asked whether to share a step in which all move")
	}
	for i := range w.balls {
		w.balls[i].v = collide.Vec3{}
		w.set(i)
	}
	for range 2 {
		w.step()
	}
	if w.space.Measured() {
		t.Error("a trial is told of a step in which nothing moves")
	}
}

// checkParts makes a scene from bytes, such as those of FuzzStep, and takes its steps as a whole and in parts.
func checkParts(t *testing.T, data []byte) {
	if len(data) < 2 || len(data) > 1000 {
		return
	}
	var worlds [3]*world
	for k := range worlds {
		w, _ := (&dice{data[2:]}).scene()
		w.space.Workers = []int{1, 2, 5}[k]
		w.space.ForceParallelFrom = 2
		worlds[k] = w
	}
	for step := range 5 {
		for k, w := range worlds {
			w.space.SetHalo(float64(data[(step+k)%2]%32) / 4)
			w.step()
			if d := worlds[0].differs(w); d != "" {
				t.Fatalf("step %d, %d workers: %s", step, w.space.Workers, d)
			}
			// Parts without bodies had boxes that reached into those of others, so that two parts had the same body as their own.
			for x := range 27 {
				p := collide.Vec3{X: float64(x%3 - 1), Y: float64(x/3%3 - 1), Z: float64(x/9 - 1)}.Scale(10)
				if n, ok := w.space.SubdomainsWith(p); ok && n != 1 {
					t.Fatalf("step %d, %d workers: %v is in %d of the parts' boxes, want 1", step, w.space.Workers, p, n)
				}
			}
		}
	}
}

// FuzzParts makes scenes from bytes and takes their steps in parts.
func FuzzParts(f *testing.F) {
	r := random(3)
	for n := range 30 {
		data := make([]byte, 60+15*n)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(checkParts)
}

// TestRandomScenesInParts is FuzzParts with plain random bytes.
func TestRandomScenesInParts(t *testing.T) {
	r := random(4)
	for range heavy(2000) {
		data := make([]byte, 100+r.IntN(400))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		if !t.Run("", func(t *testing.T) { checkParts(t, data) }) {
			t.Fatalf("from %#v", data)
		}
	}
}
