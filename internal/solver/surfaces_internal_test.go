package solver

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/statics"
)

// These tests compare the fast search for surfaces with a test of all surfaces.

func vector(r *rand.Rand, size float64) collide.Vec3 {
	return collide.Vec3{X: size * (2*r.Float64() - 1), Y: size * (2*r.Float64() - 1), Z: size * (2*r.Float64() - 1)}
}

// surfaceWorld is a space with many surfaces that are added, changed, moved and removed.
type surfaceWorld struct {
	Space
	r    *rand.Rand
	size float64
	all  []int32 // the existing surfaces
	ids  []int32

	shapes map[int32]Surface // the last shapes that were set
}

func newSurfaceWorld(seed uint64) *surfaceWorld {
	r := rand.New(rand.NewPCG(seed, 2))
	m := &surfaceWorld{shapes: map[int32]Surface{}, r: r, size: math.Pow(10, float64(seed%6)-2)}
	m.Settings = Settings{
		Seconds: 1.0 / 60, MaxImpacts: 32, MaxInelasticImpacts: 32,
	}
	for range 200 {
		m.set(m.add())
	}
	for range 30 {
		m.ids = append(m.ids, m.Add())
		m.placeBody(len(m.ids) - 1)
	}
	return m
}

// placeBody gives body n a random position, velocity, radius and material.
func (m *surfaceWorld) placeBody(n int) {
	r := m.size * math.Pow(2, -8*m.r.Float64())
	v := vector(m.r, 60*m.size*math.Pow(2, 4-8*m.r.Float64()))
	if m.r.IntN(6) == 0 {
		v = collide.Vec3{}
	}
	m.Set(m.ids[n], State{vector(m.r, m.size), v}, r, 1, Dynamic,
		Material{Restitution: m.r.Float64(), Layers: 1, Mask: 7})
}

func (m *surfaceWorld) add() int32 {
	k := m.AddSurface()
	m.all = append(m.all, k)
	return k
}

// set gives surface k a new shape, or the same shape as another surface.
func (m *surfaceWorld) set(k int32) {
	f := Surface{
		Shape: statics.Shape{TwoSided: m.r.IntN(2) == 0},
		Material: Material{
			Restitution: 0.5, Layers: 1 << m.r.IntN(3), Mask: 7,
			Sensor: m.r.IntN(20) == 0,
		},
	}
	switch kind := m.r.IntN(20); {
	case kind == 0:
		n, _ := vector(m.r, 1).Normalized()
		f.Plane = collide.Plane{Normal: n, Distance: -m.size * m.r.Float64()}
	case kind < 3:
		f = m.shapes[m.all[m.r.IntN(len(m.all))]] // both have the same key
		if f == (Surface{}) {
			m.set(k)
			return
		}
	case kind < 7:
		f.Capsule = collide.Capsule{A: vector(m.r, m.size), B: vector(m.r, m.size)}
		f.Capsule.Radius = m.size * math.Pow(2, -8*m.r.Float64())
		f.Offset = vector(m.r, m.size)
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

// setSurface calls SetSurface and keeps the shape for comparisons.
func (m *surfaceWorld) setSurface(k int32, f Surface) {
	m.SetSurface(k, f)
	m.shapes[k] = f
}

// sheet returns a polygon with a random size.
func (m *surfaceWorld) sheet() *collide.Polygon {
	size := m.size * math.Pow(2, -8*m.r.Float64())
	for {
		at, a, b := vector(m.r, m.size), vector(m.r, size), vector(m.r, size)
		if m.r.IntN(3) == 0 { // axis-aligned: ties, and bounds of zero thickness
			a, b = collide.Vec3{X: size}, collide.Vec3{Z: size}
		}
		corners := []collide.Vec3{at, at.Add(a), at.Add(a).Add(b), at.Add(b)}[:3+m.r.IntN(2)]
		if g, err := collide.NewPolygon(corners...); err == nil {
			return &g
		}
	}
}

// change makes a few random changes, as a game does between two steps.
func (m *surfaceWorld) change() {
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
		if f := m.shapes[k]; f.Velocity != (collide.Vec3{}) { // moving surfaces are set in each step
			f.Offset = f.Offset.Add(m.statics.Travelled(k))
			m.setSurface(k, f)
		}
	}
}

// solid returns the surfaces that aren't sensors: first planes, then those with bounds, each in the
// order of their numbers.
func (m *surfaceWorld) solid() (planes, bounded []int32) {
	for k := range int32(m.statics.Numbers()) {
		switch f := m.statics.At(k); {
		case !f.Alive || f.Sensor:
		case f.Kind() == statics.Plane:
			planes = append(planes, k)
		default:
			bounded = append(bounded, k)
		}
	}
	return planes, bounded
}

// firstOfAllSurfaces returns the first impact of body i with a surface, by testing each surface
// separately.
func (m *surfaceWorld) firstOfAllSurfaces(i int32, now float64) (first float64, which int32, normal collide.Vec3) {
	b := &m.bodies[i]
	first, which = math.Inf(1), -1
	planes, bounded := m.solid()
	for _, k := range append(planes, bounded...) {
		if !m.mayMeetSurface(i, k) || m.passes(i, k, b.at(now), now) {
			continue
		}
		t, hit, n := m.statics.First(nil, &b.x, &b.v, b.radius, now, math.Inf(1),
			func(other int32) bool { return other == k },
			func(q, k int32, t float64) bool { return m.hides(i, q, k, now, t) }, nil)
		if hit >= 0 && (t < first || t == first && m.statics.At(k).Key < m.statics.At(which).Key) {
			first, which, normal = t, k, n
		}
	}
	return first, which, normal
}

func TestFirstSurfaceMatchesASearchOfAll(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	hits := 0
	for seed := range uint64(slow.Cases(12)) {
		m := newSurfaceWorld(seed)
		for range 20 {
			m.change()
			for n := range m.ids {
				m.placeBody(n)
			}
			m.Begin()
			if m.r.IntN(2) == 0 {
				m.Veto(BodyHandle(m.ids[0]), SurfaceHandle(m.all[0]))
			}
			for i := range int32(len(m.bodies)) {
				for _, now := range []float64{0, m.Seconds * m.r.Float64()} {
					m.surfaceImpacts = make([]surfaceImpacts, len(m.bodies))
					wantFirst, want, normal := m.firstOfAllSurfaces(i, now) // before the next line says what it passes
					first, which := m.nextSurface(i, now, math.Inf(1))
					if first != wantFirst && wantFirst <= m.Seconds || which != want ||
						m.surfaceImpacts[i].normals[0] != normal {
						t.Fatalf("seed %d: %d at %v with %v, want %d at %v with %v", seed, which, first,
							m.surfaceImpacts[i].normals[0], want, wantFirst, normal)
					}
					if which >= 0 {
						hits++
					}
				}
				m.overlapPairs = m.overlapPairs[:0]
				m.firstSurface(i)
				var got, want []int32
				for _, p := range m.overlapPairs {
					got = append(got, surfaceOf(p.b))
				}
				planes, bounded := m.solid()
				for _, k := range append(planes, bounded...) {
					if m.isInsideSurface(i, m.bodies[i].x, k, 0) &&
						m.infos[i].material.collides(&m.surfaces[k].material) &&
						!m.vetoed(m.infos[i].id, codeOf(k)) {
						want = append(want, k)
					}
				}
				slices.SortStableFunc(want, func(a, b int32) int {
					return cmp.Compare(m.statics.At(a).Kind(), m.statics.At(b).Kind())
				})
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d: body %d begins inside %v, want %v", seed, i, got, want)
				}
			}
			m.overlapPairs = m.overlapPairs[:0]
			m.Sweep()
			m.Finish()
		}
	}
	if hits < 40*slow.Cases(12) {
		t.Errorf("only %d impacts", hits)
	}
}

// Surfaces change after each stage of a step. Predictions that involve a changed surface become
// invalid, and no others.
func TestSurfacesChangeInTheMiddleOfAStep(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for seed := range uint64(slow.Cases(12)) {
		m := newSurfaceWorld(seed)
		for range 30 {
			m.change()
			for n := range m.ids {
				m.placeBody(n)
			}
			for _, stage := range []func(){m.Begin, m.Sweep, m.Finish} {
				stage()
				m.change()
			}
			m.Sync()
			if m.Surfaces() != len(m.all) {
				t.Fatalf("seed %d: %d surfaces, want %d", seed, m.Surfaces(), len(m.all))
			}
			for _, k := range m.all {
				f, want := m.statics.At(k), m.shapes[k]
				want.Sensor = want.Material.Sensor
				if !f.Alive || f.Shape != want.Shape || m.surfaces[k].material != want.Material {
					t.Fatalf("seed %d: surface %d has not the last state that was set", seed, k)
				}
			}
		}
	}
}

func TestSurfaceQueriesMatchASearchOfAll(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	hits, overlaps := 0, 0
	for seed := range uint64(12) {
		m := newSurfaceWorld(100 + seed)
		for _, id := range m.ids {
			m.Remove(id)
		}
		everything := func(Handle) bool { return true }
		for range 10 {
			m.change()
			switch m.r.IntN(3) { // otherwise queries come before the next step
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
				var inSphere, inBox []Handle
				body := body{x: ball.Center, radius: ball.Radius}
				box := collide.NewAABB(ball.Center, ball.Center.Add(vector(m.r, m.size)))
				for _, k := range m.all {
					if c, outcome := m.statics.At(k).Cast(ball, direction, distance,
						m.queryTime); outcome != collide.Miss {
						all = append(all, hitOf(SurfaceHandle(k), c, outcome))
					}
					if gap, _ := m.statics.Separation(nil, k, body.x, body.radius, m.queryTime); gap <= 0 {
						inSphere = append(inSphere, SurfaceHandle(k))
					}
					if m.isInBox(box, k) {
						inBox = append(inBox, SurfaceHandle(k))
					}
				}
				slices.SortFunc(all, func(a, b Hit) int {
					return cmp.Or(cmp.Compare(a.Distance, b.Distance),
						cmp.Compare(a.Handle, b.Handle))
				})
				probe := &Probe{Sphere: ball}
				if got := m.CastAll(probe, direction, distance, everything, nil); !slices.Equal(got, all) {
					t.Fatalf("seed %d: a cast of %v along %v meets %v, want %v", seed, ball, direction, got, all)
				}
				got, ok := m.Cast(probe, direction, distance, everything)
				if ok != (len(all) > 0) || ok && got != all[0] {
					t.Fatalf("seed %d: a cast of %v along %v first meets %v, want %v", seed, ball, direction, got, all)
				}
				hits += len(all)
				overlaps += len(inSphere) + len(inBox)
				for name, test := range map[string]struct {
					ask  func(func(Handle))
					want []Handle
				}{
					"sphere": {func(yield func(Handle)) { m.InSphere(ball, yield) }, inSphere},
					"box":    {func(yield func(Handle)) { m.InBox(box, yield) }, inBox},
				} {
					var got []Handle
					test.ask(func(h Handle) { got = append(got, h) })
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

// isInBox reports whether surface k touches the box.
func (m *surfaceWorld) isInBox(box collide.AABB, k int32) bool {
	f := m.statics.At(k)
	own := box.Translate(f.Offset.Add(f.Travelled(m.queryTime)).Neg()) // in the frame of the surface
	switch f.Kind() {
	case statics.Polygon:
		isBehind := f.Polygon.Plane().SignedDistance(own.Center()) < 0
		return collide.OverlapAABBPolygon(own, *f.Polygon) && (f.TwoSided || !isBehind)
	case statics.Capsule:
		return collide.OverlapAABBCapsule(own, f.Capsule)
	case statics.Plane:
	default:
		panic("isInBox: unknown kind of shape")
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
