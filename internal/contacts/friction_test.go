package contacts_test

import (
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
)

func TestSlidingImpulse(t *testing.T) {
	f := contacts.FrictionCoefficients{Static: 0.5, Dynamic: 0.25}
	for _, c := range []struct {
		name                             string
		speed, inverseMass, normal, want float64
	}{
		{"no slip", 0, 1, 8, 0},
		{"sticks", 1, 0.5, 8, 2},
		{"just sticks", 2, 0.5, 8, 4},
		{"slides", 2.1, 0.5, 8, 2},
		{"no normal impulse", 1, 1, 0, 0},
	} {
		if got := f.SlidingImpulse(c.speed, c.inverseMass, c.normal); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// The torque ends rolling and spinning or is at its bound, is against each, and takes energy.
func TestTorqueImpulse(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	ended, bounded := 0, 0
	for range 1000 {
		f := contacts.FrictionCoefficients{Rolling: r.Float64() / 10, Spinning: r.Float64() / 10}
		n, w := direction(r), direction(r).Scale(3*r.Float64())
		inverse, lever, normal := 0.1+r.Float64(), 0.1+r.Float64(), 10*r.Float64()
		j := f.TorqueImpulse(w, n, inverse, lever, normal)
		for _, x := range [2]struct {
			j, w collide.Vec3
			most float64
		}{
			{j.AddScaled(-n.Dot(j), n), w.AddScaled(-n.Dot(w), n), f.Rolling * lever * normal},
			{n.Scale(n.Dot(j)), n.Scale(n.Dot(w)), f.Spinning * lever * normal},
		} {
			after := x.w.AddScaled(inverse, x.j)
			switch {
			case after.Length() <= 1e-12:
				ended++
			case x.j.Length() > x.most*(1-1e-12) && x.j.Length() < x.most*(1+1e-12) && x.j.Dot(x.w) < 0:
				bounded++
			default:
				t.Fatalf("torque %v against %v leaves %v, and could be %v", x.j, x.w, after, x.most)
			}
		}
	}
	if ended < 100 || bounded < 100 {
		t.Errorf("%d ended, %d bounded", ended, bounded)
	}
}
