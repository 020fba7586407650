package main

import (
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dango-physics/dango/bench/internal/scene"
	"github.com/dango-physics/dango/collide"
)

// TestSettings asks of every engine that setup has installed what the comparison promises: no
// restitution threshold, no speed limit, no damping, masses and restitutions that are those of the
// scene.
func TestSettings(t *testing.T) {
	dir := t.TempDir()
	build, err := filepath.Abs("../../.build")
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"cp", "box2d"} {
		if out, err := exec.Command(
			"go", "build", "-o", dir+string(filepath.Separator), "../"+program,
		).CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
	}
	dangoBuild := exec.Command("go", "build", "-o", filepath.Join(dir, "dango"), "./bench/scene")
	dangoBuild.Dir = filepath.Join("..", "..", "..", "..")
	if out, err := dangoBuild.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	if text, err := os.ReadFile(filepath.Join(build, "bullet")); err == nil {
		if err := os.WriteFile(filepath.Join(dir, "bullet"), text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	node, err := filepath.Abs("../../node")
	if err != nil {
		t.Fatal(err)
	}

	at := func(x, y float64) collide.Vec3 { return collide.Vec3{X: x, Y: y} }
	for _, e := range append(peers(dir, node), reference(dir)) {
		t.Run(strings.ReplaceAll(e.name+" "+e.mode, " ", "_"), func(t *testing.T) {
			fast := 900.0
			if !e.solid {
				fast = 110 // Box2D's limit of 2 m a step is a constant
			}
			s := &scene.Scene{
				Half: collide.Vec3{X: 400, Y: 400, Z: 400}, Restitution: 1, StepSeconds: 1.0 / 60, Steps: 30, Every: 30,
				Spheres: []scene.Sphere{
					{Position: at(-399.4, 0), Velocity: at(-0.5, 0), Radius: 0.5, Mass: 1}, // slow, hits a wall
					// slow, hits the next one, which is
					{Position: at(0, -1), Velocity: at(0, 0.3), Radius: 0.5, Mass: 1},
					{Position: at(0, 0.05), Velocity: at(0, 0), Radius: 0.5, Mass: 3},       // three times as heavy
					{Position: at(-390, 50), Velocity: at(fast, 0), Radius: 0.05, Mass: 10}, // fast, hits nothing
				},
			}
			want := []collide.Vec3{at(0.5, 0), at(0, -0.15), at(0, 0.15), at(fast, 0)}

			file, dump := filepath.Join(dir, "scene.txt"), filepath.Join(dir, "dump.bin")
			if err := write(s, file); err != nil {
				t.Fatal(err)
			}
			b := bench{timeout: time.Minute}
			if _, _, err := b.run(t.Context(), e, file, dump); err != nil {
				if strings.Contains(err.Error(), "not installed") {
					t.Skip(err)
				}
				t.Fatal(err)
			}
			motions, err := os.ReadFile(dump)
			if err != nil || len(motions) != 2*len(s.Spheres)*scene.FrameBytes {
				t.Fatalf("got a dump of %d bytes, %v", len(motions), err)
			}
			number := func(frame, i, k int) float64 {
				return math.Float64frombits(binary.LittleEndian.Uint64(motions[((frame*len(s.Spheres)+i)*6+k)*8:]))
			}
			for i, b := range s.Spheres {
				start := collide.Vec3{X: number(0, i, 0), Y: number(0, i, 1), Z: number(0, i, 2)}
				if start.Distance(b.Position) > 1e-4 { // float32 has that at 400 m
					t.Errorf("sphere %d starts at %v, want %v", i, start, b.Position)
				}
				if i == 0 && e.key == "bullet" {
					// it stops what is slow and within 2 cm of a wall, and then there is nothing
					// left to bounce
					continue
				}
				v := collide.Vec3{X: number(1, i, 3), Y: number(1, i, 4), Z: number(1, i, 5)}
				if v.Distance(want[i]) > 0.02*want[i].Length() {
					t.Errorf("sphere %d ends with velocity %v, want %v", i, v, want[i])
				}
			}
		})
	}
}
