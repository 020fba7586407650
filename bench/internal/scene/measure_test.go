package scene

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
)

// The quick measurement has to see every overlap that the slow one sees: here of spheres of all
// sizes strewn over each other and over tiles, before physics takes them apart.
func TestMeasureNearSeesEveryOverlap(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	overlaps := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 20))
		s := Level(60, seed)
		half := s.Half.X * (1 + float64(seed%5))
		s.Half = collide.Vec3{X: half, Y: half, Z: half}
		for range 40 {
			r := 0.05 / (0.005 + unit(rng))
			s.Spheres = append(s.Spheres, Sphere{Position: uniform(rng, half), Radius: r, Mass: 1})
		}
		w := NewWorld(s)
		slow, near := s.Measure(w), s.MeasureNear(w)
		if slow.Overlap > 0 {
			overlaps++
		}
		near.Overlap, slow.Overlap = max(0, near.Overlap), max(0, slow.Overlap)
		if near != slow {
			t.Fatalf("seed %d: got %+v, want %+v", seed, near, slow)
		}
	}
	if overlaps < 50 || overlaps > 195 {
		t.Errorf("%d of 200 scenes have overlaps: too few or too many to say anything", overlaps)
	}
}

// Tiles count: a sphere that is put onto one is seen.
func TestMeasureSeesWhatIsInATile(t *testing.T) {
	s := &Scene{
		Half: collide.Vec3{X: 9, Y: 9, Z: 9}, StepSeconds: 1,
		Spheres: []Sphere{{Position: collide.Vec3{Y: 0.75}, Radius: 1, Mass: 1}},
		Tiles:   [][]collide.Vec3{{{X: -3, Z: 3}, {X: 3, Z: 3}, {X: 3, Z: -3}, {X: -3, Z: -3}}},
	}
	w := NewWorld(s)
	for name, got := range map[string]Report{"Measure": s.Measure(w), "MeasureNear": s.MeasureNear(w)} {
		if math.Abs(got.Overlap-0.25) > 1e-15 {
			t.Errorf("%s: got an overlap of %v, want 0.25", name, got.Overlap)
		}
	}
}

func TestEveryNamedSceneIsThere(t *testing.T) {
	for _, name := range Names() {
		for _, n := range []string{"1", "7", "100", "1000"} {
			s, err := Named(name + ":" + n)
			if err != nil {
				t.Fatal(err)
			}
			w := NewWorld(s)
			run(t, w, 1)
			if now := s.MeasureNear(w); now.Overlap > deepest || now.Sunk > deepest || now.Escaped+now.NaN > 0 {
				t.Errorf("%s:%s: got %+v after a step", name, n, now)
			}
		}
	}
	for _, wrong := range []string{"", "gas:", "gas:0", "gas:ten", "steam", "bullets:2000"} {
		if _, err := Named(wrong); err == nil {
			t.Errorf("%q: got a scene, want an error", wrong)
		}
	}
}
