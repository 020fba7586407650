package systems_test

import (
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

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
