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
	Code          int32        // a body's id, or a surface's code
	Distance      float64      // along the direction of the cast, m
	Point, Normal collide.Vec3 // of the contact; the unit normal points to the sphere
	Center        collide.Vec3 // of the sphere at Distance
	Overlap       bool         // the two overlap at the start
}

// Cast returns the first body or surface that a sphere touches when it moves by distance along the
// unit vector direction. Only those for which accept is true count. Of several at the same
// distance, the one with the smallest code is returned.
func (s *Space) Cast(
	sphere collide.Sphere, direction collide.Vec3, distance float64, accept func(code int32) bool,
) (Hit, bool) {
	best := Hit{Distance: math.Inf(1)}
	take := func(h Hit) {
		if h.Distance < best.Distance || h.Distance == best.Distance && h.Code < best.Code {
			best = h
		}
	}
	s.castSurfaces(sphere, direction, distance, accept, take, &best.Distance)
	s.castBodies(sphere, direction, distance, accept, take, &best.Distance)
	return best, !math.IsInf(best.Distance, 1)
}

// CastAll appends to out everything that a sphere touches when it moves by distance along the unit
// vector direction, nearest first.
func (s *Space) CastAll(
	sphere collide.Sphere, direction collide.Vec3, distance float64, accept func(code int32) bool, out []Hit,
) []Hit {
	from, never := len(out), math.Inf(1)
	take := func(h Hit) { out = append(out, h) }
	s.castSurfaces(sphere, direction, distance, accept, take, &never)
	s.castBodies(sphere, direction, distance, accept, take, &never)
	found := out[from:]
	slices.SortFunc(found, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Code, b.Code))
	})
	// Several segments of a long cast find the same body.
	found = slices.CompactFunc(found, func(a, b Hit) bool { return a.Code == b.Code })
	return out[:from+len(found)]
}

// castBodies calls take with the bodies that a cast touches. It divides the cast into segments of a
// few cells, and stops after the segment that contains nearest, which take may change.
func (s *Space) castBodies(
	sphere collide.Sphere, direction collide.Vec3, distance float64,
	accept func(int32) bool, take func(Hit), nearest *float64,
) {
	castBody := func(i int32) {
		b, f := &s.bodies[i], &s.infos[i]
		if s.flags[i]&alive == 0 || !accept(f.id) {
			return
		}
		ball := collide.Sphere{Center: b.x, Radius: b.radius}
		c, outcome := collide.SweepSphereSphere(sphere, direction, ball, collide.Vec3{}, distance)
		if outcome != collide.Miss {
			take(hitOf(f.id, c, outcome))
		}
	}
	from, to, ok := s.clip(sphere, direction, distance)
	if !ok {
		return
	}
	segment := s.grid.CastPiece() + sphere.Radius
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

// hitOf returns the Hit of a cast with a body or surface.
func hitOf(code int32, c collide.Contact, outcome collide.Outcome) Hit {
	return Hit{code, c.Time, c.Point, c.Normal, c.CenterA, outcome == collide.Overlap}
}

// clip returns the part of a cast's distance in which there can be bodies.
func (s *Space) clip(sphere collide.Sphere, direction collide.Vec3, distance float64) (from, to float64, ok bool) {
	if !s.boundsValid {
		s.boundsValid = true
		s.bounds = collide.AABB{
			Min: collide.Vec3{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)},
			Max: collide.Vec3{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)},
		}
		for i := range s.bodies {
			if b := &s.bodies[i]; s.flags[i]&alive != 0 {
				ball := collide.Sphere{Center: b.x, Radius: b.radius}
				s.bounds = s.bounds.Union(collide.SweptAABB(ball, collide.Vec3{}, 0))
			}
		}
	}
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

// castSurfaces calls take with the surfaces that a cast touches. It may omit those beyond nearest,
// which take may change.
func (s *Space) castSurfaces(
	sphere collide.Sphere, direction collide.Vec3, distance float64,
	accept func(int32) bool, take func(Hit), nearest *float64,
) {
	s.statics.Update(s.Seconds)
	var near statics.Cursor
	s.statics.AllOnTheWay(&near, sphere, direction, distance)
	for reach := distance; ; {
		if *nearest < reach {
			reach = *nearest
			near.Until(reach + float64(0x1p-40*reach)) // with a margin for rounding: equal distances must be found
		}
		k, ok := near.Next()
		if !ok {
			return
		}
		if code := surfaceCode - k; accept(code) {
			if c, outcome := s.statics.At(k).Cast(sphere, direction, distance, s.queryTime); outcome != collide.Miss {
				take(hitOf(code, c, outcome))
			}
		}
	}
}

// InSphere calls yield with everything that overlaps or touches sphere, in no particular order.
func (s *Space) InSphere(sphere collide.Sphere, yield func(code int32)) {
	s.inBox(sphere.Bounds(), func(b *body) bool {
		return sphere.Center.Distance(b.x) <= sphere.Radius+b.radius
	}, yield)
	s.surfacesIn(sphere.Bounds(), func(f *statics.Surface) bool {
		gap, _ := f.Separation(sphere.Center, sphere.Radius, s.queryTime)
		return gap <= 0
	}, yield)
}

// InBox calls yield with everything that overlaps or touches box, in no particular order.
func (s *Space) InBox(box collide.AABB, yield func(code int32)) {
	s.inBox(box, func(b *body) bool {
		return b.x.Distance(box.ClosestPoint(b.x)) <= b.radius
	}, yield)
	s.surfacesIn(box, func(f *statics.Surface) bool { return f.OverlapsBox(box, s.queryTime) }, yield)
}

// surfacesIn calls yield with the surfaces that may touch box and for which test is true.
func (s *Space) surfacesIn(box collide.AABB, test func(f *statics.Surface) bool, yield func(code int32)) {
	s.statics.Update(s.Seconds)
	var near statics.Cursor
	s.statics.AllNear(&near, box)
	for k, ok := near.Next(); ok; k, ok = near.Next() {
		if test(s.statics.At(k)) {
			yield(surfaceCode - k)
		}
	}
}

// inBox calls yield with the bodies that may touch box and for which test is true.
func (s *Space) inBox(box collide.AABB, test func(*body) bool, yield func(code int32)) {
	s.eachNear(box, func(i int32) {
		if s.flags[i]&alive != 0 && test(&s.bodies[i]) {
			yield(s.infos[i].id)
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
