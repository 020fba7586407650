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

// When the crate below a lift was jammed and halted, the elastic one below that went on to bounce
// between it and the floor, up to 65,536 times in one step, which took 20 s with hulls.
func TestElasticCratesThatALiftSqueezesHaveAnEndOfImpacts(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	r := rand.New(rand.NewPCG(16, 5))
	between := func(a, b float64) float64 { return a + (b-a)*r.Float64() }
	most, halted := 0, 0
	for range slow.Cases(20) {
		w := donburi.NewWorld()
		floor := components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0), components.Material)
		components.Material.Get(floor).Restitution = 1
		height := 0.2
		for range 2 + r.IntN(3) {
			half := between(0.2, 0.3)
			e := components.CreateCrate(w, vec(between(-0.1, 0.1), height+half, 0), vec(half, half, half))
			components.Material.Get(e).Restitution = 1
			components.Body.Get(e).Mass = between(0.5, 2)
			components.Velocity.Get(e).Linear = vec(0, between(-3, 3), 0)
			height += 2*half + between(0, 0.2)
		}
		lift := components.CreateBox(w, vec(0, height+0.3, 0), vec(1, 0.1, 1), components.Velocity,
			components.Material)
		components.Material.Get(lift).Restitution = 1
		components.Velocity.Get(lift).Linear = collide.Vec3{Y: -3}
		p := systems.NewPhysics(systems.Config{})
		for range 40 {
			p.Step(w)
			most = max(most, p.Stats().Impacts)
			halted += p.Stats().SpentBudgets
		}
		expectNoErrors(t, p)
	}
	if most > 20000 || halted == 0 {
		t.Errorf("a step had %d impacts; %d times a crate was halted", most, halted)
	}
}
