package levels_test

import (
	"math"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// Create attaches what an object has, and no more; physics accepts all of it.
func TestCreateAttachesWhatAnObjectHas(t *testing.T) {
	up := []collide.Vec3{{X: -1, Z: -9}, {X: 1, Z: -9}, {X: 1, Z: 9}, {X: -1, Z: 9}}
	sheet, err := collide.NewPolygon(up...)
	if err != nil {
		t.Fatal(err)
	}
	box := collide.NewBox2D(collide.Vec3{}, 2, 1, 0)
	all := []donburi.IComponentType{
		components.Material, components.CollisionFilter, components.SurfaceVelocity, components.Velocity,
		components.Constant, components.Sensor, components.ShapeCollider, components.PolygonCollider,
		components.SphereCollider,
	}
	tests := []struct {
		name   string
		object levels.ObjectData
		want   []donburi.IComponentType
	}{
		{
			"a wall",
			levels.ObjectData{Kind: levels.Solid, Shape: box, Constant: true},
			[]donburi.IComponentType{components.ShapeCollider, components.Constant},
		},
		{"a conveyor that moves", levels.ObjectData{
			Kind: levels.Solid, Shape: box, Constant: true, Kinematic: true, SurfaceVelocity: collide.Vec3{X: 1},
			Material: components.MaterialData{Friction: 1},
		}, []donburi.IComponentType{
			components.ShapeCollider, components.Velocity, components.SurfaceVelocity, components.Material,
		}},
		{
			"a one-way platform",
			levels.ObjectData{Kind: levels.OneWay, Shape: sheet, Filter: components.CollisionFilterData{Layers: 2}},
			[]donburi.IComponentType{components.PolygonCollider, components.CollisionFilter},
		},
		{
			"a round trigger",
			levels.ObjectData{Kind: levels.Trigger, Shape: collide.Sphere{Radius: 1}},
			[]donburi.IComponentType{components.SphereCollider, components.Sensor, components.CollisionFilter},
		},
		{ // it was a sphere that moved its surface, which is an error
			"a round trigger on a conveyor",
			levels.ObjectData{
				Kind: levels.Trigger, Shape: collide.Sphere{Radius: 1}, SurfaceVelocity: collide.Vec3{X: 1},
			},
			[]donburi.IComponentType{components.SphereCollider, components.Sensor, components.CollisionFilter},
		},
		{
			"a square trigger",
			levels.ObjectData{Kind: levels.Trigger, Shape: box},
			[]donburi.IComponentType{components.ShapeCollider, components.Sensor, components.CollisionFilter},
		},
	}
	w := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{})
	for i, test := range tests {
		test.object.Position = collide.Vec2(float64(10*i), 0)
		e := test.object.Create(w)
		want := map[donburi.IComponentType]bool{}
		for _, c := range test.want {
			want[c] = true
		}
		for _, c := range all {
			if e.HasComponent(c) != want[c] {
				t.Errorf("%s has %s: %v", test.name, c.Name(), e.HasComponent(c))
			}
		}
		if at := components.Transform.Get(e).Position; at != test.object.Position {
			t.Errorf("%s is at %v", test.name, at)
		}
	}
	physics.Step(w)
	for err := range physics.Errors() {
		t.Error(err)
	}
	if (&levels.ObjectData{Kind: levels.Solid}).Create(w) != nil || (&levels.ObjectData{Shape: box}).Create(w) != nil {
		t.Error("what has no shape or no kind became a collider")
	}
}

func TestOptionsNameWhatIsWrong(t *testing.T) {
	o := levels.Options{
		Unit: math.NaN(), Origin: collide.Vec3{X: math.Inf(1)},
		Materials: map[string]components.MaterialData{
			"glue": {Friction: -1},
		},
	}
	err := o.Validate()
	for _, want := range []string{"Unit", "Origin", "glue", "Friction"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v doesn't name %s", err, want)
		}
	}
	if err := (levels.Options{}).Validate(); err != nil {
		t.Error(err)
	}
}

func TestFindSaysThatNothingHasAName(t *testing.T) {
	l := levels.Level{Objects: make([]levels.ObjectData, 2)}
	if _, err := l.Find("start"); err == nil || !strings.Contains(err.Error(), "none that has a name") {
		t.Errorf("got %v", err)
	}
}
