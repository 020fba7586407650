package systems_test

import (
	"fmt"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
	dmath "github.com/yohamta/donburi/features/math"
	"github.com/yohamta/donburi/features/transform"
)

// A ball falls on a floor and bounces.
func Example() {
	world := donburi.NewWorld()
	game := ecs.NewECS(world)
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}})
	physics.AddTo(game)

	floor := world.Entry(world.Create(components.Transform, components.PlaneCollider))
	components.PlaneCollider.SetValue(floor, components.PlaneColliderData{Normal: collide.Vec3{Y: 1}})

	ball := world.Entry(world.Create(components.Transform, components.Velocity, components.SphereCollider,
		components.Material))
	components.Transform.Get(ball).Position = collide.Vec3{Y: 3}
	components.Material.SetValue(ball, components.MaterialData{Restitution: 0.8})

	for range 60 { // a second
		game.Update()
		for hit := range physics.Impacts() {
			fmt.Printf("hits the floor at %.2f m/s\n", hit.Approach)
		}
	}
	fmt.Printf("after a second: %.2f m high\n", components.Transform.Get(ball).Position.Y)
	// Output:
	// hits the floor at 7.00 m/s
	// after a second: 1.70 m high
}

// A flat game: circles and walls in the plane z = 0.
func Example_twoDimensions() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{}) // seen from above, so without gravity

	for _, normal := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} { // four cushions, 2 m from the middle
		wall := world.Entry(world.Create(components.Transform, components.PlaneCollider))
		components.PlaneCollider.SetValue(wall, components.PlaneColliderData{Normal: normal, Distance: -2})
	}
	puck := world.Entry(world.Create(components.Transform, components.Velocity, components.SphereCollider,
		components.Material))
	components.Velocity.SetValue(puck, components.VelocityData{Linear: collide.Vec3{X: 3, Y: 1}})
	components.Material.SetValue(puck, components.MaterialData{Restitution: 1})

	for range 120 {
		physics.Step(world)
	}
	at := components.Transform.Get(puck).Position
	fmt.Printf("x = %.3f, y = %.3f, z = %v\n", at.X, at.Y, at.Z)
	// Output: x = 0.000, y = 1.000, z = 0
}

// A flat game that keeps its positions in Donburi's features/transform.
func ExampleConfig_transform2D() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Transform2D: true})

	ship := world.Entry(world.Create(transform.Transform, components.Transform, components.Velocity,
		components.SphereCollider))
	transform.SetWorldPosition(ship, dmath.NewVec2(100, 50))
	components.Velocity.SetValue(ship, components.VelocityData{Linear: collide.Vec3{X: 60, Y: -30}})

	physics.Step(world) // 1/60 s
	at := transform.WorldPosition(ship)
	fmt.Printf("%.1f %.1f\n", at.X, at.Y)
	// Output: 101.0 49.5
}

// The game asks what the player looks at, excluding players.
func ExamplePhysics_RayCast() {
	world := donburi.NewWorld()
	player := world.Entry(world.Create(components.Transform, components.Velocity, components.SphereCollider))
	target := world.Entry(world.Create(components.Transform, components.SphereCollider))
	components.Transform.Get(target).Position = collide.Vec3{X: 10}

	physics := systems.NewPhysics(systems.Config{})
	physics.Sync(world) // there was no step yet

	hit, ok := physics.RayCast(collide.Vec3{}, collide.Vec3{X: 1}, 100,
		systems.Filter{Except: []donburi.Entity{player.Entity()}})
	fmt.Println(ok, hit.Entity == target.Entity(), hit.Distance, hit.Point)
	// Output: true true 9.5 {9.5 0 0}
}

// Sounds for impacts, through Donburi's events.
func ExampleConfig_publish() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Publish: systems.PublishImpacts})
	systems.ImpactEvent.Subscribe(world, func(w donburi.World, hit systems.Impact) {
		fmt.Printf("clack! %.0f m/s, %.0f N·s, %.3f s into the step\n", hit.Approach, hit.Impulse, hit.Time)
	})

	for x, speed := range []float64{6, 0} {
		ball := world.Entry(world.Create(components.Transform, components.Velocity, components.SphereCollider,
			components.Material))
		components.Transform.Get(ball).Position = collide.Vec3{X: float64(x) * 1.03}
		components.Velocity.Get(ball).Linear = collide.Vec3{X: speed}
		components.Material.SetValue(ball, components.MaterialData{Restitution: 1})
	}
	physics.Step(world)
	systems.ImpactEvent.ProcessEvents(world) // or events.ProcessAllEvents(world)
	// Output: clack! 6 m/s, 6 N·s, 0.005 s into the step
}

// A goal counts the balls that enter it.
func ExamplePhysics_ContactBegins() {
	world := donburi.NewWorld()
	goal := world.Entry(world.Create(components.Transform, components.SphereCollider, components.Sensor))
	puck := world.Entry(world.Create(components.Transform, components.Velocity, components.SphereCollider))
	components.Transform.Get(puck).Position = collide.Vec3{X: -5}
	components.Velocity.Get(puck).Linear = collide.Vec3{X: 10}

	physics := systems.NewPhysics(systems.Config{})
	score := 0
	for range 60 {
		physics.Step(world)
		for c := range physics.ContactBegins() {
			if c.B == goal.Entity() {
				score++
			}
		}
	}
	fmt.Println(score)
	// Output: 1
}

// Invalid values are reported and affect no other entity.
func ExamplePhysics_Errors() {
	world := donburi.NewWorld()
	ball := world.Entry(world.Create(components.Transform, components.SphereCollider))
	components.SphereCollider.Get(ball).Radius = -1

	physics := systems.NewPhysics(systems.Config{})
	physics.Step(world)
	for _, err := range errorsOf(physics) {
		fmt.Println(err)
	}
	// Output: entity 1: SphereCollider.Radius -1 is not positive
}

// One-way platforms, by a system of the game between Broadphase and Response.
// Ghosts go through walls but not through each other, and walls give back more to what is fast.
func ExampleConfig_contactRule() {
	world := donburi.NewWorld()
	ghost := donburi.NewTag()
	isGhost := func(e donburi.Entity) bool { return world.Entry(e).HasComponent(ghost) }
	physics := systems.NewPhysics(systems.Config{
		ContactRule: func(c *systems.RuledContact) {
			c.Ignore = isGhost(c.A) != isGhost(c.B)
			if c.Approach > 5 {
				c.Restitution = 0.9
			}
		},
	})
	components.CreatePlane(world, collide.Vec3{X: 2}, collide.Vec3{X: -1})
	for y, tags := range [][]donburi.IComponentType{{}, {ghost}} {
		ball := components.CreateBall(world, collide.Vec2(0, float64(y)), 0.4, tags...)
		components.Velocity.Get(ball).Linear.X = 6
	}
	for range 60 {
		physics.Step(world)
		for hit := range physics.Impacts() {
			fmt.Printf("a ball bounces at %.1f m/s\n", hit.Approach)
		}
	}
	// Output: a ball bounces at 6.0 m/s
}

func ExamplePhysics_Veto() {
	world := donburi.NewWorld()
	game := ecs.NewECS(world)
	physics := systems.NewPhysics(systems.Config{})

	platform := world.Entry(world.Create(components.Transform, components.PlaneCollider))
	jumper := world.Entry(world.Create(components.Transform, components.Velocity, components.SphereCollider))
	components.PlaneCollider.SetValue(platform, components.PlaneColliderData{
		Normal:   collide.Vec3{Y: 1},
		TwoSided: true,
	})
	components.Transform.Get(jumper).Position = collide.Vec3{Y: -1}
	components.Velocity.Get(jumper).Linear = collide.Vec3{Y: 6}

	game.AddSystem(physics.Broadphase)
	game.AddSystem(func(*ecs.ECS) {
		if components.Velocity.Get(jumper).Linear.Y > 0 {
			physics.Veto(jumper.Entity(), platform.Entity())
		}
	})
	game.AddSystem(physics.Sweep).AddSystem(physics.Response)

	for range 30 {
		game.Update()
	}
	fmt.Printf("%.1f\n", components.Transform.Get(jumper).Position.Y)
	// Output: 2.0
}

// A game loop at full speed: fixed steps, and drawing between them.
func ExamplePhysics_Advance() {
	world := donburi.NewWorld()
	ball := world.Entry(world.Create(components.Transform, components.Velocity, components.SphereCollider))
	components.Velocity.Get(ball).Linear = collide.Vec3{X: 8}

	physics := systems.NewPhysics(systems.Config{StepSeconds: 0.125})
	for range 3 {
		steps := physics.Advance(world, 0.1875) // seconds since the last frame
		at, _ := physics.Interpolated(ball.Entity())
		fmt.Println(steps, physics.Alpha(), at.Position.X)
	}
	// Output:
	// 1 0.5 0.5
	// 2 0 2
	// 1 0.5 3.5
}

// The player of a platform game in pixels, with Ebitengine's axes: Y points down.
func Example_pixels() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: 900}, LengthUnit: 90})
	components.CreateWall2D(world, collide.Vec3{X: 0, Y: 400}, collide.Vec3{X: 640, Y: 400})

	hero := components.CreateBall(world, collide.Vec3{X: 100, Y: 380}, 12, components.Sliding)

	for range 60 {
		physics.Step(world)
	}
	onGround := false
	for c := range physics.Contacts(hero.Entity()) {
		onGround = onGround || c.Normal.Y < -0.7 // steeper is a wall
	}
	fmt.Println(components.Transform.Get(hero).Position, onGround)
	// Output: {100 388 0} true
}

// A ball slides onto a rough floor, rolls at 5/7 of its speed, and is moved by a conveyor belt.
func Example_friction() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}})

	floor := components.CreatePlane(world, collide.Vec3{}, collide.Vec3{Y: 1}, components.Material,
		components.SurfaceVelocity)
	components.Material.Get(floor).Friction = 0.4

	// Without an AngularVelocity it would slide.
	ball := components.CreateBall(world, collide.Vec3{Y: 0.1}, 0.1, components.AngularVelocity)
	components.Velocity.Get(ball).Linear.X = 3.5

	for range 60 {
		physics.Step(world)
	}
	fmt.Printf("rolls at %.3f m/s\n", components.Velocity.Get(ball).Linear.X)

	components.SurfaceVelocity.Get(floor).Linear.X = 6 // the floor becomes a conveyor belt
	for range 120 {
		physics.Step(world)
	}
	// It slides until it rolls relative to the belt: 2/7 of the belt's speed are added.
	fmt.Printf("on the belt: %.3f m/s\n", components.Velocity.Get(ball).Linear.X)
	// Output:
	// rolls at 2.500 m/s
	// on the belt: 4.214 m/s
}

// A lift of two tiles carries a ball up to a ceiling over the left tile. Both tiles stop there.
func Example_kinematicGroup() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}})

	// The leader's velocity moves the group. It needs no collider.
	lift := world.Entry(world.Create(components.Transform, components.Velocity))
	components.Velocity.Get(lift).Linear.Y = 0.5
	for _, x := range []float64{-1, 1} {
		tile := components.CreatePolygon(world, []collide.Vec3{
			{X: -1, Z: 1}, {X: 1, Z: 1}, {X: 1, Z: -1}, {X: -1, Z: -1},
		}, components.KinematicGroup)
		components.Transform.Get(tile).Position.X = x
		components.KinematicGroup.Get(tile).Leader = lift.Entity()
	}
	ball := components.CreateBall(world, collide.Vec3{X: -1, Y: 0.5}, 0.5)
	components.CreatePlane(world, collide.Vec3{Y: 3}, collide.Vec3{Y: -1})

	for range 300 {
		physics.Step(world)
	}
	fmt.Printf("the lift is at %.2f\n", components.Transform.Get(lift).Position.Y)
	for c := range physics.Crushed() {
		fmt.Println("the ball is crushed:", c.Entity == ball.Entity())
	}
	fmt.Println("blocked:", physics.Stats().Blocked)
	// Output:
	// the lift is at 2.00
	// the ball is crushed: true
	// blocked: 1
}

// Three balls fall in a column and come to rest. They sleep until the game removes their support.
func ExamplePhysics_Asleep() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}})
	components.CreatePlane(world, collide.Vec3{}, collide.Vec3{Y: 1})
	var column []*donburi.Entry
	for k := range 3 {
		column = append(column, components.CreateBall(world, collide.Vec3{Y: 0.6 + 1.1*float64(k)}, 0.5))
	}
	for range 180 {
		physics.Step(world)
	}
	top := column[2]
	fmt.Println(physics.Asleep(top.Entity()), components.Velocity.Get(top).Linear)

	world.Remove(column[0].Entity())
	physics.Step(world)
	fmt.Println(physics.Asleep(top.Entity()), components.Velocity.Get(top).Linear.Y < 0)
	// Output:
	// true {0 0 0}
	// false true
}

// Many rays at once: what each of 360 rays around the origin meets.
func ExamplePhysics_OverlapBatch() {
	world := donburi.NewWorld()
	components.CreateBox2D(world, collide.Vec2(10, 0), 1, 5, 0)
	ball := components.CreateBall(world, collide.Vec2(0, 1), 1)
	physics := systems.NewPhysics(systems.Config{})
	physics.Sync(world)

	// Which of these places are free?
	queries := []systems.OverlapQuery{ // kept, like found, from frame to frame
		{Sphere: collide.Sphere{Center: collide.Vec2(0, 0), Radius: 0.5}},
		{Sphere: collide.Sphere{Center: collide.Vec2(5, 0), Radius: 0.5}},
		{Shape: collide.NewBox2D(collide.Vec2(8, 0), 2, 1, 0)},
	}
	var found []systems.Overlap
	found = physics.OverlapBatch(queries, systems.Filter{}, found)
	for _, o := range found {
		fmt.Println("place", o.Query, "isn't free; the ball is there:", o.Entity == ball.Entity())
	}
	// Output:
	// place 0 isn't free; the ball is there: true
	// place 2 isn't free; the ball is there: false
}

func ExamplePhysics_CastBatch() {
	world := donburi.NewWorld()
	components.CreateBox2D(world, collide.Vec2(10, 0), 1, 5, 0)
	physics := systems.NewPhysics(systems.Config{})
	physics.Sync(world)

	casts := make([]systems.CastQuery, 360) // kept, like hits, from frame to frame
	for i := range casts {
		casts[i].Direction = collide.Polar2D(1, float64(i)*math.Pi/180)
		casts[i].Distance = 100
	}
	var hits []systems.CastHit
	hits = physics.CastBatch(casts, systems.Filter{}, hits)
	seen := 0
	for _, hit := range hits {
		if hit.Entity != donburi.Null {
			seen++
		}
	}
	fmt.Println("the ray ahead:", hits[0].Distance, "m; rays that hit:", seen)
	// Output: the ray ahead: 9 m; rays that hit: 59
}

// The player turns the room, and the balls in it fall to what is below then.
func ExamplePhysics_SetGravity() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec2(0, 9.81)}) // Y points down
	for _, normal := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		components.CreatePlane(world, normal.Scale(-2), normal)
	}
	ball := components.CreateCircle2D(world, collide.Vec2(0, 0), 0.5)
	for _, turn := range []float64{0, -math.Pi / 2, math.Pi} {
		gravity := collide.Rotation2D(turn).Rotate(collide.Vec2(0, 9.81))
		if err := physics.SetGravity(gravity); err != nil {
			fmt.Println(err)
		}
		for range 240 {
			physics.Step(world)
		}
		at := components.Transform.Get(ball).Position
		fmt.Printf("at %.1f, %.1f, asleep: %v\n", at.X, at.Y, physics.Asleep(ball.Entity()))
	}
	fmt.Println(physics.SetGravity(collide.Vec2(0, math.NaN())))
	// Output:
	// at 0.0, 1.5, asleep: true
	// at 1.5, 1.5, asleep: true
	// at 1.5, -1.5, asleep: true
	// Physics.Gravity {0 NaN 0} is not finite, or is beyond 1e9
}

// A switch that turns gravity round.
func ExamplePhysics_Gravity() {
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}})
	if err := physics.SetGravity(physics.Gravity().Neg()); err != nil {
		fmt.Println(err)
	}
	fmt.Println(physics.Gravity().Y)
	// Output: 9.81
}
