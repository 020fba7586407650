package components

import (
	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// The functions in this file create an entity with all of its components at once. "more" adds
// component types; set their values on the returned entry. All functions panic if the World is nil.
// They accept invalid values, which systems.Physics reports as errors.

// CreateBall creates a dynamic sphere in w, with the components Transform, Velocity,
// SphereCollider, Body, Material and more. Lengths are in metres.
func CreateBall(w donburi.World, center collide.Vec3, radius float64, more ...donburi.IComponentType) *donburi.Entry {
	e := create(w, center, []donburi.IComponentType{Transform, Velocity, SphereCollider, Body, Material}, more)
	SphereCollider.Get(e).Radius = radius
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

// CreateWall2D creates a static wall in w for a 2D game, from one point of the plane z = 0 to
// another. It is a polygon that stands upright on the line between the two and reaches as far to
// both sides of the plane as it is long, at least 1000. It stops circles from both sides.
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
	e := w.Entry(w.Create(own...))
	Transform.Get(e).Position = position
	return e
}
