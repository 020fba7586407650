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
	dmath "github.com/yohamta/donburi/features/math"
	"github.com/yohamta/donburi/features/transform"
)

// A ball bounces off the side and the ends of a capsule as off a plane and a sphere there, wherever
// the Transform has put the capsule, and whether it stands or moves.
func TestElasticBounceOffACapsuleMatchesTheClosedForm(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	random := func() collide.Vec3 { return vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5) }
	for k := range 300 {
		turned := collide.RotationAround(random(), 6*r.Float64())
		axis := turned.Rotate(vec(0, 1, 0))
		across := turned.Rotate(vec(math.Sin(float64(k)), 0, math.Cos(float64(k))))
		center, u := random().Scale(20), random().Scale(4)
		const half, radius, size = 1.0, 0.5, 0.25
		from, n := axis.Scale(half*(1.9*r.Float64()-0.95)), across // of the point of contact: on the side
		if k%2 == 0 {
			latitude := r.Float64() * math.Pi / 2
			from, n = axis.Scale(half), across.Scale(math.Cos(latitude)).AddScaled(math.Sin(latitude), axis)
		}
		slip := random().Scale(6)
		v := u.AddScaled(-1-3*r.Float64(), n).Add(slip.AddScaled(-slip.Dot(n), n))
		const after = 0.4 // seconds, with a step of a second
		touch := center.AddScaled(after, u).Add(from).AddScaled(radius+size, n)
		w, p := weightless()
		rod := spawn(w, components.TransformData{Position: center, Rotation: turned}, capsule(vec(0, half, 0), radius),
			components.VelocityData{Linear: u})
		start := touch.AddScaled(-after, v)
		b := ball(w, start, v, size, bouncy(1))
		p.Step(w)
		expectNoErrors(t, p)
		out := v.AddScaled(-2*n.Dot(v.Sub(u)), n)
		expectVelocity(t, fmt.Sprint("ball ", k), b, out, 1e-11)
		expectPosition(t, fmt.Sprint("ball ", k), b, touch.AddScaled(1-after, out), 1e-11)
		expectPosition(t, fmt.Sprint("capsule ", k), rod, center.Add(u), 1e-12)
		hits := slices.Collect(p.Impacts())
		if len(hits) != 1 || !near(hits[0].Time, after, 1e-11) || !nearVec(hits[0].Normal, n, 1e-11) ||
			!nearVec(hits[0].Point, touch.AddScaled(-size, n), 1e-11) {
			t.Errorf("ball %d: impacts: got %+v, want one after %v s along %v", k, hits, after, n)
		}
	}
}

func TestNothingTunnelsThroughAThinCapsule(t *testing.T) {
	for _, speed := range []float64{1, 1e3, 1e6, 1e8} {
		w := donburi.NewWorld()
		components.CreateThickWall2D(w, vec(0, -1, 0), vec(0, 1, 0), 1e-3)
		b := ball(w, vec(-0.7*speed*tick, 0.3, 0), vec(speed, 0, 0), 0.01, bouncy(1))
		p := systems.NewPhysics(systems.Config{})
		p.Step(w)
		expectNoErrors(t, p)
		expectVelocity(t, fmt.Sprint(speed, " m/s"), b, vec(-speed, 0, 0), 1e-9*speed)
	}
}

// In the groove of two parallel capsules a ball comes to rest at the height that Pythagoras gives,
// and sleeps. It wakes when one of them moves away.
func TestABallRestsInTheGrooveOfTwoCapsules(t *testing.T) {
	for _, friction := range []float64{0, 0.5} {
		w := donburi.NewWorld()
		const radius, size, apart = 0.3, 0.5, 0.6
		left := spawn(w, at(-apart, 0, 0), capsule(vec(0, 0, 3), radius), rough(friction))
		right := spawn(w, at(apart, 0, 0), capsule(vec(0, 0, 3), radius), rough(friction))
		home := vec(0, math.Sqrt((radius+size)*(radius+size)-apart*apart), 0)
		b := ball(w, home.Add(vec(0, 0.5, 0)), vec(0, 0, 0), size)
		p := onEarth()
		steps(t, w, p, 120)
		expectPosition(t, "in the groove", b, home, 1e-8)
		if !p.Asleep(b.Entity()) {
			t.Error("the ball doesn't sleep after two seconds")
		}
		expectUnchanged(t, w, p, 10, b)
		touched := slices.Collect(p.Touching(b.Entity()))
		if len(touched) != 2 || !slices.Contains(touched, left.Entity()) || !slices.Contains(touched, right.Entity()) {
			t.Errorf("the ball touches %v, want both capsules", touched)
		}
		components.Transform.Get(right).Position.X += 5
		steps(t, w, p, 2)
		if ends := slices.Collect(p.ContactEnds()); p.Asleep(b.Entity()) || velocity(b).Y >= 0 {
			t.Errorf("one capsule is gone: ends %v, velocity %v, want the ball to fall", ends, velocity(b))
		}
	}
}

// On the side of a sloping capsule, friction is that of a slope: the ball stands below the angle of
// friction, and slides with the acceleration g(sinθ - μ·cosθ) above it.
func TestFrictionOnASlopingCapsuleMatchesASlope(t *testing.T) {
	for _, tangent := range []float64{0.1, 0.49, 0.51, 0.8} {
		const mu, radius, size = 0.5, 2.0, 0.5
		cos := 1 / math.Sqrt(1+tangent*tangent)
		sin := tangent * cos
		up, down := vec(sin, cos, 0), vec(cos, -sin, 0)
		w := donburi.NewWorld()
		components.Material.Get(components.CreateCapsule(w, down.Scale(-10), down.Scale(100), radius,
			components.Material)).Friction = mu
		home := up.Scale(radius + size)
		b := ball(w, home, vec(0, 0, 0), size, components.BodyData{Locked: components.AxisZ})
		p := onEarth()
		steps(t, w, p, 60)
		a := max(0, earth*(sin-mu*cos))
		expectPosition(t, fmt.Sprint("slope ", tangent), b, home.AddScaled(a/2, down), 1e-7)
		expectVelocity(t, fmt.Sprint("slope ", tangent), b, down.Scale(a), 1e-7)
	}
}

// The end of an upright capsule is half a sphere. Balls fall on it, slide and roll off it as off a
// sphere there.
func TestTheEndOfACapsuleActsAsASphere(t *testing.T) {
	for _, c := range []struct {
		name string
		mu   float64
		from collide.Vec3
		more []any
	}{
		{"slides off", 0, vec(0.01, math.Sqrt(1.5*1.5-0.01*0.01), 0), nil},
		{"rolls off", 0.6, vec(0.01, math.Sqrt(1.5*1.5-0.01*0.01), 0), []any{turning(0, 0, 0)}},
		{"falls on it", 0.6, vec(0.3, 2.5, 0.9), []any{turning(0, 0, 0), bouncy(0.5)}},
	} {
		run := func(collider ...any) (all []collide.Vec3) {
			w := donburi.NewWorld()
			spawn(w, append(collider, rough(c.mu))...)
			b := ball(w, c.from, vec(0, 0, 0), 0.5, c.more...)
			p := onEarth()
			for range 120 {
				steps(t, w, p, 1)
				all = append(all, position(b))
			}
			return all
		}
		want, got := run(at(0, 0, 0), sphere(1)), run(at(0, -2, 0), capsule(vec(0, 2, 0), 1))
		for k := range want {
			if want[k].Y < 0 {
				break // beside it, the two are different
			}
			if !nearVec(got[k], want[k], 1e-6) {
				t.Fatalf("%s: step %d: the ball is at %v, want %v", c.name, k+1, got[k], want[k])
			}
		}
	}
}

// Two capsules that cross have one middle and the same bounds. A ball that drops on the crossing
// touches both at once.
func TestTouchingCrossedCapsulesDoesNotDependOnTheirOrder(t *testing.T) {
	drop := func(rods ...components.CapsuleColliderData) (all []collide.Vec3) {
		w := donburi.NewWorld()
		for _, rod := range rods {
			spawn(w, at(0, 0, 0), rod, rough(0.3+0.1*rod.A.Z))
		}
		b := ball(w, vec(0, 0.85, 0), vec(0.1, 0, 0.05), 0.5, turning(0, 0, 0))
		p := onEarth()
		for range 100 {
			p.Step(w)
			all = append(all, position(b), velocity(b), spinOf(b))
		}
		expectNoErrors(t, p)
		return all
	}
	rods := []components.CapsuleColliderData{capsule(vec(2, 0, 2), 0.3), capsule(vec(2, 0, -2), 0.3)}
	want := drop(rods[0], rods[1])
	if got := drop(rods[1], rods[0]); !slices.Equal(got, want) {
		t.Errorf("in the opposite order, the ball is at %v, want %v", got[len(got)-3], want[len(want)-3])
	}
}

// A lift of two capsules carries a ball at its own speed, without impacts once it rests.
func TestAKinematicCapsuleCarriesABall(t *testing.T) {
	w := donburi.NewWorld()
	const speed = 0.7
	for _, x := range []float64{-0.4, 0.4} {
		spawn(w, at(x, 0, 0), capsule(vec(0, 0, 2), 0.25), moving(0, speed, 0), rough(0.4))
	}
	const reach = 0.25 + 0.5
	home := vec(0, math.Sqrt(reach*reach-0.4*0.4), 0)
	b := ball(w, home, vec(0, speed, 0), 0.5)
	p := onEarth()
	const seconds = 5
	steps(t, w, p, 60*seconds)
	expectPosition(t, "on the lift", b, home.Add(vec(0, speed*seconds, 0)), 1e-6)
	expectVelocity(t, "on the lift", b, vec(0, speed, 0), 1e-9)
	if got := slices.Collect(p.Impacts()); len(got) > 0 {
		t.Errorf("impacts: got %v, want none", got)
	}
}

// A ball slides over the joints of thick walls in one line. One with restitution 1 stayed at a
// joint for ever, with its velocity, in 4 % of the worlds: nanometres before that it met the round
// end of the next wall, at 1e-8 m/s, and bounced. So it left the first wall, on which its weight
// pressed it down again at once. And in 3 % of the worlds, with any restitution, a contact ahead
// with that end slowed down or sped up a slow ball by millimetres a second.
func TestABallSlidesOverTheJointsOfThickWalls(t *testing.T) {
	for seed := range uint64(slow.Cases(1000)) {
		r := rand.New(rand.NewPCG(seed, 10))
		w := donburi.NewWorld()
		angle := 0.5 - r.Float64()
		turn := collide.Rotation2D(angle)
		at := func(x, y float64) collide.Vec3 { return turn.Rotate(vec(x, y, 0)) }
		for x := -10.0; x < 10; x++ {
			components.CreateThickWall2D(w, at(x, -0.1), at(x+1, -0.1), 0.2)
		}
		size := 0.1 + 0.3*r.Float64()
		from, speed := r.Float64(), 4*r.Float64()-2
		e := components.CreateBall(w, at(from, size), size, components.Material)
		components.Material.Get(e).Restitution = float64(seed%3) / 2
		components.Velocity.Get(e).Linear = at(speed, 0)
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
		for step := range 60 {
			p.Step(w)
			if s := p.Stats(); s.Jammed > 0 || s.Impacts > 2 {
				t.Fatalf("seed %d, step %d: %d jammed, %d impacts", seed, step, s.Jammed, s.Impacts)
			}
		}
		// As on a slope without joints. An impact at one may take away the effect of gravity on
		// half a step: 0.6 mm, twice at most.
		want := at(from+speed-9.81/2*math.Sin(angle), size)
		if got := components.Transform.Get(e).Position; got.Distance(want) > 2e-3 {
			t.Errorf("seed %d: the ball is at %v, want %v", seed, got, want)
		}
	}
}

// A character slides along the side of a capsule and round its end, and never enters it.
func TestACharacterSlidesAroundACapsule(t *testing.T) {
	w := donburi.NewWorld()
	components.CreateCapsule(w, vec(0, -1, 0), vec(0, 1, 0), 0.5)
	b := ball(w, vec(-3, -0.2, 0), vec(2, 1, 0), 0.25, components.SlidingData{})
	p := systems.NewPhysics(systems.Config{})
	for range 240 {
		components.Velocity.SetValue(b, moving(2, 1, 0))
		steps(t, w, p, 1)
	}
	if got := position(b); got.X < 1 {
		t.Errorf("the character is at %v, want it behind the capsule", got)
	}
}

func TestDonburiRotationRotatesCapsules(t *testing.T) {
	w := donburi.NewWorld()
	e := w.Entry(w.Create(transform.Transform, components.Transform, components.CapsuleCollider))
	transform.SetWorldPosition(e, dmath.NewVec2(5, 0))
	transform.SetWorldRotation(e, 90)
	set(e, capsule(vec(0, 2, 0), 0.5)) // upright, turned to lie along X
	b := ball(w, vec(3.5, 2, 0), vec(0, -2, 0), 0.5, bouncy(1))
	p := flatPhysics()
	p.Step(w)
	expectNoErrors(t, p)
	expectVelocity(t, "off a turned capsule", b, vec(0, 2, 0), 1e-12)
}

// Every change of a capsule takes effect in the next step.
func TestChangesOfCapsulesTakeEffectInTheNextStep(t *testing.T) {
	for name, change := range map[string]func(e *donburi.Entry){
		"moved": func(e *donburi.Entry) { components.Transform.Get(e).Position.Y = -5 },
		"turned": func(e *donburi.Entry) {
			components.Transform.Get(e).Rotation = collide.RotationAround(vec(0, 0, 1), 1.5)
		},
		"an end":    func(e *donburi.Entry) { components.CapsuleCollider.Get(e).B.X = -3 },
		"thinner":   func(e *donburi.Entry) { components.CapsuleCollider.Get(e).Radius = 0.1 },
		"collider":  func(e *donburi.Entry) { e.RemoveComponent(components.CapsuleCollider) },
		"removed":   func(e *donburi.Entry) { e.Remove() },
		"filtered":  func(e *donburi.Entry) { components.CollisionFilter.Get(e).Disabled = true },
		"now moves": func(e *donburi.Entry) { e.AddComponent(components.Velocity); set(e, moving(0, -90, 0)) },
	} {
		w, p := weightless()
		rod := spawn(w, at(0, 0, 0), capsule(vec(3, 0, 0), 1), components.CollisionFilterData{})
		b := ball(w, vec(2, 4, 0), vec(0, -1, 0), 0.5, bouncy(1))
		p.Step(w)
		p.Step(w)
		change(rod)
		p.Step(w)
		expectNoErrors(t, p)
		if got := velocity(b).Y; got != -1 {
			t.Errorf("%s: the ball moves at %v, want the capsule out of its way", name, got)
		}
	}
}

// A heap that falls on a grate of capsules comes to rest on it and sleeps.
func TestAHeapComesToRestOnCapsules(t *testing.T) {
	for seed := range uint64(slow.Cases(3)) {
		w := donburi.NewWorld()
		balls := heap(w, 30, seed, rough(0.3))
		for _, b := range balls {
			components.Transform.Get(b).Position.Y += 0.3
		}
		for _, x := range []float64{-1.2, -0.6, 0, 0.6, 1.2} {
			e := components.CreateCapsule(w, vec(x, 0, -2), vec(x, -0.2, 2), 0.15, components.Material)
			set(e, rough(0.3))
		}
		p := onEarth()
		steps(t, w, p, 900)
		expectRest(t, w, p, balls, 10)
		if got := p.Stats().Asleep; got != len(balls) {
			t.Errorf("seed %d: %d of %d balls sleep", seed, got, len(balls))
		}
	}
}

// A body with a locked axis stuck to the side of a capsule and fell asleep, since rounding gave the
// normals there a component along the capsule.
func TestABodyWithALockedAxisSlidesAlongACapsule(t *testing.T) {
	for _, scale := range []float64{0.01, 1, 100} {
		for _, offset := range []float64{0, 123.4, 5000} { // in radii
			for name, wall := range map[string]func(w donburi.World, from, to collide.Vec3){
				"thick wall": func(w donburi.World, from, to collide.Vec3) {
					components.CreateThickWall2D(w, from, to, 2*scale)
				},
				"shape": func(w donburi.World, from, to collide.Vec3) {
					e := w.Entry(w.Create(components.Transform, components.ShapeCollider))
					components.Transform.Get(e).Position = from
					components.ShapeCollider.Get(e).Shape = collide.Capsule{B: to.Sub(from), Radius: scale}
				},
			} {
				for _, speed := range []float64{0, 0.5, 50} {
					w := donburi.NewWorld()
					p := systems.NewPhysics(systems.Config{Gravity: vec(0, -10*scale, 0)})
					start := vec((0.5+offset)*scale, offset*scale, 0)
					x := start.X - 1.5*scale
					wall(w, vec(x, start.Y+100*scale, 0), vec(x, start.Y-100.3*scale, 0))
					e := components.CreateCircle2D(w, start, 0.5*scale)
					components.Body.Get(e).Locked |= components.AxisX
					components.Velocity.Get(e).Linear.Y = -speed * scale
					for range 60 {
						p.Step(w)
					}
					expectNoErrors(t, p)
					expectPosition(t, fmt.Sprintf("%s, scale %v, offset %v, speed %v", name, scale, offset, speed), e,
						start.AddScaled(scale, vec(0, -5-speed, 0)), 1e-9*scale*(1+offset))
				}
			}
		}
	}
}

// A capsule that moves along itself was stopped by such a body, as if it pressed on that.
func TestACapsuleThatMovesAlongItselfPassesABodyWithLockedAxes(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 100 {
		angle, speed := 6*rng.Float64(), 6*rng.Float64()-3
		at := vec(rng.Float64(), rng.Float64(), rng.Float64()).Scale(math.Pow(10, 4*rng.Float64()-1))
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -10, 0), Parabolic: rng.IntN(2) == 0})
		c := at.AddScaled(-1.5, vec(math.Cos(angle), 0, math.Sin(angle)))
		wall := components.CreateCapsule(w, c.Add(vec(0, -200, 0)), c.Add(vec(0, 200, 0)), 1, components.Velocity)
		components.Velocity.Get(wall).Linear.Y = speed
		e := components.CreateBall(w, at, 0.5)
		components.Body.Get(e).Locked = components.AxisX | components.AxisZ
		start := position(wall)
		for step := range 60 {
			p.Step(w)
			for c := range p.Crushed() {
				t.Fatalf("angle %v, speed %v, at %v, step %d: crushed: %v", angle, speed, at, step, c)
			}
		}
		expectNoErrors(t, p)
		expectPosition(t, "the ball", e, at.Add(vec(0, -5, 0)), 1e-9)
		expectPosition(t, "the capsule", wall, start.Add(vec(0, speed, 0)), 1e-9)
	}
}

// What pushes a body along an axis that is locked is stopped by it, also if its normal is not
// exactly along that axis.
func TestABodyWithALockedAxisStopsACapsuleThatComesAlongIt(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{})
	e := components.CreateBall(w, vec(0.3, 2, 0), 0.5)
	components.Body.Get(e).Locked = components.AxisY
	press := components.CreateCapsule(w, vec(-9, 0, 0), vec(9.1, 0, 0), 1, components.Velocity)
	components.Velocity.Get(press).Linear.Y = 1
	for range 120 {
		p.Step(w)
	}
	expectNoErrors(t, p)
	expectPosition(t, "the ball", e, vec(0.3, 2, 0), 1e-9)
	if gap := 2 - components.Transform.Get(press).Position.Y; math.Abs(gap-1.5) > 1e-9 {
		t.Errorf("the capsule has stopped %v m from the ball", gap-1.5)
	}
}
