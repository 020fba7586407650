// Cradle shows impacts that come at the same time: Newton's cradle, touching and with gaps, a ball
// into a corner, and two balls dropped on top of each other.
package main

import "github.com/dango-physics/dango/examples/internal/stage"

func main() { stage.Run(&view{}) }
