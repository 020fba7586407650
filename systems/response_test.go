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
)

const (
	second = 1.0 // many tests take a single step of a second, for simple numbers
	tick   = 1.0 / 60
)

// weightless returns a world without gravity and a Physics with steps of a second.
func weightless() (donburi.World, *systems.Physics) {
	return donburi.NewWorld(), systems.NewPhysics(systems.Config{StepSeconds: second})
}

func TestFreeFallAndFlight(t *testing.T) {
	w := donburi.NewWorld()
	falling := ball(w, vec(0, 100, 0), vec(3, 0, 0), 1)
	moon := ball(w, vec(50, 100, 0), vec(0, 0, 0), 1, components.BodyData{GravityScale: 0.5})
	balloon := ball(w, vec(100, 100, 0), vec(0, 0, 0), 1, components.BodyData{GravityScale: -1})
	weightless := ball(w, vec(150, 100, 0), vec(1, 2, 3), 1, components.BodyData{Weightless: true, GravityScale: 5})
	damped := ball(w, vec(200, 100, 0), vec(8, 0, 0), 1, components.BodyData{Weightless: true, LinearDamping: 3})
	pushed := ball(w, vec(250, 100, 0), vec(0, 0, 0), 1, components.BodyData{Weightless: true, Mass: 4},
		components.ForceData{Force: vec(2, 0, 0)})
	flat := ball(w, vec(300, 100, 7), vec(1, 0, 5), 1, components.BodyData{Locked: components.AxisZ | components.AxisY})
	ghost := spawn(w, at(350, 100, 0), moving(0, 0, 0)) // without a collider it isn't simulated
	kinematic := ball(w, vec(400, 100, 0), vec(1, 1, 0), 1, components.BodyData{Kind: components.Kinematic},
		components.ForceData{Force: vec(9, 9, 9)})
	static := ball(w, vec(450, 100, 0), vec(1, 1, 0), 1, components.BodyData{Kind: components.Static})
	const g = 10.0
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -g, 0)})
	const n = 60
	for range n {
		p.Step(w)
	}
	expectNoErrors(t, p)
	const drop = g / 2 // after a second, exactly: a step ends on the parabola
	expectPosition(t, "falling", falling, vec(3, 100-drop, 0), 1e-11)
	expectVelocity(t, "falling", falling, vec(3, -g, 0), 1e-12)
	expectPosition(t, "on the moon", moon, vec(50, 100-drop/2, 0), 1e-11)
	expectPosition(t, "a balloon", balloon, vec(100, 100+drop, 0), 1e-11)
	expectPosition(t, "weightless", weightless, vec(151, 102, 3), 1e-11)
	q := 1 / (1 + 3*tick)
	expectVelocity(t, "damped", damped, vec(8*math.Pow(q, n), 0, 0), 1e-12)
	expectPosition(t, "damped", damped, vec(200+8*tick*q*(1-math.Pow(q, n))/(1-q), 100, 0), 1e-11)
	expectVelocity(t, "pushed", pushed, vec(0.5, 0, 0), 1e-12)
	expectPosition(t, "pushed", pushed, vec(250+0.5/2, 100, 0), 1e-11)
	expectPosition(t, "locked to a line", flat, vec(301, 100, 7), 1e-11)
	expectVelocity(t, "locked to a line", flat, vec(1, 0, 0), 1e-12)
	expectPosition(t, "without a collider", ghost, vec(350, 100, 0), 0)
	expectPosition(t, "kinematic", kinematic, vec(401, 101, 0), 1e-11)
	expectVelocity(t, "kinematic", kinematic, vec(1, 1, 0), 0)
	expectPosition(t, "static with a velocity", static, vec(450, 100, 0), 0)
	expectVelocity(t, "static with a velocity", static, vec(1, 1, 0), 0)
}

func TestBouncingBallFollowsTheIntegrationScheme(t *testing.T) {
	for _, e := range []float64{0.3, 0.8, 1} {
		t.Run(fmt.Sprint("restitution ", e), func(t *testing.T) {
			const g = 9.81
			w := donburi.NewWorld()
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			b := ball(w, vec(0, 5, 0), vec(0, 0, 0), 0.5, bouncy(e))
			p := systems.NewPhysics(systems.Config{Gravity: vec(0, -g, 0)})
			y, v := 4.5, 0.0 // height above the floor
			bounces := 0
			for step := range 600 {
				p.Step(w)
				mean := v - g*tick/2 // the chord of the step's parabola
				switch end := y + mean*tick; {
				case end >= 0:
					y, v = end, v-g*tick
				default:
					at := y / -mean
					closing := -(v - g*at)
					if e < 1 && closing <= 2*g*tick || (1+e)*closing <= -mean {
						y, v = 0, 0
						break
					}
					y, v = (mean+(1+e)*closing)*(tick-at), v-g*tick+(1+e)*closing
					bounces++
				}
				if got := position(b).Y - 0.5; !near(got, y, 1e-9) {
					t.Fatalf("step %d, after %d bounces: height: got %v, want %v", step, bounces, got, y)
				}
				if got := velocity(b).Y; !near(got, v, 1e-9) {
					t.Fatalf("step %d, after %d bounces: velocity: got %v, want %v", step, bounces, got, v)
				}
			}
			if bounces < 2 {
				t.Errorf("bounces: got %d, want some", bounces)
			}
			if e < 1 && v != 0 {
				t.Errorf("velocity at the end: got %v, want rest", v)
			}
		})
	}
}

func TestRestitutionsCombineByTheRuleOfHigherPrecedence(t *testing.T) {
	const a, b = 0.8, 0.25
	rules := []struct {
		rule components.CombineRule
		want float64
	}{ // in the order of precedence; the default is the maximum
		{components.CombineDefault, max(a, b)},
		{components.CombineAverage, (a + b) / 2},
		{components.CombineGeometric, math.Sqrt(a * b)},
		{components.CombineMin, b},
		{components.CombineMultiply, a * b},
		{components.CombineMax, a},
	}
	for i, ra := range rules {
		for j, rb := range rules {
			want := rules[max(i, j)].want
			w, p := weightless()
			one := ball(w, vec(0, 0, 0), vec(10, 0, 0), 1, bouncePart{Restitution: a, Combine: ra.rule})
			other := ball(w, vec(5, 0, 0), vec(0, 0, 0), 1, bouncePart{Restitution: b, Combine: rb.rule},
				components.BodyData{Mass: 3})
			p.Step(w)
			if got := (velocity(other).X - velocity(one).X) / 10; !near(got, want, 1e-12) {
				t.Errorf("rules %d and %d: got restitution %v, want %v", ra.rule, rb.rule, got, want)
			}
			if got := velocity(one).X + 3*velocity(other).X; !near(got, 10, 1e-12) {
				t.Errorf("rules %d and %d: momentum: got %v, want 10", ra.rule, rb.rule, got)
			}
		}
	}
}

func TestWithoutAMaterialTheOtherMaterialDecides(t *testing.T) {
	cases := []struct {
		name string
		more []any // of the ball; the wall has none
		want float64
	}{
		{"nothing on either side", nil, 0},
		{"a bouncy ball", []any{bouncy(0.5)}, 5},
		{
			"a bouncy ball that takes the smaller", []any{bouncePart{
				Restitution: 0.5,
				Combine:     components.CombineMin,
			}}, 0,
		},
		{"a sliding ball", []any{components.SlidingData{}}, 0},
		{"a sliding ball with restitution", []any{components.SlidingData{}, bouncy(1)}, 0},
	}
	for _, c := range cases {
		w, p := weightless()
		wall(w, vec(0, 0, 0), vec(0, 1, 0))
		b := ball(w, vec(0, 5, 0), vec(0, -10, 0), 1, c.more...)
		p.Step(w)
		if got := velocity(b).Y; !near(got, c.want, 1e-12) {
			t.Errorf("%s: leaves at %v, want %v", c.name, got, c.want)
		}
	}
}

func TestRestitutionThreshold(t *testing.T) {
	const g = 10.0
	cases := []struct {
		name                          string
		threshold, speed, restitution float64
		bounces                       bool
	}{
		{"default: twice what gravity adds in a step", 0, 2*g*tick + 1e-9, 0.5, true},
		{"default: at it", 0, 2*g*tick - 1e-9, 0.5, false},
		{"higher", 3, 2.9, 0.5, false},
		{"higher and faster", 3, 3.1, 0.5, true},
		{"none", -1, 1e-3, 0.5, true},
		{"perfect restitution at any speed", 3, 1e-3, 1, true},
		{"endless", math.MaxFloat64, 1e6, 0.9, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := donburi.NewWorld()
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			// Gravity only determines the default threshold; the ball isn't accelerated.
			b := ball(w, vec(0, 1+c.speed*tick/2, 0), vec(0, -c.speed, 0), 1, bouncy(c.restitution),
				components.BodyData{Weightless: true})
			p := systems.NewPhysics(systems.Config{Gravity: vec(0, -g, 0), RestitutionThreshold: c.threshold})
			p.Step(w)
			expectNoErrors(t, p)
			want := 0.0
			if c.bounces {
				want = c.speed * c.restitution
			}
			if got := velocity(b).Y; !near(got, want, 1e-12*c.speed) {
				t.Errorf("leaves at %v, want %v", got, want)
			}
		})
	}
}

func TestImpactsOfUnequalMasses(t *testing.T) {
	for _, m := range [][2]float64{{1, 1}, {1, 1000}, {1000, 1}, {1e-6, 1e6}, {0, 2}, {1e25, 1}} {
		for _, e := range []float64{0, 0.5, 1} {
			w, p := weightless()
			a := ball(w, vec(0, 0, 0), vec(10, 1, 0), 1, bouncy(e), components.BodyData{Mass: m[0]})
			b := ball(w, vec(4, 0, 0), vec(-2, 1, 0), 1, components.BodyData{Mass: m[1]})
			p.Step(w)
			expectNoErrors(t, p)
			ma, mb := m[0], m[1]
			if ma == 0 {
				ma = 1 // the default
			}
			common := mb / (ma + mb)
			va, vb := 10-(1+e)*12*common, -2+(1+e)*12*(1-common)
			expectVelocity(t, fmt.Sprint("first of masses ", m, " restitution ", e), a, vec(va, 1, 0), 1e-10)
			expectVelocity(t, fmt.Sprint("second of masses ", m, " restitution ", e), b, vec(vb, 1, 0), 1e-10)
		}
	}
}

func TestSlidingKeepsTheAdmissibleVelocity(t *testing.T) {
	w, p := weightless()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	walker := ball(w, vec(0, 2, 0), vec(3, -2, 1), 1, components.SlidingData{})
	p.Step(w)
	expectPosition(t, "down and along the floor", walker, vec(3, 1, 1), 1e-12)
	expectVelocity(t, "down and along the floor", walker, vec(3, 0, 1), 1e-12)
	for range 1000 {
		components.Velocity.Get(walker).Linear = vec(0.001, -5, 0)
		p.Step(w)
	}
	expectPosition(t, "pressed on for long", walker, vec(4, 1, 1), 1e-9)

	// Into the corner of two walls, then along their crease.
	wall(w, vec(10, 0, 0), vec(-1, 0, 0))
	components.Velocity.Get(walker).Linear = vec(100, -5, 2)
	p.Step(w)
	expectPosition(t, "into the corner", walker, vec(9, 1, 3), 1e-9)
	expectVelocity(t, "into the corner", walker, vec(0, 0, 2), 1e-9)
}

func TestFiltersOfBothBodiesMustMatch(t *testing.T) {
	layer := func(layers, mask uint32) components.CollisionFilterData {
		return components.CollisionFilterData{Layers: layers, Mask: mask}
	}
	cases := []struct {
		name           string
		a, b           components.CollisionFilterData
		impactExpected bool
	}{
		{"the zero values", layer(0, 0), layer(0, 0), true},
		{"the zero value and layer 1", layer(0, 0), layer(1, 1), true},
		{"the zero value and another layer that wants all", layer(0, 0), layer(2, 0), true},
		{"the zero value and another layer that doesn't want layer 1", layer(0, 0), layer(2, 2), false},
		{"all layers named", layer(1, ^uint32(0)), layer(0, 0), true},
		{"disabled", components.CollisionFilterData{Disabled: true}, layer(0, 0), false},
		{
			"disabled, with a mask",
			components.CollisionFilterData{Layers: 1, Mask: 1, Disabled: true},
			layer(1, 1),
			false,
		},
		{"each in the other's mask", layer(2, 4), layer(4, 2), true},
		{"only one wants", layer(2, 4), layer(4, 1), false},
		{"the other way round", layer(4, 1), layer(2, 4), false},
		{"one of several layers is enough", layer(6, 8), layer(12, 2), true},
		{"the highest layer", layer(1<<31, 1<<31), layer(1<<31, 1<<31), true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w, p := weightless()
			a := ball(w, vec(0, 0, 0), vec(10, 0, 0), 1, bouncy(1), c.a)
			b := ball(w, vec(5, 0, 0), vec(0, 0, 0), 1, c.b)
			wall(w, vec(0, -3, 0), vec(0, 1, 0), c.b)
			dropped := ball(w, vec(0, 0, 50), vec(0, -10, 0), 1, bouncy(1), c.a)
			p.Step(w)
			if met := velocity(b).X != 0; met != c.impactExpected || met == (velocity(a).X == 10) {
				t.Errorf("spheres meet: got %v, want %v", met, c.impactExpected)
			}
			if met := velocity(dropped).Y > 0; met != c.impactExpected {
				t.Errorf("sphere and plane meet: got %v, want %v", met, c.impactExpected)
			}
		})
	}
}

func TestKindsOfBody(t *testing.T) {
	w, p := weightless()
	kinematic := components.BodyData{Kind: components.Kinematic}
	pusher := ball(w, vec(0, 0, 0), vec(6, 0, 0), 1, kinematic)
	pushed := ball(w, vec(5, 0, 0), vec(0, 0, 0), 1, bouncy(0))
	batter := ball(w, vec(0, 10, 0), vec(6, 0, 0), 1, kinematic)
	batted := ball(w, vec(5, 10, 0), vec(0, 0, 0), 1, bouncy(1))
	resting := spawn(w, at(5, 20, 0), sphere(1), bouncy(1))
	thrown := ball(w, vec(0, 20, 0), vec(6, 0, 0), 1)
	through := ball(w, vec(0, 30, 0), vec(6, 0, 0), 1, kinematic)
	spawn(w, at(3, 30, 0), sphere(1)) // static: ignored by a kinematic body
	p.Step(w)
	expectNoErrors(t, p)
	expectPosition(t, "pusher", pusher, vec(6, 0, 0), 0)
	expectPosition(t, "pushed", pushed, vec(8, 0, 0), 1e-11)
	expectVelocity(t, "pushed", pushed, vec(6, 0, 0), 1e-11)
	expectPosition(t, "batter", batter, vec(6, 10, 0), 0)
	expectPosition(t, "batted", batted, vec(5+12*0.5, 10, 0), 1e-11)
	expectVelocity(t, "batted", batted, vec(12, 0, 0), 1e-11)
	expectPosition(t, "static", resting, vec(5, 20, 0), 0)
	expectPosition(t, "thrown", thrown, vec(0, 20, 0), 1e-11)
	expectVelocity(t, "thrown", thrown, vec(-6, 0, 0), 1e-11)
	expectPosition(t, "kinematic through static", through, vec(6, 30, 0), 0)
}

func TestMovingPlanePushesABall(t *testing.T) {
	w, p := weightless()
	lift := spawn(w, at(0, 0, 0), moving(0, 2, 0), plane(0, 1, 0), components.BodyData{Kind: components.Kinematic})
	rider := ball(w, vec(0, 1, 0), vec(0, 0, 0), 1)
	bouncer := ball(w, vec(9, 2, 0), vec(0, 0, 0), 1, bouncy(1))
	p.Step(w)
	expectNoErrors(t, p)
	expectPosition(t, "lift", lift, vec(0, 2, 0), 1e-12)
	expectPosition(t, "rider", rider, vec(0, 3, 0), 1e-11)
	expectVelocity(t, "rider", rider, vec(0, 2, 0), 1e-11)
	expectPosition(t, "bouncer", bouncer, vec(9, 2+4*0.5, 0), 1e-11)
	expectVelocity(t, "bouncer", bouncer, vec(0, 4, 0), 1e-11)
	p.Step(w)
	expectPosition(t, "lift", lift, vec(0, 4, 0), 1e-12)
	expectPosition(t, "rider", rider, vec(0, 5, 0), 1e-11)
	components.Velocity.Get(lift).Linear = vec(0, -1, 0)
	p.Step(w)
	expectPosition(t, "lift going down", lift, vec(0, 3, 0), 1e-12)
	expectPosition(t, "rider in the air", rider, vec(0, 7, 0), 1e-11)
}

func TestMovingPolygonPushesABall(t *testing.T) {
	w, p := weightless()
	tray := spawn(w, at(0, 0, 0), moving(0, 2, 0), square(2), components.BodyData{Kind: components.Kinematic})
	rider := ball(w, vec(0, 1, 0), vec(0, 0, 0), 1)
	beside := ball(w, vec(9, 1, 0), vec(0, 0, 0), 1)
	for range 3 {
		p.Step(w)
	}
	expectNoErrors(t, p)
	expectPosition(t, "tray", tray, vec(0, 6, 0), 1e-12)
	expectPosition(t, "rider", rider, vec(0, 7, 0), 1e-10)
	expectPosition(t, "beside", beside, vec(9, 1, 0), 0)
}

func TestImmovableBallStopsKinematicBodies(t *testing.T) {
	w, p := weightless()
	wall(w, vec(10, 0, 0), vec(-1, 0, 0))
	press := ball(w, vec(0, 0, 0), vec(20, 0, 0), 1, components.BodyData{Kind: components.Kinematic})
	squeezed := ball(w, vec(5, 0, 0), vec(0, 0, 0), 1)
	p.Step(w)
	expectPosition(t, "squeezed", squeezed, vec(9, 0, 0), 1e-9)
	expectPosition(t, "press", press, vec(7, 0, 0), 1e-9)
	if got := p.Stats().Blocked; got == 0 {
		t.Error("blocked: got 0, want the press counted")
	}
	expectVelocity(t, "press", press, vec(20, 0, 0), 0) // its commanded velocity remains
}

func TestLockedAxesKeepABodyInAPlane(t *testing.T) {
	w := donburi.NewWorld()
	// A wall that isn't perpendicular to the plane, and a ball next to it. Both would push the body
	// out of z = 0.
	wall(w, vec(0, 0, 0), vec(0, 1, 1))
	flat := ball(w, vec(0, 3, 0), vec(0.5, -3, 0), 1, bouncy(1), components.BodyData{Locked: components.AxisZ})
	ball(w, vec(1, 4, 0.5), vec(-1, -3, 0), 1, bouncy(1))
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -10, 0)})
	touched := false
	for range 200 {
		p.Step(w)
		for e := range p.Impacts() {
			touched = touched || e.A == flat.Entity() || e.B == flat.Entity()
		}
		if z, vz := position(flat).Z, velocity(flat).Z; z != 0 || vz != 0 {
			t.Fatalf("z: got %v at %v m/s, want exactly 0", z, vz)
		}
	}
	if !touched {
		t.Error("nothing touched it: the test shows nothing")
	}
}

func TestImpactWithALockedBodyConservesEnergy(t *testing.T) {
	for _, side := range []float64{1, -1} {
		for _, ride := range []float64{0, -10} { // in the frames of the locked and of the free body
			w, p := weightless()
			u := vec(ride*side, 0, 0)
			locked := ball(w, vec(0, 0, 0), u, 1, bouncy(1), components.BodyData{Locked: components.AxisZ, Mass: 2})
			free := ball(w, vec(-5*side, 0, 1), vec(10*side, 0, 0).Add(u), 1, bouncy(1))
			before := velocity(free).LengthSquared() + 2*velocity(locked).LengthSquared()
			p.Step(w)
			// The normal is 30 degrees out of the plane: (-cos, 0, sin). Only the component in the
			// plane acts on the locked body.
			n, mass := vec(-math.Sqrt(0.75)*side, 0, 0.5), 1/(1+0.75/2)
			impulse := 2 * mass * 10 * math.Sqrt(0.75)
			expectVelocity(t, "free", free, vec(10*side, 0, 0).AddScaled(impulse, n).Add(u), 1e-12)
			expectVelocity(t, "locked", locked, vec(-n.X*impulse/2, 0, 0).Add(u), 1e-12)
			if after := velocity(free).LengthSquared() + 2*velocity(locked).LengthSquared(); !near(after, before,
				1e-11) {
				t.Errorf("energy: got %v, want %v", after, before)
			}
		}
	}
}

func TestBodiesOfA2DGameStayInThePlane(t *testing.T) {
	w := donburi.NewWorld()
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		wall(w, n.Scale(-5), n)
	}
	var circles []*donburi.Entry
	for i := range 20 {
		x, y := float64(i%5)*2-4, float64(i/5)*2-4
		circles = append(circles, ball(w, vec(x, y, 0), vec(y+1, x-2, 0), 0.4, bouncy(1)))
	}
	p := systems.NewPhysics(systems.Config{})
	energy := func() (sum float64) {
		for _, c := range circles {
			sum += velocity(c).LengthSquared()
		}
		return sum
	}
	before := energy()
	impacts := 0
	for range 600 {
		p.Step(w)
		impacts += p.Stats().Impacts
	}
	for _, c := range circles {
		if q := position(c); q.Z != 0 || math.Abs(q.X) > 4.6+1e-9 || math.Abs(q.Y) > 4.6+1e-9 {
			t.Errorf("a circle left the table: %v", q)
		}
	}
	if got := energy() / before; !near(got, 1, 1e-12) || impacts < 200 {
		t.Errorf("energy ratio after %d impacts: got %v, want 1", impacts, got)
	}
}

func TestBallsHitAPolygonAndPassBesideIt(t *testing.T) {
	w, p := weightless()
	spawn(w, at(0, 0, 0), square(1), bouncy(1))
	oneSided := square(1)
	oneSided.OneSided = true
	spawn(w, at(20, 0, 0), oneSided, bouncy(1))
	cases := []struct {
		name string
		p, v collide.Vec3
		want collide.Vec3 // velocity after the step
	}{
		{"from above", vec(0, 5, 0), vec(0, -100, 0), vec(0, 100, 0)},
		{"beside it", vec(2, 5, 0), vec(0, -100, 0), vec(0, -100, 0)},
		{"onto a one-sided one", vec(20, 5, 0), vec(0, -100, 0), vec(0, 100, 0)},
		{"from behind a one-sided one", vec(20.5, -5, 0), vec(0, 100, 0), vec(0, 100, 0)},
	}
	var balls []*donburi.Entry
	for _, c := range cases {
		balls = append(balls, ball(w, c.p, c.v, 0.25, components.CollisionFilterData{Layers: 2, Mask: 1}))
	}
	p.Step(w)
	for i, c := range cases {
		expectVelocity(t, c.name, balls[i], c.want, 1e-9)
	}
}

func TestPlaneFollowsItsTransform(t *testing.T) {
	w, p := weightless()
	// The normal +Y is rotated by 90° around Z to -X. Distance is relative to the Transform.
	s := math.Sqrt(0.5)
	spawn(w, components.TransformData{Position: vec(10, 0, 0), Rotation: collide.Quat{Z: s, W: s}},
		components.PlaneColliderData{Normal: vec(0, 3, 0), Distance: 2})
	b := ball(w, vec(0, 0, 0), vec(100, 0, 0), 1)
	p.Step(w)
	expectNoErrors(t, p)
	expectPosition(t, "stopped at x = 8", b, vec(7, 0, 0), 1e-9)
}

func TestRestingPairDoesNotMove(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	low, high := ball(w, vec(0, 1, 0), vec(0, 0, 0), 1), ball(w, vec(0, 3, 0), vec(0, 0, 0), 1)
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	for range 300 {
		p.Step(w)
	}
	expectPosition(t, "low", low, vec(0, 1, 0), 1e-6)
	expectPosition(t, "high", high, vec(0, 3, 0), 1e-6)
	if d := position(high).Distance(position(low)); d < 2-1e-9 {
		t.Errorf("distance: got %v, want no overlap", d)
	}
}

func TestImpactBudgetEndsEveryStep(t *testing.T) {
	w := donburi.NewWorld()
	// A ball in a closing wedge of two walls has an unbounded number of impacts.
	wall(w, vec(0, 0, 0), vec(0, 1, 0), bouncy(0.99))
	wall(w, vec(0, 0, 0), vec(-0.01, -1, 0), bouncy(0.99))
	b := ball(w, vec(-300, 1.5, 0), vec(30000, 300, 0), 1)
	p := systems.NewPhysics(systems.Config{StepSeconds: second, RestitutionThreshold: -1, MaxImpacts: 3})
	p.Step(w)
	expectNoErrors(t, p)
	if got := p.Stats(); got.Jammed != 1 || got.SpentBudgets != 0 || got.Impacts < 3 || got.Impacts > 9 {
		t.Errorf("stats: %d jammed and %d stopped after %d impacts, want 1 and 0 after less than ten",
			got.Jammed, got.SpentBudgets, got.Impacts)
	}
	q := position(b)
	if gap := q.Y - 1; gap < -1e-9 {
		t.Errorf("the floor: got %v inside", -gap)
	}
	if len(slices.Collect(p.Impacts())) != p.Stats().Impacts {
		t.Errorf("impacts polled and counted differ")
	}
}

func TestChangesOfWallsTakeEffectInTheNextStep(t *testing.T) {
	changes := map[string]func(e *donburi.Entry){
		"moved":         func(e *donburi.Entry) { components.Transform.Get(e).Position.Y = -5 },
		"turned over":   func(e *donburi.Entry) { components.Transform.Get(e).Rotation = collide.Quat{X: 1} },
		"another layer": func(e *donburi.Entry) { components.CollisionFilter.Get(e).Layers = 2 },
		"another Transform": func(e *donburi.Entry) {
			components.Transform.Set(e, &components.TransformData{Position: vec(0, -5, 0)})
		},
		"a sensor from now on": func(e *donburi.Entry) { e.AddComponent(components.Sensor) },
		"no collider any more": func(e *donburi.Entry) { e.RemoveComponent(components.PlaneCollider) },
		"another plane":        func(e *donburi.Entry) { components.PlaneCollider.Get(e).Distance = -5 },
		"corners moved in place": func(e *donburi.Entry) {
			for i := range components.PolygonCollider.Get(e).Points {
				components.PolygonCollider.Get(e).Points[i].Y = -5
			}
		},
		"corners in another order": func(e *donburi.Entry) { slices.Reverse(components.PolygonCollider.Get(e).Points) },
		"removed":                  func(e *donburi.Entry) { e.Remove() },
	}
	for name, change := range changes {
		for _, collider := range []any{plane(0, 1, 0), square(3)} {
			_, polygon := collider.(components.PolygonColliderData)
			switch name {
			case "no collider any more", "another plane", "a sensor from now on":
				if polygon {
					continue
				}
			case "corners moved in place", "corners in another order":
				if !polygon {
					continue
				}
			}
			if v, ok := collider.(components.PolygonColliderData); ok {
				v.OneSided = true
				collider = v
			}
			w, p := weightless()
			spawn(w, at(90, 90, 90), sphere(1), components.CollisionFilterData{})
			floor := spawn(w, at(0, 0, 0), collider, components.CollisionFilterData{Layers: 1, Mask: 1})
			b := ball(w, vec(0, 3, 0), vec(0, -1, 0), 1, bouncy(1), components.CollisionFilterData{Layers: 1, Mask: 1})
			p.Step(w)
			change(floor)
			components.Transform.Get(b).Position = vec(0, 1.5, 0)
			p.Step(w)
			expectNoErrors(t, p)
			if got := velocity(b).Y; got != -1 {
				t.Errorf("%s, %T: the ball moves at %v, want the wall out of its way", name, collider, got)
			}
		}
	}
}

// expectMomentum fails if the momentum of the balls has changed by more than the rounding errors of
// a few hundred impacts.
func expectMomentum(t *testing.T, what string, balls []*donburi.Entry, before collide.Vec3, size float64) {
	t.Helper()
	after, _ := momentum(balls)
	if d := after.Distance(before) / size; d > 1e-13 {
		t.Errorf("%s: momentum changed by %.3g of itself", what, d)
	}
}

// rack creates a triangle of 15 touching balls and a cue ball in a random order of creation, and
// returns them in the order of their positions.
func rack(w donburi.World, radius, speed, restitution float64, order *rand.Rand) []*donburi.Entry {
	places := []collide.Vec3{vec(-0.5, 0, 0)}
	row := radius * math.Sqrt(3)
	for k := range 5 {
		for i := range k + 1 {
			places = append(places, vec(float64(k)*row, 0, float64(2*i-k)*radius))
		}
	}
	balls := make([]*donburi.Entry, len(places))
	for _, k := range order.Perm(len(places)) {
		balls[k] = ball(w, places[k], vec(0, 0, 0), radius, bouncy(restitution), components.BodyData{Mass: 0.17})
	}
	components.Velocity.SetValue(balls[0], moving(speed, 0, 0))
	return balls
}

// A ball that runs along a wall, which takes up its velocity along the wall's normal, bounces on
// the floor in the same step. It has then the acceleration of gravity and no other: the bounce
// turns its velocity at that time, and gravity acts on it for the rest of the step.
func TestBounceInAStepInWhichAContactWasSolvedGainsNoEnergy(t *testing.T) {
	const dt = 1.0 / 60
	for _, height := range []float64{0, 0.002, 0.008, 0.014, 0.018} {
		w := donburi.NewWorld()
		spawn(w, at(0, 0, 0), plane(0, 1, 0), bouncy(1))
		wall(w, vec(0, 0, 0.2), vec(0, 0, -1))
		b := ball(w, vec(0, 0.2+height, 0), vec(0.7, -1, 0.2), 0.2)
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0)})
		steps(t, w, p, 1)
		bounced := false
		for e := range p.Impacts() {
			if e.Normal != vec(0, 1, 0) {
				continue
			}
			bounced = true
			if want := 1 + earth*e.Time; math.Abs(e.Approach-want) > 1e-12 {
				t.Errorf("height %v: approach: got %v, want %v", height, e.Approach, want)
			}
			want := vec(0.7, 1+earth*e.Time-earth*(dt-e.Time), 0)
			if d := velocity(b).Distance(want); d > 1e-12 {
				t.Errorf("height %v: velocity: got %v, want %v", height, velocity(b), want)
			}
		}
		if !bounced {
			t.Errorf("height %v: the ball did not bounce, so this tests nothing", height)
		}
	}
}

// Balls that touch and run into each other are a contact, and elastic balls hit them within the
// same step. All fall freely, so gravity changes the momentum by as much as without impacts, and
// the energy relative to the centre of mass does not grow.
func TestImpactOnBallsInContactConservesMomentumUnderGravity(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	const dt = 1.0 / 60
	impacts := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 77))
		random := func(most float64) collide.Vec3 {
			return vec(most*(2*r.Float64()-1), most*(2*r.Float64()-1), most*(2*r.Float64()-1))
		}
		w := donburi.NewWorld()
		var balls []*donburi.Entry
		for k := range 2 + r.IntN(3) { // a row of balls that touch and run into each other
			p := vec(float64(k)*math.Sqrt(1-0.01), 0.1*float64(k%2), 0)
			balls = append(balls, ball(w, p, random(0.05).Sub(vec(0.1*float64(k), 0, 0)), 0.5))
		}
		for k, side := range []float64{1, -1} { // from above and from below
			p := position(balls[k]).Add(vec(0.2*r.Float64(), side*(1+0.06*r.Float64()), 0))
			balls = append(balls, ball(w, p, random(1).Add(vec(0, -5*side, 0)), 0.5, bouncy(1)))
		}
		gravity := vec(0, -earth, 0)
		before, size := momentum(balls)
		start := relativeEnergy(balls)
		p := systems.NewPhysics(systems.Config{Gravity: gravity})
		for step := range 12 {
			steps(t, w, p, 1)
			impacts += p.Stats().Impacts
			if p.Stats().Jammed > 0 {
				break // costs momentum: see docs/limits.md
			}
			before = before.AddScaled(dt*massOfAll(balls), gravity)
			expectMomentum(t, fmt.Sprintf("seed %d, step %d", seed, step), balls, before, size+10)
			if got := relativeEnergy(balls); got > start*(1+1e-12) {
				t.Errorf("seed %d, step %d: energy: got %v, want at most %v", seed, step, got, start)
			}
		}
	}
	if impacts < 1000 {
		t.Errorf("%d impacts: this tests nothing", impacts)
	}
}

// massOfAll returns the sum of the masses.
func massOfAll(balls []*donburi.Entry) (sum float64) {
	for _, b := range balls {
		sum += mass(b)
	}
	return sum
}

// relativeEnergy returns the kinetic energy of balls relative to their centre of mass.
func relativeEnergy(balls []*donburi.Entry) float64 {
	total, _ := momentum(balls)
	return energy(balls) - total.LengthSquared()/(2*massOfAll(balls))
}
