package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dango-physics/dango/bench/internal/search"
	"github.com/dango-physics/dango/bench/internal/verify"
)

func TestASearchCountsWhatItHasRun(t *testing.T) {
	o := options{seed: 1, duration: time.Minute, kinds: []string{"oracle"}, dir: t.TempDir(), scenes: 2}
	var out strings.Builder
	if ok, err := o.run(&out); !ok || err != nil {
		t.Fatalf("got %v and %v:\n%s", ok, err, out.String())
	}
	line := ""
	for _, l := range strings.Split(out.String(), "\n") {
		if strings.HasPrefix(l, "oracle ") {
			line = l
		}
	}
	if fields := strings.Fields(line); len(fields) != 7 || fields[1] != "2" || fields[2] == "0" {
		t.Errorf("got the line %q in\n%s", line, out.String())
	}
}

func TestReplayPrintsTheFailuresOfAFile(t *testing.T) {
	s := search.New("gas", 1)
	s.Steps = 1
	s.Things[0].Bad = "no such field"
	file := filepath.Join(t.TempDir(), "scene.json")
	if err := s.Save(file); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	o := options{replay: file}
	if ok, err := o.run(&out); ok || err != nil || !strings.Contains(out.String(), "panic: ") {
		t.Errorf("got %v and %v:\n%s", ok, err, out.String())
	}
	o.replay = "gas:1"
	if _, err := o.run(&out); err != nil {
		t.Error(err)
	}
	o.replay = "gas:x"
	if _, err := o.run(&out); err == nil {
		t.Error("a scene that doesn't exist: got no error")
	}
}

func TestTheReportNamesLimitsAndFailures(t *testing.T) {
	var out strings.Builder
	report(&out, []string{"gas"}, map[string]*tally{"gas": {steps: 5}}, map[string]int{verify.Limits()[0]: 3}, nil,
		map[string]int{"overlap in gas": 2})
	for _, want := range []string{"limit \"" + verify.Limits()[0] + "\": 3 times", `FAILED "overlap in gas": 2 times`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}

// A scene may wait for others as long as it likes: only its own work counts.
func TestAWatchEndsWhatWorksForTooLong(t *testing.T) {
	stop := watch(time.Hour, func() { t.Error("it has ended what has hardly begun") })
	stop()
	ended := make(chan struct{})
	stop = watch(20*time.Millisecond, func() { close(ended) })
	defer stop()
	for sum := 0; ; sum++ {
		select {
		case <-ended:
			return
		default:
		}
	}
}
