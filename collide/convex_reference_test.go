package collide_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/exact"
	"github.com/dango-physics/dango/internal/slow"
)

// convexShape is a convex shape in both representations.
type convexShape struct {
	shape collide.Convex
	cloud exact.Cloud
}

// solid reports whether the shape has a volume without its radius.
func (c convexShape) solid() bool { return len(c.cloud.Points) > 3 }

func (m generator) convex(kind string, at vec) convexShape {
	around := func(size float64) vec { return at.Add(m.vec(size)) }
	c := convexShape{}
	switch kind {
	case "sphere":
		s := sphere{Center: at, Radius: m.length()}
		c.shape, c.cloud = s, exact.Cloud{Points: []vec{at}, Radius: s.Radius}
	case "capsule":
		s := collide.Capsule{A: at, B: around(1), Radius: m.length()}
		c.shape, c.cloud = s, exact.Cloud{Points: []vec{s.A, s.B}, Radius: s.Radius}
	case "segment":
		s := collide.Segment{A: at, B: around(1)}
		c.shape, c.cloud = s, exact.Cloud{Points: []vec{s.A, s.B}}
	case "triangle":
		s := collide.Triangle{A: at, B: around(2), C: around(2)}
		c.shape, c.cloud = s, exact.Cloud{Points: []vec{s.A, s.B, s.C}}
	case "AABB":
		s := collide.NewAABB(at, around(1))
		for s.Size().X*s.Size().Y*s.Size().Z == 0 {
			s = s.Union(collide.NewAABB(at.Add(vec{X: m.Float64(), Y: m.Float64(), Z: m.Float64()})))
		}
		c.shape = s
		for i := range 8 {
			p := s.Min
			if i&1 > 0 {
				p.X = s.Max.X
			}
			if i&2 > 0 {
				p.Y = s.Max.Y
			}
			if i&4 > 0 {
				p.Z = s.Max.Z
			}
			c.cloud.Points = append(c.cloud.Points, p)
		}
	case "box":
		s := collide.Box{Center: at, Half: vec{X: m.length(), Y: m.length(), Z: m.length()}.Add(vec{
			X: 1, Y: 1,
			Z: 1,
		}.Scale(0.125))}
		if m.family != "lattice" {
			s.Rotation = collide.RotationAround(m.vec(1), m.Float64()*6)
		}
		corners := s.Corners()
		c.shape, c.cloud = s, exact.Cloud{Origin: s.Center, Points: corners[:]}
	case "hull":
		points := make([]vec, 4+m.IntN(3))
		for i := range points {
			points[i] = m.vec(1)
		}
		h, err := collide.NewHull(points)
		if err != nil {
			return m.convex("box", at)
		}
		c.shape, c.cloud = h.At(at), exact.Cloud{Origin: at, Points: points}
	}
	return c
}

// convexPair returns a moving shape that in most cases moves towards the other.
func (m generator) convexPair(kindA, kindB string) (a convexShape, va vec, b convexShape, vb vec) {
	s := m.scene(0.5)
	return m.convex(kindA, s.ball.Center), s.va, m.convex(kindB, s.origin), s.vb
}

var convexKinds = []string{"sphere", "capsule", "segment", "triangle", "AABB", "box", "hull"}

func TestSweepOfConvexShapesAgainstExactArithmetic(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, kindA := range []string{"sphere", "capsule", "AABB", "box", "hull"} {
		for _, kindB := range convexKinds {
			t.Run(kindA+" "+kindB, func(t *testing.T) {
				n := (slow.Cases(40) + 9) / 10 // exact hulls are slow
				if kindA == "sphere" || kindB == "segment" || kindB == "sphere" || kindA+kindB == "capsulecapsule" {
					n = slow.Cases(40)
				}
				for i, family := range families {
					m := generator{rand.New(rand.NewPCG(uint64(i), uint64(len(kindA)*16+len(kindB)))), family}
					var k checker
					for range n {
						a, va, b, vb := m.convexPair(kindA, kindB)
						if a.cloud.Radius+b.cloud.Radius == 0 && !a.solid() && !b.solid() {
							continue
						}
						checkConvex(t, m, &k, a, va, b, vb, 20*m.Float64())
						if t.Failed() {
							return
						}
					}
					t.Logf("%s: %d hits, %d overlaps, %d undecided, worst %.3g", family, k.hits, k.overlaps,
						k.undecided, k.worst)
				}
			})
		}
	}
}

// checkConvex compares a sweep with the exact reference.
func checkConvex(t *testing.T, m generator, k *checker, a convexShape, va vec, b convexShape, vb vec, horizon float64) {
	t.Helper()
	c, got := collide.Sweep(a.shape, va, b.shape, vb, horizon)
	want := exact.Convex(a.cloud, va, b.cloud, vb)
	tolerance := 0.0
	if want.Outcome == collide.Hit {
		tolerance = timeTolerance(want)
	}
	g := collide.Separation(a.shape, b.shape)
	cores, extent := g.Distance+a.cloud.Radius+b.cloud.Radius, a.shape.Bounds().Union(b.shape.Bounds()).Size().MaxAbs()
	switch {
	case want.Outcome == collide.Overlap && got == collide.Miss && g.Distance <= 0 && g.Normal.Dot(va.Sub(vb)) > 0:
		return // leaves on the shortest way
	case m.family == "mixed scales" && math.Abs(cores) < 1e-9*extent:
		k.undecided++ // the shapes without their radii touch, up to rounding
		return
	}
	k.check(t, [4]any{a.shape, va, b.shape, vb}, c, got, want, horizon, tolerance)
}
