package collide_test

import (
	"errors"
	"fmt"
	"math"

	"github.com/dango-physics/dango/collide"
)

func ExampleVec3() {
	a, b := collide.Vec3{X: 3, Y: 4}, collide.Vec3{X: 1, Y: -2, Z: 2}
	fmt.Println(a.Add(b), a.Sub(b), a.Neg(), a.Scale(2))
	fmt.Println(a.AddScaled(0.5, b), a.Lerp(b, 0.25), a.MulElem(b))
	fmt.Println(a.Dot(b), a.Cross(b))
	fmt.Println(a.Length(), a.LengthSquared(), a.Distance(b) == a.Sub(b).Length())
	n, ok := a.Normalized()
	fmt.Println(n, ok)
	// Output:
	// {4 2 2} {2 6 -2} {-3 -4 -0} {6 8 0}
	// {3.5 3 1} {2.5 2.5 0.5} {3 -8 0}
	// -5 {8 -6 -10}
	// 5 25 true
	// {0.6 0.8 0} true
}

func ExampleVec3_Component() {
	v := collide.Vec3{X: 3, Y: -7, Z: 5}
	fmt.Println(v.Component(1), v.MaxAbs(), v.SumAbs())
	fmt.Println(v.IsFinite(), collide.Vec3{X: math.NaN()}.IsFinite())
	fmt.Println(v.SameBits(v), collide.Vec3{}.SameBits(collide.Vec3{}.Neg())) // 0 and -0 differ
	// Output:
	// -7 7 15
	// true false
	// true false
}

func ExampleQuat() {
	quarter := collide.RotationAround(collide.Vec3{Z: 1}, math.Pi/2) // to set up a scene
	same := collide.RotationBy(collide.Vec3{Z: math.Pi / 2})         // the same bits on all platforms
	half := quarter.Mul(same).Normalized()
	v := half.Rotate(collide.Vec3{X: 1})
	fmt.Printf("%.3f %.3f, squared length %.3f\n", v.X, v.Y, half.LengthSquared())
	// Output: -1.000 0.000, squared length 1.000
}

func ExampleAABB() {
	box := collide.NewAABB(collide.Vec3{X: 1}, collide.Vec3{X: 3, Y: 2, Z: 2})
	fmt.Println(box.Center(), box.Size(), box.IsEmpty())
	fmt.Println(box.Contains(collide.Vec3{X: 2, Y: 1, Z: 1}), box.ClosestPoint(collide.Vec3{X: 9, Y: 1, Z: 1}))
	other := box.Translate(collide.Vec3{X: 2.5})
	fmt.Println(box.Overlaps(other), box.Grow(1).Overlaps(other), box.Union(other).Size(), box.Bounds() == box)
	// What a ball touches in a tenth of a second lies in this box.
	fmt.Println(collide.SweptAABB(collide.Sphere{Radius: 1}, collide.Vec3{X: 20}, 0.1).Contains(collide.Vec3{X: 2.5}))
	// Output:
	// {2 1 1} {2 2 2} false
	// true {3 1 1}
	// false true {4.5 2 2} true
	// true
}

func ExampleNewPlane() {
	floor, err := collide.NewPlane(collide.Vec3{Y: 2}, 1) // 1 m above the origin; the normal gets length 1
	fmt.Println(floor.SignedDistance(collide.Vec3{Y: 4}), err)
	wall, _ := collide.PlaneThrough(collide.Vec3{X: 5}, collide.Vec3{X: -1})
	fmt.Println(wall.SignedDistance(collide.Vec3{}))
	ramp, _ := collide.PlaneThroughPoints(collide.Vec3{}, collide.Vec3{Z: 1}, collide.Vec3{X: 1, Y: 1})
	fmt.Printf("%.2f\n", ramp.Normal)
	// Output:
	// 3 <nil>
	// 5
	// {-0.71 0.71 0.00}
}

func ExamplePolygon() {
	table, err := collide.NewPolygon(collide.Vec3{}, collide.Vec3{Z: 2}, collide.Vec3{X: 4, Z: 2}, collide.Vec3{X: 4})
	if err != nil {
		panic(err)
	}
	fmt.Println(table.Len(), table.Corner(2), table.Edge(0).B, table.EdgeNormal(0))
	fmt.Println(table.Plane().Normal, table.Covers(collide.Vec3{X: 1, Y: 5, Z: 1}))
	fmt.Println(table.ClosestPoint(collide.Vec3{X: 6, Y: 1, Z: 1}), table.Bounds().Max)
	// Output:
	// 4 {4 0 2} {0 0 2} {-1 -0 -0}
	// {0 1 0} true
	// {4 0 1} {4 0 2}
}

func ExampleTriangle() {
	t := collide.Triangle{A: collide.Vec3{}, B: collide.Vec3{Z: 1}, C: collide.Vec3{X: 1}}
	plane, err := t.Plane()
	fmt.Println(plane.Normal, err)
	fmt.Println(t.ClosestPoint(collide.Vec3{X: -3, Y: 2, Z: 0.25}), t.Bounds().Max)
	p, _ := t.Polygon()
	fmt.Println(p.Len())
	// Output:
	// {0 1 0} <nil>
	// {0 0 0.25} {1 0 1}
	// 3
}

func ExampleCapsule() {
	pillar := collide.Capsule{B: collide.Vec3{Y: 2}, Radius: 0.5}
	p := collide.Vec3{X: 3, Y: 1}
	fmt.Println(pillar.SignedDistance(p), pillar.ClosestPoint(p), pillar.Bounds().Size())
	axis := collide.Segment{A: pillar.A, B: pillar.B}
	fmt.Println(axis.ClosestPoint(p), axis.Bounds().Max)
	fmt.Println(collide.Sphere{Radius: 1}.Bounds().Contains(collide.Vec3{X: 1, Y: -1, Z: 1}))
	// Output:
	// 2.5 {0.5 1 0} {1 3 1}
	// {0 1 0} {0 2 0}
	// true
}

func ExampleCylinder() {
	drum := collide.Cylinder{B: collide.Vec3{Y: 2}, Radius: 1}
	p := collide.Vec3{X: 3, Y: 1}
	fmt.Println(drum.SignedDistance(p), drum.ClosestPoint(p), drum.Bounds().Contains(collide.Vec3{X: 1, Y: 2}))
	ball := collide.Sphere{Center: p, Radius: 0.5}
	c, outcome := collide.SweepSphereCylinder(ball, collide.Vec3{X: -1}, drum, collide.Vec3{}, 10)
	fmt.Println(outcome, c.Time, collide.OverlapSphereCylinder(ball, drum))
	c, _ = collide.RayCastCylinder(collide.Ray{Origin: p, Direction: collide.Vec3{X: -1}}, drum, 10)
	fmt.Println(c.Time)
	distance, normal, ok := drum.Nearest(p)
	fmt.Println(distance, normal, ok)
	prism, err := drum.Prism(32) // a convex shape that contains it
	fmt.Println(prism.Faces(), err)
	// Output:
	// 2 {1 1 0} true
	// Hit 1.5 false
	// 2
	// 2 {1 0 0} true
	// 34 <nil>
}

func ExampleBox() {
	crate := collide.NewBox2D(collide.Vec2(10, 5), 2, 1, 0) // 4 wide and 2 high
	fmt.Println(crate.Axes()[0], crate.Corners()[0].X, crate.ClosestPoint(collide.Vec2(20, 5)))
	fmt.Println(crate.Bounds().Contains(collide.Vec2(12, 6)))
	standing := crate.Turned(collide.Rotation2D(math.Pi / 2)) // around the origin, not around its centre
	fmt.Printf("%.0f\n", standing.Center)
	// Output:
	// {2 0 0} -2 {12 5 0}
	// true
	// {-5 10 0}
}

func ExampleHull() {
	wedge, err := collide.NewHull([]collide.Vec3{{}, {X: 2}, {X: 2, Y: 1}, {Z: 1}, {X: 2, Z: 1}, {X: 2, Y: 1, Z: 1}})
	if err != nil {
		panic(err)
	}
	fmt.Println(wedge.Len(), "corners,", wedge.Faces(), "faces; a face has at least", len(wedge.Face(0)), "corners")
	fmt.Println(wedge.Corner(int(wedge.Face(0)[0])).IsFinite(), wedge.Bounds().Contains(collide.Vec3{X: 2, Y: 1, Z: 1}))
	fmt.Println(wedge.ClosestPoint(collide.Vec3{X: 5, Y: 0.5, Z: 0.5}))

	// The same hull at several places.
	there := wedge.At(collide.Vec3{X: 10})
	fmt.Println(there.ClosestPoint(collide.Vec3{X: 15, Y: 0.5, Z: 0.5}), there.Bounds().Contains(collide.Vec3{X: 12}))
	turned, err := wedge.Rotated(collide.Rotation2D(math.Pi / 2))
	fmt.Println(err, turned.Bounds().Contains(collide.Vec3{X: -0.5, Y: 1.5, Z: 0.5}))
	// Output:
	// 6 corners, 5 faces; a face has at least 3 corners
	// true true
	// {2 0.5 0.5}
	// {12 0.5 0.5} true
	// <nil> true
}

func ExampleNewHull2D() {
	roof, err := collide.NewHull2D([]collide.Vec3{collide.Vec2(0, 0), collide.Vec2(4, 0), collide.Vec2(2, 2)})
	if err != nil {
		panic(err)
	}
	ball := collide.Sphere{Center: collide.Vec2(2, 8), Radius: 1}
	c, outcome := collide.Sweep(ball, collide.Vec2(0, -1), roof, collide.Vec3{}, 100)
	fmt.Println(outcome, c.Time, c.Point)
	// Output: Hit 5 {2 2 0}
}

func ExamplePlaced() {
	capsule := collide.Capsule{A: collide.Vec3{Y: -1}, B: collide.Vec3{Y: 1}, Radius: 0.5}
	lying := collide.Placed{Shape: capsule, Position: collide.Vec3{X: 5}, Rotation: collide.Rotation2D(math.Pi / 2)}
	size := lying.Bounds().Size()
	fmt.Printf("%.1f %.1f %.1f\n", size.X, size.Y, size.Z)
	// Output: 3.0 1.0 1.0
}

func ExampleOverlaps() {
	box := collide.Box{Half: collide.Vec3{X: 1, Y: 1, Z: 1}}
	capsule := collide.Capsule{A: collide.Vec3{X: 1.4}, B: collide.Vec3{X: 3}, Radius: 0.5}
	fmt.Println(collide.Overlaps(box, capsule))
	c, outcome := collide.RayCast(collide.Ray{Origin: collide.Vec3{X: -5}, Direction: collide.Vec3{X: 1}}, box, 100)
	fmt.Println(outcome, c.Time)
	lowest, highest := collide.ConvexHeights(box, collide.Plane{Normal: collide.Vec3{Y: 1}, Distance: -3})
	fmt.Println(lowest, highest)
	// Output:
	// true
	// Hit 4
	// 2 4
}

func ExampleSweepConvexPlane() {
	crate := collide.Box{Center: collide.Vec3{Y: 3}, Half: collide.Vec3{X: 1, Y: 1, Z: 1}}
	floor := collide.Plane{Normal: collide.Vec3{Y: 1}}
	c, outcome := collide.SweepConvexPlane(crate, collide.Vec3{Y: -4}, floor, collide.Vec3{}, 1)
	fmt.Println(outcome, c.Time)
	// The same floor as the surface of a solid: below it everything is inside.
	crate.Center.Y = -3
	_, outcome = collide.SweepConvexHalfSpace(crate, collide.Vec3{Y: -4}, floor, collide.Vec3{}, 1)
	fmt.Println(outcome)
	// Output:
	// Hit 0.5
	// Overlap
}

func ExampleOverlapSphereSphere() {
	ball := collide.Sphere{Center: collide.Vec3{Y: 0.9}, Radius: 1}
	floor := collide.Plane{Normal: collide.Vec3{Y: 1}}
	table, _ := collide.NewPolygon(collide.Vec3{}, collide.Vec3{Z: 2}, collide.Vec3{X: 4, Z: 2}, collide.Vec3{X: 4})
	triangle := collide.Triangle{A: collide.Vec3{}, B: collide.Vec3{Z: 1}, C: collide.Vec3{X: 1}}
	rail := collide.Segment{A: collide.Vec3{X: -5}, B: collide.Vec3{X: 5}}
	capsule := collide.Capsule{A: rail.A, B: rail.B, Radius: 0.1}
	box := collide.NewAABB(collide.Vec3{X: -1, Y: -1, Z: -1}, collide.Vec3{X: 1, Z: 1})
	fmt.Println(
		collide.OverlapSphereSphere(ball, collide.Sphere{Center: collide.Vec3{Y: 3}, Radius: 1}),
		collide.OverlapSpherePlane(ball, floor), collide.OverlapSpherePolygon(ball, table),
		collide.OverlapSphereTriangle(ball, triangle), collide.OverlapSphereSegment(ball, rail),
		collide.OverlapSphereCapsule(ball, capsule), collide.OverlapSphereAABB(ball, box),
		collide.OverlapSpherePoint(ball, collide.Vec3{}))
	fmt.Println(collide.OverlapAABBCapsule(box, capsule), collide.OverlapAABBPolygon(box, table))
	// Output:
	// false true true true true true true true
	// true true
}

func ExampleSweepSphereSegment() {
	ball := collide.Sphere{Center: collide.Vec3{X: 1, Y: 5, Z: 0.5}, Radius: 1}
	down, zero := collide.Vec3{Y: -2}, collide.Vec3{}
	rail := collide.Segment{A: collide.Vec3{Z: -5, X: 1}, B: collide.Vec3{Z: 5, X: 1}}
	triangle := collide.Triangle{A: collide.Vec3{}, B: collide.Vec3{Z: 2}, C: collide.Vec3{X: 4}}
	c, outcome := collide.SweepSphereSegment(ball, down, rail, zero, 10)
	fmt.Println("segment ", outcome, c.Time)
	c, outcome = collide.SweepSphereCapsule(ball, down, collide.Capsule{A: rail.A, B: rail.B, Radius: 1}, zero, 10)
	fmt.Println("capsule ", outcome, c.Time)
	c, outcome = collide.SweepSpherePoint(ball, down, collide.Vec3{X: 1, Z: 0.5}, zero, 10)
	fmt.Println("point   ", outcome, c.Time)
	c, outcome = collide.SweepSphereTriangle(ball, down, triangle, zero, 10)
	fmt.Println("triangle", outcome, c.Time)
	c, outcome = collide.SweepSphereTriangleFront(ball, down, triangle, zero, 10)
	fmt.Println("its front", outcome, c.Time)
	c, outcome = collide.SweepSphereStill(ball, down, collide.Sphere{Center: collide.Vec3{X: 1, Z: 0.5}, Radius: 1}, 10)
	fmt.Println("sphere that doesn't move", outcome, c.Time)
	// Output:
	// segment  Hit 2
	// capsule  Hit 1.5
	// point    Hit 2
	// triangle Hit 2
	// its front Hit 2
	// sphere that doesn't move Hit 1.5
}

func ExampleSweepSpherePolygonFront() {
	ledge, _ := collide.NewPolygon(collide.Vec3{}, collide.Vec3{Z: 2}, collide.Vec3{X: 2, Z: 2}, collide.Vec3{X: 2})
	below := collide.Sphere{Center: collide.Vec3{X: 1, Y: -3, Z: 1}, Radius: 0.5}
	_, outcome := collide.SweepSpherePolygonFront(below, collide.Vec3{Y: 9}, ledge, collide.Vec3{}, 1)
	fmt.Println(outcome) // it jumps through from below
	// Output: Miss
}

func ExampleSweepAABBAABB() {
	player := collide.NewAABB(collide.Vec3{}, collide.Vec3{X: 1, Y: 2, Z: 1})
	wall := collide.NewAABB(collide.Vec3{X: 5, Y: -9, Z: -9}, collide.Vec3{X: 6, Y: 9, Z: 9})
	c, outcome := collide.SweepAABBAABB(player, collide.Vec3{X: 2}, wall, collide.Vec3{}, 10)
	fmt.Println(outcome, c.Time, c.Normal)
	span, ok := collide.IntervalAABBAABB(player, collide.Vec3{X: 2}, wall, collide.Vec3{})
	fmt.Println(ok, span.First, span.Last) // from when to when they would overlap
	// Output:
	// Hit 2 {-1 -0 -0}
	// true 2 3
}

func ExampleRayCastPlane() {
	ray := collide.Ray{Origin: collide.Vec3{X: 0.5, Y: 4, Z: 0.5}, Direction: collide.Vec3{Y: -1}}
	table, _ := collide.NewPolygon(collide.Vec3{}, collide.Vec3{Z: 2}, collide.Vec3{X: 4, Z: 2}, collide.Vec3{X: 4})
	triangle := collide.Triangle{A: collide.Vec3{}, B: collide.Vec3{Z: 2}, C: collide.Vec3{X: 2}}
	capsule := collide.Capsule{A: collide.Vec3{X: -5, Z: 0.5}, B: collide.Vec3{X: 5, Z: 0.5}, Radius: 1}
	box := collide.NewAABB(collide.Vec3{}, collide.Vec3{X: 1, Y: 2, Z: 1})
	for _, cast := range []func() (collide.Contact, collide.Outcome){
		func() (collide.Contact, collide.Outcome) {
			return collide.RayCastPlane(ray, collide.Plane{Normal: collide.Vec3{Y: 1}}, 100)
		},
		func() (collide.Contact, collide.Outcome) { return collide.RayCastPolygon(ray, table, 100) },
		func() (collide.Contact, collide.Outcome) { return collide.RayCastTriangle(ray, triangle, 100) },
		func() (collide.Contact, collide.Outcome) { return collide.RayCastCapsule(ray, capsule, 100) },
		func() (collide.Contact, collide.Outcome) { return collide.RayCastAABB(ray, box, 100) },
	} {
		c, outcome := cast()
		fmt.Println(outcome, c.Time)
	}
	// Output:
	// Hit 4
	// Hit 4
	// Hit 4
	// Hit 3
	// Hit 2
}

func ExampleMesh() {
	vertices := []collide.Vec3{{X: -5, Z: -5}, {X: -5, Z: 5}, {X: 5, Z: -5}, {X: 5, Z: 5}}
	floor, err := collide.NewMesh(vertices, []uint32{0, 1, 2, 2, 1, 3}, collide.MeshOptions{})
	if err != nil {
		panic(err)
	}
	fmt.Println(floor.Triangles(), "triangles,", floor.Bounds().Size().X, "m wide, two-sided:", floor.TwoSided())
	fmt.Println("T-junctions:", len(floor.TJunctions()), "memory:", floor.Bytes() > 0)
	p, triangle := floor.ClosestPoint(collide.Vec3{X: -1, Y: 3, Z: -1})
	fmt.Println(p, "on triangle", triangle)

	crate := collide.Box{Center: collide.Vec3{Y: 3}, Half: collide.Vec3{X: 1, Y: 1, Z: 1}}
	c, outcome := collide.SweepMesh(crate, collide.Vec3{Y: -1}, floor, collide.Vec3{}, 10)
	fmt.Println(outcome, c.Time, collide.OverlapsMesh(crate, floor))

	crate.Center.Y = -3 // behind the floor
	_, outcome = collide.SweepMesh(crate, collide.Vec3{Y: 1}, floor, collide.Vec3{}, 10)
	fmt.Print(outcome, ", both sides: ")
	_, outcome = collide.SweepMesh(crate, collide.Vec3{Y: 1}, floor.WithBothSides(), collide.Vec3{}, 10)
	fmt.Println(outcome)
	// Output:
	// 2 triangles, 10 m wide, two-sided: false
	// T-junctions: 0 memory: true
	// {-1 0 -1} on triangle 0
	// Hit 2 false
	// Miss, both sides: Hit
}

func ExampleMeshError() {
	_, err := collide.NewMesh([]collide.Vec3{{}, {X: 1}}, []uint32{0, 1, 7}, collide.MeshOptions{})
	if e := new(collide.MeshError); errors.As(err, &e) {
		fmt.Println(e.Triangle, e.Vertex, errors.Is(err, collide.ErrIndex))
	}
	// Output: 0 7 true
}

func ExampleNewChain2D() {
	ground, err := collide.NewChain2D(
		[]collide.Vec3{collide.Vec2(-10, 0), collide.Vec2(0, 0), collide.Vec2(10, 5)},
		collide.MeshOptions{TwoSided: true})
	if err != nil {
		panic(err)
	}
	ball := collide.Sphere{Center: collide.Vec2(-5, 4), Radius: 1}
	c, outcome := collide.SweepSphereMesh(ball, collide.Vec2(0, -1), ground, collide.Vec3{}, 10)
	fmt.Println(outcome, c.Time, c.Normal)

	rock, err := collide.NewPolygon2D(
		[]collide.Vec3{collide.Vec2(0, 0), collide.Vec2(4, 0), collide.Vec2(4, 4), collide.Vec2(2, 1)},
		collide.MeshOptions{})
	if err != nil {
		panic(err)
	}
	ball.Center = collide.Vec2(8, 2)
	c, outcome = collide.SweepSphereMesh(ball, collide.Vec2(-1, 0), rock, collide.Vec3{}, 10)
	fmt.Println(outcome, c.Time, c.Normal)
	// Output:
	// Hit 3 {-0 1 -0}
	// Hit 3 {1 0 0}
}

func ExampleHeightField() {
	heights := []float64{0, 0, 0, 1, 1, 1, 2, 2, 2} // 3 columns; a slope of 1 in 2 along X
	hill, err := collide.NewHeightField(collide.Vec3{}, 2, 2, 3, heights)
	if err != nil {
		panic(err)
	}
	h, ok := hill.Height(1, 2)
	fmt.Println(h, ok, hill.Triangles(), hill.Bounds().Size())
	c, outcome := collide.RayCastHeightField(
		collide.Ray{Origin: collide.Vec3{X: 1, Y: 9, Z: 2}, Direction: collide.Vec3{Y: -1}}, hill, 100)
	fmt.Println(outcome, c.Time)
	_, outcome = collide.SweepSphereHeightField(
		collide.Sphere{Center: collide.Vec3{X: 1, Y: 9, Z: 2}, Radius: 1}, collide.Vec3{Y: -1},
		hill, collide.Vec3{}, 100)
	fmt.Println(outcome)
	crate := collide.Box{Center: collide.Vec3{X: 1.5, Y: 9, Z: 2}, Half: collide.Vec3{X: 1, Y: 1, Z: 1}}
	c, outcome = collide.SweepHeightField(crate, collide.Vec3{Y: -1}, hill, collide.Vec3{}, 100)
	fmt.Println(outcome, c.Time) // its edge is 1 m up the slope
	nearest, _ := hill.ClosestPoint(collide.Vec3{X: 1, Y: -3, Z: 2})
	fmt.Printf("%.2f\n", nearest)
	sheet := hill.WithBothSides()
	c, outcome = collide.RayCastHeightField(
		collide.Ray{Origin: collide.Vec3{X: 1, Y: -2, Z: 2}, Direction: collide.Vec3{Y: 1}}, sheet, 100)
	fmt.Println(hill.TwoSided(), sheet.TwoSided(), outcome, c.Time)
	// Output:
	// 0.5 true 8 {4 2 4}
	// Hit 8.5
	// Hit
	// Hit 6.75
	// {0.00 0.00 2.00}
	// false true Hit 2.5
}

func ExampleOrientation() {
	a, b, c := collide.Vec3{}, collide.Vec3{X: 1}, collide.Vec3{Y: 1}
	fmt.Println(
		collide.Orientation(a, b, c, collide.Vec3{Z: 1}), collide.Orientation(a, b, c, collide.Vec3{Z: -1}),
		collide.Orientation(a, b, c, collide.Vec3{X: 7, Y: 3})) // exactly in the plane of the three
	// Output: 1 -1 0
}

func ExampleBounceOff() {
	v := collide.BounceOff(collide.Vec3{X: 3, Y: -4}, collide.Vec3{}, collide.Vec3{Y: 1}, 0.5)
	fmt.Println(v)
	// Output: {3 2 0}
}

func ExampleHull_Nearest() {
	crate, err := collide.NewHull([]collide.Vec3{
		{}, {X: 1}, {Y: 1}, {Z: 1}, {X: 1, Y: 1}, {X: 1, Z: 1}, {Y: 1, Z: 1}, {X: 1, Y: 1, Z: 1},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(crate.Nearest(collide.Vec3{X: 3, Y: 0.5, Z: 0.5}))
	fmt.Println(crate.Support(collide.Vec3{X: 1}), crate.Plane(0).SignedDistance(collide.Vec3{X: 0.5, Y: 0.5, Z: 0.5}))
	// Output:
	// 2 {1 0 0} true
	// 1 -0.5
}

func ExampleNewPlaced() {
	crate := collide.NewPlaced(collide.Box{Half: collide.Vec3{X: 1, Y: 2, Z: 1}}, collide.Vec3{X: 5}, collide.Quat{})
	again := collide.NewPlaced(crate, collide.Vec3{Y: 3}, collide.Quat{})
	fmt.Println(again.Bounds().Contains(collide.Vec3{X: 5, Y: 4.5}))
	// Output: true
}

func ExampleMesh_Facet() {
	vertices := []collide.Vec3{{X: -5, Z: -5}, {X: -5, Z: 5}, {X: 5, Z: -5}, {X: 5, Z: 5}}
	floor, err := collide.NewMesh(vertices, []uint32{0, 1, 2, 2, 1, 3}, collide.MeshOptions{})
	if err != nil {
		panic(err)
	}
	fmt.Println(floor.Facet(0).Triangle() < floor.Triangles())

	// An engine tests each facet by itself.
	ball, velocity := collide.Sphere{Center: collide.Vec3{X: 1, Y: 3, Z: 2}, Radius: 1}, collide.Vec3{Y: -4}
	var sweep collide.FacetSweep
	sweep.MovesAt(collide.Vec3{X: 101, Y: 3, Z: 2}) // in the world, where the mesh is at {100 0 0}
	first := 1.0
	floor.EachFacet(&sweep, ball, velocity, first, func(t collide.Facet) float64 {
		if time, normal, outcome := sweep.Sweep(t); outcome == collide.Hit && time < first {
			first = time
			fmt.Println(outcome, time, normal, t.ID() >= 0, t.Admits(collide.Feature(0), normal))
		}
		return first
	})
	sweep.Start(ball, velocity, 1) // without a search: the engine knows the facets
	for id := range floor.Triangles() {
		if _, _, outcome := sweep.Sweep(floor.Facet(id)); outcome == collide.Hit {
			fmt.Println("meets a facet it knows")
		}
		if _, _, outcome := sweep.SweepRim(floor.Facet(id)); outcome != collide.Miss {
			panic("it meets a face, not an edge")
		}
	}
	floor.EachFacetAt(collide.Vec3{X: 1, Y: 0.5, Z: 2}, 1, func(t collide.Facet) {
		at, _ := t.Closest(collide.Vec3{X: 1, Y: 0.5, Z: 2})
		if !t.AdmitsNormal(collide.Vec3{Y: 1}) || t.AdmitsNormal(collide.Vec3{Y: -1}) {
			panic("one-sided")
		}
		_, on := t.ClosestFeature(collide.Vec3{X: 1, Y: 0.5, Z: 2})
		height, _ := t.Height(collide.Vec3{Y: 0.5})
		fmt.Println(at, on == collide.Face, height, t.Normal(), t.TwoSided(), len(t.Corners()))
	})
	// Output:
	// true
	// Hit 0.5 {0 1 0} true true
	// meets a facet it knows
	// {-0.5 0 0.5} false 0.5 {0 1 0} false 3
	// {1 0 2} true 0.5 {0 1 0} false 3
}

func ExampleHeightField_IsHole() {
	ground, err := collide.NewHeightField(collide.Vec3{}, 1, 1, 3, []float64{0, 0, math.NaN(), 0, 0, 0})
	if err != nil {
		panic(err)
	}
	fmt.Println(ground.IsHole(0), ground.IsHole(2))
	// Output: false true
}

func ExampleHeightField_EachFacet() {
	hills, err := collide.NewHeightField(collide.Vec3{}, 1, 1, 3, make([]float64, 9))
	if err != nil {
		panic(err)
	}
	var sweep collide.FacetSweep
	ball := collide.Sphere{Center: collide.Vec3{X: 0.7, Y: 2, Z: 0.4}, Radius: 0.1}
	first := 10.0
	hills.EachFacet(&sweep, ball, collide.Vec3{Y: -1}, first, func(t collide.Facet) float64 {
		if time, _, outcome := sweep.Sweep(t); outcome == collide.Hit {
			first = min(first, time)
		}
		return first
	})
	fmt.Printf("%.2f\n", first)
	count := 0
	hills.EachFacetAt(collide.Vec3{X: 0.7, Z: 0.4}, 0.1, func(t collide.Facet) {
		hills.WithFacet(t.ID(), func(same collide.Facet) {
			if same.Normal().Y == 1 {
				count++
			}
		})
	})
	fmt.Println(count > 0)
	// Output:
	// 1.90
	// true
}

func ExampleMeshNear() {
	vertices := []collide.Vec3{{X: -5, Z: -5}, {X: -5, Z: 5}, {X: 5, Z: -5}, {X: 5, Z: 5}}
	floor, err := collide.NewMesh(vertices, []uint32{0, 1, 2, 2, 1, 3}, collide.MeshOptions{})
	if err != nil {
		panic(err)
	}
	var near collide.MeshNear // one for each character
	position := collide.Vec3{Y: 1}
	for range 3 {
		shape := collide.Capsule{A: position, B: position.Add(collide.Vec3{Y: 1}), Radius: 0.3}
		contact, outcome := near.SweepCapsule(shape, collide.Vec3{Y: -1}, floor, collide.Vec3{}, 1)
		fmt.Printf("%v at %.2f s\n", outcome, contact.Time)
		position.X += 0.1
	}
	// Output:
	// Hit at 0.70 s
	// Hit at 0.70 s
	// Hit at 0.70 s
}
