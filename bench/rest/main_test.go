package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dango-physics/dango/bench/internal/scene"
)

func TestARunFillsItsRow(t *testing.T) {
	o := options{workers: 1, friction: -1, seconds: 0.5, more: 0.5, sleeping: "both"}
	r, err := o.run("rain:8/0.25")
	if err != nil {
		t.Fatal(err)
	}
	if r.friction != 0.25 || r.seconds != 0.5 || r.whole <= 0 || r.settled <= 0 || r.resting <= 0 ||
		r.atRest == 0 || r.strayed == 0 {
		t.Errorf("got %+v: something wasn't measured", r)
	}
	if len(r.hashes) != 60 || r.compared != 60 || r.differsAt != 0 {
		t.Errorf(
			"%d hashes, %d compared, and step %d differs; want 60 that agree", len(r.hashes), r.compared, r.differsAt,
		)
	}
	if got, want := strings.Count(r.row(), "|"), strings.Count(strings.SplitN(header, "\n", 2)[0], "|"); got != want {
		t.Errorf("got %d bars, want %d as in the header: %s", got, want, r.row())
	}
	if wrong := strings.Join(r.wrong(), "\n"); !strings.Contains(wrong, "the fastest sphere") ||
		!strings.Contains(wrong, "strayed") {
		t.Errorf("falling spheres: got %q, want that they aren't at rest", wrong)
	}
}

func TestWhatComesToRestKeepsAll(t *testing.T) {
	r, err := options{workers: 1, friction: -1, seconds: 4, more: 1, sleeping: "both"}.run("pile:40")
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range r.wrong() {
		if !strings.Contains(wrong, " ms ") { // times are of no account on a busy machine
			t.Error(wrong)
		}
	}
	if r.spheres != 40 || r.atRest != 0 {
		t.Errorf("%d spheres, the fastest with %g m/s, want 40 at rest", r.spheres, r.atRest)
	}
}

func TestNumbersThatMakeNoSenseAreRefused(t *testing.T) {
	good := options{workers: 1, friction: -1, more: 10, sleeping: "both"}
	if err := good.check(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*options){
		"workers":  func(o *options) { o.workers = 0 },
		"friction": func(o *options) { o.friction = -0.5 },
		"NaN":      func(o *options) { o.friction = math.NaN() },
		"seconds":  func(o *options) { o.seconds = 1e12 },
		"more":     func(o *options) { o.more = -5 },
		"NaN more": func(o *options) { o.more = math.NaN() },
		"sleeping": func(o *options) { o.sleeping = "never" },
	} {
		o := good
		if change(&o); o.check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestARunOfNoStepIsRefused(t *testing.T) {
	if _, err := (options{workers: 1, friction: -1, seconds: 1e-3, sleeping: "on"}).run("pile:40"); err == nil {
		t.Error("nothing was looked at, and there is no error")
	}
}

func TestScenesAreGivenTheirTime(t *testing.T) {
	file := filepath.Join(t.TempDir(), "heap12.txt")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scene.Poured("heap", 12)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spec     string
		o        options
		seconds  float64
		friction float64
	}{
		{"pile:10000", options{friction: -1}, 10, 0.3},
		{"heap:1000", options{friction: -1}, 20, 0.3},
		{"heap:10000", options{friction: -1}, 20, 0.3},
		{"heap:1000/0", options{friction: -1}, 30, 0},
		{"heap:1000", options{friction: 0}, 30, 0},
		{"rain:1000/0.5", options{friction: -1, seconds: 3}, 3, 0.5},
		{file, options{friction: -1}, 20, 0.3},
	} {
		s, seconds, err := c.o.load(c.spec)
		if err != nil || seconds != c.seconds || s.Friction != c.friction {
			t.Errorf(
				"%s %+v: got %v s and friction %v, %v, want %v and %v", c.spec, c.o, seconds, s.Friction, err,
				c.seconds, c.friction,
			)
		}
	}
	for _, wrong := range []string{"gas:10", "heap:0", "heap:x", "heap:10/-1", "heap:10/x", "nothing"} {
		if _, _, err := (options{friction: -1}).load(wrong); err == nil {
			t.Errorf("%q: got a scene, want an error", wrong)
		}
	}
}
