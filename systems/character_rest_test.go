package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A character that rested on a level that was not in the save had no ground in the loaded world.
// Its first step panicked if there were no bodies. Otherwise its weight acted on one, however far
// away.
func TestACharacterIsLoadedWithoutItsGround(t *testing.T) {
	for _, balls := range []int{0, 1} {
		scene := func() (w donburi.World, p *systems.Physics, hero, ball *donburi.Entry) {
			w = donburi.NewWorld()
			components.CreatePlane(w, collide.Vec3{}, vec(0, 1, 0))
			for range balls {
				ball = components.CreateBall(w, vec(50, 20, 0), 0.5)
				components.Body.Get(ball).Weightless = true
			}
			return w, systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)}),
				components.CreateCharacter(w, vec(0, 1, 0), 0.3, 1.8), ball
		}
		w, p, hero, _ := scene()
		steps(t, w, p, 60)
		saved := *components.CharacterController.Get(hero)
		if !saved.State.Resting {
			t.Fatal("it doesn't rest")
		}
		saved.State.GroundEntity, saved.State.Contacts = donburi.Null, nil

		loaded, q, other, ball := scene()
		components.CharacterController.SetValue(other, saved)
		components.Transform.SetValue(other, *components.Transform.Get(hero))
		for step := range 60 {
			p.Step(w)
			steps(t, loaded, q, 1)
			s := &components.CharacterController.Get(other).State
			if got, want := s.Position, components.Transform.Get(hero).Position; !got.SameBits(want) {
				t.Fatalf("%d balls, step %d: it is at %v, want %v", balls, step, got, want)
			}
			if s.Ground != components.OnGround || !loaded.Valid(s.GroundEntity) {
				t.Fatalf("%d balls, step %d: it is %v on %v", balls, step, s.Ground, s.GroundEntity)
			}
		}
		if ball != nil && components.Transform.Get(ball).Position != vec(50, 20, 0) {
			t.Errorf("the ball far away is at %v", components.Transform.Get(ball).Position)
		}
	}
}

// The same state in the game that it is from, which knows the character and its surroundings.
func TestACharacterAtRestThatLosesTheNameOfItsGroundFindsIt(t *testing.T) {
	for name, of := range map[string]func(w donburi.World) donburi.Entity{
		"none": func(donburi.World) donburi.Entity { return donburi.Null },
		"removed": func(w donburi.World) donburi.Entity {
			e := w.Create(components.Transform)
			w.Remove(e)
			return e
		},
	} {
		w := donburi.NewWorld()
		floor := components.CreatePlane(w, collide.Vec3{}, vec(0, 1, 0))
		hero := components.CreateCharacter(w, vec(0, 1, 0), 0.3, 1.8)
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
		steps(t, w, p, 60)
		s := &components.CharacterController.Get(hero).State
		if !s.Resting {
			t.Fatal("it doesn't rest")
		}
		s.GroundEntity = of(w)
		steps(t, w, p, 1)
		if s.GroundEntity != floor.Entity() {
			t.Errorf("%s: it stands on %v", name, s.GroundEntity)
		}
	}
}

// A character that rested on a floor stayed where it was in a loaded world in which the floor,
// which had the same number, was somewhere else.
func TestACharacterIsLoadedIntoALevelThatHasChanged(t *testing.T) {
	for _, height := range []float64{-0.3, 0.2} {
		w := donburi.NewWorld()
		components.CreateBox(w, vec(0, -0.5, 0), vec(5, 0.5, 5))
		hero := components.CreateCharacter(w, vec(0, 1, 0), 0.3, 1.8)
		steps(t, w, systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)}), 60)

		loaded := donburi.NewWorld()
		components.CreateBox(loaded, vec(0, height-0.5, 0), vec(5, 0.5, 5))
		other := components.CreateCharacter(loaded, vec(0, 1, 0), 0.3, 1.8)
		components.CharacterController.SetValue(other, *components.CharacterController.Get(hero))
		components.Transform.SetValue(other, *components.Transform.Get(hero))
		steps(t, loaded, systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)}), 60)
		if y := components.Transform.Get(other).Position.Y; math.Abs(y-(height+0.9)) > 1e-6 {
			t.Errorf("floor at %v: the character is at %v, want it on the floor", height, y)
		}
	}
}

// A character that rested on a body noticed only where that was, and so hovered above one that had
// become smaller, and stood in one that had become larger. One on the first sphere of a world,
// which was at the origin, didn't notice that the sphere was removed.
func TestACharacterAtRestNoticesThatABodyChanges(t *testing.T) {
	sphere := func(w donburi.World, x collide.Vec3, r float64) *donburi.Entry {
		e := w.Entry(w.Create(components.Transform, components.SphereCollider, components.Material))
		components.Transform.Get(e).Position, components.SphereCollider.Get(e).Radius = x, r
		return e
	}
	hanging := func(w donburi.World, half collide.Vec3) *donburi.Entry {
		e := components.CreateCrate(w, collide.Vec3{}, half)
		components.Body.Get(e).Locked = components.AxisX | components.AxisY | components.AxisZ
		return e
	}
	for _, test := range []struct {
		name   string
		from   float64 // height of what it stands on
		build  func(w donburi.World) *donburi.Entry
		change func(w donburi.World, e *donburi.Entry)
		height float64 // of its feet afterwards
	}{
		{
			"a crate becomes flatter", 2,
			func(w donburi.World) *donburi.Entry { return hanging(w, vec(2, 2, 2)) },
			func(_ donburi.World, e *donburi.Entry) {
				components.ShapeCollider.Get(e).Shape = collide.Box{Center: vec(0, -1, 0), Half: vec(2, 1, 2)}
			}, 0,
		},
		{
			"a crate is turned", 2,
			func(w donburi.World) *donburi.Entry { return hanging(w, vec(1, 2, 1)) },
			func(_ donburi.World, e *donburi.Entry) {
				components.Transform.Get(e).Rotation = collide.Rotation2D(math.Pi / 2)
			}, 1,
		},
		{
			"a sphere grows", 2,
			func(w donburi.World) *donburi.Entry { return sphere(w, collide.Vec3{}, 2) },
			func(_ donburi.World, e *donburi.Entry) { components.SphereCollider.Get(e).Radius = 2.3 }, 2.3,
		},
		{
			"a sphere at the origin is removed", 2,
			func(w donburi.World) *donburi.Entry { return sphere(w, collide.Vec3{}, 2) },
			func(w donburi.World, e *donburi.Entry) { w.Remove(e.Entity()) }, -3,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := donburi.NewWorld()
			e := test.build(w)
			components.CreatePlane(w, vec(0, -3, 0), vec(0, 1, 0))
			hero := components.CreateCharacter(w, vec(0, test.from+0.95, 0), 0.3, 1.8)
			components.CharacterController.Get(hero).StepHeight = 0.1
			p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
			steps(t, w, p, 60)
			if s := &components.CharacterController.Get(hero).State; !s.Resting {
				t.Fatalf("it doesn't rest: %+v", s)
			}
			test.change(w, e)
			for range 120 {
				p.Step(w)
				for err := range p.Errors() {
					t.Fatal(err)
				}
			}
			if y := components.Transform.Get(hero).Position.Y - 0.9; math.Abs(y-test.height) > 1e-6 {
				t.Errorf("its feet are at %v, want %v", y, test.height)
			}
		})
	}
}

// It hovered: the numbers of surfaces began again when the Physics came back to its world.
func TestACharacterAtRestNoticesAChangeWhileAnotherWorldIsRead(t *testing.T) {
	for name, read := range map[string]func(p *systems.Physics, w donburi.World){
		"Sync": func(p *systems.Physics, w donburi.World) { p.Sync(w) },
		"Step": func(p *systems.Physics, w donburi.World) { p.Step(w) },
	} {
		w, menu := donburi.NewWorld(), donburi.NewWorld()
		floor := components.CreatePlane(w, collide.Vec3{}, vec(0, 1, 0))
		hero := components.CreateCharacter(w, vec(0, 1, 0), 0.3, 1.8)
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
		steps(t, w, p, 60)
		read(p, menu)
		components.Transform.Get(floor).Position.Y = -0.5
		for range 60 {
			p.Step(w) // which reports that it has stepped another world
		}
		if y := components.Transform.Get(hero).Position.Y - 0.9; math.Abs(y+0.5) > 1e-6 {
			t.Errorf("%s: its feet are at %v, want -0.5", name, y)
		}
	}
}

// With neither, a character was in the air in all steps, and landed in each.
func TestACharacterThatNeitherClimbsNorSnapsStands(t *testing.T) {
	s := newCharacterScene()
	s.floor()
	e, c := s.character(vec(0, 0.05, 0))
	c.StepHeight, c.SnapLength = 0, 0
	s.steps(30)
	for range 60 {
		s.steps(1)
		if !c.OnGround() || c.State.Landed {
			t.Fatalf("it doesn't stand: %+v", c.State)
		}
	}
	c.DesiredVelocity.X = 1
	s.steps(60)
	want := 1 - (1-c.Acceleration/60)/60 // it walks more slowly in the first step only
	if x := components.Transform.Get(e).Position.X; !c.OnGround() || !near(x, want, 1e-12) {
		t.Errorf("it has walked to %v, %+v", x, c.State)
	}
	s.noErrors(t)
}
