package collide

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

func TestSweepOfBoxes(t *testing.T) {
	crate := Box{Half: Vec3{0.5, 0.5, 0.5}}
	at := func(x, y, z float64) Box { b := crate; b.Center = Vec3{x, y, z}; return b }
	floor := Box{Center: Vec3{Y: -1}, Half: Vec3{10, 1, 10}}
	turned := Box{Half: Vec3{1, 1, 1}, Rotation: RotationAround(Vec3{Z: 1}, math.Pi/4)}
	for _, tt := range []struct {
		name   string
		a, b   Convex
		v      Vec3
		want   Outcome
		time   float64
		normal Vec3
		point  Vec3
	}{
		{"a crate falls on the floor", at(0, 2.5, 0), floor, Vec3{Y: -1}, Hit, 2, Vec3{Y: 1}, Vec3{}},
		{"a crate lies on the floor", at(0, 0.5, 0), floor, Vec3{}, Miss, 0, Vec3{}, Vec3{}},
		{"a crate slides on the floor", at(0, 0.5, 0), floor, Vec3{X: 3, Z: -1}, Miss, 0, Vec3{}, Vec3{}},
		{"a crate is pressed on the floor", at(3, 0.5, 0), floor, Vec3{X: 1, Y: -1}, Hit, 0, Vec3{Y: 1}, Vec3{X: 3}},
		{"a crate is lifted off the floor", at(3, 0.5, 0), floor, Vec3{Y: 1}, Miss, 0, Vec3{}, Vec3{}},
		{"a crate sinks in the floor", at(3, 0.25, 0), floor, Vec3{X: 1, Y: -1}, Overlap, 0, Vec3{Y: 1}, Vec3{
			3,
			-0.125, 0,
		}},
		{"a crate in the floor rises", at(3, 0.25, 0), floor, Vec3{Y: 1}, Miss, 0, Vec3{}, Vec3{}},
		{
			"a crate half beside another falls on it", at(0.75, 2, 0), crate,
			Vec3{Y: -1},
			Hit, 1,
			Vec3{Y: 1},
			Vec3{0.375, 0.5, 0},
		},
		{"a crate falls past another, touching it", at(1, 2, 0), crate, Vec3{Y: -1}, Miss, 0, Vec3{}, Vec3{}},
		{
			"a crate grazes the edge of another", at(2, 2, 0), crate,
			Vec3{-1, -1 - 1e-9, 0},
			Hit, 1,
			Vec3{X: 1},
			Vec3{0.5, 0.5, 0},
		},
		{
			"a crate lands on an edge", at(0, 3.5, 0), turned,
			Vec3{Y: -1},
			Hit, 3 - math.Sqrt2,
			Vec3{Y: 1},
			Vec3{Y: math.Sqrt2},
		},
		{
			"a ball hits a corner",
			Sphere{Vec3{3, 3, 3}, 1},
			crate,
			Vec3{-1, -1, -1},
			Hit, 2.5 - 1/math.Sqrt(3),
			Vec3{1, 1, 1}.Scale(1 / math.Sqrt(3)),
			Vec3{0.5, 0.5, 0.5},
		},
		{"a ball rolls off the edge", Sphere{Vec3{0.5, 1.5, 0}, 1}, crate, Vec3{X: 1}, Miss, 0, Vec3{}, Vec3{}},
		{
			"a capsule falls flat on a crate",
			Capsule{Vec3{-3, 3, 0}, Vec3{3, 3, 0}, 0.5},
			crate,
			Vec3{Y: -1},
			Hit, 2,
			Vec3{Y: 1},
			Vec3{Y: 0.5},
		},
		{
			"a capsule meets a crossing capsule",
			Capsule{Vec3{-3, 3, 0}, Vec3{3, 3, 0}, 0.5},
			Capsule{Vec3{1, 0, -2}, Vec3{1, 0, 2}, 0.5},
			Vec3{Y: -1},
			Hit, 2,
			Vec3{Y: 1},
			Vec3{1, 0.5, 0},
		},
		{
			"a capsule stands on a triangle",
			Capsule{Vec3{0, 1.5, 0}, Vec3{0, 0.5, 0}, 0.5},
			Triangle{Vec3{-1, 0, 1}, Vec3{2, 0, 1}, Vec3{-1, 0, -3}},
			Vec3{X: 1},
			Miss, 0,
			Vec3{},
			Vec3{},
		},
		{
			"a capsule pierces a triangle",
			Capsule{Vec3{0, 1, 0}, Vec3{0, -0.5, 0}, 0.5},
			Triangle{Vec3{-1, 0, 1}, Vec3{2, 0, 1}, Vec3{-1, 0, -3}},
			Vec3{X: 1, Y: -1},
			Overlap, 0,
			Vec3{Y: 1},
			Vec3{0, -0.5, 0},
		},
		{"has a NaN", at(math.NaN(), 0, 0), floor, Vec3{Y: -1}, Miss, 0, Vec3{}, Vec3{}},
		{"has a negative side", Box{Half: Vec3{1, -1, 1}}, floor, Vec3{Y: -1}, Miss, 0, Vec3{}, Vec3{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, got := Sweep(tt.a, tt.v, tt.b, Vec3{}, 100)
			if got != tt.want || math.Abs(c.Time-tt.time) > 1e-8 || c.Normal.Distance(tt.normal) > 1e-15 ||
				c.Point.Distance(tt.point) > 1e-8 {
				t.Errorf("got %v at %v, normal %v, point %v, want %v at %v, %v, %v", got, c.Time, c.Normal, c.Point,
					tt.want, tt.time, tt.normal, tt.point)
			}
			d, swapped := Sweep(tt.b, Vec3{}, tt.a, tt.v, 100)
			if swapped != got || math.Abs(d.Time-c.Time) > 1e-15 || d.Normal.Distance(c.Normal.Neg()) > 1e-15 {
				t.Errorf("swapped: got %v at %v, normal %v", swapped, d.Time, d.Normal)
			}
		})
	}
}

func TestABoxSlidesOverTheSeamsOfATiledFloor(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		box := Box{Center: Vec3{rng.Float64() * 8, 0.5, rng.Float64() * 8}, Half: Vec3{0.5, 0.5, 0.5}}
		v := Vec3{rng.NormFloat64(), 0, rng.NormFloat64()}
		for x := range 8 {
			for z := range 8 {
				tile := Box{Center: Vec3{float64(x) + 0.5, -0.5, float64(z) + 0.5}, Half: Vec3{0.5, 0.5, 0.5}}
				if c, got := Sweep(box, v, tile, Vec3{}, 10); got != Miss {
					t.Fatalf("%v at %v against the tile %v: %v, %+v", box, v, tile, got, c)
				}
			}
		}
	}
}

func TestBoxesKeepTheirFormFarAway(t *testing.T) {
	a, b := Box{Half: Vec3{0.3, 0.3, 0.3}}, Box{Half: Vec3{0.7, 0.7, 0.7}}
	for _, far := range []float64{0, 1e8, 1 << 40} {
		a.Center, b.Center = Vec3{far, far + 4, far}, Vec3{far, far, far}
		c, got := Sweep(a, Vec3{Y: -1}, b, Vec3{}, 10)
		if want := 3.0; got != Hit || math.Abs(c.Time-want) > 1e-15 {
			t.Errorf("at %v: got %v at %v, want a Hit at %v", far, got, c.Time, want)
		}
	}
}

func TestSeparation(t *testing.T) {
	crate := Box{Half: Vec3{1, 1, 1}}
	for _, tt := range []struct {
		name     string
		a, b     Convex
		distance float64
		normal   Vec3
		pa, pb   Vec3
	}{
		{"a ball above", Sphere{Vec3{0.5, 3, 0}, 0.5}, crate, 1.5, Vec3{Y: 1}, Vec3{0.5, 2.5, 0}, Vec3{0.5, 1, 0}},
		{"a ball inside", Sphere{Vec3{0, 0.5, 0}, 0.5}, crate, -1, Vec3{Y: 1}, Vec3{}, Vec3{0, 1, 0}},
		{
			"a box beside an edge",
			Box{Center: Vec3{5, 6, 0}, Half: Vec3{1, 1, 0.5}},
			crate, 5,
			Vec3{0.6, 0.8, 0},
			Vec3{4, 5, 0},
			Vec3{1, 1, 0},
		},
		{
			"a box that touches",
			Box{Center: Vec3{2, 0, 0}, Half: Vec3{1, 1, 0.5}},
			crate, 0,
			Vec3{X: 1},
			Vec3{X: 1},
			Vec3{X: 1},
		},
		{
			"a box inside a larger one",
			Box{Center: Vec3{X: 0.25}, Half: Vec3{0.5, 0.5, 0.5}},
			crate, -1.25,
			Vec3{X: 1},
			Vec3{X: -0.25},
			Vec3{X: 1},
		},
		{
			"a capsule over a triangle",
			Capsule{Vec3{0, 2, 0}, Vec3{0, 4, 0}, 0.5},
			Triangle{Vec3{-1, 0, 1}, Vec3{2, 0, 1}, Vec3{-1, 0, -3}},
			1.5,
			Vec3{Y: 1},
			Vec3{Y: 1.5},
			Vec3{},
		},
		{
			"crossing segments",
			Segment{Vec3{X: -1, Y: 2}, Vec3{X: 1, Y: 2}},
			Segment{Vec3{Z: -1}, Vec3{Z: 1}},
			2,
			Vec3{Y: 1},
			Vec3{Y: 2},
			Vec3{},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := Separation(tt.a, tt.b)
			if math.Abs(g.Distance-tt.distance) > 1e-15 || g.Normal.Distance(tt.normal) > 1e-15 ||
				g.PointA.Distance(tt.pa) > 1e-15 || g.PointB.Distance(tt.pb) > 1e-15 {
				t.Errorf("got %+v, want %+v", g, tt)
			}
			if got := Overlaps(tt.a, tt.b); got != (tt.distance < 0) {
				t.Errorf("overlaps: %v", got)
			}
		})
	}
}

func TestMovingByThePenetrationSeparates(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	rng := rand.New(rand.NewPCG(7, 8))
	box := func() Box {
		return Box{
			Center: randomVec(rng), Half: Vec3{0.2 + rng.Float64(), 0.2 + rng.Float64(), 0.2 + rng.Float64()},
			Rotation: RotationAround(randomVec(rng), 6*rng.Float64()),
		}
	}
	overlapping := 0
	for range 3000 {
		a, b := box(), box()
		g := Separation(a, b)
		if g.Distance >= 0 {
			continue
		}
		overlapping++
		a.Center = a.Center.AddScaled(-g.Distance, g.Normal)
		if left := Separation(a, b); math.Abs(left.Distance) > 1e-14 {
			t.Fatalf("%v in %v: after moving by %v: %v", a, b, -g.Distance, left.Distance)
		}
		// No shorter way leads out.
		n, _ := randomVec(rng).Normalized()
		a.Center = a.Center.AddScaled(g.Distance, g.Normal).AddScaled(-0.999*g.Distance, n)
		if !Overlaps(a, b) {
			t.Fatalf("a shorter way leads out of %v", b)
		}
	}
	if overlapping < 500 {
		t.Errorf("only %d overlaps", overlapping)
	}
}

func TestRayCastOfConvexShapes(t *testing.T) {
	crate := Box{Half: Vec3{1, 1, 1}}
	pill := Capsule{Vec3{Y: -1}, Vec3{Y: 1}, 1}
	for _, tt := range []struct {
		name     string
		from, to Vec3
		b        Convex
		want     Outcome
		time     float64
		normal   Vec3
	}{
		{"a box from outside", Vec3{X: 3}, Vec3{X: -1}, crate, Hit, 2, Vec3{X: 1}},
		{"past a box", Vec3{3, 2, 0}, Vec3{X: -1}, crate, Miss, 0, Vec3{}},
		{"along a side of a box", Vec3{3, 1, 0}, Vec3{X: -1}, crate, Miss, 0, Vec3{}},
		{"out of a box", Vec3{0, 0.5, 0}, Vec3{Y: 1}, crate, Overlap, 0, Vec3{Y: 1}},
		{"from the side of a box inwards", Vec3{Y: 1}, Vec3{Y: -1}, crate, Hit, 0, Vec3{Y: 1}},
		{"from the side of a box outwards", Vec3{Y: 1}, Vec3{Y: 1}, crate, Miss, 0, Vec3{}},
		{"a capsule's side", Vec3{X: 3}, Vec3{X: -1}, pill, Hit, 2, Vec3{X: 1}},
		{"a capsule's end", Vec3{Y: 5}, Vec3{Y: -1}, pill, Hit, 3, Vec3{Y: 1}},
		{"out of a capsule", Vec3{X: 0.5}, Vec3{X: 1}, pill, Overlap, 0, Vec3{X: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, got := RayCast(Ray{tt.from, tt.to}, tt.b, 10)
			if got != tt.want || c.Time != tt.time || c.Normal.Distance(tt.normal) > 1e-15 {
				t.Errorf("got %v at %v, %v", got, c.Time, c.Normal)
			}
		})
	}
}

func TestSweepConvexPlane(t *testing.T) {
	floor := Plane{Normal: Vec3{Y: 1}}
	turned := Box{Center: Vec3{X: 1, Y: 5}, Half: Vec3{1, 1, 1}, Rotation: RotationAround(Vec3{Z: 1}, math.Pi/4)}
	for _, tt := range []struct {
		name   string
		a      Convex
		v      Vec3
		want   Outcome
		time   float64
		normal Vec3
		point  Vec3
	}{
		{"a box falls on an edge", turned, Vec3{Y: -1}, Hit, 5 - math.Sqrt2, Vec3{Y: 1}, Vec3{X: 1}},
		{"a box rests", Box{Center: Vec3{Y: 1}, Half: Vec3{1, 1, 1}}, Vec3{X: 1}, Miss, 0, Vec3{}, Vec3{}},
		{"a box sinks", Box{Center: Vec3{Y: 0.5}, Half: Vec3{1, 1, 1}}, Vec3{Y: -1}, Overlap, 0, Vec3{Y: 1}, Vec3{}},
		{
			"a box comes from below",
			Box{Center: Vec3{Y: -3}, Half: Vec3{1, 1, 1}},
			Vec3{Y: 1},
			Hit, 2,
			Vec3{Y: -1},
			Vec3{},
		},
		{"a capsule falls", Capsule{Vec3{-1, 3, 0}, Vec3{1, 3, 0}, 1}, Vec3{Y: -1}, Hit, 2, Vec3{Y: 1}, Vec3{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, got := SweepConvexPlane(tt.a, tt.v, floor, Vec3{}, 10)
			if got != tt.want || math.Abs(c.Time-tt.time) > 1e-15 || c.Normal.Distance(tt.normal) > 1e-15 ||
				c.Point.Distance(tt.point) > 1e-15 {
				t.Errorf("got %v, %+v", got, c)
			}
		})
	}
}

func TestNewHull(t *testing.T) {
	var grid []Vec3
	for i := range 27 {
		grid = append(grid, Vec3{float64(i % 3), float64(i / 3 % 3), float64(i / 9)})
	}
	for _, tt := range []struct {
		name           string
		points         []Vec3
		corners, faces int
		err            error
	}{
		{"a grid of points is a box", grid, 8, 6, nil},
		{"a tetrahedron", []Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}}, 4, 4, nil},
		{"with a repeated point", []Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}, {}}, 4, 4, nil},
		{"with a point inside", []Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}, {0.1, 0.1, 0.1}}, 4, 4, nil},
		{"with a point an ulp outside", []Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}, {0.25, 0.25, -5e-300}}, 5, 6, nil},
		{"three points", grid[:3], 0, 0, ErrTooFewCorners},
		{"points in a plane", grid[:9], 0, 0, ErrFlatHull},
		{"points on a line", []Vec3{{}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}, 0, 0, ErrFlatHull},
		{"points on a line along Z", []Vec3{{}, {0, 0, 1}, {0, 0, 2}, {0, 0, 3}}, 0, 0, ErrFlatHull},
		{"a NaN", []Vec3{{}, {X: 1}, {Y: 1}, {Z: math.NaN()}}, 0, 0, ErrPoint},
		{"too many points", make([]Vec3, 5000), 0, 0, ErrLargeHull},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, err := NewHull(tt.points)
			if !errors.Is(err, tt.err) {
				t.Fatalf("got %v, want %v", err, tt.err)
			}
			if err == nil && (h.Len() != tt.corners || h.Faces() != tt.faces) {
				t.Errorf("got %d corners and %d faces, want %d and %d", h.Len(), h.Faces(), tt.corners, tt.faces)
			}
		})
	}
}

func TestHullsAreClosedAndContainTheirPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 4; n < 200; n = n*3/2 + 1 {
		for range 12 {
			var points []Vec3
			for range n {
				p := randomVec(rng)
				if n%2 == 0 {
					p, _ = p.Normalized()
				}
				if rng.IntN(3) == 0 { // many in the same planes and lines
					p.X, p.Z = float64(rng.IntN(3)-1), float64(rng.IntN(3)-1)
				}
				points = append(points, p)
			}
			h, err := NewHull(points)
			if err != nil {
				t.Fatal(err)
			}
			if euler := h.Len() - len(h.shape.edges) + h.Faces(); euler != 2 {
				t.Fatalf("%d points: %d corners, %d edges, %d faces", n, h.Len(), len(h.shape.edges), h.Faces())
			}
			for f := range h.Faces() {
				k := h.Face(f)
				for _, p := range points {
					if Orientation(h.Corner(int(k[0])), h.Corner(int(k[1])), h.Corner(int(k[2])), p) > 0 {
						t.Fatalf("%v is outside of face %d", p, f)
					}
				}
			}
		}
	}
}

func TestOrientationIsExact(t *testing.T) {
	a, b, c := Vec3{12, 12, 1}, Vec3{24, 24, 1}, Vec3{12, 12, 7}
	for i := range 64 {
		for j := range 64 {
			d := Vec3{0.5 + float64(i)*0x1p-53, 0.5 + float64(j)*0x1p-53, 3}
			// The plane is x = y; its front is where y is less.
			want := sign(d.X - d.Y)
			if a.Add(b).Add(c).IsFinite() && Orientation(a, b, c, d) != want {
				t.Fatalf("%v: got %d, want %d", d, Orientation(a, b, c, d), want)
			}
			if Orientation(b, a, c, d) != -want || Orientation(c, a, b, d) != want {
				t.Fatalf("%v: the sign depends on the order of the points", d)
			}
		}
	}
}

// Corners of terrain are often nearly in one plane, where rounded products don't decide. The result
// is compared with one in rational numbers.
func TestOrientationOfTerrainIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	zeros := 0
	for range slow.Cases(20000) {
		slope, level := rng.NormFloat64(), rng.IntN(3)
		corner := func() Vec3 {
			x, z := -2+0.02*float64(rng.IntN(3)), -1+0.1*float64(rng.IntN(3))
			y := float64(slope * x) // a ramp, level along z
			switch level {
			case 1:
				y += float64(0.3 * z)
			case 2:
				y += float64(0x1p-50 * float64(rng.IntN(3)))
			}
			return Vec3{x, y, z}
		}
		a, b, c, d := corner(), corner(), corner(), corner()
		want := orientationInRationals(a, b, c, d)
		if got := Orientation(a, b, c, d); got != want {
			t.Fatalf("%v, %v, %v, %v: got %d, want %d", a, b, c, d, got, want)
		}
		if want == 0 {
			zeros++
		}
	}
	if zeros < slow.Cases(20000)/4 {
		t.Errorf("only %d are in one plane", zeros)
	}
}

func orientationInRationals(a, b, c, d Vec3) int {
	less := func(v Vec3, k int) *big.Rat {
		x, y := new(big.Rat).SetFloat64(v.Component(k)), new(big.Rat).SetFloat64(d.Component(k))
		return x.Sub(x, y)
	}
	det := new(big.Rat)
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		minor := new(big.Rat).Mul(less(a, i), less(c, j))
		minor.Sub(minor, new(big.Rat).Mul(less(a, j), less(c, i)))
		det.Add(det, minor.Mul(minor, less(b, k)))
	}
	return det.Sign()
}

// A capsule whose ends coincide is a sphere. Its axis was taken for an edge, so the point of a
// contact with a face was a mean of corners, up to the width of the face off.
func TestACapsuleWithoutLengthTouchesFacesWhereASphereDoes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	vec := func(size float64) Vec3 {
		return Vec3{r.Float64() - 0.5, r.Float64() - 0.5, r.Float64() - 0.5}.Scale(2 * size)
	}
	hits := 0
	for range 400 {
		at, radius := vec(3), 0.1+r.Float64()
		ball, capsule := Sphere{at, radius}, Capsule{A: at, B: at, Radius: radius}
		box := Box{Center: vec(6), Half: Vec3{0.1 + r.Float64(), 0.1 + r.Float64(), 0.1 + r.Float64()}}
		if r.IntN(2) == 0 {
			box.Rotation = RotationBy(vec(3))
		}
		v := at.Sub(box.Center).Add(vec(1))
		for _, other := range []Convex{box, Triangle{box.Center, box.Center.Add(vec(2)), box.Center.Add(vec(2))}} {
			want, outcome := Sweep(other, v, ball, Vec3{}, 2)
			got, o := Sweep(other, v, capsule, Vec3{}, 2)
			if o != outcome || got.Point.Distance(want.Point) > 1e-9 || got.Normal.Distance(want.Normal) > 1e-9 {
				t.Errorf("%v at %v against %v: got %v %v, want %v %v", other, v, capsule, o, got, outcome, want)
			}
			a, b := Separation(other, capsule), Separation(other, ball)
			if a.PointA.Distance(b.PointA) > 1e-9 || a.PointB.Distance(b.PointB) > 1e-9 {
				t.Errorf("%v and %v: got %v, want %v", other, capsule, a, b)
			}
			if o == Hit {
				hits++
			}
		}
	}
	if hits < 100 {
		t.Errorf("only %d hits", hits)
	}
}

func Test2DShapesTouchInTheirPlane(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	triangle, err := NewHull2D([]Vec3{{}, {X: 2}, {Y: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		v := Vec3{rng.NormFloat64(), rng.NormFloat64(), 0}
		at := Vec3{4 * rng.NormFloat64(), 4 * rng.NormFloat64(), 0}
		box := NewBox2D(at, 0.1+rng.Float64(), 0.1+rng.Float64(), rng.Float64())
		for _, other := range []Convex{triangle, NewBox2D(Vec3{X: 1}, 2, 0.1, 1), Sphere{Vec3{Y: 1}, 0.5}} {
			if c, got := Sweep(box, v, other, Vec3{}, 10); got != Miss && (c.Normal.Z != 0 ||
				math.Abs(c.Point.Z) > 1e-15) {
				t.Fatalf("%v against %v: %v %+v", box, other, got, c)
			}
		}
	}
}

// A capsule whose axis lies in a side of a box is free soonest on the outside of that side.
func TestACapsuleLeavesABoxThatItsAxisTouches(t *testing.T) {
	box := AABB{Min: Vec3{-1, -1, -1}, Max: Vec3{1, 1, 1}}
	for _, x := range []float64{1, math.Nextafter(1, 2), math.Nextafter(1, 0)} {
		capsule := Capsule{A: Vec3{x, -0.6, 0.1}, B: Vec3{x, 0.6, 0.1}, Radius: 0.3}
		for _, v := range []Vec3{{1, 0, 0}, {-1, 0, 0}, {1e-3, -1, 0}, {0, 1, 0}} {
			c, outcome := Sweep(capsule, v, box, Vec3{}, 1)
			want, normal := Overlap, Vec3{1, 0, 0}
			if v.X > 0 {
				want, normal = Miss, Vec3{0, 0, 0}
			}
			if outcome != want || c.Normal != normal {
				t.Errorf("axis at %v, moving at %v: %v with normal %v, want %v", x, v, outcome, c.Normal, want)
			}
		}
	}
}
