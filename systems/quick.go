package systems

import (
	"math"
	"unsafe"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// usual bounds what the quick way of reading takes: positions in metres, speeds in metres per second and how much a speed may gain
// in a step. Sums of such values stay within components.MaxCoordinate, so that nothing else has to be checked. What is beyond is read the long way,
// which knows what is an error.
const usual = components.MaxCoordinate / 4

const moves = hasTransform | hasVelocity

// readQuickly reads the entities in some rows of a table that are as they were in the step before but for how spheres move, and leaves the other
// rows in the lane's list for the long way. It returns how many of those that it has read may move.
func (p *Physics) readQuickly(l *lane, t *table, first, last int, what task) (moving int) {
	kind := t.has & (moves | hasSphere | hasPlane | hasPolygon | hasForce | hasSpin | hasBelt)
	if kind&hasSphere == 0 {
		kind &^= hasBelt
	}
	switch kind {
	case moves | hasSphere, moves | hasSphere | hasSpin, hasTransform | hasSphere:
	case hasTransform | hasPlane, hasTransform | hasPolygon, moves | hasPlane, moves | hasPolygon:
	default:
		for row := first; row < last; row++ {
			l.odd = append(l.odd, row)
		}
		return 0
	}
	odd := len(l.odd)
	var room scratch
	b, next := &block{scratch: &room}, &block{scratch: &room}
	p.recognise(t, b, first, min(first+blockRows, last))
	for {
		if b.to < last { // this early, so that its members, and what is sent for, have time to come from memory
			p.recognise(t, next, b.to, min(b.to+blockRows, last))
			if what.ahead && !next.recalled {
				p.send(t, next, everything)
			}
		}
		if b.recalled && !b.page.steady && !b.page.still { // they will be told how they fly
			p.space.Bring(b.ids[:b.to-b.from])
		}
		p.compare(t, b)
		switch {
		case kind&hasSphere == 0:
			p.readSurfaces(l, t, b)
		case kind&hasVelocity == 0:
			p.readStatic(l, t, b)
		default:
			p.readMoving(l, t, b, what)
		}
		if b.to == last {
			break
		}
		b, next = next, b
	}
	if kind&(hasSphere|hasVelocity) != hasSphere|hasVelocity {
		return 0
	}
	return last - first - (len(l.odd) - odd)
}

// readMoving reads a block of spheres with a Velocity.
func (p *Physics) readMoving(l *lane, t *table, b *block, what task) {
	if t.has&hasSpin != 0 {
		p.readSpins(t, b.from, b.to, b, what)
	}
	switch {
	case p.restsOn(t, b), p.readAlike(l, t, b, what):
		return
	case b.recalled:
		p.meet(t, b)
	}
	p.readMotion(l, t, b.from, b.to, b, what)
}

// restsOn reports whether a block is all still, as its page says: then the space has nothing to be told.
func (p *Physics) restsOn(t *table, b *block) bool {
	if !b.recalled || !b.page.still || !b.alike || b.found.strays != 0 || t.has&hasSpin == 0 && !b.isUpright(t) {
		return false
	}
	b.page.n, b.page.rests = b.to-b.from, true
	return true
}

// isUpright reports whether none of the spheres of a block that has been examined is turned.
func (b *block) isUpright(t *table) bool {
	return b.found.rotation == 0 && isUpright(&(*components.TransformData)(t.cols[0][b.from]).Rotation)
}

// readStatic reads a block of spheres without a Velocity.
func (p *Physics) readStatic(l *lane, t *table, b *block) {
	ents := t.ents[b.from:b.to]
	for i, at := range t.cols[0][b.from:b.to] {
		x, k := (*components.TransformData)(at), b.of[i&(blockRows-1)]
		if b.ids[i&(blockRows-1)] == none || !isUpright(&x.Rotation) || k.marks&still == 0 || !same(x.Position, p.members.places[ents[i].Id()]) {
			l.odd = append(l.odd, b.from+i)
		}
	}
}

// readSurfaces reads a block of planes or polygons. Those that move go the long way.
func (p *Physics) readSurfaces(l *lane, t *table, b *block) {
	from, to := b.from, b.to
	p.compareForms(t, from, to, b)
	if t.has&hasPlane != 0 {
		p.comparePlanes(t, from, to, b)
	} else {
		p.comparePolygons(t, from, to, b)
	}
	if t.has&hasVelocity != 0 {
		for i, at := range t.cols[1][from:to] {
			if !isZero((*components.VelocityData)(at).Linear) {
				b.ids[i&(blockRows-1)] = none
			}
		}
	}
	for i, id := range b.ids[:to-from] {
		if id == none {
			l.odd = append(l.odd, from+i)
		}
	}
}

// compareForms leaves those rows of a block that are where they were, and says of what they were made.
func (p *Physics) compareForms(t *table, from, to int, b *block) {
	list := p.members.forms.list
	for i, at := range t.cols[0][from:to] {
		i &= blockRows - 1
		if b.ids[i] == none {
			continue
		}
		x, f := (*components.TransformData)(at), &list[-2-b.ids[i]]
		q, r := &x.Rotation, &f.transform.Rotation
		if bits(&q.W)^bits(&r.W)|bits(&q.X)^bits(&r.X)|bits(&q.Y)^bits(&r.Y)|bits(&q.Z)^bits(&r.Z) != 0 || !same(x.Position, f.transform.Position) {
			b.ids[i] = none
		}
		b.forms[i] = f
	}
}

// comparePlanes leaves those rows of a block whose planes have the shape that they had.
func (p *Physics) comparePlanes(t *table, from, to int, b *block) {
	all := p.members.forms.all
	for i, at := range t.cols[3][from:to] {
		i &= blockRows - 1
		if b.ids[i] == none {
			continue
		}
		d, k := (*components.PlaneColliderData)(at), b.of[i]
		if !same(d.Normal, all[b.forms[i].from]) || bits(&d.Distance) != bits(&k.radius) || d.TwoSided != (k.marks&flagged != 0) {
			b.ids[i] = none
		}
	}
}

// comparePolygons leaves those rows of a block whose polygons have the shape that they had.
func (p *Physics) comparePolygons(t *table, from, to int, b *block) {
	forms := &p.members.forms
	for i, at := range t.cols[4][from:to] {
		i &= blockRows - 1
		if b.ids[i] == none {
			continue
		}
		d := (*components.PolygonColliderData)(at)
		if len(d.Points) != int(b.forms[i].n) || d.OneSided != (b.of[i].marks&flagged != 0) {
			b.ids[i] = none
		}
		b.corners[i] = d.Points
	}
	for i, id := range b.ids[:to-from] {
		if id != none && !alike(b.corners[i&(blockRows-1)], forms.points(b.forms[i&(blockRows-1)])) {
			b.ids[i] = none
		}
	}
}

// alike reports whether a and b, which are not empty, are the same bits.
func alike(a, b []collide.Vec3) bool {
	const size = int(unsafe.Sizeof(collide.Vec3{}))
	return unsafe.String((*byte)(pointer(&a[0])), len(a)*size) == unsafe.String((*byte)(pointer(&b[0])), len(b)*size)
}

// compare finds the rows of a block that are as the step before left them, as far as what seldom changes goes.
func (p *Physics) compare(t *table, b *block) {
	b.steady = false
	if g := b.page; g != nil {
		b.steady = b.recalled && g.steady
		g.flies, g.steady, g.rests = false, false, false
		g.n = 0 // unless it is filled again: entities may leave these rows and come back, and be other than they were
	}
	if b.alike = b.alike && p.agreeAll(t, b); b.alike {
		return
	}
	p.compareEach(t, b)
}

// compareEach is compare row by row, for those that differ in style.
func (p *Physics) compareEach(t *table, b *block) {
	b.recalled, b.marks = false, 0
	for row := b.from; row < b.to; row++ {
		i := row - b.from
		b.ids[i] = none
		if k := p.members.find(t.ents[row]); k != nil && p.agrees(t, row, k) {
			b.ids[i], b.of[i] = k.code, k
			b.marks |= k.marks
		}
	}
}

// agreeAll does compare's work for a block such as most are: whose rows are of one style, and all as the step before left them. It collects
// the differences and doesn't branch on each. It returns false where there are any.
func (p *Physics) agreeAll(t *table, b *block) bool {
	from, to, s := b.from, b.to, &p.members.styles.list[b.style]
	differs := uint64(0)
	if t.has&(moves|hasSphere) == moves|hasSphere {
		b.found = b.examine(t, s)
		differs = b.found.differs
	} else {
		if t.has&hasSphere != 0 {
			for i, c := range t.cols[2][from:to] {
				differs |= bits(&(*components.SphereColliderData)(c).Radius) ^ bits(&b.of[i&(blockRows-1)].radius)
			}
		}
		if t.has&hasBody != 0 {
			differs |= differBodies(t.cols[5][from:to], &s.body)
			for i, c := range t.cols[5][from:to] {
				differs |= bits(&(*components.BodyData)(c).Mass) ^ bits(&b.of[i&(blockRows-1)].mass)
			}
		}
		if t.has&hasResponse != 0 {
			differs |= differResponses(t.cols[6][from:to], &s.response)
		}
	}
	if t.has&hasFilter != 0 {
		layers, mask := s.filter.Layers, s.filter.Mask
		for _, c := range t.cols[7][from:to] {
			f := (*components.CollisionFilterData)(c)
			differs |= uint64(f.Layers^layers) | uint64(f.Mask^mask)
		}
	}
	if t.has&hasFriction != 0 {
		dynamic, static, rolling, spinning := bits(&s.friction.Dynamic), bits(&s.friction.Static), bits(&s.friction.Rolling), bits(&s.friction.Spinning)
		combine := s.friction.Combine
		for _, c := range t.cols[10][from:to] {
			f := (*components.FrictionData)(c)
			differs |= (bits(&f.Dynamic) ^ dynamic) | (bits(&f.Static) ^ static) | (bits(&f.Rolling) ^ rolling) | (bits(&f.Spinning) ^ spinning)
			differs |= uint64(f.Combine ^ combine)
		}
	}
	if t.has&hasBelt != 0 {
		for _, c := range t.cols[12][from:to] {
			if !same((*components.SurfaceVelocityData)(c).Linear, s.belt) {
				return false
			}
		}
	}
	return differs == 0
}

// agrees is compare for one row, whatever its style.
func (p *Physics) agrees(t *table, row int, k *member) bool {
	s := &p.members.styles.list[k.style]
	if s.has != t.has || t.has&hasSphere != 0 && get[components.SphereColliderData](t.cols[2], row).Radius != k.radius {
		return false
	}
	if t.has&hasBody != 0 {
		b := *get[components.BodyData](t.cols[5], row)
		if b.Mass != k.mass {
			return false
		}
		if b.Mass = 0; b != s.body {
			return false
		}
	}
	return (t.has&hasResponse == 0 || *get[components.ResponseData](t.cols[6], row) == s.response) &&
		(t.has&hasFilter == 0 || *get[components.CollisionFilterData](t.cols[7], row) == s.filter) &&
		(t.has&hasFriction == 0 || *get[components.FrictionData](t.cols[10], row) == s.friction) &&
		(t.has&hasBelt == 0 || get[components.SurfaceVelocityData](t.cols[12], row).Linear == s.belt)
}

// readAlike does readMotion's work for a block such as most are: whose rows all move. It returns false for others.
func (p *Physics) readAlike(l *lane, t *table, b *block, what task) bool {
	if !b.alike || b.marks&still != 0 {
		return false
	}
	m, s, ids := &p.members, &p.members.styles.list[b.style], b.ids[:b.to-b.from]
	transforms, velocities := t.cols[0][b.from:b.to], t.cols[1][b.from:b.to]
	if t.has&hasSpin == 0 && !b.isUpright(t) || !(b.found.squares <= usual*usual) {
		return false
	}
	if !what.unbroken {
		for i, e := range t.ents[b.from:b.to] {
			m.places[e.Id()], m.given[ids[i]] = *(*collide.Vec3)(transforms[i]), *(*collide.Vec3)(velocities[i])
		}
	}
	isPulled := what.stepping && s.pull != (collide.Vec3{})
	even := !isPulled && !s.bends
	if s.bends {
		velocities = l.bend(s, velocities, b.places[:len(ids)], what.stepping)
	}
	switch {
	case isPulled:
		p.space.FlyPulled(ids, transforms, velocities, s.pull)
	case !even || !b.steady || b.found.strays != 0: // else the space knows already
		p.space.Fly(ids, transforms, velocities)
	}
	l.told += len(ids)
	if s.kind == components.Dynamic {
		g := b.page
		if !b.recalled {
			g.note(b, t.ents[b.from:b.to], m.round)
		}
		g.n, g.flies, g.even = len(ids), true, even
	}
	return true
}

// bend returns places of what damping and locked axes leave of these velocities.
func (l *lane) bend(s *style, velocities, places []pointer, stepping bool) []pointer {
	for i, at := range velocities {
		v := *(*collide.Vec3)(at)
		if stepping {
			v = v.Scale(s.damping)
		}
		l.bent[i] = solver.Unlocked(v, s.locked)
		places[i] = pointer(&l.bent[i])
	}
	return places
}

// The places of these components are those of their first fields, which are all that flying takes.
var _ = [1]struct{}{}[unsafe.Offsetof(components.TransformData{}.Position)+unsafe.Offsetof(components.VelocityData{}.Linear)]

// readMotion tells the space how the rows of a block move.
func (p *Physics) readMotion(l *lane, t *table, from, to int, b *block, what task) {
	m := &p.members
	ents, velocities := t.ents[from:to], t.cols[1][from:to]
	n, resting := 0, 0
	for i, at := range t.cols[0][from:to] {
		id, k := b.ids[i&(blockRows-1)], b.of[i&(blockRows-1)]
		x, v := (*components.TransformData)(at), &(*components.VelocityData)(velocities[i]).Linear
		if id == none || !isUpright(&x.Rotation) && t.has&hasSpin == 0 { // of what spins readSpins has looked at the rotation
			l.odd = append(l.odd, from+i)
			continue
		}
		if k.marks&still != 0 && isZero(*v) && same(x.Position, m.places[ents[i].Id()]) {
			resting++
			continue
		}
		if !isUsual(&x.Position, v) {
			l.odd = append(l.odd, from+i)
			continue
		}
		motion := &b.motions[n&(blockRows-1)]
		motion.ID, motion.Position, motion.Velocity = id, &x.Position, v
		n++
		if !what.unbroken {
			m.places[ents[i].Id()], m.given[id] = x.Position, *v
		}
		if k.marks&(still|bends) != 0 || m.pulled {
			k.marks &^= still
			s := &m.styles.list[k.style]
			if s.bends {
				bent := *v
				if what.stepping {
					bent = bent.Scale(s.damping)
				}
				l.bent[n-1] = solver.Unlocked(bent, s.locked)
				motion.Velocity = &l.bent[n-1]
			}
			motion.Pull = &m.styles.list[0].pull // none
			if what.stepping {
				motion.Pull = &s.pull
			}
		}
	}
	if b.alike && resting == to-from {
		b.page.noteRest(t, b, m.round)
		return
	}
	if m.pulled {
		p.space.MovePulled(b.motions[:n])
	} else {
		p.space.Move(b.motions[:n])
	}
	l.told += n
}

// isUpright reports whether a rotation is none, as nearly all of spheres are.
func isUpright(q *collide.Quat) bool {
	const one = 1023 << 52
	w := bits(&q.W)
	return (bits(&q.X)|bits(&q.Y)|bits(&q.Z))<<1 == 0 && (w == one || w == 0)
}

// isUsual reports whether a position and a velocity are such as the quick way takes. It is false for what is not finite.
func isUsual(x, v *collide.Vec3) bool {
	return float64(x.X*x.X)+float64(x.Y*x.Y)+float64(x.Z*x.Z)+(float64(v.X*v.X)+float64(v.Y*v.Y)+float64(v.Z*v.Z)) <= usual*usual
}

// truthsOf returns what is true of a body, two bytes that lie side by side.
func truthsOf(d *components.BodyData) uint16 { return *(*uint16)(pointer(&d.Weightless)) }

var _ = [1]struct{}{}[unsafe.Offsetof(components.BodyData{}.NeverSleep)-unsafe.Offsetof(components.BodyData{}.Weightless)-1]

// bits is math.Float64bits of what lies in memory, read as an integer to begin with.
func bits(x *float64) uint64 { return *(*uint64)(pointer(x)) }

// isZero reports whether all bits of v are 0.
func isZero(v collide.Vec3) bool {
	return math.Float64bits(v.X)|math.Float64bits(v.Y)|math.Float64bits(v.Z) == 0
}

// same reports whether a and b are the same bits.
func same(a, b collide.Vec3) bool {
	return (math.Float64bits(a.X)^math.Float64bits(b.X))|(math.Float64bits(a.Y)^math.Float64bits(b.Y))|(math.Float64bits(a.Z)^math.Float64bits(b.Z)) == 0
}
