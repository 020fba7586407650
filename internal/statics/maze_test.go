package statics

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dango-physics/dango/collide"
)

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
	Capsule: func(r *rand.Rand, size float64) Shape {
		small := size * math.Pow(2, -8*r.Float64())
		c := collide.Capsule{A: vector(r, size), Radius: small * (0.1 + r.Float64())}
		switch c.B = c.A.Add(vector(r, small)); r.IntN(6) {
		case 0:
			c.B = c.A // a ball
		case 1:
			c.B.Y, c.B.Z = c.A.Y, c.A.Z // along an axis: ties
		}
		return Shape{Capsule: c, Offset: vector(r, size)}
	},
	Cylinder: func(r *rand.Rand, size float64) Shape {
		small := size * math.Pow(2, -8*r.Float64())
		c := collide.Capsule{A: vector(r, size), Radius: small * (0.1 + r.Float64())}
		c.B = c.A.Add(vector(r, small))
		return Shape{Capsule: c, FlatEnds: true, Hull: prismOf(c), Offset: vector(r, size)}
	},
	Box: func(r *rand.Rand, size float64) Shape {
		small := size * math.Pow(2, -6*r.Float64())
		side := func() float64 { return small * (0.1 + r.Float64()) }
		half := collide.Vec3{X: side(), Y: side(), Z: side()}
		return Shape{Half: half, Rotation: someRotation(r), Offset: vector(r, size)}
	},
	Hull: func(r *rand.Rand, size float64) Shape {
		small := size * math.Pow(2, -6*r.Float64())
		for {
			var points []collide.Vec3
			for range 4 + r.IntN(6) {
				points = append(points, vector(r, small))
			}
			if h, err := collide.NewHull(points); err == nil {
				return Shape{Hull: h, Rotation: someRotation(r), Offset: vector(r, size)}
			}
		}
	},
}

// someRotation returns a rotation, in one of three cases none.
func someRotation(r *rand.Rand) collide.Quat {
	if r.IntN(3) == 0 {
		return collide.Quat{}
	}
	return collide.RotationBy(vector(r, 3))
}

// prismOf returns a prism around the cylinder with the axis and radius of c.
func prismOf(c collide.Capsule) *collide.Hull {
	h, err := collide.Cylinder(c).Prism(5)
	if err != nil {
		panic(err)
	}
	return h
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
				m.Slow(k, 0.5)
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
				t, _, _, ok = f.sweep(b.x, b.v, b.radius, now, seconds)
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
