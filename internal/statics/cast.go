package statics

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// CastCapsule is [Surface.CastShape] for a capsule and any velocity, for the given seconds. It
// allocates nothing. near, which may be nil, has the triangles around a capsule that is cast often.
func (f *Surface) CastCapsule(
	shape collide.Capsule, v collide.Vec3, seconds, t float64, near *collide.MeshNear,
) (c collide.Contact, outcome collide.Outcome) {
	if f.Turning.On {
		return f.castShapeRotating(shape, v, seconds, t)
	}
	if f.Kind() == Plane {
		return f.castAtPlane(shape, v, seconds, t)
	}
	moved := collide.Capsule{A: f.toLocal(shape.A, t), B: f.toLocal(shape.B, t), Radius: shape.Radius}
	v = f.toLocalDirection(v)
	if f.Kind() == Polygon && f.staysAway(&moved, v, seconds) {
		return c, collide.Miss
	}
	if f.Kind() == Mesh {
		m, outcome := near.SweepCapsule(moved, v, f.Mesh, collide.Vec3{}, seconds)
		return f.contactToWorld(m.Contact, t), outcome
	}
	return f.castLocal(moved, moved.A.Lerp(moved.B, 0.5), v, seconds, t)
}

// CastBox is CastCapsule for a box.
func (f *Surface) CastBox(
	shape collide.Box, v collide.Vec3, seconds, t float64,
) (c collide.Contact, outcome collide.Outcome) {
	if f.Turning.On {
		return f.castShapeRotating(shape, v, seconds, t)
	}
	if f.Kind() == Plane {
		return f.castAtPlane(shape, v, seconds, t)
	}
	moved := shape
	moved.Center = f.toLocal(shape.Center, t)
	if f.Rotation != (collide.Quat{}) {
		moved.Rotation = f.inverse.Mul(shape.Rotation)
	}
	return f.castLocal(moved, moved.Center, f.toLocalDirection(v), seconds, t)
}

// castAtPlane casts a convex shape at a plane.
func (f *Surface) castAtPlane(
	shape collide.Convex, v collide.Vec3, seconds, t float64,
) (collide.Contact, collide.Outcome) {
	if f.TwoSided {
		return collide.SweepConvexPlane(shape, v, f.planeAt(t), collide.Vec3{}, seconds)
	}
	return collide.SweepConvexHalfSpace(shape, v, f.planeAt(t), collide.Vec3{}, seconds)
}

// castLocal casts a convex shape with the given middle at a surface of any other kind. Shape,
// middle and velocity are in the surface's frame at time t, and the contact in that of the world.
func (f *Surface) castLocal(
	shape collide.Convex, middle, v collide.Vec3, seconds, t float64,
) (c collide.Contact, outcome collide.Outcome) {
	zero := collide.Vec3{}
	switch f.Kind() {
	case Polygon:
		c, outcome = collide.Sweep(shape, v, *f.Polygon, zero, seconds)
		if outcome != collide.Miss && !f.TwoSided && !f.stops(middle, c.Normal) {
			return collide.Contact{}, collide.Miss
		}
	case Capsule:
		c, outcome = collide.Sweep(shape, v, f.Capsule, zero, seconds)
	case Box:
		c, outcome = collide.Sweep(shape, v, collide.AABB{Min: f.Half.Neg(), Max: f.Half}, zero, seconds)
	case Cylinder, Hull:
		c, outcome = collide.Sweep(shape, v, f.Hull, zero, seconds)
	case Mesh:
		var m collide.MeshContact
		m, outcome = collide.SweepMesh(shape, v, f.Mesh, zero, seconds)
		c = m.Contact
	case Field:
		var m collide.MeshContact
		m, outcome = collide.SweepHeightField(shape, v, f.Field, zero, seconds)
		c = m.Contact
	case Plane:
	default:
		panic(unknownKind)
	}
	return f.contactToWorld(c, t), outcome
}

// planeAt returns the plane of a surface of that kind at time t.
func (f *Surface) planeAt(t float64) collide.Plane {
	return collide.Plane{Normal: f.Plane.Normal, Distance: f.Plane.Distance + float64(f.rate*t)}
}

// staysAway is a quick test whether a capsule in the polygon's frame, which moves at v, certainly
// doesn't touch the polygon's plane.
func (f *Surface) staysAway(c *collide.Capsule, v collide.Vec3, seconds float64) bool {
	n := f.Plane.Normal
	a, b, rise := n.Dot(c.A)-f.Plane.Distance, n.Dot(c.B)-f.Plane.Distance, float64(n.Dot(v)*seconds)
	low, high := min(a, b)+min(0, rise), max(a, b)+max(0, rise)
	reach := c.Radius + f.margin +
		float64(roundingShare*(c.A.SumAbs()+c.B.SumAbs()+c.Radius+math.Abs(rise)+float64(v.SumAbs()*seconds)))
	return low > reach || high < -reach
}

// stops reports whether a one-sided polygon stops a shape in its frame that touches it with normal
// n: the given middle of the shape is in front of it, and so is the normal.
func (f *Surface) stops(middle, n collide.Vec3) bool {
	return f.Plane.Normal.Dot(middle) >= f.Plane.Distance && f.Plane.Normal.Dot(n) >= -faceTilt
}
