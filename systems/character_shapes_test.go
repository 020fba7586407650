package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/yohamta/donburi"
)

func (s *characterScene) shape(
	t *testing.T, at collide.Vec3, shape collide.Shape, more ...donburi.IComponentType,
) *donburi.Entry {
	t.Helper()
	types := append([]donburi.IComponentType{components.Transform, components.ShapeCollider}, more...)
	e := s.world.Entry(s.world.Create(types...))
	components.Transform.Get(e).Position = at
	components.ShapeCollider.Get(e).Shape = shape
	return e
}

func TestACharacterWalksOnEveryShape(t *testing.T) {
	grid, err := collide.NewMesh([]collide.Vec3{{X: -50, Z: -50}, {X: -50, Z: 50}, {X: 50, Z: -50}, {X: 50, Z: 50}},
		[]uint32{0, 1, 2, 2, 1, 3}, collide.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for name, ground := range map[string]collide.Shape{
		"box":      collide.Box{Center: collide.Vec3{Y: -1}, Half: collide.Vec3{X: 50, Y: 1, Z: 50}},
		"mesh":     grid,
		"cylinder": collide.Cylinder{A: collide.Vec3{Y: -2}, B: collide.Vec3{}, Radius: 50},
	} {
		t.Run(name, func(t *testing.T) {
			s := newCharacterScene()
			floor := s.shape(t, collide.Vec3{}, ground)
			s.shape(t, collide.Vec3{X: 4}, collide.Box{Half: collide.Vec3{X: 1, Y: 0.3, Z: 9}})
			e, c := s.character(collide.Vec3{Y: 0.2})
			s.steps(30)
			s.noErrors(t)
			if !c.OnGround() || c.State.GroundEntity != floor.Entity() {
				t.Fatalf("state %+v", c.State)
			}
			closeTo(t, "height", feetOf(e).Y, 0, 1e-9)
			c.DesiredVelocity = collide.Vec3{X: 4}
			s.steps(10)
			from := feetOf(e)
			s.steps(20)
			closeTo(t, "way", feetOf(e).X-from.X, 4.0/3, 1e-9)
			s.steps(30)
			closeTo(t, "on the box", feetOf(e).Y, 0.3, 1e-9)
			s.steps(60)
			closeTo(t, "down again", feetOf(e).Y, 0, 1e-9)
		})
	}
}

// Boxes that are turned so that another side is up have tops that rounding places at other heights.
func TestABoxPutExactlyOnTurnedBoxesWalksOverTheirSeams(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for k := range 40 {
		s := newCharacterScene()
		yaw := float64(k) / 5
		turn := collide.RotationAround(collide.Vec3{Y: 1}, yaw)
		walk := turn.Rotate(collide.Vec3{X: 1})
		up := turn.Mul(collide.RotationAround(collide.Vec3{X: 1}, math.Pi/2))
		for i := range 12 {
			tile := s.shape(t, walk.Scale(float64(i)).Add(collide.Vec3{Y: -0.25}),
				collide.Box{Half: collide.Vec3{X: 0.5, Y: 2, Z: 0.25}})
			components.Transform.Get(tile).Rotation = up
		}
		e := s.shape(t, walk.Add(collide.Vec3{Y: 0.4}), collide.Box{Half: collide.Vec3{X: 0.3, Y: 0.4, Z: 0.2}},
			components.Velocity, components.CharacterController)
		c := components.CharacterController.Get(e)
		c.Acceleration, c.DesiredVelocity = math.Inf(1), walk.Scale(5)
		s.steps(96)
		s.noErrors(t)
		way := components.Transform.Get(e).Position.Sub(walk)
		if math.Abs(way.Dot(walk)-8) > 1e-9 || math.Abs(way.Y-0.4) > 1e-9 {
			t.Errorf("turned by %v: walked %v instead of 8, at height %v", yaw, way.Dot(walk), way.Y)
		}
	}
}

func TestABoxIsACharacter(t *testing.T) {
	s := newCharacterScene()
	s.shape(t, collide.Vec3{}, collide.Box{Center: collide.Vec3{Y: -1}, Half: collide.Vec3{X: 50, Y: 1, Z: 50}})
	for i := range 9 { // stairs
		s.shape(t, collide.Vec3{X: 5 + 0.4*float64(i)}, collide.Box{
			Center: collide.Vec3{X: 3}, Half: collide.Vec3{X: 3, Y: 0.25 * float64(i+1), Z: 5},
		})
	}
	lift := s.shape(t, collide.Vec3{Z: 20}, collide.Box{Half: collide.Vec3{X: 2, Y: 0.2, Z: 2}}, components.Velocity)
	box := collide.Box{Half: collide.Vec3{X: 0.3, Y: 0.9, Z: 0.3}}
	e := s.shape(t, collide.Vec3{Y: 1}, box, components.Velocity, components.CharacterController)
	c := components.CharacterController.Get(e)
	s.steps(20)
	s.noErrors(t)
	at := &components.Transform.Get(e).Position
	if !c.OnGround() {
		t.Fatalf("state %+v", c.State)
	}
	closeTo(t, "height", at.Y, 0.9, 1e-9)
	c.DesiredVelocity.X = 4
	s.steps(20)
	from := at.X
	s.steps(30)
	closeTo(t, "way", at.X-from, 2, 1e-9)
	s.steps(80)
	closeTo(t, "up the stairs", at.Y, 0.9+9*0.25, 1e-9)
	*at = collide.Vec3{Y: 1.1, Z: 20}
	c.DesiredVelocity = collide.Vec3{}
	s.steps(20)
	before := at.Sub(components.Transform.Get(lift).Position)
	components.Velocity.Get(lift).Linear = collide.Vec3{X: 2, Y: 3, Z: -1}
	s.steps(30)
	if d := at.Sub(components.Transform.Get(lift).Position); d.Distance(before) > 1e-9 || !c.OnGround() {
		t.Errorf("on the lift at %v, before %v", d, before)
	}
	components.Velocity.Get(lift).Linear = collide.Vec3{}
	s.steps(10)
	ball := components.CreateBall(s.world, at.Add(collide.Vec3{Y: 2}), 0.2)
	s.steps(90)
	closeTo(t, "a ball on its head", components.Transform.Get(ball).Position.Y-at.Y, 1.1, 1e-3)
	if n := testing.AllocsPerRun(50, func() { s.steps(1) }); n > 0 && !slow.RaceDetector {
		t.Errorf("%v allocations in a step", n)
	}
}

// The character was read like the surface that it becomes, with the number of its body: a panic.
func TestDynamicShapeBecomesACharacterAndBack(t *testing.T) {
	w, p := donburi.NewWorld(), onEarth()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	e := components.CreateShapeBody(w, vec(0, 1, 0), collide.Box{Half: vec(0.3, 0.3, 0.3)})
	for range 3 {
		for range 3 {
			p.Step(w)
		}
		expectNoErrors(t, p)
		components.Velocity.Get(e).Linear = vec(0, 0, 0)
		e.AddComponent(components.CharacterController)
		for range 60 {
			p.Step(w)
		}
		expectNoErrors(t, p)
		if c := components.CharacterController.Get(e); !c.OnGround() {
			t.Errorf("the character is at %v, and not on the ground", position(e))
		}
		e.RemoveComponent(components.CharacterController)
		components.Transform.Get(e).Position = vec(0, 1, 0)
	}
}
