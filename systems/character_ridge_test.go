package systems_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
)

// Over the edge in which two one-way platforms meet, a round shape isn't wholly in front of the
// plane of either.
func TestACharacterDoesNotFallThroughTheTopOfAOneWayHill(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, steep := range []float64{5, 20, 40} {
		for name, way := range map[string]collide.Vec3{
			"falls": {}, "walks": vec(2, 0, 0), "walks back": vec(-1, 0, 0),
		} {
			fell := ""
			for k := range 60 {
				s := newCharacterScene()
				left := vec(0, 0, 0).Sub(collide.Rotation2D(steep * degree).Rotate(vec(20, 0, 0)))
				right := vec(20, 0, 0)
				for _, side := range [][2]collide.Vec3{{vec(0, 0, 0), left}, {right, vec(0, 0, 0)}} {
					components.PolygonCollider.Get(components.CreateWall2D(s.world, side[0], side[1])).OneSided = true
				}
				feet := vec(-0.12+0.004*float64(k), 0.2+0.03*float64(k%17), 0)
				e, c := s.character(feet.Sub(way))
				c.DesiredVelocity = way
				if way != (collide.Vec3{}) {
					components.Transform.Get(e).Position.Y += 1
				}
				for range 120 {
					s.steps(1)
					// Below is the height of the round lower end over the hill.
					if p := feetOf(e); p.Y < min(0, steep*degree*2*p.X)-0.1 {
						fell += fmt.Sprintf(" %.3f", feet.X)
						break
					}
				}
				s.noErrors(t)
				if !c.OnGround() {
					fell += fmt.Sprintf(" (in the air at %v)", feetOf(e))
				}
			}
			if fell != "" {
				t.Errorf("%v degrees: one that %s falls through from %s", steep, name, fell)
			}
		}
	}
}

const degree = math.Pi / 180
