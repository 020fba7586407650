package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// disturbances is what can happen to a pile that sleeps: each to the balls, the last of which lies apart on the floor, and to the floor.
var disturbances = []struct {
	name string
	do   func(w donburi.World, balls []*donburi.Entry, floor *donburi.Entry)
}{
	{"nothing", func(donburi.World, []*donburi.Entry, *donburi.Entry) {}},
	{"a ball is shot into it", func(w donburi.World, balls []*donburi.Entry, _ *donburi.Entry) {
		ball(w, vec(-6, 0.6, 0.1), vec(40, 0, 0), 0.2, bouncy(0.5))
	}},
	{"a ball is laid on it, with a breath of a speed", func(w donburi.World, balls []*donburi.Entry, _ *donburi.Entry) {
		ball(w, vec(0.1, 4, 0), vec(0, -1e-3, 0), 0.2, components.BodyData{Weightless: true})
	}},
	{"the floor is removed", func(w donburi.World, _ []*donburi.Entry, floor *donburi.Entry) { w.Remove(floor.Entity()) }},
	{"the floor is lowered", func(_ donburi.World, _ []*donburi.Entry, floor *donburi.Entry) {
		components.Transform.Get(floor).Position.Y -= 0.25
	}},
	{"the floor is lowered by a hair", func(_ donburi.World, _ []*donburi.Entry, floor *donburi.Entry) {
		components.Transform.Get(floor).Position.Y -= 1e-5
	}},
	{"the floor begins to move", func(_ donburi.World, _ []*donburi.Entry, floor *donburi.Entry) {
		donburi.Add(floor, components.Velocity, &components.VelocityData{Linear: vec(0, -0.1, 0)})
	}},
	{"the floor begins to run", func(_ donburi.World, _ []*donburi.Entry, floor *donburi.Entry) {
		donburi.Add(floor, components.SurfaceVelocity, &components.SurfaceVelocityData{Linear: vec(1, 0, 0)})
	}},
	{"the floor becomes smooth", func(_ donburi.World, balls []*donburi.Entry, floor *donburi.Entry) {
		set(floor, frictionPart{Combine: components.CombineMin})
	}},
	{"the floor lets some through", func(_ donburi.World, balls []*donburi.Entry, floor *donburi.Entry) {
		donburi.Add(balls[0], components.CollisionFilter, &components.CollisionFilterData{Layers: 2, Mask: 2})
	}},
	{"a ball at the bottom is removed", func(w donburi.World, balls []*donburi.Entry, _ *donburi.Entry) { w.Remove(balls[0].Entity()) }},
	{"a ball at the bottom is moved away", func(_ donburi.World, balls []*donburi.Entry, _ *donburi.Entry) {
		components.Transform.Get(balls[0]).Position = vec(20, 5, 0)
	}},
	{"the one apart is moved into it", func(_ donburi.World, balls []*donburi.Entry, _ *donburi.Entry) {
		components.Transform.Get(balls[len(balls)-1]).Position = position(balls[1]).Add(vec(0.1, 0.1, 0))
	}},
	{"a ball shrinks", func(_ donburi.World, balls []*donburi.Entry, _ *donburi.Entry) {
		components.SphereCollider.Get(balls[0]).Radius *= 0.9
	}},
	{"a ball grows heavier", func(_ donburi.World, balls []*donburi.Entry, _ *donburi.Entry) {
		components.Body.Get(balls[len(balls)-2]).Mass *= 50
	}},
	{"a ball loses its weight", func(_ donburi.World, balls []*donburi.Entry, _ *donburi.Entry) {
		components.Body.Get(balls[0]).GravityScale = -0.5
	}},
	{"the gravity of all turns round", func(_ donburi.World, balls []*donburi.Entry, _ *donburi.Entry) {
		for _, b := range balls {
			components.Body.Get(b).GravityScale = -1
		}
	}},
	{"a ball is kicked", func(_ donburi.World, balls []*donburi.Entry, _ *donburi.Entry) {
		components.Velocity.SetValue(balls[3], moving(1, 2, 3))
	}},
	{"a ball is pushed", func(_ donburi.World, balls []*donburi.Entry, _ *donburi.Entry) {
		donburi.Add(balls[3], components.Force, &components.ForceData{Force: vec(30, 0, 0)})
	}},
	{"the one apart is spun", func(_ donburi.World, balls []*donburi.Entry, _ *donburi.Entry) {
		components.AngularVelocity.SetValue(balls[len(balls)-1], turning(0, 0, 30))
	}},
	{"a static ball appears in it", func(w donburi.World, balls []*donburi.Entry, _ *donburi.Entry) {
		p := position(balls[2]).Add(vec(0.15, 0.15, 0))
		spawn(w, at(p.X, p.Y, p.Z), sphere(0.2))
	}},
	{"a kinematic ball comes", func(w donburi.World, _ []*donburi.Entry, _ *donburi.Entry) {
		ball(w, vec(-3, 0.3, 0), vec(2, 0, 0), 0.3, components.BodyData{Kind: components.Kinematic})
	}},
}

// A world in which islands sleep is compared with one in which nothing ever does, and with one in which half the balls don't. Up to the first disturbance of
// what sleeps the three have the same bits. From then on they may differ: a sleeping island keeps the impulses with which it fell asleep, while those of one
// that is awake go on converging, and whether a body begins a step with the mean or the final velocity of its solution (half a step of gravity, 1.4 mm) may
// depend on them. A few steps later all balls are still nearly in the same places, so nothing has slept on that should have woken.
func TestSleepChangesNothingButTheLastDigits(t *testing.T) {
	slow.Skip(t, slow.Sequential, "one goroutine, and TestSameBitsEverywhere compares the bits")
	for k, c := range disturbances {
		if testing.Short() && k%4 != 1 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			const (
				twins   = 3
				settles = 600 // steps until all sleep
				near    = 6   // steps after the disturbance in which all stay near each other
				apart   = 0.01
			)
			var (
				p     [twins]*systems.Physics
				w     [twins]donburi.World
				balls [twins][]*donburi.Entry
				floor [twins]*donburi.Entry
				slept [twins]int
			)
			for k := range twins {
				p[k] = systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0), NoSleeping: k == 1})
				w[k] = donburi.NewWorld()
				balls[k] = pouredInto(w[k], 12, 3, []any{grippy}, grippy, turning(0, 0, 0))
				for _, e := range worldWalls(w[k]) {
					if components.PlaneCollider.Get(e).Normal == vec(0, 1, 0) {
						floor[k] = e
					} else { // the one apart lies outside of the bin
						donburi.Add(e, components.CollisionFilter, &components.CollisionFilterData{Layers: 1, Mask: 1})
					}
				}
				balls[k] = append(balls[k], ball(w[k], vec(0, 0.25, 8), vec(0, 0, 0), 0.25, components.BodyData{Mass: 1}, grippy, turning(0, 0, 0), components.CollisionFilterData{Layers: 2, Mask: math.MaxUint32}))
				if k == 2 {
					for _, b := range balls[k][:6] {
						components.Body.Get(b).NeverSleep = true
					}
				}
			}
			for step := range settles + near {
				if step == settles {
					if p[0].Stats().Asleep < len(balls[0]) {
						t.Errorf("after %d steps %d of %d balls are asleep, want all", step, p[0].Stats().Asleep, len(balls[0]))
					}
					for k := range twins {
						c.do(w[k], balls[k], floor[k])
					}
				}
				for k := range twins {
					p[k].Step(w[k])
					expectNoErrors(t, p[k])
					slept[k] += p[k].Stats().Asleep
				}
				for i, b := range balls[0] {
					for k := 1; k < twins; k++ {
						other := balls[k][i]
						if !b.Valid() && !other.Valid() {
							continue
						}
						same := position(b) == position(other) && velocity(b) == velocity(other) && spinOf(b) == spinOf(other) &&
							components.Transform.Get(b).Rotation == components.Transform.Get(other).Rotation
						if step < settles && !same || !(position(b).Distance(position(other)) <= apart) {
							t.Fatalf("step %d: ball %d of twin %d: got %v %v %v, want %v %v %v", step, i, k,
								position(other), velocity(other), spinOf(other), position(b), velocity(b), spinOf(b))
						}
					}
				}
			}
			if slept[1] > 0 {
				t.Fatalf("%d slept where nothing may", slept[1])
			}
			if slept[2] >= slept[0] {
				t.Errorf("%d slept in all, as many as %d where half may not", slept[0], slept[2])
			}
			for _, b := range balls[2][:6] {
				if b.Valid() && p[2].Asleep(b.Entity()) {
					t.Error("one that never sleeps is asleep")
				}
			}
		})
	}
}

// What is kept awake is awake, and what touches it is as well: it can't be said to be at rest before that one is.
func TestAsleepSaysWhatSleeps(t *testing.T) {
	w := donburi.NewWorld()
	floor := wall(w, vec(0, 0, 0), vec(0, 1, 0))
	sleeper := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5)
	awake := ball(w, vec(5, 0.5, 0), vec(0, 0, 0), 0.5, components.BodyData{NeverSleep: true})
	flying := ball(w, vec(10, 0.5, 0), vec(0, 0, 0), 0.5, components.BodyData{Weightless: true})
	components.Velocity.SetValue(flying, moving(0, 1, 0))
	p := onEarth()
	steps(t, w, p, 300)
	for name, c := range map[string]struct {
		e    *donburi.Entry
		want bool
	}{"one at rest": {sleeper, true}, "one that never sleeps": {awake, false}, "one that flies": {flying, false}, "a floor": {floor, false}} {
		if got := p.Asleep(c.e.Entity()); got != c.want {
			t.Errorf("%s: asleep: got %v, want %v", name, got, c.want)
		}
	}
	if got := p.Stats().Asleep; got != 1 {
		t.Errorf("got %d asleep, want 1", got)
	}
	components.Velocity.SetValue(sleeper, moving(0, 3, 0))
	steps(t, w, p, 1)
	if p.Asleep(sleeper.Entity()) {
		t.Error("what is kicked sleeps on")
	}
	p.Step(donburi.NewWorld())
	if p.Asleep(sleeper.Entity()) {
		t.Error("what is in no world sleeps")
	}
}

// A pile that sleeps doesn't change a bit, and costs no impacts.
func TestAPileThatSleepsDoesNothing(t *testing.T) {
	w := donburi.NewWorld()
	balls := pouredInto(w, 30, 5, []any{rough(0.4)}, rough(0.4))
	p := onEarth()
	steps(t, w, p, 900)
	if got := p.Stats().Asleep; got != len(balls) {
		t.Errorf("got %d asleep, want %d", got, len(balls))
	}
	staysToTheBit(t, w, p, 60, balls...)
	if s := p.Stats(); s.Impacts+s.Sweeps > 0 {
		t.Errorf("a step of what sleeps has %d impacts and %d sweeps", s.Impacts, s.Sweeps)
	}
}
