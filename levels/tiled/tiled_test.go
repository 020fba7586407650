package tiled_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/levels/tiled"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

var rubber = map[string]components.MaterialData{"rubber": {Restitution: 0.8, Friction: 1}}

func load(t *testing.T, options levels.Options) *levels.Level {
	t.Helper()
	options.Materials = rubber
	l, err := tiled.Load(os.DirFS("testdata"), "small.tmx", options)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestAMapBecomesObjects(t *testing.T) {
	l := load(t, levels.Options{})
	if want := (collide.AABB{Max: collide.Vec3{X: 160, Y: 96}}); l.Bounds != want {
		t.Errorf("bounds %v, want %v", l.Bounds, want)
	}
	count := map[string]int{}
	for _, o := range l.Objects {
		count[o.Layer+"|"+o.Kind.String()+"|"+o.Class+"|"+o.Name]++
	}
	want := map[string]int{
		"Ground|solid||": 2, "Ground|solid|ice|": 2, // ice cuts the outline of the ground twice
		"Ground|oneway||": 1, "Ground|trigger|water|": 1,
		"Things/Objects|none|spawn|start": 1, "Things/Objects|solid||crate": 1, "Things/Objects|trigger||coin": 1,
		"Things/Objects|oneway||roof": 2, "Things/Objects|solid||lift": 1, "Things/Objects|solid||rock": 1,
		"Things/Objects|solid||": 1, "Things/Objects|none|bonus|bonus": 1,
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

	find := func(name string) *levels.ObjectData {
		o, err := l.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	near := func(what string, got, want collide.Vec3) {
		t.Helper()
		if got.Distance(want) > 1e-9 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	near("the start", find("start").Position, collide.Vec2(24, 72))
	// Turned clockwise by a quarter about its corner, the crate lies to the left of it and below.
	near("the middle of the crate", find("crate").Position, collide.Vec2(28, 24))
	box := collide.NewPlaced(find("crate").Shape.(collide.Box), find("crate").Position, find("crate").Rotation).Bounds()
	box.Min.Z, box.Max.Z = 0, 0
	near("a corner of the crate", box.Min, collide.Vec2(24, 16))
	near("another corner of the crate", box.Max, collide.Vec2(32, 32))
	if m, f := find("crate").Material, find("crate").Filter; m.Friction != 0.5 || f.Layers != 6 {
		t.Errorf("the crate has %+v and %+v", m, f)
	}
	near("the coin", find("coin").Position, collide.Vec2(116, 20))
	if s := find("coin").Shape; s != (collide.Sphere{Radius: 4}) {
		t.Errorf("the coin is %v", s)
	}
	lift := find("lift")
	if !lift.Kinematic || lift.Material != rubber["rubber"] || lift.SurfaceVelocity != collide.Vec2(32, 0) {
		t.Errorf("the lift is %+v", lift)
	}
	if _, ok := find("rock").Shape.(*collide.Mesh); !ok {
		t.Errorf("the rock is a %T", find("rock").Shape)
	}
	if p := find("bonus"); p.Properties.Number("points", 0) != 50 || p.Size != collide.Vec2(10, 20) {
		t.Errorf("the bonus of a template is %+v", p)
	}
}

// Pixels with Y down, and metres with Y up, are the same level.
func TestUnitsAndDirectionOfY(t *testing.T) {
	down, up := load(t, levels.Options{}), load(t, levels.Options{Unit: 16, YUp: true, Origin: collide.Vec2(0, 6)})
	if want := (collide.AABB{Max: collide.Vec3{X: 10, Y: 6}}); up.Bounds != want {
		t.Errorf("bounds %v, want %v", up.Bounds, want)
	}
	for _, o := range down.Objects {
		if o.Name == "" || o.Name == "roof" {
			continue
		}
		other, err := up.Find(o.Name)
		if err != nil {
			t.Fatal(err)
		}
		want := collide.Vec2(o.Position.X/16, 6-o.Position.Y/16)
		if other.Position.Distance(want) > 1e-12 || other.Size.Distance(o.Size.Scale(1.0/16)) > 1e-12 {
			t.Errorf("%s is at %v, size %v; want %v, %v", o.Name, other.Position, other.Size, want,
				o.Size.Scale(1.0/16))
		}
	}
}

// onlyGround removes all objects that are no tiles.
func onlyGround(l *levels.Level) {
	l.Objects = slices.DeleteFunc(l.Objects, func(o levels.ObjectData) bool { return o.Layer != "Ground" })
}

// A ball falls onto every solid tile from above, rests there, and passes what isn't solid.
func TestTilesAreWhereTheyAreDrawn(t *testing.T) {
	for _, yUp := range []bool{false, true} {
		l := load(t, levels.Options{YUp: yUp})
		up := -1.0
		if yUp {
			up = 1
		}
		w := donburi.NewWorld()
		physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec2(0, -up*500), LengthUnit: 16})
		onlyGround(l)
		l.Create(w)
		tops := map[float64]float64{ // x of a ball, and y of what it falls on, down in pixels
			8: 80, 40: 32, 72: 32, 88: 80, 120: 64, 136: 64,
		}
		balls := map[float64]*donburi.Entry{}
		for x, top := range tops {
			balls[x] = components.CreateCircle2D(w, collide.Vec2(x, -up*(top-12)), 2)
		}
		for range 120 {
			physics.Step(w)
			for err := range physics.Errors() {
				t.Fatal(err)
			}
		}
		for x, top := range tops {
			at := components.Transform.Get(balls[x]).Position
			if math.Abs(at.X-x) > 0.01 || math.Abs(-up*at.Y-(top-2)) > 0.05 {
				t.Errorf("Y up %v: the ball at %v rests at %v, and not on %v", yUp, x, at, top)
			}
		}
	}
}

// Nothing stumbles on the seams of tiles: a ball slides along the ground as on a plane, from stone
// over ice to stone, and a character walks up the slope of a tile.
func TestSeamsOfTilesStopNobody(t *testing.T) {
	l := load(t, levels.Options{Unit: 16, YUp: true, Origin: collide.Vec2(0, 6)})
	onlyGround(l)
	w := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec2(0, -10)})
	l.Create(w)
	ball := components.CreateCircle2D(w, collide.Vec2(0.5, 1.25), 0.25)
	components.Velocity.Get(ball).Linear.X = 5
	for range 60 {
		physics.Step(w)
		if components.Transform.Get(ball).Position.X > 5.2 {
			break
		}
	}
	at, v := components.Transform.Get(ball).Position, components.Velocity.Get(ball).Linear
	if at.X < 5.2 || math.Abs(at.Y-1.25) > 1e-9 || math.Abs(v.Y) > 1e-9 || v.X < 4 {
		t.Errorf("after the seams the ball is at %v with %v", at, v)
	}
	w.Remove(ball.Entity())

	hero := components.CreateCharacter2D(w, collide.Vec2(4.5, 1.5), 0.3, 1)
	c := components.CharacterController.Get(hero)
	c.MaxSlopeAngle = 0.8 // the slope has 45 degrees
	c.DesiredVelocity.X = 3
	for range 100 {
		physics.Step(w)
	}
	if at := components.Transform.Get(hero).Position; at.X < 6.5 || math.Abs(at.Y-2.5) > 0.2 {
		t.Errorf("the character is at %v, and not on top of the slope", at)
	}
}

// Queries find triggers, and nothing bumps into them.
func TestTriggers(t *testing.T) {
	l := load(t, levels.Options{})
	w := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{})
	l.Create(w)
	ball := components.CreateCircle2D(w, collide.Vec2(100, 40), 4)
	components.Velocity.Get(ball).Linear.X = 60
	found := 0
	for range 30 {
		physics.Step(w)
		at := components.Transform.Get(ball).Position
		for e := range physics.OverlapSphere(collide.Sphere{Center: at, Radius: 4},
			systems.Filter{Layers: levels.TriggerLayer, Sensors: true}) {
			if o := levels.Object.Get(w.Entry(e)); o.Class != "water" {
				t.Errorf("it is in %+v", o)
			}
			found++
		}
	}
	if at := components.Transform.Get(ball).Position; at.X != 130 || found < 10 {
		t.Errorf("the ball is at %v, and was in water for %d ticks", at, found)
	}
}

// things loads a map of 16 x 16 pixels with these objects in it.
func things(objects string) (*levels.Level, error) {
	text := `<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">` +
		`<objectgroup name="Things">` + objects + `</objectgroup></map>`
	return tiled.Load(fstest.MapFS{"a.tmx": {Data: []byte(text)}}, "a.tmx", levels.Options{})
}

func TestClassesAreWordsInUpperAndLowerCase(t *testing.T) {
	for class, want := range map[string]levels.Kind{
		"solid": levels.Solid, "Solid": levels.Solid, "OneWay": levels.OneWay, "TRIGGER": levels.Trigger,
		"Solids": levels.None,
	} {
		l, err := things(`<object id="1" class="` + class + `" x="0" y="0" width="5" height="5"/>`)
		if err != nil || len(l.Objects) != 1 || l.Objects[0].Kind != want {
			t.Errorf("class %q: got %v, %v", class, l, err)
		}
	}
}

func TestATriggerThatIsNotConvexIsAnError(t *testing.T) {
	_, err := things(`<object id="7" class="trigger" x="0" y="0">` +
		`<polygon points="0,0 5,0 5,5 3,5 3,3 0,3"/></object>`)
	if err == nil || !strings.Contains(err.Error(), "object 7: a trigger has to be convex") {
		t.Errorf("got %v", err)
	}
	l, err := things(`<object id="7" class="trigger" x="0" y="0"><polyline points="0,0 5,0 5,5"/></object>`)
	if err != nil {
		t.Fatal(err)
	}
	if e := l.Create(donburi.NewWorld())[0]; e.HasComponent(components.Sensor) {
		t.Error("a line is a sensor")
	}
}

func TestErrorsNameWhatIsWrong(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{"small.tmx", "tiles.tsx", "bonus.tx"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	tests := []struct {
		name     string
		old, new string // in the map or the tileset
		want     []string
	}{
		{"too few tiles", "0,0,0,0,0,0,0,5,5,0,\n0", "0", []string{`layer "Ground"`, "tile count"}},
		{"not a number", "0,0,3,3,3", "0,x,3,3,3", []string{`layer "Ground"`}},
		{
			"a tile that doesn't exist", "0,0,3,3,3", "0,30,3,3,3",
			[]string{`layer "Ground"`, "tile 1, 2", "only 8 tiles"},
		},
		{
			"unknown material", `value="rubber"`, `value="glue"`,
			[]string{`layer "Things/Objects"`, `object 5 ("lift")`, "glue"},
		},
		{
			"unknown collider", `name="collider" value="trigger"`, `name="collider" value="fire"`,
			[]string{`layer "Ground"`, "tile 7, 2", "fire"},
		},
		{"friction is a text", `type="float" value="0.5"`, `value="much"`, []string{`object 2 ("crate")`, "friction"}},
		{"negative friction", `value="0.5"`, `value="-1"`, []string{`object 2 ("crate")`, "Friction"}},
		{"crossing sides", "16,16 8,8 0,16", "0,16 16,16 8,-8", []string{`object 6 ("rock")`, "cross"}},
		{"bad points", "16,16 8,8 0,16", "16,16 8", []string{`layer "Objects"`, "point"}},
		{"a vertical one-way line", "0,0 16,-8 32,0", "0,0 0,-8 32,0", []string{`object 4 ("roof")`, "vertical"}},
		{"infinite", `infinite="0"`, `infinite="1"`, []string{"infinite"}},
		{"isometric", "orthogonal", "isometric", []string{"isometric"}},
		{
			"no size", `class="solid" x="64" y="48" width="32"`, `class="solid" x="64" y="48"`,
			[]string{`object 5 ("lift")`, "width"},
		},
		{"too far away", `x="128" y="0"`, `x="1e12" y="0"`, []string{`object 6 ("rock")`, "1e9"}},
		{"a size that isn't finite", `x="128" y="0"`, `x="NaN" y="0"`, []string{`object 6 ("rock")`, "finite"}},
		{
			"bad collision shape", "0,0 16,-16 16,0", "0,0 16,-16",
			[]string{`layer "Ground"`, "tile 6, 4", "tile 1 of tileset"},
		},
		{"a tileset that is missing", `source="tiles.tsx"`, `source="gone.tsx"`, []string{"gone.tsx"}},
		{"a template that is missing", "bonus.tx", "gone.tx", []string{`layer "Things/Objects"`, "gone.tx"}},
		{"cut off", "</map>", "", []string{"small.tmx"}},
		{"no map", "<map", "<mop", []string{"mop"}},
		{"wrong size", `width="10" height="6" tilewidth`, `width="-10" height="-6" tilewidth`, []string{"small.tmx"}},
		{"bits", `value="6"`, `value="-6"`, []string{`object 2 ("crate")`, "layers"}},
	}
	for _, test := range tests {
		changed := fstest.MapFS{}
		for name, f := range files {
			changed[name] = &fstest.MapFile{Data: []byte(strings.Replace(string(f.Data), test.old, test.new, 1))}
		}
		_, err := tiled.Load(changed, "small.tmx", levels.Options{Materials: rubber})
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
	if _, err := tiled.Load(files, "gone.tmx", levels.Options{}); err == nil {
		t.Error("no error for a file that doesn't exist")
	}
	if _, err := tiled.Load(files, "small.tmx", levels.Options{Unit: -1}); err == nil {
		t.Error("no error for a negative unit")
	}
}

// A map in which no tile is solid passed without a word, and everything fell through it.
func TestAMapWithoutCollidersHasAWarning(t *testing.T) {
	if l := load(t, levels.Options{}); len(l.Warnings) > 0 {
		t.Errorf("warnings %v", l.Warnings)
	}
	files := fstest.MapFS{"a.tmx": {Data: []byte(`<?xml version="1.0"?>
<map version="1.10" orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">
 <layer id="1" name="Ground" width="1" height="1"><data encoding="csv">0</data></layer>
 <objectgroup id="2" name="Things"><object id="1" name="start" x="8" y="8"><point/></object></objectgroup>
</map>`)}}
	l, err := tiled.Load(files, "a.tmx", levels.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Warnings) != 1 || !strings.Contains(l.Warnings[0].Error(), "no colliders") {
		t.Errorf("warnings %v", l.Warnings)
	}
}
