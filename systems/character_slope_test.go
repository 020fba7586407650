package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// onSlope is a crate on a slope that goes down towards +X, and maybe a character on it.
type onSlope struct {
	world   donburi.World
	physics *systems.Physics
	crate   *donburi.Entry
	hero    *donburi.Entry
}

// newOnSlope returns a crate of 0.8 by 0.5 m, not tilted, at a height above a slope.
func newOnSlope(degrees, friction, mass, height float64, ridden bool) *onSlope {
	s := &onSlope{world: donburi.NewWorld()}
	s.physics = systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}, Workers: 1})
	angle := degrees * math.Pi / 180
	components.CreatePlane(s.world, collide.Vec3{}, collide.Vec3{Y: 1}.Rotated2D(-angle))
	y := height + 0.4*math.Tan(angle)
	s.crate = components.CreateCrate(
		s.world, collide.Vec3{Y: y + 0.25}, collide.Vec3{X: 0.4, Y: 0.25, Z: 0.4}, components.Material)
	components.Body.Get(s.crate).Mass = mass
	components.Material.Get(s.crate).Friction = friction
	if ridden {
		s.hero = components.CreateCharacter(s.world, collide.Vec3{Y: y + 1.4}, 0.3, 1.8)
	}
	return s
}

func (s *onSlope) velocity() collide.Vec3 { return components.Velocity.Get(s.crate).Linear }

// A character on a crate and the crate fell on a slope of one degree together, and both were shot
// away at 57 times the speed of the fall: the crate was squeezed between the character and the
// slope.
func TestACrateAndWhoStandsOnItLandOnASlope(t *testing.T) {
	for _, degrees := range []float64{1, 5, 20} {
		for _, mass := range []float64{1, 20, 200} {
			s := newOnSlope(degrees, 0.5, mass, 0.5, true)
			floor := components.CreateBox(s.world, collide.Vec3{Y: 0.45 + 0.4*math.Tan(degrees*math.Pi/180)},
				collide.Vec3{X: 0.4, Y: 0.05, Z: 1})
			for range 30 {
				s.physics.Step(s.world)
			}
			floor.Remove()
			fastest := 0.0
			for range 120 {
				s.physics.Step(s.world)
				c := components.CharacterController.Get(s.hero)
				fastest = max(fastest, s.velocity().Length(), c.State.Velocity.Length())
			}
			if most := math.Sqrt(2 * 9.81 * 0.5); fastest > 1.01*most {
				t.Errorf("%v degrees, %v kg: %v m/s, the fall gives %v", degrees, mass, fastest, most)
			}
			if v := s.velocity().Length(); v > 1e-9 {
				t.Errorf("%v degrees, %v kg: the crate still moves at %v m/s", degrees, mass, v)
			}
		}
	}
}

// A crate with a character on it slides like one without: their masses take no part. The whole
// weight of the character accelerated the crate alone, so that one of 1 kg got 57 m/s on a slope of
// 5 degrees within a second; and with friction none stopped, since the character pushed it on.
func TestACrateSlidesWithACharacterAsWithout(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, degrees := range []float64{1, 5, 15, 25} {
		for _, friction := range []float64{0, 0.05, 0.5} {
			for _, mass := range []float64{1, 20, 200} {
				alone := newOnSlope(degrees, friction, mass, 0, false)
				ridden := newOnSlope(degrees, friction, mass, 0, true)
				down := collide.Vec3{X: 1}.Rotated2D(-degrees * math.Pi / 180)
				for step := range 120 {
					for _, s := range []*onSlope{alone, ridden} {
						if step == 30 && friction > 0.1 { // it would stand still
							components.Velocity.Get(s.crate).Linear = down.Scale(3)
						}
						s.physics.Step(s.world)
					}
				}
				got, want := ridden.velocity().X, alone.velocity().X
				at := components.Transform.Get(ridden.crate).Position.X
				wantAt := components.Transform.Get(alone.crate).Position.X
				// The character gets on the crate a step later, and then rises off it by up to a
				// millimetre.
				if math.Abs(got-want) > 0.02 || math.Abs(at-wantAt) > 0.05 {
					t.Errorf("%v degrees, friction %v, %v kg: %v m/s at %v m, without a character %v m/s at %v m",
						degrees, friction, mass, got, at, want, wantAt)
				}
				c := components.CharacterController.Get(ridden.hero)
				if c.State.GroundEntity != ridden.crate.Entity() {
					t.Errorf("%v degrees, friction %v, %v kg: the character has left", degrees, friction, mass)
				}
			}
		}
	}
}
