package systems_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
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
		var body *donburi.Entry
		if crate {
			body = components.CreateCrate(w, vec(0.5, 0.5, 0), vec(0.5, 0.5, 0.5))
		} else {
			body = components.CreateBall(w, vec(0.5, 0.5, 0), 0.5)
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

// A ball sleeps on the seam of two boxes, and another one on the left box. The game moves that box
// away from the seam: its contact with the first ball ends, and the other ball sleeps on.
func TestTheContactOfASleeperAtASeamEndsWhenTheGameMovesOneSide(t *testing.T) {
	for _, noSleeping := range []bool{true, false} {
		w := donburi.NewWorld()
		left := components.CreateBox(w, vec(-5, -1, 0), vec(5, 1, 5))
		components.CreateBox(w, vec(5, -1, 0), vec(5, 1, 5))
		components.CreateBall(w, vec(-6, 0.5, 0), 0.5)
		seamed := components.CreateBall(w, vec(0, 0.5, 0), 0.5)
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), NoSleeping: noSleeping})
		var ends []int
		for step := range 200 {
			if step == 100 {
				components.Transform.Get(left).Position.X--
			}
			p.Step(w)
			for e := range p.ContactEnds() {
				if e.A == seamed.Entity() && e.B == left.Entity() {
					ends = append(ends, step)
				}
			}
		}
		if !slices.Equal(ends, []int{100}) {
			t.Errorf("NoSleeping %v: ends in steps %v, want 100", noSleeping, ends)
		}
	}
}

// A compound loses the part that a ball touches, and nothing moves.
func TestTheContactWithAPartOfACompoundEndsWhenTheGameRemovesIt(t *testing.T) {
	for _, noSleeping := range []bool{true, false} {
		w := donburi.NewWorld()
		box := collide.Box{Half: vec(1, 0.5, 1)}
		far := components.ShapePart{Shape: box, Position: vec(-20, 0, 0)}
		near := components.ShapePart{Shape: box, Position: vec(0, -0.5, 0)}
		c := components.CreateCompound(w, vec(0, 0, 0), []components.ShapePart{far, near})
		b := components.CreateBall(w, vec(0, 0.5, 0), 0.5)
		components.Velocity.Get(b).Linear = vec(0, -1, 0)
		p := systems.NewPhysics(systems.Config{NoSleeping: noSleeping})
		var ends []int
		for step := range 200 {
			if step == 100 {
				components.ShapeCollider.Get(c).Parts = []components.ShapePart{far}
			}
			p.Step(w)
			for range p.ContactEnds() {
				ends = append(ends, step)
			}
		}
		if !slices.Equal(ends, []int{100}) {
			t.Errorf("NoSleeping %v: ends in steps %v, want 100", noSleeping, ends)
		}
	}
}
