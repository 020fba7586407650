package grid

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grow"
)

// Grid holds bodies, numbered from 0, by their positions. Call Layout before use.
type Grid struct {
	levels    []level // from the finest to the coarsest
	locations []location
	next      []int32 // for a body that has no slot, or the last of its cell: see insert
	index     []int32 // position of each body in its level's bodies, or in unbinned
	flat      [3]bool // axes along which the world is too thin for cells: every body is in cell 0

	fastExpected int // bodies in the levels' lists of fast ones when Layout chose the speed limits

	unbinned   []int32 // bodies that are in no cell, in no order
	unbinAfter int16   // crossings of a body after which Move asks for TryUnbin

	// EagerUnbin makes every body that crosses a cell ask for TryUnbin. Tests set it before Layout.
	EagerUnbin bool

	rows StencilRows // scratch of crossLevel
}

// level is a grid of one cell size with the bodies that belong to it.
type level struct {
	size    float64    // width of a cell, metres
	inverse float64    // 1/size
	origin  [3]float64 // the lower walls of cell 0, metres
	width   [3]float64 // size, and infinite along flat axes
	n       [3]int32   // cells along each axis
	shift   [3]int32   // added to cell coordinates, so that the torus closes far from most bodies

	// Cells whose shifted coordinate is in [low, low+span) on every axis have all their neighbours
	// beside them in memory.
	low  [3]int32
	span [3]uint32

	steps [sides + 1]int32 // by side: from the slot of a cell to that of the cell beyond it

	stencils [stencils]StencilRows
	stride   [3]int32 // 1, nx, nx*ny
	perCell  int32    // slots of a cell: 2 or 4
	slots    []int32  // of all cells: see insert

	bodies      []int32 // all bodies of the level, in no order
	fast        []int32 // those that are or were faster than speedLimit in this step
	maxDiameter float64 // metres; no body of the level is larger
	speedLimit  float64 // metres per second; faster bodies are in fast
	window      float64 // seconds that a search for bodies of finer levels looks ahead
}

// location says where a body is stored.
type location struct {
	cell [3]int32 // in cells of the body's level

	// slot is the index of the cell's first slot in level.slots. It is ^index where the
	// neighbouring cells are not beside the cell in memory.
	slot int32

	level     int8  // -1: not in the grid
	isFast    bool  // is in its level's fast
	crossings int16 // cells crossed since TryUnbin was last asked; noCell: the body is unbinned
}

// noCell is the value of location.crossings of an unbinned body. Its level is where it will return
// to.
const noCell = -1

func (l *location) isUnbinned() bool { return l.crossings == noCell }

// more is a bit of the last slot of a cell: other bodies of the cell follow the one in that slot.
const more = 1 << 30

// farthest bounds cell coordinates. Bodies beyond it share the outermost cell. It leaves room for
// sums of coordinates in 32 bits.
const farthest = 1 << 29

// Clear empties the grid. Levels and cells stay.
func (g *Grid) Clear() {
	for l := range g.levels {
		lv := &g.levels[l]
		for c := range lv.slots {
			lv.slots[c] = -1
		}
		lv.bodies, lv.fast = lv.bodies[:0], lv.fast[:0]
	}
	g.unbinned = g.unbinned[:0]
	for i := range g.locations {
		g.locations[i] = location{level: -1}
	}
}

// Fits reports whether there is a level whose cells are wide enough for that diameter, in metres.
func (g *Grid) Fits(diameter float64) bool {
	return len(g.levels) > 0 && diameter*cellSlack <= g.levels[len(g.levels)-1].size
}

// HasManyFast reports whether far more bodies are faster than the speed limits of their levels than
// when Layout chose these. Then searches test too many bodies until the next Layout.
func (g *Grid) HasManyFast() bool {
	fast := 0
	for l := range g.levels {
		fast += len(g.levels[l].fast)
	}
	return fast > 2*g.fastExpected+len(g.locations)/fastShare
}

// fastShare: of so many bodies, one may have become fast since the last Layout. With a much larger
// value, there are layouts in each step; with a smaller one, each search tests many fast bodies.
const fastShare = 32

// Capacity returns the number of bodies that there is room for.
func (g *Grid) Capacity() int { return len(g.locations) }

// BeginStep forgets the speeds that Put and Neighbors were given in the last step. All bodies that
// moved in that step must be Put next.
func (g *Grid) BeginStep() {
	for l := range g.levels {
		lv := &g.levels[l]
		for _, i := range lv.fast {
			g.locations[i].isFast = false
		}
		lv.fast = lv.fast[:0]
	}
}

// Put stores body i at its position, wherever it was before. Its diameter must fit.
//
// The body belongs to the finest level whose cells are wider than its diameter and, if there is
// such a level, wider than stride. Stride is a fraction of the distance that the body moves in a
// step, in metres: it keeps very fast bodies from crossing too many small cells. Speed is in metres
// per second, and holds until a call of Neighbors gives another.
func (g *Grid) Put(i int32, center collide.Vec3, diameter, stride, speed float64) {
	own := g.finest(max(diameter*cellSlack, stride))
	lv := &g.levels[own]
	lv.maxDiameter = max(lv.maxDiameter, diameter)
	cell := g.cellAt(lv, &center)
	p := &g.locations[i]
	if p.level != own || p.cell != cell || p.isUnbinned() {
		g.Remove(i)
		g.enter(i, own, cell)
	}
	g.NoteSpeed(i, speed)
}

// FollowsPaths reports whether every body is in the right cell when a step begins if it was when
// the last one began, and has moved along its path since: crossings have moved it from cell to
// cell. It is false in a grid of several levels, since the level of a body depends on its speed,
// and where a body is unbinned.
func (g *Grid) FollowsPaths() bool { return len(g.levels) == 1 && len(g.unbinned) == 0 }

// Remove takes body i out of the grid.
func (g *Grid) Remove(i int32) {
	if p := &g.locations[i]; p.level >= 0 {
		g.leave(i, p)
		*p = location{level: -1}
	}
}

// enter stores body i, which is not in the grid, in a cell of a level.
func (g *Grid) enter(i int32, own int8, cell [3]int32) {
	p, lv := &g.locations[i], &g.levels[own]
	*p = location{cell: cell, level: own}
	g.index[i] = int32(len(lv.bodies))
	lv.bodies = append(lv.bodies, i)
	p.slot = lv.slotOf(&cell)
	g.insert(i, lv, p)
}

// leave takes body i off all lists.
func (g *Grid) leave(i int32, p *location) {
	lv := &g.levels[p.level]
	list := &lv.bodies
	if p.isUnbinned() {
		list = &g.unbinned
	} else {
		g.unlink(i, lv, p)
	}
	last := len(*list) - 1
	moved := (*list)[last]
	(*list)[g.index[i]], g.index[moved] = moved, g.index[i]
	*list = (*list)[:last]
	if p.isFast {
		k := slices.Index(lv.fast, i)
		lv.fast = slices.Delete(lv.fast, k, k+1)
	}
}

// markFast records that body i is faster than the speed limit of its level.
func (l *level) markFast(i int32, p *location) {
	if !p.isFast {
		p.isFast = true
		l.fast = append(l.fast, i)
	}
}

// finest returns the finest level with cells of at least that width, or else the coarsest level.
func (g *Grid) finest(width float64) int8 {
	own := int8(0)
	for int(own) < len(g.levels)-1 && g.levels[own].size < width {
		own++
	}
	return own
}

// coordinate returns the cell of a level, along an axis, that contains x.
func (g *Grid) coordinate(l *level, axis int, x float64) int32 {
	if g.flat[axis] {
		return 0
	}
	return l.coordinate(axis, x)
}

func (l *level) coordinate(axis int, x float64) int32 {
	return int32(math.Floor(min(max((x-l.origin[axis])*l.inverse, -farthest), farthest)))
}

// cellAt returns the cell of a level that contains a point.
func (g *Grid) cellAt(l *level, x *collide.Vec3) [3]int32 {
	return [3]int32{g.coordinate(l, 0, x.X), g.coordinate(l, 1, x.Y), g.coordinate(l, 2, x.Z)}
}

// wall returns where the lower wall of a cell is along an axis that is not flat.
func (l *level) wall(axis int, cell int32) float64 {
	return float64(float64(cell)*l.size) + l.origin[axis]
}

// cellIndex returns the index of a cell on the torus.
func (l *level) cellIndex(x, y, z int32) int32 {
	return wrap(x+l.shift[0], l.n[0]) + wrap(y+l.shift[1], l.n[1])*l.stride[1] + wrap(z+l.shift[2], l.n[2])*l.stride[2]
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

// slotOf returns location.slot for a cell.
func (l *level) slotOf(cell *[3]int32) int32 {
	x, y, z := cell[0]+l.shift[0], cell[1]+l.shift[1], cell[2]+l.shift[2]
	if uint32(x-l.low[0]) < l.span[0] && uint32(y-l.low[1]) < l.span[1] && uint32(z-l.low[2]) < l.span[2] {
		return (x + y*l.stride[1] + z*l.stride[2]) * l.perCell
	}
	return ^(l.cellIndex(cell[0], cell[1], cell[2]) * l.perCell)
}

// slotsAt returns the slots of a cell, given location.slot.
func (l *level) slotsAt(slot int32) []int32 {
	slot = max(slot, ^slot)
	return l.slots[slot : slot+l.perCell]
}

// insert puts body i, whose slot is known, in its cell. The bodies of a cell are in its first
// slots, and the others have -1. If there are more bodies than slots, the last slot has the bit
// more, and the others follow its body by g.next.
func (g *Grid) insert(i int32, lv *level, p *location) {
	slot := max(p.slot, ^p.slot)
	if lv.perCell == 2 {
		cell := (*[2]int32)(lv.slots[slot:])
		if cell[1] >= 0 {
			g.follow(i, &cell[1])
			return
		}
		cell[1&^(cell[0]>>31)] = i
		return
	}
	cell := (*[4]int32)(lv.slots[slot:])
	if cell[3] >= 0 {
		g.follow(i, &cell[3])
		return
	}
	cell[(3+cell[0]>>31+cell[1]>>31+cell[2]>>31)&3] = i
}

// follow is insert for a cell without an empty slot, of which end is the last.
func (g *Grid) follow(i int32, end *int32) {
	first := *end &^ more
	g.next[i] = -1
	if *end != first {
		g.next[i] = g.next[first]
	}
	g.next[first] = i
	*end |= more
}

// unlink takes body i out of its cell. Like insert it has no branch for the place of a body in its
// cell, which is unpredictable.
func (g *Grid) unlink(i int32, lv *level, p *location) {
	slot := max(p.slot, ^p.slot)
	if lv.perCell == 2 {
		cell := (*[2]int32)(lv.slots[slot:])
		if cell[1] >= more {
			g.unlinkCrowded(i, cell[:])
			return
		}
		cell[0], cell[1] = cell[0]^cell[1]^i, -1 // the other body, or -1
		return
	}
	cell := (*[4]int32)(lv.slots[slot:])
	if cell[3] >= more {
		g.unlinkCrowded(i, cell[:])
		return
	}
	k := 0
	if cell[1] == i {
		k = 1
	}
	if cell[2] == i {
		k = 2
	}
	if cell[3] == i {
		k = 3
	}
	last := (3 + cell[1]>>31 + cell[2]>>31 + cell[3]>>31) & 3
	moved := cell[last]
	cell[k&3] = moved
	cell[last] = -1
}

// unlinkCrowded is unlink for a cell that has more bodies than slots. If body i has one of the
// slots, the first of those that have none gets it.
func (g *Grid) unlinkCrowded(i int32, slots []int32) {
	end := &slots[len(slots)-1]
	last := *end &^ more
	j := g.next[last]
	k := slices.Index(slots, i)
	switch {
	case last == i:
		last = j
	case k >= 0:
		slots[k], g.next[last] = j, g.next[j]
	default:
		at := &g.next[last]
		for *at != i {
			at = &g.next[*at]
		}
		*at = g.next[i]
	}
	if *end = last; g.next[last] >= 0 {
		*end |= more
	}
}

// appendFollowers appends the bodies whose place in the cell of body i is behind that of i. Called
// for all bodies of a cell, it returns each pair of them once.
func (g *Grid) appendFollowers(i int32, lv *level, p *location, out []int32) []int32 {
	slots := lv.slotsAt(p.slot)
	k := len(slots) - 1
	if slots[k] >= more {
		if k = slices.Index(slots[:k], i); k < 0 { // i has the last slot or none
			return g.appendList(i, out)
		}
		return g.appendCell(slots[k+1:], out)
	}
	for ; slots[k] != i; k-- {
		if slots[k] >= 0 {
			out = append(out, slots[k])
		}
	}
	return out
}

// appendCell appends the bodies of a cell that are in slots, or follow the last of them.
func (g *Grid) appendCell(slots, out []int32) []int32 {
	for _, j := range slots {
		if j < 0 {
			break
		}
		out = append(out, j&^more)
		if j >= more {
			out = g.appendList(j&^more, out)
		}
	}
	return out
}

// appendList appends the bodies that follow body i by g.next.
func (g *Grid) appendList(i int32, out []int32) []int32 {
	for j := g.next[i]; j >= 0; j = g.next[j] {
		out = append(out, j)
	}
	return out
}

// emptySlots returns the slots of n empty cells, and twelve more: rows are read as arrays.
func emptySlots(slots []int32, n int) []int32 {
	slots = grow.Resize(slots, n+12)
	for c := range slots {
		slots[c] = -1
	}
	return slots
}
