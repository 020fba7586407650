package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
)

// One that walks into a wall that is tilted away from it, by however little, isn't led up by it.
func TestACharacterStandsStillAtAWallThatTiltsALittle(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, tilt := range []float64{1e-6, 1e-4, 0.01, 0.5, 0.99, 2} {
		for _, side := range []float64{1, -1} { // away from the character, and over it
			for _, speed := range []float64{1, 7, 40} {
				s := newCharacterScene()
				s.floor()
				angle := (90 - side*tilt) * math.Pi / 180
				components.CreateWall2D(s.world, vec(2, 0, 0).Sub(collide.Polar2D(1, angle)),
					vec(2, 0, 0).Add(collide.Polar2D(9, angle)))
				e, c := s.character(vec(0, 0, 0))
				c.DesiredVelocity.X = speed
				s.steps(150)
				s.noErrors(t)
				from := feetOf(e)
				s.steps(30)
				if moved := feetOf(e).Distance(from); moved > 1e-10 || math.Abs(from.Y) > 1e-10 || !c.OnGround() {
					t.Errorf("%v degrees, at %v m/s: it moves by %v at height %v", side*tilt, speed, moved, from.Y)
				}
			}
		}
	}
}
