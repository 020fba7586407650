package collide

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSweepAABBAABB(t *testing.T) {
	b := AABB{Vec3{0, 0, 0}, Vec3{2, 2, 2}}
	for _, tt := range []struct {
		name    string
		min     Vec3 // of a cube with sides of 1
		v       Vec3
		outcome Outcome
		time    float64
		normal  Vec3
	}{
		{"meets it from the left", Vec3{-3, 0.5, 0.5}, Vec3{X: 1}, Hit, 2, Vec3{X: -1}},
		{"lands on it", Vec3{0.5, 4, 0.5}, Vec3{Y: -2}, Hit, 1, Vec3{Y: 1}},
		{"lands on it after the horizon", Vec3{0.5, math.Nextafter(22, 23), 0.5}, Vec3{Y: -2}, Miss, 0, Vec3{}},
		{"lands on it at the horizon", Vec3{0.5, 22, 0.5}, Vec3{Y: -2}, Hit, 10, Vec3{Y: 1}},
		{"passes above", Vec3{-3, 2.5, 0.5}, Vec3{X: 1}, Miss, 0, Vec3{}},
		{"slides past along its top", Vec3{-3, 2, 0.5}, Vec3{X: 1}, Miss, 0, Vec3{}},
		{"recedes", Vec3{-3, 0.5, 0.5}, Vec3{X: -1}, Miss, 0, Vec3{}},
		{"touches and approaches", Vec3{-1, 0.5, 0.5}, Vec3{X: 1}, Hit, 0, Vec3{X: -1}},
		{"touches and recedes", Vec3{-1, 0.5, 0.5}, Vec3{X: -1}, Miss, 0, Vec3{}},
		{"touches and slides", Vec3{-1, 0.5, 0.5}, Vec3{Y: -1}, Miss, 0, Vec3{}},
		{"overlaps and rests", Vec3{-0.5, 0.5, 0.5}, Vec3{}, Overlap, 0, Vec3{X: -1}},
		{"overlaps and leaves", Vec3{-0.5, 0.5, 0.5}, Vec3{X: -1}, Miss, 0, Vec3{}},
		{"meets a corner", Vec3{-3, -3, -3}, Vec3{1, 1, 1}, Hit, 2, Vec3{X: -1}},
		{"has a NaN", Vec3{math.NaN(), 0, 0}, Vec3{X: 1}, Miss, 0, Vec3{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := AABB{tt.min, tt.min.Add(Vec3{1, 1, 1})}
			c, got := SweepAABBAABB(a, tt.v, b, Vec3{}, 10)
			if got != tt.outcome || c.Time != tt.time || c.Normal != tt.normal {
				t.Errorf("got %v at %v, %v, want %v at %v, %v", got, c.Time, c.Normal, tt.outcome, tt.time, tt.normal)
			}
			d, swapped := SweepAABBAABB(b, Vec3{}, a, tt.v, 10)
			if swapped != got || d.Time != c.Time || got != Miss && d.Normal != c.Normal.Neg() {
				t.Errorf("swapped gives %v %+v, want the equivalent of %v %+v", swapped, d, got, c)
			}
		})
	}
}

func TestIntervalsOfOverlap(t *testing.T) {
	inf := math.Inf(1)
	a, b := Sphere{Vec3{X: -5}, 1}, Sphere{Vec3{}, 1}
	for _, tt := range []struct {
		name string
		a    Sphere
		v    Vec3
		want Interval
		ok   bool
	}{
		{"passes through", a, Vec3{X: 1}, Interval{3, 7}, true},
		{"has passed through", a, Vec3{X: -1}, Interval{-7, -3}, true},
		{"is inside and moves", Sphere{Vec3{X: 1}, 1}, Vec3{X: 1}, Interval{-3, 1}, true},
		{"grazes", Sphere{Vec3{X: -5, Y: 2}, 1}, Vec3{X: 1}, Interval{5, 5}, true},
		{"passes by", Sphere{Vec3{X: -5, Y: 2.1}, 1}, Vec3{X: 1}, Interval{}, false},
		{"rests inside", Sphere{Vec3{X: 1}, 1}, Vec3{}, Interval{-inf, inf}, true},
		{"rests outside", a, Vec3{}, Interval{}, false},
		{"is a point that leaves a point", Sphere{}, Vec3{X: 1}, Interval{-1, 1}, true},
		{"has a negative radius", Sphere{Vec3{X: -5}, -1}, Vec3{X: 1}, Interval{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := IntervalSphereSphere(tt.a, tt.v, b, Vec3{})
			if ok != tt.ok || ok && got != tt.want {
				t.Errorf("got %v %v, want %v %v", got, ok, tt.want, tt.ok)
			}
		})
	}
	box := AABB{Vec3{0, 0, 0}, Vec3{1, 1, 1}}
	got, ok := IntervalAABBAABB(box.Translate(Vec3{X: -3}), Vec3{X: 1}, box, Vec3{})
	if !ok || got != (Interval{2, 4}) {
		t.Errorf("boxes pass through each other in %v %v, want {2 4}", got, ok)
	}
	if got, ok := IntervalAABBAABB(box, Vec3{X: 1}, box, Vec3{X: 1}); !ok || got != (Interval{-inf, inf}) {
		t.Errorf("boxes at rest inside each other overlap in %v %v, want for ever", got, ok)
	}
}

func TestSweptAABBContainsTheWholePath(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for range 10000 {
		s, v := Sphere{randomVec(rng).Scale(math.Ldexp(1, rng.IntN(40))), rng.Float64()}, randomVec(rng)
		b := SweptAABB(s, v, 2)
		for _, f := range []float64{0, 0.3, 1, 1.7, 2} {
			c := s.Center.AddScaled(f, v)
			if !b.Contains(c.Add(Vec3{X: s.Radius})) || !b.Contains(c.Sub(Vec3{Y: s.Radius})) {
				t.Fatalf("%v doesn't contain %v at time %v with velocity %v", b, s, f, v)
			}
		}
	}
}
