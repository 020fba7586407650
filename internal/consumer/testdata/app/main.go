// App is a game as somebody outside of this repository would start one: it drops a ball on a floor.
package main

import (
	"fmt"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

func main() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}})

	world.Create(components.Transform, components.PlaneCollider) // a floor at y = 0

	ball := world.Entry(world.Create(components.Transform, components.Velocity, components.SphereCollider))
	components.Transform.Get(ball).Position = collide.Vec3{Y: 3}

	for range 60 {
		physics.Step(world)
	}
	position := components.Transform.Get(ball).Position
	fmt.Printf("after a second the ball is at x = %.2f, y = %.2f, z = %.2f\n", position.X, position.Y, position.Z)
}
