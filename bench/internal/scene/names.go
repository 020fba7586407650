package scene

import (
	"fmt"
	"strconv"
	"strings"
)

// kinds are the scenes by name, in the order that tables list them.
var kinds = []struct {
	name string
	size int // if none is given
	make func(n int, seed uint64) *Scene
}{
	{"gas", 10_000, Gas},
	{"gas2d", 10_000, Gas2D},
	{"mix", 10_000, Mix},
	{"decades", 10_000, Decades},
	{"giants", 10_000, Giants},
	{"sparse", 10_000, Sparse},
	{"dense", 10_000, Dense},
	{"corner", 10_000, Corner},
	{"bullets", 1000, Bullets},
	{"still", 100_000, Still},
	{"level", 100_000, Level},
	{"pile", 1000, func(n int, seed uint64) *Scene { return Pile(n, 0, seed) }},
	{"rain", 1000, func(n int, seed uint64) *Scene { return Pile(n, 0.5, seed) }},
}

// Names returns the names that [Named] accepts, in the order of tables.
func Names() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// Named returns a scene by its name, with or without a number of things, such as gas:1000. It is
// the same scene each time.
func Named(spec string) (*Scene, error) {
	name, size, sized := strings.Cut(spec, ":")
	for _, k := range kinds {
		if k.name != name {
			continue
		}
		n := k.size
		if sized {
			var err error
			if n, err = strconv.Atoi(size); err != nil || n < 1 || n > maxSpheres {
				return nil, fmt.Errorf("scene %q: %q is not a whole number from 1 to %d", spec, size, maxSpheres)
			}
		}
		if name == "bullets" && n > mostBullets {
			return nil, fmt.Errorf("scene %q: there is room for %d bullets", spec, mostBullets)
		}
		return k.make(n, 1), nil
	}
	return nil, fmt.Errorf("no scene is called %q; there are %s", name, strings.Join(Names(), ", "))
}
