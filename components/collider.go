package components

import (
	"errors"
	"fmt"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// SphereColliderData is a sphere around the position of the Transform; in 2D, a circle.
type SphereColliderData struct {
	Radius float64 // metres, > 0, at most 1e9
}

// SphereCollider is the component type of [SphereColliderData]; the default radius is 0.5 m.
var SphereCollider = donburi.NewComponentType[SphereColliderData](SphereColliderData{Radius: 0.5})

// Validate returns an error that names every invalid field, or nil.
func (d *SphereColliderData) Validate() error {
	if d.Radius > 0 && d.Radius <= MaxCoordinate {
		return nil
	}
	return errors.Join(
		check(d.Radius > 0, "SphereCollider", "Radius", d.Radius, "is not positive"),
		check(!(d.Radius > MaxCoordinate), "SphereCollider", "Radius", d.Radius, notFinite),
	)
}

// PlaneColliderData is an infinite plane. Everything behind it is solid, unless it is TwoSided. A
// plane is static, or kinematic if it has a Velocity; it is never dynamic.
type PlaneColliderData struct {
	// Normal points out of the solid, in the frame of the Transform. Its length doesn't matter but
	// must not be zero.
	Normal collide.Vec3

	// Distance in metres from the Transform's position to the plane, in the direction of Normal,
	// -1e9 to 1e9.
	Distance float64

	// TwoSided makes a thin sheet: it stops bodies from both sides, and nothing behind it is
	// solid.
	TwoSided bool
}

// PlaneCollider is the component type of [PlaneColliderData]; the default is a floor with normal
// +Y.
var PlaneCollider = donburi.NewComponentType[PlaneColliderData](PlaneColliderData{Normal: collide.Vec3{Y: 1}})

// Validate returns an error that names every invalid field, or nil.
func (d *PlaneColliderData) Validate() error {
	_, ok := d.Normal.Normalized()
	if ok && math.Abs(d.Distance) <= MaxCoordinate {
		return nil
	}
	reason := "is zero"
	if !d.Normal.IsFinite() {
		reason = "is not finite"
	}
	return errors.Join(
		check(ok, "PlaneCollider", "Normal", d.Normal, reason),
		check(math.Abs(d.Distance) <= MaxCoordinate, "PlaneCollider", "Distance", d.Distance, notFinite),
	)
}

// PolygonColliderData is a flat convex polygon, such as a wall of a room or a face of a box. It is
// static, or kinematic if it has a Velocity; it is never dynamic, and cannot be a sensor.
type PolygonColliderData struct {
	// Points are the corners in the frame of the Transform, in metres, at most 1e9 along each axis:
	// at least three different ones, in one plane, counter-clockwise when seen from the front.
	Points []collide.Vec3

	// OneSided polygons stop only what comes from the front. What comes from behind, or over an
	// edge and lower than it would lie on the polygon, goes through until all of it has left. Use
	// them for platforms that can be jumped through, and for the faces of closed solids.
	OneSided bool
}

// PolygonCollider is the component type of [PolygonColliderData]. The default has no points, which
// is an error until the game sets them.
var PolygonCollider = donburi.NewComponentType[PolygonColliderData]()

// Shape returns the polygon in the world's frame for an entity with this transform, or a
// [FieldError].
func (d *PolygonColliderData) Shape(transform TransformData) (collide.Polygon, error) {
	points := make([]collide.Vec3, len(d.Points))
	for i, q := range d.Points {
		if points[i] = transform.Position.Add(transform.Rotation.Rotate(q)); !within(q) {
			return collide.Polygon{}, &FieldError{"PolygonCollider", fmt.Sprintf("Points[%d]", i), q, notFinite}
		}
	}
	shape, err := collide.NewPolygon(points...)
	if err != nil {
		return collide.Polygon{}, &FieldError{"PolygonCollider", "Points", d.Points, "make no polygon: " + err.Error()}
	}
	return shape, nil
}

// Validate returns an error that names every invalid field, or nil.
func (d *PolygonColliderData) Validate() error {
	_, err := d.Shape(TransformData{})
	return err
}

// CapsuleColliderData is a solid cylinder with round ends: all points at most Radius away from the
// segment from A to B. In 2D it is a thick wall with round ends. It is static, or kinematic if it
// has a Velocity; it is never dynamic.
type CapsuleColliderData struct {
	// A and B are the ends of the axis in the frame of the Transform, in metres, the round ends not
	// included: the capsule is 2·Radius longer than its axis. They may coincide.
	A, B collide.Vec3

	Radius float64 // metres, > 0, at most 1e9
}

// CapsuleCollider is the component type of [CapsuleColliderData]. The default stands upright, 2 m
// tall and 1 m wide, around the position of the Transform.
var CapsuleCollider = donburi.NewComponentType[CapsuleColliderData](CapsuleColliderData{
	A: collide.Vec3{Y: -0.5}, B: collide.Vec3{Y: 0.5}, Radius: 0.5,
})

// Shape returns the capsule in the world's frame for an entity with this transform.
func (d *CapsuleColliderData) Shape(transform TransformData) collide.Capsule {
	return collide.Capsule{
		A: transform.Position.Add(transform.Rotation.Rotate(d.A)),
		B: transform.Position.Add(transform.Rotation.Rotate(d.B)), Radius: d.Radius,
	}
}

// Validate returns an error that names every invalid field, or nil.
func (d *CapsuleColliderData) Validate() error {
	if within(d.A) && within(d.B) && d.Radius > 0 && d.Radius <= MaxCoordinate {
		return nil
	}
	return errors.Join(
		check(within(d.A), "CapsuleCollider", "A", d.A, notFinite),
		check(within(d.B), "CapsuleCollider", "B", d.B, notFinite),
		check(d.Radius > 0, "CapsuleCollider", "Radius", d.Radius, "is not positive"),
		check(!(d.Radius > MaxCoordinate), "CapsuleCollider", "Radius", d.Radius, notFinite),
	)
}
