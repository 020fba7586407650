package collide_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
)

// A ball that touches a face, and moves along it but for rounding, may leave the face before it
// would come nearer to its plane. Then it doesn't meet the face.
func TestABallThatLeavesAFaceAlongItsPlaneDoesNotMeetItLater(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	rng := rand.New(rand.NewPCG(7, 7))
	random := func() collide.Vec3 {
		return collide.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
	}
	hits := 0
	for range 100_000 {
		points := []collide.Vec3{random(), random(), random()}
		a, e, g := points[0], points[1].Sub(points[0]), points[2].Sub(points[0])
		n, ok := e.Cross(g).Normalized()
		if !ok {
			continue
		}
		m, err := collide.NewMesh(points, []uint32{0, 1, 2}, collide.MeshOptions{})
		if err != nil {
			continue
		}
		x, y := rng.Float64(), rng.Float64()
		if x+y > 1 {
			x, y = 1-x, 1-y
		}
		ball := collide.Sphere{Radius: math.Exp(rng.NormFloat64() - 2)}
		ball.Center = a.AddScaled(x, e).AddScaled(y, g).AddScaled(ball.Radius, n)
		v := random()
		v = v.AddScaled(-n.Dot(v), n)
		c, outcome := collide.SweepSphereMesh(ball, v, m, collide.Vec3{}, 100)
		if outcome != collide.Hit {
			continue
		}
		hits++
		at := ball.Center.AddScaled(c.Time, v)
		near := collide.Triangle{A: points[0], B: points[1], C: points[2]}.ClosestPoint(at)
		if gap := near.Distance(at) - ball.Radius; gap > 1e-9 {
			t.Fatalf("met at %v s, %v away from the face", c.Time, gap)
		}
	}
	if hits < 100 {
		t.Errorf("%d of 100,000 meet the face, so this tests little", hits)
	}
}
