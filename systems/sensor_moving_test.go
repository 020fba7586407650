package systems_test

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A sphere with a Sensor and a Velocity was a dynamic body: gravity took it through the floor,
// while boxes and capsules moved at their velocity.
func TestASensorWithAVelocityMovesAtItUnderGravity(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}})
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	components.CreateCrate(w, vec(3, 0.5, 0), vec(0.5, 0.5, 0.5))
	sphere := components.CreateSensor(w, vec(0, 1, 0), 0.5, components.Velocity)
	box := components.CreateBox(w, vec(0, 1, 3), vec(0.5, 0.5, 0.5), components.Velocity, components.Sensor)
	for _, e := range []*donburi.Entry{sphere, box} {
		components.Velocity.Get(e).Linear.X = 3
	}
	begins, ends := 0, 0
	for range 120 {
		steps(t, w, p, 1)
		for range p.ContactBegins() {
			begins++
		}
		for range p.ContactEnds() {
			ends++
		}
	}
	expectNoErrors(t, p)
	for name, e := range map[string]*donburi.Entry{"sphere": sphere, "box": box} {
		if at := components.Transform.Get(e).Position; at.Distance(vec(6, 1, at.Z)) > 1e-12 {
			t.Errorf("%s at %v, want X 6 and Y 1", name, at)
		}
	}
	if begins != 2 || ends != 1 { // the crate meets the floor and the sphere, which leaves it
		t.Errorf("%d contacts began and %d ended, want 2 and 1", begins, ends)
	}
}
