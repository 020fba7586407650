package levels

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"strconv"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// Kind says what an object is to physics.
type Kind uint8

// The kinds. The zero value is None.
const (
	None    Kind = iota // no collider: a spawn point, a path, decoration
	Solid               // it stops bodies
	OneWay              // it stops bodies and characters that come from above
	Trigger             // it stops nothing, and reports everything that enters and leaves it
)

// String returns the name of the kind, as in the property "collider".
func (k Kind) String() string {
	switch k {
	case None:
		return "none"
	case Solid:
		return "solid"
	case OneWay:
		return "oneway"
	case Trigger:
		return "trigger"
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// Options are the options that all formats have. The zero value keeps the file's units, and
// positions with Y down for 2D formats.
type Options struct {
	// Unit is how many units of the file (pixels of a 2D level, metres of glTF) make one of the
	// world: 16 if tiles of 16 pixels shall be 1 m wide. 0 stands for 1.
	Unit float64

	// Origin is where the file's origin is in the world. That of a 2D level is its upper left
	// corner.
	Origin collide.Vec3

	// YUp makes Y of a 2D level point up, so that the level lies below Origin. It has no effect on
	// glTF, in which Y always points up.
	YUp bool

	// Materials are what the property "material" may name.
	Materials map[string]components.MaterialData
}

// Validate returns an error that names every invalid field, or nil.
func (o Options) Validate() error {
	var errs []error
	if o.Unit != 0 && !(o.Unit > 0 && o.Unit <= components.MaxCoordinate) {
		errs = append(errs, fmt.Errorf("levels: Options.Unit %v is not positive, or above 1e9", o.Unit))
	}
	if !(o.Origin.MaxAbs() <= components.MaxCoordinate) {
		errs = append(errs, fmt.Errorf("levels: Options.Origin %v is not finite, or beyond 1e9", o.Origin))
	}
	for name, m := range o.Materials {
		if err := m.Validate(); err != nil {
			errs = append(errs, fmt.Errorf("levels: Options.Materials[%q]: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// ObjectData is an object of a level, in the world's units and frame.
type ObjectData struct {
	Name  string // as in the file; may be empty
	Class string // class in Tiled, identifier of the entity in LDtk, property "class" in glTF
	Layer string // its layer, with the layers above it: "Level_0/Ground"; in glTF its parents
	ID    string // what the file calls it; empty for tiles
	Kind  Kind

	// Position is the centre of a rectangle, an ellipse or a tile, the point of a point, and
	// elsewhere the origin of the object in the file. What is one-way becomes an object for each
	// straight part of its upper side, with an end of that as the Position.
	Position collide.Vec3
	Rotation collide.Quat
	Size     collide.Vec3 // of the rectangle that was drawn; zero for a point

	// Shape is its shape in the frame of Position and Rotation, nil for a point. It is a
	// [collide.Polygon] if Kind is OneWay.
	Shape collide.Shape

	// Points are the corners of a polygon, or the points of a line, in the world's frame.
	Points []collide.Vec3

	Properties Properties

	// What Create attaches to a collider, besides Transform and collider.
	Material        components.MaterialData        // unless zero
	Filter          components.CollisionFilterData // unless zero
	SurfaceVelocity collide.Vec3                   // unless zero; metres per second
	Kinematic       bool                           // it has a Velocity
	Constant        bool                           // nothing of it ever changes, as that of tiles
}

// Level is what a file describes.
type Level struct {
	Bounds  collide.AABB // of the map in 2D, of all meshes in 3D
	Objects []ObjectData // in the order of the file, tiles first

	// Warnings are about what is probably a mistake of the level's author, such as T-junctions of a
	// mesh, or no colliders at all.
	Warnings []error
}

// Find returns the first object with this name, or an error that lists the names that there are.
func (l *Level) Find(name string) (*ObjectData, error) {
	var names []string
	for i := range l.Objects {
		if o := &l.Objects[i]; o.Name == name {
			return o, nil
		} else if o.Name != "" {
			names = append(names, o.Name)
		}
	}
	if names == nil {
		return nil, fmt.Errorf("levels: there is no object %q, and none that has a name", name)
	}
	return nil, fmt.Errorf("levels: there is no object %q; there are %q", name, names)
}

// OfClass returns all objects of a class, in the order of the file.
func (l *Level) OfClass(class string) iter.Seq[*ObjectData] {
	return func(yield func(*ObjectData) bool) {
		for i := range l.Objects {
			if l.Objects[i].Class == class && !yield(&l.Objects[i]) {
				return
			}
		}
	}
}

// Properties are the custom properties of an object: strings, float64 and bool, and whatever else
// the file has. Use its methods, which report values of another type as missing.
type Properties map[string]any

// Text returns a text, or "".
func (p Properties) Text(name string) string {
	s, _ := p[name].(string)
	return s
}

// Number returns a finite number, or the given one if there is none.
func (p Properties) Number(name string, otherwise float64) float64 {
	if x, ok := p[name].(float64); ok && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return x
	}
	return otherwise
}

// Bool reports whether the property is true.
func (p Properties) Bool(name string) bool {
	b, _ := p[name].(bool)
	return b
}
