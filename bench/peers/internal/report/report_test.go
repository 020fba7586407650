package report

import (
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dango-physics/dango/bench/internal/check"
	"github.com/dango-physics/dango/bench/peers/internal/runner"
)

// header is the head of the tables of elastic scenes.
const header = "| engine | mode | ms a step | times dango's | energy at the end | deepest overlap / radius | " +
	"in a wall / radius | escaped | verdict |"

func TestDigits(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1.00", 0.0123456: "0.0123", 0.123456: "0.123", 12.3456: "12.3", 99.99: "100.0", 123.456: "123",
		45678:   "45678",
		3.2e-14: "3e-14", 0.0004: "4e-04", 2.5e7: "2e+07", -1.5: "-1.50",
	} {
		if got := Digits(x); got != want {
			t.Errorf("%v: got %s, want %s", x, got, want)
		}
	}
}

func TestEnergyShowsHowFarFromOne(t *testing.T) {
	for x, want := range map[float64]string{
		1: "1", 1 + 2.2e-14: "1 + 2e-14", 1 - 3e-10: "1 - 3e-10", 1.0234: "1.023", 0.9512: "0.951", 1.0016: "1.002",
		0.0795: "0.0795", 42.26: "42.3", 2439.02: "2439", 0: "0",
	} {
		if got := Energy(x); got != want {
			t.Errorf("%v: got %s, want %s", x, got, want)
		}
	}
}

func TestVerdictNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name, scene string
		worst       check.Worst
		want        string
	}{
		{"nothing", "gas1000", check.Worst{}, "exact"},
		{"rounding", "gas1000", check.Worst{Overlap: 1e-15, Sunk: 1e-12, Drift: 1e-10, Fastest: 90}, "exact"},
		{"too small for a game to notice", "gas1000", check.Worst{Overlap: 0.002, Drift: 1e-7}, "within 1 %"},
		{"energy", "gas1000", check.Worst{Drift: 0.02}, "energy"},
		{"energy of a pile, which has to lose it", "pile1000", check.Worst{Drift: 1}, "exact"},
		{"a pile that trembles", "pile1000", check.Worst{Fastest: 0.1}, "not at rest"},
		{
			"all at once", "gas1000",
			check.Worst{Overlap: 1, Sunk: 20, Drift: 1, Escaped: 3, NaN: 1},
			"not numbers, energy, overlaps, escapes",
		},
		{"into a wall, but not through it", "disc1000", check.Worst{Sunk: 0.5}, "walls"},
		{"one escape and nothing else", "mix1000", check.Worst{Escaped: 1}, "escapes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (Result{Scene: c.scene, Worst: c.worst}).Verdict(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// results is dango and two peers on one scene, the second of which crashed.
func results(later float64) []Result {
	line := func(median float64) runner.Line {
		return runner.Line{Median: median, Later: later * median, Steps: 300}
	}
	return []Result{
		{
			Engine: "dango", How: "Go", Mode: "1 worker", Scene: "gas1000", Lines: []runner.Line{line(1), line(1.5)},
			Worst: check.Worst{Ratio: 1}, Step: 1.0 / 60, Every: 10, Energy: []float64{1, 1, 1},
		},
		{
			Engine: "Peer", Version: "3.1", How: "C++", Mode: "no CCD", Scene: "gas1000", Lines: []runner.Line{line(5)},
			Before: []runner.Line{line(1)}, After: []runner.Line{line(1.5)}, Step: 1.0 / 60, Every: 10,
			Energy: []float64{1, 2, 0},
			Worst:  check.Worst{Ratio: 42, Overlap: 1.9, Sunk: 0.1, Escaped: 7, Drift: 41},
		},
		{Engine: "Peer", How: "C++", Mode: "CCD", Scene: "gas1000", Failure: "out of memory"},
	}
}

func TestTables(t *testing.T) {
	for _, c := range []struct {
		name  string
		later float64
		want  string
	}{
		{"where every runner prints the later half", 2, `
### gas 1000

Elastic spheres, a fifth of the volume, mean speed 30 m/s; 300 steps. Time: median of the later half of the steps.

` + header + `
|---|---|--:|--:|--:|--:|--:|--:|---|
| dango, Go | 1 worker | 2.50 (2.00 to 3.00) | 1 | 1 | 0 | 0 | 0 | exact |
| Peer 3.1, C++ | no CCD | 10.0 | 4.00 | 42.0 | 1.90 | 0.100 | 7 | energy, overlaps, escapes |
| Peer, C++ | CCD |  |  |  |  |  |  | out of memory |
`},
		{"where one doesn't", 0, `
### gas 1000

Elastic spheres, a fifth of the volume, mean speed 30 m/s; 300 steps. Time: median of all steps.

` + header + `
|---|---|--:|--:|--:|--:|--:|--:|---|
| dango, Go | 1 worker | 1.25 (1.00 to 1.50) | 1 | 1 | 0 | 0 | 0 | exact |
| Peer 3.1, C++ | no CCD | 5.00 | 4.00 | 42.0 | 1.90 | 0.100 | 7 | energy, overlaps, escapes |
| Peer, C++ | CCD |  |  |  |  |  |  | out of memory |
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Tables(results(c.later)); strings.TrimSpace(got) != strings.TrimSpace(c.want) {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestInsertKeepsWhatIsAroundTheMarkers(t *testing.T) {
	const page = "# Benchmarks\n\nBefore.\n\n" + Begin + "\nold\n" + End + "\n\nAfter.\n"
	once, err := Insert(page, "new\n")
	if want := strings.Replace(page, "old", "new", 1); err != nil || once != want {
		t.Fatalf("got %q, %v, want %q", once, err, want)
	}
	if twice, err := Insert(once, "new"); err != nil || twice != once {
		t.Errorf("got %q, %v the second time, want %q", twice, err, once)
	}
	if fresh, err := Insert("", "new"); err != nil || fresh != "# Benchmarks\n\n"+Begin+"\nnew\n"+End+"\n" {
		t.Errorf("got %q, %v for no page", fresh, err)
	}
	for _, page := range []string{"no markers", Begin, End + Begin} {
		if got, err := Insert(page, "new"); err == nil {
			t.Errorf("%q: got %q, want an error", page, got)
		}
	}
}

// TestPicturesShowTwoModesOfAnEngine: more of them would be drawn alike.
func TestPicturesShowTwoModesOfAnEngine(t *testing.T) {
	var all []Result
	for _, mode := range []string{"a", "b", "c"} {
		all = append(all, Result{Engine: "one", Mode: mode}, Result{Engine: "two", Mode: "b"})
	}
	for _, r := range drawn(all) {
		if r.Mode == "c" {
			t.Errorf("%s in mode %s is drawn", r.Engine, r.Mode)
		}
	}
	if got := len(drawn(all)); got != 5 || len(all) != 6 {
		t.Errorf("got %d of %d, want 5 of 6", got, len(all))
	}
}

func TestPlotsArePictures(t *testing.T) {
	dir := t.TempDir()
	for name, plot := range map[string]func(file string) error{
		"time":   func(file string) error { return PlotTime(results(0), file) },
		"energy": func(file string) error { return PlotEnergy(results(0), LongestElastic(results(0)), file) },
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(dir, name+".png")
			if err := plot(file); err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if picture, err := png.Decode(f); err != nil || picture.Bounds().Dx() < 300 {
				t.Errorf("got %v, %v, want a picture", picture.Bounds(), err)
			}
		})
	}
	if err := PlotTime(results(0)[2:], filepath.Join(dir, "nothing.png")); err == nil {
		t.Error("got a picture of nothing, want an error")
	}
}
