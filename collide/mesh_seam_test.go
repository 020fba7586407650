package collide_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
)

// A ball that touches a seam of triangles in a plane, or comes there from afar, meets one of them,
// though rounding may see it beside all.
func TestABallThatComesToASeamIsStopped(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	random := func() collide.Vec3 {
		return collide.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
	}
	for i := range 100_000 {
		// A fan around a point, of triangles of all sizes and shapes.
		size := math.Exp2(-10 * rng.Float64())
		n, ok := random().Normalized()
		e, okToo := n.Cross(random()).Normalized()
		if !ok || !okToo {
			continue
		}
		g, around := n.Cross(e), random()
		vertices, indices := []collide.Vec3{around}, []uint32(nil)
		const spokes = 7
		for k := range uint32(spokes) {
			y, x := math.Sincos(2 * math.Pi / spokes * (float64(k) + 0.9*rng.Float64()))
			length := size * math.Exp2(-5*rng.Float64())
			vertices = append(vertices, around.AddScaled(length*x, e).AddScaled(length*y, g))
			indices = append(indices, 0, 1+k, 1+(k+1)%spokes)
		}
		m, err := collide.NewMesh(vertices, indices, collide.MeshOptions{TwoSided: i%2 == 0})
		if err != nil {
			t.Fatal(err)
		}
		at := around // or a place on a spoke
		if i%3 > 0 {
			at = at.AddScaled(0.9*rng.Float64(), vertices[1+rng.IntN(spokes)].Sub(around))
		}
		ball := collide.Sphere{Radius: math.Exp2(5 - 10*rng.Float64())}
		ball.Center = at.AddScaled(ball.Radius, n)
		v := n.Scale(-1)
		if i%4 >= 2 {
			v = random().Scale(10) // to the same place, from the side
			v = v.AddScaled(-(1+rng.Float64())-v.Dot(n), n)
			ball.Center = ball.Center.AddScaled(-rng.Float64(), v)
		}
		if _, outcome := collide.SweepSphereMesh(ball, v, m, collide.Vec3{}, 2); outcome == collide.Miss {
			t.Fatalf("case %d: %+v at %v passes the seams of %v", i, ball, v, vertices)
		}
	}
}
