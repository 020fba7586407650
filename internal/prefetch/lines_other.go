//go:build !amd64 || purego

package prefetch

import "unsafe"

// Works says whether Lines does anything on this processor.
const Works = false

// Lines does nothing.
func Lines(_ ...unsafe.Pointer) {}
