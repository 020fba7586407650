package solver_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
)

// walk runs steps in which body 0, a character, is given the velocity want before each step.
func (w *world) walk(t *testing.T, want collide.Vec3, steps int) {
	t.Helper()
	for k := range steps {
		w.balls[0].v = want
		w.step()
		w.checkApart(t, k)
	}
}

func walker(at collide.Vec3) *world {
	return newWorld(ball{x: at, r: 0.5, mass: 1, material: slippery()})
}

func unit(v collide.Vec3) collide.Vec3 {
	n, ok := v.Normalized()
	if !ok {
		panic("no direction")
	}
	return n
}

// wedge adds two walls that open upwards and meet at an angle in the z axis.
func (w *world) wedge(degrees float64) {
	s, c := math.Sincos(degrees * math.Pi / 360)
	w.plane(collide.Vec3{X: c, Y: s}, 0, bouncy(0))
	w.plane(collide.Vec3{X: -c, Y: s}, 0, bouncy(0))
}

// inWedge returns the position at which a sphere with that radius rests in a wedge.
func inWedge(degrees, radius float64) collide.Vec3 {
	return collide.Vec3{Y: radius / math.Sin(degrees*math.Pi/360)}
}

func TestCharactersSlideAlongSurfaces(t *testing.T) {
	half := math.Sqrt(0.5)
	cases := []struct {
		name  string
		make  func() *world
		want  collide.Vec3 // the velocity set before each step
		steps int
		ends  collide.Vec3 // the velocity at the end
		where *collide.Vec3
	}{
		{"on a floor", func() *world {
			w := walker(collide.Vec3{Y: 2})
			w.plane(collide.Vec3{Y: 1}, 0, bouncy(0))
			return w
		}, collide.Vec3{X: 3, Y: -4, Z: 1}, 60, collide.Vec3{X: 3, Z: 1}, nil},
		{"on a floor and along a wall", func() *world {
			w := walker(collide.Vec3{Y: 2})
			w.plane(collide.Vec3{Y: 1}, 0, bouncy(0))
			w.plane(collide.Vec3{X: -1}, -1, bouncy(0))
			return w
		}, collide.Vec3{X: 3, Y: -4, Z: 1}, 60, collide.Vec3{Z: 1}, nil},
		{"along the crease of a wedge of 10 degrees", func() *world {
			w := walker(collide.Vec3{Y: 8})
			w.wedge(10)
			return w
		}, collide.Vec3{X: 1, Y: -4, Z: 1}, 120, collide.Vec3{Z: 1}, nil},
		{"along the crease of a wedge of 1 degree", func() *world {
			w := walker(inWedge(1, 0.5).Add(collide.Vec3{Y: 1}))
			w.wedge(1)
			return w
		}, collide.Vec3{X: 1, Y: -4, Z: 1}, 120, collide.Vec3{Z: 1}, nil},
		{"up and out of a wedge", func() *world {
			w := walker(inWedge(10, 0.5))
			w.wedge(10)
			return w
		}, collide.Vec3{X: 0.01, Y: 4, Z: 1}, 60, collide.Vec3{X: 0.01, Y: 4, Z: 1}, nil},
		{"around an obtuse corner", func() *world {
			w := walker(collide.Vec3{X: -2, Y: 0.7})
			w.plane(collide.Vec3{Y: 1}, 0, bouncy(0))
			w.plane(collide.Vec3{X: -1, Y: 1}, 0, bouncy(0)) // a slope of 45 degrees behind the floor
			return w
		}, collide.Vec3{X: 4, Y: -1}, 120, collide.Vec3{X: 1.5, Y: 1.5}, nil},
		{"into three walls that oppose", func() *world {
			w := walker(collide.Vec3{X: -2, Y: 2, Z: -3})
			w.plane(collide.Vec3{Y: 1}, 0, bouncy(0))
			w.plane(collide.Vec3{X: -1}, -1, bouncy(0))
			w.plane(collide.Vec3{Z: -1}, -1, bouncy(0))
			return w
		}, collide.Vec3{X: 3, Y: -4, Z: 5}, 120, collide.Vec3{}, &collide.Vec3{X: 0.5, Y: 0.5, Z: 0.5}},
		{"along two of three walls, leaving the third", func() *world {
			w := walker(collide.Vec3{X: -2, Y: 0.5, Z: -2})
			w.plane(collide.Vec3{Y: 1}, 0, bouncy(0))
			w.plane(collide.Vec3{X: -1, Y: 1}, 0, bouncy(0))
			w.plane(collide.Vec3{Z: -1}, -1, bouncy(0))
			return w
		}, collide.Vec3{X: 4, Y: -1, Z: 2}, 120, collide.Vec3{X: 1.5, Y: 1.5}, nil},
		{"straight onto a static sphere", func() *world {
			w := walker(collide.Vec3{Y: 3})
			w.add(ball{r: 1, kind: solver.Static, material: bouncy(0)})
			return w
		}, collide.Vec3{Y: -4}, 60, collide.Vec3{}, &collide.Vec3{Y: 1.5}},
		{"on a lift", func() *world {
			w := walker(collide.Vec3{Y: 0.6})
			w.surfaces[w.plane(collide.Vec3{Y: 1}, 0, bouncy(0))].Velocity = collide.Vec3{Y: 2}
			return w
		}, collide.Vec3{X: 1, Y: -1}, 60, collide.Vec3{X: 1, Y: 2}, &collide.Vec3{X: 1, Y: 2.5}},
		{"along a wall at 45 degrees", func() *world {
			w := walker(collide.Vec3{})
			w.plane(collide.Vec3{X: -half, Y: half}, -1, bouncy(0))
			return w
		}, collide.Vec3{X: 4}, 60, collide.Vec3{X: 2, Y: 2}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := c.make()
			w.walk(t, c.want, c.steps)
			if got := w.balls[0].v; got.Distance(c.ends) > 1e-12 {
				t.Errorf("moves at %v in the end, want %v", got, c.ends)
			}
			if c.where != nil && w.balls[0].x.Distance(*c.where) > 1e-9 {
				t.Errorf("ends at %v, want %v", w.balls[0].x, *c.where)
			}
			if w.space.Counts.Jammed > 0 {
				t.Error("its budget is exceeded")
			}
		})
	}
}

// shaft adds a round shaft of n planes, or n long polygons, around the z axis. A sphere with that
// radius just fits into it.
func (w *world) shaft(n int, radius float64, polygons bool) {
	for k := range n {
		s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		inward := unit(collide.Vec3{X: -c, Y: -s})
		if !polygons {
			w.plane(inward, -radius, bouncy(0))
			continue
		}
		side := collide.Vec3{X: -inward.Y, Y: inward.X}.Scale(radius * 1.01 * math.Tan(math.Pi/float64(n)))
		foot := inward.Scale(-radius)
		lo, hi := collide.Vec3{Z: -10}, collide.Vec3{Z: 1e4}
		g, err := collide.NewPolygon(foot.Sub(side).Add(lo), foot.Add(side).Add(lo), foot.Add(side).Add(hi),
			foot.Sub(side).Add(hi))
		if err != nil {
			panic(err)
		}
		w.addSurface(twoSided(&g, bouncy(0)))
	}
}

// A sphere that just fits into a shaft is pressed against it from all sides. It slides at the axial
// component of the velocity asked for.
func TestSlidingInAShaftOfTheSameRadius(t *testing.T) {
	for _, c := range []struct {
		name     string
		n        int
		polygons bool
		gravity  bool
		steps    int
	}{
		{"64 planes, pushed", 64, false, false, 10000},
		{"64 planes, gravity across", 64, false, true, 10000},
		{"7 planes, pushed", 7, false, false, 2000},
		{"60 planes, pushed", 60, false, false, 2000},
		{"100 planes, pushed", 100, false, false, 2000},
		{"64 polygons, pushed", 64, true, false, 600},
		{"64 polygons, gravity across", 64, true, true, 600},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := walker(collide.Vec3{})
			w.shaft(c.n, 0.5, c.polygons)
			steps, z, spent := slow.Steps(c.steps), 0.0, 0
			for k := range steps {
				s, cos := math.Sincos(0.37 * float64(k/5))
				push := collide.Vec3{X: 4 * cos, Y: 4 * s, Z: 1}
				if c.gravity {
					w.gravity = collide.Vec3{X: 10 * cos, Y: 10 * s}
					push = collide.Vec3{Z: 1}
				}
				w.balls[0].v = push
				w.step()
				spent += w.space.Counts.Jammed
				z += step
				b := &w.balls[0]
				if off := math.Hypot(b.x.X, b.x.Y); off > 1e-9*0.5 {
					t.Fatalf("step %d: %.3g m off the axis", k, off)
				}
				if math.Abs(b.v.Z-1) > 1e-12 || math.Abs(b.x.Z-z) > 1e-9 {
					t.Fatalf("step %d: at z = %v moving at %v, want %v and 1; %+v", k, b.x.Z, b.v.Z, z, w.space.Counts)
				}
			}
			b := w.balls[0]
			t.Logf("%.3g m off the axis, %.3g m off its way, %.3g m/s across", math.Hypot(b.x.X, b.x.Y), b.x.Z-z,
				math.Hypot(b.v.X, b.v.Y))
			if spent > 0 {
				t.Errorf("%d bodies jammed", spent)
			}
		})
	}
}

// A sphere moves into a funnel of many planes. It gets stuck and stays at the same position to the
// last bit.
func TestSlidingIntoATaperedEndStops(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, n := range []int{3, 4, 7, 16, 64} {
		for _, tilt := range []float64{0.5, 0.1, 0.01} {
			w := walker(collide.Vec3{Z: -3})
			for k := range n {
				s, c := math.Sincos(2*math.Pi*float64(k)/float64(n) + 0.1)
				w.plane(collide.Vec3{X: -c, Y: -s, Z: -tilt}, -0.55, bouncy(0))
			}
			w.walk(t, collide.Vec3{X: 0.7, Y: -0.3, Z: 6}, 1000)
			start := w.balls[0].x
			for k := range slow.Steps(1000) {
				w.balls[0].v = collide.Vec3{X: 0.7, Y: -0.3, Z: 6}
				w.step()
				w.checkApart(t, k)
				if d := w.balls[0].x.Distance(start); d > 1e-12 {
					t.Errorf("%d planes tilted by %v: moves by %.3g m in step %d", n, tilt, d, k)
					break
				}
			}
			if d := w.balls[0].v.Length(); d > 1e-12 {
				t.Errorf("%d planes tilted by %v: moves at %v m/s, %+v", n, tilt, w.balls[0].v, w.space.Counts)
			}
		}
	}
}

// Drops balls with several restitutions.
func TestBallsComeToRest(t *testing.T) {
	for _, e := range []float64{0, 0.3, 0.5, 0.8, 0.9} {
		w := newWorld()
		w.gravity.Y = -9.81
		w.space.RestSpeed = 2 * 9.81 * step
		w.plane(collide.Vec3{Y: 1}, 0, bouncy(0))
		w.plane(collide.Vec3{Y: 1, X: 0.2}, -30, bouncy(0))
		w.add(ball{x: collide.Vec3{Y: 3}, r: 0.5, mass: 2, material: bouncy(e)})
		for k := range 3000 {
			w.step()
			w.checkApart(t, k)
		}
		if b := w.balls[0]; b.v.Length() > 0 || math.Abs(b.x.Y-0.5) > 1e-12 {
			t.Errorf("restitution %v: at height %v moving at %v after 50 s", e, b.x.Y, b.v)
		}
	}
}

// Drops a ball with restitution 0 into funnels of many planes. It comes to rest to the last bit.
func TestBallComesToRestInAFunnel(t *testing.T) {
	for _, n := range []int{3, 4, 5, 7, 16, 64} {
		for _, tilt := range []float64{0.5, 0.1} {
			w := newWorld(ball{x: collide.Vec3{Y: 3, X: 0.01}, r: 0.5, mass: 1, material: bouncy(0)})
			w.gravity = collide.Vec3{X: 0.3, Y: -10, Z: 0.2}
			w.space.RestSpeed = 2 * 10 * step
			for k := range n {
				s, c := math.Sincos(2*math.Pi*float64(k)/float64(n) + 0.1)
				w.plane(collide.Vec3{X: -c, Z: -s, Y: tilt}, -0.55, bouncy(0))
			}
			start := collide.Vec3{}
			for k := range 1200 {
				if k == 1000 {
					start = w.balls[0].x
				}
				w.step()
				w.checkApart(t, k)
			}
			if b := w.balls[0]; b.x.Distance(start) > 1e-12 || b.v.Length() > 1e-12 {
				t.Errorf("%d planes tilted by %v: moves by %.3g m, at %.3g m/s, %+v", n, tilt, b.x.Distance(start),
					b.v.Length(), w.space.Counts)
			}
		}
	}
}

// A character stands on a slope if the coefficient of friction is at least the slope, and slides
// down with the acceleration that friction leaves it otherwise.
func TestFrictionHoldsCharactersOnSlopes(t *testing.T) {
	const g, mu, seconds = 9.81, 0.5, 2
	for _, degrees := range []float64{0, 1, 20, 26.5, 26.6, 35, 60} {
		for _, moving := range []bool{false, true} {
			for _, surface := range []string{"plane", "polygon", "sliding plane", "static ball"} {
				sin, cos := math.Sincos(degrees * math.Pi / 180)
				n, down := collide.Vec3{X: sin, Y: cos}, collide.Vec3{X: cos, Y: -sin}
				w := newWorld()
				w.gravity = collide.Vec3{Y: -g}
				rough := slippery()
				rough.FrictionID = w.frictionID(solver.FrictionCoefficients{Static: mu, Dynamic: mu})
				floor := rough
				floor.Sliding = false
				switch surface {
				case "plane":
					w.plane(n, 0, floor)
				case "polygon":
					s := sheet(collide.Vec3{}, n, 100)
					w.addSurface(twoSided(&s, floor))
				case "sliding plane":
					w.plane(n, 0, rough)
					rough.Sliding = false
				case "static ball":
					floor.Sliding = true
					w.add(ball{x: n.Scale(-1000), r: 1000, kind: solver.Static, material: floor})
				}
				k := w.add(ball{x: n.Scale(0.5), r: 0.5, mass: 1, material: rough})
				if moving {
					w.balls[k].v = down.Scale(1)
				}
				for range int(seconds / step) {
					w.step()
				}
				want := g * (sin - mu*cos) * seconds
				if moving {
					want++
				}
				want = max(0, want)
				got, tolerance := w.balls[k].v.Dot(down), 1e-9
				if want > 0 && surface == "static ball" {
					continue // it falls off
				}
				if math.Abs(got-want) > tolerance {
					t.Errorf("%v degrees, %s, moving %v: it moves at %v m/s, want %v", degrees, surface, moving, got,
						want)
				}
				before := w.balls[k].x
				for range 60 {
					w.step()
				}
				if moved := w.balls[k].x.Distance(before); want == 0 && moved > 1e-12 {
					t.Errorf("%v degrees, %s, moving %v: it creeps by %v m in a second", degrees, surface, moving,
						moved)
				}
			}
		}
	}
}
