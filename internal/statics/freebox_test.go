package statics

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
)

// TestWhatAvoidsPlanesMeetsNone checks in exact arithmetic that no plane touches what doesn't
// look at any.
func TestWhatAvoidsPlanesMeetsNone(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	r := rand.New(rand.NewPCG(3, 4))
	stayed, looked := 0, 0
	for range slow.Cases(3000) {
		s := Set{seconds: math.Pow(10, -3*r.Float64())}
		size := math.Pow(10, 12*r.Float64()-6)
		center := vector(r, size*math.Pow(10, 4*r.Float64()-2))
		s.SetExtent(collide.AABB{Min: center, Max: center}.Grow(size))
		square := r.IntN(2) == 0
		for range r.IntN(8) {
			n, _ := vector(r, 1).Normalized()
			if square {
				n = collide.Vec3{}
				*[]*float64{&n.X, &n.Y, &n.Z}[r.IntN(3)] = float64(2*r.IntN(2) - 1)
			}
			p := plane{twoSided: r.IntN(4) == 0}
			p.Normal, p.Distance = n, n.Dot(center)-size*(1.5*r.Float64()-0.2)
			if r.IntN(3) == 0 {
				p.rate = size * (2*r.Float64() - 1) / s.seconds
			}
			s.planes = append(s.planes, p)
		}
		s.UpdateFreeBox()
		for range 30 {
			b := ball{
				center.Add(vector(r, 1.6*size)),
				vector(r, size*math.Pow(2, 2-6*r.Float64())/s.seconds),
				size * math.Pow(2, -1-8*r.Float64()),
			}
			if r.IntN(2) == 0 { // it only just stays: at a side of the box when it sets out
				b.x.X = s.freeBox.middle.X + (s.freeBox.half.X-b.radius)*(1-0x1p-52)
				b.v.X = -math.Abs(b.v.X)
			}
			now := s.seconds * math.Max(0, 1.5*r.Float64()-0.5)
			if !s.avoidsPlanes(&b.x, &b.v, b.radius, now) {
				looked++
				continue
			}
			stayed++
			for k := range s.planes {
				p := &s.planes[k]
				from, to := height(p, &b, now), height(p, &b, s.seconds)
				if p.twoSided && from.Sign() < 0 {
					from.Neg(from)
					to.Neg(to)
				}
				radius := new(big.Rat).SetFloat64(b.radius)
				if from.Cmp(radius) <= 0 || to.Cmp(radius) <= 0 {
					t.Fatalf("a body of radius %v is %v and then %v above plane %d",
						b.radius, from.FloatString(20), to.FloatString(20), k)
				}
			}
		}
	}
	if n := slow.Cases(3000); stayed < 3*n || looked < 3*n {
		t.Errorf("%d tests stay in the box and %d are with planes", stayed, looked)
	}
}

// height returns how high the centre of a body is above a plane at time t.
func height(p *plane, b *ball, t float64) *big.Rat {
	num := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	at := num(t)
	h := num(-p.Distance)
	h.Sub(h, new(big.Rat).Mul(num(p.rate), at))
	for axis := range 3 {
		x := new(big.Rat).Mul(num(b.v.Component(axis)), at)
		x.Add(x, num(b.x.Component(axis)))
		h.Add(h, x.Mul(x, num(p.Normal.Component(axis))))
	}
	return h
}

// TestSixWallsBoundThePlaneFreeBox: the box is cut where the walls are, so only what comes near
// one of them looks at them.
func TestSixWallsBoundThePlaneFreeBox(t *testing.T) {
	var s Set
	s.seconds = 1.0 / 60
	s.SetExtent(collide.AABB{Min: collide.Vec3{X: -9, Y: -9, Z: -9}, Max: collide.Vec3{X: 9, Y: 9, Z: 9}})
	for _, n := range []collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}, {Y: -1}, {Z: -1}} {
		s.planes = append(s.planes, plane{Plane: collide.Plane{Normal: n, Distance: -10}})
	}
	s.UpdateFreeBox()
	for _, c := range []struct {
		x    float64
		v    float64
		want bool
	}{
		{0, 0, true},
		{8.99, 0, true},
		{9.01, 0, false},
		{8, 59, true},
		{8, 61, false},
		{-8, -61, false},
		{-8, -59, true},
		{9.01, -600, false},
	} {
		b := ball{collide.Vec3{Y: c.x}, collide.Vec3{Y: c.v}, 1}
		if got := s.avoidsPlanes(&b.x, &b.v, b.radius, 0); got != c.want {
			t.Errorf("from %v at %v m/s: got %v, want %v", c.x, c.v, got, c.want)
		}
	}
}
