package systems_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// ruled returns a world with a contact rule and gravity.
func ruled(gravity float64, rule func(*systems.RuledContact)) (donburi.World, *systems.Physics) {
	return donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -gravity, 0), ContactRule: rule})
}

func TestTheContactRuleSetsRestitution(t *testing.T) {
	w, p := ruled(0, func(c *systems.RuledContact) { c.Restitution = 0.5 })
	a := components.CreateBall(w, vec(0, 0, 0), 0.5)
	b := components.CreateBall(w, vec(3, 0, 0), 0.5)
	components.CreatePlane(w, vec(-2, 0, 0), vec(1, 0, 0))
	components.Velocity.Get(a).Linear = vec(8, 0, 0)
	components.Velocity.Get(b).Linear = vec(-8, 0, 0)
	for range 15 {
		p.Step(w)
	}
	if v := components.Velocity.Get(b).Linear; v != vec(4, 0, 0) {
		t.Errorf("balls that approach at 16 m/s part at %v and its opposite, not at 4 m/s", v)
	}
	for range 60 {
		p.Step(w)
	}
	if v := components.Velocity.Get(a).Linear; v != vec(2, 0, 0) {
		t.Errorf("a ball that hits a wall at 4 m/s leaves it at %v, not at 2 m/s", v)
	}
}

func TestTheContactRuleIsAskedInOneOrderOfSides(t *testing.T) {
	var asked []systems.RuledContact
	w, p := ruled(0, func(c *systems.RuledContact) { asked = append(asked, *c) })
	a := components.CreateBall(w, vec(0, 0, 0), 0.5)
	b := components.CreateBall(w, vec(3, 0, 0), 0.5)
	components.Material.Get(a).Restitution, components.Material.Get(a).Friction = 0.25, 0.5
	components.Velocity.Get(b).Linear = vec(-8, 0, 0)
	for range 20 {
		p.Step(w)
	}
	if len(asked) != 1 {
		t.Fatalf("the rule was asked %d times", len(asked))
	}
	c := asked[0]
	if c.A != a.Entity() || c.B != b.Entity() || c.Normal != vec(-1, 0, 0) || c.Point != vec(0.5, 0, 0) ||
		c.Approach != 8 || c.Restitution != 0.25 || c.Friction != 0.5 || c.StaticFriction != 0.5 || c.Persistent {
		t.Errorf("the rule was asked about %+v", c)
	}
}

// A ball goes through a crowd and a wall as if they weren't there, and nothing pushes it out while
// it is inside of them.
func TestIgnoredContactsLeaveThePathAlone(t *testing.T) {
	ghost := donburi.Null
	w, p := ruled(0, func(c *systems.RuledContact) { c.Ignore = c.A == ghost || c.B == ghost })
	e := components.CreateBall(w, vec(0, 0, 0), 0.5)
	ghost = e.Entity()
	components.Velocity.Get(e).Linear = vec(1, 0, 0)
	var crowd []*donburi.Entry
	for k := range 5 {
		crowd = append(crowd, components.CreateBall(w, vec(1.5+0.7*float64(k), 0.2, 0.1), 0.3))
	}
	components.CreateBox(w, vec(6, 0, 0), vec(0.5, 2, 2))
	for step := range 600 {
		p.Step(w)
		if n := p.Stats().Impacts; n != 0 {
			t.Fatalf("step %d has %d impacts", step, n)
		}
	}
	if x := components.Transform.Get(e).Position; x.Distance(vec(10, 0, 0)) > 1e-9 {
		t.Errorf("after ten seconds at 1 m/s the ball is at %v", x)
	}
	for k, c := range crowd {
		if at := components.Transform.Get(c).Position; at != vec(1.5+0.7*float64(k), 0.2, 0.1) {
			t.Errorf("ball %d of the crowd is at %v", k, at)
		}
	}
}

// Crates fall through a floor of any kind that they ignore, and others stay on it.
func TestCratesIgnoreFloors(t *testing.T) {
	terrain, err := collide.NewHeightField(vec(-4, 0, -4), 2, 2, 5, make([]float64, 25))
	if err != nil {
		t.Fatal(err)
	}
	for name, floor := range map[string]func(w donburi.World){
		"plane": func(w donburi.World) { components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0)) },
		"box":   func(w donburi.World) { components.CreateBox(w, vec(0, -0.5, 0), vec(4, 0.5, 4)) },
		"field": func(w donburi.World) { components.CreateHeightField(w, vec(0, 0, 0), terrain) },
	} {
		ghost := donburi.Null
		w, p := ruled(10, func(c *systems.RuledContact) { c.Ignore = c.A == ghost })
		floor(w)
		falls := components.CreateCrate(w, vec(-1, 1, 0), vec(0.4, 0.4, 0.4))
		stays := components.CreateCrate(w, vec(1, 1, 0), vec(0.4, 0.4, 0.4))
		ghost = falls.Entity()
		for range 60 {
			p.Step(w)
		}
		if y := components.Transform.Get(falls).Position.Y; math.Abs(y+4) > 0.1 {
			t.Errorf("%s: the crate that falls through is at %g after a second", name, y)
		}
		if y := components.Transform.Get(stays).Position.Y; math.Abs(y-0.4) > 1e-3 {
			t.Errorf("%s: the other crate is at %g after a second", name, y)
		}
	}
}

// What the rule ignored collides again when the two have been apart.
func TestIgnoringEndsWhenTheTwoAreApart(t *testing.T) {
	ignore := true
	w, p := ruled(0, func(c *systems.RuledContact) { c.Ignore = ignore })
	a := components.CreateBall(w, vec(0, 0, 0), 0.5)
	components.CreateBall(w, vec(2, 0, 0), 0.5)
	components.Velocity.Get(a).Linear = vec(2, 0, 0)
	for range 60 {
		p.Step(w)
	}
	ignore = false // the rule is not asked about the two while they are inside each other
	for range 60 {
		p.Step(w)
	}
	if x := components.Transform.Get(a).Position; x.Distance(vec(4, 0, 0)) > 1e-12 {
		t.Fatalf("the ball is at %v after 2 s at 2 m/s", x)
	}
	components.Velocity.Get(a).Linear = vec(-2, 0, 0)
	hits := 0
	for range 60 {
		p.Step(w)
		hits += p.Stats().Impacts
	}
	if hits == 0 {
		t.Error("the two don't collide on the way back")
	}
}

func TestTheContactRuleDropsWhatRests(t *testing.T) {
	drop := false
	w, p := ruled(10, func(c *systems.RuledContact) { c.Ignore = drop })
	floor := components.CreateBox(w, vec(0, -0.5, 0), vec(2, 0.5, 2))
	ball := components.CreateBall(w, vec(0, 0.5, 0), 0.5)
	components.Body.Get(ball).NeverSleep = true
	for range 60 {
		p.Step(w)
	}
	if y := components.Transform.Get(ball).Position.Y; math.Abs(y-0.5) > 1e-3 {
		t.Fatalf("the ball rests at %g", y)
	}
	drop = true
	p.Step(w)
	for range p.Contacts(ball.Entity()) {
		t.Error("the ball still touches something")
	}
	for range 59 {
		p.Step(w)
	}
	if y := components.Transform.Get(ball).Position.Y; y > -4 {
		t.Errorf("a second later the ball is at %g, with the floor %d at 0", y, floor.Entity().Id())
	}
}

func TestTheContactRuleSetsFrictionAndConveyors(t *testing.T) {
	for _, friction := range []float64{0, 0.2} {
		w, p := ruled(10, func(c *systems.RuledContact) {
			c.Friction, c.StaticFriction, c.SurfaceVelocity = friction, friction, vec(3, 0, 0)
		})
		components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
		ball := components.CreateBall(w, vec(0, 0.5, 0), 0.5)
		components.Body.Get(ball).NeverSleep = true
		for range 60 {
			p.Step(w)
		}
		want := min(10*friction*1, 3) // a ball that doesn't rotate takes on the speed of the belt
		if v := components.Velocity.Get(ball).Linear.X; math.Abs(v-want) > 0.06 {
			t.Errorf("friction %g: after a second the belt has brought the ball to %g m/s, not %g", friction, v, want)
		}
	}
}

func TestSameBitsWithARuleInAnyOrderOfCreation(t *testing.T) {
	run := func(reverse bool, workers int) []collide.Vec3 {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{
			Gravity: vec(0, -10, 0), Workers: workers,
			ContactRule: func(c *systems.RuledContact) {
				c.Ignore = c.Approach > 3
				c.Restitution = 0.5 * c.Normal.Y * c.Normal.Y
				c.Friction = 0.3
			},
		})
		components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
		const n = 60
		balls := make([]*donburi.Entry, n)
		for k := range n {
			if reverse {
				k = n - 1 - k
			}
			at := vec(0.4*float64(k%4)+0.01*float64(k), 0.5+0.3*float64(k), 0.4*float64(k/4%3))
			balls[k] = components.CreateBall(w, at, 0.15+0.001*float64(k))
		}
		for range 120 {
			p.Step(w)
		}
		var at []collide.Vec3
		for _, b := range balls {
			at = append(at, components.Transform.Get(b).Position)
		}
		return at
	}
	want := run(false, 1)
	for _, workers := range []int{1, 4} {
		for k, at := range run(true, workers) {
			if at != want[k] {
				t.Fatalf("%d workers, created backwards: ball %d is at %v and not at %v", workers, k, at, want[k])
			}
		}
	}
}

// Without a rule, most impacts are resolved by code of their own: see internal/solver/bounce.go.
func TestSameBitsWithARuleThatChangesNothing(t *testing.T) {
	run := func(rule func(*systems.RuledContact)) (at []collide.Vec3, impacts []systems.Impact) {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{ContactRule: rule, RestitutionThreshold: 0.3})
		for _, n := range []collide.Vec3{vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)} {
			components.CreatePlane(w, n.Scale(-2), n)
			components.CreatePlane(w, n.Scale(2), n.Neg())
		}
		var balls []*donburi.Entry
		for k := range 64 {
			x := vec(float64(k%4)-1.5, float64(k/4%4)-1.5, float64(k/16)-1.5)
			b := components.CreateBall(w, x, 0.2+0.1*float64(k%3))
			components.Velocity.Get(b).Linear = vec(9*x.Y, -7*x.Z, 11*x.X)
			m := components.Material.Get(b)
			m.Restitution = min(1, 0.7+0.1*float64(k%7))
			if k%8 == 0 {
				m.Friction = 0.4
			}
			balls = append(balls, b)
		}
		for range 60 {
			p.Step(w)
			impacts = slices.AppendSeq(impacts, p.Impacts())
		}
		for _, b := range balls {
			at = append(at, components.Transform.Get(b).Position, components.Velocity.Get(b).Linear)
		}
		return at, impacts
	}
	at, impacts := run(nil)
	ruledAt, ruledImpacts := run(func(*systems.RuledContact) {})
	if !slices.Equal(at, ruledAt) {
		t.Error("with a rule that changes nothing, the balls move in another way")
	}
	if len(impacts) < 1000 {
		t.Errorf("only %d impacts", len(impacts))
	}
	if len(impacts) != len(ruledImpacts) {
		t.Fatalf("%d impacts, and %d with a rule", len(impacts), len(ruledImpacts))
	}
	for k, i := range impacts {
		if r := ruledImpacts[k]; i.Time != r.Time || i.Point != r.Point || i.Normal != r.Normal ||
			i.Approach != r.Approach || i.Impulse != r.Impulse {
			t.Fatalf("impact %d is %+v, and %+v with a rule", k, i, r)
		}
	}
}

// A ball on a parabola passes what it ignores without a kink.
func TestIgnoredContactsLeaveParabolasAlone(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{
		Gravity: vec(0, -10, 0), Parabolic: true, ContactRule: func(c *systems.RuledContact) { c.Ignore = true },
	})
	ball := components.CreateBall(w, vec(0, 0, 0), 0.5)
	components.Velocity.Get(ball).Linear = vec(3, 5, 0)
	for k := range 5 {
		components.CreateBox(w, vec(0.7*float64(k)+1, 0.5, 0), vec(0.1, 0.3, 1))
	}
	for range 60 {
		p.Step(w)
	}
	if at := components.Transform.Get(ball).Position; at.Distance(vec(3, 0, 0)) > 1e-12 {
		t.Errorf("a second after it was thrown the ball is at %v", at)
	}
}

func TestWrongValuesOfTheContactRuleAreReported(t *testing.T) {
	for name, set := range map[string]func(*systems.RuledContact){
		"Restitution NaN":     func(c *systems.RuledContact) { c.Restitution = math.NaN() },
		"Restitution 2":       func(c *systems.RuledContact) { c.Restitution = 2 },
		"Friction -1":         func(c *systems.RuledContact) { c.Friction = -1 },
		"RollingResistance":   func(c *systems.RuledContact) { c.RollingResistance = math.Inf(1) },
		"SurfaceVelocity {0 ": func(c *systems.RuledContact) { c.SurfaceVelocity.Z = math.NaN() },
	} {
		w, p := ruled(10, set)
		components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
		ball := components.CreateBall(w, vec(0, 0.6, 0), 0.5)
		found := false
		for range 20 {
			p.Step(w)
			for e := range p.Errors() {
				found = found || e.Entity == ball.Entity() && strings.Contains(e.Error(), "ContactRule."+name)
				if !found {
					t.Errorf("%s: %v", name, e)
				}
			}
		}
		if !found {
			t.Errorf("%s: no error", name)
		}
		if y := components.Transform.Get(ball).Position.Y; !(y > 0.49 && y < 0.6) {
			t.Errorf("%s: the ball is at %g", name, y)
		}
	}
}

func TestStepsWithAContactRuleDoNotAllocate(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	w, p := ruled(10, func(c *systems.RuledContact) { c.Friction = 0.4; c.Ignore = c.Approach > 100 })
	components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
	for k := range 30 {
		b := components.CreateBall(w, vec(0.3*float64(k%3), 0.5+float64(k/3), 0.1*float64(k%2)), 0.4)
		components.Body.Get(b).NeverSleep = true
	}
	for range 200 {
		p.Step(w)
	}
	if n := testing.AllocsPerRun(50, func() { p.Step(w) }); n != 0 {
		t.Errorf("a step allocates %g times", n)
	}
}

// Errors of the rule came last, in the order of contacts.
func TestErrorsOfTheRuleComeInTheOrderOfEntities(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{ContactRule: func(c *systems.RuledContact) { c.Restitution = nan }})
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	var want []donburi.Entity
	for k := range 3 {
		want = append(want, ball(w, vec(float64(3*k), 1.03-0.01*float64(k), 0), vec(0, -6, 0), 1).Entity())
	}
	want = append(want, ball(w, vec(0, 5, 0), vec(0, 0, 0), -1).Entity())
	p.Step(w)
	var got []donburi.Entity
	for e := range p.Errors() {
		got = append(got, e.Entity)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got errors of %v, want %v", got, want)
	}
	if n := p.Stats().Errors; n != len(want) {
		t.Errorf("Stats has %d errors, want %d", n, len(want))
	}
}

// The error of a rule that overwrites A named what the rule had written.
func TestAnErrorOfARuleThatOverwritesItsEntitiesNamesTheRightOne(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{ContactRule: func(c *systems.RuledContact) {
		c.A, c.Restitution = donburi.Null, nan
	}})
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	e := ball(w, vec(0, 1.03, 0), vec(0, -6, 0), 1)
	p.Step(w)
	for err := range p.Errors() {
		if err.Entity != e.Entity() {
			t.Errorf("the error is of %v, want %v", err.Entity, e.Entity())
		}
	}
	if p.Stats().Errors != 1 {
		t.Errorf("%d errors", p.Stats().Errors)
	}
}

// A step within a step ended with "index out of range [0] with length 0".
func TestAContactRuleThatTakesAStepIsToldSo(t *testing.T) {
	for name, step := range map[string]func(p *systems.Physics, w donburi.World){
		"Step":    func(p *systems.Physics, w donburi.World) { p.Step(w) },
		"Sync":    func(p *systems.Physics, w donburi.World) { p.Sync(w) },
		"Advance": func(p *systems.Physics, w donburi.World) { p.Advance(w, 1) },

		"SetGravity": func(p *systems.Physics, _ donburi.World) { _ = p.SetGravity(vec(0, -5, 0)) },
	} {
		w := donburi.NewWorld()
		var p *systems.Physics
		p = systems.NewPhysics(systems.Config{
			Gravity: vec(0, -10, 0), ContactRule: func(*systems.RuledContact) { step(p, w) },
		})
		components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
		components.CreateBall(w, vec(0, 0.6, 0), 0.5)
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, "ContactRule must not") {
					t.Errorf("%s: %s", name, text)
				}
			}()
			for range 60 {
				p.Step(w)
			}
		}()
	}
}
