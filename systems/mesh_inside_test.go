package systems_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A ball that the game had put into a mesh, or a veto had let in, slid over the edge to the next
// triangle. It was as deep in that one when its nearest point came into it, which counted as no
// impact, so it went deeper until the step ended.
func TestABallThatTheGamePutIntoAMeshComesNoDeeperIntoTheNextTriangle(t *testing.T) {
	field, mesh := terrain(0.05)
	const radius = 0.3
	for seed := range slow.Cases(8000) {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		gravity := vec(0, []float64{0, -9.81}[seed%2], 0)
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: gravity, Parabolic: seed%16 >= 8})
		nearest := mesh.ClosestPoint
		if seed%8 >= 4 {
			nearest = field.ClosestPoint
			components.CreateHeightField(w, vec(0, 0, 0), field)
		} else {
			components.CreateMesh(w, vec(0, 0, 0), mesh)
		}
		at := vec(7*r.Float64()-3.5, 0, 7*r.Float64()-3.5)
		at.Y, _ = field.Height(at.X, at.Z)
		at.Y += radius
		q, _ := nearest(at)
		out, _ := at.Sub(q).Normalized()
		at = q.AddScaled(radius*(1-math.Pow(10, -1-3*r.Float64())), out)
		q, _ = nearest(at)
		before := radius - at.Distance(q)
		e := ball(w, at, vec(10*r.Float64()-5, 4*r.Float64()-3, 10*r.Float64()-5), radius)
		p.Step(w)
		expectNoErrors(t, p)
		q, _ = nearest(position(e))
		if after := radius - position(e).Distance(q); after > before+1e-9*radius {
			t.Errorf("seed %d: %v deep, then %v", seed, before, after)
		}
	}
}
