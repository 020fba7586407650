// Package read has what the readers of all formats share: what properties mean, shapes in the
// plane, and tiles that become outlines.
package read

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/levels"
)

// Settings are what the properties of an object say about its collider. They are comparable, so
// that tiles with the same ones can be merged.
type Settings struct {
	Kind            levels.Kind
	Chosen          bool // Kind was set, and isn't the zero value by default
	Class           string
	Material        components.MaterialData
	Filter          components.CollisionFilterData
	SurfaceVelocity collide.Vec3
	Kinematic       bool
}

// HasNoCollider reports whether a level only lists what is in it, which is hardly what was meant.
func HasNoCollider(l *levels.Level) bool {
	return !slices.ContainsFunc(l.Objects, func(o levels.ObjectData) bool { return o.Kind != levels.None })
}

// kinds are the kinds. Their words may be in upper and lower case.
var kinds = []levels.Kind{levels.None, levels.Solid, levels.OneWay, levels.Trigger}

func kindOf(word string) (levels.Kind, bool) {
	i := slices.IndexFunc(kinds, func(k levels.Kind) bool { return strings.EqualFold(k.String(), word) })
	return levels.Kind(max(i, 0)), i >= 0
}

// Reader converts what a file says to the world's units and frame.
type Reader struct {
	Options levels.Options
	Flat    bool // the format is 2D, with Y down
}

// Inherit returns the settings of an object with this class and these properties, which belongs to
// something with the settings base. Class is not inherited.
func (r *Reader) Inherit(base Settings, class string, p levels.Properties) (Settings, error) {
	s := base
	s.Class = ""
	if k, ok := kindOf(class); ok {
		s.Kind, s.Chosen = k, true
	} else {
		s.Class = class
	}
	if value, ok := p["collider"]; ok {
		k, ok := kindOf(fmt.Sprint(value))
		if !ok {
			return s, fmt.Errorf("property collider is %#v, and not one of %v", value, kinds)
		}
		s.Kind, s.Chosen = k, true
	}
	if value, ok := p["material"]; ok {
		m, ok := r.Options.Materials[fmt.Sprint(value)]
		if !ok {
			return s, fmt.Errorf("property material is %#v, which Options.Materials doesn't have", value)
		}
		s.Material = m
	}
	numbers := []struct {
		name string
		to   *float64
	}{
		{"restitution", &s.Material.Restitution},
		{"friction", &s.Material.Friction},
		{"staticFriction", &s.Material.StaticFriction},
		{"rollingResistance", &s.Material.RollingResistance},
		{"spinningResistance", &s.Material.SpinningResistance},
	}
	for _, n := range numbers {
		if err := number(p, n.name, n.to); err != nil {
			return s, err
		}
	}
	if err := s.Material.Validate(); err != nil {
		return s, err
	}
	v := collide.Vec3{}
	for _, n := range []struct {
		name string
		to   *float64
	}{{"surfaceVelocityX", &v.X}, {"surfaceVelocityY", &v.Y}, {"surfaceVelocityZ", &v.Z}} {
		if err := number(p, n.name, n.to); err != nil {
			return s, err
		}
	}
	if v != (collide.Vec3{}) {
		s.SurfaceVelocity = r.Direction(v)
		if s.SurfaceVelocity.MaxAbs() > components.MaxCoordinate {
			return s, fmt.Errorf("property surfaceVelocity is %v, beyond 1e9", s.SurfaceVelocity)
		}
	}
	for _, n := range []struct {
		name string
		to   *uint32
	}{{"layers", &s.Filter.Layers}, {"mask", &s.Filter.Mask}} {
		bits := float64(*n.to)
		if err := number(p, n.name, &bits); err != nil {
			return s, err
		}
		if bits < 0 || bits > math.MaxUint32 || bits != math.Trunc(bits) {
			return s, fmt.Errorf("property %s is %v, and not 32 bits", n.name, bits)
		}
		*n.to = uint32(bits)
	}
	if value, ok := p["kinematic"]; ok {
		if s.Kinematic, ok = value.(bool); !ok {
			return s, fmt.Errorf("property kinematic is %#v, and not true or false", value)
		}
	}
	return s, nil
}

// number stores a property if there is one.
func number(p levels.Properties, name string, to *float64) error {
	value, ok := p[name]
	if !ok {
		return nil
	}
	x, ok := value.(float64)
	if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Errorf("property %s is %#v, and not a number", name, value)
	}
	*to = x
	return nil
}

// Apply sets what Create attaches to a collider.
func (s Settings) Apply(o *levels.ObjectData) {
	o.Kind, o.Class = s.Kind, s.Class
	o.Material, o.Filter = s.Material, s.Filter
	o.SurfaceVelocity, o.Kinematic = s.SurfaceVelocity, s.Kinematic
}

// unit returns the number of the file's units in one of the world.
func (r *Reader) unit() float64 {
	if r.Options.Unit == 0 {
		return 1
	}
	return r.Options.Unit
}

// Direction converts a difference of two points of the file.
func (r *Reader) Direction(v collide.Vec3) collide.Vec3 {
	if r.Flat && r.Options.YUp {
		v.Y = -v.Y
	}
	u := r.unit()
	return collide.Vec3{X: v.X / u, Y: v.Y / u, Z: v.Z / u}
}

// Point converts a point of the file.
func (r *Reader) Point(v collide.Vec3) collide.Vec3 { return r.Options.Origin.Add(r.Direction(v)) }

// Up returns 1 if Y points up in the world, and -1 if it points down.
func (r *Reader) Up() float64 {
	if r.Flat && !r.Options.YUp {
		return -1
	}
	return 1
}

// Turn converts an angle of the file in degrees, clockwise as one looks at the map.
func (r *Reader) Turn(degrees float64) collide.Quat {
	if degrees == 0 {
		return collide.Quat{}
	}
	return collide.RotationBy(collide.Vec3{Z: -r.Up() * degrees * (math.Pi / 180)})
}
