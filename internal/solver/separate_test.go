package solver_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
)

// Bodies that overlap at the start separate at a bounded speed, gain no energy, and don't cause
// other overlaps.
func TestOverlappingBodiesSeparateSlowly(t *testing.T) {
	y := collide.Vec3{Y: 1}
	square := sheet(collide.Vec3{}, y, 3)
	cases := []struct {
		name string
		make func() *world
	}{
		{"two, a little", func() *world {
			return newWorld(ball{r: 0.5, mass: 1, material: bouncy(1)},
				ball{x: collide.Vec3{X: 0.9}, r: 0.5, mass: 1, material: bouncy(1)})
		}},
		{"two, concentric", func() *world {
			return newWorld(ball{r: 0.5, mass: 1, material: bouncy(1)}, ball{r: 0.5, mass: 1, material: bouncy(1)})
		}},
		{"three, concentric", func() *world {
			return newWorld(ball{r: 0.5, mass: 1, material: bouncy(1)}, ball{r: 0.5, mass: 1, material: bouncy(1)},
				ball{r: 0.3, mass: 2, material: bouncy(1)})
		}},
		{"two that approach", func() *world {
			return newWorld(ball{v: collide.Vec3{X: 3}, r: 0.5, mass: 1, material: bouncy(0.5)},
				ball{x: collide.Vec3{X: 0.4}, r: 0.5, mass: 1, material: bouncy(0.5)})
		}},
		{"a small one in a heavy one", func() *world {
			return newWorld(ball{r: 3, mass: 1000, material: bouncy(1)},
				ball{x: collide.Vec3{Y: 2.8}, r: 0.2, mass: 0.001, material: bouncy(1)})
		}},
		{"in a static one", func() *world {
			return newWorld(ball{r: 1, kind: solver.Static, material: bouncy(1)},
				ball{x: collide.Vec3{Y: 0.8}, r: 0.5, mass: 1, material: bouncy(1)})
		}},
		{"in a wall", func() *world {
			w := newWorld(ball{r: 0.5, mass: 1, material: bouncy(1)})
			w.plane(y, -0.2, bouncy(1))
			return w
		}},
		{"behind a wall", func() *world {
			w := newWorld(ball{r: 0.5, mass: 1, material: bouncy(1)})
			w.plane(y, 3, bouncy(1))
			return w
		}},
		{"in a corner", func() *world {
			w := newWorld(ball{r: 0.5, mass: 1, material: bouncy(1)})
			w.plane(y, -0.2, bouncy(1))
			w.plane(collide.Vec3{X: 1, Y: 0.1}, -0.3, bouncy(1))
			return w
		}},
		{"in a polygon", func() *world {
			w := newWorld(ball{x: collide.Vec3{Y: 0.1}, r: 0.5, mass: 1, material: bouncy(1)})
			w.addSurface(twoSided(&square, bouncy(1)))
			return w
		}},
		{"exactly in a polygon", func() *world {
			w := newWorld(ball{r: 0.5, mass: 1, material: bouncy(1)})
			w.addSurface(twoSided(&square, bouncy(1)))
			return w
		}},
		{"on a polygon's edge", func() *world {
			w := newWorld(ball{x: collide.Vec3{X: 3.2}, r: 0.5, mass: 1, material: bouncy(1)})
			w.addSurface(twoSided(&square, bouncy(1)))
			return w
		}},
		{"with a third that is in the way", func() *world {
			return newWorld(ball{r: 0.5, mass: 1, material: bouncy(1)},
				ball{x: collide.Vec3{X: 0.9}, r: 0.5, mass: 1, material: bouncy(1)},
				ball{x: collide.Vec3{X: 1.9}, r: 0.5, mass: 1, material: bouncy(1)})
		}},
		{"a crowd in a box", func() *world {
			w := newWorld()
			w.box(collide.Vec3{X: 3, Y: 3, Z: 3}, bouncy(0.5))
			r := random(4)
			for range 40 {
				w.add(ball{
					x: within(r, collide.Vec3{X: 3, Y: 3, Z: 3}), r: 0.1 + 0.6*r.Float64(),
					mass: 0.1 + r.Float64(), material: bouncy(0.5),
				})
			}
			return w
		}},
		{"circles in their plane", func() *world {
			w := newWorld()
			r := random(5)
			for range 10 {
				b := ball{x: within(r, collide.Vec3{X: 1, Y: 1}), r: 0.5, mass: 1, material: bouncy(0.5)}
				b.material.Locked = 4
				w.add(b)
			}
			return w
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := c.make()
			energy := w.energy()
			depths := func() map[[2]int]float64 {
				all := map[[2]int]float64{}
				for i := range w.balls {
					for j := range i {
						p, q := &w.balls[i], &w.balls[j]
						all[[2]int{i, j}] = (p.r + q.r - p.x.Distance(q.x)) / min(p.r, q.r)
					}
				}
				return all
			}
			for k := range slow.Steps(1200) {
				before, were := depths(), append([]ball(nil), w.balls...)
				w.step()
				for pair, d := range depths() {
					// Among several bodies, two may temporarily be pushed into each other. Bodies
					// that were apart stay apart.
					if d > 1e-8 && (before[pair] < 1e-9 || len(w.balls) < 3 && d > before[pair]+1e-9) {
						t.Fatalf("step %d: %v are %.3g radii deep, and were %.3g", k, pair, d, before[pair])
					}
				}
				smallest := math.Inf(1)
				for i := range w.balls {
					smallest = min(smallest, w.balls[i].r)
				}
				for i := range w.balls {
					b := &w.balls[i]
					// At most two radii per second for each body that it overlaps.
					if moved := b.x.Distance(were[i].x.AddScaled(step, were[i].v)); w.space.Counts.Impacts == 0 &&
						moved > 2*b.r*step*float64(len(w.balls)+6) {
						t.Fatalf("step %d: body %d is moved by %.3g m at once", k, i, moved)
					}
					if b.material.Locked&4 != 0 && b.x.Z != 0 {
						t.Fatalf("step %d: body %d leaves the plane z = 0", k, i)
					}
				}
				if e := w.energy(); e > energy*(1+1e-12) {
					t.Fatalf("step %d: energy rises from %v to %v", k, energy, e)
				}
				energy = w.energy()
			}
			if testing.Short() {
				return
			}
			if worst, a, b := w.overlap(); worst > 1e-8 {
				t.Errorf("after 20 s %d and %d are still %.3g radii deep", a, b, worst)
			}
		})
	}
}

// Pairs that overlap and separate fly on unchanged.
func TestSeparatingBodiesAreNotStopped(t *testing.T) {
	v := collide.Vec3{X: 5, Y: 2}
	w := newWorld(ball{r: 0.5, v: v.Neg(), mass: 1, material: bouncy(0)},
		ball{x: collide.Vec3{X: 0.5, Y: 0.1}, v: v, r: 0.5, mass: 3, material: bouncy(0)})
	w.plane(collide.Vec3{Z: 1}, 0.3, bouncy(0)) // a wall that both bodies overlap
	w.balls[0].v.Z, w.balls[1].v.Z = 1, 2
	for range 60 {
		a, b := w.balls[0].v, w.balls[1].v
		w.step()
		if w.balls[0].v != a || w.balls[1].v != b || len(w.space.Log()) > 0 {
			t.Fatalf("they were stopped: %v, %v, %v", w.balls[0].v, w.balls[1].v, w.space.Log())
		}
	}
	w.checkApart(t, "in the end")
}

func TestSeparatingManyBodiesTakesBoundedWork(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	w := newWorld()
	for i := range 200 {
		w.add(ball{x: collide.Vec3{X: float64(i) * 1e-6}, r: 1, mass: 1, material: bouncy(0)})
	}
	spread := 0.0
	for range 30 {
		w.step()
		if w.space.Counts.Moves > 1024 {
			t.Fatalf("%d moves in a step", w.space.Counts.Moves)
		}
	}
	for _, b := range w.balls {
		spread = max(spread, b.x.Length())
	}
	if spread < 1 {
		t.Errorf("after half a second the largest displacement is %v", spread)
	}
}

// A small ball flies many million times its radius in a step, so that rounding leaves it inside a
// wall by more than what counts as overlap. It bounces on all the same.
func TestAFastSmallBallKeepsBouncing(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, speed := range []float64{6500, 1e5} {
		for _, walls := range []float64{0.9, 6500, 1e4} {
			for seed := range slow.Cases(20) {
				r := random(uint64(seed))
				w := newWorld()
				w.space.Seconds, w.space.MaxImpacts = 1, 32*4096
				w.box(collide.Vec3{X: walls, Y: walls, Z: walls}, bouncy(1))
				for range 2 {
					w.add(ball{
						x: within(r, collide.Vec3{X: walls / 2, Y: walls / 2, Z: walls / 2}),
						v: direction(r, seed%2 == 0).Scale(speed), r: 1.3e-4, mass: 1, material: bouncy(1),
					})
				}
				for k := range 20 {
					w.step()
					// The two may meet, and then only their energy is known.
					got := math.Sqrt((w.balls[0].v.LengthSquared() + w.balls[1].v.LengthSquared()) / 2)
					if got < speed*(1-1e-9) || got > speed*(1+1e-9) {
						t.Fatalf("seed %d, walls at %v m, step %d: the balls move at %v m/s on average, want %v", seed,
							walls, k, got, speed)
					}
				}
			}
		}
	}
}

// Balls that the game has put into each other are moved apart, in a bin full of others, some of
// which cannot give way. That makes nothing overlap that did not overlap before.
func TestSeparatingBodiesPushesNothingIntoAnything(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for seed := range slow.Cases(60) {
		r := random(uint64(seed))
		half := collide.Vec3{X: 1.5, Y: 1.5, Z: 1.5}
		w := newWorld()
		if r.IntN(2) == 0 {
			w.gravity = collide.Vec3{Y: -9.81}
		}
		w.box(half, bouncy(0))
		add := func(apart bool) {
			b := ball{
				x: within(r, collide.Vec3{X: 1.2, Y: 1.2, Z: 1.2}), r: 0.1 + 0.2*r.Float64(),
				mass: logUniform(r, 0.1, 10), material: bouncy(0),
			}
			switch r.IntN(8) {
			case 0:
				b.kind, b.mass = solver.Static, 0
			case 1:
				b.material.Locked = uint8(r.IntN(8))
			}
			w.add(b)
			for k := range w.balls[:len(w.balls)-1] {
				if apart && w.balls[k].x.Distance(b.x) < w.balls[k].r+b.r {
					w.remove(len(w.balls) - 1)
					return
				}
			}
		}
		for range 300 {
			add(true)
		}
		type couple struct{ a, b int }
		overlaps := func() map[couple]float64 {
			m := map[couple]float64{}
			for i := range w.balls {
				p := &w.balls[i]
				for j := range i {
					q := &w.balls[j]
					if depth := (p.r + q.r - p.x.Distance(q.x)) / min(p.r, q.r); depth > maxOverlap {
						m[couple{i, j}] = depth
					}
				}
				for k := range w.surfaces {
					depth := (p.r - w.surfaces[k].Plane.SignedDistance(p.x)) / p.r
					if depth > maxOverlap && p.kind == solver.Dynamic {
						m[couple{i, -1 - k}] = depth
					}
				}
			}
			return m
		}
		for k := range 40 {
			if k%5 == 0 {
				for range 5 {
					add(false)
				}
			}
			before := overlaps()
			w.step()
			for c, depth := range overlaps() {
				if _, ok := before[c]; !ok {
					t.Fatalf("seed %d, step %d: %d and %d overlap by %.3g of a radius, and did not before", seed, k,
						c.a, c.b, depth)
				}
			}
		}
	}
}

// A ball that a platform has come into lies in the middle of a box full of balls, so nothing can
// yield. Each push tried several ways, and the next ones several more: 1,024 moves in each step for
// one ball, and a second a step for hulls.
func TestABodyThatIsShutInTakesFewMoves(t *testing.T) {
	const n, r = 6, 0.5
	var balls []ball
	for i := range n * n * n {
		at := collide.Vec3{X: float64(i % n), Y: float64(i / n % n), Z: float64(i / n / n)}
		balls = append(balls, ball{x: at, r: r, mass: 1, material: bouncy(0)})
	}
	w := newWorld(balls...)
	for _, axis := range []collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		w.plane(axis, -r, bouncy(0))
		w.plane(axis.Neg(), -(n - 1 + r), bouncy(0))
	}
	platform := sheet(collide.Vec3{X: 2, Y: 1.7, Z: 2}, collide.Vec3{X: 0.2, Y: 1, Z: 0.1}, 0.1)
	w.addSurface(twoSided(&platform, bouncy(0)))
	most := 0
	for range 20 {
		w.step()
		most = max(most, w.space.Counts.Moves)
	}
	if most < 4 || most > 256 {
		t.Errorf("%d moves in a step, want a few for one ball", most)
	}
}

// A ball in a corner is moved out of a wall that the game has put into it, and slides along the
// corner and along balls that don't move. Each of these slides was along the one before, so that
// several of them led back into the wall.
func TestABallThatSlidesOutOfAWallGoesNoDeeper(t *testing.T) {
	out := 0
	for seed := range slow.Cases(400) {
		r := random(uint64(seed))
		w := newWorld(ball{r: 0.5, mass: 1, material: bouncy(0)})
		w.plane(collide.Vec3{Y: 1}, -0.5, bouncy(0))
		w.plane(collide.Vec3{Z: 1}, -0.5, bouncy(0))
		away := unit(collide.Vec3{X: 1, Y: -1.5 * r.Float64(), Z: -1.5 * r.Float64()})
		w.add(ball{x: away.Scale(0.66 + 0.05*r.Float64()), r: 0.15, kind: solver.Static, material: bouncy(0)})
		n := unit(collide.Vec3{X: 0.2 + r.Float64(), Y: -r.Float64(), Z: -r.Float64()})
		w.plane(n, -0.5+0.1*r.Float64(), bouncy(0))
		for k := range 60 {
			before := n.Dot(w.balls[0].x)
			w.step()
			if after := n.Dot(w.balls[0].x); after < before-1e-9 {
				t.Errorf("seed %d, step %d: the ball goes %v m deeper into the wall", seed, k, before-after)
				break
			}
		}
		if w.space.Counts.Moves == 0 {
			out++
		}
	}
	if least := slow.Cases(400) / 4; out < least {
		t.Errorf("%d balls came out, want at least %d", out, least)
	}
}
