// Package measure runs a benchmark scene. It measures the time of a step and of its stages and the
// memory, and checks energy, overlaps and escapes.
package measure

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/dango-physics/dango/bench/internal/scene"
	"github.com/dango-physics/dango/systems"
)

// Options are the options of a run.
type Options struct {
	Workers int // goroutines that share a step; 0 for as many as there are processors
	Steps   int // steps that are measured; 0 for about two seconds of them
	// warm-up steps before those, in which the initial lattice dissolves and scratch memory is
	// allocated; 0 for the default
	Warm int
}

// Result is the result of a run.
type Result struct {
	Scene   string // as named on the command line
	Things  int    // spheres and polygons, without the walls
	Moving  int    // of them, those with an initial velocity
	Workers int
	Steps   int // measured

	Millis      float64 // a step, the median
	RoundMillis float64 // a step, the mean of a round of steps, see time
	Stages      Stages  // of the same round
	NsPerImpact float64 // of the same round; 0 without impacts
	BestMillis  float64 // a step, of the fastest round, for comparisons on busy machines
	Impacts     float64 // a step
	Pairs       float64 // a step, candidate pairs
	Tests       float64 // a step, of a pair for a time of impact
	Allocations float64 // a step

	EntityBytes float64 // a thing, live on the heap: what Donburi keeps
	DangoBytes  float64 // a thing, live on the heap: what physics keeps

	Elastic     bool    // energy has to be conserved
	EnergyRatio float64 // if Elastic, energy at the end over energy at the start
	Overlap     float64 // deepest overlap at the end, in radii of the smaller sphere, >= 0; walls included
	Escaped     int     // spheres outside of the box, or that are not a number
	Hash        string  // of all positions and velocities at the end
}

// Stages are the times of the stages of a step, in milliseconds.
type Stages struct{ Gather, Broadphase, Sweep, Response, Scatter float64 }

// deepest is the largest allowed overlap, in radii of the smaller body.
const deepest = 1e-9

// NsPerThing returns the time of a step in nanoseconds, divided by the number of things.
func (r *Result) NsPerThing() float64 { return r.RoundMillis * 1e6 / float64(r.Things) }

// Exact returns an error that lists the failed checks, or nil.
func (r *Result) Exact() error {
	var wrong []string
	if r.Elastic && !(math.Abs(r.EnergyRatio-1) <= 1e-9) {
		wrong = append(wrong, fmt.Sprintf("the energy ended at %.12g of what it was", r.EnergyRatio))
	}
	if r.Overlap > deepest {
		wrong = append(wrong, fmt.Sprintf("something overlaps by %.3g of a radius", r.Overlap))
	}
	if r.Escaped > 0 {
		wrong = append(wrong, fmt.Sprintf("%d spheres left the box", r.Escaped))
	}
	if wrong == nil {
		return nil
	}
	return fmt.Errorf("%s: %s", r.Scene, strings.Join(wrong, ", "))
}

// Run runs the scene that spec names, see [scene.Named].
func Run(spec string, o Options) (Result, error) {
	if o.Workers < 0 || o.Steps < 0 || o.Warm < 0 {
		return Result{}, fmt.Errorf("workers, steps and warm-up can't be less than 0: %+v", o)
	}
	s, err := scene.Named(spec)
	if err != nil {
		return Result{}, err
	}
	r := Result{
		Scene: spec, Things: s.Things(), Workers: o.Workers,
		Elastic: s.Restitution == 1 && s.Gravity.Length() == 0,
	}
	for _, b := range s.Spheres {
		if b.Velocity.Length() > 0 || s.Gravity.Length() > 0 {
			r.Moving++
		}
	}
	if o.Steps == 0 {
		o.Steps = min(max(3_000_000/r.Things/round, 1), 200) * round
	}
	if o.Warm == 0 {
		o.Warm = min(max(600_000/r.Things, 20), 100)
	}

	empty := Live()
	w := scene.Options{Workers: o.Workers}.NewWorld(s)
	created := Live()
	before := s.MeasureNear(w)
	if err := step(w, o.Warm); err != nil {
		return r, err
	}
	warm := Live()
	r.EntityBytes = float64(created-empty) / float64(r.Things)
	r.DangoBytes = float64(warm-created) / float64(r.Things)

	if err := r.time(w, o.Steps); err != nil {
		return r, err
	}
	after := s.MeasureNear(w)
	if r.Elastic {
		r.EnergyRatio = after.Energy / before.Energy
	}
	r.Overlap = max(0, after.Overlap, after.Sunk)
	r.Escaped = after.Escaped + after.NaN
	r.Hash = fmt.Sprintf("%016x", w.Hash())
	return r, nil
}

// round is the number of steps that are measured together. Bodies are reordered by cells in one of
// 16 steps, which a median of single steps would hide.
const round = 16

// time measures steps. It uses the median of the rounds, on which other load of the machine has
// little influence.
func (r *Result) time(w *scene.World, steps int) error {
	r.Steps = steps
	times := make([]time.Duration, 0, steps)
	rounds := make([]sums, (steps+round-1)/round)
	var start, end runtime.MemStats
	runtime.ReadMemStats(&start)
	for i := range steps {
		begin := time.Now()
		w.Step()
		t := time.Since(begin)
		times = append(times, t)
		rounds[i/round].add(t, w.Physics.Stats())
	}
	runtime.ReadMemStats(&end)
	if errs := slices.Collect(w.Physics.Errors()); len(errs) > 0 {
		return fmt.Errorf("%s: physics left out: %w", r.Scene, errs[0])
	}

	for _, s := range rounds {
		r.Impacts += float64(s.stats.Impacts) / float64(steps)
		r.Pairs += float64(s.stats.Pairs) / float64(steps)
		r.Tests += float64(s.stats.Sweeps) / float64(steps)
	}
	r.Allocations = float64(end.Mallocs-start.Mallocs) / float64(steps)
	slices.Sort(times)
	r.Millis = millis(times[(steps-1)/2]+times[steps/2]) / 2
	slices.SortFunc(rounds, func(a, b sums) int { return cmp.Compare(a.mean(a.time), b.mean(b.time)) })
	s := rounds[len(rounds)/2]
	r.RoundMillis = s.mean(s.time)
	r.BestMillis = rounds[0].mean(rounds[0].time)
	r.Stages = Stages{
		Gather:     s.mean(s.stats.Gather),
		Broadphase: s.mean(s.stats.Broadphase),
		Sweep:      s.mean(s.stats.Sweep),
		Response:   s.mean(s.stats.Response),
		Scatter:    s.mean(s.stats.Scatter),
	}
	if s.stats.Impacts > 0 {
		r.NsPerImpact = float64(s.time.Nanoseconds()) / float64(s.stats.Impacts)
	}
	return nil
}

// sums are sums over a round of steps.
type sums struct {
	steps int
	time  time.Duration
	stats systems.Stats
}

func (s *sums) add(t time.Duration, now systems.Stats) {
	s.steps++
	s.time += t
	s.stats.Impacts += now.Impacts
	s.stats.Pairs += now.Pairs
	s.stats.Sweeps += now.Sweeps
	s.stats.Gather += now.Gather
	s.stats.Broadphase += now.Broadphase
	s.stats.Sweep += now.Sweep
	s.stats.Response += now.Response
	s.stats.Scatter += now.Scatter
}

// mean returns d divided by the number of steps, in milliseconds.
func (s *sums) mean(d time.Duration) float64 { return millis(d) / float64(s.steps) }

func millis(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// step steps w and returns the errors of physics.
func step(w *scene.World, steps int) error {
	for range steps {
		w.Step()
		if errs := slices.Collect(w.Physics.Errors()); len(errs) > 0 {
			return fmt.Errorf("physics left out %d entities, first %w", len(errs), errs[0])
		}
	}
	return nil
}

// Live returns the bytes on the heap that are in use.
func Live() uint64 {
	runtime.GC()
	runtime.GC() // sweeps what the first one has marked as free
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
