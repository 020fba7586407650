package collide

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

// hills returns a terrain of 2·n·n triangles, with the given height at each point.
func hills(n int, height func(i, j int) Vec3) (vertices []Vec3, indices []uint32) {
	id := func(i, j int) uint32 { return uint32(i*(n+1) + j) }
	for i := range n + 1 {
		for j := range n + 1 {
			vertices = append(vertices, height(i, j))
		}
	}
	for i := range n {
		for j := range n {
			indices = append(indices, id(i, j), id(i, j+1), id(i+1, j), id(i+1, j+1), id(i+1, j), id(i, j+1))
		}
	}
	return vertices, indices
}

func newMesh(t testing.TB, vertices []Vec3, indices []uint32, options MeshOptions) *Mesh {
	t.Helper()
	m, err := NewMesh(vertices, indices, options)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func cubeMesh() (vertices []Vec3, indices []uint32) {
	corners := Box{Half: Vec3{1, 1, 1}}.Corners()
	for _, f := range boxFaces {
		// Each face has vertices of its own, as files often have.
		n := uint32(len(vertices))
		for _, k := range f.corners {
			vertices = append(vertices, corners[k])
		}
		indices = append(indices, n, n+1, n+2, n, n+2, n+3)
	}
	return vertices, indices
}

func TestNewMeshReportsErrors(t *testing.T) {
	square := []Vec3{{}, {X: 1}, {1, 0, 1}, {Z: 1}}
	for _, tt := range []struct {
		name     string
		vertices []Vec3
		indices  []uint32
		options  MeshOptions
		want     error
		text     string
	}{
		{"no triangle", square, nil, MeshOptions{}, ErrIndexCount, ""},
		{"two indices", square, []uint32{0, 1}, MeshOptions{}, ErrIndexCount, ""},
		{
			"an index out of range", square,
			[]uint32{0, 1, 2, 0, 2, 4},
			MeshOptions{},
			ErrIndex,
			"collide: an index of a mesh is out of range: vertex 4 of triangle 1",
		},
		{"a NaN", []Vec3{{}, {X: 1}, {Y: math.NaN()}}, []uint32{0, 1, 2}, MeshOptions{}, ErrPoint, ""},
		{
			"a repeated corner", square,
			[]uint32{0, 1, 1},
			MeshOptions{},
			ErrDegenerate,
			"collide: a triangle of a mesh has no area: triangle 0",
		},
		{
			"corners on a line",
			[]Vec3{{0.1, 0.1, 0.1}, {0.2, 0.2, 0.2}, {0.4, 0.4, 0.4}},
			[]uint32{0, 1, 2},
			MeshOptions{},
			ErrDegenerate, "",
		},
		{
			"corners that are welded",
			[]Vec3{{}, {X: 1}, {X: 1 + 1e-9}},
			[]uint32{0, 1, 2},
			MeshOptions{Weld: 1e-6},
			ErrDegenerate, "",
		},
		{"a negative welding distance", square, []uint32{0, 1, 2}, MeshOptions{Weld: -1}, ErrMeshOption, ""},
		{"degenerate ones only", square, []uint32{0, 1, 1}, MeshOptions{SkipDegenerate: true}, ErrIndexCount, ""},
		{"a square", square, []uint32{0, 2, 1, 0, 3, 2}, MeshOptions{}, nil, ""},
		{
			"a square and a degenerate triangle", square,
			[]uint32{0, 2, 1, 1, 1, 1},
			MeshOptions{SkipDegenerate: true},
			nil, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewMesh(tt.vertices, tt.indices, tt.options)
			if !errors.Is(err, tt.want) || tt.text != "" && err.Error() != tt.text {
				t.Errorf("got %v, want %v %q", err, tt.want, tt.text)
			}
		})
	}
}

func TestOnlySharpEdgesAndVerticesAreTested(t *testing.T) {
	count := func(m *Mesh) (edges, vertices int) {
		for k := range m.triangles {
			for _, s := range m.triangles[k].sides {
				if s&testsEdge != 0 {
					edges++
				}
				if s&testsVertex != 0 {
					vertices++
				}
			}
		}
		return edges, vertices
	}
	vertices, indices := cubeMesh()
	cube := newMesh(t, vertices, indices, MeshOptions{})
	if e, v := count(cube); e != 12 || v != 8 {
		t.Errorf("a cube has %d edges and %d vertices, want 12 and 8", e, v)
	}
	for i := 0; i < len(indices); i += 3 {
		indices[i], indices[i+1] = indices[i+1], indices[i]
	}
	if e, v := count(newMesh(t, vertices, indices, MeshOptions{})); e != 0 || v != 0 {
		t.Errorf("a room has %d edges and %d vertices, want none", e, v)
	}
	if e, v := count(newMesh(t, vertices, indices, MeshOptions{TwoSided: true})); e != 12 || v != 8 {
		t.Errorf("a two-sided room has %d edges and %d vertices, want 12 and 8", e, v)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	v, i := hills(20, func(i, j int) Vec3 {
		return Vec3{float64(i) + 0.3*rng.Float64(), 0, float64(j) + 0.3*rng.Float64()}
	})
	if e, v := count(newMesh(t, v, i, MeshOptions{})); e != 80 || v != 80 {
		t.Errorf("a floor has %d edges and %d vertices, want those of its rim, 80 and 80", e, v)
	}
}

func TestTJunctionsAreReported(t *testing.T) {
	vertices := []Vec3{{}, {X: 2}, {Z: -1}, {X: 1}, {Z: 1}}
	m := newMesh(t, vertices, []uint32{0, 1, 2, 0, 4, 3, 3, 4, 1}, MeshOptions{})
	if j := m.TJunctions(); len(j) != 1 || j[0].Vertex != (Vec3{X: 1}) || j[0].Triangle != 0 || j[0].Edge != 0 {
		t.Errorf("got %v", j)
	}
	cube, indices := cubeMesh()
	if j := newMesh(t, cube, indices, MeshOptions{}).TJunctions(); len(j) != 0 {
		t.Errorf("a cube: got %v", j)
	}
}

// roughTerrain returns hills, and the same as triangles.
func roughTerrain(t *testing.T, rng *rand.Rand, n int, options MeshOptions) (*Mesh, []Triangle) {
	vertices, indices := hills(n, func(i, j int) Vec3 {
		return Vec3{float64(i) + 0.3*(2*rng.Float64()-1), 0.4 * rng.NormFloat64(), float64(j) + 0.3*(2*rng.Float64()-1)}
	})
	var triangles []Triangle
	for i := 0; i < len(indices); i += 3 {
		triangles = append(triangles, Triangle{vertices[indices[i]], vertices[indices[i+1]], vertices[indices[i+2]]})
	}
	return newMesh(t, vertices, indices, options), triangles
}

// depthIn returns how deep the ball overlaps the triangle that is nearest to its centre, or a
// negative number if it overlaps none.
func depthIn(ball Sphere, triangles []Triangle) float64 {
	distance := math.Inf(1)
	for _, tr := range triangles {
		distance = min(distance, tr.ClosestPoint(ball.Center).Distance(ball.Center))
	}
	return ball.Radius - distance
}

func TestABallThatLeavesAFaceDoesNotHitTheFaceBehindItsConvexEdge(t *testing.T) {
	// A ridge, and a ball that overlaps one side and slides out over the edge. It first touches the
	// other side while it is inside the first one, but its distance from the ridge only grows.
	vertices := []Vec3{{}, {Z: 4}, {-4, -0.5, 2}, {4, -0.5, 2}}
	left, right := Triangle{vertices[0], vertices[2], vertices[1]}, Triangle{vertices[0], vertices[1], vertices[3]}
	ball, v := Sphere{Vec3{-1, 0.55, 2}, 1}, Vec3{2, 0.3, 0.1}
	last := 1.0
	for i := range 101 {
		depth := depthIn(Sphere{ball.Center.AddScaled(float64(i)/100, v), 1}, []Triangle{left, right})
		if depth >= last || i == 0 && depth < 0.3 {
			t.Fatalf("the depth changes from %v to %v", last, depth)
		}
		last = depth
	}
	d, o := SweepSphereTriangle(ball, v, right, Vec3{}, 1)
	if depth := depthIn(Sphere{d.CenterA, 1}, []Triangle{left}); o != Hit || depth < 0.2 {
		t.Fatalf("the other side alone: %v %+v, at a depth of %v in the ridge", o, d, depth)
	}
	// Either side may be the one that tests the edge, and either fronts or backs may face upwards.
	for _, indices := range [][]uint32{
		{0, 2, 1, 0, 1, 3}, {0, 1, 3, 0, 2, 1}, {0, 1, 2, 0, 3, 1}, {0, 3, 1, 0, 1, 2},
	} {
		m := newMesh(t, vertices, indices, MeshOptions{TwoSided: true})
		if c, got := SweepSphereMesh(ball, v, m, Vec3{}, 1); got != Miss {
			t.Errorf("triangles %v: got %v %+v, want a miss", indices, got, c)
		}
	}
}

func TestMeshQueriesAgainstAllTriangles(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	rng := rand.New(rand.NewPCG(2, 3))
	for _, twoSided := range []bool{false, true} {
		m, triangles := roughTerrain(t, rng, 16, MeshOptions{TwoSided: twoSided})
		hits, after, rays, n := 0, 0, 0, slow.Cases(1000)
		for range n {
			// Not at the rim: there, a mesh and single triangles have different sides.
			from := Vec3{4 + 8*rng.Float64(), 1 + 3*rng.Float64(), 4 + 8*rng.Float64()}
			if rng.IntN(2) == 0 {
				from.Y = -from.Y
			}
			to := Vec3{4 + 8*rng.Float64(), 1.5 * rng.NormFloat64(), 4 + 8*rng.Float64()}
			v := to.Sub(from)
			ball := Sphere{from, rng.Float64()}
			c, got := SweepSphereMesh(ball, v, m, Vec3{}, 1)
			// A ball that overlaps a triangle at the start and only leaves it is a Miss for that
			// triangle, so the outcomes of the sweeps don't tell.
			overlaps := depthIn(ball, triangles) > 0
			want, best := Miss, Contact{}
			for _, tr := range triangles {
				sweep := SweepSphereTriangleFront
				if twoSided {
					sweep = SweepSphereTriangle
				}
				d, o := sweep(ball, v, tr, Vec3{}, 1)
				if o != Hit || want == Hit && d.Time >= best.Time {
					continue
				}
				// Contacts while the ball overlaps another triangle aren't contacts with the mesh.
				if !overlaps || depthIn(Sphere{d.CenterA, ball.Radius}, triangles) < 1e-12 {
					want, best = o, d
				}
			}
			switch {
			case from.Y < 0 && !twoSided: // from behind a single triangle isn't behind the mesh
			case overlaps:
				// The mesh may report an overlap, or a contact with a part that the ball doesn't
				// overlap yet, but none later than the first without an overlap.
				if want == Hit && (got == Miss || c.Time > best.Time+1e-15) {
					t.Fatalf("%+v at %v, overlapping at first: got %v at %v, want at most %v, normal %v", ball, v,
						got, c.Time, best.Time, best.Normal)
				}
				gap := triangles[c.Triangle].ClosestPoint(c.CenterA).Distance(c.CenterA) - ball.Radius
				if got == Hit && math.Abs(gap) > 1e-12 {
					t.Fatalf("%+v at %v, overlapping at first: got triangle %d at %v, when it is %v away",
						ball, v, c.Triangle, c.Time, gap)
				}
				if want == Hit {
					after++
				}
			default:
				if got != want || math.Abs(c.Time-best.Time) > 1e-15 || c.Normal.Distance(best.Normal) > 1e-7 {
					t.Fatalf("%+v at %v: got %v at %v, normal %v, want %v at %v, %v", ball, v, got, c.Time, c.Normal,
						want, best.Time, best.Normal)
				}
				if got == Hit {
					hits++
				}
			}
			ray := Ray{from, v}
			c, got = RayCastMesh(ray, m, 2)
			want, best = Miss, Contact{}
			at := -1
			for k, tr := range triangles {
				d, o := RayCastTriangle(ray, tr, 2)
				plane, _ := tr.Plane()
				if o == Hit && (want == Miss || d.Time < best.Time) && (twoSided || plane.Normal.Dot(v) < 0) {
					want, best, at = o, d, k
				}
			}
			if got != want || math.Abs(c.Time-best.Time) > fastTolerance ||
				got == Hit && (c.Triangle != at || c.Normal.Distance(best.Normal) > 1e-15) {
				t.Fatalf("%v: got %v, %+v, want %v, %+v of triangle %d", ray, got, c, want, best, at)
			}
			if got == Hit {
				rays++
			}
		}
		if hits < n/5 || rays < n/6 || after < n/2000 {
			t.Errorf("%d hits, %d after an overlap, and %d rays", hits, after, rays)
		}
	}
}

func TestABallRollsOverAFlatMeshWithoutImpacts(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	rng := rand.New(rand.NewPCG(4, 5))
	const n = 30
	vertices, indices := hills(n, func(i, j int) Vec3 {
		return Vec3{float64(i) - n/2 + 0.3*(2*rng.Float64()-1), 0, float64(j) - n/2 + 0.3*(2*rng.Float64()-1)}
	})
	m := newMesh(t, vertices, indices, MeshOptions{})
	for range 4000 {
		r := 0.1 + rng.Float64()
		ball := Sphere{Vec3{8 * (2*rng.Float64() - 1), r, 8 * (2*rng.Float64() - 1)}, r}
		// Sunk by as much as rounding may cause.
		ball.Center.Y -= float64(rng.IntN(4)) * 1e-16
		v := Vec3{rng.NormFloat64(), 0, rng.NormFloat64()}
		if c, got := SweepSphereMesh(ball, v, m, Vec3{}, 1); got != Miss {
			t.Fatalf("%+v at %v: %v, %+v", ball, v, got, c)
		}
		v.Y = -1e-6 * rng.Float64()
		if c, got := SweepSphereMesh(ball, v, m, Vec3{}, 1); got == Miss || c.Normal != (Vec3{Y: 1}) || c.Time != 0 {
			t.Fatalf("%+v at %v: %v, %+v", ball, v, got, c)
		}
	}
}

func TestABallRollsOffTheSharpEdgesOfAMesh(t *testing.T) {
	vertices, indices := cubeMesh()
	cube := newMesh(t, vertices, indices, MeshOptions{})
	rng := rand.New(rand.NewPCG(6, 7))
	for range 2000 {
		ball := Sphere{Vec3{2*rng.Float64() - 1, 1.5, 2*rng.Float64() - 1}, 0.5 + float64(rng.IntN(3))*1e-16}
		v := Vec3{rng.NormFloat64(), 0, rng.NormFloat64()}
		if c, got := SweepSphereMesh(ball, v, cube, Vec3{}, 10); got != Miss {
			t.Fatalf("%+v at %v: %v, %+v", ball, v, got, c)
		}
		// From beside, it meets a side, an edge or a corner, with the normal of the box.
		ball = Sphere{Vec3{3 + rng.Float64(), 3 * rng.Float64(), 3 * rng.Float64()}, 0.5}
		v = Vec3{-1, 0.3 * rng.NormFloat64(), 0.3 * rng.NormFloat64()}
		c, got := SweepSphereMesh(ball, v, cube, Vec3{}, 10)
		d, want := Sweep(ball, v, Box{Half: Vec3{1, 1, 1}}, Vec3{}, 10)
		if got != want || math.Abs(c.Time-d.Time) > 1e-15 || c.Normal.Distance(d.Normal) > 1e-15 {
			t.Fatalf("%+v at %v: %v %+v, want %v %+v", ball, v, got, c, want, d)
		}
	}
}

func TestNoRayPassesBetweenTriangles(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	m, _ := roughTerrain(t, rng, 10, MeshOptions{})
	for range 20000 {
		k := uint32(rng.IntN(m.Triangles()))
		tr := m.triangle(k)
		to := tr.A.Lerp(tr.B, rng.Float64()) // on an edge, up to rounding
		if to.X < 2 || to.X > 8 || to.Z < 2 || to.Z > 8 {
			continue
		}
		from := to.Add(Vec3{rng.NormFloat64(), 20, rng.NormFloat64()})
		if _, got := RayCastMesh(Ray{from, to.Sub(from)}, m, 5); got != Hit {
			t.Fatalf("a ray from %v to %v passes", from, to)
		}
	}
}

func TestABatchOfRaysFindsWhatEachRayFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for _, twoSided := range []bool{false, true} {
		m, _ := roughTerrain(t, rng, 20, MeshOptions{TwoSided: twoSided})
		var contacts []MeshContact
		hits := 0
		for _, n := range []int{0, 1, 2, rayLanes - 1, rayLanes, rayLanes + 1, 100, 1000} {
			rays := make([]Ray, n)
			for i := range rays {
				at := func() Vec3 { return Vec3{20 * rng.Float64(), 4*rng.Float64() - 2, 20 * rng.Float64()} }
				rays[i].Origin = at()
				rays[i].Direction = at().Sub(rays[i].Origin)
				switch rng.IntN(20) {
				case 0: // down onto a vertex
					rays[i].Origin = m.vertices[rng.IntN(len(m.vertices))].Add(Vec3{Y: 3})
					rays[i].Direction = Vec3{Y: -1}
				case 1: // past the mesh
					rays[i].Origin.X += 100
				case 2: // invalid
					rays[i].Origin.Y = math.NaN()
				}
			}
			horizon := 4 * rng.Float64()
			contacts = RayCastMeshBatch(rays, m, horizon, contacts)
			if len(contacts) != n {
				t.Fatalf("%d contacts of %d rays", len(contacts), n)
			}
			for i, c := range contacts {
				want, outcome := RayCastMesh(rays[i], m, horizon)
				if outcome == Miss {
					want.Triangle = -1
				} else {
					hits++
				}
				if c != want {
					t.Fatalf("ray %d of %d, %v: got %+v, want %+v", i, n, rays[i], c, want)
				}
			}
		}
		if hits < 50 {
			t.Errorf("only %d hits", hits)
		}
	}
}

func TestMeshQueriesDoNotAllocate(t *testing.T) {
	m, _ := roughTerrain(t, rand.New(rand.NewPCG(1, 9)), 10, MeshOptions{})
	field, _ := fieldAndMesh(t, 10, func(i, j int) float64 { return float64(i * j % 3) })
	box := Box{Center: Vec3{5, 9, 5}, Half: Vec3{0.5, 0.5, 0.5}}
	rays := slices.Repeat([]Ray{{Vec3{5, 9, 5}, Vec3{0, -1, 0.1}}}, 20)
	var contacts []MeshContact
	for name, f := range map[string]func(){
		"box":     func() { SweepMesh(box, Vec3{0, -1, 0.1}, m, Vec3{}, 20) },
		"overlap": func() { OverlapsMesh(box, m) },
		"field": func() {
			SweepSphereHeightField(Sphere{Vec3{1, 9, 5}, 0.5}, Vec3{0, -1, 0.1}, field, Vec3{},
				20)
		},
		"box on field": func() { SweepHeightField(box, Vec3{-0.5, -1, 0.1}, field, Vec3{}, 20) },
		"ray on field": func() { RayCastHeightField(Ray{Vec3{1, 9, 5}, Vec3{0, -1, 0.1}}, field, 20) },
		"ray":          func() { RayCastMesh(Ray{Vec3{5, 9, 5}, Vec3{0, -1, 0.1}}, m, 20) },
		"rays":         func() { contacts = RayCastMeshBatch(rays, m, 20, contacts) },
		"sphere":       func() { SweepSphereMesh(Sphere{Vec3{5, 9, 5}, 0.5}, Vec3{0, -1, 0.1}, m, Vec3{}, 20) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations, want 0", name, n)
		}
	}
}

func TestABoxAndACapsuleSlideOverAFlatMeshWithoutImpacts(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	rng := rand.New(rand.NewPCG(4, 6))
	const n = 20
	vertices, indices := hills(n, func(i, j int) Vec3 {
		return Vec3{float64(i) - n/2 + 0.3*(2*rng.Float64()-1), 0, float64(j) - n/2 + 0.3*(2*rng.Float64()-1)}
	})
	m := newMesh(t, vertices, indices, MeshOptions{})
	for range slow.Cases(500) {
		at := Vec3{4 * (2*rng.Float64() - 1), 1 - float64(rng.IntN(4))*1e-16, 4 * (2*rng.Float64() - 1)}
		v := Vec3{rng.NormFloat64(), 0, rng.NormFloat64()}
		turn := RotationAround(Vec3{Y: 1}, 6*rng.Float64())
		for _, a := range []Convex{
			Box{Center: at, Half: Vec3{0.3, 1, 0.7}, Rotation: turn},
			Capsule{at.Add(Vec3{Y: 0.5}), at.Sub(Vec3{Y: 0.5}), 0.5},
			Capsule{at.Add(turn.Rotate(Vec3{X: 0.5})), at.Sub(turn.Rotate(Vec3{X: 0.5})), 1},
		} {
			if c, got := SweepMesh(a, v, m, Vec3{}, 2); got != Miss {
				t.Fatalf("%+v at %v: %v, %+v", a, v, got, c)
			}
			down := v.Add(Vec3{Y: -1e-3 - rng.Float64()})
			if c, got := SweepMesh(a, down, m, Vec3{}, 2); got == Miss || c.Normal != (Vec3{Y: 1}) || c.Time > 1e-12 {
				t.Fatalf("%+v at %v: %v, %+v", a, down, got, c)
			}
		}
	}
}

func TestSweepMeshAgainstAllTriangles(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	m, triangles := roughTerrain(t, rng, 10, MeshOptions{})
	hits, n := 0, slow.Cases(1000)
	for range n {
		from := Vec3{3 + 4*rng.Float64(), 3 + 3*rng.Float64(), 3 + 4*rng.Float64()}
		to := Vec3{3 + 4*rng.Float64(), rng.NormFloat64(), 3 + 4*rng.Float64()}
		for _, a := range []Convex{
			Box{Center: from, Half: Vec3{0.3, 0.5, 0.7}, Rotation: RotationAround(randomVec(rng), 6*rng.Float64())},
			Capsule{from, from.Add(randomVec(rng).Scale(0.5)), 0.3},
		} {
			c, got := SweepMesh(a, to.Sub(from), m, Vec3{}, 1)
			want, best := Miss, Contact{}
			for _, tr := range triangles {
				if d, o := Sweep(a, to.Sub(from), tr, Vec3{}, 1); o == Overlap || o == Hit && (want == Miss ||
					d.Time < best.Time) {
					want, best = o, d
					if o == Overlap {
						break
					}
				}
			}
			if want == Overlap {
				continue
			}
			if got != want || math.Abs(c.Time-best.Time) > 1e-15 || c.Normal.Distance(best.Normal) > 1e-9 {
				t.Fatalf("%+v at %v: got %v %+v, want %v %+v", a, to.Sub(from), got, c, want, best)
			}
			if o := OverlapsMesh(a, m); o {
				t.Fatalf("%+v overlaps", a)
			}
			if got == Hit {
				hits++
			}
		}
	}
	if hits < n/3 {
		t.Errorf("%d hits", hits)
	}
}

func TestTheClosestPointOfAMesh(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	rng := rand.New(rand.NewPCG(5, 4))
	m, triangles := roughTerrain(t, rng, 10, MeshOptions{})
	for range 1000 {
		// Rounded, so that no compiler fuses these products with the differences below.
		p := Vec3{float64(10 * rng.Float64()), float64(3 * rng.NormFloat64()), float64(10 * rng.Float64())}
		q, k := m.ClosestPoint(p)
		best := math.Inf(1)
		for _, tr := range triangles {
			best = min(best, tr.ClosestPoint(p).Distance(p))
		}
		if q.Distance(p) != best || triangles[k].ClosestPoint(p) != q {
			t.Fatalf("%v: got %v of triangle %d, at %v, want %v", p, q, k, q.Distance(p), best)
		}
	}
}

func TestABoxWhoseCornerMeetsACornerOfAMeshIsStopped(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 3))
	vertices, indices := hills(10, func(i, j int) Vec3 { return Vec3{float64(i), 1.5 * rng.NormFloat64(), float64(j)} })
	m := newMesh(t, vertices, indices, MeshOptions{})
	hits, n := 0, slow.Cases(4000)
	for range n {
		// From above towards a vertex in the middle, with the lowest corner of the box ahead.
		at := m.triangle(uint32(rng.IntN(m.Triangles()))).A
		if at.X < 2 || at.X > 8 || at.Z < 2 || at.Z > 8 {
			continue
		}
		box := Box{Half: Vec3{0.3, 0.4, 0.5}, Rotation: RotationAround(randomVec(rng), 6*rng.Float64())}
		lowest := box.Corners()[0]
		for _, c := range box.Corners() {
			if c.Y < lowest.Y {
				lowest = c
			}
		}
		v := Vec3{Y: -8}
		box.Center = at.Sub(lowest).Sub(v)
		first := math.Inf(1)
		for k := range m.triangles {
			if c, o := Sweep(box, v, m.triangle(uint32(k)), Vec3{}, 2); o != Miss {
				first = min(first, c.Time)
			}
		}
		c, got := SweepMesh(box, v, m, Vec3{}, 2)
		if got != Hit || math.Abs(c.Time-first) > 1e-12 {
			t.Fatalf("%+v at %v: %v at %v, want a Hit at %v", box, v, got, c.Time, first)
		}
		if first > 1-1e-9 {
			hits++
		}
	}
	if hits < n/20 {
		t.Errorf("%d of %d met the vertex first", hits, n)
	}
}

func TestABallThatSlidesAlongAFacetsPlaneDoesNotMeetItBesideTheFacet(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	rng := rand.New(rand.NewPCG(7, 8))
	hits := 0
	for range slow.Cases(40) {
		m, triangles := roughTerrain(t, rng, 8, MeshOptions{})
		for range 1000 {
			// A ball that touches a triangle's plane beside an edge, and moves along that plane.
			tr := triangles[rng.IntN(len(triangles))]
			edge := rng.IntN(3)
			corners := [3]Vec3{tr.A, tr.B, tr.C}
			a, b, c := corners[edge], corners[(edge+1)%3], corners[(edge+2)%3]
			n := tr.B.Sub(tr.A).Cross(tr.C.Sub(tr.A))
			n, _ = n.Normalized()
			direction, _ := b.Sub(a).Normalized()
			out := direction.Cross(n)
			if out.Dot(c.Sub(a)) > 0 {
				out = out.Neg()
			}
			q := a.AddScaled(rng.Float64(), b.Sub(a)).AddScaled(math.Pow(10, -2-3*rng.Float64()), out)
			ball := Sphere{Radius: 0.02 + 0.3*rng.Float64()}
			ball.Center = q.AddScaled(ball.Radius, n)
			v := randomVec(rng)
			v = v.AddScaled(-v.Dot(n)-math.Pow(10, -18+5*rng.Float64()), n)
			if depthIn(ball, triangles) > 1e-12 {
				continue
			}
			d, o := SweepSphereMesh(ball, v, m, Vec3{}, 1.0/60)
			if o != Hit {
				continue
			}
			hits++
			if gap := -depthIn(Sphere{d.CenterA, ball.Radius}, triangles); math.Abs(gap) > 1e-12 {
				t.Fatalf("%+v at %v: meets triangle %d at %v, when it is %v m away", ball, v, d.Triangle, d.Time, gap)
			}
		}
	}
	if hits < 100 {
		t.Errorf("only %d balls meet something, which this test needs", hits)
	}
}
