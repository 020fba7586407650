package collide_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
)

// fan is a mesh of triangles of all shapes around a point, in a plane.
type fan struct {
	*collide.Mesh
	vertices []collide.Vec3 // the first is the one in the middle
	n, e     collide.Vec3   // unit normal, and a unit vector in the plane
}

func newFan(t *testing.T, rng *rand.Rand, size float64, twoSided bool) fan {
	n, _ := random(rng).Normalized()
	e, _ := n.Cross(random(rng)).Normalized()
	f := fan{vertices: []collide.Vec3{random(rng)}, n: n, e: e}
	const spokes = 7
	var indices []uint32
	for k := range uint32(spokes) {
		y, x := math.Sincos(2 * math.Pi / spokes * (float64(k) + 0.9*rng.Float64()))
		length := size * math.Exp2(-5*rng.Float64())
		f.vertices = append(f.vertices, f.vertices[0].AddScaled(length*x, e).AddScaled(length*y, n.Cross(e)))
		indices = append(indices, 0, 1+k, 1+(k+1)%spokes)
	}
	m, err := collide.NewMesh(f.vertices, indices, collide.MeshOptions{TwoSided: twoSided})
	if err != nil {
		t.Fatal(err)
	}
	f.Mesh = m
	return f
}

// seam returns a point on a seam of the fan, or the middle.
func (f *fan) seam(rng *rand.Rand) collide.Vec3 {
	middle := f.vertices[0]
	if rng.IntN(3) == 0 {
		return middle
	}
	return middle.AddScaled(0.9*rng.Float64(), f.vertices[1+rng.IntN(len(f.vertices)-1)].Sub(middle))
}

func random(rng *rand.Rand) collide.Vec3 {
	return collide.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
}

// A ball that touches a seam of triangles in a plane, or comes there from afar, meets one of them,
// though rounding may see it beside all.
func TestABallThatComesToASeamIsStopped(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for i := range 30_000 {
		f := newFan(t, rng, math.Exp2(-10*rng.Float64()), i%2 == 0)
		ball := collide.Sphere{Radius: math.Exp2(5 - 10*rng.Float64())}
		ball.Center = f.seam(rng).AddScaled(ball.Radius, f.n)
		v := f.n.Neg()
		if i%4 >= 2 {
			v = random(rng).Scale(10) // to the same place, from the side
			v = v.AddScaled(-(1+rng.Float64())-v.Dot(f.n), f.n)
			ball.Center = ball.Center.AddScaled(-rng.Float64(), v)
		}
		if _, outcome := collide.SweepSphereMesh(ball, v, f.Mesh, collide.Vec3{}, 2); outcome == collide.Miss {
			t.Fatalf("case %d: %+v at %v passes the seams of %v", i, ball, v, f.vertices)
		}
	}
}

// A ball that rolls on triangles in a plane, and comes nearer by a millionth of its way, meets the
// one that it is on or the next one, whichever it is on when rounding sees it touch.
func TestABallThatRollsOverASeamAndSinksIsStopped(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 8))
	for i := range 30_000 {
		f := newFan(t, rng, 1, i%2 == 0)
		v := random(rng)
		v = v.AddScaled(-v.Dot(f.n)-math.Exp2(-20-10*rng.Float64()), f.n)
		ball := collide.Sphere{Radius: math.Exp2(5 - 10*rng.Float64())}
		ball.Center = f.seam(rng).AddScaled(ball.Radius, f.n).AddScaled(-math.Exp2(-20-30*rng.Float64()), v)
		c, outcome := collide.SweepSphereMesh(ball, v, f.Mesh, collide.Vec3{}, 1)
		if outcome == collide.Miss || c.Time > 1e-3 {
			t.Fatalf("case %d: %+v at %v on %v: %v after %v s", i, ball, v, f.vertices, outcome, c.Time)
		}
	}
}

// A capsule that lies parallel to triangles of a millimetre, one end above a seam, meets one of
// them. Rounding may see it meet the seam first, which its neighbours hide.
func TestACapsuleThatLiesAboveASeamIsStopped(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 8))
	for i := range 10_000 {
		f := newFan(t, rng, math.Exp2(-9-2*rng.Float64()), i%2 == 0)
		v := random(rng)
		v = v.AddScaled(-(1+rng.Float64())-v.Dot(f.n), f.n)
		radius := 0.01 + rng.Float64()
		at := f.seam(rng).AddScaled(radius, f.n).AddScaled(-0.5-rng.Float64(), v)
		capsule := collide.Capsule{A: at, B: at.Add(f.e), Radius: radius}
		if _, outcome := collide.SweepMesh(capsule, v, f.Mesh, collide.Vec3{}, 5); outcome == collide.Miss {
			t.Fatalf("case %d: %+v at %v passes the seams of %v", i, capsule, v, f.vertices)
		}
	}
}
