package systems_test

import (
	"fmt"
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// A ball just above what it has touched before keeps its contact with it. It must fall freely until
// it gets there: the contact slowed it down in the step before, so that it was 0.5 mm too high.
func TestABallThatIsCloseToItsFloorFallsFreely(t *testing.T) {
	const r, dt, g = 0.05, 1.0 / 60, earth
	for _, v := range []float64{0, -0.03, -0.06, 0.05, 0.1} {
		for _, gap := range []float64{0.0023, 0.003, 0.005} {
			w := donburi.NewWorld()
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			b := ball(w, vec(0, r, 0), vec(0, 0, 0), r, rough(0.5))
			p := onEarth()
			p.Step(w)
			components.Transform.Get(b).Position.Y = r + gap
			components.Velocity.Get(b).Linear.Y = v
			p.Step(w)
			way := (v - g*dt/2) * dt
			if gap+way <= 0 {
				continue
			}
			name := fmt.Sprintf("gap %v, velocity %v", gap, v)
			expectPosition(t, name, b, vec(0, r+gap+way, 0), 1e-12)
			expectVelocity(t, name, b, vec(0, v-g*dt, 0), 1e-12)
		}
	}
}
