package systems_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// stepWithFewImpacts makes a number of steps, and expects at most so many impacts in each, and
// nothing jammed.
func stepWithFewImpacts(t *testing.T, w donburi.World, p *systems.Physics, steps, most int) {
	t.Helper()
	for step := range steps {
		p.Step(w)
		expectNoErrors(t, p)
		if n := p.Stats().Impacts; n > most || p.Stats().Jammed > 0 {
			t.Fatalf("step %d: %d impacts, want at most %d; jammed: %d", step+1, n, most, p.Stats().Jammed)
		}
	}
}

// An elastic ball that moves at 3 m/s over a box that rotates at 0.5 rad/s is pressed on it by
// 2·0.5·3 = 3 m/s² (Coriolis). It has touched the box at 1 µm/s, so each of its hops would take
// 7e-7 s: there would be 25,000 in a step, and after 2,050 it was jammed. Hops shorter than 1/128
// of a step count as rest, so there are at most 128, and here it comes to rest at once. Then it has
// an impact with the arc of the box in each step, or two where rounding leaves an approach.
func TestAnElasticBallThatSlidesOverARotatingBoxHasFewImpacts(t *testing.T) {
	for _, speed := range []float64{-3, 3} {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
		spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, 0.5), bouncy(1),
			shaped(components.ShapePart{Shape: collide.Box{Half: vec(1, 0.5, 1)}}))
		ball(w, vec(0, 0.6, 0), vec(speed, -1e-6, 0), 0.1, bouncy(1))
		stepWithFewImpacts(t, w, p, 10, 3)
	}
}

// The rotation presses this ball on the box with 0.5·(0.4+0.1) = 0.25 m/s²: it moves at 0.1 m/s,
// and the box would at -0.3 m/s at its centre. So the hop after an impact at 0.1 mm/s takes 0.8 ms,
// a twentieth of a step, and is no rest.
func TestAnElasticBallBouncesOnARotatingBoxInHopsOfATwentiethOfAStep(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, 0.5), bouncy(1),
		shaped(components.ShapePart{Shape: collide.Box{Half: vec(1, 0.5, 1)}}))
	ball(w, vec(0, 0.6, 0), vec(0.1, -1e-4, 0), 0.1, bouncy(1), components.BodyData{Mass: 1})
	p.Step(w)
	expectNoErrors(t, p)
	for m := range p.Impacts() {
		if math.Abs(m.Impulse-2e-4) > 1e-12 {
			t.Errorf("the first impact has an impulse of %v N·s, want 0.0002", m.Impulse)
		}
		return
	}
	t.Error("no impact")
}

// A crate that lies flat on a wall that turns touches it with a whole face. Its velocity at the
// contact point, the middle of that, is not enough: at one corner the wall turns into it. The chord
// over the whole step isn't either, because in the frame of the wall the corner moves on an arc
// that dips below it. The push was repeated 1,300 times, each time by a 2^-28th of the speed, and
// the crate was jammed. One push is enough, or none where the contact solver has moved the crate.
func TestACrateThatLiesFlatOnARotatingWallIsPushedOnce(t *testing.T) {
	for _, omega := range []float64{-2, -0.5, 0.5, 2} {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
		spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, omega),
			shaped(components.ShapePart{Shape: collide.Box{Half: vec(1, 0.5, 1)}}))
		spawn(w, at(0.3, 0.6, 0), moving(-2, 0, 0.5), components.BodyData{Mass: 1},
			shaped(components.ShapePart{Shape: collide.Box{Half: vec(0.1, 0.1, 0.1)}}))
		stepWithFewImpacts(t, w, p, 5, 1)
	}
}

// This ball touches a plank that turns at 1.4 rad/s, 0.1 m above the axis, and moves with the plank
// where they touch. Its centre is 0.3 m higher, where the plank would move faster: so the plank
// turns into its path, at 1.4²·(0.3-0.1) = 0.39 m/s². An impact at 0.1 µm/s makes hops of 0.5 µs,
// which were not taken for rest: there were 2,050 in a step.
func TestAnElasticBallThatARotatingPlankTurnsIntoHasFewImpacts(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, 1.4), bouncy(1),
		shaped(components.ShapePart{Shape: collide.Box{Half: vec(1, 0.1, 1)}}))
	ball(w, vec(0, 0.4, 0), vec(-0.14, -1e-7, 0), 0.3, bouncy(1))
	stepWithFewImpacts(t, w, p, 5, 3)
}

// A wall that rotates presses on a ball that slides over it, until that slips off the edge. Shortly
// before, the two are pressed together for less than the shortest time at which their gap was
// compared. The ball got a 2^-28th of the speeds then, which kept it clear for a nanosecond: there
// were 20 to 300 impacts.
func TestABallThatSlipsOffTheEdgeOfARotatingWallHasFewImpacts(t *testing.T) {
	for k := range 20 {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
		spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, 8),
			shaped(components.ShapePart{Shape: collide.Box{Half: vec(1, 0.5, 1)}}))
		ball(w, vec(0.9+0.001*float64(k), 0.6, 0), vec(6, 7.2, 0), 0.1)
		stepWithFewImpacts(t, w, p, 5, 12)
	}
}

// In the frame of a box that rotates, the path of a ball is an arc. One that the game has put into
// the box was pushed so that it was as deep at the end of the step: until the middle it rose, and
// then it approached again. That was an impact, which led to one in the middle of what was left of
// the step, and so on until the ball was jammed.
func TestABallThatTheGamePutsIntoSomethingThatRotatesHasFewImpacts(t *testing.T) {
	field, mesh := terrain(0.05)
	hull, err := collide.NewHull([]collide.Vec3{
		vec(-1, 0, -1), vec(1, 0, -1), vec(-1, 0, 1), vec(1, 0, 1), vec(0, -1, 0),
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, shape := range map[string]collide.Shape{
		"box": collide.Box{Center: vec(0, -0.5, 0), Half: vec(1, 0.5, 1)}, "hull": hull, "mesh": mesh, "terrain": field,
		"cylinder": collide.Cylinder{A: vec(0, -1, 0), B: vec(0, 0, 0), Radius: 1},
	} {
		for _, omega := range []collide.Vec3{vec(0, 0, 0.03), vec(0, 0, -0.5), vec(0.2, 0.1, 2), vec(-1, -1, 3)} {
			for _, deep := range []float64{1e-3, 0.01, 0.05} {
				t.Run(fmt.Sprint(name, omega, deep), func(t *testing.T) {
					w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0)})
					spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(omega.X, omega.Y, omega.Z),
						shaped(components.ShapePart{Shape: shape}))
					y, ok := 0.0, true
					if shape == collide.Shape(mesh) || shape == collide.Shape(field) {
						y, ok = field.Height(0.3, 0.4)
					}
					if !ok {
						t.Fatal("no ground")
					}
					ball(w, vec(0.3, y+0.3*(1-deep), 0.4), vec(0.2, 0, 0.1), 0.3)
					stepWithFewImpacts(t, w, p, 10, 8)
				})
			}
		}
	}
}
