package bridge

import (
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// Entities with a Constant are read until all rows of their table are as in the step before, and
// then not again until their number changes or one of them is created or removed.

// isConstant reports whether the entities of a table are static and have a Constant.
func (t *table) isConstant() bool { return t.has&(hasConstant|hasVelocity) == hasConstant }

// watchConstants makes the world report entities with a Constant that are created or removed.
func (b *Bridge) watchConstants(w donburi.World) {
	if b.watchesConstants {
		return
	}
	b.watchesConstants = true
	note := func(of donburi.World, e donburi.Entity) {
		if of.Entry(e).HasComponent(components.Constant) {
			b.registry.constantsChanged = true
		}
	}
	w.OnCreate(note)
	w.OnRemove(note)
}

// skips reports whether the rows of a table need not be read: they are constant, and the table has
// the same ones as when they were last read.
func (b *Bridge) skips(t *table) bool {
	return t.settled && !b.registry.constantsChanged && len(t.ents) == t.settledRows
}

// settleConstants notes the tables of constant rows that were all as in the step before.
func (b *Bridge) settleConstants() {
	for i := range b.registry.tables {
		if t := &b.registry.tables[i]; t.isConstant() && !t.settled {
			t.settled, t.settledRows = true, len(t.ents)
		}
	}
	for i := range b.parallel.chunks {
		if c := &b.parallel.chunks[i]; c.last > c.first {
			b.registry.tables[c.table].settled = false
		}
	}
}
