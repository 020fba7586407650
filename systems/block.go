package systems

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/solver"
)

// blockRows is how many rows are read together. A pass over them that does one thing keeps what it needs in registers, and has the
// memory of many rows on its way at a time.
const blockRows = 64

// block is what is known of rows that are read together.
type block struct {
	from, to int
	found    findings         // by agreeAll, of spheres with a Velocity
	style    uint16           // of the first
	alike    bool             // all are members, of that style and, once compared, as the step before left them
	marks    marks            // of all together, where they are alike
	ids      [blockRows]int32 // none for a row that has to be read the long way
	of       [blockRows]*member
	page     *page    // nil for what is never remembered
	recalled bool     // it is as the page says, and of isn't filled in: see meet
	steady   bool     // recalled, and its bodies are in the space as they have landed
	read     measures // of its members, for examine
	*scratch
}

// scratch is room for what is found out about the rows of a block, which is of no more use when it is done.
type scratch struct {
	motions [blockRows]solver.Motion
	forms   [blockRows]*form
	corners [blockRows][]collide.Vec3
	places  [blockRows]pointer
}

// recognise makes a block of some rows: it finds the members that they are.
func (p *Physics) recognise(t *table, b *block, from, to int) {
	b.from, b.to, b.style, b.alike, b.marks = from, to, 0, false, 0
	ents, list := t.ents[from:to], p.members.list
	b.page = p.page(t, from)
	if g := b.page; g != nil && g.recalls(ents, p.members.round) {
		b.style, b.alike, b.recalled, b.ids = g.style, true, true, g.ids
		if g.bends {
			b.marks |= bends
		}
		if g.still {
			b.marks |= still
		}
		return
	}
	b.recalled = false
	if id := int(ents[0].Id()); id < len(list) {
		b.style = list[id].style
	}
	if p.members.styles.list[b.style].has != t.has {
		return
	}
	differs, marks := uint64(0), marks(0)
	for i, e := range ents {
		id := int(e.Id())
		if id >= len(list) {
			return
		}
		k := &list[id]
		differs |= uint64(k.entity^e) | uint64(k.style^b.style)
		marks |= k.marks
		b.of[i&(blockRows-1)], b.ids[i&(blockRows-1)] = k, k.code
	}
	b.alike, b.marks = differs == 0, marks
}

// meet finds the members of a block that was recalled, and is not as its page says.
func (p *Physics) meet(t *table, b *block) {
	for i, e := range t.ents[b.from:b.to] {
		b.of[i&(blockRows-1)] = &p.members.list[e.Id()]
	}
	b.recalled, b.read = false, b.page.measures
}

// send lets the processor bring the wanted components of a block that has been recognised, and its bodies, while it works on the block before. Of a world that
// no cache holds the passes over a block would otherwise wait for nearly every row: they don't look far enough ahead by themselves, and the bodies are in
// an order of their own. It changes nothing but when memory arrives.
func (p *Physics) send(t *table, b *block, wanted has) {
	for bit := range t.cols {
		if t.has&wanted>>bit&1 != 0 {
			fetch(t.cols[bit][b.from:b.to])
		}
	}
	if b.alike && t.has&(moves|hasSphere) == moves|hasSphere && b.marks&still == 0 { // what is still isn't asked for
		p.space.Bring(b.ids[:b.to-b.from])
	}
}
