package collide_test

import (
	"testing"

	"github.com/dango-physics/dango/collide"
)

// A thin rod fell with its end onto a vertex of a terrain, 1e-9 away. The normal was that of a
// triangle at this vertex behind which the rod was, all but its end: by rounding, the end met the
// plane of that triangle before the vertex.
func TestARodThatFallsOntoAVertexDoesNotMeetATriangleBesideIt(t *testing.T) {
	const cellX, cellZ = 0.8608138996884283, 0.9670338055948428
	heights := []float64{
		-0.4053475619993596, 0.032404208012744844, -0.36245616535446373,
		-0.0257105282301995, -0.368035019511766, 0.3814335316046269,
		0.02299580213107246, -0.16728939376773413, 0.07970056310300871,
		-0.6387345679822046, 0.5517392911712632, -0.24714780145206544,
		0.3397662242394708, 0.398863805569925, -0.2098313142632991,
	}
	f, err := collide.NewHeightField(collide.Vec3{}, cellX, cellZ, 3, heights)
	if err != nil {
		t.Fatal(err)
	}
	rod := collide.Capsule{
		A: collide.Vec3{X: 0.06492986443575077, Y: 0.36237400978676426, Z: 0.4730419793906724},
		B: collide.Vec3{X: 1.721627798854151, Y: 0.022995802830818257, Z: -2.0759527430413982e-10},
	}
	v := collide.Vec3{X: 2.9180733281670626, Y: -5.035269237597033, Z: 0.45716697725325783}
	by := collide.Vec3{X: -0.25207676794752976, Y: -0.7913869283518324, Z: -0.8018749988663263}
	for _, horizon := range []float64{0.9350513117841139, 1.7e-10} {
		c, outcome := collide.SweepHeightField(rod, v, f, by, horizon)
		if outcome != collide.Hit || c.Time > 1.7e-10 {
			t.Fatalf("%v %+v", outcome, c)
		}
		vertex := collide.Vec3{X: 2 * cellX, Y: heights[6]}
		if d := c.Point.Distance(vertex); d > 1e-9 {
			t.Errorf("touches %v beside the vertex", d)
		}
		for _, end := range []collide.Vec3{rod.A, rod.B} {
			if h := c.Normal.Dot(end.Sub(vertex)); h < -1e-9 {
				t.Errorf("the end at %v is %v behind the plane of contact", end, -h)
			}
		}
	}
}
