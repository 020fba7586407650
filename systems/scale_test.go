package systems_test

import (
	"fmt"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// inUnits converts a world made in metres to a unit of which a metre has the given number, and
// returns it with its Physics.
func inUnits(
	unit float64, make func(w donburi.World) []*donburi.Entry,
) (donburi.World, *systems.Physics, []*donburi.Entry) {
	w := donburi.NewWorld()
	balls := make(w)
	for _, b := range balls {
		p, v, c := components.Transform.Get(b), components.Velocity.Get(b), components.SphereCollider.Get(b)
		p.Position, v.Linear, c.Radius = p.Position.Scale(unit), v.Linear.Scale(unit), c.Radius*unit
	}
	for _, e := range worldWalls(w) {
		p := components.Transform.Get(e)
		p.Position = p.Position.Scale(unit)
		if e.HasComponent(components.SurfaceVelocity) {
			v := components.SurfaceVelocity.Get(e)
			v.Linear = v.Linear.Scale(unit)
		}
	}
	return w, systems.NewPhysics(systems.Config{Gravity: vec(0, -earth*unit, 0), LengthUnit: unit}), balls
}

var highFriction = frictionPart{Dynamic: 0.4, Static: 0.6, Rolling: 0.01, Spinning: 0.01}

// separateBalls creates balls that never meet: they bounce, slide, roll, spin, rest on a slope or
// move on a conveyor belt.
func separateBalls(w donburi.World) []*donburi.Entry {
	conveyor := components.SurfaceVelocityData{Linear: vec(0.5, 0, 0.25)}
	wall(w, vec(0, 0, 0), vec(0, 1, 0), highFriction, conveyor)
	wall(w, vec(-50, 0, 0), vec(1, 2, 0), highFriction)
	return []*donburi.Entry{
		ball(w, vec(0, 3, 0), vec(1, 0, 0.5), 0.25, highFriction, bouncy(0.7)),
		ball(w, vec(0, 3, 10), vec(1, 0, 0.5), 0.25, highFriction, bouncy(0.7), turning(3, 9, -20)),
		ball(w, vec(0, 0.25, 20), vec(3, 0, 0), 0.25, highFriction),
		ball(w, vec(0, 0.25, 30), vec(3, 0, 0), 0.25, highFriction, turning(0, 5, 0)),
		ball(w, vec(0, 0.25, 40), vec(0, 0, 0), 0.25),
		ball(w, vec(-60, 11, 50), vec(0, 0, 0), 0.25, highFriction, turning(0, 0, 0)),
		ball(w, vec(-60, 11, 60), vec(0, 0, 0), 0.25, highFriction),
	}
}

// collidingBalls creates balls that collide with each other.
func collidingBalls(w donburi.World) []*donburi.Entry {
	return heapInBin(w, 20, 7, []any{highFriction}, highFriction, turning(0, 0, 0), bouncy(0.3))
}

// If a metre is a power of two of pixels, all rounding errors scale exactly, and balls that don't
// meet have the same bits. The order of simultaneous impacts and of the two spheres of a pair is
// decided by bits of the positions, which scaling changes. So colliding balls, and other units,
// differ by a rounding error at each impact, which later impacts amplify.
func TestResultsDoNotDependOnTheLengthUnit(t *testing.T) {
	for _, c := range []struct {
		name      string
		make      func(w donburi.World) []*donburi.Entry
		unit      float64
		steps     int
		tolerance float64 // metres and metres per second
	}{
		{"alone", separateBalls, 128, 600, 0},
		{"alone", separateBalls, 1.0 / 64, 600, 0},
		{"alone", separateBalls, 4096, 600, 0},
		{"alone", separateBalls, 100, 600, 1e-9},
		{"alone", separateBalls, 0.01, 600, 1e-9},
		{"together", collidingBalls, 128, 30, 1e-9},
		{"together", collidingBalls, 100, 30, 1e-9},
		{"together", collidingBalls, 0.01, 30, 1e-9},
	} {
		t.Run(fmt.Sprintf("%s, %v to a metre", c.name, c.unit), func(t *testing.T) {
			w, p, balls := inUnits(1, c.make)
			wu, pu, ballsu := inUnits(c.unit, c.make)
			for step := range slow.Steps(c.steps) {
				p.Step(w)
				pu.Step(wu)
				expectNoErrors(t, p)
				expectNoErrors(t, pu)
				for i, b := range balls {
					x, v := position(ballsu[i]).Scale(1/c.unit), velocity(ballsu[i]).Scale(1/c.unit)
					if c.tolerance == 0 && (x != position(b) || v != velocity(b)) ||
						!nearVec(x, position(b), c.tolerance) || !nearVec(v, velocity(b), c.tolerance) {
						t.Fatalf("step %d: ball %d: got %v and %v, want %v and %v", step, i, x, v, position(b),
							velocity(b))
					}
				}
			}
		})
	}
}

// A heap comes to rest and sleeps in pixels as it does in metres.
func TestHeapInPixelsComesToRest(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, unit := range []float64{1, 100, 32, 0.01} {
		t.Run(fmt.Sprint(unit, " to a metre"), func(t *testing.T) {
			w, p, balls := inUnits(unit, collidingBalls)
			steps(t, w, p, 600)
			var home []collide.Vec3
			for _, b := range balls {
				home = append(home, position(b))
				if v := velocity(b).Length() / unit; v > 1e-3 {
					t.Errorf("a ball still has %v m/s", v)
				}
			}
			for range slow.Steps(600) {
				p.Step(w)
			}
			for k, b := range balls {
				if d := position(b).Distance(home[k]) / unit; d > 1e-4 {
					t.Errorf("a ball at rest strayed by %v m", d)
				}
			}
			if got := p.Stats().Asleep; got < len(balls) {
				t.Errorf("%d of %d balls are asleep", got, len(balls))
			}
		})
	}
}

// The distance of other bodies determines whether a ball is tested against the walls at all. That
// must not affect the rounding of its impact with a very fast wall.
func TestDistantBodyChangesNothing(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	differs, visible := 0, 0
	for k := range 2000 {
		delta := (float64(k)/1000 - 1) * 1e-8
		run := func(bystander bool) (states []collide.Vec3) {
			w := donburi.NewWorld()
			const speed, seconds = 1e8, 1.0 / 64
			wall(w, vec(0, -speed*seconds-0.3, 0), vec(0, 1, 0), moving(0, speed, 0), bouncy(1))
			b := ball(w, vec(0, delta, 0), vec(0, 0, 0), 0.3, bouncy(1))
			ball(w, vec(5, 0, 0), vec(0, 2e8, 0), 0.3, bouncy(1))
			if bystander {
				ball(w, vec(5e8, 5e8, 0), vec(0, 2e8, 0), 0.3, bouncy(1))
			}
			p := systems.NewPhysics(systems.Config{StepSeconds: seconds, Workers: 1})
			for range 2 {
				p.Step(w)
				states = append(states, position(b), velocity(b))
			}
			expectNoErrors(t, p)
			return states
		}
		got, want := run(false), run(true)
		for i := range want {
			if got[i] != want[i] {
				differs++
				if visible++; visible < 4 {
					t.Errorf("delta %v: without a bystander %v, with one %v", delta, got, want)
				}
				break
			}
		}
	}
	t.Logf("%d of 2000 differ", differs)
}
