package systems_test

import (
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

func TestSensorsReportWhenBodiesEnterAndLeave(t *testing.T) {
	cases := []struct {
		name    string
		sensor  []any
		visitor []any
		enter   float64
		leave   float64
	}{
		{
			"a still sphere",
			[]any{at(10, 0, 0), sphere(2), components.SensorData{}},
			[]any{at(0, 0, 0), moving(4, 0, 0), sphere(1)},
			7.0 / 4, 13.0 / 4,
		},
		{
			"off centre",
			[]any{at(10, 0, 0), sphere(4), components.SensorData{}},
			[]any{at(0, 3, 0), moving(4, 0, 0), sphere(1)},
			6.0 / 4, 14.0 / 4,
		},
		{
			"one that moves itself",
			[]any{
				at(10, 0, 0), moving(-2, 0, 0), sphere(2),
				components.BodyData{Kind: components.Kinematic},
				components.SensorData{},
			},
			[]any{at(0, 0, 0), moving(2, 0, 0), sphere(1)},
			7.0 / 4, 13.0 / 4,
		},
		{
			"one that moves to a visitor who has a velocity of 0",
			[]any{
				at(10, 0, 0), moving(-4, 0, 0), sphere(2),
				components.BodyData{Kind: components.Kinematic},
				components.SensorData{},
			},
			[]any{at(0, 0, 0), moving(0, 0, 0), sphere(1)},
			7.0 / 4, 13.0 / 4,
		},
		{
			"a kinematic visitor",
			[]any{at(10, 0, 0), sphere(2), components.SensorData{}},
			[]any{at(0, 0, 0), moving(4, 0, 0), sphere(1), components.BodyData{Kind: components.Kinematic}},
			7.0 / 4,
			13.0 / 4,
		},
		{
			"the solid side of a plane",
			[]any{at(5, 0, 0), plane(-1, 0, 0), components.SensorData{}},
			[]any{at(0, 0, 0), moving(4, 0, 0), sphere(1)},
			1, inf,
		},
		{
			"a sheet", []any{
				at(5, 0, 0),
				components.PlaneColliderData{Normal: vec(-1, 0, 0), TwoSided: true},
				components.SensorData{},
			}, []any{at(0, 0, 0), moving(4, 0, 0), sphere(1)}, 1, 1.5,
		},
		{
			"within one step",
			[]any{at(2, 0, 0), sphere(0.5), components.SensorData{}},
			[]any{at(0, 0, 0), moving(100, 0, 0), sphere(0.25)},
			1.25 / 100, 2.75 / 100,
		},
		{
			"created inside",
			[]any{at(0, 0, 0), sphere(3), components.SensorData{}},
			[]any{at(0, 0, 0), moving(4, 0, 0), sphere(1)},
			0, 1,
		},
	}
	for _, c := range cases {
		for _, seconds := range []float64{1, tick, 0.1} {
			w := donburi.NewWorld()
			sensor, visitor := spawn(w, c.sensor...), spawn(w, c.visitor...)
			p := systems.NewPhysics(systems.Config{StepSeconds: seconds})
			var enter, leave []float64
			now := 0.0
			for ; now < 5; now += seconds {
				p.Step(w)
				for e := range p.ContactBegins() {
					if e.A != visitor.Entity() || e.B != sensor.Entity() || !e.Sensor {
						t.Errorf("%s: begin: got %+v, want the visitor first and Sensor", c.name, e)
					}
					enter = append(enter, now+e.Time)
				}
				for e := range p.ContactEnds() {
					if e.A != visitor.Entity() || e.B != sensor.Entity() || !e.Sensor {
						t.Errorf("%s: end: got %+v, want the visitor first and Sensor", c.name, e)
					}
					leave = append(leave, now+e.Time)
				}
				if n := len(slices.Collect(p.Impacts())); n > 0 {
					t.Errorf("%s: a sensor stopped something", c.name)
				}
				if in, received := len(enter) > len(leave),
					slices.Contains(slices.Collect(p.Touching(sensor.Entity())), visitor.Entity()); in != received {
					t.Errorf("%s, at %v: Touching says %v, the events %v", c.name, now, received, in)
				}
			}
			expectNoErrors(t, p)
			if len(enter) != 1 || !near(enter[0], c.enter, 1e-9) {
				t.Errorf("%s, steps of %v: enters at %v, want %v", c.name, seconds, enter, c.enter)
			}
			if c.leave == inf {
				if len(leave) > 0 {
					t.Errorf("%s, steps of %v: leaves at %v, want never", c.name, seconds, leave)
				}
			} else if len(leave) != 1 || !near(leave[0], c.leave, 1e-9) {
				t.Errorf("%s, steps of %v: leaves at %v, want %v", c.name, seconds, leave, c.leave)
			}
		}
	}
}

func TestSensorsIgnoreStaticBodiesAndOtherSensors(t *testing.T) {
	w, p := weightless()
	spawn(w, at(0, 0, 0), sphere(2), components.SensorData{})
	spawn(w, at(1, 0, 0), sphere(2))
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	ball(w, vec(-10, 0, 0), vec(10, 0, 0), 1, components.SensorData{})
	ball(w, vec(0, 0, 0), vec(0, 0, 0), 1, components.CollisionFilterData{Layers: 2, Mask: 2}) // in another layer
	for range 3 {
		p.Step(w)
		if got := eventsOf(p); len(got.begins)+len(got.ends)+len(got.impacts) > 0 {
			t.Errorf("got %+v, want nothing", got)
		}
	}
}

func TestSensorThatBecomesSolidEndsItsContacts(t *testing.T) {
	w := donburi.NewWorld()
	goal := spawn(w, at(0, 0, 0), sphere(3), components.SensorData{})
	b := ball(w, vec(0, 1, 0), vec(0, 0, 0), 1)
	p := systems.NewPhysics(systems.Config{})
	p.Step(w)
	if got := slices.Collect(p.ContactBegins()); len(got) != 1 || !got[0].Sensor {
		t.Fatalf("begins: got %+v, want the beginning of a sensor overlap", got)
	}
	spawn(w, at(50, 0, 0), sphere(3)) // the archetype that the goal changes to: see docs/limits.md, Donburi
	goal.RemoveComponent(components.Sensor)
	p.Step(w)
	if got := slices.Collect(p.ContactEnds()); len(got) != 1 || !got[0].Sensor || got[0].A != b.Entity() ||
		got[0].B != goal.Entity() {
		t.Errorf("ends: got %+v, want the end of the sensor overlap", got)
	}
	for range 600 {
		p.Step(w)
	}
	if d := position(b).Distance(position(goal)); d < 4-1e-6 {
		t.Errorf("distance: got %v, want it moved out", d)
	}
}

func TestSensorContactEndsWithItsEntitiesWhenTheBodyBecomesASensor(t *testing.T) {
	w, p := weightless()
	goal := spawn(w, at(0, 0, 0), sphere(1), components.SensorData{})
	b := ball(w, vec(0, 0, 0), vec(0, 0, 0), 1)
	p.Step(w)
	b.AddComponent(components.Sensor)
	p.Sync(w)
	w.Remove(b.Entity())
	p.Step(w)
	want := []systems.ContactEnd{{A: b.Entity(), B: goal.Entity(), Sensor: true}}
	if got := slices.Collect(p.ContactEnds()); !slices.Equal(got, want) {
		t.Errorf("ends: got %+v, want %+v", got, want)
	}
}

func TestBodyThatIsMovedAwayLeavesTheSensor(t *testing.T) {
	w, p := weightless()
	goal := spawn(w, at(0, 0, 0), sphere(1), components.SensorData{})
	b := ball(w, vec(0, 0, 0), vec(0.01, 0, 0), 1)
	p.Step(w)
	components.Transform.Get(b).Position = vec(-50, 0, 0) // it still moves towards the sensor
	p.Step(w)
	if got := slices.Collect(p.ContactEnds()); len(got) != 1 || got[0].Time != 0 {
		t.Errorf("ends: got %+v, want one at the step's start", got)
	}
	if got := slices.Collect(p.Touching(goal.Entity())); len(got) > 0 {
		t.Errorf("touching: got %v, want nothing", got)
	}
	components.Transform.Get(b).Position = vec(0, 0, 0)
	p.Step(w)
	components.Transform.Get(b).Position = vec(-50, 0, 0)
	components.Velocity.Get(b).Linear = vec(100, 0, 0) // outside, and through the sensor again within the step
	p.Step(w)
	got := eventsOf(p)
	if len(got.begins) != 1 || len(got.ends) != 2 || !near(got.begins[0].Time, 0.48, 1e-9) ||
		!near(got.ends[1].Time, 0.52, 1e-9) {
		t.Errorf("through again: got %+v, want a sensor overlap from 0.48 to 0.52", got)
	}
}

// The centre of a visitor may be that of the sensor. Normals then are opposed to the visitor's
// movement.
func TestNormalOfAVisitorConcentricWithASensorIsAUnitVector(t *testing.T) {
	for _, c := range []struct{ velocity, want collide.Vec3 }{
		{vec(0, 0, 0), vec(0, 1, 0)},
		{vec(3, 0, 4), vec(-0.6, 0, -0.8)},
	} {
		w := donburi.NewWorld()
		goal := spawn(w, at(3, 4, 0), sphere(2), components.SensorData{})
		b := ball(w, vec(3, 4, 0), c.velocity, 0.5)
		p := systems.NewPhysics(systems.Config{})
		p.Step(w)
		begins := slices.Collect(p.ContactBegins())
		if len(begins) != 1 || !begins[0].Sensor || begins[0].Normal.Distance(c.want) > 1e-15 {
			t.Errorf("velocity %v: got %+v, want one with normal %v", c.velocity, begins, c.want)
		}
		components.Transform.Get(b).Position = vec(3, 4, 0)
		p.Sync(w)
		of := slices.Collect(p.Contacts(b.Entity()))
		from := slices.Collect(p.Contacts(goal.Entity()))
		if len(of) != 1 || len(from) != 1 || of[0].Normal.Distance(c.want) > 1e-15 ||
			from[0].Normal != of[0].Normal.Neg() {
			t.Errorf("velocity %v: got contacts %+v and %+v, want normal %v", c.velocity, of, from, c.want)
		}
	}
}

// The contacts of both entities are requested before a step has ended the sensor contact. That once
// was an infinite recursion.
func TestContactsOfABodyThatBecomesASensor(t *testing.T) {
	w, p := weightless()
	goal := spawn(w, at(0, 0, 0), sphere(1), components.SensorData{})
	b := ball(w, vec(0.5, 0, 0), vec(0, 0, 0), 1)
	p.Step(w)
	b.AddComponent(components.Sensor)
	p.Sync(w)
	for _, e := range []donburi.Entity{b.Entity(), goal.Entity()} {
		for c := range p.Contacts(e) {
			if !c.Sensor || !c.Point.IsFinite() {
				t.Errorf("got %+v", c)
			}
		}
	}
	p.Step(w)
	if got := slices.Collect(p.ContactEnds()); len(got) != 1 {
		t.Errorf("ends: got %+v, want one", got)
	}
}

// Kinematic things look for sensors when the step is over. They looked where sensors were then, so
// whether a fast one was found depended on cells, and on the number of workers.
func TestAFastSensorThatFliesThroughAKinematicPlateIsEnteredAndLeft(t *testing.T) {
	w := donburi.NewWorld()
	plate := components.CreateBox(w, vec(0, 0, 0), vec(1, 0.1, 1), components.Velocity, components.Body)
	components.Body.Get(plate).Kind = components.Kinematic
	sensor := ball(w, vec(0, 5, 0), vec(0, -1000, 0), 0.2, components.SensorData{})
	for k := range 50 { // a grid of many cells
		ball(w, vec(float64(k%10)*2-10, float64(k/10)*5-20, 5), vec(0, 0, 0), 0.2)
	}
	p := systems.NewPhysics(systems.Config{})
	p.Step(w)
	begun, ended := 0, 0
	for e := range p.ContactBegins() {
		if e.Sensor && near(e.Time, 4.7/1000, 1e-9) && (e.A == sensor.Entity() || e.B == sensor.Entity()) {
			begun++
		}
	}
	for e := range p.ContactEnds() {
		if e.Sensor && near(e.Time, 5.3/1000, 1e-9) {
			ended++
		}
	}
	if begun != 1 || ended != 1 {
		t.Errorf("begun %d times and ended %d times at the right time, want once each", begun, ended)
	}
}

// A character that was a sensor by mistake began a contact with itself when the game removed its
// Sensor within a step.
func TestACharacterThatWasASensorHasNoContactWithItself(t *testing.T) {
	w := donburi.NewWorld()
	game, p := ecs.NewECS(w), systems.NewPhysics(systems.Config{})
	hero := components.CreateCharacter(w, vec(0, 0, 0), 0.3, 1.8)
	hero.AddComponent(components.Sensor)
	for step := range 4 {
		p.Broadphase(game)
		if step == 1 {
			hero.RemoveComponent(components.Sensor)
		}
		p.Response(game)
		for c := range p.ContactBegins() {
			t.Errorf("step %d: a contact of %v and %v begins", step, c.A, c.B)
		}
	}
	expectNoErrors(t, p)
}
