package contacts_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/slow"
)

// loaded returns a jam whose contacts begin with random impulses, which have nothing to do with how
// its balls move.
func loaded(r *rand.Rand) *scene {
	mu := []float64{0, 0.1, 0.5, 2}[r.IntN(4)]
	s := jam(r, 2+r.IntN(30), contacts.FrictionCoefficients{
		Static: mu, Dynamic: mu * []float64{1, 0.5}[r.IntN(2)], Rolling: mu / 10, Spinning: mu / 10,
	})
	if r.IntN(2) == 0 {
		s.bodies[0].InverseMass, s.bodies[0].InverseInertia = 0, 0
		s.bodies[0].Velocity, s.bodies[0].AngularVelocity = collide.Vec3{}, collide.Vec3{}
	}
	for k := range s.history {
		j := 10 * r.Float64()
		s.history[k] = contacts.History{
			NormalImpulse: j, Before: j,
			FrictionImpulse: direction(r).Scale(mu * j), TorqueImpulse: direction(r).Scale(mu * j / 10),
		}
	}
	return s
}

// Contacts without drivers take kinetic energy, whatever impulses they begin with.
func TestContactsTakeEnergy(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	r := rand.New(rand.NewPCG(3, 4))
	lost := 0
	for seed := range 1000 {
		s := loaded(r)
		if r.IntN(2) == 0 {
			clear(s.history)
		}
		s.solve()
		for k, h := range s.history {
			if h.NormalImpulse == 0 && (h.FrictionImpulse != collide.Vec3{} || h.TorqueImpulse != collide.Vec3{}) {
				t.Fatalf("jam %d: contact %d bears nothing and has friction: %+v", seed, k, h)
			}
		}
		free, found := s.energies()
		if !(found <= free*(1+1e-11)) {
			t.Fatalf("jam %d: the energy goes from %v to %v", seed, free, found)
		}
		if found < 0.9*free {
			lost++
		}
	}
	if lost < 100 {
		t.Errorf("only %d of 1000 jams lost much energy", lost)
	}
}

// A warm start adds no energy, and neither does what is left after LimitEnergy of impulses that do.
func TestWhatLimitsEnergy(t *testing.T) {
	for _, c := range []struct {
		name  string
		start func(*contacts.Solver)
	}{
		{"a warm start", (*contacts.Solver).WarmStart},
		{"impulses, limited", func(s *contacts.Solver) { s.ApplyImpulses(); s.LimitEnergy() }},
		{"impulses", (*contacts.Solver).ApplyImpulses},
	} {
		r := rand.New(rand.NewPCG(15, 16))
		gained, lost := 0, 0
		for range 300 {
			s := loaded(r)
			s.prepare()
			c.start(&s.solver)
			free, found := s.energies()
			if found > free*(1+1e-11) {
				gained++
			}
			if found < free*(1-1e-6) {
				lost++
			}
		}
		if c.name == "impulses" {
			if gained < 100 {
				t.Errorf("the impulses add energy in %d scenes, so there is little to limit", gained)
			}
		} else if gained > 0 || lost < 30 {
			t.Errorf("%s adds energy in %d scenes and takes some in %d", c.name, gained, lost)
		}
	}
}

// A ball in a narrow wedge that bears a great load is not squeezed out by gaps that open on both
// sides of it, at many times their speed.
func TestGapsThatOpenDoNotSqueezeABallOutOfAWedge(t *testing.T) {
	for _, mu := range []float64{0, 0.1} {
		s := newScene()
		s.friction = contacts.FrictionCoefficients{Static: mu, Dynamic: mu}
		sin, cos := math.Sincos(0.04)
		lower := s.floor(surface{normal: collide.Vec3{Y: 1}, friction: s.friction})
		upper := s.floor(surface{normal: collide.Vec3{X: -sin, Y: -cos}, distance: -1 - cos, friction: s.friction})
		s.ball(collide.Vec3{Y: 1}, 1, 1, collide.Vec3{X: -0.3})
		s.ball(collide.Vec3{X: 2, Y: 1}, 1, 1, collide.Vec3{X: -0.3})
		s.contact(0, lower)
		s.contact(0, upper)
		s.contact(0, 1)
		for k := range s.history[:2] {
			s.history[k] = contacts.History{NormalImpulse: 20, Before: 20, Uncertainty: 1}
		}
		s.solve()
		if free, found := s.energies(); found > free*(1+1e-11) {
			t.Errorf("friction %v: the ball moves at %v, and the energy goes from %v to %v",
				mu, s.velocity(0), free, found)
		}
	}
}

// A ball that spins in a corner, into which a force presses it, has as much friction as it takes to
// climb out: with all of it, it gained half of its energy in one step. One in two slides out of it
// along a wall, slowly, so that the force turns it round within the step.
func TestASpinningBallInACornerGainsNoEnergy(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1478))
	climbed, turned := 0, 0
	for n := range 3000 {
		s := newScene()
		s.gravity = direction(r).Scale(200 * r.Float64())
		k := s.ball(collide.Vec3{}, 0.1, 1, direction(r).Scale(r.Float64()))
		b := &s.bodies[k]
		b.AngularVelocity = direction(r).Scale(50 * r.Float64())
		friction := contacts.FrictionCoefficients{Static: 5, Dynamic: 5}
		for range 2 + r.IntN(2) {
			f := surface{normal: direction(r), friction: friction}
			if f.normal.Dot(s.gravity) > 0 {
				f.normal = f.normal.Neg()
			}
			f.distance = -0.1 - 0.01*r.Float64()*float64(r.IntN(2))
			s.contact(k, s.floor(f))
		}
		if n%2 == 1 {
			up, first := s.gravity.Scale(-dt*r.Float64()), s.surfaces[0].normal
			b.Velocity = up.AddScaled(-first.Dot(up), first)
		}
		s.solve()
		at := s.numbers[k]
		start := s.solver.LimitMotion(at)
		v, w := s.velocity(k), s.spin(k)
		way := v.Scale(dt)
		if !s.solver.MovesAtEndVelocity(at) {
			way = v.Add(start).Scale(dt / 2)
		}
		before := (b.Velocity.LengthSquared() + b.AngularVelocity.LengthSquared()/b.InverseInertia) / 2
		after := (v.LengthSquared()+w.LengthSquared()/b.InverseInertia)/2 - s.gravity.Dot(way)
		if after > before*(1+1e-9)+1e-12 {
			t.Fatalf("the energy grows from %v to %v", before, after)
		}
		if s.gravity.Dot(way) < -1e-3 && s.solver.MovesAtEndVelocity(at) {
			climbed++
		}
		if start != b.Velocity {
			turned++
		}
	}
	if climbed < 100 || turned < 20 {
		t.Errorf("%d balls climb, and %d turn round; want 100 and 20", climbed, turned)
	}
}

// A ball that accelerates upwards rubs along a ceiling, and one that falls rubs along the ball.
// With much friction the iterations went in circles, and could end where the two part at speed and
// still press on each other.
func TestBallsWithMuchFrictionAtACeilingGainNoEnergy(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 769))
	for n := range 3000 {
		s := newScene()
		s.accelerations = []collide.Vec3{{Y: g}, {Y: -g}}
		s.friction = contacts.FrictionCoefficients{Static: 24, Dynamic: 24}
		speed := math.Exp(-4 * r.Float64())
		s.ball(collide.Vec3{Y: -1}, 1, 1, direction(r).Scale(speed))
		s.ball(collide.Vec3{X: 2, Y: -1.3 + 0.4*r.Float64()}, 1, 1, direction(r).Scale(speed))
		ceiling := surface{normal: collide.Vec3{Y: -1}, friction: s.friction}
		d := s.bodies[1].Position.Sub(s.bodies[0].Position)
		toOther, _ := d.Normalized()
		s.bodies[1].Position = s.bodies[0].Position.AddScaled(2, toOther)
		s.contact(0, s.floor(ceiling))
		s.contact(0, 1)
		for k := range s.bodies {
			s.bodies[k].InverseInertia = 0
		}
		s.solve()
		before, after := 0.0, 0.0
		for k := range s.bodies {
			v := s.velocity(k)
			before += s.bodies[k].Velocity.LengthSquared() / 2
			after += v.LengthSquared()/2 - s.accelerations[k].Dot(v)*dt
		}
		if after > before*(1+1e-9)+1e-9 {
			t.Errorf("scene %d: the energy goes from %v to %v", n, before, after)
		}
	}
}
