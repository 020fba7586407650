package systems_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A ball of 3 t on a heap of 600 balls of 0.3 kg shook that for twenty seconds, with many
// impacts in each step: what the iterations along conjugate directions left of each approach became
// impacts.
func TestAHeavyBallOnAHeapComesToRest(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	material := components.MaterialData{Restitution: 0.15, Friction: 0.35, RollingResistance: 0.01}
	for _, wall := range [][2]collide.Vec3{
		{vec(0, 0, 0), vec(0, 1, 0)},
		{vec(-1.2, 0, 0), vec(1, 0, 0)},
		{vec(1.2, 0, 0), vec(-1, 0, 0)},
		{vec(0, 0, -0.8), vec(0, 0, 1)},
		{vec(0, 0, 0.8), vec(0, 0, -1)},
	} {
		components.Material.SetValue(components.CreatePlane(w, wall[0], wall[1], components.Material), material)
	}
	var balls []*donburi.Entry
	ball := func(at collide.Vec3, radius, mass float64) {
		e := components.CreateBall(w, at, radius, components.AngularVelocity)
		components.Material.SetValue(e, material)
		components.Body.Get(e).Mass = mass
		balls = append(balls, e)
	}
	random := rand.New(rand.NewPCG(1, 4))
	for i := range 600 {
		at := vec(float64(i%15-7)*0.15, 0.1+float64(i/150)*0.15, float64(i/15%10)*0.15-0.675)
		radius := 0.04 + 0.025*random.Float64()
		ball(at.Add(vec(random.Float64()*0.01, 0, random.Float64()*0.01)), radius, 600*4/3*math.Pi*math.Pow(radius, 3))
	}
	fastest := func() float64 {
		most := 0.0
		for _, e := range balls {
			most = max(most, components.Velocity.Get(e).Linear.Length())
		}
		return most
	}
	stepCrates(t, p, w, 240)
	ball(vec(0.1, 1.6, 0.05), 0.17, 3000)
	stepCrates(t, p, w, 360)
	if v := fastest(); v > 1e-3 {
		t.Errorf("6 s after the heavy ball fell, something moves at %.2g m/s", v)
	}
	for k, a := range balls {
		for _, b := range balls[:k] {
			p, q := components.Transform.Get(a).Position, components.Transform.Get(b).Position
			r := components.SphereCollider.Get(a).Radius + components.SphereCollider.Get(b).Radius
			if d := p.Distance(q); d < r-1e-12 {
				t.Errorf("two balls overlap by %.2g m", r-d)
			}
		}
	}
}
