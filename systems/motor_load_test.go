package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// loaded creates a surface that rotates about Z through its position under load.
func loaded(w donburi.World, p collide.Vec3, motor components.MotorData, shape any, more ...any) *donburi.Entry {
	values := append([]any{
		components.TransformData{Position: p, Rotation: collide.Quat{W: 1}},
		moving(0, 0, 0), turning(0, 0, 0),
		shape,
		components.BodyData{Kind: components.Kinematic},
		motor,
	}, more...)
	return spawn(w, values...)
}

// plank is the shape of a seesaw that is 4 m long and 0.2 m thick.
func plank() components.ShapeColliderData {
	return shaped(components.ShapePart{Shape: collide.Box{Half: vec(2, 0.1, 0.5)}})
}

// turnsAt returns the angular velocity of an entity about Z.
func turnsAt(e *donburi.Entry) float64 { return components.AngularVelocity.Get(e).Angular.Z }

func TestAWeightAcceleratesASeesawAsItsTorqueSays(t *testing.T) {
	for _, mass := range []float64{0.1, 1, 30} {
		w, p := donburi.NewWorld(), onEarth()
		s := loaded(w, vec(0, 0, 0), components.MotorData{Inertia: 5}, plank())
		b := ball(w, vec(1.5, 0.3, 0), vec(0, 0, 0), 0.2, components.BodyData{Mass: mass})
		steps(t, w, p, 6)
		// At the weight, the lever about the pivot is 1.5 m, and the inertia of the weight mass·r².
		want := -mass * earth * 1.5 / (5 + mass*1.5*1.5) * 6 / 60
		if got := turnsAt(s); math.Abs(got/want-1) > 0.02 {
			t.Errorf("mass %v: seesaw at %v rad/s, want %v", mass, got, want)
		}
		if d := shapeGap(b, s); d > 0.004 {
			t.Errorf("mass %v: the weight is %v off the seesaw", mass, d)
		}
	}
}

func TestEqualWeightsBalanceASeesaw(t *testing.T) {
	w, p := donburi.NewWorld(), onEarth()
	s := loaded(w, vec(0, 0, 0), components.MotorData{Inertia: 5}, plank(), rough(0.5))
	ball(w, vec(1.5, 0.3, 0), vec(0, 0, 0), 0.2)
	ball(w, vec(-1.5, 0.3, 0), vec(0, 0, 0), 0.2)
	steps(t, w, p, 60)
	expectNoErrors(t, p)
	if got := components.Motor.Get(s).Angle; math.Abs(got) > 1e-9 {
		t.Errorf("angle %v, want 0", got)
	}
}

func TestAnImpactOnASeesawKeepsAngularMomentumAndEnergy(t *testing.T) {
	for _, e := range []float64{0, 0.5, 1} {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
		s := loaded(w, vec(0, 0, 0), components.MotorData{Inertia: 5}, plank(), bouncy(e))
		b := ball(w, vec(1.5, 0.99, 0), vec(0, -3, 0), 0.2, components.BodyData{Mass: 2}, bouncy(e))
		steps(t, w, p, 14)
		// The ball touches at the lever 1.5, and the two part at e times the speed at which they
		// met. If they stay together, the seesaw has turned by 0.003 rad when the step ends.
		tolerance := 1e-9
		if e == 0 {
			tolerance = 1e-3
		}
		impulse := (1 + e) * 3 / (1/2.0 + 1.5*1.5/5)
		if got, want := turnsAt(s), -impulse*1.5/5; math.Abs(got-want) > tolerance {
			t.Errorf("restitution %v: seesaw at %v rad/s, want %v", e, got, want)
		}
		if got, want := velocity(b).Y, -3+impulse/2; math.Abs(got-want) > tolerance {
			t.Errorf("restitution %v: ball at %v m/s, want %v", e, got, want)
		}
	}
}

// In the narrow wedge between a door and a wall, a ball that slid along the door had an impact with
// the wall, after which it moved as both demand. The door didn't lose what the ball gained: one of
// 1 kg left at 41 m/s with twice the energy that there was.
func TestADoorDoesNotSqueezeOutABallWithMoreEnergyThanItLoses(t *testing.T) {
	for _, angle := range []float64{0.02, 0.05, 0.1, 0.3, 0.6} {
		for _, gap := range []float64{0, 0.01, 0.05} {
			w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
			door := loaded(w, vec(0, 0, 0), components.MotorData{Inertia: 5}, plank())
			components.AngularVelocity.Get(door).Angular.Z = -3
			normal := vec(math.Sin(angle), math.Cos(angle), 0)
			b := ball(w, vec(1.5, -0.31, 0), vec(0, 0, 0), 0.2)
			wall := vec(1.5, -0.31, 0).Sub(normal.Scale(0.2 + gap))
			components.CreatePlane(w, wall, normal)
			energy := func() float64 {
				return 2.5*turnsAt(door)*turnsAt(door) + velocity(b).LengthSquared()/2
			}
			before := energy()
			for range 10 {
				// What the door pushes moves on chords of its arc. If the door turns by φ in a
				// step, at a speed of u there, these add up to m·u²·φ/2, and 2·m·u·v·φ to what
				// slides along it at v, by Coriolis' acceleration.
				turn := math.Abs(turnsAt(door))
				u := 2 * turn
				chords := u * turn / 60 * (u/2 + 2*velocity(b).Length())
				steps(t, w, p, 1)
				after := energy()
				if after > before+chords {
					t.Errorf("angle %v, gap %v: %v J become %v", angle, gap, before, after)
				}
				before = after
			}
			if turnsAt(door) == -3 {
				t.Errorf("angle %v, gap %v: the door doesn't meet the ball", angle, gap)
			}
			expectNoErrors(t, p)
		}
	}
}

func TestAWeightThatLandsOnASeesawThrowsTheOther(t *testing.T) {
	w, p := donburi.NewWorld(), onEarth()
	s := loaded(w, vec(0, 0, 0), components.MotorData{Inertia: 1, Low: -0.5, High: 0.5}, plank())
	light := ball(w, vec(-1.5, 0.3, 0), vec(0, 0, 0), 0.2, components.BodyData{Mass: 0.2})
	heavy := ball(w, vec(1.5, 1.5, 0), vec(0, 0, 0), 0.2, components.BodyData{Mass: 5})
	checker, highest := newOverlapChecker(), 0.0
	for step := range 240 {
		p.Step(w)
		if o := checker.overlap(w); o > 1e-9 {
			t.Fatalf("step %d: overlap of %v radii", step, o)
		}
		highest = max(highest, position(light).Y)
		if a := components.Motor.Get(s).Angle; math.Abs(a) > 0.5+1e-9 {
			t.Fatalf("step %d: angle %v beyond the stop", step, a)
		}
	}
	expectNoErrors(t, p)
	// It can't get more energy than the heavy one had.
	if highest < 1 || 0.2*highest > 5*1.5 {
		t.Errorf("the light ball rose to %v m", highest)
	}
	_ = heavy
}

func TestAJammedDoorStopsAndIsReported(t *testing.T) {
	w, p := donburi.NewWorld(), onEarth()
	door := loaded(w, vec(0, 0, 0), components.MotorData{
		Inertia: 2, MaxTorque: 3, Speed: 1, High: 3, On: true,
	}, shaped(components.ShapePart{Shape: collide.Box{Center: vec(0.5, 0, 0), Half: vec(0.5, 0.02, 1)}}))
	wall(w, vec(0, 0.6, 0), vec(0, -1, 0))
	b := ball(w, vec(0.8, 0.35, 0), vec(0, 0, 0), 0.1, components.BodyData{Locked: components.AxisX | components.AxisZ})
	m := components.Motor.Get(door)
	blocked, crushed := 0, 0
	for step := range 120 {
		p.Step(w)
		if g := shapeGap(b, door); g < -1e-9*0.1 {
			t.Fatalf("step %d: overlap of %v", step, -g)
		}
		if step >= 110 {
			blocked += p.Stats().Blocked
			for c := range p.Crushed() {
				if c.Entity == b.Entity() && c.Other == door.Entity() {
					crushed++
				}
			}
		}
	}
	expectNoErrors(t, p)
	if blocked != 10 || crushed != 10 || math.Abs(turnsAt(door)) > 1e-6 || !near(m.Torque, 3, 1e-9) {
		t.Errorf("blocked in %d of 10 steps, crushed in %d; %v rad/s, %v N·m",
			blocked, crushed, turnsAt(door), m.Torque)
	}
	w.Remove(b.Entity())
	steps(t, w, p, 200)
	if m.Angle != 3 || !near(angleOf(door), 3, 1e-9) {
		t.Errorf("angle %v when the way is free, want 3", m.Angle)
	}
}

// millUnderStream runs a mill on whose rising side balls of a mass fall, and returns its mean speed
// in two halves of the last eight seconds, and in how many of their steps it was slowed down.
func millUnderStream(t *testing.T, mass float64) (first, second float64, blocked int) {
	w, p := donburi.NewWorld(), onEarth()
	var parts []components.ShapePart
	for k := range 4 {
		a := math.Pi / 2 * float64(k)
		parts = append(parts, components.ShapePart{
			Shape: collide.Box{Half: vec(0.5, 0.03, 1)}, Position: vec(math.Cos(a), math.Sin(a), 0).Scale(0.5),
			Rotation: collide.RotationBy(vec(0, 0, a)),
		})
	}
	mill := loaded(w, vec(0, 0, 0), components.MotorData{
		Inertia: 2, MaxTorque: 6, Speed: 3, Low: -1e5, High: 1e5, On: true,
	}, shaped(parts...), rough(0.3))
	checker := newOverlapChecker()
	var balls []*donburi.Entry
	for step := range 1080 {
		if step >= 150 && step%12 == 0 {
			for _, b := range balls {
				if b.Valid() && position(b).Y < -3 {
					w.Remove(b.Entity())
				}
			}
			at := vec(0.7, 2.6, 0.3*float64(step/12%5)-0.6)
			balls = append(balls, ball(w, at, vec(0, -3, 0), 0.08, components.BodyData{Mass: mass}, rough(0.3)))
		}
		p.Step(w)
		if step == 149 && !near(turnsAt(mill), 3, 1e-9) {
			t.Fatalf("unloaded at %v rad/s, want 3", turnsAt(mill))
		}
		if o := checker.overlap(w); o > 1e-9 {
			t.Fatalf("step %d: overlap of %v radii", step, o)
		}
		for _, b := range balls {
			if b.Valid() && shapeGap(b, mill) < -1e-9*0.08 {
				t.Fatalf("step %d: a ball is %v inside of the mill", step, -shapeGap(b, mill))
			}
		}
		switch {
		case step >= 840:
			second += turnsAt(mill) / 240
		case step >= 600:
			first += turnsAt(mill) / 240
		}
		if step >= 600 {
			blocked += p.Stats().Blocked
		}
	}
	expectNoErrors(t, p)
	return first, second, blocked
}

// In islands with something that yields to torque, the bodies' impulses didn't reach it where a
// driver pushed: 2 to 6 balls that were pressed on an arm shot it to 15 rad/s in a few steps.
func TestAPusherTurnsAnArmThatResistsAtItsSpeed(t *testing.T) {
	for _, n := range []int{2, 3, 6} {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
		motor := components.MotorData{Inertia: 2, Low: -1, High: 1, MaxTorque: 3, Speed: 1, On: true}
		arm := loaded(w, vec(0, 0, 0), motor, plank())
		for i := range n {
			ball(w, vec(1.8, 0.301+0.4*float64(i), 0), vec(0, 0, 0), 0.2)
		}
		pusher := components.CreateBox(w, vec(1.8, 0.21+0.4*float64(n), 0), vec(1, 0.1, 1), components.Velocity)
		components.Velocity.Get(pusher).Linear.Y = -0.5
		for step := range 60 {
			steps(t, w, p, 1)
			// The lever of the pusher is 1.8 m, and grows as the arm turns.
			if got := turnsAt(arm); step > 1 && !(got >= -0.3 && got <= -0.2) || p.Stats().Impacts > 0 {
				t.Errorf("%d balls, step %d: arm at %v rad/s, want -0.3 to -0.2; %d impacts",
					n, step, got, p.Stats().Impacts)
				break
			}
		}
	}
}

func TestAMillUnderAStreamOfBallsSlowsToAnEquilibrium(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, c := range []struct{ mass, least, most float64 }{{0.1, 2.75, 2.95}, {0.2, -2.5, -1}} {
		first, second, blocked := millUnderStream(t, c.mass)
		if !(first > c.least && first < c.most) || math.Abs(first-second) > 0.2 || blocked < 240 {
			t.Errorf("balls of %v kg: %v and %v rad/s, blocked in %d of 480 steps, want %v to %v rad/s",
				c.mass, first, second, blocked, c.least, c.most)
		}
	}
}

var seesawMotor = components.MotorData{Inertia: 1.5, Low: -0.4, High: 0.4, MaxTorque: 0.5}

// seesawScene puts balls above a seesaw with friction on its pivot, between four walls.
func seesawScene(
	w donburi.World, motor components.MotorData, restitution float64,
) (s *donburi.Entry, balls []*donburi.Entry) {
	s = loaded(w, vec(0, 0, 0), motor, plank(), rough(0.3), bouncy(restitution))
	wall(w, vec(0, -1, 0), vec(0, 1, 0), rough(0.3))
	for _, n := range []collide.Vec3{vec(1, 0, 0), vec(-1, 0, 0)} {
		wall(w, n.Scale(-2.5), n)
	}
	for _, n := range []collide.Vec3{vec(0, 0, 1), vec(0, 0, -1)} {
		wall(w, n.Scale(-0.5), n)
	}
	for k := range 12 {
		at := vec(float64(0.37*float64(k%6))-0.9, 0.5+float64(0.5*float64(k/6)), float64(0.1*float64(k%3))-0.1)
		body := components.BodyData{Mass: 0.5 + float64(0.3*float64(k%3))}
		radius := 0.1 + float64(0.02*float64(k%4))
		balls = append(balls, ball(w, at, vec(0, 0, 0), radius, body, rough(0.3), bouncy(restitution)))
	}
	return s, balls
}

func TestASeesawUnderBallsComesToRestAndGainsNoEnergy(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, restitution := range []float64{0, 0.6, 1} {
		w, p := donburi.NewWorld(), onEarth()
		s, balls := seesawScene(w, seesawMotor, restitution)
		total := func() float64 {
			sum := 0.5 * 1.5 * turnsAt(s) * turnsAt(s)
			for _, b := range balls {
				v, m := velocity(b), components.Body.Get(b).Mass
				sum += m * (0.5*v.Dot(v) + earth*position(b).Y)
			}
			return sum
		}
		checker, start, before, gain := newOverlapChecker(), total(), total(), 0.0
		for step := range 600 {
			p.Step(w)
			if o := checker.overlap(w); o > 1e-9 {
				t.Fatalf("step %d: overlap of %v radii", step, o)
			}
			for _, b := range balls {
				if shapeGap(b, s) < -1e-9*0.1 {
					t.Fatalf("step %d: a ball is %v inside of the seesaw", step, -shapeGap(b, s))
				}
			}
			now := total()
			gain = max(gain, now-before)
			before = now
		}
		expectNoErrors(t, p)
		t.Logf("restitution %v: energy %v to %v, most in a step %v", restitution, start, before, gain)
		if before > start+1e-9 || gain > 0.05 {
			t.Errorf("restitution %v: energy from %v to %v, %v in a step", restitution, start, before, gain)
		}
		if restitution < 1 && (turnsAt(s) != 0 || fastest(balls) > 1e-3) {
			t.Errorf("restitution %v: %v rad/s, balls at %v m/s after ten seconds",
				restitution, turnsAt(s), fastest(balls))
		}
	}
}

// seesawAndDoor is a scene of TestSameBitsEverywhereWithAllFeatures.
func seesawAndDoor(w donburi.World) func(step int) {
	seesawScene(w, seesawMotor, 0.6)
	blade := shaped(components.ShapePart{Shape: collide.Box{Center: vec(0.5, 0, 0), Half: vec(0.5, 0.02, 0.5)}})
	loaded(w, vec(-0.5, -0.6, 0), components.MotorData{
		Inertia: 0.5, MaxTorque: 3, Speed: 4, High: 2, On: true, Swing: true,
	}, blade)
	return nil
}

func TestWhatYieldsToLoadGivesTheSameBitsAndDoesNotAllocate(t *testing.T) {
	var want []collide.Vec3
	for _, workers := range []int{1, 2, 7} {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0), Workers: workers})
		s, balls := seesawScene(w, seesawMotor, 0.6)
		steps(t, w, p, 90)
		got := append(states(balls), components.AngularVelocity.Get(s).Angular)
		if want == nil {
			want = got
		}
		for k := range got {
			if !got[k].SameBits(want[k]) {
				t.Fatalf("%d workers: value %d is %v, want %v", workers, k, got[k], want[k])
			}
		}
		if workers > 1 || slow.RaceDetector {
			continue
		}
		if n := testing.AllocsPerRun(60, func() { p.Step(w) }); n > 0 {
			t.Errorf("%v allocations in a step", n)
		}
	}
}

func TestWhatCannotYieldToLoadIsAnError(t *testing.T) {
	w, p := donburi.NewWorld(), onEarth()
	loaded(w, vec(0, 0, 0), components.MotorData{Inertia: 1}, plane(0, 1, 0))
	loaded(w, vec(9, 0, 0), components.MotorData{Inertia: 1}, sphere(1))
	loaded(w, vec(0, 9, 0), components.MotorData{Inertia: -1}, plank())
	loaded(w, vec(0, 20, 0), components.MotorData{Inertia: 1, MaxTorque: math.Inf(1)}, plank())
	p.Step(w)
	if got := errorsOf(p); len(got) != 4 {
		t.Errorf("errors %v, want 4", got)
	}
}

// There was a second error, that it needs a collider with bounds, which it has.
func TestASeesawWithAnotherErrorReportsOnlyThat(t *testing.T) {
	for _, c := range []struct {
		bad  any
		want string
	}{
		{at(nan, 0, 0), "Transform.Position {NaN 0 0} is not finite, or is beyond 1e9"},
		{
			components.TransformData{Rotation: collide.Quat{Z: nan}},
			"Transform.Rotation {0 0 NaN 0} is not of unit length",
		},
		{components.TransformData{Rotation: collide.Quat{W: 2}}, "Transform.Rotation {0 0 0 2} is not of unit length"},
		{moving(0, nan, 0), "Velocity.Linear {0 NaN 0} is not finite, or is beyond 1e9"},
		{turning(0, nan, 0), "AngularVelocity.Angular {0 NaN 0} is beyond 1e4 rad/s: only spheres rotate faster"},
		{
			components.AngularVelocityData{Pivot: vec(inf, 0, 0)},
			"AngularVelocity.Pivot {+Inf 0 0} is not finite, or is beyond 1e9",
		},
		{
			shaped(components.ShapePart{Shape: collide.Box{Half: vec(-2, 1, 1)}}),
			"ShapeCollider.Shape.Half.X -2 is not positive",
		},
		{
			shaped(components.ShapePart{Shape: &collide.Hull{}}),
			"ShapeCollider.Shape (hull) has no corners: make it with collide.NewHull",
		},
	} {
		w, p := donburi.NewWorld(), onEarth()
		e := loaded(w, vec(0, 0, 0), components.MotorData{Inertia: 10, Low: -1, High: 1}, plank())
		free := ball(w, vec(50, 0, 0), vec(0, 0, 0), 0.3)
		weight := ball(w, vec(1.5, 0.4, 0), vec(0, 0, 0), 0.3)
		steps(t, w, p, 5)
		good, angle := dataOf(e, c.bad).Interface(), components.Motor.Get(e).Angle
		set(e, c.bad)
		for range 3 {
			p.Step(w)
			if got := errorsOf(p); len(got) != 1 || got[0].Entity != e.Entity() || got[0].Err.Error() != c.want {
				t.Errorf("got errors %v, want %q", got, c.want)
			}
			if got := components.Motor.Get(e).Angle; got != angle {
				t.Errorf("%s: the angle became %v, want %v", c.want, got, angle)
			}
		}
		if !(position(free).Y < 0) {
			t.Errorf("%s: the ball stopped at %v", c.want, position(free))
		}
		set(e, good)
		components.Transform.Get(weight).Position = vec(1.5, 1, 0)
		set(weight, moving(0, 0, 0))
		steps(t, w, p, 60)
		if got := components.Motor.Get(e).Angle; !(got < angle-0.1) {
			t.Errorf("%s: corrected, the seesaw went from %v to %v, want down", c.want, angle, got)
		}
	}
}

// Its angle was NaN for ever.
func TestAMotorWithoutARotationGoesOnWhenItHasOne(t *testing.T) {
	for _, q := range []collide.Quat{{Z: nan}, {W: 2}, {X: inf, W: 1}} {
		for _, leader := range []bool{false, true} {
			w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
			motor := components.MotorData{High: 3, Speed: 6, On: true}
			e := spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, 0), motor)
			if leader {
				spawn(w, at(0, 0, 0), plank(), follows(e))
			} else {
				e.AddComponent(components.ShapeCollider)
				set(e, plank())
			}
			steps(t, w, p, 3)
			was, angle := *components.Transform.Get(e), components.Motor.Get(e).Angle
			components.Transform.Get(e).Rotation = q
			for range 3 {
				p.Step(w)
				if got := components.Motor.Get(e).Angle; len(errorsOf(p)) != 1 || got != angle {
					t.Errorf("%v: errors %v, angle %v, want one and %v", q, errorsOf(p), got, angle)
				}
			}
			set(e, was)
			steps(t, w, p, 3)
			if got := components.Motor.Get(e).Angle; !near(got, angle+0.3, 1e-12) {
				t.Errorf("%v: corrected, the angle went from %v to %v, want %v", q, angle, got, angle+0.3)
			}
		}
	}
}

func TestInterpolationFollowsWhatYieldsToLoad(t *testing.T) {
	w, p := donburi.NewWorld(), onEarth()
	s, balls := seesawScene(w, seesawMotor, 0.6)
	worst, turned := 0.0, 0
	for range 300 {
		p.Advance(w, 1.0/60*0.7)
		at, ok := p.Interpolated(s.Entity())
		now := *components.Transform.Get(s)
		if !ok {
			continue // before the first step
		}
		if at.Rotation != now.Rotation {
			turned++
		}
		components.Transform.SetValue(s, at)
		for _, b := range balls {
			drawn, _ := p.Interpolated(b.Entity())
			is := *components.Transform.Get(b)
			components.Transform.SetValue(b, drawn)
			worst = min(worst, shapeGap(b, s))
			components.Transform.SetValue(b, is)
		}
		components.Transform.SetValue(s, now)
	}
	if worst < -1e-9 || turned < 50 {
		t.Errorf("drawn %v inside of the seesaw, which turned in %d frames", -worst, turned)
	}
}

// A ball that slides along a wall at rest which can rotate has its speed to the last digits.
func TestABallThatSlidesAlongAWallAtRestThatYieldsKeepsItsEnergy(t *testing.T) {
	w := donburi.NewWorld()
	slab := collide.Box{Half: vec(1.4, 0.2, 0.5)}
	q := collide.RotationBy(vec(0.003, 0.001, 0.0007))
	spawn(w, components.TransformData{Position: vec(-0.5, 0.5, -0.8), Rotation: q}, moving(0, 0, 0), turning(0, 0, 0),
		shaped(components.ShapePart{Shape: slab}), components.BodyData{Kind: components.Kinematic},
		components.MotorData{Axis: vec(1, 0, 0), Inertia: 24, MaxTorque: 25})
	const radius = 0.147
	n := q.Rotate(vec(0, -1, 0))
	b := ball(w, vec(-0.5, 0.5, -0.8).Add(q.Rotate(vec(-0.7, -0.2, 0.3))).AddScaled(radius, n), collide.Vec3{}, radius)
	way := q.Rotate(vec(-1.8e-5, 0, 7.8e-5))
	components.Velocity.Get(b).Linear = way.AddScaled(1e-5, n.Neg()) // and presses on it
	p := systems.NewPhysics(systems.Config{})
	p.Step(w)
	before := velocity(b).LengthSquared()
	for k := range 600 {
		p.Step(w)
		if after := velocity(b).LengthSquared(); after > before*(1+1e-12) {
			t.Fatalf("step %d: the energy grows by %v of it", k, after/before-1)
		}
	}
	expectNoErrors(t, p)
}

// Friction gave a plank at its limit the speed back that the impact had taken, within one impact.
// Then the impacts of other balls with it were forgotten, and they fell into it.
func TestABallFindsAPlankToWhichFrictionGaveItsSpeedBack(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	loaded(w, vec(0, 0, 0), components.MotorData{Inertia: 5, Low: -1, High: 0}, plank(),
		components.MaterialData{Restitution: 1, Friction: 1})
	first := ball(w, vec(0.01, 0.31, 0), vec(-5, -5, 0), 0.2)
	later := ball(w, vec(1.5, 0.35, 0), vec(0, -5, 0), 0.2)
	steps(t, w, p, 1)
	expectNoErrors(t, p)
	if v := velocity(first); v.Y < 0 || v.X == -5 {
		t.Fatalf("the first ball moves at %v: it has met no friction", v)
	}
	if y := position(later).Y; y < 0.3-1e-9 || velocity(later).Y < 0 {
		t.Errorf("the second ball is %v m deep in the plank", 0.3-y)
	}
}
