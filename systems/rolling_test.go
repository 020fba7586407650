package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// inertia is the moment of inertia of a ball.
func inertia(e *donburi.Entry) float64 {
	if i := components.AngularVelocity.Get(e).Inertia; i > 0 {
		return i
	}
	r := components.SphereCollider.Get(e).Radius
	return 0.4 * mass(e) * r * r
}

// rolling is the angular velocity of a ball that rolls at v over a floor with this normal.
func rolling(v, normal collide.Vec3, radius float64) collide.Vec3 {
	return normal.Cross(v).Scale(1 / radius)
}

// A ball that is launched sliding at v₀ slides for 2v₀/(7μg), over 12v₀²/(49μg), and then rolls at 5/7 of its speed. While it slides it is on its parabola at the end of each step. Whatever
// friction does within a step, it gives as much spin as it takes speed: so the speed of rolling is exact but for roundings. When it starts
// is known to a step, and where it is then to what friction does in half a step.
func TestASlidingBallComesToRollAtFiveSeventhsOfItsSpeed(t *testing.T) {
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
		b := ball(w, vec(0, c.radius, 0), c.v, c.radius, rough(c.mu), turning(0, 0, 0), components.BodyData{Mass: c.mass})
		p := onEarth()
		speed := c.v.Length()
		ahead := c.v.Scale(1 / speed)
		rolls := 2 * speed / (7 * c.mu * earth)
		n := int(rolls / tick)
		steps(t, w, p, n)
		time := float64(n) * tick
		expectVelocity(t, name+", sliding", b, ahead.Scale(speed-c.mu*earth*time), 1e-10*speed)
		expectOn(t, name+", sliding", b, vec(0, c.radius, 0).AddScaled(speed*time-c.mu*earth*time*time/2, ahead), vec(0, 1, 0), 1e-10*speed)
		w0 := 5 * c.mu * earth * time / (2 * c.radius)
		expectSpin(t, name+", sliding", b, rolling(ahead.Scale(w0*c.radius), vec(0, 1, 0), c.radius), 1e-9*w0)
		steps(t, w, p, 1) // it begins to roll in this one
		rolled := ahead.Scale(speed * 5 / 7)
		expectVelocity(t, name+", rolling", b, rolled, 1e-10*speed)
		expectSpin(t, name+", rolling", b, rolling(rolled, vec(0, 1, 0), c.radius), 1e-10*speed/c.radius)
		steps(t, w, p, 119-n)
		const seconds = 2.0
		want := 12*speed*speed/(49*c.mu*earth) + speed*5/7*(seconds-rolls)
		expectOn(t, name+", after 2 s", b, vec(0, c.radius, 0).AddScaled(want, ahead), vec(0, 1, 0), c.mu*earth*tick*tick/2)
		expectVelocity(t, name+", after 2 s", b, rolled, 1e-10*speed)
	}
}

// What is launched with back spin comes to roll as well: momentum about a point of the floor is kept, so (v + ⅖rω)·5/7 is its speed, here backwards.
func TestBackSpinDrawsABallBack(t *testing.T) {
	const radius, mu, speed, back = 0.0286, 0.2, 1.0, 150.0
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	b := ball(w, vec(0, radius, 0), vec(speed, 0, 0), radius, rough(mu), turning(0, 0, back), components.BodyData{Mass: 0.17})
	p := onEarth()
	steps(t, w, p, 180)
	v := 5.0 / 7 * (speed - 0.4*radius*back)
	expectVelocity(t, "drawn back", b, vec(v, 0, 0), 1e-10)
	expectSpin(t, "drawn back", b, vec(0, 0, -v/radius), 1e-10/radius)
	if v >= 0 {
		t.Error("the spin is too small to say anything")
	}
}

// A ball rolls down a slope at 5/7 of what sliding gives, where friction suffices: from 2/7 of the tangent on. Else it slides, and turns ever faster. All of
// it is constant, so all steps end on the parabola, but for roundings.
func TestABallRollsDownASlope(t *testing.T) {
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

// Other moments of inertia: a hollow ball rolls down at 3/5, a disc, which a circle of a flat game is, at 2/3.
func TestInertiaSaysHowFastThingsRollDown(t *testing.T) {
	const radius, m = 0.25, 2.0
	for _, share := range []float64{0.4, 2.0 / 3, 0.5} {
		w := donburi.NewWorld()
		down, up, sin, _ := slope(w, 0.3)
		b := ball(w, up.Scale(radius), vec(0, 0, 0), radius, rough(1), components.BodyData{Mass: m, Locked: components.AxisZ},
			components.AngularVelocityData{Inertia: share * m * radius * radius})
		p := onEarth()
		steps(t, w, p, 120)
		a := earth * sin / (1 + share)
		expectVelocity(t, fmt.Sprint("inertia ", share), b, down.Scale(a*2), 1e-9*earth)
		expectOn(t, fmt.Sprint("inertia ", share), b, up.Scale(radius).AddScaled(a*2, down), up, 1e-9*earth)
	}
}

// Rolling resistance takes 5/7 of its coefficient times g from a rolling ball's speed, and stops it for good after v²/(2a).
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
	staysToTheBit(t, w, p, 60, b)
	// On a slope it holds the ball as long as that is less steep than the coefficient.
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
		expectOn(t, fmt.Sprint("slope of ", k, " times the coefficient"), b, up.Scale(radius).AddScaled(want, down), up, 1e-8)
	}
}

// Spinning resistance takes 5/2·c·g/r from the spin of a top each second, and stops it.
func TestSpinningResistanceStopsATop(t *testing.T) {
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

// The turn of a step is exact for what turns about one axis: the angles of all steps add up, to a rounding each.
func TestRotationIsIntegrated(t *testing.T) {
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

// A bounce with friction, aslant. Where friction suffices, the contact point sticks: 5/7 of the speed along the floor is left, and the ball leaves
// rolling; else friction takes μ times the impulse along the normal.
func TestAnAslantBounceTurnsABall(t *testing.T) {
	const radius, m = 0.25, 3.0
	for _, c := range []struct{ mu, e, along, spin float64 }{
		{1, 0.5, 2, 0}, {0.1, 0.5, 2, 0}, {0.1, 1, -3, 0}, {1, 0, 2, 0}, {0.2, 0.8, 2, 30}, {5, 0.8, 1, -30},
	} {
		name := fmt.Sprintf("friction %v, restitution %v, along %v, spin %v", c.mu, c.e, c.along, c.spin)
		const fall = 4.0
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0), rough(c.mu))
		b := ball(w, vec(0, 1, 0), vec(c.along, -fall, 0), radius, bouncy(c.e), turning(0, 0, c.spin), components.BodyData{Mass: m})
		p := systems.NewPhysics(systems.Config{})
		steps(t, w, p, 30)
		slip := c.along + c.spin*radius // of the contact point
		change := -2.0 / 7 * slip
		if most := c.mu * (1 + c.e) * fall; math.Abs(change) > most {
			change = math.Copysign(most, change)
		}
		expectVelocity(t, name, b, vec(c.along+change, c.e*fall, 0), 1e-12)
		expectSpin(t, name, b, vec(0, 0, c.spin+5*change/(2*radius)), 1e-11)
	}
}

// angular returns the angular momentum of balls about the origin, and the sum of the sizes of its parts.
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

// Whatever balls do to each other, momentum and angular momentum are kept, by impacts with friction and spin as well. A free flight keeps both; so what is left are
// roundings, a few for each of some hundred impacts. A spent budget does cost momentum, so there is enough of it here.
func TestMomentumAndAngularMomentumAreKept(t *testing.T) {
	for seed := range uint64(fewer(10)) {
		r := rand.New(rand.NewPCG(seed, 40))
		uniform := func() collide.Vec3 { return vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5) }
		w := donburi.NewWorld()
		var balls []*donburi.Entry
		for k := range 27 {
			at := vec(float64(k%3), float64(k/3%3), float64(k/9)).Sub(vec(1, 1, 1)).Scale(1.5).Add(uniform().Scale(0.3))
			// All fly towards the middle.
			more := []any{rough(r.Float64()), components.BodyData{Mass: math.Exp(4 * (r.Float64() - 0.5))}, bouncy(r.Float64())}
			s := uniform().Scale(20)
			more = append(more, turning(s.X, s.Y, s.Z)) // one that can't turn would take angular momentum away
			balls = append(balls, ball(w, at, at.Scale(-2).Add(uniform()), 0.3+0.2*r.Float64(), more...))
		}
		p := systems.NewPhysics(systems.Config{MaxImpacts: 64})
		before, size := momentum(balls)
		turn, turnSize := angular(balls)
		impacts, spent := 0, 0
		for range 90 {
			steps(t, w, p, 1)
			impacts += p.Stats().Impacts
			spent += p.Stats().SpentBudgets
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
			t.Errorf("seed %d: %d budgets were spent", seed, spent)
		}
	}
}
