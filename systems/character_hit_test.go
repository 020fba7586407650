package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// A crate that slid over the floor into a character stopped dead, and the character didn't move,
// whatever the mass of the crate: with the floor it is in the contact solver, which begins contacts
// without an impact of the event loop. Balls and weightless crates shared their momentum.
func TestACrateThatSlidesIntoACharacterSharesItsMomentum(t *testing.T) {
	for _, c := range []struct {
		name        string
		mass, speed float64
		shape       collide.Shape
		weightless  bool
	}{
		{"weightless crate", 500, 4, collide.Box{Half: vec(0.8, 0.8, 0.8)}, true},
		{"crate", 500, 4, collide.Box{Half: vec(0.8, 0.8, 0.8)}, false},
		{"fast crate", 500, 40, collide.Box{Half: vec(0.8, 0.8, 0.8)}, false},
		{"light crate", 5, 4, collide.Box{Half: vec(0.8, 0.8, 0.8)}, false},
		{"hull", 500, 4, cubicHull(t, 0.8), false},
	} {
		s := newCharacterScene()
		s.floor()
		e := components.CreateCharacter(s.world, vec(0, 0.5, 0), 0.3, 1)
		ch := components.CharacterController.Get(e)
		ch.Acceleration = 0.01 // it hardly brakes
		stepCrates(t, s.physics, s.world, 10)
		b := components.CreateShapeBody(s.world, vec(-2, 0.8, 0), c.shape)
		body := components.Body.Get(b)
		body.Mass, body.Weightless = c.mass, c.weightless
		components.Velocity.Get(b).Linear.X = c.speed
		fastest, hit := 0.0, 0
		for i := range 60 {
			stepCrates(t, s.physics, s.world, 1)
			if v := ch.State.Velocity.X; v > 0 {
				fastest = max(fastest, v)
				if hit++; hit == 1 {
					together := c.mass * c.speed / (c.mass + ch.Mass)
					if got := components.Velocity.Get(b).Linear.X; math.Abs(got-together) > 0.01*together {
						t.Errorf("%s: moves at %v m/s after the impact, want %v; step %d", c.name, got, together, i)
					}
				}
			}
		}
		if want := c.mass * c.speed / (c.mass + ch.Mass); math.Abs(fastest-want) > 0.02*want {
			t.Errorf("%s: character at %v m/s, want %v", c.name, fastest, want)
		}
	}
}

// cubicHull returns a cube as a hull.
func cubicHull(t *testing.T, half float64) *collide.Hull {
	corners := collide.Box{Half: vec(half, half, half)}.Corners()
	h, err := collide.NewHull(corners[:])
	if err != nil {
		t.Fatal(err)
	}
	return h
}
