package systems_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A flipper hits a ball that rolls down on it.
func ExamplePhysics_flipper() {
	w := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -3}})
	flipper := components.CreateFlipper2D(w, collide.Vec3{}, collide.Vec3{X: 0.08, Y: -0.03}, 0.01, 0.8, 30)
	ball := components.CreateCircle2D(w, collide.Vec3{X: 0.05, Y: 0.1}, 0.0135)
	for step := range 60 {
		components.Motor.Get(flipper).On = step >= 18 && step < 24
		physics.Step(w)
	}
	height := components.Transform.Get(ball).Position.Y
	fmt.Printf("angle %v, ball at %.1f m\n", components.Motor.Get(flipper).Angle, height)
	// Output: angle 0, ball at 1.2 m
}

// angleOf returns the rotation of an entity about Z.
func angleOf(e *donburi.Entry) float64 {
	q := components.Transform.Get(e).Rotation
	return 2 * math.Atan2(q.Z, q.W)
}

func TestAMotorArrivesAtItsAngleAndSpringsBack(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	f := components.CreateFlipper2D(w, vec(1, 2, 0), vec(2, 2, 0), 0.1, 0.7, 25)
	m := components.Motor.Get(f)
	for _, on := range []bool{true, false, true} {
		m.On = on
		for range 3 {
			p.Step(w)
		}
		want := 0.0
		if on {
			want = 0.7
		}
		if m.Angle != want || !near(angleOf(f), want, 1e-15) || velocity(f) != vec(0, 0, 0) {
			t.Errorf("on %v: angle %v, rotation %v, want %v", on, m.Angle, angleOf(f), want)
		}
	}
	expectNoErrors(t, p)
	expectPosition(t, "pivot", f, vec(1, 2, 0), 1e-15)
}

func TestAMotorSwingsBetweenItsLimits(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	f := components.CreateFlipper2D(w, vec(0, 0, 0), vec(1, 0, 0), 0.1, 0.5, 3)
	m := components.Motor.Get(f)
	m.Low, m.On, m.Swing = -0.5, true, true
	low, high := 0, 0
	for range 200 {
		p.Step(w)
		if !near(angleOf(f), m.Angle, 1e-12) || math.Abs(m.Angle) > 0.5 {
			t.Fatalf("angle %v, rotation %v", m.Angle, angleOf(f))
		}
		if m.Angle == m.Low {
			low++
		}
		if m.Angle == m.High {
			high++
		}
	}
	if low < 4 || high < 4 {
		t.Errorf("%d times at the low end, %d times at the high one", low, high)
	}
}

func TestAMotorThatIsJammedGoesOnWhenTheWayIsFree(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	f := components.CreateFlipper2D(w, vec(0, 0, 0), vec(1, 0, 0), 0.1, 1.5, 3)
	stop := wall(w, vec(0, 1, 0), vec(0, -1, 0))
	b := ball(w, vec(0.75, 0.8, 0), vec(0, 0, 0), 0.2, components.BodyData{Locked: components.AxisX | components.AxisZ})
	m := components.Motor.Get(f)
	m.On = true
	blocked := 0
	for step := range 90 {
		p.Step(w)
		blocked += p.Stats().Blocked
		if gap := gapTo(b, f); gap < -1e-9*0.2 {
			t.Fatalf("step %d: overlap of %v", step, -gap)
		}
		if !near(angleOf(f), m.Angle, 1e-12) {
			t.Fatalf("step %d: angle %v, rotation %v", step, m.Angle, angleOf(f))
		}
	}
	if blocked == 0 || m.Angle > 1 {
		t.Errorf("blocked in %d steps, angle %v", blocked, m.Angle)
	}
	w.Remove(b.Entity())
	w.Remove(stop.Entity())
	for range 120 {
		p.Step(w)
	}
	expectNoErrors(t, p)
	if m.Angle != 1.5 {
		t.Errorf("angle %v, want 1.5", m.Angle)
	}
}

func TestAnInvalidMotorIsAnErrorAndStandsStill(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	f := components.CreateFlipper2D(w, vec(0, 0, 0), vec(1, 0, 0), 0.1, math.NaN(), 3)
	components.Motor.Get(f).On = true
	p.Step(w)
	if got := errorsOf(p); len(got) != 1 || angleOf(f) != 0 {
		t.Errorf("errors %v, angle %v", got, angleOf(f))
	}
}

// A rotation that the game set between the systems went into Motor.Angle, and the angular velocity
// of what yields to load was overwritten.
func TestWhatAGameSetsOnAMotorBetweenTheSystemsRemains(t *testing.T) {
	for _, inertia := range []float64{0, 10} {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
		motor := []donburi.IComponentType{components.Velocity, components.AngularVelocity, components.Motor}
		turned := components.CreateBox(w, vec(0, 0, 0), vec(1, 0.1, 1), motor...)
		pushed := components.CreateBox(w, vec(9, 0, 0), vec(1, 0.1, 1), motor...)
		counted := components.CreateBox(w, vec(18, 0, 0), vec(1, 0.1, 1), motor...)
		d := components.MotorData{High: 5, Speed: 1, On: true, Inertia: inertia, MaxTorque: 1e6}
		components.Motor.SetValue(turned, d)
		components.Motor.SetValue(pushed, components.MotorData{Inertia: inertia})
		components.Motor.SetValue(counted, d)
		for range 6 {
			p.Step(w)
		}
		game := newECS(w)
		p.Broadphase(game)
		components.Transform.Get(turned).Rotation = collide.Rotation2D(1)
		components.AngularVelocity.Get(pushed).Angular.Z = 2
		components.Motor.Get(counted).Angle = 3
		p.Response(game)
		expectNoErrors(t, p)
		if got := components.Motor.Get(turned).Angle; !near(got, 7.0/60, 1e-12) || !near(angleOf(turned), 1, 1e-12) {
			t.Errorf("inertia %v: angle %v, rotation %v, want 7/60 and 1", inertia, got, angleOf(turned))
		}
		if got := components.AngularVelocity.Get(pushed).Angular; got != vec(0, 0, 2) {
			t.Errorf("inertia %v: the angular velocity is %v, want 2 about Z", inertia, got)
		}
		if got := components.Motor.Get(counted).Angle; got != 3 || !near(angleOf(counted), 7.0/60, 1e-12) {
			t.Errorf("inertia %v: angle %v, rotation %v, want 3 and 7/60", inertia, got, angleOf(counted))
		}
	}
}

// Physics itself wrote an AngularVelocity that it then called invalid, and the entity took no part.
func TestAMotorThatCannotRotateItsEntityLeavesItInTheWorld(t *testing.T) {
	box := components.ShapeColliderData{Shape: collide.Box{Half: vec(2, 0.1, 2)}}
	fixed := components.BodyData{Kind: components.Static}
	locked := components.BodyData{
		Weightless: true, Locked: components.AxisX | components.AxisY | components.AxisZ,
	}
	for name, scene := range map[string]struct {
		own        []any
		want       string // of every Motor
		wantLoaded string // of one with an Inertia
	}{
		"no Velocity":     {own: []any{box}, want: "needs a Velocity"},
		"a group":         {own: []any{box, components.KinematicGroupData{}}, want: "member of a KinematicGroup"},
		"a dynamic Body":  {own: []any{box, moving(0, 0, 0), locked}, want: "dynamic Body"},
		"a sensor":        {own: []any{box, moving(0, 0, 0), components.SensorData{}}, want: "can't be a Sensor's"},
		"a dynamic ball":  {own: []any{sphere(0.1), moving(0, 0, 0), locked}, wantLoaded: "can't be a sphere's"},
		"a plane":         {own: []any{plane(0, 1, 0), moving(0, 0, 0)}, wantLoaded: "can't be a plane's"},
		"a static Body":   {own: []any{box, moving(0, 0, 0), fixed}, wantLoaded: "Kind"},
		"nothing to load": {own: []any{moving(0, 0, 0)}, wantLoaded: "needs a collider"},
	} {
		for _, inertia := range []float64{0, 5} {
			w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
			leader := spawn(w, at(0, 0, 0), moving(0, 0, 0))
			e := spawn(w, append(scene.own, at(0, 0, 0), turning(0, 0, 0),
				components.MotorData{High: 1, Speed: 1, On: true, Inertia: inertia, MaxTorque: 9})...)
			if e.HasComponent(components.KinematicGroup) {
				components.KinematicGroup.Get(e).Leader = leader.Entity()
			}
			b := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.3)
			for range 60 {
				p.Step(w)
			}
			want := scene.want
			if inertia > 0 && want == "" {
				want = scene.wantLoaded
			}
			got, found := fmt.Sprint(errorsOf(p)), len(errorsOf(p))
			if want == "" && found > 0 {
				t.Errorf("%s, inertia %v: errors %s, want none", name, inertia, got)
			}
			if want != "" && (found != 1 || !strings.Contains(got, ": Motor.") || !strings.Contains(got, want)) {
				t.Errorf("%s, inertia %v: errors %s, want one of the Motor with %q", name, inertia, got, want)
			}
			if strings.Contains(want, "Sensor") || want == "needs a collider" || scene.want == "" && inertia == 0 {
				continue // the ball falls, or the motor rotates what it is on
			}
			if y := position(b).Y; !near(y, 0.4, 0.11) {
				t.Errorf("%s, inertia %v: the ball on it is at %v m, want 0.4", name, inertia, y)
			}
		}
	}
}

// Along the axis of what yields to load, an angular velocity of +Inf or 1e300 rotated it by 3 rad.
func TestAnAngularVelocityOutOfRangeIsAnErrorOfWhatYieldsToLoad(t *testing.T) {
	for _, speed := range []float64{inf, -inf, nan, 1e300} {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
		spawn(w, at(0, 0, 0), moving(0, 0, 0), components.ShapeColliderData{Shape: collide.Box{Half: vec(1, 1, 1)}},
			turning(0, 0, speed), components.MotorData{Inertia: 10})
		p.Step(w)
		got := fmt.Sprint(errorsOf(p))
		if want := "AngularVelocity.Angular {0 0 " + fmt.Sprint(speed) + "}"; !strings.Contains(got, want) {
			t.Errorf("errors %s, want %s", got, want)
		}
	}
}

func TestAMotorThatLosesItsInertiaOrHasAnErrorHasNoTorque(t *testing.T) {
	for _, change := range []func(d *components.MotorData){
		func(d *components.MotorData) { d.Inertia = 0 },
		func(d *components.MotorData) { d.MaxTorque = nan },
	} {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
		e := components.CreateBox(w, vec(0, 0, 0), vec(1, 0.1, 1),
			components.Velocity, components.AngularVelocity, components.Motor)
		d := components.Motor.Get(e)
		*d = components.MotorData{High: 1, Speed: 1, On: true, Inertia: 10, MaxTorque: 50}
		p.Step(w)
		if d.Torque == 0 {
			t.Fatal("there is no torque to begin with")
		}
		change(d)
		if p.Step(w); d.Torque != 0 {
			t.Errorf("the torque is %v, want 0", d.Torque)
		}
	}
}
