package systems

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/yohamta/donburi"
)

// EntityError says why an entity, or only its Motor or CharacterController, takes no part in steps,
// that a value of [Config] or of a [ContactRule] is out of its range, or that a [Physics] has
// returned to a world that it stepped before another one.
type EntityError struct {
	Entity donburi.Entity // donburi.Null for an error of no entity
	Err    error          // a *[components.FieldError], or several joined
}

// Error returns one line with the entity and its errors, such as "entity 7: SphereCollider.Radius
// -1 is not positive". Several errors are joined by semicolons.
func (e EntityError) Error() string {
	what := strings.ReplaceAll(e.Err.Error(), "\n", "; ")
	if e.Entity == donburi.Null {
		return what
	}
	return fmt.Sprintf("entity %d: %s", e.Entity.Id(), what)
}

// Unwrap returns Err.
func (e EntityError) Unwrap() error { return e.Err }

// Errors returns the errors found when the last step or [Physics.Sync] read the world: first those
// of the Config and of the world, then those of entities, in the order of entities. An entity with
// an error takes no part until its components are valid; with an error of its [components.Motor] or
// [components.CharacterController] alone, only that takes no part.
func (p *Physics) Errors() iter.Seq[EntityError] { return slices.Values(p.errors) }
