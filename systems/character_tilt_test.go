package systems_test

import (
	"math"
	"math/rand/v2"
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

// Between a wall and a tilted box that moves, a character in a plane was moved out of it, by up to
// 0.1 m and for good.
func TestACharacterInAPlaneStaysThere(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for seed := range slow.Cases(1000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 12))
		s := newCharacterScene()
		components.CreatePlane(s.world, collide.Vec3{Y: -3}, collide.Vec3{Y: 1})
		components.CreatePlane(s.world, collide.Vec3{X: 1.5}, collide.Vec3{X: -1})
		box := components.CreateBox(s.world, collide.Vec3{X: 0.6, Y: -0.5}, collide.Vec3{X: 0.5, Y: 0.5, Z: 0.5},
			components.Velocity)
		random := func() collide.Vec3 { return collide.Vec3{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()} }
		components.Transform.Get(box).Rotation = collide.RotationBy(random())
		components.Velocity.Get(box).Linear = collide.Vec3{X: -1, Y: -0.5, Z: -0.5}.Add(random().MulElem(collide.Vec3{
			X: 2, Y: 3, Z: 1,
		}))
		ball := components.CreateBall(s.world, collide.Vec3{X: 0.8, Y: 2.5, Z: 0.1}, 0.3)
		hero := components.CreateCharacter2D(s.world, collide.Vec3{X: 1.15, Y: 1.2, Z: 0.25}, 0.3, 1.4)
		c := components.CharacterController.Get(hero)
		c.DesiredVelocity.X = 4*rng.Float64() - 1
		if rng.IntN(2) == 0 {
			c.Mode, c.DesiredVelocity.Y = components.Floating, -2
		}
		for step := range 90 {
			s.steps(1)
			if z := components.Transform.Get(hero).Position.Z; z != 0.25 {
				t.Fatalf("seed %d, step %d: it is at z = %v, want 0.25; a ball is at %v", seed, step, z,
					components.Transform.Get(ball).Position)
			}
		}
		s.noErrors(t)
	}
}
