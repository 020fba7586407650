package systems_test

import (
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A wall swept up a row of balls with friction. Each rolled on the next as gears do, and they were
// shot away at 50 times the speed of the wall: 12 kJ from 169 J in one step, in the contact solver
// (three balls) and in jams (four and seven).
func TestAWallThatSweepsUpBallsDoesNotShootThemAway(t *testing.T) {
	for _, c := range []struct {
		balls                 int
		gap, speed, perSecond float64
		steps                 int
	}{{3, 0.55, 10, 60, 60}, {4, 0.45, 2, 30, 40}, {7, 0.55, 10, 120, 60}} {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), StepSeconds: 1 / c.perSecond})
		components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
		wall := components.CreateBox(w, vec(-1, 1.01, 0), vec(0.1, 1, 1), components.Velocity)
		components.Velocity.Get(wall).Linear.X = c.speed
		var balls []*donburi.Entry
		for i := range c.balls {
			b := components.CreateBall(w, vec(c.gap*float64(i), 0.2, 0), 0.2, components.AngularVelocity)
			components.Material.Get(b).Friction = 1
			balls = append(balls, b)
		}
		fastest, last := 0.0, 0.0
		for range c.steps {
			stepCrates(t, p, w, 1)
			last = components.Transform.Get(balls[0]).Position.X
			for _, b := range balls {
				fastest = max(fastest, components.Velocity.Get(b).Linear.Length())
			}
		}
		if fastest > 1.5*c.speed {
			t.Errorf("%d balls: one had %.3g m/s, the wall %g", c.balls, fastest, c.speed)
		}
		if way := last + 0.7; way < c.speed*float64(c.steps)/c.perSecond/2 {
			t.Errorf("%d balls: the first is %.3g m from where the wall began", c.balls, way)
		}
	}
}

// A door that had crushed something opened at 1/16 of its speed, then at 1/8, and so on: it took up
// speed again as if it still pushed.
func TestADoorThatHasCrushedSomethingOpensAtOnce(t *testing.T) {
	for _, round := range []bool{false, true} {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{LengthUnit: 32})
		components.CreateBox2D(w, vec(100, 0, 0), 5, 50, 0)
		door := components.CreateBox2D(w, vec(0, 0, 0), 5, 50, 0, components.Velocity)
		if round {
			components.CreateCircle2D(w, vec(80, 3, 0), 10)
		} else {
			components.CreateCrate2D(w, vec(80, 0, 0), 10, 10)
		}
		components.Velocity.Get(door).Linear.X = 100
		stepCrates(t, p, w, 60)
		closed := components.Transform.Get(door).Position.X
		components.Velocity.Get(door).Linear.X = -100
		stepCrates(t, p, w, 3)
		if way := closed - components.Transform.Get(door).Position.X; way < 4.999 || p.Stats().Blocked != 0 {
			t.Errorf("round %v: open by %.3g after 3 steps, want 5; blocked: %d", round, way, p.Stats().Blocked)
		}
	}
}
