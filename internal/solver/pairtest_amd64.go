//go:build amd64 && !purego

package solver

import (
	"slices"

	"golang.org/x/sys/cpu"

	"github.com/dango-physics/dango/internal/grid"
)

// hasAVX2 reports whether the processor can run searchFour, which finds the same bodies as the Go
// code, four at a time and bit for bit.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// searchFour collects the bodies in the cells of a stencil and tests their paths against the path
// of body i.
//
// It reads all of q except x, v and radius, which it takes from the body. near contains have
// bodies. searchFour appends those in cells, of which none is there if cells is nil, and writes up
// to eight values beyond them, or four without cells. It writes the bodies that pass the test to
// out, and up to four values beyond them. It returns how many bodies it has tested, and how many
// have passed. found is -1 if there are more than mostTested bodies in the cells and near; then no
// other result is valid.
//
//go:noescape
func searchFour(
	q *pairQuery, i int, slots *int32, cells *grid.StencilRows, near *int32, have int, out *int32,
) (tested, found int)

// rowTable is [grid.CompactTable], for assembly.
//
//lint:ignore U1000 assembly reads it
var rowTable = grid.CompactTable

// packTable contains, for each set of four 32-bit lanes, the byte shuffle that moves the lanes of
// the set to the front.
//
//lint:ignore U1000 assembly reads it
var packTable = func() (p [16][16]uint8) {
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

// padding is the capacity that filter needs beyond near.
const padding = 8

// filter appends to out the bodies of near whose paths could touch the path of body i.
func (q *pairQuery) filter(bodies []body, i int32, near, out []int32) []int32 {
	n := len(near)
	if !hasAVX2 || n == 0 {
		return q.filterGo(bodies, near, out)
	}
	out = slices.Grow(out, n+4)
	at := len(out)
	first := &out[:at+1][at]
	q.bodies = &bodies[0]
	_, found := searchFour(q, int(i), nil, nil, &near[:n+padding][0], n, first)
	return out[:at+found]
}

// maxTested is the size of the buffers of searchFour, and mostTested how many bodies of a stencil
// it tests. More are in the stencil only where heaps of bodies are much smaller than a cell.
const (
	maxTested  = mostTested + padding
	mostTested = 2*maxListed + 27*4
	maxListed  = 64
)

// testNeighborhood collects the bodies in a stencil around body i and returns those that pass the
// pair test. It returns false where the grid has no view of the stencil, or the stencil has too
// many bodies. Then the caller collects and tests them one after the other.
func (s *Space) testNeighborhood(i int32, now, keep float64, stencil grid.Stencil) (hits []int32, ok bool) {
	if !s.query.inAssembly {
		return nil, false
	}
	slots, cells := s.grid.View(i, stencil)
	if slots == nil {
		return nil, false
	}
	s.query.setTime(now, keep)
	listed := 0
	if s.grid.HasLevels() && stencil == grid.Full || stencil == grid.Half && !grid.IsAlone(slots) {
		if listed = s.listOthers(i, now, stencil); listed > maxListed {
			return nil, false
		}
	}
	tested, found := searchFour(&s.query, int(i), slots, cells, &s.testBuffer[0], listed, &s.hitBuffer[0])
	if found < 0 {
		return nil, false
	}
	s.Counts.Sweeps += tested
	return s.hitBuffer[:found], true
}

// listOthers writes to testBuffer the bodies that Half or Full includes and that are not in the
// cells of the view: see grid.View. It returns how many there are, of which it writes maxListed.
//
//go:noinline
func (s *Space) listOthers(i int32, now float64, stencil grid.Stencil) int {
	if stencil == grid.Half {
		return len(s.grid.ListFollowers(i, s.testBuffer[:0:maxListed]))
	}
	s.nearby = s.grid.CoarserNeighbors(i, s.flight(i, now), s.nearby[:0])
	copy(s.testBuffer[:maxListed], s.nearby)
	return len(s.nearby)
}
