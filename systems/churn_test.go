package systems_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// churn is a world in which everything changes all the time.
type churn struct {
	t     *testing.T
	w     donburi.World
	game  *ecs.ECS
	p     *systems.Physics
	r     *rand.Rand
	live  []donburi.Entity // entities that may be changed and removed
	ops   int
	open  map[systems.Pair]int // open contacts: 1, or 2 if one is a sensor contact
	alive map[donburi.Entity]bool
}

// recipes returns the components of the entities that churn creates. One entity of each archetype
// is created first and stays: see docs/limits.md, Donburi.
var recipes = []func(r *rand.Rand) []any{
	func(r *rand.Rand) []any {
		return []any{anywhere(r), anyhow(r), sphere(0.2 + r.Float64()*0.5), bouncy(0.5)}
	},
	func(r *rand.Rand) []any { return []any{anywhere(r), anyhow(r), sphere(0.4), components.SlidingData{}} },
	func(r *rand.Rand) []any { return []any{anywhere(r), sphere(1), components.SensorData{}} },
	func(r *rand.Rand) []any { return []any{anywhere(r), sphere(0.5)} },
	func(r *rand.Rand) []any { return []any{anywhere(r), square(0.7)} },
	func(r *rand.Rand) []any { return []any{anywhere(r), anyhow(r), square(0.7), components.BodyData{}} },
	func(r *rand.Rand) []any {
		return []any{anywhere(r), anyhow(r), sphere(0.6), components.BodyData{Kind: components.Kinematic}}
	},
	func(r *rand.Rand) []any {
		return []any{at(0, -9-r.Float64(), 0), components.PlaneColliderData{
			Normal:   vec(0, 1, 0),
			TwoSided: r.IntN(2) == 0,
		}, components.SensorData{}}
	},
}

func anywhere(r *rand.Rand) components.TransformData {
	return at(r.Float64()*8-4, r.Float64()*8-4, r.Float64()*8-4)
}

func anyhow(r *rand.Rand) components.VelocityData {
	return moving(r.NormFloat64()*10, r.NormFloat64()*10, r.NormFloat64()*10)
}

func newChurn(t *testing.T, seed uint64) *churn {
	w := donburi.NewWorld()
	c := &churn{
		t: t, w: w, game: ecs.NewECS(w), r: rand.New(rand.NewPCG(seed, 3)), open: map[systems.Pair]int{},
		alive: map[donburi.Entity]bool{},
		p: systems.NewPhysics(systems.Config{
			Gravity: vec(0, -9.81, 0), Publish: systems.PublishAll, MaxImpacts: 8,
		}),
	}
	box(w, 5)
	for _, recipe := range recipes {
		spawn(w, recipe(c.r)...)
	}
	systems.CrushedEvent.ProcessEvents(w) // creates the bus while the world has few archetypes: docs/limits.md, Donburi
	systems.ContactBeginEvent.Subscribe(w, func(_ donburi.World, e systems.ContactBegin) {
		switch c.r.IntN(40) {
		case 0: // remove both
			c.remove(e.A)
			c.remove(e.B)
		case 1:
			c.create()
			c.remove(e.A)
		case 2:
			for range c.p.OverlapSphere(collide.Sphere{Center: e.Point, Radius: 2}, systems.Filter{Sensors: true}) {
			}
			c.p.RayCast(e.Point, e.Normal, 100, systems.Filter{})
		case 3:
			c.p.Sync(w)
		case 4:
			c.change()
		}
	})
	systems.ImpactEvent.Subscribe(w, func(donburi.World, systems.Impact) {
		if c.r.IntN(20) == 0 {
			c.change()
		}
	})
	systems.ContactEndEvent.Subscribe(w, func(_ donburi.World, e systems.ContactEnd) {
		if c.r.IntN(20) == 0 {
			c.remove(e.B)
		}
	})
	systems.ErrorEvent.Subscribe(w, func(_ donburi.World, e systems.EntityError) {
		if c.r.IntN(4) == 0 {
			c.remove(e.Entity)
		}
	})
	return c
}

func (c *churn) create() {
	c.ops++
	if len(c.live) >= 60 {
		c.remove(c.live[c.r.IntN(len(c.live))])
	}
	c.live = append(c.live, spawn(c.w, recipes[c.r.IntN(len(recipes))](c.r)...).Entity())
}

func (c *churn) remove(e donburi.Entity) {
	c.ops++
	if k := slices.Index(c.live, e); k >= 0 {
		c.w.Remove(e)
		c.live = slices.Delete(c.live, k, k+1)
	}
}

// change makes a random change to a random entity.
func (c *churn) change() {
	c.ops++
	if len(c.live) == 0 {
		return
	}
	e := c.w.Entry(c.live[c.r.IntN(len(c.live))])
	toggle := func(t donburi.IComponentType) {
		if e.HasComponent(t) {
			e.RemoveComponent(t)
		} else {
			e.AddComponent(t)
		}
	}
	switch c.r.IntN(14) {
	case 0:
		toggle(components.Velocity)
	case 1:
		toggle(components.Body)
	case 2:
		toggle(components.Material)
	case 3:
		toggle(components.Sensor)
	case 4:
		toggle(components.CollisionFilter)
	case 5:
		toggle(components.Force)
	case 6:
		if c.r.IntN(10) == 0 {
			toggle(components.Transform)
		}
	case 7:
		if e.HasComponent(components.SphereCollider) {
			v := sphere(0.2 + c.r.Float64()*0.3)
			components.SphereCollider.Set(e, &v) // another pointer
		} else {
			toggle(components.SphereCollider) // two colliders, perhaps
		}
	case 8:
		if e.HasComponent(components.Transform) {
			v := anywhere(c.r)
			components.Transform.Set(e, &v)
		}
	case 9:
		if e.HasComponent(components.Transform) {
			set(e, anywhere(c.r))
		}
	case 10:
		if e.HasComponent(components.Velocity) {
			v := anyhow(c.r)
			components.Velocity.Set(e, &v)
		}
	case 11:
		if e.HasComponent(components.SphereCollider) {
			set(e, sphere([]float64{nan, -1, 0.3, 0.5}[c.r.IntN(4)]))
		}
	case 12:
		if e.HasComponent(components.Body) {
			set(e, components.BodyData{
				Kind: components.BodyKind(c.r.IntN(4)), Mass: c.r.Float64() * 5,
				Locked: components.Axes(c.r.IntN(8)),
			})
		}
	case 13:
		if e.HasComponent(components.CollisionFilter) {
			set(e, components.CollisionFilterData{
				Layers: uint32(c.r.IntN(4)), Mask: uint32(c.r.IntN(4)),
				Disabled: c.r.IntN(4) == 0,
			})
		}
	}
}

func (c *churn) perturb() {
	for range c.r.IntN(24) {
		switch c.r.IntN(6) {
		case 0:
			c.create()
		case 1:
			if len(c.live) > 0 {
				c.remove(c.live[c.r.IntN(len(c.live))])
			}
		default:
			c.change()
		}
	}
}

// step runs a step with changes between the systems and in event handlers.
func (c *churn) step() {
	quiet := c.r.IntN(4) == 0 // nothing changes within the step
	c.count()
	between := func() {
		if !quiet {
			c.perturb()
		}
	}
	c.p.Broadphase(c.game)
	between()
	if c.r.IntN(4) == 0 && len(c.live) > 1 {
		c.p.Veto(c.live[0], c.live[len(c.live)-1])
	}
	c.p.Sweep(c.game)
	between()
	c.p.Response(c.game)
	c.check(quiet)
	systems.ErrorEvent.ProcessEvents(c.w)
	systems.ContactBeginEvent.ProcessEvents(c.w)
	systems.ImpactEvent.ProcessEvents(c.w)
	systems.ContactEndEvent.ProcessEvents(c.w)
	c.perturb()
}

// count counts the existing entities.
func (c *churn) count() {
	clear(c.alive)
	for _, a := range c.w.Archetypes() {
		for _, e := range a.Entities() {
			c.alive[e] = true
		}
	}
}

// check compares the events with each other and with the result of Touching.
func (c *churn) check(quiet bool) {
	t := c.t
	t.Helper()
	for e := range c.p.ContactBegins() {
		if !c.alive[e.A] || !c.alive[e.B] {
			t.Fatalf("after %d changes: %+v begins with an entity that wasn't there", c.ops, e)
		}
		c.open[systems.Pair{A: e.A, B: e.B}]++
	}
	for e := range c.p.ContactEnds() {
		pair := systems.Pair{A: e.A, B: e.B}
		if c.open[pair]--; c.open[pair] == 0 {
			delete(c.open, pair)
		} else if c.open[pair] < 0 {
			t.Fatalf("after %d changes: %+v ends and has not begun", c.ops, e)
		}
	}
	for pair, n := range c.open {
		if n > 1 {
			t.Fatalf("after %d changes: %v has begun %d times", c.ops, pair, n)
		}
		if !c.alive[pair.A] || !c.alive[pair.B] {
			t.Fatalf("after %d changes: %v is open though one of them is gone", c.ops, pair)
		}
	}
	if !quiet {
		return
	}
	touching := 0
	for e := range c.alive {
		others := slices.Collect(c.p.Touching(e))
		touching += len(others)
		n := 0
		for contact := range c.p.Contacts(e) {
			n++
			if !slices.Contains(others, contact.Other) || !near(contact.Normal.Length(), 1, 1e-9) ||
				!contact.Point.IsFinite() {
				t.Fatalf("after %d changes: a contact of %v is %+v, but it touches %v", c.ops, e, contact, others)
			}
		}
		if n != len(others) {
			t.Fatalf("after %d changes: %v has %d contacts, but touches %v", c.ops, e, n, others)
		}
	}
	if touching != 2*len(c.open) {
		t.Fatalf("after %d changes: %d contacts open, but Touching says %d", c.ops, len(c.open), touching/2)
	}
	for pair := range c.open {
		if !slices.Contains(slices.Collect(c.p.Touching(pair.A)), pair.B) {
			t.Fatalf("after %d changes: %v has begun and not ended, but Touching doesn't know it", c.ops, pair)
		}
		a, b := c.w.Entry(pair.A), c.w.Entry(pair.B)
		if a.HasComponent(components.SphereCollider) && b.HasComponent(components.SphereCollider) {
			r := components.SphereCollider.Get(a).Radius + components.SphereCollider.Get(b).Radius
			slack := 0x1p-8 // twice the largest gap of persistent contacts
			if b.HasComponent(components.Sensor) {
				slack = 0.04 // overlapping bodies separate at two radii per second, after the sensor events
			}
			if d := position(a).Distance(position(b)); d > r*(1+slack) {
				t.Fatalf("after %d changes: %v touch at a distance of %v of %v", c.ops, pair, d, r)
			}
		}
	}
	for e := range c.alive {
		if entry := c.w.Entry(e); entry.HasComponent(components.Transform) && !position(entry).IsFinite() {
			t.Fatalf("after %d changes: %v is at %v", c.ops, e, position(entry))
		}
	}
}

func TestAMillionChangesLeakNothingAndEndEveryContact(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	total := slow.Cases(1_000_000)
	if testing.Short() {
		total = 20_000
	}
	c := newChurn(t, 1)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	begins := 0
	for c.ops < total/4 {
		c.step()
		begins += len(slices.Collect(c.p.ContactBegins()))
	}
	before := heap()
	for c.ops < total {
		c.step()
	}
	if after := heap(); after > before+before/2+1<<19 {
		t.Errorf("heap: got %d bytes after %d changes, %d after %d", before, total/4, after, total)
	}
	if begins < total/200 {
		t.Errorf("contacts: got %d, want many", begins)
	}
	for _, e := range slices.Clone(c.live) {
		c.remove(e)
	}
	c.count()
	c.p.Step(c.w)
	c.check(true)
	t.Logf("%d changes, %d contacts in the first quarter, heap %d kB", c.ops, begins, before>>10)
}

func TestManyEntitiesAreAddedAndRemoved(t *testing.T) {
	w := donburi.NewWorld()
	floor := wall(w, vec(0, 0, 0), vec(0, 1, 0))
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	for range slow.Cases(100) {
		var all []donburi.Entity
		for i := range 300 {
			all = append(all, ball(w, vec(float64(i%20), 0.5, float64(i/20)), vec(0, -1, 0), 0.4).Entity())
		}
		for range 3 {
			p.Step(w)
		}
		for _, e := range all {
			w.Remove(e)
		}
		p.Step(w)
		if n := len(slices.Collect(p.Touching(floor.Entity()))); n > 0 {
			t.Fatalf("the floor touches %d things that are gone", n)
		}
		if s := p.Stats(); s.Bodies != 0 || s.Surfaces != 1 {
			t.Fatalf("stats: got %d bodies and %d surfaces, want none and the floor", s.Bodies, s.Surfaces)
		}
	}
}
