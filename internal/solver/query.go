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
	Code                  int32 // a body's id, or a surface's code
	Distance              float64
	Point, Normal, Center collide.Vec3
	Overlap               bool
}

// Cast returns what sphere first meets on its way along the unit vector direction, of those that accept lets it see.
func (s *Space) Cast(sphere collide.Sphere, direction collide.Vec3, distance float64, accept func(code int32) bool) (Hit, bool) {
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

// CastAll appends to out everything that sphere meets on its way, nearest first.
func (s *Space) CastAll(sphere collide.Sphere, direction collide.Vec3, distance float64, accept func(code int32) bool, out []Hit) []Hit {
	from, never := len(out), math.Inf(1)
	take := func(h Hit) { out = append(out, h) }
	s.castSurfaces(sphere, direction, distance, accept, take, &never)
	s.castBodies(sphere, direction, distance, accept, take, &never)
	found := out[from:]
	slices.SortFunc(found, func(a, b Hit) int { return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Code, b.Code)) })
	found = slices.CompactFunc(found, func(a, b Hit) bool { return a.Code == b.Code }) // a long cast sees a body from several parts of its way
	return out[:from+len(found)]
}

// castBodies calls take with what the cast meets. It goes through the cast's way part by part, and stops behind nearest.
func (s *Space) castBodies(sphere collide.Sphere, direction collide.Vec3, distance float64, accept func(int32) bool, take func(Hit), nearest *float64) {
	look := func(i int32) {
		b, f := &s.bodies[i], &s.infos[i]
		if s.flags[i]&alive == 0 || !accept(f.id) {
			return
		}
		c, outcome := collide.SweepSphereSphere(sphere, direction, collide.Sphere{Center: b.x, Radius: b.radius}, collide.Vec3{}, distance)
		if outcome != collide.Miss {
			take(hitOf(f.id, c, outcome))
		}
	}
	from, to, ok := s.clip(sphere, direction, distance)
	if !ok {
		return
	}
	part := s.grid.CastPiece() + sphere.Radius
	if to-from > part*float64(len(s.bodies)) { // more parts than bodies: it's quicker to ask each body once
		part = math.Inf(1)
	}
	for ; from <= to && from <= *nearest; from += part {
		start := collide.Sphere{Center: sphere.Center.AddScaled(from, direction), Radius: sphere.Radius}
		if s.eachNear(collide.SweptAABB(start, direction, min(part, to-from)), look) {
			return
		}
	}
}

// eachNear calls look with every body that could reach into box. Where it's quicker to ask all bodies it does that, and returns true.
func (s *Space) eachNear(box collide.AABB, look func(i int32)) (all bool) {
	if s.gridStale {
		s.layOut()
		s.putBodies(true)
	}
	near, ok := s.grid.InBox(box, s.nearby[:0])
	if !ok {
		for i := range s.bodies {
			look(int32(i))
		}
		return true
	}
	s.nearby = nil // look may ask questions of its own
	for _, i := range near {
		look(i)
	}
	s.nearby = near
	return false
}

func hitOf(code int32, c collide.Contact, outcome collide.Outcome) Hit {
	return Hit{code, c.Time, c.Point, c.Normal, c.CenterA, outcome == collide.Overlap}
}

// clip returns the part of a cast's way on which there are bodies.
func (s *Space) clip(sphere collide.Sphere, direction collide.Vec3, distance float64) (from, to float64, ok bool) {
	if !s.boundsValid {
		s.boundsValid = true
		s.bounds = collide.AABB{Min: collide.Vec3{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}, Max: collide.Vec3{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)}}
		for i := range s.bodies {
			if b := &s.bodies[i]; s.flags[i]&alive != 0 {
				s.bounds = s.bounds.Union(collide.SweptAABB(collide.Sphere{Center: b.x, Radius: b.radius}, collide.Vec3{}, 0))
			}
		}
	}
	from, to = 0, distance
	// A margin of a radius or a millionth of the world keeps rounding on the safe side.
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

// castSurfaces calls take with the surfaces that the cast meets, but for some of those that it meets behind nearest.
func (s *Space) castSurfaces(
	sphere collide.Sphere, direction collide.Vec3, distance float64, accept func(int32) bool, take func(Hit), nearest *float64,
) {
	s.statics.Update(s.Seconds)
	var near statics.Cursor
	s.statics.AllOnTheWay(&near, sphere, direction, distance)
	for until := distance; ; {
		if *nearest < until {
			until = *nearest
			near.Until(until + float64(0x1p-40*until)) // what is as near, to rounding, has to be seen too
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

// surfacesIn calls yield with the surfaces in box that pass test.
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

func (s *Space) inBox(box collide.AABB, test func(*body) bool, yield func(code int32)) {
	look := func(i int32) {
		if s.flags[i]&alive != 0 && test(&s.bodies[i]) {
			yield(s.infos[i].id)
		}
	}
	s.eachNear(box, look)
}

// Sync readies the space for queries after bodies or surfaces have been set outside of a step.
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
