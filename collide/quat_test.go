package collide_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
)

// randomAxis returns a random unit vector.
func randomAxis(r *rand.Rand) collide.Vec3 {
	n, _ := collide.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
	return n
}

func TestRotationByMatchesSineAndCosine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	worst, off := 0.0, 0.0
	for k := range 200000 {
		v := randomAxis(r).Scale(math.Exp(-40 + 53*r.Float64())) // to 400,000 radians
		// Near multiples of a quarter turn, where the sine or the cosine is nearly 0.
		if k%4 == 0 {
			v = randomAxis(r).Scale(math.Pi / 2 * float64(r.IntN(100000)) * (1 + 1e-12*r.NormFloat64()))
		}
		q := collide.RotationBy(v)
		angle := v.Length()
		if angle == 0 {
			continue
		}
		sin, cos := math.Sincos(angle / 2)
		u := v.Scale(1 / angle)
		worst = max(worst, math.Abs(q.W-cos), collide.Vec3{X: q.X, Y: q.Y, Z: q.Z}.Distance(u.Scale(sin)))
		off = max(off, math.Abs(q.LengthSquared()-1))
	}
	if worst > 5e-16 || off > 0x1p-50 {
		t.Errorf("off by %.3g from sine and cosine, and its square by %.3g from 1", worst, off)
	}
}

// The error is relative to the angle, not to the length of the quaternion.
func TestRotationByOfSmallAngles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100000 {
		v := randomAxis(r).Scale(math.Pow(10, -300*r.Float64()))
		q := collide.RotationBy(v)
		angle := v.Length()
		want := v.Scale(0.5)
		if angle > 1e-100 {
			want = v.Scale(math.Sin(angle/2) / angle)
		}
		got := collide.Vec3{X: q.X, Y: q.Y, Z: q.Z}
		relative := got.Scale(1 / v.Length()).Distance(want.Scale(1 / v.Length()))
		if angle > 1e-100 && relative > 3e-16 {
			t.Fatalf("%v gives %v, want %v", v, q, want)
		}
		if angle > 0 && q.W == 0 || math.Abs(q.LengthSquared()-1) > 0x1p-50 {
			t.Fatalf("%v gives %v", v, q)
		}
	}
}

func TestRotationByOfHugeAngles(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100000 {
		v := randomAxis(r).Scale(math.Pow(10, 6+300*r.Float64()))
		q := collide.RotationBy(v)
		if off := math.Abs(q.LengthSquared() - 1); !(off < 0x1p-50) {
			if v.Length() > math.MaxFloat64 && q == (collide.Quat{W: 1}) {
				continue
			}
			t.Fatalf("%v gives %v, %.3g from a rotation", v, q, off)
		}
		if angle := v.Length(); angle < 1e12 { // the error caused by the rounding of the angle
			if d := math.Abs(q.W - math.Cos(angle/2)); d > 0x1p-53*angle {
				t.Fatalf("%v: the cosine is %v, want %v", v, q.W, math.Cos(angle/2))
			}
		}
	}
}

func TestRotationByOfKnownAngles(t *testing.T) {
	half := math.Sqrt(0.5)
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name string
		v    collide.Vec3
		want collide.Quat
	}{
		{"zero", collide.Vec3{}, collide.Quat{W: 1}},
		{"a quarter turn around z", collide.Vec3{Z: math.Pi / 2}, collide.Quat{Z: half, W: half}},
		{"half a turn around -x", collide.Vec3{X: -math.Pi}, collide.Quat{X: -1}},
		{"a whole turn", collide.Vec3{Y: 2 * math.Pi}, collide.Quat{W: -1}},
		{"NaN", collide.Vec3{X: nan}, collide.Quat{W: 1}},
		{"infinite", collide.Vec3{Z: inf}, collide.Quat{W: 1}},
		{"so small that its square underflows", collide.Vec3{Z: 2e-200}, collide.Quat{Z: 1e-200, W: 1}},
	} {
		q := collide.RotationBy(c.v)
		d := max(math.Abs(q.X-c.want.X), math.Abs(q.Y-c.want.Y), math.Abs(q.Z-c.want.Z), math.Abs(q.W-c.want.W))
		if !(d < 4e-16) {
			t.Errorf("%s: got %v, want %v", c.name, q, c.want)
		}
	}
}

// The first part rotates around one axis, the second part tests the order of Mul with two axes.
func TestManySmallRotationsEqualOneLargeRotation(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 1000 {
		w := randomAxis(r).Scale(50 * r.Float64())
		q := collide.Quat{W: 1}
		for range 100 {
			q = collide.RotationBy(w.Scale(0.01)).Mul(q)
		}
		p := randomAxis(r)
		if d := q.Rotate(p).Distance(collide.RotationBy(w).Rotate(p)); d > 1e-13 {
			t.Fatalf("%v: off by %.3g", w, d)
		}
		n := q.Normalized()
		if off := math.Abs(n.LengthSquared() - 1); off > 0x1p-51 || n.Rotate(p).Distance(q.Rotate(p)) > 1e-13 {
			t.Fatalf("%v normalized is %v", q, n)
		}
	}
	x, z := collide.Vec3{X: math.Pi / 2}, collide.Vec3{Z: math.Pi / 2}
	// The first rotates y to z, the second keeps z.
	got := collide.RotationBy(z).Mul(collide.RotationBy(x)).Rotate(collide.Vec3{Y: 1})
	if got.Distance(collide.Vec3{Z: 1}) > 1e-15 {
		t.Errorf("around x first and then z, y is rotated to %v", got)
	}
	if got := (collide.Quat{}).Normalized(); got != (collide.Quat{}) {
		t.Errorf("the zero value normalized is %v", got)
	}
}
