package statics

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/convex"
	"github.com/dango-physics/dango/internal/slow"
)

// These tests compare what finds surfaces quickly with the plain way: to look at all of them, one
// by one.

func TestTheFirstImpactIsThatOfTheWholeList(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	hits, insides := 0, 0
	for seed := range uint64(slow.Cases(24)) {
		m := newMaze(seed)
		for range 20 {
			m.change()
			m.update()
			for range 30 {
				b := m.ball()
				half := m.r.IntN(3) == 0
				meets := func(k int32) bool { return !half || k%2 == 0 }
				for _, now := range []float64{0, seconds * m.r.Float64()} {
					depth := math.Inf(1)
					if now == 0 {
						depth = 0x1p-30 * b.radius
					}
					var inside, wantInside []int32
					note := func(k int32) { inside = append(inside, k) }
					first, which, n := m.First(nil, &b.x, &b.v, b.radius, now, depth, meets, never, note)
					wantFirst, want := m.plainFirst(b, now, meets)
					if first != wantFirst || which != want {
						t.Fatalf("seed %d: %d at %v, want %d at %v", seed, which, first, want, wantFirst)
					}
					if !m.MayMeet(&b.x, &b.v, b.radius, now) && which >= 0 {
						t.Fatalf("seed %d: %d is met although nothing may be", seed, which)
					}
					if which >= 0 {
						hits++
						f := m.At(which)
						bounded := f.Kind() != Plane
						if bounded != (n != collide.Vec3{}) || bounded && !(n.Dot(b.v.Sub(f.Velocity)) < 0) {
							t.Fatalf("seed %d: %d is met with the normal %v at %v", seed, which, n, b.v)
						}
					}
					if now > 0 {
						continue
					}
					for _, k := range m.all {
						if gap, _ := m.At(k).Separation(b.x, b.radius, 0); !m.At(k).Sensor && gap < -depth {
							wantInside = append(wantInside, k)
						}
					}
					slices.Sort(inside)
					slices.Sort(wantInside)
					if m.MayMeet(&b.x, &b.v, b.radius, 0) && !slices.Equal(inside, wantInside) {
						t.Fatalf("seed %d: inside of %v, want %v", seed, inside, wantInside)
					}
					insides += len(inside)
				}
			}
		}
	}
	if n := slow.Cases(24); hits < 125*n || insides < 20*n {
		t.Errorf("only %d impacts, and %d times inside of something", hits, insides)
	}
}

func TestListsFollowChanges(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for seed := range uint64(12) {
		m := newMaze(seed)
		for range 60 {
			m.change()
			m.update()
			bounded := 0
			var moving []int32
			for k := range m.surfaces {
				f := &m.surfaces[k]
				box, ok := m.tree.Box(int32(k))
				if ok != (f.Alive && f.Kind() != Plane) {
					t.Fatalf("seed %d: surface %d, alive: %v, of kind %v, is in the tree: %v",
						seed, k, f.Alive, f.Kind(), ok)
				}
				if ok {
					bounded++
					if !contains(box, f.bounds) || f.queued {
						t.Fatalf("seed %d: surface %d within %v is in the tree with %v", seed, k, f.bounds, box)
					}
				}
				at, ok := m.findPlane(int32(k))
				if ok != f.isPlane() || ok && m.planes[at] != planeOf(f, int32(k)) {
					t.Fatalf("seed %d: surface %d is among the planes: %v", seed, k, ok)
				}
				if _, ok := slices.BinarySearch(m.sensors, int32(k)); ok != f.isPlaneSensor() {
					t.Fatalf("seed %d: surface %d is among the sensors: %v", seed, k, ok)
				}
				if f.Moves() {
					moving = append(moving, int32(k))
				}
			}
			if got := m.AppendMoving(nil); !slices.Equal(got, moving) {
				t.Fatalf("seed %d: surfaces %v move, want %v", seed, got, moving)
			}
			if m.tree.Len() != bounded || m.Moving() != len(moving) || m.Len() != len(m.all) {
				t.Fatalf("seed %d: %d in the tree, %d move, %d in all; want %d, %d, %d",
					seed, m.tree.Len(), m.Moving(), m.Len(), bounded, len(moving), len(m.all))
			}
		}
	}
}

// collect returns what a cursor gives, in order.
func collect(c *Cursor) (all []int32) {
	for k, ok := c.Next(); ok; k, ok = c.Next() {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

// TestCursorsMissNothing compares every search with a look at all surfaces. What is found too
// much is allowed.
func TestCursorsMissNothing(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	found := map[string]int{}
	for seed := range uint64(slow.Cases(24)) {
		m := newMaze(100 + seed)
		for range 10 {
			m.change()
			m.update()
			for range 20 {
				b := m.ball()
				sphere := collide.Sphere{Center: b.x, Radius: b.radius}
				box := collide.NewAABB(b.x, b.x.Add(vector(m.r, m.size)))
				direction, _ := vector(m.r, 1).Normalized()
				distance := []float64{m.size, 1e9, math.Inf(1), 0}[m.r.IntN(4)]
				near := m.size / 4
				var cast, inBox, inSphere Cursor
				m.AllOnPath(&cast, boxOf(sphere), direction, distance)
				m.AllNear(&inBox, box)
				m.SolidNear(&inSphere, sphere)
				var below []int32
				m.EachApproached(nil, b.x, b.v, b.radius, near, every, func(k int32) { below = append(below, k) })
				slices.Sort(below)
				for name, test := range map[string]struct {
					got  []int32
					want func(f *Surface) bool
				}{
					"cast": {collect(&cast), func(f *Surface) bool {
						_, outcome := f.Cast(sphere, direction, distance, 0)
						return outcome != collide.Miss
					}},
					"box": {collect(&inBox), func(f *Surface) bool { return f.OverlapsBox(box, 0) }},
					"sphere": {collect(&inSphere), func(f *Surface) bool {
						gap, _ := f.Separation(b.x, b.radius, 0)
						return gap <= 0 && !f.Sensor
					}},
					"bounded": {m.boundedNear(box), func(f *Surface) bool {
						return f.Kind() != Plane && f.OverlapsBox(box, 0)
					}},
					"approached": {below, func(f *Surface) bool {
						gap, _ := f.Separation(b.x, b.radius, 0)
						touches := math.Abs(gap) <= min(near, b.radius)
						return f.Kind() != Plane && !f.Sensor && touches && f.faces(b.x, b.radius, b.radius+near)
					}},
				} {
					if !slices.IsSorted(test.got) || len(slices.Compact(slices.Clone(test.got))) != len(test.got) {
						t.Fatalf("seed %d: %s: %v", seed, name, test.got)
					}
					for _, k := range m.all {
						if test.want(m.At(k)) {
							found[name]++
							if !slices.Contains(test.got, k) {
								t.Fatalf("seed %d: %s: %d isn't among %v", seed, name, k, test.got)
							}
						}
					}
				}
			}
		}
	}
	for _, name := range []string{"cast", "box", "sphere", "bounded", "approached"} {
		if found[name] < 4*slow.Cases(24) {
			t.Errorf("%s: found only %d", name, found[name])
		}
	}
}

func (m *maze) boundedNear(box collide.AABB) []int32 {
	out := m.BoundedNear(box, nil)
	slices.Sort(out)
	return out
}

// TestSearchesRunAtOnce has several goroutines ask the same set and a copy. The race detector
// looks on.
func TestSearchesRunAtOnce(t *testing.T) {
	m := newMaze(3)
	copied := m.Set
	balls := make([]ball, 40)
	for k := range balls {
		balls[k] = m.ball()
	}
	always := func(int32) bool { return true }
	times := make([]float64, len(balls))
	var all sync.WaitGroup
	for k, b := range balls {
		all.Go(func() {
			set := &m.Set
			if k%2 == 0 {
				set = &copied
			}
			times[k], _, _ = set.First(nil, &b.x, &b.v, b.radius, 0, math.Inf(1), always, never, nil)
		})
	}
	all.Wait()
	for k, b := range balls {
		if want, _ := m.plainFirst(b, 0, always); times[k] != want {
			t.Errorf("ball %d meets something at %v, want %v", k, times[k], want)
		}
	}
}

// TestEveryKindOfShape holds each kind against what must be true of all.
func TestEveryKindOfShape(t *testing.T) {
	for kind, shape := range kinds {
		r := rand.New(rand.NewPCG(uint64(kind), 5))
		hits, faced := 0, 0
		for range 3000 {
			var w Set
			k := w.Add()
			f := shape(r, 1)
			f.TwoSided = r.IntN(2) == 0
			if r.IntN(2) == 0 {
				f.Velocity = vector(r, 20)
			}
			if f.Kind() != kind {
				t.Fatalf("a shape of kind %d is made as one of kind %d", kind, f.Kind())
			}
			w.Put(k, f)
			w.Update(seconds)
			w.UpdateFreeBox()
			s := w.At(k)
			b := ball{vector(r, 2), vector(r, 100), math.Pow(2, -6*r.Float64())}
			gap, normal := s.Separation(b.x, b.radius, 0)
			if inside := s.startsInside(b.x, b.radius, 0); inside != (gap < 0) {
				t.Fatalf("kind %d: starts inside: %v, at a separation of %v", kind, inside, gap)
			}
			classes := 0
			for _, is := range []bool{kind == Plane, kind == Polygon, kind == Capsule, s.isSolid(), s.HasFacets()} {
				if is {
					classes++
				}
			}
			if classes != 1 {
				t.Fatalf("kind %d is %d of plane, polygon, capsule, solid and with facets, want one", kind, classes)
			}
			sphere := collide.Sphere{Center: b.x, Radius: b.radius}
			if g, ok := s.Gap(sphere, 0); f.TwoSided && (!ok || gap > 0 && math.Abs(g.Distance-gap) > 1e-9) {
				t.Fatalf("kind %d: a gap of %v, want %v", kind, g.Distance, gap)
			}
			if kind != Plane {
				var pair convex.Pair
				pair.SetBall(b.radius, s.convexShape())
				d := pair.Gap(b.x.Sub(s.origin(0))).Gap
				if kind != Cylinder && f.TwoSided && gap > 0 && math.Abs(d-gap) > 1e-9 { // of a cylinder it is a prism
					t.Fatalf("kind %d: %v away as a convex shape, want %v", kind, d, gap)
				}
				if reach := r.Float64(); s.faces(b.x, b.radius, reach) && gap+b.radius > reach+1e-9 {
					t.Fatalf("kind %d: faces a centre at %v, out of the reach %v", kind, gap+b.radius, reach)
				}
				above := s.Middle().Add(vector(r, 1e-6))
				depth, up := s.Separation(above, 0, 0)
				above = above.AddScaled(0.1-depth, up)
				if s.faces(above, 0.15, 0.2) {
					faced++
				}
				if m := s.Middle(); !contains(s.bounds.Grow(s.margin), collide.AABB{Min: m, Max: m}) {
					t.Fatalf("kind %d: the middle %v is outside the bounds %v", kind, m, s.bounds)
				}
			}
			if gap < 0 {
				continue
			}
			if r.IntN(3) > 0 { // aim at it
				b.v = normal.Scale(-gap / seconds * (0.5 + 2*r.Float64())).Add(vector(r, gap/seconds/4)).Add(f.Velocity)
			}
			always := func(int32) bool { return true }
			at, which, n := w.First(nil, &b.x, &b.v, b.radius, 0, math.Inf(1), always, never, nil)
			if which < 0 { // it stays clear of it all the way
				for t2 := range 9 {
					p := b.x.AddScaled(seconds*float64(t2)/8, b.v)
					gap, _ := s.Separation(p, b.radius, seconds*float64(t2)/8)
					if f.TwoSided && gap < -1e-9 {
						t.Fatalf("kind %d: inside by %v on a way on which nothing is met", kind, gap)
					}
				}
				continue
			}
			hits++
			center := b.x.AddScaled(at, b.v)
			gap, normal = s.Separation(center, b.radius, at)
			// One with one side is met at an edge, too, with the centre behind it, where nothing
			// counts as near.
			if !f.TwoSided && math.Abs(gap-b.radius) < 1e-9 {
				continue
			}
			if math.Abs(gap) > 1e-9 {
				t.Fatalf("kind %d: met at a distance of %v", kind, gap)
			}
			if kind == Plane {
				n = s.NormalTo(center, at)
			}
			if n.Distance(normal) > 1e-6 || math.Abs(n.Length()-1) > 1e-12 {
				t.Fatalf("kind %d: met with the normal %v, at a separation along %v", kind, n, normal)
			}
			box := collide.AABB{Min: center, Max: center}.Grow(b.radius * (1 + 1e-6))
			if !s.OverlapsBox(box, at) || !s.MayBeMet(box) {
				t.Fatalf("kind %d: a box around the ball doesn't overlap what the ball touches", kind)
			}
			// Seen from the surface the ball comes along the same way: a cast against it as it is
			// at the start finds the same.
			way := b.v.Sub(f.Velocity)
			direction, _ := way.Normalized()
			c, outcome := s.Cast(collide.Sphere{Center: b.x, Radius: b.radius}, direction, way.Length()*seconds, 0)
			if outcome != collide.Hit || math.Abs(c.Time-way.Length()*at) > 1e-9 {
				t.Fatalf("kind %d: a cast meets it (%v) after %v, want %v", kind, outcome, c.Time, way.Length()*at)
			}
			stamp := s.Stamp
			w.Stop(k, at) // where it is met it stays
			w.Update(seconds)
			gap, _ = s.Separation(center, b.radius, seconds)
			if math.Abs(gap) > 1e-9 || s.Moves() || w.Moving() > 0 || s.Stamp == stamp {
				t.Fatalf("kind %d: stopped where it is met it is at a distance of %v later", kind, gap)
			}
			if !s.OverlapsBox(box, seconds) {
				t.Fatalf("kind %d: stopped where it is met it overlaps no box around the ball any more", kind)
			}
			if d := w.Travelled(k).Distance(f.Velocity.Scale(at)); d > 1e-12 {
				t.Fatalf("kind %d: stopped, it is %v off where it came to", kind, d)
			}
		}
		if hits < 100 || kind != Plane && faced < 2000 {
			t.Errorf("kind %d: only %d impacts, and it faces %d of 3000 above its middle", kind, hits, faced)
		}
	}
}

// TestKeysFollowFromGeometry: a key doesn't depend on a surface's number, nor on what was there
// before.
func TestKeysFollowFromGeometry(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	seen := map[uint32]bool{}
	for range 200 {
		for kind := range Kind(len(kinds)) {
			f := kinds[kind](r, 1)
			var w Set
			a, b := w.Add(), w.Add()
			w.Put(a, f)
			w.Put(b, kinds[Polygon](r, 1))
			w.Put(b, f)
			w.Update(seconds)
			if w.At(a).Key != w.At(b).Key {
				t.Fatal("two that are alike have different keys")
			}
			seen[w.At(a).Key] = true
		}
	}
	if n := 200 * len(kinds); len(seen) < n-1 {
		t.Errorf("%d surfaces have %d keys", n, len(seen))
	}
}

func TestWarmQuestionsAllocateNothing(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	m := newMaze(1)
	balls := []ball{m.ball(), m.ball(), m.ball()}
	sum := int32(0)
	step := func() {
		for k := range m.surfaces { // what moves goes on moving
			if f := &m.surfaces[k]; f.Moves() {
				f.Offset = f.Offset.Add(m.Travelled(int32(k)))
				m.Put(int32(k), f.Shape)
			}
		}
		m.update()
		for _, b := range balls {
			some := func(k int32) bool { return k%3 > 0 }
			_, k, _ := m.First(nil, &b.x, &b.v, b.radius, 0, 0, some, never, func(k int32) { sum += k })
			var c Cursor
			m.SolidNear(&c, collide.Sphere{Center: b.x, Radius: b.radius})
			for k, ok := c.Next(); ok; k, ok = c.Next() {
				sum += k
			}
			m.EachApproached(nil, b.x, b.v, b.radius, b.radius, every, func(k int32) { sum += k })
			sum += k
		}
	}
	for range 100 {
		step()
	}
	if n := testing.AllocsPerRun(20, step); n != 0 {
		t.Errorf("got %v allocations", n)
	}
}

// TestFirstDoesNotDependOnTheOrderOfCreation for several surfaces of each kind.
func TestFirstDoesNotDependOnTheOrderOfCreation(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for kind, shape := range kinds {
		r := rand.New(rand.NewPCG(uint64(kind), 7))
		met := 0
		for range 300 {
			shapes := make([]Shape, 5)
			for k := range shapes {
				shapes[k] = shape(r, 1)
				shapes[k].TwoSided = true
			}
			b := ball{vector(r, 2), vector(r, 200), r.Float64()}
			first := func() (Shape, float64, collide.Vec3) {
				var w Set
				for _, f := range shapes {
					w.Put(w.Add(), f)
				}
				w.Update(seconds)
				w.UpdateFreeBox()
				at, k, n := w.First(nil, &b.x, &b.v, b.radius, 0, math.Inf(1), every, never, nil)
				if k < 0 {
					return Shape{}, 0, n
				}
				return w.At(k).Shape, at, n
			}
			want, at, n := first()
			if want != (Shape{}) {
				met++
			}
			slices.Reverse(shapes)
			if f, at2, n2 := first(); f != want || at2 != at || n2 != n {
				t.Fatalf("kind %d: in the opposite order, %v is met at %v, want %v at %v", kind, f, at2, want, at)
			}
		}
		if met < 30 {
			t.Errorf("kind %d: only %d impacts", kind, met)
		}
	}
}

func TestAPlaneWithoutANormalIsRefused(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it is accepted")
		}
	}()
	var w Set
	w.Put(w.Add(), Shape{})
}

func TestImpactsOfEqualTimeGoByKey(t *testing.T) {
	floor := Shape{Plane: collide.Plane{Normal: collide.Vec3{Y: 1}}}
	wall := Shape{Plane: collide.Plane{Normal: collide.Vec3{X: 1}}}
	met := func(shapes ...Shape) Shape {
		var w Set
		for _, f := range shapes {
			w.Put(w.Add(), f)
		}
		w.Update(1)
		x, v := collide.Vec3{X: 2, Y: 2}, collide.Vec3{X: -2, Y: -2}
		_, k, _ := w.First(nil, &x, &v, 1, 0, math.Inf(1), func(int32) bool { return true }, never, nil)
		return w.At(k).Shape
	}
	if a, b := met(floor, wall), met(wall, floor); a != b {
		t.Errorf("in a corner %v is met first, and %v if the walls are listed the other way round", a, b)
	}
}

// A ball whose centre is on the axis of a capsule is pushed out across the axis, upwards if that is
// possible, and never out of the plane of a 2D game.
func TestABallOnTheAxisOfACapsuleIsPushedOutUpwards(t *testing.T) {
	for _, c := range []struct{ half, want collide.Vec3 }{
		{collide.Vec3{X: 2}, collide.Vec3{Y: 1}},
		{collide.Vec3{X: -2}, collide.Vec3{Y: 1}},
		{collide.Vec3{Y: 2}, collide.Vec3{X: 1}},
		{collide.Vec3{Y: -2}, collide.Vec3{X: 1}},
		{collide.Vec3{X: 3, Y: 4}, collide.Vec3{X: -0.8, Y: 0.6}},
		{collide.Vec3{X: -3, Y: -4}, collide.Vec3{X: -0.8, Y: 0.6}},
		{collide.Vec3{Z: 2}, collide.Vec3{Y: 1}},
		{collide.Vec3{}, collide.Vec3{Y: 1}},
	} {
		var w Set
		k := w.Add()
		w.Put(k, Shape{Capsule: collide.Capsule{A: c.half.Neg(), B: c.half, Radius: 0.5}})
		w.Update(seconds)
		gap, n := w.At(k).Separation(collide.Vec3{}, 0.25, 0)
		if gap != -0.75 || n.Distance(c.want) > 1e-15 {
			t.Errorf("axis %v: gap %v along %v, want -0.75 along %v", c.half, gap, n, c.want)
		}
	}
}

// The triangles of a square have the same plane and the same bounds, and so the same key. A ball
// that falls on their common edge meets both at once.
func TestWhichTriangleOfASquareIsMetDoesNotDependOnTheirOrder(t *testing.T) {
	corners := []collide.Vec3{{}, {Z: 2}, {X: 2, Z: 2}, {X: 2}}
	triangle := func(a, b, c int) Shape {
		g, err := collide.NewPolygon(corners[a], corners[b], corners[c])
		if err != nil {
			t.Fatal(err)
		}
		return Shape{Polygon: &g, Plane: g.Plane(), TwoSided: true}
	}
	met := func(shapes ...Shape) Shape {
		var w Set
		for _, f := range shapes {
			w.Put(w.Add(), f)
		}
		w.Update(1)
		x, v := collide.Vec3{X: 1, Y: 2, Z: 1}, collide.Vec3{Y: -2}
		_, k, _ := w.First(nil, &x, &v, 0.5, 0, math.Inf(1), func(int32) bool { return true }, never, nil)
		return w.At(k).Shape
	}
	f, g := triangle(0, 1, 2), triangle(0, 2, 3)
	if a, b := met(f, g), met(g, f); a != b {
		t.Errorf("met first: %v, and %v if they are created the other way round", a, b)
	}
}

// never is for surfaces that hide nothing of each other.
func never(_, _ int32, _ float64) bool { return false }
