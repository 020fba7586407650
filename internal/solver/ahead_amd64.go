//go:build amd64 && !purego

package solver

import "unsafe"

const canFetch = true

// fetch lets the processor bring the cache line of p, which may be nil, while the program goes on.
//
//go:noescape
func fetch(p unsafe.Pointer)
