package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/features/transform"
)

func spinOf(e *donburi.Entry) collide.Vec3 { return components.AngularVelocity.Get(e).Angular }
func rotation(e *donburi.Entry) collide.Quat {
	return components.Transform.Get(e).Rotation
}

func expectSpin(t *testing.T, what string, e *donburi.Entry, want collide.Vec3, tolerance float64) {
	t.Helper()
	if got := spinOf(e); !nearVec(got, want, tolerance) {
		t.Errorf("%s: angular velocity: got %v, want %v", what, got, want)
	}
}

// expectTurned fails if e isn't rotated by |v| radians around v.
func expectTurned(t *testing.T, what string, e *donburi.Entry, v collide.Vec3) {
	t.Helper()
	got, want := rotation(e), collide.RotationAround(v, v.Length())
	for _, x := range []collide.Vec3{vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)} {
		if !nearVec(got.Rotate(x), want.Rotate(x), 1e-12) {
			t.Errorf("%s: rotation: got %v, want %v", what, got, want)
			return
		}
	}
}

var (
	tossed = components.AngularVelocityData{Angular: vec(0.1, 0.2, -0.3)}
	lock   = func(axes components.Axes) components.BodyData { return components.BodyData{Locked: axes} }
)

func TestSpinningBodiesRotate(t *testing.T) {
	static, kinematic := components.BodyData{Kind: components.Static}, components.BodyData{Kind: components.Kinematic}
	cases := []struct {
		name    string
		values  []any
		want    collide.Vec3 // its angular velocity
		resting bool         // it doesn't rotate, whatever its angular velocity
	}{
		{"free", []any{tossed}, vec(0.1, 0.2, -0.3), false},
		{"rough", []any{tossed, rough(1)}, vec(0.1, 0.2, -0.3), false},
		{"pushed by a force", []any{tossed, components.ForceData{Force: vec(1, 1, 1)}}, vec(0.1, 0.2, -0.3), false},
		{"kinematic", []any{tossed, kinematic}, vec(0.1, 0.2, -0.3), false},
		{
			"kinematic, where damping and inertia don't count",
			[]any{components.AngularVelocityData{Angular: vec(1, 0, 0), Inertia: 3, Damping: 5}, kinematic},
			vec(1, 0, 0), false,
		},
		{"static", []any{tossed, static}, vec(0.1, 0.2, -0.3), true},
		{"kept in the plane", []any{tossed, lock(components.AxisZ)}, vec(0, 0, -0.3), false},
		{"kept in the plane and at rest", []any{turning(1, 2, 0), lock(components.AxisZ)}, vec(0, 0, 0), false},
		{"kept in the plane across X", []any{tossed, lock(components.AxisX)}, vec(0.1, 0, 0), false},
		{"kept in the plane across Y", []any{tossed, lock(components.AxisY)}, vec(0, 0.2, 0), false},
		{"kept on a line", []any{tossed, lock(components.AxisX | components.AxisZ)}, vec(0.1, 0.2, -0.3), false},
		{"kept where it is", []any{tossed, lock(7)}, vec(0.1, 0.2, -0.3), false},
		{"hollow", []any{components.AngularVelocityData{Angular: vec(0, 1, 0), Inertia: 2}}, vec(0, 1, 0), false},
		{"not turning", []any{components.AngularVelocityData{}}, vec(0, 0, 0), false},
		{"very fast", []any{turning(0, 0, 2e11)}, vec(0, 0, 2e11), false},
		{"a sensor", []any{tossed, components.SensorData{}}, vec(0.1, 0.2, -0.3), false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := donburi.NewWorld()
			e := ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.5, c.values...)
			p := systems.NewPhysics(systems.Config{StepSeconds: 0.25})
			const steps = 8
			for range steps {
				p.Step(w)
			}
			expectNoErrors(t, p)
			expectSpin(t, "after 8 steps", e, c.want, 0)
			switch {
			case c.resting:
				expectTurned(t, "after 8 steps", e, vec(0, 0, 0))
			case c.want.Length() < 10:
				expectTurned(t, "after 8 steps", e, c.want.Scale(steps*0.25))
			}
			if got := rotation(e).LengthSquared(); !near(got, 1, 1e-15) {
				t.Errorf("rotation: got a squared length of %v, want 1", got)
			}
		})
	}
}

func TestRotationsKeepUnitLength(t *testing.T) {
	w := donburi.NewWorld()
	e := ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.5, turning(3, 5, 7))
	p := systems.NewPhysics(systems.Config{})
	for range slow.Steps(100_000) {
		p.Step(w)
	}
	expectNoErrors(t, p)
	if got := rotation(e).LengthSquared(); !near(got, 1, 1e-15) {
		t.Errorf("squared length: got %v, want 1", got)
	}
}

func TestAngularDampingReducesSpin(t *testing.T) {
	w := donburi.NewWorld()
	e := ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.5, components.AngularVelocityData{Angular: vec(0, 8, 0), Damping: 1})
	p := systems.NewPhysics(systems.Config{StepSeconds: second})
	for _, want := range []float64{4, 2, 1, 0.5} { // multiplied by 1/(1+1·1) in each step
		p.Step(w)
		expectSpin(t, "damped", e, vec(0, want, 0), 0)
	}
	p.Sync(w)
	expectSpin(t, "after a Sync", e, vec(0, 0.5, 0), 0)
	expectTurned(t, "in all", e, vec(0, 7.5, 0))
	components.AngularVelocity.Get(e).Damping = 0
	p.Step(w)
	expectSpin(t, "undamped", e, vec(0, 0.5, 0), 0)
}

func TestASphereWithoutAngularVelocityKeepsItsRotation(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0), rough(1))
	tilted := at(0, 1, 0)
	tilted.Rotation = collide.RotationAround(vec(1, 2, 3), 1)
	e := spawn(w, tilted, moving(3, 0, 0), sphere(1))
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -10, 0)})
	for range 60 {
		p.Step(w)
	}
	if got := rotation(e); got != tilted.Rotation {
		t.Errorf("rotation: got %v, want %v", got, tilted.Rotation)
	}
}

// A rotation or angular velocity that the game sets in the middle of a step takes precedence over
// the result of the step.
func TestRotationsSetBetweenTheSystemsRemain(t *testing.T) {
	w := donburi.NewWorld()
	a, b := ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.5, turning(0, 0, 1)),
		ball(w, vec(5, 0, 0), vec(0, 0, 0), 0.5, turning(0, 0, 1))
	game := newECS(w)
	p := systems.NewPhysics(systems.Config{StepSeconds: 0.5})
	for i := range 3 {
		p.Broadphase(game)
		quarter := vec(math.Pi/2, 0, 0)
		components.Transform.Get(a).Rotation = collide.RotationAround(quarter, quarter.X)
		components.AngularVelocity.Get(b).Angular = vec(0, 0, float64(i+2))
		p.Sweep(game)
		p.Response(game)
		expectTurned(t, "turned by the game", a, quarter)
		expectSpin(t, "turned by the game", a, vec(0, 0, 1), 0)
		expectSpin(t, "spun by the game", b, vec(0, 0, float64(i+2)), 0)
		components.Transform.Get(a).Rotation = collide.Quat{}
	}
	expectTurned(t, "spun by the game", b, vec(0, 0, 0.5+1+1.5))
}

func TestNegativeZeroIsNoSpin(t *testing.T) {
	minus := math.Copysign(0, -1)
	run := func(zero float64) []collide.Vec3 {
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0), frictionPart{Dynamic: 0.5, Rolling: zero, Spinning: zero},
			components.SurfaceVelocityData{Linear: vec(zero, zero, zero)})
		a := ball(w, vec(0, 1, 0), vec(1, 0, 0), 1, turning(zero, zero, zero),
			frictionPart{Dynamic: zero, Static: zero})
		b := ball(w, vec(5, 1, 0), vec(-1, 0, 0), 1, turning(zero, zero, zero), rough(zero))
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -10, 0)})
		for range 200 {
			p.Step(w)
		}
		expectNoErrors(t, p)
		q := rotation(a)
		return append(states([]*donburi.Entry{a, b}), spinOf(a), spinOf(b), vec(q.X, q.Y, q.Z))
	}
	got, want := run(minus), run(0)
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("value %d: got %v, want %v", i, got[i], want[i])
		}
	}
}

// The smallest and largest valid sizes, masses and inertias collide at several speeds and spins.
// Nothing may become NaN or infinite.
func TestExtremeSpinsStayFinite(t *testing.T) {
	for _, radius := range []float64{1e-200, 1e-30, 1e-3, 1, 1e6} {
		for _, mass := range []float64{1e-30, 1, 1e30} {
			for _, inertia := range []float64{0, 1e-60, 1, 1e60} {
				for _, mu := range []float64{0.5, 1e6} {
					w := donburi.NewWorld()
					rough := frictionPart{Dynamic: mu, Rolling: mu, Spinning: mu}
					wall(w, vec(0, 0, 0), vec(0, 1, 0), rough)
					e := ball(w, vec(0, radius*1.5, 0), vec(radius, -radius*60, radius/3), radius,
						components.BodyData{Mass: mass},
						components.AngularVelocityData{Angular: vec(1, -20, 300), Inertia: inertia}, bouncy(0.5),
						rough)
					p := systems.NewPhysics(systems.Config{})
					for range 4 {
						p.Step(w)
					}
					if len(errorsOf(p)) > 0 || !position(e).IsFinite() || !velocity(e).IsFinite() ||
						!spinOf(e).IsFinite() || !(rotation(e).LengthSquared() > 0.9) {
						t.Errorf("radius %v, mass %v, inertia %v, friction %v: got %v %v %v %v %v", radius, mass,
							inertia, mu,
							errorsOf(p), position(e), velocity(e), spinOf(e), rotation(e))
					}
				}
			}
		}
	}
}

// A rolling body so small that it would exceed the largest angular velocity is limited to it, and
// isn't reported as an error.
func TestRollingOfTinyBallsIsLimitedAndNotAnError(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0), rough(1))
	e := ball(w, vec(0, 1e-15, 0), vec(1, -1, 0), 1e-15, components.AngularVelocityData{})
	p := systems.NewPhysics(systems.Config{})
	for range 3 {
		p.Step(w)
		expectNoErrors(t, p)
	}
	expectSpin(t, "a speck", e, vec(0, 0, -1e12), 0)
}

func TestDonburiTransformFollowsTheRotation(t *testing.T) {
	w := donburi.NewWorld()
	spinning := func(x, angular float64) *donburi.Entry {
		e := w.Entry(w.Create(transform.Transform, components.Transform, components.Velocity,
			components.SphereCollider, components.AngularVelocity))
		components.Transform.Get(e).Position.X = x
		transform.GetTransform(e).LocalPosition.X = x
		components.AngularVelocity.Get(e).Angular.Z = angular
		return e
	}
	e, child := spinning(0, math.Pi/2), spinning(50, -math.Pi/6)
	transform.AppendChild(e, child, true)
	expect := func(what string, e *donburi.Entry, degrees float64) {
		t.Helper()
		if got := transform.WorldRotation(e); !near(math.Remainder(got-degrees, 360), 0, 1e-9) {
			t.Errorf("%s: Donburi's rotation: got %v, want %v", what, got, degrees)
		}
		turned := vec(0, 0, degrees*math.Pi/180)
		expectTurned(t, what, e, turned)
	}
	p := flatPhysics()
	for i := range 9 {
		p.Step(w)
		expect("parent", e, 90*float64(i+1))
		// The parent's rotation rotates the child, too, before physics sets the child's own
		// rotation.
		expect("child", child, -30*float64(i+1))
	}
	expectNoErrors(t, p)
	transform.SetWorldRotation(e, 270+720) // the game rotates it
	before := transform.WorldRotation(child)
	p.Step(w)
	expect("turned by the game", e, 0)
	expect("a child of that", child, before-30)

	components.AngularVelocity.Get(e).Angular.Z = 0
	transform.SetWorldRotation(e, 765)
	p.Step(w)
	if got := transform.WorldRotation(e); got != 765 {
		t.Errorf("what doesn't turn: Donburi's rotation: got %v, want it left at 765", got)
	}
	expectTurned(t, "what doesn't turn", e, vec(0, 0, math.Pi/4))
}

func TestNormalComponentOfASurfaceVelocityIsIgnored(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0), rough(0.5), components.SurfaceVelocityData{Linear: vec(2, 100, 0)})
	e := ball(w, vec(0, 1, 0), vec(0, 0, 0), 1)
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -10, 0)})
	p.Step(w)
	expectNoErrors(t, p)
	if v := velocity(e); !near(v.Y, 0, 1e-9) {
		t.Errorf("a belt that points upwards: the ball's velocity: got %v, want nothing upwards", v)
	}
}

func TestAsleepAndCrushedOfOtherEntities(t *testing.T) {
	w := donburi.NewWorld()
	floor := wall(w, vec(0, 0, 0), vec(0, 1, 0))
	e := ball(w, vec(0, 10, 0), vec(1, 0, 0), 1, components.BodyData{NeverSleep: true})
	p := systems.NewPhysics(systems.Config{NoSleeping: true, Publish: systems.PublishCrushed})
	for range 3 {
		p.Step(w)
		for c := range p.Crushed() {
			t.Errorf("crushed: %v", c)
		}
	}
	for _, e := range []donburi.Entity{floor.Entity(), e.Entity(), donburi.Null} {
		if p.Asleep(e) {
			t.Errorf("%v is asleep", e)
		}
	}
	if got := p.Stats().Asleep; got != 0 {
		t.Errorf("stats: got %d asleep, want none", got)
	}
}

// A ball that a force presses on a wall with friction slips, and spins up. When it bounces off the
// floor within the step, that friction ends. The spin of the whole step is not left to it: that
// added up to 0.45 J to 53 J.
func TestABallThatSlipsOnAWallAndBouncesGainsNoEnergy(t *testing.T) {
	for k := range 20 {
		w := donburi.NewWorld()
		height := 0.5 + 0.008*float64(k)
		wall(w, vec(0, 0, 0), vec(0, 1, 0), bouncy(1))
		wall(w, vec(0, 0, 0), vec(1, 0, 0), rough(1))
		b := ball(w, vec(0.5, height, 0), vec(0, -9, 0), 0.5, turning(-1, 0, -16),
			components.ForceData{Force: vec(-8, 0, 0)})
		total := func() float64 {
			return energy([]*donburi.Entry{b}) + 0.4*0.5*0.5*spinOf(b).LengthSquared()/2
		}
		p, before := systems.NewPhysics(systems.Config{}), total()
		p.Step(w)
		if gain := total() - before; gain > 1e-12*before {
			t.Errorf("height %v: gains %.3g J of %.3g J", height, gain, before)
		}
	}
}

func TestAWallThatBecomesABallBetweenTheSystemsEndsItsStepAsAWall(t *testing.T) {
	w := donburi.NewWorld()
	e := components.CreateBox(w, vec(0, 0, 0), vec(1, 1, 1), components.Velocity, components.AngularVelocity)
	components.Velocity.Get(e).Linear = vec(6, 0, 0)
	components.AngularVelocity.Get(e).Angular = vec(0, 1, 0)
	p, game := systems.NewPhysics(systems.Config{}), newECS(w)
	p.Broadphase(game)
	e.RemoveComponent(components.ShapeCollider)
	e.AddComponent(components.SphereCollider)
	components.SphereCollider.Get(e).Radius = 1
	p.Sweep(game)
	p.Response(game)
	if x := position(e).X; math.Abs(x-0.1) > 1e-15 {
		t.Errorf("it has moved by %v, want 0.1", x)
	}
	steps(t, w, p, 1)
	if x := position(e).X; math.Abs(x-0.2) > 1e-15 {
		t.Errorf("a step later it has moved by %v, want 0.2", x)
	}
}
