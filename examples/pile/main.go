// Pile shows many simultaneous contacts: thousands of balls are poured into a bin, stirred, tilted
// and shaken.
package main

import (
	"flag"

	"github.com/dango-physics/dango/examples/internal/stage"
)

func main() {
	seed := flag.Uint64("seed", 4, "seed of the balls' sizes and colours")
	stage.Run(&view{seed: seed})
}
