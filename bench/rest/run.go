package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dango-physics/dango/bench/internal/scene"
	"github.com/dango-physics/dango/collide"
)

// options are the flags.
type options struct {
	workers  int
	friction float64 // -1: that of the scene
	seconds  float64 // until rest; 0 for the default of the scene
	more     float64 // seconds after that in which nothing may move
	sleeping string  // both, on or off
	verbose  bool
}

// Bounds of the checks.
const (
	fewest  = 200  // spheres; with fewer a step takes no less time
	deepest = 1e-6 // metres; deepest overlap in every frame
	slowest = 1e-3 // metres per second; largest speed at rest
	stillAt = 1e-4 // metres; largest displacement of a sphere at rest

	// A step in which all bodies sleep may take this fraction of one without sleep, or this many
	// milliseconds a sphere, whichever is more. It needs that time to detect that the game has
	// changed nothing.
	asleep, asleepEach = 0.03, 30e-6
)

// wanted is the largest time of a step without sleep, in milliseconds, on the machine on which the
// project is measured.
var wanted = map[string]float64{"pile:1000": 0.6, "pile:10000": 7, "heap:1000": 2.4, "heap:10000": 50}

// check returns an error for flags out of range.
func (o options) check() error {
	switch {
	case o.workers < 1:
		return fmt.Errorf("-workers %d: at least one has to do the work", o.workers)
	case o.friction != -1 && !(o.friction >= 0 && o.friction <= math.MaxFloat64):
		return fmt.Errorf("-friction %g: 0 or more, or -1 for the scenes' own", o.friction)
	case !(o.seconds >= 0 && o.seconds <= longest):
		return fmt.Errorf("-seconds %g: 0 to %g", o.seconds, longest)
	case !(o.more >= 0 && o.more <= longest):
		return fmt.Errorf("-more %g: 0 to %g", o.more, longest)
	case o.sleeping != "both" && o.sleeping != "on" && o.sleeping != "off":
		return fmt.Errorf("-sleeping %s: both, on or off", o.sleeping)
	}
	return nil
}

// longest is the largest number of seconds of a run.
const longest = 1e5

// load returns the scene of spec, and the number of seconds in which it has to come to rest.
func (o options) load(spec string) (*scene.Scene, float64, error) {
	name, friction, own := strings.Cut(spec, "/")
	if _, err := os.Stat(spec); err == nil {
		name, own = spec, false
	}
	s, err := read(name)
	if err != nil {
		return nil, 0, err
	}
	if own {
		if s.Friction, err = strconv.ParseFloat(friction, 64); err != nil || !(s.Friction >= 0) {
			return nil, 0, fmt.Errorf("%s: %q is no coefficient of friction", spec, friction)
		}
	}
	if o.friction >= 0 {
		s.Friction = o.friction
	}
	seconds := o.seconds
	switch kind := filepath.Base(name); {
	case seconds > 0:
	case s.Friction == 0 && strings.HasPrefix(kind, "heap"):
		seconds = 30
	case strings.HasPrefix(kind, "heap"):
		seconds = 20 // the last ball that slides off others decides: 7 to 16 s with 940 to 1,040 balls
	default:
		seconds = 10
	}
	return s, seconds, nil
}

func read(name string) (*scene.Scene, error) {
	if kind, size, ok := strings.Cut(name, ":"); ok {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%s: %q is not a whole number from 1 up", name, size)
		}
		return scene.Poured(kind, n)
	}
	return scene.ReadFile(name)
}

// result is the result of a scene, without sleep, with sleep, or both.
type result struct {
	spec     string
	spheres  int
	friction float64
	seconds  float64

	pair, wall float64 // metres, the deepest of all frames, at least 0
	escaped    int     // the most of all frames
	fastest    [4]float64
	atRest     float64 // m/s, the largest speed when it should have been at rest
	strayed    float64 // metres, the largest displacement of a sphere in the seconds that followed
	impacts    float64 // a step, in the seconds that followed
	spent      int     // spent budgets, all steps
	blocked    int     // kinematic bodies that were stopped, all steps

	whole, settled float64 // ms a step without sleeping, medians of all steps and of those after it came to rest
	resting        float64 // ms a step with sleeping, of those after it came to rest
	slept, woke    bool    // the modes that were run

	// Sleep promises the same bits until something that sleeps is woken.
	hashes    []uint64 // after each step without sleep
	compared  int      // steps with sleep before the first in which something woke
	differsAt int      // the first of these with another hash; 0 if all agree
}

// moments are the times in seconds at which the largest speed is recorded.
var moments = [4]float64{5, 10, 20, 30}

// run runs a scene once for each mode of sleep.
func (o options) run(spec string) (*result, error) {
	r := &result{spec: spec, fastest: [4]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN()}}
	if o.sleeping != "on" {
		r.woke = true
		if err := o.follow(r, spec, true); err != nil {
			return nil, err
		}
	}
	if o.sleeping != "off" {
		r.slept = true
		if err := o.follow(r, spec, false); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// follow runs a scene once and checks every frame.
func (o options) follow(r *result, spec string, awake bool) error {
	s, seconds, err := o.load(spec)
	if err != nil {
		return err
	}
	r.spheres, r.friction, r.seconds = len(s.Spheres), s.Friction, seconds
	second := int(math.Round(1 / s.StepSeconds))
	until := int(math.Round(seconds / s.StepSeconds))
	if second < 1 || until < 1 {
		return fmt.Errorf("%s: %g s, in steps of %g s, are too few to look at", spec, seconds, s.StepSeconds)
	}
	last := until + int(math.Round(o.more/s.StepSeconds))
	world := scene.Options{Workers: o.workers, NoSleeping: awake}.NewWorld(s)
	watch := scene.NewWatch(s)
	home := make([]collide.Vec3, len(s.Spheres))
	times := make([]time.Duration, 0, last)
	impacts, lately, budgets := 0, 0, 0 // of the present second
	asleep, disturbed := make([]bool, len(s.Spheres)), false
	for step := 1; step <= last; step++ {
		start := time.Now()
		world.Step()
		times = append(times, time.Since(start))
		if errs := slices.Collect(world.Physics.Errors()); len(errs) > 0 {
			return fmt.Errorf("%s: step %d left %d entities out, first %w", spec, step, len(errs), errs[0])
		}
		stats := world.Physics.Stats()
		lately += stats.Impacts
		budgets += stats.Jammed + stats.SpentBudgets
		r.spent += stats.Jammed + stats.SpentBudgets
		r.blocked += stats.Blocked
		if hash := world.Hash(); awake {
			r.hashes = append(r.hashes, hash)
		} else if disturbed = wakesAny(world, asleep) || disturbed; r.woke && !disturbed {
			r.compared++
			if hash != r.hashes[step-1] && r.differsAt == 0 {
				r.differsAt = step
			}
		}
		now := watch.Look(world)
		r.pair, r.wall, r.escaped = max(r.pair, now.Pair), max(r.wall, now.Wall), max(r.escaped, now.Escaped)
		for k, at := range moments {
			if step == int(math.Round(at/s.StepSeconds)) {
				r.fastest[k] = now.Fastest
			}
		}
		if step == until {
			r.atRest = now.Fastest
		}
		strayed := 0.0
		for i := range home {
			p, _ := world.Motion(i)
			switch {
			case step <= until:
				home[i] = p
			default:
				strayed = max(strayed, p.Distance(home[i]))
			}
		}
		r.strayed = max(r.strayed, strayed)
		if step > until {
			impacts += stats.Impacts
		}
		if step%second == 0 {
			if o.verbose {
				fmt.Fprintf(os.Stderr, "%s %s %3d s: fastest %8.2e m/s, deepest pair %7.1e wall %7.1e m, strayed "+
					"%7.1e m, %8.1f impacts a step, %d budgets spent, %.3f ms a step\n",
					spec, map[bool]string{true: "awake", false: "sleeping"}[awake], step/second, now.Fastest,
					r.pair, r.wall, strayed,
					float64(lately)/float64(second), budgets, millis(times[step-second:]))
			}
			lately, budgets = 0, 0
		}
	}
	if awake {
		r.whole, r.settled = millis(times[:until]), millis(times[until:])
	} else {
		r.resting = millis(times[until:])
	}
	r.impacts = float64(impacts) / max(1, float64(last-until))
	return nil
}

// wakesAny brings asleep up to date and says whether a sphere that slept no longer does.
func wakesAny(world *scene.World, asleep []bool) (woken bool) {
	for i, slept := range asleep {
		asleep[i] = world.Asleep(i)
		woken = woken || slept && !asleep[i]
	}
	return woken
}

// wrong returns the failed checks.
func (r *result) wrong() (all []string) {
	say := func(ok bool, format string, a ...any) {
		if !ok {
			all = append(all, fmt.Sprintf(format, a...))
		}
	}
	say(
		max(r.pair, r.wall) <= deepest, "something was %.3g m inside something else, more than %g",
		max(r.pair, r.wall), deepest,
	)
	say(r.escaped == 0, "%d spheres left the bin", r.escaped)
	say(r.atRest <= slowest, "the fastest sphere has %.3g m/s after %g s, more than %g", r.atRest, r.seconds, slowest)
	say(r.strayed <= stillAt, "a sphere at rest strayed by %.3g m, more than %g", r.strayed, stillAt)
	if most, ok := wanted[r.spec]; ok && r.woke {
		say(
			max(r.whole, r.settled) <= most, "a step takes %.3g ms, and %.3g ms at rest, more than %g", r.whole,
			r.settled, most,
		)
	}
	if r.slept && r.woke {
		most := max(asleep*r.settled, float64(asleepEach*float64(max(r.spheres, fewest))))
		say(r.resting <= most, "a step takes %.3g ms where all sleep, more than %.3g", r.resting, most)
		say(
			r.differsAt == 0, "sleeping shows in step %d, and nothing that slept was woken in the first %d",
			r.differsAt, r.compared,
		)
	}
	return all
}

// header is the head of the table.
const header = "| scene | friction | deepest pair, m | deepest wall, m | escaped | m/s at 5 s | at 10 s | " +
	"at 20 s | at 30 s | strayed in the next 10 s, m | impacts a step then | budgets spent | ms a step | " +
	"ms at rest | ms asleep |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"

// row returns r as a row of the table that header begins.
func (r *result) row() string {
	number := func(known bool, format string, x float64) string {
		if !known || math.IsNaN(x) {
			return ""
		}
		return fmt.Sprintf(format, x)
	}
	name := r.spec
	if _, err := os.Stat(name); err == nil {
		name = filepath.Base(name)
	}
	name, _, _ = strings.Cut(name, "/")
	cells := []string{
		name, fmt.Sprint(r.friction), fmt.Sprintf("%.1e", r.pair), fmt.Sprintf("%.1e", r.wall),
		fmt.Sprint(r.escaped),
	}
	for _, v := range r.fastest {
		cells = append(cells, number(true, "%.1e", v))
	}
	cells = append(cells, fmt.Sprintf(
		"%.1e after %g s", r.strayed, r.seconds,
	), fmt.Sprintf("%.4g", r.impacts), fmt.Sprint(r.spent),
		number(r.woke, "%.3g", r.whole), number(r.woke, "%.3g", r.settled), number(r.slept, "%.3g", r.resting))
	return "| " + strings.Join(cells, " | ") + " |"
}

// millis returns the median of times in milliseconds, 0 if there are none.
func millis(times []time.Duration) float64 {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return float64((sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]).Nanoseconds()) / 2e6
}
