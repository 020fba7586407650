package bridge

import (
	"math"
	mathbits "math/bits"
	"unsafe"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/prefetch"
	"github.com/dango-physics/dango/internal/solver"
)

// fastPathMax bounds the values that the fast path takes: positions in metres, speeds in metres per
// second, and the speed gained in a step. Sums of such values stay below components.MaxCoordinate
// and need no further range check. Rows with larger values take the slow path, which checks ranges.
// With a larger bound sums could exceed the range unnoticed; a smaller one sends valid rows to the
// slow path.
const fastPathMax = components.MaxCoordinate / 4

const moves = hasTransform | hasVelocity

// blockRows is how many rows the fast path reads together. Each pass over a block does one thing,
// so that its values stay in registers and the processor loads the memory of many rows at a time.
// It is a power of two: indices are masked with blockRows-1, which spares the bounds check.
const blockRows = 64

// rowBlock is a range of at most blockRows rows of a table, and what is known about them.
type rowBlock struct {
	from, to int
	uniform  bool                     // all rows have one profile and, once compared, don't differ from it
	profile  uint16                   // of the first row
	flags    flags                    // of all rows together
	handles  [blockRows]solver.Handle // none for a row that takes the slow path
	records  [blockRows]*record
	sizes    rowSizes // of a uniform block

	// Rows that may move: arguments of Space.Move.
	moving        [blockRows]solver.Handle
	positions     [blockRows]pointer
	velocities    [blockRows]pointer
	accelerations [blockRows]*collide.Vec3

	// Only for surfaces; corners only for polygons.
	sources [blockRows]*surfaceSource
	corners [blockRows][]collide.Vec3
}

// readRows reads the rows from first to last in which only the motion of spheres differs from the
// previous step, and appends the other rows to the worker's slowRows. It returns how many of the
// rows that it read may move.
func (b *Bridge) readRows(l *rowWorker, t *table, first, last int, what task) (moving int) {
	kind := t.has & (moves | anyCollider | hasForce | hasSpin | hasSurfaceVelocity)
	if kind&hasSphere == 0 {
		kind &^= hasSurfaceVelocity
	}
	rest := kind &^ anySurface
	isSurface := mathbits.OnesCount32(uint32(kind&anySurface)) == 1 && (rest == hasTransform || rest == moves) &&
		!t.bodies
	switch {
	case kind&^(hasSpin|hasForce) == moves|hasSphere, kind == hasTransform|hasSphere, isSurface:
	default:
		for row := first; row < last; row++ {
			l.slowRows = append(l.slowRows, int32(row))
		}
		return 0
	}
	slow := len(l.slowRows)
	var rows rowBlock
	for from := first; from < last; from += blockRows {
		to := min(from+blockRows, last)
		following := 0
		if what.prefetch {
			following = min(blockRows, last-to)
		}
		cache := b.cache(t, from)
		if cache != nil {
			if b.isCached(t, from, to, following, cache, what) {
				continue
			}
			cache.n = 0 // or it would match entities that leave these rows, change, and come back
		}
		t.prefetch(to, to+following, everything)
		rows.from, rows.to = from, to
		b.findRecords(t, &rows)
		switch {
		case kind&hasSphere == 0:
			b.readSurfaces(l, t, &rows)
		case kind&hasVelocity == 0:
			b.readStatic(l, t, &rows)
		default:
			if t.has&hasSpin != 0 {
				b.readSpins(t, &rows, what)
			}
			b.readMotion(l, t, &rows, cache, what)
		}
	}
	if kind&moves != moves || kind&hasSphere == 0 {
		return 0
	}
	return last - first - (len(l.slowRows) - slow)
}

// prefetch starts to load the wanted components of a range of rows and returns at once. Components
// lie in no order that the processor could predict.
func (t *table) prefetch(from, to int, wanted has) {
	for bit := range t.cols {
		if t.has&wanted>>bit&1 != 0 {
			prefetch.Lines(t.cols[bit][from:to]...)
		}
	}
}

// findRecords finds the records of a block's rows. Rows without a record, or that differ from it,
// get the handle none.
func (b *Bridge) findRecords(t *table, rows *rowBlock) {
	rows.uniform = b.findUniform(t, rows) &&
		!b.differs(t, rows.from, rows.to, &b.registry.profiles.list[rows.profile], &rows.sizes)
	if rows.uniform {
		return
	}
	rows.flags = 0
	for row := rows.from; row < rows.to; row++ {
		i := row - rows.from
		rows.handles[i] = none
		if k := b.registry.find(t.ents[row]); k != nil && !b.rowDiffers(t, row, k) {
			rows.handles[i], rows.records[i] = k.handle, k
			rows.flags |= k.flags
		}
	}
}

// findUniform finds the records of a block's rows, and reports whether all have the same profile
// and it is one of this table.
func (b *Bridge) findUniform(t *table, rows *rowBlock) bool {
	ents, list := t.ents[rows.from:rows.to], b.registry.records
	id := int(ents[0].Id())
	if id >= len(list) {
		return false
	}
	rows.profile, rows.flags = list[id].profile, 0
	if b.registry.profiles.list[rows.profile].has != t.has {
		return false
	}
	differs := uint64(0)
	for i, e := range ents {
		id := int(e.Id())
		if id >= len(list) {
			return false
		}
		k := &list[id]
		differs |= uint64(k.entity^e) | uint64(k.profile^rows.profile)
		rows.flags |= k.flags
		i &= blockRows - 1
		rows.records[i], rows.handles[i], rows.sizes.radius[i], rows.sizes.mass[i] = k, k.handle, k.radius, k.mass
	}
	return differs == 0
}

// readStatic reads a block of spheres without a Velocity. The space needs no information about
// them; those that differ take the slow path.
func (b *Bridge) readStatic(l *rowWorker, t *table, rows *rowBlock) {
	for i, at := range t.cols[colTransform][rows.from:rows.to] {
		x, k := (*components.TransformData)(at), rows.records[i&(blockRows-1)]
		if rows.handles[i&(blockRows-1)] == none || !isUpright(&x.Rotation) || k.flags&unchanged == 0 ||
			!b.space.IsAt(k.handle.Body(), &x.Position) {
			l.slowRows = append(l.slowRows, int32(rows.from+i))
		}
	}
}

// readSurfaces reads a block of surfaces. Those that move take the slow path.
func (b *Bridge) readSurfaces(l *rowWorker, t *table, rows *rowBlock) {
	b.compareSources(t, rows)
	switch t.has & anySurface {
	case hasPolygon:
		b.comparePolygons(t, rows)
	case hasShape:
		b.compareShapes(t, rows)
	default:
		b.compareSurfaces(t, rows)
	}
	if t.has&hasVelocity != 0 {
		for i, at := range t.cols[colVelocity][rows.from:rows.to] {
			if !isZero((*components.VelocityData)(at).Linear) {
				rows.handles[i&(blockRows-1)] = none
			}
		}
	}
	for i, handle := range rows.handles[:rows.to-rows.from] {
		if handle == none {
			l.slowRows = append(l.slowRows, int32(rows.from+i))
		}
	}
}

// compareSources finds the surface sources of a block's rows. A row whose Transform has changed
// gets the handle none.
func (b *Bridge) compareSources(t *table, rows *rowBlock) {
	list := b.registry.sources.list
	for i, at := range t.cols[colTransform][rows.from:rows.to] {
		i &= blockRows - 1
		if rows.handles[i] == none {
			continue
		}
		x, f := (*components.TransformData)(at), &list[rows.handles[i].Surface()]
		q, r := &x.Rotation, &f.transform.Rotation
		turned := (bits(&q.W) ^ bits(&r.W)) | (bits(&q.X) ^ bits(&r.X))
		turned |= (bits(&q.Y) ^ bits(&r.Y)) | (bits(&q.Z) ^ bits(&r.Z))
		if turned != 0 || !x.Position.SameBits(f.transform.Position) {
			rows.handles[i] = none
		}
		rows.sources[i] = f
	}
}

// compareSurfaces gives the handle none to the rows of a block whose planes or capsules have
// changed shape.
func (b *Bridge) compareSurfaces(t *table, rows *rowBlock) {
	for i := range rows.to - rows.from {
		i &= blockRows - 1
		if rows.handles[i] == none {
			continue
		}
		points, size, flag := t.shape(rows.from + i)
		if k := rows.records[i]; math.Float64bits(size) != bits(&k.radius) || flag != (k.flags&flagged != 0) ||
			!sameAll(points, b.registry.sources.pointsOf(rows.sources[i])) {
			rows.handles[i] = none
		}
	}
}

// comparePolygons gives the handle none to the rows of a block whose polygons have changed shape.
func (b *Bridge) comparePolygons(t *table, rows *rowBlock) {
	sources := &b.registry.sources
	for i, at := range t.cols[colPolygon][rows.from:rows.to] {
		i &= blockRows - 1
		if rows.handles[i] == none {
			continue
		}
		d := (*components.PolygonColliderData)(at)
		if len(d.Points) != int(rows.sources[i].n) || d.OneSided != (rows.records[i].flags&flagged != 0) {
			rows.handles[i] = none
		}
		rows.corners[i] = d.Points
	}
	for i, handle := range rows.handles[:rows.to-rows.from] {
		if handle != none && !sameAll(rows.corners[i&(blockRows-1)], sources.pointsOf(rows.sources[i&(blockRows-1)])) {
			rows.handles[i] = none
		}
	}
}

// sameAll reports whether a and b have the same bits. They have the same length, at least 1.
func sameAll(a, b []collide.Vec3) bool {
	const size = int(unsafe.Sizeof(collide.Vec3{}))
	return unsafe.String((*byte)(pointer(&a[0])), len(a)*size) == unsafe.String((*byte)(pointer(&b[0])), len(b)*size)
}

// readMotion passes the motion of a block's spheres to the space. Rows that are unchanged are
// skipped. If the whole block is, its row cache is stored.
func (b *Bridge) readMotion(l *rowWorker, t *table, rows *rowBlock, cache *rowCache, what task) {
	r := &b.registry
	transforms, velocities := t.cols[colTransform][rows.from:rows.to], t.cols[colVelocity][rows.from:rows.to]
	if rows.uniform && rows.flags&(unchanged|adjusted) == 0 && !r.accelerated && what.uninterrupted &&
		t.has&(hasSpin|hasForce) == 0 && areOrdinary(transforms, velocities) {
		n := len(transforms)
		b.space.Move(&solver.Motions{Bodies: rows.handles[:n], Positions: transforms, Velocities: velocities})
		l.informed += n
		if rows.flags&grouped == 0 && r.profiles.list[rows.profile].body.Kind == components.Dynamic {
			cache.movedIn, cache.handles = r.gathers, rows.handles
		}
		return
	}
	n, resting := 0, 0
	for i, at := range transforms {
		handle, k := rows.handles[i&(blockRows-1)], rows.records[i&(blockRows-1)]
		x, v := (*components.TransformData)(at), &(*components.VelocityData)(velocities[i]).Linear
		// The rotations of spheres with an AngularVelocity have been checked in readSpins.
		if handle == none || t.has&hasSpin == 0 && !isUpright(&x.Rotation) {
			l.slowRows = append(l.slowRows, int32(rows.from+i))
			continue
		}
		forced := &l.forced[i&(blockRows-1)]
		if t.has&hasForce != 0 && !b.readForce(t, rows.from+i, k, forced) {
			l.slowRows = append(l.slowRows, int32(rows.from+i))
			continue
		}
		if k.flags&unchanged != 0 && isZero(*v) && b.space.IsAt(handle.Body(), &x.Position) {
			resting++
			continue
		}
		if !isOrdinary(&x.Position, v) {
			l.slowRows = append(l.slowRows, int32(rows.from+i))
			continue
		}
		if !what.uninterrupted {
			r.velocities[handle] = *v
		}
		j := n & (blockRows - 1)
		rows.moving[j], rows.positions[j], rows.velocities[j] = handle, pointer(&x.Position), pointer(v)
		n++
		if k.flags&(unchanged|adjusted) != 0 || r.accelerated {
			k.flags &^= unchanged
			s := &r.profiles.list[k.profile]
			if s.adjusted {
				l.adjusted[j] = s.adjust(*v, what.stepping)
				rows.velocities[j] = pointer(&l.adjusted[j])
			}
			rows.accelerations[j] = &r.profiles.list[0].acceleration // zero
			switch {
			case !what.stepping:
			case t.has&hasForce != 0:
				rows.accelerations[j] = forced
			default:
				rows.accelerations[j] = &s.acceleration
			}
		}
	}
	if rows.uniform && resting == rows.to-rows.from {
		cache.store(t, rows, r.generation)
		return
	}
	motions := solver.Motions{Bodies: rows.moving[:n], Positions: rows.positions[:n], Velocities: rows.velocities[:n]}
	if r.accelerated {
		motions.Accelerations = rows.accelerations[:n]
	}
	b.space.Move(&motions)
	l.informed += n
}

// readForce sets the acceleration of a row with a Force. It reports whether the fast path takes the
// row: one that was accelerated in the last step, too, and not too fast. A locked axis would hide a
// Force that is not finite.
func (b *Bridge) readForce(t *table, row int, k *record, a *collide.Vec3) bool {
	force := &get[components.ForceData](t.cols[colForce], row).Force
	if k.flags&accelerated == 0 || !force.IsFinite() {
		return false
	}
	inverseMass := 1.0
	if k.mass != 0 {
		inverseMass = 1 / k.mass
	}
	*a = b.acceleration(&b.registry.profiles.list[k.profile].body, force.Scale(inverseMass))
	return *a != (collide.Vec3{}) && b.fastPathTakes(*a)
}

// fastPathTakes reports whether the fast path takes bodies with an acceleration, m/s².
func (b *Bridge) fastPathTakes(a collide.Vec3) bool {
	return a.Length() <= fastPathMax/b.settings.Solver.Seconds
}

// isUpright reports whether q is the identity or the zero value, as of nearly all spheres.
func isUpright(q *collide.Quat) bool {
	const one = 1023 << 52
	w := bits(&q.W)
	return (bits(&q.X)|bits(&q.Y)|bits(&q.Z))<<1 == 0 && (w == one || w == 0)
}

// isOrdinary reports whether the fast path takes a position and a velocity. It is false for values
// that are not finite.
func isOrdinary(x, v *collide.Vec3) bool {
	return float64(x.X*x.X)+float64(x.Y*x.Y)+float64(x.Z*x.Z)+
		(float64(v.X*v.X)+float64(v.Y*v.Y)+float64(v.Z*v.Z)) <= fastPathMax*fastPathMax
}

// areOrdinary reports whether the fast path takes all rows of a block: the first rotation is
// upright and the others have the same bits, and isOrdinary is true of all together. It has no
// branch for each row.
func areOrdinary(transforms, velocities []pointer) bool {
	first := &(*components.TransformData)(transforms[0]).Rotation
	w := bits(&first.W)
	turned, sum := uint64(0), 0.0
	for i, at := range transforms {
		x, v := (*components.TransformData)(at), &(*components.VelocityData)(velocities[i]).Linear
		p, q := &x.Position, &x.Rotation
		turned |= (bits(&q.X)|bits(&q.Y)|bits(&q.Z))<<1 | (bits(&q.W) ^ w)
		sum += float64(p.X*p.X) + float64(p.Y*p.Y) + float64(p.Z*p.Z) +
			(float64(v.X*v.X) + float64(v.Y*v.Y) + float64(v.Z*v.Z))
	}
	return turned == 0 && isUpright(first) && sum <= fastPathMax*fastPathMax
}

// isZero reports whether all bits of v are 0. It is false for a component of -0.
func isZero(v collide.Vec3) bool {
	return v.SameBits(collide.Vec3{})
}
