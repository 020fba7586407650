package gas

import "testing"

func TestPhysicsFindsNothingWrongWithTheScene(t *testing.T) {
	s := newScene(3, settings{count: 500, fill: 0.1, speed: 20})
	for tick := range 240 {
		if tick%40 == 0 {
			for _, f := range s.physics.Check(s.world) {
				t.Errorf("tick %d: %v", tick, f)
			}
		}
		s.step()
	}
}
