package swarm

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// The swarm takes the number of bodies that it is told, more and fewer, and none leaves the box or
// overlaps another one, whether it is pulled or not.
func TestTheSwarmGrowsAndShrinks(t *testing.T) {
	s := newScene(1, 300, 8)
	for tick, want := 0, 300; tick < 400; tick++ {
		switch tick {
		case 100:
			want = 500
		case 250:
			want = 350
		}
		s.step(input{Want: want, Pull: tick > 150 && tick < 300, At: collide.Vec3{X: 5}})
		if len(s.bodies) != want {
			t.Fatalf("tick %d: %d bodies, want %d", tick, len(s.bodies), want)
		}
		for i, e := range s.bodies {
			at, r := components.Transform.Get(e).Position, components.SphereCollider.Get(e).Radius
			if s.half.Sub(collide.Vec3{X: max(at.X, -at.X), Y: max(at.Y, -at.Y)}).X < r*(1-1e-9) {
				t.Fatalf("tick %d: a body is at %v, outside of %v", tick, at, s.half)
			}
			for _, o := range s.bodies[:i] {
				gap := at.Distance(components.Transform.Get(o).Position) - r - components.SphereCollider.Get(o).Radius
				if gap < -1e-9 {
					t.Fatalf("tick %d: two bodies overlap by %g m", tick, -gap)
				}
			}
		}
	}
	if s.impacts < 1000 {
		t.Errorf("%d impacts: not much of a swarm", s.impacts)
	}
}
