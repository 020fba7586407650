package collide_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/exact"
	"github.com/dango-physics/dango/internal/slow"
)

type (
	vec    = collide.Vec3
	sphere = collide.Sphere
)

// families are the kinds of input that the scenes consist of, including numerically difficult ones.
var families = []string{
	"ordinary", "lattice", "far", "small and slow",
	"mixed scales", "grazing", "nearly touching", "flat 2D",
}

// generator generates the numbers of a scene of one family.
type generator struct {
	*rand.Rand
	family string
}

func (m generator) number(size float64) float64 {
	switch m.family {
	case "lattice":
		return float64(m.IntN(7) - 3)
	case "mixed scales":
		return size * m.NormFloat64() * math.Ldexp(1, m.IntN(60)-30)
	}
	return size * m.NormFloat64()
}

func (m generator) vec(size float64) vec {
	v := vec{X: m.number(size), Y: m.number(size), Z: m.number(size)}
	if m.family == "flat 2D" {
		v.Z = 0
	}
	return v
}

// length returns a radius, which is zero in one of twelve cases.
func (m generator) length() float64 {
	r := math.Abs(m.number(1))
	if m.IntN(12) == 0 {
		r = 0
	}
	return r
}

// scene is a moving sphere and the reference point and velocity of another shape.
type scene struct {
	ball   sphere
	va     vec
	origin vec
	vb     vec
}

// scene returns a sphere that in most cases moves towards a sphere of radius r around origin.
func (m generator) scene(r float64) scene {
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

// checker compares results with the reference and counts the outcomes that were compared.
type checker struct {
	hits, overlaps, undecided int
	worst                     float64 // largest error of a time, relative to the tolerance
}

// check compares a result with the reference. The tolerance is the permitted error of Time.
//
// The outcomes must be the same, except that Hit and Miss may be exchanged if the exact time is
// within the tolerance of the horizon.
func (k *checker) check(
	t *testing.T, what any, c collide.Contact, got collide.Outcome, want exact.Result, horizon, tolerance float64,
) {
	t.Helper()
	if want.Close {
		k.undecided++
		return
	}
	if want.Outcome == collide.Hit {
		at := want.Time.Float()
		if at > horizon {
			want.Outcome = collide.Miss
		}
		if got != want.Outcome && math.Abs(at-horizon) <= tolerance {
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
		if !(off <= tolerance) {
			t.Fatalf("%+v: touches at %v, want %v: error %v, tolerance %v", what, c.Time, want.Time.Float(), off,
				tolerance)
		}
		if tolerance > 0 {
			k.worst = max(k.worst, off/tolerance)
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

// forEachFamily runs f on n seeded scenes of every family.
func forEachFamily(t *testing.T, n int, f func(m generator, k *checker)) {
	n = slow.Cases(n)
	for i, family := range families {
		t.Run(family, func(t *testing.T) {
			m := generator{rand.New(rand.NewPCG(uint64(i), 7)), family}
			var k checker
			for range n {
				f(m, &k)
				if t.Failed() {
					return
				}
			}
			t.Logf("%d hits, %d overlaps, %d undecided, largest error of a time %.3g of the tolerance",
				k.hits, k.overlaps, k.undecided, k.worst)
			if k.hits < max(1, n/20-2) {
				t.Errorf("only %d of %d scenes were hits", k.hits, n)
			}
		})
	}
}

// timeTolerance returns the permitted error of a time: the relative error of the float64 path
// (fastTolerance), and an absolute term for gaps that are tiny compared with the lengths that they
// are the difference of.
func timeTolerance(want exact.Result) float64 { return 0x1p-42*want.Time.Float() + 1e-20 }

func TestSweepSphereSphereAgainstExactArithmetic(t *testing.T) {
	forEachFamily(t, 2000, func(m generator, k *checker) {
		r := m.length()
		s := m.scene(r)
		b := sphere{Center: s.origin, Radius: r}
		horizon := 20 * m.Float64()
		c, got := collide.SweepSphereSphere(s.ball, s.va, b, s.vb, horizon)
		want := exact.SphereSphere(s.ball, s.va, b, s.vb)
		tolerance := 0.0
		if want.Outcome == collide.Hit {
			tolerance = timeTolerance(want)
		}
		k.check(t, s, c, got, want, horizon, tolerance)
		d, swapped := collide.SweepSphereSphere(b, s.vb, s.ball, s.va, horizon)
		if swapped != got || d.Time != c.Time || d.Point != c.Point || s.va != s.vb && d.Normal != c.Normal.Neg() {
			t.Fatalf("%+v: swapped gives %v %+v, want the equivalent of %v %+v", s, swapped, d, got, c)
		}
	})
}

func TestSweepSpherePlaneAgainstExactArithmetic(t *testing.T) {
	forEachFamily(t, 2000, func(m generator, k *checker) {
		s := m.scene(0)
		plane, err := collide.PlaneThrough(s.origin, m.vec(1))
		if err != nil {
			return
		}
		horizon := 20 * m.Float64()
		c, got := collide.SweepSpherePlane(s.ball, s.va, plane, s.vb, horizon)
		want := exact.SpherePlane(s.ball, s.va, plane, s.vb)
		tolerance := 0.0
		if want.Outcome == collide.Hit {
			tolerance = 0x1p-52 * want.Time.Float() // one ulp
		}
		k.check(t, s, c, got, want, horizon, tolerance)
	})
}

func TestSweepSphereSegmentAgainstExactArithmetic(t *testing.T) {
	forEachFamily(t, 1500, func(m generator, k *checker) {
		s := m.scene(0)
		b := collide.Segment{A: s.origin.Sub(m.vec(1)), B: s.origin.Add(m.vec(1))}
		horizon := 20 * m.Float64()
		c, got := collide.SweepSphereSegment(s.ball, s.va, b, s.vb, horizon)
		want := exact.SphereSegment(s.ball, s.va, b, s.vb)
		tolerance := 0.0
		if want.Outcome == collide.Hit {
			tolerance = timeTolerance(want)
		}
		k.check(t, [2]any{s, b}, c, got, want, horizon, tolerance)
	})
}

func TestSweepSphereCapsuleAgainstExactArithmetic(t *testing.T) {
	forEachFamily(t, 1500, func(m generator, k *checker) {
		r := m.length()
		s := m.scene(r)
		b := collide.Capsule{A: s.origin.Sub(m.vec(1)), B: s.origin.Add(m.vec(1)), Radius: r}
		if m.IntN(12) == 0 {
			b.B = b.A
		}
		horizon := 20 * m.Float64()
		c, got := collide.SweepSphereCapsule(s.ball, s.va, b, s.vb, horizon)
		want := exact.SphereCapsule(s.ball, s.va, b, s.vb)
		tolerance := 0.0
		if want.Outcome == collide.Hit {
			tolerance = timeTolerance(want)
		}
		k.check(t, [2]any{s, b}, c, got, want, horizon, tolerance)
	})
}

func TestSweepSphereTriangleAgainstExactArithmetic(t *testing.T) {
	forEachFamily(t, 1500, func(m generator, k *checker) {
		s := m.scene(0)
		b := collide.Triangle{A: s.origin.Sub(m.vec(2)), B: s.origin.Add(m.vec(2)), C: s.origin.Add(m.vec(2))}
		horizon := 20 * m.Float64()
		c, got := collide.SweepSphereTriangle(s.ball, s.va, b, s.vb, horizon)
		want := exact.SphereTriangle(s.ball, s.va, b, s.vb)
		tolerance := 0.0
		if want.Outcome == collide.Hit {
			tolerance = timeTolerance(want)
		}
		k.check(t, [2]any{s, b}, c, got, want, horizon, tolerance)
	})
}
