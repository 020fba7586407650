package main

import (
	"math"
	"math/rand/v2"

	"github.com/dango-physics/dango/collide"
)

type vec = collide.Vec3

// level is a level and what moves in it.
type level struct {
	vertices    []vec
	indices     []uint32
	walkers     []walker
	rays, casts []cast
	spheres     []vec // centres
}

// cast is a movement by a vector.
type cast struct{ from, by vec }

// walker is a character, with the directions in which it wants to go, one for each two seconds.
type walker struct {
	center vec
	ways   []vec
}

// The terrain has quads of 1 m.
const (
	quads = 708
	half  = quads / 2.0
)

// terrain has the heights of the corners of the quads.
type terrain []float64

func (t terrain) at(i, j int) float64 { return t[i*(quads+1)+j] }

// height returns the height of the triangles at x and z.
func (t terrain) height(x, z float64) float64 {
	fx, fz := x+half, z+half
	i, j := int(max(0, min(quads-1, math.Floor(fx)))), int(max(0, min(quads-1, math.Floor(fz))))
	u, w := fx-float64(i), fz-float64(j)
	a, b, c, d := t.at(i, j), t.at(i+1, j), t.at(i, j+1), t.at(i+1, j+1)
	if u+w <= 1 {
		return a + (b-a)*u + (c-a)*w
	}
	return d + (c-d)*(1-u) + (b-d)*(1-w)
}

// around returns the difference of the largest and the smallest height on a circle.
func (t terrain) around(x, z, r float64) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for k := range 16 {
		s, c := math.Sincos(float64(k) * math.Pi / 8)
		h := t.height(x+r*c, z+r*s)
		low, high = min(low, h), max(high, h)
	}
	return high - low
}

func smooth(from, to, x float64) float64 {
	t := max(0, min(1, (x-from)/(to-from)))
	return t * t * (3 - 2*t)
}

// hills is the height of the terrain before scaling: rolling hills with flat places between them.
func hills(x, z float64) float64 {
	h := math.Sin(x*0.045+0.3)*math.Cos(z*0.038-0.7) + 0.6*math.Sin(x*0.083+z*0.061) +
		0.35*math.Cos(x*0.11-z*0.15+1.1) + 0.05*math.Sin(x*0.9+0.4)*math.Sin(z*0.8)
	mask := smooth(-0.35, 0.35, math.Sin(x*0.021+1.3)+math.Cos(z*0.019-0.4))
	return (h + 1.5) * mask
}

// newTerrain returns hills whose steepest slope has 35 degrees.
func newTerrain() terrain {
	t := make(terrain, (quads+1)*(quads+1))
	for i := range quads + 1 {
		for j := range quads + 1 {
			t[i*(quads+1)+j] = hills(float64(i)-half, float64(j)-half)
		}
	}
	steepest := 0.0
	for i := range quads {
		for j := range quads {
			a, b, c, d := t.at(i, j), t.at(i+1, j), t.at(i, j+1), t.at(i+1, j+1)
			steepest = max(steepest, math.Hypot(b-a, c-a), math.Hypot(d-c, d-b))
		}
	}
	scale := math.Tan(35*math.Pi/180) / steepest
	for i := range t {
		t[i] *= scale
	}
	return t
}

// builder puts a level together.
type builder struct {
	level
	ground terrain
	rng    *rand.Rand
	taken  []disc
	stairs []flight
}

// disc is a place on which something stands.
type disc struct{ x, z, r float64 }

// flight is where stairs begin, and in which direction they go up.
type flight struct{ foot, way vec }

// generate returns the level of a seed: terrain of a million triangles, 200 stairs, 500 boxes and
// walls; 1,000 characters of which 400 stand in front of stairs, 100,000 rays of up to 100 m,
// 100,000 sphere casts over 5 m, and 1,000 spheres on slopes.
func generate(seed uint64) *level {
	b := &builder{ground: newTerrain(), rng: rand.New(rand.NewPCG(11, seed))}
	for i := range quads + 1 {
		for j := range quads + 1 {
			b.vertices = append(b.vertices, vec{X: float64(i) - half, Y: b.ground.at(i, j), Z: float64(j) - half})
		}
	}
	id := func(i, j int) uint32 { return uint32(i*(quads+1) + j) }
	for i := range quads {
		for j := range quads {
			b.indices = append(b.indices, id(i, j), id(i, j+1), id(i+1, j), id(i+1, j+1), id(i+1, j), id(i, j+1))
		}
	}
	b.addStairs()
	b.addBoxes()
	b.addWalkers()
	b.addCasts()
	b.addSpheres()
	return &b.level
}

// free reports whether nothing stands within r of x and z.
func (b *builder) free(x, z, r float64) bool {
	for _, d := range b.taken {
		if math.Hypot(d.x-x, d.z-z) < d.r+r {
			return false
		}
	}
	return true
}

// within returns a random number from -size to size.
func (b *builder) within(size float64) float64 { return (2*b.rng.Float64() - 1) * size }

// direction returns a random horizontal direction, and the one to its right.
func (b *builder) direction() (way, side vec) {
	s, c := math.Sincos(2 * math.Pi * b.rng.Float64())
	return vec{X: c, Z: s}, vec{X: -s, Z: c}
}

// addStairs adds stairs with ten steps of 0.3 m, where the ground rises by less than 1 m.
func (b *builder) addStairs() {
	for len(b.stairs) < 200 {
		x, z := b.within(300), b.within(300)
		way, side := b.direction()
		if b.ground.around(x, z, 4) > 1 || !b.free(x, z, 5) {
			continue
		}
		foot := vec{X: x, Z: z}.Sub(way.Scale(3))
		foot.Y = b.ground.height(foot.X, foot.Z)
		b.addFlight(foot, way, side)
		b.stairs = append(b.stairs, flight{foot, way})
		b.taken = append(b.taken, disc{x, z, 5})
	}
}

// addBoxes adds boxes and walls by turns.
func (b *builder) addBoxes() {
	for n := 0; n < 500; {
		x, z := b.within(320), b.within(320)
		way, side := b.direction()
		size := func() float64 { return 0.25 + 0.75*b.rng.Float64() }
		hx, hy, hz := size(), size(), size()
		if n%2 == 1 {
			hx, hy, hz = 2+3*b.rng.Float64(), 1.25, 0.15
		}
		if !b.free(x, z, hx+1) {
			continue
		}
		at := vec{X: x, Y: b.ground.height(x, z) + hy - 0.2, Z: z}
		b.addBox(at, way.Scale(hx), vec{Y: hy}, side.Scale(hz))
		b.taken = append(b.taken, disc{x, z, math.Hypot(hx, hz)})
		n++
	}
}

// stand returns the centre of a capsule of radius 0.3 and height 1.8 a little above the ground.
func (b *builder) stand(x, z float64) vec {
	top := math.Inf(-1)
	for k := range 64 {
		s, c := math.Sincos(float64(k) * math.Pi / 32)
		for _, r := range []float64{0, 0.1, 0.2, 0.3} {
			top = max(top, b.ground.height(x+r*c, z+r*s)-(0.3-math.Sqrt(0.09-r*r+1e-12)))
		}
	}
	return vec{X: x, Y: top + 0.05 + 0.9, Z: z}
}

func (b *builder) addWalkers() {
	for len(b.walkers) < 1000 {
		k := len(b.walkers)
		x, z := b.within(300), b.within(300)
		way, _ := b.direction()
		if k < 400 { // in front of stairs
			f := b.stairs[k%200]
			p := f.foot.Sub(f.way.Scale(1 + 2*b.rng.Float64())).Add(vec{X: -f.way.Z, Z: f.way.X}.Scale(b.within(1)))
			x, z, way = p.X, p.Z, f.way
		} else if !b.free(x, z, 0.6) {
			continue
		}
		w := walker{ways: []vec{way}}
		for range 4 {
			way, _ := b.direction()
			w.ways = append(w.ways, way)
		}
		w.center = b.stand(x, z)
		b.walkers = append(b.walkers, w)
	}
}

func (b *builder) addCasts() {
	for range 100000 {
		x, z := b.within(300), b.within(300)
		down, a := (5+55*b.rng.Float64())*math.Pi/180, 2*math.Pi*b.rng.Float64()
		d := vec{X: math.Cos(a) * math.Cos(down), Y: -math.Sin(down), Z: math.Sin(a) * math.Cos(down)}
		from := vec{X: x, Y: b.ground.height(x, z) + 2 + 38*b.rng.Float64(), Z: z}
		b.rays = append(b.rays, cast{from, d.Scale(100)})
	}
	for range 100000 {
		x, z, a := b.within(300), b.within(300), 2*math.Pi*b.rng.Float64()
		from := vec{X: x, Y: b.ground.height(x, z) + 1, Z: z}
		b.casts = append(b.casts, cast{from, vec{X: 5 * math.Cos(a), Z: 5 * math.Sin(a)}})
	}
}

func (b *builder) addSpheres() {
	for len(b.spheres) < 1000 {
		x, z := b.within(180), b.within(180)
		if b.ground.around(x, z, 1) < 2*math.Tan(10*math.Pi/180) || !b.free(x, z, 1) {
			continue
		}
		ok := true
		for _, s := range b.spheres {
			ok = ok && math.Hypot(s.X-x, s.Z-z) > 1
		}
		if ok {
			b.spheres = append(b.spheres, vec{X: x, Y: b.ground.height(x, z) + 1, Z: z})
		}
	}
}

// quad adds two triangles; the corners run counter-clockwise when seen from the front.
func (l *level) quad(a, b, c, d vec) {
	n := uint32(len(l.vertices))
	l.vertices = append(l.vertices, a, b, c, d)
	l.indices = append(l.indices, n, n+1, n+2, n, n+2, n+3)
}

// addBox adds a box with the given half axes.
func (l *level) addBox(at, x, y, z vec) {
	if x.Cross(y).Dot(z) < 0 {
		x = x.Neg()
	}
	for _, f := range [3][3]vec{{x, y, z}, {y, z, x}, {z, x, y}} {
		for _, s := range []float64{1, -1} {
			u, w := f[1], f[2].Scale(s)
			c := at.Add(f[0].Scale(s))
			l.quad(c.Sub(u).Sub(w), c.Add(u).Sub(w), c.Add(u).Add(w), c.Sub(u).Add(w))
		}
	}
}

// addFlight adds a flight of stairs as a closed solid that goes 4 m into the ground: ten steps of
// 0.3 m with treads of 0.4 m, 3 m wide, and a platform of 2 m.
func (l *level) addFlight(foot, way, side vec) {
	const steps, rise, tread, width, platform, bottom = 10, 0.3, 0.4, 3.0, 2.0, -4.0
	up := vec{Y: 1}
	at := func(along, high, s float64) vec {
		return foot.Add(way.Scale(along)).Add(up.Scale(high)).Add(side.Scale(s * width / 2))
	}
	quad := func(a, b, c, d, front vec) {
		if b.Sub(a).Cross(c.Sub(a)).Dot(front) < 0 {
			a, b, c, d = d, c, b, a
		}
		l.quad(a, b, c, d)
	}
	end := 0.0
	for k := range steps {
		x0, x1, y0, y1 := float64(k)*tread, float64(k+1)*tread, float64(k)*rise, float64(k+1)*rise
		if k == steps-1 {
			x1 += platform
		}
		low := y0
		if k == 0 {
			low = bottom
		}
		quad(at(x0, low, -1), at(x0, low, 1), at(x0, y1, 1), at(x0, y1, -1), way.Neg())
		quad(at(x0, y1, -1), at(x0, y1, 1), at(x1, y1, 1), at(x1, y1, -1), up)
		for _, s := range []float64{-1, 1} {
			quad(at(x0, bottom, s), at(x1, bottom, s), at(x1, y1, s), at(x0, y1, s), side.Scale(s))
		}
		quad(at(x0, bottom, -1), at(x0, bottom, 1), at(x1, bottom, 1), at(x1, bottom, -1), up.Neg())
		end = x1
	}
	top := float64(steps) * rise
	quad(at(end, bottom, -1), at(end, bottom, 1), at(end, top, 1), at(end, top, -1), way)
}
