package collide

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

// Capsules, spheres and segments have formulas of their own. Any shapes have another algorithm,
// which is compared with exact arithmetic elsewhere.
func TestTheSeparationOfCapsulesIsThatOfAnyShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	direct := map[string]int{}
	point := func(scale float64) Vec3 {
		return Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(scale)
	}
	round := func(kind int, at, axis Vec3, scale float64) Convex {
		switch kind {
		case 0:
			return Sphere{at, scale * r.Float64()}
		case 1:
			return Segment{at, at.Add(axis)}
		}
		return Capsule{at, at.Add(axis), scale * r.Float64()}
	}
	for range slow.Cases(200_000) {
		scale := math.Exp2(float64(r.IntN(60) - 30))
		far := point(scale * math.Exp2(float64(r.IntN(20)-8)))
		axis := point(scale)
		family, other := "skew", point(scale*math.Exp2(float64(r.IntN(8)-4)))
		from := point(scale * 2)
		switch r.IntN(8) {
		case 0:
			family, other = "parallel", axis.Scale(float64(r.IntN(9)-4)/2)
		case 1:
			family, axis.Y, axis.Z, other.X, other.Z = "square", 0, 0, 0, 0
		case 2:
			family, other = "nearly parallel", axis.Add(point(scale*0x1p-12))
		case 3:
			family, from.Z, axis.Z, other.Z, far.Z = "in a plane", 0, 0, 0, 0
		case 4:
			family, from = "at an end", axis.Add(Vec3{Y: scale})
		}
		a, b := round(r.IntN(3), far.Add(from), other, scale), round(r.IntN(3), far, axis, scale)
		got, ok := separationOfRoundSegments(a, b)
		if !ok {
			continue
		}
		direct[family]++
		want := separationOfCores(a, b)
		extent := a.Bounds().Union(b.Bounds()).Size().MaxAbs()
		if off := math.Abs(got.Distance - want.Distance); off > 0x1p-49*extent {
			t.Fatalf("%s: %+v, %+v: distance %v, want %v", family, a, b, got.Distance, want.Distance)
		}
		p, _ := roundSegmentOf(a)
		q, _ := roundSegmentOf(b)
		cores := got.Distance + p.radius + q.radius
		if off := got.Normal.Sub(want.Normal).Length(); off > 0x1p-40*extent/cores {
			t.Fatalf("%s: %+v, %+v: normal %v, want %v", family, a, b, got.Normal, want.Normal)
		}
		if off := math.Abs(got.Normal.Length() - 1); off > 0x1p-50 {
			t.Fatalf("%s: %+v, %+v: the normal is %v too long", family, a, b, off)
		}
		// Both points lie on the surfaces.
		for _, k := range []struct {
			roundSegment
			at Vec3
		}{{p, got.PointA}, {q, got.PointB}} {
			on := Segment{k.from, k.to}.ClosestPoint(k.at).Distance(k.at)
			if math.Abs(on-k.radius) > 0x1p-40*(extent+k.at.MaxAbs()) {
				t.Fatalf("%s: %+v, %+v: a point is %v from the core, want %v", family, a, b, on, k.radius)
			}
		}
		if family == "parallel" || family == "skew" {
			if off := got.PointA.Distance(want.PointA); off > 0x1p-20*extent {
				t.Fatalf("%s: %+v, %+v: point %v, want %v", family, a, b, got.PointA, want.PointA)
			}
		}
	}
	for _, family := range []string{"skew", "parallel", "square", "nearly parallel", "in a plane", "at an end"} {
		if direct[family] == 0 {
			t.Errorf("no case is %s", family)
		}
	}
}

// Rounding moves the nearest point by a few ulps, and so turns the normal the more the closer a
// point is to a segment.
func TestOnlyRoundingTurnsTheNormalBesideASegment(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(x) }
	type vector [3]*big.Float
	exact := func(v Vec3) vector { return vector{number(v.X), number(v.Y), number(v.Z)} }
	dot := func(a, b vector) *big.Float {
		sum := number(0)
		for k := range a {
			sum.Add(sum, number(0).Mul(a[k], b[k]))
		}
		return sum
	}
	for range slow.Cases(2000) {
		point := func() Vec3 { return Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }
		s := Segment{point(), point()}
		side := s.B.Sub(s.A).Cross(point())
		at := s.A.Lerp(s.B, 0.1+0.8*r.Float64()).AddScaled(math.Exp2(-10-30*r.Float64())/side.Length(), side)
		p, a, e := exact(at), exact(s.A), exact(s.B)
		d := vector{}
		for k := range d {
			e[k].Sub(e[k], a[k])
			d[k] = number(0).Sub(p[k], a[k])
		}
		fraction := number(0).Quo(dot(d, e), dot(e, e))
		for k := range d {
			d[k].Sub(d[k], number(0).Mul(fraction, e[k]))
		}
		length := number(0).Sqrt(dot(d, d))
		var want [3]float64
		for k := range want {
			want[k], _ = number(0).Quo(d[k], length).Float64()
		}
		g := Separation(Sphere{at, 1e-3}, s)
		distance, _ := length.Float64()
		if off := g.Normal.Distance(Vec3{want[0], want[1], want[2]}); off*distance > 0x1p-49 {
			t.Fatalf("%v beside %+v: normal %v, want %v, off by %v", at, s, g.Normal, want, off)
		}
	}
}
