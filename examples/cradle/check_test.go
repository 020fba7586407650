package cradle

import "testing"

func TestPhysicsFindsNothingWrongWithTheScene(t *testing.T) {
	s := newScene()
	for tick := range 240 {
		if tick%40 == 0 {
			all := s.row.physics.Check(s.row.world)
			all = append(all, s.drop.physics.Check(s.drop.world)...)
			all = append(all, s.corner.physics.Check(s.corner.world)...)
			for _, f := range all {
				t.Errorf("tick %d: %v", tick, f)
			}
		}
		s.step(input{})
	}
}
