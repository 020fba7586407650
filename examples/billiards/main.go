// Billiards shows bouncing, friction and spin: fifteen balls that slide and roll on a cloth,
// cushions that are planes, pockets that are sensors, and sphere casts that predict the path of the
// cue ball.
package main

import (
	"flag"

	"github.com/dango-physics/dango/examples/internal/stage"
)

func main() {
	seed := flag.Uint64("seed", 97, "seed of the rack and of unattended play")
	stage.Run(&view{seed: seed})
}
