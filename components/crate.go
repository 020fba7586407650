package components

import (
	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// CreateShapeBody creates a dynamic body in w with a convex shape of package collide around
// position, with the components Transform, Velocity, ShapeCollider, Body, Material and more. It
// moves, and never rotates: it keeps the Rotation of its Transform. The shape is a [collide.Box],
// [collide.AABB], [*collide.Hull], [collide.PlacedHull], [collide.Capsule], [collide.Cylinder] or
// [collide.Sphere]; others are an error in the next step.
func CreateShapeBody(
	w donburi.World, position collide.Vec3, shape collide.Shape, more ...donburi.IComponentType,
) *donburi.Entry {
	e := create(w, position, []donburi.IComponentType{Transform, Velocity, ShapeCollider, Body, Material}, more)
	ShapeCollider.Get(e).Shape = shape
	return e
}

// CreateCrate creates a dynamic box in w with half the side lengths half, as of [CreateShapeBody].
func CreateCrate(w donburi.World, center, half collide.Vec3, more ...donburi.IComponentType) *donburi.Entry {
	return CreateShapeBody(w, center, collide.Box{Half: half}, more...)
}

// CreateCrate2D creates a dynamic box in w for a 2D game, with half widths halfX and halfY, that
// never leaves its plane perpendicular to Z, because its [Body] locks AxisZ. Along Z it reaches as
// far to both sides as halfX and halfY together.
func CreateCrate2D(
	w donburi.World, center collide.Vec3, halfX, halfY float64, more ...donburi.IComponentType,
) *donburi.Entry {
	e := CreateCrate(w, center, collide.Vec3{X: halfX, Y: halfY, Z: halfX + halfY}, more...)
	Body.Get(e).Locked = AxisZ
	return e
}
