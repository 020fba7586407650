package systems_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// The game moves a ball or a crate that sleeps in a corner along the floor, or the wall of the
// corner away from it. It falls asleep again in the same step, and the floor holds it, but its
// contact with the wall has ended. Another ball that sleeps at the wall makes no difference.
func TestTheContactsOfASleepingBodyThatTheGameMovesEnd(t *testing.T) {
	run := func(crate, movesWall, sleeps bool, gravity float64) (log []string) {
		w := donburi.NewWorld()
		floor := components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
		wall := components.CreatePlane(w, vec(0, 0, 0), vec(1, 0, 0))
		body := components.CreateBall(w, vec(0.5, 0.5, 0), 0.5)
		if crate {
			w.Remove(body.Entity())
			body = components.CreateCrate(w, vec(0.5, 0.5, 0), vec(0.5, 0.5, 0.5))
		}
		other := components.CreateBall(w, vec(0.5, 0.5, 5), 0.5)
		for _, e := range []*donburi.Entry{body, other} {
			components.Velocity.Get(e).Linear = vec(-1, -1, 0)
		}
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, gravity, 0), NoSleeping: !sleeps})
		for step := range 120 {
			if step == 100 {
				if p.Stats().Asleep != 2 && sleeps {
					t.Errorf("crate %v, gravity %v: %d of 2 bodies sleep", crate, gravity, p.Stats().Asleep)
				}
				if movesWall {
					components.PlaneCollider.Get(wall).Distance = -1
				} else {
					components.Transform.Get(body).Position.X = 3
				}
			}
			p.Step(w)
			for e := range p.ContactEnds() {
				for _, x := range []*donburi.Entry{floor, wall} {
					if x.Entity() == e.B {
						log = append(log, fmt.Sprint(step, e.A == body.Entity(), x == wall))
					}
				}
			}
		}
		slices.Sort(log)
		return log
	}
	for k := range 8 {
		crate, movesWall, gravity := k&1 > 0, k&2 > 0, -9.81*float64(k>>2)
		want := []string{"100 true true"}
		if movesWall {
			want = []string{"100 false true", "100 true true"}
		}
		for _, sleeps := range []bool{false, true} {
			if got := run(crate, movesWall, sleeps, gravity); !slices.Equal(got, want) {
				t.Errorf("crate %v, wall moves %v, gravity %v, sleeps %v: %v, want %v",
					crate, movesWall, gravity, sleeps, got, want)
			}
		}
	}
}
