package solver_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/dango-physics/dango/internal/statics"
)

// hill returns a random height of the ground, from 0 to 1 m.
func hill(r *rand.Rand) float64 { return float64(r.IntN(9)) / 8 }

// level returns the ground of a game of about n polygons and its side length in metres: two
// triangles for each square metre, walls on it, and some very large and very small polygons.
func level(n int, r *rand.Rand) (surfaces []solver.Surface, side int) {
	side = int(math.Sqrt(float64(n) / 2.2))
	heights := make([]float64, (side+1)*(side+1))
	for k := range heights {
		heights[k] = hill(r)
	}
	at := func(x, z int) collide.Vec3 {
		return collide.Vec3{X: float64(x), Y: heights[z*(side+1)+x], Z: float64(z)}
	}
	add := func(g *collide.Polygon, twoSided bool) {
		surfaces = append(surfaces, solver.Surface{
			Shape:    statics.Shape{Polygon: g, Plane: g.Plane(), TwoSided: twoSided},
			Material: bouncy(0.5),
		})
	}
	for z := range side {
		for x := range side {
			add(polygon(at(x, z), at(x, z+1), at(x+1, z)), r.IntN(2) == 0)
			add(polygon(at(x+1, z), at(x, z+1), at(x+1, z+1)), r.IntN(2) == 0)
			switch p := at(x, z); r.IntN(20) {
			case 0: // a wall
				up := collide.Vec3{Y: 2}
				add(polygon(p, at(x+1, z+1), at(x+1, z+1).Add(up), p.Add(up)), true)
			case 1, 2: // a pebble
				p.Y += 1.2
				add(polygon(p, p.Add(collide.Vec3{Z: 0.05}), p.Add(collide.Vec3{X: 0.05, Y: 0.01})), true)
			case 3:
				if r.IntN(side) == 0 { // a roof
					p.Y += 4
					size := float64(1 + r.IntN(side))
					add(polygon(p, p.Add(collide.Vec3{Z: size}), p.Add(collide.Vec3{X: size, Y: 1, Z: size}),
						p.Add(collide.Vec3{X: size, Y: 1})), true)
				}
			}
		}
	}
	return surfaces, side
}

// fallingBalls returns n balls above a level with velocities from slow to very fast.
func fallingBalls(n, side int, r *rand.Rand) []ball {
	var balls []ball
	for range n {
		b := ball{
			x: collide.Vec3{
				X: 1 + float64(float64(side-2)*r.Float64()), Y: 2 + 2*r.Float64(),
				Z: 1 + float64(float64(side-2)*r.Float64()),
			},
			v: within(r, collide.Vec3{X: 10, Y: 2, Z: 10}), r: 0.1 + float64(0.3*r.Float64()), mass: 1,
			material: bouncy(0.5),
		}
		if r.IntN(20) == 0 {
			b.v = b.v.Scale(50)
		}
		balls = append(balls, b)
	}
	return balls
}

// stepLevel runs a step without updating the surfaces, which don't move. Bodies that leave the
// level are put back.
func (w *world) stepLevel(side int) {
	for i := range w.balls {
		if b := &w.balls[i]; !(b.x.Y > -5 && b.x.X > 0 && b.x.Z > 0 && b.x.X < float64(side) && b.x.Z < float64(side)) {
			b.x = collide.Vec3{
				X: float64(side) * (0.1 + float64(0.8*float64(i)/float64(len(w.balls)))), Y: 3,
				Z: float64(side) / 2,
			}
			b.v = collide.Vec3{X: 5, Y: 1, Z: float64(i%7) - 3}
		}
		w.set(i)
		w.space.Accelerate(w.ids[i], collide.Vec3{Y: -9.81})
	}
	w.space.Begin()
	w.space.Sweep()
	w.space.Finish()
	for i := range w.balls {
		s := w.space.State(w.ids[i])
		w.balls[i].x, w.balls[i].v = s.Position, s.Velocity
	}
}

// The hashes are golden values. Package bvh tests that the tree finds the same polygons as a linear
// scan. Before persistent contacts were solved together, the hashes were those of a linear scan
// (commit 52e4fab).
func TestLevelHasTheSameBitsOnAllPlatforms(t *testing.T) {
	for n, want := range map[int]uint64{100: 0xf1e5e4276dd441bb, 2000: 0x3878d13fc99cfd2a} {
		r := random(uint64(n))
		w := newWorld()
		surfaces, side := level(n, r)
		for _, f := range surfaces {
			w.addSurface(f)
		}
		for _, b := range fallingBalls(40, side, r) {
			w.add(b)
		}
		impacts, got := 0, uint64(0)
		for range 200 {
			w.stepLevel(side)
			impacts += w.space.Counts.Impacts
			got = w.hash(got)
		}
		if got != want {
			t.Errorf("%d polygons: hash %#x after %d impacts, want %#x", n, got, impacts, want)
		}
	}
}

// platforms adds n polygons that move over a level.
func (w *world) platforms(n, side int, r *rand.Rand) {
	for range n {
		x, z := float64(side)*r.Float64(), float64(side)*r.Float64()
		g := polygon(collide.Vec3{X: x, Y: 1.5, Z: z}, collide.Vec3{X: x, Y: 1.5, Z: z + 1},
			collide.Vec3{X: x + 1, Y: 1.5, Z: z + 1}, collide.Vec3{X: x + 1, Y: 1.5, Z: z})
		w.addSurface(solver.Surface{
			Shape: statics.Shape{
				Polygon: g, Plane: g.Plane(), TwoSided: true,
				Velocity: within(r, collide.Vec3{X: 2, Y: 0.5, Z: 2}),
			},
			Material: bouncy(0.5),
		})
	}
}

// movePlatforms updates the platforms, which are the last n surfaces, as every step does. They
// reverse every second.
func (w *world) movePlatforms(n, step int) {
	for k := len(w.surfaces) - n; k < len(w.surfaces); k++ {
		f := &w.surfaces[k]
		f.Offset = f.Offset.Add(w.space.Travelled(w.surface(k)))
		if step%60 == k%60 {
			f.Velocity = f.Velocity.Neg()
		}
		w.space.SetSurface(w.surface(k), *f)
	}
}

func TestStepOnALevelDoesNotAllocate(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	w, side := levelWorld(10000, 300)
	w.platforms(50, side, random(3))
	step := 0
	stepLevel := func() {
		step++
		w.movePlatforms(50, step)
		w.stepLevel(side)
	}
	for range 200 {
		stepLevel()
	}
	if got := testing.AllocsPerRun(100, stepLevel); got != 0 {
		t.Errorf("a step allocates %v times", got)
	}
}

func levelWorld(n, spheres int) (*world, int) {
	r := random(1)
	w := newWorld()
	surfaces, side := level(n, r)
	for _, f := range surfaces {
		w.addSurface(f)
	}
	for _, b := range fallingBalls(spheres, side, r) {
		w.add(b)
	}
	for range 60 {
		w.stepLevel(side)
	}
	return w, side
}

// BenchmarkLevel steps 300 spheres on levels of several sizes. It repeats the same forty steps.
func BenchmarkLevel(b *testing.B) {
	for _, n := range []int{100, 1000, 10000, 100000} {
		b.Run(fmt.Sprint(n, "Static"), func(b *testing.B) {
			w, side := levelWorld(n, 300)
			start := slices.Clone(w.balls)
			impacts, steps := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				if steps++; steps%40 == 0 {
					copy(w.balls, start)
				}
				w.stepLevel(side)
				impacts += w.space.Counts.Impacts
			}
			b.ReportMetric(float64(impacts)/float64(b.N), "impacts/op")
		})
	}
}

// BenchmarkPlatforms is BenchmarkLevel with 100,000 polygons and n moving platforms.
func BenchmarkPlatforms(b *testing.B) {
	for _, n := range []int{0, 1, 300} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w, side := levelWorld(100000, 300)
			w.platforms(n, side, random(3))
			w.stepLevel(side)
			start := slices.Clone(w.balls)
			step := 0
			b.ReportAllocs()
			for b.Loop() {
				if step++; step%40 == 0 {
					copy(w.balls, start)
				}
				w.movePlatforms(n, step)
				w.stepLevel(side)
			}
		})
	}
}

// BenchmarkSurfaceQueries measures queries in a level of 100,000 polygons.
func BenchmarkSurfaceQueries(b *testing.B) {
	w, side := levelWorld(100000, 1)
	r := random(5)
	everything := func(solver.Handle) bool { return true }
	at := func(y float64) collide.Vec3 {
		return collide.Vec3{X: float64(side) * r.Float64(), Y: y, Z: float64(side) * r.Float64()}
	}
	ray := func(x collide.Vec3) *solver.Probe { return &solver.Probe{Sphere: collide.Sphere{Center: x}} }
	for name, ask := range map[string]func(){
		"RayDown": func() { w.space.Cast(ray(at(3)), collide.Vec3{Y: -1}, 100, everything) },
		"RayAcross": func() {
			w.space.Cast(ray(at(3)), collide.Vec3{X: 0.8, Y: -0.01, Z: 0.6}, math.Inf(1), everything)
		},
		"CastAll": func() {
			ball := &solver.Probe{Sphere: collide.Sphere{Center: at(3), Radius: 0.3}}
			w.space.CastAll(ball, collide.Vec3{X: 0.6, Y: -0.8}, 100, everything, nil)
		},
		"InSphere": func() { w.space.InSphere(collide.Sphere{Center: at(1), Radius: 0.5}, func(solver.Handle) {}) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ask()
			}
		})
	}
}

// BenchmarkChange steps a level of 100,000 polygons after the game has changed one of them.
func BenchmarkChange(b *testing.B) {
	w, side := levelWorld(100000, 1)
	k := 0
	for b.Loop() {
		k = (k + 7919) % 90000
		f := w.surfaces[k]
		w.surfaces[k] = w.surfaces[(k+45000)%90000]
		w.surfaces[(k+45000)%90000] = f
		w.space.SetSurface(w.surface(k), w.surfaces[k])
		w.stepLevel(side)
	}
}

// BenchmarkTiles steps 300 spheres that roll over a floor of 100,000 square tiles.
func BenchmarkTiles(b *testing.B) {
	w, side := newWorld(), 316
	for k := range side * side {
		p := collide.Vec3{X: float64(k % side), Z: float64(k / side)}
		g := polygon(p, p.Add(collide.Vec3{Z: 1}), p.Add(collide.Vec3{X: 1, Z: 1}), p.Add(collide.Vec3{X: 1}))
		w.addSurface(twoSided(g, bouncy(0)))
	}
	r := random(1)
	for _, f := range fallingBalls(300, side, r) {
		f.x.Y, f.v.Y, f.material = f.r, 0, bouncy(0)
		w.add(f)
	}
	w.stepLevel(side)
	start := slices.Clone(w.balls)
	impacts, steps := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		if steps++; steps%40 == 0 {
			copy(w.balls, start)
		}
		w.stepLevel(side)
		impacts += w.space.Counts.Impacts
	}
	b.ReportMetric(float64(impacts)/float64(b.N), "impacts/op")
}
