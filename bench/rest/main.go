// Rest runs scenes that come to rest, looks at every frame of them, and says whether rest is rest: how deep anything was in anything else,
// how fast the fastest sphere still is after a while, how far any sphere strays in the ten seconds that follow, and what a step costs, with and without sleeping.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime/pprof"
	"strings"
)

const usage = `Usage: go run ./bench/rest [flags] SCENE...

Runs each SCENE and prints a table in Markdown of what became of it. A SCENE is a file in the format of bench/internal/scene, or one of pile, heap and rain with
a number of spheres, such as heap:1000; a friction of its own may follow, as in heap:1000/0. The word all stands for all that has to come to rest:

  ` + everything + `

Ends with status 1 where a scene doesn't keep what it must, and with 2 where one can't be run.
`

// everything is what has to come to rest.
const everything = "pile:1000 pile:10000 heap:1000 heap:10000 rain:1000 heap:1000/0 heap:10000/0"

func main() {
	var o options
	flag.IntVar(&o.workers, "workers", 1, "how many workers; the results are the same for any `number`")
	flag.Float64Var(&o.friction, "friction", -1, "`coefficient` of friction, instead of the scenes' own; -1 for those")
	flag.Float64Var(&o.seconds, "seconds", 0, "`seconds` in which a scene has to come to rest; 0 for what it is given: 10, a heap of 10,000 20, one without friction 30")
	flag.Float64Var(&o.more, "more", 10, "`seconds` after those in which nothing may stir")
	flag.StringVar(&o.sleeping, "sleeping", "both", "`both`, or on or off alone")
	flag.BoolVar(&o.verbose, "v", false, "say each second how it goes")
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
