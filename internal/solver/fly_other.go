//go:build !amd64 || purego

package solver

import "unsafe"

func fly(ids, index []int32, bodies []body, all []flags, mask int, positions, velocities []unsafe.Pointer) int {
	return flyPlain(ids, index, bodies, all, mask, positions, velocities)
}

func land(ids, _, index []int32, bodies []body, all []flags, positions, velocities []unsafe.Pointer, _ int, states []State) int {
	return landPlain(ids, index, bodies, all, positions, velocities, states)
}

func bring(_, _ []int32, _ []body) {}
