package components

import (
	"fmt"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// FieldError reports an invalid value of a component or of systems.Config.
type FieldError struct {
	Component string // name of the component, such as "Transform"
	Field     string // name of the field, such as "Position"
	Value     any    // the invalid value
	Reason    string // what is wrong with the value, such as "is not finite"
}

// Error returns one line such as "SphereCollider.Radius -1 is not positive".
func (e *FieldError) Error() string {
	value := e.Value
	if entity, ok := value.(donburi.Entity); ok { // as in other errors about entities
		value = fmt.Sprintf("(entity %d)", entity.Id())
		if entity == donburi.Null {
			value = "(none)"
		}
	}
	return fmt.Sprintf("%s.%s %v %s", e.Component, e.Field, value, e.Reason)
}

// check returns nil if ok is true, and a *FieldError otherwise. It never returns a typed nil.
func check(ok bool, component, field string, value any, reason string) error {
	if ok {
		return nil
	}
	return &FieldError{component, field, value, reason}
}

// finite reports whether x is neither NaN nor infinite.
func finite(x float64) bool { return x-x == 0 }

// MaxCoordinate is the largest coordinate, length (in metres) and speed (in metres per second).
// Beyond it a float64 no longer resolves a ten-millionth of a metre, and squares of differences
// lose the digits that sweeps need.
const MaxCoordinate = 1e9

// within reports whether the absolute value of every component of v is at most MaxCoordinate.
func within(v collide.Vec3) bool {
	return math.Abs(v.X) <= MaxCoordinate && math.Abs(v.Y) <= MaxCoordinate && math.Abs(v.Z) <= MaxCoordinate
}

// notFinite is the reason of errors about coordinates, lengths and speeds: see MaxCoordinate.
const notFinite = "is not finite, or is beyond 1e9"
