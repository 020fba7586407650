package solver_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/exact"
	"github.com/dango-physics/dango/internal/solver"
)

// TestFirstImpactsAreAtTheirExactTime compares them with 1200 bits: distant, fast, grazing, of very different size.
func TestFirstImpactsAreAtTheirExactTime(t *testing.T) {
	r := random(1)
	hits, worst := 0, 0.0
	for range heavy(20000) {
		speed := logUniform(r, 0.1, 1e5)
		a := ball{v: direction(r, false).Scale(speed), r: logUniform(r, 0.01, 3), mass: 1, material: bouncy(0.5)}
		b := ball{v: direction(r, false).Scale(speed * r.Float64()), r: logUniform(r, 0.01, 3), mass: 1, material: bouncy(0.5)}
		// They meet at time meet, so far off the line of centres that many only graze.
		meet := step * r.Float64() * 1.1
		off := 1 - logUniform(r, 1e-9, 1)
		if r.IntN(4) == 0 {
			off = 1 + logUniform(r, 1e-9, 0.1)
		}
		side, ok := a.v.Sub(b.v).Cross(direction(r, false)).Normalized()
		if !ok {
			continue
		}
		a.x = a.v.Scale(-meet)
		b.x = b.v.Scale(-meet).AddScaled(off*(a.r+b.r), side)
		want := exact.SphereSphere(collide.Sphere{Center: a.x, Radius: a.r}, a.v, collide.Sphere{Center: b.x, Radius: b.r}, b.v)
		w := newWorld(a, b)
		if inside, _, _ := w.overlap(); inside > 0 {
			continue
		}
		w.step()
		w.checkApart(t, "after a graze")
		at := math.Inf(1)
		if want.Outcome == collide.Hit {
			at = want.Time.Float()
		}
		switch log := w.space.Log(); {
		case len(log) > 0 && at <= step:
			hits++
			// Grazing makes the time of the first touch as badly known as the root of the coordinates' rounding.
			slack := 1e-11
			if off > 1-1e-6 {
				slack = 1e-7 * step
			}
			worst = max(worst, math.Abs(log[0].Time-at)/slack)
		case len(log) > 0 && math.IsInf(at, 1) && math.Abs(off-1) > 1e-7:
			t.Fatalf("an impact at %v where there is none, %v off", log[0].Time, off)
		case len(log) == 0 && at < step*(1-1e-9) && math.Abs(off-1) > 1e-7:
			t.Fatalf("no impact at %v", at)
		}
	}
	if worst > 1 {
		t.Errorf("times are off by %.3g of what is allowed", worst)
	}
	if hits < heavy(20000)/3 {
		t.Errorf("only %d hits", hits)
	}
}

func TestTouchesAtTheEndsOfAStep(t *testing.T) {
	x := collide.Vec3{X: 1}
	cases := []struct {
		name        string
		gap, speed  float64 // of two spheres of radius 0.5, in a step of a second
		impacts     int
		position, v float64 // of the first, after it
	}{
		{"touch and approach at the start", 0, 1, 1, -1, -1},
		{"touch and part at the start", 0, -1, 0, -1, -1},
		{"touch and rest", 0, 0, 0, 0, 0},
		{"meet exactly at the horizon", 2, 1, 1, 1, -1},
		{"meet just after the horizon", math.Nextafter(2, 3), 1, 0, 1, 1},
		{"meet in the middle", 1, 1, 1, 0, -1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(ball{v: x.Scale(c.speed), r: 0.5, mass: 1, material: bouncy(1)},
				ball{x: x.Scale(1 + c.gap), v: x.Scale(-c.speed), r: 0.5, mass: 1, material: bouncy(1)})
			w.space.Seconds = 1
			w.step()
			if a := w.balls[0]; len(w.space.Log()) != c.impacts || math.Abs(a.x.X-c.position) > 1e-12 || math.Abs(a.v.X-c.v) > 1e-12 {
				t.Errorf("%d impacts, at %v moving at %v; want %d, %v, %v", len(w.space.Log()), a.x.X, a.v.X, c.impacts, c.position, c.v)
			}
			// The same against a plane, from twice as close.
			p := newWorld(ball{v: x.Scale(c.speed), r: 0.5, mass: 1, material: bouncy(1)})
			p.space.Seconds = 1
			p.plane(x.Neg(), -0.5-c.gap/2, bouncy(1))
			p.step()
			if a := p.balls[0]; len(p.space.Log()) != c.impacts || math.Abs(a.x.X-c.position) > 1e-12 {
				t.Errorf("at a plane: %d impacts, at %v; want %d, %v", len(p.space.Log()), a.x.X, c.impacts, c.position)
			}
		})
	}
}

// TestACradlePassesOnItsSwing sends one ball into a row that touches: only the last one leaves, at its speed.
func TestACradlePassesOnItsSwing(t *testing.T) {
	for _, gap := range []float64{0, 1e-12, 1e-3} {
		w := newWorld(ball{x: collide.Vec3{X: -2}, v: collide.Vec3{X: 90}, r: 0.5, mass: 1, material: bouncy(1)})
		for k := range 6 {
			w.add(ball{x: collide.Vec3{X: float64(k) * (1 + gap)}, r: 0.5, mass: 1, material: bouncy(1)})
		}
		w.step()
		w.step()
		for i, b := range w.balls {
			want := 0.0
			if i == 6 {
				want = 90
			}
			if b.v.Distance(collide.Vec3{X: want}) > 1e-9 {
				t.Errorf("gap %v: ball %d moves at %v, want %v", gap, i, b.v, want)
			}
		}
		w.checkApart(t, gap)
	}
}

// TestNothingTunnels shoots tiny fast bodies at each other and at thin sheets, through hundreds of cells of a crowd.
func TestNothingTunnels(t *testing.T) {
	for _, speed := range []float64{1e2, 1e4, 1e6, 1e8} {
		w := newWorld()
		w.fill(1, 100, collide.Vec3{X: 20, Y: 20, Z: 20}, [2]float64{0.2, 0.2}, [2]float64{1, 1}, 0, 1)
		for i := range w.balls {
			w.balls[i].x.X += 100 // a crowd beside the way, for the grid's sake
		}
		a := w.add(ball{x: collide.Vec3{X: -speed * step * 0.3}, v: collide.Vec3{X: speed}, r: 0.01, mass: 1, material: bouncy(1)})
		b := w.add(ball{x: collide.Vec3{X: speed * step * 0.3, Y: 0.001}, v: collide.Vec3{X: -speed}, r: 0.01, mass: 1, material: bouncy(1)})
		g := sheet(collide.Vec3{Y: speed * step / 2, Z: 9}, collide.Vec3{Y: 1}, 1)
		w.addSurface(solver.Surface{Polygon: &g, Plane: g.Plane(), TwoSided: true, Material: bouncy(1)})
		c := w.add(ball{x: collide.Vec3{Z: 9}, v: collide.Vec3{Y: speed}, r: 0.01, mass: 1, material: bouncy(1)})
		w.step()
		if w.balls[a].v.X > 0 || w.balls[b].v.X < 0 {
			t.Errorf("%v m/s: two bullets miss each other", speed)
		}
		if w.balls[c].v.Y > 0 {
			t.Errorf("%v m/s: a bullet passes a sheet", speed)
		}
	}
}
