package collide_test

import (
	"fmt"

	"github.com/dango-physics/dango/collide"
)

// A flipper turns by 60 rad/s about one end and hits a ball that rests on it.
func ExampleSweepSphereRotatingCapsule() {
	flipper := collide.Capsule{A: collide.Vec3{}, B: collide.Vec3{X: 0.08}, Radius: 0.01}
	ball := collide.Sphere{Center: collide.Vec3{X: 0.05, Y: 0.05}, Radius: 0.0135}
	up := collide.Rotating{Angular: collide.Vec3{Z: 60}, Seconds: 1.0 / 60}
	c, outcome := collide.SweepSphereRotatingCapsule(ball, collide.Vec3{}, flipper, up, 1.0/60)
	v := collide.BounceOff(collide.Vec3{}, up.VelocityAt(c.Point, c.Time), c.Normal, 0.5)
	fmt.Printf("%v after %.2f ms, ball flies off at %.2f m/s\n", outcome, 1000*c.Time, v.Length())
	// Output: Hit after 7.44 ms, ball flies off at 6.00 m/s
}

// The blade of a mill is a hull, its axle a cylinder, and its rim a mesh. Which does a ball touch
// first?
func ExampleRotatingFrame_mill() {
	blade, _ := collide.NewHull([]collide.Vec3{
		{X: 0.2, Z: -0.5},
		{X: 1, Z: -0.5},
		{X: 1, Y: 0.1, Z: -0.5},
		{X: 0.2, Z: 0.5},
		{X: 1, Z: 0.5},
		{X: 1, Y: 0.1, Z: 0.5},
	})
	axle := collide.Cylinder{A: collide.Vec3{Z: -0.5}, B: collide.Vec3{Z: 0.5}, Radius: 0.2}
	rim, _ := collide.NewMesh([]collide.Vec3{
		{X: 1, Y: -0.3, Z: -0.5}, {X: 1, Y: -0.3, Z: 0.5}, {X: 0.5, Y: 0.3},
	}, []uint32{0, 1, 2}, collide.MeshOptions{})
	ball, v := collide.Sphere{Center: collide.Vec3{X: 0.8, Y: 0.4}, Radius: 0.1}, collide.Vec3{Y: -3}
	mill := collide.RotatingFrame{Motion: collide.Rotating{Angular: collide.Vec3{Z: 2}, Seconds: 0.1}}

	c, outcome := mill.SweepHull(ball, v, blade, 0, 0.1)
	fmt.Printf("blade: %v after %.4f s\n", outcome, c.Time)
	_, outcome = mill.SweepCylinder(ball, v, axle, 0, 0.1)
	fmt.Printf("axle: %v\n", outcome)
	near := mill.Within(ball, v, 0, 0.1)
	rim.WithBothSides().EachFacetAt(near.Center, near.Radius, func(t collide.Facet) {
		c, outcome := mill.SweepFacet(ball, v, t, 0, 0.1)
		fmt.Printf("rim: %v after %.4f s\n", outcome, c.Time)
	})
	// Output:
	// blade: Hit after 0.0479 s
	// axle: Miss
	// rim: Hit after 0.0705 s
}

// A cannon is to hit a target behind a wall that is 4 m high. The shortest flight that clears the
// wall is chosen.
func ExampleThrowTo() {
	const radius = 0.1
	gravity := collide.Vec3{Y: -9.81}
	cannon, target := collide.Vec3{Y: 1}, collide.Vec3{X: 15, Y: radius}
	wall := collide.Box{Center: collide.Vec3{X: 10, Y: 2}, Half: collide.Vec3{X: 0.25, Y: 2, Z: 5}}
	for seconds := 1.5; seconds < 3; seconds += 0.125 {
		throw := collide.ThrowTo(cannon, target, gravity, seconds)
		c, outcome := collide.SweepThrownSphereBox(throw, radius, wall, collide.Vec3{}, seconds)
		if outcome == collide.Miss {
			fmt.Printf("%.3f s: arrives, thrown at %.2f m/s\n", seconds, throw.Velocity.Length())
			break
		}
		fmt.Printf("%.3f s: meets the wall at a height of %.2f m\n", seconds, c.Point.Y)
	}
	// Output:
	// 1.500 s: meets the wall at a height of 2.95 m
	// 1.625 s: meets the wall at a height of 3.39 m
	// 1.750 s: meets the wall at a height of 3.87 m
	// 1.875 s: arrives, thrown at 11.83 m/s
}
