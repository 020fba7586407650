package collide_test

import (
	"fmt"

	"github.com/dango-physics/dango/collide"
)

func ExampleSweepSpherePlane() {
	ball := collide.Sphere{Center: collide.Vec3{Y: 3}, Radius: 1}
	floor := collide.Plane{Normal: collide.Vec3{Y: 1}}
	c, outcome := collide.SweepSpherePlane(ball, collide.Vec3{Y: -4}, floor, collide.Vec3{}, 1)
	fmt.Println(outcome, c.Time, c.Point)
	// Output: Hit 0.5 {0 0 0}
}

func ExampleSweepSphereSphere() {
	a := collide.Sphere{Center: collide.Vec3{X: -5}, Radius: 1}
	b := collide.Sphere{Center: collide.Vec3{X: 5}, Radius: 1}
	c, outcome := collide.SweepSphereSphere(a, collide.Vec3{X: 3}, b, collide.Vec3{X: -1}, 10)
	fmt.Println(outcome, c.Time, c.Point, c.Normal)
	// Output: Hit 2 {2 0 0} {-1 0 0}
}

func ExampleSweepSpherePolygon() {
	table, err := collide.NewPolygon(
		collide.Vec3{}, collide.Vec3{Z: 2}, collide.Vec3{X: 4, Z: 2}, collide.Vec3{X: 4},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	ball := collide.Sphere{Center: collide.Vec3{X: 2, Y: 5, Z: 1}, Radius: 1}
	c, outcome := collide.SweepSpherePolygon(ball, collide.Vec3{Y: -2}, table, collide.Vec3{}, 10)
	fmt.Println(outcome, c.Time, c.Point, c.Normal)
	// Output: Hit 2 {2 0 1} {0 1 0}
}

func ExampleSweepSpherePlaneFront() {
	ledge := collide.Plane{Normal: collide.Vec3{Y: 1}}
	below := collide.Sphere{Center: collide.Vec3{Y: -3}, Radius: 1}
	_, outcome := collide.SweepSpherePlaneFront(below, collide.Vec3{Y: 4}, ledge, collide.Vec3{}, 1)
	fmt.Println(outcome) // it passes from below
	// Output: Miss
}

func ExampleBounce() {
	va, vb, impulse := collide.Bounce(collide.Vec3{X: -3}, collide.Vec3{}, 1, 1, collide.Vec3{X: 1}, 1)
	fmt.Println(va, vb, impulse)
	// Output: {0 0 0} {-3 0 0} 3
}

func ExampleSlide() {
	floor := collide.SlideContact{Normal: collide.Vec3{Y: 1}}
	wall := collide.SlideContact{Normal: collide.Vec3{X: -1}}
	v, result := collide.Slide(collide.Vec3{X: 2, Y: -1, Z: 3}, []collide.SlideContact{floor, wall})
	fmt.Println(v, result.Outcome)
	// Output: {0 0 3} OnCrease
}

func ExampleRayCastSphere() {
	ray := collide.Ray{Origin: collide.Vec3{X: -5}, Direction: collide.Vec3{X: 1}}
	c, outcome := collide.RayCastSphere(ray, collide.Sphere{Radius: 2}, 100)
	fmt.Println(outcome, c.Time, c.Normal)
	// Output: Hit 3 {-1 0 0}
}

func ExampleIntervalSphereSphere() {
	a, b := collide.Sphere{Center: collide.Vec3{X: -5}, Radius: 1}, collide.Sphere{Radius: 1}
	span, ok := collide.IntervalSphereSphere(a, collide.Vec3{X: 1}, b, collide.Vec3{})
	fmt.Println(span.First, span.Last, ok)
	// Output: 3 7 true
}
