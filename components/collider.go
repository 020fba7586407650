package components

import (
	"errors"
	"fmt"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// SphereColliderData gives an entity the shape of a ball around its Transform's position; in 2D, of a circle.
type SphereColliderData struct {
	Radius float64 // metres, > 0
}

// SphereCollider is the component type of [SphereColliderData]; new ones have a radius of 0.5 m.
var SphereCollider = donburi.NewComponentType[SphereColliderData](SphereColliderData{Radius: 0.5})

// Validate reports every field that physics cannot work with.
func (d *SphereColliderData) Validate() error {
	if d.Radius > 0 && d.Radius <= MaxCoordinate {
		return nil
	}
	return errors.Join(
		check(d.Radius > 0, "SphereCollider", "Radius", d.Radius, "is not positive"),
		check(!(d.Radius > MaxCoordinate), "SphereCollider", "Radius", d.Radius, notFinite),
	)
}

// PlaneColliderData makes an entity, static or kinematic, never dynamic, an endless flat surface: in the frame of its Transform the points at
// Distance along Normal. Everything behind it is solid, unless it is TwoSided.
type PlaneColliderData struct {
	Normal   collide.Vec3 // points out of the solid; any length but zero
	Distance float64      // metres from the Transform's position to the surface, along Normal whatever its length
	TwoSided bool         // a thin sheet: stops what comes from either side, and nothing is solid
}

// PlaneCollider is the component type of [PlaneColliderData]; new ones are floors, their normal along +Y.
var PlaneCollider = donburi.NewComponentType[PlaneColliderData](PlaneColliderData{Normal: collide.Vec3{Y: 1}})

// Validate reports every field that physics cannot work with.
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

// PolygonColliderData makes an entity a flat convex piece of surface, such as a wall of a room or the side of a
// box, bounded by its edges. It is static or kinematic, never dynamic.
type PolygonColliderData struct {
	// Points are the corners in the frame of the Transform, metres, at least three, in one plane.
	// They run counter-clockwise when seen from the front.
	Points []collide.Vec3

	// OneSided surfaces stop only what comes from their front. A closed solid made of such faces has no
	// inner edges to catch on.
	OneSided bool
}

// PolygonCollider is the component type of [PolygonColliderData]; new ones have no points yet, which is an error.
var PolygonCollider = donburi.NewComponentType[PolygonColliderData]()

// Shape returns the polygon where transform puts it, or a [FieldError].
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

// Validate reports every field that physics cannot work with.
func (d *PolygonColliderData) Validate() error {
	_, err := d.Shape(TransformData{})
	return err
}
