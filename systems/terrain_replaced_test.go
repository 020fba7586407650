package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// slopedTerrain returns terrain of 32 by 32 heights that falls by 30 degrees along X, with a hole
// from the given row on.
func slopedTerrain(t *testing.T, hole int) *collide.HeightField {
	t.Helper()
	heights := make([]float64, 32*32)
	for k := range heights {
		if heights[k] = -float64(k/32) * math.Tan(math.Pi/6); k/32 >= hole {
			heights[k] = math.NaN()
		}
	}
	field, err := collide.NewHeightField(vec(0, 0, 0), 1, 1, 32, heights)
	if err != nil {
		t.Fatal(err)
	}
	return field
}

// A game that digs replaces its terrain. Each time, all that lay on a slope slid by 2.5 mm, since
// its contacts had ended, and never slept.
func TestWhatLiesOnTerrainStaysThereWhenTheGameReplacesThat(t *testing.T) {
	normal := vec(math.Sin(math.Pi/6), math.Cos(math.Pi/6), 0)
	at := vec(4.3, -4.3*math.Tan(math.Pi/6), 15)
	for name, create := range map[string]func(w donburi.World) *donburi.Entry{
		"ball": func(w donburi.World) *donburi.Entry {
			return components.CreateBall(w, at.AddScaled(0.3+1e-9, normal), 0.3)
		},
		"crate": func(w donburi.World) *donburi.Entry {
			e := components.CreateCrate(w, at.AddScaled(0.5+1e-9, normal), vec(0.5, 0.5, 0.5))
			components.Transform.Get(e).Rotation = collide.Rotation2D(-math.Pi / 6)
			return e
		},
	} {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
		ground := components.CreateHeightField(w, vec(0, 0, 0), slopedTerrain(t, 99), components.Material)
		components.Material.SetValue(ground, components.MaterialData{Friction: 0.8})
		e := create(w)
		components.Material.Get(e).Friction = 0.8
		for range 100 {
			p.Step(w)
		}
		from := position(e)
		for range 100 {
			components.ShapeCollider.Get(ground).Shape = slopedTerrain(t, 20) // far away
			p.Step(w)
			for i := range p.Impacts() {
				t.Fatalf("%s: an impact at %v m/s", name, i.Approach)
			}
		}
		if moved := position(e).Distance(from); moved > 1e-9 {
			t.Errorf("%s: it has moved by %v m", name, moved)
		}
		components.ShapeCollider.Get(ground).Shape = slopedTerrain(t, 3) // what it lies on
		for range 60 {
			p.Step(w)
		}
		if sunk := from.Y - position(e).Y; sunk < 4 {
			t.Errorf("%s: it falls by %v m in a second without ground", name, sunk)
		}
		for err := range p.Errors() {
			t.Error(err)
		}
	}
}
