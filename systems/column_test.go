package systems_test

import (
	"fmt"
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// Columns of 24 and more without friction hopped for ever, and got energy out of nothing: one
// contact that was out of order kept the contact solver from solving them as columns.
func TestATallColumnWithoutFrictionComesToRest(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, c := range []struct {
		bodies    int
		perSecond float64
		crates    bool
	}{{30, 120, true}, {30, 240, false}, {40, 60, true}, {200, 60, true}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			const g, half, gap = 9.81, 0.25, 0.02
			w := donburi.NewWorld()
			p := systems.NewPhysics(systems.Config{Gravity: vec(0, -g, 0), StepSeconds: 1 / c.perSecond})
			components.CreateBox2D(w, vec(0, -1, 0), 10, 1, 0)
			var column []*donburi.Entry
			for i := range c.bodies {
				at := vec(0, half+gap+(2*half+gap)*float64(i), 0)
				if c.crates {
					column = append(column, components.CreateCrate2D(w, at, half, half))
				} else {
					column = append(column, components.CreateCircle2D(w, at, half))
				}
			}
			energy := func() (sum float64) {
				for _, e := range column {
					v := components.Velocity.Get(e).Linear
					sum += v.Dot(v)/2 + g*components.Transform.Get(e).Position.Y
				}
				return sum
			}
			stepCrates(t, p, w, int(4*c.perSecond))
			before := energy()
			for range int(c.perSecond) {
				stepCrates(t, p, w, 1)
				after := energy()
				if after > before {
					t.Fatalf("after 4 s, the energy grew by %.3g J in a step", after-before)
				}
				before = after
			}
			if asleep := p.Stats().Asleep; asleep != c.bodies {
				t.Errorf("%d of %d sleep after 5 s", asleep, c.bodies)
			}
		})
	}
}
