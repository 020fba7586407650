package collide

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

// A capsule against a mesh is compared with its sweeps against all triangles, of which the contacts
// that the mesh rules out are left out: the slow way that hulls and boxes take.
func TestCapsulesMeetMeshesAsAllConvexShapesDo(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	cases := slow.Cases(40_000)
	rng := rand.New(rand.NewPCG(5, 6))
	random := func(size float64) Vec3 {
		return Vec3{(rng.Float64() - 0.5) * size, (rng.Float64() - 0.5) * size, (rng.Float64() - 0.5) * size}
	}
	hits, fast, inside := 0, 0, 0
	var m *Mesh
	for i := range cases {
		if i%200 == 0 {
			m = randomTerrain(t, rng, i/200)
		}
		axis := Vec3{Y: 1.2}
		switch i % 3 {
		case 1:
			axis = random(2)
		case 2:
			axis = Vec3{0.1, -1, 0.05}
		}
		center := random(4)
		center.Y = rng.Float64() * 2.5
		a := Capsule{center.Sub(axis.Scale(0.5)), center.Add(axis.Scale(0.5)), 0.05 + rng.Float64()*0.4}
		v, vb := random(4), Vec3{}
		if i%5 == 0 {
			vb = random(1)
		}
		horizon := rng.Float64() * 2
		got, outcome := SweepMesh(a, v, m, vb, horizon)
		s, ok := newConvexMeshSweep(m, a, v, vb, horizon)
		if !ok {
			t.Fatal("the case is invalid")
		}
		for k := range m.triangles {
			s.triangle(a, v, uint32(k), vb)
		}
		if outcome != s.outcome || outcome == Hit && math.Abs(got.Time-s.best.Time) > 1e-12*(1+s.best.Time) {
			// While it is inside of triangles, which it leaves or has come into from behind, it may
			// meet another first with a part that only one of the two knows to be hidden.
			first := min(got.Time, s.best.Time)
			if outcome == Miss || s.outcome == Miss {
				first = got.Time + s.best.Time
			}
			moved := v.Sub(vb).Scale(first)
			then := Capsule{a.A.Add(moved), a.B.Add(moved), a.Radius * (1 - 1e-9)}
			if outcome != Overlap && s.outcome != Overlap && OverlapsMesh(then, m) {
				inside++
				continue
			}
			t.Fatalf("case %d: %v at %v, want %v at %v: %+v moving at %v", i, outcome, got.Time, s.outcome, s.best.Time,
				a, v)
		}
		if outcome != Hit {
			continue
		}
		hits++
		if got.Normal.Distance(s.best.Normal) > 1e-7 && math.Abs(got.Time-s.best.Time) > 1e-15 {
			t.Fatalf("case %d: %+v, want %+v", i, got, s.best)
		}
		if got.Point.Distance(s.best.Point) > 1e-6 && got.Triangle == s.best.Triangle {
			t.Fatalf("case %d: at %v, want %v", i, got.Point, s.best.Point)
		}
		for k := range m.triangles {
			if m.triangles[k].original == uint32(got.Triangle) && touchesByEnd(m, uint32(k), a, v, vb, horizon) {
				fast++
			}
		}
	}
	if hits < cases/8 || fast < hits/20 || inside > cases/10_000+2 {
		t.Errorf("%d hits, %d of them by an end, %d inside", hits, fast, inside)
	}
}

// randomTerrain returns a grid of hills, with steps and walls in some, or stairs.
func randomTerrain(t *testing.T, rng *rand.Rand, n int) *Mesh {
	t.Helper()
	const side = 7
	var vertices []Vec3
	var levels [side/2 + 1]float64
	for k := range levels {
		levels[k] = float64(k) * (rng.Float64() - 0.3)
	}
	for i := range side {
		for j := range side {
			h := rng.Float64() * [3]float64{0.3, 1, 3}[n%3]
			if n%4 == 0 {
				h = math.Round(h * 2)
			}
			x := float64(i-side/2) + rng.Float64()*0.3
			if n%4 == 2 { // stairs up and down
				x, h = float64((i+1)/2*2-side/2)*0.7, levels[i/2]
			}
			vertices = append(vertices, Vec3{x, h, float64(j-side/2) + rng.Float64()*0.3})
		}
	}
	var indices []uint32
	for i := range uint32(side - 1) {
		for j := range uint32(side - 1) {
			k := i*side + j
			indices = append(indices, k, k+1, k+side, k+side+1, k+side, k+1)
		}
	}
	m, err := NewMesh(vertices, indices, MeshOptions{TwoSided: n%7 == 6})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// touchesByEnd reports whether a capsule can touch triangle k with an end only.
func touchesByEnd(m *Mesh, k uint32, a Capsule, v, vb Vec3, horizon float64) bool {
	var c capsuleMeshSweep
	c.begin(m, a, v, vb, horizon)
	corners := m.Facet(int(k)).Corners()
	var t nearTriangle
	t.set(m, k, &corners)
	return c.endFor(&t, t.normal.Dot(a.A.Sub(corners[0])), t.normal.Dot(c.axis), t.length*a.Radius) >= 0
}

// TestASphereTouchesNoEdgeThatItIsSeenToPass compares the test in float64 with the sweep in twofold
// arithmetic, for spheres that graze, that touch at the end of the time or at the end of an edge,
// and far from the origin.
func TestASphereTouchesNoEdgeThatItIsSeenToPass(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 16))
	cases, passed := slow.Cases(200_000), 0
	for i := range cases {
		random := func() Vec3 {
			if i%2 == 0 {
				return Vec3{float64(rng.IntN(7) - 3), float64(rng.IntN(7) - 3), float64(rng.IntN(7) - 3)}
			}
			return Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		}
		from := random().Scale(math.Pow(10, float64(rng.IntN(7)))).Add(random())
		e, v := random(), random().Scale(math.Pow(10, float64(rng.IntN(3)-2)))
		p, r := from.AddScaled([4]float64{0, 1, 0.5, rng.Float64()}[i%4], e).Add(random()), float64(rng.IntN(3))+0.5
		d := p.Sub(from)
		e = from.Add(e).Sub(from)
		if e == (Vec3{}) || v == (Vec3{}) {
			continue
		}
		at, _, hits := sweepLine(twoDiff3(p, from), toTwofold3(v), toTwofold3(e), twofold{r, 0})
		end := rng.Float64() * 10
		if hits && i%3 == 0 {
			end = at * (1 + float64(rng.IntN(3)-1)*0x1p-52) // touches it about then
		}
		if !passesEdge(d, v, e, e.Dot(e), r, end, d.MaxAbs()) {
			continue
		}
		passed++
		where := e.Dot(d.AddScaled(at, v))
		if hits && at <= end && where >= 0 && where <= e.Dot(e) {
			t.Fatalf("case %d: passes, but touches at %v of %v s, %v of %v of the edge", i, at, end, where, e.Dot(e))
		}
	}
	if passed < cases/10 {
		t.Errorf("only %d edges are passed", passed)
	}
}
