//go:build amd64 && !purego

package solver

import (
	"slices"

	"golang.org/x/sys/cpu"
)

// hasAVX2 is whether amongFour runs here. It computes the same as among, four bodies at a time, to the bit.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT

// amongFour writes to out those of n bodies that come within touch, and returns how many. It reads up to three more of near,
// which have to be bodies, and writes up to four places more of out.
//
//go:noescape
func amongFour(q *query, bodies *body, near *int32, n int, out *int32) int

// packs says for each set of four lanes which bytes of them come next to each other.
//
//lint:ignore U1000 assembly reads it
var packs = func() (p [16][16]uint8) {
	for set := range 16 {
		n := 0
		for lane := range 4 {
			if set>>lane&1 != 0 {
				for b := range 4 {
					p[set][4*n+b] = uint8(4*lane + b)
				}
				n++
			}
		}
	}
	return p
}()

// filter appends to out those of near, bodies that are near body i, that come within touch.
func (q *query) filter(bodies []body, i int32, near, out []int32) []int32 {
	n := len(near)
	if !hasAVX2 || n == 0 {
		return q.among(bodies, near, out)
	}
	near = append(near, i, i, i)
	at := len(out)
	out = slices.Grow(out, n+4)
	count := amongFour(q, &bodies[0], &near[0], n, &out[:at+1][at])
	return out[:at+count]
}
