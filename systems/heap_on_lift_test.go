package systems_test

import (
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// liftScene is a kinematic bin, and n balls that have come to rest in it.
type liftScene struct {
	w     donburi.World
	p     *systems.Physics
	bin   *donburi.Entry
	balls []*donburi.Entry
	half  float64 // of the inside, m
}

// newLiftScene returns a bin that is 2·half wide. Products are rounded by themselves, so that the
// scene is the same on all processors.
func newLiftScene(n int, half float64, seed uint64) *liftScene {
	const radius, thick, apart = 0.05, 0.1, 0.105
	s := &liftScene{
		w: donburi.NewWorld(), half: half,
		p: systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), Workers: 1}),
	}
	wide, high := s.half+thick, 2*s.half
	panel := func(at, half collide.Vec3) components.ShapePart {
		return components.ShapePart{Shape: collide.Box{Half: half}, Position: at}
	}
	s.bin = spawn(s.w, at(0, 0, 0), moving(0, 0, 0), components.MaterialData{Friction: 0.4}, shaped(
		panel(vec(0, -thick, 0), vec(wide+thick, thick, wide+thick)),
		panel(vec(wide, high, 0), vec(thick, high, wide+thick)),
		panel(vec(-wide, high, 0), vec(thick, high, wide+thick)),
		panel(vec(0, high, wide), vec(s.half, high, thick)), panel(vec(0, high, -wide), vec(s.half, high, thick)),
	))
	r := rand.New(rand.NewPCG(seed, 2))
	side := int(2*s.half/apart) - 1
	for i := range n {
		coordinate := func(k int) float64 {
			return float64(apart*(float64(k%side)-float64(side-1)/2)) + float64(0.002*r.Float64())
		}
		x, y, z := coordinate(i), 0.1+float64(apart*float64(i/side/side)), coordinate(i/side)
		e := components.CreateBall(s.w, vec(x, y, z), radius, components.AngularVelocity)
		components.Body.Get(e).Mass = 0.5
		components.Material.SetValue(e, components.MaterialData{Friction: 0.4, Restitution: 0.1})
		s.balls = append(s.balls, e)
	}
	for range 200 {
		s.p.Step(s.w)
	}
	return s
}

// A heap on a lift is carried like one at rest: it doesn't hop, spread or stay behind. A ball may
// roll off its place when the lift starts.
func TestAHeapOnALiftMovesWithIt(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for k, way := range []collide.Vec3{{Y: 1}, {Y: -1}, {X: 0.4}, {Y: 1}, {Y: -1}, {X: 0.4}} {
		s := newLiftScene(200, 0.38, uint64(k))
		start := make([]collide.Vec3, len(s.balls))
		v, before := components.Velocity.Get(s.bin), components.Transform.Get(s.bin).Position
		for i, b := range s.balls {
			start[i] = components.Transform.Get(b).Position.Sub(before)
		}
		impacts := 0
		for i := range 240 { // a second to get there, and three at constant speed
			v.Linear = way.Scale(min(1, float64(i)/60))
			stepCrates(t, s.p, s.w, 1)
			impacts += s.p.Stats().Impacts
		}
		rolled, farthest, fastest, now := 0, 0.0, 0.0, components.Transform.Get(s.bin).Position
		for i, b := range s.balls {
			moved := components.Transform.Get(b).Position.Sub(now).Distance(start[i])
			if farthest = max(farthest, moved); moved > 0.01 {
				rolled++
			}
			fastest = max(fastest, components.Velocity.Get(b).Linear.Distance(way))
		}
		if rolled > 5 || farthest > 0.05 || fastest > 1e-4 || impacts > 5 {
			t.Errorf("lift at %v m/s: %d balls moved in it, one by %.3g m, and one moves at %.3g m/s; %d impacts",
				way, rolled, farthest, fastest, impacts)
		}
	}
}
