package verify

import (
	"slices"
	"testing"
)

// A ball that is thrown sideways falls on a floor in the middle of a step, and bounces without
// loss. That is where its parabola leads, and not the chord of it. Where nothing stops it, it ends
// where gravity takes it, either way.
func TestPathsMayBeBentOnlyOnArcs(t *testing.T) {
	for _, c := range []struct {
		name       string
		arcs, hits bool
		off        float64 // how far the ball ends from where it should, m
		want       bool
	}{
		{"free fall on a chord", false, false, 0, false},
		{"free fall on an arc", true, false, 0, false},
		{"free fall on an arc that ends elsewhere", true, false, 1e-3, true},
		{"a bounce on an arc", true, true, 0, false},
		{"the same on a chord", false, true, 0, true},
	} {
		const g, half = 1e4, dt / 2
		b := sphere(1, V{0, 0.5 + g*half*half/2, 0}, V{1, 0, 0})
		b.Acceleration = V{0, -g, 0}
		b.End = State{Position: V{dt, b.Start.Position[1] - g*dt*dt/2 + c.off, 0}, Velocity: V{1, -g * dt, 0}}
		s := &Step{Seconds: dt, LengthUnit: 1, Arcs: c.arcs, Things: []Thing{b}}
		if c.hits {
			s.Things[0].End = State{Position: V{dt, b.Start.Position[1], 0}, Velocity: V{1, 0, 0}}
			s.Things = append(s.Things, Thing{
				ID: 2, Shape: Plane, Kind: Static, Normal: V{0, 1, 0}, OneSided: true, Restitution: 1,
				Layers: 1, Mask: ^uint32(0),
			})
			s.Impacts = []Impact{{1, 2, half, V{half, 0, 0}, V{0, 1, 0}, g * half, 2 * g * half}}
		}
		found := NewChecker().Check(s)
		if got := slices.ContainsFunc(found, func(f Failure) bool { return f.Check == "path" }); got != c.want {
			t.Errorf("%s: got %v", c.name, found)
		} else if !c.want && len(found) > 0 {
			t.Errorf("%s: got %v", c.name, found)
		}
	}
}
