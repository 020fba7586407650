// Sweeps compares the sweeps and casts of package collide with a slow oracle and with 1200-bit
// arithmetic, in a million random scenes each.
//
//	go run ./bench/sweeps                      # all, about an hour
//	go run ./bench/sweeps -n 10000 -seed 3     # fewer scenes, others
//	go run ./bench/sweeps -only SweepMesh
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/dango-physics/dango/bench/internal/sweeps"
)

func main() {
	n := flag.Int("n", 1_000_000, "scenes of each sweep")
	seed := flag.Uint64("seed", 1, "seed of the scenes")
	only := flag.String("only", "", "only sweeps whose name is this, or contains it if none has that name")
	flag.Parse()
	fmt.Printf("%-28s %9s %8s %8s %8s %8s %8s %9s %9s %6s %6s\n", "sweep", "scenes", "hits", "misses", "overlaps",
		"unsure", "behind", "gap", "oracle", "failed", "s")
	failed, exact := 0, slices.Contains(sweeps.Names(), *only)
	for _, name := range sweeps.Names() {
		if exact && name != *only || !strings.Contains(name, *only) {
			continue
		}
		start := time.Now()
		c := sweeps.Run(name, *n, *seed)
		fmt.Printf("%-28s %9d %8d %8d %8d %8d %8d %9.1e %9.1e %6d %6.0f\n", c.Name, c.Cases, c.Hits, c.Misses,
			c.Overlaps, c.Unsure, c.Behind, c.WorstGap, c.WorstTime, c.Failed, time.Since(start).Seconds())
		if c.First != "" {
			fmt.Println(c.First)
		}
		failed += c.Failed
	}
	if failed > 0 {
		os.Exit(1)
	}
}
