package twins

import "testing"

func TestPhysicsFindsNothingWrongWithTheScene(t *testing.T) {
	s := newScene(1, 6)
	for tick := range 120 {
		if tick%40 == 0 {
			for _, w := range s.twins {
				for _, f := range w.physics.Check(w.world) {
					t.Errorf("tick %d: %v", tick, f)
				}
			}
		}
		s.step()
	}
}
