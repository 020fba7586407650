package systems

import (
	"slices"
	"unsafe"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// measures are what members of one style may differ in: see member.
type measures struct{ radius, mass [blockRows]float64 }

// page is what is remembered of a block of spheres from one step to the next, if all of them are of one style, and either dynamic and on the move or all still. As
// long as its rows are of the same entities, nobody has to look at their members.
type page struct {
	n      int // how many rows; 0 for a page with nothing on it
	round  int // of forgetting: see members
	style  uint16
	bends  bool
	even   bool // nothing pulls, slows or locks them
	flies  bool // the space knows how all of them fly in this step, and scatter has nothing else to look at
	steady bool // they are in the space as they have landed
	still  bool // they are still, where they have landed
	rests  bool // still, and nobody has changed any of them before this step
	ids    [blockRows]int32
	ents   [blockRows]donburi.Entity
	measures
	landed [blockRows + 1]solver.State // and room
}

// page returns the page of the block that a row of a table is in, or nil for none. Pieces have pages of their own, so that lanes have, too.
func (p *Physics) page(t *table, row int) *page {
	if k := row/p.lanes.rows*p.lanes.pages() + row%p.lanes.rows/blockRows; k < len(t.pages) {
		return &t.pages[k]
	}
	return nil
}

// pages returns how many pages a piece has.
func (l *lanes) pages() int { return (l.rows + blockRows - 1) / blockRows }

// blockOf returns the entities of the block that a row of a table is in.
func (l *lanes) blockOf(t *table, row int) []donburi.Entity {
	in := row % l.rows
	from := row - in%blockRows
	return t.ents[from:min(from+blockRows, row-in+l.rows, len(t.ents))]
}

// resized returns list with n elements. Those that it didn't have are zero, and so blank pages.
func resized[T any](list []T, n int) []T {
	if n <= len(list) {
		return list[:n]
	}
	was := len(list)
	list = slices.Grow(list, n-was)[:n]
	clear(list[was:])
	return list
}

// note remembers a block.
func (g *page) note(b *block, ents []donburi.Entity, round int) {
	g.n, g.round, g.style, g.bends, g.ids, g.measures = len(ents), round, b.style, b.marks&bends != 0, b.ids, b.read
	copy(g.ents[:], ents)
	g.even, g.steady, g.still = false, false, false
}

// noteRest remembers a block of which all rows have been found still.
func (g *page) noteRest(t *table, b *block, round int) {
	g.note(b, t.ents[b.from:b.to], round)
	for i, at := range t.cols[0][b.from:b.to] {
		g.landed[i] = solver.State{Position: (*components.TransformData)(at).Position}
	}
	g.still, g.rests = true, true
}

// forget is for the member in a row that has come to rest, or has been taken out of it: its page isn't true any more. Between the systems of a step the game may have put
// others into the rows of its block, and the page on which that member is may be any.
func (p *Physics) forget(t *table, row int, unbroken bool) {
	g := p.page(t, row)
	if !unbroken && (g == nil || !g.recalls(p.lanes.blockOf(t, row), p.members.round)) {
		p.lanes.lost.Store(true)
		return
	}
	g.n = 0
}

// recalls reports whether these are the entities that are remembered.
func (g *page) recalls(ents []donburi.Entity, round int) bool {
	const size = int(unsafe.Sizeof(donburi.Null))
	n := len(ents)
	return g.n == n && g.round == round && unsafe.String((*byte)(pointer(&ents[0])), n*size) == unsafe.String((*byte)(pointer(&g.ents[0])), n*size)
}

// writeFlown is writeBack for a block of which the space knows all.
func (p *Physics) writeFlown(t *table, from, to, last int, g *page) {
	n := to - from
	transforms, velocities := t.cols[0][from:to], t.cols[1][from:to]
	rests, steady := false, g.even
	for at := 0; at < n; at += aheadRows { // what comes next is sent for in time, and not so early that it has to go again
		end := min(at+aheadRows, n)
		ids, next, ahead := g.ids[at:end], g.ids[at:end], 0
		if end+aheadRows <= n {
			next, ahead = g.ids[end:end+aheadRows], aheadRows
		} else if end == n && to+aheadRows <= last {
			if f := p.page(t, to); f.flies {
				next, ahead = f.ids[:end-at], aheadRows
			}
		}
		var landed []solver.State
		if g.even {
			landed = g.landed[at:end]
		}
		r, s := p.space.Landed(ids, next, transforms[at:end], velocities[at:end], ahead, landed)
		rests, steady = rests || r, steady && s
	}
	g.steady = steady
	if !rests {
		return
	}
	for row, e := range t.ents[from:to] {
		if isZero(get[components.VelocityData](velocities, row).Linear) {
			if p.noteStill(p.members.find(e), get[components.TransformData](transforms, row).Position) {
				g.n = 0
			}
		}
	}
}
