package collide

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestBounce(t *testing.T) {
	x := Vec3{X: 1}
	for _, tt := range []struct {
		name         string
		va, vb       Vec3
		ima, imb     float64
		restitution  float64
		wantA, wantB Vec3
		impulse      float64
		normal       Vec3
	}{
		{"equal masses swap their speeds", Vec3{-2, 1, 0}, Vec3{1, 0, 3}, 1, 1, 1, Vec3{1, 1, 0}, Vec3{-2, 0, 3}, 3, x},
		{
			"equal masses that don't rebound share theirs",
			Vec3{-2, 1, 0},
			Vec3{},
			1, 1, 0,
			Vec3{-1, 1, 0},
			Vec3{-1, 0, 0},
			1, x,
		},
		{"an immovable one stays", Vec3{-2, 1, 0}, Vec3{}, 0.5, 0, 0.5, Vec3{1, 1, 0}, Vec3{}, 6, x},
		{"two immovable ones stay", Vec3{-2, 1, 0}, Vec3{}, 0, 0, 1, Vec3{-2, 1, 0}, Vec3{}, 0, x},
		{"receding ones stay as they are", Vec3{2, 1, 0}, Vec3{}, 1, 1, 1, Vec3{2, 1, 0}, Vec3{}, 0, x},
		{"sliding ones stay as they are", Vec3{0, 1, 0}, Vec3{}, 1, 1, 1, Vec3{0, 1, 0}, Vec3{}, 0, x},
		{"a negative inverse mass changes nothing", Vec3{-2, 1, 0}, Vec3{}, -1, 3, 1, Vec3{-2, 1, 0}, Vec3{}, 0, x},
		{
			"a normal of NaN changes nothing",
			Vec3{-2, 1, 0},
			Vec3{},
			1, 1, 1,
			Vec3{-2, 1, 0},
			Vec3{},
			0,
			Vec3{X: math.NaN()},
		},
		{
			"an infinite inverse mass changes nothing",
			Vec3{-2, 1, 0},
			Vec3{},
			math.Inf(1), 1, 1,
			Vec3{-2, 1, 0},
			Vec3{},
			0, x,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b, j := Bounce(tt.va, tt.vb, tt.ima, tt.imb, tt.normal, tt.restitution)
			if a != tt.wantA || b != tt.wantB || j != tt.impulse {
				t.Errorf("got %v %v %v, want %v %v %v", a, b, j, tt.wantA, tt.wantB, tt.impulse)
			}
		})
	}
}

func TestBounceConservesMomentumAndEnergyAndIsSymmetric(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	bounced := 0
	for range 10000 {
		va, vb := randomVec(rng), randomVec(rng)
		ma, mb := rng.ExpFloat64()+0.01, rng.ExpFloat64()+0.01
		n, _ := randomVec(rng).Normalized()
		a, b, j := Bounce(va, vb, 1/ma, 1/mb, n, 1)
		if j > 0 {
			bounced++
		}
		momentum := va.Scale(ma).Add(vb.Scale(mb)).Distance(a.Scale(ma).Add(b.Scale(mb)))
		before := ma*va.LengthSquared() + mb*vb.LengthSquared()
		after := ma*a.LengthSquared() + mb*b.LengthSquared()
		if momentum > 1e-14*(ma+mb)*10 || math.Abs(after-before) > 1e-14*before {
			t.Fatalf("momentum is off by %v, energy went from %v to %v", momentum, before, after)
		}
		b2, a2, j2 := Bounce(vb, va, 1/mb, 1/ma, n.Neg(), 1)
		if a2 != a || b2 != b || j2 != j {
			t.Fatalf("swapped gives %v %v %v, want %v %v %v", a2, b2, j2, a, b, j)
		}
	}
	if bounced < 4000 {
		t.Errorf("only %d bounced", bounced)
	}
}

func TestBounceOffAMovingPlatform(t *testing.T) {
	if got, want := BounceOff(Vec3{X: 3, Y: -2}, Vec3{Y: 1}, Vec3{Y: 1}, 1), (Vec3{X: 3, Y: 4}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
