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

// slope creates a plane through the origin that falls towards +X at the angle with this tangent. It
// returns the downhill direction, the normal, and the sine and cosine of the angle.
func slope(w donburi.World, tangent float64, more ...any) (down, up collide.Vec3, sin, cos float64) {
	cos = 1 / math.Sqrt(1+tangent*tangent)
	sin = tangent * cos
	up, down = vec(sin, cos, 0), vec(cos, -sin, 0)
	wall(w, vec(0, 0, 0), up, more...)
	return down, up, sin, cos
}

// Below the angle of friction, a ball without rotation doesn't move by a bit for minutes.
func TestNothingCreepsBelowTheAngleOfFriction(t *testing.T) {
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
			steps(t, w, p, 2) // a rounding error may be closed
			expectOn(t, c.name, b, up.Scale(0.5), up, 1e-9)
			expectUnchanged(t, w, p, 180, b)
		}
	}
}

// Above the angle of friction the speed is g(sinθ - μ·cosθ)·t and the distance ½·a·t². As the
// acceleration is constant, all steps end on the parabola, and only rounding errors of some hundred
// steps remain.
func TestSlidingAboveTheAngleOfFrictionMatchesTheClosedForm(t *testing.T) {
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

// On a level floor, a sliding ball stops after v²/(2μg) metres. It stops within a step, which adds
// at most half of the distance that friction takes off in a step.
func TestStoppingDistanceMatchesTheClosedForm(t *testing.T) {
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
			expectUnchanged(t, w, p, 60, b)
		}
	}
}

// On a slope between the angles of static and dynamic friction, a resting ball stays, a ball with
// an initial velocity downhill keeps sliding, and a ball that is pushed uphill comes to rest and
// stays.
func TestStaticFrictionHoldsOnSteeperSlopesThanDynamicFriction(t *testing.T) {
	friction := frictionPart{Dynamic: 0.3, Static: 0.6}
	const tangent, speed = 0.45, 2.0
	w := donburi.NewWorld()
	down, up, sin, cos := slope(w, tangent, friction)
	lane := func(k int) collide.Vec3 { return up.Scale(0.5).Add(vec(0, 0, 3*float64(k))) }
	resting := ball(w, lane(0), vec(0, 0, 0), 0.5)
	pushedDown := ball(w, lane(1), down.Scale(speed), 0.5)
	pushedUp := ball(w, lane(2), down.Scale(-speed), 0.5)
	p := onEarth()
	steps(t, w, p, 2)
	home := position(resting)
	steps(t, w, p, 178)
	const seconds = 3.0
	if position(resting) != home || velocity(resting) != vec(0, 0, 0) {
		t.Errorf("at rest: got %v and %v, want %v and 0", position(resting), velocity(resting), home)
	}
	a := earth * (sin - friction.Dynamic*cos) // down the slope
	expectVelocity(t, "pushed down", pushedDown, down.Scale(speed+a*seconds), 1e-8)
	expectOn(t, "pushed down", pushedDown, lane(1).AddScaled(speed*seconds+a*seconds*seconds/2, down), up, 1e-7)
	brake := earth * (sin + friction.Dynamic*cos)
	// It stops within a step, up to half the distance of a step from rest away.
	expectOn(t, "pushed up", pushedUp, lane(2).AddScaled(-speed*speed/(2*brake), down), up, brake*tick*tick/2)
	expectUnchanged(t, w, p, 60, resting, pushedUp)
}

// The friction of a pair is combined by the rule in persistent contacts, too.
func TestFrictionsCombineInRestingContacts(t *testing.T) {
	for _, c := range []struct {
		rule     components.CombineRule
		steepest float64 // the steepest slope
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
			down, up, _, _ := slope(w, k*c.steepest, frictionPart{Dynamic: 0.8, Combine: c.rule})
			b := ball(w, up.Scale(0.5), vec(0, 0, 0), 0.5, frictionPart{Dynamic: 0.2, Combine: c.rule})
			p := onEarth()
			steps(t, w, p, 120)
			if moved := position(b).Sub(up.Scale(0.5)).Dot(down); (moved > 1e-6) != (k > 1) {
				t.Errorf("rule %d, slope %v: slid by %v m", c.rule, k*c.steepest, moved)
			}
		}
	}
}

// A conveyor accelerates a ball by v = μgt up to its own speed. After that, the ball rests on the
// belt.
func TestConveyorAcceleratesABallToItsSpeed(t *testing.T) {
	const mu, speed = 0.5, 2.0
	conveyor := components.SurfaceVelocityData{Linear: vec(speed, 0, 0)}
	for name, make := range map[string]func(w donburi.World){
		"a plane": func(w donburi.World) { wall(w, vec(0, 0, 0), vec(0, 1, 0), rough(mu), conveyor) },
		"a polygon": func(w donburi.World) {
			spawn(w, at(0, 0, 0), square(30), rough(mu), conveyor)
		},
		"a floor that moves the other way under a belt that runs twice as fast": func(w donburi.World) {
			wall(w, vec(0, 0, 0), vec(0, 1, 0), rough(mu), moving(-speed, 0, 0),
				components.SurfaceVelocityData{Linear: vec(2*speed, 0, 0)})
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
		// It slides until speed/(μg). In the step in which sliding ends, the distance may have an
		// error of half of that step's friction.
		slides := speed / (mu * earth)
		expectVelocity(t, name, b, vec(speed, 0, 0), 1e-12)
		expectOn(t, name, b, vec(speed*(4-slides/2), 0.5, 0), vec(0, 1, 0), mu*earth*tick*tick/2)
		expectVelocity(t, name+", one that fell onto it", late, vec(speed, 0, 0), 1e-12)
		if y := position(late).Y; y < 0.5-1e-9 || y > 0.5+1e-9 {
			t.Errorf("%s: what fell onto it is %v over it", name, y-0.5)
		}
	}
}

// A belt runs across a slope or against a wall. The ball stays at the wall while the belt runs
// under it.
func TestConveyorPressesABallAgainstAWall(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0), rough(0.5), components.SurfaceVelocityData{Linear: vec(2, 0, 0)})
	wall(w, vec(4, 0, 0), vec(-1, 0, 0), frictionPart{Combine: components.CombineMin})
	row := []*donburi.Entry{
		ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5), ball(w, vec(1.5, 0.5, 0), vec(0, 0, 0), 0.5),
		ball(w, vec(3, 0.5, 0), vec(0, 0, 0), 0.5),
	}
	p := onEarth()
	steps(t, w, p, 300)
	for k, b := range row {
		expectPosition(t, fmt.Sprint("ball ", k), b, vec(1.5+float64(k), 0.5, 0), 1e-6+3*restGap)
	}
	expectRest(t, w, p, row, 10)
}

// A heap with friction comes to rest sooner. Without rotation it stands without walls.
func TestSmallHeapsWithFrictionComeToRest(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, mu := range []float64{0.1, 0.3, 1} {
		for seed := range uint64(slow.Cases(3)) {
			for _, turns := range []bool{false, true} {
				t.Run(fmt.Sprintf("friction %v, seed %d, turning %v", mu, seed, turns), func(t *testing.T) {
					w := donburi.NewWorld()
					// Without rolling resistance, a ball in a groove between two others would rock
					// forever.
					more := []any{frictionPart{Dynamic: mu, Rolling: 0.01, Spinning: 0.01}}
					if turns {
						more = append(more, turning(0, 0, 0))
					}
					balls := heapInBin(w, 30, seed, []any{rough(mu)}, more...)
					p := onEarth()
					steps(t, w, p, 600)
					expectRest(t, w, p, balls, 10)
				})
			}
		}
	}
}

// Only friction supports the lowest layer of the pyramid. Balls without rotation need nothing else.
func TestFrictionSupportsAPyramidWithoutWalls(t *testing.T) {
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
	expectRest(t, w, p, balls, 10)
}

// bed creates a bin whose floor is covered by n by n balls of radius 0.5, and other balls that fall
// from the given height into the dimples or beside them.
func bed(w donburi.World, n int, high, beside float64, more ...any) (balls []*donburi.Entry) {
	bin(w, float64(n)/2+float64(n+1)*restGap/2, more[0])
	for k := range n * n {
		balls = append(balls, ball(w, vec(float64(k%n)-float64(n-1)/2, 0.5, float64(k/n)-float64(n-1)/2),
			vec(0, 0, 0), 0.5, more...))
	}
	for k := range (n - 1) * (n - 1) {
		m := n - 1
		balls = append(balls, ball(w, vec(float64(k%m)-float64(m-1)/2+beside, high, float64(k/m)-float64(m-1)/2),
			vec(0, 0, 0), 0.5, more...))
	}
	return balls
}

// Friction never adds energy, whatever the number of contacts.
func TestFrictionNeverAddsEnergy(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, mu := range []float64{0.1, 0.5, 2} {
		for _, turns := range []bool{false, true} {
			more := []any{rough(mu)}
			if turns {
				more = append(more, turning(0, 0, 0))
			}
			for seed := range uint64(slow.Cases(5)) {
				w := donburi.NewWorld()
				expectNoEnergyGain(t, fmt.Sprintf("a heap, friction %v, turning %v, seed %d", mu, turns, seed), w,
					heapInBin(w, 2+int(7*seed), seed, more[:1], more...))
			}
			for n := 2; n <= 4; n++ { // balls that touch in all directions
				for _, beside := range []float64{0, 0.01, 0.2} {
					w := donburi.NewWorld()
					expectNoEnergyGain(t, fmt.Sprintf("a bed, friction %v, turning %v, width %d, beside by %v", mu,
						turns, n, beside), w, bed(w, n, 1.25+2*beside, beside, more...))
				}
			}
		}
	}
}

// expectNoEnergyGain runs two seconds and fails if the energy increases in a step.
func expectNoEnergyGain(t *testing.T, name string, w donburi.World, balls []*donburi.Entry) {
	t.Helper()
	p := onEarth()
	start, weight := math.Inf(1), 0.0
	for step := range slow.Steps(120) {
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
		// Within a step, a path deviates by up to offChord from its parabola, and so does the
		// height at which an impact removes energy, a few times in a step.
		if now > start+4*weight*offChord {
			t.Errorf("%s, step %d: energy went from %v to %v J", name, step, start, now)
			return
		}
		start = min(start, now)
		steps(t, w, p, 1)
	}
}

// A ball that slides up a slope, and that weight stops within a step, is as high as its energy
// carries it. It slowed down evenly until the end of the step, and so went half of the step at its
// velocity: a slow one rose by several times as much.
func TestABallThatStopsOnASlopeIsNoHigherThanItsEnergyCarriesIt(t *testing.T) {
	const dt = 1.0 / 60
	stopped := 0
	for _, degrees := range []float64{10, 30, 50, 66, 80} {
		for _, mu := range []float64{0.1, 0.5, 2} {
			for ratio := 0.05; ratio < 1.5; ratio += 0.05 {
				sin, cos := math.Sincos(degrees * math.Pi / 180)
				up, normal := vec(cos, sin, 0), vec(-sin, cos, 0)
				w, p := donburi.NewWorld(), onEarth()
				wall(w, normal.Scale(-0.1), normal)
				b := ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.1, rough(mu))
				steps(t, w, p, 1) // it presses on the slope then
				from, v := position(b), up.Scale(ratio*earth*sin*dt)
				set(b, moving(v.X, v.Y, v.Z))
				steps(t, w, p, 1)
				rise, before, after := position(b).Y-from.Y, v.LengthSquared()/2, velocity(b).LengthSquared()/2
				if gain := after + earth*rise - before; gain > 1e-9*before {
					t.Errorf("%v degrees, friction %v, %v times the speed that weight takes: it rises by %v m, "+
						"and gains %v of %v J", degrees, mu, ratio, rise, gain, before)
				}
				if velocity(b) == vec(0, 0, 0) {
					stopped++
				}
			}
		}
	}
	if stopped < 100 {
		t.Errorf("%d stop, want many", stopped)
	}
}

// A wall or a neighbour that falls at the same speed exerts no friction without a normal force,
// however rough it is.
func TestFrictionNeedsANormalForce(t *testing.T) {
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
			// Both fall freely beside each other.
			for k, e := range []*donburi.Entry{a, b} {
				if y := position(e).Y; !near(y, -earth/2, 1e-9) {
					t.Errorf("gaps of %v, %d walls: ball %d fell to %v in a second, want %v", gap, walls, k, y,
						-earth/2)
				}
			}
		}
	}
}

// A ball that hits a wall at a grazing angle is slowed by μ times the normal impulse at most, and
// keeps falling.
func TestFrictionOfAGrazingImpactIsLimitedByItsImpulse(t *testing.T) {
	for _, mu := range []float64{0.1, 0.3} {
		for _, aside := range []float64{0.01, 0.5, 3} {
			w := donburi.NewWorld()
			wall(w, vec(-1, 0, 0), vec(1, 0, 0), rough(mu))
			b := ball(w, vec(0, 0, 0), vec(-aside, -20, 0), 0.5)
			p := onEarth()
			n := int(0.5/aside/tick) + 5 // it hits the wall on the way
			steps(t, w, p, n)
			want := -20 - earth*float64(n)*tick + mu*aside
			if got := velocity(b).Y; !near(got, want, 1e-9*float64(n)) {
				t.Errorf("friction %v, towards the wall at %v: falls at %v, want %v", mu, aside, got, want)
			}
		}
	}
}

// inertia returns the moment of inertia of a ball.
func inertia(e *donburi.Entry) float64 {
	if i := components.AngularVelocity.Get(e).Inertia; i > 0 {
		return i
	}
	r := components.SphereCollider.Get(e).Radius
	return 0.4 * mass(e) * r * r
}

// rolling returns the angular velocity of a ball that rolls at velocity v over a floor with this
// normal.
func rolling(v, normal collide.Vec3, radius float64) collide.Vec3 {
	return normal.Cross(v).Scale(1 / radius)
}

// A ball launched with speed v₀ and no spin slides for 2v₀/(7μg) seconds and 12v₀²/(49μg) metres,
// then rolls at 5/7·v₀. While sliding, it is on its parabola at the end of each step. Friction
// changes speed and spin in proportion, so the rolling speed is exact up to rounding. The start of
// rolling is known to one step, and the position after that to the effect of friction in half a
// step.
func TestSlidingBallRollsAtFiveSeventhsOfItsSpeed(t *testing.T) {
	for _, c := range []struct {
		mu, radius, mass float64
		v                collide.Vec3
	}{
		{0.2, 0.0286, 0.17, vec(2, 0, 0)},
		{0.1, 0.5, 1, vec(3, 0, 4)},
		{0.5, 0.1, 1000, vec(0, 0, -1)},
	} {
		name := fmt.Sprintf("friction %v, at %v", c.mu, c.v)
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0))
		b := ball(w, vec(0, c.radius, 0), c.v, c.radius, rough(c.mu), turning(0, 0, 0),
			components.BodyData{Mass: c.mass})
		p := onEarth()
		speed := c.v.Length()
		forward := c.v.Scale(1 / speed)
		rolls := 2 * speed / (7 * c.mu * earth)
		n := int(rolls / tick)
		steps(t, w, p, n)
		time := float64(n) * tick
		expectVelocity(t, name+", sliding", b, forward.Scale(speed-c.mu*earth*time), 1e-10*speed)
		expectOn(t, name+", sliding", b, vec(0, c.radius, 0).AddScaled(speed*time-c.mu*earth*time*time/2, forward),
			vec(0, 1, 0), 1e-10*speed)
		w0 := 5 * c.mu * earth * time / (2 * c.radius)
		expectSpin(t, name+", sliding", b, rolling(forward.Scale(w0*c.radius), vec(0, 1, 0), c.radius), 1e-9*w0)
		steps(t, w, p, 1) // rolling begins in this step
		rolled := forward.Scale(speed * 5 / 7)
		expectVelocity(t, name+", rolling", b, rolled, 1e-10*speed)
		expectSpin(t, name+", rolling", b, rolling(rolled, vec(0, 1, 0), c.radius), 1e-10*speed/c.radius)
		steps(t, w, p, 119-n)
		const seconds = 2.0
		want := 12*speed*speed/(49*c.mu*earth) + speed*5/7*(seconds-rolls)
		expectOn(t, name+", after 2 s", b, vec(0, c.radius, 0).AddScaled(want, forward), vec(0, 1, 0),
			c.mu*earth*tick*tick/2)
		expectVelocity(t, name+", after 2 s", b, rolled, 1e-10*speed)
	}
}

// A ball with backspin comes to roll, too. Angular momentum about a point of the floor is
// conserved, so its speed is (v + ⅖rω)·5/7, here backwards.
func TestBackspinReversesABall(t *testing.T) {
	const radius, mu, speed, back = 0.0286, 0.2, 1.0, 150.0
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	b := ball(w, vec(0, radius, 0), vec(speed, 0, 0), radius, rough(mu), turning(0, 0, back),
		components.BodyData{Mass: 0.17})
	p := onEarth()
	steps(t, w, p, 180)
	v := 5.0 / 7 * (speed - 0.4*radius*back)
	expectVelocity(t, "drawn back", b, vec(v, 0, 0), 1e-10)
	expectSpin(t, "drawn back", b, vec(0, 0, -v/radius), 1e-10/radius)
	if v >= 0 {
		t.Error("the spin is too small to say anything")
	}
}

// With enough friction, at least 2/7 of the slope's tangent, a ball rolls with 5/7 of the
// acceleration of frictionless sliding. With less, it slides with increasing spin. The acceleration
// is constant, so all steps end on the parabola up to rounding.
func TestRollingDownASlopeMatchesTheClosedForm(t *testing.T) {
	for _, c := range []struct{ tangent, mu float64 }{{0.5, 0.5}, {0.5, 0.15}, {1, 5}, {0.5, 0.1}, {2, 0.3}} {
		for _, radius := range []float64{0.5, 0.03} {
			name := fmt.Sprintf("slope %v, friction %v, radius %v", c.tangent, c.mu, radius)
			w := donburi.NewWorld()
			down, up, sin, cos := slope(w, c.tangent)
			b := ball(w, up.Scale(radius), vec(0, 0, 0), radius, rough(c.mu), turning(0, 0, 0))
			p := onEarth()
			a, alpha := 5.0/7*earth*sin, 5.0/7*earth*sin/radius
			if c.mu < c.tangent*2/7 {
				a, alpha = earth*(sin-c.mu*cos), 5*c.mu*earth*cos/(2*radius)
			}
			for s := 1; s <= 3; s++ {
				steps(t, w, p, 60)
				time := float64(s)
				expectVelocity(t, name, b, down.Scale(a*time), 1e-9*earth*time)
				expectOn(t, name, b, up.Scale(radius).AddScaled(a*time*time/2, down), up, 1e-9*earth*time*time)
				expectSpin(t, name, b, up.Cross(down).Scale(alpha*time), 1e-9*earth*time/radius)
			}
		}
	}
}

// Other moments of inertia: a hollow ball rolls with 3/5 of the acceleration, and a disc (a circle
// of a 2D game) with 2/3.
func TestRollingSpeedDependsOnInertia(t *testing.T) {
	const radius, m = 0.25, 2.0
	for _, fraction := range []float64{0.4, 2.0 / 3, 0.5} {
		w := donburi.NewWorld()
		down, up, sin, _ := slope(w, 0.3)
		b := ball(w, up.Scale(radius), vec(0, 0, 0), radius, rough(1),
			components.BodyData{Mass: m, Locked: components.AxisZ},
			components.AngularVelocityData{Inertia: fraction * m * radius * radius})
		p := onEarth()
		steps(t, w, p, 120)
		a := earth * sin / (1 + fraction)
		expectVelocity(t, fmt.Sprint("inertia ", fraction), b, down.Scale(a*2), 1e-9*earth)
		expectOn(t, fmt.Sprint("inertia ", fraction), b, up.Scale(radius).AddScaled(a*2, down), up, 1e-9*earth)
	}
}

// Rolling resistance decelerates a ball by 5/7 of its coefficient times g and stops it after
// v²/(2a).
func TestRollingResistanceStopsABall(t *testing.T) {
	const radius, c, speed = 0.1, 0.02, 0.7
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0), frictionPart{Dynamic: 0.5, Rolling: c})
	b := ball(w, vec(0, radius, 0), vec(speed, 0, 0), radius, turning(0, 0, -speed/radius))
	p := onEarth()
	const a = 5.0 / 7 * c * earth
	steps(t, w, p, 120)
	expectVelocity(t, "rolling", b, vec(speed-2*a, 0, 0), 1e-9)
	expectSpin(t, "rolling", b, vec(0, 0, -(speed-2*a)/radius), 1e-9/radius)
	expectOn(t, "rolling", b, vec(2*(speed-a), radius, 0), vec(0, 1, 0), 1e-9)
	steps(t, w, p, 240)
	expectOn(t, "stopped", b, vec(speed*speed/(2*a), radius, 0), vec(0, 1, 0), a*tick*tick/2) // it stops within a step
	expectVelocity(t, "stopped", b, vec(0, 0, 0), 0)
	expectSpin(t, "stopped", b, vec(0, 0, 0), 0)
	expectUnchanged(t, w, p, 60, b)
	// On a slope it holds the ball if the tangent is smaller than the coefficient.
	for _, k := range []float64{0.9, 1.1} {
		w := donburi.NewWorld()
		down, up, sin, cos := slope(w, k*c, frictionPart{Dynamic: 0.5, Rolling: c})
		b := ball(w, up.Scale(radius), vec(0, 0, 0), radius, turning(0, 0, 0))
		p := onEarth()
		steps(t, w, p, 300)
		want := 0.0
		if k > 1 {
			want = 5.0 / 7 * earth * (sin - c*cos) * 25 / 2
		}
		expectOn(t, fmt.Sprint("slope of ", k, " times the coefficient"), b, up.Scale(radius).AddScaled(want, down),
			up, 1e-8)
	}
}

// Spinning resistance reduces a spin about the normal by 5/2·c·g/r per second and stops it.
func TestSpinningResistanceStopsASpinningBall(t *testing.T) {
	const radius, c, start = 0.1, 0.05, 20.0
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0), frictionPart{Dynamic: 0.5, Spinning: c})
	b := ball(w, vec(0, radius, 0), vec(0, 0, 0), radius, turning(0, start, 0))
	p := onEarth()
	const alpha = 5.0 / 2 * c * earth / radius
	steps(t, w, p, 60)
	expectSpin(t, "after a second", b, vec(0, start-alpha, 0), 1e-9*start)
	expectOn(t, "after a second", b, vec(0, radius, 0), vec(0, 1, 0), 1e-12)
	steps(t, w, p, 39) // it stops after 1.63 s
	expectSpin(t, "stopped", b, vec(0, 0, 0), 0)
}

// A rule to combine frictions changes nothing where there is no friction.
func TestACombineRuleWithoutFrictionChangesNothing(t *testing.T) {
	run := func(rule components.CombineRule) (balls []*donburi.Entry) {
		w := donburi.NewWorld()
		balls = heapInBin(w, 20, 1, []any{frictionPart{Combine: rule}}, bouncy(0))
		steps(t, w, onEarth(), 240)
		return balls
	}
	plain := run(components.CombineDefault)
	ruled := run(components.CombineMin)
	want := states(plain)
	for k, got := range states(ruled) {
		if got != want[k] {
			t.Fatalf("ball %d: got %v, want %v as without a rule", k/2, got, want[k])
		}
	}
}

// Spinning resistance slows a spinning ball without friction as it does one with hardly any.
func TestSpinningResistanceNeedsNoFriction(t *testing.T) {
	after := func(friction float64) float64 {
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0), frictionPart{Dynamic: friction, Spinning: 0.1})
		b := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5, turning(0, 10, 0))
		steps(t, w, onEarth(), 60)
		return spinOf(b).Y
	}
	got, want := after(0), after(1e-9)
	if !near(got, want, 1e-9) || !near(want, 10-2.5*0.1*earth/0.5, 0.01) {
		t.Errorf("without friction: got %v rad/s after 1 s, want %v as with friction 1e-9", got, want)
	}
}

// Rolling resistance, too, needs no friction.
func TestRollingResistanceNeedsNoFriction(t *testing.T) {
	after := func(friction float64) float64 {
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0), frictionPart{Dynamic: friction, Rolling: 0.1})
		b := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5, turning(0, 0, 10))
		steps(t, w, onEarth(), 60)
		return spinOf(b).Z
	}
	if got, want := after(0), after(1e-9); !near(got, want, 1e-6) || want > 9 {
		t.Errorf("without friction: got %v rad/s after 1 s, want %v as with friction 1e-9", got, want)
	}
}

// Rotation about a fixed axis is exact in each step: the angles of all steps add up, with a
// rounding error each.
func TestRotationIsIntegratedExactly(t *testing.T) {
	w := donburi.NewWorld()
	axis, _ := vec(1, -2, 0.5).Normalized()
	b := ball(w, vec(0, 0, 0), vec(1, 0, 0), 1, turning(axis.X*3, axis.Y*3, axis.Z*3))
	p := systems.NewPhysics(systems.Config{})
	steps(t, w, p, 600)
	want := collide.RotationAround(axis, 30)
	got := components.Transform.Get(b).Rotation
	for _, v := range []collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		if !nearVec(got.Rotate(v), want.Rotate(v), 1e-12) {
			t.Errorf("after 30 radians: %v turns to %v, want %v", v, got.Rotate(v), want.Rotate(v))
		}
	}
	expectSpin(t, "free", b, axis.Scale(3), 0)
}

// An oblique bounce with friction. With enough friction, the contact sticks: 5/7 of the tangential
// speed remain and the ball leaves rolling. Otherwise, the tangential impulse is μ times the normal
// impulse.
func TestObliqueBounceSpinsABall(t *testing.T) {
	const radius, m = 0.25, 3.0
	for _, c := range []struct{ mu, e, tangential, spin float64 }{
		{1, 0.5, 2, 0}, {0.1, 0.5, 2, 0}, {0.1, 1, -3, 0}, {1, 0, 2, 0}, {0.2, 0.8, 2, 30}, {5, 0.8, 1, -30},
	} {
		name := fmt.Sprintf("friction %v, restitution %v, along %v, spin %v", c.mu, c.e, c.tangential, c.spin)
		const drop = 4.0
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0), rough(c.mu))
		b := ball(w, vec(0, 1, 0), vec(c.tangential, -drop, 0), radius, bouncy(c.e), turning(0, 0, c.spin),
			components.BodyData{Mass: m})
		p := systems.NewPhysics(systems.Config{})
		steps(t, w, p, 30)
		slip := c.tangential + c.spin*radius // velocity of the contact point
		change := -2.0 / 7 * slip
		if most := c.mu * (1 + c.e) * drop; math.Abs(change) > most {
			change = math.Copysign(most, change)
		}
		expectVelocity(t, name, b, vec(c.tangential+change, c.e*drop, 0), 1e-12)
		expectSpin(t, name, b, vec(0, 0, c.spin+5*change/(2*radius)), 1e-11)
	}
}

// angular returns the angular momentum of the balls about the origin, and the sum of the absolute
// values of its terms.
func angular(balls []*donburi.Entry) (sum collide.Vec3, size float64) {
	for _, b := range balls {
		orbit := position(b).Cross(velocity(b)).Scale(mass(b))
		sum = sum.Add(orbit)
		size += orbit.Length()
		if b.HasComponent(components.AngularVelocity) {
			own := spinOf(b).Scale(inertia(b))
			sum, size = sum.Add(own), size+own.Length()
		}
	}
	return sum, size
}

// Impacts with friction and spin conserve momentum and angular momentum, and so does free flight,
// up to a few rounding errors for each of some hundred impacts. A spent budget doesn't, so the
// budget is large here.
func TestMomentumAndAngularMomentumAreConserved(t *testing.T) {
	for seed := range uint64(slow.Cases(10)) {
		r := rand.New(rand.NewPCG(seed, 40))
		uniform := func() collide.Vec3 { return vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5) }
		w := donburi.NewWorld()
		var balls []*donburi.Entry
		for k := range 27 {
			at := vec(float64(k%3), float64(k/3%3), float64(k/9)).Sub(vec(1, 1, 1)).Scale(1.5).Add(uniform().Scale(0.3))
			// All balls fly towards the middle.
			more := []any{
				rough(r.Float64()),
				components.BodyData{Mass: math.Exp(4 * (r.Float64() - 0.5))},
				bouncy(r.Float64()),
			}
			s := uniform().Scale(20)
			more = append(more, turning(s.X, s.Y, s.Z)) // a body without rotation would absorb angular momentum
			balls = append(balls, ball(w, at, at.Scale(-2).Add(uniform()), 0.3+0.2*r.Float64(), more...))
		}
		p := systems.NewPhysics(systems.Config{MaxImpacts: 64})
		before, size := momentum(balls)
		turn, turnSize := angular(balls)
		impacts, spent := 0, 0
		for range 90 {
			steps(t, w, p, 1)
			impacts += p.Stats().Impacts
			spent += p.Stats().Jammed
		}
		if after, _ := momentum(balls); after.Distance(before) > 1e-13*size {
			t.Errorf("seed %d: momentum: got %v, want %v", seed, after, before)
		}
		if after, _ := angular(balls); after.Distance(turn) > 1e-13*turnSize {
			t.Errorf("seed %d: angular momentum: got %v, want %v", seed, after, turn)
		}
		if impacts < 30 {
			t.Errorf("seed %d: %d impacts say nothing", seed, impacts)
		}
		if spent > 0 {
			t.Errorf("seed %d: %d bodies were jammed", seed, spent)
		}
	}
}
