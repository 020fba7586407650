//go:build amd64 && !purego

package solver

import "unsafe"

const canPrefetch = true

// prefetchLines starts loading the cache lines at four addresses.
//
//go:noescape
func prefetchLines(a, b, c, d unsafe.Pointer)
