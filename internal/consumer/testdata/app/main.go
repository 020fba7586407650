package main

import (
	"fmt"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

func main() {
	world := donburi.NewWorld()
	game := ecs.NewECS(world)
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}})
	physics.AddTo(game) // Broadphase, Sweep, Response, in that order

	floor := world.Entry(world.Create(components.Transform, components.PlaneCollider))
	components.PlaneCollider.SetValue(floor, components.PlaneColliderData{Normal: collide.Vec3{Y: 1}})

	ball := world.Entry(world.Create(components.Transform, components.Velocity, components.SphereCollider, components.Material))
	components.Transform.Get(ball).Position = collide.Vec3{Y: 3}
	components.Material.SetValue(ball, components.MaterialData{Restitution: 0.8})

	for tick := range 120 { // two seconds; in a game, Ebitengine's Update calls game.Update once a tick
		game.Update()
		for hit := range physics.Impacts() {
			fmt.Printf("tick %d: hits the floor %.4f s into the step, at %.3f m/s\n", tick, hit.Time, hit.Approach)
		}
	}
}
