package bridge

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/filter"
)

// constantTiles returns a floor of n tiles with a Constant, and a ball that bounces on it for ever.
func constantTiles(n int) (donburi.World, []*donburi.Entry) {
	w, tiles := surfaces(n, components.PolygonCollider, components.Constant)
	ball := w.Entry(w.Create(components.Transform, components.SphereCollider, components.Velocity, components.Material))
	components.SphereCollider.Get(ball).Radius = 0.5
	components.Transform.Get(ball).Position.Y = 0.6
	components.Material.Get(ball).Restitution = 1
	return w, append(tiles, ball)
}

// A step with 100,000 tiles of a Constant reads none of them but new ones, these until they are as
// in the step before, and looks at none that the ball doesn't touch.
func TestAStepReadsNoConstantTiles(t *testing.T) {
	slow.Skip(t, slow.Sequential, "it counts what is read of 100,000 tiles, which no platform changes")
	const tiles = 100_000
	w, all := constantTiles(tiles)
	p := newStepper(gravity(-10))
	step := func() (rows int) {
		p.broadphase(w, true)
		for i := range p.parallel.chunks {
			c := &p.parallel.chunks[i]
			rows += c.to - c.from
		}
		p.sweep(w)
		p.respond(w, true)
		return rows
	}
	if n := step(); n != tiles+1 {
		t.Errorf("the first step reads %d rows, want %d", n, tiles+1)
	}
	for range 3 {
		step()
	}
	impacts := 0
	for range 60 {
		impacts += p.stats.Impacts
		if n := step(); n != 1 || p.stats.Sweeps > 10 {
			t.Fatalf("a step reads %d rows and makes %d sweeps, want 1 row and at most 10", n, p.stats.Sweeps)
		}
	}
	if impacts == 0 {
		t.Error("the ball met nothing")
	}
	all[7].Remove()
	if n := step(); n != 1 {
		t.Errorf("a tile has been removed: %d rows are read, want 1", n)
	}
	for n := range 3 {
		w.Create(components.Transform, components.PolygonCollider, components.Constant)
		all[10+n].Remove()
	}
	for k, want := range []int{4, 4, 4} { // they have no corners
		if n := step(); n != want {
			t.Errorf("step %d after three are new, and invalid: %d rows are read, want %d", k, n, want)
		}
	}
	for e := range donburi.NewQuery(filter.Contains(components.PolygonCollider)).Iter(w) {
		if c := components.PolygonCollider.Get(e); len(c.Points) == 0 {
			*c = *components.PolygonCollider.Get(all[1])
			components.Transform.Get(e).Position = collide.Vec3{X: -1e6}
		}
	}
	for k, want := range []int{4, 4, 1, 1} {
		if n := step(); n != want {
			t.Errorf("step %d after they are valid: %d rows are read, want %d", k, n, want)
		}
	}
	all[20].AddComponent(components.SurfaceVelocity) // moves to another table
	if n := step(); n != tiles {
		t.Errorf("a component has been added: %d rows are read, want %d", n, tiles)
	}
}

// A game that digs, or builds, in each step from the first one on doesn't make physics read the
// tiles that stay as they are.
func TestAGameThatBuildsInEveryStepHasTheOtherConstantTilesReadOnce(t *testing.T) {
	slow.Skip(t, slow.Sequential, "it counts what is read, which no platform changes")
	const tiles = 1_000
	w, all := constantTiles(tiles)
	p := newStepper(gravity(-10))
	for n := range 20 {
		shape, transform := *components.PolygonCollider.Get(all[n]), *components.Transform.Get(all[n])
		all[n].Remove()
		all[n] = w.Entry(w.Create(components.Transform, components.PolygonCollider, components.Constant))
		components.PolygonCollider.SetValue(all[n], shape)
		components.Transform.SetValue(all[n], transform)
		p.broadphase(w, true)
		rows := 0
		for i := range p.parallel.chunks {
			c := &p.parallel.chunks[i]
			rows += c.to - c.from
		}
		p.sweep(w)
		p.respond(w, true)
		if n > 2 && rows > 3 { // the new tile, the one of the step before, and the ball
			t.Fatalf("step %d reads %d rows, want at most 3", n, rows)
		}
		if got := p.space.Surfaces(); got != tiles {
			t.Fatalf("step %d has %d surfaces, want %d", n, got, tiles)
		}
	}
}

// BenchmarkConstantTiles is a step with one ball and 100,000 tiles.
func BenchmarkConstantTiles(b *testing.B) {
	w, _ := constantTiles(100_000)
	p := newStepper(gravity(-10))
	for range 3 {
		p.step(w)
	}
	for b.Loop() {
		p.step(w)
	}
}
