package collide

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

func TestNewPolygon2DReportsErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		points []Vec3
		want   error
	}{
		{"an L", []Vec3{{}, {X: 2}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {Y: 2}}, nil},
		{"an L, clockwise", []Vec3{{Y: 2}, {1, 2, 0}, {1, 1, 0}, {2, 1, 0}, {X: 2}, {}}, nil},
		{"with a point on a side", []Vec3{{}, {X: 1}, {X: 2}, {2, 1, 0}}, nil},
		{"two points", []Vec3{{}, {X: 2}}, ErrChainPoints},
		{"a bow tie", []Vec3{{}, {1, 1, 0}, {X: 1}, {Y: 1}}, ErrCrossing},
		{"a spike", []Vec3{{}, {X: 2}, {X: 1}, {Y: 1}}, ErrCrossing},
		{"a corner on another side", []Vec3{{}, {X: 2}, {2, 2, 0}, {X: 1}, {Y: 2}}, ErrCrossing},
		{"a NaN", []Vec3{{}, {X: 2}, {Y: math.NaN()}}, ErrPoint},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := NewPolygon2D(tt.points, MeshOptions{}); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
	if _, err := NewChain2D([]Vec3{{}, {X: 1}, {X: 1}}, MeshOptions{}); !errors.Is(err, ErrDegenerate) {
		t.Errorf("a repeated point: got %v", err)
	}
	if _, err := NewChain2D([]Vec3{{}}, MeshOptions{}); !errors.Is(err, ErrChainPoints) {
		t.Errorf("one point: got %v", err)
	}
}

func TestTheFrontOfAPolygon2DIsOutside(t *testing.T) {
	corners := []Vec3{{}, {X: 2}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {Y: 2}}
	for _, reversed := range []bool{false, true} {
		points := append([]Vec3(nil), corners...)
		if reversed {
			for i := range points {
				points[i] = corners[len(corners)-1-i]
			}
		}
		m, err := NewPolygon2D(points, MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		c, got := SweepSphereMesh(Sphere{Vec3{1.5, 3, 0}, 0.25}, Vec3{Y: -1}, m, Vec3{}, 10)
		if got != Hit || c.Time != 1.75 || c.Normal != (Vec3{Y: 1}) {
			t.Errorf("reversed %v: got %v %+v", reversed, got, c)
		}
		from, to := points[c.Triangle/2], points[(c.Triangle/2+1)%6]
		if from.Y != 1 || to.Y != 1 {
			t.Errorf("reversed %v: triangle %d is the wall from %v to %v", reversed, c.Triangle, from, to)
		}
		if _, got := RayCastMesh(Ray{Vec3{0.5, 0.5, 0}, Vec3{X: 1}}, m, 10); got != Miss {
			t.Errorf("a ray from inside: %v", got)
		}
		// Into the concave corner: one side after the other, never the corner.
		c, got = SweepSphereMesh(Sphere{Vec3{3, 3, 0}, 0.25}, Vec3{-1, -1.5, 0}, m, Vec3{}, 10)
		if got != Hit || c.Normal != (Vec3{Y: 1}) {
			t.Errorf("into the corner: %v %+v", got, c)
		}
	}
}

func TestShapesSlideAlongAStraightChainWithoutImpacts(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	rng := rand.New(rand.NewPCG(1, 4))
	var points []Vec3
	for x := 10.0; x >= -10; x -= 0.05 + rng.Float64() {
		points = append(points, Vec3{X: x})
	}
	m, err := NewChain2D(points, MeshOptions{}) // its front is up
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		at := Vec3{3 * (2*rng.Float64() - 1), 0.5 - float64(rng.IntN(4))*1e-16, 0}
		v := Vec3{X: 2*rng.Float64() - 1}
		for _, a := range []Convex{
			Sphere{at, 0.5},
			NewBox2D(at, 0.2, 0.5, 0),
			Capsule{at.Add(Vec3{Y: 0.3}), at.Sub(Vec3{Y: 0.2}), 0.3},
			Capsule{at.Add(Vec3{X: 0.3}), at.Sub(Vec3{X: 0.2}), 0.5},
		} {
			if c, got := SweepMesh(a, v, m, Vec3{}, 4); got != Miss {
				t.Fatalf("%+v at %v: %v %+v", a, v, got, c)
			}
			if c, got := SweepMesh(a, v.Sub(Vec3{Y: 1}), m, Vec3{}, 4); got == Miss || c.Normal != (Vec3{Y: 1}) {
				t.Fatalf("%+v at %v, falling: %v %+v", a, v, got, c)
			}
		}
	}
}

// A circle against a chain: the first contact with any of its segments, if it comes from the front.
func TestSweepsAgainstAChainAgreeWithItsSegments(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	rng := rand.New(rand.NewPCG(2, 4))
	hits := 0
	for range 300 {
		var points []Vec3
		for x := range 12 {
			points = append(points, Vec3{float64(12 - x), rng.NormFloat64(), 0})
		}
		m, err := NewChain2D(points, MeshOptions{TwoSided: true})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			from := Vec3{2 + 8*rng.Float64(), 4 + 2*rng.Float64(), 0}
			ball := Sphere{from, 0.05 + rng.Float64()}
			v := Vec3{2 + 8*rng.Float64(), rng.NormFloat64(), 0}.Sub(from)
			want, best := Miss, Contact{}
			for i := range len(points) - 1 {
				c, o := SweepSphereSegment(ball, v, Segment{points[i], points[i+1]}, Vec3{}, 2)
				if o == Overlap || o == Hit && (want == Miss || c.Time < best.Time) {
					want, best = o, c
				}
			}
			if want == Overlap {
				continue
			}
			c, got := SweepSphereMesh(ball, v, m, Vec3{}, 2)
			if got != want || math.Abs(c.Time-best.Time) > 1e-14 || c.Normal.Distance(best.Normal) > 1e-7 ||
				c.Normal.Z != 0 {
				t.Fatalf("%+v at %v: got %v %+v, want %v %+v", ball, v, got, c, want, best)
			}
			if got == Hit {
				hits++
			}
		}
	}
	if hits < 3000 {
		t.Errorf("only %d hits", hits)
	}
}

// The errors are about what the game passed in, and not about the mesh or prism that is made of it.
func TestErrorsOf2DShapesNameTheirPoints(t *testing.T) {
	_, err := NewChain2D([]Vec3{Vec2(0, 0), Vec2(1, 0), Vec2(1, 0), Vec2(2, 0)}, MeshOptions{})
	if want := "collide: points 1 and 2 of a 2D chain are the same"; !errors.Is(err, ErrDegenerate) ||
		err.Error() != want {
		t.Errorf("a repeated point: %v, want %q", err, want)
	}
	for _, points := range [][]Vec3{{Vec2(0, 0), Vec2(1, 1)}, {Vec2(0, 0), Vec2(1, 1), Vec2(2, 2)}} {
		_, err := NewHull2D(points)
		if want := "collide: a 2D hull needs three points that are not on one line"; !errors.Is(err, ErrFlatHull) ||
			err.Error() != want {
			t.Errorf("%d points on a line: %v, want %q", len(points), err, want)
		}
	}
}
