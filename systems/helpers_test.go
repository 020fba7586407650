package systems_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
	"github.com/yohamta/donburi/filter"
)

// vec and the following helpers keep the tables of these tests short.
func vec(x, y, z float64) collide.Vec3 { return collide.Vec3{X: x, Y: y, Z: z} }

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

// spawn creates an entity with the given component data.
func spawn(w donburi.World, values ...any) *donburi.Entry {
	var types []donburi.IComponentType
	for _, v := range values {
		if c := typeOf(v); !slices.Contains(types, c) {
			types = append(types, c)
		}
	}
	e := w.Entry(w.Create(types...))
	for _, v := range values {
		set(e, v)
	}
	return e
}

func typeOf(value any) donburi.IComponentType {
	switch value.(type) {
	case components.TransformData:
		return components.Transform
	case components.VelocityData:
		return components.Velocity
	case components.SphereColliderData:
		return components.SphereCollider
	case components.PlaneColliderData:
		return components.PlaneCollider
	case components.PolygonColliderData:
		return components.PolygonCollider
	case components.ShapeColliderData:
		return components.ShapeCollider
	case components.CapsuleColliderData:
		return components.CapsuleCollider
	case components.BodyData:
		return components.Body
	case components.MaterialData, bouncePart, frictionPart:
		return components.Material
	case components.SlidingData:
		return components.Sliding
	case components.CollisionFilterData:
		return components.CollisionFilter
	case components.ForceData:
		return components.Force
	case components.AngularVelocityData:
		return components.AngularVelocity
	case components.SurfaceVelocityData:
		return components.SurfaceVelocity
	case components.SensorData:
		return components.Sensor
	case components.ConstantData:
		return components.Constant
	case components.CharacterControllerData:
		return components.CharacterController
	case components.KinematicGroupData:
		return components.KinematicGroup
	case components.MotorData:
		return components.Motor
	}
	panic("systems_test: no component type for this value")
}

// set sets the component of e that has the type of value. The entity must have that component.
func set(e *donburi.Entry, value any) {
	switch v := value.(type) {
	case bouncePart:
		m := components.Material.Get(e)
		m.Restitution, m.RestitutionCombine = v.Restitution, v.Combine
	case frictionPart:
		m := components.Material.Get(e)
		m.Friction, m.StaticFriction, m.RollingResistance, m.SpinningResistance, m.FrictionCombine = v.Dynamic,
			v.Static, v.Rolling, v.Spinning, v.Combine
	default:
		dataOf(e, value).Set(reflect.ValueOf(value))
	}
}

// dataOf returns the component of e whose data has the type of value.
func dataOf(e *donburi.Entry, value any) reflect.Value {
	return reflect.NewAt(reflect.TypeOf(value), e.Component(typeOf(value))).Elem()
}

// bouncePart and frictionPart are parts of a MaterialData, so that tests can combine them.
type (
	bouncePart struct {
		Restitution float64
		Combine     components.CombineRule
	}
	frictionPart struct {
		Dynamic, Static, Rolling, Spinning float64
		Combine                            components.CombineRule
	}
)

func bouncy(restitution float64) bouncePart { return bouncePart{Restitution: restitution} }

func rough(coefficient float64) frictionPart { return frictionPart{Dynamic: coefficient} }

func at(x, y, z float64) components.TransformData {
	return components.TransformData{Position: vec(x, y, z), Rotation: collide.Quat{W: 1}}
}

func moving(x, y, z float64) components.VelocityData {
	return components.VelocityData{Linear: vec(x, y, z)}
}

func turning(x, y, z float64) components.AngularVelocityData {
	return components.AngularVelocityData{Angular: vec(x, y, z)}
}

func sphere(radius float64) components.SphereColliderData {
	return components.SphereColliderData{Radius: radius}
}

func plane(x, y, z float64) components.PlaneColliderData {
	return components.PlaneColliderData{Normal: vec(x, y, z)}
}

// square returns a square in the plane y = 0 whose front is up.
func square(half float64) components.PolygonColliderData {
	return components.PolygonColliderData{Points: []collide.Vec3{
		vec(-half, 0, half), vec(half, 0, half),
		vec(half, 0, -half), vec(-half, 0, -half),
	}}
}

// capsule returns a capsule whose axis goes from -half to half.
func capsule(half collide.Vec3, radius float64) components.CapsuleColliderData {
	return components.CapsuleColliderData{A: half.Neg(), B: half, Radius: radius}
}

// ball creates a dynamic sphere of 1 kg.
func ball(w donburi.World, p, v collide.Vec3, radius float64, more ...any) *donburi.Entry {
	return spawn(w, append([]any{at(p.X, p.Y, p.Z), moving(v.X, v.Y, v.Z), sphere(radius)}, more...)...)
}

// wall creates a static plane through p.
func wall(w donburi.World, p, normal collide.Vec3, more ...any) *donburi.Entry {
	return spawn(w, append([]any{at(p.X, p.Y, p.Z), plane(normal.X, normal.Y, normal.Z)}, more...)...)
}

// box creates six walls around the origin.
func box(w donburi.World, half float64, more ...any) (walls []*donburi.Entry) {
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		walls = append(walls, wall(w, n.Scale(-half), n, more...))
	}
	return walls
}

// gas fills a box with n elastic spheres of radius 0.1 at random points of a lattice.
func gas(w donburi.World, n int, more ...any) (balls []*donburi.Entry) {
	side := 1
	for side*side*side < n {
		side++
	}
	const pitch = 0.5
	half := float64(side) * pitch / 2
	box(w, half)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		p := vec(float64(i%side), float64(i/side%side),
			float64(i/side/side)).Scale(pitch).Sub(vec(1, 1, 1).Scale(half - pitch/2))
		v := vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(10)
		balls = append(balls, ball(w, p, v, 0.1, append([]any{bouncy(1)}, more...)...))
	}
	return balls
}

func position(e *donburi.Entry) collide.Vec3 { return components.Transform.Get(e).Position }
func velocity(e *donburi.Entry) collide.Vec3 { return components.Velocity.Get(e).Linear }

// states returns the positions and velocities of the entries.
func states(entries []*donburi.Entry) (all []collide.Vec3) {
	for _, e := range entries {
		all = append(all, position(e), velocity(e))
	}
	return all
}

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

func nearVec(got, want collide.Vec3, tolerance float64) bool { return got.Distance(want) <= tolerance }

func expectPosition(t *testing.T, what string, e *donburi.Entry, want collide.Vec3, tolerance float64) {
	t.Helper()
	if got := position(e); !nearVec(got, want, tolerance) {
		t.Errorf("%s: position: got %v, want %v", what, got, want)
	}
}

func expectVelocity(t *testing.T, what string, e *donburi.Entry, want collide.Vec3, tolerance float64) {
	t.Helper()
	if got := velocity(e); !nearVec(got, want, tolerance) {
		t.Errorf("%s: velocity: got %v, want %v", what, got, want)
	}
}

// events contains all contact events of a step.
type events struct {
	begins  []systems.ContactBegin
	ends    []systems.ContactEnd
	impacts []systems.Impact
}

func eventsOf(p *systems.Physics) events {
	return events{slices.Collect(p.ContactBegins()), slices.Collect(p.ContactEnds()), slices.Collect(p.Impacts())}
}

func errorsOf(p *systems.Physics) []systems.EntityError { return slices.Collect(p.Errors()) }

// expectNoErrors fails if physics reports an error.
func expectNoErrors(t *testing.T, p *systems.Physics) {
	t.Helper()
	for _, e := range errorsOf(p) {
		t.Errorf("unexpected error: %v", e)
	}
}

func newECS(w donburi.World) *ecs.ECS { return ecs.NewECS(w) }

// Helpers of tests that compare rest, friction and spin with closed forms. Two things limit the
// agreement:
//
//   - Within a step, a path is the chord of its parabola and deviates from it by up to g·dt²/8,
//     0.34 mm on Earth at 60 steps per second. At the end of a step it is on the parabola. An
//     impact within a step is too early or too late by the time that corresponds to the deviation.
//   - Each change of a number has a relative rounding error of about 1e-16.
//
// A comment in each test tells which of the two determines its tolerance.

const earth = 9.81 // m/s²

// offChord is the largest deviation of a path from its parabola within a step on Earth, in metres.
const offChord = earth * tick * tick / 8

// maxOverlap is the documented limit of penetration, relative to the smaller radius.
const maxOverlap = 1e-9

// restGap is the largest gap in metres between balls of radius 0.5 that rest on each other: 1/512
// of the radius, plus a margin. See docs/numerics.md. Where contacts don't compete for space, the
// gap is at most a hundredth of that: room.
const (
	restGap = 1e-3
	room    = 2e-5
)

// expectOn compares the position of a ball on a floor or slope with this normal. The tolerance
// applies in all directions; a ball that touches no other ball keeps no gap.
func expectOn(t *testing.T, what string, e *donburi.Entry, want, normal collide.Vec3, tolerance float64) {
	t.Helper()
	off := position(e).Sub(want)
	height := normal.Dot(off)
	if !nearVec(off.AddScaled(-height, normal), vec(0, 0, 0), tolerance) || height > tolerance || height < -tolerance {
		t.Errorf("%s: position: got %v, want %v: off by %v, %.3g of it over the floor", what, position(e), want, off,
			height)
	}
}

// onEarth returns a Physics with gravity along -Y.
func onEarth() *systems.Physics {
	return systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0)})
}

// overlapChecker searches a world for overlaps.
type overlapChecker struct {
	balls  []collide.Sphere
	shapes *donburi.Query
	walls  *donburi.Query
	tiles  *donburi.Query
	rods   *donburi.Query
}

func newOverlapChecker() *overlapChecker {
	return &overlapChecker{
		shapes: donburi.NewQuery(filter.Contains(components.SphereCollider)),
		walls:  donburi.NewQuery(filter.Contains(components.PlaneCollider)),
		tiles:  donburi.NewQuery(filter.Contains(components.PolygonCollider)),
		rods:   donburi.NewQuery(filter.Contains(components.CapsuleCollider)),
	}
}

// overlap returns the largest penetration depth in w, relative to the smaller radius. It tests
// every pair.
func (j *overlapChecker) overlap(w donburi.World) float64 {
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
	for e := range j.rods.Iter(w) {
		shape := components.CapsuleCollider.Get(e).Shape(*components.Transform.Get(e))
		for _, b := range j.balls {
			worst = max(worst, (b.Radius-shape.SignedDistance(b.Center))/b.Radius)
		}
	}
	return worst
}

// steps runs n steps and fails if one reports an error or causes an overlap.
func steps(t *testing.T, w donburi.World, p *systems.Physics, n int) {
	t.Helper()
	j := newOverlapChecker()
	for step := range n {
		p.Step(w)
		if errs := errorsOf(p); len(errs) > 0 {
			t.Fatalf("step %d: %v", step+1, errs[0])
		}
		if deep := j.overlap(w); deep > maxOverlap {
			t.Fatalf("step %d: something is %.3g of a radius inside something else", step+1, deep)
		}
	}
}

// fastest returns the largest speed of the balls.
func fastest(balls []*donburi.Entry) float64 {
	v := 0.0
	for _, b := range balls {
		v = max(v, velocity(b).Length())
	}
	return v
}

// expectRest fails if the balls aren't at rest: if one is faster than 1 mm/s, or moves by more than
// 0.1 mm in the following seconds.
func expectRest(t *testing.T, w donburi.World, p *systems.Physics, balls []*donburi.Entry, seconds float64) {
	t.Helper()
	if v := fastest(balls); !(v <= 1e-3) {
		t.Errorf("the fastest still has %.3g m/s, want at most 1e-3", v)
	}
	var home []collide.Vec3
	for _, b := range balls {
		home = append(home, position(b))
	}
	strayed := 0.0
	j := newOverlapChecker()
	for range slow.Steps(int(math.Round(seconds * 60))) {
		p.Step(w)
		for k, b := range balls {
			strayed = max(strayed, position(b).Distance(home[k]))
		}
	}
	if deep := j.overlap(w); deep > maxOverlap {
		t.Errorf("something at rest is %.3g of a radius inside something else", deep)
	}
	expectNoErrors(t, p)
	if !(strayed <= 1e-4) {
		t.Errorf("a ball at rest strayed by %.3g m, want at most 1e-4", strayed)
	}
	t.Logf("at rest: strayed %.3g m, fastest %.3g m/s", strayed, fastest(balls))
}

// expectUnchanged fails if a bit of a ball's position changes within the given seconds.
func expectUnchanged(t *testing.T, w donburi.World, p *systems.Physics, seconds float64, balls ...*donburi.Entry) {
	t.Helper()
	home := states(balls)
	for step := range slow.Steps(int(math.Round(seconds * 60))) {
		p.Step(w)
		for k, s := range states(balls) {
			if s != home[k] {
				t.Fatalf("step %d: ball %d was at rest and isn't: got %v, want %v", step, k/2, s, home[k])
			}
		}
	}
	expectNoErrors(t, p)
}

// mass returns the mass of a ball.
func mass(e *donburi.Entry) float64 {
	if e.HasComponent(components.Body) && components.Body.Get(e).Mass > 0 {
		return components.Body.Get(e).Mass
	}
	return 1
}

// momentum returns the sum of mass times velocity, and the sum of the absolute values for relative
// tolerances.
func momentum(balls []*donburi.Entry) (sum collide.Vec3, size float64) {
	for _, b := range balls {
		sum = sum.AddScaled(mass(b), velocity(b))
		size += mass(b) * velocity(b).Length()
	}
	return sum, size
}

// energy returns the kinetic energy of the centres.
func energy(balls []*donburi.Entry) float64 {
	sum := 0.0
	for _, b := range balls {
		sum += mass(b) * velocity(b).LengthSquared() / 2
	}
	return sum
}

// generalRotation returns a rotation that leaves no coordinate zero, for tests that mustn't profit
// from zeros.
func generalRotation() collide.Quat { return collide.RotationAround(vec(1, 2, 3), 0.7) }
