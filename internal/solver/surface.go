package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/bvh"
)

// Surface is a plane or a polygon, static or moving at a constant velocity.
type Surface struct {
	Plane    collide.Plane
	Polygon  *collide.Polygon // nil for an endless plane; the plane is then this one's
	Offset   collide.Vec3     // where the polygon's frame is when the step begins
	TwoSided bool
	Velocity collide.Vec3
	Belt     collide.Vec3 // how fast its surface runs, as a conveyor's does, without the surface moving
	Material Material
}

// surface is a Surface in its step.
type surface struct {
	Surface
	rate   float64      // how fast the plane moves along its normal
	bounds collide.AABB // of a polygon, over the whole step
	slack  float64      // of a polygon: above what rounding can do to a distance from it
	stamp  uint32
	key    uint32
	alive  bool // it has been filled in, and not removed
	queued bool // it is in Space.changed
	bears  bool // something that sleeps rests on it

	speedScale float64      // fraction of Velocity reached in the last step; 0 means 1
	come       collide.Vec3 // how far it had come when it was stopped
}

// plane is what a sweep needs to know of an endless surface. Forty-eight bytes, for it is read by every body on every path.
type plane struct {
	collide.Plane
	rate     float64
	surface  int32
	twoSided bool
}

// travelled returns how far a surface has come at time t.
func (f *surface) travelled(t float64) collide.Vec3 { return f.come.AddScaled(t, f.Velocity) }

// shift returns where a polygon's frame is at time t.
func (f *surface) shift(t float64) collide.Vec3 { return f.Offset.Add(f.travelled(t)) }

// moves reports whether a surface moves.
func (f *surface) moves() bool { return f.alive && f.Velocity != collide.Vec3{} }

// endless reports whether a surface is a plane that stops things.
func (f *surface) endless() bool { return f.alive && f.Polygon == nil && !f.Material.Sensor }

// senses reports whether a surface is a sensor.
func (f *surface) senses() bool { return f.alive && f.Material.Sensor }

// AddSurface makes room for a surface and returns its number. Fill it in with SetSurface.
func (s *Space) AddSurface() int32 {
	if n := len(s.freeSurfaces); n > 0 {
		k := s.freeSurfaces[n-1]
		s.freeSurfaces = s.freeSurfaces[:n-1]
		return k
	}
	s.surfaces = append(s.surfaces, surface{})
	return int32(len(s.surfaces) - 1)
}

// SetSurface says what surface k is.
func (s *Space) SetSurface(k int32, f Surface) {
	was := &s.surfaces[k]
	s.shake(k)
	s.replace(k, surface{Surface: f, alive: true, stamp: was.stamp + 1, queued: was.queued, speedScale: was.speedScale})
	s.restless = true
}

// RemoveSurface takes surface k out.
func (s *Space) RemoveSurface(k int32) {
	s.shake(k)
	was := &s.surfaces[k]
	s.replace(k, surface{stamp: was.stamp, queued: was.queued})
	s.goneSurfaces = append(s.goneSurfaces, k)
}

// replace puts something new in the place of surface k, in all lists. The tree is told of a polygon's new place by listSurfaces: many at
// once are quicker. That costs nothing for the surfaces that stay as they are.
func (s *Space) replace(k int32, f surface) {
	was := s.surfaces[k]
	s.surfaces[k] = f
	s.clearing.stale = true
	if was.moves() {
		s.moving--
	}
	if f.moves() {
		s.moving++
	}
	if was.endless() && !f.endless() {
		at, _ := s.findPlane(k)
		s.planes = slices.Delete(s.planes, at, at+1)
	}
	if at, found := slices.BinarySearch(s.sensing, k); found != f.senses() {
		if found {
			s.sensing = slices.Delete(s.sensing, at, at+1)
		} else {
			s.sensing = slices.Insert(s.sensing, at, k)
		}
	}
	if f.Polygon == nil {
		s.polygons.Remove(k)
	}
	if f.alive {
		s.derive(k)
		s.queue(k)
	}
}

// queue has listSurfaces look at surface k.
func (s *Space) queue(k int32) {
	s.clearing.stale = true
	if f := &s.surfaces[k]; !f.queued {
		f.queued = true
		s.changed = append(s.changed, k)
	}
}

// derive works out what follows from what surface k is.
func (s *Space) derive(k int32) {
	f := &s.surfaces[k]
	f.rate = f.Plane.Normal.Dot(f.Velocity)
	f.key = hash(&f.Plane.Normal, &collide.Vec3{X: f.Plane.Distance})
	if f.Polygon != nil {
		own := f.Polygon.Bounds()
		b := own.Translate(f.Offset)
		now := b.Translate(f.come)
		f.bounds = now.Union(now.Translate(f.Velocity.Scale(s.Seconds)))
		// A touch may lie 2^-45 of the coordinates beside the corners.
		f.slack = slackShare * (largest(own.Min) + largest(own.Max) + largest(f.Offset) + float64(largest(f.Velocity)*s.Seconds))
		c := b.Center()
		f.key += hash(&c, &b.Max)
	}
	if f.endless() {
		p := plane{f.Plane, f.rate, k, f.TwoSided}
		if at, found := s.findPlane(k); found {
			s.planes[at] = p
		} else {
			s.planes = slices.Insert(s.planes, at, p)
		}
	}
}

// slackShare is by how much, in parts of all coordinates, something may be beside a polygon and still be asked whether it touches: 8,000 times
// the rounding. More costs time, less could miss a touch.
const slackShare = 0x1p-40

// findPlane returns where in s.planes surface k is, or belongs.
func (s *Space) findPlane(k int32) (at int, found bool) {
	return slices.BinarySearchFunc(s.planes, k, func(p plane, k int32) int { return cmp.Compare(p.surface, k) })
}

// Travelled returns how far surface k has moved in the last step.
func (s *Space) Travelled(k int32) collide.Vec3 {
	return s.surfaces[k].travelled(s.Seconds)
}

// Material returns the material of a body, by its id, or a surface, by its code.
func (s *Space) Material(code int32) Material {
	if code >= 0 {
		return s.infos[s.index[code]].material
	}
	return s.surfaces[surfaceCode-code].Material
}

// Surfaces returns how many surfaces there are.
func (s *Space) Surfaces() int { return len(s.surfaces) - len(s.freeSurfaces) - len(s.goneSurfaces) }

// listSurfaces brings the tree of polygons up to date.
func (s *Space) listSurfaces() {
	if s.derivedFor != s.Seconds {
		s.derivedFor = s.Seconds
		for k := range s.surfaces {
			if s.surfaces[k].moves() {
				s.queue(int32(k))
			}
		}
	}
	if len(s.changed) == 0 {
		return
	}
	s.boxes = s.boxes[:0]
	for _, k := range s.changed {
		f := &s.surfaces[k]
		f.queued = false
		if !f.alive {
			continue
		}
		s.derive(k)
		if f.Polygon == nil {
			continue
		}
		tight := f.bounds.Grow(f.slack)
		way := f.Velocity.Scale(stepsAhead * s.Seconds)
		if box, ok := s.polygons.Box(k); ok && contains(box, tight) && contains(tight.Grow(2*largest(way)), box) {
			continue
		}
		s.boxes = append(s.boxes, bvh.Item{Box: tight.Union(tight.Translate(way)), Item: k})
	}
	s.changed = s.changed[:0]
	s.polygons.Put(s.boxes)
}

// stepsAhead is how many steps of its way the tree's box of a moving polygon covers: in so many it is told of it once. Fewer, and
// the tree is changed more often; more, and bodies far from a polygon ask it in vain.
const stepsAhead = 8

func contains(a, b collide.AABB) bool { return a.Union(b) == a }

func largest(v collide.Vec3) float64 { return max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z)) }

// beginSurfaces notes the surfaces that body i starts inside of by more than rounding, and predicts its first impact with one.
func (s *Space) beginSurfaces(i int32) {
	if b := &s.bodies[i]; b.inverseMass != 0 && !s.infos[i].material.Sensor && s.nearSurfaces(b, 0) {
		s.lookForSurfaces(i, 0, true)
	}
}

// sweepSurfaces predicts the next impact of body i with a surface.
func (s *Space) sweepSurfaces(i int32, now float64) {
	if b := &s.bodies[i]; (b.inverseMass != 0 || s.flags[i]&frozen != 0) && s.nearSurfaces(b, now) {
		s.lookForSurfaces(i, now, false)
	}
}

// nearSurfaces reports whether a body may meet a surface on its path from now on.
func (s *Space) nearSurfaces(b *body, now float64) bool {
	return s.polygons.Len() > 0 || len(s.planes) > 0 && !s.staysClear(b, now)
}

// lookForSurfaces is both, as begins says.
func (s *Space) lookForSurfaces(i int32, now float64, begins bool) {
	b, until := &s.bodies[i], s.Seconds
	first, which := math.Inf(1), int32(-1)
	planes := s.planes
	if s.polygons.Len() > 0 && s.staysClear(b, now) {
		planes = nil
	}
	for at := range planes {
		p := &s.planes[at]
		gap := p.Normal.Dot(b.x) - p.Distance
		rate := p.Normal.Dot(b.v) - p.rate
		if p.twoSided {
			if gap+float64(rate*now) < 0 { // it is behind: look from there
				gap, rate = -gap, -rate
			}
		}
		gap -= b.radius
		if begins && gap < -float64(deepShare*b.radius) {
			s.noteDeep(i, p.surface)
		}
		if gap+float64(rate*until) > 0 || rate >= 0 { // few come near: that is asked first
			continue
		}
		k := p.surface
		f := &s.surfaces[k]
		if -rate <= flat(p.Normal, b.v, f.Velocity) || !s.meetSurface(i, k) {
			continue
		}
		t := max(now, gap/-rate)
		if t < first || t == first && f.key < s.surfaces[which].key {
			first, which = t, k
		}
	}
	if s.polygons.Len() > 0 {
		first, which = s.lookForPolygons(i, now, begins, first, which)
	}
	if which >= 0 {
		s.push(first, i, surfaceCode-which)
	}
}

// lookForPolygons returns the first impact of body i with a polygon, or the one that is known already. The tree holds them in an order of its
// own, on which no result may depend.
func (s *Space) lookForPolygons(i int32, now float64, begins bool, first float64, which int32) (float64, int32) {
	b, left := &s.bodies[i], s.Seconds-now
	ball := collide.Sphere{Center: b.at(now), Radius: b.radius}
	path := collide.SweptAABB(ball, b.v, left)
	known := 0
	if begins {
		known = len(s.deep)
	}
	var search bvh.Search
	s.polygons.Search(&search, boxOf(ball), b.v, left)
	within := left
	shorten := func() { // what is as early as the first, to rounding, must be found too: the geometric key decides
		within = min(left, first-now+float64(slackShare*s.Seconds))
		search.Until(within)
	}
	if which >= 0 {
		shorten()
	}
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		f := &s.surfaces[k]
		if !path.Overlaps(f.bounds) || f.Material.Sensor {
			continue
		}
		if begins {
			s.checkDeepIn(i, k)
		}
		if f.passedBy(&ball, b.v, now, within) || !s.meetSurface(i, k) {
			continue
		}
		t, n, ok := s.sweepPolygon(b, f, now)
		if !ok || t > first || t == first && !s.precedes(k, which) {
			continue
		}
		first, which = t, k
		s.pending[i] = n
		shorten()
	}
	if begins && len(s.deep)-known > 1 {
		slices.SortFunc(s.deep[known:], func(p, q deepPair) int { return cmp.Compare(q.b, p.b) })
	}
	return first, which
}

// precedes reports whether a polygon comes before another surface that is met at the same time: by the key, and where even that is the same,
// because they are two of the same in the same place, a plane first, and else the one with the lower number.
func (s *Space) precedes(polygon, other int32) bool {
	a, b := &s.surfaces[polygon], &s.surfaces[other]
	return a.key < b.key || a.key == b.key && b.Polygon != nil && polygon < other
}

// boxOf returns the box around a ball, to rounding: what is searched with has a margin.
func boxOf(b collide.Sphere) collide.AABB {
	return collide.AABB{Min: b.Center, Max: b.Center}.Grow(b.Radius)
}

// passedBy reports whether a ball that moves at v from now on surely doesn't touch polygon f within so many seconds: it stays clear of the plane,
// or can't come to it from the front.
func (f *surface) passedBy(ball *collide.Sphere, v collide.Vec3, now, within float64) bool {
	height := f.Plane.Normal.Dot(ball.Center.Sub(f.shift(now))) - f.Plane.Distance
	rate := f.Plane.Normal.Dot(v) - f.rate
	way := float64(rate * within)
	margin := f.slack + float64(slackShare*(abs1(ball.Center)+ball.Radius+float64(abs1(v)*within)))
	if !f.TwoSided && (height < -margin || way > margin) {
		return true
	}
	reach := ball.Radius + margin
	return height > reach && height+way > reach || height < -reach && height+way < -reach
}

// sweepPolygon returns when body b, seen from now, first touches polygon f within the step, and the normal there.
func (s *Space) sweepPolygon(b *body, f *surface, now float64) (float64, collide.Vec3, bool) {
	ball := collide.Sphere{Center: b.at(now), Radius: b.radius}
	ball.Center = ball.Center.Sub(f.shift(now)) // the polygon stays where it was when the step began
	sweep := collide.SweepSpherePolygon
	if !f.TwoSided {
		sweep = collide.SweepSpherePolygonFront
	}
	c, outcome := sweep(ball, b.v, *f.Polygon, f.Velocity, s.Seconds-now)
	if outcome == collide.Miss || -(c.Normal.Dot(b.v)-c.Normal.Dot(f.Velocity)) <= flat(c.Normal, b.v, f.Velocity) {
		return 0, collide.Vec3{}, false
	}
	return min(now+c.Time, s.Seconds), c.Normal, true
}

// flat bounds the rounding error of n·v - n·u: a body that approaches a surface no faster than that moves along it.
// Three products and three sums each, every one rounded by half an ulp of at most |v| or |u|.
func flat(n, v, u collide.Vec3) float64 {
	return float64(8*0x1p-53) * (abs1(v) + abs1(u))
}

func abs1(v collide.Vec3) float64 { return math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z) }

// meetSurface reports whether body i and surface k have to do with each other.
func (s *Space) meetSurface(i, k int32) bool {
	if !s.infos[i].material.collides(&s.surfaces[k].Material) || s.infos[i].material.Sensor {
		return false
	}
	return !s.vetoed(s.infos[i].id, surfaceCode-k) && !s.slidesOn(i, surfaceCode-k)
}

// stopSurface holds a moving surface where it is at time t for the rest of the step, because what it pushes can't give way.
func (s *Space) stopSurface(k int32, t float64) {
	if s.region != nil {
		s.region.fail()
		return
	}
	f := &s.surfaces[k]
	if f.moves() {
		s.moving--
	}
	f.come = f.Velocity.Scale(t)
	if f.Polygon == nil {
		f.Plane.Distance += float64(f.rate * t)
	}
	f.rate, f.Velocity = 0, collide.Vec3{}
	f.stamp++
	if at, found := s.findPlane(k); found {
		s.planes[at].Plane, s.planes[at].rate = f.Plane, 0
	}
	s.queue(k)
	s.Counts.Blocked++
	s.resweep(k, t)
}

// resweep predicts the next impacts with surfaces again, from time t on, of all bodies that come near surface k, which has another velocity now.
func (s *Space) resweep(k int32, t float64) {
	f := &s.surfaces[k]
	for i := range s.infos {
		if s.flags[i]&(alive|stale) != alive {
			continue
		}
		b := &s.bodies[i]
		if f.Polygon == nil || collide.SweptAABB(collide.Sphere{Center: b.at(t), Radius: b.radius}, b.v, s.Seconds-t).Overlaps(f.bounds) {
			s.sweepSurfaces(int32(i), t) // what others meet next is in the calendar already
		}
	}
}

// gap returns how far body b is from surface k, negative inside.
func (s *Space) gap(b *body, k int32) float64 {
	gap, _ := s.separation(b, k, s.Seconds)
	return gap
}

// separation returns how far body b's position x is from surface k as it is at time t, and the normal there.
func (s *Space) separation(b *body, k int32, t float64) (float64, collide.Vec3) {
	f := &s.surfaces[k]
	if f.Polygon != nil {
		p := b.x.Sub(f.shift(t))
		q := f.Polygon.ClosestPoint(p)
		n, ok := p.Sub(q).Normalized()
		front := f.Polygon.Plane().SignedDistance(p) >= 0
		if !ok {
			n = f.Plane.Normal
		}
		if !f.TwoSided && !front {
			return p.Distance(q), n // what is behind passes
		}
		return p.Distance(q) - b.radius, n
	}
	h, n := f.Plane.Normal.Dot(b.x)-f.Plane.Distance-float64(f.rate*t), f.Plane.Normal
	if f.TwoSided && h < 0 {
		h, n = -h, n.Neg()
	}
	return h - b.radius, n
}
