package components_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/features/transform"
	"github.com/yohamta/donburi/filter"
)

func ExampleCreateBall() {
	world := donburi.NewWorld()
	player := donburi.NewTag().SetName("Player")
	ball := components.CreateBall(world, collide.Vec3{Y: 3}, 0.25, player)
	components.Material.SetValue(ball, components.MaterialData{Restitution: 0.8})
	fmt.Println(
		components.Transform.Get(ball).Position, components.SphereCollider.Get(ball).Radius,
		ball.HasComponent(player),
	)
	// Output: {0 3 0} 0.25 true
}

func TestWhatIsCreatedHasAllItsComponentsAndTheValuesAskedFor(t *testing.T) {
	w := donburi.NewWorld()
	at := collide.Vec3{X: 1, Y: 2, Z: 3}
	corners := []collide.Vec3{{}, {X: 1}, {Y: 1}}
	for name, c := range map[string]struct {
		entry *donburi.Entry
		has   []donburi.IComponentType
		want  string
	}{
		"ball": {
			components.CreateBall(w, at, 2),
			[]donburi.IComponentType{
				components.Velocity, components.SphereCollider, components.Body, components.Material,
			},
			"{{1 2 3} {0 0 0 1}} {2}",
		},
		"plane": {
			components.CreatePlane(w, at, collide.Vec3{Z: 1}, components.Velocity),
			[]donburi.IComponentType{components.PlaneCollider, components.Velocity},
			"{{1 2 3} {0 0 0 1}} {{0 0 1} 0 false}",
		},
		"polygon": {
			components.CreatePolygon(w, corners, components.Transform),
			[]donburi.IComponentType{components.PolygonCollider},
			"{{0 0 0} {0 0 0 1}} {[{0 0 0} {1 0 0} {0 1 0}] false}",
		},
		"capsule": {
			components.CreateCapsule(w, collide.Vec3{X: 1}, collide.Vec3{X: 3, Y: 4}, 0.5, components.Velocity),
			[]donburi.IComponentType{components.CapsuleCollider, components.Velocity},
			"{{2 2 0} {0 0 0 1}} {{-1 -2 0} {1 2 0} 0.5}",
		},
		"thick wall": {
			components.CreateThickWall2D(w, collide.Vec3{X: 1}, collide.Vec3{X: 3}, 0.5),
			[]donburi.IComponentType{components.CapsuleCollider},
			"{{2 0 0} {0 0 0 1}} {{-1 0 0} {1 0 0} 0.25}",
		},
		"wall": {
			components.CreateWall2D(w, collide.Vec3{X: 1}, collide.Vec3{Y: 1}),
			[]donburi.IComponentType{components.PolygonCollider},
			"{{0 0 0} {0 0 0 1}} {[{1 0 -1000} {0 1 -1000} {0 1 1000} {1 0 1000}] false}",
		},
		"sensor": {
			components.CreateSensor(w, at, 2),
			[]donburi.IComponentType{components.Sensor},
			"{{1 2 3} {0 0 0 1}} {2}",
		},
	} {
		got := fmt.Sprint(components.Transform.GetValue(c.entry))
		switch e := c.entry; {
		case e.HasComponent(components.SphereCollider):
			got += " " + fmt.Sprint(components.SphereCollider.GetValue(e))
		case e.HasComponent(components.PlaneCollider):
			got += " " + fmt.Sprint(components.PlaneCollider.GetValue(e))
		case e.HasComponent(components.PolygonCollider):
			got += " " + fmt.Sprint(components.PolygonCollider.GetValue(e))
		case e.HasComponent(components.CapsuleCollider):
			got += " " + fmt.Sprint(components.CapsuleCollider.GetValue(e))
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
		for _, k := range c.has {
			if !c.entry.HasComponent(k) {
				t.Errorf("%s: no %s", name, k.Name())
			}
		}
	}
}

func ExampleCreateCircle2D() {
	world := donburi.NewWorld()
	puck := components.CreateCircle2D(world, collide.Vec2(320, 240), 12) // pixels
	components.Velocity.Get(puck).Linear = collide.Vec2(200, -50)
	fmt.Println(components.Transform.Get(puck).Position, components.Body.Get(puck).Locked == components.AxisZ)
	// Output: {320 240 0} true
}

func TestCreatedEntitiesHaveTheirPositionInDonburisTransformToo(t *testing.T) {
	w := donburi.NewWorld()
	e := components.CreateCircle2D(w, collide.Vec2(3, 4), 1, transform.Transform)
	if got := transform.WorldPosition(e); got.X != 3 || got.Y != 4 {
		t.Errorf("got %v, want (3, 4)", got)
	}
}

func TestCreatingAfterAddComponentDoesNotPanic(t *testing.T) {
	tag := donburi.NewTag().SetName("Tag")
	w := donburi.NewWorld()
	first := components.CreateBall(w, collide.Vec3{}, 1)
	first.AddComponent(tag) // the first entity of this archetype
	first.AddComponent(components.AngularVelocity)
	for range 3 {
		e := components.CreateBall(w, collide.Vec3{X: 2}, 0.25, components.AngularVelocity, tag)
		if got := components.Transform.Get(e).Position.X; got != 2 || !e.HasComponent(tag) ||
			components.SphereCollider.Get(e).Radius != 0.25 || components.Transform.Get(first).Position.X != 0 {
			t.Errorf("got position %v, tag %v", got, e.HasComponent(tag))
		}
	}
	count := 0
	donburi.NewQuery(filter.Contains(tag)).Each(w, func(*donburi.Entry) { count++ })
	if count != 4 {
		t.Errorf("entities with the tag: got %d, want 4", count)
	}
}

// An entity that came to each part of a sensor's components by AddComponent and RemoveComponent
// made CreateSensor panic: there was nothing left that World.Create could begin with.
func TestCreatingPanicsNowhereAfterAnEntityWasAssembledStepByStep(t *testing.T) {
	loading := donburi.NewTag().SetName("Loading")
	w := donburi.NewWorld()
	first := w.Entry(w.Create(components.Transform, loading))
	first.RemoveComponent(loading)
	first.AddComponent(components.SphereCollider)
	first.AddComponent(components.Sensor)
	for range 3 {
		e := components.CreateSensor(w, collide.Vec3{X: 5}, 2)
		if got := e.Archetype().Layout().Components(); len(got) != 3 ||
			components.Transform.Get(e).Position.X != 5 || components.SphereCollider.Get(e).Radius != 2 {
			t.Errorf("got the components %v, at %v", got, components.Transform.Get(e).Position)
		}
	}
}

// A hook that is called when an entity is created sees the first of its components, also where
// World.Create would panic for all of them.
func TestCreateHooksSeeComponents(t *testing.T) {
	w := donburi.NewWorld()
	first := w.Entry(w.Create(components.Transform))
	for _, c := range []donburi.IComponentType{
		components.Velocity, components.SphereCollider, components.Body, components.Material,
	} {
		first.AddComponent(c)
	}
	seen := 0
	w.OnCreate(func(w donburi.World, e donburi.Entity) {
		if w.Entry(e).HasComponent(components.Transform) {
			seen++
		}
	})
	components.CreateBall(w, collide.Vec3{}, 1)
	if seen != 1 {
		t.Errorf("the hook has seen a Transform %d times, want once", seen)
	}
}

// It was taller than asked for: the ends of its axis had changed sides.
func TestACharacterLowerThanWideIsABall(t *testing.T) {
	w := donburi.NewWorld()
	for _, height := range []float64{2, 1, 0, -5} {
		c := components.CapsuleCollider.Get(components.CreateCharacter2D(w, collide.Vec3{}, 1, height))
		if c.A != c.B || c.Radius != 1 {
			t.Errorf("height %v: %v, want a ball of radius 1", height, *c)
		}
	}
	e := components.CreateCharacter(w, collide.Vec3{}, 1, math.NaN())
	if c := components.CapsuleCollider.Get(e); c.Validate() == nil {
		t.Errorf("a height of NaN is no error: %v", *c)
	}
}

func TestABox2DTurnedByNaNIsAnError(t *testing.T) {
	w := donburi.NewWorld()
	for _, radians := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		e := components.CreateBox2D(w, collide.Vec3{}, 1, 1, radians)
		if at := components.Transform.Get(e); at.Validate() == nil {
			t.Errorf("%v radians: %v is no error", radians, at.Rotation)
		}
	}
}
