package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/statics"
)

// Hit is what a cast found.
type Hit struct {
	Handle        Handle       // of the body or surface
	Distance      float64      // along the direction of the cast, m
	Point, Normal collide.Vec3 // of the contact; the unit normal points to the sphere
	Center        collide.Vec3 // of the sphere, or the bounds of another shape, at Distance
	Overlap       bool         // the two overlap at the start
}

// Probe is the shape of a query: a sphere, or another convex shape.
type Probe struct {
	Shape  collide.Convex // nil for the sphere
	Sphere collide.Sphere // contains Shape, and has its centre
}

// ProbeOf returns the probe of a shape that is no sphere.
func ProbeOf(shape collide.Convex) Probe {
	b := shape.Bounds()
	// Twice the rounding of half a diagonal.
	return Probe{Shape: shape, Sphere: collide.Sphere{Center: b.Center(), Radius: b.Size().Length() * (0.5 + 0x1p-50)}}
}

// bounds returns the bounding box of the probe, up to rounding.
func (q *Probe) bounds() collide.AABB {
	if q.Shape == nil {
		return collide.AABB{Min: q.Sphere.Center, Max: q.Sphere.Center}.Grow(q.Sphere.Radius)
	}
	return q.Shape.Bounds()
}

// castAt returns the contact of a probe with body i, when it moves along direction.
func (s *Space) castAt(
	q *Probe, i int32, direction collide.Vec3, distance float64,
) (collide.Contact, collide.Outcome) {
	b := &s.bodies[i]
	switch {
	case q.Shape == nil && s.flags[i]&shaped == 0:
		ball := collide.Sphere{Center: b.x, Radius: b.radius}
		return collide.SweepSphereSphere(q.Sphere, direction, ball, collide.Vec3{}, distance)
	case q.Shape == nil:
		return s.sweepBody(q.Sphere, direction, i, distance)
	}
	c, outcome := s.sweepBody(q.Shape, direction, i, distance)
	c.CenterA = q.Sphere.Center.AddScaled(c.Time, direction)
	return c, outcome
}

// castAtSurface returns the contact of the probe with a surface as it is at time t.
func (q *Probe) castAtSurface(
	f *statics.Surface, direction collide.Vec3, distance, t float64,
) (collide.Contact, collide.Outcome) {
	if q.Shape == nil {
		return f.Cast(q.Sphere, direction, distance, t)
	}
	c, outcome := f.CastShape(q.Shape, direction, distance, t)
	c.CenterA = q.Sphere.Center.AddScaled(c.Time, direction)
	return c, outcome
}

// Cast returns the first body or surface that a probe touches when it moves by distance along the
// unit vector direction. Only those for which accept is true count. Of several at the same
// distance, the one with the smallest handle is returned.
func (s *Space) Cast(
	probe *Probe, direction collide.Vec3, distance float64, accept func(Handle) bool,
) (Hit, bool) {
	return s.castInOrder(probe, direction, distance, accept, func(_ *Space, a, b Handle) bool { return a < b })
}

// castInOrder is Cast with another order of what is at the same distance: before reports whether
// a is returned rather than b.
func (s *Space) castInOrder(
	probe *Probe, direction collide.Vec3, distance float64, accept func(Handle) bool,
	before func(s *Space, a, b Handle) bool,
) (Hit, bool) {
	best := Hit{Distance: math.Inf(1)}
	take := func(h Hit) {
		if h.Distance < best.Distance || h.Distance == best.Distance && before(s, h.Handle, best.Handle) {
			best = h
		}
	}
	s.castSurfaces(probe, direction, distance, accept, take, &best.Distance)
	s.castBodies(probe, direction, distance, accept, take, &best.Distance)
	return best, !math.IsInf(best.Distance, 1)
}

// CastAll appends to out everything that a probe touches when it moves by distance along the unit
// vector direction, nearest first.
func (s *Space) CastAll(
	probe *Probe, direction collide.Vec3, distance float64, accept func(Handle) bool, out []Hit,
) []Hit {
	from, never := len(out), math.Inf(1)
	take := func(h Hit) { out = append(out, h) }
	s.castSurfaces(probe, direction, distance, accept, take, &never)
	s.castBodies(probe, direction, distance, accept, take, &never)
	found := out[from:]
	slices.SortFunc(found, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Handle, b.Handle))
	})
	// Several segments of a long cast find the same body, and a compound is found with each part.
	found = s.dropLaterParts(found)
	found = slices.CompactFunc(found, func(a, b Hit) bool { return a.Handle == b.Handle })
	return out[:from+len(found)]
}

// handleOf returns the handle of the entity to which surface k belongs.
func (s *Space) handleOf(k int32) Handle { return Handle(s.ownerOf(codeOf(k))) }

// dropLaterParts removes the hits with parts of an entity, but the first of each. The hits are in
// order.
func (s *Space) dropLaterParts(found []Hit) []Hit {
	kept := found[:0]
	for _, h := range found {
		if h.Handle.IsSurface() && s.surfaces[h.Handle.Surface()].nextPart > 0 &&
			slices.ContainsFunc(kept, func(o Hit) bool { return o.Handle == h.Handle }) {
			continue
		}
		kept = append(kept, h)
	}
	return kept
}

// castBodies calls take with the bodies that a cast touches. It divides the cast into segments of a
// few cells, and stops after the segment that contains nearest, which take may change.
func (s *Space) castBodies(
	probe *Probe, direction collide.Vec3, distance float64,
	accept func(Handle) bool, take func(Hit), nearest *float64,
) {
	sphere := probe.Sphere
	castBody := func(i int32) {
		b := &s.bodies[i]
		// A quick test: a sphere that moves away from a body, by more than rounding, misses it.
		d := b.x.Sub(sphere.Center)
		if s.flags[i]&alive == 0 || probe.Shape == nil && s.flags[i]&shaped == 0 &&
			direction.Dot(d) < -float64(0x1p-40*d.SumAbs()) {
			return
		}
		f := &s.infos[i]
		if !accept(BodyHandle(f.id)) {
			return
		}
		c, outcome := s.castAt(probe, i, direction, distance)
		if outcome != collide.Miss {
			take(hitOf(BodyHandle(f.id), c, outcome))
		}
	}
	from, to, ok := s.clip(sphere, direction, distance)
	if !ok {
		return
	}
	segment := s.grid.CastSegment() + sphere.Radius
	if to-from > segment*float64(len(s.bodies)) { // more segments than bodies: testing each body once is faster
		segment = math.Inf(1)
	}
	for ; from <= to && from <= *nearest; from += segment {
		start := collide.Sphere{Center: sphere.Center.AddScaled(from, direction), Radius: sphere.Radius}
		if s.eachNear(collide.SweptAABB(start, direction, min(segment, to-from)), castBody) {
			return
		}
	}
}

// eachNear calls found with every body that could overlap box, and maybe with others. Where it is
// faster, it calls found with all bodies and returns true.
func (s *Space) eachNear(box collide.AABB, found func(i int32)) (all bool) {
	if s.gridStale {
		s.layOut()
		s.putBodies(true)
	}
	near, ok := s.grid.InBox(box, s.nearby[:0])
	if !ok {
		for i := range s.bodies {
			found(int32(i))
		}
		return true
	}
	s.nearby = nil // found may make queries of its own
	for _, i := range near {
		found(i)
	}
	s.nearby = near
	return false
}

// eachNearInStep calls found with every body that could have overlapped box within the last step,
// and maybe with others, or twice.
func (s *Space) eachNearInStep(box collide.AABB, found func(i int32)) {
	s.updateBounds()
	s.eachNear(box.Grow(s.farthestMove), func(i int32) {
		if !s.hasMovedFar(i) {
			found(i)
		}
	})
	for _, id := range s.farMoved { // apart, since the box would grow for all others
		if i := s.index[id]; s.hasMovedFar(i) {
			found(i)
		}
	}
}

// hitOf returns the Hit of a cast with a body or surface.
func hitOf(h Handle, c collide.Contact, outcome collide.Outcome) Hit {
	return Hit{h, c.Time, c.Point, c.Normal, c.CenterA, outcome == collide.Overlap}
}

// clip returns the part of a cast's distance in which there can be bodies.
func (s *Space) clip(sphere collide.Sphere, direction collide.Vec3, distance float64) (from, to float64, ok bool) {
	s.updateBounds()
	from, to = 0, distance
	// The margin of a millionth of the world covers rounding.
	grow := sphere.Radius + float64(1e-6*s.bounds.Max.Sub(s.bounds.Min).Length())
	for axis := range 3 {
		o, d := sphere.Center.Component(axis), direction.Component(axis)
		lo, hi := s.bounds.Min.Component(axis)-grow, s.bounds.Max.Component(axis)+grow
		switch {
		case d != 0:
			a, b := (lo-o)/d, (hi-o)/d
			from, to = max(from, min(a, b)), min(to, max(a, b))
		case o < lo || o > hi:
			return 0, 0, false
		}
	}
	return from, to, from <= to
}

// updateBounds finds the bounds of all bodies, how far they have moved in the step, and which have
// moved far.
func (s *Space) updateBounds() {
	if s.boundsValid {
		return
	}
	s.boundsValid, s.farthestMove, s.farMoved = true, 0, s.farMoved[:0]
	s.farMove = s.grid.CastSegment()
	s.bounds = collide.AABB{
		Min: collide.Vec3{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)},
		Max: collide.Vec3{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)},
	}
	for i := range int32(len(s.bodies)) {
		if s.flags[i]&alive != 0 {
			s.extendBounds(i)
		}
	}
}

// extendBounds makes the bounds of all bodies contain body i.
func (s *Space) extendBounds(i int32) {
	b := &s.bodies[i]
	s.bounds = s.bounds.Union(collide.SweptAABB(collide.Sphere{Center: b.x, Radius: b.radius}, collide.Vec3{}, 0))
	if s.hasMovedFar(i) {
		s.farMoved = append(s.farMoved, s.infos[i].id)
	} else {
		s.farthestMove = max(s.farthestMove, b.x.Sub(s.startPositions[i]).MaxAbs())
	}
}

// hasMovedFar reports whether body i has moved by more than farMove in the step.
func (s *Space) hasMovedFar(i int32) bool {
	return s.bodies[i].x.Sub(s.startPositions[i]).MaxAbs() > s.farMove
}

// castSurfaces calls take with the surfaces that a cast touches. It may omit those beyond nearest,
// which take may change.
func (s *Space) castSurfaces(
	probe *Probe, direction collide.Vec3, distance float64,
	accept func(Handle) bool, take func(Hit), nearest *float64,
) {
	s.statics.Update(s.Seconds)
	var near statics.Cursor
	s.statics.AllOnPath(&near, probe.bounds(), direction, distance)
	for reach := distance; ; {
		if *nearest < reach {
			reach = *nearest
			near.Until(reach + float64(0x1p-40*reach)) // with a margin for rounding: equal distances must be found
		}
		k, ok := near.Next()
		if !ok {
			return
		}
		if h := s.handleOf(k); accept(h) {
			c, outcome := probe.castAtSurface(s.statics.At(k), direction, distance, s.queryTime)
			if outcome != collide.Miss {
				take(hitOf(h, c, outcome))
			}
		}
	}
}

// InSphere calls yield with everything that overlaps or touches sphere, in no particular order.
func (s *Space) InSphere(sphere collide.Sphere, yield func(Handle)) {
	s.inBox(sphere.Bounds(), func(i int32) bool {
		if s.flags[i]&shaped != 0 {
			return s.separateBody(sphere, i).Distance <= 0
		}
		b := &s.bodies[i]
		return sphere.Center.Distance(b.x) <= sphere.Radius+b.radius
	}, yield)
	s.surfacesIn(sphere.Bounds(), func(f *statics.Surface) bool {
		gap, _ := f.Separation(sphere.Center, sphere.Radius, s.queryTime)
		return gap <= 0
	}, yield)
}

// gapRounding is the margin with which Gaps searches, as a fraction of the coordinates: far more
// than the rounding of a distance. A larger one costs time; a smaller one could miss what touches.
const gapRounding = 0x1p-40

// Gaps calls yield with everything that is at most margin away from a convex shape, in no
// particular order, and with the gap: A is the shape. The margin may be infinite. From then on it
// is what yield returns, if that is smaller, so that a search for the nearest thing computes the
// distances of few others. It returns how many distances it has computed.
func (s *Space) Gaps(
	shape collide.Convex, margin float64, yield func(Handle, collide.Gap) (margin float64),
) (computed int) {
	own := shape.Bounds()
	rounding := float64(gapRounding * (own.Min.MaxAbs() + own.Max.MaxAbs()))
	box := own.Grow(margin + rounding)
	all := box
	s.eachNear(box, func(i int32) {
		b := &s.bodies[i]
		bounds := collide.AABB{Min: b.x, Max: b.x}.Grow(float64(b.radius * (1 + gapRounding)))
		if s.flags[i]&alive == 0 || box != all && !bounds.Overlaps(box) {
			return
		}
		computed++
		if g := s.separateBody(shape, i); g.Distance <= margin {
			if next := yield(BodyHandle(s.infos[i].id), g); next < margin {
				margin, box = next, own.Grow(max(next, 0)+rounding)
			}
		}
	})
	s.statics.Update(s.Seconds)
	var near statics.Cursor
	s.statics.AllNear(&near, box)
	for k, ok := near.Next(); ok; k, ok = near.Next() {
		if box != all && !s.statics.Reach(k).Overlaps(box) {
			continue
		}
		computed++
		if g, ok := s.statics.At(k).Distance(shape, s.queryTime); ok && g.Distance <= margin {
			if next := yield(s.handleOf(k), g); next < margin {
				margin, box = next, own.Grow(max(next, 0)+rounding)
			}
		}
	}
	return computed
}

// Distance returns the distance between a convex shape and a body or surface, negative inside.
func (s *Space) Distance(shape collide.Convex, h Handle) float64 {
	if h.IsSurface() {
		nearest := math.Inf(1)
		s.eachPart(h.Surface(), func(k int32) {
			g, _ := s.statics.At(k).Distance(shape, s.queryTime)
			nearest = min(nearest, g.Distance)
		})
		return nearest
	}
	return s.separateBody(shape, s.index[h.Body()]).Distance
}

// InBox calls yield with everything that overlaps or touches box, in no particular order.
func (s *Space) InBox(box collide.AABB, yield func(Handle)) {
	s.inBox(box, func(i int32) bool {
		if s.flags[i]&shaped != 0 {
			return s.separateBody(box, i).Distance <= 0
		}
		b := &s.bodies[i]
		return b.x.Distance(box.ClosestPoint(b.x)) <= b.radius
	}, yield)
	s.surfacesIn(box, func(f *statics.Surface) bool { return f.OverlapsBox(box, s.queryTime) }, yield)
}

// surfacesIn calls yield with the surfaces that may touch box and for which test is true.
func (s *Space) surfacesIn(box collide.AABB, test func(f *statics.Surface) bool, yield func(Handle)) {
	s.statics.Update(s.Seconds)
	var near statics.Cursor
	s.statics.AllNear(&near, box)
	for k, ok := near.Next(); ok; k, ok = near.Next() {
		if test(s.statics.At(k)) {
			yield(s.handleOf(k))
		}
	}
}

// inBox calls yield with the bodies that may touch box and for which test is true.
func (s *Space) inBox(box collide.AABB, test func(i int32) bool, yield func(Handle)) {
	s.eachNear(box, func(i int32) {
		if s.flags[i]&alive != 0 && test(i) {
			yield(BodyHandle(s.infos[i].id))
		}
	})
}

// Sync prepares the space for queries after bodies or surfaces have been set outside a step.
func (s *Space) Sync() {
	s.releaseRemoved()
	s.placedIDs = s.placedIDs[:0]
	for i, f := range s.flags {
		if f&(placed|alive) == placed|alive {
			s.placedIDs = append(s.placedIDs, s.infos[i].id)
		}
	}
	s.statics.Update(s.Seconds)
	s.updateGrid()
	s.queryTime, s.boundsValid = 0, false
}
