package systems_test

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A body comes from the side to the edge of a one-sided tile, with a wall behind. Far away, a plane
// that squeezes a ball stops before the body has touched the edge. So its impacts are predicted
// again, when it is partly below the tile.
func TestAPlaneThatStopsFarAwayDoesNotLetABodyPastAnEdge(t *testing.T) {
	for _, c := range []struct {
		name         string
		create       func(w donburi.World) *donburi.Entry
		velocity     collide.Vec3
		wall, stopAt float64
	}{
		{"ball", func(w donburi.World) *donburi.Entry {
			return components.CreateBall(w, vec(-0.8, 0.6, 0), 0.5)
		}, vec(31, -70, 0), 1.15, 0.55},
		{"crate", func(w donburi.World) *donburi.Entry {
			return components.CreateCrate(w, vec(-0.8, 0.55, 0), vec(0.5, 0.5, 0.5))
		}, vec(60, -30, 0), 1.45, 0.2},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := func(stops bool) (collide.Vec3, int) {
				w := donburi.NewWorld()
				corners := []collide.Vec3{vec(0, 0, 3), vec(3, 0, 3), vec(3, 0, -3), vec(0, 0, -3)}
				tile := components.CreatePolygon(w, corners)
				components.PolygonCollider.Get(tile).OneSided = true
				body := c.create(w)
				components.Velocity.Get(body).Linear = c.velocity
				components.CreateBox(w, vec(c.wall, 0, 0), vec(1, 2, 2))
				if stops {
					at := vec(0, 0, -20.8-c.stopAt/2)
					driver := components.CreatePlane(w, at, vec(0, 0, 1), components.Velocity, components.Body)
					components.Body.Get(driver).Kind = components.Kinematic
					components.Velocity.Get(driver).Linear = vec(0, 0, 60)
					components.CreateBox(w, vec(5, 5, -18.8+c.stopAt/2), vec(1, 1, 1))
					components.CreateBall(w, vec(5, 5, -20.3), 0.5)
				}
				p := systems.NewPhysics(systems.Config{Workers: 1})
				p.Step(w)
				expectNoErrors(t, p)
				return components.Transform.Get(body).Position, p.Stats().Blocked
			}
			want, _ := run(false)
			got, blocked := run(true)
			if blocked == 0 {
				t.Fatal("nothing stops")
			}
			if got.Distance(want) > 1e-12 {
				t.Errorf("got %v, want %v as without the plane", got, want)
			}
		})
	}
}
