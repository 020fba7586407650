package collide

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSweepSphereCapsule(t *testing.T) {
	capsule := Capsule{Vec3{X: -2}, Vec3{X: 2}, 1}
	for _, tt := range []struct {
		name    string
		center  Vec3
		v       Vec3
		outcome Outcome
		time    float64
		normal  Vec3
		point   Vec3
	}{
		{"falls on its side", Vec3{X: 1, Y: 5.5}, Vec3{Y: -2}, Hit, 2, Vec3{Y: 1}, Vec3{X: 1, Y: 1}},
		{"meets its end", Vec3{X: 7.5}, Vec3{X: -2}, Hit, 2, Vec3{X: 1}, Vec3{X: 3}},
		{
			"meets the round of its end",
			Vec3{X: 2 + 1.2, Y: 0.9 + 4},
			Vec3{Y: -2},
			Hit, 2,
			Vec3{0.8, 0.6, 0},
			Vec3{2.8, 0.6, 0},
		},
		{"passes beyond its end", Vec3{X: 3.6, Y: 5}, Vec3{Y: -2}, Miss, 0, Vec3{}, Vec3{}},
		{"slides along its side", Vec3{X: 0, Y: 1.5}, Vec3{X: -2}, Miss, 0, Vec3{}, Vec3{}},
		{"touches and approaches", Vec3{X: 0, Y: 1.5}, Vec3{Y: -2}, Hit, 0, Vec3{Y: 1}, Vec3{Y: 1}},
		{"overlaps by half a metre", Vec3{X: 1, Y: 1}, Vec3{Y: -2}, Overlap, 0, Vec3{Y: 1}, Vec3{X: 1, Y: 0.75}},
		{"overlaps and leaves", Vec3{X: 1, Y: 1}, Vec3{Y: 2}, Miss, 0, Vec3{}, Vec3{}},
		{"moves along from inside", Vec3{X: 1, Y: 0.5}, Vec3{X: 2}, Overlap, 0, Vec3{Y: 1}, Vec3{X: 1, Y: 0.5}},
	} {
		c, got := SweepSphereCapsule(Sphere{tt.center, 0.5}, tt.v, capsule, Vec3{}, 10)
		const slack = 1e-15
		if got != tt.outcome || math.Abs(c.Time-tt.time) > slack || c.Normal.Distance(tt.normal) > slack ||
			c.Point.Distance(tt.point) > slack {
			t.Errorf("%s: got %v %+v, want %v at %v, normal %v, point %v",
				tt.name, got, c, tt.outcome, tt.time, tt.normal, tt.point)
		}
	}
	if _, got := SweepSphereCapsule(Sphere{Vec3{Y: 5}, 9}, Vec3{Y: -1}, Capsule{Radius: -1}, Vec3{}, 9); got != Miss {
		t.Errorf("a negative radius: got %v, want Miss", got)
	}
}

// A capsule is all balls of its radius around the points of its axis.
func TestCapsuleAgreesWithTheBallsAlongItsAxis(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	inside, overlaps, apart := 0, 0, 0
	for range 3000 {
		b := Capsule{randomVec(rng), randomVec(rng), rng.Float64()}
		p, box := randomVec(rng), NewAABB(randomVec(rng).Scale(2), randomVec(rng).Scale(2))
		const n = 1000
		spacing := b.A.Distance(b.B) / n
		nearest, gap := math.Inf(1), math.Inf(1) // of p and of the box, to the axis
		for i := range n + 1 {
			q := b.A.Lerp(b.B, float64(i)/n)
			nearest, gap = min(nearest, p.Distance(q)), min(gap, box.ClosestPoint(q).Distance(q))
		}
		if d := b.SignedDistance(p); d > nearest-b.Radius+1e-12 || d < nearest-b.Radius-spacing {
			t.Fatalf("%+v, %v: distance %v, want %v", b, p, d, nearest-b.Radius)
		}
		q := b.ClosestPoint(p)
		if d := b.SignedDistance(p); d <= 0 {
			inside++
			if q != p {
				t.Fatalf("%+v: %v is inside, but the closest point is %v", b, p, q)
			}
		} else if math.Abs(b.SignedDistance(q)) > 1e-15*16 || math.Abs(p.Distance(q)-d) > 1e-15*16 {
			t.Fatalf("%+v, %v: closest point %v, at %v from the surface, want %v from it", b, p, q, p.Distance(q), d)
		}
		if bounds := b.Bounds().Grow(1e-12); !bounds.Contains(q) && p != q {
			t.Fatalf("%+v: %v is outside of the bounds", b, q)
		}
		switch got := OverlapAABBCapsule(box, b); {
		case gap <= b.Radius:
			overlaps++
			if !got {
				t.Fatalf("%+v and %v: got no overlap, but the axis is %v away", b, box, gap)
			}
		case gap > b.Radius+spacing:
			apart++
			if got {
				t.Fatalf("%+v and %v: got an overlap, but the axis is %v away", b, box, gap)
			}
		}
	}
	if inside < 100 || overlaps < 500 || apart < 500 {
		t.Errorf("only %d inside, %d overlaps, %d apart", inside, overlaps, apart)
	}
}

func TestOverlapAABBCapsule(t *testing.T) {
	box := AABB{Vec3{-1, -1, -1}, Vec3{1, 1, 1}}
	for _, c := range []struct {
		name string
		b    Capsule
		want bool
	}{
		{"through the box", Capsule{Vec3{X: -5}, Vec3{X: 5}, 0.1}, true},
		{"inside the box", Capsule{Vec3{X: -0.1}, Vec3{X: 0.1}, 0.1}, true},
		{"around the box", Capsule{Vec3{X: -1}, Vec3{X: 1}, 9}, true},
		{"touches a face", Capsule{Vec3{1.5, -9, 0}, Vec3{1.5, 9, 0}, 0.5}, true},
		{"beside a face", Capsule{Vec3{1.5, -9, 0}, Vec3{1.5, 9, 0}, 0.499}, false},
		{"in the bounds of an edge, beside it", Capsule{Vec3{0, 3, 0}, Vec3{3, 0, 0}, 0.7}, false},
		{"over an edge", Capsule{Vec3{0, 3, 0}, Vec3{3, 0, 0}, 0.71}, true},
		{"a ball beside a corner", Capsule{Vec3{2, 2, 2}, Vec3{2, 2, 2}, 1.73}, false},
		{"a ball over a corner", Capsule{Vec3{2, 2, 2}, Vec3{2, 2, 2}, 1.74}, true},
		{"a negative radius", Capsule{Vec3{}, Vec3{}, -1}, false},
		{"a NaN", Capsule{Vec3{X: math.NaN()}, Vec3{}, 1}, false},
	} {
		if got := OverlapAABBCapsule(box, c.b); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
	if OverlapAABBCapsule(AABB{Vec3{1, 1, 1}, Vec3{0, 0, 0}}, Capsule{Radius: 9}) {
		t.Error("an empty box: got an overlap")
	}
}
