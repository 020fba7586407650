package corridor

import "testing"

func TestPhysicsFindsNothingWrongWithTheScene(t *testing.T) {
	s := newScene()
	for tick := range 240 {
		if tick%40 == 0 {
			for _, f := range s.physics.Check(s.world) {
				t.Errorf("tick %d: %v", tick, f)
			}
		}
		s.step(input{Switch: tick%50 == 0}) // in both modes
	}
}
