package bridge

import (
	"fmt"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/convex"
	"github.com/dango-physics/dango/internal/grow"
)

// bodyShape is the shape of a dynamic body with a ShapeCollider, and what it was made of.
type bodyShape struct {
	from     collide.Shape
	rotation collide.Quat
	shape    *convex.Shape
}

// readShapeBody validates an entity with a ShapeCollider, a Velocity and a dynamic Body, and copies
// it into the space.
func (b *Bridge) readShapeBody(t *table, row int, k *record, c *common, seconds float64) error {
	d := get[components.ShapeColliderData](t.cols[colShape], row)
	if c.sensor {
		return errDynamicSensor
	}
	if err := c.validate(d.Validate()); err != nil {
		return err
	}
	if v := c.surfaceVelocity(); v != (collide.Vec3{}) {
		return &components.FieldError{
			Component: "SurfaceVelocity", Field: "Linear", Value: v,
			Reason: "can't be a dynamic body's: set Kind of its Body to Kinematic",
		}
	}
	if c.spin != nil && c.spin.Angular != (collide.Vec3{}) {
		return &components.FieldError{
			Component: "AngularVelocity", Field: "Angular", Value: c.spin.Angular,
			Reason: "can't be that of a ShapeCollider: dynamic shapes keep their orientation",
		}
	}
	if len(d.Parts) > 0 {
		return &components.FieldError{
			Component: "ShapeCollider", Field: "Parts", Value: len(d.Parts),
			Reason: "can't be those of a dynamic body: it needs one convex Shape",
		}
	}
	shape, err := b.bodyShape(k, d.Shape, plain(c.transform.Rotation))
	if err != nil {
		return err
	}
	if err := b.readBody(t, k, c, shape.Bound, shape, seconds); err != nil {
		return err
	}
	r := &b.registry
	r.bodyShapes = grow.Extend(r.bodyShapes, int(k.handle.Body())+1)
	r.bodyShapes[k.handle.Body()] = r.lastShape
	return nil
}

// bodyShape returns the shape of a body. Entities that are read one after the other share it, and
// it is kept from step to step.
func (b *Bridge) bodyShape(k *record, from collide.Shape, q collide.Quat) (*convex.Shape, error) {
	r := &b.registry
	if k.handle != none && !k.handle.IsSurface() && int(k.handle.Body()) < len(r.bodyShapes) {
		if was := &r.bodyShapes[k.handle.Body()]; was.shape != nil && was.from == from && was.rotation == q {
			r.lastShape = *was
			return was.shape, nil
		}
	}
	if r.lastShape.shape == nil || r.lastShape.from != from || r.lastShape.rotation != q {
		shape, err := convex.New(from, q)
		if err != nil {
			return nil, &components.FieldError{
				Component: "ShapeCollider", Field: "Shape", Value: fmt.Sprintf("(%T)", from), Reason: err.Error(),
			}
		}
		r.lastShape = bodyShape{from, q, shape}
	}
	return r.lastShape.shape, nil
}
