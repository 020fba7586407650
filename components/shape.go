package components

import (
	"fmt"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// ShapeColliderData is a box, hull, cylinder, mesh, height field, capsule or sphere of package
// collide, or several of them. It is static, or kinematic if it has a Velocity. With a Velocity and
// a Body of the kind Dynamic it is dynamic: then it is one convex shape, and never rotates. If it
// is kinematic and has an [AngularVelocity], it rotates. Its SurfaceVelocity acts on all sides,
// each along its surface. One convex shape that isn't dynamic may be a [Sensor].
//
// Shapes made with constructors (hulls, meshes, height fields) are shared: any number of entities
// may have the same one, each with its own position and rotation. They are immutable, so comparing
// them with those of the last step costs no more than comparing two pointers.
type ShapeColliderData struct {
	// Shape is a [collide.Box], [collide.AABB], [*collide.Hull], [collide.PlacedHull],
	// [collide.Cylinder], [collide.Capsule], [collide.Sphere], [*collide.Mesh] or
	// [*collide.HeightField], in the frame of the Transform.
	//
	// A mesh that isn't two-sided stops only what comes from its front; see [collide.MeshOptions].
	// All others but height fields are solid.
	Shape collide.Shape

	// Parts are the parts of a compound, instead of Shape. Where parts meet they act as one
	// surface, and for contacts and queries all are one entity. To change a part, replace the
	// slice.
	Parts []ShapePart
}

// ShapePart is a part of a compound.
type ShapePart struct {
	Shape    collide.Shape // as in [ShapeColliderData]
	Position collide.Vec3  // of the part's frame in that of the Transform, metres
	Rotation collide.Quat  // of the part's frame; zero value: not turned
}

// ShapeCollider is the component type of [ShapeColliderData]. The default has no shape, which is an
// error until the game sets one.
var ShapeCollider = donburi.NewComponentType[ShapeColliderData]()

// Validate returns an error that names every invalid field, or nil.
func (d *ShapeColliderData) Validate() error {
	if len(d.Parts) == 0 {
		return validateShape("Shape", d.Shape)
	}
	if d.Shape != nil {
		return &FieldError{"ShapeCollider", "Shape", "(with Parts)", "is ambiguous: set Shape or Parts"}
	}
	for i := range d.Parts {
		// The names of fields are made for errors only: making them allocates.
		switch p := &d.Parts[i]; {
		case validateShape("", p.Shape) != nil:
			return validateShape(fmt.Sprintf("Parts[%d].Shape", i), p.Shape)
		case !within(p.Position):
			return &FieldError{"ShapeCollider", fmt.Sprintf("Parts[%d].Position", i), p.Position, notFinite}
		case !isRotation(p.Rotation):
			return &FieldError{"ShapeCollider", fmt.Sprintf("Parts[%d].Rotation", i), p.Rotation, notRotation}
		}
	}
	return nil
}

// validShapes is the advice of errors about shapes.
const validShapes = "set a box, hull, cylinder, mesh, height field, capsule or sphere"

// validateShape returns what is wrong with a shape.
func validateShape(field string, shape collide.Shape) error {
	wrong := func(what string, value any, reason string) error {
		return &FieldError{"ShapeCollider", field + what, value, reason}
	}
	positive := func(what string, x float64) error {
		switch {
		case !(x > 0):
			return wrong(what, x, "is not positive")
		case !(x <= MaxCoordinate):
			return wrong(what, x, notFinite)
		}
		return nil
	}
	points := func(names []string, all ...collide.Vec3) error {
		for i, p := range all {
			if !within(p) {
				return wrong(names[i], p, notFinite)
			}
		}
		return nil
	}
	const (
		missing = "is nil"
		noHull  = "has no corners: make it with collide.NewHull"
		noMesh  = "has no triangles: make it with collide.NewMesh"
		noField = "has no cells: make it with collide.NewHeightField"
	)
	switch s := shape.(type) {
	case nil:
		return wrong("", "(none)", "is missing: "+validShapes)
	case collide.Box:
		if err := points([]string{".Center"}, s.Center); err != nil {
			return err
		}
		if !isRotation(s.Rotation) {
			return wrong(".Rotation", s.Rotation, notRotation)
		}
		halves := [3]string{".Half.X", ".Half.Y", ".Half.Z"}
		for i, x := range [3]float64{s.Half.X, s.Half.Y, s.Half.Z} {
			if err := positive(halves[i], x); err != nil {
				return err
			}
		}
		return nil
	case collide.AABB:
		if err := points([]string{".Min", ".Max"}, s.Min, s.Max); err != nil {
			return err
		}
		if !(s.Min.X < s.Max.X && s.Min.Y < s.Max.Y && s.Min.Z < s.Max.Z) {
			return wrong("", s, "is flat or empty: Max has to be above Min along all axes")
		}
		return nil
	case collide.Sphere:
		if err := points([]string{".Center"}, s.Center); err != nil {
			return err
		}
		return positive(".Radius", s.Radius)
	case collide.Capsule:
		if err := points([]string{".A", ".B"}, s.A, s.B); err != nil {
			return err
		}
		return positive(".Radius", s.Radius)
	case collide.Cylinder:
		if err := points([]string{".A", ".B"}, s.A, s.B); err != nil {
			return err
		}
		if !(s.A.Distance(s.B) > 0) {
			return wrong(".B", s.B, "is A: a cylinder needs a length")
		}
		return positive(".Radius", s.Radius)
	case *collide.Hull:
		if s == nil {
			return wrong("", "(hull)", missing)
		}
		if s.Len() == 0 {
			return wrong("", "(hull)", noHull)
		}
	case collide.PlacedHull:
		if s.Hull == nil {
			return wrong(".Hull", "(hull)", missing)
		}
		if s.Hull.Len() == 0 {
			return wrong(".Hull", "(hull)", noHull)
		}
	case *collide.Mesh:
		if s == nil {
			return wrong("", "(mesh)", missing)
		}
		if s.Triangles() == 0 {
			return wrong("", "(mesh)", noMesh)
		}
	case *collide.HeightField:
		if s == nil {
			return wrong("", "(height field)", missing)
		}
		if s.Triangles() == 0 {
			return wrong("", "(height field)", noField)
		}
		if s.Bounds().IsEmpty() {
			return wrong("", "(height field)", "is all holes")
		}
	default:
		return wrong("", fmt.Sprintf("(%T)", shape), "is no shape that an entity can have: "+validShapes+
			"; for a flat shape take a PolygonCollider, for a line a capsule")
	}
	if b := shape.Bounds(); !within(b.Min) || !within(b.Max) {
		return wrong("", fmt.Sprintf("(%T)", shape), "has corners beyond 1e9")
	}
	return nil
}

// isRotation reports whether q has unit length or is zero.
func isRotation(q collide.Quat) bool {
	return q == (collide.Quat{}) || math.Abs(q.LengthSquared()-1) <= rotationSlack
}

// notRotation is the reason of errors about rotations.
const notRotation = "is not of unit length"
