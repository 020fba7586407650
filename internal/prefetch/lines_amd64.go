//go:build amd64 && !purego

package prefetch

import "unsafe"

// Works says whether Lines does anything on this processor.
const Works = true

// Lines starts to load the cache lines at these places, which may be nil, and returns at once.
//
//go:noescape
func Lines(places ...unsafe.Pointer)
