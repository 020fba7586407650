//go:build !amd64 || purego

package solver

import "unsafe"

const canPrefetch = false

func prefetchLines(_, _, _, _ unsafe.Pointer) {}
