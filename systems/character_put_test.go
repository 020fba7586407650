package systems_test

import (
	"math"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/yohamta/donburi"
)

// The sides of a box that is as wide as some tiles are in those of the tiles beside it, and
// rounding decides whether they are deeper in there than in the floor.
func TestABoxThatIsPutExactlyOnTilesOfItsWidthWalks(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	const width = 0.3
	for name, tile := range map[string]func(s *characterScene, turn collide.Quat, from, to collide.Vec3){
		"box": func(s *characterScene, turn collide.Quat, from, to collide.Vec3) {
			below := turn.Rotate(vec(0, -0.5, 0))
			e := components.CreateBox(s.world, from.Lerp(to, 0.5).Add(below), vec(0.5, width/2, 50))
			components.Transform.Get(e).Rotation = turn.Mul(collide.Rotation2D(math.Pi / 2))
		},
		"wall": func(s *characterScene, _ collide.Quat, from, to collide.Vec3) {
			components.CreateWall2D(s.world, from, to)
		},
		"one-way wall": func(s *characterScene, _ collide.Quat, from, to collide.Vec3) {
			components.PolygonCollider.Get(components.CreateWall2D(s.world, to, from)).OneSided = true
		},
	} {
		stuck, scenes := 0, 0
		for k := range 60 {
			turn := collide.Rotation2D(float64(k) / 10)
			origin := vec(float64(k%7)*0.7, float64(k%11)*0.3, 0)
			at := func(x, y float64) collide.Vec3 { return turn.Rotate(vec(x, y, 0)).Add(origin) }
			for _, again := range []bool{false, true} {
				s := newCharacterScene()
				for i := -12; i < 20; i++ {
					tile(s, turn, at(float64(i)*width, 0), at(float64(i+1)*width, 0))
				}
				e := s.shape(t, at(float64(k%5)*width, 0.4), collide.Box{Half: vec(width, 0.4, width)},
					components.Velocity, components.CharacterController)
				components.Transform.Get(e).Rotation = turn
				c := components.CharacterController.Get(e)
				c.Acceleration, c.Up = math.Inf(1), turn.Rotate(vec(0, 1, 0))
				if again { // the game puts it elsewhere
					s.steps(2)
					components.Transform.Get(e).Position = at(float64(k%3)*width, 0.4)
				}
				from := position(e)
				c.DesiredVelocity = turn.Rotate(vec(3, 0, 0))
				s.steps(20)
				s.noErrors(t)
				if scenes++; position(e).Sub(from).Distance(turn.Rotate(vec(1, 0, 0))) > 1e-9 {
					stuck++
				}
			}
		}
		if stuck > 0 {
			t.Errorf("%s: in %d of %d scenes it doesn't walk a metre", name, stuck, scenes)
		}
	}
}

// One that is put exactly on the floor and exactly at walls is on the ground in the first step.
func TestACharacterPutExactlyIntoACornerIsOnTheGroundAtOnce(t *testing.T) {
	missing := 0
	for k := range 90 {
		s := newCharacterScene()
		s.floor()
		angle := float64(k) * math.Pi / 180
		walls := collide.Vec3{}
		for _, turn := range []collide.Quat{
			collide.RotationBy(vec(0, angle, 0)), collide.RotationBy(vec(0, angle+float64(k%7)*0.3, 0)),
		} {
			n := turn.Rotate(vec(-1, 0, 0))
			components.Transform.Get(components.CreateBox(s.world, n.Scale(-1.3), vec(1, 3, 3))).Rotation = turn
			walls = walls.Add(n)
		}
		e, c := s.character(vec(0, 0, 0))
		c.DesiredVelocity = walls.Scale(-2)
		s.steps(1)
		s.noErrors(t)
		if !c.OnGround() || feetOf(e).Length() > 1e-10 {
			missing++
		}
	}
	if missing > 0 {
		t.Errorf("in %d of 90 scenes it isn't", missing)
	}
}

func TestACharacterThatBecomesInvalidWithinAStepEntersNoSensor(t *testing.T) {
	w := donburi.NewWorld()
	components.CreateSensor(w, vec(10, 0, 0), 1)
	c := components.CreateCharacter(w, vec(0, 0, 0), 0.3, 1.8)
	p, game := onEarth(), newECS(w)
	steps(t, w, p, 1)
	at := position(c)
	p.Broadphase(game)
	components.Transform.Get(c).Rotation.X = math.Inf(-1)
	p.Sweep(game)
	p.Response(game)
	for e := range p.ContactBegins() {
		t.Errorf("it begins %+v", e)
	}
	if got := position(c); got != at {
		t.Errorf("it has moved to %v, want %v", got, at)
	}
	p.Step(w)
	named := false
	for e := range p.Errors() {
		named = named || e.Entity == c.Entity() && strings.Contains(e.Error(), "Transform.Rotation")
	}
	if !named {
		t.Error("the next step has no error that names its Transform.Rotation")
	}
}
