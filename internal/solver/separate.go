package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/tiebreak"
)

// This file moves things apart that overlap at the start of a step. Displacements and constraints
// are one problem: the least displacements, weighted by mass, that move every pair apart by as much
// as it should, and nothing into anything. It is solved with an impulse for each constraint that is
// never negative, like contacts (projected Gauss-Seidel). What is in the way isn't searched for:
// bodies are moved by casts, and what stops one becomes a constraint of the next round.

// separationSpeed is the speed at which things that overlap at the start of a step are moved apart,
// in radii of the smaller one per second. It is chosen for its looks: at 2, an overlap by a whole
// radius lasts half a second. A slower separation shows the overlap for longer; a faster one makes
// bodies jump.
//
// Things are moved apart at this speed, as far as the way is free or can be cleared, and gain no
// velocity. An impact of such a pair ends their approach without a bounce; moving apart is never
// blocked.
const separationSpeed = 2.0

// overlapPair is two things that overlap at the start of the step by more than rounding.
type overlapPair struct {
	pair
	key uint32 // pairs are separated in the order of their keys
}

// isOverlapping reports whether bodies i and j overlap by more than rounding. squared is the
// squared distance of their centres.
func (s *Space) isOverlapping(squared float64, i, j int32) bool {
	r := overlapDistance(&s.bodies[i], &s.bodies[j]) - s.roundingOf(i) - s.roundingOf(j)
	return r > 0 && squared < float64(r*r)
}

// overlapDistance returns the distance of their centres below which two bodies overlap, but for the
// rounding of their positions.
func overlapDistance(a, b *body) float64 {
	return a.radius + b.radius - float64(overlapTolerance*min(a.radius, b.radius))
}

// isInsideSurface reports whether body i at p overlaps surface k at time t by more than rounding.
func (s *Space) isInsideSurface(i int32, p collide.Vec3, k int32, t float64) bool {
	gap, _ := s.gapAt(i, p, k, t)
	return gap < -(float64(overlapTolerance*s.size(i)) + s.roundingOf(i))
}

// noteOverlap notes two bodies that overlap at the start of the step by more than rounding.
func (s *Space) noteOverlap(i, j int32) {
	bi, bj := &s.bodies[i], &s.bodies[j]
	squared, r := bi.x.Sub(bj.x).LengthSquared(), bi.radius+bj.radius
	if i == j || !(squared < float64(r*r)) && s.areSpheres(i, j) { // true for most pairs
		return
	}
	if s.flags[i]&s.flags[j]&unfiltered == 0 {
		mi, mj := &s.infos[i].material, &s.infos[j].material
		if mi.Sensor || mj.Sensor || !mi.collides(mj) {
			return
		}
	}
	if bi.inverseMass+bj.inverseMass == 0 || !s.areOverlapping(i, j, 0) || s.vetoed(s.infos[i].id, s.infos[j].id) {
		return
	}
	s.flags[i] |= overlapsAtStart
	s.flags[j] |= overlapsAtStart
	s.overlapPairs = append(s.overlapPairs, overlapPair{pair: pair{i, j}, key: s.pathIDs[i].Key + s.pathIDs[j].Key})
}

// noteSurfaceOverlap notes a body that overlaps surface k at the start of the step, if it does by
// more than rounding.
func (s *Space) noteSurfaceOverlap(i, k int32) {
	if s.isInsideSurface(i, s.bodies[i].x, k, 0) && s.infos[i].material.collides(&s.infoOf(codeOf(k)).material) &&
		!s.vetoed(s.infos[i].id, codeOf(k)) {
		s.flags[i] |= overlapsAtStart
		key := s.pathIDs[i].Key + s.statics.Key(k)
		s.overlapPairs = append(s.overlapPairs, overlapPair{pair: pair{i, codeOf(k)}, key: key})
	}
}

// displacement is how far separate moves a body in this step.
type displacement struct {
	body   int32        // its index
	wanted collide.Vec3 // that moves everything apart by what is wanted in this step, as far as is known, m
	moved  collide.Vec3 // that it has been moved by, m
	limit  float64      // how far it is moved at most, m
}

// allow lets the body be moved so far.
func (d *displacement) allow(limit float64) { d.limit = max(d.limit, limit) }

// overlappedSurface is what a displaced body overlaps and can't push: it is moved no deeper into
// that.
type overlappedSurface struct {
	of     int32        // number of the displacement
	code   int32        // the owner's, if that is a surface
	normal collide.Vec3 // in which the body leaves it
}

// apartConstraint keeps two bodies apart, or a body and what separate doesn't move.
//
// The first is to be moved at least so far along the normal, relative to the other. The normal is
// that at which the two touched when one of them was moved, or along which they overlapped before.
// The plane that touches two convex shapes separates them, so this never lets them overlap.
type apartConstraint struct {
	a, b    int32 // numbers of displacements; b is -1 for what isn't moved
	normal  collide.Vec3
	least   float64 // m
	impulse float64 // that the constraint has given, kg·m; never negative
}

const (
	// maxMoves is the largest number of times that separate moves a body in a step. Each is a cast.
	// A larger number lets a step in which hundreds of bodies overlap in one place take too long;
	// with a smaller one, such bodies take more steps to come apart.
	maxMoves = 1024

	// maxOverlapConstraints is the largest number of pairs that separate takes apart in a step.
	// With fewer, hundreds of bodies in one place take more steps to come apart; more cost time.
	maxOverlapConstraints = 8192

	// separationRounds is how often separate moves bodies towards what the constraints ask for. In
	// each round, what they have met in the one before is pushed on, so a smaller number pushes
	// fewer bodies in a row, and two at the bottom of a heap keep overlapping; more cost time.
	separationRounds = 16

	// separationPasses is how often a round goes through all constraints. With fewer, bodies are
	// moved by less than the constraints ask for; more cost time.
	separationPasses = 8

	// maxMassRatio is the ratio of masses beyond which the heavier of two counts as that much
	// heavier. With a larger one, something light that is pressed out of a wall hardly moves what
	// is heavy in the rounds that there are; with a smaller one, it moves that more than it should.
	maxMassRatio = 16

	// moveLimit is how far a body is moved in a step at most, in multiples of the farthest that it,
	// or what pushes it, is to be moved apart from something. What is pressed into a narrow wedge
	// is moved far out of it. A smaller number leaves it there for longer; a larger one makes it
	// jump.
	moveLimit = 8
)

// separate moves things apart that overlapped at the start of the step, at the end of the step.
func (s *Space) separate() {
	s.Counts.Moves = 0
	s.sortOverlapPairs()
	s.overlapPairs = slices.Compact(s.overlapPairs) // repredictStale may find a pair again
	for _, p := range s.overlapPairs {              // in a parallel step, the subdomains have noted them
		s.flags[p.a] |= overlapsAtStart
		if p.b >= 0 {
			s.flags[p.b] |= overlapsAtStart
		}
	}
	s.displacements, s.overlappedSurfaces = s.displacements[:0], s.overlappedSurfaces[:0]
	s.apartConstraints = s.apartConstraints[:0]
	clear(s.displacementOf)
	for k := range s.overlapPairs {
		if len(s.apartConstraints) < maxOverlapConstraints {
			s.addOverlapConstraint(&s.overlapPairs[k])
		}
	}
	for range separationRounds {
		for range separationPasses {
			for k := range s.apartConstraints {
				s.project(&s.apartConstraints[k])
			}
		}
		// What was met last is moved first, since it is in the way of the others.
		done := true
		for k := len(s.displacements) - 1; k >= 0 && s.Counts.Moves < maxMoves-maxSlides; k-- {
			done = s.moveDisplaced(int32(k)) && done
		}
		if done {
			break
		}
	}
}

// addOverlapConstraint adds what moves the two of a pair apart by their part of this step.
func (s *Space) addOverlapConstraint(p *overlapPair) {
	depth, radius, n := s.depth(p)
	if depth <= float64(overlapTolerance*radius) {
		return
	}
	least := min(depth, float64(separationSpeed*radius*s.Seconds))
	a, b := p.a, p.b
	if s.bodies[a].inverseMass == 0 {
		if b < 0 || s.bodies[b].inverseMass == 0 {
			if s.flags[a]&frozen != 0 {
				s.flags[a] |= overlapping // the next step moves it out
			}
			return
		}
		a, b, n = b, a, n.Neg()
	}
	c := apartConstraint{a: s.displacementNumber(a), b: -1, normal: n, least: least}
	s.displacements[c.a].allow(float64(moveLimit * least))
	switch {
	case b < 0:
		s.overlappedSurfaces = append(s.overlappedSurfaces, overlappedSurface{c.a, s.ownerOf(b), n})
	case s.bodies[b].inverseMass > 0:
		c.b = s.displacementNumber(b)
		s.displacements[c.b].allow(float64(moveLimit * least))
	default:
		s.overlappedSurfaces = append(s.overlappedSurfaces, overlappedSurface{c.a, s.infos[b].id, n})
	}
	s.apartConstraints = append(s.apartConstraints, c)
}

// displacementNumber returns the number of a body's displacement, which it adds if there is none.
func (s *Space) displacementNumber(i int32) int32 {
	if k, ok := s.displacementOf[i]; ok {
		return k
	}
	if s.displacementOf == nil {
		s.displacementOf = map[int32]int32{}
	}
	k := int32(len(s.displacements))
	s.displacementOf[i] = k
	s.displacements = append(s.displacements, displacement{body: i})
	return k
}

// project changes the wanted displacements of two bodies by the least that satisfies a constraint,
// or takes back what it has changed as far as the constraint doesn't need it.
func (s *Space) project(c *apartConstraint) {
	a := &s.displacements[c.a]
	na, wa := s.freeNormal(a.body, c.normal), s.bodies[a.body].inverseMass
	missing, yielding := c.least-na.Dot(a.wanted), float64(wa*na.Dot(c.normal))
	var b *displacement
	var nb collide.Vec3
	wb := 0.0
	if c.b >= 0 {
		b = &s.displacements[c.b]
		nb, wb = s.freeNormal(b.body, c.normal), s.bodies[b.body].inverseMass
		wa, wb = max(wa, wb/maxMassRatio), max(wb, wa/maxMassRatio)
		missing += nb.Dot(b.wanted)
		yielding = float64(wa*na.Dot(c.normal)) + float64(wb*nb.Dot(c.normal))
	}
	if yielding <= 0 {
		return
	}
	change := max(0, c.impulse+missing/yielding) - c.impulse
	c.impulse += change
	a.wanted = a.wanted.AddScaled(float64(wa*change), na)
	if b != nil {
		b.wanted = b.wanted.AddScaled(-float64(wb*change), nb)
	}
}

// sortOverlapPairs sorts the pairs by key. Keys are hashes, so buckets by their leading bits have
// few pairs each, and the time is proportional to the number of pairs, which is large where
// hundreds of bodies are in one place.
func (s *Space) sortOverlapPairs() {
	const bits, buckets = 12, 1 << 12
	if len(s.overlapPairs) < buckets/16 {
		slices.SortFunc(s.overlapPairs, s.compareOverlapPairs)
		return
	}
	var ends [buckets]int32
	bucket := func(p *overlapPair) uint32 { return p.key >> (32 - bits) }
	for k := range s.overlapPairs {
		ends[bucket(&s.overlapPairs[k])]++
	}
	sum := int32(0)
	for k := range ends {
		sum, ends[k] = sum+ends[k], sum // where the bucket begins
	}
	s.spareOverlapPairs = append(s.spareOverlapPairs[:0], s.overlapPairs...)
	for k := range s.spareOverlapPairs {
		p := &s.spareOverlapPairs[k]
		at := &ends[bucket(p)]
		s.overlapPairs[*at] = *p
		*at++
	}
	from := int32(0)
	for _, to := range ends {
		if to-from > 1 {
			slices.SortFunc(s.overlapPairs[from:to], s.compareOverlapPairs)
		}
		from = to
	}
}

// compareOverlapPairs orders pairs by key, and pairs of the same key by ids and codes.
func (s *Space) compareOverlapPairs(a, b overlapPair) int {
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	return cmp.Compare(s.namesOfPair(a.pair), s.namesOfPair(b.pair))
}

// depth returns by how much the two of a pair overlap now, the smaller radius, and the unit
// direction in which the first is to move.
func (s *Space) depth(p *overlapPair) (depth, radius float64, n collide.Vec3) {
	b := &s.bodies[p.a]
	if p.b < 0 {
		gap, n := s.gapAt(p.a, b.x, surfaceOf(p.b), s.Seconds)
		return -gap, s.size(p.a), n
	}
	gap, n := s.gapOfBodies(p.a, p.b)
	return -gap, min(s.size(p.a), s.size(p.b)), n
}

// gapOfBodies returns the gap between bodies i and j where they are, and the unit normal from j to
// i.
func (s *Space) gapOfBodies(i, j int32) (gap float64, n collide.Vec3) {
	if !s.areSpheres(i, j) {
		c := s.shapeGap(i, j, 0)
		return c.Gap, c.Normal
	}
	a, b := &s.bodies[i], &s.bodies[j]
	d := a.x.Sub(b.x)
	n, ok := d.Normalized()
	if !ok {
		n = s.separationNormal(i, j)
	}
	return d.Length() - (a.radius + b.radius), n
}

// namesOfPair returns the key of a pair by ids and codes.
func (s *Space) namesOfPair(p pair) eventlog.PairKey {
	if p.b < 0 {
		return eventlog.KeyOf(s.infos[p.a].id, p.b)
	}
	return eventlog.KeyOf(s.infos[p.a].id, s.infos[p.b].id)
}

// separationNormal returns the unit direction in which body i is moved away from body j if their
// centres coincide. It is a pseudorandom direction of the plane z = const, so that 2D scenes stay
// in 2D and a stack of equal bodies spreads. It depends on the two bodies alone, so it is
// reproducible.
func (s *Space) separationNormal(i, j int32) collide.Vec3 {
	ki, kj := s.pathIDs[i].Key, s.pathIDs[j].Key
	locked := s.infos[i].material.Locked | s.infos[j].material.Locked
	random := collide.Vec3{X: float64(int8((ki + kj) >> 8)), Y: float64(int8((ki + kj) >> 16))}
	for _, v := range [4]collide.Vec3{random, {Y: 1}, {X: 1}, {Z: 1}} {
		if n, ok := Unlocked(v, locked).Normalized(); ok {
			if ki > kj {
				return n.Neg()
			}
			return n
		}
	}
	return collide.Vec3{Y: 1}
}

// maxSlides is how many obstacles a body slides along when it is moved once. With fewer, it takes
// more rounds to come through between several.
const maxSlides = 8

// moveDisplaced moves the body of displacement k to where it is wanted, as far as the way is free,
// and slides along what is in the way: in the direction nearest to the wanted one that enters
// nothing it has met, and leads no deeper into what it overlaps and can't push. It reports whether
// the body has come there, and adds constraints for what was in the way.
func (s *Space) moveDisplaced(k int32) (arrived bool) {
	i := s.displacements[k].body
	wanted := s.remainingMove(k)
	least := float64(overlapTolerance / 16 * s.size(i)) // two that overlap by that tolerance move by less each
	if wanted.LengthSquared() <= float64(least*least) {
		return true
	}
	s.markChanged(i)
	s.flags[i] |= overlapping
	s.notePushed(s.infos[i].id)
	var known [maxSlides]collide.SlideContact
	obstacles := s.appendOverlapped(k, known[:0])
	for first := true; ; first = false {
		way, result := collide.Slide(wanted, obstacles)
		length := way.Length()
		if length <= least {
			return false
		}
		for o := range obstacles { // lead away from what it slides along by more than rounding
			if result.Active&(1<<o) != 0 {
				way = way.AddScaled(float64(0x1p-40*length), obstacles[o].Normal)
			}
		}
		direction := way.Scale(1 / length)
		hit, stopped := s.castToMove(k, direction, length)
		if !stopped {
			s.displace(k, way)
			return first && len(obstacles) == 0
		}
		s.displace(k, direction.Scale(hit.Distance))
		s.addObstacleConstraint(k, hit)
		normal, ok := s.freeNormal(i, hit.Normal).Normalized()
		if !ok || len(obstacles) == maxSlides {
			return false
		}
		obstacles = append(obstacles, collide.SlideContact{Normal: normal})
		wanted = s.remainingMove(k)
	}
}

// remainingMove returns how far the body of displacement k has to be moved yet.
func (s *Space) remainingMove(k int32) collide.Vec3 {
	d := &s.displacements[k]
	if length := d.wanted.Length(); length > d.limit {
		return d.wanted.Scale(d.limit / length).Sub(d.moved)
	}
	return d.wanted.Sub(d.moved)
}

// appendOverlapped appends what displaced body k overlapped at the start of the step and can't
// push: it moves no deeper into that.
func (s *Space) appendOverlapped(k int32, out []collide.SlideContact) []collide.SlideContact {
	i := s.displacements[k].body
	if s.flags[i]&overlapsAtStart == 0 {
		return out
	}
	for o := range s.overlappedSurfaces {
		if l := &s.overlappedSurfaces[o]; l.of == k && len(out) < maxSlides/2 {
			if n, ok := s.freeNormal(i, l.normal).Normalized(); ok {
				out = append(out, collide.SlideContact{Normal: n})
			}
		}
	}
	return out
}

// displace moves the body of displacement k.
func (s *Space) displace(k int32, by collide.Vec3) {
	d := &s.displacements[k]
	d.moved = d.moved.Add(by)
	b := &s.bodies[d.body]
	b.x = b.x.Add(by)
	s.grid.Put(d.body, b.x, s.diameter(b), 0, 0)
	s.extendBounds(d.body)
}

// castToMove returns what is in the way of displaced body k when that is moved by distance in a
// direction. A surface that it overlaps isn't, if it stops the body at once: it leads no deeper.
func (s *Space) castToMove(k int32, direction collide.Vec3, distance float64) (hit Hit, stopped bool) {
	i := s.displacements[k].body
	id := s.infos[i].id
	probe := s.probeOf(i)
	cast := func(passed int32) (Hit, bool) {
		s.Counts.Moves++
		return s.castInOrder(&probe, direction, distance, func(h Handle) bool {
			return int32(h) != id && int32(h) != passed && s.blocks(i, int32(h), direction, distance)
		}, (*Space).isObstacleBefore)
	}
	hit, stopped = cast(id)
	if stopped && hit.Distance <= float64(overlapTolerance*s.size(i)) && s.leaves(k, &hit) {
		hit, stopped = cast(int32(hit.Handle))
	}
	return hit, stopped
}

// leaves reports whether displaced body k overlapped the part of a surface that it has hit at the
// start of the step. The other parts of its entity have other normals.
func (s *Space) leaves(k int32, hit *Hit) bool {
	return slices.ContainsFunc(s.overlappedSurfaces, func(l overlappedSurface) bool {
		return l.of == k && l.code == int32(hit.Handle) && math.Abs(l.normal.Dot(hit.Normal)) > samePartCosine
	})
}

// samePartCosine is the least cosine of the angle between the normal along which a body leaves a
// part of a surface and that of a hit with this part. With a smaller one, hits with a wall beside a
// floor would count, too; with a larger one, rounded edges would block those that leave them.
const samePartCosine = 0.75

// addObstacleConstraint adds what keeps the body of displacement k away from what has stopped it.
func (s *Space) addObstacleConstraint(k int32, hit Hit) {
	c := apartConstraint{a: k, b: -1, normal: hit.Normal}
	c.least = hit.Normal.Dot(s.displacements[k].moved)
	if code := int32(hit.Handle); code >= 0 && s.bodies[s.index[code]].inverseMass > 0 {
		c.b = s.displacementNumber(s.index[code])
		s.displacements[c.b].allow(s.displacements[k].limit)
		c.least -= hit.Normal.Dot(s.displacements[c.b].moved)
	}
	s.apartConstraints = append(s.apartConstraints, c)
}

// isObstacleBefore orders obstacles at the same distance: all that a body touches are at distance
// zero. The order depends on where they are, and not on the order of their creation.
func (s *Space) isObstacleBefore(a, b Handle) bool {
	ka, kb := s.obstacleKey(int32(a)), s.obstacleKey(int32(b))
	return ka < kb || ka == kb && a < b
}

// obstacleKey returns a hash of where a body (its id) or a surface (its code) is now.
func (s *Space) obstacleKey(code int32) uint32 {
	if code < 0 {
		return s.statics.Key(surfaceOf(code))
	}
	i := s.index[code]
	return s.infos[i].traits + tiebreak.Hash(&s.bodies[i].x, &s.bodies[i].v)
}

// parallelMove is the cosine of the angle at which a body may move towards another that it touches,
// so that rounding doesn't block it between two that it fits exactly. It comes closer by less than
// overlapTolerance in a step. A smaller one would block it; with a larger one, it would overlap.
const parallelMove = 0x1p-36

// blocks reports whether code, a body's id or a surface's code, may be an obstacle to body i when
// that is moved by distance in a direction. What it overlaps is not, if both overlapped something
// at the start of the step: of three that overlap each other, each would block the other two
// forever. Their constraints keep them apart. Nor is a body that it moves past, or away from.
func (s *Space) blocks(i, code int32, direction collide.Vec3, distance float64) bool {
	m := &s.infos[i].material
	if code >= 0 {
		j := s.index[code]
		reach := s.bodies[i].radius + s.bodies[j].radius + float64(distance*(1+0x1p-20))
		if s.bodies[i].x.Sub(s.bodies[j].x).LengthSquared() > float64(reach*reach) {
			return false // the gap of shapes takes long
		}
		if s.vetoed(s.infos[i].id, code) || s.infos[j].material.Sensor || !m.collides(&s.infos[j].material) ||
			s.flags[i]&s.flags[j]&overlapsAtStart != 0 && s.areOverlapping(i, j, 0) {
			return false
		}
		_, n := s.gapOfBodies(i, j)
		return n.Dot(direction) < -parallelMove
	}
	o := &s.infoOf(code).material
	return !o.Sensor && m.collides(o) && !s.vetoed(s.infos[i].id, code)
}
