package collide

import (
	"math"
	"testing"
)

func TestPointsAtNaNLieInNoPolygonAndAreNoNormals(t *testing.T) {
	square, err := NewPolygon(Vec3{X: -1}, Vec3{X: 1}, Vec3{Y: 1})
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := NewMesh([]Vec3{{-5, 0, -5}, {-5, 0, 5}, {5, 0, 5}}, []uint32{0, 1, 2}, MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !square.Covers(Vec3{Y: 0.5}) || !mesh.Facet(0).Admits(Face, Vec3{Y: 1}) {
		t.Error("valid points must be covered, and valid normals admitted")
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e100} {
		for k := range 3 {
			var v Vec3
			*[]*float64{&v.X, &v.Y, &v.Z}[k] = x
			if square.Covers(v) {
				t.Errorf("the polygon covers %v", v)
			}
			for on := Face; on <= Corner2; on++ {
				if mesh.Facet(0).Admits(on, v) {
					t.Errorf("feature %v admits %v", on, v)
				}
			}
			if mesh.Facet(0).AdmitsNormal(v) {
				t.Errorf("the facet admits %v", v)
			}
		}
	}
}

func TestNothingMeetsShapesThatAreNilOrZero(t *testing.T) {
	ball := Sphere{Radius: 1}
	mesh, err := NewMesh([]Vec3{{-5, 0, -5}, {-5, 0, 5}, {5, 0, 5}}, []uint32{0, 1, 2}, MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, shape := range []Convex{
		nil, (*Hull)(nil), new(Hull),
		PlacedHull{},
		Placed{},
		(*Placed)(nil), &Placed{},
		Polygon{},
		NewPlaced(nil, Vec3{}, Quat{}), NewPlaced(Placed{}, Vec3{}, Quat{W: 1}),
		NewPlaced(Polygon{}, Vec3{}, Quat{W: 1}),
		Placed{Shape: NewPlaced(ball, Vec3{}, Quat{})},
	} {
		_, o1 := Sweep(shape, Vec3{X: 1}, ball, Vec3{}, 1)
		_, o2 := Sweep(ball, Vec3{X: 1}, shape, Vec3{}, 1)
		_, o3 := RayCast(Ray{Direction: Vec3{X: 1}}, shape, 1)
		_, o4 := SweepConvexHalfSpace(shape, Vec3{Y: -1}, Plane{Normal: Vec3{Y: 1}}, Vec3{}, 1)
		_, o5 := SweepConvexPlane(shape, Vec3{Y: -1}, Plane{Normal: Vec3{Y: 1}}, Vec3{}, 1)
		_, o6 := SweepMesh(shape, Vec3{Y: -1}, mesh, Vec3{}, 1)
		if max(o1, o2, o3, o4, o5, o6) != Miss || Overlaps(shape, ball) || Overlaps(ball, shape) ||
			OverlapsMesh(shape, mesh) || !math.IsNaN(Separation(ball, shape).Distance) {
			t.Errorf("%T %v meets something: %v", shape, shape, []Outcome{o1, o2, o3, o4, o5, o6})
		}
	}
	m := Rotating{Angular: Vec3{X: 1}, Seconds: 1}
	frame := RotatingFrame{Motion: m}
	_, o1 := frame.SweepFacet(ball, Vec3{X: 1}, Facet{}, 0, 1)
	_, o2 := frame.SweepHull(ball, Vec3{X: 1}, nil, 0, 1)
	_, o3 := frame.SweepHull(ball, Vec3{X: 1}, new(Hull), 0, 1)
	_, o4 := frame.SweepPolygon(ball, Vec3{X: 1}, Polygon{}, false, 0, 1)
	_, o5 := frame.SweepCylinder(ball, Vec3{X: 1}, Cylinder{}, 0, 1)
	if max(o1, o2, o3, o4, o5) != Miss {
		t.Error(o1, o2, o3, o4, o5)
	}
}
