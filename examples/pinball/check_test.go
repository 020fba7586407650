package pinball

import "testing"

// The gate lets the ball through from behind, which takes a few steps.
func TestPhysicsFindsNothingWrongWithTheScene(t *testing.T) {
	s := newScene(1, downhill)
	for s.ticks < 900 {
		if s.at().X > field || s.ticks%40 == 0 {
			for _, f := range s.physics.Check(s.world) {
				t.Errorf("tick %d: %v", s.ticks, f)
			}
		}
		s.step(input{Auto: true})
	}
}
