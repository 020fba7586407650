package levels_test

import (
	"fmt"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A level, as a reader of files makes it.
func level() *levels.Level {
	return &levels.Level{
		Bounds: collide.AABB{Max: collide.Vec2(100, 100)},
		Objects: []levels.ObjectData{
			{
				Name: "floor", Kind: levels.Solid, Position: collide.Vec2(50, 95),
				Shape: collide.NewBox2D(collide.Vec3{}, 50, 5, 0), Material: components.MaterialData{Friction: 0.5},
			},
			{
				Name: "coin", Class: "coin", Kind: levels.Trigger, Position: collide.Vec2(50, 80),
				Shape: collide.Sphere{Radius: 4}, Properties: levels.Properties{
					"worth": 5.0, "shiny": true,
					"sound": "ding",
				},
			},
			{Name: "start", Class: "spawn", Position: collide.Vec2(50, 20)},
		},
	}
}

func ExampleLevel_Create() {
	l := level()
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec2(0, 100), LengthUnit: 20})
	entries := l.Create(world)
	fmt.Println("the start is no collider:", entries[2] == nil)

	start, err := l.Find("start")
	if err != nil {
		panic(err)
	}
	components.CreateCircle2D(world, start.Position, 4)
	for range 120 {
		physics.Step(world)
		for c := range physics.ContactBegins() {
			if other := world.Entry(c.B); c.Sensor && other.HasComponent(levels.Object) {
				o := levels.Object.Get(other)
				fmt.Println("picked up a", o.Class, "worth", o.Properties.Number("worth", 1))
				world.Remove(c.B)
			}
		}
	}
	// Output:
	// the start is no collider: true
	// picked up a coin worth 5
}

func ExampleObjectData_Create() {
	l := level()
	world := donburi.NewWorld()
	floor, err := l.Find("floor")
	if err != nil {
		panic(err)
	}
	floor.Kinematic = true // this one moves
	e := floor.Create(world)
	components.Velocity.Get(e).Linear = collide.Vec2(0, -10)
	fmt.Println(levels.Object.Get(e).Name, components.Material.Get(e).Friction)
	// Output: floor 0.5
}

func ExampleLevel_Find() {
	_, err := level().Find("finish")
	fmt.Println(err)
	// Output: levels: there is no object "finish"; there are ["floor" "coin" "start"]
}

func ExampleLevel_OfClass() {
	for o := range level().OfClass("coin") {
		fmt.Println(o.Position, o.Kind)
	}
	// Output: {50 80 0} trigger
}

func ExampleProperties() {
	coin, err := level().Find("coin")
	if err != nil {
		panic(err)
	}
	p := coin.Properties
	fmt.Println(p.Number("worth", 1), p.Bool("shiny"), p.Text("sound"), p.Number("weight", 0.1))
	// Output: 5 true ding 0.1
}

func ExampleOptions_Validate() {
	fmt.Println(levels.Options{Unit: -16}.Validate())
	// Output: levels: Options.Unit -16 is not positive, or above 1e9
}
