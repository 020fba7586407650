package solver

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
)

// separationSpeed is how fast things that start inside each other are moved apart, in radii of the smaller a second.
//
// The policy: they are moved apart gently, at this speed and no further than their way is free or gives way, and gain no
// velocity by it. An impact takes away what brings them closer and doesn't bounce; moving apart is never blocked.
const separationSpeed = 2.0

// overlapPair is two things that start inside each other, with a key for the order in which they are mended.
type overlapPair struct {
	pair
	key  uint32
	left float64 // how deep they may still be when the step is over
}

// isOverlapping reports whether two bodies with centres that far apart, squared, are inside each other by more than rounding.
func isOverlapping(squared float64, a, b *body) bool {
	r := a.radius + b.radius - float64(overlapTolerance*min(a.radius, b.radius))
	return squared < float64(r*r)
}

// isInsideSurface reports whether a body is inside surface k at time t by more than rounding.
func (s *Space) isInsideSurface(p collide.Vec3, radius float64, k int32, t float64) bool {
	gap, _ := s.separation(&body{x: p, radius: radius}, k, t)
	return gap < -float64(overlapTolerance*radius)
}

// noteOverlap notes a pair that starts inside each other by more than rounding.
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
	if bi.inverseMass+bj.inverseMass == 0 || !isOverlapping(bi.x.Sub(bj.x).LengthSquared(), bi, bj) || s.vetoed(s.infos[i].id, s.infos[j].id) {
		return
	}
	s.flags[i] |= overlapsAtStart
	s.flags[j] |= overlapsAtStart
	s.overlapPairs = append(s.overlapPairs, overlapPair{pair: pair{i, j}, key: s.pathIDs[i].key + s.pathIDs[j].key})
}

// noteSurfaceOverlap notes a body that starts inside a surface.
func (s *Space) noteSurfaceOverlap(i, k int32) {
	if s.infos[i].material.collides(&s.surfaces[k].material) && !s.vetoed(s.infos[i].id, surfaceCode-k) {
		s.flags[i] |= overlapsAtStart
		s.overlapPairs = append(s.overlapPairs, overlapPair{pair: pair{i, surfaceCode - k}, key: s.pathIDs[i].key + s.statics.At(k).Key})
	}
}

// maxMoves is how many bodies separate moves in a step, pushed ones included: each looks at its whole neighbourhood. Where more are
// inside each other, as hundreds spawned in one place are, the others wait for a later step.
const maxMoves = 1024

// separate moves what started inside something out of it.
func (s *Space) separate() {
	s.Counts.Moves = 0
	slices.SortFunc(s.overlapPairs, func(a, b overlapPair) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(s.namesOfPair(a.pair), s.namesOfPair(b.pair)))
	})
	for pass := range separationPasses {
		moved := false
		for k := range s.overlapPairs {
			p := &s.overlapPairs[k]
			depth, least, n := s.depth(p)
			if pass == 0 {
				p.left = max(0, depth-float64(separationSpeed*least*s.Seconds))
			}
			if depth -= p.left; depth > float64(overlapTolerance*least) {
				s.separatePair(p, n, depth)
				moved = true
			}
		}
		if !moved || s.Counts.Moves >= maxMoves {
			break
		}
	}
}

// separationPasses is how often separate goes through what is inside each other: what moves one pair apart may bring another closer, or out of its way.
const separationPasses = 4

// depth returns how deep the two of a pair are inside each other now, the radius of the smaller, and the way in which the first is to go.
func (s *Space) depth(p *overlapPair) (depth, least float64, n collide.Vec3) {
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

// separatePair moves the two of a pair apart by so much.
func (s *Space) separatePair(p *overlapPair, n collide.Vec3, depth float64) {
	if p.b < 0 {
		s.moveOut(p.a, n, depth, p.b, maxPushDepth)
		return
	}
	a, b := s.bodies[p.a].inverseMass, s.bodies[p.b].inverseMass
	if a+b == 0 {
		return
	}
	share := a / (a + b)
	s.moveOut(p.a, n, depth*share, s.infos[p.b].id, maxPushDepth)
	s.moveOut(p.b, n.Neg(), depth*(1-share), s.infos[p.a].id, maxPushDepth)
}

// namesOfPair returns what a pair is of, by ids and codes.
func (s *Space) namesOfPair(p pair) eventlog.PairKey {
	if p.b < 0 {
		return eventlog.KeyOf(s.infos[p.a].id, p.b)
	}
	return eventlog.KeyOf(s.infos[p.a].id, s.infos[p.b].id)
}

// separationNormal is the way in which body i parts from body j where they have the same centre: any in the plane z = const, so that 2D
// stays 2D, but always the same, and not the same for all.
func (s *Space) separationNormal(i, j int32) collide.Vec3 {
	ki, kj := s.pathIDs[i].key, s.pathIDs[j].key
	locked := s.infos[i].material.Locked | s.infos[j].material.Locked
	any := collide.Vec3{X: float64(int8((ki + kj) >> 8)), Y: float64(int8((ki + kj) >> 16))}
	for _, v := range [4]collide.Vec3{any, {Y: 1}, {X: 1}, {Z: 1}} {
		if n, ok := Unlocked(v, locked).Normalized(); ok {
			if ki > kj {
				return n.Neg()
			}
			return n
		}
	}
	return collide.Vec3{Y: 1}
}

// maxPushDepth is how many bodies in a row give way to one that is moved. A pile presses on what is inside each other from
// all sides; with fewer, two at its bottom may stay as they are until it comes apart.
const maxPushDepth = 12

// maxPushTries is how often something in the way is moved: three lie on what fills a dimple of theirs.
const maxPushTries = 4

// moveOut shifts body i by up to distance along n, as far as nothing but except is in its way. What is, is moved before it, and
// by it others, as long as there are some left of pushed.
func (s *Space) moveOut(i int32, n collide.Vec3, distance float64, except int32, pushed int) {
	n = s.unlocked(i, n)
	b, f := &s.bodies[i], &s.infos[i]
	s.markChanged(i)
	s.flags[i] |= overlapping
	if b.inverseMass == 0 || !(distance > 0) || n == (collide.Vec3{}) || s.Counts.Moves >= maxMoves {
		return
	}
	s.Counts.Moves++
	way := func() (Hit, bool) {
		return s.Cast(collide.Sphere{Center: b.x, Radius: b.radius}, n, distance, func(code int32) bool {
			return code != f.id && code != except && s.blocks(i, code)
		})
	}
	hit, ok := way()
	for tries := 0; ok && hit.Code >= 0 && pushed > 0 && tries < maxPushTries; tries++ {
		ahead := hit.Normal.Neg()
		s.moveOut(s.index[hit.Code], ahead, float64((distance-hit.Distance)*ahead.Dot(n)), f.id, pushed-1)
		hit, ok = way()
	}
	left := 0.0
	if ok {
		distance, left = hit.Distance, distance-hit.Distance
	}
	b.x = b.x.AddScaled(distance, n)
	s.grid.Put(i, b.x, 2*b.radius, 0, 0)
	s.bounds = s.bounds.Union(collide.SweptAABB(collide.Sphere{Center: b.x, Radius: b.radius}, collide.Vec3{}, 0))
	if !(left > 0) || pushed == 0 {
		return
	}
	// What doesn't give way it slides along, as far as that takes it as far along n.
	along := n.AddScaled(float64(0x1p-40)-n.Dot(hit.Normal), hit.Normal) // and off it, by more than rounding
	if part := along.Length(); part >= minSlideCosine {
		s.moveOut(i, along.Scale(1/part), left/part, except, pushed-1)
	}
}

// minSlideCosine is the cosine of the steepest angle at which something that is moved goes along what is in its way.
const minSlideCosine = 0.125

// blocks reports whether code, a body's id or a surface's code, is in the way of body i. A body that i is inside of
// isn't: of three that are inside each other, each would hold the other two for ever.
func (s *Space) blocks(i, code int32) bool {
	m := &s.infos[i].material
	if s.vetoed(s.infos[i].id, code) {
		return false
	}
	if code >= 0 {
		j := s.index[code]
		b, o := &s.bodies[i], &s.bodies[j]
		return !s.infos[j].material.Sensor && m.collides(&s.infos[j].material) && !isOverlapping(b.x.Sub(o.x).LengthSquared(), b, o)
	}
	o := &s.surfaces[surfaceCode-code].material
	return !o.Sensor && m.collides(o)
}
