//go:build !js

package main

import (
	"embed"
	"io/fs"

	"github.com/dango-physics/dango/examples/internal/stage"
)

// pictures are made by docs/pictures/make.
//
//go:embed pictures/*.png
var pictures embed.FS

func init() { stage.Pictures, _ = fs.Sub(pictures, "pictures") }
