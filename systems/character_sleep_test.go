package systems_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A character stood on a stack of light crates that slept. When the floor was removed, the crates
// fell under the whole weight of the character, at 6 m/s after one step. The contact between the
// crates still pushes the two apart a little when they begin to fall.
func TestTheFloorIsRemovedUnderSleepingCratesAndWhoStandsOnThem(t *testing.T) {
	var speeds [2][]float64
	for k, asleep := range []bool{true, false} {
		w := donburi.NewWorld()
		floor := components.CreateBox(w, collide.Vec3{Y: -0.5}, collide.Vec3{X: 2, Y: 0.5, Z: 2})
		var crates []*donburi.Entry
		for n := range 2 {
			e := components.CreateCrate(w, collide.Vec3{Y: 0.5 + float64(n)}, collide.Vec3{X: 0.5, Y: 0.5, Z: 0.5})
			components.Body.Get(e).Mass = 1
			crates = append(crates, e)
		}
		who := components.CreateCharacter(w, collide.Vec3{Y: 2.9}, 0.3, 1.8)
		p := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}, NoSleeping: !asleep})
		for range 200 {
			p.Step(w)
		}
		if got := p.Asleep(crates[0].Entity()); got != asleep {
			t.Fatalf("the lower crate sleeps: %v", got)
		}
		if c := components.CharacterController.Get(who); c.State.GroundEntity != crates[1].Entity() {
			t.Fatal("the character doesn't stand on the upper crate")
		}
		w.Remove(floor.Entity())
		for n := 1; n <= 10; n++ {
			p.Step(w)
			want := -9.81 * float64(n) / 60
			for _, e := range crates {
				got := components.Velocity.Get(e).Linear.Y
				if speeds[k] = append(speeds[k], got); math.Abs(got-want) > 0.005 {
					t.Errorf("asleep %v, step %d: a crate falls at %v m/s, want about %v", asleep, n, got, want)
				}
			}
		}
	}
	if !slices.Equal(speeds[0], speeds[1]) {
		t.Errorf("asleep %v, awake %v", speeds[0], speeds[1])
	}
}
