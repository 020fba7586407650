package check

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dango-physics/dango/bench/internal/scene"
	"github.com/dango-physics/dango/collide"
)

// pair is two spheres of radius 1 and 0.5 in a box from -10 to 10, of which the first moves at 2
// m/s.
func pair() *scene.Scene {
	return &scene.Scene{
		Half: collide.Vec3{X: 10, Y: 10, Z: 10},
		Spheres: []scene.Sphere{
			{Position: collide.Vec3{X: -4}, Velocity: collide.Vec3{X: 2}, Radius: 1, Mass: 3},
			{Position: collide.Vec3{X: 4}, Radius: 0.5, Mass: 1},
		},
	}
}

// dump returns frames of two spheres, given as x, y, z, vx, vy, vz of each.
func dump(frames ...[12]float64) *bytes.Buffer {
	var out bytes.Buffer
	for _, f := range frames {
		for _, x := range f {
			_ = binary.Write(&out, binary.LittleEndian, x) // a bytes.Buffer takes it
		}
	}
	return &out
}

func TestDumpSeesWhatIsWrongInAFrame(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name  string
		frame [12]float64
		want  Frame
	}{
		{"nothing", [12]float64{-4, 0, 0, 2, 0, 0, 4, 0, 0, 0, 0, 0}, Frame{Energy: 6, Fastest: 2}},
		{"spheres that touch", [12]float64{0, 0, 0, 0, 0, 0, 0, 1.5, 0, 0, 0, 0}, Frame{}},
		{
			"spheres that overlap by half of the smaller radius",
			[12]float64{0, 0, 0, 0, 0, 0, 0, 0, -1.25, 0, 0, 0},
			Frame{Overlap: 0.5},
		},
		{"one inside the other", [12]float64{1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0}, Frame{Overlap: 3}},
		{"one in a wall by a quarter", [12]float64{0, 0, 9.25, 0, 0, 0, 4, 0, 0, 0, 0, 0}, Frame{Sunk: 0.25}},
		{"one outside", [12]float64{-10.5, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0}, Frame{Sunk: 1.5, Escaped: 1}},
		{"one far outside", [12]float64{0, 1e30, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0}, Frame{Sunk: 1e30, Escaped: 1}},
		{
			"a position that isn't a number",
			[12]float64{0, nan, 0, 9, 9, 9, 0, 0, 0, 0, 4, 0},
			Frame{Energy: 8, Fastest: 4, NaN: 1},
		},
		{"a speed beyond all bounds", [12]float64{0, 0, 0, 1e200, 0, 0, 0, 0, 0, 0, 0, 0}, Frame{NaN: 1}},
		{"a speed without end", [12]float64{0, 0, 0, inf, 0, 0, 0, 0, 0, 0, 0, 0}, Frame{NaN: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Dump(pair(), dump(c.frame))
			if err != nil || len(got) != 1 || got[0] != c.want {
				t.Errorf("got %+v, %v, want %+v", got, err, c.want)
			}
		})
	}
}

func TestAnOpenTopLetsOutUpwardsOnly(t *testing.T) {
	s := pair()
	s.OpenTop = true
	for _, c := range []struct {
		name    string
		x, y    float64
		escaped int
	}{{"up", 0, 12, 0}, {"down", 0, -12, 1}, {"sideways", 12, 0, 1}, {"up and sideways", 12, 12, 1}} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Dump(s, dump([12]float64{c.x, c.y, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0}))
			if err != nil || got[0].Escaped != c.escaped {
				t.Errorf("got %+v, %v, want %d escaped", got, err, c.escaped)
			}
		})
	}
}

func TestDumpSaysWhereItEnds(t *testing.T) {
	whole := dump([12]float64{}, [12]float64{}).Bytes()
	frames, err := Dump(pair(), bytes.NewReader(whole[:len(whole)-1]))
	if len(frames) != 1 || err == nil || !strings.Contains(err.Error(), "within frame 1") {
		t.Errorf("got %d frames, %v, want 1 and an error that names frame 1", len(frames), err)
	}
}

func TestSummaryKeepsTheWorst(t *testing.T) {
	got := Summary([]Frame{
		{Energy: 2, Overlap: 0.1},
		{Energy: 6, Overlap: 0.3, Sunk: 0.5, Escaped: 2, NaN: 1, Fastest: 9},
		{Energy: 1, Fastest: 4, Escaped: 1},
	})
	want := Worst{Frames: 3, Overlap: 0.3, Sunk: 0.5, Escaped: 2, NaN: 1, Energy: 1, Ratio: 0.5, Drift: 2, Fastest: 4}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestOverlapAgainstAllPairs compares the grid with the search of all pairs.
func TestOverlapAgainstAllPairs(t *testing.T) {
	for _, c := range []struct {
		name  string
		scene *scene.Scene
	}{
		{"gas300", shared(t, "gas", 300)},
		{"mix300", shared(t, "mix", 300)},
		{"bullets100", shared(t, "bullets", 100)},
		{"gas2d300", scene.Gas2D(300, 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.scene
			rng := rand.New(rand.NewPCG(3, 4))
			for round := range 20 {
				positions := make([]collide.Vec3, len(s.Spheres))
				for i, b := range s.Spheres {
					size := float64(round) / 10
					positions[i] = b.Position.Add(collide.Vec3{
						X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64(),
					}.Scale(size))
				}
				want := 0.0
				for i, a := range s.Spheres {
					for j, b := range s.Spheres[:i] {
						want = max(
							want, (a.Radius+b.Radius-positions[i].Distance(positions[j]))/min(a.Radius, b.Radius),
						)
					}
				}
				if got := overlap(s, positions); got != want {
					t.Fatalf("round %d: got %v, want %v", round, got, want)
				}
			}
		})
	}
}

// shared returns a shared scene.
func shared(t *testing.T, kind string, n int) *scene.Scene {
	t.Helper()
	s, err := scene.Shared(kind, n)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestVerdictsOfAnotherChecker compares the verdicts with those of an independent checker, which
// judged the same dumps of eight frames. testdata has what it printed: one line a frame, and one
// for all.
func TestVerdictsOfAnotherChecker(t *testing.T) {
	for _, c := range []struct {
		name  string
		scene *scene.Scene
	}{
		{"gas500", shared(t, "gas", 500)},
		{"gas2d500", scene.Gas2D(500, 1)},
		{"pile200", shared(t, "pile", 200)},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.scene
			text, err := os.ReadFile(filepath.Join("testdata", c.name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(string(text)), "\n")
			frames, err := Dump(s, strewn(s))
			if err != nil || len(frames) != len(lines)-1 {
				t.Fatalf("got %d frames, %v, want %d", len(frames), err, len(lines)-1)
			}
			for i, f := range frames {
				var frame, deep, nan, escaped int
				var ratio, energy, fastest, pair float64
				if _, err := fmt.Sscanf(lines[i], "frame %d: energy %g ratio %g fastest %g escaped %d nan %d "+
					"penetration %g deep pairs %d",
					&frame, &energy, &ratio, &fastest, &escaped, &nan, &pair, &deep); err != nil {
					t.Fatalf("%v in the checker's line %q", err, lines[i])
				}
				// All radii are 0.5, and the checker prints 9 digits of an energy and 3 of a
				// length.
				if ours := f.Overlap / 2; f.Escaped != escaped || math.Abs(f.Energy-energy) > 1e-8*energy ||
					math.Abs(f.Fastest-fastest) > 1e-3*fastest || math.Abs(ours-pair) > 0.01*pair {
					t.Errorf("got %+v, the checker says %s", f, lines[i])
				}
			}
			var count int
			var pair, wall float64
			last := lines[len(lines)-1]
			if _, err := fmt.Sscanf(
				last, "frames %d | worst penetration: pair %g wall %g", &count, &pair, &wall,
			); err != nil {
				t.Fatal(err)
			}
			if w := Summary(frames); w.Frames != count || math.Abs(w.Sunk/2-wall) > 0.01*wall {
				t.Errorf("got %+v, the checker says %s", w, last)
			}
		})
	}
}

// strewn returns a dump of eight frames whose spheres are ever farther from where they start: first
// they overlap, then they leave the box.
func strewn(s *scene.Scene) *bytes.Buffer {
	var motions bytes.Buffer
	rng := rand.New(rand.NewPCG(5, 6))
	for frame := range 8 {
		for i, b := range s.Spheres {
			p := b.Position.Add(collide.Vec3{
				X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64(),
			}.Scale(float64(frame) / 5))
			v := b.Velocity.Scale(1 + 0.1*float64(frame))
			if i == 7 && frame == 6 {
				v.X = 1000
			}
			// a bytes.Buffer takes it
			_ = binary.Write(&motions, binary.LittleEndian, [6]float64{p.X, p.Y, p.Z, v.X, v.Y, v.Z})
		}
	}
	return &motions
}
