package collide

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

// fieldAndMesh returns terrain as a height field and as a mesh.
func fieldAndMesh(t *testing.T, n int, height func(i, j int) float64) (*HeightField, *Mesh) {
	origin := Vec3{-3, 1, 0.5}
	var heights []float64
	for i := range n + 1 {
		for j := range n + 1 {
			heights = append(heights, height(i, j))
		}
	}
	f, err := NewHeightField(origin, 0.7, 1.1, n+1, heights)
	if err != nil {
		t.Fatal(err)
	}
	vertices, indices := hills(n, f.at)
	return f, newMesh(t, vertices, indices, MeshOptions{})
}

func TestTheErrorOfAHeightSaysWhichOne(t *testing.T) {
	_, err := NewHeightField(Vec3{}, 1, 1, 3, []float64{0, 0, 0, 0, 0, math.Inf(-1)})
	if err == nil || !strings.Contains(err.Error(), "row 1, column 2") {
		t.Errorf("got %v", err)
	}
}

func TestHeightFieldsGiveTheContactsOfTheirMesh(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	rng := rand.New(rand.NewPCG(9, 1))
	const n = 14
	f, m := fieldAndMesh(t, n, func(_, _ int) float64 { return 0.4 * rng.NormFloat64() })
	hits, rays, boxes, capsules := 0, 0, 0, 0
	for range 3000 {
		from := Vec3{10*rng.Float64() - 3, 1 + 3*rng.NormFloat64(), 17 * rng.Float64()}
		to := Vec3{10*rng.Float64() - 3, 1 + 0.5*rng.NormFloat64(), 17 * rng.Float64()}
		v := to.Sub(from)
		ball := Sphere{from, rng.Float64()}
		c, got := SweepSphereHeightField(ball, v, f, Vec3{}, 3)
		d, want := SweepSphereMesh(ball, v, m, Vec3{}, 3)
		if got != want || c != d {
			t.Fatalf("%+v at %v: got %v %+v, want %v %+v", ball, v, got, c, want, d)
		}
		if got == Hit {
			hits++
		}
		ray := Ray{from, v}
		c, got = RayCastHeightField(ray, f, 3)
		d, want = RayCastMesh(ray, m, 3)
		if got != want || c != d {
			t.Fatalf("%v: got %v %+v, want %v %+v", ray, got, c, want, d)
		}
		if got == Hit {
			rays++
		}
		if hits%4 != 0 {
			continue
		}
		box := Box{Center: from, Half: Vec3{0.3, 0.5, 0.7}, Rotation: RotationAround(randomVec(rng), 6*rng.Float64())}
		c, got = SweepHeightField(box, v, f, Vec3{}, 3)
		d, want = SweepMesh(box, v, m, Vec3{}, 3)
		if got != want || c != d {
			t.Fatalf("%+v at %v: got %v %+v, want %v %+v", box, v, got, c, want, d)
		}
		if got == Hit {
			boxes++
		}
		capsule := Capsule{from, from.Add(Vec3{Y: 2 * rng.Float64()}), rng.Float64()}
		if hits%8 == 0 {
			capsule.B = capsule.B.Add(randomVec(rng))
		}
		c, got = SweepHeightField(capsule, v, f, Vec3{}, 3)
		d, want = SweepMesh(capsule, v, m, Vec3{}, 3)
		if got != want || c != d {
			t.Fatalf("%+v at %v: got %v %+v, want %v %+v", capsule, v, got, c, want, d)
		}
		if got == Hit {
			capsules++
		}
	}
	if hits < 500 || rays < 300 || boxes < 100 || capsules < 100 {
		t.Errorf("%d spheres, %d rays, %d boxes, %d capsules hit", hits, rays, boxes, capsules)
	}
}

func TestAHeightFieldTestsTheEdgesAndCornersThatItsMeshTests(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 3))
	for range slow.Cases(200) {
		rows, columns := 2+rng.IntN(6), 2+rng.IntN(6)
		heights := make([]float64, rows*columns)
		holes := rng.Float64() / 3
		for k := range heights {
			heights[k] = float64(rng.IntN(3))
			if rng.Float64() < holes {
				heights[k] = math.NaN()
			}
		}
		front, err := NewHeightField(Vec3{}, 0.7, 1.1, columns, heights)
		if err != nil {
			t.Fatal(err)
		}
		var vertices []Vec3
		var numbers []int // of the triangles in the mesh
		var indices []uint32
		for k := range heights {
			i, j := k/columns, k%columns
			p := front.at(i, j)
			if p.Y != p.Y {
				p.Y = 0 // the corner of no triangle
			}
			vertices = append(vertices, p)
			if front.hasCell(i, j) {
				number := 2 * (i*(columns-1) + j)
				numbers = append(numbers, number, number+1)
				a := uint32(k)
				b, c, d := a+1, a+uint32(columns), a+uint32(columns)+1
				indices = append(indices, a, b, c, d, c, b)
			}
		}
		if len(indices) == 0 {
			continue
		}
		for _, twoSided := range []bool{false, true} {
			m, f := newMesh(t, vertices, indices, MeshOptions{TwoSided: twoSided}), front
			if twoSided {
				f = front.WithBothSides()
			}
			for k := range m.triangles {
				want := &m.triangles[k]
				f.WithFacet(numbers[want.original], func(facet Facet) {
					got := &facet.m.triangles[facet.index]
					for e := range 3 {
						if (got.sides[e]^want.sides[e])&(testsEdge|testsVertex) != 0 ||
							(got.neighbor(e) == noNeighbor) != (want.neighbor(e) == noNeighbor) {
							t.Fatalf("triangle %d of %d by %d heights %v, both sides %v, side %d: got %x, want %x",
								facet.ID(), rows, columns, heights, twoSided, e, got.sides[e], want.sides[e])
						}
					}
				})
			}
		}
	}
}

func TestTheBackOfASheetWithBothSidesIsThatOfATwoSidedMesh(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	const n = 6
	f, m := fieldAndMesh(t, n, func(_, _ int) float64 { return 0.7 * rng.NormFloat64() })
	vertices, indices := hills(n, f.at)
	twoSided := newMesh(t, vertices, indices, MeshOptions{TwoSided: true})
	field, mesh := f.WithBothSides(), m.WithBothSides()
	if !field.TwoSided() || !mesh.TwoSided() || f.TwoSided() || m.TwoSided() ||
		field.WithBothSides() != field || mesh.WithBothSides() != mesh {
		t.Fatal("the sides are wrong")
	}
	behind, cases := 0, slow.Cases(4000)
	for range cases {
		from := Vec3{5*rng.Float64() - 3, 1 + 3*rng.NormFloat64(), 8 * rng.Float64()}
		v := Vec3{5*rng.Float64() - 3, 1 + 0.5*rng.NormFloat64(), 8 * rng.Float64()}.Sub(from)
		end := from.Add(Vec3{0.3, 0.9, 0.2})
		for k, shape := range []Convex{
			Sphere{from, 0.6 * rng.Float64()},
			Sphere{from, 0},
			Capsule{from, end, 0.2},
			Box{Center: from, Half: Vec3{0.1, 0.2, 0.3}, Rotation: RotationAround(randomVec(rng), 6*rng.Float64())},
		} {
			want, wanted := SweepMesh(shape, v, twoSided, Vec3{}, 3)
			c, got := SweepMesh(shape, v, mesh, Vec3{}, 3)
			d, also := SweepHeightField(shape, v, field, Vec3{}, 3)
			if k == 1 {
				ray := Ray{from, v}
				want, wanted = RayCastMesh(ray, twoSided, 3)
				c, got = RayCastMesh(ray, mesh, 3)
				d, also = RayCastHeightField(ray, field, 3)
			}
			// Both triangles of an edge may test it, which differs by rounding.
			if got != wanted || also != wanted || math.Abs(c.Time-want.Time) > 1e-14 || d.Time != want.Time ||
				c.Normal.Distance(want.Normal) > 1e-12 || d.Normal != want.Normal {
				t.Fatalf("%+v at %v: got %v %+v and %v %+v, want %v %+v", shape, v, got, c, also, d, wanted, want)
			}
			if _, front := SweepMesh(shape, v, m, Vec3{}, 3); wanted == Hit && front == Miss {
				behind++
			}
		}
	}
	if behind < cases/4 {
		t.Errorf("%d of %d hit the back", behind, 4*cases)
	}
}

func TestABallRollsOverAFlatHeightFieldWithoutImpacts(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	rng := rand.New(rand.NewPCG(4, 8))
	f, _ := fieldAndMesh(t, 20, func(_, _ int) float64 { return -1 })
	for range 2000 {
		r := 0.1 + rng.Float64()
		ball := Sphere{Vec3{4 + rng.Float64(), r - float64(rng.IntN(4))*1e-16, 8 + 4*rng.Float64()}, r}
		v := Vec3{rng.NormFloat64(), 0, rng.NormFloat64()}
		if c, got := SweepSphereHeightField(ball, v, f, Vec3{}, 2); got != Miss {
			t.Fatalf("%+v at %v: %v, %+v", ball, v, got, c)
		}
	}
}

func TestHolesInAHeightField(t *testing.T) {
	f, err := NewHeightField(Vec3{}, 1, 1, 4, []float64{0, 0, 0, 0, 0, math.NaN(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		x, z float64
		want Outcome
	}{{0.5, 0.5, Miss}, {1.5, 1.5, Miss}, {2.25, 2.25, Hit}, {2.5, 0.25, Hit}} {
		if _, got := RayCastHeightField(Ray{Vec3{tt.x, 3, tt.z}, Vec3{Y: -1}}, f, 9); got != tt.want {
			t.Errorf("a ray at %v, %v: got %v, want %v", tt.x, tt.z, got, tt.want)
		}
		if _, ok := f.Height(tt.x, tt.z); ok != (tt.want == Hit) {
			t.Errorf("the height at %v, %v: %v", tt.x, tt.z, ok)
		}
	}
	for k := range f.Triangles() + 1 {
		if cell := k / 2; f.IsHole(k) != (k == f.Triangles() || cell == 0 || cell == 1 || cell == 3 || cell == 4) {
			t.Errorf("triangle %d is a hole: %v", k, f.IsHole(k))
		}
	}
	// A ball that is smaller than the hole falls into it and meets its rim.
	c, got := SweepSphereHeightField(Sphere{Vec3{1.75, 3, 1}, 0.5}, Vec3{Y: -1}, f, Vec3{}, 9)
	if want := 3 - math.Sqrt(0.25-0.0625); got != Hit || math.Abs(c.Time-want) > 1e-15 {
		t.Errorf("a ball at the rim: got %v at %v, want %v", got, c.Time, want)
	}
}

// What didn't move, without a limit of time, was looked for in a row that is none.
func TestNothingMovesOverAHeightFieldForever(t *testing.T) {
	f, err := NewHeightField(Vec3{}, 1, 1, 7, make([]float64, 70))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{0.5, 3.5, 8.5} {
		from := Vec3{X: x, Y: 0.5, Z: 1}
		if c, got := RayCastHeightField(Ray{Origin: from}, f, math.Inf(1)); got != Miss {
			t.Errorf("a ray at %v: %v %v", from, got, c)
		}
		if c, got := RayCastHeightField(Ray{from, Vec3{Y: -1e-310}}, f, math.Inf(1)); got != Miss {
			t.Errorf("a ray without a direction at %v: %v %v", from, got, c)
		}
		if c, got := SweepSphereHeightField(Sphere{from, 0.1}, Vec3{}, f, Vec3{}, math.Inf(1)); got != Miss {
			t.Errorf("a sphere at %v: %v %v", from, got, c)
		}
	}
}

func TestNewHeightFieldReportsErrors(t *testing.T) {
	flat := make([]float64, 6)
	inf := math.Inf(1)
	for _, tt := range []struct {
		name         string
		origin       Vec3
		cellX, cellZ float64
		columns      int
		heights      []float64
		want         error
	}{
		{"two rows of three", Vec3{}, 1, 1, 3, flat, nil},
		{"one row", Vec3{}, 1, 1, 6, flat, ErrHeightCount},
		{"one column", Vec3{}, 1, 1, 1, flat, ErrHeightCount},
		{"a part of a row", Vec3{}, 1, 1, 2, flat[:5], ErrHeightCount},
		{"no width", Vec3{}, 0, 1, 3, flat, ErrCellSize},
		{"a NaN for a width", Vec3{}, 1, math.NaN(), 3, flat, ErrCellSize},
		{"cells lost by rounding in X", Vec3{X: 1e20}, 1, 1, 3, flat, ErrCellSize},
		{"cells lost by rounding in Z", Vec3{Z: -1e20}, 1, 1, 3, flat, ErrCellSize},
		{"an infinite height", Vec3{}, 1, 1, 3, []float64{0, 0, inf, 0, 0, 0}, ErrHeight},
		{"an infinite origin", Vec3{X: inf}, 1, 1, 3, flat, ErrPoint},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := NewHeightField(tt.origin, tt.cellX, tt.cellZ, tt.columns, tt.heights); !errors.Is(err,
				tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

// It searched farther and farther, for ever.
func TestTheClosestPointOfAHeightFieldToNaNIsFound(t *testing.T) {
	f, err := NewHeightField(Vec3{}, 1, 1, 3, make([]float64, 9))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []Vec3{{X: math.NaN()}, {Y: math.Inf(1)}, {math.NaN(), math.NaN(), math.NaN()}} {
		if q, k := f.ClosestPoint(p); k != -1 || q != (Vec3{}) {
			t.Errorf("the nearest point to %v is %v of triangle %d, want none", p, q, k)
		}
	}
}
