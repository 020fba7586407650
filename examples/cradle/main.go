// Cradle shows simultaneous impacts: Newton's cradle with and without gaps, a ball that hits a
// corner, and two balls dropped one above the other.
package main

import "github.com/dango-physics/dango/examples/internal/stage"

func main() { stage.Run(&view{}) }
