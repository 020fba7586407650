// Sizes runs benchmark scenes by name and size. It prints the time of a step, how stages share it,
// the memory, and whether the run was exact:
//
//	go run ./bench/sizes gas:1000 gas:10000 level
//	go run ./bench/sizes all
//
// It ends with status 1 if a run was not exact.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"strings"
	"text/tabwriter"

	"github.com/dango-physics/dango/bench/internal/measure"
	"github.com/dango-physics/dango/bench/internal/scene"
)

func main() {
	var o measure.Options
	flag.IntVar(&o.Workers, "workers", 0, "how many workers; 0 for as many as there are processors. The results "+
		"are the same for any `number`")
	flag.IntVar(&o.Steps, "steps", 0, "`number` of steps to measure; 0 for about two seconds of them")
	flag.IntVar(&o.Warm, "warm", 0, "`number` of warm-up steps before those; 0 for the default")
	asJSON := flag.Bool("json", false, "print one line of JSON for each scene, with all measurements")
	profile := flag.String("cpuprofile", "", "write a CPU profile to `file`")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "Usage: go run ./bench/sizes [flags] all | SCENE[:SIZE]...\n\nThe "+
			"scenes: %s.\n\n",
			strings.Join(scene.Names(), ", "))
		flag.PrintDefaults()
	}
	flag.Parse()
	specs := flag.Args()
	if len(specs) == 1 && specs[0] == "all" {
		specs = scene.Names()
	}
	if len(specs) == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "sizes:", err)
			os.Exit(1)
		}
	}
	err := run(os.Stdout, specs, o, *asJSON)
	pprof.StopCPUProfile()
	if err != nil {
		fmt.Fprintln(os.Stderr, "sizes:", err)
		os.Exit(1)
	}
}

// run runs all scenes, prints a line for each as it ends, and returns the first error.
func run(out io.Writer, specs []string, o measure.Options, asJSON bool) error {
	var first error
	table := tabwriter.NewWriter(out, 10, 0, 2, ' ', tabwriter.AlignRight)
	if !asJSON {
		fmt.Fprintln(
			table,
			"scene\tms a step\timpacts\tns an impact\tns a thing\ttests\t"+
				"gather\tbroadphase\tsweep\tresponse\tscatter\tbytes\t"+
				"entities'\tallocations\tenergy-1\toverlap\tescaped\t",
		)
		table.Flush()
	}
	for _, spec := range specs {
		r, err := measure.Run(spec, o)
		if err == nil {
			err = r.Exact()
		} else if r.Steps == 0 {
			return err
		}
		if first == nil {
			first = err
		}
		if asJSON {
			if err := json.NewEncoder(out).Encode(r); err != nil {
				return err
			}
			continue
		}
		impact := "-" // too few impacts for a figure
		if r.Impacts >= 1 {
			impact = fmt.Sprintf("%.0f", r.NsPerImpact)
		}
		energy := "-"
		if r.Elastic {
			energy = fmt.Sprintf("%.1e", r.EnergyRatio-1)
		}
		fmt.Fprintf(
			table,
			"%s\t%.4g\t%.0f\t%s\t%.0f\t%.0f\t"+
				"%.3g\t%.3g\t%.3g\t%.3g\t%.3g\t%.0f\t%.0f\t%.3g\t%s\t%.1e\t%d\t\n",
			spec, r.Millis, r.Impacts, impact, r.NsPerThing(), r.Tests,
			r.Stages.Gather, r.Stages.Broadphase, r.Stages.Sweep, r.Stages.Response, r.Stages.Scatter,
			r.DangoBytes, r.EntityBytes, r.Allocations, energy, r.Overlap, r.Escaped,
		)
		table.Flush()
	}
	return first
}
