// Search runs random scenes through the public API, checks every step of them, and shrinks what
// fails. See the README of directory bench.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dango-physics/dango/bench/internal/search"
)

const usage = `Usage: go run ./bench/search [flags]

Runs random scenes until the time is over, and checks every step: overlap, tunnelling, energy, momentum,
reports of impacts and contacts, errors, twin worlds, an independent engine. Prints how many steps of each
kind it has run, and which limits of docs/limits.md it met. Names each failing scene; for each check it
shrinks the first one, prints it as a Go test, and writes a file for -replay.

Ends with status 1 if there was a failure that is not a documented limit.

`

// options are the flags.
type options struct {
	seed     uint64
	duration time.Duration
	kinds    []string
	shrink   time.Duration
	replay   string
	dir      string
	workers  int
	scenes   int
	verbose  bool
	ignore   []string
}

func main() {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "`seed` of the random scenes; equal seeds give equal scenes in the same order")
	flag.DurationVar(&o.duration, "duration", 2*time.Minute, "how long to search")
	kinds := flag.String("kinds", "all", "`kinds` of scenes, separated by commas: "+
		strings.Join(search.Kinds(), " ")+", and slow ones: "+strings.Join(search.SlowKinds(), " "))
	flag.DurationVar(&o.shrink, "shrink", 10*time.Second, "how long to shrink a failure; 0 for not at all")
	flag.StringVar(&o.replay, "replay", "", "run the scene in `file`, or kind:seed, and print its failures")
	flag.BoolVar(&o.verbose, "v", false, "with -replay, print each step, and the scene as a Go test")
	ignore := flag.String("ignore", "", "`checks`, separated by commas, whose failures are counted only")
	flag.StringVar(&o.dir, "dir", os.TempDir(), "`directory` for files of failing scenes")
	flag.IntVar(&o.workers, "workers", 1, "how many processes search at the same time; number k has the seed + k")
	flag.IntVar(&o.scenes, "scenes", 0, "stop after that many scenes; 0 for no limit")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
	}
	flag.Parse()
	o.kinds = search.Kinds()
	if *kinds != "all" {
		for _, k := range strings.Split(*kinds, ",") {
			if !slices.Contains(slices.Concat(o.kinds, search.SlowKinds()), k) {
				fmt.Fprintf(os.Stderr, "search: there is no kind %q\n", k)
				os.Exit(2)
			}
		}
		o.kinds = strings.Split(*kinds, ",")
	}
	o.ignore = strings.Split(*ignore, ",")
	if flag.NArg() > 0 || o.workers < 1 || o.duration <= 0 {
		flag.Usage()
		os.Exit(2)
	}
	ok, err := o.run(os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "search:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run does what the flags say. It reports false if something failed.
func (o *options) run(out io.Writer) (bool, error) {
	switch {
	case o.replay != "":
		s, err := load(o.replay)
		if err != nil {
			return false, err
		}
		if o.verbose {
			search.Print(out, s, search.Run(s, o.ignore...).Steps)
			fmt.Fprint(out, s.Test("Found"))
		}
		return replay(out, s, o.ignore...), nil
	case o.workers > 1:
		return o.processes(out)
	default:
		return o.search(out)
	}
}

// load returns the scene of a file, or of a kind and a seed.
func load(name string) (*search.Scene, error) {
	kind, number, ok := strings.Cut(name, ":")
	known := slices.Contains(slices.Concat(search.Kinds(), search.SlowKinds()), kind)
	if seed, err := strconv.ParseUint(number, 10, 64); ok && err == nil && known {
		return search.New(kind, seed), nil
	}
	return search.Load(name)
}

// replay runs a scene and prints its failures.
func replay(out io.Writer, s *search.Scene, ignored ...string) bool {
	r := search.Run(s, ignored...)
	for k, f := range r.Found {
		if k < 5 || k >= len(r.Found)-5 {
			fmt.Fprintf(out, "step %d: %s\n", f.Step, f.Failure)
		} else if k == 5 {
			fmt.Fprintf(out, "%d more\n", len(r.Found)-10)
		}
	}
	fmt.Fprintf(out, "%d steps, %d impacts, %d failures\n", r.Steps, r.Impacts, len(r.Found))
	_, bad := r.Unlimited(ignored...)
	return !bad
}

// processes runs several searches. Donburi keeps package-level state, so they can't be goroutines.
func (o *options) processes(out io.Writer) (bool, error) {
	program, err := os.Executable()
	if err != nil {
		return false, err
	}
	outputs, errs := make([]strings.Builder, o.workers), make([]error, o.workers)
	var wait sync.WaitGroup
	for k := range o.workers {
		c := exec.Command(program, "-seed", fmt.Sprint(o.seed+uint64(k)), "-duration", o.duration.String(),
			"-kinds", strings.Join(o.kinds, ","), "-shrink", o.shrink.String(), "-dir", o.dir,
			"-scenes", fmt.Sprint(o.scenes),
			"-ignore", strings.Join(o.ignore, ","))
		c.Stdout, c.Stderr = &outputs[k], &outputs[k]
		wait.Go(func() { errs[k] = c.Run() })
	}
	wait.Wait()
	ok := true
	for k := range outputs {
		fmt.Fprintf(out, "== seed %d\n%s", o.seed+uint64(k), outputs[k].String())
		var exit *exec.ExitError
		switch {
		case errors.As(errs[k], &exit) && exit.ExitCode() == 1:
			ok = false
		case errs[k] != nil:
			return false, fmt.Errorf("process %d: %w", k, errs[k])
		}
	}
	return ok, nil
}

// tally counts what happened in the scenes of a kind.
type tally struct {
	scenes, steps, impacts, compared, failed int
	spent                                    time.Duration
}

// longest is how much processor time a scene may take, some hundred times as much as the slowest
// ones do. A step without end takes all memory within minutes, so the search ends there.
const longest = time.Minute

// watch calls tooLong once the process has used processor time of that length. stop ends it, and
// waits until it has.
func watch(length time.Duration, tooLong func()) (stop func()) {
	end := processorTime() + length
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			left := end - processorTime()
			if left <= 0 {
				tooLong()
				return
			}
			select {
			case <-done:
				return
			case <-time.After(max(left/8, time.Millisecond)): // a process may run on several processors
			}
		}
	}()
	return func() { close(done); <-ended }
}

// search is a search in this process.
func (o *options) search(out io.Writer) (bool, error) {
	counts := map[string]*tally{}
	limits, ignored, checks := map[string]int{}, map[string]int{}, map[string]int{}
	for _, k := range o.kinds {
		counts[k] = &tally{}
	}
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return false, err
	}
	shown := map[string]bool{}
	turns := search.Turns(o.kinds)
	end := time.Now().Add(o.duration)
	for n := 0; time.Now().Before(end) && (o.scenes == 0 || n < o.scenes); n++ {
		kind := turns[n%len(turns)]
		s := search.New(kind, search.Seeded(o.seed, n))
		begun := time.Now()
		stop := watch(longest, func() {
			fmt.Fprintf(out, "FAILED: %s:%d takes more than %v of processor time\n", kind, s.Seed, longest)
			checks["time in "+kind]++
			report(out, o.kinds, counts, limits, ignored, checks)
			os.Exit(1)
		})
		r := search.Run(s, o.ignore...)
		stop()
		c := counts[kind]
		c.spent += time.Since(begun)
		c.scenes++
		c.steps += r.Steps
		c.impacts += r.Impacts
		c.compared += r.Compared
		for _, f := range r.Found {
			if f.Limit != "" {
				limits[f.Limit]++
			}
		}
		for _, f := range r.Found {
			if f.Limit == "" && slices.Contains(o.ignore, f.Check) {
				ignored[f.Check]++
			}
		}
		f, bad := r.Unlimited(o.ignore...)
		if !bad {
			continue
		}
		c.failed++
		checks[f.Check+" in "+kind]++
		fmt.Fprintf(out, "FAILED: %s:%d, step %d: %s\n", kind, s.Seed, f.Step, f.Failure)
		if shown[f.Check] {
			continue
		}
		shown[f.Check] = true
		if o.shrink > 0 {
			begun := time.Now()
			s = search.Shrink(s, f.Check, o.shrink, o.ignore...)
			end = end.Add(time.Since(begun)) // shrinking is no searching
		}
		name := strings.ReplaceAll(f.Check, " ", "-") + "-" + kind
		file := filepath.Join(o.dir, fmt.Sprintf("%s-%d.json", name, s.Seed))
		if err := s.Save(file); err != nil {
			return false, err
		}
		fmt.Fprintf(out, "shrunk to %d things and %d steps; go run ./bench/search -replay %s\n",
			len(s.Things), s.Steps, file)
		replay(out, s, o.ignore...)
		fmt.Fprintln(out, s.Test("Found"))
	}
	report(out, o.kinds, counts, limits, ignored, checks)
	return len(checks) == 0, nil
}

// report prints the table of what was done.
func report(out io.Writer, kinds []string, counts map[string]*tally, limits, ignored, checks map[string]int) {
	var all tally
	fmt.Fprintf(out, "%-10s %8s %9s %10s %9s %7s %8s\n",
		"kind", "scenes", "steps", "impacts", "compared", "failed", "seconds")
	line := func(name string, t tally) {
		fmt.Fprintf(out, "%-10s %8d %9d %10d %9d %7d %8.0f\n",
			name, t.scenes, t.steps, t.impacts, t.compared, t.failed, t.spent.Seconds())
	}
	for _, k := range kinds {
		t := *counts[k]
		line(k, t)
		all.scenes += t.scenes
		all.steps += t.steps
		all.impacts += t.impacts
		all.compared += t.compared
		all.failed += t.failed
		all.spent += t.spent
	}
	line("all", all)
	for _, list := range []struct {
		what string
		of   map[string]int
	}{{"limit", limits}, {"ignored", ignored}, {"FAILED", checks}} {
		names := make([]string, 0, len(list.of))
		for name := range list.of {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			fmt.Fprintf(out, "%s %q: %d times\n", list.what, name, list.of[name])
		}
	}
}
