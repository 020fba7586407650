package systems_test

import (
	"fmt"
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
	walls := func(w donburi.World, length, thickness float64, velocity collide.Vec3) {
		for k := range 40 {
			x := length*float64(k) - 2
			a, b := collide.Vec2(x, -thickness/2), collide.Vec2(x+length, -thickness/2)
			e := components.CreateThickWall2D(w, a, b, thickness)
			donburi.Add(e, components.Velocity, &components.VelocityData{Linear: velocity})
		}
	}
	buried := func(w donburi.World, create func(at collide.Vec3), depth float64) {
		components.CreateBox2D(w, collide.Vec2(20, -0.5), 40, 0.5, 0)
		for k := range 30 {
			create(collide.Vec2(1.03*float64(k)+0.5, -0.25-depth))
		}
	}
	floors := map[string]func(w donburi.World){
		"thick walls":                          func(w donburi.World) { walls(w, 1, 0.5, collide.Vec3{}) },
		"thick walls with rounded coordinates": func(w donburi.World) { walls(w, 1.1, 0.6, collide.Vec3{}) },
		"moving thick walls":                   func(w donburi.World) { walls(w, 1, 0.5, vec(1, 0, 0)) },
	}
	for _, depth := range []float64{0, 0.001} {
		floors[fmt.Sprint("balls in a box, ", depth, " m deep")] = func(w donburi.World) {
			buried(w, func(at collide.Vec3) {
				components.Body.Get(components.CreateBall(w, at, 0.25)).Kind = components.Static
			}, depth)
		}
		floors[fmt.Sprint("capsules in a box, ", depth, " m deep")] = func(w donburi.World) {
			buried(w, func(at collide.Vec3) {
				components.CreateCapsule(w, at, at.Add(vec(0.3, 0, 0)), 0.25)
			}, depth)
		}
	}
	for name, floor := range floors {
		for _, speed := range []float64{2, 5, 8, 30} {
			for _, friction := range []float64{0, 0.1} {
				if friction > 0 && name == "moving thick walls" {
					continue // the speed relative to the floor may change its sign
				}
				w := donburi.NewWorld()
				floor(w)
				b := components.CreateCircle2D(w, collide.Vec2(0, 0.25), 0.25)
				components.Velocity.Get(b).Linear.X = speed
				components.Material.Get(b).Friction = friction
				p := systems.NewPhysics(systems.Config{Gravity: collide.Vec2(0, -9.81)})
				highest := 0.0
				for range 60 {
					stepCrates(t, p, w, 1)
					highest = max(highest, components.Transform.Get(b).Position.Y-0.25)
				}
				want, got := speed-float64(friction*9.81), components.Velocity.Get(b).Linear.X
				// The next wall may be higher by a rounding e = 2^-47 m, and is met where it
				// rises by sqrt(2e/r): at 30 m/s a ball hops 0.1 µm in a step. With friction,
				// that costs some speed.
				if highest > 1e-7 || math.Abs(got-want) > 1e-9+float64(0.01*friction) {
					t.Errorf("%s, %v m/s, friction %v: it moves at %v, want %v, and hops %v m",
						name, speed, friction, got, want, highest)
				}
			}
		}
	}
}

// A ball that rolled through a curve of thick walls was turned by the ends of those ahead, which
// the wall before them hides. In one turn it lost 70 % of its energy, the more the finer the curve.
func TestABallKeepsItsEnergyInACurveOfThickWalls(t *testing.T) {
	const n, radius, curve, half = 200, 0.25, 2.0, 0.1
	for _, spins := range []bool{false, true} {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
		corner := func(k int) collide.Vec3 { return collide.Polar2D(curve+half, 2*math.Pi*float64(k)/n) }
		for k := range n {
			components.CreateThickWall2D(w, corner(k), corner(k+1), 2*half)
		}
		b := components.CreateCircle2D(w, vec(curve-radius-0.01, 0, 0), radius)
		components.Velocity.Get(b).Linear.Y = 10
		energy, lost := func() float64 { return velocity(b).LengthSquared() / 2 }, 1.0
		if spins {
			b.AddComponent(components.AngularVelocity)
			components.AngularVelocity.Get(b).Angular.Z = -10 / radius
			components.Material.Get(b).Friction = 0.8
			lost = 5.0 / 7 // friction gives it back what its rotation has kept
		}
		before := energy()
		turned, at := 0.0, position(b)
		for step := 0; turned < 2*math.Pi; step++ {
			if p.Step(w); step > 600 {
				t.Fatalf("spins %v: it has turned by %v rad in %d steps", spins, turned, step)
			}
			turned += math.Abs(math.Asin(at.Cross2D(position(b)) / at.Length() / position(b).Length()))
			at = position(b)
		}
		// Each of n walls takes the part of the speed that leads into it.
		want := before * math.Exp(-lost*4*math.Pi*math.Pi/n)
		if got := energy(); math.Abs(got/want-1) > 0.03 {
			t.Errorf("spins %v: energy %v J after a turn, want %v", spins, got, want)
		}
	}
}
