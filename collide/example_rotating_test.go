package collide_test

import (
	"fmt"
	"math"

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

func ExampleThrow() {
	ball := collide.Throw{
		Position: collide.Vec3{Y: 6}, Velocity: collide.Vec3{X: 2}, Acceleration: collide.Vec3{Y: -10},
	}
	fmt.Println(ball.PositionAt(1), ball.VelocityAt(1))
	floor, zero := collide.Plane{Normal: collide.Vec3{Y: 1}}, collide.Vec3{}
	c, outcome := collide.SweepThrownSpherePlane(ball, 1, floor, true, zero, 10)
	fmt.Println("floor  ", outcome, c.Time)
	c, outcome = collide.SweepThrownSphereSphere(
		ball, 1, collide.Sphere{Center: collide.Vec3{X: 2}, Radius: 0.5}, zero, 10)
	fmt.Printf("ball    %v %.2f\n", outcome, c.Time)
	rail := collide.Segment{A: collide.Vec3{X: 2, Z: -5}, B: collide.Vec3{X: 2, Z: 5}}
	c, outcome = collide.SweepThrownSphereSegment(ball, 1, rail, zero, 10)
	fmt.Printf("rail    %v %.2f\n", outcome, c.Time)
	c, outcome = collide.SweepThrownSphereCapsule(
		ball, 1, collide.Capsule{A: rail.A, B: rail.B, Radius: 0.5}, zero, 10)
	fmt.Printf("capsule %v %.2f\n", outcome, c.Time)
	table, _ := collide.NewPolygon(
		collide.Vec3{Z: -9}, collide.Vec3{Z: 9}, collide.Vec3{X: 9, Z: 9}, collide.Vec3{X: 9, Z: -9})
	c, outcome = collide.SweepThrownSpherePolygon(ball, 1, table, true, zero, 10)
	fmt.Printf("polygon %v %.2f\n", outcome, c.Time)
	// Output:
	// {2 1 0} {2 -10 0}
	// floor   Hit 1
	// ball    Hit 0.95
	// rail    Hit 1.00
	// capsule Hit 0.95
	// polygon Hit 1.00
}

func ExampleRotating() {
	door := collide.Rotating{Angular: collide.Vec3{Y: math.Pi / 2}, Seconds: 1} // a quarter turn in a second
	handle := collide.Vec3{X: 1}
	at := door.PointAt(handle, 1)
	fmt.Printf("%.2f %.2f\n", at, door.VelocityAt(handle, 0))
	fmt.Printf("%.2f %.2f\n", door.StartOf(at, 1), door.PivotAt(1))
	fmt.Printf("%.2f %.2f\n", door.AngularVelocityAt(0.5).Y, door.Rotation(1).Rotate(handle))
	// Output:
	// {-0.00 0.00 -1.00} {0.00 0.00 -1.57}
	// {1.00 0.00 -0.00} {0.00 0.00 0.00}
	// 1.57 {-0.00 0.00 -1.00}
}

func ExampleSweepSphereRotatingSegment() {
	// A door swings towards a ball that doesn't move.
	door := collide.Rotating{Angular: collide.Vec3{Y: math.Pi / 2}, Seconds: 1}
	ball, zero := collide.Sphere{Center: collide.Vec3{X: 0.5, Z: -0.5}, Radius: 0.1}, collide.Vec3{}
	edge := collide.Segment{A: collide.Vec3{}, B: collide.Vec3{X: 1}}
	show := func(name string, c collide.Contact, outcome collide.Outcome) {
		fmt.Printf("%-9s %v %.3f\n", name, outcome, c.Time)
	}
	c, outcome := collide.SweepSphereRotatingSegment(ball, zero, edge, door, 1)
	show("segment", c, outcome)
	triangle := collide.Triangle{A: collide.Vec3{Y: -1}, B: collide.Vec3{X: 1, Y: -1}, C: collide.Vec3{X: 1, Y: 2}}
	c, outcome = collide.SweepSphereRotatingTriangle(ball, zero, triangle, door, 1)
	show("triangle", c, outcome)
	panel, _ := collide.NewPolygon(
		collide.Vec3{Y: -1}, collide.Vec3{X: 1, Y: -1}, collide.Vec3{X: 1, Y: 1}, collide.Vec3{Y: 1})
	c, outcome = collide.SweepSphereRotatingPolygon(ball, zero, panel, false, door, 1)
	show("polygon", c, outcome)
	c, outcome = collide.SweepSphereRotatingPlane(
		ball, zero, collide.Plane{Normal: collide.Vec3{Z: -1}}, false, door, 1)
	show("plane", c, outcome)
	slab := collide.Box{Center: collide.Vec3{X: 0.5}, Half: collide.Vec3{X: 0.5, Y: 1, Z: 0.05}}
	c, outcome = collide.SweepSphereRotatingBox(ball, zero, slab, door, 1)
	show("box", c, outcome)
	// Output:
	// segment   Hit 0.410
	// triangle  Hit 0.410
	// polygon   Hit 0.410
	// plane     Hit 0.410
	// box       Hit 0.364
}

func ExampleRotatingFrame() {
	// The shapes are built once, in a frame of their own.
	frame := collide.RotatingFrame{Motion: collide.Rotating{Angular: collide.Vec3{Y: math.Pi / 2}, Seconds: 1}}
	rotation, origin := frame.At(1)
	fmt.Printf("%.2f %v\n", rotation.Rotate(collide.Vec3{X: 1}), origin)
	ball, zero := collide.Sphere{Center: collide.Vec3{X: 0.5, Z: -0.5}, Radius: 0.1}, collide.Vec3{}
	show := func(name string, c collide.Contact, outcome collide.Outcome) {
		fmt.Printf("%-9s %v %.3f\n", name, outcome, c.Time)
	}
	c, outcome := frame.SweepBox(ball, zero, collide.Vec3{X: 1, Y: 1, Z: 0.05}, 0, 1)
	show("box", c, outcome)
	c, outcome = frame.SweepCapsule(ball, zero, collide.Capsule{B: collide.Vec3{X: 1}, Radius: 0.05}, 0, 1)
	show("capsule", c, outcome)
	c, outcome = frame.SweepPlane(ball, zero, collide.Plane{Normal: collide.Vec3{Z: -1}}, false, 0, 1)
	show("plane", c, outcome)
	panel, _ := collide.NewPolygon(
		collide.Vec3{Y: -1}, collide.Vec3{X: 1, Y: -1}, collide.Vec3{X: 1, Y: 1}, collide.Vec3{Y: 1})
	c, outcome = frame.SweepPolygon(ball, zero, panel, false, 0, 1)
	show("polygon", c, outcome)
	// Output:
	// {-0.00 0.00 -1.00} {0 0 0}
	// box       Hit 0.364
	// capsule   Hit 0.364
	// plane     Hit 0.410
	// polygon   Hit 0.410
}
