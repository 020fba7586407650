package systems_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/randomgame"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// wildGame is a game that makes random changes between the systems and in event handlers, and
// checks what physics reports.
type wildGame struct {
	*randomgame.Game
	p       *systems.Physics
	variant variant
	alive   map[donburi.Entity]bool  // when the step began
	open    map[contactPair]int      // contacts that have begun and not ended
	before  map[donburi.Entity]state // if nothing changes within the step
	handles bool                     // event handlers make changes
	pulls   *rand.Rand               // decides when gravity changes; nil where it never does
	fail    func(format string, args ...any)
}

// pulled is the bit of a seed with which gravity changes in the game of the other bits.
const pulled = 1 << 48

type contactPair struct {
	a, b   donburi.Entity
	sensor bool
}

// variant is what makes no difference to a game.
type variant struct {
	workers  int
	sleeping bool // is the other way round
	looks    bool // at paths, candidates and first impacts
}

func newWildGame(seed uint64, v variant, fail func(string, ...any)) *wildGame {
	var pulls *rand.Rand
	if seed&pulled != 0 {
		seed &^= pulled
		pulls = rand.New(rand.NewPCG(seed, pulled))
	}
	kinds := randomgame.Spheres
	if seed%2 == 1 {
		kinds = randomgame.All
	}
	g := &wildGame{
		Game: randomgame.New(seed, 20+int(seed/2%8)*10, kinds), variant: v,
		alive: map[donburi.Entity]bool{}, before: map[donburi.Entity]state{}, pulls: pulls,
		fail: fail,
	}
	g.newPhysics()
	w := g.World
	systems.CrushedEvent.ProcessEvents(w) // creates the bus while the world has few archetypes: docs/limits.md, Donburi
	change := func(n int) {
		if g.handles && g.IntN(n) == 0 {
			g.Change()
		}
	}
	systems.ContactBeginEvent.Subscribe(w, func(_ donburi.World, e systems.ContactBegin) {
		change(10)
		if g.handles && g.IntN(50) == 0 && w.Valid(e.A) {
			w.Remove(e.A)
		}
	})
	systems.ImpactEvent.Subscribe(w, func(donburi.World, systems.Impact) { change(20) })
	systems.ContactEndEvent.Subscribe(w, func(donburi.World, systems.ContactEnd) { change(10) })
	systems.ErrorEvent.Subscribe(w, func(_ donburi.World, e systems.EntityError) {
		if !isOfContactRule(e) {
			change(10)
		}
	})
	return g
}

// newPhysics continues with another Physics.
func (g *wildGame) newPhysics() {
	c := systems.Config{
		Workers: g.variant.workers, Parabolic: g.IntN(4) == 0,
		NoSleeping: g.IntN(4) == 0 != g.variant.sleeping, TouchingGap: 1e-3 * float64(g.IntN(4)/3),
	}
	if g.IntN(3) > 0 {
		c.Gravity = vec(0, -earth, 0)
	}
	if g.IntN(4) == 0 {
		c.StepSeconds = []float64{1e-3, 0.1, 1.0 / 30, 1}[g.IntN(4)]
	}
	if g.IntN(4) == 0 {
		c.MaxImpacts = 1 + g.IntN(8)
	}
	if g.IntN(4) == 0 {
		c.Publish, g.handles = systems.PublishAll, g.IntN(2) == 0
	}
	if g.IntN(4) == 0 {
		c.ContactRule = func(c *systems.RuledContact) {
			switch k := int(c.A.Id()+3*c.B.Id()) % 8; k {
			case 0:
				c.Ignore = true
			case 1:
				c.Ignore = c.Approach > 1
			case 2:
				c.Restitution = 1
			case 3:
				c.Friction, c.StaticFriction = 1, 2
			case 4:
				c.SurfaceVelocity = vec(1, 0, 0)
			case 5:
				c.Restitution = nan
			}
		}
	}
	g.p, g.open = systems.NewPhysics(c), map[contactPair]int{}
	g.p.ForceParallelFrom(2 + g.IntN(8))
	if g.IntN(4) == 0 != g.variant.looks {
		g.p.Path(donburi.Null) // paths are recorded from now on
	}
}

func (g *wildGame) step() {
	p, e := g.p, newECS(g.World)
	clear(g.alive)
	for _, a := range g.World.Archetypes() {
		for _, e := range a.Entities() {
			g.alive[e] = true
		}
	}
	between := func() {
		g.Perturb()
		g.changeGravity()
		for _, a := range g.World.Archetypes() {
			for _, e := range a.Entities() {
				g.alive[e] = true
			}
		}
	}
	mode := g.IntN(5)
	clear(g.before)
	if mode < 2 {
		g.note()
	}
	switch mode {
	case 0, 1:
		p.Step(g.World)
	case 2:
		p.Broadphase(e)
		between()
		g.veto()
		p.Sweep(e)
		between()
		g.veto()
		p.Response(e)
	case 3:
		p.Sync(g.World)
		between()
		p.Step(g.World)
	case 4:
		p.Broadphase(e)
		between()
		p.Broadphase(e)
		between()
		p.Response(e)
	}
	g.check()
	systems.ErrorEvent.ProcessEvents(g.World)
	systems.ContactBeginEvent.ProcessEvents(g.World)
	systems.ImpactEvent.ProcessEvents(g.World)
	systems.ContactEndEvent.ProcessEvents(g.World)
	systems.CrushedEvent.ProcessEvents(g.World)
	g.Perturb()
	g.changeGravity()
	if g.IntN(100) == 0 {
		g.newPhysics()
	}
}

// changeGravity sets another gravity now and then.
func (g *wildGame) changeGravity() {
	if g.pulls == nil || g.pulls.IntN(30) > 0 {
		return
	}
	next := []collide.Vec3{
		{},
		vec(0, -earth, 0), vec(0, earth, 0), vec(earth, 0, 0), vec(0, 0, -earth), vec(1, -2, 3), vec(0, 0.3, 0),
		vec(nan, 0, 0),
	}[g.pulls.IntN(8)]
	if err := g.p.SetGravity(next); (err != nil) != !next.IsFinite() {
		g.fail("SetGravity(%v) returns %v", next, err)
	}
	if g.pulls.IntN(4) == 0 { // before it acts
		_ = g.p.SetGravity(vec(0, -earth, 0))
	}
}

// state is the state of an entity.
type state struct {
	transform components.TransformData
	invalid   string // component
}

// note notes the states of all entities with a collider.
func (g *wildGame) note() {
	for _, e := range g.Entries {
		if !e.Valid() || !e.HasComponent(components.Transform) || e.HasComponent(components.Constant) {
			continue
		}
		is, colliders := state{transform: *components.Transform.Get(e)}, 0
		check := func(c donburi.IComponentType, name string, err func() error) {
			if e.HasComponent(c) && err() != nil {
				is.invalid = name
			}
		}
		check(components.Transform, "Transform", func() error { return components.Transform.Get(e).Validate() })
		check(components.Velocity, "Velocity", func() error { return components.Velocity.Get(e).Validate() })
		check(components.Body, "Body", func() error { return components.Body.Get(e).Validate() })
		check(components.Material, "Material", func() error { return components.Material.Get(e).Validate() })
		for _, c := range []donburi.IComponentType{
			components.SphereCollider, components.PlaneCollider, components.PolygonCollider, components.CapsuleCollider,
			components.ShapeCollider,
		} {
			if e.HasComponent(c) {
				colliders++
			}
		}
		if colliders == 0 {
			continue
		}
		if e.HasComponent(components.KinematicGroup) && is.invalid == "Velocity" {
			is.invalid = ""
		}
		g.before[e.Entity()] = is
	}
}

// veto vetoes a pair now and then, and looks at what a game can look at.
func (g *wildGame) veto() {
	if g.IntN(3) > 0 {
		return
	}
	if g.variant.looks {
		for range g.p.Candidates() {
		}
		for range g.p.FirstImpacts() {
		}
	}
	if len(g.Entries) > 0 {
		a, b := g.Entries[g.IntN(len(g.Entries))], g.Entries[g.IntN(len(g.Entries))]
		g.p.Veto(a.Entity(), b.Entity())
	}
	for pair := range g.open {
		if int(pair.a.Id()+pair.b.Id())%7 == 0 { // not in the order of the map
			g.p.Veto(pair.a, pair.b)
		}
	}
}

// check compares the events with each other and with the entities.
func (g *wildGame) check() {
	for e := range g.p.ContactBegins() {
		if !g.alive[e.A] || !g.alive[e.B] {
			g.fail("%+v begins with an entity that wasn't there", e)
		}
		if !near(e.Normal.Length(), 1, 1e-9) || !e.Point.IsFinite() {
			g.fail("%+v", e)
		}
		g.open[contactPair{e.A, e.B, e.Sensor}]++
	}
	for e := range g.p.ContactEnds() {
		pair := contactPair{e.A, e.B, e.Sensor}
		if g.open[pair]--; g.open[pair] == 0 {
			delete(g.open, pair)
		} else if g.open[pair] < 0 {
			g.fail("%+v ends and has not begun", e)
		}
	}
	for pair, n := range g.open {
		if n > 1 {
			g.fail("%v has begun %d times", pair, n)
		}
		if !g.alive[pair.a] || !g.alive[pair.b] {
			g.fail("%v is open though one of them is gone", pair)
		}
	}
	for e := range g.p.Impacts() {
		if !g.alive[e.A] || !g.alive[e.B] || !near(e.Normal.Length(), 1, 1e-9) || !e.Point.IsFinite() ||
			!(e.Time >= 0) || !(e.Approach >= 0) || !(e.Impulse >= 0) {
			g.fail("%+v", e)
		}
	}
	wrong := map[donburi.Entity]string{}
	for e := range g.p.Errors() {
		s := e.Error()
		takesPart := strings.Contains(s, "ContactRule") || strings.Contains(s, "Motor") ||
			strings.Contains(s, "haracter") // its controller, or what a character needs besides
		if !takesPart {
			wrong[e.Entity] = s
		}
	}
	for e, was := range g.before {
		text, known := wrong[e]
		switch {
		case was.invalid != "" && !known:
			g.fail("%v has a wrong %v, and the error %q", e, was.invalid, text)
		case known && fmt.Sprint(was.transform) != fmt.Sprint(*components.Transform.Get(g.World.Entry(e))):
			g.fail("%v has moved from %v in spite of %v", e, was.transform, text)
		case !known && !components.Transform.Get(g.World.Entry(e)).Position.IsFinite():
			g.fail("%v is nowhere", e)
		}
	}
	everywhere := collide.Sphere{Radius: 1e9}
	for e := range g.p.OverlapSphere(everywhere, systems.Filter{Sensors: true}) {
		if !g.alive[e] {
			g.fail("%v is found, but is gone", e)
		}
	}
	g.p.RayCast(g.Position(), vec(0, -1, 0), 100, systems.Filter{})
	g.p.ClosestPoint(g.Position(), 1, systems.Filter{})
}

// isOfContactRule reports whether e is an error of the contact rule. The rule isn't asked about
// what sleeps, so sleep makes a difference to these.
func isOfContactRule(e systems.EntityError) bool { return strings.Contains(e.Error(), "ContactRule") }

// state returns a hash of all entities.
func (g *wildGame) state() string {
	h, zero := &strings.Builder{}, collide.Vec3{}
	for _, e := range g.Entries {
		if !e.Valid() {
			continue
		}
		fmt.Fprint(h, "\n", e.Entity())
		if e.HasComponent(components.Transform) {
			where := *components.Transform.Get(e)
			where.Position = where.Position.Add(zero) // what sleeps and is moved from 0 to -0 sleeps on
			fmt.Fprint(h, where)
		}
		if e.HasComponent(components.Velocity) {
			fmt.Fprint(h, *components.Velocity.Get(e))
		}
		if e.HasComponent(components.AngularVelocity) {
			fmt.Fprint(h, *components.AngularVelocity.Get(e))
		}
	}
	for e := range g.p.Impacts() {
		fmt.Fprintf(h, "\n%+v", e)
	}
	for e := range g.p.ContactBegins() {
		e.Point = e.Point.Add(zero)
		fmt.Fprintf(h, "\n%+v", e)
	}
	for e := range g.p.ContactEnds() {
		fmt.Fprintf(h, "\n%+v", e)
	}
	for e := range g.p.Errors() {
		if !isOfContactRule(e) {
			fmt.Fprintf(h, "\n%s", e.Error())
		}
	}
	return h.String()
}

// playRandomGame plays the game of a seed, the same in all variants.
func playRandomGame(t *testing.T, seed uint64) {
	var first []string
	for k, v := range []variant{{1, false, false}, {2, false, false}, {4, false, true}, {1, true, true}} {
		step := 0
		g := newWildGame(seed, v, func(format string, args ...any) {
			t.Fatalf("seed %d, variant %+v, step %d: %s", seed, v, step, fmt.Sprintf(format, args...))
		})
		for step = range 150 {
			g.step()
			switch is := g.state(); {
			case k == 0:
				first = append(first, is)
			case first[step] != is:
				got, want := strings.Split(is, "\n"), strings.Split(first[step], "\n")
				for n := range min(len(got), len(want)) {
					if got[n] != want[n] {
						g.fail("got %s, want %s", got[n], want[n])
					}
				}
				g.fail("got %d lines, want %d", len(got), len(want))
			}
		}
	}
}

// Whatever the game changes between the systems and in event handlers, and whatever values it sets,
// steps end, errors and events are consistent, and no number of workers, sleep or look at the step
// makes a difference. It has found panics where a dynamic shape became a character, and of
// FirstImpacts with sensors, a character that took seconds to be squeezed, and another one that
// moved otherwise with two workers.
func TestAnyGameHasConsistentEventsAndTheSameBits(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for seed := range uint64(slow.Cases(40)) {
		playRandomGame(t, seed)
	}
	for seed := range uint64(slow.Cases(20)) {
		playRandomGame(t, seed|pulled)
	}
}

func FuzzRandomGame(f *testing.F) {
	slow.Skip(f, slow.Sequential, slow.Hashed)
	f.Add(uint64(1 << 40))
	// Games in which faults were found, beyond the 40 above. All run if all cases are asked for.
	found := []uint64{
		73, 75, 95, 107, 168, 238, 253, 257, 284, 289, 318, 685, 751, 796, 834, 838, 854, 992, 1424, 1954, 2204, 3182,
		3271, 3612, 3656, 3787, 5288, 5884, 6364, 6410, 8514, 9089,
	}
	for _, seed := range found[:slow.Cases(len(found))] {
		f.Add(seed)
	}
	f.Fuzz(playRandomGame)
}
