package solver_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/dango-physics/dango/internal/statics"
)

// Balls are squeezed in many ways. Each step must end, and nothing may overlap.
func TestSqueezedBodiesDoNotOverlap(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	x, y := collide.Vec3{X: 1}, collide.Vec3{Y: 1}
	pusher := func(at, v collide.Vec3) ball {
		return ball{x: at, v: v, r: 1, kind: solver.Kinematic, material: bouncy(0)}
	}
	cases := []struct {
		name  string
		make  func(m solver.Material) *world
		steps int
	}{
		{"between two kinematic spheres that close in", func(m solver.Material) *world {
			return newWorld(ball{r: 0.5, mass: 1, material: m},
				pusher(collide.Vec3{X: -1.7}, x), pusher(collide.Vec3{X: 1.7}, x.Neg()))
		}, 60},
		{"between two kinematic spheres, off the line of their centres", func(m solver.Material) *world {
			return newWorld(ball{x: collide.Vec3{Y: 0.01}, r: 0.5, mass: 1, material: m},
				pusher(collide.Vec3{X: -1.7}, x), pusher(collide.Vec3{X: 1.7}, x.Neg()))
		}, 60},
		{"between a kinematic sphere and a wall", func(m solver.Material) *world {
			w := newWorld(ball{r: 0.5, mass: 1, material: m}, pusher(collide.Vec3{X: -1.7}, x))
			w.plane(x.Neg(), -0.8, bouncy(0))
			return w
		}, 60},
		{"between a kinematic sphere and a corner", func(m solver.Material) *world {
			w := newWorld(ball{r: 0.5, mass: 1, material: m}, pusher(collide.Vec3{X: -1.7, Y: -0.2}, x))
			w.plane(x.Neg(), -0.8, bouncy(0))
			w.plane(y.Neg(), -0.6, bouncy(0))
			w.plane(collide.Vec3{X: -1, Y: 2, Z: 0.1}, -0.8, bouncy(0))
			return w
		}, 60},
		{"between a kinematic sphere and a ball at a wall", func(m solver.Material) *world {
			w := newWorld(ball{r: 0.5, mass: 1, material: m},
				ball{x: collide.Vec3{X: 1.2}, r: 0.5, mass: 3, material: m}, pusher(collide.Vec3{X: -1.7}, x))
			w.plane(x.Neg(), -2, bouncy(0))
			return w
		}, 60},
		{"between two walls that close in", func(m solver.Material) *world {
			w := newWorld(ball{r: 0.5, mass: 1, material: m})
			w.surfaces[w.plane(x, -0.9, bouncy(0))].Velocity = x
			w.surfaces[w.plane(x.Neg(), -0.9, bouncy(0))].Velocity = x.Neg()
			return w
		}, 60},
		{"between walls that close to a wedge", func(m solver.Material) *world {
			w := newWorld(ball{r: 0.5, mass: 1, material: m})
			n, _ := collide.Vec3{X: 1, Y: 0.2}.Normalized()
			o, _ := collide.Vec3{X: -1, Y: 0.2, Z: 0.1}.Normalized()
			w.surfaces[w.plane(n, -0.9, bouncy(0))].Velocity = x
			w.surfaces[w.plane(o, -0.9, bouncy(0))].Velocity = x.Neg()
			w.plane(y.Neg(), -3, bouncy(0))
			return w
		}, 400},
		{"under a polygon that comes down", func(m solver.Material) *world {
			w := newWorld(ball{x: collide.Vec3{Y: 0.5}, r: 0.5, mass: 1, material: m})
			w.gravity.Y = -10
			w.plane(y, 0, bouncy(0))
			g := sheet(collide.Vec3{Y: 2}, y, 2)
			w.addSurface(solver.Surface{
				Shape:    statics.Shape{Polygon: &g, Plane: g.Plane(), TwoSided: true, Velocity: collide.Vec3{Y: -1}},
				Material: bouncy(0),
			})
			return w
		}, 120},
		{"under and on a polygon that comes down and is stopped", func(m solver.Material) *world {
			w := newWorld(ball{x: collide.Vec3{Y: 0.5}, r: 0.5, mass: 1, material: m},
				ball{x: collide.Vec3{Y: 2.52, X: 0.3}, r: 0.5, mass: 1, material: m})
			w.gravity.Y = -100
			w.plane(y, 0, bouncy(0))
			g := sheet(collide.Vec3{Y: 2}, y, 2)
			w.addSurface(solver.Surface{
				Shape: statics.Shape{
					Polygon: &g, Plane: g.Plane(), TwoSided: true,
					Velocity: collide.Vec3{Y: -1.03},
				},
				Material: bouncy(0),
			})
			return w
		}, 120},
		{"on a kinematic sphere that comes down and is stopped", func(m solver.Material) *world {
			w := newWorld(ball{x: collide.Vec3{Y: 0.5}, r: 0.5, mass: 1, material: m},
				ball{x: collide.Vec3{Y: 3.52}, r: 0.5, mass: 1, material: m},
				pusher(collide.Vec3{Y: 2.01}, collide.Vec3{Y: -1.03}))
			w.gravity.Y = -100
			w.plane(y, 0, bouncy(0))
			return w
		}, 60},
		{"several against a wall, pushed", func(m solver.Material) *world {
			w := newWorld(pusher(collide.Vec3{X: -2}, x.Scale(3)))
			for k := range 5 {
				w.add(ball{x: collide.Vec3{X: float64(k) * 1.01, Y: 0.01 * float64(k*k)}, r: 0.5, mass: 1, material: m})
			}
			w.plane(x.Neg(), -6, bouncy(0))
			return w
		}, 60},
		{"fallen into a wedge of 10 degrees", func(m solver.Material) *world {
			w := newWorld(ball{x: collide.Vec3{Y: 10}, r: 0.5, mass: 1, material: m})
			w.gravity.Y = -10
			w.plane(collide.Vec3{X: 1, Y: 0.087}, 0, bouncy(0))
			w.plane(collide.Vec3{X: -1, Y: 0.087}, 0, bouncy(0))
			return w
		}, 300},
		{"fallen between two static spheres", func(m solver.Material) *world {
			w := newWorld(ball{x: collide.Vec3{X: 0.1, Y: 3}, r: 0.5, mass: 1, material: m})
			w.gravity.Y = -10
			w.add(ball{x: collide.Vec3{X: 1.2}, r: 1, kind: solver.Static, material: bouncy(0)})
			w.add(ball{x: collide.Vec3{X: -1.2}, r: 1, kind: solver.Static, material: bouncy(0)})
			return w
		}, 300},
		{"a stack", func(m solver.Material) *world {
			w := newWorld()
			w.gravity.Y = -10
			w.plane(y, 0, bouncy(0))
			for k := range 6 {
				w.add(ball{x: collide.Vec3{Y: 0.5 + 1.05*float64(k)}, r: 0.5, mass: 1, material: m})
			}
			return w
		}, 300},
		{"a heap in a box", func(m solver.Material) *world {
			w := newWorld()
			w.gravity.Y = -10
			w.box(collide.Vec3{X: 1.2, Y: 6, Z: 1.2}, bouncy(0))
			r := random(3)
			for k := range 16 {
				w.add(ball{
					x: within(r, collide.Vec3{X: 0.5, Z: 0.5}).Add(collide.Vec3{Y: float64(k)*0.62 - 5.6}),
					r: 0.3, mass: 1, material: m,
				})
			}
			return w
		}, 200},
		{"locked along the way it is pushed", func(m solver.Material) *world {
			m.Locked = 1
			return newWorld(ball{r: 0.5, mass: 1, material: m}, pusher(collide.Vec3{X: -1.7, Y: 0.1}, x))
		}, 60},
		{"locked along the way it is pushed by a wall", func(m solver.Material) *world {
			m.Locked = 1
			w := newWorld(ball{r: 0.5, mass: 1, material: m})
			w.surfaces[w.plane(x, -0.9, bouncy(0))].Velocity = x
			return w
		}, 60},
	}
	materials := []struct {
		name string
		m    solver.Material
	}{
		{"slide", slippery()},
		{"restitution 0", bouncy(0)},
		{"restitution 0.5", bouncy(0.5)},
		{"restitution 1", bouncy(1)},
	}
	for _, c := range cases {
		for _, m := range materials {
			t.Run(c.name+", "+m.name, func(t *testing.T) {
				w := c.make(m.m)
				for k := range c.steps {
					w.step()
					w.checkApart(t, k)
				}
			})
		}
	}
}

// A moving wall is stopped by a body that can't yield, while another ball approaches it.
func TestImpactWithAWallThatWasStopped(t *testing.T) {
	x := collide.Vec3{X: 1}
	locked := ball{x: collide.Vec3{X: 1}, r: 0.5, mass: 1, material: bouncy(1)}
	locked.material.Locked = 1
	w := newWorld(locked, ball{x: collide.Vec3{X: 4, Y: 5}, v: x.Scale(-2), r: 0.5, mass: 1, material: bouncy(1)})
	w.space.Seconds = 2
	w.surfaces[w.plane(x, 0, bouncy(1))].Velocity = x // reaches the locked body at x = 0.5 after half a second
	w.step()
	if f := w.surfaces[0].Plane.Distance; math.Abs(f-0.5) > 1e-12 {
		t.Errorf("the wall stops at %v, want 0.5", f)
	}
	log := w.space.Log()
	if len(log) != 1 || math.Abs(log[0].Time-1.5) > 1e-12 || w.balls[1].v.Distance(x.Scale(2)) > 1e-12 {
		t.Errorf("got %+v and %v, want one impact at 1.5 and a speed of 2", log, w.balls[1].v)
	}
}

// Elastic balls are squeezed between two walls that cannot come closer, and so are stopped in every
// step. The balls do not gain speed from step to step.
func TestElasticBallsBetweenBlockedWallsDoNotGainSpeed(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, round := range []bool{false, true} {
		for seed := range slow.Cases(20) {
			r := random(uint64(seed))
			w := newWorld()
			m := bouncy(1)
			m.FrictionID = w.frictionID(solver.FrictionCoefficients{Static: 1, Dynamic: 1})
			if round {
				left := ball{x: collide.Vec3{X: -103}, v: collide.Vec3{X: 1000}, r: 100, material: m}
				right := ball{x: collide.Vec3{X: 103}, v: collide.Vec3{X: -1667}, r: 100, material: m}
				left.kind, right.kind = solver.Kinematic, solver.Kinematic
				w.add(left)
				w.add(right)
			} else {
				left, right := w.plane(collide.Vec3{X: 1}, -3, m), w.plane(collide.Vec3{X: -1}, -3, m)
				w.surfaces[left].Velocity, w.surfaces[right].Velocity = collide.Vec3{X: 1000}, collide.Vec3{X: -1667}
			}
			first := len(w.balls)
			for k := range 5 {
				w.add(ball{
					x: collide.Vec3{X: 1.05*float64(k) - 2, Y: 0.3 * r.Float64(), Z: 0.3 * r.Float64()},
					r: 0.5, mass: 1, material: m,
				})
			}
			// The walls close in on the balls in the first step, and round ones squeeze them out
			// at the sides, at up to 5e5 m/s. Flat ones are stopped and keep them.
			before := math.Inf(1)
			for k := range 30 {
				w.step()
				w.checkApart(t, k)
				fastest := 0.0
				for _, b := range w.balls[first:] {
					fastest = max(fastest, b.v.Length())
				}
				if fastest > before+2*1667 || k == 29 && !round && fastest > 2*1667 {
					t.Fatalf("round %v, seed %d, step %d: the fastest has %v m/s, %v in the step before", round, seed,
						k, fastest, before)
				}
				before = fastest
			}
		}
	}
}
