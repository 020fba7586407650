package systems_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

func TestAdvanceRunsAsManyStepsAsFitIntoTheTime(t *testing.T) {
	w := donburi.NewWorld()
	b := ball(w, vec(0, 0, 0), vec(1, 0, 0), 1)
	p := systems.NewPhysics(systems.Config{StepSeconds: 0.25, MaxSteps: 4})
	cases := []struct {
		name    string
		seconds float64
		steps   int
		alpha   float64
	}{
		{"nothing yet", 0, 0, 0},
		{"half a step", 0.125, 0, 0.5},
		{"the other half", 0.125, 1, 0},
		{"three and a half", 0.875, 3, 0.5},
		{"a negative time", -5, 0, 0.5},
		{"no number", nan, 0, 0.5},
		{"for ever", inf, 0, 0.5},
		{"backwards for ever", -inf, 0, 0.5},
		{"as many as allowed", 0.875, 4, 0},
		{"more than allowed, and the rest is lost", 100, 4, 0},
		{"hardly more than allowed", 1.125, 4, 0.5},
		{"an age", 1e300, 4, 0},
	}
	total := 0
	for _, c := range cases {
		got := p.Advance(w, c.seconds)
		total += got
		if got != c.steps || p.Alpha() != c.alpha {
			t.Errorf("%s: got %d steps and alpha %v, want %d and %v", c.name, got, p.Alpha(), c.steps, c.alpha)
		}
		if want := vec(float64(total)*0.25, 0, 0); position(b) != want {
			t.Errorf("%s: position: got %v, want %v", c.name, position(b), want)
		}
	}
	sum := 0
	q := systems.NewPhysics(systems.Config{})
	for range 600 {
		sum += q.Advance(w, 1.0/60)
		if a := q.Alpha(); a < 0 || a >= 1 {
			t.Fatalf("alpha: got %v, want 0 to 1", a)
		}
	}
	if sum != 600 {
		t.Errorf("ten seconds of Ebitengine's ticks: got %d steps, want 600", sum)
	}
}

func TestInterpolatedIsBetweenTheLastTwoSteps(t *testing.T) {
	w := donburi.NewWorld()
	b := ball(w, vec(0, 0, 0), vec(4, 0, 0), 1)
	resting := spawn(w, at(0, 9, 0), sphere(1))
	floor := wall(w, vec(0, -9, 0), vec(0, 1, 0))
	p := systems.NewPhysics(systems.Config{StepSeconds: 0.25})
	if got, ok := p.Interpolated(b.Entity()); ok {
		t.Errorf("before the first step: got %v, want nothing", got)
	}
	p.Advance(w, 0.25+0.125)
	if got, ok := p.Interpolated(b.Entity()); !ok || got.Position != vec(0.5, 0, 0) {
		t.Errorf("half way: got %v %v, want 0.5", got, ok)
	}
	if got, ok := p.Interpolated(resting.Entity()); !ok || got.Position != vec(0, 9, 0) {
		t.Errorf("static: got %v %v, want where it is", got, ok)
	}
	if got, ok := p.Interpolated(floor.Entity()); !ok || got.Position != vec(0, -9, 0) {
		t.Errorf("a plane: got %v %v, want where it is", got, ok)
	}
	late := ball(w, vec(7, 7, 7), vec(0, 0, 0), 1)
	if got, ok := p.Interpolated(late.Entity()); ok {
		t.Errorf("created since: got %v, want nothing", got)
	}
	p.Advance(w, 0.25)
	if got, ok := p.Interpolated(b.Entity()); !ok || got.Position != vec(1.5, 0, 0) {
		t.Errorf("a step later: got %v %v, want 1.5", got, ok)
	}
	set(b, sphere(-1))
	p.Advance(w, 0.25)
	if got, ok := p.Interpolated(b.Entity()); ok {
		t.Errorf("left out: got %v, want nothing", got)
	}
}

func TestInterpolatedRotatesWithTheStep(t *testing.T) {
	w := donburi.NewWorld()
	tilted := collide.RotationAround(vec(1, 2, 3), 0.7)
	top := ball(w, vec(0, 0, 0), vec(0, 0, 0), 1, turning(0, 0, 2)) // half a radian per step
	thrown := ball(w, vec(9, 0, 0), vec(1, 0, 0), 1)
	for _, e := range []*donburi.Entry{top, thrown} {
		components.Transform.Get(e).Rotation = tilted
	}
	p := systems.NewPhysics(systems.Config{StepSeconds: 0.25})
	angle := func(a, b collide.Quat) float64 { // between two rotations
		d := math.Abs(float64(a.X*b.X) + float64(a.Y*b.Y) + float64(a.Z*b.Z) + float64(a.W*b.W))
		return 2 * math.Acos(min(d, 1))
	}
	check := func(what string, want float64) {
		t.Helper()
		got, ok := p.Interpolated(top.Entity())
		if !ok || angle(got.Rotation, collide.RotationAround(vec(0, 0, 1), want).Mul(tilted)) > 1e-7 {
			t.Errorf("%s: got %v %v, want it turned by %v", what, got.Rotation, ok, want)
		}
		if got, ok := p.Interpolated(thrown.Entity()); !ok || got.Rotation != tilted {
			t.Errorf("%s, one that doesn't turn: got %v %v, want %v", what, got.Rotation, ok, tilted)
		}
	}
	p.Advance(w, 0.25)
	check("at the step's beginning", 0)
	p.Advance(w, 0.125)
	check("half way", 0.25)
	p.Sync(w)
	check("half way, after Sync", 0.25)
	p.Advance(w, 0.25)
	check("half way through the next", 0.75)
	components.AngularVelocity.Get(top).Angular = vec(0, 0, 0)
	p.Advance(w, 0.25)
	check("at rest", 1)
	p.Advance(w, 0.25)
	check("still at rest", 1)
	w.Remove(top.Entity())
	if got, ok := p.Interpolated(top.Entity()); ok {
		t.Errorf("removed: got %v, want nothing", got)
	}
}

func TestInterpolatedPositionOfATeleportedBody(t *testing.T) {
	w := donburi.NewWorld()
	b := ball(w, vec(0, 0, 0), vec(4, 0, 0), 1)
	p := systems.NewPhysics(systems.Config{StepSeconds: 0.25})
	p.Advance(w, 0.25)
	components.Transform.Get(b).Position = vec(100, 0, 0)
	p.Advance(w, 0.25+0.125)
	if got, _ := p.Interpolated(b.Entity()); got.Position != vec(100.5, 0, 0) {
		t.Errorf("got %v, want 100.5: no streak across the world", got)
	}
}

func TestSyncDoesNotChangeInterpolation(t *testing.T) {
	w := donburi.NewWorld()
	balls := gas(w, 50)
	p := systems.NewPhysics(systems.Config{})
	for range 10 {
		p.Step(w)
	}
	p.Advance(w, 0.01)
	var want []collide.Vec3
	for _, b := range balls {
		q, _ := p.Interpolated(b.Entity())
		want = append(want, q.Position)
	}
	for range 40 {
		p.Sync(w)
	}
	for i, b := range balls {
		if got, _ := p.Interpolated(b.Entity()); got.Position != want[i] {
			t.Errorf("ball %d: got %v, want %v", i, got, want[i])
		}
	}
}

// A call without a step leaves the step alone that the game has begun, with its events.
func TestAdvanceWithoutAStepBetweenTheSystems(t *testing.T) {
	w := donburi.NewWorld()
	game, p := newECS(w), systems.NewPhysics(systems.Config{StepSeconds: 1})
	ball(w, vec(-2, 0, 0), vec(2, 0, 0), 1)
	wall(w, vec(0, 0, 0), vec(-1, 0, 0))
	p.Broadphase(game)
	p.Advance(w, 0.25)
	p.Response(game)
	impacts := 0
	for range p.Impacts() {
		impacts++
	}
	if impacts != 1 {
		t.Errorf("%d impacts, want 1", impacts)
	}
	if p.Advance(w, 0); len(slices.Collect(p.Impacts())) != 0 {
		t.Error("there are impacts after a call without a step")
	}
}

// A frame with several steps lost the events of all but the last one, and a frame without a step
// repeated those of the step before.
func TestEventsAfterAdvanceAreThoseOfAllItsSteps(t *testing.T) {
	const seconds = 4.0
	for _, frames := range []float64{1, 15, 50, 60, 144, 1000} {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{
			MaxSteps: 1000, Publish: systems.PublishContacts | systems.PublishImpacts,
		})
		for i := range 60 { // coins in a row, and two walls between which a ball bounces
			components.CreateSensor(w, vec(1+0.5*float64(i), 0, 0), 0.1)
		}
		ball(w, vec(0, 0, 0), vec(10, 0, 0), 0.1)
		ball(w, vec(0, 5, 0), vec(40, 0, 0), 0.1, components.MaterialData{Restitution: 1})
		wall(w, vec(-1, 5, 0), vec(1, 0, 0))
		wall(w, vec(42, 5, 0), vec(-1, 0, 0))
		counts := [6]int{}
		count := func(k int) func() { return func() { counts[k]++ } }
		onBegin, onEnd, onImpact := count(0), count(1), count(2)
		systems.ContactBeginEvent.Subscribe(w, func(donburi.World, systems.ContactBegin) { onBegin() })
		systems.ContactEndEvent.Subscribe(w, func(donburi.World, systems.ContactEnd) { onEnd() })
		systems.ImpactEvent.Subscribe(w, func(donburi.World, systems.Impact) { onImpact() })
		for n := range int(seconds * frames) {
			p.Advance(w, 1/frames)
			if n%3 == 0 {
				p.Sync(w) // changes none of them
			}
			for range p.ContactBegins() {
				counts[3]++
			}
			for range p.ContactEnds() {
				counts[4]++
			}
			for range p.Impacts() {
				counts[5]++
			}
			systems.ContactBeginEvent.ProcessEvents(w)
			systems.ContactEndEvent.ProcessEvents(w)
			systems.ImpactEvent.ProcessEvents(w)
		}
		expectNoErrors(t, p)
		if counts[0] != counts[3] || counts[1] != counts[4] || counts[2] != counts[5] ||
			counts[0] < 60 || counts[2] < 3 {
			t.Errorf("%v frames a second: begins, ends and impacts on the bus, and read: %v", frames, counts)
		}
	}
}
