// Cost counts what the steps of some scenes cost, and compares that with bench/cost/figures.txt:
//
//	go run ./bench/cost           # compare; ends with status 1 if something costs more
//	go run ./bench/cost -renew    # write new figures, after an intended change of the cost
//
// It measures no times, so its results are the same on a busy machine. It counts the instructions
// of a step under valgrind's callgrind, the tested pairs, the bytes on the heap, and the
// allocations.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/dango-physics/dango/bench/internal/measure"
	"github.com/dango-physics/dango/bench/internal/scene"
)

// scenes are the counted scenes: all kinds, each small enough for a second under valgrind.
var scenes = []string{
	"gas:1000", "gas2d:1000", "mix:500", "decades:500", "giants:2500", "sparse:1000", "dense:200", "bullets:200",
	"still:5000", "level:500", "pile:200",
}

// steps is the number of counted steps: one period of the reordering of bodies by cells.
const steps = 16

const usage = `Usage: go run ./bench/cost [-renew]

Counts instructions, pair tests, bytes and allocations of the steps of some scenes, and compares
them with bench/cost/figures.txt. Ends with status 1 if a scene costs more than allowed. Takes 10 to
60 seconds. Run it from the root of the repository, on amd64; it needs valgrind.
`

// child is the argument with which this program runs under valgrind. It then steps the scene named
// by the environment variable of the same name, and prints its counters.
const child = "DANGO_COST_OF"

// figuresFile is the file of the committed figures, relative to the root of the module.
const figuresFile = "bench/cost/figures.txt"

func main() {
	renew := flag.Bool("renew", false, "write new figures instead of comparing")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage, "\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	var err error
	switch spec := os.Getenv(child); {
	case flag.NArg() == 1 && flag.Arg(0) == child && spec != "":
		err = count(os.Stdout, spec)
	case flag.NArg() > 0:
		flag.Usage()
		os.Exit(2)
	default:
		err = run(os.Stdout, *renew)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, renew bool) error {
	if runtime.GOARCH != "amd64" {
		return fmt.Errorf("the figures are those of amd64, and this is %s", runtime.GOARCH)
	}
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "dango-cost-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	// go run builds programs without the names of functions, which callgrind needs.
	program := filepath.Join(dir, "cost")
	build := exec.Command("go", "build", "-trimpath", "-o", program, "./bench/cost")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOAMD64=v1", "GOFLAGS=-buildvcs=false")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	now := figures{Go: runtime.Version(), Rows: make([]figure, len(scenes))}
	failed := make([]error, len(scenes))
	var wait sync.WaitGroup
	free := make(chan struct{}, runtime.NumCPU()) // counts are the same on a busy machine
	for i, s := range scenes {
		wait.Go(func() {
			free <- struct{}{}
			now.Rows[i], failed[i] = counted(valgrind, program, callgrindFile(dir, s), s)
			<-free
		})
	}
	wait.Wait()
	if err := errors.Join(failed...); err != nil {
		return err
	}
	if renew {
		return os.WriteFile(figuresFile, []byte(now.String()), 0o644)
	}
	text, err := os.ReadFile(figuresFile)
	if err != nil {
		return err
	}
	was, err := parse(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", figuresFile, err)
	}
	fmt.Fprint(out, now.beside(was))
	for _, s := range scenes {
		if _, ok := was.of(s); !ok {
			return fmt.Errorf("%s has no line in %s: go run ./bench/cost -renew", s, figuresFile)
		}
	}
	worse := now.worse(was)
	if len(worse) == 0 {
		return nil
	}
	for _, w := range worse {
		fmt.Fprintln(out, w)
	}
	worst := slices.MaxFunc(worse, func(a, b excess) int { return cmp.Compare(a.now/a.was, b.now/b.was) })
	if profile, err := os.ReadFile(callgrindFile(dir, worst.scene)); err == nil {
		fmt.Fprintf(out, "What takes the instructions of %s:\n%s", worst.scene, hottest(string(profile), 20))
	}
	return errors.New(
		"a step costs more than it did; where that is meant, go run ./bench/cost -renew, and the commit says why",
	)
}

// counted counts what s costs. Callgrind writes its profile to file.
func counted(valgrind, program, file, s string) (figure, error) {
	failed := fmt.Errorf("%s: no run", s)
	for range 5 { // rarely, a run fails because of Go's signals under valgrind's scheduler
		cmd := exec.Command(
			valgrind, "--tool=callgrind", "--callgrind-out-file="+file, "--toggle-collect=main.measured", program,
			child,
		)
		// With one thread, no garbage collection and no preemption, only the step is counted, to a
		// few instructions in ten thousand. Where a lock is contended, Go reads the clock by an
		// instruction that valgrind may not know, unless it is told not to.
		cmd.Env = append(
			os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1,cpu.rdtscp=off", child+"="+s)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		line, err := cmd.Output()
		if err != nil {
			failed = fmt.Errorf("%s: %w\n%s", s, err, &stderr)
			continue
		}
		profile, err := os.ReadFile(file)
		if err != nil {
			return figure{}, err
		}
		var f figure
		if err := json.Unmarshal(line, &f); err != nil {
			return figure{}, err
		}
		f.Scene = s
		f.Instructions, err = total(string(profile))
		f.Instructions /= steps
		return f, err
	}
	return figure{}, failed
}

func callgrindFile(dir, scene string) string {
	return filepath.Join(dir, strings.ReplaceAll(scene, ":", "_"))
}

// count is the child process: it steps the scene and prints a figure without instructions.
func count(out io.Writer, spec string) error {
	s, err := scene.Named(spec)
	if err != nil {
		return err
	}
	w := scene.Options{Workers: 1}.NewWorld(s)
	created := measure.Live()
	warmUp := 40
	if strings.HasPrefix(spec, "pile:") {
		warmUp = 46 // its first jam, for which memory is allocated, is in step 45
	}
	for range warmUp {
		w.Step()
	}
	f := figure{Bytes: float64(measure.Live()-created) / float64(s.Things())}
	var start, end runtime.MemStats
	runtime.ReadMemStats(&start)
	f.Tests, f.Impacts = measured(w)
	runtime.ReadMemStats(&end)
	f.Allocations = float64(end.Mallocs-start.Mallocs) / steps
	return json.NewEncoder(out).Encode(f)
}

// measured is the function that callgrind counts, by its name.
//
//go:noinline
func measured(w *scene.World) (tests, impacts float64) {
	for range steps {
		w.Step()
		now := w.Physics.Stats()
		tests += float64(now.Sweeps)
		impacts += float64(now.Impacts)
	}
	return tests / steps, impacts / steps
}
