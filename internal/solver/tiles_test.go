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

// point2 is a point of a floor in its own coordinates, m.
type point2 struct{ x, y float64 }

func (p point2) sub(q point2) point2 { return point2{p.x - q.x, p.y - q.y} }

// corridor is the part of a floor that a ball may touch: all points closer than width to the path
// from the origin.
type corridor struct {
	way           point2 // unit vector
	length, width float64
}

// touches reports whether a convex tile may be in the corridor.
func (c corridor) touches(tile []point2) bool {
	before, after, left, right := true, true, true, true
	for _, p := range tile {
		s, h := p.x*c.way.x+p.y*c.way.y, p.y*c.way.x-p.x*c.way.y
		before, after = before && s < -c.width, after && s > c.length+c.width
		left, right = left && h > c.width, right && h < -c.width
	}
	return !before && !after && !left && !right
}

// cells calls add with the cells of a square lattice in the corridor and around it.
func (c corridor) cells(side float64, add func(i, j int)) {
	end := point2{c.way.x * c.length, c.way.y * c.length}
	from := point2{min(0, end.x) - c.width, min(0, end.y) - c.width}
	to := point2{max(0, end.x) + c.width, max(0, end.y) + c.width}
	for i := int(math.Floor(from.x/side)) - 1; float64(i)*side <= to.x+side; i++ {
		for j := int(math.Floor(from.y/side)) - 1; float64(j)*side <= to.y+side; j++ {
			x, y := float64(i)*side, float64(j)*side
			near := []point2{
				{x - side, y - side},
				{x + 2*side, y - side},
				{x + 2*side, y + 2*side},
				{x - side, y + 2*side},
			}
			if c.touches(near) {
				add(i, j)
			}
		}
	}
}

// floors are the ways in which a floor is divided into convex tiles.
var floors = map[string]func(r *rand.Rand, c corridor, side float64) [][]point2{
	"squares": func(_ *rand.Rand, c corridor, side float64) (tiles [][]point2) {
		c.cells(side, func(i, j int) {
			x, y, x1, y1 := float64(i)*side, float64(j)*side, float64(i+1)*side, float64(j+1)*side
			tiles = append(tiles, []point2{{x, y}, {x1, y}, {x1, y1}, {x, y1}})
		})
		return tiles
	},
	"strips": func(_ *rand.Rand, c corridor, side float64) (tiles [][]point2) {
		n := int((c.length+c.width)/side) + 2
		far := c.length + c.width + 1
		for i := -n; i < n; i++ {
			x, x1 := float64(i)*side, float64(i+1)*side
			tiles = append(tiles, []point2{{x, -far}, {x1, -far}, {x1, far}, {x, far}})
		}
		return tiles
	},
	"thin triangles": func(_ *rand.Rand, c corridor, side float64) (tiles [][]point2) {
		c.cells(side, func(i, j int) {
			for n := range 4 { // each square is four fans of two triangles
				y, y1 := (float64(j)+float64(n)/4)*side, (float64(j)+float64(n+1)/4)*side
				x, x1 := float64(i)*side, float64(i+1)*side
				if n == 3 {
					y1 = float64(j+1) * side
				}
				tiles = append(tiles, []point2{{x, y}, {x1, y}, {x1, y1}}, []point2{{x, y}, {x1, y1}, {x, y1}})
			}
		})
		return tiles
	},
	"Voronoi cells": func(r *rand.Rand, c corridor, side float64) (tiles [][]point2) {
		seed := r.Uint64()
		site := func(i, j int) point2 {
			r := rand.New(rand.NewPCG(seed, uint64(uint32(i))<<32|uint64(uint32(j))))
			return point2{(float64(i) + r.Float64()) * side, (float64(j) + r.Float64()) * side}
		}
		c.cells(side, func(i, j int) {
			p := site(i, j)
			cell := []point2{
				{p.x - 2*side, p.y - 2*side},
				{p.x + 2*side, p.y - 2*side},
				{p.x + 2*side, p.y + 2*side},
				{p.x - 2*side, p.y + 2*side},
			}
			for di := -3; di <= 3; di++ {
				for dj := -3; dj <= 3; dj++ {
					if di != 0 || dj != 0 {
						cell = nearerTo(cell, p, site(i+di, j+dj))
					}
				}
			}
			tiles = append(tiles, cell)
		})
		return tiles
	},
	"bricks": func(r *rand.Rand, c corridor, side float64) (tiles [][]point2) {
		seed := r.Uint64()
		c.cells(side, func(i, j int) {
			shift := rand.New(rand.NewPCG(seed, uint64(uint32(j)))).Float64() * side
			x, y, x1, y1 := float64(i)*side+shift, float64(j)*side, float64(i+1)*side+shift, float64(j+1)*side
			tiles = append(tiles, []point2{{x, y}, {x1, y}, {x1, y1}, {x, y1}})
		})
		return tiles
	},
}

// nearerTo returns the part of a convex cell that is nearer to p than to q.
func nearerTo(cell []point2, p, q point2) (rest []point2) {
	middle, d := point2{(p.x + q.x) / 2, (p.y + q.y) / 2}, q.sub(p)
	height := func(a point2) float64 { return (a.x-middle.x)*d.x + (a.y-middle.y)*d.y }
	for k, a := range cell {
		b := cell[(k+1)%len(cell)]
		ha, hb := height(a), height(b)
		if ha <= 0 {
			rest = append(rest, a)
		}
		if ha < 0 && hb > 0 || ha > 0 && hb < 0 {
			s := ha / (ha - hb)
			rest = append(rest, point2{a.x + s*(b.x-a.x), a.y + s*(b.y-a.y)})
		}
	}
	return rest
}

// frame is where a floor is in space: its normal points up.
type frame struct{ origin, right, forward, up collide.Vec3 }

var levelFrame = frame{right: collide.Vec3{X: 1}, forward: collide.Vec3{Z: -1}, up: collide.Vec3{Y: 1}}

// randomFrame returns a frame in any direction.
func randomFrame(r *rand.Rand) (f frame) {
	f.up, _ = collide.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
	f.right, _ = f.up.Cross(collide.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}).Normalized()
	f.forward = f.up.Cross(f.right)
	f.origin = collide.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
	return f
}

// at returns the point of the frame with the given coordinates.
func (f frame) at(x, y, height float64) collide.Vec3 {
	return f.origin.AddScaled(x, f.right).AddScaled(y, f.forward).AddScaled(height, f.up)
}

// vector returns a vector with the given components.
func (f frame) vector(x, y, height float64) collide.Vec3 {
	return f.right.Scale(x).AddScaled(y, f.forward).AddScaled(height, f.up)
}

// floorRun is a ball on a floor.
type floorRun struct {
	frame           frame
	ball            ball // x and v in the coordinates of the frame: right, ahead, up
	spin            collide.Vec3
	e, mu           float64
	gravity         float64
	twoSided, spins bool
	tiles           [][]point2 // empty for a plane
}

// start returns the world of the run before the first step.
func (c *floorRun) start() *spinWorld {
	w := newSpinWorld()
	w.space.RestSpeed = 0.1
	w.gravity = c.frame.up.Scale(-c.gravity)
	w.space.Down = w.gravity
	m := w.rough(c.e, c.mu)
	b := c.ball
	b.x, b.v = c.frame.at(b.x.X, b.x.Y, b.x.Z), c.frame.vector(b.v.X, b.v.Y, b.v.Z)
	b.material = m
	w.add(b, bodySpin{
		w: c.frame.vector(c.spin.X, c.spin.Y, c.spin.Z), inverseInertia: solidInverseInertia(b), noSpin: !c.spins,
	})
	if c.tiles == nil {
		p, err := collide.PlaneThrough(c.frame.origin, c.frame.up)
		if err != nil {
			panic(err)
		}
		w.addSurface(solver.Surface{Shape: statics.Shape{Plane: p, TwoSided: c.twoSided}, Material: m})
		return w
	}
	for _, tile := range c.tiles {
		var corners []collide.Vec3
		for _, p := range tile {
			corners = append(corners, c.frame.at(p.x, p.y, 0))
		}
		g, err := collide.NewPolygon(corners...)
		if err != nil {
			panic(fmt.Sprint(err, tile))
		}
		w.addSurface(solver.Surface{
			Shape: statics.Shape{Polygon: &g, Plane: g.Plane(), TwoSided: c.twoSided}, Material: m,
		})
	}
	return w
}

// String describes the run.
func (c *floorRun) String() string {
	return fmt.Sprintf("radius %v at %v with %v m/s and %v rad/s, restitution %v, friction %v, gravity %v, "+
		"two-sided %t, up %v", c.ball.r, c.ball.x, c.ball.v, c.spin, c.e, c.mu, c.gravity, c.twoSided, c.frame.up)
}

// A ball on tiles must move as on a plane, in every step of the first 100 m.
func TestABallOnTilesMovesAsOnAPlane(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	kinds := make([]string, 0, len(floors))
	for kind := range floors {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	runs := slow.Cases(12)
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			for seed := range uint64(runs) {
				r := random(seed + 1)
				compareWithPlane(t, r, kind)
			}
		})
	}
}

// compareWithPlane runs a random ball on a floor of tiles and on a plane. It compares position,
// velocity and spin after each step, relative to the speed, and the number of impacts.
func compareWithPlane(t *testing.T, r *rand.Rand, kind string) {
	t.Helper()
	pick := func(values ...float64) float64 { return values[r.IntN(len(values))] }
	c := floorRun{frame: levelFrame, gravity: pick(9.81, 9.81, 0, 30)}
	if r.IntN(3) == 0 {
		c.frame = randomFrame(r)
	}
	side := pick(0.1, 0.25, 1)
	speed := pick(0.101, 0.5, 2, 7, 20, 50) // at 0.1 m/s, rounding decides whether a ball stops
	c.e, c.mu = pick(0, 0, 0.5, 0.9, 1), pick(0, 0.02, 0.1, 0.5, 1)
	c.ball = ball{r: pick(0.05, 0.25, 0.5, 2), mass: 1}
	angle := pick(0, math.Pi/2, math.Pi/4, 7*math.Pi/180, 2*math.Pi*r.Float64())
	way := point2{math.Cos(angle), math.Sin(angle)}
	if angle == math.Pi/2 {
		way.x = 0
	}
	c.ball.v = collide.Vec3{X: speed * way.x, Y: speed * way.y}
	c.ball.x = collide.Vec3{Z: c.ball.r}
	if r.IntN(3) == 0 {
		c.ball.x.X, c.ball.x.Y = r.Float64()*side, r.Float64()*side
	}
	if r.IntN(3) == 0 {
		c.ball.x.Z += r.Float64()
		c.ball.v.Z = -3 * r.Float64()
	}
	c.twoSided, c.spins = r.IntN(2) == 0, r.IntN(3) > 0
	if c.spins && r.IntN(2) == 0 {
		c.spin = collide.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(speed / c.ball.r)
	}
	// Friction and spin turn the path, so the corridor is as wide as a ball with them may leave it.
	length := min(100, speed*10)
	width := 2*c.ball.r + side
	if c.spin != (collide.Vec3{}) && c.mu > 0 {
		length = min(length, 10)
		width += length
	}
	side = max(side, c.ball.r/4)
	length = min(length, 2000*side*side/width)
	impacts := 0
	plane := c.start()
	c.tiles = floors[kind](r, corridor{way, length, width}, side)
	tiles := c.start()
	for n := range 1000 {
		p, q := &plane.balls[0], &tiles.balls[0]
		if p.x.Sub(c.frame.origin).Length() > length || p.v.Length() < 1e-12*speed {
			break
		}
		plane.step()
		tiles.step()
		difference := max(p.x.Distance(q.x), p.v.Distance(q.v)/speed,
			plane.spins[0].w.Distance(tiles.spins[0].w)*p.r/speed)
		if difference > 1e-9 {
			t.Errorf("%v, tiles of %v: after step %d, on tiles the ball is at %v with %v m/s and %v, "+
				"on a plane at %v with %v m/s and %v", &c, side, n, q.x, q.v, tiles.spins[0].w,
				p.x, p.v, plane.spins[0].w)
			break
		}
		impacts += tiles.space.Counts.Impacts - plane.space.Counts.Impacts
	}
	if impacts > 0 {
		t.Errorf("%v, tiles of %v: the ball has %d impacts that it does not have on a plane", &c, side, impacts)
	}
}

// surfaceOf adds a paraboloid of triangles, 3 m wide: a bowl, or a hill if curvature is negative.
func (w *spinWorld) surfaceOf(curvature, side float64, m solver.Material) {
	at := func(i, j int) collide.Vec3 {
		x, z := float64(i)*side, float64(j)*side
		return collide.Vec3{X: x, Y: curvature * (x*x + z*z), Z: z}
	}
	add := func(a, b, c collide.Vec3) {
		g := polygon(a, b, c)
		w.addSurface(solver.Surface{Shape: statics.Shape{Polygon: g, Plane: g.Plane(), TwoSided: true}, Material: m})
	}
	n := int(1.5 / side)
	for i := -n; i < n; i++ {
		for j := -n; j < n; j++ {
			add(at(i, j), at(i, j+1), at(i+1, j))
			add(at(i+1, j), at(i, j+1), at(i+1, j+1))
		}
	}
}

// A ball in a bowl of triangles slides or bounces from one to the next for 10 s. No step may add
// energy by more than rounding.
func TestABallInABowlOfTilesNeverGainsEnergy(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	const g = 9.81
	for _, e := range []float64{0, 0.5, 1} {
		for _, mu := range []float64{0, 0.3} {
			for _, side := range []float64{0.05, 0.1, 0.3} {
				for _, curvature := range []float64{0.3, -0.1} {
					if testing.Short() && side < 0.1 {
						continue
					}
					w := newSpinWorld()
					w.space.RestSpeed = 0.1
					w.gravity = collide.Vec3{Y: -g}
					m := w.rough(e, mu)
					w.surfaceOf(curvature, side, m)
					b := ball{
						r: 0.2, mass: 1, material: m, v: collide.Vec3{Z: 0.8, X: -1},
						x: collide.Vec3{X: 0.9, Y: 0.3 + 0.81*max(curvature, 0), Z: 0.1},
					}
					w.add(b, bodySpin{inverseInertia: solidInverseInertia(b)})
					last := math.Inf(1)
					for n := range 600 {
						now := w.energy() + g*w.balls[0].x.Y
						if now > last+1e-12 {
							t.Errorf("restitution %v, friction %v, curvature %v of tiles of %v m: step %d adds %.1e J",
								e, mu, curvature, side, n, now-last)
							break
						}
						last = now
						w.step()
					}
					if x := w.balls[0].x; curvature > 0 && x.Y < 0 {
						t.Errorf("restitution %v, friction %v: it fell through tiles of %v m at %v", e, mu, side, x)
					}
				}
			}
		}
	}
}

// A ball on tiles that all move at one velocity must move as on a plane that does.
func TestABallOnMovingTilesMovesAsOnAMovingPlane(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	const side = 0.2
	for _, u := range []collide.Vec3{{X: 1}, {Y: 0.5}, {Y: -0.5}, {X: 0.3, Y: 0.4, Z: -0.2}} {
		for _, mu := range []float64{0, 0.4} {
			run := func(tiled bool) (spinWorld, collide.Vec3) {
				w := newSpinWorld()
				w.space.RestSpeed = 0.1
				w.gravity = collide.Vec3{Y: -9.81}
				m := w.rough(0.3, mu)
				floor := []solver.Surface{{
					Shape: statics.Shape{Plane: collide.Plane{Normal: collide.Vec3{Y: 1}}, Velocity: u}, Material: m,
				}}
				for i := -15; tiled && i < 15; i++ {
					for j := -10; j < 10; j++ {
						x, z := float64(i)*side, float64(j)*side
						g := polygon(collide.Vec3{X: x, Z: z}, collide.Vec3{X: x, Z: z + side},
							collide.Vec3{X: x + side, Z: z + side}, collide.Vec3{X: x + side, Z: z})
						floor = append(floor, solver.Surface{
							Shape: statics.Shape{Polygon: g, Plane: g.Plane(), Velocity: u}, Material: m,
						})
					}
				}
				if tiled {
					floor = floor[1:]
				}
				var numbers []int32
				for _, f := range floor {
					k := w.space.AddSurface()
					numbers = append(numbers, k)
					w.space.SetSurface(k, f)
				}
				b := ball{r: 0.3, mass: 1, material: m, x: collide.Vec3{Y: 0.35}, v: collide.Vec3{X: 2, Z: 0.3}}
				w.add(b, bodySpin{inverseInertia: solidInverseInertia(b)})
				for n := range 60 {
					w.step()
					for at, k := range numbers {
						floor[at].Offset = u.Scale(step * float64(n+1))
						if !tiled {
							floor[at].Plane.Distance = floor[at].Offset.Y
						}
						w.space.SetSurface(k, floor[at])
					}
				}
				return *w, w.balls[0].x
			}
			plane, want := run(false)
			tiles, got := run(true)
			if got.Distance(want) > 1e-9 || plane.balls[0].v.Distance(tiles.balls[0].v) > 1e-9 {
				t.Errorf("velocity %v, friction %v: on tiles at %v with %v m/s, on a plane at %v with %v m/s",
					u, mu, got, tiles.balls[0].v, want, plane.balls[0].v)
			}
		}
	}
}
