package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// den is a world with piles that sleep, in which now and then something happens.
type den struct {
	w       donburi.World
	game    *ecs.ECS
	p       *systems.Physics
	r       *rand.Rand
	entries []*donburi.Entry
	open    map[systems.Pair]int
	slept   int
	solid   bool // there are no sensors
}

func newDen(seed uint64, config systems.Config, solid bool) *den {
	d := &den{solid: solid, w: donburi.NewWorld(), r: rand.New(rand.NewPCG(seed, 77)), open: map[systems.Pair]int{}}
	d.game, d.p = ecs.NewECS(d.w), systems.NewPhysics(config)
	for _, n := range []struct{ x, z float64 }{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		d.entries = append(d.entries, wall(d.w, vec(-4*n.x, 0, -4*n.z), vec(n.x, 0, n.z), grippy))
	}
	d.entries = append(d.entries, wall(d.w, vec(0, 0, 0), vec(0, 1, 0), grippy))
	d.entries = append(d.entries, spawn(d.w, at2(2, 0), square(0.5)))
	for k := range 6 {
		x := float64(k)*1.2 - 3
		tile := square(0.5)
		for i := range tile.Points {
			tile.Points[i] = tile.Points[i].Add(vec(0, 0.3, 0))
		}
		d.entries = append(d.entries, spawn(d.w, at(x, 0, 2.5), tile, grippy))
	}
	d.entries = append(d.entries, spawn(d.w, at(-2, 0.5, -2), sphere(0.5), grippy))
	for range 40 {
		d.spawn()
	}
	return d
}

func (d *den) spawn() {
	r := d.r
	e := ball(d.w, vec(r.Float64()*7-3.5, 0.6+r.Float64()*2, r.Float64()*7-3.5), vec(0, 0, 0), 0.15+0.2*r.Float64(), components.BodyData{Mass: 1})
	if r.IntN(3) > 0 {
		e.AddComponent(components.Material)
		set(e, frictionPart{Dynamic: 0.4, Static: 0.5, Rolling: 0.02, Spinning: 0.02})
	}
	if r.IntN(2) > 0 {
		e.AddComponent(components.AngularVelocity)
	}
	if r.IntN(8) == 0 {
		components.Body.Get(e).Weightless = true
	}
	if r.IntN(12) == 0 {
		e.AddComponent(components.Sliding)
	}
	if r.IntN(12) == 0 {
		if !e.HasComponent(components.Material) {
			e.AddComponent(components.Material)
		}
		set(e, bouncy(1))
	}
	if r.IntN(12) == 0 && !d.solid {
		e.AddComponent(components.Sensor)
	}
	if r.IntN(12) == 0 && !d.solid { // what is kinematic goes through walls
		components.Body.Get(e).Kind = components.Kinematic
	}
	d.entries = append(d.entries, e)
}

// act does something to something. With gentle it puts nothing into anything.
func (d *den) act(gentle bool) {
	r := d.r
	at := r.IntN(len(d.entries))
	e, kind, x := d.entries[at], r.IntN(24), r.Float64()
	v := vec(r.Float64()*2-1, r.Float64()*2-1, r.Float64()*2-1)
	toggle := func(c donburi.IComponentType) {
		if e.HasComponent(c) {
			e.RemoveComponent(c)
		} else {
			e.AddComponent(c)
		}
	}
	round := e.HasComponent(components.SphereCollider)
	moves := round && e.HasComponent(components.Velocity)
	switch {
	case kind == 0 && round:
		e.Remove()
		d.entries = slices.Delete(d.entries, at, at+1)
		if !gentle {
			d.spawn()
		}
	case kind == 1 && moves:
		components.Velocity.SetValue(e, moving(3*v.X, 3*v.Y, 3*v.Z))
	case kind == 2 && moves:
		components.Velocity.SetValue(e, moving(0, 0, 0))
	case kind == 3 && moves:
		components.Velocity.SetValue(e, moving(math.Copysign(0, -1), 0, 0))
	case kind == 4 && e.HasComponent(components.AngularVelocity):
		components.AngularVelocity.Get(e).Angular = v.Scale(20)
	case kind == 5 && e.HasComponent(components.Body):
		components.Body.Get(e).Mass = 0.1 + 5*x
	case kind == 6 && e.HasComponent(components.Body):
		components.Body.Get(e).NeverSleep = !components.Body.Get(e).NeverSleep
	case kind == 7 && e.HasComponent(components.Body):
		components.Body.Get(e).GravityScale = 2 * x
	case kind == 8 && e.HasComponent(components.Body):
		components.Body.Get(e).Weightless = !components.Body.Get(e).Weightless
	case kind == 9 && moves:
		toggle(components.Force)
		if e.HasComponent(components.Force) {
			components.Force.Get(e).Force = v.Scale(10)
		}
	case kind == 10 && moves:
		toggle(components.AngularVelocity)
	case kind == 11:
		toggle(components.Material)
	case kind == 12 && e.HasComponent(components.Material):
		components.Material.Get(e).Friction = 0.4 * x
	case kind == 13 && round && moves:
		components.SphereCollider.Get(e).Radius *= 0.9 + 0.1*x
	case gentle:
	case kind == 14 && round:
		components.Transform.Get(e).Position = vec(4*v.X, 1+v.Y, 4*v.Z)
	case kind == 15 && round:
		components.Transform.Get(e).Position = position(e).AddScaled(1e-3, v)
	case kind == 16 && round:
		components.SphereCollider.Get(e).Radius = 0.15 + 0.2*x
	case kind == 17:
		toggle(components.Sensor)
		if e.HasComponent(components.PolygonCollider) {
			toggle(components.Sensor)
		}
	case kind == 18:
		toggle(components.CollisionFilter)
		if e.HasComponent(components.CollisionFilter) {
			components.CollisionFilter.SetValue(e, components.CollisionFilterData{Layers: 1 << r.IntN(2), Mask: uint32(1 + r.IntN(3))})
		}
	case kind == 19 && !round && e.HasComponent(components.PolygonCollider):
		components.Transform.Get(e).Position = position(e).AddScaled(0.02, vec(0, v.Y, 0))
	case kind == 20 && e.HasComponent(components.Body) && moves:
		components.Body.Get(e).Kind = components.BodyKind(r.IntN(3))
	case kind == 21 && moves && r.IntN(3) == 0:
		toggle(components.Velocity)
	case kind == 22 && !round && r.IntN(4) == 0:
		toggle(components.SurfaceVelocity)
		if e.HasComponent(components.SurfaceVelocity) {
			components.SurfaceVelocity.Get(e).Linear = v
		}
	case kind == 23 && !round:
		e.Remove()
		d.entries = slices.Delete(d.entries, at, at+1)
		d.entries = append(d.entries, spawn(d.w, at2(v.X*3, v.Z*3), square(0.5)))
	}
}

func at2(x, z float64) components.TransformData { return at(x, 0.2, z) }

func (d *den) step(gentle bool) {
	r := d.r
	quiet := r.IntN(3) > 0 || gentle
	switch what := r.IntN(12); {
	case quiet || what > 3:
		d.p.Step(d.w)
	case what == 0:
		d.p.Sync(d.w)
		d.p.Step(d.w)
	case what == 1:
		d.p.Broadphase(d.game)
		pairs := slices.Collect(d.p.Candidates())
		d.p.Sweep(d.game)
		if len(pairs) > 0 {
			k := pairs[r.IntN(len(pairs))]
			d.p.Veto(k.A, k.B)
		}
		d.p.Response(d.game)
	case what == 2:
		d.p.Broadphase(d.game)
		d.p.Veto(d.entries[r.IntN(len(d.entries))].Entity(), d.entries[r.IntN(len(d.entries))].Entity())
		d.p.Veto(d.entries[4].Entity(), d.entries[r.IntN(len(d.entries))].Entity())
		d.p.Response(d.game)
	case what == 3:
		d.p.Broadphase(d.game)
		d.act(gentle)
		d.p.Step(d.w)
	}
	d.slept += d.p.Stats().Asleep
}

func (d *den) state() (all []string) {
	e := eventsOf(d.p)
	all = append(all, fmt.Sprint(e.begins), fmt.Sprint(e.ends), fmt.Sprint(e.impacts))
	for _, e := range d.entries {
		line := fmt.Sprint(e.Entity(), *components.Transform.Get(e))
		if e.HasComponent(components.Velocity) {
			line += fmt.Sprint(velocity(e))
		}
		if e.HasComponent(components.AngularVelocity) {
			line += fmt.Sprint(spinOf(e))
		}
		all = append(all, line, fmt.Sprint(slices.Sorted(d.p.Touching(e.Entity()))))
	}
	return all
}

// tell fails where a contact has begun twice by the end of a step, or ended without having begun.
func (d *den) tell(t *testing.T, step int) {
	t.Helper()
	count := func(e systems.ContactEnd, n int) {
		if !e.Sensor {
			d.open[systems.Pair{A: min(e.A, e.B), B: max(e.A, e.B)}] += n
		}
	}
	for e := range d.p.ContactBegins() {
		count(systems.ContactEnd{A: e.A, B: e.B, Sensor: e.Sensor}, 1)
	}
	for e := range d.p.ContactEnds() {
		count(e, -1)
	}
	for pair, n := range d.open {
		if n < 0 || n > 1 {
			t.Fatalf("step %d: %v has begun %d times more than it has ended", step, pair, n)
		}
		if n == 0 {
			delete(d.open, pair)
		}
	}
}

// Whatever the game does, contacts that begin also end, whether islands sleep or not, and where nothing may sleep nothing does.
func TestSleepLosesNoEvent(t *testing.T) {
	slow.Skip(t, slow.Sequential, "one goroutine, and TestSameBitsEverywhere compares the bits")
	for seed := range uint64(fewer(30)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			config := systems.Config{Gravity: vec(0, -earth, 0)}
			awake := config
			awake.NoSleeping = true
			a, b := newDen(seed, config, false), newDen(seed, awake, false)
			for step := range 700 {
				rare := 20
				if step%200 < 100 {
					rare = 3
				}
				for _, d := range []*den{a, b} {
					if step > 60 && d.r.IntN(rare) == 0 {
						d.act(false)
					}
					d.step(false)
					d.tell(t, step)
				}
			}
			if b.slept > 0 {
				t.Error("something sleeps that mustn't")
			}
			if a.slept == 0 {
				t.Error("nothing ever sleeps")
			}
		})
	}
}

// Whatever the game does but for putting things into each other, nothing is ever inside anything.
func TestNothingThatRestsIsEverInsideAnything(t *testing.T) {
	for seed := range uint64(fewer(30)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			config := systems.Config{Gravity: vec(0, -earth, 0)}
			if seed%4 == 3 {
				config.Gravity = vec(0, 0, 0)
			}
			d := newDen(seed, config, true)
			j := newJudge()
			for range 300 { // until those are apart that have begun in each other
				d.p.Step(d.w)
			}
			clean := false
			for step := range 700 {
				if d.r.IntN(6) == 0 {
					d.act(true)
				}
				d.step(true)
				deep := j.overlap(d.w)
				if clean && deep > deepest {
					t.Fatalf("step %d: %.3g of a radius inside", step, deep)
				}
				clean = deep <= deepest
			}
			if !clean {
				t.Error("never apart")
			}
		})
	}
}

// A body that is locked along the way down touches what is under it, which neither can do anything about. That kept it awake, and all that lay on it.
func TestWhatLiesOnALockedBallFallsAsleep(t *testing.T) {
	for _, locked := range []components.Axes{components.AxisY, components.AxisX | components.AxisY | components.AxisZ} {
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0))
		low := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5, components.BodyData{Locked: locked})
		high := ball(w, vec(0, 1.5, 0), vec(0, 0, 0), 0.5)
		p := onEarth()
		steps(t, w, p, 60)
		if !p.Asleep(low.Entity()) || !p.Asleep(high.Entity()) {
			t.Errorf("locked along %v: asleep %v and %v, want both", locked, p.Asleep(low.Entity()), p.Asleep(high.Entity()))
		}
	}
}

// What became a sensor went on carrying what lay on it.
func TestASensorCarriesNothing(t *testing.T) {
	for _, moves := range []bool{false, true} {
		w := donburi.NewWorld()
		var low *donburi.Entry
		if moves {
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			low = ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5)
		} else {
			low = w.Entry(w.Create(components.Transform, components.SphereCollider))
			components.Transform.Get(low).Position = vec(0, 0.5, 0)
		}
		high := ball(w, vec(0, 1.5, 0), vec(0, 0, 0), 0.5)
		p := onEarth()
		steps(t, w, p, 90)
		low.AddComponent(components.Sensor)
		for range 15 {
			p.Step(w)
		}
		if y := position(high).Y; !(y < 1.3) {
			t.Errorf("moving %v: a ball on a sensor is at %v, want it to fall", moves, y)
		}
	}
}
