package scene

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
)

// deepest is the worst overlap that dango allows itself, over the radius of the smaller body.
const deepest = 1e-9

// run steps w and fails the test where a step leaves an entity out.
func run(t *testing.T, w *World, steps int) {
	t.Helper()
	for step := range steps {
		w.Step()
		if errs := slices.Collect(w.Physics.Errors()); len(errs) > 0 {
			t.Fatalf("step %d left out: %v", step+1, errs)
		}
	}
}

// TestElasticScenesKeepWhatTheyMust runs gases whose every impact we can judge: nothing may
// overlap, leave the box, or gain or lose energy.
func TestElasticScenesKeepWhatTheyMust(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for name, c := range map[string]struct {
		scene *Scene
		least int // impacts, fewer of which would say nothing
	}{
		"gas": {Gas(300, 1), 300}, "gas2d": {Gas2D(300, 1), 300}, "mix": {Mix(300, 1), 300},
		"bullets": {Bullets(200, 1), 200},
		"decades": {Decades(600, 1), 100}, "giants": {Giants(600, 1), 100}, "sparse": {Sparse(300, 1), 0},
		"dense": {Dense(216, 1), 2000}, "corner": {Corner(300, 1), 50}, "still": {Still(300, 1), 1},
		"level": {Level(300, 1), 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := c.scene
			w := NewWorld(s)
			start := s.Measure(w)
			impacts, before := 0, w.Hash()
			for frame := range 10 {
				for range 6 {
					run(t, w, 1)
					impacts += w.Physics.Stats().Impacts
				}
				now := s.Measure(w)
				if now.NaN > 0 || now.Escaped > 0 || now.Overlap > deepest || now.Sunk > deepest {
					t.Fatalf(
						"frame %d: got %+v, want no NaN, none escaped, overlap and sunk at most %v", frame, now,
						deepest,
					)
				}
				if ratio := now.Energy / start.Energy; math.Abs(ratio-1) > 1e-9 {
					t.Fatalf("frame %d: energy ratio %.15f, want 1 within 1e-9", frame, ratio)
				}
			}
			if w.Hash() == before || impacts < c.least {
				t.Errorf(
					"got %d impacts of %d spheres, fewer than %d: too few to say anything", impacts, len(s.Spheres),
					c.least,
				)
			}
		})
	}
}

// TestPilesNeitherOverlapNorLeak drops spheres into a bin, where they lose energy and touch for
// long.
func TestPilesNeitherOverlapNorLeak(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for name, s := range map[string]*Scene{"without bounce": Pile(125, 0, 1), "half bouncing": Pile(125, 0.5, 1)} {
		t.Run(name, func(t *testing.T) {
			w := NewWorld(s)
			for frame := range 10 {
				run(t, w, 12)
				now := s.Measure(w)
				if now.NaN > 0 || now.Escaped > 0 || now.Overlap > deepest || now.Sunk > deepest {
					t.Fatalf(
						"frame %d: got %+v, want no NaN, none escaped, overlap and sunk at most %v", frame, now,
						deepest,
					)
				}
			}
			if w.Hash() == NewWorld(s).Hash() {
				t.Error("nothing moved")
			}
		})
	}
}

// golden has the hash of each scene at its start and after goldenSteps steps, the same on every
// platform. A change of what physics does changes the second one only, and its commit says why.
var golden = []struct {
	name       string
	scene      *Scene
	start, end uint64
}{
	{"gas", Gas(300, 1), 0x10f14be74357890f, 0x3b5b81897901f4b2},
	{"mix", Mix(300, 1), 0xb9796351441428a3, 0xa834a12adc81a4a8},
	{"bullets", Bullets(200, 1), 0x29237dab5b6f2715, 0x9201bca8a0641852},
	{"pile", Pile(125, 0, 1), 0x980ed22aac46ad2b, 0x3e93ce0debdc08bd},
	{"rain", Pile(125, 0.5, 1), 0x980ed22aac46ad2b, 0xe41682f1b9b06fc4},
	{"gas2d", Gas2D(300, 1), 0xb7f6235bd8cca3d8, 0x7bbfe898844208ec},
	{"decades", Decades(300, 1), 0x6b243863857d12bb, 0xf259506cbdf59f62},
	{"giants", Giants(600, 1), 0x176c5e0e2cdfa382, 0x5d61c3648c0d426c},
	{"dense", Dense(64, 1), 0x65e3fe37d50f3225, 0x8d694969038d264},
	{"corner", Corner(300, 1), 0xf8e10ad44f88f4b3, 0xf648579f927a3e4a},
	{"still", Still(300, 1), 0x8be9f24bcbcfad52, 0x17be9c6cdbc58764},
	{"level", Level(300, 1), 0xa5c9141c26419836, 0x76080aaf6235114c},
}

const goldenSteps = 60

// workers are the numbers of workers that tests run with.
var workers = []int{1, 2, 3, 8}

func TestSameBitsEverywhere(t *testing.T) {
	for _, c := range golden {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range slow.Workers(workers...) {
				for seed := range uint64(slow.Cases(3)) {
					if seed > 0 && n > 2 {
						break // the order of entities is nothing that more workers could change
					}
					w := Options{Workers: n, Shuffle: seed}.NewWorld(c.scene)
					if got := w.Hash(); got != c.start {
						t.Fatalf("entity order %d: got hash %#x at the start, want %#x", seed, got, c.start)
					}
					run(t, w, goldenSteps)
					if got := w.Hash(); got != c.end {
						t.Errorf(
							"entity order %d, %d workers: got hash %#x after %d steps, want %#x", seed, n, got,
							goldenSteps, c.end,
						)
					}
				}
			}
		})
	}
}

// Scenes that are large enough for a share of the work to each of the workers.
func TestSameBitsForAnyNumberOfWorkers(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	for _, spec := range []string{"gas:13000", "mix:5000", "decades:4000"} {
		var want uint64
		for _, n := range slow.Workers(workers...) {
			w := Options{Workers: n}.NewWorld(named(t, spec))
			run(t, w, 8)
			if got := w.Hash(); want == 0 {
				want = got
			} else if got != want {
				t.Errorf("%s: got hash %#x with %d workers, want %#x", spec, got, n, want)
			}
		}
	}
}

// warm are scenes and how many steps it takes until their scratch memory has grown to what they
// need: piles are at their busiest late.
var warm = []struct {
	spec  string
	steps int
}{
	{"gas:1000", 60},
	{"gas:4500", 80},
	{"gas2d:1000", 60},
	{"mix:1000", 60},
	{"decades:300", 100},
	{"giants:600", 60},
	{"dense:200", 60},
	{"still:1000", 60},
	{"level:200", 60},
	{"pile:216", 100},
}

func TestWarmStepAllocatesNothing(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	for _, c := range warm {
		t.Run(c.spec, func(t *testing.T) {
			for _, n := range slow.Workers(workers...) {
				w := Options{Workers: n}.NewWorld(named(t, c.spec))
				run(t, w, c.steps)
				got := testing.AllocsPerRun(20, w.Step)
				for try := 0; got > 0 && n > 1 && try < 10; try++ { // the runtime may yet be making goroutines
					got = testing.AllocsPerRun(20, w.Step)
				}
				if got != 0 {
					t.Errorf("%d workers: a step allocates %v times", n, got)
				}
			}
		})
	}
}

func named(tb testing.TB, spec string) *Scene {
	tb.Helper()
	s, err := Named(spec)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// BenchmarkStep times whole steps and reports what each stage takes of them, and each impact.
func BenchmarkStep(b *testing.B) {
	for _, spec := range []string{
		"gas:1000", "gas:10000", "gas:100000", "gas2d:10000", "mix:10000", "decades:10000", "giants:10000",
		"sparse:10000", "dense:1000",
		"bullets:1000", "still:100000", "level:10000", "pile:200",
	} {
		b.Run(spec, func(b *testing.B) {
			w := NewWorld(named(b, spec))
			for range 30 {
				w.Step()
			}
			b.ReportAllocs()
			var sum systems.Stats
			for b.Loop() {
				w.Step()
				now := w.Physics.Stats()
				sum.Impacts += now.Impacts
				sum.Gather += now.Gather
				sum.Broadphase += now.Broadphase
				sum.Sweep += now.Sweep
				sum.Response += now.Response
				sum.Scatter += now.Scatter
			}
			report := func(d time.Duration, unit string) { b.ReportMetric(float64(d.Nanoseconds())/float64(b.N), unit) }
			report(sum.Gather, "gather-ns/op")
			report(sum.Broadphase, "broadphase-ns/op")
			report(sum.Sweep, "sweep-ns/op")
			report(sum.Response, "response-ns/op")
			report(sum.Scatter, "scatter-ns/op")
			if sum.Impacts > 0 {
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(sum.Impacts), "ns/impact")
			}
		})
	}
}

// What falls, is poured or comes to rest is never stopped because it is squeezed.
func TestHeapsExhaustNoBudgets(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, name := range []string{"rain:1000", "pile:1000", "heap"} {
		s, err := Named(name)
		if name == "heap" {
			s, err = Shared(name, 1000)
		}
		if err != nil {
			t.Fatal(err)
		}
		w := NewWorld(s)
		for step := range slow.Steps(600) {
			run(t, w, 1)
			if n := w.Physics.Stats().SpentBudgets; n > 0 {
				t.Errorf("%s, step %d: %d bodies are halted", name, step, n)
			}
		}
	}
}
