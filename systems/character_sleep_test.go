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
// fell under the whole weight of the character, at 6 m/s after one step; and so they did, asleep or
// not, where the floor was still an entity. The contact between the crates still pushes the two
// apart at 0.006 m/s when they begin to fall. That moves the lower one, which is 71 times as light
// as the upper one with the character.
func TestTheFloorIsTakenAwayUnderCratesAndWhoStandsOnThem(t *testing.T) {
	for name, takeAway := range map[string]func(w donburi.World, floor *donburi.Entry){
		"removed":             func(w donburi.World, e *donburi.Entry) { w.Remove(e.Entity()) },
		"without a collider":  func(_ donburi.World, e *donburi.Entry) { e.RemoveComponent(components.ShapeCollider) },
		"without a Transform": func(_ donburi.World, e *donburi.Entry) { e.RemoveComponent(components.Transform) },
		"a sensor":            func(_ donburi.World, e *donburi.Entry) { e.AddComponent(components.Sensor) },
		"moved":               func(_ donburi.World, e *donburi.Entry) { components.Transform.Get(e).Position.X = 100 },
	} {
		t.Run(name, func(t *testing.T) {
			asleep, awake := fallsWithACharacter(t, true, takeAway), fallsWithACharacter(t, false, takeAway)
			if !slices.Equal(asleep, awake) {
				t.Errorf("asleep %v, awake %v", asleep, awake)
			}
		})
	}
}

// fallsWithACharacter returns the speeds of two crates with a character on them, step by step after
// their floor has been taken away.
func fallsWithACharacter(
	t *testing.T, asleep bool, takeAway func(w donburi.World, floor *donburi.Entry),
) (speeds []float64) {
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
	takeAway(w, floor)
	for n := 1; n <= 10; n++ {
		p.Step(w)
		want := -9.81 * float64(n) / 60
		for _, e := range crates {
			got := components.Velocity.Get(e).Linear.Y
			if speeds = append(speeds, got); math.Abs(got-want) > 0.006 {
				t.Errorf("asleep %v, step %d: a crate falls at %v m/s, want about %v", asleep, n, got, want)
			}
		}
	}
	return speeds
}
