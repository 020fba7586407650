package solver_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/solver"
)

// hall is a scene that is large enough to be cut into parts: a long room, and who lives there.
type hall struct {
	name    string
	bodies  int
	half    collide.Vec3
	radii   [2]float64
	masses  [2]float64
	speed   [2]float64
	bounce  [2]float64
	gravity float64
	rest    float64
	budget  int                         // impacts with loss that a body may have in a step; 0 for the usual
	inside  bool                        // bodies may begin inside each other
	spheres func(r *rand.Rand, b *ball) // makes something else of a body
	more    func(r *rand.Rand, w *world)
	drive   func(r *rand.Rand, w *world, step int) // what the game does before a step
}

// sometimes returns what does make of a share of the bodies.
func sometimes(share float64, change func(r *rand.Rand, b *ball)) func(r *rand.Rand, b *ball) {
	return func(r *rand.Rand, b *ball) {
		if r.Float64() < share {
			change(r, b)
		}
	}
}

func fix(b *ball) { b.kind, b.v, b.mass = solver.Static, collide.Vec3{}, 0 }

func drag(b *ball) { b.kind, b.mass = solver.Kinematic, 0 }

var halls = []hall{
	{name: "gas", bodies: 160, half: collide.Vec3{X: 12, Y: 3, Z: 3}, speed: [2]float64{10, 40}, bounce: [2]float64{1, 1}},
	{name: "gas of all sizes and masses", bodies: 160, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.05, 1}, masses: [2]float64{1e-3, 1e3}, speed: [2]float64{1, 60}, bounce: [2]float64{0.5, 1}},
	{name: "a few bullets", bodies: 160, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.2, 0.3}, speed: [2]float64{1, 5}, bounce: [2]float64{1, 1}, spheres: sometimes(0.1, func(r *rand.Rand, b *ball) {
		b.v = b.v.Scale(100)
	})},
	{name: "crowded and lossy", bodies: 220, half: collide.Vec3{X: 10, Y: 3, Z: 3}, radii: [2]float64{0.3, 0.5}, speed: [2]float64{5, 50}, bounce: [2]float64{0, 0.5}, rest: 0.3, budget: 3},
	{name: "a pile", bodies: 200, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.2, 0.5}, masses: [2]float64{0.5, 2}, speed: [2]float64{0.5, 5}, gravity: -10, rest: 0.3},
	{name: "a pile that doesn't bounce, of all masses", bodies: 200, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.2, 0.5}, masses: [2]float64{0.01, 100}, speed: [2]float64{0.5, 5}, gravity: -40, budget: 4},
	{name: "circles", bodies: 160, half: collide.Vec3{X: 20, Y: 10}, radii: [2]float64{0.2, 0.6}, speed: [2]float64{1, 60}, bounce: [2]float64{0.5, 1}},
	{name: "circles in a pile", bodies: 160, half: collide.Vec3{X: 20, Y: 5}, radii: [2]float64{0.2, 0.6}, speed: [2]float64{1, 6}, gravity: -10, rest: 0.3},
	{name: "walkers among pillars", bodies: 160, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.3, 0.6}, speed: [2]float64{1, 20}, bounce: [2]float64{0, 1}, gravity: -10, spheres: func(r *rand.Rand, b *ball) {
		switch r.IntN(6) {
		case 0, 1, 2:
			b.material.Slide = true
		case 3:
			fix(b)
		}
	}},
	{name: "pillars that reach into other parts", bodies: 150, half: collide.Vec3{X: 12, Y: 4, Z: 4}, radii: [2]float64{0.1, 0.3}, speed: [2]float64{5, 60}, bounce: [2]float64{0.5, 1}, spheres: sometimes(0.2, func(r *rand.Rand, b *ball) {
		fix(b)
		b.r = 1
	})},
	{name: "pushers", bodies: 150, budget: 1, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.3, 0.6}, speed: [2]float64{1, 30}, bounce: [2]float64{0, 1}, spheres: func(r *rand.Rand, b *ball) {
		switch r.IntN(8) {
		case 0, 1:
			drag(b)
		case 2:
			fix(b)
		}
	}, drive: func(r *rand.Rand, w *world, step int) {
		for i := range w.balls {
			if b := &w.balls[i]; b.kind == solver.Kinematic && r.IntN(3) == 0 {
				b.v = direction(r, false).Scale(30 * r.Float64())
			}
		}
	}},
	{name: "locked axes", bodies: 150, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.3, 0.6}, speed: [2]float64{1, 30}, bounce: [2]float64{0, 1}, gravity: -10, spheres: func(r *rand.Rand, b *ball) {
		b.material.Locked = uint8(r.IntN(8))
		b.material.Slide = r.IntN(3) == 0
		b.v = solver.Unlocked(b.v, b.material.Locked)
	}},
	{name: "filters", bodies: 180, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.3, 0.6}, speed: [2]float64{1, 40}, bounce: [2]float64{0.3, 1}, spheres: func(r *rand.Rand, b *ball) {
		b.material.Layers, b.material.Mask = 1<<r.IntN(3), uint32(r.IntN(8))|1
	}},
	{name: "sensors", bodies: 160, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.2, 0.6}, speed: [2]float64{1, 50}, bounce: [2]float64{0.5, 1}, inside: true, spheres: func(r *rand.Rand, b *ball) {
		switch r.IntN(8) {
		case 0:
			b.material = sensor()
			fix(b)
		case 1:
			b.material = sensor()
			drag(b)
		case 2:
			b.material = sensor()
		}
	}, more: func(r *rand.Rand, w *world) {
		w.plane(collide.Vec3{X: 1, Y: 0.2}, 1, sensor())
		k := w.plane(collide.Vec3{X: 1, Z: 0.2}, 4, sensor())
		w.surfaces[k].TwoSided, w.surfaces[k].Velocity = true, collide.Vec3{X: -3}
	}, drive: func(r *rand.Rand, w *world, step int) {
		for i := range w.balls {
			b := &w.balls[i]
			switch r.IntN(60) {
			case 0: // away with it, over a cut as likely as not
				b.x = within(r, collide.Vec3{X: 12, Y: 3, Z: 3})
			case 1:
				b.material.Sensor = !b.material.Sensor
			case 2:
				b.material.Layers ^= 2
				b.material.Mask ^= 1
			}
		}
	}},
	{name: "walls that move", bodies: 150, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.2, 0.5}, speed: [2]float64{1, 30}, bounce: [2]float64{0, 1}, more: func(r *rand.Rand, w *world) {
		for range 4 {
			g := sheet(within(r, collide.Vec3{X: 12, Y: 3, Z: 3}), direction(r, false), 0.5+2*r.Float64())
			w.addSurface(solver.Surface{Polygon: &g, Plane: g.Plane(), TwoSided: true, Velocity: direction(r, false).Scale(10 * r.Float64()), Material: bouncy(0.5)})
		}
		for k := range 4 {
			w.surfaces[k].Velocity = direction(r, false).Scale(3 * r.Float64())
		}
	}, drive: func(r *rand.Rand, w *world, step int) {
		for k := range w.surfaces {
			if f := &w.surfaces[k]; step%8 == 4 {
				f.Velocity = f.Velocity.Neg()
			}
		}
	}},
	{name: "a wall that crushes", bodies: 120, half: collide.Vec3{X: 12, Y: 2, Z: 2}, radii: [2]float64{0.2, 0.5}, speed: [2]float64{1, 10}, more: func(r *rand.Rand, w *world) {
		w.surfaces[0].Velocity = collide.Vec3{X: 40}
	}, spheres: sometimes(0.1, func(r *rand.Rand, b *ball) { fix(b) })},
	{name: "inside each other", bodies: 200, half: collide.Vec3{X: 10, Y: 2, Z: 2}, radii: [2]float64{0.2, 0.6}, speed: [2]float64{0.1, 5}, bounce: [2]float64{0, 1}, inside: true, spheres: sometimes(0.1, func(r *rand.Rand, b *ball) {
		fix(b)
	}), more: func(r *rand.Rand, w *world) {
		g := sheet(collide.Vec3{}, collide.Vec3{X: 1}, 2)
		for range 2 { // of the same twice over: their keys are equal
			w.addSurface(solver.Surface{Polygon: &g, Plane: g.Plane(), TwoSided: true, Material: bouncy(0.5)})
		}
	}},
	{name: "in one point", bodies: 80, half: collide.Vec3{}, radii: [2]float64{0.2, 0.2}, inside: true, speed: [2]float64{1, 3}},
	{name: "twins", bodies: 100, half: collide.Vec3{X: 8, Y: 2, Z: 2}, inside: true, speed: [2]float64{1, 9}, bounce: [2]float64{0.5, 1}, more: func(r *rand.Rand, w *world) {
		for _, b := range slices.Clone(w.balls) {
			if r.IntN(3) == 0 {
				w.add(b)
			}
		}
	}, drive: func(r *rand.Rand, w *world, step int) {
		if step%3 == 0 {
			w.remove(r.IntN(len(w.balls)))
			w.remove(r.IntN(len(w.balls)))
			b := w.balls[r.IntN(len(w.balls))]
			b.x = within(r, collide.Vec3{X: 8, Y: 2, Z: 2})
			w.add(b)
			w.add(b)
		}
	}},
	{name: "in a line", bodies: 120, half: collide.Vec3{X: 120}, speed: [2]float64{1, 60}, bounce: [2]float64{1, 1}},
	{name: "a lattice", bodies: 0, speed: [2]float64{1, 1}, half: collide.Vec3{X: 10, Y: 2, Z: 2}, more: func(r *rand.Rand, w *world) {
		for x := -9.0; x <= 9; x++ {
			for y := -1.0; y <= 1; y++ {
				for z := -1.0; z <= 1; z++ {
					b := ball{x: collide.Vec3{X: x, Y: y, Z: z}, r: 0.5, mass: 1, material: bouncy(1)}
					if r.IntN(3) == 0 {
						b.v = collide.Vec3{X: float64(r.IntN(3) - 1), Y: float64(r.IntN(3) - 1), Z: float64(r.IntN(3) - 1)}.Scale(8)
					}
					w.add(b)
				}
			}
		}
	}},
	{name: "a thousand kilometres from the origin", bodies: 150, half: collide.Vec3{X: 12, Y: 3, Z: 3}, speed: [2]float64{10, 40}, bounce: [2]float64{0.5, 1}, more: func(r *rand.Rand, w *world) {
		for i := range w.balls {
			w.balls[i].x.X += 1e6
		}
		for k := range w.surfaces {
			w.surfaces[k].Plane.Distance += float64(1e6 * w.surfaces[k].Plane.Normal.X)
			w.space.SetSurface(-2-w.codes[k], w.surfaces[k])
		}
	}},
	{name: "holes and newcomers", bodies: 120, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.1, 0.4}, speed: [2]float64{1, 40}, bounce: [2]float64{0, 1}, inside: true, drive: func(r *rand.Rand, w *world, step int) {
		for range r.IntN(12) {
			if len(w.balls) > 40 && step/8%2 == 0 {
				w.remove(r.IntN(len(w.balls)))
			}
		}
		for range r.IntN(12) {
			b := ball{x: within(r, collide.Vec3{X: 12, Y: 3, Z: 3}), v: direction(r, false).Scale(40), r: 0.1 + 0.3*r.Float64(), mass: 1, material: bouncy(r.Float64())}
			if r.IntN(10) == 0 {
				b.r = 1 + r.Float64() // larger than any before
			}
			if r.IntN(10) == 0 {
				b.material = sensor()
			}
			w.add(b)
		}
	}},
}

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
			w.space.BeEager(6)
			worlds = append(worlds, w)
			say := func(what ...any) { said[k] = append(said[k], fmt.Sprint(what...)) }
			r := random(seed)
			ask := func(what int) {
				at, ray := within(r, h.half), direction(r, false)
				switch what {
				case 0:
					for _, id := range w.ids {
						say("before", w.space.Before(id), w.space.State(id), w.space.IsStill(id))
					}
				case 1:
					w.space.Candidates(func(a, b int32) bool { return true })
				case 2:
					for _, e := range w.space.Foreseen() {
						say("foreseen", e.Time, e.A, e.B, bits(e.Point), bits(e.Normal))
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
					w.space.Refresh()
				}
			}
			for step := range 40 {
				h.drive(random(seed<<8+uint64(step)), w, step)
				w.space.Guess([]float64{1, 4, 10}[(step+k)%3])
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
			a, _ := w.space.Guesses()
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
	w.space.BeEager(6)
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
	w.space.Guess((margin - touch) * float64(moving) / speed)
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
			if right, wrong := worlds[1].space.Guesses(); c.wrong != (wrong == 1) || right+wrong != 1+min(1, len(c.later)) {
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

// between returns a number of an interval.
func between(r *rand.Rand, of [2]float64, usual float64) float64 {
	switch {
	case of == [2]float64{}:
		return usual
	case of[0] <= 0:
		return of[0] + (of[1]-of[0])*r.Float64()
	}
	return logUniform(r, of[0], of[1])
}

func (h *hall) world(seed uint64, workers int) *world {
	r := random(seed)
	w := newWorld()
	w.space.Workers = workers
	w.space.RestSpeed, w.gravity = h.rest, collide.Vec3{Y: h.gravity}
	if h.budget > 0 {
		w.space.MaxDamped, w.space.MaxImpacts = h.budget, 128*h.budget
	}
	w.box(h.half.Add(collide.Vec3{X: 0.6, Y: 0.6, Z: 0.6}), bouncy(h.bounce[0]))
	flat := h.half.Z == 0 && h.half.X > 0
place:
	for tries := 0; len(w.balls) < h.bodies && tries < 50*h.bodies; tries++ {
		b := ball{x: within(r, h.half), r: between(r, h.radii, 0.5), mass: between(r, h.masses, 1), material: bouncy(between(r, h.bounce, 0)), v: direction(r, flat).Scale(between(r, h.speed, 1))}
		if h.half.Y == 0 && flat {
			b.v = collide.Vec3{X: b.v.X}
		}
		if h.spheres != nil {
			h.spheres(r, &b)
		}
		for i := range w.balls {
			if !h.inside && w.balls[i].x.Distance(b.x) < w.balls[i].r+b.r {
				continue place
			}
		}
		w.add(b)
	}
	if h.more != nil {
		h.more(r, w)
	}
	return w
}

// sees returns how a world differs from another, to the bit, in anything that can be seen of it; "" if it doesn't.
func (w *world) differs(o *world) string {
	if len(w.ids) != len(o.ids) {
		return "number of bodies"
	}
	vectors := func(a, b collide.Vec3) bool { return bits(a) == bits(b) }
	for i, id := range w.ids {
		a, b := w.space.State(id), o.space.State(id)
		if !vectors(a.Position, b.Position) || !vectors(a.Velocity, b.Velocity) {
			return fmt.Sprintf("body %d: %v and %v", i, a, b)
		}
		if a, b := w.space.Before(id), o.space.Before(id); !vectors(a, b) {
			return fmt.Sprintf("body %d before: %v and %v", i, a, b)
		}
		if a, b := w.space.IsStill(id), o.space.IsStill(id); a != b {
			return fmt.Sprintf("body %d is still: %v and %v", i, a, b)
		}
		if a, b := w.space.Traits(id), o.space.Traits(id); a != b {
			return fmt.Sprintf("body %d: %+v and %+v", i, a, b)
		}
	}
	a, b := w.space.Log(), o.space.Log()
	for k := range min(len(a), len(b)) {
		e, f := solver.Plain(a[k]), solver.Plain(b[k])
		if e != f {
			return fmt.Sprintf("entry %d of the log: %+v and %+v", k, a[k], b[k])
		}
	}
	if len(a) != len(b) {
		return fmt.Sprintf("the log has %d entries, and %d", len(a), len(b))
	}
	if a, b := w.space.Parted(), o.space.Parted(); !slices.Equal(a, b) {
		return fmt.Sprintf("parted: %v and %v", a, b)
	}
	c, d := w.space.Counts, o.space.Counts
	if c.Impacts != d.Impacts || c.Spent != d.Spent || c.Blocked != d.Blocked || c.Moves != d.Moves {
		return fmt.Sprintf("counts: %+v and %+v", c, d)
	}
	for _, code := range slices.Concat(w.ids, w.codes) {
		if a, b := w.touching(code), o.touching(code); !slices.Equal(a, b) {
			return fmt.Sprintf("%d touches %v and %v", code, a, b)
		}
	}
	if a, b := fmt.Sprint(w.space.Halted()), fmt.Sprint(o.space.Halted()); a != b {
		return fmt.Sprintf("halted: %v and %v", a, b)
	}
	for k := range w.codes {
		if a, b := w.space.Travelled(-2-w.codes[k]), o.space.Travelled(-2-o.codes[k]); !vectors(a, b) {
			return fmt.Sprintf("surface %d travels %v and %v", k, a, b)
		}
	}
	if !slices.Equal(w.forgotten, o.forgotten) {
		return fmt.Sprintf("forgotten: %v and %v", w.forgotten, o.forgotten)
	}
	return ""
}

func (w *world) touching(code int32) (all []string) {
	w.space.Touching(code, func(other int32, visit bool) bool {
		point, normal := w.space.Between(code, other)
		all = append(all, fmt.Sprint(other, visit, bits(point), bits(normal)))
		return true
	})
	return all
}

// TestPartsHaveTheBitsOfTheWhole takes the steps of small worlds as a whole, and in two, three and eight parts. Nothing that can be seen of
// them may differ. The guess how far away something may be and still matter is a bad one on purpose, now and then, and must be found out.
func TestPartsHaveTheBitsOfTheWhole(t *testing.T) {
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
					w.space.BeEager(6)
					others = append(others, w)
				}
				for step := range 20 {
					for k, w := range append(others, one) {
						if h.drive != nil {
							h.drive(random(seed<<8+uint64(step)), w, step)
						}
						w.space.Guess(reaches[(step+k+int(seed))%len(reaches)])
						w.step()
					}
					for _, w := range others {
						if d := one.differs(w); d != "" {
							t.Fatalf("seed %d, step %d, %d workers: %s", seed, step, w.space.Workers, d)
						}
					}
				}
				for _, w := range others {
					a, b := w.space.Guesses()
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

// checkParts makes a scene from bytes, such as those of FuzzStep, and takes its steps as a whole and in parts.
func checkParts(t *testing.T, data []byte) {
	if len(data) < 2 || len(data) > 1000 {
		return
	}
	var worlds [3]*world
	for k := range worlds {
		w, _ := (&dice{data[2:]}).scene()
		w.space.Workers = []int{1, 2, 5}[k]
		w.space.BeEager(2)
		worlds[k] = w
	}
	for step := range 5 {
		for k, w := range worlds {
			w.space.Guess(float64(data[(step+k)%2]%32) / 4)
			w.step()
			if d := worlds[0].differs(w); d != "" {
				t.Fatalf("step %d, %d workers: %s", step, w.space.Workers, d)
			}
			// Parts without bodies had boxes that reached into those of others, so that two parts had the same body as their own.
			for x := range 27 {
				p := collide.Vec3{X: float64(x%3 - 1), Y: float64(x/3%3 - 1), Z: float64(x/9 - 1)}.Scale(10)
				if n, ok := w.space.BoxesWith(p); ok && n != 1 {
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
