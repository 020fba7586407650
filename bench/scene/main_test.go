package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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
	for key, want := range map[string]any{"engine": "dango", "mode": "workers=2", "scene": "scene", "n": 50.0, "steps": 25.0} {
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
		{"friction that pushes", options{workers: 1, steps: -1, friction: -0.5, scene: file, dump: out}, "-friction -0.5"},
		{"friction that is not a number", options{workers: 1, steps: -1, friction: math.NaN(), scene: file, dump: out}, "-friction NaN"},
		{"no scene", options{workers: 1, friction: -1, scene: file + ".none", dump: out}, "no such file"},
		{"no such name", options{workers: 1, friction: -1, scene: "steam:9", dump: out}, "no scene is called \"steam\""},
		{"a broken scene", options{workers: 1, friction: -1, scene: broken, dump: out}, broken + ": line 1: 4 fields instead of 13"},
		{"a scene that physics refuses", options{workers: 1, steps: -1, friction: -1, scene: write(t, far), dump: out}, "Transform.Position"},
		{"nowhere to write", options{workers: 1, friction: -1, scene: file, dump: filepath.Join(file, "dump")}, "not a directory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if line, err := run(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, %v, want an error that says %q", line, err, c.want)
			}
		})
	}
}

// TestSharedScenes runs the scenes that every engine we compare with runs, and has them judged by the checker that
// judges those engines. They lie beside this repository, not in it.
func TestSharedScenes(t *testing.T) {
	shared, err := filepath.Abs("../../../shared/scenes")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(shared, "main.go")); err != nil {
		t.Skip("the shared scenes aren't here; package bench/internal/scene tests scenes of its own")
	}
	checker := filepath.Join(t.TempDir(), "scenes")
	build := exec.Command("go", "build", "-o", checker, ".")
	build.Dir = shared
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, c := range []struct {
		kind     string
		n, steps int // steps below 0: the scene's own
		smallest float64
	}{
		{"gas", 1000, -1, 0.5},
		{"bullets", 1000, -1, 0.05},
		{"mix", 1000, -1, 0.05},
		{"gas", 10000, 60, 0.5},
	} {
		t.Run(fmt.Sprintf("%s_%d", c.kind, c.n), func(t *testing.T) {
			text, err := exec.Command(checker, "gen", c.kind, fmt.Sprint(c.n)).Output()
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), c.kind+".txt")
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
			line, frames := dump(t, options{workers: 1, steps: c.steps, friction: -1, scene: file})
			t.Log(line)
			judge(t, checker, file, frames, c.smallest)
			if frame := len(frames) / 3; bytes.Equal(frames[:frame], frames[len(frames)-frame:]) {
				t.Error("nothing moved")
			}

			if _, shuffled := dump(t, options{workers: 1, steps: c.steps, friction: -1, shuffle: 1, scene: file}); !bytes.Equal(shuffled, frames) {
				t.Error("entities created in another order give other bits")
			}
		})
	}
}

// judge fails the test where the shared checker finds, in any frame, energy off by 1e-9 or an overlap of more than 1e-9
// of the smallest radius, or a sphere that has left the box or ceased to be a number.
func judge(t *testing.T, checker, file string, frames []byte, smallest float64) {
	t.Helper()
	dump := filepath.Join(t.TempDir(), "dump.bin")
	if err := os.WriteFile(dump, frames, 0o644); err != nil {
		t.Fatal(err)
	}
	check := exec.Command(checker, "check", file, dump)
	check.Env = append(os.Environ(), "V=1") // one line a frame, then one for all
	out, err := check.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for _, l := range lines[:len(lines)-1] {
		var frame, escaped, nan, deep int
		var energy, ratio, fastest, pair float64
		if _, err := fmt.Sscanf(l, "frame %d: energy %g ratio %g fastest %g escaped %d nan %d penetration %g deep pairs %d",
			&frame, &energy, &ratio, &fastest, &escaped, &nan, &pair, &deep); err != nil {
			t.Fatalf("%v in the checker's line %q", err, l)
		}
		if math.Abs(ratio-1) > 1e-9 || escaped != 0 || nan != 0 || pair > 1e-9*smallest {
			t.Errorf("got %s", l)
		}
	}
	var count int
	var pair, wall float64
	last := lines[len(lines)-1]
	if _, err := fmt.Sscanf(last, "frames %d | worst penetration: pair %g wall %g", &count, &pair, &wall); err != nil {
		t.Fatalf("%v in the checker's line %q", err, last)
	}
	t.Log(last)
	if count < 3 || pair > 1e-9*smallest || wall > 1e-9*smallest {
		t.Errorf("got %s", last)
	}
}
