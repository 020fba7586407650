package solver

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
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

// isOverlapping reports whether two bodies overlap by more than rounding. squared is the squared
// distance of their centres.
func isOverlapping(squared float64, a, b *body) bool {
	r := a.radius + b.radius - float64(overlapTolerance*min(a.radius, b.radius))
	return squared < float64(r*r)
}

// isInsideSurface reports whether a sphere at p overlaps surface k at time t by more than rounding.
func (s *Space) isInsideSurface(p collide.Vec3, radius float64, k int32, t float64) bool {
	gap, _ := s.statics.At(k).Separation(p, radius, t)
	return gap < -float64(overlapTolerance*radius)
}

// noteOverlap notes two bodies that overlap at the start of the step by more than rounding.
func (s *Space) noteOverlap(i, j int32) {
	if i == j {
		return
	}
	if s.flags[i]&s.flags[j]&unfiltered == 0 {
		mi, mj := &s.infos[i].material, &s.infos[j].material
		if mi.Sensor || mj.Sensor || !mi.collides(mj) {
			return
		}
	}
	bi, bj := &s.bodies[i], &s.bodies[j]
	if bi.inverseMass+bj.inverseMass == 0 || !isOverlapping(bi.x.Sub(bj.x).LengthSquared(), bi, bj) ||
		s.vetoed(s.infos[i].id, s.infos[j].id) {
		return
	}
	s.flags[i] |= overlapsAtStart
	s.flags[j] |= overlapsAtStart
	s.overlapPairs = append(s.overlapPairs, overlapPair{pair: pair{i, j}, key: s.pathIDs[i].key + s.pathIDs[j].key})
}

// noteSurfaceOverlap notes a body that overlaps surface k at the start of the step by more than
// rounding.
func (s *Space) noteSurfaceOverlap(i, k int32) {
	if s.infos[i].material.collides(&s.surfaces[k].material) && !s.vetoed(s.infos[i].id, surfaceCode-k) {
		s.flags[i] |= overlapsAtStart
		key := s.pathIDs[i].key + s.statics.At(k).Key
		s.overlapPairs = append(s.overlapPairs, overlapPair{pair: pair{i, surfaceCode - k}, key: key})
	}
}

// maxMoves is the largest number of bodies that separate moves in a step, pushed ones included.
// Each searches its neighbourhood. A larger number lets a step in which hundreds of bodies overlap
// in one place take too long; with a smaller one, such bodies take more steps to come apart.
const maxMoves = 1024

// separate moves things apart that overlapped at the start of the step, at the end of the step.
func (s *Space) separate() {
	s.Counts.Moves = 0
	slices.SortFunc(s.overlapPairs, func(a, b overlapPair) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(s.namesOfPair(a.pair), s.namesOfPair(b.pair)))
	})
	for pass := range separationPasses {
		moved := false
		for k := range s.overlapPairs {
			p := &s.overlapPairs[k]
			depth, radius, n := s.depth(p)
			if pass == 0 {
				p.goal = max(0, depth-float64(separationSpeed*radius*s.Seconds))
			}
			if depth -= p.goal; depth > float64(overlapTolerance*radius) {
				s.separatePair(p, n, depth)
				moved = true
			}
		}
		if !moved || s.Counts.Moves >= maxMoves {
			break
		}
	}
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
		gap, n := s.separation(b, surfaceCode-p.b, s.Seconds)
		return -gap, b.radius, n
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
	ki, kj := s.pathIDs[i].key, s.pathIDs[j].key
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

// moveOut moves body i by up to distance along n, as far as the way is free. It ignores except, a
// body's id or a surface's code. It pushes bodies in the way ahead, in a chain of at most depth
// bodies, and slides along what does not yield.
func (s *Space) moveOut(i int32, n collide.Vec3, distance float64, except int32, depth int) {
	n = s.unlocked(i, n)
	b, f := &s.bodies[i], &s.infos[i]
	s.markChanged(i)
	s.flags[i] |= overlapping
	if b.inverseMass == 0 || !(distance > 0) || n == (collide.Vec3{}) || s.Counts.Moves >= maxMoves {
		return
	}
	s.Counts.Moves++
	obstacle := func() (Hit, bool) {
		return s.Cast(collide.Sphere{Center: b.x, Radius: b.radius}, n, distance, func(code int32) bool {
			return code != f.id && code != except && s.blocks(i, code)
		})
	}
	hit, ok := obstacle()
	for tries := 0; ok && hit.Code >= 0 && depth > 0 && tries < maxPushTries; tries++ {
		direction := hit.Normal.Neg()
		s.moveOut(s.index[hit.Code], direction, float64((distance-hit.Distance)*direction.Dot(n)), f.id, depth-1)
		hit, ok = obstacle()
	}
	remaining := 0.0
	if ok {
		distance, remaining = hit.Distance, distance-hit.Distance
	}
	b.x = b.x.AddScaled(distance, n)
	s.grid.Put(i, b.x, 2*b.radius, 0, 0)
	s.bounds = s.bounds.Union(collide.SweptAABB(collide.Sphere{Center: b.x, Radius: b.radius}, collide.Vec3{}, 0))
	if !(remaining > 0) || depth == 0 {
		return
	}
	// Slide along the obstacle until the body has moved as far along n as it should. The direction
	// leads away from the obstacle by more than rounding.
	tangent := n.AddScaled(float64(0x1p-40)-n.Dot(hit.Normal), hit.Normal)
	if cosine := tangent.Length(); cosine >= minSlideCosine {
		s.moveOut(i, tangent.Scale(1/cosine), remaining/cosine, except, depth-1)
	}
}

// minSlideCosine is the smallest cosine of the angle between the direction in which a body is moved
// out and the obstacle along which it slides: 83 degrees. A smaller one would move bodies far to
// the side; a larger one leaves them overlapping in front of slanted obstacles.
const minSlideCosine = 0.125

// blocks reports whether code, a body's id or a surface's code, is an obstacle to body i when that
// is moved out. A body that overlaps body i is not: of three that overlap each other, each would
// block the other two forever.
func (s *Space) blocks(i, code int32) bool {
	m := &s.infos[i].material
	if s.vetoed(s.infos[i].id, code) {
		return false
	}
	if code >= 0 {
		j := s.index[code]
		b, o := &s.bodies[i], &s.bodies[j]
		return !s.infos[j].material.Sensor && m.collides(&s.infos[j].material) &&
			!isOverlapping(b.x.Sub(o.x).LengthSquared(), b, o)
	}
	o := &s.surfaces[surfaceCode-code].material
	return !o.Sensor && m.collides(o)
}
