package debugdraw_test

import (
	"fmt"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/debugdraw"
	"github.com/dango-physics/dango/systems"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// One line adds it to a game of Donburi's ecs.
func ExampleNew() {
	game := ecs.NewECS(donburi.NewWorld())
	physics := systems.NewPhysics(systems.Config{}).AddTo(game)
	game.AddRenderer(ecs.LayerDefault, debugdraw.New(physics).Draw)
}

// A game without an ecs.ECS calls DrawWorld at the end of its Draw.
func ExampleDrawer_DrawWorld() {
	world := donburi.NewWorld()
	debug := debugdraw.New(systems.NewPhysics(systems.Config{}))
	debug.Show = debugdraw.Shapes | debugdraw.Paths
	draw := func(screen *ebiten.Image) { debug.DrawWorld(world, screen) }
	_ = draw
}

// A world in metres with Y up, of which 50 pixels show a metre.
func ExampleDrawer_Draw() {
	game := ecs.NewECS(donburi.NewWorld())
	debug := debugdraw.New(systems.NewPhysics(systems.Config{}).AddTo(game))
	debug.GeoM.Scale(50, -50)
	debug.GeoM.Translate(320, 400)
	game.AddRenderer(ecs.LayerDefault, debug.Draw)
}

// A world in three dimensions.
func ExampleNewCamera() {
	debug := debugdraw.New(systems.NewPhysics(systems.Config{}))
	debug.Camera = debugdraw.NewCamera(collide.Vec3{X: 3, Y: 4, Z: 10}, collide.Vec3{Y: 1})
}

func ExampleCamera_Project() {
	camera := debugdraw.NewCamera(collide.Vec3{Z: 10}, collide.Vec3{})
	x, y, _, ok := camera.Project(collide.Vec3{}, 640, 480)
	fmt.Println(x, y, ok)
	// Output: 320 240 true
}

// Which ball is under the mouse?
func ExampleCamera_Ray() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{})
	ball := components.CreateBall(world, collide.Vec3{X: 1}, 0.5)
	physics.Step(world)

	camera := debugdraw.NewCamera(collide.Vec3{Z: 10}, collide.Vec3{})
	mouseX, mouseY := 364.0, 240.0
	hit, ok := physics.RayCast(camera.Eye, camera.Ray(mouseX, mouseY, 640, 480), 100, systems.Filter{})
	fmt.Println(ok && hit.Entity == ball.Entity())
	// Output: true
}
