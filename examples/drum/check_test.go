package drum

import "testing"

func TestPhysicsFindsNothingWrongWithTheScene(t *testing.T) {
	s := newScene(3, 60)
	for tick := range 90 {
		if tick%40 == 0 {
			for _, f := range s.physics.Check(s.world) {
				t.Errorf("tick %d: %v", tick, f)
			}
		}
		s.step(0.8)
	}
}
