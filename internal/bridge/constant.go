package bridge

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// Entities with a Constant are read until all rows of their table are as in the step before. From
// then on, only those that come are read, until they are as in the step before, and those that go
// are removed. The world reports both. If a table has more or fewer rows than that explains,
// because components were added or removed, all of its rows are read again.

// constants is what the world has reported about entities with a Constant since it was last read.
type constants struct {
	all     bool             // too much, or what was read is not known any more: all rows are read again
	created []donburi.Entity // in no settled table yet
	pending []donburi.Entity // in settled tables, and not yet as in the step before
	removed []donburi.Entity
}

// maxReported is how many entities are noted between two steps before all rows are read again.
const maxReported = 1 << 12

// isConstant reports whether the entities of a table are static and have a Constant.
func (t *table) isConstant() bool { return t.has&(hasConstant|hasVelocity) == hasConstant }

// watchConstants makes the world report entities with a Constant that are created or removed.
func (b *Bridge) watchConstants(w donburi.World) {
	if b.watchesConstants {
		return
	}
	b.watchesConstants = true
	b.watches++
	this := b.watches // a world that was left, and came back, still calls the functions of the first time
	w.OnCreate(func(of donburi.World, e donburi.Entity) {
		if b.watches == this && of.Entry(e).HasComponent(components.Constant) {
			c := &b.registry.constants
			c.created = c.note(c.created, e)
		}
	})
	w.OnRemove(func(of donburi.World, e donburi.Entity) {
		if entry := of.Entry(e); b.watches == this && entry.HasComponent(components.Constant) {
			b.noteRemoved(of, entry)
		}
	})
}

// note appends an entity to one of the lists.
func (c *constants) note(list []donburi.Entity, e donburi.Entity) []donburi.Entity {
	if len(list) >= maxReported {
		c.all = true
		return list
	}
	return append(list, e)
}

// noteRemoved notes that an entity with a Constant is going to be removed.
func (b *Bridge) noteRemoved(w donburi.World, e *donburi.Entry) {
	c := &b.registry.constants
	if k := slices.Index(c.created, e.Entity()); k >= 0 {
		c.created = slices.Delete(c.created, k, k+1)
		return
	}
	if k := slices.Index(c.pending, e.Entity()); k >= 0 {
		c.pending = slices.Delete(c.pending, k, k+1)
	}
	c.removed = c.note(c.removed, e.Entity())
	all, in := w.Archetypes(), e.Archetype()
	for i := range b.registry.tables {
		if t := &b.registry.tables[i]; all[t.at] == in {
			t.left++
			return
		}
	}
}

// settle finds out which rows of a table of constant entities have to be read: all of them, unless
// it is settled, or only those of fresh.
func (b *Bridge) settle(w donburi.World, t *table) {
	c := &b.registry.constants
	rows, changed := t.settledRows-t.left, t.left > 0
	t.left, t.fresh = 0, t.fresh[:0]
	if !t.settled || c.all || t.has&hasGroup != 0 && changed {
		t.settled = false
		return
	}
	in := w.Archetypes()[t.at]
	budget := 4 * len(t.ents) // for comparisons, which take a tenth of reading a row
	find := func(e donburi.Entity) bool {
		if !w.Valid(e) || w.Entry(e).Archetype() != in {
			return false
		}
		row := len(t.ents) - 1 // new ones are at the end, unless others have taken the places of those that went
		for row >= 0 && t.ents[row] != e && budget > 0 {
			row--
			budget--
		}
		if row >= 0 {
			t.fresh = append(t.fresh, row)
		}
		return true
	}
	for _, e := range c.created {
		if find(e) {
			rows++
		}
	}
	for _, e := range c.pending {
		find(e)
	}
	t.settled = len(t.ents) == rows && budget > 0 && (t.has&hasGroup == 0 || len(t.fresh) == 0)
}

// settleConstants notes the tables of constant rows that were all as in the step before, and the
// entities that were not.
func (b *Bridge) settleConstants() {
	r := &b.registry
	c := &r.constants
	c.created, c.pending, c.removed = c.created[:0], c.pending[:0], c.removed[:0]
	for i := range r.tables {
		if t := &r.tables[i]; t.isConstant() {
			t.wasSettled, t.settled, t.settledRows = t.settled, true, len(t.ents)
		}
	}
	for i := range b.parallel.chunks {
		k := &b.parallel.chunks[i]
		switch t := &r.tables[k.table]; {
		case k.last == k.first:
		case t.wasSettled:
			c.pending = append(c.pending, t.ents[k.from])
		default:
			t.settled = false
		}
	}
}

// removeReported removes the records of the entities with a Constant that were removed, if these
// are all that are missing. It reports whether they are.
func (b *Bridge) removeReported(missing int) bool {
	r := &b.registry
	gone := slices.DeleteFunc(r.constants.removed, func(e donburi.Entity) bool { return r.find(e) == nil })
	if len(gone) != missing {
		return false
	}
	slices.SortFunc(gone, func(x, y donburi.Entity) int { return cmp.Compare(x.Id(), y.Id()) })
	for _, e := range gone {
		b.forget(r.find(e))
	}
	return true
}
