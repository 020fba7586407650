package systems_test

import (
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

func TestBounceBeginsAndEndsInOneStep(t *testing.T) {
	w, p := weightless()
	floor := wall(w, vec(0, 0, 0), vec(0, 2, 0))
	b := ball(w, vec(3, 6, 0), vec(1, -10, 0), 1, bouncy(0.5), components.BodyData{Mass: 4})
	p.Step(w)
	got := eventsOf(p)
	if len(got.begins) != 1 || len(got.ends) != 1 || len(got.impacts) != 1 {
		t.Fatalf("got %d begins, %d ends and %d impacts, want one of each", len(got.begins), len(got.ends),
			len(got.impacts))
	}
	i := got.impacts[0]
	if i.A != b.Entity() || i.B != floor.Entity() || !near(i.Time, 0.5, 1e-12) ||
		!nearVec(i.Point, vec(3.5, 0, 0), 1e-12) ||
		i.Normal != vec(0, 1, 0) || !near(i.Approach, 10, 1e-12) || !near(i.Impulse, 4*15, 1e-11) {
		t.Errorf("impact: got %+v", i)
	}
	c, e := got.begins[0], got.ends[0]
	if c.A != i.A || c.B != i.B || c.Time != i.Time || c.Point != i.Point || c.Normal != i.Normal || c.Sensor {
		t.Errorf("begin: got %+v, want what the impact says: %+v", c, i)
	}
	if e.A != i.A || e.B != i.B || e.Time != i.Time || e.Sensor {
		t.Errorf("end: got %+v, want what the impact says: %+v", e, i)
	}
	if all := slices.Collect(p.Touching(b.Entity())); len(all) > 0 {
		t.Errorf("touching after a bounce: got %v, want nothing", all)
	}
	p.Step(w)
	if got := eventsOf(p); len(got.begins)+len(got.ends)+len(got.impacts) > 0 {
		t.Errorf("the step after: got %+v, want nothing", got)
	}
}

func TestImpactEventsReportTheExchangedMomentum(t *testing.T) {
	w, p := weightless()
	balls := map[donburi.Entity]*donburi.Entry{}
	masses := map[donburi.Entity]float64{}
	momentum := map[donburi.Entity]collide.Vec3{}
	for i := range 30 {
		x, m := float64(i)*3, float64(i%4+1)
		b := ball(w, vec(x, float64(i%3)*0.4, float64(i%5)*0.3), vec(float64(10-i), 0.1, 0), 1, bouncy(0.7),
			components.BodyData{Mass: m})
		balls[b.Entity()], masses[b.Entity()], momentum[b.Entity()] = b, m, velocity(b).Scale(m)
	}
	impacts := 0
	for range 4 {
		p.Step(w)
		last := 0.0
		for i := range p.Impacts() {
			momentum[i.A] = momentum[i.A].AddScaled(i.Impulse, i.Normal)
			momentum[i.B] = momentum[i.B].AddScaled(-i.Impulse, i.Normal)
			if i.Time < last || i.Time > second {
				t.Errorf("times: got %v after %v, want them to ascend within the step", i.Time, last)
			}
			if !near(i.Normal.Length(), 1, 1e-14) || i.Approach < 0 || i.Impulse < 0 {
				t.Errorf("impact: got %+v, want a unit normal and nothing negative", i)
			}
			last = i.Time
			impacts++
		}
	}
	if impacts < 20 {
		t.Fatalf("impacts: got %d, want many", impacts)
	}
	for e, b := range balls {
		if got, want := velocity(b).Scale(masses[e]), momentum[e]; !nearVec(got, want, 1e-11) {
			t.Errorf("entity %d: momentum: got %v, want what the impulses say: %v", e.Id(), got, want)
		}
	}
}

func TestRestingContactBeginsOnceAndEndsWhenTheBallIsLifted(t *testing.T) {
	w := donburi.NewWorld()
	floor := wall(w, vec(0, 0, 0), vec(0, 1, 0))
	b := ball(w, vec(0, 2, 0), vec(1, 0, 0), 1, bouncy(0.5))
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	open := 0
	var lasting int
	for step := range 600 {
		p.Step(w)
		for range p.ContactBegins() {
			open++
			lasting = step
		}
		for range p.ContactEnds() {
			open--
		}
		if open < 0 || open > 1 {
			t.Fatalf("step %d: %d contacts open", step, open)
		}
	}
	if open != 1 || lasting > 300 {
		t.Errorf("at rest: got %d contacts open since step %d, want 1 since long", open, lasting)
	}
	if got := slices.Collect(p.Touching(floor.Entity())); len(got) != 1 || got[0] != b.Entity() {
		t.Errorf("the floor touches %v, want the ball", got)
	}
	components.Velocity.Get(b).Linear = vec(0, 5, 0)
	p.Step(w)
	if got := eventsOf(p); len(got.ends) != 1 || got.ends[0].A != b.Entity() || got.ends[0].B != floor.Entity() ||
		got.ends[0].Time != tick || len(got.begins) > 0 {
		t.Errorf("lifted off: got %+v, want an end at the step's end", got)
	}
	if got := slices.Collect(p.Touching(floor.Entity())); len(got) > 0 {
		t.Errorf("the floor touches %v, want nothing", got)
	}
}

func TestSlidingIsOneContact(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	b := ball(w, vec(0, 1, 0), vec(0, 0, 0), 1, components.SlidingData{})
	p := systems.NewPhysics(systems.Config{})
	begins, ends := 0, 0
	for range 300 {
		components.Velocity.Get(b).Linear = vec(3, -1, 1)
		p.Step(w)
		begins += len(slices.Collect(p.ContactBegins()))
		ends += len(slices.Collect(p.ContactEnds()))
	}
	if begins != 1 || ends != 0 {
		t.Errorf("got %d begins and %d ends, want one begin and no end", begins, ends)
	}
}

// A ball that slides along a compound touches two of its parts at once.
func TestAContactWithTwoPartsOfACompoundBeginsOnce(t *testing.T) {
	w, p := weightless()
	components.CreateBox(w, vec(0, -1, 0), vec(9, 0.5, 9))
	near := components.ShapePart{Shape: collide.Box{Half: vec(1, 1, 1)}}
	higher, away := near, near
	higher.Position.Y, away.Position.Z = 0.5, 5
	wall := components.CreateCompound(w, vec(3, 0, 1.5), []components.ShapePart{away, near, higher})
	b := ball(w, vec(0, 0, 0), vec(2, -1, 0), 0.5)
	begins, ends := 0, 0
	for range 10 {
		p.Step(w)
		for _, c := range eventsOf(p).begins {
			if c.A == b.Entity() && c.B == wall.Entity() {
				if begins++; !nearVec(c.Point, position(b).Add(vec(0, 0, 0.5)), 1e-6) {
					t.Errorf("begins at %v, and the ball is at %v", c.Point, position(b))
				}
			}
		}
		for _, c := range eventsOf(p).ends {
			if c.A == b.Entity() && c.B == wall.Entity() {
				ends++
			}
		}
	}
	if begins != 1 || ends != 1 {
		t.Errorf("%d begins and %d ends, want one of each", begins, ends)
	}
}

func TestContactEndsWithTheEntitiesItBeganWith(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	// Contacts of all kinds, elastic and inelastic, resting and flying, removed from either side.
	// Games identify contacts by (A, B).
	w := donburi.NewWorld()
	box(w, 3)
	var balls []*donburi.Entry
	for i := range 60 {
		x, y, z := float64(i%4), float64(i/4%4), float64(i/16)
		r := []any{bouncy(0.3)}
		if i%7 == 0 {
			r = []any{components.SlidingData{}}
		}
		balls = append(balls, ball(w, vec(x*1.2-2, y*1.2-2, z*1.2-2), vec(y-2, z-1, x-2).Scale(3), 0.5, r...))
	}
	spawn(w, at(0, 0, 0), sphere(1.5), components.SensorData{})
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	type pair struct{ a, b donburi.Entity }
	open := map[pair]bool{}
	seen := 0
	for step := range 300 {
		if step%20 == 19 {
			w.Remove(balls[len(balls)-1-step/20].Entity())
		}
		p.Step(w)
		got := eventsOf(p)
		// Within a step, begins and ends may alternate, so they are counted for each pair.
		balance := map[pair]int{}
		for _, e := range got.begins {
			balance[pair{e.A, e.B}]++
			seen++
		}
		for _, e := range got.ends {
			balance[pair{e.A, e.B}]--
		}
		for c, n := range balance {
			was := 0
			if open[c] {
				was = 1
			}
			if n+was < 0 || n+was > 1 {
				t.Fatalf("step %d: %v: %d contacts open", step, c, n+was)
			}
			open[c] = n+was == 1
		}
		for c, is := range open {
			if !is {
				continue
			}
			if !w.Valid(c.a) || !w.Valid(c.b) {
				t.Fatalf("step %d: a contact of %v and %v outlives one of them", step, c.a, c.b)
			}
			if !slices.Contains(slices.Collect(p.Touching(c.a)), c.b) ||
				!slices.Contains(slices.Collect(p.Touching(c.b)), c.a) {
				t.Fatalf("step %d: %v is open, but they don't touch", step, c)
			}
		}
	}
	if seen < 300 {
		t.Errorf("contacts: got %d, want many", seen)
	}
}

func TestTheOlderOfTwoSpheresIsA(t *testing.T) {
	for _, swap := range []bool{false, true} {
		w, p := weightless()
		x := 5.0
		if swap {
			x = -x
		}
		older := ball(w, vec(0, 0, 0), vec(0, 0, 0), 1, bouncy(1))
		younger := ball(w, vec(x, 0, 0), vec(-x*2, 0, 0), 1)
		p.Step(w)
		for i := range p.Impacts() {
			if i.A != older.Entity() || i.B != younger.Entity() || i.Normal != vec(-x/5, 0, 0) ||
				!nearVec(i.Point, vec(x/5, 0, 0), 1e-12) {
				t.Errorf("got %+v, want the older first, and the normal towards it", i)
			}
		}
		if n := len(slices.Collect(p.Impacts())); n != 1 {
			t.Fatalf("impacts: got %d, want 1", n)
		}
	}
}

func TestRemovingAnEntityEndsItsContacts(t *testing.T) {
	w := donburi.NewWorld()
	floor := wall(w, vec(0, 0, 0), vec(0, 1, 0))
	goal := spawn(w, at(0, 1, 0), sphere(3), components.SensorData{})
	b := ball(w, vec(0, 1, 0), vec(0, 0, 0), 1)
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	for range 3 {
		p.Step(w)
	}
	if got := slices.Collect(p.Touching(b.Entity())); len(got) != 2 {
		t.Fatalf("touching: got %v, want floor and goal", got)
	}
	old := b.Entity()
	w.Remove(old)
	again := ball(w, vec(0, 1, 0), vec(0, 0, 0), 1)
	if again.Entity().Id() != old.Id() {
		t.Fatal("Donburi didn't use the number again: the test shows nothing")
	}
	p.Step(w)
	got := eventsOf(p)
	want := []systems.ContactEnd{{A: old, B: floor.Entity()}, {A: old, B: goal.Entity(), Sensor: true}}
	if !slices.Equal(got.ends, want) {
		t.Errorf("ends: got %+v, want %+v", got.ends, want)
	}
	if len(got.begins) != 2 {
		t.Errorf("begins: got %+v, want the new ball's two", got.begins)
	}
	for _, e := range got.begins {
		if e.A != again.Entity() {
			t.Errorf("begin: got %+v, want it of the new ball", e)
		}
	}
	if all := slices.Collect(p.Touching(old)); len(all) > 0 {
		t.Errorf("the removed ball touches %v", all)
	}
	for _, sides := range []*donburi.Entry{floor, goal} {
		if all := slices.Collect(p.Touching(sides.Entity())); len(all) != 1 || all[0] != again.Entity() {
			t.Errorf("entity %d touches %v, want the new ball", sides.Entity().Id(), all)
		}
	}
	w.Remove(floor.Entity())
	w.Remove(goal.Entity())
	p.Step(w)
	want = []systems.ContactEnd{
		{A: again.Entity(), B: floor.Entity()},
		{A: again.Entity(), B: goal.Entity(), Sensor: true},
	}
	if got := slices.Collect(p.ContactEnds()); !slices.Equal(got, want) {
		t.Errorf("without floor and goal: ends: got %+v, want %+v", got, want)
	}
}

func TestContactsOfRemovedEntitiesEndOnce(t *testing.T) {
	between := map[string]func(p *systems.Physics, w donburi.World){
		"nothing":   func(*systems.Physics, donburi.World) {},
		"Sync":      func(p *systems.Physics, w donburi.World) { p.Sync(w) },
		"two Syncs": func(p *systems.Physics, w donburi.World) { p.Sync(w); p.Sync(w) },
		"two Broadphase": func(p *systems.Physics, w donburi.World) {
			e := newECS(w)
			p.Broadphase(e)
			p.Broadphase(e)
		},
	}
	for name, read := range between {
		w := donburi.NewWorld()
		floor := wall(w, vec(0, 0, 0), vec(0, 1, 0))
		b := ball(w, vec(0, 1, 0), vec(0, 0, 0), 1)
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), Publish: systems.PublishContacts})
		published := 0
		systems.ContactEndEvent.Subscribe(w, func(_ donburi.World, e systems.ContactEnd) {
			if e.A != b.Entity() || e.B != floor.Entity() {
				t.Errorf("%s: end: got %+v", name, e)
			}
			published++
		})
		p.Step(w)
		w.Remove(b.Entity())
		read(p, w)
		polled := 0
		for range 3 {
			p.Step(w)
			polled += len(slices.Collect(p.ContactEnds()))
			systems.ContactEndEvent.ProcessEvents(w)
		}
		if published != 1 || polled != 1 {
			t.Errorf("%s: got %d published and %d polled ends, want one", name, published, polled)
		}
	}
}

func TestEventsOfTheLastStepRemainAfterSync(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0), bouncy(1))
	a, b := ball(w, vec(0, 1.001, 0), vec(0, -1, 0), 1), ball(w, vec(9, 1.001, 0), vec(0, -1, 0), 1)
	p := systems.NewPhysics(systems.Config{})
	p.Step(w)
	want := eventsOf(p)
	if len(want.impacts) != 2 {
		t.Fatalf("impacts: got %v, want two", want.impacts)
	}
	w.Remove(a.Entity())
	w.Remove(b.Entity())
	ball(w, vec(0, 5, 0), vec(0, 0, 0), 1) // reuses the storage of the removed entities
	for range 2 {
		p.Sync(w)
		got := eventsOf(p)
		if !slices.Equal(got.impacts, want.impacts) || !slices.Equal(got.begins, want.begins) ||
			!slices.Equal(got.ends, want.ends) {
			t.Errorf("after Sync: got %+v, want %+v", got, want)
		}
	}
	p.Step(w)
	if got := eventsOf(p); len(got.impacts)+len(got.begins)+len(got.ends) > 0 {
		t.Errorf("after the next step: got %+v, want nothing", got)
	}
}

// Balls that have stopped at walls, and that nothing accelerates, don't move when all walls do.
func TestAllContactsEndWhenAllWallsAreMovedAway(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	var walls []*donburi.Entry
	for k := range 5 {
		x := 3 * float64(k)
		box := components.ShapeColliderData{Shape: collide.Box{Half: vec(1, 1, 1)}}
		walls = append(walls, spawn(w, at(x, 0, 0), box))
		ball(w, vec(x, 1.6, 0), vec(0, -1, 0), 0.5)
	}
	begun := 0
	for range 20 {
		p.Step(w)
		begun += len(slices.Collect(p.ContactBegins()))
	}
	for _, e := range walls {
		components.Transform.Get(e).Position.Y -= 5
	}
	p.Step(w)
	if ended := len(slices.Collect(p.ContactEnds())); begun != 5 || ended != 5 {
		t.Errorf("%d contacts began, and %d ended; want 5 and 5", begun, ended)
	}
}

func TestContactEndsWhenTheFilterExcludesIt(t *testing.T) {
	w := donburi.NewWorld()
	floor := wall(w, vec(0, 0, 0), vec(0, 1, 0))
	goal := spawn(w, at(0, 1, 0), sphere(3), components.SensorData{})
	sheet := wall(w, vec(0, 0.5, 0), vec(0, 1, 0), components.SensorData{})
	b := ball(w, vec(0, 1, 0), vec(0, 0, 0), 1, components.CollisionFilterData{})
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -0.001, 0)})
	p.Step(w)
	if got := slices.Collect(p.Touching(b.Entity())); len(got) != 3 {
		t.Fatalf("touching: got %v, want floor, goal and sheet", got)
	}
	components.CollisionFilter.Get(b).Disabled = true
	p.Step(w)
	if got := slices.Collect(p.ContactEnds()); len(got) != 3 {
		t.Errorf("ends: got %+v, want three", got)
	}
	for _, e := range []*donburi.Entry{floor, goal, sheet} {
		if got := slices.Collect(p.Touching(e.Entity())); len(got) > 0 {
			t.Errorf("touching after: got %v, want nothing", got)
		}
	}
}

func TestPublishedEventsEqualPolledEvents(t *testing.T) {
	w := donburi.NewWorld()
	gas(w, 60)
	spawn(w, at(0, 0, 0), sphere(0.7), components.SensorData{})
	p := systems.NewPhysics(systems.Config{Publish: systems.PublishAll})
	var got events
	systems.ContactBeginEvent.Subscribe(w, func(_ donburi.World,
		e systems.ContactBegin,
	) {
		got.begins = append(got.begins, e)
	})
	systems.ContactEndEvent.Subscribe(w, func(_ donburi.World, e systems.ContactEnd) { got.ends = append(got.ends, e) })
	systems.ImpactEvent.Subscribe(w, func(_ donburi.World, e systems.Impact) { got.impacts = append(got.impacts, e) })
	total := 0
	for range 100 {
		got = events{}
		p.Step(w)
		want := eventsOf(p)
		systems.ContactBeginEvent.ProcessEvents(w)
		systems.ImpactEvent.ProcessEvents(w)
		systems.ContactEndEvent.ProcessEvents(w)
		if !slices.Equal(got.begins, want.begins) || !slices.Equal(got.ends, want.ends) ||
			!slices.Equal(got.impacts, want.impacts) {
			t.Fatalf("published: got %+v, want %+v", got, want)
		}
		byTime := func(times []float64) bool { return slices.IsSorted(times) }
		var b, e []float64
		for _, c := range want.begins {
			b = append(b, c.Time)
		}
		for _, c := range want.ends {
			e = append(e, c.Time)
		}
		if !byTime(b) || !byTime(e) {
			t.Errorf("times: begins %v, ends %v: want both to ascend", b, e)
		}
		total += len(want.begins)
	}
	if total < 100 {
		t.Errorf("begins: got %d, want many", total)
	}
}

func TestNothingIsPublishedByDefault(t *testing.T) {
	for _, publish := range []systems.Events{
		0, systems.PublishImpacts, systems.PublishContacts,
		systems.PublishErrors,
	} {
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0))
		ball(w, vec(0, 1, 0), vec(0, -1, 0), 1, bouncy(1))
		spawn(w, sphere(1))
		p := systems.NewPhysics(systems.Config{Publish: publish})
		var got systems.Events
		systems.ImpactEvent.Subscribe(w, func(donburi.World, systems.Impact) { got |= systems.PublishImpacts })
		systems.ContactBeginEvent.Subscribe(w, func(donburi.World,
			systems.ContactBegin,
		) {
			got |= systems.PublishContacts
		})
		systems.ErrorEvent.Subscribe(w, func(donburi.World, systems.EntityError) { got |= systems.PublishErrors })
		p.Step(w)
		systems.ImpactEvent.ProcessEvents(w)
		systems.ContactBeginEvent.ProcessEvents(w)
		systems.ErrorEvent.ProcessEvents(w)
		if got != publish {
			t.Errorf("published: got %b, want %b", got, publish)
		}
	}
}

func TestContactsReportPointAndNormal(t *testing.T) {
	w := donburi.NewWorld()
	floor := spawn(w, at(0, 0, 0), plane(0, 1, 0))
	rest := ball(w, vec(3, 2, 0), vec(0, 0, 0), 2)
	goal := spawn(w, at(3, 4, 0), sphere(1), components.SensorData{})
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -10, 0)})
	for range 10 {
		p.Step(w)
	}
	for _, c := range []struct {
		name string
		of   donburi.Entity
		want systems.Contact
	}{
		{
			"the ball on the floor", rest.Entity(), systems.Contact{
				Other: floor.Entity(), Point: vec(3, 0, 0),
				Normal: vec(0, 1, 0),
			},
		},
		{
			"the floor below the ball", floor.Entity(),
			systems.Contact{Other: rest.Entity(), Point: vec(3, 0, 0), Normal: vec(0, -1, 0)},
		},
		{
			"the ball in the zone", rest.Entity(), systems.Contact{
				Other: goal.Entity(), Point: vec(3, 4, 0),
				Normal: vec(0, -1, 0), Sensor: true,
			},
		},
		{
			"the zone around the ball", goal.Entity(), systems.Contact{
				Other: rest.Entity(), Point: vec(3, 4, 0),
				Normal: vec(0, 1, 0), Sensor: true,
			},
		},
	} {
		found := false
		for got := range p.Contacts(c.of) {
			if got.Other != c.want.Other {
				continue
			}
			found = true
			if got.Point.Distance(c.want.Point) > 1e-12 || got.Normal.Distance(c.want.Normal) > 1e-12 ||
				got.Sensor != c.want.Sensor {
				t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
			}
		}
		if !found {
			t.Errorf("%s: no contact", c.name)
		}
	}
}
