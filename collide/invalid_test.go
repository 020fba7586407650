package collide

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// invalidCall is a call of an exported function or method with valid arguments, which finds a
// contact, an overlap or the like.
type invalidCall struct {
	name string
	call any
	args []any

	infinite []int // arguments that may be infinite, such as a horizon
	nanOnly  bool  // for a box without an end, infinities and large numbers are valid
	anything bool  // the result has no word for invalid input; it must not panic
}

// noResult is a call that gives nothing for invalid numbers.
func noResult(name string, call any, args ...any) invalidCall {
	return invalidCall{name: name, call: call, args: args}
}

// anyResult is a call that must only not panic.
func anyResult(name string, call any, args ...any) invalidCall {
	return invalidCall{name: name, call: call, args: args, anything: true}
}

// invalidShapes are convex shapes around the origin with every kind of number. Each is invalid as
// soon as one of its numbers is.
func invalidShapes(t *testing.T) []Convex {
	t.Helper()
	hull, err := NewHull([]Vec3{{X: -1}, {X: 1}, {Y: 1}, {Z: 1}, {X: 0.1, Y: -1, Z: -1}})
	if err != nil {
		t.Fatal(err)
	}
	square := invalidSquare(t)
	turn := RotationBy(Vec3{0.1, 0.2, 0.3})
	shapes := []Convex{
		Sphere{Radius: 1},
		Capsule{B: Vec3{Y: 1}, Radius: 0.5},
		Segment{Vec3{X: -1}, Vec3{X: 1, Y: 1}},
		Triangle{Vec3{X: 1}, Vec3{Y: 1}, Vec3{Z: 1}},
		AABB{Vec3{-1, -1, -1}, Vec3{1, 1, 1}},
		Box{Half: Vec3{1, 1, 1}, Rotation: turn},
		Box{Half: Vec3{1, 0, 1}},
		hull.At(Vec3{}), square, hull,
	}
	for _, s := range slices.Clone(shapes) {
		if _, ok := s.(PlacedHull); !ok {
			shapes = append(shapes, NewPlaced(s, Vec3{}, Quat{}), NewPlaced(s, Vec3{0.1, 0.2, 0}, turn))
		}
	}
	return shapes
}

// invalidSquare is a polygon in the plane y = 0.
func invalidSquare(t *testing.T) Polygon {
	t.Helper()
	square, err := NewPolygon(Vec3{-2, 0, -2}, Vec3{-2, 0, 2}, Vec3{2, 0, 2}, Vec3{2, 0, -2})
	if err != nil {
		t.Fatal(err)
	}
	return square
}

// invalidCalls returns calls of all exported functions and methods of this package that take
// numbers, but for those of vectors and rotations.
func invalidCalls(t *testing.T) []invalidCall {
	t.Helper()
	square := invalidSquare(t)
	hull, err := NewHull([]Vec3{{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}, {0, -1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := NewMesh([]Vec3{{-5, 0, -5}, {-5, 0, 5}, {5, 0, 5}, {5, 0, -5}}, []uint32{0, 1, 2, 0, 2, 3},
		MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	field, err := NewHeightField(Vec3{X: -5, Z: -5}, 5, 5, 3, make([]float64, 9))
	if err != nil {
		t.Fatal(err)
	}
	turn := RotationBy(Vec3{0.1, 0.2, 0.3})
	ball, low := Sphere{Vec3{0.1, 3, 0.2}, 0.5}, Sphere{Vec3{0.1, 0.2, 0.3}, 0.5}
	down, up, zero := Vec3{0.2, -1, 0.1}, Vec3{0, 1, 0}, Vec3{}
	ray := Ray{ball.Center, down}
	floor := Plane{Normal: up}
	globe := Sphere{Radius: 1}
	capsule := Capsule{Vec3{X: -1}, Vec3{X: 1}, 0.3}
	segment := Segment{capsule.A, capsule.B}
	triangle := Triangle{Vec3{-2, 0, -2}, Vec3{-2, 0, 4}, Vec3{4, 0, -2}}
	bounds := AABB{Vec3{-1, -1, -1}, Vec3{1, 1, 1}}
	box := Box{Half: Vec3{1, 1, 1}, Rotation: turn}
	cylinder := Cylinder{Vec3{X: -1}, Vec3{X: 1}, 0.5}
	throw := Throw{ball.Center, down, Vec3{0, -1, 0}}
	m := Rotating{Velocity: Vec3{0, 0.1, 0}, Angular: Vec3{0.01, 0.02, 0.03}, Seconds: 10}
	frame := RotatingFrame{Rotation: turn, Motion: m}
	unturned := RotatingFrame{Motion: m}
	plain := Move{
		Position: Vec3{Y: 1}, Velocity: down, Seconds: 1,
	}
	bySweep := func(name string, call any, a any, b any, arguments ...any) invalidCall {
		args := append([]any{a, down, b}, arguments...)
		return invalidCall{name: name, call: call, args: args, infinite: []int{len(args) - 1}}
	}
	byRay := func(name string, call any, b any) invalidCall {
		return invalidCall{name: name, call: call, args: []any{ray, b, 10.0}, infinite: []int{2}}
	}
	byFrame := func(name string, call any, f RotatingFrame, arguments ...any) invalidCall {
		args := append(append([]any{f, ball, down}, arguments...), 0.0, 10.0)
		return invalidCall{name: name, call: call, args: args, infinite: []int{len(args) - 1}}
	}
	facetSweep := func(ball Sphere, v Vec3, rim bool) (outcome Outcome) {
		var s FacetSweep
		s.Start(ball, v, 10)
		if rim {
			_, _, outcome = s.SweepRim(mesh.Facet(0))
			return outcome
		}
		for id := range mesh.Triangles() {
			if _, _, o := s.Sweep(mesh.Facet(id)); o != Miss {
				outcome = o
			}
		}
		return outcome
	}
	calls := []invalidCall{
		bySweep("SweepSphereSphere", SweepSphereSphere, ball, globe, zero, 10.0),
		bySweep("SweepSphereStill", SweepSphereStill, ball, globe, 10.0),
		bySweep("SweepSpherePlane", SweepSpherePlane, ball, floor, zero, 10.0),
		bySweep("SweepSpherePlaneFront", SweepSpherePlaneFront, ball, floor, zero, 10.0),
		bySweep("SweepSpherePoint", SweepSpherePoint, ball, Vec3{X: 0.7}, zero, 10.0),
		bySweep("SweepSphereSegment", SweepSphereSegment, ball, segment, zero, 10.0),
		bySweep("SweepSphereCapsule", SweepSphereCapsule, ball, capsule, zero, 10.0),
		bySweep("SweepSphereCylinder", SweepSphereCylinder, ball, cylinder, zero, 10.0),
		bySweep("SweepSphereTriangle", SweepSphereTriangle, ball, triangle, zero, 10.0),
		bySweep("SweepSphereTriangleFront", SweepSphereTriangleFront, ball, triangle, zero, 10.0),
		bySweep("SweepSpherePolygon", SweepSpherePolygon, ball, square, zero, 10.0),
		bySweep("SweepSpherePolygonFront", SweepSpherePolygonFront, ball, square, zero, 10.0),
		bySweep("SweepSphereMesh", SweepSphereMesh, ball, mesh, zero, 10.0),
		bySweep("SweepSphereHeightField", SweepSphereHeightField, ball, field, zero, 10.0),
		bySweep("SweepAABBAABB", SweepAABBAABB, ball.Bounds(), bounds, zero, 10.0),
		bySweep("SweepSphereRotatingPlane", SweepSphereRotatingPlane, ball, floor, false, m, 10.0),
		bySweep("SweepSphereRotatingSegment", SweepSphereRotatingSegment, ball, segment, m, 10.0),
		bySweep("SweepSphereRotatingCapsule", SweepSphereRotatingCapsule, ball, capsule, m, 10.0),
		bySweep("SweepSphereRotatingTriangle", SweepSphereRotatingTriangle, ball, triangle, m, 10.0),
		bySweep("SweepSphereRotatingPolygon", SweepSphereRotatingPolygon, ball, square, false, m, 10.0),
		bySweep("SweepSphereRotatingBox", SweepSphereRotatingBox, ball, box, m, 10.0),
		byFrame("RotatingFrame.SweepPlane", RotatingFrame.SweepPlane, frame, floor, false),
		byFrame("RotatingFrame.SweepPolygon", RotatingFrame.SweepPolygon, frame, square, false),
		{name: "MeshNear.SweepCapsule", call: func(a Capsule, va Vec3, vb Vec3, horizon float64) Outcome {
			_, outcome := new(MeshNear).SweepCapsule(a, va, mesh, vb, horizon)
			return outcome
		}, args: []any{Capsule{ball.Center, Vec3{Y: 5}, 0.5}, down, zero, 10.0}, infinite: []int{3}},
		anyResult("FacetSweep.Sweep", facetSweep, ball, down, false),
		anyResult("FacetSweep.SweepRim", facetSweep, Sphere{Vec3{-5, 3, 0}, 0.5}, Vec3{0, -1, 0}, true),
		{name: "Mesh.EachFacet", call: func(ball Sphere, v Vec3, seconds float64) (outcome Outcome) {
			var s FacetSweep
			mesh.EachFacet(&s, ball, v, seconds, func(t Facet) float64 {
				_, _, o := s.Sweep(t)
				outcome = max(outcome, o)
				return seconds
			})
			return outcome
		}, args: []any{ball, down, 10.0}, anything: true},
		{name: "HeightField.EachFacet", call: func(ball Sphere, v Vec3, seconds float64) (outcome Outcome) {
			var s FacetSweep
			field.EachFacet(&s, ball, v, seconds, func(t Facet) float64 {
				_, _, o := s.Sweep(t)
				outcome = max(outcome, o)
				return seconds
			})
			return outcome
		}, args: []any{ball, down, 10.0}, anything: true},
		{name: "Mesh.EachFacetAt", call: func(p Vec3, reach float64) {
			mesh.EachFacetAt(p, reach, func(Facet) {})
		}, args: []any{zero, 1.0}, anything: true},
		{name: "HeightField.EachFacetAt", call: func(p Vec3, reach float64) {
			field.EachFacetAt(p, reach, func(Facet) {})
		}, args: []any{zero, 1.0}, anything: true},
		{name: "FacetSweep.MovesAt", call: func(p Vec3) {
			var s FacetSweep
			s.Start(ball, down, 10)
			s.MovesAt(p)
			s.Sweep(mesh.Facet(0))
		}, args: []any{zero}, anything: true},

		byRay("RayCastSphere", RayCastSphere, globe), byRay("RayCastPlane", RayCastPlane, floor),
		byRay("RayCastTriangle", RayCastTriangle, triangle), byRay("RayCastPolygon", RayCastPolygon, square),
		byRay("RayCastAABB", RayCastAABB, bounds),
		byRay("RayCastCapsule", RayCastCapsule, Capsule{zero, Vec3{X: 1}, 1}),
		byRay("RayCastCylinder", RayCastCylinder, Cylinder{zero, Vec3{X: 1}, 1}),
		byRay("RayCastMesh", RayCastMesh, mesh), byRay("RayCastHeightField", RayCastHeightField, field),
		{name: "RayCastMeshBatch", call: func(r Ray, horizon float64) Outcome {
			if RayCastMeshBatch([]Ray{r}, mesh, horizon, nil)[0].Triangle < 0 {
				return Miss
			}
			return Hit
		}, args: []any{ray, 10.0}, infinite: []int{1}},

		noResult("OverlapSphereSphere", OverlapSphereSphere, low, globe),
		noResult("OverlapSpherePlane", OverlapSpherePlane, low, floor),
		noResult("OverlapSpherePoint", OverlapSpherePoint, low, zero),
		noResult("OverlapSphereSegment", OverlapSphereSegment, low, segment),
		noResult("OverlapSphereCapsule", OverlapSphereCapsule, low, capsule),
		noResult("OverlapSphereCylinder", OverlapSphereCylinder, low, cylinder),
		noResult("OverlapSphereTriangle", OverlapSphereTriangle, low, triangle),
		noResult("OverlapSpherePolygon", OverlapSpherePolygon, low, square),
		noResult("OverlapSphereAABB", OverlapSphereAABB, low, bounds),
		{name: "OverlapAABBCapsule", call: OverlapAABBCapsule, args: []any{bounds, capsule}, nanOnly: true},
		noResult("OverlapAABBPolygon", OverlapAABBPolygon, bounds, square),
		noResult("IntervalSphereSphere", IntervalSphereSphere, ball, down, globe, zero),
		noResult("IntervalAABBAABB", IntervalAABBAABB, ball.Bounds(), down, bounds, zero),
		{name: "AABB.Overlaps", call: AABB.Overlaps, args: []any{bounds, low.Bounds()}, nanOnly: true},
		{name: "AABB.Contains", call: AABB.Contains, args: []any{bounds, zero}, nanOnly: true},
		noResult("Polygon.Covers", Polygon.Covers, square, Vec3{Y: 1}),
		{name: "Facet.Admits", call: func(n Vec3) bool { return mesh.Facet(0).Admits(Face, n) }, args: []any{up}},
		{name: "Facet.Admits", call: func(n Vec3) bool {
			return slices.ContainsFunc([]Feature{Edge0, Edge1, Edge2}, func(on Feature) bool {
				return mesh.Facet(0).Admits(on, n)
			})
		}, args: []any{up}},
		{name: "Facet.Admits", call: func(n Vec3) bool {
			return slices.ContainsFunc([]Feature{Corner0, Corner1, Corner2}, func(on Feature) bool {
				return mesh.Facet(0).Admits(on, n)
			})
		}, args: []any{up}},
		{name: "Facet.AdmitsNormal", call: func(n Vec3) bool { return mesh.Facet(0).AdmitsNormal(n) }, args: []any{up}},
		{name: "HeightField.Height", call: func(x, z float64) bool {
			_, ok := field.Height(x, z)
			return ok
		}, args: []any{0.0, 0.0}},
		anyResult("Cylinder.Nearest", Cylinder.Nearest, cylinder, up),
		{name: "MoveAndSlide", call: func(m Move) bool {
			r := MoveAndSlide(m, func(Vec3, Vec3, float64, float64) (MoveContact, Outcome) {
				return MoveContact{}, Miss
			}, nil)
			return r.Position != m.Position
		}, args: []any{plain}, anything: true},

		anyResult("AABB.Bounds", AABB.Bounds, bounds),
		anyResult("AABB.Center", AABB.Center, bounds),
		anyResult("AABB.ClosestPoint", AABB.ClosestPoint, bounds, up),
		anyResult("AABB.Grow", AABB.Grow, bounds, 1.0),
		anyResult("AABB.IsEmpty", AABB.IsEmpty, bounds),
		anyResult("AABB.Size", AABB.Size, bounds),
		anyResult("AABB.Translate", AABB.Translate, bounds, up),
		anyResult("AABB.Union", AABB.Union, bounds, bounds),
		anyResult("SweptAABB", SweptAABB, ball, down, 1.0),
		anyResult("Box.Axes", Box.Axes, box),
		anyResult("Box.Bounds", Box.Bounds, box),
		anyResult("Box.ClosestPoint", Box.ClosestPoint, box, up),
		anyResult("Box.Corners", Box.Corners, box),
		anyResult("Box.Turned", Box.Turned, box, turn),
		anyResult("NewBox2D", NewBox2D, zero, 1.0, 1.0, 1.0),
		anyResult("Capsule.Bounds", Capsule.Bounds, capsule),
		anyResult("Capsule.ClosestPoint", Capsule.ClosestPoint, capsule, up),
		anyResult("Capsule.SignedDistance", Capsule.SignedDistance, capsule, up),
		anyResult("Cylinder.Bounds", Cylinder.Bounds, cylinder),
		anyResult("Cylinder.ClosestPoint", Cylinder.ClosestPoint, cylinder, up),
		anyResult("Cylinder.Prism", Cylinder.Prism, cylinder, 8),
		anyResult("Cylinder.SignedDistance", Cylinder.SignedDistance, cylinder, up),
		anyResult("Facet.Closest", func(p Vec3) { mesh.Facet(0).Closest(p) }, up),
		{
			name: "Facet.ClosestFeature", call: func(p Vec3) { mesh.Facet(0).ClosestFeature(p) },
			args: []any{up}, anything: true,
		},
		anyResult("Facet.Height", func(p Vec3) { mesh.Facet(0).Height(p) }, up),
		anyResult("HeightField.ClosestPoint", (*HeightField).ClosestPoint, field, up),
		anyResult("Mesh.ClosestPoint", (*Mesh).ClosestPoint, mesh, up),
		anyResult("Hull.At", (*Hull).At, hull, up),
		anyResult("Hull.ClosestPoint", (*Hull).ClosestPoint, hull, up),
		anyResult("Hull.Nearest", (*Hull).Nearest, hull, up),
		anyResult("Hull.Rotated", (*Hull).Rotated, hull, turn),
		anyResult("Hull.Support", (*Hull).Support, hull, up),
		anyResult("PlacedHull.Bounds", PlacedHull.Bounds, hull.At(up)),
		anyResult("PlacedHull.ClosestPoint", PlacedHull.ClosestPoint, hull.At(up), up),
		anyResult("NewPlaced", func(c Vec3, q Quat) { NewPlaced(NewPlaced(box, c, q), c, q).Bounds() }, up, turn),
		anyResult("Placed.Bounds", Placed.Bounds, NewPlaced(box, up, turn)),
		anyResult("Plane.SignedDistance", Plane.SignedDistance, floor, up),
		anyResult("NewPlane", NewPlane, up, 1.0),
		anyResult("PlaneThrough", PlaneThrough, up, up),
		anyResult("PlaneThroughPoints", PlaneThroughPoints, zero, up, down),
		anyResult("Polygon.ClosestPoint", Polygon.ClosestPoint, square, up),
		anyResult("Segment.Bounds", Segment.Bounds, segment),
		anyResult("Segment.ClosestPoint", Segment.ClosestPoint, segment, up),
		anyResult("Sphere.Bounds", Sphere.Bounds, ball),
		anyResult("Triangle.Bounds", Triangle.Bounds, triangle),
		anyResult("Triangle.ClosestPoint", Triangle.ClosestPoint, triangle, up),
		anyResult("Triangle.Plane", Triangle.Plane, triangle),
		anyResult("Triangle.Polygon", Triangle.Polygon, triangle),
		anyResult("Throw.PositionAt", Throw.PositionAt, throw, 1.0),
		anyResult("Throw.VelocityAt", Throw.VelocityAt, throw, 1.0),
		anyResult("ThrowTo", ThrowTo, zero, up, down, 1.0),
		anyResult("Orientation", Orientation, zero, up, down, up),
		anyResult("RotatingFrame.At", RotatingFrame.At, frame, 1.0),
		anyResult("RotatingFrame.Within", RotatingFrame.Within, frame, ball, down, 0.0, 1.0),
		anyResult("Bounce", Bounce, down, zero, 1.0, 1.0, up, 0.5),
		anyResult("BounceOff", BounceOff, down, zero, up, 0.5),
		anyResult("Slide", Slide, down, []SlideContact{{Normal: up}}),
		anyResult("NewAABB", func(p Vec3) { NewAABB(p, up) }, zero),
		anyResult("NewPolygon", func(p Vec3) { _, _ = NewPolygon(p, up, down) }, zero),
		anyResult("NewHull", func(p []Vec3) { _, _ = NewHull(p) }, []Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}}),
		anyResult("NewHull2D", func(p []Vec3) { _, _ = NewHull2D(p) }, []Vec3{{}, {X: 1}, {Y: 1}}),
		anyResult("NewChain2D", NewChain2D, []Vec3{{}, {X: 1}, {Y: 1}}, MeshOptions{}),
		anyResult("NewPolygon2D", NewPolygon2D, []Vec3{{}, {X: 1}, {Y: 1}}, MeshOptions{}),
		anyResult("NewMesh", NewMesh, []Vec3{{}, {X: 1}, {Y: 1}}, []uint32{0, 1, 2}, MeshOptions{}),
		anyResult("NewHeightField", NewHeightField, zero, 1.0, 1.0, 2, []float64{1, 2, 3, 4}),
	}
	for _, name := range []string{"Rotation", "PivotAt", "AngularVelocityAt"} {
		calls = append(calls, invalidCall{name: "Rotating." + name, call: func(m Rotating, at float64) {
			reflect.ValueOf(&m).MethodByName(name).Call([]reflect.Value{reflect.ValueOf(at)})
		}, args: []any{m, 1.0}, anything: true})
	}
	for _, name := range []string{"PointAt", "StartOf", "VelocityAt"} {
		calls = append(calls, invalidCall{name: "Rotating." + name, call: func(m Rotating, p Vec3, at float64) {
			reflect.ValueOf(&m).MethodByName(name).Call([]reflect.Value{reflect.ValueOf(p), reflect.ValueOf(at)})
		}, args: []any{m, up, 1.0}, anything: true})
	}
	for _, f := range []RotatingFrame{frame, unturned} {
		calls = append(calls,
			byFrame("RotatingFrame.SweepBox", RotatingFrame.SweepBox, f, box.Half),
			byFrame("RotatingFrame.SweepCapsule", RotatingFrame.SweepCapsule, f, Capsule{zero, Vec3{X: 1}, 1}),
			byFrame("RotatingFrame.SweepCylinder", RotatingFrame.SweepCylinder, f, cylinder),
			byFrame("RotatingFrame.SweepFacet", func(f RotatingFrame, a Sphere, va Vec3, from, to float64) Outcome {
				_, first := f.SweepFacet(a, va, mesh.Facet(0), from, to)
				_, second := f.SweepFacet(a, va, mesh.Facet(1), from, to)
				return max(first, second)
			}, f),
			byFrame("RotatingFrame.SweepHull", RotatingFrame.SweepHull, f, hull))
	}
	for _, at := range []Throw{throw, {low.Center, down, Vec3{0, -1, 0}}} {
		calls = append(
			calls,
			noResult("SweepThrownSpherePlane", SweepThrownSpherePlane, at, 0.5, floor, false, zero, 10.0),
			noResult("SweepThrownSphereSphere", SweepThrownSphereSphere, at, 0.5, globe, zero, 10.0),
			noResult("SweepThrownSphereSegment", SweepThrownSphereSegment, at, 0.5, segment, zero, 10.0),
			noResult("SweepThrownSphereCapsule", SweepThrownSphereCapsule, at, 0.5, capsule, zero, 10.0),
			noResult("SweepThrownSpherePolygon", SweepThrownSpherePolygon, at, 0.5, square, false, zero, 10.0),
			noResult("SweepThrownSphereBox", SweepThrownSphereBox, at, 0.5, box, zero, 10.0),
		)
	}
	others := []Convex{
		Sphere{Vec3{Y: -5}, 1}, Sphere{Vec3{Y: -0.2}, 1}, Box{Vec3{Y: -5}, Vec3{2, 1, 2}, turn}, capsule,
	}
	for _, shape := range invalidShapes(t) {
		for _, other := range others {
			calls = append(calls,
				bySweep("Sweep", Sweep, shape, other, zero, 10.0),
				bySweep("Sweep", Sweep, other, shape, Vec3{Y: 1}, 10.0),
				noResult("Overlaps", Overlaps, shape, other),
				noResult("Overlaps", Overlaps, other, shape),
				noResult("Separation", Separation, shape, other))
		}
		for _, wall := range []Plane{{Vec3{Y: 1}, -5}, {Vec3{Y: 1}, 0}} {
			calls = append(calls,
				bySweep("SweepConvexPlane", SweepConvexPlane, shape, wall, zero, 10.0),
				bySweep("SweepConvexHalfSpace", SweepConvexHalfSpace, shape, wall, zero, 10.0),
				noResult("ConvexHeights", ConvexHeights, shape, wall))
		}
		calls = append(calls,
			byRay("RayCast", RayCast, shape),
			bySweep("SweepMesh", SweepMesh, shape, mesh, zero, 10.0),
			bySweep("SweepHeightField", SweepHeightField, shape, field, zero, 10.0),
			noResult("OverlapsMesh", OverlapsMesh, shape, mesh))
	}
	return calls
}

// eachNumber calls do with a function that sets one of the numbers in v, and its path, for all of
// them.
func eachNumber(v reflect.Value, path string, do func(path string, set func(float64))) {
	switch v.Kind() {
	case reflect.Float64:
		old := v.Float()
		do(path, v.SetFloat)
		v.SetFloat(old)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				eachNumber(v.Field(i), path+"."+f.Name, do)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachNumber(v.Index(i), fmt.Sprintf("%s[%d]", path, i), do)
		}
	case reflect.Interface:
		if v.IsNil() || v.Elem().Kind() == reflect.Pointer {
			return
		}
		value := reflect.New(v.Elem().Type()).Elem()
		value.Set(v.Elem())
		eachNumber(value, path, func(path string, set func(float64)) {
			do(path, func(x float64) {
				set(x)
				v.Set(value)
			})
		})
	}
}

// meets reports whether results say that there is something: a contact, true, or a number.
func meets(results []reflect.Value) bool {
	for _, r := range results {
		switch r := r.Interface().(type) {
		case Outcome:
			if r != Miss {
				return true
			}
		case bool:
			if r {
				return true
			}
		case float64:
			if !math.IsNaN(r) {
				return true
			}
		case Gap:
			if !math.IsNaN(r.Distance) {
				return true
			}
		}
	}
	return false
}

func TestInvalidNumbersMeetNothingAndPanicNowhere(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range invalidCalls(t) {
		f := reflect.ValueOf(c.call)
		args := make([]reflect.Value, len(c.args))
		for i, a := range c.args {
			args[i] = reflect.New(f.Type().In(i)).Elem()
			args[i].Set(reflect.ValueOf(a))
		}
		call := func(path string, x float64) (meeting bool) {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%s with %v in %s panics: %v", c.name, x, path, p)
				}
			}()
			return meets(f.Call(args))
		}
		tested[c.name] = tested[c.name] || c.anything || call("", 0)
		for i, a := range args {
			eachNumber(a, fmt.Sprintf("argument %d, %T", i, a.Interface()), func(path string, set func(float64)) {
				for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e100, -1e100} {
					set(x)
					ok := call(path, x) && !c.anything
					if ok && !(c.nanOnly && !math.IsNaN(x)) && !(slices.Contains(c.infinite, i) && x > 0) {
						t.Errorf("%s with %v in %s meets something: %+v", c.name, x, path, c.args)
					}
				}
			})
		}
	}
	for name, ok := range tested {
		if !ok {
			t.Errorf("%s meets nothing with valid input, so the test says nothing", name)
		}
	}
	for _, name := range exportedNames(t) {
		if !tested[name] {
			t.Errorf("%s is not tested", name)
		}
	}
}

// exportedNames returns the names of the exported functions and methods that have numbers to look
// at, but for those of vectors and rotations.
func exportedNames(t *testing.T) (names []string) {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				of := strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*")
				if !ast.IsExported(of) {
					continue
				}
				name = of + "." + name
				switch of {
				case "Vec3", "Quat", "MeshError", "Outcome", "SlideOutcome":
					continue
				case "Facet", "Hull", "Mesh", "HeightField", "Polygon":
					if p := f.Type.Params.List; len(p) == 0 || types.ExprString(p[0].Type) == "int" {
						continue
					}
				}
			}
			switch name {
			case "Vec2", "Polar2D", "Rotation2D", "RotationAround", "RotationBy", "FacetSweep.Start":
				continue
			}
			names = append(names, name)
		}
	}
	if len(names) < 100 {
		t.Fatalf("only %d names: %v", len(names), names)
	}
	return names
}
