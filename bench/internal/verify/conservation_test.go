package verify

import (
	"maps"
	"testing"
)

// conserved returns the limits of the failures of momentum and energy in a step.
func conserved(s *Step) map[string]string {
	got := map[string]string{}
	for _, f := range NewChecker().Check(s) {
		if f.Check == "momentum" || f.Check == "energy" {
			got[f.Check] = f.Limit
		}
	}
	return got
}

// A force presses ball 1 on ball 2, and both fly at 100 m/s. Ball 3 hits the first one from the
// side in the middle of the step. It leaves the contact with half of the impulse, and the other
// keeps all of it. What the first has beyond that is no limit, nor is it one without a contact, or
// without a bounce. The two may meet again afterwards.
func TestABodyThatBouncesLeavesOthersTheImpulseOfItsContact(t *testing.T) {
	const a = 12.0
	type change struct {
		more float64 // N·s that ball 1 has beyond what the limit explains
		gap  float64 // between balls 1 and 2
		flat bool    // the impact doesn't bounce
		free bool    // there is no impact
		meet bool    // balls 1 and 2 meet after the impact
	}
	step := func(d change) *Step {
		one, two := sphere(1, V{}, V{100, 0, 0}), sphere(2, V{1 + d.gap, 0, 0}, V{100, 0, 0})
		three := sphere(3, V{}, V{100, 10, 0})
		one.Acceleration = V{a, 0, 0}
		one.End.Velocity, two.End.Velocity = V{100 + a*dt/2, 0, 0}, V{100 + a*dt/2, 0, 0}
		three.Start.Position = V{0, -1 - 5*dt, 0}
		three.End.Position = three.Start.Position.Add(three.End.Velocity.Scale(dt))
		s := &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{one, two, three}}
		hit := &s.Things[0]
		if !d.free {
			s.Impacts = []Impact{{1, 3, dt / 2, V{50 * dt, -0.5, 0}, V{0, 1, 0}, 10, 10}}
			hit.End.Velocity = V{100 + a*dt/4 + a*dt/2, 10, 0}
			s.Things[2].End.Velocity = V{100, 0, 0}
		}
		if d.meet {
			s.Impacts = append(s.Impacts, Impact{1, 2, dt * 3 / 4, V{75*dt + 0.5, 0, 0}, V{-1, 0, 0}, 1e-3, 0})
		}
		hit.End.Velocity[0] += d.more
		for i := range s.Things {
			x := &s.Things[i]
			if d.flat {
				x.Restitution = 0
			}
			x.End.Position = x.Start.Position.Add(x.End.Velocity.Scale(dt))
		}
		return s
	}
	kept := a * dt / 4 // N·s
	limit := map[string]string{"momentum": limitBounces, "energy": limitBounces}
	fails := map[string]string{"momentum": "", "energy": ""}
	for _, tt := range []struct {
		change change
		want   map[string]string // limits of the failures
	}{
		{change{more: -kept}, nil},
		{change{}, limit},
		{change{meet: true}, limit},
		{change{more: 0.03 * kept}, fails},
		{change{more: kept, free: true}, fails},
		{change{gap: 0.1}, fails}, // within reach, but too far for a contact
		{change{flat: true}, fails},
	} {
		if got := conserved(step(tt.change)); !maps.Equal(got, tt.want) {
			t.Errorf("%+v: got %q, want %q", tt.change, got, tt.want)
		}
	}
}

// Ball 1 drives itself along ball 2, which stands, by friction with it: like a wheel, which turns
// at 60 m/s and moves at 50. Ball 3 ends that for its spin, and not for its velocity. It then keeps
// half of what its spin would have lost.
func TestABodyThatIsNotTurnedAnyLongerKeepsTheEnergyOfItsSpin(t *testing.T) {
	const impulse, inertia = 0.1, 0.1
	step := func(more float64) *Step {
		one, two := sphere(1, V{}, V{0, 50, 0}), sphere(2, V{1, 0, 0}, V{})
		three := sphere(3, V{0, 0, -1 - 5*dt}, V{0, 50, 10})
		one.Inertia, one.Start.Angular = inertia, V{0, 0, 120}
		one.End.Velocity, two.End.Velocity, three.End.Velocity = V{0, 50 + impulse, 10}, V{0, -impulse, 0}, V{0, 50, 0}
		one.End.Angular = V{0, 0, 120 - (0.5-more)*impulse*0.5/inertia}
		s := &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{one, two, three}}
		s.Impacts = []Impact{{1, 3, dt / 2, V{0, 25 * dt, -0.5}, V{0, 0, 1}, 10, 10}}
		for i := range s.Things {
			x := &s.Things[i]
			x.Friction = 1
			x.End.Position = x.Start.Position.Add(x.End.Velocity.Scale(dt))
		}
		return s
	}
	for more, want := range map[float64]map[string]string{0: {"energy": limitBounces}, 0.2: {"energy": ""}} {
		if got := conserved(step(more)); !maps.Equal(got, want) {
			t.Errorf("%v of the impulse more: got %q, want %q", more, got, want)
		}
	}
}
