package systems

import (
	"fmt"

	"github.com/yohamta/donburi"
)

// EntityError says why physics leaves an entity out.
type EntityError struct {
	Entity donburi.Entity
	Err    error // one or several [components.FieldError], joined
}

// Error returns the entity and what is wrong with it.
func (e EntityError) Error() string { return fmt.Sprintf("entity %d: %v", e.Entity.Id(), e.Err) }

// Unwrap returns Err.
func (e EntityError) Unwrap() error { return e.Err }

// Errors returns what was wrong in the last step, in the order of entities.
func (p *Physics) Errors() []EntityError { return nil }
