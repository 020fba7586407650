package components

import (
	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// CreateShape creates a static entity in w with a shape of package collide at position, with the
// components Transform, ShapeCollider and more. For the shapes see [ShapeColliderData].
func CreateShape(
	w donburi.World, position collide.Vec3, shape collide.Shape, more ...donburi.IComponentType,
) *donburi.Entry {
	e := create(w, position, []donburi.IComponentType{Transform, ShapeCollider}, more)
	ShapeCollider.Get(e).Shape = shape
	return e
}

// CreateCompound creates a static entity in w of several parts, relative to position, with the
// components Transform, ShapeCollider and more. The slice is not copied.
func CreateCompound(
	w donburi.World, position collide.Vec3, parts []ShapePart, more ...donburi.IComponentType,
) *donburi.Entry {
	e := create(w, position, []donburi.IComponentType{Transform, ShapeCollider}, more)
	ShapeCollider.Get(e).Parts = parts
	return e
}

// CreateBox creates a static box in w with half the side lengths half, with the components
// Transform, ShapeCollider and more. To turn it, set Rotation of its Transform.
func CreateBox(w donburi.World, center, half collide.Vec3, more ...donburi.IComponentType) *donburi.Entry {
	return CreateShape(w, center, collide.Box{Half: half}, more...)
}

// CreateBox2D creates a static box in w for a 2D game, with half widths halfX and halfY, turned
// from X towards Y by radians. It reaches far along Z.
func CreateBox2D(
	w donburi.World, center collide.Vec3, halfX, halfY, radians float64, more ...donburi.IComponentType,
) *donburi.Entry {
	e := CreateShape(w, center, collide.NewBox2D(collide.Vec3{}, halfX, halfY, 0), more...)
	turn2D(e, radians)
	return e
}

// CreateCylinder creates a static cylinder in w with its axis from one point to another, with the
// components Transform (in the middle), ShapeCollider and more.
func CreateCylinder(
	w donburi.World, from, to collide.Vec3, radius float64, more ...donburi.IComponentType,
) *donburi.Entry {
	middle := from.Lerp(to, 0.5)
	return CreateShape(w, middle, collide.Cylinder{A: from.Sub(middle), B: to.Sub(middle), Radius: radius}, more...)
}

// CreateHull creates a static convex hull in w at position, with the components Transform,
// ShapeCollider and more. Any number of entities may share a hull.
func CreateHull(
	w donburi.World, position collide.Vec3, hull *collide.Hull, more ...donburi.IComponentType,
) *donburi.Entry {
	return CreateShape(w, position, hull, more...)
}

// CreateMesh creates a static mesh of triangles in w at position, such as a level, with the
// components Transform, ShapeCollider and more. Any number of entities may share a mesh.
func CreateMesh(
	w donburi.World, position collide.Vec3, mesh *collide.Mesh, more ...donburi.IComponentType,
) *donburi.Entry {
	return CreateShape(w, position, mesh, more...)
}

// CreateHeightField creates static terrain in w at position, with the components Transform,
// ShapeCollider and more. Any number of entities may share a height field.
func CreateHeightField(
	w donburi.World, position collide.Vec3, field *collide.HeightField, more ...donburi.IComponentType,
) *donburi.Entry {
	return CreateShape(w, position, field, more...)
}

// CreateChain2D creates static walls in w for a 2D game, along a line through points of the plane z
// = 0. The front of one-sided walls is as that of [CreateWall2D]: above those from left to right
// where Y points down, below them where Y points up. A character can't drop through such walls as
// it can through those of CreateWall2D. The error is that of [collide.NewChain2D]; then nothing is
// created.
func CreateChain2D(
	w donburi.World, points []collide.Vec3, oneSided bool, more ...donburi.IComponentType,
) (*donburi.Entry, error) {
	mesh, err := collide.NewChain2D(points, collide.MeshOptions{TwoSided: !oneSided})
	if err != nil {
		return nil, err
	}
	return CreateMesh(w, collide.Vec3{}, mesh, more...), nil
}

// CreatePolygon2D creates a static polygon in w for a 2D game, convex or concave, around points of
// the plane z = 0 in either order. Its outline stops what comes from outside. It is hollow: queries
// inside don't find it, and what begins there falls out. A convex polygon that is solid is a
// [CreateHull] of [collide.NewHull2D]. The error is that of [collide.NewPolygon2D]; then nothing is
// created.
func CreatePolygon2D(
	w donburi.World, points []collide.Vec3, more ...donburi.IComponentType,
) (*donburi.Entry, error) {
	mesh, err := collide.NewPolygon2D(points, collide.MeshOptions{})
	if err != nil {
		return nil, err
	}
	return CreateMesh(w, collide.Vec3{}, mesh, more...), nil
}
