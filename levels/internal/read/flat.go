package read

import (
	"errors"
	"fmt"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/levels/internal/outline"
)

// Outline is a shape that was drawn in the plane, in the units and the frame of the file.
type Outline struct {
	Form          Form
	Points        []collide.Vec3 // of a polygon or a line, relative to X, Y
	X, Y          float64        // upper left corner, or the origin of points
	Width, Height float64
	Degrees       float64 // rotation about X, Y, clockwise
}

// Form is what an Outline is.
type Form uint8

// The forms. The zero value is a rectangle, which is a point if it has no size.
const (
	Rectangle Form = iota
	Ellipse
	Polygon
	Line
)

// ellipseCorners is the number of corners of an ellipse that is no circle.
const ellipseCorners = 24

// Corners returns the corners of an outline in the file's frame.
func (f *Outline) Corners() []collide.Vec3 {
	var points []collide.Vec3
	switch f.Form {
	case Rectangle:
		points = []collide.Vec3{{}, {X: f.Width}, {X: f.Width, Y: f.Height}, {Y: f.Height}}
	case Ellipse:
		for i := range ellipseCorners {
			d := collide.RotationBy(collide.Vec3{Z: 2 * math.Pi / ellipseCorners * float64(i)}).
				Rotate(collide.Vec3{X: 0.5})
			points = append(points, collide.Vec3{X: float64(f.Width * (0.5 + d.X)), Y: float64(f.Height * (0.5 + d.Y))})
		}
	case Polygon, Line:
		points = append(points, f.Points...)
	}
	turn := collide.Quat{}
	if f.Degrees != 0 {
		turn = collide.RotationBy(collide.Vec3{Z: f.Degrees * (math.Pi / 180)})
	}
	for i, p := range points {
		points[i] = turn.Rotate(p).Add(collide.Vec3{X: f.X, Y: f.Y})
		points[i].Z = 0
	}
	return points
}

// errFlatShape says what a collider needs.
var errFlatShape = errors.New("a collider needs a width and a height")

// Objects returns the objects of an outline: one, or for a one-way platform one for each edge that
// faces up. The rest of o must have been set.
func (r *Reader) Objects(o levels.ObjectData, f *Outline) ([]levels.ObjectData, error) {
	if err := f.validate(); err != nil {
		return nil, err
	}
	o.Rotation = r.Turn(f.Degrees)
	o.Size = r.Direction(collide.Vec3{X: f.Width, Y: f.Height})
	o.Size.Y *= -r.Up()
	o.Position = r.Point(collide.Vec3{X: f.X, Y: f.Y})
	corners := make([]collide.Vec3, 0, 4)
	for _, p := range f.Corners() {
		corners = append(corners, r.Point(p))
	}
	half := o.Size.Scale(0.5)
	switch f.Form {
	case Rectangle, Ellipse:
		o.Position = o.Position.Add(o.Rotation.Rotate(collide.Vec3{X: half.X, Y: -float64(half.Y * r.Up())}))
		if f.Width == 0 && f.Height == 0 {
			if o.Kind != levels.None {
				return nil, errFlatShape
			}
			return []levels.ObjectData{o}, nil
		}
	case Polygon, Line:
		o.Points = corners
	}
	if o.Kind == levels.OneWay {
		return r.oneWay(o, corners, f.Form == Line)
	}
	shape, err := r.shape(&o, f, corners)
	if err != nil && o.Kind != levels.None {
		return nil, err
	}
	if err == nil {
		o.Shape = shape
	}
	return []levels.ObjectData{o}, nil
}

func (f *Outline) validate() error {
	finite := func(x float64) bool { return x >= -1e9 && x <= 1e9 }
	ok := finite(f.X) && finite(f.Y) && finite(f.Width) && finite(f.Height) && finite(f.Degrees)
	for _, p := range f.Points {
		ok = ok && finite(p.X) && finite(p.Y)
	}
	if !ok {
		return errors.New("a coordinate is not finite, or beyond 1e9")
	}
	if f.Width < 0 || f.Height < 0 {
		return fmt.Errorf("its size %v x %v is negative", f.Width, f.Height)
	}
	return nil
}

// shape returns the shape of o in the frame of its Position and Rotation.
func (r *Reader) shape(o *levels.ObjectData, f *Outline, corners []collide.Vec3) (collide.Shape, error) {
	if f.Form == Rectangle || f.Form == Ellipse {
		half := o.Size.Scale(0.5)
		switch {
		case f.Width == 0 || f.Height == 0:
			return nil, errFlatShape
		case f.Form == Rectangle:
			return collide.NewBox2D(collide.Vec3{}, half.X, half.Y, 0), nil
		case f.Width == f.Height:
			return collide.Sphere{Radius: half.X}, nil
		}
	}
	// What has points is in the world's frame already, but for its position.
	o.Rotation = collide.Quat{}
	points := make([]collide.Vec3, len(corners))
	for i, p := range corners {
		points[i] = p.Sub(o.Position)
	}
	if f.Form == Line {
		return collide.NewChain2D(points, collide.MeshOptions{TwoSided: true})
	}
	mesh, err := collide.NewPolygon2D(points, collide.MeshOptions{})
	if err != nil {
		return nil, err
	}
	if isConvex(points) {
		return collide.NewHull2D(points)
	}
	if o.Kind == levels.Trigger {
		return nil, errors.New("a trigger has to be convex")
	}
	return mesh, nil
}

// isConvex reports whether a simple polygon has no corner that is concave.
func isConvex(points []collide.Vec3) bool {
	n := len(points)
	seen := [3]bool{}
	for i := range points {
		a, b, c := points[i], points[(i+1)%n], points[(i+2)%n]
		above := a
		above.Z = 1 + 2*a.MaxAbs()
		seen[collide.Orientation(a, b, c, above)+1] = true
	}
	return !seen[0] || !seen[2]
}

// oneWay returns a copy of o for each edge that faces up, or for each part of a line.
func (r *Reader) oneWay(o levels.ObjectData, corners []collide.Vec3, line bool) (all []levels.ObjectData, err error) {
	o.Rotation = collide.Quat{}
	parts, err := r.upperEdges(corners, line)
	if err != nil {
		return nil, err
	}
	for _, c := range parts {
		o.Position = c[0]
		if o.Shape, err = r.sheet(collide.Vec3{}, c[1].Sub(c[0])); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	if len(all) == 0 {
		return nil, errors.New("nothing of a one-way platform faces up")
	}
	return all, nil
}

// upperEdges returns the edges of a polygon that face up, or all parts of a line.
func (r *Reader) upperEdges(points []collide.Vec3, line bool) (parts [][2]collide.Vec3, err error) {
	if !line {
		var t outline.Tracer
		t.AddFacing(points, r.Up(), 0)
		for _, c := range t.Chains() {
			parts = append(parts, pairs(c.Points)...)
		}
		return parts, nil
	}
	for _, c := range pairs(points) {
		if c[0].X == c[1].X {
			return nil, errors.New("a part of a one-way line is vertical, and faces neither up nor down")
		}
		parts = append(parts, c)
	}
	return parts, nil
}

// pairs returns the parts of a line.
func pairs(points []collide.Vec3) (parts [][2]collide.Vec3) {
	for i := 1; i < len(points); i++ {
		parts = append(parts, [2]collide.Vec3{points[i-1], points[i]})
	}
	return parts
}

// sheet returns a polygon from a to b whose front faces up.
func (r *Reader) sheet(a, b collide.Vec3) (collide.Polygon, error) {
	if (b.X > a.X) != (r.Up() < 0) {
		a, b = b, a
	}
	deep := collide.Vec3{Z: float64(4 * max(1, b.Sub(a).MaxAbs()))}
	return collide.NewPolygon(a.Sub(deep), b.Sub(deep), b.Add(deep), a.Add(deep))
}
