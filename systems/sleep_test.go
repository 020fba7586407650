package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// disturbances are events that may happen to a sleeping pile. Each gets the balls, of which the
// last lies apart on the floor, and the floor.
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
	{
		"the floor is removed", func(w donburi.World, _ []*donburi.Entry,
			floor *donburi.Entry,
		) {
			w.Remove(floor.Entity())
		},
	},
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
	{
		"a ball at the bottom is removed", func(w donburi.World, balls []*donburi.Entry,
			_ *donburi.Entry,
		) {
			w.Remove(balls[0].Entity())
		},
	},
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

// sleepTwin fills w with a heap of twelve balls and a ball beside it, and returns what steps it,
// the balls and the floor. In world 1 nothing sleeps, and in world 2 six of the balls never sleep.
func sleepTwin(w donburi.World, k int, seed uint64) (*systems.Physics, []*donburi.Entry, *donburi.Entry) {
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0), NoSleeping: k == 1})
	balls := heapInBin(w, 12, seed, []any{highFriction}, highFriction, turning(0, 0, 0))
	var floor *donburi.Entry
	for _, e := range worldWalls(w) {
		if components.PlaneCollider.Get(e).Normal == vec(0, 1, 0) {
			floor = e
		} else { // the last ball lies outside the bin
			donburi.Add(e, components.CollisionFilter, &components.CollisionFilterData{Layers: 1, Mask: 1})
		}
	}
	balls = append(balls, ball(w, vec(0, 0.25, 8), vec(0, 0, 0), 0.25, components.BodyData{Mass: 1}, highFriction,
		turning(0, 0, 0), components.CollisionFilterData{Layers: 2, Mask: math.MaxUint32}))
	if k == 2 {
		for _, b := range balls[:6] {
			components.Body.Get(b).NeverSleep = true
		}
	}
	return p, balls, floor
}

// sameState reports whether two bodies have the same bits.
func sameState(a, b *donburi.Entry) bool {
	return position(a) == position(b) && velocity(a) == velocity(b) && spinOf(a) == spinOf(b) &&
		components.Transform.Get(a).Rotation == components.Transform.Get(b).Rotation
}

// A ball sleeps on a slope, held by the edge of a tile above it. When another tile is put at that
// edge, through the ball, the edge is an inner one of their union and holds nothing. The ball once
// slept on for a step, and its contact ended in the next one.
func TestASleepingBallWakesWhenATileHidesTheEdgeThatHoldsIt(t *testing.T) {
	slope := vec(0.5, math.Sqrt(0.75), 0)
	x := slope.Scale(0.5)                // the centre of the ball
	there := at(x.X+0.4-0.5, x.Y+0.3, 0) // of the tile that is put there
	other := components.CollisionFilterData{Layers: 2, Mask: 2}
	for _, c := range []struct {
		name   string
		before []any // the other tile before that, if there is one
		do     func(w donburi.World, tile *donburi.Entry)
	}{
		{"it is new", nil, func(w donburi.World, _ *donburi.Entry) { spawn(w, there, square(0.5)) }},
		{"it is moved there", []any{at(0, 0, 9), square(0.5)}, func(_ donburi.World, tile *donburi.Entry) {
			components.Transform.SetValue(tile, there)
		}},
		{"it has let the ball through", []any{there, square(0.5), other}, func(_ donburi.World, tile *donburi.Entry) {
			tile.RemoveComponent(components.CollisionFilter)
		}},
		{"it is a box", nil, func(w donburi.World, _ *donburi.Entry) {
			spawn(w, there, components.ShapeColliderData{Shape: collide.Box{
				Center: vec(0, 0.1, 0), Half: vec(0.5, 0.1, 0.5), Rotation: collide.Quat{W: 1},
			}})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			const (
				settles = 120
				after   = 30
			)
			var (
				p    [2]*systems.Physics // in world 1 nothing sleeps
				w    [2]donburi.World
				b    [2]*donburi.Entry
				tile [2]*donburi.Entry
				ends [2]int
			)
			for k := range w {
				w[k] = donburi.NewWorld()
				p[k] = systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0), NoSleeping: k == 1})
				wall(w[k], vec(0, 0, 0), slope)
				spawn(w[k], at(x.X+0.4+0.5, x.Y+0.3, 0), square(0.5))
				if c.before != nil {
					tile[k] = spawn(w[k], c.before...)
				}
				b[k] = ball(w[k], x, vec(0, 0, 0), 0.5, turning(0, 0, 0))
			}
			for step := range settles + after {
				if step == settles {
					if !p[0].Asleep(b[0].Entity()) {
						t.Fatal("the ball doesn't sleep, which this test needs")
					}
					for k := range w {
						c.do(w[k], tile[k])
					}
				}
				for k := range w {
					p[k].Step(w[k])
					expectNoErrors(t, p[k])
					ends[k] += len(slices.Collect(p[k].ContactEnds()))
				}
				if !sameState(b[0], b[1]) || ends[0] != ends[1] {
					t.Fatalf("step %d: got position %v, velocity %v, %d ended contacts, without sleep %v, %v, %d",
						step-settles, position(b[0]), velocity(b[0]), ends[0], position(b[1]), velocity(b[1]), ends[1])
				}
			}
			if ends[0] == 0 {
				t.Error("no contact has ended, want that with the edge to end")
			}
		})
	}
}

// Balls that fall on a sleeping part of their heap wake it. Worlds with and without sleep have the
// same bits all the same.
func TestHeapsHaveTheSameBitsWithAndWithoutSleep(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	const twins = 3
	woken := 0
	for seed := range uint64(slow.Cases(60)) {
		var (
			p     [twins]*systems.Physics
			w     [twins]donburi.World
			balls [twins][]*donburi.Entry
		)
		for k := range twins {
			w[k] = donburi.NewWorld()
			p[k], balls[k], _ = sleepTwin(w[k], k, seed)
		}
		asleep := map[donburi.Entity]bool{}
		for step := range 400 {
			for k := range twins {
				p[k].Step(w[k])
			}
			for _, b := range balls[0] {
				id := b.Entity()
				if asleep[id] && !p[0].Asleep(id) {
					woken++
				}
				asleep[id] = p[0].Asleep(id)
			}
			for k := 1; k < twins; k++ {
				for i, b := range balls[0] {
					if !sameState(b, balls[k][i]) {
						t.Fatalf("seed %d, step %d: ball %d of twin %d differs", seed, step, i, k)
					}
				}
			}
		}
	}
	if woken < 5 {
		t.Errorf("only %d balls have woken", woken)
	}
}

// A world in which islands sleep is compared with one in which nothing sleeps, and with one in
// which half of the balls never sleep. The three have the same bits, also after something has
// disturbed a sleeping island.
func TestSleepingChangesNoBit(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for k, c := range disturbances {
		if testing.Short() && k%4 != 1 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			const (
				twins   = 3
				settles = 600 // steps until all sleep
				after   = 150 // steps after the disturbance
			)
			var (
				p     [twins]*systems.Physics
				w     [twins]donburi.World
				balls [twins][]*donburi.Entry
				floor [twins]*donburi.Entry
				slept [twins]int
			)
			for k := range twins {
				w[k] = donburi.NewWorld()
				p[k], balls[k], floor[k] = sleepTwin(w[k], k, 2)
			}
			for step := range settles + after {
				if step == settles {
					if p[0].Stats().Asleep < len(balls[0]) {
						t.Errorf("after %d steps %d of %d balls are asleep, want all", step, p[0].Stats().Asleep,
							len(balls[0]))
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
						if !sameState(b, other) {
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

// A body that is kept awake is awake, and so are the bodies that touch it, as they can't be at rest
// before it is.
func TestAsleepReportsSleepingBodies(t *testing.T) {
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
	}{
		"one at rest": {sleeper, true}, "one that never sleeps": {awake, false}, "one that flies": {flying, false},
		"a floor": {floor, false},
	} {
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

func TestASleepingBallWakesWhenItsForceChanges(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	b := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5, components.ForceData{Force: vec(0, -1, 0)})
	p := onEarth()
	steps(t, w, p, 300)
	if !p.Asleep(b.Entity()) {
		t.Fatal("the ball doesn't sleep, which this test needs")
	}
	components.Force.Get(b).Force = vec(50, 0, 0)
	steps(t, w, p, 10)
	if p.Asleep(b.Entity()) || position(b).X < 0.1 {
		t.Errorf("asleep: %v, position %v: want it to move by 0.7 m", p.Asleep(b.Entity()), position(b))
	}
}

func TestABallThatSleepsOnAPartOfACompoundWakesWhenTheCompoundMoves(t *testing.T) {
	for _, x := range []float64{0, 3} {
		w := donburi.NewWorld()
		compound := components.CreateCompound(w, vec(0, 0, 0), []components.ShapePart{
			{Shape: collide.Box{Center: vec(0, -1, 0), Half: vec(1, 1, 1)}},
			{Shape: collide.Box{Center: vec(3, -1, 0), Half: vec(1, 1, 1)}},
		})
		b := ball(w, vec(x, 0.5, 0), vec(0, 0, 0), 0.5)
		p := onEarth()
		steps(t, w, p, 60)
		if !p.Asleep(b.Entity()) {
			t.Fatal("the ball doesn't sleep, which this test needs")
		}
		components.Transform.Get(compound).Position.Y = -10
		steps(t, w, p, 30)
		if y := position(b).Y; y > -0.5 {
			t.Errorf("on the part at %v, half a second after that moved down: at a height of %v, want it to fall", x, y)
		}
	}
}

// The debug build checks that the first Broadphase has left no flags.
func TestABallWhoseSupportIsRemovedBetweenTwoCallsOfBroadphaseFallsAsAfterOne(t *testing.T) {
	var got [2]components.TransformData
	for calls := range 2 {
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0))
		support := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5)
		b := ball(w, vec(0, 1.5, 0), vec(0, 0, 0), 0.5)
		p, game := onEarth(), newECS(w)
		steps(t, w, p, 120)
		if p.Stats().Asleep != 2 {
			t.Fatal("the balls don't sleep, which this test needs")
		}
		for range calls {
			p.Broadphase(game)
		}
		support.Remove()
		p.Broadphase(game)
		p.Sweep(game)
		p.Response(game)
		steps(t, w, p, 20)
		got[calls] = *components.Transform.Get(b)
	}
	if got[0] != got[1] || got[0].Position.Y > 1.2 {
		t.Errorf("at %v with two calls of Broadphase, and at %v with one: want it to fall by 0.6 m", got[1], got[0])
	}
}

// A sleeping pile doesn't change by a bit and has no impacts.
func TestSleepingPileDoesNotChange(t *testing.T) {
	w := donburi.NewWorld()
	balls := heapInBin(w, 30, 5, []any{rough(0.4)}, rough(0.4))
	p := onEarth()
	steps(t, w, p, 900)
	if got := p.Stats().Asleep; got != len(balls) {
		t.Errorf("got %d asleep, want %d", got, len(balls))
	}
	expectUnchanged(t, w, p, 60, balls...)
	if s := p.Stats(); s.Impacts+s.Sweeps > 0 {
		t.Errorf("a step of what sleeps has %d impacts and %d sweeps", s.Impacts, s.Sweeps)
	}
}

// sleepingWorld is a world with sleeping piles in which random events happen.
type sleepingWorld struct {
	w       donburi.World
	game    *ecs.ECS
	p       *systems.Physics
	r       *rand.Rand
	entries []*donburi.Entry
	open    map[systems.Pair]int
	slept   int
	solid   bool // without sensors
}

func newSleepingWorld(seed uint64, config systems.Config, solid bool) *sleepingWorld {
	d := &sleepingWorld{
		solid: solid, w: donburi.NewWorld(), r: rand.New(rand.NewPCG(seed, 77)),
		open: map[systems.Pair]int{},
	}
	d.game, d.p = ecs.NewECS(d.w), systems.NewPhysics(config)
	for _, n := range []struct{ x, z float64 }{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		d.entries = append(d.entries, wall(d.w, vec(-4*n.x, 0, -4*n.z), vec(n.x, 0, n.z), highFriction))
	}
	d.entries = append(d.entries, wall(d.w, vec(0, 0, 0), vec(0, 1, 0), highFriction))
	d.entries = append(d.entries, spawn(d.w, at2(2, 0), square(0.5)))
	for k := range 6 {
		x := float64(k)*1.2 - 3
		tile := square(0.5)
		for i := range tile.Points {
			tile.Points[i] = tile.Points[i].Add(vec(0, 0.3, 0))
		}
		d.entries = append(d.entries, spawn(d.w, at(x, 0, 2.5), tile, highFriction))
	}
	d.entries = append(d.entries, spawn(d.w, at(-2, 0.5, -2), sphere(0.5), highFriction))
	for range 40 {
		d.spawn()
	}
	return d
}

func (d *sleepingWorld) spawn() {
	r := d.r
	e := ball(d.w, vec(r.Float64()*7-3.5, 0.6+r.Float64()*2, r.Float64()*7-3.5), vec(0, 0, 0), 0.15+0.2*r.Float64(),
		components.BodyData{Mass: 1})
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
	if r.IntN(12) == 0 && !d.solid { // kinematic bodies pass walls
		components.Body.Get(e).Kind = components.Kinematic
	}
	d.entries = append(d.entries, e)
}

// act makes a random change. If gentle is set, it creates no overlaps.
func (d *sleepingWorld) act(gentle bool) {
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
			components.CollisionFilter.SetValue(e, components.CollisionFilterData{
				Layers: 1 << r.IntN(2),
				Mask:   uint32(1 + r.IntN(3)),
			})
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

func (d *sleepingWorld) step(gentle bool) {
	r := d.r
	quiet := r.IntN(3) > 0 || gentle
	switch what := r.IntN(12); {
	case quiet || what > 3:
		d.p.Step(d.w)
	case what == 0:
		d.p.Sync(d.w)
		d.p.Step(d.w)
	case what == 1: // not one of Candidates: what sleeps is in none
		d.p.Broadphase(d.game)
		d.p.Sweep(d.game)
		at := r.IntN(len(d.entries) - 1)
		d.p.Veto(d.entries[at].Entity(), d.entries[at+1].Entity())
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

// checkEvents fails if a contact has begun twice by the end of a step, or ended without having
// begun.
func (d *sleepingWorld) checkEvents(t *testing.T, step int) {
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

// Whatever the game does, contacts that begin also end, whether islands sleep or not, and sleep
// changes no bit. If sleeping is disabled, nothing sleeps.
func TestSleepingLosesNoEvents(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for seed := range uint64(slow.Cases(30)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			config := systems.Config{Gravity: vec(0, -earth, 0)}
			awake := config
			awake.NoSleeping = true
			a, b := newSleepingWorld(seed, config, false), newSleepingWorld(seed, awake, false)
			for step := range 700 {
				rare := 20
				if step%200 < 100 {
					rare = 3
				}
				for _, d := range []*sleepingWorld{a, b} {
					if step > 60 && d.r.IntN(rare) == 0 {
						d.act(false)
					}
					d.step(false)
					d.checkEvents(t, step)
				}
				for k, e := range a.entries {
					o := b.entries[k]
					moves := e.HasComponent(components.Velocity)
					if position(e) != position(o) || moves && velocity(e) != velocity(o) {
						t.Fatalf("step %d: entity %d is at %v, want %v as without sleep", step, k, position(e),
							position(o))
					}
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

// Whatever the game does, except creating overlaps, nothing overlaps at any time.
func TestRestingBodiesNeverOverlap(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for seed := range uint64(slow.Cases(30)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			config := systems.Config{Gravity: vec(0, -earth, 0)}
			if seed%4 == 3 {
				config.Gravity = vec(0, 0, 0)
			}
			d := newSleepingWorld(seed, config, true)
			j := newOverlapChecker()
			for range 300 { // until all initial overlaps are resolved
				d.p.Step(d.w)
			}
			clean := false
			for step := range 700 {
				if d.r.IntN(6) == 0 {
					d.act(true)
				}
				d.step(true)
				deep := j.overlap(d.w)
				if clean && deep > maxOverlap {
					t.Fatalf("step %d: %.3g of a radius inside", step, deep)
				}
				clean = deep <= maxOverlap
			}
			if !clean {
				t.Error("never apart")
			}
		})
	}
}

// A body with a locked vertical axis touches the ball below it, and neither can react. That once
// kept it and everything on it awake.
func TestBallsOnALockedBallFallAsleep(t *testing.T) {
	for _, locked := range []components.Axes{components.AxisY, components.AxisX | components.AxisY | components.AxisZ} {
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0))
		low := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5, components.BodyData{Locked: locked})
		high := ball(w, vec(0, 1.5, 0), vec(0, 0, 0), 0.5)
		p := onEarth()
		steps(t, w, p, 60)
		if !p.Asleep(low.Entity()) || !p.Asleep(high.Entity()) {
			t.Errorf("locked along %v: asleep %v and %v, want both", locked, p.Asleep(low.Entity()),
				p.Asleep(high.Entity()))
		}
	}
}

// A body that became a sensor once went on supporting the bodies on it.
func TestBodyThatBecomesASensorSupportsNothing(t *testing.T) {
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

// After a veto ends, its bodies search for contacts again. One that slept did not, and did not find
// a ramp that had come close to it: when the ramp was moved into it, other contacts held it than
// without sleep, and its velocity had other last bits (random game 73).
func TestVetoOfASleepingBallChangesNoBit(t *testing.T) {
	play := func(sleeps bool) (states []string, slept bool) {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{
			Gravity: vec(0, -earth, 0), NoSleeping: !sleeps, StepSeconds: 0.1,
		})
		wall(w, vec(0, -4, 0), vec(0, 1, 0))
		b := ball(w, vec(0, -3.8, 0.47), vec(0, 0, 0), 0.2)
		far := ball(w, vec(9, -3.8, 9), vec(0, 0, 0), 0.2)
		ramp := wall(w, vec(0, -9, 0), vec(-0.0254, 0.9859, 0.0235))
		for step := range 80 {
			switch step {
			case 50:
				components.Transform.Get(ramp).Position = vec(0, -4.008, 0.47)
			case 52:
				components.Transform.Get(ramp).Position = vec(0, -3.9, 0.47)
			}
			e := newECS(w)
			p.Broadphase(e)
			if step == 50 {
				slept = p.Asleep(b.Entity())
				p.Veto(b.Entity(), far.Entity())
			}
			p.Response(e)
			state := fmt.Sprint(position(b), velocity(b))
			for i := range p.Impacts() {
				state += fmt.Sprintf(" %+v", i)
			}
			states = append(states, state)
		}
		return states, slept
	}
	got, slept := play(true)
	want, _ := play(false)
	if !slept {
		t.Fatal("the ball doesn't sleep when the pair is vetoed")
	}
	for step := range want {
		if got[step] != want[step] {
			t.Fatalf("step %d: got %s, want as without sleep %s", step, got[step], want[step])
		}
	}
}
