package solver_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/solver"
)

// TestWhatStartsInsideComesApartGently covers the one policy for things that start inside each other: they come apart
// at a bounded speed, gain none, and push nothing else into anything.
func TestWhatStartsInsideComesApartGently(t *testing.T) {
	y := collide.Vec3{Y: 1}
	square := sheet(collide.Vec3{}, y, 3)
	cases := []struct {
		name string
		make func() *world
	}{
		{"two, a little", func() *world {
			return newWorld(ball{r: 0.5, mass: 1, material: bouncy(1)}, ball{x: collide.Vec3{X: 0.9}, r: 0.5, mass: 1, material: bouncy(1)})
		}},
		{"two, concentric", func() *world {
			return newWorld(ball{r: 0.5, mass: 1, material: bouncy(1)}, ball{r: 0.5, mass: 1, material: bouncy(1)})
		}},
		{"three, concentric", func() *world {
			return newWorld(ball{r: 0.5, mass: 1, material: bouncy(1)}, ball{r: 0.5, mass: 1, material: bouncy(1)}, ball{r: 0.3, mass: 2, material: bouncy(1)})
		}},
		{"two that approach", func() *world {
			return newWorld(ball{v: collide.Vec3{X: 3}, r: 0.5, mass: 1, material: bouncy(0.5)}, ball{x: collide.Vec3{X: 0.4}, r: 0.5, mass: 1, material: bouncy(0.5)})
		}},
		{"a small one in a heavy one", func() *world {
			return newWorld(ball{r: 3, mass: 1000, material: bouncy(1)}, ball{x: collide.Vec3{Y: 2.8}, r: 0.2, mass: 0.001, material: bouncy(1)})
		}},
		{"in a static one", func() *world {
			return newWorld(ball{r: 1, kind: solver.Static, material: bouncy(1)}, ball{x: collide.Vec3{Y: 0.8}, r: 0.5, mass: 1, material: bouncy(1)})
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
			w.addSurface(solver.Surface{Polygon: &square, Plane: square.Plane(), TwoSided: true, Material: bouncy(1)})
			return w
		}},
		{"exactly in a polygon", func() *world {
			w := newWorld(ball{r: 0.5, mass: 1, material: bouncy(1)})
			w.addSurface(solver.Surface{Polygon: &square, Plane: square.Plane(), TwoSided: true, Material: bouncy(1)})
			return w
		}},
		{"on a polygon's edge", func() *world {
			w := newWorld(ball{x: collide.Vec3{X: 3.2}, r: 0.5, mass: 1, material: bouncy(1)})
			w.addSurface(solver.Surface{Polygon: &square, Plane: square.Plane(), TwoSided: true, Material: bouncy(1)})
			return w
		}},
		{"with a third that is in the way", func() *world {
			return newWorld(ball{r: 0.5, mass: 1, material: bouncy(1)}, ball{x: collide.Vec3{X: 0.9}, r: 0.5, mass: 1, material: bouncy(1)},
				ball{x: collide.Vec3{X: 1.9}, r: 0.5, mass: 1, material: bouncy(1)})
		}},
		{"a crowd in a box", func() *world {
			w := newWorld()
			w.box(collide.Vec3{X: 3, Y: 3, Z: 3}, bouncy(0.5))
			r := random(4)
			for range 40 {
				w.add(ball{x: within(r, collide.Vec3{X: 3, Y: 3, Z: 3}), r: 0.1 + 0.6*r.Float64(), mass: 0.1 + r.Float64(), material: bouncy(0.5)})
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
			depth := func() map[[2]int]float64 {
				all := map[[2]int]float64{}
				for i := range w.balls {
					for j := range i {
						p, q := &w.balls[i], &w.balls[j]
						all[[2]int{i, j}] = (p.r + q.r - p.x.Distance(q.x)) / min(p.r, q.r)
					}
				}
				return all
			}
			for k := range heavy(1200) {
				before, were := depth(), append([]ball(nil), w.balls...)
				w.step()
				for pair, d := range depth() {
					// Of several, two may for a while be pushed into each other; what was apart stays apart.
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
					// At most two radii a second for each thing that it is inside of.
					if moved := b.x.Distance(were[i].x.AddScaled(step, were[i].v)); w.space.Counts.Impacts == 0 && moved > 2*b.r*step*float64(len(w.balls)+6) {
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

// TestWhatMovesApartIsNeverHeld lets pairs that start inside each other fly apart.
func TestWhatMovesApartIsNeverHeld(t *testing.T) {
	v := collide.Vec3{X: 5, Y: 2}
	w := newWorld(ball{r: 0.5, v: v.Neg(), mass: 1, material: bouncy(0)}, ball{x: collide.Vec3{X: 0.5, Y: 0.1}, v: v, r: 0.5, mass: 3, material: bouncy(0)})
	w.plane(collide.Vec3{Z: 1}, 0.3, bouncy(0)) // in which both are
	w.balls[0].v.Z, w.balls[1].v.Z = 1, 2
	for range 60 {
		a, b := w.balls[0].v, w.balls[1].v
		w.step()
		if w.balls[0].v != a || w.balls[1].v != b || len(w.space.Log()) > 0 {
			t.Fatalf("they are held: %v, %v, %v", w.balls[0].v, w.balls[1].v, w.space.Log())
		}
	}
	w.checkApart(t, "in the end")
}

// casting is a scene with everything a query can find, and casts through it.
func casting(seed uint64) *world {
	r := random(seed)
	w := newWorld()
	w.fill(seed, 60, collide.Vec3{X: 10, Y: 10, Z: 10}, [2]float64{0.05, 2}, [2]float64{1, 1}, 20, 1)
	w.plane(direction(r, false), -11, bouncy(1))
	k := w.plane(direction(r, false), -9, bouncy(1))
	w.surfaces[k].TwoSided = true
	w.space.SetSurface(-2-w.codes[k], w.surfaces[k])
	g := sheet(within(r, collide.Vec3{X: 9, Y: 9, Z: 9}), direction(r, false), 3)
	w.addSurface(solver.Surface{Polygon: &g, Plane: g.Plane(), TwoSided: true, Material: bouncy(1)})
	h := sheet(within(r, collide.Vec3{X: 9, Y: 9, Z: 9}), direction(r, false), 3)
	w.addSurface(solver.Surface{Polygon: &h, Plane: h.Plane(), Material: bouncy(1)})
	return w
}

// every casts at each body and surface by itself.
func (w *world) every(s collide.Sphere, d collide.Vec3, distance float64) (hits []solver.Hit) {
	for i, b := range w.balls {
		if c, o := collide.SweepSphereSphere(s, d, collide.Sphere{Center: b.x, Radius: b.r}, collide.Vec3{}, distance); o != collide.Miss {
			hits = append(hits, solver.Hit{Code: w.ids[i], Distance: c.Time})
		}
	}
	for k, f := range w.surfaces {
		var c collide.Contact
		var o collide.Outcome
		switch {
		case f.Polygon != nil && f.TwoSided:
			c, o = collide.SweepSpherePolygon(s, d, *f.Polygon, collide.Vec3{}, distance)
		case f.Polygon != nil:
			c, o = collide.SweepSpherePolygonFront(s, d, *f.Polygon, collide.Vec3{}, distance)
		case f.TwoSided || f.Plane.SignedDistance(s.Center) > s.Radius:
			c, o = collide.SweepSpherePlane(s, d, f.Plane, collide.Vec3{}, distance)
		case f.Plane.Normal.Dot(d) < 0:
			o = collide.Overlap
		}
		if o != collide.Miss {
			hits = append(hits, solver.Hit{Code: w.codes[k], Distance: c.Time})
		}
	}
	slices.SortFunc(hits, func(a, b solver.Hit) int {
		switch {
		case a.Distance != b.Distance:
			if a.Distance < b.Distance {
				return -1
			}
			return 1
		}
		return int(a.Code - b.Code)
	})
	return hits
}

func TestQueriesFindWhatAllBodiesSay(t *testing.T) {
	found := 0
	for seed := range uint64(heavy(40)) {
		w := casting(seed)
		r := random(seed + 100)
		if seed%2 == 0 {
			w.space.Sync() // before any step
		} else {
			for range 5 {
				w.step()
			}
		}
		anything := func(int32) bool { return true }
		for range 60 {
			s := collide.Sphere{Center: within(r, collide.Vec3{X: 15, Y: 15, Z: 15}), Radius: []float64{0, 0.01, 0.3, 2, 20}[r.IntN(5)]}
			d := direction(r, r.IntN(4) == 0)
			if r.IntN(5) == 0 {
				d = []collide.Vec3{{X: 1}, {Y: -1}, {Z: 1}}[r.IntN(3)]
			}
			distance := []float64{0, 0.5, 7, 100, 1e6, math.Inf(1)}[r.IntN(6)]
			if seed%5 == 0 {
				s.Center = s.Center.Scale(1e3)
				d, _ = s.Center.Neg().AddScaled(0.005, within(r, s.Center)).Normalized()
			}
			want := w.every(s, d, distance)
			got := w.space.CastAll(s, d, distance, anything, nil)
			if len(got) != len(want) {
				t.Fatalf("seed %d: CastAll of %v along %v by %v finds %v, want %v", seed, s, d, distance, got, want)
			}
			for i := range got {
				found++
				if got[i].Code != want[i].Code || got[i].Distance != want[i].Distance {
					t.Fatalf("seed %d: hit %d of CastAll is %v, want %v", seed, i, got[i], want[i])
				}
			}
			first, ok := w.space.Cast(s, d, distance, anything)
			if ok != (len(want) > 0) || ok && (first.Distance != want[0].Distance || first.Code != want[0].Code) {
				t.Fatalf("seed %d: Cast finds %v %v, want %v", seed, first, ok, want)
			}
			if ok {
				not := first.Code
				second, ok := w.space.Cast(s, d, distance, func(code int32) bool { return code != not })
				if ok != (len(want) > 1) || ok && second.Code != want[1].Code {
					t.Fatalf("seed %d: with a filter Cast finds %v %v, want %v", seed, second, ok, want)
				}
			}
			w.checkInside(t, s)
		}
	}
	if found < 500 && !testing.Short() {
		t.Errorf("only %d hits", found)
	}
}

// checkInside compares InSphere, and InBox with the cube around it, with all bodies.
func (w *world) checkInside(t *testing.T, s collide.Sphere) {
	t.Helper()
	box := collide.AABB{
		Min: s.Center.Sub(collide.Vec3{X: s.Radius, Y: s.Radius / 2, Z: s.Radius}),
		Max: s.Center.Add(collide.Vec3{X: s.Radius / 3, Y: s.Radius, Z: s.Radius}),
	}
	in, inBox := map[int32]int{}, map[int32]int{}
	w.space.InSphere(s, func(code int32) { in[code]++ })
	w.space.InBox(box, func(code int32) { inBox[code]++ })
	check := func(code int32, gap, gapBox float64) {
		t.Helper()
		if want := gap <= 0; math.Abs(gap) > 1e-9 && (in[code] == 1) != want {
			t.Fatalf("InSphere %v names %d %d times at a gap of %v", s, code, in[code], gap)
		}
		if want := gapBox <= 0; math.Abs(gapBox) > 1e-9 && (inBox[code] == 1) != want {
			t.Fatalf("InBox %v names %d %d times at a gap of %v", box, code, inBox[code], gapBox)
		}
	}
	for i, b := range w.balls {
		check(w.ids[i], b.x.Distance(s.Center)-b.r-s.Radius, b.x.Distance(box.ClosestPoint(b.x))-b.r)
	}
	for k, f := range w.surfaces {
		low, high := math.Inf(1), math.Inf(-1)
		for corner := range 8 {
			p := box.Min
			if corner&1 != 0 {
				p.X = box.Max.X
			}
			if corner&2 != 0 {
				p.Y = box.Max.Y
			}
			if corner&4 != 0 {
				p.Z = box.Max.Z
			}
			low, high = min(low, f.Plane.SignedDistance(p)), max(high, f.Plane.SignedDistance(p))
		}
		gap := f.Plane.SignedDistance(s.Center) - s.Radius
		switch {
		case f.Polygon != nil && !f.TwoSided:
			continue // what is behind passes, so what counts as inside is a matter of taste
		case f.Polygon != nil:
			gap = s.Center.Distance(f.Polygon.ClosestPoint(s.Center)) - s.Radius
			low = -1
			if !collide.OverlapAABBPolygon(box, *f.Polygon) {
				low = 1
			}
		case f.TwoSided:
			gap = math.Abs(f.Plane.SignedDistance(s.Center)) - s.Radius
			low = max(low, -high)
		}
		check(w.codes[k], gap, low)
	}
}

// TestQueriesSeeWhatWasMovedApart asks right after a step that has moved bodies out of each other.
func TestQueriesSeeWhatWasMovedApart(t *testing.T) {
	for _, n := range []float64{1, -1} {
		w := newWorld(ball{r: 5, mass: 1, material: bouncy(1)}, ball{x: collide.Vec3{X: 1}, r: 5, mass: 1, material: bouncy(1)})
		w.step()
		s := collide.Sphere{Center: collide.Vec3{X: n * 100, Y: 0}, Radius: 1e-3}
		hit, ok := w.space.Cast(s, collide.Vec3{X: -n}, 100, func(int32) bool { return true })
		want := w.every(s, collide.Vec3{X: -n}, 100)
		if !ok || hit.Distance != want[0].Distance {
			t.Errorf("Cast finds %v, want %v", hit, want)
		}
		// A ray past the side that only the moved body reaches.
		edge := w.balls[1].x.X + 4.9999
		s.Center = collide.Vec3{X: edge, Y: 100}
		if got, want := w.space.CastAll(s, collide.Vec3{Y: -1}, 200, func(int32) bool { return true }, nil), w.every(s, collide.Vec3{Y: -1}, 200); len(got) != len(want) {
			t.Errorf("CastAll finds %v, want %v", got, want)
		}
	}
}

func TestHundredsInOnePlaceTakeTurnsToPart(t *testing.T) {
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
		t.Errorf("after half a second the farthest is %v from where they were", spread)
	}
}
