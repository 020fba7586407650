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
	physics.AddTo(game) // adds the systems Broadphase, Sweep and Response

	components.CreatePlane(world, collide.Vec3{}, collide.Vec3{Y: 1}) // a floor through 0 with normal +Y
	ball := components.CreateBall(world, collide.Vec3{Y: 3}, 0.5)     // 3 m high, radius 0.5 m
	components.Material.Get(ball).Restitution = 0.8

	for tick := range 120 { // two seconds; a game calls game.Update in Ebitengine's Update
		game.Update()
		for hit := range physics.Impacts() {
			fmt.Printf("tick %d: hits the floor %.4f s into the step, at %.3f m/s\n", tick, hit.Time, hit.Approach)
		}
	}
}
