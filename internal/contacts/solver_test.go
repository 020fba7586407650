package contacts_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
)

func TestTheFloorBearsABall(t *testing.T) {
	s := column(0, 3)
	s.solve()
	near(t, "impulse", s.impulse[0], 3*g*dt, 3*g*dt, 1e-15)
	if v := s.velocity(0); v != (collide.Vec3{}) {
		t.Errorf("moves at %v, want at rest", v)
	}
	at := s.numbers[0]
	if !s.solver.Pressed(at) || s.solver.MovesAtEndVelocity(at) || s.solver.Linked(at) {
		t.Errorf("pressed %v, moves at its end velocity %v, linked %v; want only pressed",
			s.solver.Pressed(at), s.solver.MovesAtEndVelocity(at), s.solver.Linked(at))
	}
}

// Each contact of a column bears the weight of all balls above it.
func TestAColumnBearsWhatLiesOnIt(t *testing.T) {
	for _, c := range []struct {
		name   string
		gap    float64
		masses []float64
		steps  int
		within float64
	}{
		{"two", 0, []float64{1, 1}, 1, 1e-12},
		{"light above heavy", 0, []float64{100, 1, 1}, 1, 1e-9},
		{"ten at once", 0, slices.Repeat([]float64{1}, 10), 1, 2e-2},
		{"ten", 0, slices.Repeat([]float64{1}, 10), 200, 1e-6},
		{"within the gap", contacts.RestGap / 4, []float64{1, 2, 3, 4}, 200, 1e-6},
		{"heavy above light", 0, []float64{1, 100}, 200, 1e-6},
		{"a thousand times as heavy", 0, []float64{1, 1, 1000}, 400, 1e-6},
		{"thirty", 0, slices.Repeat([]float64{1}, 30), 400, 1e-5},
	} {
		s := column(c.gap, c.masses...)
		for step := range c.steps {
			if step > 0 {
				s.move()
			}
			s.solve()
		}
		load := 0.0
		for k := len(c.masses) - 1; k >= 0; k-- {
			load += c.masses[k] * g * dt
			near(t, fmt.Sprintf("%s: contact %d", c.name, k), s.impulse[k], load, load, c.within)
		}
	}
}

// slope returns a ball on a slope of this angle, with or without spin.
func slope(angle, static, dynamic float64, spins bool) *scene {
	s := newScene()
	s.gravity = collide.Vec3{X: g * math.Sin(angle), Y: -g * math.Cos(angle)}
	floor := s.floor(surface{
		normal: collide.Vec3{Y: 1}, friction: contacts.FrictionCoefficients{Static: static, Dynamic: dynamic},
	})
	s.ball(collide.Vec3{Y: 0.5}, 0.5, 2, collide.Vec3{})
	if !spins {
		s.bodies[0].InverseInertia = 0
	}
	s.contact(0, floor)
	return s
}

func TestABallOnASlope(t *testing.T) {
	const static, dynamic = 0.5, 0.4
	stays := func(_, _ float64) float64 { return 0 }
	slides := func(sin, cos float64) float64 { return sin - dynamic*cos }
	rolls := func(sin, _ float64) float64 { return 5. / 7 * sin }
	for _, c := range []struct {
		name  string
		angle float64
		spins bool
		speed func(sin, cos float64) float64 // gained in a step, in parts of g·dt
	}{
		{"far below the angle of friction", 0.1, false, stays},
		{"just below it", math.Atan(static) - 1e-6, false, stays},
		{"just above it", math.Atan(static) + 1e-6, false, slides},
		{"steep", 1.2, false, slides},
		{"rolling", 0.5, true, rolls},
		{"rolling just without slip", math.Atan(3.5*static) - 1e-6, true, rolls},
		{"too steep to roll", math.Atan(3.5*static) + 1e-6, true, slides},
	} {
		s := slope(c.angle, static, dynamic, c.spins)
		s.solve()
		sin, cos := math.Sincos(c.angle)
		want := c.speed(sin, cos) * g * dt
		near(t, c.name+": speed", s.velocity(0).X, want, g*dt, 1e-12)
		near(t, c.name+": normal impulse", s.impulse[0], 2*g*dt*cos, 2*g*dt, 1e-14)
		near(t, c.name+": friction impulse", -s.history[0].FrictionImpulse.X, 2*(g*dt*sin-want), 2*g*dt, 1e-12)
		if c.spins { // the friction turns it
			near(t, c.name+": spin", s.spin(0).Z, -2.5*(g*dt*sin-want)/0.5, g*dt, 1e-11)
		}
	}
}

// Rolling resistance of coefficient k holds a ball on a slope with a tangent of up to k.
func TestRollingAndSpinningResistance(t *testing.T) {
	for _, angle := range []float64{0.019, 0.021} {
		s := slope(angle, 1, 1, true)
		s.surfaces[0].friction.Rolling = math.Tan(0.02)
		for range 50 {
			s.solve()
		}
		if moves := s.velocity(0).X > 1e-9*g*dt; moves != (angle > 0.02) {
			t.Errorf("sloping by %v it gains %v m/s", angle, s.velocity(0).X)
		}
	}
	s := slope(0, 1, 1, true)
	s.surfaces[0].friction.Spinning = 0.02
	s.bodies[0].AngularVelocity = collide.Vec3{Y: 10}
	s.solve()
	near(t, "spin", s.spin(0).Y, 10-0.02*0.5*2*g*dt*s.bodies[0].InverseInertia, 10, 1e-12)
}

func TestAConveyorCarriesWhatLiesOnIt(t *testing.T) {
	s := slope(0, 0.5, 0.4, false)
	s.surfaces[0].conveyor = collide.Vec3{X: 2}
	s.solve()
	near(t, "speed", s.velocity(0).X, 0.4*g*dt, g*dt, 1e-13)
	s = slope(0, 0, 0, false)
	s.surfaces[0].conveyor = collide.Vec3{X: 2}
	s.solve()
	if v := s.velocity(0); v != (collide.Vec3{}) || s.solver.CalmSteps(s.numbers[0]) != 0 {
		t.Errorf("on a slippery conveyor it moves at %v, calm for %v steps", v, s.solver.CalmSteps(s.numbers[0]))
	}
}

// What keeps momentum and angular momentum in a free cluster is that each impulse acts on both
// sides at one point.
func TestAFreeClusterKeepsMomentum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pressed := 0
	for range 300 {
		mu := r.Float64()
		s := tree(r, 2+r.IntN(12), contacts.FrictionCoefficients{
			Static: mu, Dynamic: mu * r.Float64(), Rolling: r.Float64() / 10, Spinning: 0.1,
		})
		if r.IntN(2) == 0 {
			s = jam(r, 2+r.IntN(30), s.friction)
		}
		s.settings.LengthUnit = 1e-6 // no friction but its own
		s.solve()
		var p, l, dp, dl collide.Vec3
		scale := 0.0
		for k, b := range s.bodies {
			m, inertia := 1/b.InverseMass, 1/b.InverseInertia
			v, w := s.velocity(k).Sub(b.Velocity), s.spin(k).Sub(b.AngularVelocity)
			p, dp = p.AddScaled(m, b.Velocity), dp.AddScaled(m, v)
			l = l.Add(b.Position.Cross(b.Velocity.Scale(m))).AddScaled(inertia, b.AngularVelocity)
			dl = dl.Add(b.Position.Cross(v.Scale(m))).AddScaled(inertia, w)
			scale += m * (b.Velocity.Length() + 1) * (b.Position.Length() + 1)
			if v != (collide.Vec3{}) {
				pressed++
			}
		}
		if dp.Length() > 1e-12*scale || dl.Length() > 1e-12*scale {
			t.Fatalf("momentum changes by %v of %v, angular momentum by %v of %v", dp, p, dl, l)
		}
	}
	if pressed < 1000 {
		t.Errorf("only %d bodies were pressed", pressed)
	}
}

// Without friction the velocities are those of the one solution of a linear complementarity
// problem, which for few contacts is found by trying which of them press.
func TestFrictionlessClustersHaveTheExactSolution(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	pressed := 0
	for seed := range 300 {
		s := tree(r, 2+r.IntN(6), contacts.FrictionCoefficients{})
		if r.IntN(2) == 0 {
			s = jam(r, 2+r.IntN(4), contacts.FrictionCoefficients{})
		}
		s.settings.LengthUnit = 1e-6 // else what is slow has friction
		for k := range s.bodies {
			s.bodies[k].InverseInertia = 0
		}
		s.solve()
		want := exact(t, s)
		for k := range s.bodies {
			if d := s.velocity(k).Distance(want[k]); d > 1e-8 {
				t.Fatalf("cluster %d: ball %d: %v, want %v", seed, k, s.velocity(k), want[k])
			}
		}
		for _, j := range s.impulse {
			if j > 0 {
				pressed++
			}
		}
	}
	if pressed < 300 {
		t.Errorf("only %d contacts pressed", pressed)
	}
}

// exact returns the velocities that the contacts of a scene leave, by trying all sets of contacts
// that could press.
func exact(t *testing.T, s *scene) []collide.Vec3 {
	t.Helper()
	n := len(s.pairs)
	normals := make([]collide.Vec3, n)
	for k, p := range s.pairs {
		normals[k], _ = s.normal(p)
	}
	for set := range 1 << n {
		v := make([]collide.Vec3, len(s.bodies))
		for k := range v {
			v[k] = s.bodies[k].Velocity
		}
		var in []int
		for k := range n {
			if set>>k&1 == 1 {
				in = append(in, k)
			}
		}
		// Each contact that presses ends its approach: m·j = -approach.
		m := make([][]float64, len(in))
		for row, k := range in {
			m[row] = make([]float64, len(in)+1)
			for col, o := range in {
				m[row][col] = coupling(s, normals, k, o)
			}
			m[row][len(in)] = -normals[k].Dot(v[s.pairs[k].a].Sub(v[s.pairs[k].b]))
		}
		j, ok := gauss(m)
		if !ok || slices.ContainsFunc(j, func(x float64) bool { return x < -1e-9 }) {
			continue
		}
		for row, k := range in {
			a, b := s.pairs[k].a, s.pairs[k].b
			v[a] = v[a].AddScaled(j[row]*s.bodies[a].InverseMass, normals[k])
			v[b] = v[b].AddScaled(-j[row]*s.bodies[b].InverseMass, normals[k])
		}
		valid := true
		for k, p := range s.pairs {
			valid = valid && normals[k].Dot(v[p.a].Sub(v[p.b])) >= -1e-9
		}
		if valid {
			return v
		}
	}
	t.Fatal("no set of contacts solves the cluster")
	return nil
}

// coupling returns how an impulse of 1 at contact o changes the relative velocity at contact k.
func coupling(s *scene, normals []collide.Vec3, k, o int) float64 {
	sum := 0.0
	for _, x := range [2]struct {
		body int
		sign float64
	}{{s.pairs[k].a, 1}, {s.pairs[k].b, -1}} {
		switch x.body {
		case s.pairs[o].a:
			sum += x.sign * s.bodies[x.body].InverseMass * normals[k].Dot(normals[o])
		case s.pairs[o].b:
			sum -= x.sign * s.bodies[x.body].InverseMass * normals[k].Dot(normals[o])
		}
	}
	return sum
}

// gauss solves linear equations by elimination; ok is false where they are singular.
func gauss(m [][]float64) (x []float64, ok bool) {
	n := len(m)
	for k := range n {
		best := k
		for row := k; row < n; row++ {
			if math.Abs(m[row][k]) > math.Abs(m[best][k]) {
				best = row
			}
		}
		m[k], m[best] = m[best], m[k]
		if math.Abs(m[k][k]) < 1e-12 {
			return nil, false
		}
		for row := range n {
			if f := m[row][k] / m[k][k]; row != k && f != 0 {
				for col := k; col <= n; col++ {
					m[row][col] -= f * m[k][col]
				}
			}
		}
	}
	for k := range n {
		x = append(x, m[k][n]/m[k][k])
	}
	return x, true
}

func TestWhatBecomesOfAContact(t *testing.T) {
	up := collide.Vec3{Y: 1}
	for _, c := range []struct {
		name       string
		e          float64
		v          collide.Vec3
		gap        float64
		mass       bool
		normal     collide.Vec3
		want       contacts.Preparation
		unresolved bool
	}{
		{"presses", 0, collide.Vec3{Y: -3}, 0, true, up, contacts.Solved, false},
		{"bounces", 0.5, collide.Vec3{Y: -3}, 0, true, up, contacts.LeftOut, true},
		{"would be back within half a step", 0.5, collide.Vec3{Y: -0.01}, 0, true, up, contacts.Solved, false},
		{"overlaps, so it doesn't bounce", 0.5, collide.Vec3{Y: -3}, -0.1, true, up, contacts.Solved, true},
		{"immovable, comes closer", 0, collide.Vec3{Y: -3}, 0, false, up, contacts.Immobile, true},
		{"immovable, goes away", 0, collide.Vec3{Y: 3}, 0, false, up, contacts.Immobile, false},
		{"no normal", 0, collide.Vec3{}, 0, true, collide.Vec3{}, contacts.Immobile, true},
	} {
		s := newScene()
		b := contacts.Body{Radius: 0.5, Velocity: c.v, FreeVelocity: c.v.AddScaled(dt, s.gravity)}
		if c.mass {
			b.InverseMass, b.Mobility = 1, collide.Vec3{X: 1, Y: 1, Z: 1}
		}
		s.solver.Reset(s.settings)
		ball, floor := s.solver.AddBody(&b), s.solver.AddSurface(&contacts.Surface{SortKey: contacts.SortKey{ID: -1}})
		s.solver.GroupContacts([]contacts.Pair{{A: ball, B: floor}})
		_, got := s.solver.AddContact(&contacts.Contact{
			A: ball, B: floor, Normal: c.normal, Gap: c.gap, Restitution: c.e,
		})
		s.solver.Solve()
		if got != c.want || s.solver.Unresolved(ball) != c.unresolved {
			t.Errorf("%s: got %v, unresolved %v; want %v, %v",
				c.name, got, s.solver.Unresolved(ball), c.want, c.unresolved)
		}
	}
}

// A ball that comes down within the gap of a step is stopped so that it touches, not before.
func TestAHardContactEndsAtATouch(t *testing.T) {
	s := column(0.01, 1)
	s.bodies[0].Velocity = collide.Vec3{Y: -2}
	s.solve()
	near(t, "speed", s.velocity(0).Y, -0.01/dt, 1, 1e-9)
	if !s.solver.MovesAtEndVelocity(s.numbers[0]) {
		t.Error("a sudden stop is spread over the step")
	}
}

// In an island a contact bears its load within its gap, and does not sag.
func TestASteadyLoadDoesNotSag(t *testing.T) {
	s := column(contacts.RestGap/4, 1, 2, 3, 4)
	var gaps []float64
	for step := range 60 {
		s.solve()
		if step == 20 {
			for _, p := range s.pairs {
				_, gap := s.normal(p)
				gaps = append(gaps, gap)
			}
		}
		s.move()
	}
	for k, p := range s.pairs {
		_, gap := s.normal(p)
		near(t, fmt.Sprint("gap of contact ", k), gap, gaps[k], contacts.RestGap, 1e-3)
		if gap < contacts.RestGap/16 {
			t.Errorf("the gap of contact %d is used up: %v", k, gap)
		}
	}
}

// Under a heavier load a contact gives way by a part of its gap, however heavy the load is. (A
// column by itself is a chain, whose contacts don't give way.)
func TestAHeavierLoadUsesPartOfTheGap(t *testing.T) {
	for _, mass := range []float64{1, 10, 1e3, 1e5} {
		s := column(0.45*contacts.RestGap, 1, 1, mass)
		beside := s.ball(collide.Vec3{X: 1 + contacts.RestGap/2, Y: s.bodies[0].Position.Y}, 0.5, 1, collide.Vec3{})
		s.contact(beside, s.pairs[0].b)
		s.contact(0, beside)
		for range 100 {
			s.solve()
			s.move()
		}
		_, before := s.normal(s.pairs[2])
		s.gravity = s.gravity.Scale(2)
		s.bodies[2].CalmSteps = 0
		s.solve()
		s.move()
		_, after := s.normal(s.pairs[2])
		if sag := before - after; sag <= 0 || sag > 0.8*contacts.RestGap/2 {
			t.Errorf("mass %v: the gap goes from %v to %v", mass, before, after)
		}
	}
}

// Bodies that hold each other have some friction while they are slow, and none while they are fast.
func TestFrictionOfHeaps(t *testing.T) {
	for _, c := range []struct{ speed, want float64 }{{0.09, 0.02 * g * dt}, {0.11, 0}} {
		s := column(0, 1, 1)
		for k := range s.bodies {
			s.bodies[k].InverseInertia = 0
		}
		s.bodies[1].Velocity.X = c.speed
		s.solve()
		near(t, fmt.Sprint("what friction takes at ", c.speed), c.speed-s.velocity(1).X, c.want, g*dt, 1e-9)
	}
}

// A locked axis takes any impulse.
func TestLockedAxes(t *testing.T) {
	s := newScene()
	s.gravity = collide.Vec3{}
	n, _ := collide.Vec3{X: 1, Y: 1}.Normalized()
	s.ball(collide.Vec3{}, 0.5, 1, collide.Vec3{X: 1})
	s.ball(n, 0.5, 1, collide.Vec3{})
	s.bodies[1].Mobility.Y = 0
	s.contact(0, 1)
	s.solve()
	if v := s.velocity(1); v.Y != 0 || v.X <= 0 {
		t.Errorf("what is locked along y moves at %v", v)
	}
	near(t, "approach", s.velocity(0).Sub(s.velocity(1)).Dot(n), 0, 1, 1e-12)
}

// Two balls that touch each other slide on a floor, from which their gap opens. A third ball falls
// on the same floor far away: what becomes of the two does not depend on it.
func TestIslandsOnOneFloorDoNotDependOnEachOther(t *testing.T) {
	run := func(others bool) (v, a [2]collide.Vec3) {
		s := newScene()
		floor := s.floor(surface{normal: collide.Vec3{Y: 1}, friction: contacts.FrictionCoefficients{
			Static: 0.3, Dynamic: 0.3,
		}})
		slide := collide.Vec3{X: 0.5, Y: -1e-18}
		s.ball(collide.Vec3{Y: 0.5}, 0.5, 1, slide)
		s.ball(collide.Vec3{X: 1, Y: 0.5}, 0.5, 1, slide.Scale(2))
		s.contact(0, floor)
		s.contact(1, floor)
		s.contact(0, 1)
		for k := range 2 {
			s.history[k] = contacts.History{NormalImpulse: g * dt, Before: g * dt, Uncertainty: 1e-3}
		}
		if others {
			s.ball(collide.Vec3{X: 10, Y: 0.501}, 0.5, 1, collide.Vec3{Y: -3})
			s.contact(2, floor)
		}
		s.solve()
		for k := range a {
			v[k], a[k] = s.velocity(k), s.solver.Acceleration(s.numbers[k])
		}
		return v, a
	}
	v, a := run(false)
	w, b := run(true)
	if v != w || a != b {
		t.Errorf("alone the balls have velocities %v and accelerations %v, with a third ball %v and %v", v, a, w, b)
	}
}
