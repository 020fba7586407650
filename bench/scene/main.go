// Scene runs a scene as entities of a Donburi world, as a game would. It writes the motion to a
// dump, and prints the times of the steps as one line of JSON.
//
// Scene, dump and line have the formats that all compared engines use: see package
// [github.com/dango-physics/dango/bench/internal/scene].
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/dango-physics/dango/bench/internal/scene"
	"github.com/dango-physics/dango/systems"
)

const usage = `Usage: go run ./bench/scene [flags] SCENE DUMP

Runs SCENE, a file or the name and size of a scene such as gas:10000. Writes the motion of its spheres
to the file DUMP, and prints the time of a step as one line of JSON.
`

// options are the flags and arguments.
type options struct {
	workers    int
	steps      int     // -1: that of the scene
	friction   float64 // -1: that of the scene
	shuffle    uint64
	awake      bool // sleep is off
	systems    bool // step through the three systems of an ECS instead of Physics.Step
	cpuProfile string
	scene      string
	dump       string
}

func main() {
	var o options
	flag.IntVar(&o.workers, "workers", 1, "how many workers; the results are the same for any `number`")
	flag.IntVar(&o.steps, "steps", -1, "`number` of steps, instead of the scene's own")
	flag.Float64Var(&o.friction, "friction", -1, "`coefficient` of friction, instead of the scene's own")
	flag.Uint64Var(&o.shuffle, "shuffle", 0, "create the entities in a random order with this `seed`; the dump "+
		"stays in scene order and must have the same bits")
	flag.BoolVar(&o.awake, "nosleep", false, "turn sleep off")
	flag.BoolVar(
		&o.systems, "systems", false,
		"run Broadphase, Sweep and Response as systems of an ECS instead of Physics.Step; the results are the same",
	)
	flag.StringVar(&o.cpuProfile, "cpuprofile", "", "write a CPU profile of the steps to `file`")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage, "\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	o.scene, o.dump = flag.Arg(0), flag.Arg(1)
	line, err := run(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "scene:", err)
		os.Exit(1)
	}
	fmt.Println(line)
}

// run runs one scene and returns the line of JSON with its times.
func run(o options) (line string, err error) {
	switch {
	case o.workers < 1:
		return "", fmt.Errorf("-workers %d: at least one has to do the work", o.workers)
	case o.steps < -1:
		return "", fmt.Errorf("-steps %d: 0 or more, or -1 for as many as the scene says", o.steps)
	case o.friction != -1 && !(o.friction >= 0 && o.friction <= math.MaxFloat64):
		return "", fmt.Errorf("-friction %g: 0 or more, or -1 for the scene's own", o.friction)
	}
	s, err := read(o.scene)
	if err != nil {
		return "", err
	}
	if o.steps >= 0 {
		s.Steps = o.steps
	}
	if o.friction >= 0 {
		s.Friction = o.friction
	}
	world := scene.Options{Workers: o.workers, Shuffle: o.shuffle, NoSleeping: o.awake, Systems: o.systems}.NewWorld(s)

	dump, err := os.Create(o.dump)
	if err != nil {
		return "", err
	}
	defer dump.Close()
	out := bufio.NewWriterSize(dump, 1<<20)

	if o.cpuProfile != "" {
		profile, err := os.Create(o.cpuProfile)
		if err != nil {
			return "", err
		}
		defer profile.Close()
		if err := pprof.StartCPUProfile(profile); err != nil {
			return "", err
		}
		defer pprof.StopCPUProfile()
	}

	times, shares, err := steps(s, world, out)
	if err != nil {
		return "", err
	}
	if err := out.Flush(); err != nil {
		return "", err
	}
	if err := dump.Close(); err != nil {
		return "", err
	}
	return summary(o, len(s.Spheres), times, shares)
}

func read(file string) (*scene.Scene, error) {
	if strings.Contains(file, ":") {
		return scene.Named(file)
	}
	return scene.ReadFile(file)
}

// shares are the fractions of the time of all steps that each stage takes. Their sum is 1.
type shares struct {
	Gather     float64 `json:"gather"`
	Broadphase float64 `json:"broadphase"`
	Sweep      float64 `json:"sweep"`
	Response   float64 `json:"response"`
	Scatter    float64 `json:"scatter"`
}

// add adds the stages of a step, in seconds.
func (a *shares) add(s systems.Stats) {
	a.Gather += s.Gather.Seconds()
	a.Broadphase += s.Broadphase.Seconds()
	a.Sweep += s.Sweep.Seconds()
	a.Response += s.Response.Seconds()
	a.Scatter += s.Scatter.Seconds()
}

// normalize divides by the sum, and rounds to a thousandth.
func (a *shares) normalize() {
	if sum := a.Gather + a.Broadphase + a.Sweep + a.Response + a.Scatter; sum > 0 {
		for _, x := range [...]*float64{&a.Gather, &a.Broadphase, &a.Sweep, &a.Response, &a.Scatter} {
			*x = math.Round(1000**x/sum) / 1000
		}
	}
}

// steps runs all steps of s, writes the frames, and returns the time of each step and the shares of
// the stages.
func steps(s *scene.Scene, world *scene.World, out *bufio.Writer) ([]time.Duration, shares, error) {
	var sum shares
	if err := world.WriteFrame(out); err != nil {
		return nil, sum, err
	}
	times := make([]time.Duration, 0, s.Steps)
	for step := range s.Steps {
		start := time.Now()
		world.Step()
		times = append(times, time.Since(start))
		sum.add(world.Physics.Stats())
		if errs := slices.Collect(world.Physics.Errors()); len(errs) > 0 {
			return nil, sum, fmt.Errorf("step %d left %d entities out, first %w", step+1, len(errs), errs[0])
		}
		if (step+1)%s.Every == 0 {
			if err := world.WriteFrame(out); err != nil {
				return nil, sum, err
			}
		}
	}
	sum.normalize()
	return times, sum, nil
}

// summary returns the line that every runner prints.
func summary(o options, spheres int, times []time.Duration, stages shares) (string, error) {
	var total time.Duration
	for _, t := range times {
		total += t
	}
	milliseconds := func(t time.Duration) float64 { return float64(t.Nanoseconds()) / 1e6 }
	line := struct {
		Engine  string  `json:"engine"`
		Mode    string  `json:"mode"`
		Scene   string  `json:"scene"`
		Spheres int     `json:"n"`
		Steps   int     `json:"steps"`
		Median  float64 `json:"ms_per_step_median"`
		Later   float64 `json:"ms_per_step_later"` // median of the later half
		Mean    float64 `json:"ms_per_step_mean"`
		Total   float64 `json:"ms_total"`
		Stages  shares  `json:"stages"`
	}{
		Stages:  stages,
		Engine:  "dango",
		Mode:    fmt.Sprintf("workers=%d", o.workers),
		Scene:   strings.TrimSuffix(filepath.Base(o.scene), filepath.Ext(o.scene)),
		Spheres: spheres,
		Steps:   len(times),
		Later:   milliseconds(median(times[len(times)/2:])),
		Median:  milliseconds(median(times)),
		Total:   milliseconds(total),
	}
	if len(times) > 0 {
		line.Mean = line.Total / float64(len(times))
	}
	text, err := json.Marshal(line)
	return string(text), err
}

// median returns the median of times, 0 if there are none.
func median(times []time.Duration) time.Duration {
	n := len(times)
	if n == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
