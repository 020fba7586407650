package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// threeImpacts returns a world with steps of a second, in which ball a would hit ball b, then the
// first wall, and, if that is vetoed, the second wall behind it.
func threeImpacts() (w donburi.World, p *systems.Physics, a, b, first, second *donburi.Entry) {
	w, p = weightless()
	a = ball(w, vec(0, 0, 0), vec(20, 0, 0), 1, bouncy(1))
	b = ball(w, vec(6, 0, 0), vec(0, 0, 0), 1, bouncy(1))
	first, second = wall(w, vec(10, 0, 0), vec(-1, 0, 0)), wall(w, vec(14, 0, 0), vec(-1, 0, 0))
	return w, p, a, b, first, second
}

func TestVetoedPairDoesNotCollide(t *testing.T) {
	for _, when := range []string{"after Broadphase", "after Sweep"} {
		for _, swapped := range []bool{false, true} {
			w, p, a, b, _, _ := threeImpacts()
			e := newECS(w)
			x, y := a.Entity(), b.Entity()
			if swapped {
				x, y = y, x
			}
			p.Broadphase(e)
			if when == "after Broadphase" {
				p.Veto(x, y)
			}
			p.Sweep(e)
			if when == "after Sweep" {
				p.Veto(x, y)
			}
			p.Response(e)
			expectPosition(t, when+": through the ball, off the wall", a, vec(9-11, 0, 0), 1e-9)
			expectVelocity(t, when, a, vec(-20, 0, 0), 1e-12)
			expectVelocity(t, when+": the other", b, vec(0, 0, 0), 0)
			// A veto lasts for one step. Put the balls back to the start.
			components.Transform.Get(a).Position = vec(0, 0, 0)
			components.Velocity.Get(a).Linear = vec(4.5, 0, 0)
			p.Step(w)
			expectVelocity(t, when+": a step later", b, vec(4.5, 0, 0), 1e-12)
		}
	}
}

// What something kinematic was about to push was pushed although the game had vetoed the pair.
func TestAKinematicBodyDoesNotPushWhatItIgnores(t *testing.T) {
	for k := range 4 {
		round, ruled := k&1 == 0, k&2 != 0
		w := donburi.NewWorld()
		components.CreatePlane(w, vec(0, -0.5, 0), vec(0, 1, 0))
		var pusher *donburi.Entry
		if round {
			pusher = ball(w, vec(-1.004, 0, 0), vec(1, 0, 0), 0.5, components.BodyData{Kind: components.Kinematic})
		} else {
			pusher = components.CreateBox(w, vec(-1.004, 0.1, 0), vec(0.5, 0.5, 0.5), components.Velocity)
			components.Velocity.Get(pusher).Linear.X = 1
		}
		first, second := ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.5), ball(w, vec(1, 0, 0), vec(0, 0, 0), 0.5)
		config := systems.Config{Gravity: vec(0, -9.81, 0)}
		if ruled {
			config.ContactRule = func(c *systems.RuledContact) {
				pair := [2]donburi.Entity{c.A, c.B}
				c.Ignore = slices.Contains(pair[:], pusher.Entity()) && slices.Contains(pair[:], first.Entity())
			}
		}
		p, e := systems.NewPhysics(config), newECS(w)
		for range 60 {
			p.Broadphase(e)
			if !ruled {
				p.Veto(pusher.Entity(), first.Entity())
			}
			p.Sweep(e)
			p.Response(e)
			for hit := range p.Impacts() {
				if hit.A == pusher.Entity() || hit.B == pusher.Entity() {
					t.Fatalf("round %v, rule %v: the pusher hits something at x = %v", round, ruled, position(pusher).X)
				}
			}
			if position(pusher).X > -0.5 {
				break // it comes to the second one
			}
		}
		if x := position(first).X; x > 0.01 || position(second).X > 1.02 {
			t.Errorf("round %v, rule %v: the first ball has moved to %v, the second to %v",
				round, ruled, x, position(second).X)
		}
	}
}

func TestBodyPassesAVetoedSurfaceAndStopsAtTheNext(t *testing.T) {
	for _, when := range []string{"after Broadphase", "after Sweep"} {
		w, p, a, b, first, second := threeImpacts()
		w.Remove(b.Entity())
		e := newECS(w)
		p.Broadphase(e)
		if when == "after Sweep" {
			p.Sweep(e)
		}
		p.Veto(first.Entity(), a.Entity())
		p.Response(e)
		expectVelocity(t, when, a, vec(-20, 0, 0), 1e-12)
		expectPosition(t, when, a, vec(13-7, 0, 0), 1e-9)
		if got := slices.Collect(p.Impacts()); len(got) != 1 || got[0].B != second.Entity() ||
			!near(got[0].Time, 13.0/20, 1e-12) {
			t.Errorf("%s: impacts: got %+v, want one with the second wall", when, got)
		}
	}
}

func TestBallsAtRestCollideAgainAfterAVeto(t *testing.T) {
	// They move too little for either to look around anew.
	w, p := donburi.NewWorld(), onEarth()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	a, b := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5), ball(w, vec(1, 0.5, 0), vec(0, 0, 0), 0.5)
	for range 10 {
		p.Step(w)
	}
	e := newECS(w)
	p.Broadphase(e)
	p.Veto(a.Entity(), b.Entity())
	p.Response(e)
	for range 20 {
		components.Velocity.Get(a).Linear = vec(0.05, 0, 0)
		p.Step(w)
		if gap := position(b).Sub(position(a)).Length() - 1; gap < -1e-9 {
			t.Fatalf("the balls overlap by %v m", -gap)
		}
	}
}

func TestVetoedSensorReportsNothing(t *testing.T) {
	w, p := weightless()
	goal, sheet := spawn(w, at(5, 0, 0), sphere(1), components.SensorData{}),
		wall(w, vec(5, 0, 0), vec(-1, 0, 0), components.SensorData{})
	a := ball(w, vec(0, 0, 0), vec(20, 0, 0), 1)
	e := newECS(w)
	p.Broadphase(e)
	p.Veto(goal.Entity(), a.Entity())
	p.Veto(a.Entity(), sheet.Entity())
	p.Response(e)
	if got := slices.Collect(p.ContactBegins()); len(got) > 0 {
		t.Errorf("begins: got %+v, want none", got)
	}
}

func TestVetoesOutsideAStepDoNothing(t *testing.T) {
	w, p, a, b, _, _ := threeImpacts()
	p.Veto(a.Entity(), b.Entity())
	p.Sync(w)
	p.Veto(a.Entity(), b.Entity())
	p.Step(w)
	expectVelocity(t, "hit, and hit again by what came back from the wall", a, vec(-20, 0, 0), 1e-9)
	e := newECS(w)
	p.Broadphase(e)
	p.Veto(a.Entity(), a.Entity())
	p.Veto(a.Entity(), donburi.Null)
	p.Response(e)
}

func TestCandidatesContainAllPairsThatMayCollide(t *testing.T) {
	w, p, a, b, _, _ := threeImpacts()
	c := ball(w, vec(0, 50, 0), vec(0, 0, 0), 1)
	late := ball(w, vec(-1000, 0, 0), vec(20, 0, 0), 1)
	e := newECS(w)
	if got := slices.Collect(p.Candidates()); len(got) > 0 {
		t.Errorf("before Broadphase: got %v", got)
	}
	p.Broadphase(e)
	for _, stage := range []string{"after Broadphase", "after Sweep"} {
		got := slices.Collect(p.Candidates())
		if !slices.Contains(got, systems.Pair{A: a.Entity(), B: b.Entity()}) {
			t.Errorf("%s: got %v, want a and b among them", stage, got)
		}
		for _, pair := range got {
			if pair.A == c.Entity() || pair.B == c.Entity() || pair.A == late.Entity() || pair.B == late.Entity() {
				t.Errorf("%s: got %v, which can't meet", stage, pair)
			}
			if pair.A >= pair.B {
				t.Errorf("%s: got %v, want the smaller entity first", stage, pair)
			}
		}
		p.Sweep(e)
	}
	p.Response(e)
	if got := slices.Collect(p.Candidates()); len(got) > 0 {
		t.Errorf("after Response: got %v", got)
	}
}

func TestCandidatesMayBeVetoedDuringIteration(t *testing.T) {
	w := donburi.NewWorld()
	balls := gas(w, 100)
	p := systems.NewPhysics(systems.Config{})
	e := newECS(w)
	for range 60 {
		p.Broadphase(e)
		for pair := range p.Candidates() {
			p.Veto(pair.A, pair.B)
		}
		p.Sweep(e)
		for i := range p.FirstImpacts() {
			p.Veto(i.A, i.B)
		}
		p.Response(e)
	}
	for _, b := range balls {
		if q := position(b); !(q.Length() < 200) {
			t.Fatalf("position: got %v", q)
		}
	}
}

func TestFirstImpactsAreInChronologicalOrder(t *testing.T) {
	w, p, a, b, first, _ := threeImpacts()
	slow := ball(w, vec(0, 30, 0), vec(10, 0, 0), 1)
	sheet := spawn(w, at(5, 40, 0), components.PlaneColliderData{Normal: vec(1, 0, 0), TwoSided: true},
		components.CollisionFilterData{Layers: 2, Mask: 2})
	thin := ball(w, vec(0, 60, 0), vec(20, 0, 0), 1, components.CollisionFilterData{Layers: 2, Mask: 2})
	spawn(w, at(3, 30, 0), sphere(1), components.SensorData{})
	e := newECS(w)
	p.Broadphase(e)
	if got := slices.Collect(p.FirstImpacts()); len(got) > 0 {
		t.Errorf("before Sweep: got %+v", got)
	}
	p.Sweep(e)
	type due struct {
		a, b   donburi.Entity
		time   float64
		point  collide.Vec3
		normal collide.Vec3
	}
	want := []due{
		{a.Entity(), b.Entity(), 4.0 / 20, vec(5, 0, 0), vec(-1, 0, 0)},
		{thin.Entity(), sheet.Entity(), 4.0 / 20, vec(5, 60, 0), vec(-1, 0, 0)},
		{a.Entity(), first.Entity(), 9.0 / 20, vec(10, 0, 0), vec(-1, 0, 0)},
		{slow.Entity(), first.Entity(), 9.0 / 10, vec(10, 30, 0), vec(-1, 0, 0)},
	}
	got := slices.Collect(p.FirstImpacts())
	if len(got) != len(want) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	last := 0.0
	for i, g := range got {
		k := slices.IndexFunc(want, func(d due) bool { return d.a == g.A && d.b == g.B })
		if k < 0 {
			t.Errorf("impact %d: got %+v, want one of %+v", i, g, want)
			continue
		}
		if d := want[k]; !near(g.Time, d.time, 1e-12) || !nearVec(g.Point, d.point, 1e-9) ||
			!nearVec(g.Normal, d.normal, 1e-12) || g.Approach != 0 || g.Impulse != 0 || g.Time < last {
			t.Errorf("impact %d: got %+v, want %+v, in the order of time", i, g, d)
		}
		last = g.Time
	}
	p.Response(e)
	if got := slices.Collect(p.FirstImpacts()); len(got) > 0 {
		t.Errorf("after Response: got %+v", got)
	}
}

// Such impacts were reported with planes, and a panic with boxes.
func TestFirstImpactsAreNotWithSensors(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{StepSeconds: 1})
	ball(w, vec(0, 0, 0), vec(20, 0, 0), 1)
	spawn(w, at(3, 0, 0), sphere(1), components.SensorData{})
	spawn(w, at(5, 0, 0), plane(-1, 0, 0), components.SensorData{})
	spawn(w, at(8, 0, 0), components.ShapeColliderData{Shape: collide.Box{Half: vec(1, 1, 1)}}, components.SensorData{})
	e := newECS(w)
	p.Sweep(e)
	if got := slices.Collect(p.FirstImpacts()); len(got) > 0 {
		t.Errorf("got %+v, want none", got)
	}
	p.Response(e)
	if got := len(slices.Collect(p.ContactBegins())); got != 3 {
		t.Errorf("entries into sensors: got %d, want 3", got)
	}
}

func TestValuesSetBetweenTheSystemsRemain(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -10, 0), StepSeconds: second})
	moved := ball(w, vec(0, 100, 0), vec(1, 0, 0), 1)
	kicked := ball(w, vec(10, 100, 0), vec(1, 0, 0), 1)
	both := ball(w, vec(20, 100, 0), vec(1, 0, 0), 1)
	exchanged := ball(w, vec(30, 100, 0), vec(1, 0, 0), 1)
	lift := spawn(w, at(0, -50, 0), moving(0, 1, 0), plane(0, 1, 0))
	broken := ball(w, vec(40, 100, 0), vec(1, 0, 0), 1)
	e := newECS(w)
	p.Broadphase(e)
	components.Transform.Get(moved).Position = vec(0, 7, 0)
	components.Velocity.Get(kicked).Linear = vec(0, 8, 0)
	p.Sweep(e)
	components.Transform.Get(both).Position = vec(20, 9, 0)
	components.Velocity.Get(both).Linear = vec(0, 9, 0)
	components.Transform.Set(exchanged, &components.TransformData{Position: vec(30, 5, 0)}) // another pointer
	components.Transform.Get(lift).Position = vec(0, -60, 0)
	components.Transform.Get(broken).Position.X = nan
	p.Response(e)
	expectPosition(t, "moved", moved, vec(0, 7, 0), 0)
	expectVelocity(t, "moved", moved, vec(1, -10, 0), 1e-12)
	expectPosition(t, "kicked", kicked, vec(11, 95, 0), 1e-9)
	expectVelocity(t, "kicked", kicked, vec(0, 8, 0), 0)
	expectPosition(t, "both", both, vec(20, 9, 0), 0)
	expectVelocity(t, "both", both, vec(0, 9, 0), 0)
	expectPosition(t, "exchanged", exchanged, vec(30, 5, 0), 0)
	expectPosition(t, "lift", lift, vec(0, -60, 0), 0)
	if !math.IsNaN(position(broken).X) {
		t.Errorf("broken: got %v, want it left as the game set it", position(broken))
	}
}

func TestEntitiesMayBeRemovedBetweenTheSystems(t *testing.T) {
	w, p, a, b, first, second := threeImpacts()
	watcher := spawn(w, at(6, 0, 0), sphere(3), components.SensorData{})
	e := newECS(w)
	p.Broadphase(e)
	w.Remove(b.Entity())
	p.Sweep(e)
	w.Remove(first.Entity())
	w.Remove(watcher.Entity())
	newcomer := ball(w, vec(0, 80, 0), vec(1, 0, 0), 1) // reuses the number of a removed entity
	p.Response(e)                                       // the step has begun with them, so they still take part
	expectPosition(t, "created in between", newcomer, vec(0, 80, 0), 0)
	for _, gone := range []*donburi.Entry{b, first, watcher} {
		if w.Valid(gone.Entity()) && gone.Entity() != newcomer.Entity() {
			t.Errorf("%v is back", gone)
		}
	}
	p.Step(w)
	for _, end := range slices.Collect(p.ContactEnds()) {
		if end.A == newcomer.Entity() || end.B == newcomer.Entity() {
			t.Errorf("end: got %+v of one that touched nothing", end)
		}
	}
	expectPosition(t, "created in between, a step later", newcomer, vec(1, 80, 0), 1e-12)
	if w.Len() != 4 { // two balls, a wall, and the ECS
		t.Logf("entities: %d", w.Len())
	}
	_, _ = a, second
}

func TestSystemsCalledOutOfOrderMakeCompleteSteps(t *testing.T) {
	type sequence []func(p *systems.Physics, w donburi.World)
	broadphase := func(p *systems.Physics, w donburi.World) { p.Broadphase(newECS(w)) }
	sweep := func(p *systems.Physics, w donburi.World) { p.Sweep(newECS(w)) }
	response := func(p *systems.Physics, w donburi.World) { p.Response(newECS(w)) }
	sync := func(p *systems.Physics, w donburi.World) { p.Sync(w) }
	cases := []struct {
		name string
		do   sequence
	}{
		{"all three", sequence{broadphase, sweep, response}},
		{"Response alone", sequence{response}},
		{"Sweep without Broadphase", sequence{sweep, response}},
		{"no Sweep", sequence{broadphase, response}},
		{"Broadphase twice", sequence{broadphase, broadphase, sweep, response}},
		{"Sweep twice", sequence{broadphase, sweep, sweep, response}},
		{"Broadphase again after Sweep", sequence{broadphase, sweep, broadphase, response}},
		{"Sync in the midst", sequence{broadphase, sync, sweep, sync, response}},
		{"Sync before", sequence{sync, sync, broadphase, sweep, response, sync}},
	}
	var want []collide.Vec3
	for _, c := range cases {
		w := donburi.NewWorld()
		balls := gas(w, 50)
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
		for range 60 {
			for _, do := range c.do {
				do(p, w)
			}
		}
		got := states(balls)
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the balls are not where they are after whole steps", c.name)
		}
	}
}

func TestTwoWorldsRunSideBySide(t *testing.T) {
	alone := func() []collide.Vec3 {
		w := donburi.NewWorld()
		balls := gas(w, 50)
		p := systems.NewPhysics(systems.Config{})
		for range 60 {
			p.Step(w)
		}
		return states(balls)
	}()
	w1, w2 := donburi.NewWorld(), donburi.NewWorld()
	// Shifts the entity numbers, collides with nothing.
	spawn(w2, at(0, 0, 0), sphere(5), components.CollisionFilterData{Disabled: true})
	b1, b2 := gas(w1, 50), gas(w2, 50)
	p1, p2 := systems.NewPhysics(systems.Config{}), systems.NewPhysics(systems.Config{Gravity: vec(0, -1, 0)})
	for range 60 {
		p1.Broadphase(newECS(w1))
		p2.Broadphase(newECS(w2))
		p2.Sweep(newECS(w2))
		p1.Sweep(newECS(w1))
		p1.Response(newECS(w1))
		p2.Response(newECS(w2))
	}
	if !slices.Equal(states(b1), alone) {
		t.Error("one world's balls are not where they are when it runs alone")
	}
	_ = b2
}

func TestPhysicsMayChangeToAnotherWorld(t *testing.T) {
	w1, w2 := donburi.NewWorld(), donburi.NewWorld()
	wall(w1, vec(0, 0, 0), vec(0, 1, 0))
	ball(w1, vec(0, 1, 0), vec(0, -1, 0), 1)
	spawn(w1, sphere(1))
	b := ball(w2, vec(0, 50, 0), vec(0, -1, 0), 1)
	p := systems.NewPhysics(systems.Config{StepSeconds: second})
	p.Step(w1)
	if len(slices.Collect(p.ContactBegins())) != 1 || len(errorsOf(p)) != 1 {
		t.Fatal("nothing happened in the first world: the test shows nothing")
	}
	p.Step(w2)
	expectNoErrors(t, p)
	expectPosition(t, "in the second world", b, vec(0, 49, 0), 1e-12)
	if got := eventsOf(p); len(got.begins)+len(got.ends)+len(got.impacts) > 0 {
		t.Errorf("events of the second world: got %+v, want none", got)
	}
	if s := p.Stats(); s.Bodies != 1 || s.Surfaces != 0 {
		t.Errorf("stats: got %+v, want one body", s)
	}
	p.Broadphase(newECS(w2))
	p.Response(newECS(w1)) // begun in one world, ended in the other: a complete step of the other
	if len(errorsOf(p)) != 2 {
		t.Errorf("errors: got %v, want the first world's, and that it was stepped before", errorsOf(p))
	}
	p.Sync(w2)
	if got := eventsOf(p); len(got.begins)+len(got.ends)+len(got.impacts) > 0 {
		t.Errorf("events after Sync with the second world: got %+v, want none of the first's", got)
	}
}

func TestStepsOfTwoWorldsInTurnAreReported(t *testing.T) {
	const want = "was stepped before, and another world since: give each world a Physics of its own"
	worlds := []donburi.World{donburi.NewWorld(), donburi.NewWorld(), donburi.NewWorld()}
	published := make([]int, len(worlds))
	for i, w := range worlds {
		spawn(w, at(0, 0, 0), sphere(1))
		systems.ErrorEvent.Subscribe(w, func(donburi.World, systems.EntityError) { published[i]++ })
	}
	p := systems.NewPhysics(systems.Config{Publish: systems.PublishErrors})
	for round := range 3 {
		for _, w := range worlds {
			p.Sync(w)
			p.Step(w)
			p.Step(w)
			systems.ErrorEvent.ProcessEvents(w)
			switch got := errorsOf(p); {
			case round == 0 && len(got) > 0:
				t.Errorf("a new world: got the errors %v", got)
			case round > 0 && (len(got) != 1 || !strings.HasSuffix(got[0].Error(), want)):
				t.Errorf("round %d: got the errors %v", round, got)
			}
		}
	}
	if want := []int{1, 0, 0}; !slices.Equal(published, want) {
		t.Errorf("errors published in the three worlds: got %v, want %v", published, want)
	}
	p.Step(donburi.NewWorld())
	expectNoErrors(t, p)
}

// twoWorlds returns the same world twice: balls that fall into a bin, settle and are hit by a fast
// one, with a kinematic ball that pushes through them.
func twoWorlds(workers int) (w [2]donburi.World, p [2]*systems.Physics, balls [2][]*donburi.Entry) {
	for k := range w {
		w[k] = donburi.NewWorld()
		p[k] = systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0), Workers: workers})
		balls[k] = heapInBin(w[k], 40, 9, []any{highFriction}, highFriction, turning(0, 0, 0))
		balls[k] = append(balls[k],
			ball(w[k], vec(-1.2, 0.3, 0), vec(0.4, 0, 0), 0.25, components.BodyData{Kind: components.Kinematic}),
			ball(w[k], vec(0, 30, 0), vec(0, -20, 0), 0.3, bouncy(0.5)))
	}
	return w, p, balls
}

// Step and the systems that AddTo adds do the same: the same bits, events and counts in every step,
// whether the game looks at what the stages have found or not.
func TestStepAndTheThreeSystemsAgree(t *testing.T) {
	for _, inspects := range []bool{false, true} {
		t.Run(fmt.Sprint("inspected ", inspects), func(t *testing.T) {
			w, p, balls := twoWorlds(1)
			game := newECS(w[1])
			impacts := 0
			for step := range slow.Steps(400) {
				p[0].Step(w[0])
				p[1].Broadphase(game)
				if inspects {
					for range p[1].Candidates() {
						impacts++
					}
				}
				p[1].Sweep(game)
				if inspects {
					for range p[1].FirstImpacts() {
						impacts++
					}
				}
				p[1].Response(game)
				for i := range balls[0] {
					a, b := balls[0][i], balls[1][i]
					if position(a) != position(b) || velocity(a) != velocity(b) {
						t.Fatalf("step %d: ball %d: Step has it at %v, the systems at %v", step, i, position(a),
							position(b))
					}
				}
				if a, b := fmt.Sprint(eventsOf(p[0])), fmt.Sprint(eventsOf(p[1])); a != b {
					t.Fatalf("step %d: events: Step has %v, the systems %v", step, a, b)
				}
				a, b := p[0].Stats(), p[1].Stats()
				a.Gather, a.Broadphase, a.Sweep, a.Response, a.Scatter = b.Gather, b.Broadphase, b.Sweep, b.Response,
					b.Scatter
				if a != b {
					t.Fatalf("step %d: counts: Step has %+v, the systems %+v", step, a, b)
				}
			}
			if inspects && impacts == 0 {
				t.Error("there were no candidates and first impacts")
			}
		})
	}
}

// What Broadphase finds is taken by Step, with the vetoes that came in between: two balls pass
// through each other that would meet otherwise.
func TestVetoBetweenBroadphaseAndStepIsKept(t *testing.T) {
	for _, after := range []string{"Broadphase", "Sweep"} {
		w, p, a, b, _, _ := threeImpacts()
		game := newECS(w)
		p.Broadphase(game)
		if after == "Sweep" {
			p.Sweep(game)
		}
		p.Veto(a.Entity(), b.Entity())
		p.Step(w)
		expectVelocity(t, "after "+after+": passed through, and back from the wall", a, vec(-20, 0, 0), 1e-12)
		expectVelocity(t, "after "+after+": not hit", b, vec(0, 0, 0), 0)
	}
}

// A ball that rests on another touches it. A step in which the two are kept from meeting ends that
// contact; the next one begins it again.
func TestVetoedPairIsNotInContacts(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	low := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5, components.BodyData{Mass: 5})
	high := ball(w, vec(0, 1.5, 0), vec(0, 0, 0), 0.5)
	p := onEarth()
	steps(t, w, p, 90)
	touches := func() bool {
		return slices.Contains(slices.Collect(p.Touching(high.Entity())), low.Entity())
	}
	if !touches() {
		t.Fatal("they don't touch: the test shows nothing")
	}
	p.Broadphase(newECS(w))
	p.Veto(high.Entity(), low.Entity())
	p.Step(w)
	ends := slices.Collect(p.ContactEnds())
	if touches() || len(ends) != 1 {
		t.Errorf("with a veto: touching %v, ends %v; want neither to touch and one end", touches(), ends)
	}
	if y := position(high).Y; !(y < 1.5) || math.IsNaN(y) {
		t.Errorf("with a veto: the upper ball is at %v, want it to begin to fall", y)
	}
	p.Step(w)
	if !touches() {
		t.Error("a step later: they don't touch")
	}
}

// A veto of two balls that are in one heap, and asleep, wakes them and lets the one fall.
func TestVetoWakesASleepingPair(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	low := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5, components.BodyData{Mass: 5})
	high := ball(w, vec(0, 1.5, 0), vec(0, 0, 0), 0.5)
	p := onEarth()
	steps(t, w, p, 180)
	if !p.Asleep(high.Entity()) {
		t.Fatal("it doesn't sleep: the test shows nothing")
	}
	before := position(high).Y
	for range 10 {
		p.Broadphase(newECS(w))
		p.Veto(low.Entity(), high.Entity())
		p.Step(w)
	}
	if distance := before - position(high).Y; !(distance > 0.1) {
		t.Errorf("it fell by %v m in ten steps, want some 0.13", distance)
	}
}

// Two balls lie beside each other, and their contact bears nothing. A veto ends it although the
// balls stay at rest, also if they sleep.
func TestAVetoEndsAContactThatBearsNothing(t *testing.T) {
	for _, sleepless := range []bool{false, true} {
		w := donburi.NewWorld()
		wall(w, vec(0, -0.5, 0), vec(0, 1, 0))
		a := ball(w, vec(0, 0, 0), vec(0.5, 0, 0), 0.5, components.MaterialData{Friction: 0.5})
		b := ball(w, vec(1.01, 0, 0), vec(0, 0, 0), 0.5, components.MaterialData{Friction: 0.5})
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -10, 0), NoSleeping: sleepless})
		steps(t, w, p, 200)
		if !slices.Contains(slices.Collect(p.Touching(a.Entity())), b.Entity()) || p.Asleep(a.Entity()) == sleepless {
			t.Fatal("they don't touch, or don't sleep: the test shows nothing")
		}
		p.Broadphase(newECS(w))
		p.Veto(a.Entity(), b.Entity())
		p.Step(w)
		if ends := slices.Collect(p.ContactEnds()); len(ends) != 1 {
			t.Errorf("without sleep %v: ends %v, want one", sleepless, ends)
		}
	}
}

// With AddTo, as with Step, most of a gas's time goes into Response, and Broadphase and Sweep do
// work of their own. This test counts what each leaves behind; times are for bench/scene.
func TestEachSystemDoesItsOwnWork(t *testing.T) {
	w := donburi.NewWorld()
	gas(w, 200)
	p := systems.NewPhysics(systems.Config{Workers: 1})
	game := newECS(w)
	candidates, first, impacts := 0, 0, 0
	for range 30 {
		p.Broadphase(game)
		for range p.FirstImpacts() {
			t.Fatal("there are impacts before Sweep")
		}
		for range p.Candidates() {
			candidates++
		}
		p.Sweep(game)
		for range p.FirstImpacts() {
			first++
		}
		p.Response(game)
		impacts += p.Stats().Impacts
	}
	if candidates == 0 || first == 0 || impacts == 0 {
		t.Errorf("%d candidates, %d first impacts, %d impacts: want some of each", candidates, first, impacts)
	}
}

// Balls that touch are all at distance zero when one of them is moved out of another. Which of them
// is pushed first must not depend on the order of their creation.
func TestMovingOverlappingBallsApartDoesNotDependOnTheOrderOfCreation(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	r := rand.New(rand.NewPCG(5, 19))
	var start []collide.Vec3
	for k := range 64 { // touching each other
		start = append(start, vec(float64(k%4), float64(k/4%4), float64(k/16)))
	}
	for range 6 { // inside them
		start = append(start, vec(3*r.Float64(), 3*r.Float64(), 3*r.Float64()))
	}
	var want []collide.Vec3
	for order := range 8 {
		w := donburi.NewWorld()
		balls := make([]*donburi.Entry, len(start))
		for _, k := range r.Perm(len(start)) {
			balls[k] = ball(w, start[k], vec(0, 0, 0), 0.5)
		}
		p := systems.NewPhysics(systems.Config{})
		for range 60 {
			p.Step(w)
		}
		got := states(balls)
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("order %d: not the bits of order 0", order)
		}
	}
	if want[0] == start[0] {
		t.Error("nothing was moved, so this tests nothing")
	}
}
