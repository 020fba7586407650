//go:build amd64 && !purego

package solver

import (
	"slices"

	"golang.org/x/sys/cpu"

	"github.com/dango-physics/dango/internal/grid"
)

// hasAVX2 is whether lookFour runs here. It finds the same as Go does in two goes, four bodies at a time, to the bit.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT

// lookFour writes to out which bodies come within touch of body i, of have of them that are in near and of those in the slots of so many rows, and returns how
// many it has seen and found. Of q it reads all but the body. It writes those in the rows to near, and up to eight places more, four where there are no rows, and up to four more than it finds to out.
// found is -1 where a list has a third body; then nothing else is of use.
//
//go:noescape
func lookFour(q *query, bodies *body, i int, slots *int32, rows *grid.Row, count int, near *int32, have int, out *int32, gaps *[64][8]int32) (seen, found int)

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

// overrun is how much room filter needs behind near.
const overrun = 8

// filter appends to out those of near, bodies that are near body i, that come within touch.
func (q *query) filter(bodies []body, i int32, near, out []int32) []int32 {
	n := len(near)
	if !hasAVX2 || n == 0 {
		return q.among(bodies, near, out)
	}
	out = slices.Grow(out, n+4)
	at := len(out)
	_, found := lookFour(q, &bodies[0], int(i), nil, nil, 0, &near[:n+overrun][0], n, &out[:at+1][at], &grid.CompactTable)
	return out[:at+found]
}

// mostSeen is room for what lookFour writes: a patch, and behind the bodies of its cells up to eight more.
const mostSeen = grid.MaxListed + grid.MaxStencilSlots + 8

// sees leaves in s.reached what reach finds in a zone about body i, and reports whether it could: not where cells are beyond an edge of the
// grid, have more than two bodies, or aren't all that matters.
func (s *Space) sees(i int32, now, deep float64, z grid.Stencil) bool {
	if !hasAVX2 {
		return false
	}
	p, ok := s.grid.View(i, z, s.room[:grid.MaxListed])
	if !ok {
		return false
	}
	q := &s.asked
	q.now, q.keep = now, 1-deep
	seen, found := lookFour(q, &s.bodies[0], int(i), p.Slots, p.Rows, p.Count, &s.room[0], p.Listed, &s.found[0], &grid.CompactTable)
	if found < 0 {
		return false
	}
	s.Counts.Sweeps += seen
	s.reached = s.found[:found]
	return true
}
