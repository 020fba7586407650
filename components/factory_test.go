package components_test

import (
	"fmt"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
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
