package collide

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The faults that the comparison of all sweeps in bench/sweeps has found.

func TestABoxPassesAOneSidedMeshFromBehind(t *testing.T) {
	// A valley, seen from below: its concave edge is convex there.
	m := newMesh(t, []Vec3{{Z: -5}, {Z: 5}, {X: 5, Y: 2}, {X: -5, Y: 2}}, []uint32{0, 1, 2, 1, 0, 3}, MeshOptions{})
	for _, a := range []Convex{
		Box{Center: Vec3{0, -3, 0.2}, Half: Vec3{0.5, 0.5, 0.5}},
		Capsule{Vec3{-0.5, -3, 0.2}, Vec3{0.5, -3, 0.2}, 0.3},
		Sphere{Vec3{0, -3, 0.2}, 0.5},
	} {
		if c, got := SweepMesh(a, Vec3{Y: 1}, m, Vec3{}, 10); got != Miss {
			t.Errorf("%+v: %v, %+v", a, got, c)
		}
	}
}

func TestWallsOf2DGamesEndWhereTheyEndFarFromTheOrigin(t *testing.T) {
	for _, far := range []float64{0, 1e4, 1e8} {
		at := Vec3{X: far, Y: far / 2}
		m, err := NewChain2D([]Vec3{at.Add(Vec3{X: 1}), at.Add(Vec3{X: 3, Y: 2})}, MeshOptions{TwoSided: true})
		if err != nil {
			t.Fatal(err)
		}
		ball := Sphere{at.Add(Vec3{X: -2, Y: 3}), 0.5}
		if c, got := SweepSphereMesh(ball, Vec3{Y: -1}, m, Vec3{}, 20); got != Miss {
			t.Errorf("%v from the origin, beside the wall: %v at %v", far, got, c.Time)
		}
		ball.Center.X += 4
		want := 2 - math.Sqrt2/2
		if c, got := SweepSphereMesh(ball, Vec3{Y: -1}, m, Vec3{}, 20); got != Hit || math.Abs(c.Time-want) > 1e-7 {
			t.Errorf("%v from the origin, above the wall: %v at %v", far, got, c.Time)
		}
	}
}

func TestAHullTouchesAPlaneInTheMiddleOfItsFace(t *testing.T) {
	hull, err := NewHull([]Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, far := range []float64{0, 1e8} {
		// The plane is parallel to one of the hull's sides, which are triangles.
		plane, err := PlaneThrough(Vec3{X: far}, Vec3{1, 1, 1})
		if err != nil {
			t.Fatal(err)
		}
		for name, a := range map[string]Convex{
			"hull":     hull.At(Vec3{far + 3, 3, 3}),
			"triangle": Triangle{Vec3{far + 4, 3, 3}, Vec3{far + 3, 4, 3}, Vec3{far + 3, 3, 4}},
		} {
			for _, sweep := range []func(Convex, Vec3, Plane, Vec3, float64) (Contact, Outcome){
				SweepConvexPlane, SweepConvexHalfSpace,
			} {
				c, got := sweep(a, Vec3{-1, -1, -1}, plane, Vec3{}, 10)
				if off := plane.SignedDistance(c.Point); got != Hit || math.Abs(off) > 1e-15+4e-16*far {
					t.Errorf("%s %v from the origin: %v, the point is %v off the plane", name, far, got, off)
				}
			}
		}
	}
}

func TestTheDistanceOfWhatNearlyTouches(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 20_000 {
		at := randomVec(rng).Scale(3)
		corner := func() Vec3 { return at.Add(randomVec(rng).Scale(3)) }
		tr := Triangle{corner(), corner(), corner()}
		n, ok := tr.B.Sub(tr.A).Cross(tr.C.Sub(tr.A)).Normalized()
		if !ok {
			continue
		}
		// Beside an edge, in the plane of the triangle, so that the distance is known.
		want := math.Ldexp(1, -rng.IntN(34))
		aside, _ := tr.B.Sub(tr.A).Cross(n).Normalized()
		p := tr.A.Lerp(tr.B, rng.Float64()).AddScaled(want, aside)
		if g := Separation(Sphere{Center: p}, tr); math.Abs(g.Distance-want) > 1e-14*(1+at.Length()) {
			t.Fatalf("%v beside %v: distance %v, want %v", p, tr, g.Distance, want)
		}
	}
}

func TestABallThatGlidesOffAFaceMeetsTheEdgeWhoseCornersLieOffThePlane(t *testing.T) {
	// The ball is 1e-17 above the face and above an edge. Before it has come down, it has left the
	// face by 1e-14. The corners of that edge are 1e-16 above the plane, so the ball overlapped the
	// edge, and passed it.
	p, err := NewPolygon(
		Vec3{-0.6323549379026561, -1.6725981765836573, -0.4217321928521768},
		Vec3{-0.2915730116558108, -1.233991686926259, 1.3294980879112235},
		Vec3{0.3407819262468453, 0.43860648965739846, 1.7512302807634},
		Vec3{0.632354937902656, 1.6725981765836568, 0.4217321928521769},
		Vec3{0.29157301165581134, 1.2339916869262604, -1.3294980879112221},
		Vec3{-0.340781926246845, -0.43860648965739735, -1.7512302807634001})
	if err != nil {
		t.Fatal(err)
	}
	ball := Sphere{Vec3{-0.5460186076494534, -0.6736326441977099, 1.4782363811027412}, 0.43849377131771833}
	va := Vec3{-0.6678108561510072, -1.8866197920853347, 1.0437839754055087}
	vb := Vec3{-0.05955826141413273, 0.16376278702244687, 0.0033554000285636876}
	for name, sweep := range map[string]func(Sphere, Vec3, Polygon, Vec3, float64) (Contact, Outcome){
		"two-sided": SweepSpherePolygon, "one-sided": SweepSpherePolygonFront,
	} {
		c, got := sweep(ball, va, p, vb, 1)
		if got != Hit || c.Time > 1e-13 || c.Normal.Sub(p.plane.Normal).Length() > 1e-12 {
			t.Errorf("%s: %v, %+v", name, got, c)
		}
	}
}
