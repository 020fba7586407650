package ldtk_test

import (
	"fmt"
	"os"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/levels/ldtk"
)

func ExampleLoad() {
	level, err := ldtk.Load(os.DirFS("testdata"), "small.ldtk", ldtk.Options{
		Options: levels.Options{Unit: 8, YUp: true},
		Tiles: map[string]ldtk.Tile{
			"water": {Kind: levels.Trigger},
			"slope": {Kind: levels.Solid, Outline: []collide.Vec3{{Y: 1}, {X: 1}, {X: 1, Y: 1}}},
		},
	})
	if err != nil {
		panic(err)
	}
	for o := range level.OfClass("water") {
		fmt.Println(o.Layer, o.Kind, o.Position, o.Size)
	}
	// Output: First/Ground trigger {2.5 -3.5 0} {1 1 0}
}
