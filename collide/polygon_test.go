package collide

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

func TestNewPolygon(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		name   string
		points []Vec3
		err    error
	}{
		{"a square", []Vec3{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, nil},
		{
			"a square with a corner on a straight edge",
			[]Vec3{{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
			nil,
		},
		{"two points", []Vec3{{0, 0, 0}, {1, 0, 0}}, ErrTooFewPoints},
		{"a point of NaN", []Vec3{{0, 0, 0}, {1, 0, 0}, {1, nan, 0}}, ErrPoint},
		{"a point at infinity", []Vec3{{0, 0, 0}, {1, 0, 0}, {1, math.Inf(1), 0}}, ErrPoint},
		{"a repeated point", []Vec3{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}}, ErrRepeated},
		{"points on a line", []Vec3{{0, 0, 0}, {1, 1, 0}, {3, 3, 0}}, ErrCollinear},
		{
			"points on a line but for rounding", []Vec3{
				{0.1, 0.1, 0},
				{0.7, 0.7, 0},
				{0.3, math.Nextafter(0.3, 1), 0},
			}, ErrCollinear,
		},
		{"a dent", []Vec3{{0, 0, 0}, {2, 0, 0}, {0.5, 0.5, 0}, {0, 2, 0}}, ErrNotConvex},
		{"a bow tie with unequal halves", []Vec3{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1, 0}}, ErrNotConvex},
		{"a bow tie with equal halves", []Vec3{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}, ErrNotConvex},
		{"a bow tie far away", []Vec3{{1e9, 5, 7}, {1e9 + 1, 6, 7}, {1e9 + 1, 5, 7}, {1e9, 6, 7}}, ErrNotConvex},
		{"a tilted bow tie", []Vec3{{0, 0, 0}, {1, 1, 0.5}, {1, 0, 0}, {0, 1, 0.5}}, ErrNotConvex},
		{
			"no area, and not flat",
			[]Vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0, -1, 0}, {-1, 0, 0}},
			ErrNotFlat,
		},
		{"a five-pointed star", star(5, 2), ErrNotConvex},
		{"a pentagon", star(5, 1), nil},
		{"a folded square", []Vec3{{0, 0, 0}, {1, 0, 0}, {1, 1, 0.01}, {0, 1, 0}}, ErrNotFlat},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if g, err := NewPolygon(tt.points...); !errors.Is(err, tt.err) {
				t.Errorf("got %v, %v, want %v", g, err, tt.err)
			}
		})
	}
}

func star(n, step int) []Vec3 {
	points := make([]Vec3, n)
	for i := range points {
		angle := 2 * math.Pi * float64(i*step) / float64(n)
		points[i] = Vec3{math.Cos(angle), math.Sin(angle), 0}
	}
	return points
}

func TestPolygonAccessors(t *testing.T) {
	g, err := NewPolygon(Vec3{0, 2, 0}, Vec3{0, 2, 1}, Vec3{1, 2, 1}, Vec3{1, 2, 0})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Plane{Vec3{Y: 1}, 2}); g.Plane() != want {
		t.Errorf("plane %v, want %v", g.Plane(), want)
	}
	if want := (AABB{Vec3{0, 2, 0}, Vec3{1, 2, 1}}); g.Bounds() != want {
		t.Errorf("bounds %v, want %v", g.Bounds(), want)
	}
	if g.Len() != 4 || g.EdgeNormal(0) != (Vec3{X: -1}) || g.Edge(3) != (Segment{Vec3{1, 2, 0}, Vec3{0, 2, 0}}) {
		t.Errorf("%d edges, normal %v, edge %v", g.Len(), g.EdgeNormal(0), g.Edge(3))
	}
}

func TestSweepSphereTriangle(t *testing.T) {
	tile := Triangle{Vec3{0, 0, 0}, Vec3{0, 0, 4}, Vec3{4, 0, 0}} // its front is up
	for _, tt := range []struct {
		name   string
		center Vec3
		v      Vec3
		both   Outcome // from either side, with the horizon 10 and a radius of 1
		front  Outcome // one-sided
		time   float64
		normal Vec3
	}{
		{"falls on the face", Vec3{1, 3, 1}, Vec3{Y: -2}, Hit, Hit, 1, Vec3{Y: 1}},
		{"rises to the face from behind", Vec3{1, -3, 1}, Vec3{Y: 2}, Hit, Miss, 1, Vec3{Y: -1}},
		{"falls on an edge", Vec3{-0.6, 3, 1}, Vec3{Y: -2}, Hit, Hit, 1.1, Vec3{-0.6, 0.8, 0}},
		{"falls on a corner", Vec3{-0.6, 3, -0.48}, Vec3{Y: -2}, Hit, Hit, 1.18, Vec3{-0.6, 0.64, -0.48}},
		{"falls past it", Vec3{-1.1, 3, 1}, Vec3{Y: -2}, Miss, Miss, 0, Vec3{}},
		{"grazes the edge on its way down", Vec3{-1, 3, 1}, Vec3{Y: -2}, Hit, Hit, 1.5, Vec3{X: -1}},
		{"runs against an edge in the plane", Vec3{-3, 0, 1}, Vec3{X: 2}, Hit, Miss, 1, Vec3{X: -1}},
		{"touches and approaches", Vec3{1, 1, 1}, Vec3{Y: -2}, Hit, Hit, 0, Vec3{Y: 1}},
		{"touches and slides along", Vec3{1, 1, 1}, Vec3{X: -2}, Miss, Miss, 0, Vec3{}},
		{"is in the face and sinks", Vec3{1, 0.5, 1}, Vec3{Y: -2}, Overlap, Overlap, 0, Vec3{Y: 1}},
		{"is in the face and rises", Vec3{1, 0.5, 1}, Vec3{Y: 2}, Miss, Miss, 0, Vec3{}},
		{"is half through and rises", Vec3{1, -0.5, 1}, Vec3{Y: 2}, Overlap, Miss, 0, Vec3{Y: -1}},
		{"has its centre in the face and sinks", Vec3{1, 0, 1}, Vec3{Y: -2}, Overlap, Overlap, 0, Vec3{Y: 1}},
		{"is in the edge and approaches", Vec3{-0.5, 0, 1}, Vec3{X: 2}, Overlap, Miss, 0, Vec3{X: -1}},
		{"is in the edge and leaves", Vec3{-0.5, 0, 1}, Vec3{X: -2}, Miss, Miss, 0, Vec3{}},
		{
			"crosses the whole tile within a microsecond",
			Vec3{1, 1e6 + 1, 1},
			Vec3{Y: -1e12},
			Hit, Hit, 1e-6,
			Vec3{Y: 1},
		},
		{"has a NaN", Vec3{math.NaN(), 3, 1}, Vec3{Y: -2}, Miss, Miss, 0, Vec3{}},
		{"is infinitely fast", Vec3{1, 3, 1}, Vec3{Y: math.Inf(-1)}, Miss, Miss, 0, Vec3{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ball, drift := Sphere{tt.center, 1}, Vec3{1, 2, 3}
			polygon, _ := tile.Polygon()
			for name, sweep := range map[string]func() (Contact, Outcome){
				"triangle": func() (Contact, Outcome) { return SweepSphereTriangle(ball, tt.v, tile, Vec3{}, 10) },
				"polygon":  func() (Contact, Outcome) { return SweepSpherePolygon(ball, tt.v, polygon, Vec3{}, 10) },
				"both moving": func() (Contact, Outcome) {
					return SweepSphereTriangle(ball, tt.v.Add(drift), tile, drift, 10)
				},
			} {
				c, got := sweep()
				if got != tt.both || math.Abs(c.Time-tt.time) > 1e-15*(1+tt.time) ||
					c.Normal.Distance(tt.normal) > 1e-8 {
					t.Errorf("%s: got %v at %v, normal %v, want %v at %v, %v", name, got, c.Time, c.Normal, tt.both,
						tt.time, tt.normal)
				}
			}
			c, got := SweepSphereTriangleFront(ball, tt.v, tile, Vec3{}, 10)
			d, same := SweepSpherePolygonFront(ball, tt.v, polygon, Vec3{}, 10)
			if got != tt.front || same != got || c.Time != d.Time ||
				got == Hit && math.Abs(c.Time-tt.time) > 1e-15*(1+tt.time) {
				t.Errorf("one-sided: got %v at %v and %v at %v, want %v at %v", got, c.Time, same, d.Time, tt.front,
					tt.time)
			}
		})
	}
}

func TestExactContactsThatNeedMoreThan106Bits(t *testing.T) {
	// Both were found by fuzzing. Their outcomes were Miss and Overlap.
	c, got := SweepSphereSegment(Sphere{Vec3{20, 2, -6}, 6}, Vec3{X: -16.428571428571427},
		Segment{Vec3{588, -78, 0}, Vec3{Y: 1}}, Vec3{-78, 588, 0}, 10)
	if got != Hit || c.Normal.Distance(Vec3{Z: -1}) > 1e-9 {
		t.Errorf("a sphere that grazes a segment: got %v with normal %v, want a Hit with {0 0 -1}", got, c.Normal)
	}
	c, got = SweepSphereTriangle(Sphere{Vec3{0, -52, -8}, 9}, Vec3{-100, -2, 68},
		Triangle{Vec3{-510, 0, 1}, Vec3{1, 9.444444444444445, 1}, Vec3{0, -510, 1}}, Vec3{}, 44)
	if got != Hit || c.Time != 0 {
		t.Errorf("a sphere that touches a face and approaches: got %v at %v, want a Hit at 0", got, c.Time)
	}
}

func TestSphereMovingAlongAnEdgeFromJustInsideItsCornerOverlaps(t *testing.T) {
	// Found by fuzzing. The outcome was Miss: the corner was taken as the nearest feature, and the
	// sphere moves away from the corner.
	g, err := NewPolygon(Vec3{86, 1, 1}, Vec3{0, 1, 1}, Vec3{0, -56, 1}, Vec3{86, -56, 1})
	if err != nil {
		t.Fatal(err)
	}
	ball := Sphere{Vec3{95, math.Nextafter(1, 0), 0}, 37}
	if _, got := SweepSpherePolygon(ball, Vec3{X: 1}, g, Vec3{1, 86, 0}, 10); got != Overlap {
		t.Errorf("got %v, want Overlap", got)
	}
}

// The sphere's path is sampled. Before the contact the distance is never less than the radius, and
// at the contact it equals the radius.
func TestSweepSpherePolygonAgainstTheSampledPath(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	hits := 0
	for range 4000 {
		n, _ := randomVec(rng).Normalized()
		x, _ := n.Cross(randomVec(rng)).Normalized()
		y, at := n.Cross(x), randomVec(rng)
		corners := star(3+rng.IntN(6), 1)
		for i, c := range corners {
			corners[i] = at.AddScaled(2*c.X, x).AddScaled(3*c.Y, y)
		}
		g, err := NewPolygon(corners...)
		if err != nil {
			t.Fatal(err)
		}
		ball := Sphere{randomVec(rng).Scale(4), rng.Float64()}
		va, vb := at.Sub(ball.Center).Add(randomVec(rng).Scale(2)), randomVec(rng).Scale(0.3)
		c, outcome := SweepSpherePolygon(ball, va, g, vb, 5)
		distance := func(s float64) float64 {
			p := ball.Center.AddScaled(s, va.Sub(vb))
			return p.Distance(g.ClosestPoint(p))
		}
		end := 5.0
		switch outcome {
		case Overlap:
			if distance(0) >= ball.Radius {
				t.Fatalf("overlap at a distance of %v, radius %v", distance(0), ball.Radius)
			}
			continue
		case Hit:
			hits++
			end = c.Time
			if d := distance(end); math.Abs(d-ball.Radius) > 1e-13 {
				t.Fatalf("touch at a distance of %v, radius %v", d, ball.Radius)
			}
			p := ball.Center.AddScaled(end, va.Sub(vb))
			if q := g.ClosestPoint(p).AddScaled(end, vb); q.Distance(c.Point) > 1e-12 ||
				c.Normal.Distance(c.CenterA.Sub(c.Point).Scale(1/ball.Radius)) > 1e-11 {
				t.Fatalf("touches at %v with normal %v, want at %v", c.Point, c.Normal, q)
			}
		}
		if distance(0) < ball.Radius {
			continue // overlaps and separates
		}
		for i := range 100 {
			if s := end * float64(i) / 100; distance(s) < ball.Radius-1e-13 {
				t.Fatalf("%v at %v: at %v the distance is %v, radius %v", outcome, c.Time, s, distance(s), ball.Radius)
			}
		}
	}
	if hits < 500 {
		t.Errorf("only %d hits", hits)
	}
}
