package statics

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/dango-physics/dango/collide"
)

// These tests compare what finds surfaces quickly with the plain way: to look at all of them, one
// by one.

func vector(r *rand.Rand, size float64) collide.Vec3 {
	return collide.Vec3{X: size * (2*r.Float64() - 1), Y: size * (2*r.Float64() - 1), Z: size * (2*r.Float64() - 1)}
}

// ball is a sphere whose centre is at x + t·v.
type ball struct {
	x, v   collide.Vec3
	radius float64
}

// kinds makes a shape of each kind, within about size of the origin. A new kind of shape belongs
// here.
var kinds = map[Kind]func(r *rand.Rand, size float64) Shape{
	Plane: func(r *rand.Rand, size float64) Shape {
		n, _ := vector(r, 1).Normalized()
		return Shape{Plane: collide.Plane{Normal: n, Distance: -size * r.Float64()}}
	},
	Polygon: func(r *rand.Rand, size float64) Shape {
		small := size * math.Pow(2, -8*r.Float64())
		for {
			at, a, b := vector(r, size), vector(r, small), vector(r, small)
			if r.IntN(3) == 0 { // along an axis: ties, and boxes without a thickness
				a, b = collide.Vec3{X: small}, collide.Vec3{Z: small}
			}
			corners := []collide.Vec3{at, at.Add(a), at.Add(a).Add(b), at.Add(b)}[:3+r.IntN(2)]
			if g, err := collide.NewPolygon(corners...); err == nil {
				return Shape{Polygon: &g, Plane: g.Plane(), Offset: vector(r, size)}
			}
		}
	},
}

// maze is a set of many surfaces that come, change, move and go.
type maze struct {
	Set
	r    *rand.Rand
	size float64
	all  []int32 // the surfaces that there are
}

const seconds = 1.0 / 60

func newMaze(seed uint64) *maze {
	m := &maze{r: rand.New(rand.NewPCG(seed, 2)), size: math.Pow(10, float64(seed%6)-2)}
	m.SetExtent(collide.AABB{}.Grow(m.size))
	for range 200 {
		m.set(m.add())
	}
	m.update()
	return m
}

func (m *maze) update() {
	m.Update(seconds)
	m.UpdateFreeBox()
}

func (m *maze) add() int32 {
	k := m.Add()
	m.all = append(m.all, k)
	return k
}

// set makes something new of surface k, or the same as another.
func (m *maze) set(k int32) {
	kind := Plane
	if m.r.IntN(20) > 0 {
		kind += 1 + Kind(m.r.IntN(len(kinds)-1))
	}
	f := kinds[kind](m.r, m.size)
	if like := m.At(m.all[m.r.IntN(len(m.all))]); m.r.IntN(10) == 0 && like.Alive {
		f = like.Shape // the key can't tell the two apart
	}
	f.TwoSided, f.Sensor, f.Velocity = m.r.IntN(2) == 0, m.r.IntN(20) == 0, collide.Vec3{}
	if m.r.IntN(5) == 0 {
		f.Velocity = vector(m.r, 20*m.size)
	}
	m.Put(k, f)
}

// change makes a few changes, as games make them between two steps, and some as they come about
// in a step.
func (m *maze) change() {
	for range m.r.IntN(12) {
		at := m.r.IntN(len(m.all))
		switch k := m.all[at]; m.r.IntN(7) {
		case 0:
			m.Remove(k)
			m.all = slices.Delete(m.all, at, at+1)
		case 1:
			m.set(m.add())
		case 2:
			m.Stop(k, seconds*m.r.Float64())
		case 3:
			if f := m.At(k); f.Moves() {
				m.SetVelocity(k, f.Velocity.Scale(0.5))
			}
		default:
			m.set(k)
		}
	}
	if m.r.IntN(2) == 0 {
		m.Release()
	}
}

// ball returns a ball somewhere.
func (m *maze) ball() ball {
	b := ball{
		vector(m.r, m.size),
		vector(m.r, 60*m.size*math.Pow(2, 4-8*m.r.Float64())),
		m.size * math.Pow(2, -8*m.r.Float64()),
	}
	if m.r.IntN(6) == 0 {
		b.v = collide.Vec3{}
	}
	return b
}

// plainFirst is First for someone with time. It sweeps against all surfaces, planes first.
func (m *maze) plainFirst(b ball, now float64, meets func(k int32) bool) (first float64, which int32) {
	first, which = math.Inf(1), -1
	for _, bounded := range []bool{false, true} {
		for k := range int32(m.Numbers()) {
			f := m.At(k)
			if !f.Alive || f.Sensor || (f.Kind() != Plane) != bounded || !meets(k) {
				continue
			}
			t, ok := 0.0, false
			if bounded {
				sphere := collide.Sphere{Center: b.x.AddScaled(now, b.v), Radius: b.radius}
				path := collide.SweptAABB(sphere, b.v, seconds-now)
				if !path.Overlaps(f.bounds) {
					continue
				}
				t, _, ok = f.sweep(b.x, b.v, b.radius, now, seconds)
			} else {
				gap, rate := f.Plane.Normal.Dot(b.x)-f.Plane.Distance, f.Plane.Normal.Dot(b.v)-f.rate
				if f.TwoSided && gap+float64(rate*now) < 0 {
					gap, rate = -gap, -rate
				}
				gap -= b.radius
				least := approachError(f.Plane.Normal, b.v, f.Velocity)
				if ok = rate < 0 && gap+float64(rate*seconds) <= 0 && -rate > least; ok {
					t = max(now, gap/-rate)
				}
			}
			if ok && (t < first || t == first && f.Key < m.At(which).Key) {
				first, which = t, k
			}
		}
	}
	return first, which
}

func TestTheFirstImpactIsThatOfTheWholeList(t *testing.T) {
	hits, insides := 0, 0
	for seed := range uint64(24) {
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
					first, which, n := m.First(&b.x, &b.v, b.radius, now, depth, meets, note)
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
	if hits < 3000 || insides < 500 {
		t.Errorf("only %d impacts, and %d times inside of something", hits, insides)
	}
}

func TestListsFollowChanges(t *testing.T) {
	for seed := range uint64(12) {
		m := newMaze(seed)
		for range 60 {
			m.change()
			m.update()
			bounded, moving := 0, 0
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
				if ok != f.isPlane() || ok && m.planes[at] != (plane{f.Plane, f.rate, int32(k), f.TwoSided}) {
					t.Fatalf("seed %d: surface %d is among the planes: %v", seed, k, ok)
				}
				if _, ok := slices.BinarySearch(m.Sensors(), int32(k)); ok != f.isSensor() {
					t.Fatalf("seed %d: surface %d is among the sensors: %v", seed, k, ok)
				}
				if f.Moves() {
					moving++
				}
			}
			if m.tree.Len() != bounded || m.Moving() != moving || m.Len() != len(m.all) {
				t.Fatalf("seed %d: %d in the tree, %d move, %d in all; want %d, %d, %d",
					seed, m.tree.Len(), m.Moving(), m.Len(), bounded, moving, len(m.all))
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
	found := map[string]int{}
	for seed := range uint64(24) {
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
				m.AllOnTheWay(&cast, sphere, direction, distance)
				m.AllNear(&inBox, box)
				m.SolidNear(&inSphere, sphere)
				var below []int32
				m.Approached(b.x, b.v, b.radius, near, func(k int32) { below = append(below, k) })
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
		if found[name] < 100 {
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
			times[k], _, _ = set.First(&b.x, &b.v, b.radius, 0, math.Inf(1), always, nil)
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
		hits := 0
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
			if kind != Plane {
				if reach := r.Float64(); s.faces(b.x, b.radius, reach) && gap+b.radius > reach+1e-9 {
					t.Fatalf("kind %d: faces a centre at %v, out of the reach %v", kind, gap+b.radius, reach)
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
			at, which, n := w.First(&b.x, &b.v, b.radius, 0, math.Inf(1), always, nil)
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
		if hits < 100 {
			t.Errorf("kind %d: only %d impacts", kind, hits)
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
			_, k, _ := m.First(&b.x, &b.v, b.radius, 0, 0, some, func(k int32) { sum += k })
			var c Cursor
			m.SolidNear(&c, collide.Sphere{Center: b.x, Radius: b.radius})
			for k, ok := c.Next(); ok; k, ok = c.Next() {
				sum += k
			}
			m.Approached(b.x, b.v, b.radius, b.radius, func(k int32) { sum += k })
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
				at, k, n := w.First(&b.x, &b.v, b.radius, 0, math.Inf(1), func(int32) bool { return true }, nil)
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
		_, k, _ := w.First(&x, &v, 1, 0, math.Inf(1), func(int32) bool { return true }, nil)
		return w.At(k).Shape
	}
	if a, b := met(floor, wall), met(wall, floor); a != b {
		t.Errorf("in a corner %v is met first, and %v if the walls are listed the other way round", a, b)
	}
}
