package solver

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/calendar"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/statics"
)

// These tests hold what finds surfaces quickly against the plain way: to look at all of them, one by one.

func vector(r *rand.Rand, size float64) collide.Vec3 {
	return collide.Vec3{X: size * (2*r.Float64() - 1), Y: size * (2*r.Float64() - 1), Z: size * (2*r.Float64() - 1)}
}

// maze is a space of many surfaces that come, change, move and go.
type maze struct {
	Space
	r    *rand.Rand
	size float64
	all  []int32 // the surfaces that there are
	ids  []int32

	shapes map[int32]Surface // as they were set last
}

func newMaze(seed uint64) *maze {
	r := rand.New(rand.NewPCG(seed, 2))
	m := &maze{shapes: map[int32]Surface{}, r: r, size: math.Pow(10, float64(seed%6)-2)}
	m.Settings = Settings{Seconds: 1.0 / 60, MaxImpacts: 32, MaxInelasticImpacts: 32, Combine: func(a, b *Material) float64 { return max(a.Restitution, b.Restitution) }}
	for range 200 {
		m.set(m.add())
	}
	for range 30 {
		m.ids = append(m.ids, m.Add())
		m.place(len(m.ids) - 1)
	}
	return m
}

// place puts a body somewhere.
func (m *maze) place(n int) {
	r := m.size * math.Pow(2, -8*m.r.Float64())
	v := vector(m.r, 60*m.size*math.Pow(2, 4-8*m.r.Float64()))
	if m.r.IntN(6) == 0 {
		v = collide.Vec3{}
	}
	m.Set(m.ids[n], State{vector(m.r, m.size), v}, r, 1, Dynamic, Material{Restitution: m.r.Float64(), Layers: 1, Mask: 7})
}

func (m *maze) add() int32 {
	k := m.AddSurface()
	m.all = append(m.all, k)
	return k
}

// set makes something new of surface k, or the same as another.
func (m *maze) set(k int32) {
	f := Surface{TwoSided: m.r.IntN(2) == 0, Material: Material{Restitution: 0.5, Layers: 1 << m.r.IntN(3), Mask: 7, Sensor: m.r.IntN(20) == 0}}
	switch kind := m.r.IntN(20); {
	case kind == 0:
		n, _ := vector(m.r, 1).Normalized()
		f.Plane = collide.Plane{Normal: n, Distance: -m.size * m.r.Float64()}
	case kind < 3:
		f = m.shapes[m.all[m.r.IntN(len(m.all))]] // the key can't tell the two apart
		if f.Plane.Normal == (collide.Vec3{}) {
			m.set(k)
			return
		}
	default:
		f.Polygon = m.sheet()
		f.Plane = f.Polygon.Plane()
		f.Offset = vector(m.r, m.size)
	}
	if m.r.IntN(5) == 0 {
		f.Velocity = vector(m.r, 20*m.size)
	}
	m.setSurface(k, f)
}

// setSurface is SetSurface.
func (m *maze) setSurface(k int32, f Surface) {
	m.SetSurface(k, f)
	m.shapes[k] = f
}

// sheet makes a polygon of any size.
func (m *maze) sheet() *collide.Polygon {
	size := m.size * math.Pow(2, -8*m.r.Float64())
	for {
		at, a, b := vector(m.r, m.size), vector(m.r, size), vector(m.r, size)
		if m.r.IntN(3) == 0 { // along an axis: ties, and boxes without a thickness
			a, b = collide.Vec3{X: size}, collide.Vec3{Z: size}
		}
		corners := []collide.Vec3{at, at.Add(a), at.Add(a).Add(b), at.Add(b)}[:3+m.r.IntN(2)]
		if g, err := collide.NewPolygon(corners...); err == nil {
			return &g
		}
	}
}

// change makes a few changes, as games make them between two steps.
func (m *maze) change() {
	for range m.r.IntN(12) {
		at := m.r.IntN(len(m.all))
		switch k := m.all[at]; m.r.IntN(5) {
		case 0:
			m.RemoveSurface(k)
			delete(m.shapes, k)
			m.all = slices.Delete(m.all, at, at+1)
		case 1:
			m.set(m.add())
		default:
			m.set(k)
		}
	}
	for _, k := range m.all {
		if f := m.shapes[k]; f.Velocity != (collide.Vec3{}) { // what moves is told anew each step
			f.Offset = f.Offset.Add(m.Travelled(k))
			m.setSurface(k, f)
		}
	}
}

// solid returns the surfaces that stop things: planes first, then polygons, by their numbers.
func (m *maze) solid() (planes, polygons []int32) {
	for k := range int32(m.statics.Numbers()) {
		switch f := m.statics.At(k); {
		case !f.Alive || f.Sensor:
		case f.Kind() == statics.Plane:
			planes = append(planes, k)
		default:
			polygons = append(polygons, k)
		}
	}
	return planes, polygons
}

// plainSweep returns the first impact of body i with a surface. It asks for each surface alone whether it is met.
func (m *maze) plainSweep(i int32, now float64) (first float64, which int32, normal collide.Vec3) {
	b := &m.bodies[i]
	first, which = math.Inf(1), -1
	planes, polygons := m.solid()
	for _, k := range append(planes, polygons...) {
		if !m.meetSurface(i, k) {
			continue
		}
		t, met, n := m.statics.First(&b.x, &b.v, b.radius, now, math.Inf(1), func(other int32) bool { return other == k }, nil)
		if met >= 0 && (t < first || t == first && m.statics.At(k).Key < m.statics.At(which).Key) {
			first, which, normal = t, k, n
		}
	}
	return first, which, normal
}

func TestTheFirstSurfaceOnTheWay(t *testing.T) {
	slow.Skip(t, slow.Sequential, "one goroutine, and TestSameBitsEverywhere compares the bits")
	hits := 0
	for seed := range uint64(12) {
		m := newMaze(seed)
		for range 20 {
			m.change()
			for n := range m.ids {
				m.place(n)
			}
			m.Begin()
			if m.r.IntN(2) == 0 {
				m.Veto(m.ids[0], surfaceCode-m.all[0])
			}
			for i := range int32(len(m.bodies)) {
				for _, now := range []float64{0, m.Seconds * m.r.Float64()} {
					m.polygonNormals[i] = collide.Vec3{}
					m.calendar.Reset(m.Seconds, len(m.bodies))
					m.predictSurface(i, now, math.Inf(1))
					wantFirst, want, normal := m.plainSweep(i, now)
					first, which := math.Inf(1), int32(-1)
					m.calendar.All(func(e calendar.Event) bool { first, which = e.Time, surfaceCode-e.B; return true })
					if first != wantFirst && wantFirst <= m.Seconds || which != want || m.polygonNormals[i] != normal {
						t.Fatalf("seed %d: %d at %v with %v, want %d at %v with %v", seed, which, first, m.polygonNormals[i], want, wantFirst, normal)
					}
					if which >= 0 {
						hits++
					}
				}
				m.overlapPairs = m.overlapPairs[:0]
				m.predictFirstSurface(i)
				var got, want []int32
				for _, p := range m.overlapPairs {
					got = append(got, surfaceCode-p.b)
				}
				planes, polygons := m.solid()
				for _, k := range append(planes, polygons...) {
					if b := &m.bodies[i]; m.isInsideSurface(b.x, b.radius, k, 0) && m.infos[i].material.collides(&m.surfaces[k].material) && !m.vetoed(m.infos[i].id, surfaceCode-k) {
						want = append(want, k)
					}
				}
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d: body %d begins inside %v, want %v", seed, i, got, want)
				}
			}
			m.overlapPairs = m.overlapPairs[:0]
			m.Sweep()
			m.Finish()
		}
	}
	if hits < 500 {
		t.Errorf("only %d impacts", hits)
	}
}

// TestSurfacesChangeInTheMiddleOfAStep changes them after each part of a step: what was predicted of them is void, and nothing else is.
func TestSurfacesChangeInTheMiddleOfAStep(t *testing.T) {
	slow.Skip(t, slow.Sequential, "one goroutine, and TestSameBitsEverywhere compares the bits")
	for seed := range uint64(12) {
		m := newMaze(seed)
		for range 30 {
			m.change()
			for n := range m.ids {
				m.place(n)
			}
			for _, part := range []func(){m.Begin, m.Sweep, m.Finish} {
				part()
				m.change()
			}
			m.Sync()
			if m.Surfaces() != len(m.all) {
				t.Fatalf("seed %d: %d surfaces, want %d", seed, m.Surfaces(), len(m.all))
			}
			for _, k := range m.all {
				if f, want := m.statics.At(k), m.shapes[k]; !f.Alive || f.Plane != want.Plane || f.Polygon != want.Polygon || m.surfaces[k].material != want.Material {
					t.Fatalf("seed %d: surface %d isn't what was set last", seed, k)
				}
			}
		}
	}
}

func TestQueriesOfManySurfaces(t *testing.T) {
	slow.Skip(t, slow.Sequential, "one goroutine, and TestSameBitsEverywhere compares the bits")
	hits, overlaps := 0, 0
	for seed := range uint64(12) {
		m := newMaze(100 + seed)
		for _, id := range m.ids {
			m.Remove(id)
		}
		everything := func(int32) bool { return true }
		for range 10 {
			m.change()
			switch m.r.IntN(3) { // or asked at once, before the next step
			case 0:
				m.Sync()
			case 1:
				m.Begin()
				m.Sweep()
				m.Finish()
			}
			for range 30 {
				ball := collide.Sphere{Center: vector(m.r, 2*m.size), Radius: m.size * math.Pow(2, -12*m.r.Float64())}
				if m.r.IntN(3) == 0 {
					ball.Radius = 0
				}
				direction, _ := vector(m.r, 1).Normalized()
				distance := []float64{m.size, 1e9, math.Inf(1), 0}[m.r.IntN(4)]
				var all []Hit
				var inSphere, inBox []int32
				body := body{x: ball.Center, radius: ball.Radius}
				box := collide.NewAABB(ball.Center, ball.Center.Add(vector(m.r, m.size)))
				for _, k := range m.all {
					if c, outcome := m.statics.At(k).Cast(ball, direction, distance, m.queryTime); outcome != collide.Miss {
						all = append(all, hitOf(surfaceCode-k, c, outcome))
					}
					if gap, _ := m.separation(&body, k, m.queryTime); gap <= 0 {
						inSphere = append(inSphere, surfaceCode-k)
					}
					if m.inBoxPlainly(box, k) {
						inBox = append(inBox, surfaceCode-k)
					}
				}
				slices.SortFunc(all, func(a, b Hit) int { return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Code, b.Code)) })
				if got := m.CastAll(ball, direction, distance, everything, nil); !slices.Equal(got, all) {
					t.Fatalf("seed %d: a cast of %v along %v meets %v, want %v", seed, ball, direction, got, all)
				}
				got, ok := m.Cast(ball, direction, distance, everything)
				if ok != (len(all) > 0) || ok && got != all[0] {
					t.Fatalf("seed %d: a cast of %v along %v first meets %v, want %v", seed, ball, direction, got, all)
				}
				hits += len(all)
				overlaps += len(inSphere) + len(inBox)
				for name, test := range map[string]struct {
					ask  func(func(int32))
					want []int32
				}{
					"sphere": {func(yield func(int32)) { m.InSphere(ball, yield) }, inSphere},
					"box":    {func(yield func(int32)) { m.InBox(box, yield) }, inBox},
				} {
					var got []int32
					test.ask(func(code int32) { got = append(got, code) })
					slices.Sort(got)
					slices.Sort(test.want)
					if !slices.Equal(got, test.want) {
						t.Fatalf("seed %d: in the %s: %v, want %v", seed, name, got, test.want)
					}
				}
			}
		}
	}
	if hits < 5000 || overlaps < 5000 {
		t.Errorf("only %d hits and %d overlaps", hits, overlaps)
	}
}

// inBoxPlainly reports whether a box touches surface k.
func (m *maze) inBoxPlainly(box collide.AABB, k int32) bool {
	f := m.statics.At(k)
	if f.Polygon != nil {
		return collide.OverlapAABBPolygon(box.Translate(f.Offset.Add(f.Travelled(m.queryTime)).Neg()), *f.Polygon)
	}
	moved := box.Translate(f.Velocity.Scale(-m.queryTime))
	low, high := math.Inf(1), math.Inf(-1)
	for corner := range 8 {
		p := moved.Min
		if corner&1 != 0 {
			p.X = moved.Max.X
		}
		if corner&2 != 0 {
			p.Y = moved.Max.Y
		}
		if corner&4 != 0 {
			p.Z = moved.Max.Z
		}
		h := f.Plane.SignedDistance(p)
		low, high = min(low, h), max(high, h)
	}
	return low <= 0 && (high >= 0 || !f.TwoSided)
}
