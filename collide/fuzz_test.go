package collide_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/exact"
)

// documented reports whether all numbers are in the range for which the outcomes of sweeps are
// documented as exact. In this range, the products in a discriminant neither underflow nor
// overflow, and the reference is exact.
func documented(numbers ...float64) bool {
	for _, x := range numbers {
		if x != 0 && !(math.Abs(x) >= 0x1p-40 && math.Abs(x) <= 0x1p40) {
			return false
		}
	}
	return true
}

// fuzzSweep fuzzes a sweep of a sphere of radius r at p, moving at v, against another shape. The
// function check makes that shape from up to seven more numbers and compares the result with the
// reference.
func fuzzSweep(f *testing.F, check func(t *testing.T, ball sphere, v vec, q, e, g vec, r2, horizon float64)) {
	type row = [14]float64
	for _, s := range []row{
		{-11, 0, 0, 1, 2, 0, 0, 0, 0, 0, 1, 0, 0, 10},
		{-3, 2, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 10},
		{-3, math.Nextafter(2, 0), 0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 10},
		{-2, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0},
		{-1e8, 0, 0, 1, 1e8, 0, 0, 0, 1, 0, 1, 0, 0, 10},
		{-1e6, 0.999999, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 2e6},
		{-2 - 1e-6, 0, 0, 1, 1e-12, 0, 0, 0, 1, 0, 0, 1, 1, 2e6},
		{0, 3, 0, 1, 0, -2, 0, 1, 0, 0, 0, 0, 1, 1},
		{0, 0, 0, 1, 0, -2, 0, 1, 0, 0, 0, 0, 1, 1},
		{0, 0, 0, 0, 0, -2, 0, 1, 0, 0, 0, 0, 1, 1},
		{3, 4, 0, 2, -1, 0, 0, 0, 3, 0, 0, 0, 3, 10},
	} {
		f.Add(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13])
	}
	f.Fuzz(func(t *testing.T, px, py, pz, r, vx, vy, vz, ex, ey, ez, gx, gy, r2, horizon float64) {
		check(t, sphere{Center: vec{X: px, Y: py, Z: pz}, Radius: r}, vec{X: vx, Y: vy, Z: vz},
			vec{X: gy, Y: gx, Z: ez}, vec{X: ex, Y: ey, Z: ez}, vec{X: gx, Y: gy, Z: ex}, r2, horizon)
	})
}

// checkAgainstExact compares the result of a sweep with the reference if the input is in the
// documented range. For all input it checks that nothing in the result is NaN.
func checkAgainstExact(
	t *testing.T, c collide.Contact, got collide.Outcome, horizon float64, numbers []float64, want func() exact.Result,
) {
	t.Helper()
	if c.Time != c.Time || !(c.Time >= 0) || !(c.Time <= horizon) && got != collide.Miss {
		t.Fatalf("time %v at horizon %v", c.Time, horizon)
	}
	for _, v := range []vec{c.Normal, c.Point, c.CenterA, c.CenterB} {
		if v.X != v.X || v.Y != v.Y || v.Z != v.Z {
			t.Fatalf("got NaN: %v %+v", got, c)
		}
	}
	if !documented(numbers...) || !(horizon >= 0) {
		return
	}
	var k checker
	truth := want()
	slack := 0.0
	if truth.Outcome == collide.Hit {
		slack = timeTolerance(truth)
	}
	k.check(t, numbers, c, got, truth, horizon, slack)
}

func numbersOf(s sphere, vs ...vec) []float64 {
	n := []float64{s.Radius}
	for _, v := range append(vs, s.Center) {
		n = append(n, v.X, v.Y, v.Z)
	}
	return n
}

func FuzzSweepSphereSphere(f *testing.F) {
	fuzzSweep(f, func(t *testing.T, a sphere, va, q, vb, _ vec, r2, horizon float64) {
		b := sphere{Center: q, Radius: r2}
		c, got := collide.SweepSphereSphere(a, va, b, vb, horizon)
		if a.Radius < 0 || b.Radius < 0 {
			if got != collide.Miss {
				t.Fatalf("negative radius gives %v", got)
			}
			return
		}
		checkAgainstExact(t, c, got, horizon, append(numbersOf(a, va, q, vb), r2),
			func() exact.Result { return exact.SphereSphere(a, va, b, vb) })
	})
}

func FuzzSweepSpherePlane(f *testing.F) {
	fuzzSweep(f, func(t *testing.T, a sphere, va, normal, vb, _ vec, distance, horizon float64) {
		plane, err := collide.NewPlane(normal, distance)
		if err != nil || a.Radius < 0 {
			return
		}
		c, got := collide.SweepSpherePlane(a, va, plane, vb, horizon)
		checkAgainstExact(t, c, got, horizon, append(numbersOf(a, va, plane.Normal, vb), distance),
			func() exact.Result { return exact.SpherePlane(a, va, plane, vb) })
	})
}

func FuzzSweepSphereSegment(f *testing.F) {
	fuzzSweep(f, func(t *testing.T, a sphere, va, q, e, vb vec, _, horizon float64) {
		if a.Radius < 0 {
			return
		}
		b := collide.Segment{A: q, B: e}
		c, got := collide.SweepSphereSegment(a, va, b, vb, horizon)
		checkAgainstExact(t, c, got, horizon, numbersOf(a, va, q, e, vb),
			func() exact.Result { return exact.SphereSegment(a, va, b, vb) })
	})
}

func FuzzSweepSphereCapsule(f *testing.F) {
	fuzzSweep(f, func(t *testing.T, a sphere, va, q, e, vb vec, r2, horizon float64) {
		b := collide.Capsule{A: q, B: e, Radius: r2}
		c, got := collide.SweepSphereCapsule(a, va, b, vb, horizon)
		if a.Radius < 0 || b.Radius < 0 {
			if got != collide.Miss {
				t.Fatalf("negative radius gives %v", got)
			}
			return
		}
		checkAgainstExact(t, c, got, horizon, append(numbersOf(a, va, q, e, vb), r2),
			func() exact.Result { return exact.SphereCapsule(a, va, b, vb) })
	})
}

func FuzzSweepSphereTriangle(f *testing.F) {
	fuzzSweep(f, func(t *testing.T, a sphere, va, q, e, g vec, _, horizon float64) {
		if a.Radius < 0 {
			return
		}
		b := collide.Triangle{A: q, B: e, C: g}
		c, got := collide.SweepSphereTriangle(a, va, b, vec{}, horizon)
		checkAgainstExact(t, c, got, horizon, numbersOf(a, va, q, e, g),
			func() exact.Result { return exact.SphereTriangle(a, va, b, vec{}) })
	})
}

func FuzzSweepSpherePolygon(f *testing.F) {
	fuzzSweep(f, func(t *testing.T, a sphere, va, q, e, vb vec, z, horizon float64) {
		// A rectangle whose corners lie exactly in one plane.
		b, err := collide.NewPolygon(vec{X: q.X, Y: q.Y, Z: z}, vec{X: e.X, Y: q.Y, Z: z}, vec{X: e.X, Y: e.Y, Z: z},
			vec{X: q.X, Y: e.Y, Z: z})
		if err != nil || a.Radius < 0 {
			return
		}
		c, got := collide.SweepSpherePolygon(a, va, b, vb, horizon)
		checkAgainstExact(t, c, got, horizon, append(numbersOf(a, va, q, e, vb), z),
			func() exact.Result { return exact.SpherePolygon(a, va, b, vb) })
	})
}

func FuzzSweepAABBAABB(f *testing.F) {
	fuzzSweep(f, func(t *testing.T, a sphere, va, q, e, vb vec, _, horizon float64) {
		b := collide.NewAABB(q, e)
		c, got := collide.SweepAABBAABB(a.Bounds(), va, b, vb, horizon)
		checkAgainstExact(t, c, got, horizon, []float64{math.NaN()}, nil)
	})
}
