package systems_test

import (
	"fmt"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

func ExamplePhysics_Path() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{StepSeconds: 1})
	components.CreatePlane(world, collide.Vec2(5, 0), collide.Vec2(-1, 0))
	puck := components.CreateCircle2D(world, collide.Vec2(0, 0), 1)
	components.Velocity.Get(puck).Linear = collide.Vec2(16, 8)
	components.Material.Get(puck).Restitution = 1

	physics.Path(puck.Entity()) // records the paths of all steps after this call
	physics.Step(world)
	for seconds, at := range physics.Path(puck.Entity()) {
		fmt.Println(seconds, at.X, at.Y)
	}
	// Output:
	// 0 0 0
	// 0.25 4 2
	// 1 -8 8
}

func ExamplePhysics_Cell() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{})
	ball := components.CreateBall(world, collide.Vec3{X: 3}, 0.5)
	physics.Step(world)
	cell, ok := physics.Cell(ball.Entity())
	fmt.Println(ok, cell.Contains(collide.Vec3{X: 3}))
	// Output: true true
}

func TestEverySphereIsInItsCell(t *testing.T) {
	w := donburi.NewWorld()
	balls := gas(w, 100)
	p := systems.NewPhysics(systems.Config{Workers: 1})
	for range 20 {
		p.Step(w)
		for _, b := range balls {
			cell, ok := p.Cell(b.Entity())
			if !ok || !cell.Grow(1e-9).Contains(position(b)) ||
				cell.Size().X < 2*components.SphereCollider.Get(b).Radius {
				t.Fatalf("got cell %v %v of a ball at %v", cell, ok, position(b))
			}
		}
	}
	floor := wall(w, vec(0, -99, 0), vec(0, 1, 0))
	p.Step(w)
	if _, ok := p.Cell(floor.Entity()); ok {
		t.Error("a plane has a cell")
	}
	for range p.Path(floor.Entity()) {
		t.Error("a plane has a path")
	}
}
