package convex_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/convex"
	"github.com/dango-physics/dango/internal/slow"
)

// Edges of a tile 2 km long that were almost parallel counted as parallel. So a crate met one edge
// where the other would be, up to 2 mm beside it.
func TestACrateMeetsALongEdgeWhereThatIs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	const length = 1000.0
	box := collide.Box{Half: collide.Vec3{X: 0.05, Y: 0.07, Z: 0.04}}
	crate, err := convex.New(box, collide.Quat{})
	if err != nil {
		t.Fatal(err)
	}
	hits := 0
	for range slow.Cases(2000) {
		angle := math.Pow(10, -2-10*r.Float64())
		top := collide.Vec3{X: (r.Float64() - 0.5) * angle, Y: (r.Float64() - 0.5) * angle, Z: 1}.Scale(length)
		corner := collide.Vec3{X: r.Float64() - 0.5, Y: -0.1 - r.Float64()}.Scale(angle)
		corner.Z = -1
		tile, err := collide.NewPolygon(top.Neg(), top, corner.Scale(length))
		if err != nil {
			t.Fatal(err)
		}
		var pair convex.Pair
		pair.Set(crate, convex.NewPolygon(&tile))
		box.Center = collide.Vec3{X: r.Float64() - 0.5, Y: r.Float64() - 0.5, Z: 10*r.Float64() - 5}
		v := collide.Vec3{X: 0.1 * r.Float64(), Y: 0.1 * r.Float64(), Z: r.Float64()}.Sub(box.Center)
		got, _, ok := pair.Sweep(box.Center, v, 2, 1e-9, 0)
		want, outcome := collide.Sweep(box, v, tile, collide.Vec3{}, 2)
		if outcome == collide.Overlap {
			continue
		}
		if ok != (outcome == collide.Hit) || ok && math.Abs(got-want.Time)*v.Length() > 1e-11 {
			t.Fatalf("angle %.3g: got %v at %v, want %v at %v", angle, ok, got, outcome, want.Time)
		}
		if ok {
			hits++
		}
	}
	if hits == 0 {
		t.Error("no crate meets its tile")
	}
}

// Edges at an angle below 2^-20 had no axis of their own, and met up to 1e-6 of the shorter one too
// early.
func TestLongEdgesThatAreAlmostParallelMeetWhereTheyAre(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	const length = 10.0
	box := collide.Box{Half: collide.Vec3{X: 0.05, Y: 0.05, Z: length}}
	hits, worst := 0, 0.0
	for range slow.Cases(4000) {
		angle := math.Pow(10, -5-8*r.Float64())
		onEdge := collide.RotationAround(collide.Vec3{Z: 1}, math.Pi/4)
		tilt := collide.RotationAround(collide.Vec3{X: 0.2 * (r.Float64() - 0.5), Y: 1}, angle)
		g := collide.RotationAround(collide.Vec3{X: r.Float64() - 0.5, Y: r.Float64() - 0.5, Z: 1}, 6*r.Float64())
		one, other := g.Mul(onEdge), g.Mul(tilt).Mul(onEdge)
		a, err := convex.New(box, one)
		b, err2 := convex.New(box, other)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		var pair convex.Pair
		pair.Set(a, b)
		at := collide.Vec3{X: length * angle * (r.Float64() - 0.5), Y: 1, Z: 4 * (r.Float64() - 0.5)}
		at = g.Rotate(at)
		v := g.Rotate(collide.Vec3{Y: -1})
		got, _, ok := pair.Sweep(at, v, 2, 1e-9, 0)
		want, outcome := collide.Sweep(collide.NewPlaced(box, at, one), v,
			collide.NewPlaced(box, collide.Vec3{}, other), collide.Vec3{}, 2)
		if outcome == collide.Overlap {
			continue
		}
		if ok != (outcome == collide.Hit) {
			t.Fatalf("angle %.3g: got %v, want %v", angle, ok, outcome)
		}
		if ok {
			hits++
			worst = max(worst, math.Abs(got-want.Time)/length)
		}
	}
	t.Logf("%d hits, off by up to %.3g of an edge", hits, worst)
	if hits == 0 || worst > 0x1p-26 {
		t.Errorf("%d hits, off by up to %.3g of an edge", hits, worst)
	}
}

func TestDistanceAndPointOfBoxesAreThoseOfTheirSeparation(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	vector := func(least float64) collide.Vec3 {
		return collide.Vec3{X: least + 2*r.Float64(), Y: least + 2*r.Float64(), Z: least + 2*r.Float64()}
	}
	apart := 0
	for range 2000 {
		a, b := collide.Box{Center: vector(-1), Half: vector(0.1)}, collide.Box{Center: vector(-1), Half: vector(0.1)}
		p := vector(-1).Scale(4)
		got, ok := convex.BoxDistance(convex.NewBox(a), convex.NewBox(b), p)
		point, also := convex.BoxPoint(convex.NewBox(a), convex.NewBox(b), p, collide.Vec3{})
		a.Center = a.Center.Add(p)
		want := collide.Separation(a, b)
		if !ok || math.Abs(got-max(0, want.Distance)) > 4e-14 {
			t.Fatalf("%v and %v: got %v, %v, want %v", a, b, got, ok, want)
		}
		if !also || point.Distance(want.PointA) > 1e-13 {
			t.Fatalf("%v and %v: got the point %v, want %v", a, b, point, want.PointA)
		}
		if want.Distance > 0 {
			apart++
		}
	}
	if apart < 200 || apart > 1900 {
		t.Errorf("%d of 2,000 pairs are apart", apart)
	}
	turned := convex.NewBox(collide.Box{Half: vector(0.1), Rotation: collide.RotationBy(collide.Vec3{Z: 0.1})})
	if _, ok := convex.BoxDistance(turned, turned, collide.Vec3{X: 9}); ok {
		t.Error("turned boxes have a distance")
	}
}

func TestEdgesPassUnlessTheyMeetAlongBothAxes(t *testing.T) {
	s, err := convex.New(collide.Box{Half: collide.Vec3{X: 1, Y: 1, Z: 1}}, collide.Quat{})
	if err != nil {
		t.Fatal(err)
	}
	var q convex.Pair
	q.Set(s, s)
	const step = 1.0 / 60
	for _, c := range []struct {
		name    string
		p, v, w collide.Vec3
		want    bool
	}{
		{"side by side", collide.Vec3{X: 2}, collide.Vec3{}, collide.Vec3{}, false},
		{"edge at edge", collide.Vec3{X: 2, Y: 2}, collide.Vec3{}, collide.Vec3{}, true},
		{"corner at corner", collide.Vec3{X: 2, Y: 2, Z: -2}, collide.Vec3{}, collide.Vec3{}, true},
		{"falls past", collide.Vec3{X: 2, Y: 2.001}, collide.Vec3{Y: -5}, collide.Vec3{Y: -5.2}, true},
		{"trembles", collide.Vec3{X: 2, Y: 2}, collide.Vec3{X: -1e-6, Y: -5}, collide.Vec3{}, true},
		{"meets", collide.Vec3{X: 2.001, Y: 2.001}, collide.Vec3{X: -5, Y: -5}, collide.Vec3{}, false},
		{"would meet", collide.Vec3{X: 2.001, Y: 2.001}, collide.Vec3{}, collide.Vec3{X: -5, Y: -5}, false},
		{"lies on the edge", collide.Vec3{X: 1.999, Y: 2}, collide.Vec3{}, collide.Vec3{}, false},
	} {
		for _, sign := range []float64{1, -1} {
			got := q.Passes(c.p.Scale(sign), c.v.Scale(sign), c.w.Scale(sign), step, 0x1p-30, 1)
			if got != c.want {
				t.Errorf("%s, sign %v: got %v, want %v", c.name, sign, got, c.want)
			}
		}
	}
}

func TestWhatIsKnownToBeWithinALimitIs(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	shapes := cachedShapes(t, r)
	count := [2]int{} // of known answers
	for range slow.Cases(20000) {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		p := collide.Vec3{X: r.Float64()*4 - 2, Y: r.Float64()*4 - 2, Z: r.Float64()*4 - 2}
		limit := 0.3 * r.Float64()
		var q convex.Pair
		q.Set(a, b)
		within, known := q.IsWithin(p, limit)
		if !known {
			continue
		}
		distance := collide.Separation(collide.NewPlaced(a.Exact, p, collide.Quat{}), b.Exact).Distance
		if within != (distance <= limit) && math.Abs(distance-limit) > 1e-12 {
			t.Fatalf("%T and %T: distance %v, limit %v: got %v", a.Exact, b.Exact, distance, limit, within)
		}
		if within {
			count[1]++
		} else {
			count[0]++
		}
	}
	if min(count[0], count[1]) < slow.Cases(20000)/20 {
		t.Errorf("known to be apart %d times, near %d times: too few to say anything", count[0], count[1])
	}
}

// A capsule that hits another one within the step has the contact where it hits, not the one where
// it is nearest at the start.
func TestACapsuleIsAboutToTouchWhereItHits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	vector := func(size float64) collide.Vec3 {
		return collide.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(size)
	}
	hits := 0
	for range slow.Cases(2000) {
		a := collide.Capsule{A: vector(0.5), Radius: 0.1 + 0.2*r.Float64()}
		b := collide.Capsule{A: vector(0.5), Radius: 0.1 + 0.2*r.Float64()}
		a.B, b.B = a.A.Neg(), b.A.Neg()
		first, err := convex.New(a, collide.Quat{})
		if err != nil {
			t.Fatal(err)
		}
		second, err := convex.New(b, collide.Quat{})
		if err != nil {
			t.Fatal(err)
		}
		var pair convex.Pair
		pair.Set(first, second)
		at := vector(1.5)
		v := at.Neg().Add(vector(0.5)).Scale(0.5 + r.Float64())
		moved := collide.Capsule{A: a.A.Add(at), B: a.B.Add(at), Radius: a.Radius}
		want, outcome := collide.Sweep(moved, v, b, collide.Vec3{}, 1)
		if outcome != collide.Hit {
			continue
		}
		hits++
		got := pair.Near(at, v, v, 1, 0, 0)
		gap := -want.Normal.Dot(v) * want.Time
		if got.Normal.Distance(want.Normal) > 1e-6 || math.Abs(got.Gap-gap) > 1e-9 {
			t.Fatalf("%+v at %v, moving at %v, and %+v: %+v, want %v, %v", a, at, v, b, got, want.Normal, gap)
		}
	}
	if hits == 0 {
		t.Error("no capsule hits the other one")
	}
}
