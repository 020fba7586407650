package systems

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/yohamta/donburi"
)

// EntityError says why an entity takes no part in steps, that a field of [Config] is out of its
// range, or that a [Physics] has returned to a world that it stepped before another one.
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
// an error takes no part until its components are valid.
func (p *Physics) Errors() iter.Seq[EntityError] { return slices.Values(p.errors) }
