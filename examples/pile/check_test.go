package pile

import "testing"

func TestPhysicsFindsNothingWrongWithTheScene(t *testing.T) {
	s := newScene(7)
	for tick := range 90 {
		if tick%40 == 0 {
			for _, f := range s.physics.Check(s.world) {
				t.Errorf("tick %d: %v", tick, f)
			}
		}
		s.step(input{})
	}
}
