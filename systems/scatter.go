package systems

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// scatter writes positions and velocities back to the world, and moves what is kinematic. Values that the game has changed since
// gather stay as they are; in an uninterrupted step there are none.
func (p *Physics) scatter(w donburi.World, uninterrupted bool) {
	r := &p.registry
	if uninterrupted && r.informed == 0 && p.space.IsIdle() {
		return // nothing moved before the step, nor in it
	}
	r.learn(w)
	accessor := w.StorageAccessor()
	for i := range r.tables {
		if t := &r.tables[i]; t.has&moves == moves {
			t.read(accessor, hasTransform|hasVelocity|hasSpin, r.direct)
		}
	}
	p.share(moves, task{write: true, uninterrupted: uninterrupted})
	visited := 0
	for i := range p.parallel.chunks {
		visited += p.parallel.chunks[i].moving
	}
	p.space.EachHalted(func(id int32) {
		if k := r.find(r.bodies[id]); k != nil {
			k.profile = 0
			r.generation++
		}
	})
	if visited < r.moving { // some have lost their Velocity since gather, and have moved all the same
		for i := range r.records {
			r.records[i].flags &^= unchanged
		}
		p.parallel.stale.Store(true)
	}
	if p.parallel.stale.Swap(false) {
		r.generation++
	}
}

// writeRows is scatter for a range of rows. It returns how many of them may have moved.
func (p *Physics) writeRows(t *table, first, last int, what task) (visited int) {
	for from := first; from < last; from += blockRows {
		to := min(from+blockRows, last)
		if c := p.cache(t, from); c != nil && c.n == to-from && (what.uninterrupted || c.matches(t.ents[from:to], p.registry.generation)) &&
			p.space.AreUnchanged(c.handles[:c.n]) {
			visited += c.n
			continue
		}
		if what.prefetch && to < last {
			t.prefetch(to, min(to+blockRows, last), moves)
		}
		visited += p.writeBlock(t, from, to, what.uninterrupted)
	}
	return visited
}

// writeBlock is writeRows row by row.
func (p *Physics) writeBlock(t *table, from, to int, uninterrupted bool) (visited int) {
	r := &p.registry
	transforms, velocities := t.cols[colTransform][from:to], t.cols[colVelocity][from:to]
	for row, e := range t.ents[from:to] {
		k := r.find(e)
		if k == nil || k.handle == none || k.kind == components.Static {
			continue
		}
		visited++
		if k.handle < 0 {
			p.moveSurface(k, get[components.TransformData](transforms, row))
			continue
		}
		if k.flags&unchanged != 0 && p.space.IsUnchanged(k.handle) {
			continue
		}
		transform, velocity := get[components.TransformData](transforms, row), get[components.VelocityData](velocities, row)
		x, v := p.space.Motion(k.handle)
		if k.flags&unchanged != 0 {
			if same(x, r.positions[e.Id()]) && isZero(v) && (k.flags&accelerated == 0 || p.space.IsAsleep(k.handle)) {
				continue
			}
			k.flags &^= unchanged
			p.invalidate(t, from+row, uninterrupted)
		}
		if uninterrupted || same(transform.Position, r.positions[e.Id()]) {
			transform.Position = x
		}
		if k.kind == components.Dynamic && (uninterrupted || same(velocity.Linear, r.velocities[k.handle])) {
			velocity.Linear = v
		}
		if isZero(v) {
			p.noteUnchanged(k, x)
		}
	}
	return visited
}

// noteUnchanged marks a body without velocity at x as unchanged, if it will stay there.
//
//go:noinline
func (p *Physics) noteUnchanged(k *record, x collide.Vec3) {
	if k.flags&accelerated == 0 && p.space.IsStill(k.handle) || p.space.IsAsleep(k.handle) {
		k.flags |= unchanged
		p.registry.positions[k.entity.Id()], p.registry.velocities[k.handle] = x, collide.Vec3{}
	}
}

// moveSurface moves the Transform of a kinematic plane or polygon.
func (p *Physics) moveSurface(k *record, transform *components.TransformData) {
	if transform.Position == p.registry.sources.list[-2-k.handle].transform.Position {
		transform.Position = transform.Position.Add(p.space.Travelled(-2 - k.handle))
	}
}
