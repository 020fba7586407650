package collide_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/exact"
)

type (
	vec    = collide.Vec3
	sphere = collide.Sphere
)

// families are the kinds of numbers that scenes are made of, the hard ones included.
var families = []string{"ordinary", "lattice", "far", "small and slow", "mixed scales", "grazing", "nearly touching", "flat 2D"}

// maker makes the numbers of one scene.
type maker struct {
	*rand.Rand
	family string
}

func (m maker) number(size float64) float64 {
	switch m.family {
	case "lattice":
		return float64(m.IntN(7) - 3)
	case "mixed scales":
		return size * m.NormFloat64() * math.Ldexp(1, m.IntN(60)-30)
	}
	return size * m.NormFloat64()
}

func (m maker) vec(size float64) vec {
	v := vec{X: m.number(size), Y: m.number(size), Z: m.number(size)}
	if m.family == "flat 2D" {
		v.Z = 0
	}
	return v
}

// length is a radius.
func (m maker) length() float64 {
	r := math.Abs(m.number(1))
	if m.IntN(12) == 0 {
		r = 0
	}
	return r
}

// scene is a moving sphere and something else around a reference point.
type scene struct {
	ball   sphere
	va     vec
	origin vec
	vb     vec
}

// scene makes a sphere that moves, more often than not, towards a sphere of radius r around origin.
func (m maker) scene(r float64) scene {
	s := scene{ball: sphere{Center: m.vec(6), Radius: m.length()}, va: m.vec(3), origin: m.vec(3), vb: m.vec(3)}
	p, sum := s.ball.Center.Sub(s.origin), s.ball.Radius+r
	aside, _ := p.Cross(vec{X: 0.3, Y: 0.5, Z: 0.8}).Normalized()
	if m.family == "flat 2D" {
		aside, _ = p.Cross(vec{Z: 1}).Normalized()
	}
	switch m.family {
	case "far":
		s.ball.Center = s.ball.Center.Scale(math.Ldexp(1, m.IntN(28)))
	case "small and slow":
		s.va, s.vb = s.va.Scale(0x1p-40), s.vb.Scale(0x1p-40)
	}
	if m.family == "lattice" || m.IntN(3) == 0 {
		return s
	}
	offset := sum * m.Float64() * 1.1
	if m.family == "grazing" {
		offset = sum * (1 - math.Ldexp(m.NormFloat64(), -m.IntN(52)))
	}
	if m.family == "nearly touching" {
		n, _ := p.Normalized()
		s.ball.Center = s.origin.AddScaled(sum*(1+math.Ldexp(m.NormFloat64(), -20-m.IntN(33))), n)
	}
	p = s.ball.Center.Sub(s.origin)
	s.va = s.vb.AddScaled(-m.ExpFloat64(), p.AddScaled(-offset, aside))
	return s
}

// checker compares with the reference and counts how often there was something to compare.
type checker struct {
	hits, overlaps, close int
	worst                 float64 // error of a time, relative to what was allowed
}

// check holds an outcome against the truth. slack is the error of Time that is allowed.
//
// Outcomes must be the same. Only where the true time is within slack of the horizon may a Hit be a Miss or the other way round.
func (k *checker) check(t *testing.T, what any, c collide.Contact, got collide.Outcome, want exact.Result, horizon, slack float64) {
	t.Helper()
	if want.Close {
		k.close++
		return
	}
	if want.Outcome == collide.Hit {
		at := want.Time.Float()
		if at > horizon {
			want.Outcome = collide.Miss
		}
		if got != want.Outcome && math.Abs(at-horizon) <= slack {
			return
		}
	}
	if got != want.Outcome {
		t.Fatalf("%+v: got %v at %v, want %v at %v (horizon %v)", what, got, c.Time, want.Outcome, want.Time, horizon)
	}
	switch got {
	case collide.Hit:
		k.hits++
		off := math.Abs(want.Time.Sub(exact.Of(c.Time)).Float())
		if !(off <= slack) {
			t.Fatalf("%+v: touches at %v, want %v: off by %v, allowed %v", what, c.Time, want.Time.Float(), off, slack)
		}
		if slack > 0 {
			k.worst = max(k.worst, off/slack)
		}
	case collide.Overlap:
		k.overlaps++
		if c.Time != 0 {
			t.Fatalf("%+v: overlaps at %v, want 0", what, c.Time)
		}
	}
	if got != collide.Miss {
		if l := c.Normal.Length(); !(math.Abs(l-1) < 4e-16) {
			t.Fatalf("%+v: normal %v has length %v", what, c.Normal, l)
		}
		if !c.Point.IsFinite() || !c.CenterA.IsFinite() || !c.CenterB.IsFinite() {
			t.Fatalf("%+v: got %+v", what, c)
		}
	}
}

// each runs f on seeded scenes of every family.
func each(t *testing.T, n int, f func(m maker, k *checker)) {
	for i, family := range families {
		t.Run(family, func(t *testing.T) {
			m := maker{rand.New(rand.NewPCG(uint64(i), 7)), family}
			var k checker
			for range n {
				f(m, &k)
				if t.Failed() {
					return
				}
			}
			t.Logf("%d hits, %d overlaps, %d too close to call, worst time at %.3g of what is allowed", k.hits, k.overlaps, k.close, k.worst)
			if k.hits < n/20 {
				t.Errorf("only %d of %d scenes were hits", k.hits, n)
			}
		})
	}
}

// timeSlack is the error that the sweeps' times may have: what their cheap rung promises, and what is left of
// a gap that vanishes next to the lengths it is the difference of.
func timeSlack(want exact.Result) float64 { return 0x1p-42*want.Time.Float() + 1e-20 }

func TestSpheresAgainstExactArithmetic(t *testing.T) {
	each(t, 2000, func(m maker, k *checker) {
		r := m.length()
		s := m.scene(r)
		b := sphere{Center: s.origin, Radius: r}
		horizon := 20 * m.Float64()
		c, got := collide.SweepSphereSphere(s.ball, s.va, b, s.vb, horizon)
		want := exact.SphereSphere(s.ball, s.va, b, s.vb)
		slack := 0.0
		if want.Outcome == collide.Hit {
			slack = timeSlack(want)
		}
		k.check(t, s, c, got, want, horizon, slack)
		d, swapped := collide.SweepSphereSphere(b, s.vb, s.ball, s.va, horizon)
		if swapped != got || d.Time != c.Time || d.Point != c.Point || s.va != s.vb && d.Normal != c.Normal.Neg() {
			t.Fatalf("%+v: swapped gives %v %+v, want the likes of %v %+v", s, swapped, d, got, c)
		}
	})
}

func TestPlanesAgainstExactArithmetic(t *testing.T) {
	each(t, 2000, func(m maker, k *checker) {
		s := m.scene(0)
		plane, err := collide.PlaneThrough(s.origin, m.vec(1))
		if err != nil {
			return
		}
		horizon := 20 * m.Float64()
		c, got := collide.SweepSpherePlane(s.ball, s.va, plane, s.vb, horizon)
		want := exact.SpherePlane(s.ball, s.va, plane, s.vb)
		slack := 0.0
		if want.Outcome == collide.Hit {
			slack = 0x1p-52 * want.Time.Float() // one ulp
		}
		k.check(t, s, c, got, want, horizon, slack)
	})
}

func TestSegmentsAgainstExactArithmetic(t *testing.T) {
	each(t, 1500, func(m maker, k *checker) {
		s := m.scene(0)
		b := collide.Segment{A: s.origin.Sub(m.vec(1)), B: s.origin.Add(m.vec(1))}
		horizon := 20 * m.Float64()
		c, got := collide.SweepSphereSegment(s.ball, s.va, b, s.vb, horizon)
		want := exact.SphereSegment(s.ball, s.va, b, s.vb)
		slack := 0.0
		if want.Outcome == collide.Hit {
			slack = timeSlack(want)
		}
		k.check(t, [2]any{s, b}, c, got, want, horizon, slack)
	})
}

func TestTrianglesAgainstExactArithmetic(t *testing.T) {
	each(t, 1500, func(m maker, k *checker) {
		s := m.scene(0)
		b := collide.Triangle{A: s.origin.Sub(m.vec(2)), B: s.origin.Add(m.vec(2)), C: s.origin.Add(m.vec(2))}
		horizon := 20 * m.Float64()
		c, got := collide.SweepSphereTriangle(s.ball, s.va, b, s.vb, horizon)
		want := exact.SphereTriangle(s.ball, s.va, b, s.vb)
		slack := 0.0
		if want.Outcome == collide.Hit {
			slack = timeSlack(want)
		}
		k.check(t, [2]any{s, b}, c, got, want, horizon, slack)
	})
}
