package solver_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/dango-physics/dango/internal/statics"
)

// queryScene returns a scene with every kind of collider that queries can find.
func queryScene(seed uint64) *world {
	r := random(seed)
	w := newWorld()
	w.fill(seed, 60, collide.Vec3{X: 10, Y: 10, Z: 10}, [2]float64{0.05, 2}, [2]float64{1, 1}, 20, 1)
	w.plane(direction(r, false), -11, bouncy(1))
	k := w.plane(direction(r, false), -9, bouncy(1))
	w.surfaces[k].TwoSided = true
	w.space.SetSurface(w.surface(k), w.surfaces[k])
	g := sheet(within(r, collide.Vec3{X: 9, Y: 9, Z: 9}), direction(r, false), 3)
	w.addSurface(twoSided(&g, bouncy(1)))
	h := sheet(within(r, collide.Vec3{X: 9, Y: 9, Z: 9}), direction(r, false), 3)
	w.addSurface(solver.Surface{Shape: statics.Shape{Polygon: &h, Plane: h.Plane()}, Material: bouncy(1)})
	a, b := within(r, collide.Vec3{X: 9, Y: 9, Z: 9}), within(r, collide.Vec3{X: 9, Y: 9, Z: 9})
	w.addSurface(rod(a, b, 0.5+r.Float64(), bouncy(1)))
	return w
}

// castAtAll casts at each body and surface separately. It is the reference for CastAll.
func (w *world) castAtAll(s collide.Sphere, d collide.Vec3, distance float64) (hits []solver.Hit) {
	for i, b := range w.balls {
		if c, o := collide.SweepSphereSphere(s, d, collide.Sphere{Center: b.x, Radius: b.r}, collide.Vec3{},
			distance); o != collide.Miss {
			hits = append(hits, solver.Hit{Handle: solver.BodyHandle(w.ids[i]), Distance: c.Time})
		}
	}
	for k, f := range w.surfaces {
		var c collide.Contact
		var o collide.Outcome
		switch kind := f.Kind(); {
		case kind == statics.Polygon && f.TwoSided:
			c, o = collide.SweepSpherePolygon(s, d, *f.Polygon, collide.Vec3{}, distance)
		case kind == statics.Polygon:
			c, o = collide.SweepSpherePolygonFront(s, d, *f.Polygon, collide.Vec3{}, distance)
		case kind == statics.Capsule:
			c, o = collide.SweepSphereCapsule(s, d, f.Capsule, collide.Vec3{}, distance)
		case kind != statics.Plane:
			panic("castAtAll: unknown kind of shape")
		case f.TwoSided || f.Plane.SignedDistance(s.Center) > s.Radius:
			c, o = collide.SweepSpherePlane(s, d, f.Plane, collide.Vec3{}, distance)
		case f.Plane.Normal.Dot(d) < 0:
			o = collide.Overlap
		}
		if o != collide.Miss {
			hits = append(hits, solver.Hit{Handle: solver.Handle(w.codes[k]), Distance: c.Time})
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
		return int(a.Handle - b.Handle)
	})
	return hits
}

func TestQueriesMatchASearchOfAllBodies(t *testing.T) {
	found := 0
	for seed := range uint64(slow.Cases(40)) {
		w := queryScene(seed)
		r := random(seed + 100)
		if seed%2 == 0 {
			w.space.Sync() // before any step
		} else {
			for range 5 {
				w.step()
			}
		}
		anything := func(solver.Handle) bool { return true }
		for range 60 {
			s := collide.Sphere{
				Center: within(r, collide.Vec3{X: 15, Y: 15, Z: 15}),
				Radius: []float64{0, 0.01, 0.3, 2, 20}[r.IntN(5)],
			}
			d := direction(r, r.IntN(4) == 0)
			if r.IntN(5) == 0 {
				d = []collide.Vec3{{X: 1}, {Y: -1}, {Z: 1}}[r.IntN(3)]
			}
			distance := []float64{0, 0.5, 7, 100, 1e6, math.Inf(1)}[r.IntN(6)]
			if seed%5 == 0 {
				s.Center = s.Center.Scale(1e3)
				d, _ = s.Center.Neg().AddScaled(0.005, within(r, s.Center)).Normalized()
			}
			want := w.castAtAll(s, d, distance)
			got := w.space.CastAll(&solver.Probe{Sphere: s}, d, distance, anything, nil)
			if len(got) != len(want) {
				t.Fatalf("seed %d: CastAll of %v along %v by %v finds %v, want %v", seed, s, d, distance, got, want)
			}
			for i := range got {
				found++
				if got[i].Handle != want[i].Handle || got[i].Distance != want[i].Distance {
					t.Fatalf("seed %d: hit %d of CastAll is %v, want %v", seed, i, got[i], want[i])
				}
			}
			first, ok := w.space.Cast(&solver.Probe{Sphere: s}, d, distance, anything)
			if ok != (len(want) > 0) || ok && (first.Distance != want[0].Distance || first.Handle != want[0].Handle) {
				t.Fatalf("seed %d: Cast finds %v %v, want %v", seed, first, ok, want)
			}
			if ok {
				not := first.Handle
				second, ok := w.space.Cast(&solver.Probe{Sphere: s}, d, distance,
					func(h solver.Handle) bool { return h != not })
				if ok != (len(want) > 1) || ok && second.Handle != want[1].Handle {
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

// checkInside compares InSphere, and InBox with a box around the sphere, with a test of all bodies
// and surfaces.
func (w *world) checkInside(t *testing.T, s collide.Sphere) {
	t.Helper()
	box := collide.AABB{
		Min: s.Center.Sub(collide.Vec3{X: s.Radius, Y: s.Radius / 2, Z: s.Radius}),
		Max: s.Center.Add(collide.Vec3{X: s.Radius / 3, Y: s.Radius, Z: s.Radius}),
	}
	in, inBox := map[solver.Handle]int{}, map[solver.Handle]int{}
	w.space.InSphere(s, func(h solver.Handle) { in[h]++ })
	w.space.InBox(box, func(h solver.Handle) { inBox[h]++ })
	check := func(h solver.Handle, gap, gapBox float64) {
		t.Helper()
		if want := gap <= 0; math.Abs(gap) > 1e-9 && (in[h] == 1) != want {
			t.Fatalf("InSphere %v returned %d %d times at a gap of %v", s, h, in[h], gap)
		}
		if want := gapBox <= 0; math.Abs(gapBox) > 1e-9 && (inBox[h] == 1) != want {
			t.Fatalf("InBox %v returned %d %d times at a gap of %v", box, h, inBox[h], gapBox)
		}
	}
	for i, b := range w.balls {
		check(solver.BodyHandle(w.ids[i]), b.x.Distance(s.Center)-b.r-s.Radius, b.x.Distance(box.ClosestPoint(b.x))-b.r)
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
		inBox := false
		switch f.Kind() {
		case statics.Polygon:
			if !f.TwoSided {
				continue // the back is open, so "inside" isn't defined
			}
			inBox = collide.OverlapAABBPolygon(box, *f.Polygon)
		case statics.Capsule:
			inBox = collide.OverlapAABBCapsule(box, f.Capsule)
		case statics.Plane:
			if f.TwoSided {
				low = max(low, -high)
			}
			check(solver.Handle(w.codes[k]), distance(&f, s.Center)-s.Radius, low)
			continue
		default:
			panic("unknown kind of shape")
		}
		low = 1
		if inBox {
			low = -1
		}
		check(solver.Handle(w.codes[k]), distance(&f, s.Center)-s.Radius, low)
	}
}

// The queries come directly after a step that has separated overlapping bodies.
func TestQueriesSeeBodiesThatWereSeparated(t *testing.T) {
	for _, n := range []float64{1, -1} {
		w := newWorld(ball{r: 5, mass: 1, material: bouncy(1)},
			ball{x: collide.Vec3{X: 1}, r: 5, mass: 1, material: bouncy(1)})
		w.step()
		s := collide.Sphere{Center: collide.Vec3{X: n * 100, Y: 0}, Radius: 1e-3}
		everything := func(solver.Handle) bool { return true }
		hit, ok := w.space.Cast(&solver.Probe{Sphere: s}, collide.Vec3{X: -n}, 100, everything)
		want := w.castAtAll(s, collide.Vec3{X: -n}, 100)
		if !ok || hit.Distance != want[0].Distance {
			t.Errorf("Cast finds %v, want %v", hit, want)
		}
		// A ray past the side that only the moved body reaches.
		edge := w.balls[1].x.X + 4.9999
		s.Center = collide.Vec3{X: edge, Y: 100}
		if got, want := w.space.CastAll(&solver.Probe{Sphere: s}, collide.Vec3{Y: -1}, 200, everything, nil),
			w.castAtAll(s, collide.Vec3{Y: -1}, 200); len(got) != len(want) {
			t.Errorf("CastAll finds %v, want %v", got, want)
		}
	}
}

// Sync prepares the space for queries, which may sort the bodies.
func TestSyncKeepsStartPositions(t *testing.T) {
	r := random(1)
	w := newWorld()
	for range 50 {
		w.add(ball{
			x: within(r, collide.Vec3{X: 30, Y: 30, Z: 30}), v: direction(r, false).Scale(60), r: 0.1, mass: 1,
			material: bouncy(1),
		})
	}
	for range 40 {
		w.step()
		var want []collide.Vec3
		for _, id := range w.ids {
			want = append(want, w.space.StartPosition(id))
		}
		w.space.Sync()
		for i, id := range w.ids {
			if got := w.space.StartPosition(id); got != want[i] {
				t.Fatalf("body %d was at %v before the step, not at %v", i, want[i], got)
			}
		}
	}
}

// Those found also depended on the cells of the grid, and so on the number of workers: fast bodies
// that had been in the box were missing, and bodies beside it were found.
func TestObstaclesAreTheBodiesThatHaveBeenInTheBox(t *testing.T) {
	found, cases := 0, slow.Cases(40)
	for seed := range uint64(cases) {
		w := queryScene(seed)
		r := random(seed + 100)
		for i := range 5 { // they move by many cells in a step
			w.balls[i].v = w.balls[i].v.Scale(40)
		}
		starts := map[solver.Handle]collide.Vec3{}
		for range 3 {
			for i, b := range w.balls {
				starts[solver.BodyHandle(w.ids[i])] = b.x
			}
			w.step()
		}
		for range 20 {
			middle, half := within(r, collide.Vec3{X: 9, Y: 9, Z: 9}), 2*r.Float64()
			box := collide.NewAABB(middle).Grow(half)
			accept := func(h solver.Handle) bool { return !h.IsSurface() }
			var got, want []solver.Handle
			for _, o := range w.space.Obstacles(box, false, accept, nil) {
				got = append(got, o.Handle)
			}
			for i, b := range w.balls {
				h := solver.BodyHandle(w.ids[i])
				a, c := collide.Sphere{Center: starts[h], Radius: b.r}, collide.Sphere{Center: b.x, Radius: b.r}
				if a.Bounds().Union(c.Bounds()).Overlaps(box) {
					want = append(want, h)
				}
			}
			if fixed := w.space.Obstacles(box, true, accept, nil); len(fixed) != 0 {
				t.Fatalf("seed %d: %d balls that can be pushed are no obstacles", seed, len(fixed))
			}
			found += len(want)
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Fatalf("seed %d: obstacles in %v: got %v, want %v", seed, box, got, want)
			}
		}
	}
	if found < 2*cases {
		t.Errorf("only %d obstacles were found", found)
	}
}

// What is nearest in a large level is found without the distances of all of it, also without a
// limit of the search.
func TestASearchForTheNearestThingComputesFewDistances(t *testing.T) {
	r := random(5)
	w := newWorld()
	half := collide.Vec3{X: 50, Y: 50, Z: 50}
	w.fill(3, 1000, half, [2]float64{0.1, 0.5}, [2]float64{1, 1}, 0, 0)
	for range 1000 {
		at := within(r, half)
		w.addSurface(rod(at, at.Add(collide.Vec3{X: 1}), 0.2, bouncy(0)))
	}
	w.step()
	most := 0
	for range 50 {
		point := collide.Sphere{Center: within(r, half)}
		nearest, want := math.Inf(1), math.Inf(1)
		w.space.Gaps(point, math.Inf(1), func(_ solver.Handle, g collide.Gap) float64 {
			want = min(want, g.Distance)
			return math.Inf(1)
		})
		computed := w.space.Gaps(point, math.Inf(1), func(_ solver.Handle, g collide.Gap) float64 {
			nearest = min(nearest, g.Distance)
			return nearest
		})
		if nearest != want {
			t.Fatalf("the nearest thing to %v is %v away, want %v", point.Center, nearest, want)
		}
		most = max(most, computed)
	}
	if most > 500 {
		t.Errorf("up to %d distances of 2,000 were computed, want at most 500", most)
	}
}
