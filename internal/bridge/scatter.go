package bridge

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// scatter writes positions and velocities back to the world, and moves kinematic surfaces. Values
// that the game has changed since gather stay as they are. In an uninterrupted step there are none,
// and nothing is compared.
func (b *Bridge) scatter(w donburi.World, uninterrupted bool) {
	r := &b.registry
	if uninterrupted && r.informed == 0 && b.space.IsIdle() {
		return // nothing moved before the step, nor in it
	}
	r.learn(w)
	accessor := w.StorageAccessor()
	for i := range r.tables {
		if t := &r.tables[i]; t.has&moves == moves {
			t.read(accessor, hasTransform|hasVelocity|hasSpin, r.direct)
		}
	}
	b.runChunks(moves, task{write: true, uninterrupted: uninterrupted})
	b.writeGroups(w, uninterrupted)
	visited := 0
	for i := range b.parallel.chunks {
		visited += b.parallel.chunks[i].moving
	}
	b.space.EachHalted(func(id int32) {
		if k := r.find(r.bodies[id]); k != nil {
			k.profile = 0
			r.generation++
		}
	})
	if visited < r.moving { // some entities moved that have lost their Velocity since gather
		for i := range r.records {
			r.records[i].flags &^= unchanged
		}
		b.parallel.stale.Store(true)
	}
	if b.parallel.stale.Swap(false) {
		r.generation++
	}
	b.checkHandles("scatter")
}

// writeRows is scatter for a range of rows. It returns how many of them may have moved.
func (b *Bridge) writeRows(t *table, first, last int, what task) (visited int) {
	for from := first; from < last; from += blockRows {
		to := min(from+blockRows, last)
		if c := b.cache(t, from); c != nil && c.n == to-from &&
			(what.uninterrupted || c.matches(t.ents[from:to], b.registry.generation)) &&
			b.space.AreUnchanged(c.handles[:c.n]) {
			visited += c.n
			continue
		}
		if what.prefetch && to < last {
			t.prefetch(to, min(to+blockRows, last), moves)
		}
		if c := b.cache(t, from); c != nil && c.movedIn == b.registry.gathers && what.uninterrupted {
			m := solver.Motions{
				Bodies:    c.handles[:to-from],
				Positions: t.cols[colTransform][from:to], Velocities: t.cols[colVelocity][from:to],
			}
			if b.space.StoreMotions(&m) {
				visited += to - from
				continue
			}
		}
		visited += b.writeBlock(t, from, to, what.uninterrupted)
	}
	return visited
}

// writeBlock is writeRows for a block without a valid cache.
func (b *Bridge) writeBlock(t *table, from, to int, uninterrupted bool) (visited int) {
	r := &b.registry
	transforms, velocities := t.cols[colTransform][from:to], t.cols[colVelocity][from:to]
	for row, e := range t.ents[from:to] {
		k := r.find(e)
		if k == nil || k.handle == none || k.kind == components.Static || k.flags&grouped != 0 {
			continue
		}
		visited++
		if k.handle.IsSurface() {
			b.moveSurface(k, get[components.TransformData](transforms, row))
			continue
		}
		if k.flags&unchanged != 0 && b.space.IsUnchanged(k.handle.Body()) {
			continue
		}
		transform := get[components.TransformData](transforms, row)
		velocity := get[components.VelocityData](velocities, row)
		x, v := b.space.Motion(k.handle.Body())
		if k.flags&unchanged != 0 {
			if x.SameBits(b.space.StartPosition(k.handle.Body())) && isZero(v) &&
				(k.flags&accelerated == 0 || b.space.IsAsleep(k.handle.Body())) {
				continue
			}
			k.flags &^= unchanged
			b.invalidate(t, from+row, uninterrupted)
		}
		if uninterrupted || transform.Position.SameBits(b.space.StartPosition(k.handle.Body())) {
			transform.Position = x
		}
		if k.kind == components.Dynamic && (uninterrupted || velocity.Linear.SameBits(r.velocities[k.handle])) {
			velocity.Linear = v
		}
		if isZero(v) {
			b.noteUnchanged(k)
		}
	}
	return visited
}

// noteUnchanged marks a body without velocity as unchanged if it will stay where it is. One that
// sleeps and has a Force has to be read again: the Force may change.
//
//go:noinline
func (b *Bridge) noteUnchanged(k *record) {
	hasForces := b.registry.profiles.list[k.profile].has&hasForce != 0
	if k.flags&accelerated == 0 && b.space.HasZeroMotion(k.handle.Body()) ||
		b.space.IsAsleep(k.handle.Body()) && !hasForces {
		k.flags |= unchanged
		if b.registry.interrupted {
			b.registry.velocities[k.handle] = collide.Vec3{}
		}
	}
}

// moveSurface moves the Transform of a kinematic surface.
func (b *Bridge) moveSurface(k *record, transform *components.TransformData) {
	if transform.Position == b.registry.sources.list[k.handle.Surface()].transform.Position {
		transform.Position = b.space.Moved(k.handle.Surface(), transform.Position)
	}
	b.turnSurface(k, transform)
}

// Stays reports whether the entity of a body or surface is where the last step has left it.
func (b *Bridge) Stays(h solver.Handle) bool {
	e := b.Entity(h)
	k, transform := b.registry.find(e), transformOf(b.world, e)
	if k == nil || k.handle == none || transform == nil {
		return false
	}
	if !k.handle.IsSurface() {
		at, _ := b.space.Motion(k.handle.Body())
		return transform.Position == at
	}
	surface := k.handle.Surface()
	return transform.Position == b.space.Moved(surface, b.registry.sources.list[surface].transform.Position)
}
