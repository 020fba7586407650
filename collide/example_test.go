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

func ExampleSweep() {
	crate := collide.Box{Center: collide.Vec3{Y: 3}, Half: collide.Vec3{X: 0.5, Y: 0.5, Z: 0.5}}
	ramp, err := collide.NewHull([]collide.Vec3{{}, {X: 4}, {X: 4, Y: 2}, {Z: 3}, {X: 4, Z: 3}, {X: 4, Y: 2, Z: 3}})
	if err != nil {
		panic(err)
	}
	c, outcome := collide.Sweep(crate, collide.Vec3{Y: -1}, ramp.At(collide.Vec3{X: -2, Z: -1.5}), collide.Vec3{}, 10)
	fmt.Printf("%v after %.2f s at %.2f, normal %.2f\n", outcome, c.Time, c.Point, c.Normal)
	// Output: Hit after 1.25 s at {0.50 1.25 0.00}, normal {-0.45 0.89 0.00}
}

func ExampleSeparation() {
	pillar := collide.Capsule{B: collide.Vec3{Y: 2}, Radius: 0.5}
	box := collide.Box{Center: collide.Vec3{X: 3, Y: 1}, Half: collide.Vec3{X: 1, Y: 1, Z: 1}}
	g := collide.Separation(box, pillar)
	fmt.Println(g.Distance, g.Normal)
	// Output: 1.5 {1 0 0}
}

func ExampleNewMesh() {
	vertices := []collide.Vec3{{X: -5, Z: -5}, {X: -5, Z: 5}, {X: 5, Z: -5}, {X: 5, Z: 5}}
	floor, err := collide.NewMesh(vertices, []uint32{0, 1, 2, 2, 1, 3}, collide.MeshOptions{Weld: 1e-5})
	if err != nil {
		panic(err)
	}
	ball := collide.Sphere{Center: collide.Vec3{X: 1, Y: 3}, Radius: 0.5}
	c, outcome := collide.SweepSphereMesh(ball, collide.Vec3{Y: -1}, floor, collide.Vec3{}, 10)
	fmt.Println(outcome, c.Time, c.Normal, "triangle", c.Triangle)
	hit, outcome := collide.RayCastMesh(collide.Ray{Origin: collide.Vec3{Y: 2}, Direction: collide.Vec3{
		X: 1,
		Y: -1,
	}}, floor, 10)
	fmt.Println(outcome, hit.Point)
	// Output:
	// Hit 2.5 {0 1 0} triangle 1
	// Hit {2 0 0}
}

func ExampleRayCastMeshBatch() {
	vertices := []collide.Vec3{{X: -5, Z: -5}, {X: -5, Z: 5}, {X: 5, Z: -5}, {X: 5, Z: 5}}
	floor, err := collide.NewMesh(vertices, []uint32{0, 1, 2, 2, 1, 3}, collide.MeshOptions{})
	if err != nil {
		panic(err)
	}
	rays := []collide.Ray{
		{Origin: collide.Vec3{Y: 2}, Direction: collide.Vec3{X: 1, Y: -1}},
		{Origin: collide.Vec3{Y: 2}, Direction: collide.Vec3{Y: 1}},
	}
	for _, c := range collide.RayCastMeshBatch(rays, floor, 10, nil) {
		fmt.Println(c.Triangle, c.Point)
	}
	// Output:
	// 1 {2 0 0}
	// -1 {0 0 0}
}

func ExampleMoveAndSlide() {
	level := []collide.Convex{
		collide.Box{Center: collide.Vec3{Y: -1}, Half: collide.Vec3{X: 10, Y: 1, Z: 10}},
		collide.Box{Center: collide.Vec3{X: 5, Y: 1}, Half: collide.Vec3{X: 1, Y: 1, Z: 10}},
	}
	cast := func(p, velocity collide.Vec3, start, end float64) (first collide.MoveContact, outcome collide.Outcome) {
		player := collide.Sphere{Center: p, Radius: 0.5}
		for i, obstacle := range level {
			c, o := collide.Sweep(player, velocity, obstacle, collide.Vec3{}, end-start)
			if o == collide.Hit && (outcome == collide.Miss || c.Time < first.Time) {
				first = collide.MoveContact{Time: c.Time, Point: c.Point, Normal: c.Normal, Obstacle: i}
				outcome = o
			}
		}
		return first, outcome
	}
	move := collide.Move{Position: collide.Vec3{Y: 1}, Velocity: collide.Vec3{X: 4, Y: -1, Z: 2}, Seconds: 2}
	r := collide.MoveAndSlide(move, cast, nil)
	fmt.Printf("at %.3f with %.0f\n", r.Position, r.Velocity)
	for _, c := range r.Contacts {
		fmt.Printf("%.3f s: normal %.0f of obstacle %d\n", c.Time, c.Normal, c.Obstacle)
	}
	// Output:
	// at {3.500 0.500 4.000} with {0 0 2}
	// 0.500 s: normal {0 1 0} of obstacle 0
	// 0.875 s: normal {-1 0 0} of obstacle 1
}
