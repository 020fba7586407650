package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dango-physics/dango/bench/internal/check"
	"github.com/dango-physics/dango/bench/internal/scene"
)

// write writes s to a file of its own and returns its name.
func write(t *testing.T, s *scene.Scene) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "scene.txt")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// dump runs o and returns the line it prints and the dump it writes.
func dump(t *testing.T, o options) (string, []byte) {
	t.Helper()
	o.dump = filepath.Join(t.TempDir(), "dump.bin")
	line, err := run(o)
	if err != nil {
		t.Fatal(err)
	}
	frames, err := os.ReadFile(o.dump)
	if err != nil {
		t.Fatal(err)
	}
	return line, frames
}

func TestRunPrintsOneLineAndDumpsEveryFrame(t *testing.T) {
	s := scene.Gas(50, 1)
	s.Steps, s.Every = 25, 10
	line, frames := dump(t, options{workers: 2, steps: -1, friction: -1, scene: write(t, s)})

	var got map[string]any
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"engine": "dango", "mode": "workers=2", "scene": "scene", "n": 50.0, "steps": 25.0,
	} {
		if got[key] != want {
			t.Errorf("%s: got %v, want %v in %s", key, got[key], want, line)
		}
	}
	for _, key := range []string{"ms_per_step_median", "ms_per_step_mean", "ms_total"} {
		if ms, ok := got[key].(float64); !ok || ms <= 0 {
			t.Errorf("%s: got %v, want a time in %s", key, got[key], line)
		}
	}

	frame := len(s.Spheres) * scene.FrameBytes
	if got, want := len(frames), 3*frame; got != want { // the start, and after steps 10 and 20
		t.Fatalf("got a dump of %d bytes, want %d", got, want)
	}
	var start bytes.Buffer
	if err := scene.NewWorld(s).WriteFrame(&start); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(frames[:frame], start.Bytes()) {
		t.Error("frame 0 isn't the start")
	}
	if bytes.Equal(frames[frame:2*frame], start.Bytes()) {
		t.Error("frame 1 is the start once more")
	}
}

func TestRunSaysWhatItCannotDo(t *testing.T) {
	file := write(t, scene.Gas(5, 1))
	broken := filepath.Join(t.TempDir(), "broken.txt")
	if err := os.WriteFile(broken, []byte("2 9 9 9\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	far := scene.Gas(5, 1)
	far.Spheres[3].Position.X = 1e300
	out := filepath.Join(t.TempDir(), "dump.bin")
	for _, c := range []struct {
		name string
		o    options
		want string
	}{
		{"no workers", options{workers: 0, scene: file, dump: out}, "-workers 0"},
		{"fewer steps than none", options{workers: 1, steps: -5, friction: -1, scene: file, dump: out}, "-steps -5"},
		{
			"friction that pushes",
			options{workers: 1, steps: -1, friction: -0.5, scene: file, dump: out},
			"-friction -0.5",
		},
		{
			"friction that is not a number",
			options{workers: 1, steps: -1, friction: math.NaN(), scene: file, dump: out},
			"-friction NaN",
		},
		{"no scene", options{workers: 1, friction: -1, scene: file + ".none", dump: out}, "no such file"},
		{
			"no such name",
			options{workers: 1, friction: -1, scene: "steam:9", dump: out},
			"no scene is called \"steam\"",
		},
		{
			"a broken scene",
			options{workers: 1, friction: -1, scene: broken, dump: out},
			broken + ": line 1: 4 fields instead of 13",
		},
		{
			"a scene that physics refuses",
			options{workers: 1, steps: -1, friction: -1, scene: write(t, far), dump: out},
			"Transform.Position",
		},
		{
			"nowhere to write",
			options{workers: 1, friction: -1, scene: file, dump: filepath.Join(file, "dump")},
			"not a directory",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if line, err := run(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, %v, want an error that says %q", line, err, c.want)
			}
		})
	}
}

// TestSharedScenes runs the scenes that all compared engines run, and judges the dumps as theirs
// are judged.
func TestSharedScenes(t *testing.T) {
	for _, c := range []struct {
		kind     string
		n, steps int // steps below 0: the scene's own
	}{
		{"gas", 1000, -1},
		{"bullets", 1000, -1},
		{"mix", 1000, -1},
		{"gas", 10000, 60},
	} {
		t.Run(fmt.Sprintf("%s_%d", c.kind, c.n), func(t *testing.T) {
			s, err := scene.Shared(c.kind, c.n)
			if err != nil {
				t.Fatal(err)
			}
			file := write(t, s)
			line, frames := dump(t, options{workers: 1, steps: c.steps, friction: -1, scene: file})
			t.Log(line)
			judge(t, s, frames)
			if frame := len(frames) / 3; bytes.Equal(frames[:frame], frames[len(frames)-frame:]) {
				t.Error("nothing moved")
			}

			if _, shuffled := dump(
				t, options{workers: 1, steps: c.steps, friction: -1, shuffle: 1, scene: file},
			); !bytes.Equal(shuffled, frames) {
				t.Error("entities created in another order give other bits")
			}
		})
	}
}

// judge fails the test if, in any frame, the energy is off by 1e-9, a sphere reaches into another
// or a wall by more than 5e-11 of the smaller radius, which is 1e-9 of the smallest radius of any
// of these scenes, or a sphere has left the box or isn't at a finite place.
func judge(t *testing.T, s *scene.Scene, dump []byte) {
	t.Helper()
	frames, err := check.Dump(s, bytes.NewReader(dump))
	if err != nil {
		t.Fatal(err)
	}
	if len(frames) < 3 {
		t.Fatalf("got %d frames, want 3 or more", len(frames))
	}
	const deepest = 5e-11
	for i, f := range frames {
		if ratio := f.Energy / frames[0].Energy; math.Abs(ratio-1) > 1e-9 || f.Escaped != 0 || f.NaN != 0 ||
			f.Overlap > deepest || f.Sunk > deepest {
			t.Errorf("frame %d: got %+v, and energy in the ratio %v", i, f, ratio)
		}
	}
	t.Logf("%+v", check.Summary(frames))
}
