package components

import (
	"fmt"
	"math"

	"github.com/dango-physics/dango/collide"
)

// FieldError says which field of a component holds a value that physics cannot work with.
type FieldError struct {
	Component string // the component's name, such as "Transform"
	Field     string // the field's name, such as "Position"
	Value     any    // what it holds
	Reason    string // what is wrong with it, such as "is not finite"
}

// Error returns one line such as "SphereCollider.Radius -1 is not positive".
func (e *FieldError) Error() string {
	return fmt.Sprintf("%s.%s %v %s", e.Component, e.Field, e.Value, e.Reason)
}

// check returns nil where ok holds, and the error otherwise. It never returns a typed nil.
func check(ok bool, component, field string, value any, reason string) error {
	if ok {
		return nil
	}
	return &FieldError{component, field, value, reason}
}

// finite reports whether x is neither NaN nor infinite.
func finite(x float64) bool { return x-x == 0 }

// MaxCoordinate bounds positions, lengths and speeds, in metres and metres per second: beyond it a
// float64 no longer resolves a millionth of a metre, and squares of differences lose what the
// sweeps need.
const MaxCoordinate = 1e9

// within reports whether every component of v is a number of at most MaxCoordinate in size.
func within(v collide.Vec3) bool {
	return math.Abs(v.X) <= MaxCoordinate && math.Abs(v.Y) <= MaxCoordinate && math.Abs(v.Z) <= MaxCoordinate
}

const (
	notFinite = "is not finite or beyond 1e9"
)
