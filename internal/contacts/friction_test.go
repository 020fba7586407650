package contacts_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
)

func TestSlidingImpulse(t *testing.T) {
	f := contacts.FrictionCoefficients{Static: 0.5, Dynamic: 0.25}
	for _, c := range []struct {
		name                             string
		speed, inverseMass, normal, want float64
	}{
		{"no slip", 0, 1, 8, 0},
		{"sticks", 1, 0.5, 8, 2},
		{"just sticks", 2, 0.5, 8, 4},
		{"slides", 2.1, 0.5, 8, 2},
		{"no normal impulse", 1, 1, 0, 0},
	} {
		if got := f.SlidingImpulse(c.speed, c.inverseMass, c.normal); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// The torque ends rolling and spinning or is at its bound, is against each, and takes energy.
func TestTorqueImpulse(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	ended, bounded := 0, 0
	for range 1000 {
		f := contacts.FrictionCoefficients{Rolling: r.Float64() / 10, Spinning: r.Float64() / 10}
		n, w := direction(r), direction(r).Scale(3*r.Float64())
		inverse, lever, normal := 0.1+r.Float64(), 0.1+r.Float64(), 10*r.Float64()
		j := f.TorqueImpulse(w, n, inverse, lever, normal)
		for _, x := range [2]struct {
			j, w collide.Vec3
			most float64
		}{
			{j.AddScaled(-n.Dot(j), n), w.AddScaled(-n.Dot(w), n), f.Rolling * lever * normal},
			{n.Scale(n.Dot(j)), n.Scale(n.Dot(w)), f.Spinning * lever * normal},
		} {
			after := x.w.AddScaled(inverse, x.j)
			switch {
			case after.Length() <= 1e-12:
				ended++
			case x.j.Length() > x.most*(1-1e-12) && x.j.Length() < x.most*(1+1e-12) && x.j.Dot(x.w) < 0:
				bounded++
			default:
				t.Fatalf("torque %v against %v leaves %v, and could be %v", x.j, x.w, after, x.most)
			}
		}
	}
	if ended < 100 || bounded < 100 {
		t.Errorf("%d ended, %d bounded", ended, bounded)
	}
}

// A ball that slides over another on its way faster than calmSpeed, with rolling resistance and no
// friction, keeps its velocity along the surface, whatever friction the last step had
// (heapFriction).
func TestFrictionOfTheLastStepEndsWithoutFriction(t *testing.T) {
	var s contacts.Solver
	s.Reset(contacts.Settings{
		Seconds: 1.0 / 60, LengthUnit: 1, Down: collide.Vec3{Y: -1}, TouchTolerance: 0x1p-20, OverlapTolerance: 0x1p-30,
	})
	one := collide.Vec3{X: 1, Y: 1, Z: 1}
	freeVelocity := collide.Vec3{X: 1, Y: -10.0 / 60}
	a := s.AddBody(&contacts.Body{
		ID: 0, Position: collide.Vec3{Y: 1}, Velocity: collide.Vec3{X: 1}, FreeVelocity: freeVelocity,
		Radius: 0.5, InverseMass: 1, Mobility: one, InverseInertia: 10,
	})
	b := s.AddBody(&contacts.Body{
		ID: 1, FreeVelocity: collide.Vec3{Y: -10.0 / 60},
		Radius: 0.5, InverseMass: 1, Mobility: one, InverseInertia: 10,
	})
	s.LinkBodies(a, b)
	floor := s.AddSurface(&contacts.Surface{SortKey: contacts.SortKey{ID: -2}})
	s.GroupContacts([]contacts.Pair{{A: b, B: floor}, {A: a, B: b}})
	s.AddContact(&contacts.Contact{
		A: b, B: floor, Normal: collide.Vec3{Y: 1}, History: &contacts.History{NormalImpulse: 20.0 / 60},
	})
	history := contacts.History{NormalImpulse: 10.0 / 60, FrictionImpulse: collide.Vec3{X: -0.003}}
	constraint, _ := s.AddContact(&contacts.Contact{
		A: a, B: b, Normal: collide.Vec3{Y: 1}, Friction: contacts.FrictionCoefficients{Rolling: 0.1},
		History: &history,
	})
	s.Solve()
	s.Finish(constraint, &history)
	if v := s.Velocity(a).X; v < 1-1e-12 {
		t.Errorf("the ball moves at %v m/s, want 1", v)
	}
	if f := history.FrictionImpulse; f != (collide.Vec3{}) {
		t.Errorf("the friction impulse is %v, want none", f)
	}
}

// A contact that bore nothing in the last step has a friction impulse that is left over. The ball
// does not get it: its velocity changes by the friction impulse that the solver reports.
func TestFrictionThatWasNotAppliedIsForgotten(t *testing.T) {
	var s contacts.Solver
	s.Reset(contacts.Settings{
		Seconds: 1.0 / 60, LengthUnit: 1, Down: collide.Vec3{Y: -1}, TouchTolerance: 0x1p-20, OverlapTolerance: 0x1p-30,
	})
	a := s.AddBody(&contacts.Body{
		Velocity: collide.Vec3{X: 1}, FreeVelocity: collide.Vec3{X: 1, Y: -0.2}, Radius: 0.5, InverseMass: 1,
		Mobility: collide.Vec3{X: 1, Y: 1, Z: 1}, InverseInertia: 10,
	})
	floor := s.AddSurface(&contacts.Surface{SortKey: contacts.SortKey{ID: -2}})
	s.GroupContacts([]contacts.Pair{{A: a, B: floor}})
	history := contacts.History{FrictionImpulse: collide.Vec3{X: -0.3}}
	constraint, _ := s.AddContact(&contacts.Contact{
		A: a, B: floor, Normal: collide.Vec3{Y: 1}, Friction: contacts.FrictionCoefficients{Static: 0.5, Dynamic: 0.5},
		History: &history,
	})
	s.Solve()
	s.Finish(constraint, &history)
	if v, f := s.Velocity(a).X, history.FrictionImpulse.X; math.Abs(v-(1+f)) > 1e-12 || math.Abs(f+0.1) > 1e-12 {
		t.Errorf("the ball moves at %v m/s after a friction impulse of %v N·s, want 0.9 and -0.1", v, f)
	}
}

// A ball slides over another one that lies on the floor, and with much friction it lifts the other.
// Over-relaxation overshot from one contact to the other for ever, and the floor threw the lower
// ball up at 0.13 m/s.
func TestAFloorDoesNotThrowUpABallThatFrictionLifts(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 1000 {
		s := newScene()
		mu := math.Exp(math.Log(100) * r.Float64())
		s.friction = contacts.FrictionCoefficients{Static: mu, Dynamic: mu}
		floor := s.floor(surface{normal: collide.Vec3{Y: 1}, friction: s.friction})
		sin, cos := math.Sincos(0.5 * r.Float64())
		lower := s.ball(collide.Vec3{Y: 0.5}, 0.5, 1, collide.Vec3{X: -0.1 * r.Float64()})
		upper := s.ball(collide.Vec3{X: sin, Y: 0.5 + cos}, 0.5, 1, collide.Vec3{X: -3 * r.Float64(), Y: r.Float64()})
		for k := range s.bodies {
			s.bodies[k].InverseInertia = 0
		}
		s.contact(upper, lower)
		s.contact(lower, floor)
		s.solve()
		if up := s.velocity(lower).Y; s.impulse[1] > 0 && up > 1e-6 {
			t.Errorf("friction %v: the floor pushes with %v N·s what rises at %v m/s", mu, s.impulse[1], up)
		}
	}
}

// Three balls that do not turn are wedged between a floor and a wall, and press on these with ten
// times their weight. The middle one begins to slip on the wall in the last iteration but one,
// which takes 0.27 N·s of friction at once. The ball on top of it was thrown up at 0.2 m/s.
func TestNothingIsThrownUpWhereAWedgedBallBeginsToSlip(t *testing.T) {
	s := newScene()
	s.friction = contacts.FrictionCoefficients{Static: 0.6853075044965069, Dynamic: 0.5}
	const r = 0.10235342599576683
	floor := s.floor(surface{
		normal: collide.Vec3{Y: 1}, distance: -0.8494308839568114,
		friction: contacts.FrictionCoefficients{Static: 1.1640336365001622, Dynamic: 1},
	})
	wall := s.floor(surface{normal: collide.Vec3{X: 1}, distance: -0.8494308839568114, friction: s.friction})
	for _, x := range []collide.Vec3{
		{X: -0.7470656677026734, Y: -0.4456579609621265, Z: -0.14425733617674574},
		{X: -0.7468846189777595, Y: -0.6414064000639829, Z: -0.20477489095751616},
		{X: -0.6114675124036766, Y: -0.746962662204691, Z: -0.09327761485444565},
	} {
		s.bodies[s.ball(x, r, 1, collide.Vec3{})].InverseInertia = 0
	}
	s.contact(0, 1)
	s.contact(0, wall)
	s.contact(2, 1)
	s.contact(1, wall)
	s.contact(2, floor)
	s.history = []contacts.History{
		{
			NormalImpulse: 0.15622954660153668, Before: 0.15629684180800538, Uncertainty: 0.01352773722085446,
			FrictionImpulse: collide.Vec3{X: -7.545246924812409e-05, Y: 0.014099119969927115, Z: -0.04560485682240223},
		},
		{NormalImpulse: 2.5542124283199557e-05, Before: 0.008339843751952774, Uncertainty: 0.0003389853521094405},
		{
			NormalImpulse: 1.729218796702882, Before: 1.6362006907051259, Uncertainty: 0.0047996872984521505,
			FrictionImpulse: collide.Vec3{X: 0.26117590138737434, Y: -0.28962960209539473, Z: -0.591427413924249},
		},
		{
			NormalImpulse: 1.4039022274291404, Before: 1.3430226359823032, Uncertainty: 0.00018997116292419848,
			FrictionImpulse: collide.Vec3{Y: -0.8544247247685779, Z: 0.3508666418329206},
		},
		{
			NormalImpulse: 1.344416274795749, Before: 1.2753463232983775, Uncertainty: 0.004074961441813229,
			FrictionImpulse: collide.Vec3{X: -1.4049640399134842, Z: -0.35032656162428977},
		},
	}
	fastest := 0.0
	for range 30 {
		s.solve()
		for k := range s.bodies {
			fastest = max(fastest, s.velocity(k).Length())
		}
		s.move()
	}
	if fastest > 0.02 {
		t.Errorf("a ball moves at %v m/s, want less than 0.02", fastest)
	}
}

// The same balls with masses that differ by up to a thousand are solved along conjugate directions,
// and are thrown up at 2 m/s if contacts may begin to slip until the last iteration. Nothing lifts
// them, so none can rise faster than gravity would let it fall within a step.
func TestNothingIsThrownUpWhereAWedgedBallOfAnotherMassBeginsToSlip(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for n := range 300 {
		s := newScene()
		mu := 0.2 + 0.8*r.Float64()
		s.friction = contacts.FrictionCoefficients{Static: mu * (1.2 + r.Float64()), Dynamic: mu}
		floor := s.floor(surface{normal: collide.Vec3{Y: 1}, friction: s.friction})
		wall := s.floor(surface{normal: collide.Vec3{X: 1}, friction: s.friction})
		top, middle := collide.Vec3{X: 0.1, Y: 0.35 + 0.1*r.Float64()}, collide.Vec3{X: 0.1}
		middle.Y = top.Y - 0.2
		bottom := collide.Vec3{X: middle.X + math.Sqrt(0.04-(middle.Y-0.1)*(middle.Y-0.1)), Y: 0.1}
		for _, x := range []collide.Vec3{top, middle, bottom} {
			s.bodies[s.ball(x, 0.1, math.Pow(10, 3*r.Float64()), collide.Vec3{})].InverseInertia = 0
		}
		s.contact(0, 1)
		s.contact(0, wall)
		s.contact(2, 1)
		s.contact(1, wall)
		s.contact(2, floor)
		for k := range s.history {
			impulse, slip := 3*r.Float64(), direction(r)
			normal, _ := s.normal(s.pairs[k])
			s.history[k] = contacts.History{
				NormalImpulse: impulse, Before: impulse, Uncertainty: 0.01,
				FrictionImpulse: slip.AddScaled(-slip.Dot(normal), normal).Scale(mu * impulse),
			}
		}
		for step := range 20 {
			s.solve()
			for k := range s.bodies {
				if v := s.velocity(k).Y; v > g*dt {
					t.Fatalf("scene %d, step %d: ball %d rises at %v m/s", n, step, k, v)
				}
			}
			s.move()
		}
	}
}
