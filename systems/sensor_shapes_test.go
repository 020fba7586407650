package systems_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// sensorShapes are sensors at x = 10 that reach from x = 8 to x = 12 at y = 0 and z = 0.
func sensorShapes() map[string][]any {
	hull, err := collide.NewHull([]collide.Vec3{
		vec(-2, -2, -2), vec(2, -2, -2), vec(2, 2, -2), vec(-2, 2, -2),
		vec(-2, -2, 2), vec(2, -2, 2), vec(2, 2, 2), vec(-2, 2, 2),
	})
	if err != nil {
		panic(err)
	}
	shape := func(s collide.Shape) components.ShapeColliderData { return components.ShapeColliderData{Shape: s} }
	return map[string][]any{
		"sphere":        {at(10, 0, 0), sphere(2)},
		"sphere shape":  {at(9, 0, 0), shape(collide.Sphere{Center: vec(1, 0, 0), Radius: 2})},
		"box":           {at(10, 0, 0), shape(collide.Box{Half: vec(2, 2, 2)})},
		"aabb":          {at(10, 0, 0), shape(collide.AABB{Min: vec(-2, -1, -3), Max: vec(2, 3, 3)})},
		"hull":          {at(10, 0, 0), shape(hull)},
		"cylinder":      {at(10, 0, 0), shape(collide.Cylinder{A: vec(-2, 0, 0), B: vec(2, 0, 0), Radius: 3})},
		"capsule shape": {at(10, 0, 0), shape(collide.Capsule{A: vec(-1, 0, 0), B: vec(1, 0, 0), Radius: 1})},
		"capsule":       {at(10, 0, 0), components.CapsuleColliderData{A: vec(0, -3, 0), B: vec(0, 3, 0), Radius: 2}},
	}
}

// Everything that moves triggers a sensor of any shape: balls, crates, players, lifts and doors.
// The visitors have a half width of 1/2 and move from x = 0 at 4 m/s.
func TestAnythingThatMovesEntersAndLeavesASensorOfAnyShape(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	kinematic := components.BodyData{Kind: components.Kinematic}
	box := components.ShapeColliderData{Shape: collide.Box{Half: vec(0.5, 0.5, 0.5)}}
	upright := collide.Capsule{A: vec(0, -0.4, 0), B: vec(0, 0.4, 0), Radius: 0.5}
	door := components.PolygonColliderData{Points: []collide.Vec3{
		vec(0.5, -1, -1), vec(0.5, 1, -1), vec(0.5, 1, 1), vec(0.5, -1, 1),
	}}
	w := donburi.NewWorld()
	player := *components.CharacterController.Get(components.CreateCharacter(w, vec(0, 0, 0), 0.5, 2))
	player.Mode, player.DesiredVelocity, player.Acceleration = components.Floating, vec(4, 0, 0), inf
	visitors := map[string][]any{
		"ball":           {at(0, 0, 0), moving(4, 0, 0), sphere(0.5)},
		"kinematic ball": {at(0, 0, 0), moving(4, 0, 0), sphere(0.5), kinematic},
		"crate":          {at(0, 0, 0), moving(4, 0, 0), box, components.BodyData{}},
		"lift":           {at(0, 0, 0), moving(4, 0, 0), box, kinematic},
		"kinematic capsule": {
			at(0, 0, 0), moving(4, 0, 0),
			components.CapsuleColliderData{A: upright.A, B: upright.B, Radius: upright.Radius},
			kinematic,
		},
		"door": {at(0, 0, 0), moving(4, 0, 0), door, kinematic},
		"compound": {at(0, 0, 0), moving(4, 0, 0), components.ShapeColliderData{Parts: []components.ShapePart{
			{Shape: collide.Box{Half: vec(0.3, 0.5, 0.5)}, Position: vec(-0.2, 0, 0)},
			{Shape: collide.Box{Half: vec(0.3, 0.1, 0.1)}, Position: vec(0.2, 0, 0)},
		}}, kinematic},
		"walking capsule": {
			at(0, 0, 0), moving(0, 0, 0), player,
			components.CapsuleColliderData{A: upright.A, B: upright.B, Radius: upright.Radius},
		},
		"walking box":    {at(0, 0, 0), moving(0, 0, 0), player, box},
		"walking sphere": {at(0, 0, 0), moving(0, 0, 0), player, sphere(0.5), kinematic},
	}
	for name, sensor := range sensorShapes() {
		for who, visitor := range visitors {
			enter, leave := 7.5/4, 12.5/4
			if who == "door" {
				leave = 11.5 / 4 // it is flat
			}
			for _, seconds := range []float64{tick, 0.1, 1, 5} {
				w := donburi.NewWorld()
				goal := spawn(w, append(slices.Clone(sensor), components.SensorData{})...)
				e := spawn(w, visitor...)
				p := systems.NewPhysics(systems.Config{StepSeconds: seconds})
				var entered, left []float64
				now := 0.0
				for ; now < 5; now += seconds {
					p.Step(w)
					last := 0.0
					for c := range p.ContactBegins() {
						if c.A != e.Entity() || c.B != goal.Entity() || !c.Sensor || c.Time < last ||
							!c.Point.IsFinite() {
							t.Errorf("%s in %s: begin %+v, want the visitor first and Sensor", who, name, c)
						}
						entered, last = append(entered, now+c.Time), c.Time
					}
					for c := range p.ContactEnds() {
						if c.A != e.Entity() || c.B != goal.Entity() || !c.Sensor {
							t.Errorf("%s in %s: end %+v, want the visitor first and Sensor", who, name, c)
						}
						left = append(left, now+c.Time)
					}
					in := len(entered) > len(left)
					if slices.Contains(slices.Collect(p.Touching(goal.Entity())), e.Entity()) != in ||
						slices.Contains(slices.Collect(p.Touching(e.Entity())), goal.Entity()) != in {
						t.Errorf("%s in %s: Touching doesn't agree with the events", who, name)
					}
					for range p.Contacts(goal.Entity()) {
					}
					if n := len(slices.Collect(p.Impacts())); n > 0 {
						t.Errorf("%s in %s: a sensor stopped it", who, name)
					}
				}
				expectNoErrors(t, p)
				if x := position(e).X; !near(x, 4*now, 1e-9) {
					t.Errorf("%s in %s: it is at %v, want %v", who, name, x, 4*now)
				}
				if len(entered) != 1 || !near(entered[0], enter, 1e-9) ||
					len(left) != 1 || !near(left[0], leave, 1e-9) {
					t.Errorf("%s in %s, steps of %v: enters at %v and leaves at %v, want %v and %v",
						who, name, seconds, entered, left, enter, leave)
				}
			}
		}
	}
}

// Sensors and visitors of all shapes that move, bounce, walk, are moved by the game and come to
// rest: after each step, those are in a sensor that overlap it, and each entry has one exit.
func TestSensorsOfAnyShapeKnowWhatOverlapsThem(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	box := collide.Box{Half: vec(0.4, 0.3, 0.4)}
	capsule := collide.Capsule{A: vec(0, -0.4, 0), B: vec(0, 0.4, 0), Radius: 0.3}
	kinematic := components.BodyData{Kind: components.Kinematic}
	seen := map[string]int{}
	for seed := range uint64(slow.Cases(10)) {
		r := rand.New(rand.NewPCG(seed, 16))
		anywhere := func() collide.Vec3 { return vec(r.Float64()*8-4, r.Float64()*8, r.Float64()*8-4) }
		velocity := func() components.VelocityData {
			v := anywhere().Sub(vec(0, 4, 0)).Scale(float64(r.IntN(3)) * 3)
			return components.VelocityData{Linear: v}
		}
		w := donburi.NewWorld()
		room := func(n collide.Vec3, d float64) {
			components.PlaneCollider.Get(components.CreatePlane(w, vec(0, 0, 0), n)).Distance = d
		}
		for _, n := range []collide.Vec3{
			vec(0, 1, 0), vec(1, 0, 0), vec(-1, 0, 0), vec(0, 0, 1), vec(0, 0, -1), vec(0, -1, 0),
		} {
			room(n, -5+5*max(0, n.Y)-5*max(0, -n.Y))
		}
		var sensors, visitors []donburi.Entity
		shapes := sensorShapes()
		for _, name := range slices.Sorted(maps.Keys(shapes)) {
			values := shapes[name]
			e := spawn(w, append(slices.Clone(values), components.SensorData{}, kinematic, velocity())...)
			components.Transform.Get(e).Position = anywhere()
			if r.IntN(2) == 0 {
				components.Transform.Get(e).Rotation = collide.RotationBy(anywhere())
				components.Velocity.Get(e).Linear = vec(0, 0, 0)
			}
			sensors = append(sensors, e.Entity())
		}
		shapeOf := map[donburi.Entity]collide.Convex{}
		add := func(shape collide.Convex, values ...any) {
			e := spawn(w, append([]any{at(0, 0, 0), velocity()}, values...)...)
			components.Transform.Get(e).Position = anywhere()
			visitors, shapeOf[e.Entity()] = append(visitors, e.Entity()), shape
		}
		player := *components.CharacterController.Get(components.CreateCharacter(w, vec(99, 0, 0), 0.5, 2))
		for range 3 {
			add(collide.Sphere{Radius: 0.5}, sphere(0.5), bouncy(r.Float64()))
			add(collide.Sphere{Radius: 0.5}, sphere(0.5), kinematic)
			add(capsule, components.CapsuleColliderData{A: capsule.A, B: capsule.B, Radius: capsule.Radius}, kinematic)
			add(box, components.ShapeColliderData{Shape: box}, kinematic)
			player.DesiredVelocity = anywhere().Sub(vec(0, 4, 0))
			add(capsule, components.CapsuleColliderData{A: capsule.A, B: capsule.B, Radius: capsule.Radius}, player)
			add(box, components.ShapeColliderData{Shape: box}, player)
			add(collide.Sphere{Radius: 0.5}, sphere(0.5), player, kinematic)
			if seed%2 == 0 {
				add(box, components.ShapeColliderData{Shape: box}, components.BodyData{})
			}
		}
		p := systems.NewPhysics(systems.Config{
			Gravity: vec(0, -9.8, 0), Parabolic: seed%3 == 0, Workers: 1 + int(seed%2), StepSeconds: tick,
		})
		open := map[[2]donburi.Entity]bool{}
		for n := range 90 {
			if n%20 == 19 { // the game moves something
				for _, e := range visitors {
					if r.IntN(4) == 0 {
						components.Transform.Get(w.Entry(e)).Position = anywhere()
					}
				}
			}
			p.Step(w)
			expectNoErrors(t, p)
			// A pair may enter, leave and enter in a step: the lists don't say in which order.
			count := map[[2]donburi.Entity]int{}
			for c := range p.ContactBegins() {
				if c.Sensor {
					count[[2]donburi.Entity{c.A, c.B}]++
				}
			}
			for c := range p.ContactEnds() {
				if c.Sensor {
					count[[2]donburi.Entity{c.A, c.B}]--
				}
			}
			for _, sensor := range sensors {
				touching := slices.Collect(p.Touching(sensor))
				for _, e := range visitors {
					pair := [2]donburi.Entity{e, sensor}
					in := slices.Contains(touching, e)
					if was := open[pair]; btoi(in)-btoi(was) != count[pair] {
						t.Fatalf("seed %d, step %d: in before %v, in now %v, and %d more entries than exits",
							seed, n, was, in, count[pair])
					}
					open[pair] = in
					placed := collide.NewPlaced(shapeOf[e], position(w.Entry(e)), collide.Quat{})
					gap, ok := p.Distance(placed, sensor)
					slack := 1e-8
					if b := w.Entry(e); !b.HasComponent(components.CharacterController) &&
						(!b.HasComponent(components.Body) || components.Body.Get(b).Kind == components.Dynamic) {
						slack = 0.04 // what overlaps moves apart after the events, at two radii a second
					}
					if !ok || gap < -slack && !in || gap > slack && in {
						t.Fatalf("seed %d, step %d: %v is in %v: %v, and the gap is %v",
							seed, n, w.Entry(e), w.Entry(sensor), in, gap)
					}
					if in {
						seen["in"]++
					} else {
						seen["out"]++
					}
				}
			}
		}
	}
	if seen["in"] == 0 || seen["out"] < seen["in"] {
		t.Errorf("got %v, want many of both", seen)
	}
}

// A lift in a sensor that the game makes static, a mesh or a sensor is not in it any longer. The
// contact stayed, also after the sensor had become solid.
func TestALiftThatStopsBeingOneLeavesItsSensor(t *testing.T) {
	box := components.ShapeColliderData{Shape: collide.Box{Half: vec(0.5, 0.5, 0.5)}}
	for name, change := range map[string]func(e *donburi.Entry){
		"static":   func(e *donburi.Entry) { e.RemoveComponent(components.Velocity) },
		"a mesh":   func(e *donburi.Entry) { components.ShapeCollider.Get(e).Shape = ring(12, 1, 0.5) },
		"a sensor": func(e *donburi.Entry) { e.AddComponent(components.Sensor) },
	} {
		t.Run(name, func(t *testing.T) {
			w, p := weightless()
			goal := spawn(w, at(0, 0, 0), sphere(3), components.SensorData{})
			lift := spawn(w, at(0, 1, 0), moving(0.1, 0, 0), box, components.BodyData{Kind: components.Kinematic})
			p.Step(w)
			if got := slices.Collect(p.ContactBegins()); len(got) != 1 || !got[0].Sensor {
				t.Fatalf("begins: got %+v, want the beginning of a sensor overlap", got)
			}
			change(lift)
			p.Step(w)
			want := []systems.ContactEnd{{A: lift.Entity(), B: goal.Entity(), Sensor: true}}
			if got := slices.Collect(p.ContactEnds()); !slices.Equal(got, want) {
				t.Errorf("ends: got %+v, want %+v", got, want)
			}
			if got := slices.Collect(p.Touching(goal.Entity())); len(got) > 0 {
				t.Errorf("touching: got %v, want nothing", got)
			}
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestSensorsOfAnyShapeAllocateNothing(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	w := donburi.NewWorld()
	for _, values := range sensorShapes() {
		spawn(w, append(values, components.SensorData{})...)
	}
	visitors := []*donburi.Entry{
		components.CreateCrate(w, vec(7, 0, 0), vec(0.5, 0.5, 0.5)),
		components.CreateBox(w, vec(7, 0, 0), vec(0.5, 0.5, 0.5), components.Velocity, components.Body),
		components.CreateCharacter(w, vec(7, 0, 0), 0.3, 1.8),
		components.CreateBall(w, vec(7, 0, 0), 0.5),
	}
	components.Body.Get(visitors[1]).Kind = components.Kinematic
	c := components.CharacterController.Get(visitors[2])
	c.Mode, c.Acceleration = components.Floating, inf
	for _, e := range visitors {
		e.AddComponent(components.CollisionFilter)
		set(e, components.CollisionFilterData{Layers: 2, Mask: 1})
	}
	p := systems.NewPhysics(systems.Config{})
	events, steps := 0, 0
	step := func() { // in and out, twice a second
		v := vec(8, 0, 0)
		if steps++; steps%30 >= 15 {
			v = v.Neg()
		}
		for k, e := range visitors {
			if c.DesiredVelocity = v; k != 2 {
				components.Velocity.Get(e).Linear = v
			}
		}
		p.Step(w)
		for range p.ContactBegins() {
			events++
		}
		for range p.ContactEnds() {
			events++
		}
	}
	for range 120 {
		step()
	}
	expectNoErrors(t, p)
	events = 0
	if n := testing.AllocsPerRun(60, step); n > 0 || events < 8 {
		t.Errorf("%v allocations a step, %d events", n, events)
	}
}
