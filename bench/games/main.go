// Games measures a step of scenes that games have, one after the other: heaps that lie, fall, are
// carried, pushed and walked on.
//
//	go run ./bench/games                    # all of them, 500 bodies each
//	go run ./bench/games -n 1000 lift push  # two of them
//
// It prints the median and the 95th percentile of the time of a step in milliseconds, with one
// worker, and what happened in an average step. It ends with status 1 if physics reported an error.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
	"time"
)

func main() {
	n := flag.Int("n", 500, "`number` of bodies of a scene")
	steps := flag.Int("steps", 120, "`number` of steps to measure")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), "Usage: go run ./bench/games [flags] [SCENE...]\n\nThe scenes:\n\n")
		for _, k := range kinds {
			fmt.Fprintf(flag.CommandLine.Output(), "  %-18s %s\n", k.name, k.text)
		}
		fmt.Fprintln(flag.CommandLine.Output())
		flag.PrintDefaults()
	}
	flag.Parse()
	if *n < 1 || *steps < 1 {
		fmt.Fprintln(os.Stderr, "games: -n and -steps have to be 1 or more")
		os.Exit(2)
	}
	if err := run(os.Stdout, *n, *steps, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "games:", err)
		os.Exit(1)
	}
}

// run measures the scenes of these names, or all, and returns the first error of physics.
func run(out io.Writer, n, steps int, names []string) error {
	for _, name := range names {
		if !slices.ContainsFunc(kinds, func(k kind) bool { return k.name == name }) {
			return fmt.Errorf("there is no scene %q; -h lists them", name)
		}
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "scene\tms\t95 %\tlongest\timpacts\tjammed\tblocked\t")
	for _, k := range kinds {
		if len(names) > 0 && !slices.Contains(names, k.name) {
			continue
		}
		m, err := measure(k.new(n), steps)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		fmt.Fprintf(table, "%s\t%.3g\t%.3g\t%.3g\t%.3g\t%.3g\t%.3g\t\n", k.name,
			m.median, m.high, m.longest, m.impacts, m.jammed, m.blocked)
	}
	return table.Flush()
}

// result is what was measured in the steps of a scene.
type result struct {
	median, high, longest    float64 // of the time of a step, ms; high is the 95th percentile
	impacts, jammed, blocked float64 // in an average step
}

// measure steps a scene.
func measure(s *scene, steps int) (m result, err error) {
	for range s.warm {
		s.physics.Step(s.world)
	}
	times := make([]float64, steps)
	for i := range times {
		if s.tick != nil {
			s.tick(float64(i) / 60)
		}
		start := time.Now()
		s.physics.Step(s.world)
		times[i] = time.Since(start).Seconds() * 1e3
		for e := range s.physics.Errors() {
			return m, fmt.Errorf("step %d: %w", i, e)
		}
		stats := s.physics.Stats()
		m.impacts += float64(stats.Impacts) / float64(steps)
		m.jammed += float64(stats.Jammed) / float64(steps)
		m.blocked += float64(stats.Blocked) / float64(steps)
	}
	slices.Sort(times)
	m.median, m.high, m.longest = times[steps/2], times[steps*95/100], times[steps-1]
	return m, nil
}
