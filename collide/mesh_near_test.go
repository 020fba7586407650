package collide

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/dango-physics/dango/internal/slow"
)

// Capsules walk, look down and up, jump to other places and to another mesh, as characters do.
func TestCastsAmongTrianglesThatAreKeptMeetWhatSearchesFind(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 16))
	cases, kept, hits, overlaps, collected := slow.Cases(40_000), 0, 0, 0, 0
	var meshes [2]*Mesh
	var near MeshNear
	var at, way Vec3
	for i := range cases {
		if i%400 == 0 {
			meshes = [2]*Mesh{randomTerrain(t, rng, i/400), randomTerrain(t, rng, i/400+1)}
		}
		if i%50 == 0 {
			at = Vec3{4 * (rng.Float64() - 0.5), 1.2 * rng.Float64(), 4 * (rng.Float64() - 0.5)}
			way = Vec3{rng.Float64() - 0.5, (rng.Float64() - 0.5) / 4, rng.Float64() - 0.5}
		}
		m := meshes[0]
		if rng.IntN(8) == 0 {
			m = meshes[1]
		}
		a := Capsule{at, at.Add(Vec3{X: [4]float64{0.01, 0.01, 0.01 + 1e-12, -0.4}[i%4], Y: 0.6}), 0.15}
		v, horizon := way, 0.1
		switch rng.IntN(3) {
		case 1:
			v, horizon = Vec3{Y: -0.5}, 1
		case 2:
			v, horizon = Vec3{Y: 0.5}, 1
		}
		was := near.box
		got, outcome := near.SweepCapsule(a, v, m, Vec3{}, horizon)
		want, wanted := SweepMesh(a, v, m, Vec3{}, horizon)
		if got != want || outcome != wanted {
			t.Fatalf("case %d: %v %+v, want %v %+v", i, outcome, got, wanted, want)
		}
		switch outcome {
		case Hit:
			hits++
		case Overlap:
			overlaps++
		}
		if near.m == m && near.used {
			kept++
		}
		if near.box != was && near.m != nil {
			collected++
			checkNear(t, &near)
		}
		if outcome == Miss && v == way {
			at = at.AddScaled(horizon, v)
		}
	}
	if kept < cases*3/4 || collected > cases/4 || collected == 0 || hits < cases/20 || overlaps < cases/100 {
		t.Errorf("of %d casts, %d were among triangles kept, which were collected %d times; %d hits, %d overlaps",
			cases, kept, collected, hits, overlaps)
	}
}

// checkNear checks that n has exactly the triangles whose bounds touch its box.
func checkNear(t *testing.T, n *MeshNear) {
	t.Helper()
	for k := range n.m.Triangles() {
		c := n.m.Facet(k).Corners()
		inside := true
		for axis := range 3 {
			x, y, z := c[0].Component(axis), c[1].Component(axis), c[2].Component(axis)
			inside = inside && min(x, y, z) <= n.box.hi.Component(axis) && max(x, y, z) >= n.box.lo.Component(axis)
		}
		has := slices.ContainsFunc(n.inside[:n.count], func(t nearTriangle) bool { return t.index == uint32(k) })
		if inside != has {
			t.Fatalf("triangle %d, which touches the box: %v, is known: %v", k, inside, has)
		}
	}
	for i := range n.count {
		c := n.inside[i].corners
		bounds := nearBox{c[0], c[0]}
		bounds.add(&nearBox{c[1], c[1]})
		bounds.add(&nearBox{c[2], c[2]})
		bounds.clip(&n.box)
		for _, point := range []Vec3{bounds.lo, bounds.hi} {
			if n.touched(&nearBox{point, point})>>i&1 == 0 {
				t.Fatalf("the bounds of triangle %d don't touch their own corner", n.inside[i].index)
			}
		}
	}
}

// The planes are in float32: casts that almost touch a triangle, also far from the origin, must not
// count as apart from it.
func TestNoPlaneExcludesATriangleThatACastReaches(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 16))
	random := func() Vec3 { return Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()} }
	excluded := 0
	cases := slow.Cases(100_000)
	for i := range cases {
		scale := math.Pow(10, float64(rng.IntN(9)-4))
		origin := random().Scale(scale * math.Pow(10, float64(rng.IntN(14))))
		var m Mesh
		for range 3 {
			m.vertices = append(m.vertices, origin.Add(random().Scale(scale)))
		}
		m.triangles, m.blocks = []meshTriangle{{corners: [3]uint8{0, 1, 2}}}, []uint32{0}
		var tr nearTriangle
		tr.set(&m, 0, &[3]Vec3{m.vertices[0], m.vertices[1], m.vertices[2]})
		a, axis, way, u := random().Scale(scale), random().Scale(scale), random().Scale(scale), random()
		radius := rng.Float64() * scale
		// The lowest point of the cast is at about the height of the highest corner.
		unit, _ := u.Normalized()
		top := math.Inf(-1)
		for _, c := range tr.corners {
			top = max(top, unit.Dot(c.Sub(origin)))
		}
		low := min(0, unit.Dot(axis)) + min(0, unit.Dot(way)) - radius
		gap := scale * (rng.Float64() - 0.5) * math.Pow(10, -float64(rng.IntN(8)))
		a = origin.Add(a.AddScaled(top-low-unit.Dot(a)+gap, unit)).Sub(origin) // rounded
		gap = low + unit.Dot(a) - top

		n := MeshNear{m: &m}
		half := Vec3{9 * scale, 9 * scale, 9 * scale}
		n.limit(nearBox{origin.Sub(half), origin.Add(half)})
		p := n.planeBefore(&tr, u)
		at := origin.Add(a).Sub(n.box.lo)
		if p.excludes(&nearCast{single(&at), single(&axis), single(&way), float32(radius)}) {
			excluded++
			if !(gap > 0) {
				t.Fatalf("case %d: excluded, with a gap of %g at a scale of %g", i, gap, scale)
			}
		}
	}
	if excluded < cases/8 {
		t.Errorf("only %d of %d are excluded", excluded, cases)
	}
}

func TestTrianglesThatAreKeptFillCacheLines(t *testing.T) {
	a, b := unsafe.Sizeof(nearTriangle{}), unsafe.Sizeof(MeshNear{})
	if a%64 != 0 || unsafe.Sizeof(uintptr(0)) == 8 && b%64 != 0 {
		t.Errorf("%d and %d bytes", a, b)
	}
}

func TestACapsuleInTheAirMeetsNoTriangleOfAnotherMesh(t *testing.T) {
	ground := randomTerrain(t, rand.New(rand.NewPCG(10, 16)), 1)
	far := []Vec3{{X: 99}, {X: 99, Z: 1}, {X: 100}}
	other, err := NewMesh(far, []uint32{0, 1, 2}, MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var near MeshNear
	a, v := Capsule{Vec3{Y: 1.5}, Vec3{Y: 2}, 0.15}, Vec3{Y: -3}
	if _, outcome := near.SweepCapsule(a, v, ground, Vec3{}, 1); outcome != Hit {
		t.Fatal("the ground isn't met:", outcome)
	}
	for range 3 {
		if c, outcome := near.SweepCapsule(a, v, other, Vec3{}, 1); outcome != Miss {
			t.Errorf("%v %+v, want a Miss", outcome, c)
		}
	}
	if near.m != other || near.count != 0 {
		t.Error("that there are no triangles isn't kept")
	}
}

func TestAPlaceWithTooManyTrianglesIsSearched(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 16))
	m := randomTerrain(t, rng, 1)
	var near MeshNear
	a := Capsule{Vec3{Y: 3}, Vec3{Y: 4}, 2}
	for range 2 * nearWait {
		got, outcome := near.SweepCapsule(a, Vec3{Y: -1}, m, Vec3{}, 10)
		if want, wanted := SweepMesh(a, Vec3{Y: -1}, m, Vec3{}, 10); got != want || outcome != wanted || near.m != nil {
			t.Fatalf("%v %+v, want %v %+v", outcome, got, wanted, want)
		}
	}
	small := Capsule{Vec3{Y: 3}, Vec3{Y: 3.1}, 0.1}
	for range nearWait + 1 {
		near.SweepCapsule(small, Vec3{Y: -1}, m, Vec3{}, 0.1)
	}
	if near.m != m {
		t.Error("the triangles of a place with few of them are not kept")
	}
}
