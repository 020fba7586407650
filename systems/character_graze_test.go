package systems_test

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
)

// To see whether a wall is a step, the character looks up along it, and its cast may graze the next
// piece of the wall.
func TestACharacterKeepsItsGroundAtAWallOfSeveralPieces(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for k := range 60 {
		s := newCharacterScene()
		high := 0.3 + 0.05*float64(k%13)
		components.CreateBox(s.world, vec(0, -0.5, 0), vec(50, 0.5, 50))
		for i := range 8 {
			from := float64(i) * high
			piece, err := collide.NewHull2D([]collide.Vec3{
				vec(0, from, 0), vec(1, from, 0), vec(1, from+high, 0), vec(0, from+high, 0),
			})
			if err != nil {
				t.Fatal(err)
			}
			components.CreateHull(s.world, vec(0, 0, 0), piece)
		}
		radius := 0.1 + 0.01*float64(k)
		e := components.CreateCharacter2D(s.world, vec(-radius, 1, 0), radius, 2)
		c := components.CharacterController.Get(e)
		c.DesiredVelocity.X = 5
		s.steps(30)
		s.noErrors(t)
		for step := range 30 {
			s.steps(1)
			if !c.OnGround() {
				t.Errorf("scene %d: in step %d it isn't on the ground: %v", k, step, c.State.Ground)
				break
			}
		}
	}
}
