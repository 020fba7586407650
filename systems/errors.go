package systems

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/yohamta/donburi"
)

// EntityError says why physics leaves an entity out.
type EntityError struct {
	Entity donburi.Entity // donburi.Null for a mistake in [Config]
	Err    error          // a *[components.FieldError], or several joined
}

// Error returns one line with the entity and what is wrong with it, such as "entity 7: SphereCollider.Radius -1 is not positive".
// Several mistakes are joined by semicolons.
func (e EntityError) Error() string {
	what := strings.ReplaceAll(e.Err.Error(), "\n", "; ")
	if e.Entity == donburi.Null {
		return what
	}
	return fmt.Sprintf("entity %d: %s", e.Entity.Id(), what)
}

// Unwrap returns Err.
func (e EntityError) Unwrap() error { return e.Err }

// Errors returns what was wrong when the last step or [Physics.Sync] read the world: first errors in the Config, then those of
// entities, in the order of entities. An entity with an error takes no part until its components are valid. [Stats] has their
// number.
func (p *Physics) Errors() iter.Seq[EntityError] { return slices.Values(p.errors) }
