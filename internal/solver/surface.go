package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/grow"
	"github.com/dango-physics/dango/internal/statics"
)

// Surface is a shape, static or moving at a constant velocity, and what it is made of.
type Surface struct {
	statics.Shape                // without Sensor, which follows from Material
	SurfaceVelocity collide.Vec3 // of the surface of a conveyor, whose shape does not move, m/s
	Material        Material
	Kinematic       bool // it is reported by sensors, also while it stands still
}

// Turning is how a surface rotates in a step.
type Turning = statics.Turning

// surfaceInfo is what the solver knows about a surface besides its shape.
type surfaceInfo struct {
	material        Material
	surfaceVelocity collide.Vec3
	speedScale      float64 // fraction of the commanded speed reached in the last step; 0 means 1
	blockedInStep   uint32  // number of the last step in which it was stopped; 0 for none
	slowedInStep    uint32  // number of the last step in which contact solving slowed it down
	group           int32   // its kinematic group, 0 for none: see group.go
	rotor           int32   // 1 + its index in rotors, 0 for none: see rotor.go
	turningGroup    int32   // of a surface that rotates: that of its contacts in contactSolver
	supportsSleeper bool    // a sleeping body rests on it
	partOf          int32   // 1 + the first surface of its entity, 0 if it is that: see SetPart
	nextPart        int32   // 1 + the next part of the entity, 0 for none
	overlaps        int32   // of the first part: the first of the sensors that it is in; -1 for none
	visits          bool    // it is kinematic and no sensor, and may be in sensors
	comparedInStep  uint32  // the last step in which CompareWithSensors was called for it; 0 for none
}

// AddSurface returns the number of a new surface. Define it with SetSurface.
func (s *Space) AddSurface() int32 {
	k := s.statics.Add()
	s.surfaces = grow.Extend(s.surfaces, s.statics.Numbers())
	s.surfaces[k].overlaps = -1
	return k
}

// ReserveSurfaces makes room for n more surfaces, for when many are added at once.
func (s *Space) ReserveSurfaces(n int) {
	s.statics.Reserve(n)
	s.surfaces = slices.Grow(s.surfaces, n)
}

// SetSurface defines or changes surface k.
func (s *Space) SetSurface(k int32, f Surface) {
	s.noteReplaced()
	s.wakeDependents(k)
	f.Sensor = f.Material.Sensor
	s.statics.Put(k, f.Shape)
	s.surfaces[k] = surfaceInfo{
		material: f.Material, surfaceVelocity: f.SurfaceVelocity, speedScale: s.surfaces[k].speedScale,
		slowedInStep: s.surfaces[k].slowedInStep, blockedInStep: s.surfaces[k].blockedInStep,
		partOf: s.surfaces[k].partOf, nextPart: s.surfaces[k].nextPart,
		overlaps: s.surfaces[k].overlaps, comparedInStep: s.surfaces[k].comparedInStep,
		visits: f.Kinematic && !f.Material.Sensor,
	}
	// What is in sensors and no longer visits them stays listed until FinishSensors.
	s.listVisitor(k, s.surfaces[k].visits || s.surfaces[k].overlaps >= 0)
	s.placedSurfaces = append(s.placedSurfaces, k)
	s.setSurfaces = append(s.setSurfaces, s.ownerOf(codeOf(k)))
}

// RemoveSurface removes surface k. Its number is reused after the next step has begun.
func (s *Space) RemoveSurface(k int32) {
	s.noteReplaced()
	s.wakeDependents(k)
	s.setSurfaces = append(s.setSurfaces, s.ownerOf(codeOf(k)))
	s.unlinkPart(k)
	s.forgetAround(k)
	s.statics.Remove(k)
	s.surfaces[k] = surfaceInfo{overlaps: -1}
	s.listVisitor(k, false)
}

// SetPart makes surface k a part of the entity of surface first: events and queries know the two as
// one, the first.
func (s *Space) SetPart(k, first int32) {
	if s.surfaces[k].partOf == first+1 {
		return
	}
	s.unlinkPart(k)
	s.surfaces[k].partOf, s.surfaces[k].nextPart = first+1, s.surfaces[first].nextPart
	s.surfaces[first].nextPart = k + 1
}

// unlinkPart takes surface k out of the list of parts that it is in.
func (s *Space) unlinkPart(k int32) {
	if s.surfaces[k].partOf == 0 {
		return
	}
	for at := s.surfaces[k].partOf; at > 0; at = s.surfaces[at-1].nextPart {
		if f := &s.surfaces[at-1]; f.nextPart == k+1 {
			f.nextPart = s.surfaces[k].nextPart
			break
		}
	}
	s.surfaces[k].partOf, s.surfaces[k].nextPart = 0, 0
}

// eachPart calls do with surface k and all other surfaces of its entity, of which it is the first.
func (s *Space) eachPart(k int32, do func(k int32)) {
	for at := k + 1; at > 0; at = s.surfaces[at-1].nextPart {
		do(at - 1)
	}
}

// MaxFacets is the largest number of facets of all surfaces.
const MaxFacets = statics.MaxFacets

// Facets returns the number of facets of all surfaces.
func (s *Space) Facets() int { return s.statics.Facets() }

// infoOf returns what is known about the surface with a code, or the one that has the facet with
// that code.
func (s *Space) infoOf(code int32) *surfaceInfo { return &s.surfaces[s.statics.Owner(surfaceOf(code))] }

// ownerOf returns the code of the first surface of the entity to which the surface or facet with a
// code belongs, and any other code as it is. Events and the game know nothing else.
func (s *Space) ownerOf(code int32) int32 {
	if code > surfaceCode {
		return code
	}
	k := s.statics.Owner(surfaceOf(code))
	if first := s.surfaces[k].partOf; first > 0 {
		k = first - 1
	}
	return codeOf(k)
}

// Travelled returns how far surface k moved in the last step, m.
func (s *Space) Travelled(k int32) collide.Vec3 { return s.statics.Travelled(k) }

// Surfaces returns the number of surfaces.
func (s *Space) Surfaces() int { return s.statics.Len() }

// markNearMovingSurfaces lists the surfaces that move in this step, and marks the bodies that one
// of these may meet where they are now, or one that the game has set. Only these predict impacts
// with surfaces while they are at rest.
func (s *Space) markNearMovingSurfaces() {
	s.movingSurfaces = s.movingSurfaces[:0]
	if s.statics.Moving() > 0 {
		s.movingSurfaces = s.statics.AppendMoving(s.movingSurfaces)
	}
	boxes, all := s.reaches[:0], collide.NewAABB()
	for _, list := range [2][]int32{s.movingSurfaces, s.placedSurfaces} {
		for _, k := range list {
			if s.statics.Exists(k) {
				boxes = append(boxes, s.statics.Reach(k))
				all = all.Union(boxes[len(boxes)-1])
			}
		}
	}
	if s.reaches = boxes; len(boxes) == 0 && !s.someNearMoving {
		return
	}
	s.someNearMoving = len(boxes) > 0
	for i := range s.flags {
		s.flags[i] &^= nearMovingSurface
	}
	if len(boxes) > maxReaches {
		s.markNearBox(all, s.listAll())
		return
	}
	tests := 0
	for _, box := range boxes {
		if s.gridStale || !s.listInBox(box.Grow(s.bulge)) {
			if tests += len(s.bodies); tests > maxReachTests {
				s.markNearBox(all, s.listAll())
				return
			}
			s.listAll()
		}
		s.markNearBox(box, s.nearby)
	}
}

// markNearBox marks those of some bodies that are near a box.
func (s *Space) markNearBox(box collide.AABB, bodies []int32) {
	s.Counts.reachTests += len(bodies)
	for _, i := range bodies {
		b := &s.bodies[i]
		if (collide.AABB{Min: b.x, Max: b.x}).Grow(b.radius + s.bulge).Overlaps(box) {
			s.flags[i] |= nearMovingSurface
		}
	}
}

// maxReachTests is the number of tests of a body and a surface that moves or was set from which on
// a body counts as near to any of them if it is near to the box around all. Only those surfaces
// count for which all bodies are tested. A smaller value makes bodies at rest in large worlds
// predict impacts that don't come.
const maxReachTests = 1 << 20

// maxReaches is the number of such surfaces from which on the same is true, as when a level is
// loaded. With a larger one, that takes longer: 50,000 tiles 20 ms.
const maxReaches = 1 << 12

// firstSurface notes the surfaces that body i overlaps at the start of the step by more than
// rounding, and returns its first impact with a surface; -1 for none.
func (s *Space) firstSurface(i int32) (t float64, k int32) {
	b := &s.bodies[i]
	if s.flags[i]&placed != 0 {
		s.flags[i] &^= passing
	}
	if b.inverseMass == 0 || !s.statics.MayMeet(&b.x, &b.v, b.radius+s.bulge, 0) || s.infos[i].material.Sensor {
		return 0, -1
	}
	known := len(s.overlapPairs)
	t, k = s.nextSurface(i, 0, float64(overlapTolerance*b.radius))
	if len(s.overlapPairs)-known > 1 { // no result may depend on the order of the tree
		slices.SortFunc(s.overlapPairs[known:], func(p, q overlapPair) int {
			return cmp.Or(cmp.Compare(s.kindOf(p.b), s.kindOf(q.b)), cmp.Compare(q.b, p.b))
		})
	}
	return t, k
}

// kindOf returns the kind of shape of the surface with a code.
func (s *Space) kindOf(code int32) statics.Kind { return s.statics.At(surfaceOf(code)).Kind() }

// repredictSurfaces predicts the next impact of body i with a surface.
func (s *Space) repredictSurfaces(i int32, now float64) {
	b := &s.bodies[i]
	if (b.inverseMass != 0 || s.isHaltedDynamic(i)) && s.statics.MayMeet(&b.x, &b.v, b.radius+s.bulge, now) {
		if t, k := s.nextSurface(i, now, math.Inf(1)); k >= 0 {
			s.push(t, i, codeOf(k))
		}
	}
}

// nextSurface returns the first impact of body i with a surface from now on, and -1 if there is
// none. It also notes the surfaces that the body overlaps by more than depth at the start of the
// step. Later in the step, depth is infinite.
func (s *Space) nextSurface(i int32, now, depth float64) (t float64, k int32) {
	if s.flags[i]&shaped != 0 {
		return s.nextSurfaceOfShape(i, now, depth)
	}
	b := &s.bodies[i]
	meets := func(k int32) bool { return s.mayMeetSurface(i, k) && !s.passes(i, k, s.at(i, now), now) }
	hides := func(q, k int32, t float64) bool { return s.hides(i, q, k, now, t) }
	inside := func(k int32) {
		if !s.passes(i, k, b.x, 0) {
			s.noteSurfaceOverlap(i, k)
		}
	}
	var n collide.Vec3
	around := s.around(i)
	isInside := func() bool { return s.flags[i]&(overlapsAtStart|passing) == overlapsAtStart } // once First has looked
	if s.isOnArc(i) {
		c, _ := s.arcOf(i)
		from := min(now, s.bends[i].since)
		if t, k, n = s.statics.FirstOnArc(around, &c, b.radius, from, depth, meets, hides, inside); k >= 0 && t < now {
			t, k, n = s.statics.FirstOnArc(around, &c, b.radius, now, depth, meets, hides, inside)
		}
		if isInside() {
			t, k, n = s.statics.FirstInsideOnArc(&c, b.radius, now, t, k, n, meets, hides)
		}
	} else {
		t, k, n = s.statics.First(around, &b.x, &b.v, b.radius, now, depth, meets, hides, inside)
		if isInside() {
			t, k, n = s.statics.FirstInside(b.x, b.v, b.radius, now, t, k, n, meets, hides)
		}
	}
	if starts := depth < math.Inf(1); s.statics.HasOneSided() {
		if around.MayEnter() {
			s.findPassing(i, now, min(t, s.Seconds), starts)
		} else if starts {
			s.flags[i] &^= passing
		}
	}
	if k >= 0 && n != (collide.Vec3{}) {
		s.noteSurfaceImpact(i, k, n)
	}
	return t, k
}

// surfaceImpacts are the last two surfaces with bounds with which an impact of a body was
// predicted, the last one first. When another surface stops, the impacts of the body are predicted
// again, and by rounding another one may then be the first. The event of the one before stays, with
// its own normal.
type surfaceImpacts struct {
	normals  [2]collide.Vec3
	surfaces [2]int32
}

// noteSurfaceImpact notes that the next impact of body i is with surface k, with normal n.
func (s *Space) noteSurfaceImpact(i, k int32, n collide.Vec3) {
	s.surfaceImpacts = grow.Extend(s.surfaceImpacts, len(s.bodies))
	p := &s.surfaceImpacts[i]
	if p.surfaces[0] != k {
		p.surfaces[1], p.normals[1] = p.surfaces[0], p.normals[0]
	}
	p.surfaces[0], p.normals[0] = k, n
}

// predictedNormal returns the normal of the impact of body i with surface k. It returns false if
// two others were predicted after it, which takes two surfaces that stop while the body moves on.
// Then the last prediction counts.
func (s *Space) predictedNormal(i, k int32) (n collide.Vec3, ok bool) {
	p := &s.surfaceImpacts[i]
	if p.surfaces[0] == k {
		return p.normals[0], true
	}
	return p.normals[1], p.surfaces[1] == k
}

// findPassing sets the flag passing of body i, which no surface stops between now and until, if it
// passes one-sided polygons. When the step starts, findPassing clears the flag if it does not.
//
// The front of a one-sided polygon is decided by the whole body. One that comes into the front from
// behind, or over an edge, goes through until all of it has left, and its flag says so. One without
// the flag was put there by the game, and is moved out. While it is, it comes into no other.
func (s *Space) findPassing(i int32, now, until float64, starts bool) {
	b := &s.bodies[i]
	was, stays, comes, letIn := s.flags[i]&passing != 0, false, false, false
	x, v := b.x, b.v
	if c, ok := s.arcOf(i); ok && until > now {
		x, v, _ = c.Secant(now, until)
	}
	s.statics.EachEntered(s.around(i), x, v, b.radius, now, until, func(k int32, inside bool) {
		if !s.isSolid(i, k) { // it may go on there, but that is no passing
			letIn = letIn || s.vetoed(s.infos[i].id, codeOf(k))
			return
		}
		stays = stays || was && inside
		comes = comes || !inside && !s.isPutIntoOneSided(i)
	})
	// What a veto lets into a tile of a floor comes over the edge of the next one, and would go
	// through both when the veto is over.
	enters := stays || comes && !letIn
	switch {
	case enters:
		s.flags[i] |= passing
	case starts:
		s.flags[i] &^= passing
	}
}

// isPutIntoOneSided reports whether body i overlapped a one-sided surface when the step began and
// doesn't pass it.
func (s *Space) isPutIntoOneSided(i int32) bool {
	return s.flags[i]&overlapsAtStart != 0 && slices.ContainsFunc(s.overlapPairs, func(p overlapPair) bool {
		return p.a == i && p.b < 0 && s.statics.At(surfaceOf(p.b)).IsOneSided()
	})
}

// passes reports whether body i goes through surface k, as they are at time t, when the body is at
// x.
func (s *Space) passes(i, k int32, x collide.Vec3, t float64) bool {
	return s.flags[i]&passing != 0 && s.statics.At(k).IsOneSided() && s.isInsideSurface(i, x, k, t)
}

// hides reports whether surface q hides the edges of surface k from body i at time t, as predicted
// at time now. What the body passes hides those of other one-sided surfaces, so that it passes a
// floor of them, but it doesn't hide those of what is solid from both sides.
func (s *Space) hides(i, q, k int32, now, t float64) bool {
	if !s.isSolid(i, q) {
		return false
	}
	if s.statics.At(k).IsOneSided() || !s.statics.At(q).IsOneSided() {
		return true
	}
	// Its center may be behind the front by a rounding. The distance shows how far it is in.
	distance, _ := s.statics.Separation(nil, q, s.at(i, t), 0, t)
	if r := s.bodies[i].radius; distance >= r-float64(overlapTolerance*r)-s.roundingOf(i) {
		return true
	}
	return s.flags[i]&passing == 0 && s.isInsideSurface(i, s.at(i, now), q, now) // the game has put it there
}

// mayMeetSurface reports whether body i and surface k can have an impact.
func (s *Space) mayMeetSurface(i, k int32) bool {
	return s.isSolid(i, k) && (!s.slidesAlong(i, codeOf(k)) || s.statics.At(k).Turns()) &&
		(len(s.apartPairs) == 0 || !s.areApart(i, codeOf(k)))
}

// isSolid reports whether surface k stops body i.
func (s *Space) isSolid(i, k int32) bool {
	m := &s.infos[i].material
	return m.collides(&s.infoOf(codeOf(k)).material) && !m.Sensor && !s.vetoed(s.infos[i].id, codeOf(k))
}

// touchOf returns the gap and the normal of the contact of body i with surface k at the start of
// the step, and false if other surfaces hide it: see statics.Set.Touch.
func (s *Space) touchOf(i, k int32) (gap float64, n collide.Vec3, ok bool) {
	if s.flags[i]&shaped != 0 {
		return s.touchOfShape(i, k, true)
	}
	b := &s.bodies[i]
	return s.statics.Touch(s.around(i), k, b.x, b.radius, 0,
		func(q, _ int32, _ float64) bool { return s.isSolid(i, q) && !s.passes(i, q, b.x, 0) })
}

// stopSurface stops surface k, which moves, where it is at time t for the rest of the step, because
// what it pushes cannot yield.
func (s *Space) stopSurface(k int32, t float64) {
	if s.subdomain != nil {
		s.subdomain.invalidate()
		return
	}
	if r := s.rotorOf(k); r != nil {
		r.stop(t)
	}
	if g := s.surfaces[k].group; g > 0 {
		s.stopGroup(g, t)
		return
	}
	s.statics.Stop(k, t)
	s.noteStop(k, t)
	s.surfaces[k].speedScale, s.surfaces[k].blockedInStep = s.stoppedScale(t), s.stepNumber
	if s.surfaces[k].slowedInStep != s.stepNumber { // otherwise storeSpeedScale has counted it
		s.Counts.Blocked++
	}
	s.repredictNearSurface(k, t)
}

// stoppedScale returns the speed scale that something kinematic keeps that was stopped at time t.
// What rests on it is then not thrown in each of the next steps, in which it tries again.
func (s *Space) stoppedScale(t float64) float64 { return max(t/s.Seconds, contacts.MinSpeedScale) }

// repredictNearSurface predicts the next impacts with surfaces again, from time t on, of all bodies
// that may meet surface k, or the entries and exits if it is a sensor. The velocity of the surface
// has changed, and predictions for the old one are void.
func (s *Space) repredictNearSurface(k int32, t float64) {
	f := s.statics.At(k)
	if f.Sensor {
		s.predictVisitorExits(codeOf(k), t)
	}
	for i := range s.infos {
		if s.flags[i]&(alive|stale) != alive {
			continue
		}
		b := &s.bodies[i]
		ball := collide.Sphere{Center: b.at(t), Radius: b.radius + s.bulge}
		switch {
		case !f.MayBeMet(collide.SweptAABB(ball, b.v, s.Seconds-t)):
		case f.Sensor:
			s.predictSurfaceSensors(int32(i), t)
		default:
			s.repredictSurfaces(int32(i), t)
		}
	}
}

// gap returns the distance between body i and surface k at the end of the step, negative inside.
func (s *Space) gap(i, k int32) float64 {
	if b := &s.bodies[i]; s.flags[i]&shaped == 0 {
		gap, _ := s.statics.Separation(s.around(i), k, b.x, b.radius, s.Seconds)
		return gap
	}
	gap, _ := s.gapAt(i, s.bodies[i].x, k, s.Seconds)
	return gap
}
