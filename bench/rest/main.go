// Rest runs scenes that come to rest and checks every frame: the deepest overlap, the speed of the
// fastest sphere after a while, how far any sphere moves in the ten seconds after that, and what a
// step costs with and without sleep.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime/pprof"
	"strings"
)

const usage = `Usage: go run ./bench/rest [flags] SCENE...

Runs each SCENE and prints a table of the results in Markdown. A SCENE is a file in the format of
bench/internal/scene, or pile, heap or rain with a number of spheres, such as heap:1000. A coefficient
of friction may follow, as in heap:1000/0. "all" stands for all scenes that have to come to rest:

  ` + everything + `

Ends with status 1 if a scene fails a check, and with 2 if one can't be run.
`

// everything lists the scenes that have to come to rest.
const everything = "pile:1000 pile:10000 heap:1000 heap:10000 heap:10000/0.1 rain:1000 heap:1000/0 heap:10000/0"

func main() {
	var o options
	flag.IntVar(&o.workers, "workers", 1, "how many workers; the results are the same for any `number`")
	flag.Float64Var(&o.friction, "friction", -1, "`coefficient` of friction; -1 for that of the scenes")
	flag.Float64Var(&o.seconds, "seconds", 0, "`seconds` in which a scene has to come to rest; 0 for the default: "+
		"10, for a heap 20, without friction 30")
	flag.Float64Var(&o.more, "more", 10, "`seconds` after that in which nothing may move")
	flag.StringVar(&o.sleeping, "sleeping", "both", "`mode`: on, off, or both, one after the other")
	flag.BoolVar(&o.verbose, "v", false, "print the progress each second of simulated time")
	profile := flag.String("cpuprofile", "", "write a CPU profile to `file`")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage, "\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	var specs []string
	for _, spec := range flag.Args() {
		if spec == "all" {
			specs = append(specs, strings.Fields(everything)...)
		} else {
			specs = append(specs, spec)
		}
	}
	if len(specs) == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := o.check(); err != nil {
		fmt.Fprintln(os.Stderr, "rest:", err)
		os.Exit(2)
	}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "rest:", err)
			os.Exit(2)
		}
	}
	kept := true
	fmt.Println(header)
	for _, spec := range specs {
		r, err := o.run(spec)
		if err != nil {
			fmt.Fprintln(os.Stderr, "rest:", err)
			os.Exit(2)
		}
		fmt.Println(r.row())
		for _, wrong := range r.wrong() {
			kept = false
			fmt.Fprintf(os.Stderr, "rest: %s: %s\n", spec, wrong)
		}
	}
	if *profile != "" {
		pprof.StopCPUProfile()
	}
	if !kept {
		os.Exit(1)
	}
}
