package statics

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/bvh"
)

// Cursor goes through the surfaces that a question may be about, more or less the near ones
// first. It keeps all that it needs in itself: declare one, hand it to one of the methods of
// [Set] that begin a search, and call Next.
type Cursor struct {
	planes  []plane
	sensors []int32 // those that are planes
	set     *Set
	search  bvh.Search
}

// Next returns the next surface, and false if there are no more.
func (c *Cursor) Next() (k int32, ok bool) {
	if len(c.planes) > 0 {
		k, c.planes = c.planes[0].surface, c.planes[1:]
		return k, true
	}
	for len(c.sensors) > 0 {
		k, c.sensors = c.sensors[0], c.sensors[1:]
		if c.set.surfaces[k].Kind() == Plane {
			return k, true
		}
	}
	return c.search.Next()
}

// Until ends a search along a way behind so many seconds, or so much distance where the velocity
// is a direction.
func (c *Cursor) Until(seconds float64) { c.search.Until(seconds) }

// AllOnTheWay begins a search for all surfaces, sensors too, that a ball may touch when it moves
// at v for seconds. All planes are among them.
func (w *Set) AllOnTheWay(c *Cursor, ball collide.Sphere, v collide.Vec3, seconds float64) {
	c.set, c.planes, c.sensors = w, w.planes, w.sensors
	w.tree.Search(&c.search, boxOf(ball), v, seconds)
}

// MayBeMet reports whether what stays inside a box in the whole step may touch the surface.
func (f *Surface) MayBeMet(path collide.AABB) bool {
	return f.Kind() == Plane || path.Overlaps(f.bounds)
}

// AllNear begins a search for all surfaces, sensors too, that may touch a box. All planes are
// among them.
func (w *Set) AllNear(c *Cursor, box collide.AABB) {
	c.set, c.planes, c.sensors = w, w.planes, w.sensors
	w.tree.Search(&c.search, box, collide.Vec3{}, 0)
}

// SolidNear begins a search for all surfaces that may touch a ball. Sensors that have bounds are
// among them, others aren't.
func (w *Set) SolidNear(c *Cursor, ball collide.Sphere) {
	c.planes, c.sensors = w.planes, nil
	w.tree.Search(&c.search, boxOf(ball), collide.Vec3{}, 0)
}

// BoundedNear appends the numbers of all surfaces with bounds that may touch a box in this step.
func (w *Set) BoundedNear(box collide.AABB, out []int32) []int32 {
	var search bvh.Search
	w.tree.Search(&search, box, collide.Vec3{}, 0)
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		if box.Overlaps(w.surfaces[k].bounds) {
			out = append(out, k)
		}
	}
	return out
}

// Approached calls found with the surfaces that a sphere at x, which is going to move at v, comes
// closer to than near in this step, where it lies above their inside. What it is deep inside of
// isn't among them; sensors may be.
func (w *Set) Approached(x, v collide.Vec3, radius, near float64, found func(k int32)) {
	for at := range w.planes {
		p := &w.planes[at]
		gap := p.Normal.Dot(x) - p.Distance
		rate := p.Normal.Dot(v) - p.rate
		if p.twoSided && gap < 0 {
			gap, rate = -gap, -rate
		}
		gap -= radius
		if gap+float64(min(0, rate)*w.seconds) <= near && math.Abs(gap) <= radius {
			found(p.surface)
		}
	}
	if w.tree.Len() == 0 {
		return
	}
	ball := collide.Sphere{Center: x, Radius: radius + near}
	var search bvh.Search
	w.tree.Search(&search, boxOf(ball), collide.Vec3{}, 0)
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		if w.surfaces[k].faces(x, radius, ball.Radius) {
			found(k)
		}
	}
}
