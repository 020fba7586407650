package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/bvh"
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
		if s.askNear(collide.SweptAABB(start, direction, min(part, to-from)), look) {
			return
		}
	}
}

// askNear calls look with every body that could reach into box. Where it's quicker to ask all bodies it does that, and returns true.
func (s *Space) askNear(box collide.AABB, look func(i int32)) (all bool) {
	if s.unplaced {
		s.layOut()
		s.putAll(true)
	}
	near, ok := s.grid.InBox(box, s.near[:0])
	if !ok {
		for i := range s.bodies {
			look(int32(i))
		}
		return true
	}
	s.near = nil // look may ask questions of its own
	for _, i := range near {
		look(i)
	}
	s.near = near
	return false
}

func hitOf(code int32, c collide.Contact, outcome collide.Outcome) Hit {
	return Hit{code, c.Time, c.Point, c.Normal, c.CenterA, outcome == collide.Overlap}
}

// clip returns the part of a cast's way on which there are bodies.
func (s *Space) clip(sphere collide.Sphere, direction collide.Vec3, distance float64) (from, to float64, ok bool) {
	if !s.bounded {
		s.bounded = true
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
		o, d := part(sphere.Center, axis), part(direction, axis)
		lo, hi := part(s.bounds.Min, axis)-grow, part(s.bounds.Max, axis)+grow
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

func part(v collide.Vec3, axis int) float64 { return [3]float64{v.X, v.Y, v.Z}[axis] }

// castSurfaces calls take with the surfaces that the cast meets, but for some of those that it meets behind nearest.
func (s *Space) castSurfaces(sphere collide.Sphere, direction collide.Vec3, distance float64, accept func(int32) bool, take func(Hit), nearest *float64) {
	s.listSurfaces()
	look := func(k int32) {
		if !accept(surfaceCode - k) {
			return
		}
		if c, outcome := s.castSurface(k, sphere, direction, distance); outcome != collide.Miss {
			take(hitOf(surfaceCode-k, c, outcome))
		}
	}
	s.eachPlane(look)
	if s.polygons.Len() == 0 {
		return
	}
	var search bvh.Search
	s.polygons.Search(&search, boxOf(sphere), direction, distance)
	for until := distance; ; {
		if *nearest < until {
			until = *nearest
			search.Until(until + float64(0x1p-40*until)) // what is as near, to rounding, has to be seen too
		}
		k, ok := search.Next()
		if !ok {
			return
		}
		look(k)
	}
}

// eachPlane calls look with every surface that isn't a polygon.
func (s *Space) eachPlane(look func(k int32)) {
	for at := range s.planes {
		look(s.planes[at].surface)
	}
	for _, k := range s.sensing {
		if s.surfaces[k].Polygon == nil {
			look(k)
		}
	}
}

// castSurface casts a sphere against surface k.
func (s *Space) castSurface(k int32, sphere collide.Sphere, direction collide.Vec3, distance float64) (collide.Contact, collide.Outcome) {
	f := &s.surfaces[k]
	if f.Polygon == nil {
		plane := collide.Plane{Normal: f.Plane.Normal, Distance: f.Plane.Distance + float64(f.rate*s.clock)}
		if f.TwoSided {
			return collide.SweepSpherePlane(sphere, direction, plane, collide.Vec3{}, distance)
		}
		return castHalfSpace(sphere, direction, plane, distance)
	}
	shift := f.shift(s.clock)
	sphere.Center = sphere.Center.Sub(shift)
	sweep := collide.SweepSpherePolygon
	if !f.TwoSided {
		sweep = collide.SweepSpherePolygonFront
	}
	c, outcome := sweep(sphere, direction, *f.Polygon, collide.Vec3{}, distance)
	c.Point, c.CenterA = c.Point.Add(shift), c.CenterA.Add(shift)
	return c, outcome
}

// castHalfSpace is a cast against everything behind a plane: a sphere that starts in there is in overlap however deep.
func castHalfSpace(sphere collide.Sphere, direction collide.Vec3, plane collide.Plane, distance float64) (collide.Contact, collide.Outcome) {
	if plane.SignedDistance(sphere.Center) >= sphere.Radius {
		return collide.SweepSpherePlane(sphere, direction, plane, collide.Vec3{}, distance)
	}
	if plane.Normal.Dot(direction) >= 0 {
		return collide.Contact{}, collide.Miss
	}
	point := sphere.Center.AddScaled(-sphere.Radius, plane.Normal)
	return collide.Contact{Point: point, Normal: plane.Normal, CenterA: sphere.Center}, collide.Overlap
}

// InSphere calls yield with everything that overlaps or touches sphere, in no particular order.
func (s *Space) InSphere(sphere collide.Sphere, yield func(code int32)) {
	s.inBox(sphere.Bounds(), func(b *body) bool {
		return sphere.Center.Distance(b.x) <= sphere.Radius+b.radius
	}, yield)
	ball := body{x: sphere.Center, radius: sphere.Radius}
	s.surfacesIn(sphere.Bounds(), func(k int32) bool {
		gap, _ := s.separation(&ball, k, s.clock)
		return gap <= 0
	}, yield)
}

// InBox calls yield with everything that overlaps or touches box, in no particular order.
func (s *Space) InBox(box collide.AABB, yield func(code int32)) {
	s.inBox(box, func(b *body) bool {
		return b.x.Distance(box.ClosestPoint(b.x)) <= b.radius
	}, yield)
	s.surfacesIn(box, func(k int32) bool {
		f := &s.surfaces[k]
		moved := box.Translate(f.shift(s.clock).Neg())
		// The box reaches from the nearest to the farthest of its corners along the normal.
		half := moved.Max.Sub(moved.Min).Scale(0.5)
		n := f.Plane.Normal
		reach := float64(half.X*math.Abs(n.X)) + float64(half.Y*math.Abs(n.Y)) + float64(half.Z*math.Abs(n.Z))
		height := f.Plane.SignedDistance(moved.Center())
		behind := height < -reach && (f.TwoSided || f.Polygon != nil)
		return !(height > reach || behind || f.Polygon != nil && !collide.OverlapAABBPolygon(moved, *f.Polygon))
	}, yield)
}

// surfacesIn calls yield with the surfaces in box that pass test.
func (s *Space) surfacesIn(box collide.AABB, test func(k int32) bool, yield func(code int32)) {
	s.listSurfaces()
	look := func(k int32) {
		if test(k) {
			yield(surfaceCode - k)
		}
	}
	s.eachPlane(look)
	if s.polygons.Len() == 0 {
		return
	}
	var search bvh.Search
	s.polygons.Search(&search, box, collide.Vec3{}, 0)
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		look(k)
	}
}

func (s *Space) inBox(box collide.AABB, test func(*body) bool, yield func(code int32)) {
	look := func(i int32) {
		if s.flags[i]&alive != 0 && test(&s.bodies[i]) {
			yield(s.infos[i].id)
		}
	}
	s.askNear(box, look)
}

// Refresh readies the space for queries after bodies or surfaces have been set outside of a step.
func (s *Space) Refresh() {
	s.freeGone()
	s.placedIDs = s.placedIDs[:0]
	for i, f := range s.flags {
		if f&(placed|alive) == placed|alive {
			s.placedIDs = append(s.placedIDs, s.infos[i].id)
		}
	}
	s.listSurfaces()
	s.place()
	s.clock, s.bounded = 0, false
}
