package systems_test

import (
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

var effectCases = map[string]checkCase{
	"a crouching character that would be higher": {
		systems.NoEffect, "CharacterController.CrouchHeight", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			e := components.CreateCharacter(w, vec(0, 1, 0), 0.3, 1.6)
			components.CharacterController.Get(e).CrouchHeight = 0.9
			if wrong {
				components.CharacterController.Get(e).CrouchHeight = 1.8
			}
			return []*donburi.Entry{e}
		}, 0,
	},
	"a character that can't be less high, since it is a ball": {
		systems.NoEffect, "CharacterController.CrouchHeight", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			e := components.CreateCharacter(w, vec(0, 1, 0), 0.5, 1)
			if wrong {
				components.CharacterController.Get(e).CrouchHeight = 0.9
			}
			return []*donburi.Entry{e}
		}, 0,
	},
	"a motor without an AngularVelocity": {
		systems.NoEffect, "Motor", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			more := []donburi.IComponentType{components.Motor, components.Velocity}
			if !wrong {
				more = append(more, components.AngularVelocity)
			}
			return []*donburi.Entry{components.CreateBox(w, vec(0, 0, 0), vec(1, 1, 1), more...)}
		}, 0,
	},
	"a Force on a box without a Body": {
		systems.NoEffect, "Force.Force", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			more := []donburi.IComponentType{components.Force, components.Velocity}
			if !wrong {
				more = append(more, components.Body)
			}
			e := components.CreateBox(w, vec(0, 0, 0), vec(1, 1, 1), more...)
			components.Force.Get(e).Force.X = 1
			return []*donburi.Entry{e}
		}, 0,
	},
	"a Force on a capsule": {
		systems.NoEffect, "Force.Force", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			e := components.CreateCapsule(w, vec(0, 0, 0), vec(0, 1, 0), 1, components.Velocity, components.Force)
			if wrong {
				components.Force.Get(e).Force.X = 1
			}
			return []*donburi.Entry{e}
		}, 0,
	},
	"a Force on a kinematic ball": {
		systems.NoEffect, "Force.Force", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			e := components.CreateBall(w, vec(0, 0, 0), 1, components.Force)
			components.Force.Get(e).Force.X = 1
			if wrong {
				components.Body.Get(e).Kind = components.Kinematic
			}
			return []*donburi.Entry{e}
		}, 0,
	},
	"a Force on a character": {
		systems.NoEffect, "Force.Force", checkConfig,
		func(w donburi.World, wrong bool) []*donburi.Entry {
			e := components.CreateCharacter(w, vec(0, 0, 0), 0.3, 1.8, components.Force)
			if wrong {
				components.Force.Get(e).Force.X = 1
			}
			return []*donburi.Entry{e}
		}, 0,
	},
}

func TestCheckNamesWhatHasNoEffect(t *testing.T) { expectFindings(t, effectCases) }

func TestCheckFindsMotorsAndForcesThatDoNotWork(t *testing.T) {
	fixed := components.BodyData{Kind: components.Static}
	box := func(w donburi.World, more ...donburi.IComponentType) *donburi.Entry {
		return components.CreateBox(w, vec(0, 5, 0), vec(1, 0.1, 1), more...)
	}
	for name, scene := range map[string]struct {
		field string // "" for no finding
		build func(w donburi.World) *donburi.Entry
	}{
		"a motor that turns": {"", func(w donburi.World) *donburi.Entry {
			return box(w, components.Velocity, components.AngularVelocity, components.Motor)
		}},
		"a motor on a static box": {"Motor", func(w donburi.World) *donburi.Entry {
			e := box(w, components.Velocity, components.AngularVelocity, components.Body, components.Motor)
			components.Body.SetValue(e, fixed)
			return e
		}},
		"a motor on a static ball": {"Motor", func(w donburi.World) *donburi.Entry {
			e := components.CreateBall(w, vec(0, 5, 0), 1, components.AngularVelocity, components.Motor)
			components.Body.SetValue(e, fixed)
			return e
		}},
		"a motor on a dynamic ball": {"Motor", func(w donburi.World) *donburi.Entry {
			return components.CreateBall(w, vec(0, 5, 0), 1, components.AngularVelocity, components.Motor)
		}},
		"a motor on a kinematic ball": {"", func(w donburi.World) *donburi.Entry {
			e := components.CreateBall(w, vec(0, 5, 0), 1, components.AngularVelocity, components.Motor)
			components.Body.Get(e).Kind = components.Kinematic
			return e
		}},
		"a motor on a character": {"Motor", func(w donburi.World) *donburi.Entry {
			return components.CreateCharacter(w, vec(0, 5, 0), 0.3, 1.8, components.AngularVelocity, components.Motor)
		}},
		"a motor without a speed": {"Motor.Speed", func(w donburi.World) *donburi.Entry {
			e := box(w, components.Velocity, components.AngularVelocity, components.Motor)
			components.Motor.Get(e).Speed = 0
			return e
		}},
		"a seesaw": {"", func(w donburi.World) *donburi.Entry {
			e := box(w, components.Velocity, components.AngularVelocity, components.Motor)
			components.Motor.SetValue(e, components.MotorData{On: true, Inertia: 1})
			return e
		}},
		"a force on a box without a velocity": {"Force.Force", func(w donburi.World) *donburi.Entry {
			return box(w, components.Body, components.Force)
		}},
		"a force on a ball without a velocity": {"Force.Force", func(w donburi.World) *donburi.Entry {
			return spawn(w, at(0, 5, 0), sphere(1), components.ForceData{})
		}},
		"a force on a ball": {"", func(w donburi.World) *donburi.Entry {
			return components.CreateBall(w, vec(0, 5, 0), 1, components.Force)
		}},
	} {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
		e := scene.build(w)
		if e.HasComponent(components.Motor) {
			if d := components.Motor.Get(e); d.Inertia == 0 {
				d.High, d.On = 1, true
				if scene.field != "Motor.Speed" {
					d.Speed = 1
				}
			}
		}
		if e.HasComponent(components.Force) {
			components.Force.Get(e).Force.X = 1
		}
		p.Step(w)
		expectNoErrors(t, p)
		got := p.Check(w)
		if scene.field == "" && len(got) > 0 {
			t.Errorf("%s: got %v, want nothing", name, got)
		}
		if scene.field != "" && (len(got) != 1 || got[0].Kind != systems.NoEffect || got[0].Field != scene.field ||
			got[0].Entity != e.Entity()) {
			t.Errorf("%s: got %v, want one about %s", name, got, scene.field)
		}
	}
}
