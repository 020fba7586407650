package solver

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/tiebreak"
)

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
	key  uint32  // pairs are separated in the order of their keys
	goal float64 // overlap that may be left at the end of the step, m
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
	if !s.areSpheres(i, j) {
		if bi.inverseMass+bj.inverseMass > 0 && s.areOverlapping(i, j, 0) && !s.vetoed(s.infos[i].id, s.infos[j].id) {
			s.addOverlapPair(i, j)
		}
		return
	}
	if bi.inverseMass+bj.inverseMass == 0 || !s.isOverlapping(squared, i, j) || s.vetoed(s.infos[i].id, s.infos[j].id) {
		return
	}
	s.addOverlapPair(i, j)
}

// addOverlapPair adds two bodies to the pairs that overlap at the start of the step.
func (s *Space) addOverlapPair(i, j int32) {
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

// maxMoves is the largest number of bodies that separate moves in a step, pushed ones included.
// Each searches its neighbourhood. A larger number lets a step in which hundreds of bodies overlap
// in one place take too long; with a smaller one, such bodies take more steps to come apart.
const maxMoves = 1024

// maxPairMoves is the largest number of bodies that are moved, pushed ones included, to separate
// one pair. A larger number lets a pair that is shut in take too long: each body that is pushed
// tries several ways. With a smaller one, a pair inside a heap keeps overlapping until the heap
// comes apart.
const maxPairMoves = 64

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
	for pass := range separationPasses {
		moved := false
		for k := range s.overlapPairs {
			p := &s.overlapPairs[k]
			depth, radius, n := s.depth(p)
			if pass == 0 {
				p.goal = max(0, depth-float64(separationSpeed*radius*s.Seconds))
			}
			if depth -= p.goal; depth > float64(overlapTolerance*radius) {
				s.lastMove = min(maxMoves, s.Counts.Moves+maxPairMoves)
				s.separatePair(p, n, depth)
				moved = true
			}
		}
		if !moved || s.Counts.Moves >= maxMoves {
			break
		}
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

// separationPasses is how often separate goes through all pairs: separating one pair may push
// another together, or out of the way. With fewer passes, heaps of overlapping bodies take more
// steps to come apart; more cost time.
const separationPasses = 4

// depth returns by how much the two of a pair overlap now, the smaller radius, and the unit
// direction in which the first is to move.
func (s *Space) depth(p *overlapPair) (depth, radius float64, n collide.Vec3) {
	b := &s.bodies[p.a]
	if p.b < 0 {
		gap, n := s.gapAt(p.a, b.x, surfaceOf(p.b), s.Seconds)
		return -gap, s.size(p.a), n
	}
	if !s.areSpheres(p.a, p.b) {
		c := s.shapeGap(p.a, p.b, 0) // positions are those at the end of the step
		return -c.Gap, min(s.size(p.a), s.size(p.b)), c.Normal
	}
	o := &s.bodies[p.b]
	d := b.x.Sub(o.x)
	n, ok := d.Normalized()
	if !ok {
		n = s.separationNormal(p.a, p.b)
	}
	return b.radius + o.radius - d.Length(), min(b.radius, o.radius), n
}

// separatePair moves the two of a pair apart by depth along n, each in proportion to its inverse
// mass.
func (s *Space) separatePair(p *overlapPair, n collide.Vec3, depth float64) {
	if p.b < 0 {
		s.moveOut(p.a, n, depth, p.b, maxPushDepth)
		return
	}
	a, b := s.bodies[p.a].inverseMass, s.bodies[p.b].inverseMass
	if a+b == 0 {
		return
	}
	fraction := a / (a + b)
	s.moveOut(p.a, n, depth*fraction, s.infos[p.b].id, maxPushDepth)
	s.moveOut(p.b, n.Neg(), depth*(1-fraction), s.infos[p.a].id, maxPushDepth)
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

// maxPushDepth is how many bodies in a row are pushed ahead of one that is moved out. A heap
// surrounds overlapping bodies on all sides. With fewer, two at its bottom may keep overlapping
// until the heap comes apart; more cost time.
const maxPushDepth = 12

// maxPushTries is how often a body clears its way by pushing something ahead: three bodies that lie
// in a dimple of the heap can be in the way, one after the other. With fewer, the body stops at the
// next one; more cost time.
const maxPushTries = 4

// leastYield is the fraction of a push by which a body has to yield so that it is pushed again.
// With a smaller one, chains that yield by roundings are tried again and again; with a larger one,
// a body that is about to come free stays.
const leastYield = 1.0 / 16

// moveOut moves body i by up to distance along n. It pushes bodies in the way ahead, in a chain of
// at most depth bodies, and slides along what does not yield: in the direction nearest to n that
// enters nothing that has been in its way, until the body has moved as far along n as it should. No
// such direction leads against n, so that sliding moves nothing deeper into what is to be left.
//
// It does not push from, a body's id: the body that pushes it, or that it is moved out of. If from
// is a surface's code, the body moves out of that and ignores it.
func (s *Space) moveOut(i int32, n collide.Vec3, distance float64, from int32, depth int) {
	n = s.unlocked(i, n)
	s.markChanged(i)
	s.flags[i] |= overlapping
	var obstacles [maxPushDepth]collide.SlideContact
	hit, stopped := s.moveAlong(i, n, distance, from, depth)
	direction, cosine := n, 1.0 // of the angle between n and the direction
	for k := 0; stopped && k < depth; k++ {
		normal, ok := s.unlocked(i, hit.Normal).Normalized()
		if !ok {
			return
		}
		obstacles[k].Normal = normal
		left := float64((distance - hit.Distance) * direction.Dot(n)) // that it is to move along n
		tangent, result := collide.Slide(n, obstacles[:k+1])
		before := cosine
		if cosine = tangent.Length(); cosine < float64(minSlideCosine*before) {
			return
		}
		for o := range k + 1 { // lead away from what it slides along by more than rounding
			if result.Active&(1<<o) != 0 {
				tangent = tangent.AddScaled(0x1p-40, obstacles[o].Normal)
			}
		}
		direction, distance = tangent.Scale(1/cosine), left/cosine
		hit, stopped = s.moveAlong(i, direction, distance, from, depth-k-1)
	}
}

// moveAlong moves body i by up to distance in a direction, as far as the way is free after it has
// pushed what is in its way. It returns what stopped it. The other parameters are those of moveOut.
func (s *Space) moveAlong(
	i int32, direction collide.Vec3, distance float64, from int32, depth int,
) (hit Hit, stopped bool) {
	b, f := &s.bodies[i], &s.infos[i]
	if b.inverseMass == 0 || !(distance > 0) || direction == (collide.Vec3{}) || s.Counts.Moves >= s.lastMove {
		return Hit{}, false
	}
	s.Counts.Moves++
	s.notePushed(f.id)
	obstacle := func() (Hit, bool) {
		probe := s.probeOf(i)
		return s.castInOrder(&probe, direction, distance, func(h Handle) bool {
			code := int32(h)
			return code != f.id && (code >= 0 || code != s.ownerOf(from)) && s.blocks(i, code)
		}, (*Space).isObstacleBefore)
	}
	hit, stopped = obstacle()
	for tries := 0; stopped && depth > 0 && tries < maxPushTries; tries++ {
		other := int32(hit.Handle)
		if other < 0 || other == from {
			break
		}
		pushing := hit.Normal.Neg()
		push := float64((distance - hit.Distance) * pushing.Dot(direction))
		before := s.bodies[s.index[other]].x
		s.moveOut(s.index[other], pushing, push, f.id, depth-1)
		hit, stopped = obstacle() // also where it did not yield: it may have pushed something else into the way
		if yielded := s.bodies[s.index[other]].x.Sub(before).Dot(pushing); yielded <= float64(leastYield*push) {
			break // nor would it yield the next time
		}
	}
	if stopped {
		distance = hit.Distance
	}
	b.x = b.x.AddScaled(distance, direction)
	s.grid.Put(i, b.x, s.diameter(b), 0, 0)
	s.extendBounds(i)
	return hit, stopped
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

// minSlideCosine is the smallest cosine of the angle between the direction in which a body is moved
// out and the obstacle along which it slides: 83 degrees. A smaller one would move bodies far to
// the side; a larger one leaves them overlapping in front of slanted obstacles.
const minSlideCosine = 0.125

// blocks reports whether code, a body's id or a surface's code, is an obstacle to body i when that
// is moved out. A body that overlaps body i is not, if both overlapped something at the start of
// the step: of three that overlap each other, each would block the other two forever.
func (s *Space) blocks(i, code int32) bool {
	m := &s.infos[i].material
	if s.vetoed(s.infos[i].id, code) {
		return false
	}
	if code >= 0 {
		j := s.index[code]
		return !s.infos[j].material.Sensor && m.collides(&s.infos[j].material) &&
			(s.flags[i]&s.flags[j]&overlapsAtStart == 0 ||
				!s.areOverlapping(i, j, 0))
	}
	o := &s.infoOf(code).material
	return !o.Sensor && m.collides(o)
}
