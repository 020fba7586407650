package systems_test

import (
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// closing is a wall or lift that closes in on a character in front of something, in pixels.
type closing struct {
	name         string
	wall, moving collide.Vec3 // centres
	half         collide.Vec3 // of the moving one
	angle        float64
	direction    collide.Vec3
	way          float64 // until it touches
	heroX        float64
}

// A character between a door and a wall, or a lift and a ceiling, showed velocities of 1000 px/s
// while it stood still, and when it was free again.
func TestTheVelocityOfASqueezedCharacterIsThatOfItsMotion(t *testing.T) {
	const recovery = 50 // at which it leaves what it is in, px/s: 1 m/s, scaled
	const gravity, tick = 800, 1.0 / 60
	lift := closing{
		name: "lift", wall: vec(0, -140, 0), moving: vec(0, -2, 0), half: vec(100, 2, 1),
		direction: vec(0, -1, 0), way: 46,
	}
	for _, k := range []closing{
		{
			name: "door", wall: vec(-62, -100, 0), moving: vec(92, -100, 0), half: vec(50, 100, 1),
			direction: vec(-1, 0, 0), way: 30,
		},
		{
			name: "tilted door", wall: vec(-62, -100, 0), moving: vec(122, -60, 0), half: vec(50, 60, 1), angle: 0.11,
			direction: vec(-1, 0, 0), way: 60, heroX: 3.3,
		},
		lift,
	} {
		for _, speed := range []float64{30, 120, 300, 900} {
			for _, deep := range []float64{0.5, 2, 14} {
				for _, walk := range []float64{0, 200, -200} {
					w := donburi.NewWorld()
					p := systems.NewPhysics(systems.Config{Gravity: vec(0, gravity, 0), LengthUnit: 50, Workers: 1})
					components.CreateBox2D(w, collide.Vec2(0, 100), 1000, 200, 0)
					components.CreateBox2D(w, collide.Vec2(k.wall.X, k.wall.Y), 100, 100, 0)
					moving := components.CreateBox2D(w, collide.Vec2(k.moving.X, k.moving.Y),
						2*k.half.X, 2*k.half.Y, k.angle, components.Velocity)
					hero := components.CreateCharacter2D(w, collide.Vec2(k.heroX, -20), 12, 40)
					if k.name == "lift" {
						components.Transform.Get(hero).Position.Y = -24
					}
					c := components.CharacterController.Get(hero)
					*c = components.NewCharacterController().Scaled(50)
					c.DesiredVelocity.X = walk
					phase := func(steps int, v float64) {
						components.Velocity.Get(moving).Linear = k.direction.Scale(v)
						for i := range steps {
							before := position(hero)
							p.Step(w)
							moved := position(hero).Sub(before).Scale(1 / tick)
							if got := c.State.Velocity; got.Length() > moved.Length()+recovery+gravity*tick+1e-6 {
								t.Errorf("%s, %v deep, walking at %v, step %d at %v px/s: velocity %v, not %v",
									k.name, deep, walk, i, v, got, moved)
							}
						}
					}
					steps := int((k.way+deep)/(speed*tick)) + 1
					phase(1, 0)
					phase(steps, speed)
					phase(10, 0)
					phase(steps, -speed)
				}
			}
		}
	}
}

// While a step goes on, balls move by many times the size of a character.
func TestACharacterOverlapsWhatMovesToItWithinTheStep(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 3))
	w := donburi.NewWorld()
	at := func(size float64) collide.Vec3 {
		return vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(size)
	}
	components.CreateCharacter(w, vec(0, 0, 0), 0.1, 0.4)
	for range 60 {
		ball := components.CreateBall(w, at(2), 0.05+0.1*r.Float64())
		components.Velocity.Get(ball).Linear = at(60)
	}
	p := systems.NewPhysics(systems.Config{Workers: 1})
	p.Step(w)
	expectNoErrors(t, p)
	overlaps := 0
	for range 500 {
		position, time := at(0.5), r.Float64()/60
		got, want := p.CharacterOverlaps(position, time)
		if got != want {
			t.Fatalf("at %v, %v s after the step began: %d overlaps, want %d", position, time, got, want)
		}
		overlaps += want
	}
	if overlaps < 100 {
		t.Errorf("only %d overlaps", overlaps)
	}
}
