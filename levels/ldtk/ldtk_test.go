package ldtk_test

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/levels/ldtk"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

func options() ldtk.Options {
	return ldtk.Options{Tiles: map[string]ldtk.Tile{
		"water": {Kind: levels.Trigger},
		"slope": {Kind: levels.Solid, Outline: []collide.Vec3{{Y: 1}, {X: 1}, {X: 1, Y: 1}}},
		"5":     {Kind: levels.OneWay, Properties: levels.Properties{"friction": 0.9}},
	}}
}

func load(t *testing.T, o ldtk.Options) *levels.Level {
	t.Helper()
	l, err := ldtk.Load(os.DirFS("testdata"), "small.ldtk", o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestAProjectBecomesObjects(t *testing.T) {
	l := load(t, options())
	if want := (collide.AABB{Max: collide.Vec3{X: 64, Y: 32}}); l.Bounds != want {
		t.Errorf("bounds %v, want %v", l.Bounds, want)
	}
	count := map[string]int{}
	for _, o := range l.Objects {
		count[o.Layer+"|"+o.Kind.String()+"|"+o.Class]++
	}
	want := map[string]int{
		"First/Ground|solid|": 3, "First/Ground|solid|slope": 1, "First/Ground|oneway|": 1, "First/Ground|oneway|5": 1,
		"First/Ground|trigger|water": 1, "Second/Ground|solid|": 1,
		"First/Things|none|Start": 1, "First/Things|trigger|Coin": 1, "First/Things|solid|Lift": 1,
	}
	for key, n := range want {
		if count[key] != n {
			t.Errorf("%d objects %q, want %d", count[key], key, n)
		}
		delete(count, key)
	}
	if len(count) > 0 {
		t.Errorf("besides there are %v", count)
	}
	for _, test := range []struct {
		name   string
		at     collide.Vec3
		id     string
		points int
	}{
		{"Start", collide.Vec2(4, 16), "a-1", 0},
		{"Coin", collide.Vec2(40, 4), "a-2", 0},
		{"Lift", collide.Vec2(24, 10), "a-3", 2},
	} {
		o, err := l.Find(test.name)
		if err != nil {
			t.Fatal(err)
		}
		if o.Position != test.at || o.ID != test.id || len(o.Points) != test.points {
			t.Errorf("%s: %+v, want %+v", test.name, o, test)
		}
	}
	coin, _ := l.Find("Coin")
	if coin.Shape != (collide.Sphere{Radius: 4}) || coin.Properties.Number("worth",
		0) != 5 || coin.Material.Friction != 0.3 {
		t.Errorf("the coin is %+v", coin)
	}
	lift, _ := l.Find("Lift")
	if lift.Points[1] != collide.Vec2(20, 4) || !lift.Kinematic {
		t.Errorf("the lift is %+v", lift)
	}
}

// A level alone is at the origin.
func TestALevelAlone(t *testing.T) {
	o := options()
	o.Level, o.Unit, o.YUp = "Second", 8, true
	l := load(t, o)
	if want := (collide.AABB{
		Min: collide.Vec3{Y: -4},
		Max: collide.Vec3{X: 2},
	}); l.Bounds != want || len(l.Objects) != 1 {
		t.Errorf("bounds %v and %d objects, want %v and 1", l.Bounds, len(l.Objects), want)
	}
	o.Level = "Third"
	if _, err := ldtk.Load(os.DirFS("testdata"), "small.ldtk", o); err == nil || !strings.Contains(err.Error(),
		`"Second"`) {
		t.Errorf("a level that doesn't exist: %v", err)
	}
}

// A ball slides from one level to the next as over a plane: the levels have no wall in between.
func TestNothingStumblesBetweenLevels(t *testing.T) {
	o := options()
	o.Unit, o.YUp, o.Origin = 8, true, collide.Vec2(0, 4)
	l := load(t, o)
	w := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec2(0, -10)})
	l.Create(w)
	ball := components.CreateCircle2D(w, collide.Vec2(4.5, 2.25), 0.25)
	components.Velocity.Get(ball).Linear.X = 6
	for range 60 {
		if components.Transform.Get(ball).Position.X > 7.5 {
			break
		}
		physics.Step(w)
		for err := range physics.Errors() {
			t.Fatal(err)
		}
	}
	if at := components.Transform.Get(ball).Position; at.X < 7.5 || math.Abs(at.Y-2.25) > 1e-9 {
		t.Errorf("the ball is at %v", at)
	}
}

func TestErrorsNameWhatIsWrong(t *testing.T) {
	data, err := os.ReadFile("testdata/small.ldtk")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, old, new string
		want           []string
	}{
		{"too few values", "[0,0, 0,0, 1,1, 1,1]", "[1]", []string{`level "Second"`, `layer "Ground"`, "1 values"}},
		{
			"an unknown collider", `"__value": "trigger"`, `"__value": "fire"`,
			[]string{`layer "Things"`, "Coin (a-2)", "fire"},
		},
		{
			"a collider of no size", `"px": [16, 8], "width": 16`, `"px": [16, 8], "width": 0`,
			[]string{"Lift (a-3)", "width"},
		},
		{"a path of numbers", `{"cx": 2, "cy": 0}`, `7`, []string{"Lift (a-3)", "point 1"}},
		{"no position", `"px": [4, 24]`, `"px": [4]`, []string{"Start (a-1)", "position"}},
		{
			"null", `{"__identifier": "Start", "iid": "a-1", "px": [4, 24], "width": 8, "height": 16, ` +
				`"__pivot": [0.5, 1], "fieldInstances": []}`,
			"null",
			[]string{`level "First"`, `layer "Things"`, "entity 0"},
		},
		{"a null layer", `"layerInstances": [`, `"layerInstances": [null, `, []string{`level "First"`, "layer 0"}},
		{"no cells", `"__cWid": 2`, `"__cWid": 0`, []string{`level "Second"`, `layer "Ground"`, "0x4"}},
		{"friction is a text", `"__value": 0.3`, `"__value": "0.3"`, []string{`level "First"`, "friction"}},
		{
			"levels in files of their own", `"externalLevels": false`, `"externalLevels": true`,
			[]string{"Save levels separately"},
		},
		{"no size", `"pxWid": 16`, `"pxWid": 0`, []string{`level "Second"`, "0x32"}},
		{"no JSON", "{", "", []string{"small.ldtk"}},
		{"no project", string(data), "{}", []string{"no levels"}},
		{"several worlds", string(data), `{"levels": [], "worlds": [{}, {}]}`, []string{"2 worlds", "Multi-worlds"}},
		{"a color that is none", `"__bgColor": "#40465B"`, `"__bgColor": 5`, []string{"small.ldtk"}},
	}
	for _, test := range tests {
		files := fstest.MapFS{"small.ldtk": {Data: []byte(strings.Replace(string(data), test.old, test.new, 1))}}
		_, err := ldtk.Load(files, "small.ldtk", options())
		if err == nil {
			t.Errorf("%s: no error", test.name)
			continue
		}
		for _, w := range test.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: the error is %q, without %q", test.name, err, w)
			}
		}
	}
	o := options()
	o.Tiles["slope"] = ldtk.Tile{Kind: levels.Solid, Outline: []collide.Vec3{{}, {X: 1, Y: 1}, {X: 1}, {Y: 1}}}
	if _, err := ldtk.Load(os.DirFS("testdata"), "small.ldtk", o); err == nil || !strings.Contains(err.Error(),
		"slope") {
		t.Errorf("an outline that crosses itself: %v", err)
	}
}

// A name in Options.Tiles that no IntGrid value has, and a project without colliders, passed
// without a word.
func TestWarningsNameWhatHasNoEffect(t *testing.T) {
	if l := load(t, options()); len(l.Warnings) > 0 {
		t.Errorf("warnings %v", l.Warnings)
	}
	o := options()
	o.Tiles["watr"] = ldtk.Tile{Kind: levels.Trigger}
	if l := load(t, o); len(l.Warnings) != 1 || !strings.Contains(l.Warnings[0].Error(), `"watr"`) {
		t.Errorf("warnings %v", l.Warnings)
	}
	data, err := os.ReadFile("testdata/small.ldtk")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"solid", "oneway", "trigger"} {
		data = bytes.ReplaceAll(data, []byte(`"`+word+`"`), []byte(`"none"`))
	}
	l, err := ldtk.Load(fstest.MapFS{"a.ldtk": {Data: data}}, "a.ldtk", ldtk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Warnings) != 1 || !strings.Contains(l.Warnings[0].Error(), "no colliders") {
		t.Errorf("warnings %v", l.Warnings)
	}
}
