package systems_test

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// Something elastic that exactly fills the room between two walls hits one and then the other, all
// at the same time. That took 65,536 impacts a step for each such body.
func TestWhatExactlyFillsAGapBetweenElasticWallsHasFewImpacts(t *testing.T) {
	for name, make := range map[string]func(w donburi.World) *donburi.Entry{
		"ball": func(w donburi.World) *donburi.Entry {
			return components.CreateBall(w, vec(0, 0, 0), 0.5, components.Material)
		},
		"crate": func(w donburi.World) *donburi.Entry {
			return components.CreateShapeBody(w, vec(0, 0, 0), collide.Box{Half: vec(0.5, 0.5, 0.5)},
				components.Material)
		},
	} {
		w, p := weightless()
		e := make(w)
		set(e, bouncy(1))
		components.Velocity.Get(e).Linear = vec(1, 0.5, 0)
		wall(w, vec(-0.5, 0, 0), vec(1, 0, 0), bouncy(1))
		wall(w, vec(0.5, 0, 0), vec(-1, 0, 0), bouncy(1))
		for n := range 10 {
			p.Step(w)
			if k := p.Stats().Impacts; k > 600 {
				t.Fatalf("%s: %d impacts in step %d", name, k, n)
			}
		}
		expectNoErrors(t, p)
		if x := position(e); !near(x.X, 0, 1e-9) {
			t.Errorf("%s: it is at %v, want it between the walls", name, x)
		}
	}
}
