package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/filter"
)

// What the tests of rest, friction and spin share. They compare with the closed forms of the textbooks. How near they come has two limits:
//
//   - A path is the chord of its parabola from one step to the next, and so at most g·dt²/8 beside it in between, a third of a millimetre on Earth at 60 steps a second. It
//     is on the parabola where a step ends. An impact within a step comes as much too early or too late as that takes, at a speed that belongs to another height.
//   - Rounding, some 1e-16 of what a number is, for each time that it changes.
//
// A test says in a comment which of the two its tolerance is.

const earth = 9.81 // m/s²

// offChord is how far a path is beside its parabola within a step, at most: metres, on Earth.
const offChord = earth * tick * tick / 8

// deepest is the worst overlap that dango allows itself, over the radius of the smaller.
const deepest = 1e-9

// restGap is how far apart, in metres, balls of radius 0.5 may come to rest that are held by other balls: 1/512 of the radius, and a little. See docs/numerics.md. Where
// they have to make room for nothing it is a hundredth of that: room.
const (
	restGap = 1e-3
	room    = 2e-5
)

// expectOn compares the place of a ball on a floor or slope with this normal: along it to the tolerance, and over it as well: what no other ball touches keeps no gap.
func expectOn(t *testing.T, what string, e *donburi.Entry, want, normal collide.Vec3, tolerance float64) {
	t.Helper()
	off := position(e).Sub(want)
	height := normal.Dot(off)
	if !nearVec(off.AddScaled(-height, normal), vec(0, 0, 0), tolerance) || height > tolerance || height < -tolerance {
		t.Errorf("%s: position: got %v, want %v: off by %v, %.3g of it over the floor", what, position(e), want, off, height)
	}
}

// onEarth is the physics of a world with gravity along -Y.
func onEarth() *systems.Physics {
	return systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0)})
}

// judge looks at all of a world for overlaps.
type judge struct {
	balls  []collide.Sphere
	shapes *donburi.Query
	walls  *donburi.Query
	tiles  *donburi.Query
}

func newJudge() *judge {
	return &judge{
		shapes: donburi.NewQuery(filter.Contains(components.SphereCollider)),
		walls:  donburi.NewQuery(filter.Contains(components.PlaneCollider)),
		tiles:  donburi.NewQuery(filter.Contains(components.PolygonCollider)),
	}
}

// overlap returns the deepest overlap in w, over the radius of the smaller. It asks every pair.
func (j *judge) overlap(w donburi.World) float64 {
	worst := 0.0
	j.balls = j.balls[:0]
	for e := range j.shapes.Iter(w) {
		b := collide.Sphere{Center: position(e), Radius: components.SphereCollider.Get(e).Radius}
		for _, a := range j.balls {
			worst = max(worst, (a.Radius+b.Radius-a.Center.Distance(b.Center))/min(a.Radius, b.Radius))
		}
		j.balls = append(j.balls, b)
	}
	for e := range j.walls.Iter(w) {
		shape := components.PlaneCollider.Get(e)
		n, _ := components.Transform.Get(e).Rotation.Rotate(shape.Normal).Normalized()
		d := n.Dot(position(e)) + shape.Distance
		for _, b := range j.balls {
			worst = max(worst, (b.Radius+d-n.Dot(b.Center))/b.Radius)
		}
	}
	for e := range j.tiles.Iter(w) {
		shape, err := components.PolygonCollider.Get(e).Shape(*components.Transform.Get(e))
		if err != nil {
			continue
		}
		for _, b := range j.balls {
			worst = max(worst, (b.Radius-b.Center.Distance(shape.ClosestPoint(b.Center)))/b.Radius)
		}
	}
	return worst
}

// steps runs n steps, and fails where one leaves something out or lets things overlap.
func steps(t *testing.T, w donburi.World, p *systems.Physics, n int) {
	t.Helper()
	j := newJudge()
	for step := range n {
		p.Step(w)
		if errs := errorsOf(p); len(errs) > 0 {
			t.Fatalf("step %d: %v", step+1, errs[0])
		}
		if deep := j.overlap(w); deep > deepest {
			t.Fatalf("step %d: something is %.3g of a radius inside something else", step+1, deep)
		}
	}
}

// fastest returns the speed of the fastest of balls.
func fastest(balls []*donburi.Entry) float64 {
	v := 0.0
	for _, b := range balls {
		v = max(v, velocity(b).Length())
	}
	return v
}

// rests fails where balls aren't at rest, as the issue has it: none faster than 1 mm/s, and none that strays by 0.1 mm in the seconds that follow.
func rests(t *testing.T, w donburi.World, p *systems.Physics, balls []*donburi.Entry, seconds float64) {
	t.Helper()
	if v := fastest(balls); !(v <= 1e-3) {
		t.Errorf("the fastest still has %.3g m/s, want at most 1e-3", v)
	}
	var home []collide.Vec3
	for _, b := range balls {
		home = append(home, position(b))
	}
	strayed := 0.0
	j := newJudge()
	for range fewer(int(math.Round(seconds * 60))) {
		p.Step(w)
		for k, b := range balls {
			strayed = max(strayed, position(b).Distance(home[k]))
		}
	}
	if deep := j.overlap(w); deep > deepest {
		t.Errorf("something at rest is %.3g of a radius inside something else", deep)
	}
	expectNoErrors(t, p)
	if !(strayed <= 1e-4) {
		t.Errorf("a ball at rest strayed by %.3g m, want at most 1e-4", strayed)
	}
	t.Logf("at rest: strayed %.3g m, fastest %.3g m/s", strayed, fastest(balls))
}

// staysToTheBit fails where one of balls changes a bit of its place in so many seconds.
func staysToTheBit(t *testing.T, w donburi.World, p *systems.Physics, seconds float64, balls ...*donburi.Entry) {
	t.Helper()
	home := states(balls)
	for step := range fewer(int(math.Round(seconds * 60))) {
		p.Step(w)
		for k, s := range states(balls) {
			if s != home[k] {
				t.Fatalf("step %d: ball %d was at rest and isn't: got %v, want %v", step, k/2, s, home[k])
			}
		}
	}
	expectNoErrors(t, p)
}

// mass is the mass of a ball.
func mass(e *donburi.Entry) float64 {
	if e.HasComponent(components.Body) && components.Body.Get(e).Mass > 0 {
		return components.Body.Get(e).Mass
	}
	return 1
}

// momentum returns the sum of mass times velocity, and that of sizes, which tolerances are parts of.
func momentum(balls []*donburi.Entry) (sum collide.Vec3, size float64) {
	for _, b := range balls {
		sum = sum.AddScaled(mass(b), velocity(b))
		size += mass(b) * velocity(b).Length()
	}
	return sum, size
}

// energy returns the energy of the motion of the centres.
func energy(balls []*donburi.Entry) float64 {
	sum := 0.0
	for _, b := range balls {
		sum += mass(b) * velocity(b).LengthSquared() / 2
	}
	return sum
}

// aside returns q rotated out of every axis, for tests that must not profit from zeros.
func aside() collide.Quat { return collide.RotationAround(vec(1, 2, 3), 0.7) }
