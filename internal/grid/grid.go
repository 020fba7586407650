// Package grid finds what is near a moving body: a hierarchy of uniform grids, kept exact by the bodies'
// crossings from one cell to the next.
//
// The invariant that everything rests on: two bodies that touch are in the same cell or in neighbouring
// cells of the coarser of their two levels. It holds because a cell is wider than every body that
// lives on its level. So a body that starts on a new path needs to look at the cells around it once, and after that only at the
// row of cells that each crossing brings near.
//
// Cells are kept on a torus, so the world has no edge and memory doesn't depend on its size. Far apart bodies may share
// a cell; that costs a test and changes no result.
package grid

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Grid holds bodies, numbered from 0, by where they are.
type Grid struct {
	levels []level
	places []place
	links  []link  // row of body i: links[i*len(levels) + l]
	flat   [3]bool // axes along which the world is too thin for cells: every body is in cell 0
}

// level is a grid of one cell size. A body lives on one level and is listed as finer on every coarser one.
type level struct {
	size    float64  // width of a cell, metres
	inverse float64  // 1/size
	last    int32    // the cell of what is too far out: farthest >> shift
	shift   uint     // a coordinate of the finest level >> shift is one of this level
	n       [3]int32 // cells along each axis
	turn    [3]int32 // added to cells, so that the torus closes far from most bodies
	low     [3]int32 // the cells from low on, span of them, have neighbours on both sides without going around the torus
	span    [3]uint32
	zones   [zones]cells
	stride  [3]int32 // 1, nx, nx*ny
	lives   []int32  // the bodies that live in each cell: see slots
	finer   []int32  // those of finer levels, in the same way
}

// place is where a body lives. Its cell counts in cells of its own level.
type place struct {
	cell  [3]int32
	level int8 // -1: not in the grid
}

// A list of bodies has two slots in its cell, so that what is in a cell can mostly be told without a look at links: the first body and the
// second, each -1 for none. The second has this bit set if a third follows it.
const more = 1 << 30

// slots is the two slots of a cell's list.
type slots [2]int32

// link chains the bodies of a list. The first body's prev is -1.
type link struct{ next, prev int32 }

const (
	// cellSlack widens cells beyond the largest diameter. A crossing's time is rounded, by far less than
	// 2^-20 of the time it takes to cross this margin, so a pair is always found before it touches.
	cellSlack = 1 + 0x1p-20

	// spacingShare is the width of a cell of the finest level in mean distances between bodies, where bodies are smaller than
	// that. Measured with BenchmarkStep: smaller cells cost crossings, larger ones tests.
	spacingShare = 0.73

	maxLevels = 8
	spare     = 4       // cells beyond the extent: one beside the first and the last of a world, and as many again because the extent is an estimate
	minCells  = 4       // on an axis that has cells: three neighbours must be three different cells
	farthest  = 1 << 29 // coordinates are cut off here: what is beyond shares the last cell
)

// Sample is what Layout needs to know of a body.
type Sample struct {
	Center   collide.Vec3
	Diameter float64
	Stride   float64 // as for Put
}

// Layout empties the grid, makes room for bodies numbered below capacity, and chooses levels and cells for those in sample.
func (g *Grid) Layout(capacity int, sample []Sample, s *Scratch) {
	count := max(1, len(sample))
	extent, middle, farOut := s.extents(sample)
	least, largest := math.Inf(1), 0.0
	for _, b := range sample {
		least, largest = min(least, b.Diameter), max(largest, b.Diameter, b.Stride)
	}
	if len(sample) == 0 {
		least, largest = 1, 1
	}
	least, largest = least*cellSlack, largest*cellSlack
	// Cells that are too small for how far out the bodies are couldn't be told apart, nor their walls from the bodies' rounded positions.
	finest := max(least, spacingShare*spacing(extent, count), farOut*0x2p-29)
	for axis := range 3 {
		g.flat[axis] = extent[axis] < 2*finest
	}
	g.chooseLevels(finest, largest, sample, s)
	g.chooseCells(extent, middle, count)
	g.places = resize(g.places, capacity)
	g.links = resize(g.links, 1+capacity*len(g.levels))
	g.links[0] = link{-1, -1}
	for i := range g.places {
		g.places[i].level = -1
	}
}

// spacing is the mean distance between count bodies in a box of that extent, along the axes on which it is wide.
func spacing(extent [3]float64, count int) float64 {
	widest := max(extent[0], extent[1], extent[2])
	volume, dimensions := 1.0, 0
	for _, e := range extent {
		if e > widest/float64(count) {
			volume *= e
			dimensions++
		}
	}
	each := volume / float64(count)
	switch {
	case !(each > 0) || math.IsInf(each, 1):
		return 0
	case dimensions == 1:
		return each
	case dimensions == 2:
		return math.Sqrt(each)
	}
	return math.Cbrt(each)
}

// chooseLevels makes a level of every power of two times finest that some body needs, or of every second or third
// where that would be too many.
func (g *Grid) chooseLevels(finest, largest float64, sample []Sample, s *Scratch) {
	top := uint(0)
	for size := finest; size < largest; size *= 2 {
		top++
	}
	every := top/(maxLevels-1) + 1
	clear(s.needed[:])
	for _, b := range sample {
		k := uint(0)
		for size := finest; size < max(b.Diameter*cellSlack, b.Stride); size *= math.Ldexp(1, int(every)) {
			k++
		}
		s.needed[min(k, maxLevels-1)] = true
	}
	s.needed[0] = true
	n := 0
	for k, needed := range s.needed {
		if !needed {
			continue
		}
		if n == len(g.levels) {
			g.levels = append(g.levels, level{})
		}
		l := &g.levels[n]
		l.shift = uint(k) * every
		l.size = math.Ldexp(finest, int(l.shift))
		l.inverse = 1 / l.size
		l.last = int32(farthest >> l.shift)
		n++
	}
	g.levels = g.levels[:n]
}

// chooseCells gives each level enough cells that the bodies seldom share one, within eight cells a body. Like
// bodies need two or three each.
func (g *Grid) chooseCells(extent [3]float64, middle collide.Vec3, count int) {
	limit := int64(8*count + 64)
	for i := range g.levels {
		l := &g.levels[i]
		var n [3]int64
		for axis := range 3 {
			n[axis] = 1
			if !g.flat[axis] {
				n[axis] = spare + int64(min(extent[axis]*l.inverse, float64(limit)))
			}
		}
		for n[0]*n[1]*n[2] > limit {
			widest := 0
			for axis := range 3 {
				if n[axis] > n[widest] {
					widest = axis
				}
			}
			if n[widest] <= minCells {
				break
			}
			n[widest] = max(minCells, n[widest]*3/4)
		}
		for axis := range 3 {
			l.n[axis] = int32(n[axis])
		}
		l.stride = [3]int32{1, int32(n[0]), int32(n[0] * n[1])}
		for axis, x := range [3]float64{middle.X, middle.Y, middle.Z} {
			l.turn[axis], l.low[axis], l.span[axis] = 0, 0, 1
			if !g.flat[axis] {
				first := g.coordinate(axis, x-extent[axis]/2) >> l.shift
				last := g.coordinate(axis, x+extent[axis]/2) >> l.shift
				l.turn[axis] = int32((n[axis] - 1 - int64(first) - int64(last)) >> 1)
				l.low[axis], l.span[axis] = 1, uint32(n[axis]-2)
			}
		}
		l.chooseZones(g.flat)
		l.lives = emptied(l.lives, int(n[0]*n[1]*n[2]))
		if i > 0 {
			l.finer = emptied(l.finer, int(n[0]*n[1]*n[2]))
		}
	}
}

// Fits reports whether a body of that diameter has a level.
func (g *Grid) Fits(diameter float64) bool {
	return len(g.levels) > 0 && diameter*cellSlack <= g.levels[len(g.levels)-1].size
}

// Capacity returns the number of bodies that there is room for.
func (g *Grid) Capacity() int { return len(g.places) }

// Put puts body i where it is, from wherever it was. Its diameter must fit. It lives on the finest level
// whose cells are wider than it and, as far as there is such a level, than stride: a part of its way in a step,
// so that a very fast body needn't cross too many small cells.
func (g *Grid) Put(i int32, center collide.Vec3, diameter, stride float64) {
	top := int8(len(g.levels) - 1)
	own := int8(0)
	for own < top && g.levels[own].size < max(diameter*cellSlack, stride) {
		own++
	}
	shift := g.levels[own].shift
	cell := [3]int32{g.coordinate(0, center.X) >> shift, g.coordinate(1, center.Y) >> shift, g.coordinate(2, center.Z) >> shift}
	p := &g.places[i]
	if p.level == own && p.cell == cell {
		return
	}
	g.Remove(i)
	*p = place{cell, own}
	for l := own; l <= top; l++ {
		g.insert(i, l)
	}
}

// coordinate returns the cell of the finest level in which x is. A level's cells are made of whole ones of the finer levels.
func (g *Grid) coordinate(axis int, x float64) int32 {
	if g.flat[axis] {
		return 0
	}
	return int32(math.Floor(min(max(x*g.levels[0].inverse, -farthest), farthest)))
}

// Remove takes body i out of the grid.
func (g *Grid) Remove(i int32) {
	if own := g.places[i].level; own >= 0 {
		for l := own; int(l) < len(g.levels); l++ {
			g.unlink(i, l)
		}
		g.places[i].level = -1
	}
}

// at returns which of the level's cells a cell of the world is.
func (l *level) at(x, y, z int32) int32 {
	return wrap(x+l.turn[0], l.n[0]) + wrap(y+l.turn[1], l.n[1])*l.stride[1] + wrap(z+l.turn[2], l.n[2])*l.stride[2]
}

// wrap returns c modulo n, from 0 to n-1.
func wrap(c, n int32) int32 {
	if uint32(c) < uint32(n) {
		return c
	}
	return modulo(c, n)
}

func modulo(c, n int32) int32 {
	if c %= n; c < 0 {
		c += n
	}
	return c
}

// slots returns the list of level l to which body i belongs.
func (g *Grid) slots(i int32, l int8) *slots {
	p, lv := &g.places[i], &g.levels[l]
	down := lv.shift - g.levels[p.level].shift
	c := 2 * lv.at(p.cell[0]>>down, p.cell[1]>>down, p.cell[2]>>down)
	if l == p.level {
		return (*slots)(lv.lives[c : c+2])
	}
	return (*slots)(lv.finer[c : c+2])
}

// link returns the link of body i on level l.
func (g *Grid) link(i int32, l int8) *link { return &g.links[1+i*int32(len(g.levels))+int32(l)] }

// insert puts body i first in its list of level l.
func (g *Grid) insert(i int32, l int8) {
	list := g.slots(i, l)
	first, second := list[0], list[1]
	*g.link(i, l) = link{first, -1}
	list[0] = i
	if first < 0 {
		return
	}
	g.link(first, l).prev = i
	list[1] = first
	if second >= 0 {
		list[1] |= more
	}
}

// unlink takes body i out of its list of level l.
func (g *Grid) unlink(i int32, l int8) {
	list := g.slots(i, l)
	if list[1] < 0 { // it is the only one
		list[0] = -1
		return
	}
	k := *g.link(i, l)
	if k.next >= 0 {
		g.link(k.next, l).prev = k.prev
	}
	if k.prev >= 0 {
		g.link(k.prev, l).next = k.next
	} else {
		list[0] = k.next
	}
	second := g.link(list[0], l).next
	if second >= 0 && g.link(second, l).next >= 0 {
		second |= more
	}
	list[1] = second
}

// emptied returns the slots of n empty lists, and some beyond: compact reads eight at once.
func emptied(list []int32, n int) []int32 {
	list = resize(list, 2*n+8)
	for c := range list {
		list[c] = -1
	}
	return list
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
