package gltf_test

import (
	"bytes"
	"fmt"
	"testing/fstest"

	"github.com/dango-physics/dango/levels/gltf"
	format "github.com/qmuntal/gltf"
)

// A game uses os.DirFS or an embed.FS instead of a file system in memory.
func ExampleLoad() {
	var file bytes.Buffer
	if err := format.NewEncoder(&file).Encode(scene()); err != nil {
		panic(err)
	}
	level, err := gltf.Load(fstest.MapFS{"level.glb": {Data: file.Bytes()}}, "level.glb", gltf.Options{
		Weld:  0.0001, // vertices at most a tenth of a millimetre apart are one
		Merge: true,
	})
	if err != nil {
		panic(err)
	}
	for o := range level.OfClass("goal") {
		fmt.Println(o.Name, o.Kind, o.Position, o.Size)
	}
	// Output: goal trigger {8 1 0} {2 2 2}
}

func ExampleFromDocument() {
	level, err := gltf.FromDocument(scene(), gltf.Options{})
	if err != nil {
		panic(err)
	}
	start, err := level.Find("start")
	if err != nil {
		panic(err)
	}
	fmt.Println(start.Position, start.Kind)
	// Output: {-8 2 0} none
}
