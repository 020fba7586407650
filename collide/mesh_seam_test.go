package collide_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
)

// fan is a mesh of triangles of all shapes around a point, in a plane.
type fan struct {
	*collide.Mesh
	vertices []collide.Vec3 // the first is the one in the middle
	n, e     collide.Vec3   // unit normal, and a unit vector in the plane
}

func newFan(t *testing.T, rng *rand.Rand, size float64, twoSided bool) fan {
	return newCone(t, rng, size, 0, twoSided)
}

// newCone is newFan with the vertex in the middle raised over the others' plane.
func newCone(t *testing.T, rng *rand.Rand, size, rise float64, twoSided bool) fan {
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
	f.vertices[0] = f.vertices[0].AddScaled(rise, n)
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
	slow.Skip(t, slow.Sequential, slow.Hashed)
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
	slow.Skip(t, slow.Sequential, slow.Hashed)
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
	slow.Skip(t, slow.Sequential, slow.Hashed)
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

// A ball that touches a face at the rim of the mesh, and moves over the rim while it sinks, meets
// the edge or the corner there.
func TestABallThatSinksAsItLeavesAMeshMeetsTheRim(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	rng := rand.New(rand.NewPCG(11, 8))
	for i := range 30_000 {
		f := newFan(t, rng, 1, i%2 == 0)
		k := rng.IntN(len(f.vertices) - 1)
		a, b := f.vertices[1+k], f.vertices[1+(k+1)%(len(f.vertices)-1)]
		at, out := a, a.Sub(f.vertices[0])
		if i%4 >= 2 {
			at, out = a.AddScaled(rng.Float64(), b.Sub(a)), b.Sub(a).Cross(f.n)
		}
		v, _ := out.Normalized()
		v = v.AddScaled(-math.Exp2(-10*rng.Float64()), f.n)
		ball := collide.Sphere{Radius: math.Exp2(5 - 10*rng.Float64())}
		ball.Center = at.AddScaled(ball.Radius, f.n)
		if _, outcome := collide.SweepSphereMesh(ball, v, f.Mesh, collide.Vec3{}, 1); outcome == collide.Miss {
			t.Fatalf("case %d: %+v at %v passes the rim at %v of %v", i, ball, v, at, f.vertices)
		}
	}
}

// The contact of a ball that is far from a thin triangle, for the triangle's size, is found however
// soon the sweep ends after it.
func TestABallMeetsASeamJustBeforeTheEndOfTheSweep(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	rng := rand.New(rand.NewPCG(12, 8))
	for i := range 30_000 {
		f := newFan(t, rng, math.Exp2(-10-4*rng.Float64()), i%2 == 0)
		ball := collide.Sphere{Radius: math.Exp2(5 - 5*rng.Float64())}
		v := random(rng)
		v = v.AddScaled(-math.Exp2(-10*rng.Float64())-v.Dot(f.n), f.n)
		time := math.Exp2(-20 - 20*rng.Float64())
		ball.Center = f.seam(rng).AddScaled(ball.Radius, f.n).AddScaled(-time, v)
		horizon := time + 1e-12/-v.Dot(f.n)
		if _, outcome := collide.SweepSphereMesh(ball, v, f.Mesh, collide.Vec3{}, horizon); outcome == collide.Miss {
			t.Fatalf("case %d: %+v at %v passes the seams of %v within %v s", i, ball, v, f.vertices, horizon)
		}
	}
}

// A box, a hull or a capsule that touches a seam, or has sunk into it a little, doesn't get between
// the triangles. The shortest way out of each of them alone leads into the other.
func TestABoxThatTouchesASeamWithACornerIsStopped(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	rng := rand.New(rand.NewPCG(13, 8))
	for i := range 10_000 {
		f := newFan(t, rng, 1, i%2 == 0)
		box := collide.Box{
			Half:     collide.Vec3{X: 0.1, Y: 0.1 + rng.Float64(), Z: 0.1 + rng.Float64()},
			Rotation: collide.RotationBy(random(rng)),
		}
		lowest := collide.Vec3{}
		for k, c := range box.Corners() {
			if k == 0 || c.Dot(f.n) < lowest.Dot(f.n) {
				lowest = c
			}
		}
		box.Center = f.seam(rng).Sub(lowest)
		if i%3 == 0 {
			box.Center = box.Center.AddScaled(-math.Exp2(-10-40*rng.Float64()), f.n)
		}
		v := random(rng)
		v = v.AddScaled(-0.1-rng.Float64()-v.Dot(f.n), f.n)
		if i%5 == 0 {
			v = f.n.Neg()
		}
		if _, outcome := collide.SweepMesh(box, v, f.Mesh, collide.Vec3{}, 0.1); outcome == collide.Miss {
			t.Fatalf("case %d: %+v at %v passes the seams of %v", i, box, v, f.vertices)
		}
	}
}

// A segment that moves along itself touches with its end, not with its side.
func TestASegmentThatFallsUprightOntoASeamTouchesItWithItsEnd(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	rng := rand.New(rand.NewPCG(14, 8))
	for i := range 5_000 {
		f := newFan(t, rng, 1, i%2 == 0)
		axis, _ := f.n.AddScaled(rng.Float64(), f.e).Normalized()
		at, height := f.seam(rng), rng.Float64()
		segment := collide.Capsule{A: at.AddScaled(height, axis), B: at.AddScaled(height+1, axis)}
		c, outcome := collide.SweepMesh(segment, axis.Neg(), f.Mesh, collide.Vec3{}, height+0.5)
		if outcome != collide.Hit || math.Abs(c.Time-height) > 1e-10 {
			t.Fatalf("case %d: %v after %v s, not %v: %+v on %v", i, outcome, c.Time, height, segment, f.vertices)
		}
	}
}

// A small ball or capsule that comes to the tip of a cone meets the tip or an edge, though rounding
// of where it is turns the direction from there by more than the angle between the two.
func TestASmallBallThatComesToATipIsStopped(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	rng := rand.New(rand.NewPCG(15, 8))
	for i := range 10_000 {
		f := newCone(t, rng, 1, 0.1, i%2 == 0)
		edge := f.vertices[1+rng.IntN(len(f.vertices)-1)].Sub(f.vertices[0])
		axis, _ := edge.Normalized()
		n, _ := f.n.AddScaled(-f.n.Dot(axis), axis).Normalized() // where the tip ends and the edge begins
		radius := math.Exp2(-16 - 8*rng.Float64())
		at := f.vertices[0].AddScaled(radius, n)
		if i%4 < 2 {
			at = at.AddScaled(rng.Float64(), n)
		}
		if i%3 == 0 {
			at = at.AddScaled(0.5, edge)
		}
		ball := collide.Sphere{Center: at, Radius: radius}
		if _, outcome := collide.SweepSphereMesh(ball, n.Neg(), f.Mesh, collide.Vec3{}, 2); outcome == collide.Miss {
			t.Fatalf("case %d: %+v at %v passes the tip of %v", i, ball, n.Neg(), f.vertices)
		}
		capsule := collide.Capsule{A: at, B: at.Add(f.n), Radius: radius}
		if _, outcome := collide.SweepMesh(capsule, n.Neg(), f.Mesh, collide.Vec3{}, 2); outcome == collide.Miss {
			t.Fatalf("case %d: %+v at %v passes the tip of %v", i, capsule, n.Neg(), f.vertices)
		}
	}
}
