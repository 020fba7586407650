//go:build amd64 && !purego

package collide

import "unsafe"

// prefetchLines starts loading the cache lines at four addresses.
//
//go:noescape
func prefetchLines(a, b, c, d unsafe.Pointer)
