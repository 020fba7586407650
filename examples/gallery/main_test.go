package main

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"image/gif"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/dango-physics/dango/examples/internal/catalog"
	"github.com/dango-physics/dango/examples/internal/stage"
	"github.com/dango-physics/dango/internal/slow"
)

func TestTheGalleryHasWhatTheCatalogLists(t *testing.T) {
	if len(examples) != len(catalog.Entries) {
		t.Fatalf("%d examples, and %d in the catalog", len(examples), len(catalog.Entries))
	}
	for i, e := range catalog.Entries {
		if examples[i].Name != e.Name {
			t.Errorf("example %d is %s, and in the catalog %s", i, examples[i].Name, e.Name)
		}
		f, err := pictures.Open("pictures/" + e.Name + ".png")
		if err != nil {
			t.Errorf("%v: make it with docs/pictures/make", err)
			continue
		}
		if c, err := png.DecodeConfig(f); err != nil || c.Width != 480 || c.Height != 300 {
			t.Errorf("the picture of %s has %dx%d pixels (%v), want 480x300", e.Name, c.Width, c.Height, err)
		}
		f.Close()
		loop, err := os.ReadFile("../../docs/pictures/" + e.Name + ".gif")
		if err != nil {
			t.Errorf("%v: make it with docs/pictures/make", err)
			continue
		}
		if g, err := gif.DecodeAll(bytes.NewReader(loop)); err != nil || g.LoopCount != 0 || len(g.Image) < 20 {
			t.Errorf("the GIF of %s does not repeat forever, or has less than 20 frames: %v", e.Name, err)
		}
		if len(loop) > 700_000 {
			t.Errorf("the GIF of %s has %d bytes, want at most 700,000", e.Name, len(loop))
		}
	}
}

// The README says that games may begin with a copy of scene.go. Those of platformer and level
// imported an internal package, which other modules can't.
func TestOtherModulesCanCopyScenes(t *testing.T) {
	for _, e := range catalog.Entries {
		name := "../" + e.Name + "/scene.go"
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if strings.Contains(i.Path.Value, "/internal/") || strings.Contains(i.Path.Value, "ebiten") {
				t.Errorf("%s imports %s", name, i.Path.Value)
			}
		}
	}
}

// No two texts of an example and its panel overlap, none leaves the window, and all can be read: on
// a desktop, in a small window, and on a phone both ways.
func TestTextsDontOverlap(t *testing.T) {
	names := []string{""}
	for _, e := range catalog.Entries {
		names = append(names, e.Name)
	}
	sizes := [][3]float64{
		{1280, 800, 1}, {640, 360, 1}, {480, 320, 1}, {400, 800, 1}, {844, 390, 1}, {800, 1600, 2}, {1688, 780, 2},
	}
	for _, name := range names {
		for _, ticks := range []int{0, 200} {
			if name == "" && ticks > 0 {
				continue
			}
			probe := stage.NewProbe(examples, name, ticks)
			for _, size := range sizes {
				for page, pages := 0, 1; page < pages; page++ {
					var texts []stage.Label
					texts, pages = probe.Texts(page, size[0], size[1], size[2])
					where := fmt.Sprintf("%q at %gx%g, %d ticks, page %d", name, size[0], size[1], ticks, page)
					check(t, where, texts, size)
				}
			}
		}
	}
}

// Every example can be heard when it plays by itself, and none is too loud.
func TestEveryExampleIsHeard(t *testing.T) {
	for _, e := range catalog.Entries {
		probe, peak := stage.NewProbe(examples, e.Name, 0), 0.0
		for ticks := 0; peak < 0.05 && ticks < 600; ticks += 10 {
			peak = probe.Peak(10)
		}
		if peak < 0.05 || peak >= 1 {
			t.Errorf("the largest sample of %s is %g", e.Name, peak)
		}
	}
}

func check(t *testing.T, where string, texts []stage.Label, size [3]float64) {
	t.Helper()
	if len(texts) < 8 {
		t.Errorf("%s: only %d texts", where, len(texts))
	}
	for i, a := range texts {
		if a.Area.X < 0 || a.Area.Y < 0 || a.Area.X+a.Area.W > size[0] || a.Area.Y+a.Area.H > size[1] {
			t.Errorf("%s: %q leaves the window: %.0f", where, a.Text, a.Area)
		}
		if a.Size < 7 && a.Text != "" {
			t.Errorf("%s: %q is %.1f points high", where, a.Text, a.Size)
		}
		for _, b := range texts[:i] {
			if a.Area.X < b.Area.X+b.Area.W && b.Area.X < a.Area.X+a.Area.W &&
				a.Area.Y < b.Area.Y+b.Area.H && b.Area.Y < a.Area.Y+a.Area.H {
				t.Errorf("%s: %q and %q overlap: %.0f and %.0f", where, a.Text, b.Text, a.Area, b.Area)
			}
		}
	}
}

// No body is stopped because it is squeezed, in any example that plays itself.
func TestExamplesExhaustNoBudgets(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	ticks := slow.Steps(600)
	if slow.All() {
		ticks = 1500
	}
	for k, e := range examples {
		g := e.New(catalog.Entries[k].Seed)
		g.Reset()
		for tick := range ticks {
			g.Step(stage.Input{W: 640, H: 400, Scale: 1, Auto: true})
			p := g.Panel().Physics
			if p == nil {
				continue
			}
			if n := p.Stats().SpentBudgets; n > 0 {
				t.Errorf("%s, tick %d: %d bodies are halted", e.Name, tick, n)
			}
		}
	}
}
