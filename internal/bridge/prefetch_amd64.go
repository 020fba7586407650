//go:build amd64 && !purego

package bridge

const canPrefetch = true

// prefetch starts to load the cache lines at these places, which may be nil, and returns at once.
//
//go:noescape
func prefetch(places []pointer)
