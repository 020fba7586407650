package tunnel

import "testing"

func TestPhysicsFindsNothingWrongWithTheScene(t *testing.T) {
	v := New(1).(*view)
	v.Reset()
	lane := v.scene.lanes[2].(*exact)
	for tick := range 120 {
		if tick%40 == 0 {
			for _, f := range lane.physics.Check(lane.world) {
				t.Errorf("tick %d: %v", tick, f)
			}
		}
		v.scene.step()
	}
}
