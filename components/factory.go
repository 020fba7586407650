package components

import (
	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// The functions below create whole entities, with all their components at once. More component types can be added; their values
// are then set on the entry that comes back, as are those of Body, Material and the like.
//
// They panic for a nil World.

// CreateBall creates a dynamic sphere in w: a Transform, Velocity, SphereCollider, Body and Material, and more.
func CreateBall(w donburi.World, center collide.Vec3, radius float64, more ...donburi.IComponentType) *donburi.Entry {
	e := create(w, center, []donburi.IComponentType{Transform, Velocity, SphereCollider, Body, Material}, more)
	SphereCollider.Get(e).Radius = radius
	return e
}

// CreatePlane creates a static plane in w, through point and solid behind its normal: a Transform and a PlaneCollider, and more.
func CreatePlane(w donburi.World, point, normal collide.Vec3, more ...donburi.IComponentType) *donburi.Entry {
	e := create(w, point, []donburi.IComponentType{Transform, PlaneCollider}, more)
	PlaneCollider.Get(e).Normal = normal
	return e
}

// CreatePolygon creates a static convex piece of wall in w with these corners: a Transform at the origin and a PolygonCollider, and more.
func CreatePolygon(w donburi.World, corners []collide.Vec3, more ...donburi.IComponentType) *donburi.Entry {
	e := create(w, collide.Vec3{}, []donburi.IComponentType{Transform, PolygonCollider}, more)
	PolygonCollider.Get(e).Points = corners
	return e
}

// CreateWall2D creates a static wall in w for a 2D game, from one point to another of the plane z = 0: a polygon that stands on the
// line between them, as far to either side of the plane as it is long, and at least 1000. It stops what comes from either side.
func CreateWall2D(w donburi.World, from, to collide.Vec3, more ...donburi.IComponentType) *donburi.Entry {
	up := collide.Vec3{Z: max(1000, from.Distance(to))}
	return CreatePolygon(w, []collide.Vec3{from.Sub(up), to.Sub(up), to.Add(up), from.Add(up)}, more...)
}

// CreateSensor creates a spherical sensor in w that stays where it is: a Transform, SphereCollider and Sensor, and more.
func CreateSensor(w donburi.World, center collide.Vec3, radius float64, more ...donburi.IComponentType) *donburi.Entry {
	e := create(w, center, []donburi.IComponentType{Transform, SphereCollider, Sensor}, more)
	SphereCollider.Get(e).Radius = radius
	return e
}

func create(w donburi.World, position collide.Vec3, own, more []donburi.IComponentType) *donburi.Entry {
	if w == nil {
		panic("components: an entity can't be created in a nil World")
	}
	for _, c := range more {
		known := false
		for _, o := range own {
			known = known || o.Id() == c.Id()
		}
		if !known { // naming one of ours again is harmless
			own = append(own, c)
		}
	}
	e := w.Entry(w.Create(own...))
	Transform.Get(e).Position = position
	return e
}
