package tiled_test

import (
	"fmt"
	"os"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/levels/tiled"
	"github.com/yohamta/donburi"
)

func ExampleLoad() {
	level, err := tiled.Load(os.DirFS("testdata"), "small.tmx", levels.Options{
		Unit: 16, YUp: true, // a tile is 1 m wide
		Materials: map[string]components.MaterialData{"rubber": {Restitution: 0.8, Friction: 1}},
	})
	if err != nil {
		panic(err)
	}
	world := donburi.NewWorld()
	level.Create(world)
	start, err := level.Find("start")
	if err != nil {
		panic(err)
	}
	fmt.Println(level.Bounds.Min, start.Position)
	// Output: {0 -6 0} {1.5 -4.5 0}
}

// A game that draws the map needs it, too.
func ExampleFromMap() {
	m, err := tiled.LoadMap(os.DirFS("testdata"), "small.tmx")
	if err != nil {
		panic(err)
	}
	level, err := tiled.FromMap(m, levels.Options{
		Origin: collide.Vec2(1000, 0), Materials: map[string]components.MaterialData{"rubber": {}},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Layers[1].Tiles[59].ID, level.Bounds.Min)
	// Output: 0 {1000 0 0}
}
