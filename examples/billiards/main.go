// Billiards shows bouncing, friction and spin: fifteen balls that slide and roll on a cloth,
// cushions that are planes, pockets that are sensors, and a cue ball whose path is foretold by
// sphere casts.
package main

import (
	"flag"

	"github.com/dango-physics/dango/examples/internal/stage"
)

func main() {
	seed := flag.Uint64("seed", 97, "seed of the rack and of unattended play")
	stage.Run(&view{seed: seed})
}
