package verify

import (
	"testing"
)

func TestTheOracleKnowsABounce(t *testing.T) {
	s := right()
	s.Things = []Thing{s.Things[0], s.Things[1], s.Things[3]}
	s.Impacts = s.Impacts[:1]
	if found, compared := NewChecker().Compare(s); len(found) > 0 || !compared {
		t.Errorf("got %v, compared %v", found, compared)
	}
	s.Things[1].End.Velocity[0] += 1e-6
	if found, _ := NewChecker().Compare(s); len(found) != 1 {
		t.Errorf("a wrong velocity: got %v", found)
	}
	s.Impacts = nil
	if found, _ := NewChecker().Compare(s); len(found) != 1 {
		t.Errorf("a missing impact: got %v", found)
	}
}

// Bodies that have touched without a bounce are kept apart by the rest gap of heaps while they are
// close to each other: the oracle said that one falls on, and reported it.
func TestTheOracleHasNoAnswerWhereBodiesHaveRested(t *testing.T) {
	c := NewChecker()
	for _, step := range []struct {
		gap          float64
		begins, want bool
	}{
		{0.01, false, true},
		{0.01, true, true},
		{0.01, false, false},
		{0.12, false, false},
		{0.3, false, true},
		{0.01, false, true},
	} {
		floor := Thing{
			ID: 2, Shape: Plane, Kind: Static, Normal: V{0, 1, 0}, OneSided: true, Layers: 1, Mask: ^uint32(0),
		}
		s := &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{sphere(1, V{0, 0.5 + step.gap, 0}, V{}), floor}}
		if step.begins {
			s.Begins = []Contact{{A: 1, B: 2, Time: dt / 2}}
		}
		c.Check(s)
		if _, compared := c.Compare(s); compared != step.want {
			t.Errorf("at a gap of %v: got %v, want %v", step.gap, compared, step.want)
		}
	}
}
