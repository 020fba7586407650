//go:build amd64 && !purego

package solver

import "unsafe"

// fly is flyPlain.
//
//go:noescape
func fly(ids, index []int32, bodies []body, all []flags, mask int, positions, velocities []unsafe.Pointer) int

// land is landPlain. It lets the processor bring the bodies of next, of which there are as many as of ids, and what is so many places ahead.
//
//go:noescape
func land(ids, next, index []int32, bodies []body, all []flags, positions, velocities []unsafe.Pointer, ahead int, states []State) int

// bring lets the processor bring these bodies while the program goes on.
//
//go:noescape
func bring(ids, index []int32, bodies []body)
