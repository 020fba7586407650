package solver_test

import (
	"math/rand/v2"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/dango-physics/dango/internal/statics"
)

// parallelScene describes a scene that is large enough to be divided into subdomains: the size of a
// long room and the bodies in it.
type parallelScene struct {
	name       string
	bodies     int
	half       collide.Vec3
	radii      [2]float64
	masses     [2]float64
	speed      [2]float64
	bounce     [2]float64
	gravity    float64
	restSpeed  float64
	budget     int                         // inelastic impacts of a body in a step; 0 for the default
	mayOverlap bool                        // bodies may overlap at the start
	spheres    func(r *rand.Rand, b *ball) // changes a body before it is added
	extra      func(r *rand.Rand, w *world)
	change     func(r *rand.Rand, w *world, step int) // what the game does before a step
}

// withProbability returns a function that calls edit for a random selection of the bodies.
func withProbability(p float64, edit func(r *rand.Rand, b *ball)) func(r *rand.Rand, b *ball) {
	return func(r *rand.Rand, b *ball) {
		if r.Float64() < p {
			edit(r, b)
		}
	}
}

func makeStatic(b *ball) { b.kind, b.v, b.mass = solver.Static, collide.Vec3{}, 0 }

func makeKinematic(b *ball) { b.kind, b.mass = solver.Kinematic, 0 }

var parallelScenes = []parallelScene{
	{
		name: "gas", bodies: 160, half: collide.Vec3{X: 12, Y: 3, Z: 3}, speed: [2]float64{10, 40},
		bounce: [2]float64{1, 1},
	},
	{
		name: "gas of all sizes and masses", bodies: 160, half: collide.Vec3{X: 12, Y: 3, Z: 3},
		radii: [2]float64{0.05, 1}, masses: [2]float64{1e-3, 1e3}, speed: [2]float64{1, 60}, bounce: [2]float64{0.5, 1},
	},
	{
		name: "a few very fast bodies", bodies: 160, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.2, 0.3},
		speed: [2]float64{1, 5}, bounce: [2]float64{1, 1}, spheres: withProbability(0.1, func(r *rand.Rand, b *ball) {
			b.v = b.v.Scale(100)
		}),
	},
	{
		name: "crowded, inelastic", bodies: 220, half: collide.Vec3{X: 10, Y: 3, Z: 3}, radii: [2]float64{0.3, 0.5},
		speed: [2]float64{5, 50}, bounce: [2]float64{0, 0.5}, restSpeed: 0.3, budget: 3,
	},
	{
		name: "a pile", bodies: 200, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.2, 0.5},
		masses: [2]float64{0.5, 2}, speed: [2]float64{0.5, 5}, gravity: -10, restSpeed: 0.3,
	},
	{
		name: "a pile that doesn't bounce, of all masses", bodies: 200, half: collide.Vec3{X: 12, Y: 3, Z: 3},
		radii: [2]float64{0.2, 0.5}, masses: [2]float64{0.01, 100}, speed: [2]float64{0.5, 5}, gravity: -40, budget: 4,
	},
	{
		name: "circles", bodies: 160, half: collide.Vec3{X: 20, Y: 10}, radii: [2]float64{0.2, 0.6},
		speed: [2]float64{1, 60}, bounce: [2]float64{0.5, 1},
	},
	{
		name: "circles in a pile", bodies: 160, half: collide.Vec3{X: 20, Y: 5}, radii: [2]float64{0.2, 0.6},
		speed: [2]float64{1, 6}, gravity: -10, restSpeed: 0.3,
	},
	{
		name: "sliding bodies among static ones", bodies: 160, half: collide.Vec3{X: 12, Y: 3, Z: 3},
		radii: [2]float64{0.3, 0.6}, speed: [2]float64{1, 20}, bounce: [2]float64{0, 1}, gravity: -10,
		spheres: func(r *rand.Rand, b *ball) {
			switch r.IntN(6) {
			case 0, 1, 2:
				b.material.Sliding = true
			case 3:
				makeStatic(b)
			}
		},
	},
	{
		name: "static bodies that reach into other subdomains", bodies: 150, half: collide.Vec3{X: 12, Y: 4, Z: 4},
		radii: [2]float64{0.1, 0.3}, speed: [2]float64{5, 60}, bounce: [2]float64{0.5, 1},
		spheres: withProbability(0.2, func(r *rand.Rand, b *ball) {
			makeStatic(b)
			b.r = 1
		}),
	},
	{
		name: "kinematic bodies", bodies: 150, budget: 1, half: collide.Vec3{X: 12, Y: 3, Z: 3},
		radii: [2]float64{0.3, 0.6}, speed: [2]float64{1, 30}, bounce: [2]float64{0, 1},
		spheres: func(r *rand.Rand, b *ball) {
			switch r.IntN(8) {
			case 0, 1:
				makeKinematic(b)
			case 2:
				makeStatic(b)
			}
		}, change: func(r *rand.Rand, w *world, step int) {
			for i := range w.balls {
				if b := &w.balls[i]; b.kind == solver.Kinematic && r.IntN(3) == 0 {
					b.v = direction(r, false).Scale(30 * r.Float64())
				}
			}
		},
	},
	{
		name: "locked axes", bodies: 150, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.3, 0.6},
		speed: [2]float64{1, 30}, bounce: [2]float64{0, 1}, gravity: -10, spheres: func(r *rand.Rand, b *ball) {
			b.material.Locked = uint8(r.IntN(8))
			b.material.Sliding = r.IntN(3) == 0
			b.v = solver.Unlocked(b.v, b.material.Locked)
		},
	},
	{
		name: "filters", bodies: 180, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.3, 0.6},
		speed: [2]float64{1, 40}, bounce: [2]float64{0.3, 1}, spheres: func(r *rand.Rand, b *ball) {
			b.material.Layers, b.material.Mask = 1<<r.IntN(3), uint32(r.IntN(8))|1
		},
	},
	{
		name: "sensors", bodies: 160, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.2, 0.6},
		speed: [2]float64{1, 50}, bounce: [2]float64{0.5, 1}, mayOverlap: true, spheres: func(r *rand.Rand, b *ball) {
			switch r.IntN(8) {
			case 0:
				b.material = sensor()
				makeStatic(b)
			case 1:
				b.material = sensor()
				makeKinematic(b)
			case 2:
				b.material = sensor()
			}
		}, extra: func(r *rand.Rand, w *world) {
			w.plane(collide.Vec3{X: 1, Y: 0.2}, 1, sensor())
			k := w.plane(collide.Vec3{X: 1, Z: 0.2}, 4, sensor())
			w.surfaces[k].TwoSided, w.surfaces[k].Velocity = true, collide.Vec3{X: -3}
		}, change: func(r *rand.Rand, w *world, step int) {
			for i := range w.balls {
				b := &w.balls[i]
				switch r.IntN(60) {
				case 0: // to another place, often in another subdomain
					b.x = within(r, collide.Vec3{X: 12, Y: 3, Z: 3})
				case 1:
					b.material.Sensor = !b.material.Sensor
				case 2:
					b.material.Layers ^= 2
					b.material.Mask ^= 1
				}
			}
		},
	},
	{
		name: "moving walls", bodies: 150, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.2, 0.5},
		speed: [2]float64{1, 30}, bounce: [2]float64{0, 1}, extra: func(r *rand.Rand, w *world) {
			for range 4 {
				g := sheet(within(r, collide.Vec3{X: 12, Y: 3, Z: 3}), direction(r, false), 0.5+2*r.Float64())
				w.addSurface(solver.Surface{
					Shape: statics.Shape{
						Polygon: &g, Plane: g.Plane(), TwoSided: true,
						Velocity: direction(r, false).Scale(10 * r.Float64()),
					},
					Material: bouncy(0.5),
				})
			}
			for k := range 4 {
				w.surfaces[k].Velocity = direction(r, false).Scale(3 * r.Float64())
			}
		}, change: func(r *rand.Rand, w *world, step int) {
			for k := range w.surfaces {
				if f := &w.surfaces[k]; step%8 == 4 {
					f.Velocity = f.Velocity.Neg()
				}
			}
		},
	},
	{
		name: "capsules", bodies: 150, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.2, 0.5},
		speed: [2]float64{1, 30}, bounce: [2]float64{0, 1}, extra: func(r *rand.Rand, w *world) {
			for range 5 { // two that cross, one of which may move
				at, axis := within(r, collide.Vec3{X: 12, Y: 3, Z: 3}), direction(r, false)
				across := within(r, collide.Vec3{X: 3, Y: 3, Z: 3})
				radius := 0.1 + r.Float64()
				w.addSurface(rod(at.Sub(across), at.Add(across), radius, bouncy(0.5)))
				f := rod(at.AddScaled(-2, axis), at.AddScaled(2, axis), radius, bouncy(0.5))
				if r.IntN(2) == 0 {
					f.Velocity = direction(r, false).Scale(10 * r.Float64())
				}
				w.addSurface(f)
			}
		}, mayOverlap: true, change: func(r *rand.Rand, w *world, step int) {
			for k := range w.surfaces {
				if f := &w.surfaces[k]; step%8 == 4 {
					f.Velocity = f.Velocity.Neg()
				}
			}
		},
	},
	{
		name: "a wall that crushes", bodies: 120, half: collide.Vec3{X: 12, Y: 2, Z: 2}, radii: [2]float64{0.2, 0.5},
		speed: [2]float64{1, 10}, extra: func(r *rand.Rand, w *world) {
			w.surfaces[0].Velocity = collide.Vec3{X: 40}
		}, spheres: withProbability(0.1, func(r *rand.Rand, b *ball) { makeStatic(b) }),
	},
	{
		name: "overlapping", bodies: 200, half: collide.Vec3{X: 10, Y: 2, Z: 2}, radii: [2]float64{0.2, 0.6},
		speed: [2]float64{0.1, 5}, bounce: [2]float64{0, 1}, mayOverlap: true,
		spheres: withProbability(0.1, func(r *rand.Rand, b *ball) {
			makeStatic(b)
		}), extra: func(r *rand.Rand, w *world) {
			g := sheet(collide.Vec3{}, collide.Vec3{X: 1}, 2)
			for range 2 { // the same surface twice: their keys are equal
				w.addSurface(twoSided(&g, bouncy(0.5)))
			}
		},
	},
	{
		name: "at one point", bodies: 80, half: collide.Vec3{}, radii: [2]float64{0.2, 0.2}, mayOverlap: true,
		speed: [2]float64{1, 3},
	},
	{
		name: "duplicates", bodies: 100, half: collide.Vec3{X: 8, Y: 2, Z: 2}, mayOverlap: true,
		speed: [2]float64{1, 9}, bounce: [2]float64{0.5, 1}, extra: func(r *rand.Rand, w *world) {
			for _, b := range slices.Clone(w.balls) {
				if r.IntN(3) == 0 {
					w.add(b)
				}
			}
		}, change: func(r *rand.Rand, w *world, step int) {
			if step%3 == 0 {
				w.remove(r.IntN(len(w.balls)))
				w.remove(r.IntN(len(w.balls)))
				b := w.balls[r.IntN(len(w.balls))]
				b.x = within(r, collide.Vec3{X: 8, Y: 2, Z: 2})
				w.add(b)
				w.add(b)
			}
		},
	},
	{name: "in a line", bodies: 120, half: collide.Vec3{X: 120}, speed: [2]float64{1, 60}, bounce: [2]float64{1, 1}},
	{
		name: "a lattice", bodies: 0, speed: [2]float64{1, 1}, half: collide.Vec3{X: 10, Y: 2, Z: 2},
		extra: func(r *rand.Rand, w *world) {
			for x := -9.0; x <= 9; x++ {
				for y := -1.0; y <= 1; y++ {
					for z := -1.0; z <= 1; z++ {
						b := ball{x: collide.Vec3{X: x, Y: y, Z: z}, r: 0.5, mass: 1, material: bouncy(1)}
						if r.IntN(3) == 0 {
							b.v = collide.Vec3{
								X: float64(r.IntN(3) - 1), Y: float64(r.IntN(3) - 1),
								Z: float64(r.IntN(3) - 1),
							}.Scale(8)
						}
						w.add(b)
					}
				}
			}
		},
	},
	{
		name: "a thousand kilometres from the origin", bodies: 150, half: collide.Vec3{X: 12, Y: 3, Z: 3},
		speed: [2]float64{10, 40}, bounce: [2]float64{0.5, 1}, extra: func(r *rand.Rand, w *world) {
			for i := range w.balls {
				w.balls[i].x.X += 1e6
			}
			for k := range w.surfaces {
				w.surfaces[k].Plane.Distance += float64(1e6 * w.surfaces[k].Plane.Normal.X)
				w.space.SetSurface(w.surface(k), w.surfaces[k])
			}
		},
	},
	{
		name: "bodies that are added and removed", bodies: 120, half: collide.Vec3{X: 12, Y: 3, Z: 3},
		radii: [2]float64{0.1, 0.4}, speed: [2]float64{1, 40}, bounce: [2]float64{0, 1}, mayOverlap: true,
		change: func(r *rand.Rand, w *world, step int) {
			for range r.IntN(12) {
				if len(w.balls) > 40 && step/8%2 == 0 {
					w.remove(r.IntN(len(w.balls)))
				}
			}
			for range r.IntN(12) {
				b := ball{
					x: within(r, collide.Vec3{X: 12, Y: 3, Z: 3}), v: direction(r, false).Scale(40),
					r: 0.1 + 0.3*r.Float64(), mass: 1, material: bouncy(r.Float64()),
				}
				if r.IntN(10) == 0 {
					b.r = 1 + r.Float64() // larger than all other bodies
				}
				if r.IntN(10) == 0 {
					b.material = sensor()
				}
				w.add(b)
			}
		},
	},
	{
		name: "changes of everything", bodies: 150, half: collide.Vec3{X: 12, Y: 3, Z: 3}, radii: [2]float64{0.1, 0.5},
		speed: [2]float64{0.1, 10}, bounce: [2]float64{0, 0}, gravity: -10, mayOverlap: true,
		spheres: func(r *rand.Rand, b *ball) {
			b.material.Restitution = float64(r.IntN(3)) / 2
			if r.IntN(12) == 0 {
				makeKinematic(b)
			}
		}, change: changeEverything,
	},
}

// changeEverything changes a few random properties of random bodies, as a game may do before each
// step.
func changeEverything(r *rand.Rand, w *world, _ int) {
	for range r.IntN(4) {
		b := &w.balls[r.IntN(len(w.balls))]
		switch x := r.Float64(); r.IntN(9) {
		case 0, 1: // overlapping another body
			b.x = w.balls[r.IntN(len(w.balls))].x.AddScaled(x*b.r, direction(r, false))
		case 2, 3:
			b.v = direction(r, false).Scale(30 * x * x)
		case 4:
			b.v = collide.Vec3{}
		case 5:
			b.r = 0.01 + x*x*x
		case 6:
			if x < 0.2 { // as large as the world
				b.r = 10
			}
		case 7:
			switch b.kind {
			case solver.Dynamic:
				makeKinematic(b)
			default:
				b.kind, b.mass = solver.Dynamic, 1+x
			}
		case 8:
			b.material.Restitution = float64(r.IntN(3)) / 2
		}
	}
	if k := r.IntN(len(w.surfaces)); r.IntN(3) == 0 {
		w.surfaces[k].Velocity = w.surfaces[k].Plane.Normal.Scale(2*r.Float64() - 1)
		w.space.SetSurface(w.surface(k), w.surfaces[k])
	}
}

// inRange returns a random number of the interval, or otherwise for an empty interval.
func inRange(r *rand.Rand, of [2]float64, otherwise float64) float64 {
	switch {
	case of == [2]float64{}:
		return otherwise
	case of[0] <= 0:
		return of[0] + (of[1]-of[0])*r.Float64()
	}
	return logUniform(r, of[0], of[1])
}

func (h *parallelScene) world(seed uint64, workers int) *world {
	r := random(seed)
	w := newWorld()
	w.space.Workers = workers
	w.space.RestSpeed, w.gravity = h.restSpeed, collide.Vec3{Y: h.gravity}
	if h.budget > 0 {
		w.space.MaxInelasticImpacts, w.space.MaxImpacts = h.budget, 128*h.budget
	}
	w.box(h.half.Add(collide.Vec3{X: 0.6, Y: 0.6, Z: 0.6}), bouncy(h.bounce[0]))
	flat := h.half.Z == 0 && h.half.X > 0
next:
	for tries := 0; len(w.balls) < h.bodies && tries < 50*h.bodies; tries++ {
		b := ball{
			x: within(r, h.half), r: inRange(r, h.radii, 0.5), mass: inRange(r, h.masses, 1),
			material: bouncy(inRange(r, h.bounce, 0)), v: direction(r, flat).Scale(inRange(r, h.speed, 1)),
		}
		if h.half.Y == 0 && flat {
			b.v = collide.Vec3{X: b.v.X}
		}
		if h.spheres != nil {
			h.spheres(r, &b)
		}
		for i := range w.balls {
			if !h.mayOverlap && w.balls[i].x.Distance(b.x) < w.balls[i].r+b.r {
				continue next
			}
		}
		w.add(b)
	}
	if h.extra != nil {
		h.extra(r, w)
	}
	return w
}
