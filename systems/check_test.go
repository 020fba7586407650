package systems_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
	"github.com/yohamta/donburi/features/transform"
)

// A floor whose normal points down into the screen stops nothing. Check says so.
func ExamplePhysics_Check() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec2(0, 900), LengthUnit: 90}) // Y points down
	components.CreatePlane(world, collide.Vec2(0, 400), collide.Vec2(0, 1))
	components.CreateCircle2D(world, collide.Vec2(100, 100), 12)
	for _, f := range physics.Check(world) {
		fmt.Println(f.Field)
		fmt.Println(f.Reason)
		fmt.Println(f.Advice)
	}
	// Output:
	// PlaneCollider.Normal
	// all 1 bodies that it could stop are behind it, where everything is solid
	// turn the normal round, to where the bodies are; with Y down, floors have a normal of -Y
}

func ExampleFinding_String() {
	f := systems.Finding{Field: "Config.LengthUnit", Reason: "it is 1", Advice: "set it to 50"}
	fmt.Println(f)
	f = systems.Finding{Field: "Body.Mass", Reason: "Body.Mass -2 is not between 1e-30 and 1e30", Advice: "set another"}
	fmt.Println(f)
	// Output:
	// Config.LengthUnit: it is 1; set it to 50
	// Body.Mass -2 is not between 1e-30 and 1e30; set another
}

// checkCase is a world with one mistake, and the same without it.
type checkCase struct {
	kind   systems.FindingKind
	field  string
	config systems.Config
	// build makes the world, and returns the entities that the finding names: one, two or none.
	build func(w donburi.World, wrong bool) []*donburi.Entry
	steps int
}

var checkConfig = systems.Config{Gravity: collide.Vec3{Y: -9.81}}

var checkCases = map[string]checkCase{
	"a negative radius": {
		systems.InvalidValue, "SphereCollider.Radius", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			b := ball(w, vec(0, 5, 0), vec(0, 0, 0), 1)
			if wrong {
				set(b, sphere(-1))
			}
			return []*donburi.Entry{b}
		}, 0,
	},
	"a character whose settings are in metres in a world of pixels": {
		systems.WrongUnits, "CharacterController",
		systems.Config{Gravity: collide.Vec2(0, 900), LengthUnit: 32},
		func(w donburi.World, wrong bool) []*donburi.Entry {
			e := components.CreateCharacter2D(w, collide.Vec2(0, 0), 10, 40)
			if !wrong {
				*components.CharacterController.Get(e) = components.NewCharacterController().Scaled(32)
			}
			return []*donburi.Entry{e}
		}, 0,
	},
	"a jump in pixels that Scaled has multiplied": {
		systems.WrongUnits, "CharacterController.JumpHeight",
		systems.Config{Gravity: collide.Vec2(0, 900), LengthUnit: 32},
		func(w donburi.World, wrong bool) []*donburi.Entry {
			e := components.CreateCharacter2D(w, collide.Vec2(0, 0), 10, 40)
			d := components.NewCharacterController()
			if wrong {
				d.JumpHeight = 120
			}
			d = d.Scaled(32)
			if !wrong {
				d.JumpHeight = 120
			}
			*components.CharacterController.Get(e) = d
			return []*donburi.Entry{e}
		}, 0,
	},
	"a character in a world of pixels without a LengthUnit": {
		systems.WrongUnits, "Config.LengthUnit",
		systems.Config{Gravity: collide.Vec2(0, 900)},
		func(w donburi.World, wrong bool) []*donburi.Entry {
			if wrong {
				components.CreateCharacter2D(w, collide.Vec2(0, 0), 10, 40)
			}
			return nil
		}, 0,
	},
	"a plane that faces away from a crate": {
		systems.PlaneFacesAway, "PlaneCollider.Normal", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			components.CreateCrate(w, vec(0, 5, 0), vec(1, 1, 1))
			if wrong {
				return []*donburi.Entry{components.CreatePlane(w, vec(0, 0, 0), vec(0, -1, 0))}
			}
			return []*donburi.Entry{components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))}
		}, 0,
	},
	"a crate inside a barrel": {
		systems.OverlapAtStart, "Transform.Position", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			crate := components.CreateCrate(w, vec(0, 5, 0), vec(1, 1, 1))
			shape := collide.Cylinder{A: vec(0, -1, 0), B: vec(0, 1, 0), Radius: 1}
			barrel := components.CreateShapeBody(w, vec(0, 7, 0), shape)
			if wrong {
				components.Transform.Get(barrel).Position.Y = 6
			}
			return []*donburi.Entry{crate, barrel}
		}, 0,
	},
	"a CapsuleCollider with a mass": {
		systems.NeverDynamic, "Body.Mass", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			e := components.CreateCapsule(w, vec(0, 0, 0), vec(0, 1, 0), 1, components.Velocity, components.Body)
			if wrong {
				components.Body.Get(e).Mass = 3
			}
			return []*donburi.Entry{e}
		}, 0,
	},
	"a velocity and no collider": {
		systems.MissingCollider, "Velocity", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			if wrong {
				return []*donburi.Entry{spawn(w, at(0, 0, 0), moving(1, 0, 0))}
			}
			return []*donburi.Entry{spawn(w, at(0, 0, 0), moving(1, 0, 0), sphere(1))}
		}, 0,
	},
	"a velocity and only Donburi's transform": {
		systems.MissingTransform, "Transform", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			if wrong {
				return []*donburi.Entry{w.Entry(w.Create(transform.Transform, components.Velocity))}
			}
			return []*donburi.Entry{
				w.Entry(w.Create(
					transform.Transform, components.Transform, components.Velocity, components.SphereCollider)),
			}
		}, 0,
	},
	"a polygon with a mass": {
		systems.NeverDynamic, "Body.Mass", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			body := components.BodyData{Mass: 3}
			if !wrong {
				body.Kind = components.Kinematic
			}
			return []*donburi.Entry{spawn(w, at(0, 0, 0), moving(0, 0, 0), square(1), body)}
		}, 0,
	},
	"a static ball with a velocity": {
		systems.StaticWithSpeed, "Body.Kind", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			body := components.BodyData{Kind: components.Kinematic}
			if wrong {
				body.Kind = components.Static
			}
			return []*donburi.Entry{spawn(w, at(0, 0, 0), moving(1, 0, 0), sphere(1), body)}
		}, 0,
	},
	"masks that contradict each other": {
		systems.ExcludedByMask, "CollisionFilter.Mask", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			player := ball(w, vec(0, 5, 0), vec(0, 0, 0), 1, components.CollisionFilterData{Layers: 2, Mask: 1 | 4})
			enemy := ball(w, vec(5, 5, 0), vec(0, 0, 0), 1, components.CollisionFilterData{Layers: 4, Mask: 1 | 2})
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			if wrong {
				components.CollisionFilter.Get(enemy).Mask = 1
			}
			return []*donburi.Entry{enemy, player}
		}, 0,
	},
	"a mask without the default layer": {
		systems.ExcludedByMask, "CollisionFilter.Mask", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			player := ball(w, vec(0, 5, 0), vec(0, 0, 0), 1, components.CollisionFilterData{Layers: 2, Mask: 4})
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			if !wrong {
				components.CollisionFilter.Get(player).Mask = 4 | components.DefaultLayer
			}
			return []*donburi.Entry{player}
		}, 0,
	},
	"a plane that faces away": {
		systems.PlaneFacesAway, "PlaneCollider.Normal", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			up := vec(0, 1, 0)
			if wrong {
				up = vec(0, -1, 0)
			}
			floor := wall(w, vec(0, 0, 0), up)
			ball(w, vec(0, 5, 0), vec(0, 0, 0), 1)
			ball(w, vec(3, 5, 0), vec(0, 0, 0), 1)
			return []*donburi.Entry{floor}
		}, 0,
	},
	"radii in pixels and gravity in metres": {
		systems.WrongUnits, "Config.Gravity",
		systems.Config{Gravity: collide.Vec3{Y: 9.81}},
		func(w donburi.World, wrong bool) []*donburi.Entry {
			radius := 0.16
			if wrong {
				radius = 16
			}
			return []*donburi.Entry{ball(w, vec(0, 0, 0), vec(0, 0, 0), radius)}
		}, 0,
	},
	"a body on a thousandth of its mass": {
		systems.LargeMassRatio, "Body.Mass", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			light := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5)
			heavy := ball(w, vec(0, 1.5, 0), vec(0, 0, 0), 0.5, components.BodyData{Mass: 900})
			if wrong {
				components.Body.Get(heavy).Mass = 1100
			}
			return []*donburi.Entry{heavy, light}
		}, 3,
	},
	"things inside each other": {
		systems.OverlapAtStart, "Transform.Position", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			a, b := ball(w, vec(0, 5, 0), vec(0, 0, 0), 1), ball(w, vec(2, 5, 0), vec(0, 0, 0), 1)
			if wrong {
				components.Transform.Get(b).Position.X = 1.9
			}
			return []*donburi.Entry{a, b}
		}, 0,
	},
	"a ball in the floor": {
		systems.OverlapAtStart, "Transform.Position", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			floor := wall(w, vec(0, 0, 0), vec(0, 1, 0))
			a := ball(w, vec(0, 1, 0), vec(0, 0, 0), 1)
			ball(w, vec(5, 1, 0), vec(0, 0, 0), 1)
			if wrong {
				components.Transform.Get(a).Position.Y = 0.5
			}
			return []*donburi.Entry{a, floor}
		}, 0,
	},
	"an archetype that came by AddComponent": {
		systems.CreateWouldPanic, "World.Create", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			if !wrong {
				w.Remove(w.Create(components.Transform, components.SphereCollider, components.Velocity))
			}
			e := w.Entry(w.Create(components.Transform, components.SphereCollider))
			e.AddComponent(components.Velocity)
			return []*donburi.Entry{e}
		}, 0,
	},
}

func TestCheckNamesEachMistakeAndNothingElse(t *testing.T) { expectFindings(t, checkCases) }

// expectFindings tests that Check finds the mistake of each case, and nothing without it.
func expectFindings(t *testing.T, cases map[string]checkCase) {
	t.Helper()
	for name, c := range cases {
		for _, wrong := range []bool{true, false} {
			w := donburi.NewWorld()
			p := systems.NewPhysics(c.config)
			named := c.build(w, wrong)
			for range c.steps {
				p.Step(w)
			}
			got := p.Check(w)
			if !wrong {
				if len(got) > 0 {
					t.Errorf("%s, corrected: got %v, want nothing", name, got)
				}
				continue
			}
			if len(got) != 1 || got[0].Kind != c.kind || got[0].Field != c.field {
				t.Errorf("%s: got %v, want one of kind %d about %s", name, got, c.kind, c.field)
				continue
			}
			f := got[0]
			want := [2]donburi.Entity{donburi.Null, donburi.Null}
			for k, e := range named {
				want[k] = e.Entity()
			}
			if f.Entity != want[0] || f.Other != want[1] {
				t.Errorf("%s: got entities %v and %v", name, f.Entity, f.Other)
			}
			if f.Reason == "" || f.Advice == "" || !strings.Contains(f.String(), f.Advice) {
				t.Errorf("%s: got %q", name, f)
			}
		}
	}
}

// A ball that flew through a one-sided chain from behind was called an overlap, half way through.
// One that lies in such a chain is one.
func TestCheckLetsBallsThroughOneSidedChains(t *testing.T) {
	for name, speed := range map[string]float64{"flies up": 4, "lies": 0} {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{})
		if _, err := components.CreateChain2D(w, []collide.Vec3{vec(9, 0, 0), vec(-9, 0, 0)}, true); err != nil {
			t.Fatal(err)
		}
		y, found := -2.0, 0
		if speed == 0 {
			y = 0.5
		}
		ball(w, vec(0, y, 0), vec(0, speed, 0), 1)
		for range 60 {
			found += len(p.Check(w))
			p.Step(w)
		}
		if (found > 0) != (speed == 0) {
			t.Errorf("a ball that %s: %d findings", name, found)
		}
	}
}

func TestCheckFindsALengthUnitThatDoesNotFitGravity(t *testing.T) {
	for _, c := range []struct {
		gravity, unit float64
		field         string
	}{
		{900, 90, ""},
		{9.81, 90, "Config.Gravity"},
		{900, 1, "Config.LengthUnit"},
		{0, 1, ""},
		{0, 90, ""},
	} {
		w := donburi.NewWorld()
		ball(w, vec(0, 0, 0), vec(0, 0, 0), 3)
		got := systems.NewPhysics(systems.Config{Gravity: vec(0, c.gravity, 0), LengthUnit: c.unit}).Check(w)
		if c.field == "" && len(got) > 0 || c.field != "" &&
			(len(got) != 1 || got[0].Kind != systems.WrongUnits || got[0].Field != c.field) {
			t.Errorf("gravity %v and LengthUnit %v: got %v, want %q", c.gravity, c.unit, got, c.field)
		}
	}
}

func TestCheckFindsStepsOfSeconds(t *testing.T) {
	for _, seconds := range []float64{1.0 / 60, 0.5, 60} {
		w := donburi.NewWorld()
		ball(w, vec(0, 0, 0), vec(0, 0, 0), 1)
		got := systems.NewPhysics(systems.Config{StepSeconds: seconds}).Check(w)
		found := slices.ContainsFunc(got, func(f systems.Finding) bool { return f.Field == "Config.StepSeconds" })
		if found != (seconds == 60) || len(got) > 1 {
			t.Errorf("%v s: %v", seconds, got)
		}
	}
}

func TestCheckFindsTwoPhysicsOnOneWorld(t *testing.T) {
	isSeveral := func(f systems.Finding) bool { return f.Kind == systems.SeveralPhysics }
	for _, systemsTwice := range []bool{false, true} {
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0))
		for k := range 5 {
			ball(w, vec(3*float64(k), 50, 0), vec(1, 0, 0), 1)
		}
		game := ecs.NewECS(w)
		first, second := systems.NewPhysics(checkConfig).AddTo(game), systems.NewPhysics(checkConfig)
		if systemsTwice {
			second.AddTo(game)
		}
		for range 10 {
			game.Update()
		}
		for name, p := range map[string]*systems.Physics{"the first": first, "the second": second} {
			if got := slices.ContainsFunc(p.Check(w), isSeveral); got != systemsTwice {
				t.Errorf("%s of two: %v, got finding: %v", name, systemsTwice, got)
			}
		}
	}
}

func TestCheckDoesNotMistakeATeleportForAnotherPhysics(t *testing.T) {
	w := donburi.NewWorld()
	b := ball(w, vec(0, 0, 0), vec(1, 0, 0), 1)
	p := systems.NewPhysics(systems.Config{})
	for range 10 {
		components.Transform.Get(b).Position.X = -5 // wraps around
		p.Step(w)
	}
	components.Transform.Get(b).Position.X = -5
	if got := p.Check(w); len(got) > 0 {
		t.Errorf("got %v, want nothing", got)
	}
}

// Balls that a game pulls together without gravity have no restitution threshold, so they bounce on
// forever. Check said that something kinematic may squeeze them.
func TestCheckNamesTheThresholdThatForcesWithoutGravityNeed(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, threshold := range []float64{0, 0.67} {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{RestitutionThreshold: threshold})
		var balls []*donburi.Entry
		for k := range 64 {
			at := vec(float64(k%4)-1.5, float64(k/4%4)-1.5, float64(k/16)-1.5)
			at = at.AddScaled(0.01*float64(k%7), vec(1, 2, 0))
			balls = append(balls, ball(w, at, vec(0, 0, 0), 0.3, bouncy(0.2), components.ForceData{}))
		}
		for range 900 {
			for _, b := range balls {
				x := position(b)
				components.Force.SetValue(b, components.ForceData{Force: x.Scale(-20 / max(x.Length(), 0.3))})
			}
			p.Step(w)
		}
		found := slices.ContainsFunc(p.Check(w), func(f systems.Finding) bool {
			return f.Kind == systems.ExhaustedBudgets && f.Field == "Config.RestitutionThreshold" &&
				strings.Contains(f.Advice, "0.67")
		})
		if found != (threshold == 0) {
			t.Errorf("threshold %v: found %v, jammed %d", threshold, found, p.Stats().Jammed)
		}
	}
}

func TestCheckFindsBudgetsThatStayExhausted(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{MaxImpacts: 1, NoSleeping: true})
	gas(w, 60, bouncy(0.99))
	p.Step(w)
	for _, f := range p.Check(w) {
		if f.Kind == systems.ExhaustedBudgets {
			t.Errorf("after one step: got %v", f)
		}
	}
	for range 620 {
		for e := range p.OverlapBox(collide.AABB{Min: vec(-99, -99, -99), Max: vec(99, 99, 99)}, systems.Filter{}) {
			if entry := w.Entry(e); entry.HasComponent(components.Velocity) { // keep them fast
				if v, ok := velocity(entry).Normalized(); ok {
					components.Velocity.Get(entry).Linear = v.Scale(20)
				}
			}
		}
		p.Step(w)
	}
	if p.Stats().Jammed == 0 {
		t.Fatal("no bodies are jammed")
	}
	got := p.Check(w)
	if !slices.ContainsFunc(got, func(f systems.Finding) bool {
		return f.Kind == systems.ExhaustedBudgets && f.Entity != donburi.Null && f.Field == "Config.MaxImpacts"
	}) {
		t.Errorf("got %v, want exhausted budgets", got)
	}
}

func TestCheckChangesNothing(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	run := func(checks bool) (all []collide.Vec3) {
		w := donburi.NewWorld()
		balls := gas(w, 100)
		p := systems.NewPhysics(checkConfig)
		for range 60 {
			if checks {
				p.Check(w)
			}
			p.Step(w)
			for hit := range p.Impacts() {
				all = append(all, hit.Point)
			}
		}
		return append(all, states(balls)...)
	}
	if with, without := run(true), run(false); !slices.Equal(with, without) {
		t.Error("a world that is checked moves differently")
	}
}

// A lift has no mass, so a heavy ball on it is no large ratio.
func TestCheckFindsNoMassRatioBetweenABallAndALift(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(checkConfig)
	components.CreateBox(w, vec(0, -1, 0), vec(5, 1, 5), components.Velocity)
	components.Body.Get(components.CreateBall(w, vec(0, 1, 0), 1)).Mass = 5000
	for range 60 {
		p.Step(w)
	}
	if got := p.Check(w); len(got) > 0 {
		t.Errorf("got %v", got)
	}
}

func TestCheckReturnsAFewOfManyEqualFindings(t *testing.T) {
	w := donburi.NewWorld()
	for range 100 {
		spawn(w, at(0, 0, 0), moving(0, 0, 0))
	}
	if got := systems.NewPhysics(checkConfig).Check(w); len(got) != 8 {
		t.Errorf("got %d findings, want 8", len(got))
	}
}

func TestCheckFindsNothingInWorldsThatAreRight(t *testing.T) {
	for name, c := range map[string]struct {
		config systems.Config
		build  func(w donburi.World)
	}{
		"empty": {checkConfig, func(donburi.World) {}},
		"a gas": {systems.Config{}, func(w donburi.World) { gas(w, 200) }},
		"a heap on a floor": {checkConfig, func(w donburi.World) {
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			for k := range 40 {
				ball(w, vec(float64(k%4)*1.05, 0.5+1.1*float64(k/4), 0), vec(0, 0, 0), 0.5, rough(0.4))
			}
		}},
		"a lift that a leader without a collider moves": {checkConfig, func(w donburi.World) {
			leader := spawn(w, at(0, 0, 0), moving(0, 1, 0))
			spawn(w, at(0, 0, 0), square(1), components.KinematicGroupData{Leader: leader.Entity()})
		}},
		"shots that ignore their owner": {checkConfig, func(w donburi.World) {
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			ball(w, vec(0, 2, 0), vec(0, 0, 0), 0.5, components.CollisionFilterData{Layers: 2})
			ball(w, vec(0, 2, 0), vec(9, 0, 0), 0.1, components.CollisionFilterData{Layers: 8, Mask: 1 | 4})
			ball(w, vec(0, 4, 0), vec(9, 0, 0), 0.1, components.CollisionFilterData{Disabled: true})
		}},
		"a 2D game in pixels": {
			systems.Config{Gravity: collide.Vec2(0, 900), LengthUnit: 90}, func(w donburi.World) {
				components.CreateWall2D(w, collide.Vec2(0, 400), collide.Vec2(640, 400))
				components.CreateCircle2D(w, collide.Vec2(100, 380), 12, components.Sliding)
				components.CreateSensor(w, collide.Vec2(100, 380), 30)
			},
		},
	} {
		w := donburi.NewWorld()
		c.build(w)
		p := systems.NewPhysics(c.config)
		for tick := range 90 {
			if tick%30 == 0 {
				if got := p.Check(w); len(got) > 0 {
					t.Errorf("%s, tick %d: got %v", name, tick, got)
				}
			}
			p.Step(w)
		}
	}
}

func TestCheckFindsThatSomethingElseMovesCrates(t *testing.T) {
	w, p := newCrateWorld()
	crate := components.CreateCrate(w, vec(0, 9, 0), crateHalf)
	components.Velocity.Get(crate).Linear = vec(3, 0, 0)
	p.Step(w)
	x := &components.Transform.Get(crate).Position
	*x = x.AddScaled(tick, components.Velocity.Get(crate).Linear)
	if all := p.Check(w); len(all) != 1 || all[0].Kind != systems.SeveralPhysics {
		t.Errorf("got %v, want that two things move the crate", all)
	}
}
