package collide

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

func TestSweepSphereCylinder(t *testing.T) {
	drum := Cylinder{Vec3{Y: -1}, Vec3{Y: 1}, 2}
	for _, tt := range []struct {
		name   string
		center Vec3
		v      Vec3
		want   Outcome
		time   float64
		normal Vec3
	}{
		{"falls on the end", Vec3{1, 4, 1}, Vec3{Y: -1}, Hit, 2, Vec3{Y: 1}},
		{"runs against the side", Vec3{5, 0.5, 0}, Vec3{X: -1}, Hit, 2, Vec3{X: 1}},
		{"falls on the rim", Vec3{2.6, 4, 0}, Vec3{Y: -1}, Hit, 2.2, Vec3{0.6, 0.8, 0}},
		{"falls past", Vec3{3.1, 4, 0}, Vec3{Y: -1}, Miss, 0, Vec3{}},
		{"falls along the side, nearly touching it", Vec3{3 + 1e-12, 4, 0}, Vec3{Y: -1}, Miss, 0, Vec3{}},
		{"touches the end and slides", Vec3{0, 2, 0}, Vec3{X: 1}, Miss, 0, Vec3{}},
		{"touches the end and is pressed on it", Vec3{0, 2, 0}, Vec3{1, -1, 0}, Hit, 0, Vec3{Y: 1}},
		{"sinks in the end", Vec3{0, 1.5, 0}, Vec3{Y: -1}, Overlap, 0, Vec3{Y: 1}},
		{"rises from the end", Vec3{0, 1.5, 0}, Vec3{Y: 1}, Miss, 0, Vec3{}},
		{"lies in it", Vec3{0, 0.5, 0}, Vec3{}, Overlap, 0, Vec3{Y: 1}},
		{"comes from far away", Vec3{1e8, 0, 0}, Vec3{X: -1e8}, Hit, 1 - 3e-8, Vec3{X: 1}},
		{"has a NaN", Vec3{math.NaN(), 0, 0}, Vec3{X: -1}, Miss, 0, Vec3{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, got := SweepSphereCylinder(Sphere{tt.center, 1}, tt.v, drum, Vec3{}, 100)
			if got != tt.want || math.Abs(c.Time-tt.time) > 1e-13 || c.Normal.Distance(tt.normal) > 1e-13 {
				t.Errorf("got %v at %v, normal %v, want %v at %v, %v", got, c.Time, c.Normal, tt.want, tt.time,
					tt.normal)
			}
		})
	}
}

// Rounding may leave a tiny gap at the contact, while the time still grows.
func TestABallThatComesToACylinderIsStoppedThoughRoundingLeavesAGap(t *testing.T) {
	for _, tt := range []struct {
		ball Sphere
		v    Vec3
		at   Cylinder
	}{
		{
			Sphere{Vec3{-0.12639428918257345, 4.000196582326732, 0.40205688583900545}, 0.0008946817532521422},
			Vec3{Y: -33.54952948429794},
			Cylinder{Vec3{}, Vec3{Y: 4}, 0.42058293273102604},
		},
		{
			Sphere{Vec3{-710.1883405228111, -447.34660561377405, -1278.6613105235629}, 0.0944026676950806},
			Vec3{-1.3682072052223357, 0.765136104861119, 2.3140492765426033},
			Cylinder{
				Vec3{-671.8523050829895, -485.7933432536954, -1243.0543128048516},
				Vec3{-729.8549778571993, -427.6850682953338, -1296.5624274456366},
				0.0944026676950806,
			},
		},
	} {
		c, outcome := SweepSphereCylinder(tt.ball, tt.v, tt.at, Vec3{}, math.Inf(1))
		left := tt.at.SignedDistance(c.CenterA) - tt.ball.Radius
		if outcome != Hit || math.Abs(left) > 1e-12 {
			t.Errorf("%+v at %v and %+v: %v at a distance of %v", tt.ball, tt.v, tt.at, outcome, left)
		}
	}
}

// The distance from a convex body is convex along a line: its minimum is found by ternary search,
// and the contact before it by bisection.
func TestSweepSphereCylinderAgainstBisection(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	hits, rims := 0, 0
	n := slow.Cases(20000)
	for range n {
		b := Cylinder{randomVec(rng), randomVec(rng), 0.1 + rng.ExpFloat64()}
		a := Sphere{randomVec(rng).Scale(5), rng.Float64()}
		va := b.A.Lerp(b.B, rng.Float64()).Add(randomVec(rng)).Sub(a.Center)
		axis, _ := b.B.Sub(b.A).Normalized()
		gap := func(s float64) float64 {
			p := a.Center.AddScaled(s, va).Sub(b.A)
			h := p.Dot(axis)
			beside, above := max(p.Cross(axis).Length()-b.Radius, 0), max(h-b.A.Distance(b.B), -h, 0)
			return math.Hypot(beside, above) - a.Radius
		}
		if gap(0) <= 1e-9 {
			continue
		}
		low, high := 0.0, 3.0
		for range 200 {
			x, y := low+(high-low)/3, high-(high-low)/3
			if gap(x) <= gap(y) {
				high = y
			} else {
				low = x
			}
		}
		least := gap(low)
		c, got := SweepSphereCylinder(a, va, b, Vec3{}, 3)
		if math.Abs(least) < 1e-9 || low > 3-1e-9 {
			continue // grazes
		}
		if hit := least < 0; hit != (got == Hit) {
			t.Fatalf("%+v at %v, %+v: got %v, comes as near as %v", a, va, b, got, least)
		}
		if got != Hit {
			continue
		}
		hits++
		low, high = 0, low
		for range 100 {
			if mid := low + (high-low)/2; gap(mid) > 0 {
				low = mid
			} else {
				high = mid
			}
		}
		if off := (c.Time - low) * va.Length(); math.Abs(off)*-c.Normal.Dot(va) > 1e-12*va.LengthSquared() {
			t.Fatalf("%+v at %v, %+v: got %v, want %v", a, va, b, c.Time, low)
		}
		if d := b.SignedDistance(c.Point); math.Abs(d) > 1e-12 {
			t.Fatalf("%+v at %v, %+v: the point %v is %v off", a, va, b, c.Point, d)
		}
		if q := b.ClosestPoint(c.CenterA); q.Distance(c.Point) > 1e-11 || !b.Bounds().Contains(c.Point) {
			t.Fatalf("%+v: the nearest point to %v is %v, the contact %v", b, c.CenterA, q, c.Point)
		}
		if slope := math.Abs(c.Normal.Dot(axis)); slope > 0.01 && slope < 0.99 {
			rims++
		}
	}
	if hits < n/4 || rims < n/10 {
		t.Errorf("%d hits, %d on a rim", hits, rims)
	}
}

func TestRayCastCylinder(t *testing.T) {
	drum := Cylinder{Vec3{Y: -1}, Vec3{Y: 1}, 2}
	for _, tt := range []struct {
		name     string
		from, by Vec3
		want     Outcome
		time     float64
		normal   Vec3
	}{
		{"the end", Vec3{1, 4, 0}, Vec3{Y: -1}, Hit, 3, Vec3{Y: 1}},
		{"the side", Vec3{5, 0, 0}, Vec3{X: -2}, Hit, 1.5, Vec3{X: 1}},
		{"past it", Vec3{5, 1.5, 0}, Vec3{X: -2}, Miss, 0, Vec3{}},
		{"out of it", Vec3{1, 0, 0}, Vec3{X: 1}, Overlap, 0, Vec3{X: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, got := RayCastCylinder(Ray{tt.from, tt.by}, drum, 100)
			if got != tt.want || math.Abs(c.Time-tt.time) > 1e-12 || c.Normal.Distance(tt.normal) > 1e-12 {
				t.Errorf("got %v at %v, normal %v", got, c.Time, c.Normal)
			}
		})
	}
}
