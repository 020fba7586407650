package systems_test

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A ball that rolls down a facet that is tilted by 3e-8 rad is lower than that by a rounding, and
// so meets the flat facets at its foot 4 nm before the corner over which it goes: where another
// facet is beneath it than after the corner. It was found in bench/level, when the first of the
// two was left out because it is behind the tilted one: the ball went 8e-10 radii into the other.
func TestABallThatRollsOverACornerOfTheMeshStaysOutOfTheFacetBeyond(t *testing.T) {
	const radius, seconds = 0.3, 1.0 / 60
	mesh := grid(t, 4, func(u, v float64) collide.Vec3 {
		x, z := 4*u-39, 4*v+158
		if x == -36 && z == 159 {
			return vec(x, 2.9667818328882703e-08, z)
		}
		return vec(x, 0, z)
	})
	w := donburi.NewWorld()
	components.CreateMesh(w, vec(0, 0, 0), mesh)
	ball := components.CreateBall(w, vec(-36.90029714052534, 0.3000000023493023, 159.92081310817605), radius,
		components.Velocity)
	way := vec(-0.11095343488012818, -2.582637536700331e-09, 0.0870518185129355)
	components.Velocity.Get(ball).Linear = way.Scale(1 / seconds)
	p := systems.NewPhysics(systems.Config{})
	p.Step(w)
	x := components.Transform.Get(ball).Position
	q, _ := mesh.ClosestPoint(x)
	if depth := 1 - x.Distance(q)/radius; depth > 1e-12 {
		t.Errorf("it is %.2g radii deep at %v", depth, x)
	}
}
