//go:build amd64 && !purego

package systems

const canFetch = true

// fetch lets the processor bring the cache lines of all these places, which may be nil, while the program goes on.
//
//go:noescape
func fetch(places []pointer)
