package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// Balls hopped and lost a seventh of their speed on flat floors of thick walls, and where something
// round lay below a floor's surface: they were held off from the round end of the next wall, into
// which they would have fallen if the floor hadn't carried them.
func TestBallsRollOverTheJointsOfThickWallsAsOverAPlane(t *testing.T) {
	box := func(w donburi.World) { components.CreateBox2D(w, collide.Vec2(20, -0.5), 40, 0.5, 0) }
	floors := map[string]func(w donburi.World, depth float64){
		"thick walls": func(w donburi.World, _ float64) {
			for k := range 40 {
				x := float64(k) - 2
				components.CreateThickWall2D(w, collide.Vec2(x, -0.25), collide.Vec2(x+1, -0.25), 0.5)
			}
		},
		"thick walls with rounded coordinates": func(w donburi.World, _ float64) {
			for k := range 40 {
				x := 1.1*float64(k) - 2
				components.CreateThickWall2D(w, collide.Vec2(x, -0.3), collide.Vec2(x+1.1, -0.3), 0.6)
			}
		},
		"moving thick walls": func(w donburi.World, _ float64) {
			for k := range 40 {
				x := float64(k) - 2
				e := components.CreateThickWall2D(w, collide.Vec2(x, -0.25), collide.Vec2(x+1, -0.25), 0.5)
				donburi.Add(e, components.Velocity, &components.VelocityData{Linear: vec(1, 0, 0)})
			}
		},
		"balls in a box": func(w donburi.World, depth float64) {
			box(w)
			for k := range 30 {
				b := components.CreateBall(w, collide.Vec2(1.03*float64(k)+0.5, -0.25-depth), 0.25)
				components.Body.Get(b).Kind = components.Static
			}
		},
		"capsules in a box": func(w donburi.World, depth float64) {
			box(w)
			for k := range 30 {
				x := 1.03*float64(k) + 0.5
				components.CreateCapsule(w, collide.Vec2(x, -0.25-depth), collide.Vec2(x+0.3, -0.25-depth), 0.25)
			}
		},
	}
	for name, floor := range floors {
		for _, depth := range []float64{0, 0.001} {
			for _, speed := range []float64{2, 5, 8, 30} {
				for _, friction := range []float64{0, 0.1} {
					w := donburi.NewWorld()
					floor(w, depth)
					b := components.CreateCircle2D(w, collide.Vec2(0, 0.25), 0.25)
					components.Velocity.Get(b).Linear.X = speed
					if name != "moving thick walls" {
						components.Material.Get(b).Friction = friction
					}
					p := systems.NewPhysics(systems.Config{Gravity: collide.Vec2(0, -9.81)})
					highest := 0.0
					for range 60 {
						stepCrates(t, p, w, 1)
						highest = max(highest, components.Transform.Get(b).Position.Y-0.25)
					}
					want := speed
					if components.Material.Get(b).Friction > 0 {
						want -= 0.1 * 9.81
					}
					got := components.Velocity.Get(b).Linear.X
					if highest > 1e-6 || math.Abs(got-want) > 1e-3 {
						t.Errorf("%s, %v m deep, %v m/s, friction %v: it moves at %v, want %v, and hops %v m",
							name, depth, speed, friction, got, want, highest)
					}
				}
			}
		}
	}
}
