package systems_test

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

func ExampleNewPhysics() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}})
	ball := components.CreateBall(world, collide.Vec3{Y: 10}, 0.5)
	for range 60 { // a second
		physics.Step(world)
	}
	fmt.Printf("%.3f\n", components.Transform.Get(ball).Position.Y)
	// Output: 5.095
}

func ExamplePhysics_AddTo() {
	game := ecs.NewECS(donburi.NewWorld())
	physics := systems.NewPhysics(systems.Config{}).AddTo(game)
	ball := components.CreateBall(game.World, collide.Vec3{}, 0.5)
	components.Velocity.Get(ball).Linear.X = 6
	game.Update() // in each tick
	fmt.Printf("%.1f, %d body\n", components.Transform.Get(ball).Position.X, physics.Stats().Bodies)
	// Output: 0.1, 1 body
}

// A game runs its own systems between the three, and looks at what may happen in the step.
func ExamplePhysics_Broadphase() {
	game := ecs.NewECS(donburi.NewWorld())
	physics := systems.NewPhysics(systems.Config{StepSeconds: 1})
	game.AddSystem(physics.Broadphase)
	game.AddSystem(func(*ecs.ECS) {
		for pair := range physics.Candidates() {
			fmt.Println("may meet:", pair.A.Id(), pair.B.Id())
		}
	})
	game.AddSystem(physics.Sweep)
	game.AddSystem(func(*ecs.ECS) {
		for hit := range physics.FirstImpacts() {
			fmt.Println("will meet after", hit.Time, "s")
		}
	})
	game.AddSystem(physics.Response)

	a := components.CreateBall(game.World, collide.Vec3{X: -2}, 1)
	components.CreateBall(game.World, collide.Vec3{X: 2}, 1)
	components.Velocity.Get(a).Linear.X = 4
	game.Update()
	// Output:
	// may meet: 1 2
	// will meet after 0.5 s
}

func ExamplePhysics_Impacts() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{StepSeconds: 1})
	components.CreatePlane(world, collide.Vec2(5, 0), collide.Vec2(-1, 0))
	puck := components.CreateCircle2D(world, collide.Vec2(0, 0), 1)
	components.Body.Get(puck).Mass = 2
	components.Material.Get(puck).Restitution = 1
	components.Velocity.Get(puck).Linear = collide.Vec2(8, 0)
	physics.Step(world)
	for hit := range physics.Impacts() {
		fmt.Println(hit.A == puck.Entity(), hit.Time, hit.Point.X, hit.Approach, hit.Impulse)
	}
	// Output: true 0.5 5 8 32
}

func ExamplePhysics_ContactEnds() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{StepSeconds: 1})
	gate := components.CreateSensor(world, collide.Vec3{}, 2)
	ball := components.CreateBall(world, collide.Vec3{X: -5}, 1)
	components.Velocity.Get(ball).Linear.X = 4
	for range 3 {
		physics.Step(world)
		for c := range physics.ContactEnds() {
			fmt.Println("has left the gate:", c.A == ball.Entity() && c.B == gate.Entity(), c.Time)
		}
	}
	// Output: has left the gate: true 1
}

func ExamplePhysics_Contacts() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}})
	floor := components.CreatePlane(world, collide.Vec3{}, collide.Vec3{Y: 1})
	ball := components.CreateBall(world, collide.Vec3{Y: 0.5}, 0.5)
	physics.Step(world)
	for c := range physics.Contacts(ball.Entity()) {
		fmt.Println(c.Other == floor.Entity(), c.Point, c.Normal)
	}
	fmt.Println(len(slices.Collect(physics.Touching(ball.Entity()))))
	// Output:
	// true {0 0 0} {0 1 0}
	// 1
}

// A press closes on a ball, and stops.
func ExamplePhysics_Crushed() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{})
	components.CreatePlane(world, collide.Vec3{}, collide.Vec3{Y: 1})
	press := components.CreatePlane(world, collide.Vec3{Y: 1.2}, collide.Vec3{Y: -1}, components.Velocity)
	components.Velocity.Get(press).Linear.Y = -3
	ball := components.CreateBall(world, collide.Vec3{Y: 0.5}, 0.5)
	for range 10 {
		physics.Step(world)
	}
	for c := range physics.Crushed() {
		fmt.Println(c.Entity == ball.Entity(), c.Other == press.Entity())
	}
	fmt.Printf("the press is at %.2f\n", components.Transform.Get(press).Position.Y)
	// Output:
	// true true
	// the press is at 1.00
}

func ExampleEntityError() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{})
	components.CreateBall(world, collide.Vec3{}, -1)
	physics.Sync(world)
	for e := range physics.Errors() {
		if f := new(components.FieldError); errors.As(e, &f) {
			fmt.Println(e.Entity.Id(), f.Component, f.Field, f.Value)
		}
	}
	// Output: 1 SphereCollider Radius -1
}

func ExamplePhysics_Interpolated() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{StepSeconds: 0.5})
	ball := components.CreateBall(world, collide.Vec3{}, 1)
	components.Velocity.Get(ball).Linear.X = 8
	physics.Advance(world, 0.625) // one step, and a quarter of the next
	at, ok := physics.Interpolated(ball.Entity())
	fmt.Println(physics.Alpha(), at.Position.X, ok)
	// Output: 0.25 1 true
}

// shapesToFind is a row of balls with radius 1 at X = 5, 10 and 15.
func shapesToFind() (*systems.Physics, []*donburi.Entry) {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{})
	var balls []*donburi.Entry
	for k := range 3 {
		balls = append(balls, components.CreateBall(world, collide.Vec3{X: 5 + 5*float64(k)}, 1))
	}
	physics.Sync(world) // there was no step yet
	return physics, balls
}

func ExamplePhysics_SphereCast() {
	physics, balls := shapesToFind()
	start, forward := collide.Sphere{Radius: 0.5}, collide.Vec3{X: 1}
	hit, ok := physics.SphereCast(start, forward, 100, systems.Filter{})
	fmt.Println(ok, hit.Entity == balls[0].Entity(), hit.Distance, hit.Center.X)
	for hit := range physics.SphereCastAll(start, forward, 100, systems.Filter{}) {
		fmt.Println("sphere at", hit.Distance)
	}
	for hit := range physics.RayCastAll(collide.Vec3{}, forward, 12, systems.Filter{}) {
		fmt.Println("ray at", hit.Distance)
	}
	// Output:
	// true true 3.5 3.5
	// sphere at 3.5
	// sphere at 8.5
	// sphere at 13.5
	// ray at 4
	// ray at 9
}

func ExamplePhysics_OverlapSphere() {
	physics, balls := shapesToFind()
	count := func(name string, all []donburi.Entity) { fmt.Println(name, len(all), all[0] == balls[0].Entity()) }
	count("sphere", slices.Collect(physics.OverlapSphere(collide.Sphere{Radius: 9.5}, systems.Filter{})))
	box := collide.NewAABB(collide.Vec3{Y: -1}, collide.Vec3{X: 20, Y: 1, Z: 1})
	count("box", slices.Collect(physics.OverlapBox(box, systems.Filter{})))
	capsule := collide.Capsule{B: collide.Vec3{X: 8}, Radius: 0.5}
	count("capsule", slices.Collect(physics.OverlapShape(capsule, systems.Filter{})))
	// Output:
	// sphere 2 true
	// box 3 true
	// capsule 1 true
}

func ExamplePhysics_ShapeCast() {
	physics, _ := shapesToFind()
	capsule := collide.Capsule{A: collide.Vec3{Y: -1}, B: collide.Vec3{Y: 1}, Radius: 0.5}
	hit, ok := physics.CapsuleCast(capsule, collide.Vec3{X: 1}, 100, systems.Filter{})
	fmt.Println(ok, hit.Distance)
	crate := collide.Box{Half: collide.Vec3{X: 1, Y: 1, Z: 1}}
	hit, ok = physics.ShapeCast(crate, collide.Vec3{X: 1}, 100, systems.Filter{})
	fmt.Println(ok, hit.Distance)
	for hit := range physics.ShapeCastAll(crate, collide.Vec3{X: 1}, 10, systems.Filter{}) {
		fmt.Println("crate at", hit.Distance)
	}
	// Output:
	// true 3.5
	// true 3
	// crate at 3
	// crate at 8
}

func ExamplePhysics_Closest() {
	physics, balls := shapesToFind()
	gap, ok := physics.ClosestPoint(collide.Vec3{}, 100, systems.Filter{})
	fmt.Println(ok, gap.Entity == balls[0].Entity(), gap.Distance)
	crate := collide.Box{Center: collide.Vec3{X: 20}, Half: collide.Vec3{X: 1, Y: 1, Z: 1}}
	gap, _ = physics.Closest(crate, 100, systems.Filter{})
	fmt.Println(gap.Entity == balls[2].Entity(), gap.Distance)
	d, ok := physics.Distance(crate, balls[0].Entity())
	fmt.Println(d, ok)
	// Output:
	// true true 4
	// true 3
	// 13 true
}
