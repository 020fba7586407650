package bridge

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// Entities with a Constant are read until nearly all rows of their table are as in the step before.
// From then on, only the others and those that come are read, until they are as in the step before,
// and those that go are removed. The world reports both. If a table has other entities than that
// explains, because components were added or removed, all of its rows are read again.

// constants is what the world has reported about entities with a Constant since it was last read.
type constants struct {
	all     bool             // too much, or what was read is not known any more: all rows are read again
	created []donburi.Entity // in no settled table yet
	pending []donburi.Entity // in settled tables, and not yet as in the step before
	removed []donburi.Entity
	wanted  [64]uint64 // a bit for the last 12 bits of the ids of created and pending
}

// maxCreated is how many entities may be new or changed in a step, and maxRemoved how many may go,
// before all rows are read again. New ones are searched for in all rows.
const (
	maxCreated = 1 << 8
	maxRemoved = 1 << 12
)

// isConstant reports whether the entities of a table are static and have a Constant.
func (t *table) isConstant() bool { return t.has&(hasConstant|hasVelocity) == hasConstant }

// watchConstants makes the world report entities with a Constant that are created or removed.
func (b *Bridge) watchConstants(w donburi.World) {
	if b.watchesConstants {
		return
	}
	b.watchesConstants = true
	this := b.worlds // a world that was left, and came back, still calls the functions of the first time
	w.OnCreate(func(of donburi.World, e donburi.Entity) {
		if b.worlds == this && of.Entry(e).HasComponent(components.Constant) {
			c := &b.registry.constants
			c.created = c.note(c.created, e, maxCreated)
		}
	})
	w.OnRemove(func(of donburi.World, e donburi.Entity) {
		if entry := of.Entry(e); b.worlds == this && entry.HasComponent(components.Constant) {
			b.noteRemoved(of, entry)
		}
	})
}

// note appends an entity to one of the lists, which has at most so many.
func (c *constants) note(list []donburi.Entity, e donburi.Entity, most int) []donburi.Entity {
	if c.all = c.all || len(list) >= most; c.all {
		return list
	}
	return append(list, e)
}

// noteRemoved notes that an entity with a Constant is going to be removed.
func (b *Bridge) noteRemoved(w donburi.World, e *donburi.Entry) {
	c := &b.registry.constants
	if c.all {
		return
	}
	if k := slices.Index(c.created, e.Entity()); k >= 0 {
		c.created = slices.Delete(c.created, k, k+1)
		return
	}
	if k := slices.Index(c.pending, e.Entity()); k >= 0 {
		c.pending = slices.Delete(c.pending, k, k+1)
	}
	c.removed = c.note(c.removed, e.Entity(), maxRemoved)
	all, in := w.Archetypes(), e.Archetype()
	for i := range b.registry.tables {
		if t := &b.registry.tables[i]; all[t.at] == in {
			t.left++
			t.settledSum -= hashOf(e.Entity())
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
	if !t.settled || c.all {
		t.settled = false
		return
	}
	in := w.Archetypes()[t.at]
	for _, e := range c.created {
		if w.Valid(e) && w.Entry(e).Archetype() == in {
			rows, changed = rows+1, true
			t.settledSum += hashOf(e)
		}
	}
	for _, e := range c.pending {
		changed = changed || w.Valid(e) && w.Entry(e).Archetype() == in
	}
	t.settled = len(t.ents) == rows && (!changed || t.has&hasGroup == 0 && b.findFresh(t))
}

// findFresh finds the rows of new entities in a table. It returns false if the table has other
// entities than the world has reported.
func (b *Bridge) findFresh(t *table) bool {
	c := &b.registry.constants
	c.wanted = [64]uint64{}
	for _, e := range [2][]donburi.Entity{c.created, c.pending} {
		for _, e := range e {
			c.wanted[e.Id()>>6&63] |= 1 << (e.Id() & 63)
		}
	}
	sum := uint64(0)
	for row, e := range t.ents {
		sum += hashOf(e)
		if c.wanted[e.Id()>>6&63]>>(e.Id()&63)&1 != 0 &&
			(slices.Contains(c.created, e) || slices.Contains(c.pending, e)) {
			t.fresh = append(t.fresh, row)
		}
	}
	return sum == t.settledSum
}

// hashOf returns a hash of an entity, as in SplitMix64 (Steele, Lea and Flood, 2014) but shorter.
func hashOf(e donburi.Entity) uint64 {
	x := uint64(e) * 0xbf58476d1ce4e5b9
	return (x ^ x>>29) * 0x94d049bb133111eb
}

// settleConstants notes the tables of constant rows that were all as in the step before, and the
// entities that were not.
func (b *Bridge) settleConstants() {
	r := &b.registry
	c := &r.constants
	c.created, c.pending, c.removed = c.created[:0], c.pending[:0], c.removed[:0]
	for i := range r.tables {
		t := &r.tables[i]
		if !t.isConstant() {
			continue
		}
		if t.wasSettled = t.settled; !t.settled {
			t.settledSum = 0
			for _, e := range t.ents {
				t.settledSum += hashOf(e)
			}
		}
		t.settled, t.settledRows = true, len(t.ents)
	}
	for i := range b.parallel.chunks {
		k := &b.parallel.chunks[i]
		t := &r.tables[k.table]
		switch {
		case k.last == k.first || !t.isConstant():
		case t.wasSettled:
			c.pending = append(c.pending, t.ents[k.from])
		case t.has&hasGroup != 0 || len(c.pending)+k.last-k.first > maxCreated:
			t.settled = false
		default: // a game may change some in each step, and never stop
			for _, row := range k.worker.slowRows[k.first:k.last] {
				c.pending = append(c.pending, t.ents[row])
			}
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
