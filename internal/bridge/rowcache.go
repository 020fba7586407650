package bridge

import (
	"unsafe"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// rowCache describes a block in which all rows are unchanged spheres of one profile. While the same
// entities are in the rows, reading compares their components with the cache and needs no records.
// A cache that is valid after gather (n > 0) describes the rows as they were read.
type rowCache struct {
	n          int // rows; 0 for an invalid cache
	movedIn    int // number of the gather that last found all rows in ordinary motion, with these handles
	handles    [blockRows]solver.Handle
	generation int // of the registry
	profile    uint16

	*restingRows // nil until all rows are unchanged for the first time
}

// restingRows is what a rowCache compares. It takes 3 kB, which a block that always moves doesn't
// need.
type restingRows struct {
	entities  [blockRows]donburi.Entity
	sizes     rowSizes
	positions [blockRows]collide.Vec3
}

// rowSizes holds what spheres of one profile may differ in: radius in metres, mass in kilograms.
type rowSizes struct{ radius, mass [blockRows]float64 }

// cache returns the cache of the block that contains a row of a table, or nil. Each chunk has its
// own caches, so that workers never share one.
func (b *Bridge) cache(t *table, row int) *rowCache {
	if k := row/b.parallel.rows*b.parallel.chunkCaches() + row%b.parallel.rows/blockRows; k < len(t.caches) {
		return &t.caches[k]
	}
	return nil
}

// chunkCaches returns the number of caches of a chunk.
func (l *parallel) chunkCaches() int { return (l.rows + blockRows - 1) / blockRows }

// blockOf returns the entities of the block that contains a row of a table.
func (l *parallel) blockOf(t *table, row int) []donburi.Entity {
	in := row % l.rows
	from := row - in%blockRows
	return t.ents[from:min(from+blockRows, row-in+l.rows, len(t.ents))]
}

// store makes the cache describe a block of one profile in which all rows are unchanged.
func (c *rowCache) store(t *table, rows *rowBlock, generation int) {
	if c.restingRows == nil {
		c.restingRows = new(restingRows)
	}
	c.n, c.generation, c.profile = rows.to-rows.from, generation, rows.profile
	c.sizes = rows.sizes
	c.handles = rows.handles
	copy(c.entities[:], t.ents[rows.from:rows.to])
	for i, at := range t.cols[colTransform][rows.from:rows.to] {
		c.positions[i] = (*components.TransformData)(at).Position
	}
}

// matches reports whether the cache is valid and describes these entities.
func (c *rowCache) matches(ents []donburi.Entity, generation int) bool {
	const size = int(unsafe.Sizeof(donburi.Null))
	n := len(ents)
	return c.n == n && c.generation == generation &&
		unsafe.String((*byte)(pointer(&ents[0])), n*size) == unsafe.String((*byte)(pointer(&c.entities[0])), n*size)
}

// rowsDifferColumns are the components of the tables that rowsDiffer compares.
const rowsDifferColumns = moves | hasSphere | hasBody | hasMaterial

// maxRowsAhead is how many rows ahead rowsDiffer prefetches. With a whole block, 64, a step of
// 100,000 spheres at rest took 12 % longer.
const maxRowsAhead = 32

// isCached reports whether all rows of a block are as its cache describes them: then the space
// needs no information about them. Unless the cache is invalid, it prefetches the components of the
// rows that follow the block, as many as following.
func (b *Bridge) isCached(t *table, from, to, following int, c *rowCache, what task) bool {
	if !c.matches(t.ents[from:to], b.registry.generation) {
		return false
	}
	if hasAVX2 && t.has == rowsDifferColumns {
		first := get[components.TransformData](t.cols[colTransform], from)
		is := &b.registry.profiles.list[c.profile]
		return isUpright(&first.Rotation) &&
			!rowsDiffer(t, from, to-from, min(following, maxRowsAhead), is, c.restingRows)
	}
	t.prefetch(to, to+following, everything)
	return !b.cachedRowsDiffer(t, from, to, c, what)
}

// cachedRowsDiffer reports whether any row of a block differs from the cache of its entities.
func (b *Bridge) cachedRowsDiffer(t *table, from, to int, c *rowCache, what task) bool {
	if b.differs(t, from, to, &b.registry.profiles.list[c.profile], &c.sizes) {
		return true
	}
	first := bits(&get[components.TransformData](t.cols[colTransform], from).Rotation.W)
	moved, turned, rotated := uint64(0), uint64(0), uint64(0)
	velocities := t.cols[colVelocity][from:to]
	for i, at := range t.cols[colTransform][from:to] {
		x, v := (*components.TransformData)(at), (*components.VelocityData)(velocities[i])
		was := &c.positions[i&(blockRows-1)]
		moved |= (bits(&x.Position.X) ^ bits(&was.X)) | (bits(&x.Position.Y) ^ bits(&was.Y))
		moved |= bits(&x.Position.Z) ^ bits(&was.Z)
		moved |= bits(&v.Linear.X) | bits(&v.Linear.Y) | bits(&v.Linear.Z)
		turned |= bits(&x.Rotation.X) | bits(&x.Rotation.Y) | bits(&x.Rotation.Z)
		rotated |= bits(&x.Rotation.W) ^ first
	}
	if moved != 0 {
		return true
	}
	if t.has&hasSpin != 0 {
		return !b.spinsAreCached(t, from, to, c, what)
	}
	return turned<<1|rotated != 0 || !isUpright(&get[components.TransformData](t.cols[colTransform], from).Rotation)
}

// spinsAreCached is isCached for the AngularVelocity and the rotation of spheres.
func (b *Bridge) spinsAreCached(t *table, from, to int, c *rowCache, what task) bool {
	transforms := t.cols[colTransform][from:to]
	for i, at := range t.cols[colSpin][from:to] {
		s, q := (*components.AngularVelocityData)(at), &(*components.TransformData)(transforms[i]).Rotation
		k := &b.registry.spins[c.handles[i&(blockRows-1)]]
		if !isZero(s.Angular) || s.Inertia != k.inertia || s.Damping != k.damping || !isRotation(q) {
			return false
		}
		if !what.uninterrupted || b.settings.Transform2D {
			k.angular, k.rotation = s.Angular, *q
		}
	}
	return true
}

// invalidate invalidates the cache that describes a row which is no longer unchanged. Between the
// systems of a step the game may have moved entities to other rows. Then the cache that describes
// the record is unknown, and all become invalid.
func (b *Bridge) invalidate(t *table, row int, uninterrupted bool) {
	c := b.cache(t, row)
	if !uninterrupted && (c == nil || !c.matches(b.parallel.blockOf(t, row), b.registry.generation)) {
		b.parallel.stale.Store(true)
		return
	}
	if c != nil { // rows of bodies that are no spheres have none
		c.n = 0
	}
}
