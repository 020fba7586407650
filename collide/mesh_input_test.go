package collide

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A sheet with a front and a back, as exporters write leaves and fences, lost its rim: spheres flew
// into it edge-on. Two triangles there share several edges, and the wrong one was looked at.
func TestASheetWithTwoFacesHasItsRim(t *testing.T) {
	v := []Vec3{{Z: -2}, {X: 4, Z: -2}, {X: 4, Z: 2}, {Z: 2}, {X: 1, Y: 5, Z: 3}}
	rng := rand.New(rand.NewPCG(3, 5))
	for name, front := range map[string][]uint32{
		"square": {0, 3, 2, 0, 2, 1}, "triangle": {0, 2, 1}, "folded": {0, 3, 4, 0, 4, 1},
	} {
		both := slices.Clone(front)
		for i := 0; i < len(front); i += 3 {
			both = append(both, front[i], front[i+2], front[i+1])
		}
		single, err := NewMesh(v, front, MeshOptions{TwoSided: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, twoSided := range []bool{false, true} {
			sheet, err := NewMesh(v, both, MeshOptions{TwoSided: twoSided})
			if err != nil {
				t.Fatal(err)
			}
			hits := 0
			for range 4000 {
				at := Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
				ball := Sphere{Center: at.Scale(6), Radius: 0.1 + rng.Float64()}
				to := Vec3{X: 6*rng.Float64() - 1, Y: 0.3 * rng.NormFloat64(), Z: 6*rng.Float64() - 3}
				move := to.Sub(ball.Center)
				if near, _ := single.ClosestPoint(ball.Center); near.Distance(ball.Center) < ball.Radius {
					continue
				}
				want, hit := SweepSphereMesh(ball, move, single, Vec3{}, 1)
				got, outcome := SweepSphereMesh(ball, move, sheet, Vec3{}, 1)
				if hit == Hit {
					hits++
				}
				if outcome != hit || math.Abs(got.Time-want.Time) > 1e-9 {
					t.Fatalf("%s, two-sided %v: a ball %v that moves by %v: %v at %v, want %v at %v",
						name, twoSided, ball, move, outcome, got.Time, hit, want.Time)
				}
				crate := Box{Center: ball.Center, Half: Vec3{X: 0.2, Y: 0.3, Z: 0.4}}
				want, hit = SweepMesh(crate, move, single, Vec3{}, 1)
				got, outcome = SweepMesh(crate, move, sheet, Vec3{}, 1)
				if outcome != hit || hit == Hit && math.Abs(got.Time-want.Time) > 1e-9 {
					t.Fatalf("%s, two-sided %v: a crate at %v that moves by %v: %v at %v, want %v at %v",
						name, twoSided, crate.Center, move, outcome, got.Time, hit, want.Time)
				}
			}
			if hits < 1000 {
				t.Errorf("%s: only %d hits", name, hits)
			}
		}
	}
}

// A mesh, chain or polygon with finite coordinates beyond those of float32 panicked.
func TestHugeCoordinatesOfMeshesPanicNowhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	number := func() float64 { // of any size, and often one of the largest
		if rng.IntN(4) == 0 {
			return math.Copysign(1e71, rng.NormFloat64())
		}
		return rng.NormFloat64() * math.Pow(10, 110*rng.Float64()-40)
	}
	for range 300 {
		points := make([]Vec3, 24)
		indices := make([]uint32, 90)
		for k := range points {
			points[k] = Vec3{number(), number(), number()}
		}
		for k := range indices {
			indices[k] = uint32(rng.IntN(len(points)))
		}
		if m, err := NewMesh(points, indices, MeshOptions{SkipDegenerate: true}); err == nil {
			RayCastMesh(Ray{Direction: Vec3{X: 1}}, m, 1)
			m.TJunctions()
		}
		for k := range points {
			points[k].Z = 0
		}
		_, _ = NewChain2D(points, MeshOptions{})
		_, _ = NewPolygon2D(points[:3+rng.IntN(9)], MeshOptions{})
	}
}

func TestNothingMeetsTheZeroMeshOrHeightField(t *testing.T) {
	ball := Sphere{Radius: 1}
	capsule := Capsule{B: Vec3{0, 1, 0}, Radius: 1}
	box := Box{Half: Vec3{1, 1, 1}}
	ray, down := Ray{Direction: Vec3{1, 0, 0}}, Vec3{0, -1, 0}
	missed := func(what string, outcome Outcome) {
		t.Helper()
		if outcome != Miss {
			t.Errorf("%s: %v", what, outcome)
		}
	}
	for name, m := range map[string]*Mesh{"zero Mesh": {}, "nil Mesh": nil} {
		for _, a := range []Convex{ball, capsule, box} {
			_, outcome := SweepMesh(a, down, m, Vec3{}, 1)
			missed(name, outcome)
			if OverlapsMesh(a, m) {
				t.Errorf("%s overlaps a %T", name, a)
			}
		}
		_, outcome := new(MeshNear).SweepCapsule(capsule, down, m, Vec3{}, 1)
		missed(name, outcome)
		_, outcome = RayCastMesh(ray, m, 1)
		missed(name, outcome)
		if c := RayCastMeshBatch([]Ray{ray}, m, 1, nil); c[0].Triangle != -1 {
			t.Errorf("%s: a ray meets triangle %d", name, c[0].Triangle)
		}
		if _, number := m.ClosestPoint(Vec3{1, 2, 3}); number != -1 {
			t.Errorf("%s: closest triangle %d", name, number)
		}
	}
	for name, f := range map[string]*HeightField{"zero HeightField": {}, "nil HeightField": nil} {
		for _, a := range []Convex{ball, capsule, box} {
			_, outcome := SweepHeightField(a, down, f, Vec3{}, 1)
			missed(name, outcome)
		}
		_, outcome := RayCastHeightField(ray, f, 1)
		missed(name, outcome)
		if _, number := f.ClosestPoint(Vec3{}); number != -1 {
			t.Errorf("%s: closest triangle %d", name, number)
		}
	}
	if m := new(Mesh); m.WithBothSides() != m {
		t.Error("the zero Mesh with both sides is another one")
	}
}

// A floor that a file has twice had edges with four triangles each, which counted as rims: balls
// strayed by 2 mm where they rolled over them.
func TestTrianglesThatAreThereTwiceChangeNothing(t *testing.T) {
	var vertices []Vec3
	var indices []uint32
	rng := rand.New(rand.NewPCG(4, 2))
	const n = 6
	for i := range n {
		for j := range n {
			vertices = append(vertices, Vec3{float64(i), rng.Float64() - 0.5, float64(j)})
		}
	}
	for i := range uint32(n - 1) {
		for j := range uint32(n - 1) {
			a := i*n + j
			indices = append(indices, a, a+1, a+n, a+1, a+n+1, a+n)
		}
	}
	once, err := NewMesh(vertices, indices, MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	again := slices.Clone(indices)
	for i := 0; i < len(indices); i += 3 { // with other vertices, from another corner
		for _, k := range []uint32{1, 2, 0} {
			again = append(again, indices[uint32(i)+k]+uint32(len(vertices)))
		}
	}
	twice, err := NewMesh(append(slices.Clone(vertices), vertices...), again, MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if twice.Triangles() != once.Triangles() {
		t.Errorf("%d triangles, want %d", twice.Triangles(), once.Triangles())
	}
	hits := 0
	for range 2000 {
		ball := Sphere{Vec3{5 * rng.Float64(), 1.5, 5 * rng.Float64()}, 0.3}
		v := Vec3{rng.Float64() - 0.5, -1, rng.Float64() - 0.5}
		a, oa := SweepSphereMesh(ball, v, once, Vec3{}, 3)
		b, ob := SweepSphereMesh(ball, v, twice, Vec3{}, 3)
		if a != b || oa != ob {
			t.Fatalf("%+v %v, and %+v %v", a, oa, b, ob)
		}
		if oa == Hit {
			hits++
		}
	}
	if hits < 1000 {
		t.Errorf("only %d hits", hits)
	}
	if m, err := NewMesh(vertices[:3], []uint32{0, 1, 2, 2, 0, 1}, MeshOptions{}); err != nil || m.Triangles() != 1 {
		t.Errorf("a triangle that is there twice: %v, %v", m, err)
	}
	// The back of a sheet is no second front.
	sheet, err := NewMesh(vertices[:3], []uint32{0, 1, 2, 2, 1, 0}, MeshOptions{SkipDegenerate: true})
	if err != nil || sheet.Triangles() != 2 {
		t.Errorf("a sheet has %d triangles: %v", sheet.Triangles(), err)
	}
}
