package debugdraw

import (
	"image/color"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// mostTriangles is how many triangles of a mesh are drawn. More take longer than a frame.
const mostTriangles = 20000

// solid draws a shape of a ShapeCollider in the frame of at.
func (d *Drawer) solid(shape collide.Shape, at components.TransformData, clr color.RGBA) {
	place := func(p collide.Vec3) collide.Vec3 { return at.Position.Add(at.Rotation.Rotate(p)) }
	switch s := shape.(type) {
	case collide.Sphere:
		d.ball(components.TransformData{Position: place(s.Center), Rotation: at.Rotation}, s.Radius, clr)
	case collide.Capsule:
		d.capsule(collide.Capsule{A: place(s.A), B: place(s.B), Radius: s.Radius}, clr)
	case collide.Cylinder:
		d.cylinder(collide.Cylinder{A: place(s.A), B: place(s.B), Radius: s.Radius}, clr)
	case collide.Box:
		var corners [8]collide.Vec3
		for k, c := range s.Corners() {
			corners[k] = place(s.Center.Add(c))
		}
		d.boxFaces(corners, clr)
	case collide.AABB:
		var corners [8]collide.Vec3
		for k := range corners {
			p := s.Min
			if k&1 != 0 {
				p.X = s.Max.X
			}
			if k&2 != 0 {
				p.Y = s.Max.Y
			}
			if k&4 != 0 {
				p.Z = s.Max.Z
			}
			corners[k] = place(p)
		}
		d.boxFaces(corners, clr)
	case *collide.Hull:
		d.hull(s, place, clr)
	case collide.PlacedHull:
		d.hull(s.Hull, func(p collide.Vec3) collide.Vec3 { return place(p.Add(s.Position)) }, clr)
	case *collide.Mesh:
		for k := range min(s.Triangles(), mostTriangles) {
			c := s.Facet(k).Corners()
			d.face([]collide.Vec3{place(c[0]), place(c[1]), place(c[2])}, clr)
		}
	case *collide.HeightField:
		d.terrain(s, place, clr)
	case nil: // a compound, of which only the parts are drawn
	default: // a shape that is new
		d.solid(shape.Bounds(), at, clr)
	}
}

// boxFaces draws the faces of a box, given its corners in the order of [collide.Box.Corners].
func (d *Drawer) boxFaces(c [8]collide.Vec3, clr color.RGBA) {
	for _, f := range [6][4]int{{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}} {
		d.face([]collide.Vec3{c[f[0]], c[f[1]], c[f[2]], c[f[3]]}, clr)
	}
}

// hull draws a convex hull.
func (d *Drawer) hull(h *collide.Hull, place func(p collide.Vec3) collide.Vec3, clr color.RGBA) {
	for k := range h.Faces() {
		var corners []collide.Vec3
		for _, i := range h.Face(k) {
			corners = append(corners, place(h.Corner(int(i))))
		}
		d.face(corners, clr)
	}
}

// face draws a flat face: its edges, or in a flat world the line in which it cuts the plane z = 0.
func (d *Drawer) face(corners []collide.Vec3, clr color.RGBA) {
	if !d.canvas.isFlat() {
		for k := range corners {
			d.canvas.line(corners[k], corners[(k+1)%len(corners)], clr)
		}
		return
	}
	if cuts := cutsOf(corners); len(cuts) > 1 {
		d.canvas.line(cuts[0], cuts[1], clr)
	}
}

// cylinder draws a cylinder.
func (d *Drawer) cylinder(p collide.Cylinder, clr color.RGBA) {
	axis, ok := p.B.Sub(p.A).Normalized()
	if !ok {
		return
	}
	if d.canvas.isFlat() {
		if axis.Z*axis.Z > 0.5 { // seen from its end
			d.canvas.circle(p.A, collide.Vec3{X: p.Radius}, collide.Vec3{Y: p.Radius}, clr)
			return
		}
		side := axis.Perp2D().Scale(p.Radius)
		corners := []collide.Vec3{p.A.Add(side), p.B.Add(side), p.B.Sub(side), p.A.Sub(side)}
		for k := range corners {
			d.canvas.line(corners[k], corners[(k+1)%4], clr)
		}
		return
	}
	u, ok := axis.Cross(collide.Vec3{Y: 1}).Normalized()
	if !ok {
		u = collide.Vec3{X: 1}
	}
	u = u.Scale(p.Radius)
	v := axis.Cross(u)
	for _, end := range []collide.Vec3{p.A, p.B} {
		d.canvas.circle(end, u, v, clr)
	}
	for _, side := range []collide.Vec3{u, v, u.Neg(), v.Neg()} {
		d.canvas.line(p.A.Add(side), p.B.Add(side), clr)
	}
}

// terrain draws a height field as a net.
func (d *Drawer) terrain(f *collide.HeightField, place func(p collide.Vec3) collide.Vec3, clr color.RGBA) {
	const cells = 40
	bounds := f.Bounds()
	size := bounds.Size()
	point := func(i, j int) (collide.Vec3, bool) {
		// A little inside, because bounds are rounded outwards.
		x := bounds.Min.X + size.X*(0.0005+0.999*float64(i)/cells)
		z := bounds.Min.Z + size.Z*(0.0005+0.999*float64(j)/cells)
		y, ok := f.Height(x, z)
		return place(collide.Vec3{X: x, Y: y, Z: z}), ok
	}
	for i := range cells + 1 {
		for j := range cells + 1 {
			p, ok := point(i, j)
			for _, next := range [2][2]int{{i + 1, j}, {i, j + 1}} {
				if q, also := point(next[0], next[1]); ok && also && next[0] <= cells && next[1] <= cells {
					d.canvas.line(p, q, clr)
				}
			}
		}
	}
}
