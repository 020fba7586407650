package systems_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// slope is a plane through the origin that falls off towards +X at an angle with this tangent. It returns the way down, the normal, and the angle's sine and cosine.
func slope(w donburi.World, tangent float64, more ...any) (down, up collide.Vec3, sin, cos float64) {
	cos = 1 / math.Sqrt(1+tangent*tangent)
	sin = tangent * cos
	up, down = vec(sin, cos, 0), vec(cos, -sin, 0)
	wall(w, vec(0, 0, 0), up, more...)
	return down, up, sin, cos
}

// Below the angle of friction a ball that doesn't turn stays where it is, for minutes and to the bit.
func TestBelowTheAngleOfFrictionNothingCreeps(t *testing.T) {
	for _, c := range []struct {
		name     string
		tangent  float64
		friction frictionPart
	}{
		{"far below", 0.1, rough(0.5)},
		{"just below", 0.499, rough(0.5)},
		{"a sheer wall and very rough", 100, rough(101)},
		{"between sliding and resting friction", 0.45, frictionPart{Dynamic: 0.3, Static: 0.5}},
	} {
		for _, m := range []float64{1, 0.001, 1000} {
			w := donburi.NewWorld()
			_, up, _, _ := slope(w, c.tangent, c.friction)
			b := ball(w, up.Scale(0.5), vec(0, 0, 0), 0.5, components.BodyData{Mass: m})
			p := onEarth()
			steps(t, w, p, 2) // it may close a rounding
			expectOn(t, c.name, b, up.Scale(0.5), up, 1e-9)
			staysToTheBit(t, w, p, 180, b)
		}
	}
}

// Above the angle it slides: the speed is g(sinθ - μ·cosθ)·t, and the way ½·a·t². Gravity and friction are constant, so
// all steps end on the parabola, and nothing is lost but roundings, one for each of some hundred steps.
func TestAboveTheAngleOfFrictionABallSlidesAsItShould(t *testing.T) {
	for _, c := range []struct {
		tangent  float64
		friction frictionPart
	}{
		{1, frictionPart{}},
		{1, rough(0.3)},
		{0.75, rough(0.7)},
		{0.75, frictionPart{Dynamic: 0.4, Static: 0.7}},
		{0.2, rough(0.1999)},
	} {
		for _, m := range []float64{1, 0.001, 1000} {
			w := donburi.NewWorld()
			down, up, sin, cos := slope(w, c.tangent)
			b := ball(w, up.Scale(0.5), vec(0, 0, 0), 0.5, c.friction, components.BodyData{Mass: m})
			p := onEarth()
			a := earth * (sin - c.friction.Dynamic*cos)
			const seconds = 5
			for s := 1; s <= seconds; s++ {
				steps(t, w, p, 60)
				time := float64(s)
				name := fmt.Sprintf("slope %v, %+v, after %v s", c.tangent, c.friction, time)
				expectVelocity(t, name, b, down.Scale(a*time), 1e-9*earth*time)
				expectOn(t, name, b, up.Scale(0.5).AddScaled(a*time*time/2, down), up, 1e-9*earth*time*time)
			}
		}
	}
}

// On a level floor friction alone stops what slides, after v²/(2μg) metres. It stops within a step. What it goes too far in that one is no more than half
// of what the friction takes from a step's way.
func TestASlidingBallStopsWhereItShould(t *testing.T) {
	for _, mu := range []float64{0.1, 0.5, 2} {
		for _, v := range []collide.Vec3{{X: 3}, {X: 0.3, Z: -0.4}} {
			w := donburi.NewWorld()
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			b := ball(w, vec(0, 0.5, 0), v, 0.5, rough(mu))
			p := onEarth()
			speed := v.Length()
			stops := speed / (mu * earth)
			n := int(stops / tick)
			if n > 2 {
				steps(t, w, p, n)
				time := float64(n) * tick
				left := speed - mu*earth*time
				expectVelocity(t, "sliding", b, v.Scale(left/speed), 1e-9)
				expectOn(t, "sliding", b, vec(0, 0.5, 0).AddScaled((speed+left)/2*time/speed, v), vec(0, 1, 0), 1e-9)
			}
			steps(t, w, p, 3)
			want := vec(0, 0.5, 0).AddScaled(speed*speed/(2*mu*earth)/speed, v)
			expectOn(t, fmt.Sprintf("friction %v, at %v", mu, v), b, want, vec(0, 1, 0), mu*earth*tick*tick/2)
			expectVelocity(t, fmt.Sprintf("friction %v, at %v", mu, v), b, vec(0, 0, 0), 0)
			staysToTheBit(t, w, p, 60, b)
		}
	}
}

// A slope that holds what rests on it, but not what slides: a ball at rest stays, one that has a push down goes on, and one that is pushed up comes to rest and stays.
func TestStaticFrictionHoldsWhatDynamicFrictionDoesNot(t *testing.T) {
	friction := frictionPart{Dynamic: 0.3, Static: 0.6}
	const tangent, speed = 0.45, 2.0
	w := donburi.NewWorld()
	down, up, sin, cos := slope(w, tangent, friction)
	lane := func(k int) collide.Vec3 { return up.Scale(0.5).Add(vec(0, 0, 3*float64(k))) }
	still := ball(w, lane(0), vec(0, 0, 0), 0.5)
	pushedDown := ball(w, lane(1), down.Scale(speed), 0.5)
	pushedUp := ball(w, lane(2), down.Scale(-speed), 0.5)
	p := onEarth()
	steps(t, w, p, 2)
	home := position(still)
	steps(t, w, p, 178)
	const seconds = 3.0
	if position(still) != home || velocity(still) != vec(0, 0, 0) {
		t.Errorf("at rest: got %v and %v, want %v and 0", position(still), velocity(still), home)
	}
	a := earth * (sin - friction.Dynamic*cos) // down the slope
	expectVelocity(t, "pushed down", pushedDown, down.Scale(speed+a*seconds), 1e-8)
	expectOn(t, "pushed down", pushedDown, lane(1).AddScaled(speed*seconds+a*seconds*seconds/2, down), up, 1e-7)
	brake := earth * (sin + friction.Dynamic*cos)
	// It stops within a step, up to half of the way that a step from rest makes beside the place.
	expectOn(t, "pushed up", pushedUp, lane(2).AddScaled(-speed*speed/(2*brake), down), up, brake*tick*tick/2)
	staysToTheBit(t, w, p, 60, still, pushedUp)
}

// Two frictions become one by the rule, in rest as well.
func TestFrictionsCombineInRest(t *testing.T) {
	for _, c := range []struct {
		rule  components.CombineRule
		holds float64 // the steepest slope
	}{
		{components.CombineDefault, 0.8},
		{components.CombineAverage, 0.5},
		{components.CombineGeometric, 0.4},
		{components.CombineMin, 0.2},
		{components.CombineMultiply, 0.16},
		{components.CombineMax, 0.8},
	} {
		for _, k := range []float64{0.99, 1.01} {
			w := donburi.NewWorld()
			down, up, _, _ := slope(w, k*c.holds, frictionPart{Dynamic: 0.8, Combine: c.rule})
			b := ball(w, up.Scale(0.5), vec(0, 0, 0), 0.5, frictionPart{Dynamic: 0.2, Combine: c.rule})
			p := onEarth()
			steps(t, w, p, 120)
			if moved := position(b).Sub(up.Scale(0.5)).Dot(down); (moved > 1e-6) != (k > 1) {
				t.Errorf("rule %d, slope %v: slid by %v m", c.rule, k*c.holds, moved)
			}
		}
	}
}

// A conveyor takes what lies on it to its own speed: v = μgt until then, and after that it stands still on the belt.
func TestAConveyorCarriesWhatLiesOnIt(t *testing.T) {
	const mu, speed = 0.5, 2.0
	belt := components.SurfaceVelocityData{Linear: vec(speed, 0, 0)}
	for name, make := range map[string]func(w donburi.World){
		"a plane": func(w donburi.World) { wall(w, vec(0, 0, 0), vec(0, 1, 0), rough(mu), belt) },
		"a polygon": func(w donburi.World) {
			spawn(w, at(0, 0, 0), square(30), rough(mu), belt)
		},
		"a floor that moves the other way under a belt that runs twice as fast": func(w donburi.World) {
			wall(w, vec(0, 0, 0), vec(0, 1, 0), rough(mu), moving(-speed, 0, 0), components.SurfaceVelocityData{Linear: vec(2*speed, 0, 0)})
		},
		"a floor that moves": func(w donburi.World) {
			wall(w, vec(0, 0, 0), vec(0, 1, 0), rough(mu), moving(speed, 0, 0))
		},
	} {
		w := donburi.NewWorld()
		make(w)
		b := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5)
		late := ball(w, vec(-9, 3, 4), vec(0, 0, 0), 0.5)
		p := onEarth()
		steps(t, w, p, 12)
		const early = 12 * tick
		expectVelocity(t, name+", sliding", b, vec(mu*earth*early, 0, 0), 1e-9)
		expectOn(t, name+", sliding", b, vec(mu*earth*early*early/2, 0.5, 0), vec(0, 1, 0), 1e-9)
		steps(t, w, p, 228)
		// It slides until speed/(μg). The step in which it stops sliding may take it half of that step's friction too far.
		slides := speed / (mu * earth)
		expectVelocity(t, name, b, vec(speed, 0, 0), 1e-12)
		expectOn(t, name, b, vec(speed*(4-slides/2), 0.5, 0), vec(0, 1, 0), mu*earth*tick*tick/2)
		expectVelocity(t, name+", one that fell onto it", late, vec(speed, 0, 0), 1e-12)
		if y := position(late).Y; y < 0.5-1e-9 || y > 0.5+1e-9 {
			t.Errorf("%s: what fell onto it is %v over it", name, y-0.5)
		}
	}
}

// A belt that runs across a slope, and one that runs against a wall: the ball stays at the wall, and the belt runs on under it.
func TestABeltPressesAgainstAWall(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0), rough(0.5), components.SurfaceVelocityData{Linear: vec(2, 0, 0)})
	wall(w, vec(4, 0, 0), vec(-1, 0, 0), frictionPart{Combine: components.CombineMin})
	row := []*donburi.Entry{ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5), ball(w, vec(1.5, 0.5, 0), vec(0, 0, 0), 0.5), ball(w, vec(3, 0.5, 0), vec(0, 0, 0), 0.5)}
	p := onEarth()
	steps(t, w, p, 300)
	for k, b := range row {
		expectPosition(t, fmt.Sprint("ball ", k), b, vec(1.5+float64(k), 0.5, 0), 1e-6+3*restGap)
	}
	rests(t, w, p, row, 10)
}

// A heap that has friction comes to rest sooner, and stands without walls where the balls don't turn.
func TestSmallHeapsWithFrictionComeToRest(t *testing.T) {
	for _, mu := range []float64{0.1, 0.3, 1} {
		for seed := range uint64(fewer(3)) {
			for _, turns := range []bool{false, true} {
				t.Run(fmt.Sprintf("friction %v, seed %d, turning %v", mu, seed, turns), func(t *testing.T) {
					w := donburi.NewWorld()
					// Without resistance to rolling a ball that rocks in a groove between two others would rock for ever.
					more := []any{frictionPart{Dynamic: mu, Rolling: 0.01, Spinning: 0.01}}
					if turns {
						more = append(more, turning(0, 0, 0))
					}
					balls := pouredInto(w, 30, seed, []any{rough(mu)}, more...)
					p := onEarth()
					steps(t, w, p, 600)
					rests(t, w, p, balls, 10)
				})
			}
		}
	}
}

// A pyramid whose lowest layer nothing holds but friction. Balls that don't turn stand on friction alone.
func TestFrictionHoldsAPyramidWithoutWalls(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0), rough(1))
	var balls []*donburi.Entry
	const side = 4
	for layer := range side {
		n := side - layer
		for i := range n {
			for j := range n {
				at := vec(float64(i)-float64(n-1)/2, 0.5+float64(layer)*math.Sqrt2/2, float64(j)-float64(n-1)/2)
				balls = append(balls, ball(w, at, vec(0, 0, 0), 0.5, rough(1)))
			}
		}
	}
	home := states(balls)
	p := onEarth()
	steps(t, w, p, 60)
	for k, b := range balls {
		expectPosition(t, fmt.Sprint("ball ", k), b, home[2*k], 1e-6+4*restGap)
	}
	rests(t, w, p, balls, 10)
}

// bed is n by n balls of radius 0.5 on the floor of a bin that they fill, and others that fall from high into the dimples between them, or beside those.
func bed(w donburi.World, n int, high, beside float64, more ...any) (balls []*donburi.Entry) {
	bin(w, float64(n)/2+float64(n+1)*restGap/2, more[0])
	for k := range n * n {
		balls = append(balls, ball(w, vec(float64(k%n)-float64(n-1)/2, 0.5, float64(k/n)-float64(n-1)/2), vec(0, 0, 0), 0.5, more...))
	}
	for k := range (n - 1) * (n - 1) {
		m := n - 1
		balls = append(balls, ball(w, vec(float64(k%m)-float64(m-1)/2+beside, high, float64(k/m)-float64(m-1)/2), vec(0, 0, 0), 0.5, more...))
	}
	return balls
}

// Friction takes energy and never makes any, in however many contacts at once.
func TestFrictionMakesNoEnergy(t *testing.T) {
	for _, mu := range []float64{0.1, 0.5, 2} {
		for _, turns := range []bool{false, true} {
			more := []any{rough(mu)}
			if turns {
				more = append(more, turning(0, 0, 0))
			}
			for seed := range uint64(fewer(5)) {
				w := donburi.NewWorld()
				makesNoEnergy(t, fmt.Sprintf("a heap, friction %v, turning %v, seed %d", mu, turns, seed), w, pouredInto(w, 2+int(7*seed), seed, more[:1], more...))
			}
			for n := 2; n <= 4; n++ { // balls that touch on all sides
				for _, beside := range []float64{0, 0.01, 0.2} {
					w := donburi.NewWorld()
					makesNoEnergy(t, fmt.Sprintf("a bed, friction %v, turning %v, width %d, beside by %v", mu, turns, n, beside), w, bed(w, n, 1.25+2*beside, beside, more...))
				}
			}
		}
	}
}

// makesNoEnergy runs two seconds, and fails where there is more energy after a step than before it.
func makesNoEnergy(t *testing.T, name string, w donburi.World, balls []*donburi.Entry) {
	t.Helper()
	p := onEarth()
	start, weight := math.Inf(1), 0.0
	for step := range fewer(120) {
		now := energy(balls)
		for _, b := range balls {
			now += mass(b) * earth * position(b).Y
			if b.HasComponent(components.AngularVelocity) {
				now += inertia(b) * spinOf(b).LengthSquared() / 2
			}
			if step == 0 {
				weight += mass(b) * earth
			}
		}
		// Within a step a path is up to offChord beside its parabola, and so is the height at which an impact takes its energy: a few times in a step.
		if now > start+4*weight*offChord {
			t.Errorf("%s, step %d: energy went from %v to %v J", name, step, start, now)
			return
		}
		start = min(start, now)
		steps(t, w, p, 1)
	}
}

// A wall that nothing presses a ball against doesn't hold it, however rough it is, touching or beside it by a hair; nor does a neighbour that falls with it.
func TestFrictionNeedsAPress(t *testing.T) {
	for _, gap := range []float64{0, 1e-15, 1e-9, 1e-6, 1e-4, 1e-3} {
		for _, walls := range []int{1, 2} {
			w := donburi.NewWorld()
			rough := rough(5)
			wall(w, vec(-0.5-gap, 0, 0), vec(1, 0, 0), rough)
			if walls == 2 {
				wall(w, vec(1.5+2*gap, 0, 0), vec(-1, 0, 0), rough)
			}
			a := ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.5, rough)
			b := ball(w, vec(1+gap, 0, 0), vec(0, 0, 0), 0.5, rough)
			p := onEarth()
			steps(t, w, p, 60)
			// Both fall freely, beside each other.
			for k, e := range []*donburi.Entry{a, b} {
				if y := position(e).Y; !near(y, -earth/2, 1e-9) {
					t.Errorf("gaps of %v, %d walls: ball %d fell to %v in a second, want %v", gap, walls, k, y, -earth/2)
				}
			}
		}
	}
}

// A ball that brushes a wall is slowed by what the impact presses it there, μ times, and by no more: it goes on falling.
func TestABrushWithAWallCostsWhatItPresses(t *testing.T) {
	for _, mu := range []float64{0.1, 0.3} {
		for _, aside := range []float64{0.01, 0.5, 3} {
			w := donburi.NewWorld()
			wall(w, vec(-1, 0, 0), vec(1, 0, 0), rough(mu))
			b := ball(w, vec(0, 0, 0), vec(-aside, -20, 0), 0.5)
			p := onEarth()
			n := int(0.5/aside/tick) + 5 // it meets the wall on the way
			steps(t, w, p, n)
			want := -20 - earth*float64(n)*tick + mu*aside
			if got := velocity(b).Y; !near(got, want, 1e-9*float64(n)) {
				t.Errorf("friction %v, towards the wall at %v: falls at %v, want %v", mu, aside, got, want)
			}
		}
	}
}
