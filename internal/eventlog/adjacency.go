package eventlog

import "github.com/dango-physics/dango/internal/grow"

// Adjacency finds the entries of a list of pairs that a code is part of. Each code has a linked
// list of its entries.
//
// A side is 2k for the first thing of entry k, and 2k+1 for the second. Links hold a side plus 1,
// and 0 for none.
type Adjacency struct {
	bodies   []int32 // the first side of each code of at least 0
	surfaces []int32 // the first side of each negative code: that of -1 is at 0
	next     []int32 // of each side, the next one of the same code
}

// Build indexes a list of n pairs. Pair k is at(k), by its codes. A pair that is listed for
// nobody has two equal codes. It takes time for the whole list, and allocates only if list or
// codes have grown.
func (x *Adjacency) Build(n int, at func(k int) Pair) {
	clear(x.bodies)
	clear(x.surfaces)
	if cap(x.next) < 2*n {
		x.next = make([]int32, 2*n, 2*n+n/2)
	}
	next := x.next[:2*n]
	x.next = next
	for k := n - 1; k >= 0; k-- { // backwards, since each entry goes to the front of its lists
		p := at(k)
		if p.A == p.B {
			continue
		}
		first := x.first(p.A)
		next[2*k], *first = *first, int32(2*k+1)
		first = x.first(p.B)
		next[2*k+1], *first = *first, int32(2*k+2)
	}
}

// first returns where the first side of code is kept. The pointer is valid until the next call.
func (x *Adjacency) first(code int32) *int32 {
	lists := &x.bodies
	if code < 0 {
		lists, code = &x.surfaces, ^code
	}
	if int(code) >= len(*lists) {
		*lists = grow.Extend(*lists, int(code)+1)
	}
	return &(*lists)[code]
}

// Each calls yield with the numbers of the entries that code is part of, in ascending order, and
// looks at no others. It returns false if yield did. If yield has the index built anew, Each goes
// on in the new lists, and still ends.
func (x *Adjacency) Each(code int32, yield func(k int) bool) bool {
	side := int32(0)
	switch {
	case code >= 0 && int(code) < len(x.bodies):
		side = x.bodies[code]
	case code < 0 && int(^code) < len(x.surfaces):
		side = x.surfaces[^code]
	}
	for side > 0 {
		if !yield(int(side-1) / 2) {
			return false
		}
		if int(side) > len(x.next) {
			break
		}
		side = x.next[side-1]
	}
	return true
}
