// Package grid finds what is near a moving body: a hierarchy of uniform grids, kept exact by the bodies'
// crossings from one cell to the next.
//
// A body lives on one level, by its size, and everything rests on two invariants.
//
// Of one level: two bodies that touch are in the same cell or in neighbouring cells. It holds because a cell is wider than every body that
// lives on its level. So a body that starts on a new path needs to look at the cells around it once, and after that only at the
// row of cells that each crossing brings near.
//
// Of two levels: when a body starts on a new path, it looks at all of the other level that could touch it in the rest of the step on the paths that
// they are on: see along. Later only a new path can make such a pair touch, and whoever starts on it looks in turn. So crossings don't matter
// to other levels, and a large body looks at small ones only where they could reach it.
//
// A body that has crossed very many cells, and would cross very many more, roams for the rest of its path: it is in no cell. It looks at all that are in cells when it
// begins to, and whoever starts on a new path later looks at all that roam. So every pair with it is looked at, and neither invariant has to hold for
// it. When it starts on a new path itself it goes back into the cell where it is. Nobody roams when a step begins.
//
// Cells are kept on a torus, so the world has no edge and memory doesn't depend on its size. Far apart bodies may share
// a cell; that costs a test and changes no result.
package grid

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Grid holds bodies, numbered from 0, by where they are.
type Grid struct {
	levels []level // from the finest to the coarsest
	places []place
	links  []link  // of body i: links[1+i]
	member []int32 // where in its level's bodies each body is, or in roaming
	flat   [3]bool // axes along which the world is too thin for cells: every body is in cell 0

	roaming  []int32 // the bodies that roam, in no order
	patience int16   // how many cells a body crosses before Move asks for Roam
	Eager    bool    // in tests: whoever crosses a cell roams

	some cells // scratch of along
}

// level is a grid of one cell size, and the bodies that live there.
type level struct {
	size    float64  // width of a cell, metres
	inverse float64  // 1/size
	n       [3]int32 // cells along each axis
	turn    [3]int32 // added to cells, so that the torus closes far from most bodies
	low     [3]int32 // the cells from low on, span of them, have neighbours on both sides without going around the torus
	span    [3]uint32
	zones   [zones]cells
	stride  [3]int32 // 1, nx, nx*ny
	lives   []int32  // the bodies that live in each cell: see slots

	bodies []int32 // all that live here, in no order
	racing []int32 // those of them that are or have been faster than pace in this step
	widest float64 // no body that lives here is wider, metres
	pace   float64 // metres per second: what is faster is found by way of racing
}

// place is where a body lives. Its cell counts in cells of its own level.
type place struct {
	cell    [3]int32
	at      int32 // where the cell's slots are in lives; less than zero, and see slots, where its neighbours don't lie beside it in memory
	level   int8  // -1: not in the grid
	races   bool  // it is in its level's racing
	crossed int16 // cells since Roam was last asked about it; inNone: it roams, and goes back to its level later
}

const inNone = -1

func (p *place) roams() bool { return p.crossed == inNone }

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

	// spacingShare is the width of a cell in mean distances between the bodies of its level, where bodies are smaller than
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
	Speed    float64 // likewise
}

// need is how wide a cell has to be for the body.
func (b *Sample) need() float64 { return max(b.Diameter*cellSlack, b.Stride) }

// Layout empties the grid, makes room for bodies numbered below capacity, and chooses levels and cells for those in sample, for steps
// of that many seconds.
func (g *Grid) Layout(capacity int, seconds float64, sample []Sample, s *Scratch) {
	extent, middle, farOut := s.extents(sample)
	s.sortSizes(sample)
	// Cells that are too small for how far out the bodies are couldn't be told apart, nor their walls from the bodies' rounded positions.
	g.chooseLevels(extent, farOut*0x2p-29, s)
	for axis := range 3 {
		g.flat[axis] = extent[axis] < 2*g.levels[0].size
	}
	for l := range g.levels {
		g.levels[l].chooseCells(g, extent, middle)
	}
	g.choosePaces(extent, seconds, sample, s)
	g.places = resize(g.places, capacity)
	g.links = resize(g.links, 1+capacity)
	g.member = resize(g.member, capacity)
	g.links[0] = link{-1, -1}
	g.roaming, g.patience = g.roaming[:0], int16(min(leastPatience+capacity/patienceShare, math.MaxInt16-1))
	if g.Eager {
		g.patience = 0
	}
	for i := range g.places {
		g.places[i] = place{level: -1}
	}
}

// Clear empties the grid.
func (g *Grid) Clear() {
	for l := range g.levels {
		lv := &g.levels[l]
		for c := range lv.lives {
			lv.lives[c] = -1
		}
		lv.bodies, lv.racing = lv.bodies[:0], lv.racing[:0]
	}
	g.roaming = g.roaming[:0]
	for i := range g.places {
		g.places[i] = place{level: -1}
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

// chooseLevels makes a level for each of s.chosen, with cells no narrower than least.
func (g *Grid) chooseLevels(extent [3]float64, least float64, s *Scratch) {
	for octaves := 1; !s.choose(extent, least, octaves); octaves *= 2 {
	}
	n := len(s.chosen)
	g.levels = slices.Grow(g.levels[:0], n)[:n] // the lists of an earlier layout are in it still
	for l, c := range s.chosen {
		lv := &g.levels[l]
		lv.size, lv.inverse, lv.bodies = c.widest, 1/c.widest, resize(lv.bodies, c.count)
	}
}

// choose chooses levels from the smallest bodies up. The cells of each are as wide as bodies are apart that live there, but wide enough for all
// that are within so many octaves of its smallest. It returns false if those are too many levels.
func (s *Scratch) choose(extent [3]float64, least float64, octaves int) bool {
	s.chosen = s.chosen[:0]
	for k := 0; k < len(s.sizes); {
		if len(s.chosen) == maxLevels {
			return false
		}
		c := class{0, least}
		for first := k; k < len(s.sizes); k++ {
			next := s.sizes[k]
			n := c.count + next.count
			if k >= first+octaves*classes && next.widest > max(c.widest, spacingShare*spacing(extent, n)) {
				break
			}
			c = class{n, max(c.widest, next.widest)}
		}
		c.widest = max(c.widest, spacingShare*spacing(extent, c.count))
		for k < len(s.sizes) && s.sizes[k].widest <= c.widest {
			c.count += s.sizes[k].count
			k++
		}
		s.chosen = append(s.chosen, c)
	}
	if len(s.chosen) == 0 {
		s.chosen = append(s.chosen, class{1, 1})
	}
	return true
}

// chooseCells gives the level enough cells that its bodies seldom share one, within eight cells a body. Like
// bodies need two or three each.
func (l *level) chooseCells(g *Grid, extent [3]float64, middle collide.Vec3) {
	limit := int64(8*len(l.bodies) + 64)
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
			first := l.coordinate(x - float64(extent[axis]/2))
			last := l.coordinate(x + float64(extent[axis]/2))
			l.turn[axis] = int32((n[axis] - 1 - int64(first) - int64(last)) >> 1)
			l.low[axis], l.span[axis] = 1, uint32(n[axis]-2)
		}
	}
	l.chooseZones(g.flat)
	l.lives = emptied(l.lives, int(n[0]*n[1]*n[2]))
	l.bodies, l.racing, l.widest, l.pace = l.bodies[:0], l.racing[:0], 0, 0
}

// choosePaces chooses the pace of each level: the faster it is, the further around do flights look, and the slower, the more bodies race.
func (g *Grid) choosePaces(extent [3]float64, seconds float64, sample []Sample, s *Scratch) {
	if len(g.levels) == 1 {
		return
	}
	s.speeds = [maxLevels][64]int{}
	fastest := 0.0
	for i := range sample {
		fastest = max(fastest, sample[i].Speed)
	}
	if fastest == 0 {
		return
	}
	for i := range sample {
		// The speeds of class k are between fastest/2^k and half of that.
		k := math.Float64bits(fastest)>>52 - math.Float64bits(sample[i].Speed)>>52
		s.speeds[g.finest(sample[i].need())][min(k, 63)]++
	}
	dimensions := 0
	for axis := range 3 {
		if !g.flat[axis] {
			dimensions++
		}
	}
	for l := range g.levels {
		lv := &g.levels[l]
		each := spacing(extent, max(1, s.count(l)))
		least, racing := math.Inf(1), 0
		for k, n := range s.speeds[l] {
			pace := math.Ldexp(fastest, -k)
			pace = math.Float64frombits(math.Float64bits(pace) | 1<<52 - 1) // the fastest of the class
			// About half of the step is left, and the other one is about a cell wide.
			cost, side := float64(racing), (2*lv.size+float64(pace*seconds))/each
			around := 1.0
			for range dimensions {
				around *= side
			}
			if cost += around; cost < least {
				least, lv.pace = cost, pace
			}
			racing += n
		}
	}
}

// count returns how many bodies of the sample live on a level.
func (s *Scratch) count(l int) (count int) {
	for _, n := range s.speeds[l] {
		count += n
	}
	return count
}

// finest returns the finest level with cells that wide, or the coarsest there is.
func (g *Grid) finest(need float64) int8 {
	own := int8(0)
	for int(own) < len(g.levels)-1 && g.levels[own].size < need {
		own++
	}
	return own
}

// Fits reports whether a body of that diameter has a level.
func (g *Grid) Fits(diameter float64) bool {
	return len(g.levels) > 0 && diameter*cellSlack <= g.levels[len(g.levels)-1].size
}

// Capacity returns the number of bodies that there is room for.
func (g *Grid) Capacity() int { return len(g.places) }

// Start begins a step: what Put and Near were told of speeds before counts no more. Whoever moved in the last one, and so may roam, is Put next.
func (g *Grid) Start() {
	for l := range g.levels {
		lv := &g.levels[l]
		for _, i := range lv.racing {
			g.places[i].races = false
		}
		lv.racing = lv.racing[:0]
	}
}

// Put puts body i where it is, from wherever it was. Its diameter must fit. It lives on the finest level
// whose cells are wider than it and, as far as there is such a level, than stride: a part of its way in a step,
// so that a very fast body needn't cross too many small cells. In this step it moves at that speed, until Near says otherwise.
func (g *Grid) Put(i int32, center collide.Vec3, diameter, stride, speed float64) {
	own := g.finest(max(diameter*cellSlack, stride))
	lv := &g.levels[own]
	lv.widest = max(lv.widest, diameter)
	cell := [3]int32{g.coordinate(lv, 0, center.X), g.coordinate(lv, 1, center.Y), g.coordinate(lv, 2, center.Z)}
	p := &g.places[i]
	if p.level != own || p.cell != cell || p.roams() {
		g.Remove(i)
		g.enter(i, own, cell)
	}
	if speed > lv.pace && len(g.levels) > 1 {
		lv.race(i, p)
	}
}

// Keeps reports whether body i is where Put would put it, at whatever speed. It is false where there is more than one level.
func (g *Grid) Keeps(i int32, center *collide.Vec3, diameter float64) bool {
	p, lv := &g.places[i], &g.levels[0]
	if len(g.levels) > 1 || p.level < 0 || p.roams() || !(diameter <= lv.widest) {
		return false
	}
	return (g.flat[0] || lv.has(p.cell[0], center.X)) && (g.flat[1] || lv.has(p.cell[1], center.Y)) && (g.flat[2] || lv.has(p.cell[2], center.Z))
}

// has reports whether x is in a cell, and not beyond the last: see coordinate.
func (l *level) has(cell int32, x float64) bool {
	from := float64(x*l.inverse) - float64(cell)
	return from >= 0 && from < 1
}

// enter puts body i, which is nowhere, into a cell of a level.
func (g *Grid) enter(i int32, own int8, cell [3]int32) {
	p, lv := &g.places[i], &g.levels[own]
	*p = place{cell: cell, level: own}
	g.member[i] = int32(len(lv.bodies))
	lv.bodies = append(lv.bodies, i)
	g.insert(i, lv, p)
}

// race notes that body i is faster than the pace of its level.
func (l *level) race(i int32, p *place) {
	if !p.races {
		p.races = true
		l.racing = append(l.racing, i)
	}
}

// coordinate returns the cell of a level in which x is.
func (g *Grid) coordinate(l *level, axis int, x float64) int32 {
	if g.flat[axis] {
		return 0
	}
	return l.coordinate(x)
}

func (l *level) coordinate(x float64) int32 {
	return int32(math.Floor(min(max(x*l.inverse, -farthest), farthest)))
}

// Remove takes body i out of the grid.
func (g *Grid) Remove(i int32) {
	if p := &g.places[i]; p.level >= 0 {
		g.leave(i, p)
		*p = place{level: -1}
	}
}

// leave takes body i off all lists that it is in.
func (g *Grid) leave(i int32, p *place) {
	lv := &g.levels[p.level]
	list := &lv.bodies
	if p.roams() {
		list = &g.roaming
	} else {
		g.unlink(i, lv, p)
	}
	last := len(*list) - 1
	moved := (*list)[last]
	(*list)[g.member[i]], g.member[moved] = moved, g.member[i]
	*list = (*list)[:last]
	if p.races {
		k := slices.Index(lv.racing, i)
		lv.racing = slices.Delete(lv.racing, k, k+1)
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

// locate returns where a cell's slots are, as place has it.
func (l *level) locate(cell *[3]int32) int32 {
	x, y, z := cell[0]+l.turn[0], cell[1]+l.turn[1], cell[2]+l.turn[2]
	if uint32(x-l.low[0]) < l.span[0] && uint32(y-l.low[1]) < l.span[1] && uint32(z-l.low[2]) < l.span[2] {
		return 2 * (x + y*l.stride[1] + z*l.stride[2])
	}
	return ^(2 * l.at(cell[0], cell[1], cell[2]))
}

// slots returns the list of the cell that is at at.
func (l *level) slots(at int32) *slots {
	if at < 0 {
		at = ^at
	}
	return (*slots)(l.lives[at : at+2])
}

// link returns the link of body i.
func (g *Grid) link(i int32) *link { return &g.links[1+i] }

// insert puts body i first in the list of its cell.
func (g *Grid) insert(i int32, lv *level, p *place) {
	p.at = lv.locate(&p.cell)
	list := lv.slots(p.at)
	first, second := list[0], list[1]
	*g.link(i) = link{first, -1}
	list[0] = i
	if first < 0 {
		return
	}
	g.link(first).prev = i
	list[1] = first
	if second >= 0 {
		list[1] |= more
	}
}

// unlink takes body i out of the list of its cell.
func (g *Grid) unlink(i int32, lv *level, p *place) {
	list := lv.slots(p.at)
	if list[1] < 0 { // it is the only one
		list[0] = -1
		return
	}
	k := *g.link(i)
	if k.next >= 0 {
		g.link(k.next).prev = k.prev
	}
	if k.prev >= 0 {
		g.link(k.prev).next = k.next
	} else {
		list[0] = k.next
	}
	second := g.link(list[0]).next
	if second >= 0 && g.link(second).next >= 0 {
		second |= more
	}
	list[1] = second
}

// emptied returns the slots of n empty lists, and some beyond: assembly reads eight at once.
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
