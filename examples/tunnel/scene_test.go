package tunnel

import (
	"math"
	"testing"
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
		if n := s.escapes[2]; n > 0 || math.Abs(s.energy(s.lanes[2])-1) > 1e-12 {
			t.Errorf("%g m/s: %d escaped from dango, energy %.15f", c.speed, n, s.energy(s.lanes[2]))
		}
		for i, some := range []bool{c.naive, c.substeps} {
			if n := s.escapes[i]; n > 0 != some {
				t.Errorf("%g m/s: %d escaped from %s", c.speed, n, names[i])
			}
		}
	}
}
