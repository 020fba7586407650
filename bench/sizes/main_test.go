package main

import (
	"strings"
	"testing"

	"github.com/dango-physics/dango/bench/internal/measure"
)

func TestRunPrintsALineForEachScene(t *testing.T) {
	for _, c := range []struct {
		json  bool
		lines int
	}{{false, 3}, {true, 2}} {
		var out strings.Builder
		if err := run(&out, []string{"gas:20", "level:20"}, measure.Options{Steps: 2, Warm: 1}, c.json); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "\n"); got != c.lines || !strings.Contains(out.String(), "level:20") {
			t.Errorf("json %v: got %q, want %d lines", c.json, &out, c.lines)
		}
	}
	for _, wrong := range []measure.Options{{Steps: -3}, {Warm: -3}, {Workers: -1}} {
		if err := run(&strings.Builder{}, []string{"gas:20"}, wrong, false); err == nil {
			t.Errorf("got no error for %+v", wrong)
		}
	}
	if err := run(&strings.Builder{}, []string{"steam"}, measure.Options{}, false); err == nil {
		t.Error("got no error for a scene that isn't there")
	}
}
