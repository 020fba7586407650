package tunnel

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/examples/internal/stage"
)

// In dango's box no ball escapes at any speed, none overlaps another one, and the energy stays;
// naive stepping loses balls from 10 m/s on, and substeps put that off.
func TestWhoEscapes(t *testing.T) {
	for _, c := range []struct {
		speed           float64
		naive, substeps bool // some escape
	}{{1, false, false}, {100, true, true}, {1000, true, true}, {16, true, false}} {
		s := newScene(1, 24, c.speed)
		for range 300 {
			s.step()
			for i := range s.count {
				for j := range i {
					if d := s.lanes[2].ball(i).at.Distance(s.lanes[2].ball(j).at); d < 2*radius*(1-1e-9) {
						t.Fatalf("%g m/s, tick %d: two balls overlap by %g m", c.speed, s.ticks, 2*radius-d)
					}
				}
			}
		}
		if n := s.escapes[2]; n > 0 || math.Abs(s.energy(2)-1) > 1e-12 {
			t.Errorf("%g m/s: %d escaped from dango, energy %.15f", c.speed, n, s.energy(2))
		}
		for i, some := range []bool{c.naive, c.substeps} {
			if n := s.escapes[i]; n > 0 != some {
				t.Errorf("%g m/s: %d escaped from %s", c.speed, n, names[i])
			}
		}
	}
}

// The pointer drags a ball with a jerk out of the naive box. dango's hits the wall and stays, and
// the energy is what it was and what the pointer has added.
func TestADraggedBallStaysInDangosBox(t *testing.T) {
	v := New(1).(*view)
	v.speed, v.count = 1, 12
	v.Reset()
	in := stage.Input{W: 1200, H: 500, Scale: 1, Held: true}
	_, square := boxArea(in.W, in.H, in.Scale, 0)
	in.Pointer = camera(square).At(v.scene.lanes[0].ball(9).at)
	v.Step(in)
	in.Pointer = camera(square).At(v.scene.lanes[0].ball(9).at)
	in.Pointer.X += 0.9 * square.W / 2
	for range 40 {
		v.Step(in)
	}
	if v.ball != 9 {
		t.Fatalf("the pointer drags ball %d, want 9", v.ball)
	}
	in.Held = false
	for range 40 {
		v.Step(in)
	}
	s := v.scene
	if s.escapes[0] == 0 || s.escapes[2] != 0 {
		t.Errorf("%d escapes from naive stepping and %d from dango, want some and none", s.escapes[0], s.escapes[2])
	}
	if math.Abs(s.energy(2)-1) > 1e-12 {
		t.Errorf("energy %.15f", s.energy(2))
	}
}
