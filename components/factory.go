package components

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/archetypes"
	"github.com/yohamta/donburi"
	dmath "github.com/yohamta/donburi/features/math"
	"github.com/yohamta/donburi/features/transform"
)

// The functions in this file create an entity with all of its components at once. "more" adds
// component types; set their values on the returned entry. With the Transform of Donburi's
// features/transform among them, that has the same position and angle. All functions panic if the
// World is nil. They accept invalid values, which systems.Physics reports as errors. Unlike
// World.Create of Donburi 1.15.7 they also work if the first entity with the same components got
// them by AddComponent or RemoveComponent.

// CreateBall creates a dynamic sphere in w, with the components Transform, Velocity,
// SphereCollider, Body, Material and more. Lengths are in metres.
func CreateBall(w donburi.World, center collide.Vec3, radius float64, more ...donburi.IComponentType) *donburi.Entry {
	e := create(w, center, []donburi.IComponentType{Transform, Velocity, SphereCollider, Body, Material}, more)
	SphereCollider.Get(e).Radius = radius
	return e
}

// CreateCircle2D creates a dynamic circle in w for a 2D game: a ball as of [CreateBall] that never
// leaves the plane z = 0, because its [Body] locks AxisZ. With an [AngularVelocity] it rotates in
// the plane only; its moment of inertia is that of a ball unless the game sets that of a disc.
func CreateCircle2D(
	w donburi.World, center collide.Vec3, radius float64, more ...donburi.IComponentType,
) *donburi.Entry {
	e := CreateBall(w, center, radius, more...)
	Body.Get(e).Locked = AxisZ
	return e
}

// CreatePlane creates a static plane in w that goes through point and is solid behind normal, with
// the components Transform, PlaneCollider and more.
func CreatePlane(w donburi.World, point, normal collide.Vec3, more ...donburi.IComponentType) *donburi.Entry {
	e := create(w, point, []donburi.IComponentType{Transform, PlaneCollider}, more)
	PlaneCollider.Get(e).Normal = normal
	return e
}

// CreatePolygon creates a static convex polygon in w, with the components Transform (at the
// origin), PolygonCollider and more. For the order of corners see [PolygonColliderData]. The slice
// is not copied.
func CreatePolygon(w donburi.World, corners []collide.Vec3, more ...donburi.IComponentType) *donburi.Entry {
	e := create(w, collide.Vec3{}, []donburi.IComponentType{Transform, PolygonCollider}, more)
	PolygonCollider.Get(e).Points = corners
	return e
}

// CreateCapsule creates a static capsule in w around the segment from one point to another, with
// the components Transform (in the middle), CapsuleCollider and more. With points of the plane z =
// 0 it is a wall for a 2D game that is 2·radius thick and has round ends.
func CreateCapsule(
	w donburi.World, from, to collide.Vec3, radius float64, more ...donburi.IComponentType,
) *donburi.Entry {
	middle := from.Lerp(to, 0.5)
	e := create(w, middle, []donburi.IComponentType{Transform, CapsuleCollider}, more)
	CapsuleCollider.SetValue(e, CapsuleColliderData{A: from.Sub(middle), B: to.Sub(middle), Radius: radius})
	return e
}

// CreateThickWall2D creates a static wall in w for a 2D game, from one point of the plane z = 0 to
// another. It is a capsule: thickness wide, with round ends that reach thickness/2 beyond the
// points. Walls that end in a common point make a smooth corner.
func CreateThickWall2D(
	w donburi.World, from, to collide.Vec3, thickness float64, more ...donburi.IComponentType,
) *donburi.Entry {
	return CreateCapsule(w, from, to, thickness/2, more...)
}

// CreateWall2D creates a static wall in w for a 2D game, from one point of the plane z = 0 to
// another. It is a polygon that stands upright on the line between the two and reaches as far to
// both sides of the plane as it is long, at least 1000. It stops things from both sides, unless
// OneSided of its [PolygonCollider] is set. Its front is then above a wall from left to right where
// Y points down, and below it where Y points up.
func CreateWall2D(w donburi.World, from, to collide.Vec3, more ...donburi.IComponentType) *donburi.Entry {
	up := collide.Vec3{Z: max(1000, from.Distance(to))}
	return CreatePolygon(w, []collide.Vec3{from.Sub(up), to.Sub(up), to.Add(up), from.Add(up)}, more...)
}

// CreateSensor creates a static spherical sensor in w, with the components Transform,
// SphereCollider, Sensor and more.
func CreateSensor(w donburi.World, center collide.Vec3, radius float64, more ...donburi.IComponentType) *donburi.Entry {
	e := create(w, center, []donburi.IComponentType{Transform, SphereCollider, Sensor}, more)
	SphereCollider.Get(e).Radius = radius
	return e
}

// create creates an entity with the component types own and more, each once, at position.
func create(w donburi.World, position collide.Vec3, own, more []donburi.IComponentType) *donburi.Entry {
	if w == nil {
		panic("components: an entity can't be created in a nil World")
	}
	for _, c := range more {
		known := false
		for _, o := range own {
			known = known || o.Id() == c.Id()
		}
		if !known { // Create panics for a type that is named twice
			own = append(own, c)
		}
	}
	e := createEntry(w, own)
	Transform.Get(e).Position = position
	if e.HasComponent(transform.Transform) {
		transform.GetTransform(e).LocalPosition = dmath.Vec2{X: position.X, Y: position.Y}
	}
	return e
}

// turn2D turns an entity that create has created from X towards Y by radians.
func turn2D(e *donburi.Entry, radians float64) {
	if Transform.Get(e).Rotation = collide.Rotation2D(radians); !finite(radians) {
		Transform.Get(e).Rotation.Z = radians // an error of the entity, instead of no rotation
	}
	if e.HasComponent(transform.Transform) {
		transform.GetTransform(e).LocalRotation = radians * (180 / math.Pi)
	}
}

// creating is a component that an entity has only while it is created.
var creating = donburi.NewTag().SetName("Creating")

// createEntry creates an entity with the given component types. Where World.Create would panic it
// creates the entity with as many of the first ones as it can, and adds the others. If it can't
// with any, the entity begins with creating: World.Create never panics for that, since no entity
// comes to have nothing else in another way.
func createEntry(w donburi.World, types []donburi.IComponentType) *donburi.Entry {
	first := len(types)
	for first > 0 && archetypes.CreatePanics(w, types[:first]) {
		first--
	}
	if first > 0 {
		e := w.Entry(w.Create(types[:first]...))
		for _, c := range types[first:] {
			e.AddComponent(c)
		}
		return e
	}
	e := w.Entry(w.Create(creating))
	for _, c := range types {
		e.AddComponent(c)
	}
	e.RemoveComponent(creating)
	return e
}
