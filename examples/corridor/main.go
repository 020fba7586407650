// Corridor shows sliding: a sphere walks through corners of every kind and a shaft of its own
// radius, and nothing makes it stick, shake or slip through.
package main

import "github.com/dango-physics/dango/examples/internal/stage"

func main() { stage.Run(&view{}) }
