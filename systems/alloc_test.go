package systems_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

func TestStepDoesNotAllocate(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	gravity := systems.Config{Gravity: vec(0, -9.81, 0)}
	shared := gravity
	shared.Workers = 2
	cases := []struct {
		name   string
		config systems.Config
		scene  func(w donburi.World)
	}{
		{"a gas of 1000 within walls", systems.Config{}, func(w donburi.World) { gas(w, 1000) }},
		{"a gas under gravity", gravity, func(w donburi.World) { gas(w, 200) }},
		{"a gas through sensors", systems.Config{}, func(w donburi.World) {
			gas(w, 200)
			for i := range 10 {
				spawn(w, at(float64(i)/3-1.5, 0, 0), sphere(0.6), components.SensorData{})
			}
			wall(w, vec(0, 0, 0), vec(1, 1, 0), components.SensorData{})
		}},
		{"bodies that slide and rest", gravity, func(w donburi.World) {
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			wall(w, vec(-50, 0, 0), vec(1, 0.2, 0))
			for i := range 200 {
				ball(w, vec(float64(i%20), 0.5+float64(i%3), float64(i/20)), vec(1, 0, 0), 0.4,
					components.SlidingData{})
			}
		}},
		{"polygons, still and moving", gravity, func(w donburi.World) {
			gas(w, 200)
			spawn(w, at(0, 0, 0), square(0.5))
			spawn(w, at(0, 1, 0), moving(0, 0.01, 0), square(0.5))
			spawn(w, at(0, 1, 0), moving(0, 0.01, 0), plane(0, -1, 0))
		}},
		{"rough spheres that roll, on a belt and a roller", gravity, func(w donburi.World) {
			wall(w, vec(0, 0, 0), vec(0, 1, 0), rough(0.5), components.SurfaceVelocityData{Linear: vec(0.1, 0, 0)})
			for i := range 200 {
				ball(w, vec(float64(i%20), 0.5+float64(i%3), float64(i/20)), vec(1, 0, 0), 0.4,
					frictionPart{Dynamic: 0.3, Static: 0.4, Rolling: 0.01, Spinning: 0.01}, turning(1, 2, 3))
			}
			ball(w, vec(0, -0.5, 0), vec(0, 0, 0), 1, components.BodyData{Kind: components.Kinematic}, turning(0, 0, 5))
		}},
		{"kinematic bodies", gravity, func(w donburi.World) {
			gas(w, 200)
			ball(w, vec(0, 0, 0), vec(0.01, 0, 0), 0.2, components.BodyData{Kind: components.Kinematic})
		}},
		{"kinematic groups", gravity, func(w donburi.World) {
			gas(w, 200)
			leader := leads(w, vec(0.01, 0, 0))
			for k := range 3 {
				spawn(w, at(float64(k), 1, 0), sphere(0.2), follows(leader))
				spawn(w, at(float64(k), 0, 0), square(0.5), follows(leader))
			}
		}},
		{"balls on a mesh, shared by workers", shared, func(w donburi.World) {
			components.CreateMesh(w, vec(-10, 0, -10), grid(t, 20, func(u, v float64) collide.Vec3 {
				return vec(20*u, 0.1*math.Sin(20*u)*math.Cos(15*v), 20*v)
			}))
			for i := range 400 {
				x := vec(float64(i%20)-9.5, 0.5, float64(i/20)-9.5)
				components.CreateBall(w, x, 0.3, components.AngularVelocity)
			}
		}},
		{"nothing", systems.Config{}, func(donburi.World) {}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := donburi.NewWorld()
			c.scene(w)
			p := systems.NewPhysics(c.config)
			for range 300 {
				p.Step(w)
			}
			expectNoErrors(t, p)
			events := 0
			if got := testing.AllocsPerRun(20, func() {
				p.Step(w)
				for range p.Impacts() {
					events++
				}
				for range p.ContactBegins() {
					events++
				}
				for range p.ContactEnds() {
					events++
				}
			}); got > 0 {
				t.Errorf("allocations a step: got %v, want 0", got)
			}
			game := newECS(w)
			three := func() {
				p.Broadphase(game)
				p.Sweep(game)
				p.Response(game)
			}
			for range 20 {
				three()
			}
			if got := testing.AllocsPerRun(20, three); got > 0 {
				t.Errorf("allocations a step by the three systems: got %v, want 0", got)
			}
		})
	}
}

// Searches for nearby bodies use other memory in a crowd than among few bodies.
func TestStepWithACrowdDoesNotAllocate(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	w := donburi.NewWorld()
	r := rand.New(rand.NewPCG(1, 2))
	some := func(x float64) float64 { return x * (2*r.Float64() - 1) }
	for range 300 {
		ball(w, vec(some(20), some(20), some(20)), vec(some(20), some(20), some(20)), 0.1, bouncy(1))
	}
	box(w, 21)
	for range 200 { // at one position; they don't collide with each other
		ball(w, vec(some(0.2), some(0.2), some(0.2)), vec(1e-3, 0, 0), 0.1,
			components.CollisionFilterData{Layers: 2, Mask: 1}, bouncy(1))
	}
	p := systems.NewPhysics(systems.Config{Workers: 1})
	for range 64 {
		p.Step(w)
	}
	if got := testing.AllocsPerRun(32, func() { p.Step(w) }); got > 0 {
		t.Errorf("got %v allocations a step, want none", got)
	}
	expectNoErrors(t, p)
}

// Invalid entities may allocate for their errors, at most a bounded amount per step.
func TestInvalidEntitiesAllocateLittle(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	w := donburi.NewWorld()
	gas(w, 100)
	for _, b := range invalidEntities {
		spawn(w, b.values...)
	}
	p := systems.NewPhysics(systems.Config{})
	for range 100 {
		p.Step(w)
	}
	got := testing.AllocsPerRun(20, func() { p.Step(w) }) / float64(len(invalidEntities))
	if got > 10 {
		t.Errorf("allocations a step for each bad entity: got %v, want at most 10", got)
	}
}

func TestQueriesAllocateLittle(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	w := donburi.NewWorld()
	one := gas(w, 1000)[0].Entity()
	p := systems.NewPhysics(systems.Config{})
	p.Step(w)
	filter := systems.Filter{Layers: 1}
	cases := []struct {
		name string
		most float64
		ask  func()
	}{
		{"RayCast", 0, func() { p.RayCast(vec(-3, 0, 0), vec(1, 0.1, 0), 10, filter) }},
		{
			"SphereCast", 0, func() {
				p.SphereCast(collide.Sphere{Center: vec(-3, 0, 0), Radius: 0.1}, vec(1, 0.1, 0), 10, filter)
			},
		},
		{
			"CapsuleCast", 1, func() {
				rod := collide.Capsule{A: vec(-3, 0, 0), B: vec(-3, 1, 0), Radius: 0.1}
				p.CapsuleCast(rod, vec(1, 0.1, 0), 10, filter)
			},
		},
		{"BoxCast", 1, func() {
			p.BoxCast(collide.Box{Center: vec(-3, 0, 0), Half: vec(0.1, 0.2, 0.3)}, vec(1, 0.1, 0), 10, filter)
		}},
		{"RayCastAll", 12, func() {
			for range p.RayCastAll(vec(-3, 0, 0), vec(1, 0, 0), 10, filter) {
			}
		}},
		{"OverlapSphere", 12, func() {
			for range p.OverlapSphere(collide.Sphere{Radius: 1}, filter) {
			}
		}},
		{"OverlapBox", 12, func() {
			for range p.OverlapBox(collide.AABB{Min: vec(-1, -1, -1), Max: vec(1, 1, 1)}, filter) {
			}
		}},
		{"Touching", 2, func() {
			for range p.Touching(one) {
			}
		}},
		{"Contacts", 2, func() {
			for range p.Contacts(one) {
			}
		}},
		{"Interpolated", 0, func() { p.Interpolated(donburi.Null) }},
	}
	for _, c := range cases {
		c.ask()
		got := testing.AllocsPerRun(50, c.ask)
		t.Logf("%s: %v allocations", c.name, got)
		if got > c.most {
			t.Errorf("%s: got %v allocations, want at most %v", c.name, got, c.most)
		}
	}
}
