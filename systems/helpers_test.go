package systems_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// vec and the like keep the tables of these tests short.
func vec(x, y, z float64) collide.Vec3 { return collide.Vec3{X: x, Y: y, Z: z} }

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

// spawn creates an entity with the components of values: each is the data of one of dango's component types.
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
	}
	panic("systems_test: no component type for this value")
}

// set gives e's component the value. The entity must have it.
func set(e *donburi.Entry, value any) {
	switch v := value.(type) {
	case components.TransformData:
		components.Transform.SetValue(e, v)
	case components.VelocityData:
		components.Velocity.SetValue(e, v)
	case components.SphereColliderData:
		components.SphereCollider.SetValue(e, v)
	case components.PlaneColliderData:
		components.PlaneCollider.SetValue(e, v)
	case components.PolygonColliderData:
		components.PolygonCollider.SetValue(e, v)
	case components.BodyData:
		components.Body.SetValue(e, v)
	case components.MaterialData:
		components.Material.SetValue(e, v)
	case bouncePart:
		m := components.Material.Get(e)
		m.Restitution, m.RestitutionCombine = v.Restitution, v.Combine
	case components.CollisionFilterData:
		components.CollisionFilter.SetValue(e, v)
	case components.ForceData:
		components.Force.SetValue(e, v)
	case frictionPart:
		m := components.Material.Get(e)
		m.Friction, m.StaticFriction, m.RollingResistance, m.SpinningResistance, m.FrictionCombine = v.Dynamic, v.Static, v.Rolling, v.Spinning, v.Combine
	case components.AngularVelocityData:
		components.AngularVelocity.SetValue(e, v)
	case components.SurfaceVelocityData:
		components.SurfaceVelocity.SetValue(e, v)
	case components.SensorData, components.SlidingData:
	}
}

// bouncePart and frictionPart are the parts of a MaterialData, so that tests can combine them.
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

// square is a square of the plane y = 0, seen from above.
func square(half float64) components.PolygonColliderData {
	return components.PolygonColliderData{Points: []collide.Vec3{vec(-half, 0, half), vec(half, 0, half), vec(half, 0, -half), vec(-half, 0, -half)}}
}

// ball is a dynamic sphere of 1 kg.
func ball(w donburi.World, p, v collide.Vec3, radius float64, more ...any) *donburi.Entry {
	return spawn(w, append([]any{at(p.X, p.Y, p.Z), moving(v.X, v.Y, v.Z), sphere(radius)}, more...)...)
}

// wall is a static plane through p.
func wall(w donburi.World, p, normal collide.Vec3, more ...any) *donburi.Entry {
	return spawn(w, append([]any{at(p.X, p.Y, p.Z), plane(normal.X, normal.Y, normal.Z)}, more...)...)
}

// box is six walls around the origin.
func box(w donburi.World, half float64, more ...any) (walls []*donburi.Entry) {
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		walls = append(walls, wall(w, n.Scale(-half), n, more...))
	}
	return walls
}

// gas fills a box with n elastic spheres of radius 0.1 at random places on a lattice.
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
		p := vec(float64(i%side), float64(i/side%side), float64(i/side/side)).Scale(pitch).Sub(vec(1, 1, 1).Scale(half - pitch/2))
		v := vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(10)
		balls = append(balls, ball(w, p, v, 0.1, append([]any{bouncy(1)}, more...)...))
	}
	return balls
}

func position(e *donburi.Entry) collide.Vec3 { return components.Transform.Get(e).Position }
func velocity(e *donburi.Entry) collide.Vec3 { return components.Velocity.Get(e).Linear }

// states returns where every one of entries is and how it moves.
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

// events is everything that a step tells, collected.
type events struct {
	begins  []systems.ContactBegin
	ends    []systems.ContactEnd
	impacts []systems.Impact
}

func eventsOf(p *systems.Physics) events {
	return events{slices.Collect(p.ContactBegins()), slices.Collect(p.ContactEnds()), slices.Collect(p.Impacts())}
}

func errorsOf(p *systems.Physics) []systems.EntityError { return slices.Collect(p.Errors()) }

// expectNoErrors fails where physics leaves something out.
func expectNoErrors(t *testing.T, p *systems.Physics) {
	t.Helper()
	for _, e := range errorsOf(p) {
		t.Errorf("unexpected error: %v", e)
	}
}

func newECS(w donburi.World) *ecs.ECS { return ecs.NewECS(w) }

// fewer is n, and much less where tests are to be short because the machine is emulated.
func fewer(n int) int {
	if testing.Short() {
		return n/10 + 1
	}
	return n
}
