package debugdraw

import (
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/yohamta/donburi"
)

// extent returns the box on the screen around all that was drawn in a colour of the given red,
// green and blue, and whether there is anything.
func extent(d *Drawer, red, green, blue uint8) (minX, minY, maxX, maxY float64, found bool) {
	minX, minY, maxX, maxY = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, v := range d.canvas.vertices {
		if v.ColorR == float32(red)/255 && v.ColorG == float32(green)/255 && v.ColorB == float32(blue)/255 {
			minX, maxX = min(minX, float64(v.DstX)), max(maxX, float64(v.DstX))
			minY, maxY = min(minY, float64(v.DstY)), max(maxY, float64(v.DstY))
			found = true
		}
	}
	return minX, minY, maxX, maxY, found
}

func near(a, b float64) bool { return math.Abs(a-b) < 1.6 } // the width of a line

func TestShapesAreDrawnWhereTheyAre(t *testing.T) {
	for name, c := range map[string]struct {
		build                  func(w donburi.World)
		minX, minY, maxX, maxY float64
	}{
		"circle": {
			func(w donburi.World) { components.CreateSensor(w, collide.Vec2(100, 50), 20) }, 80, 30, 120, 70,
		},
		"wall": {
			func(w donburi.World) {
				components.CreateWall2D(w, collide.Vec2(10, 20), collide.Vec2(110, 220), components.Sensor)
			}, 10, 20, 110, 220,
		},
		"thick wall": {
			func(w donburi.World) {
				components.CreateThickWall2D(w, collide.Vec2(50, 100), collide.Vec2(150, 100), 20, components.Sensor)
			}, 40, 90, 160, 110,
		},
		"box": {
			func(w donburi.World) {
				e := components.CreateBox2D(w, collide.Vec2(100, 80), 30, 20, math.Pi/2)
				e.AddComponent(components.Sensor)
			}, 80, 50, 120, 110,
		},
		"chain": {
			func(w donburi.World) {
				e := must(components.CreateChain2D(
					w, []collide.Vec3{collide.Vec2(10, 50), collide.Vec2(60, 80), collide.Vec2(110, 20)}, false))
				e.AddComponent(components.Sensor)
			}, 10, 20, 110, 80,
		},
		"hull": {
			func(w donburi.World) {
				hull := must(collide.NewHull2D([]collide.Vec3{{}, collide.Vec2(40, 0), collide.Vec2(20, 30)}))
				components.CreateHull(w, collide.Vec2(100, 50), hull).AddComponent(components.Sensor)
			}, 100, 50, 140, 80,
		},
		"parts of a compound": {
			func(w donburi.World) {
				components.CreateCompound(w, collide.Vec2(100, 50), []components.ShapePart{
					{Shape: collide.Sphere{Radius: 10}, Position: collide.Vec2(-20, 0)},
					{Shape: collide.NewBox2D(collide.Vec3{}, 10, 20, 0), Position: collide.Vec2(40, 0)},
				}).AddComponent(components.Sensor)
			}, 70, 30, 150, 70,
		},
		"turned capsule": {
			func(w donburi.World) {
				e := components.CreateThickWall2D(
					w, collide.Vec2(50, 100), collide.Vec2(150, 100), 20, components.Sensor)
				components.Transform.Get(e).Rotation = collide.Rotation2D(math.Pi / 2)
			}, 90, 40, 110, 160,
		},
	} {
		w := donburi.NewWorld()
		c.build(w)
		d := New(systems.NewPhysics(systems.Config{}))
		d.collect(w, 640, 480)
		minX, minY, maxX, maxY, ok := extent(d, sensorColor.R, sensorColor.G, sensorColor.B)
		if !ok || !near(minX, c.minX) || !near(minY, c.minY) || !near(maxX, c.maxX) || !near(maxY, c.maxY) {
			t.Errorf("%s: got %v to %v, %v to %v", name, minX, maxX, minY, maxY)
		}
		d.GeoM.Scale(2, -2) // metres with Y up, say
		d.GeoM.Translate(0, 480)
		d.collect(w, 640, 480)
		minX, minY, maxX, maxY, ok = extent(d, sensorColor.R, sensorColor.G, sensorColor.B)
		if !ok || !near(minX, 2*c.minX) || !near(minY, 480-2*c.maxY) || !near(maxX, 2*c.maxX) ||
			!near(maxY, 480-2*c.minY) {
			t.Errorf("%s, scaled: got %v to %v, %v to %v", name, minX, maxX, minY, maxY)
		}
	}
}

// A crate is drawn as a dynamic body, with velocity, path and contacts, and not as a lift.
func TestCratesAreDrawnAsBodies(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{Gravity: collide.Vec2(0, 900), LengthUnit: 50})
	components.CreatePlane(w, collide.Vec2(0, 200), collide.Vec2(0, -1))
	components.CreateCrate2D(w, collide.Vec2(100, 100), 20, 20)
	components.CreateCrate2D(w, collide.Vec2(110, 50), 20, 20)
	lift := components.CreateBox2D(w, collide.Vec2(300, 100), 20, 20, 0, components.Velocity)
	components.CreateCharacter2D(w, collide.Vec2(400, 170), 10, 60)
	d := New(p)
	d.Show = All
	seen := map[color.RGBA]bool{}
	for range 240 {
		p.Step(w)
		d.collect(w, 640, 480)
		for _, c := range []color.RGBA{dynamicColor, asleepColor, contactColor, velocityColor, pathColor} {
			if _, _, _, _, found := extent(d, c.R, c.G, c.B); found {
				seen[c] = true
			}
		}
	}
	if len(seen) != 5 {
		t.Errorf("only these colours were drawn: %v", seen)
	}
	if minX, _, _, _, _ := extent(d, kinematicColor.R, kinematicColor.G, kinematicColor.B); !near(minX, 280) {
		t.Errorf("something left of the lift %v is kinematic: from %v on", lift.Entity(), minX)
	}
	if _, _, maxX, _, _ := extent(d, asleepColor.R, asleepColor.G, asleepColor.B); !near(maxX, 130) {
		t.Errorf("crates asleep reach to %v, want 130", maxX)
	}
}

func TestAPlaneCrossesTheWholeScreenWhereverItsPointIs(t *testing.T) {
	w := donburi.NewWorld()
	components.CreatePlane(w, collide.Vec2(-5000, 400), collide.Vec2(0, -1))
	d := New(systems.NewPhysics(systems.Config{}))
	d.collect(w, 640, 480)
	minX, minY, maxX, maxY, ok := extent(d, staticColor.R, staticColor.G, staticColor.B)
	if !ok || minX > 0 || maxX < 640 || !near(minY, 400) || !near(maxY, 408) {
		t.Errorf("got %v to %v, %v to %v; want it across the screen, with its solid below", minX, maxX, minY, maxY)
	}
}

// In a part of a screen that doesn't begin at its corner, everything to the right of it was left
// out.
func TestAPartOfAScreenShowsWhatIsThere(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{})
	components.CreateCircle2D(w, collide.Vec2(900, 700), 20)
	p.Step(w)
	d := New(p)
	d.Show = Shapes
	for _, at := range []float64{0, 600} {
		d.canvas.left, d.canvas.top = at, at
		if d.collect(w, 640, 480); (len(d.canvas.vertices) > 0) != (at > 0) {
			t.Errorf("from %g on: %d vertices of a circle at 900, 700", at, len(d.canvas.vertices))
		}
	}
}

func TestTheCameraShowsItsTargetInTheMiddle(t *testing.T) {
	c := NewCamera(collide.Vec3{X: 3, Y: 4, Z: 12}, collide.Vec3{X: 3, Y: 4, Z: 2})
	if x, y, scale, ok := c.Project(c.Target, 640, 480); !ok || x != 320 || y != 240 ||
		math.Abs(scale-240/math.Tan(0.5)/10) > 1e-9 {
		t.Errorf("target: got %v, %v, scale %v, %v", x, y, scale, ok)
	}
	if x, y, _, ok := c.Project(collide.Vec3{X: 4, Y: 5, Z: 2}, 640, 480); !ok || x <= 320 || y >= 240 {
		t.Errorf("right of the target and above it: got %v, %v, %v", x, y, ok)
	}
	if _, _, _, ok := c.Project(collide.Vec3{X: 3, Y: 4, Z: 13}, 640, 480); ok {
		t.Error("a point behind the camera is drawn")
	}
	for _, up := range []collide.Vec3{{}, {Y: 1}, {Z: 1}, {Y: -1}} { // the third is along the view
		c.Up = up
		if x, _, _, ok := c.Project(c.Target, 640, 480); !ok || x != 320 {
			t.Errorf("up %v: got %v, %v", up, x, ok)
		}
	}
}

func TestARayThroughAPointOfTheScreenMeetsWhatIsDrawnThere(t *testing.T) {
	c := NewCamera(collide.Vec3{X: 3, Y: 4, Z: 12}, collide.Vec3{X: 1, Y: 2, Z: -2})
	for _, up := range []collide.Vec3{{}, {X: 1, Z: 2}} {
		c.Up = up
		for _, p := range []collide.Vec3{c.Target, {X: 4, Y: 5, Z: 2}, {X: -3, Y: -1}, {Y: 9, Z: -30}} {
			x, y, _, ok := c.Project(p, 640, 480)
			want, _ := p.Sub(c.Eye).Normalized()
			if got := c.Ray(x, y, 640, 480); !ok || got.Distance(want) > 1e-14 {
				t.Errorf("up %v, %v: got %v, want %v", up, p, got, want)
			}
		}
	}
}

func TestGeoMMovesWhatTheCameraShows(t *testing.T) {
	var c canvas
	var g ebiten.GeoM
	g.Scale(0.5, 0.5)
	g.Translate(10, 20)
	c.begin(NewCamera(collide.Vec3{Z: 5}, collide.Vec3{}), ebiten.GeoM{}, 640, 480, 1)
	p := collide.Vec3{X: 0.7, Y: -0.4, Z: 1}
	x, y, _ := c.point(p)
	scale, _ := c.scale(p)
	c.begin(NewCamera(collide.Vec3{Z: 5}, collide.Vec3{}), g, 640, 480, 1)
	movedX, movedY, _ := c.point(p)
	larger, _ := c.scale(p)
	if movedX != x/2+10 || movedY != y/2+20 || larger != scale/2 {
		t.Errorf("(%g, %g) at scale %g is moved to (%g, %g) at %g", x, y, scale, movedX, movedY, larger)
	}
	c.line(p, p.Add(collide.Vec3{X: 1}), impactColor)
	if v := c.vertices[0]; math.Abs(float64(v.DstX)-movedX) > 1 || math.Abs(float64(v.DstY)-movedY) > 1 {
		t.Errorf("a line from there begins at (%g, %g)", v.DstX, v.DstY)
	}
}

func TestLinesThatGoBehindTheCameraAreCutOff(t *testing.T) {
	var c canvas
	c.begin(NewCamera(collide.Vec3{Z: 5}, collide.Vec3{}), ebiten.GeoM{}, 640, 480, 1)
	c.line(collide.Vec3{X: -1}, collide.Vec3{X: 1, Z: 50}, dynamicColor)
	c.line(collide.Vec3{Z: 6}, collide.Vec3{X: 1, Z: 50}, dynamicColor)
	if len(c.vertices) != 4 {
		t.Fatalf("got %d vertices, want those of one line", len(c.vertices))
	}
	for _, v := range c.vertices {
		if !(math.Abs(float64(v.DstX)) < 1e7 && math.Abs(float64(v.DstY)) < 1e7) {
			t.Errorf("got %v, %v", v.DstX, v.DstY)
		}
	}
}

// must returns x, which is no error.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// scene returns a world with things of all kinds.
func scene() (donburi.World, *systems.Physics) {
	w := donburi.NewWorld()
	components.CreatePlane(w, collide.Vec3{}, collide.Vec3{Y: 1})
	components.CreatePolygon(w, []collide.Vec3{{X: 3}, {X: 5, Y: 1}, {X: 5, Y: 1, Z: 2}, {X: 3, Z: 2}})
	components.CreateCapsule(w, collide.Vec3{X: -3}, collide.Vec3{X: -3, Z: 3}, 0.5)
	components.CreateSensor(w, collide.Vec3{Y: 1}, 1)
	for k := range 30 {
		b := components.CreateBall(w, collide.Vec3{X: float64(k % 3), Y: 1 + float64(k/3), Z: 0.1 * float64(k%2)}, 0.45,
			components.AngularVelocity)
		components.Material.SetValue(b, components.MaterialData{Friction: 0.3, Restitution: 0.4})
	}
	components.CreateBox(w, collide.Vec3{X: -5}, collide.Vec3{X: 1, Y: 1, Z: 1})
	components.CreateCylinder(w, collide.Vec3{X: -8}, collide.Vec3{X: -8, Y: 2}, 0.5)
	hills := must(collide.NewHeightField(collide.Vec3{}, 1, 1, 3, make([]float64, 9)))
	components.CreateHeightField(w, collide.Vec3{X: -20}, hills)
	wrong := components.CreateBall(w, collide.Vec3{X: 9}, -1)
	components.Velocity.Get(wrong).Linear.X = 1
	return w, systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}})
}

func TestDrawingChangesNoResult(t *testing.T) {
	run := func(draws bool) (all []components.TransformData) {
		w, p := scene()
		d := New(p)
		d.Show = All
		for k := range 120 {
			if draws {
				d.Interpolate = k%2 == 0
				d.Camera = nil
				if k%3 == 0 {
					d.Camera = NewCamera(collide.Vec3{Z: 9}, collide.Vec3{})
				}
				d.collect(w, 640, 480)
				if len(d.canvas.vertices) == 0 {
					t.Fatal("nothing is drawn")
				}
			}
			p.Step(w)
		}
		spheres.Each(w, func(e *donburi.Entry) { all = append(all, *components.Transform.Get(e)) })
		return all
	}
	if !slices.Equal(run(true), run(false)) {
		t.Error("a world that is drawn moves differently")
	}
}

func TestEachLayerDrawsSomethingOfItsOwn(t *testing.T) {
	w, p := scene()
	d := New(p)
	for layer := Shapes; layer < Numbers; layer <<= 1 {
		w, p = scene()
		d = New(p)
		d.Show = layer
		most := 0
		for range 90 { // impacts are not in every step
			p.Step(w)
			d.GeoM.Reset()
			d.GeoM.Scale(20, -20)
			d.GeoM.Translate(200, 400)
			d.collect(w, 640, 480)
			most = max(most, len(d.canvas.vertices))
		}
		if most == 0 {
			t.Errorf("layer %b draws nothing", layer)
		}
	}
	d.Show = 0
	d.collect(w, 640, 480)
	if len(d.canvas.vertices) > 0 {
		t.Error("no layer draws something")
	}
	if text := d.numbers(); len(text) < 50 {
		t.Errorf("numbers: got %q", text)
	}
}
