package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// angleBetween returns the angle between two rotations, radians.
func angleBetween(a, b collide.Quat) float64 {
	d := math.Abs(float64(a.X*b.X) + float64(a.Y*b.Y) + float64(a.Z*b.Z) + float64(a.W*b.W))
	c := a.Mul(collide.Quat{X: -b.X, Y: -b.Y, Z: -b.Z, W: b.W})
	return 2 * math.Atan2(vec(c.X, c.Y, c.Z).Length(), d)
}

// spinningBalls creates balls that bounce with friction in a box, and returns what has a Transform.
func spinningBalls(w donburi.World, n int) (balls []*donburi.Entry) {
	box(w, 3, bouncy(1), rough(0.4))
	r := rand.New(rand.NewPCG(5, 6))
	for k := range n {
		p := vec(float64(k%3)*1.7-1.7, float64(k/3%3)*1.7-1.7, float64(k/9)*1.7-1.7)
		balls = append(balls, ball(
			w, p, vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(200), 0.3, bouncy(1), rough(0.4),
			turning(r.Float64()*80, r.Float64()*80, r.Float64()*80)))
	}
	return balls
}

func TestInterpolatedFollowsThePathThroughItsImpacts(t *testing.T) {
	const length, parts = 0.125, 32
	config := systems.Config{StepSeconds: length, MaxImpacts: 1000}
	w := donburi.NewWorld()
	balls := spinningBalls(w, 12)
	p := systems.NewPhysics(config)
	p.Interpolated(balls[0].Entity()) // paths are recorded from now on

	turns := 0
	for range 40 {
		// A world in the same state, with small steps.
		fine := donburi.NewWorld()
		config.StepSeconds = length / parts
		reference := systems.NewPhysics(config)
		twins := spinningBalls(fine, len(balls))
		for k := range balls {
			components.Transform.SetValue(twins[k], *components.Transform.Get(balls[k]))
			components.Velocity.SetValue(twins[k], *components.Velocity.Get(balls[k]))
			components.AngularVelocity.SetValue(twins[k], *components.AngularVelocity.Get(balls[k]))
		}
		p.Advance(w, length)
		expectNoErrors(t, p)
		for range p.Impacts() {
			turns++
		}
		for k := range parts {
			if k > 0 {
				reference.Step(fine)
				p.Advance(w, length/parts)
			}
			for b := range balls {
				got, ok := p.Interpolated(balls[b].Entity())
				want := components.Transform.Get(twins[b])
				if !ok || !nearVec(got.Position, want.Position, 1e-9) ||
					angleBetween(got.Rotation, want.Rotation) > 1e-7 {
					t.Fatalf("ball %d at %d/%d of the step: got %v, want %v; angle %v",
						b, k, parts, got, want, angleBetween(got.Rotation, want.Rotation))
				}
			}
		}
		p = systems.NewPhysics(systems.Config{StepSeconds: length, MaxImpacts: 1000}) // has kept no time
		p.Interpolated(balls[0].Entity())
	}
	if turns < 400 {
		t.Errorf("impacts: got %d, want at least 400", turns)
	}
}

func TestNothingThatIsDrawnBetweenStepsOverlaps(t *testing.T) {
	const length, parts = 1.0 / 16, 8
	for name, c := range map[string]struct {
		gravity collide.Vec3
		scene   func(w donburi.World) []*donburi.Entry
	}{
		"a gas": {vec(0, 0, 0), func(w donburi.World) []*donburi.Entry { return gas(w, 100) }},
		"balls that fall into a corner": {vec(0, -9.81, 0), func(w donburi.World) (balls []*donburi.Entry) {
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			wall(w, vec(-2, 0, 0), vec(1, 0.5, 0))
			wall(w, vec(0, 0, -2), vec(0, 0.2, 1))
			for k := range 30 {
				at := vec(float64(k%5), 1+float64(k/5)*1.2, float64(k%3))
				balls = append(balls, ball(w, at, vec(-3, 0, 2), 0.4, bouncy(0.5), rough(0.3)))
			}
			return balls
		}},
		"what slides and what is pushed": {vec(0, -9.81, 0), func(w donburi.World) (balls []*donburi.Entry) {
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			wall(w, vec(9, 0, 0), vec(-1, 0, 0))
			balls = append(balls, ball(w, vec(-3, 0.5, 0), vec(6, 0, 0), 0.5,
				components.BodyData{Kind: components.Kinematic}))
			for k := range 8 {
				balls = append(balls, ball(w, vec(float64(k), 0.4, 0), vec(20, 0, 0), 0.4, components.SlidingData{}))
			}
			return balls
		}},
	} {
		w := donburi.NewWorld()
		balls := c.scene(w)
		p := systems.NewPhysics(systems.Config{Gravity: c.gravity, StepSeconds: length})
		p.Interpolated(balls[0].Entity())
		p.Step(w)
		drawn := make([]collide.Sphere, len(balls))
		for range 16 * parts * 3 {
			p.Advance(w, length/parts)
			for k, b := range balls {
				at, ok := p.Interpolated(b.Entity())
				if !ok {
					t.Fatalf("%s: ball %d can't be drawn", name, k)
				}
				drawn[k] = collide.Sphere{Center: at.Position, Radius: components.SphereCollider.Get(b).Radius}
				for j := range k {
					gap := drawn[k].Center.Distance(drawn[j].Center) - drawn[k].Radius - drawn[j].Radius
					if gap < -1e-9 {
						t.Fatalf("%s: balls %d and %d overlap by %v at %v of a step", name, j, k, -gap, p.Alpha())
					}
				}
				for e := range p.OverlapSphere(collide.Sphere{
					Center: at.Position, Radius: drawn[k].Radius * (1 - 1e-9),
				}, systems.Filter{}) {
					if !w.Entry(e).HasComponent(components.SphereCollider) {
						t.Fatalf("%s: ball %d overlaps a wall at %v of a step", name, k, p.Alpha())
					}
				}
			}
		}
	}
}

func TestPathsDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	slow.Skip(t, slow.Emulated, "compares what runs natively too")
	run := func(workers int) (all []components.TransformData) {
		w := donburi.NewWorld()
		balls := gas(w, 6000, turning(1, 2, 3), rough(0.2))
		p := systems.NewPhysics(systems.Config{Workers: workers})
		p.Interpolated(balls[0].Entity())
		for range 8 {
			p.Advance(w, 1.0/60)
		}
		for range 3 {
			p.Advance(w, 1.0/300)
			for _, b := range balls {
				at, _ := p.Interpolated(b.Entity())
				all = append(all, at)
			}
		}
		return all
	}
	one, four := run(1), run(4)
	for k := range one {
		if one[k] != four[k] {
			t.Fatalf("body %d: got %v with one worker and %v with four", k%6000, one[k], four[k])
		}
	}
}

func TestPathsSurviveSync(t *testing.T) {
	run := func(syncs bool) (all []components.TransformData) {
		w := donburi.NewWorld()
		balls := spinningBalls(w, 12)
		p := systems.NewPhysics(systems.Config{StepSeconds: 0.125, MaxImpacts: 1000})
		p.Interpolated(balls[0].Entity())
		p.Advance(w, 0.25+0.0625)
		if syncs { // between two steps the game replaces one of its balls by a new one
			p.Sync(w)
			balls[3].Remove()
			p.Sync(w)
			balls[3] = ball(w, vec(9, 9, 9), vec(0, 0, 0), 0.1, turning(1, 1, 1))
			p.Sync(w)
			if at, ok := p.Interpolated(balls[3].Entity()); !ok || at.Position != vec(9, 9, 9) {
				t.Errorf("a new ball: got %v %v, want it where it is", at, ok)
			}
		}
		for k, b := range balls {
			if k != 3 {
				at, _ := p.Interpolated(b.Entity())
				all = append(all, at)
			}
		}
		return all
	}
	with, without := run(true), run(false)
	for k := range with {
		if with[k] != without[k] {
			t.Errorf("ball %d: got %v after Sync, want %v", k, with[k], without[k])
		}
	}
}

func TestAMovingPlatformIsDrawnUnderItsPassenger(t *testing.T) {
	w := donburi.NewWorld()
	lift := spawn(w, at(0, 0, 0), moving(0, 2, 0), square(2))
	ceiling := wall(w, vec(0, 3, 0), vec(0, -1, 0))
	b := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5)
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), StepSeconds: 0.125})
	p.Interpolated(b.Entity())
	p.Step(w)
	lowest := math.Inf(1)
	for tick := range 8 * 16 {
		p.Advance(w, 0.125/8)
		if tick%3 == 0 {
			p.Sync(w)
		}
		under, ok := p.Interpolated(lift.Entity())
		on, also := p.Interpolated(b.Entity())
		if !ok || !also {
			t.Fatal("the lift or its passenger can't be drawn")
		}
		gap := on.Position.Y - 0.5 - under.Position.Y
		if gap < -1e-9 || on.Position.Y > 2.5+1e-9 {
			t.Fatalf("tick %d: gap %v, ball at %v", tick, gap, on.Position.Y)
		}
		lowest = min(lowest, gap)
	}
	if lowest > 1e-6 || position(lift).Y < 1.99 {
		t.Errorf("the lift is at %v, and the least gap to its passenger %v", position(lift).Y, lowest)
	}
	if got, ok := p.Interpolated(ceiling.Entity()); !ok || got.Position != vec(0, 3, 0) {
		t.Errorf("ceiling: got %v %v", got, ok)
	}
}

func TestRecordingPathsAllocatesNothing(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	w := donburi.NewWorld()
	balls := gas(w, 200, turning(1, 2, 3), rough(0.2))
	p := systems.NewPhysics(systems.Config{})
	draw := func() {
		p.Step(w)
		for _, b := range balls {
			p.Interpolated(b.Entity())
		}
	}
	for range 300 {
		draw()
	}
	if got := testing.AllocsPerRun(50, draw); got > 0 {
		t.Errorf("allocations a step: got %v, want 0", got)
	}
}

func TestRecordingPathsChangesNoResult(t *testing.T) {
	run := func(draws bool) (all []collide.Vec3) {
		w := donburi.NewWorld()
		balls := spinningBalls(w, 12)
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
		for range 120 {
			if draws {
				p.Interpolated(balls[3].Entity())
			}
			p.Step(w)
			all = append(all, states(balls)...)
		}
		return all
	}
	if fmt.Sprint(run(true)) != fmt.Sprint(run(false)) {
		t.Error("worlds with and without interpolation differ")
	}
}
