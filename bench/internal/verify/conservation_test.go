package verify

import (
	"maps"
	"testing"
)

// A force presses ball 1 on ball 2, and both fly at 100 m/s. Ball 3 hits the first one from the
// side in the middle of the step. It leaves the contact with half of the impulse, and the other
// keeps all of it. What the first has beyond that is no limit.
func TestABodyThatBouncesLeavesOthersTheImpulseOfItsContact(t *testing.T) {
	const a = 12.0
	step := func(more float64, bounces bool) *Step {
		one, two := sphere(1, V{}, V{100, 0, 0}), sphere(2, V{1, 0, 0}, V{100, 0, 0})
		three := sphere(3, V{}, V{100, 10, 0})
		one.Acceleration = V{a, 0, 0}
		one.End.Velocity, two.End.Velocity = V{100 + a*dt/2, 0, 0}, V{100 + a*dt/2, 0, 0}
		three.Start.Position = V{0, -1 - 5*dt, 0}
		three.End.Position = three.Start.Position.Add(three.End.Velocity.Scale(dt))
		s := &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{one, two, three}}
		hit := &s.Things[0]
		if bounces {
			s.Impacts = []Impact{{1, 3, dt / 2, V{50 * dt, -0.5, 0}, V{0, 1, 0}, 10, 10}}
			hit.End.Velocity = V{100 + a*dt/4 + a*dt/2, 10, 0}
			s.Things[2].End.Velocity = V{100, 0, 0}
		}
		hit.End.Velocity[0] += more
		for i := range s.Things {
			x := &s.Things[i]
			x.End.Position = x.Start.Position.Add(x.End.Velocity.Scale(dt))
		}
		return s
	}
	kept := a * dt / 4 // N·s
	for _, tt := range []struct {
		more    float64 // N·s
		bounces bool
		want    map[string]string // limits of the failures
	}{
		{-kept, true, nil},
		{0, true, map[string]string{"momentum": limitBounces, "energy": limitBounces}},
		{0.01 * kept, true, map[string]string{"momentum": "", "energy": limitBounces}},
		{2 * kept, true, map[string]string{"momentum": "", "energy": ""}},
		{kept, false, map[string]string{"momentum": "", "energy": ""}},
	} {
		got := map[string]string{}
		for _, f := range NewChecker().Check(step(tt.more, tt.bounces)) {
			if f.Check == "momentum" || f.Check == "energy" {
				got[f.Check] = f.Limit
			}
		}
		if !maps.Equal(got, tt.want) {
			t.Errorf("%v N·s more, bounces %v: got %q, want %q", tt.more, tt.bounces, got, tt.want)
		}
	}
}
