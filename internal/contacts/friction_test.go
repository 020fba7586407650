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
	floor := s.AddSurface(&contacts.Surface{ID: -2})
	s.GroupContacts([]contacts.Pair{{A: b, B: floor}, {A: a, B: b}})
	s.AddContact(&contacts.Contact{
		A: b, B: floor, Normal: collide.Vec3{Y: 1}, History: contacts.History{NormalImpulse: 20.0 / 60},
	})
	history := contacts.History{NormalImpulse: 10.0 / 60, FrictionImpulse: collide.Vec3{X: -0.003}}
	constraint, _ := s.AddContact(&contacts.Contact{
		A: a, B: b, Normal: collide.Vec3{Y: 1}, Friction: contacts.FrictionCoefficients{Rolling: 0.1},
		History: history,
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
	floor := s.AddSurface(&contacts.Surface{ID: -2})
	s.GroupContacts([]contacts.Pair{{A: a, B: floor}})
	history := contacts.History{FrictionImpulse: collide.Vec3{X: -0.3}}
	constraint, _ := s.AddContact(&contacts.Contact{
		A: a, B: floor, Normal: collide.Vec3{Y: 1}, Friction: contacts.FrictionCoefficients{Static: 0.5, Dynamic: 0.5},
		History: history,
	})
	s.Solve()
	s.Finish(constraint, &history)
	if v, f := s.Velocity(a).X, history.FrictionImpulse.X; math.Abs(v-(1+f)) > 1e-12 || math.Abs(f+0.1) > 1e-12 {
		t.Errorf("the ball moves at %v m/s after a friction impulse of %v N·s, want 0.9 and -0.1", v, f)
	}
}
