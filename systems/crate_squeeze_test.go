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

// A wall presses rows of crates against another one. There is no room for gaps, and what the
// contact solver left of approaches became 900 impacts in each step.
func TestRowsOfCratesThatStopAWallHaveNoImpacts(t *testing.T) {
	const columns, rows, half = 13, 12, 0.05
	w := donburi.NewWorld()
	components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0), components.Material)
	components.CreatePlane(w, vec(2*half*columns, 0, 0), vec(-1, 0, 0))
	var crates []*donburi.Entry
	for k := range columns * rows {
		at := vec(half*float64(1+2*(k%columns)), half*float64(1+2*(k/columns)), 0)
		e := components.CreateCrate2D(w, at, half, half)
		components.Material.SetValue(e, components.MaterialData{Friction: 0.4, Restitution: 0.1})
		crates = append(crates, e)
	}
	wall := components.CreateBox(w, vec(-0.3, 1.2, 0), vec(0.2, 1.19, 1), components.Velocity)
	components.Velocity.Get(wall).Linear = vec(0.3, 0, 0)
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), Workers: 1})
	impacts, blocked := 0, 0
	for i := range 180 {
		p.Step(w)
		if i >= 120 {
			impacts, blocked = impacts+p.Stats().Impacts, blocked+p.Stats().Blocked
		}
	}
	expectNoErrors(t, p)
	if impacts > 60 || blocked < 60 {
		t.Errorf("%d impacts in a second, in which the wall was stopped %d times", impacts, blocked)
	}
	for k, e := range crates {
		if at := components.Transform.Get(e).Position; !(at.X >= half*(1-1e-6) && at.X <= half*(2*columns-1+1e-6)) {
			t.Errorf("crate %d is at %v", k, at)
		}
	}
	// When the wall goes back, the crates stay where they are.
	components.Velocity.Get(wall).Linear = vec(-0.3, 0, 0)
	before := components.Transform.Get(crates[columns*rows/2]).Position
	for range 60 {
		p.Step(w)
	}
	if after := components.Transform.Get(crates[columns*rows/2]).Position; after.Distance(before) > half/16 {
		t.Errorf("a crate has moved from %v to %v", before, after)
	}
}
