package search

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/dango-physics/dango/bench/internal/verify"
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
)

func TestEqualSeedsGiveEqualScenes(t *testing.T) {
	for _, name := range Kinds() {
		if a, b := New(name, 7), New(name, 7); !same(a, b) {
			t.Errorf("%s: the scenes differ", name)
		}
		if a, b := New(name, 7), New(name, 8); same(a, b) {
			t.Errorf("%s: the scenes of two seeds are equal", name)
		}
	}
}

func TestEachKindRuns(t *testing.T) {
	slow.Skip(t, slow.Sequential, "bench/search runs these scenes, and package verify is tested by itself")
	for _, name := range Kinds() {
		s := New(name, 3)
		s.Steps = min(s.Steps, 3)
		r := Run(s)
		if r.Steps == 0 || len(s.Things) == 0 {
			t.Errorf("%s: got %d steps of %d things", name, r.Steps, len(s.Things))
		}
		for _, f := range r.Found {
			if f.Check == "panic" || f.Check == "error" || f.Check == "finite" {
				t.Errorf("%s: %s", name, f.Failure)
			}
		}
	}
}

func TestASceneSurvivesAFile(t *testing.T) {
	s := New("twin", 3)
	file := filepath.Join(t.TempDir(), "scene.json")
	if err := s.Save(file); err != nil {
		t.Fatal(err)
	}
	if got, err := Load(file); err != nil || !same(got, s) {
		t.Errorf("got another scene, or %v", err)
	}
}

// wrong is a scene with one thing that physics reports and the scene doesn't know to be invalid.
func wrong() *Scene {
	s := New("gas", 5)
	s.Steps = 20
	id := s.Things[len(s.Things)-1].ID + 1
	late := ball(vec(100, 0, 0), collide.Vec3{}, -1)
	late.ID = id
	s.Changes = append(s.Changes, Change{Step: 3, Stage: BeforeStep, ID: id, Thing: &late})
	return s
}

func TestAnErrorForNothingIsFoundAndShrunk(t *testing.T) {
	s := wrong()
	r := Run(s)
	f, bad := r.Unlimited()
	if !bad || f.Check != "error" || f.Step != 3 {
		t.Fatalf("got %+v, want an error in step 3", f)
	}
	small := Shrink(s, "error", 20*time.Second)
	if len(small.Things) > 0 || len(small.Changes) != 1 || small.Steps != 4 {
		t.Errorf("shrunk to %d things, %d changes and %d steps", len(small.Things), len(small.Changes), small.Steps)
	}
	r = Run(s, "error")
	if r.Steps != s.Steps {
		t.Errorf("an ignored failure: got %d steps, want %d", r.Steps, s.Steps)
	}
	if _, bad := r.Unlimited("error"); bad {
		t.Error("an ignored failure counts")
	}
}

func TestAMissingErrorIsFound(t *testing.T) {
	s := New("gas", 5)
	s.Steps, s.Twin = 1, nil
	b := ball(vec(100, 0, 0), collide.Vec3{}, 1)
	b.ID = 1000
	w := newWorld(s, nil)
	w.put(b.ID, &b)
	clear(w.changed)
	w.advance(func() {}, func() {})
	b.Bad = "Body.Mass" // it is valid, so there is no error
	if found := w.errors(); len(found) != 1 || found[0].Check != "error" {
		t.Errorf("got %v, want one error", found)
	}
}

func TestEachInvalidFieldGivesItsError(t *testing.T) {
	for name := range badFields {
		b := ball(collide.Vec3{}, collide.Vec3{}, 1)
		b.ID, b.Bad = 1, name
		if r := Run(&Scene{Steps: 1, Things: []Thing{b}}); len(r.Found) > 0 {
			t.Errorf("%s: %v", name, r.Found)
		}
	}
}

func TestTwinsThatDifferAreFound(t *testing.T) {
	world := func() *frame {
		return &frame{
			ids: []int{1, 2}, things: make([]thingBits, 2),
			impacts: []verify.Impact{{A: 1, B: 2}}, begins: []verify.Contact{{A: 1, B: 2}},
			ends: []verify.Contact{{A: 1, B: 2}},
		}
	}
	if got := difference(world(), world()); len(got) > 0 {
		t.Errorf("equal worlds: got %v", got)
	}
	for check, change := range map[string]func(*frame){
		"twin entities": func(f *frame) { f.ids[1] = 3 },
		"twin state":    func(f *frame) { f.things[1].Angular[0] = 5e-324 },
		"twin impacts":  func(f *frame) { f.impacts[0].Time = 1e-300 },
		"twin contacts": func(f *frame) { f.ends = nil },
	} {
		other := world()
		change(other)
		if got := difference(world(), other); len(got) != 1 || got[0].Check != check {
			t.Errorf("%s: got %v", check, got)
		}
	}
}

func TestAPanicIsAFailure(t *testing.T) {
	b := ball(collide.Vec3{}, collide.Vec3{}, 1)
	b.ID, b.Bad = 1, "no such field"
	r := Run(&Scene{Steps: 1, Things: []Thing{b}})
	if f, bad := r.Unlimited(); !bad || f.Check != "panic" {
		t.Errorf("got %v, want a panic", f)
	}
}

func TestPrintedTestsAreGo(t *testing.T) {
	for _, name := range Kinds() {
		if name == "workers" {
			continue // long
		}
		source := New(name, 2).Test("Found")
		if _, err := parser.ParseFile(token.NewFileSet(), "found_test.go", source, parser.AllErrors); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestChangesMakeEntitiesWhatTheySay(t *testing.T) {
	b := ball(collide.Vec3{}, vec(1, 0, 0), 1)
	b.ID = 1
	p := polygon(vec(5, 0, 0), vec(0, 0, 0), vec(1, 0, 0), vec(0, 1, 0))
	p.ID = 1
	s := &Scene{
		Steps: 3, Things: []Thing{b},
		Changes: []Change{{Step: 1, Stage: BeforeStep, ID: 1, Thing: &p}, {Step: 2, Stage: AfterResponse, ID: 1}},
	}
	w := newWorld(s, nil)
	for range 2 {
		w.advance(func() {}, func() {})
	}
	e := w.w.Entry(w.entities[1])
	if !e.HasComponent(components.PolygonCollider) || e.HasComponent(components.SphereCollider) ||
		e.HasComponent(components.Velocity) {
		t.Error("the ball has not become a polygon")
	}
	w.advance(func() {}, func() {})
	if len(w.entities) != 0 || slices.Contains(w.live(), 1) {
		t.Error("the polygon has not been removed")
	}
}

// What a wall that rotates pushes moves ahead of it, and a neighbour that it then pushes was taken
// for one that gains 6 J by itself.
func TestWhatAWallThatRotatesPushesIsDriven(t *testing.T) {
	s := New("rotors", 41981546886658)
	r := Run(s)
	if f, bad := r.Unlimited(); bad || r.Steps < s.Steps {
		t.Errorf("failed in step %d of %d: %s", r.Steps, s.Steps, f.Failure)
	}
}

// Scenes that once failed, shrunk, in files that are named after their symptoms.
func TestScenesThatOnceFailed(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %v and %v, want files", files, err)
	}
	for _, file := range files {
		s, err := Load(file)
		if err != nil {
			t.Fatal(err)
		}
		r := Run(s)
		if f, bad := r.Unlimited(); bad || r.Steps < s.Steps {
			t.Errorf("%s: failed in step %d of %d: %s", file, r.Steps, s.Steps, f.Failure)
		}
	}
}
