// Corridor shows sliding: a sphere slides through corners of every kind and a shaft of its own
// radius without sticking, jittering or tunnelling.
package main

import "github.com/dango-physics/dango/examples/internal/stage"

func main() { stage.Run(&view{}) }
