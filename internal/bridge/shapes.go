package bridge

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/grow"
	"github.com/dango-physics/dango/internal/solver"
)

// An entity with a ShapeCollider has a surface for its shape, or one for each part of a compound.
// The first one has the entity's handle; the others are parts of it, and the solver reports all of
// them as that one.

// shapeSource is what the surfaces of a ShapeCollider were made of, for comparison.
type shapeSource struct {
	shape collide.Shape
	parts []components.ShapePart // compared by address
	more  []int32                // the surfaces of the other parts
}

// isFrom reports whether the surfaces were made of d. Shapes are compared as values or pointers,
// parts by the address of the slice.
func (s *shapeSource) isFrom(d *components.ShapeColliderData) bool {
	return len(s.parts) == len(d.Parts) && unsafe.SliceData(s.parts) == unsafe.SliceData(d.Parts) && s.shape == d.Shape
}

// compareShapes gives the handle none to the rows of a block whose shapes have changed.
func (b *Bridge) compareShapes(t *table, rows *rowBlock) {
	for i, at := range t.cols[colShape][rows.from:rows.to] {
		i &= blockRows - 1
		if rows.handles[i] == none {
			continue
		}
		if k := rows.handles[i].Surface(); !b.registry.shapes[k].isFrom((*components.ShapeColliderData)(at)) {
			rows.handles[i] = none
		}
	}
}

// readShape copies an entity with a ShapeCollider into the space. like has what all of its surfaces
// have in common.
func (b *Bridge) readShape(k *record, c *common, d *components.ShapeColliderData, like solver.Surface) error {
	r := &b.registry
	one := [1]components.ShapePart{{Shape: d.Shape}}
	parts := d.Parts
	if len(parts) == 0 {
		parts = one[:]
	}
	facets := 0
	for i := range parts {
		facets += facetsOf(parts[i].Shape)
	}
	if err := b.checkFacets(k, facets); err != nil {
		return err
	}
	b.enterSpace(k, true)
	first := k.handle.Surface()
	r.shapes = grow.Extend(r.shapes, int(first)+1)
	if n := len(parts) - 1; n != len(r.shapes[first].more) {
		b.setParts(k, n)
	}
	kept := r.shapes[first].isFrom(d)
	for i := range parts {
		surface := first
		if i > 0 {
			surface = r.shapes[first].more[i-1]
		}
		r.surfaceState = grow.Extend(r.surfaceState, int(surface)+1)
		was := r.surfaceState[surface]
		f := like
		placeShape(&f, &parts[i], c.transform, kept, &was)
		if k.kind == components.Kinematic || was != f {
			b.space.SetSurface(surface, f)
		}
		if i > 0 {
			b.space.SetPart(surface, first)
		}
		r.surfaceState[surface] = f
	}
	r.shapes[first].shape, r.shapes[first].parts = d.Shape, d.Parts
	if k.kind == components.Kinematic && len(parts) > 1 && !c.grouped {
		b.addGroup(k.entity) // so that all parts slow down and stop as one
	}
	return nil
}

// checkFacets returns an error if there are more facets than the solver has numbers for.
func (b *Bridge) checkFacets(k *record, facets int) error {
	if facets == 0 {
		return nil
	}
	others := b.space.Facets()
	if k.handle != none && k.handle.IsSurface() {
		b.eachPart(k.handle.Surface(), func(surface int32) { others -= b.registry.surfaceState[surface].Facets() })
	}
	if others+facets > solver.MaxFacets {
		return &components.FieldError{
			Component: "ShapeCollider", Field: "Shape", Value: facets,
			Reason: "triangles are too many: all meshes and height fields of a world may have 1,040,187,392 in all",
		}
	}
	return nil
}

// facetsOf returns the number of facets of a shape.
func facetsOf(shape collide.Shape) int {
	switch s := shape.(type) {
	case *collide.Mesh:
		return s.Triangles()
	case *collide.HeightField:
		return s.Triangles()
	}
	return 0
}

// setParts gives an entity's first surface n more surfaces.
func (b *Bridge) setParts(k *record, n int) {
	r := &b.registry
	first := k.handle.Surface()
	b.dropParts(first)
	for range n {
		surface := b.space.AddSurface()
		r.surfaceState = grow.Extend(r.surfaceState, int(surface)+1)
		r.surfaceState[surface] = solver.Surface{}
		r.shapes[first].more = append(r.shapes[first].more, surface)
		r.bind(solver.SurfaceHandle(surface), k.entity)
	}
}

// dropParts removes all surfaces of an entity but the first one from the space.
func (b *Bridge) dropParts(first int32) {
	if int(first) >= len(b.registry.shapes) {
		return
	}
	of := &b.registry.shapes[first]
	for _, surface := range of.more {
		b.space.RemoveSurface(surface)
	}
	*of = shapeSource{more: of.more[:0]}
}

// eachPart calls do with all surfaces of the entity whose first one is given.
func (b *Bridge) eachPart(first int32, do func(surface int32)) {
	do(first)
	if int(first) < len(b.registry.shapes) {
		for _, surface := range b.registry.shapes[first].more {
			do(surface)
		}
	}
}

// placeShape sets the shape of f to a part of an entity with the given transform. was is what the
// surface was before, and kept says whether the part is the same one.
func placeShape(
	f *solver.Surface, of *components.ShapePart, transform *components.TransformData, kept bool, was *solver.Surface,
) {
	turn := plain(transform.Rotation)
	f.Offset = transform.Position.Add(turn.Rotate(of.Position))
	turn = plain(turn.Mul(plain(of.Rotation)))
	frame := turn // of capsules and cylinders, whose points are rotated here unless the space does it
	if f.Turning.On {
		f.Rotation, frame = turn, collide.Quat{}
	}
	switch s := of.Shape.(type) {
	case collide.Box:
		f.Half = s.Half
		f.Offset = f.Offset.Add(turn.Rotate(s.Center))
		f.Rotation = plain(turn.Mul(plain(s.Rotation)))
	case collide.AABB:
		f.Half = s.Size().Scale(0.5)
		f.Offset = f.Offset.Add(turn.Rotate(s.Center()))
		f.Rotation = turn
	case collide.Sphere:
		f.Capsule = collide.Capsule{Radius: s.Radius}
		f.Offset = f.Offset.Add(turn.Rotate(s.Center))
	case collide.Capsule:
		f.Capsule = collide.Capsule{A: frame.Rotate(s.A), B: frame.Rotate(s.B), Radius: s.Radius}
	case collide.Cylinder:
		f.Capsule = collide.Capsule{A: frame.Rotate(s.A), B: frame.Rotate(s.B), Radius: s.Radius}
		f.FlatEnds = true
		if f.Hull = was.Hull; !kept || was.Hull == nil || was.Capsule != f.Capsule {
			// Validate has checked that it has a length.
			f.Hull, _ = collide.Cylinder{A: f.Capsule.A, B: f.Capsule.B, Radius: s.Radius}.Prism(prismSides)
		}
	case *collide.Hull:
		f.Hull, f.Rotation = s, turn
	case collide.PlacedHull:
		f.Hull, f.Rotation = s.Hull, turn
		f.Offset = f.Offset.Add(turn.Rotate(s.Position))
	case *collide.Mesh:
		if f.Turning.On {
			s = s.WithBothSides()
		}
		f.Mesh, f.Rotation, f.TwoSided = s, turn, s.TwoSided()
	case *collide.HeightField:
		if f.Turning.On {
			s = s.WithBothSides()
		}
		f.Field, f.Rotation, f.TwoSided = s, turn, s.TwoSided()
	default:
		panic(fmt.Sprintf("bridge: placeShape doesn't know a %T, which components accepts", s))
	}
}

// prismSides is the number of sides of the prism that stands for a cylinder in casts of other
// shapes than spheres. With more, they take longer; with fewer, the prism is wider: 2 % with 16.
const prismSides = 16

// plain returns a rotation with length 1, and the zero value for none, so that nothing is rounded.
func plain(q collide.Quat) collide.Quat {
	if q == (collide.Quat{}) || q.X == 0 && q.Y == 0 && q.Z == 0 {
		return collide.Quat{}
	}
	if math.Abs(q.LengthSquared()-1) > 0x1p-50 {
		return q.Normalized()
	}
	return q
}
