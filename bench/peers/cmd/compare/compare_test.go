package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dango-physics/dango/bench/peers/internal/report"
	"github.com/dango-physics/dango/bench/peers/internal/runner"
	"github.com/dango-physics/dango/bench/peers/internal/scenes"
)

func TestParseReadsTheLastLine(t *testing.T) {
	var got runner.Line
	err := parse("warning: something\n"+
		`{"engine":"bullet","version":"3.24","mode":"ccd","scene":"gas1000","n":1000,"steps":300,`+
		`"ms_per_step_median":2.5,"ms_per_step_later":2.25,"ms_per_step_mean":3,"ms_total":900}`+"\n", &got)
	want := runner.Line{
		Engine: "bullet", Version: "3.24", Mode: "ccd", Scene: "gas1000", N: 1000, Steps: 300, Median: 2.5,
		Later: 2.25, Mean: 3, Total: 900,
	}
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for _, out := range []string{"", "done", `{"engine":"bullet"}`} {
		if err := parse(out, new(runner.Line)); err == nil {
			t.Errorf("%q: got no error", out)
		}
	}
}

func TestReasonFindsWhatMatters(t *testing.T) {
	exit := errors.New("exit status 1")
	for _, c := range []struct{ complaints, want string }{
		{
			"RuntimeError: Aborted(OOM). Build with -sASSERTIONS for more info.\n    at abort\n\nNode.js v20",
			"out of memory",
		},
		{"terminate called after throwing an instance of 'std::bad_alloc'", "out of memory"},
		{
			"node:internal\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'jolt-physics'",
			"not installed: bash bench/peers/setup",
		},
		{
			"file.mjs:3\n  x()\n\nTypeError: x is not a function\n    at file.mjs:3:1\n",
			"crashed: TypeError: x is not a function",
		},
		{
			"panic: runtime error: index out of range\n\ngoroutine 1",
			"crashed: panic: runtime error: index out of range",
		},
		{"bullet: can't read x", "failed: exit status 1 bullet: can't read x"},
		{"", "failed: exit status 1"},
	} {
		if got := reason(c.complaints, exit); got != c.want {
			t.Errorf("%q: got %q, want %q", c.complaints, got, c.want)
		}
	}
}

func TestChoose(t *testing.T) {
	all := peers("build", "node")
	for list, want := range map[string]int{"": len(all), "bullet": 3, "cp,dango": 3} {
		if got, err := choose(all, list); err != nil || len(got) != want {
			t.Errorf("%q: got %d engines, %v, want %d", list, len(got), err, want)
		}
	}
	if _, err := choose(all, "bullet,havok"); err == nil || !strings.Contains(err.Error(), "havok") {
		t.Errorf("got %v, want an error that names the engine", err)
	}
}

// TestWallsArePlanesInOneScene: elsewhere that would only take time.
func TestWallsArePlanesInOneScene(t *testing.T) {
	for name, want := range map[scenes.Name]int{
		{Kind: "gas", N: 10000}: 2,
		{Kind: "gas", N: 1000}:  0,
		{Kind: "disc", N: 1000}: 0,
	} {
		got := 0
		for _, e := range peers("build", "node") {
			if strings.Contains(e.mode, "planes") && e.runs(name) {
				got++
			}
		}
		if got != want {
			t.Errorf("%v: got %d engines with planes, want %d", name, got, want)
		}
	}
}

func TestStepsEndInTime(t *testing.T) {
	for name, want := range map[scenes.Name]int{
		{Kind: "gas", N: 1000}: 300, {Kind: "gas", N: 10000}: 100, {Kind: "gas", N: 100000}: 20,
		{Kind: "pile", N: 1000}: 600,
		{Kind: "disc", N: 1000}: 300, {Kind: "disc", N: 5000}: 60,
	} {
		if got := steps(name, false); got != want {
			t.Errorf("%v: got %d steps, want %d", name, got, want)
		}
	}
}

// script makes a runner out of a shell script, which finds the scene in $1 and the dump in $2.
func script(t *testing.T, name, text string) engine {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return engine{key: name, name: name, mode: "only", solid: true, flat: true, command: []string{"sh", file}}
}

func TestSceneRunsThePeersBetweenRunsOfDango(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	// Two spheres, three frames: all zeros.
	works := func(ms string) string {
		return "head -c 288 /dev/zero >$2; echo '{\"steps\":10,\"ms_per_step_median\":" + ms + "}'"
	}
	dango := script(t, "dango", "printf d >>"+log+"; "+works("2"))
	peer := script(t, "peer", "printf p >>"+log+"; "+works("6"))
	crash := script(t, "crash", "printf c >>"+log+"; echo 'Error: no' >&2; exit 1")
	short := script(t, "short", "printf s >>"+log+"; : >$2; echo '{\"steps\":10,\"ms_per_step_median\":1}'")
	slow := script(t, "slow", "exec sleep 60")
	solid := peer
	solid.flat = false
	absent := engine{name: "absent", mode: "only", flat: true, command: []string{filepath.Join(t.TempDir(), "absent")}}

	b := bench{dir: t.TempDir(), rounds: 2, steps: 10, timeout: 2 * time.Second}
	rows, err := b.scene(
		t.Context(), scenes.Name{Kind: "disc", N: 2}, dango, []engine{peer, crash, short, absent, slow, solid},
	)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, r.Engine+": "+r.Failure)
	}
	want := []string{
		"dango: ", "peer: ", "crash: crashed: Error: no", "short: wrote 0 frames instead of 3",
		"absent: not installed: bash bench/peers/setup", "slow: stopped after 2s",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if order, err := os.ReadFile(log); err != nil || string(order) != "dpdpdcdsddd" {
		t.Errorf("got order %s, %v, want dpdpdcdsddd", order, err)
	}
	if p := rows[1]; len(p.Lines) != 2 || len(p.Before) != 2 || len(p.After) != 2 || p.Worst.Frames != 3 {
		t.Errorf("got %+v, want two runs with dango before and after them, and three frames", p)
	}
	if table := report.Tables(rows); !strings.Contains(table, "| peer,  | only | 6.00 | 3.00 |") {
		t.Errorf("got no ratio of 3 in\n%s", table)
	}
}
