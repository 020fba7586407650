package scenes

import (
	"math"
	"reflect"
	"testing"
)

var all = []Name{{"gas", 500}, {"mix", 500}, {"bullets", 300}, {"pile", 300}, {"disc", 500}}

func TestParseReadsWhatStringWrites(t *testing.T) {
	for _, want := range all {
		if got, err := Parse(want.String()); err != nil || got != want {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	}
	for _, text := range []string{"", "gas", "1000", "gas0", "gas-5", "gas10x", "soup1000", "gas 1000"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q: got %v, want an error", text, got)
		}
	}
}

func TestScenesStartApartAndInside(t *testing.T) {
	for _, name := range all {
		t.Run(name.String(), func(t *testing.T) {
			s := name.Make(60)
			for i, a := range s.Spheres {
				p := a.Position
				if outside := max(
					math.Abs(p.X)-s.Half.X, math.Abs(p.Y)-s.Half.Y, math.Abs(p.Z)-s.Half.Z,
				); outside > -a.Radius {
					t.Fatalf("sphere %d at %v starts in a wall", i, p)
				}
				for j, b := range s.Spheres[:i] {
					if p.Distance(b.Position) < a.Radius+b.Radius {
						t.Fatalf("spheres %d and %d start in one another", i, j)
					}
				}
				if name.Flat() && (p.Z != 0 || a.Velocity.Z != 0) {
					t.Fatalf("sphere %d isn't in the plane: %+v", i, a)
				}
			}
			if again := name.Make(60); !reflect.DeepEqual(s, again) {
				t.Error("a second call makes another scene")
			}
			if s.Steps != 60 || s.Every != 5 {
				t.Errorf("got %d steps and a frame every %d, want 60 and 5", s.Steps, s.Every)
			}
		})
	}
}

func TestGasIsAsDenseAndFastAsItSays(t *testing.T) {
	for _, name := range []Name{{"gas", 10000}, {"disc", 10000}} {
		s := name.Make(1)
		speed, filled := 0.0, 0.0
		for _, b := range s.Spheres {
			speed += b.Velocity.Length() / float64(len(s.Spheres))
			if name.Flat() {
				filled += math.Pi * b.Radius * b.Radius / (4 * s.Half.X * s.Half.Y)
			} else {
				filled += 4.0 / 3 * math.Pi * b.Radius * b.Radius * b.Radius / (8 * s.Half.X * s.Half.Y * s.Half.Z)
			}
		}
		if math.Abs(speed-30) > 0.5 || math.Abs(filled-0.2) > 1e-9 {
			t.Errorf("%v: got mean speed %v and fraction %v, want 30 and 0.2", name, speed, filled)
		}
	}
}
