package statics

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/bvh"
)

// Set is all surfaces of a world, by numbers that Add assigns. The zero value is empty.
//
// Update brings its lists up to date before a step, and after changes. As long as nothing changes
// the Set, several goroutines may search it at once, or copies of it.
type Set struct {
	surfaces []Surface
	free     []int32 // numbers for new surfaces
	gone     []int32 // numbers that are free after Release

	planes  []plane    // the planes that are not sensors, ordered by number
	sensors []int32    // the planes that are sensors, ordered by number
	tree    bvh.Tree   // all surfaces with bounds, including sensors
	changed []int32    // surfaces for which Update has to update the tree
	boxes   []bvh.Item // scratch of Update
	freeBox planeFreeBox
	debug   debugState

	seconds float64 // duration of the step
	moving  int     // how many surfaces move
	movers  []int32 // the surfaces that move, in any order, and maybe some that moved before
	turning int     // how many surfaces can rotate

	oneSided int // how many polygons and meshes are one-sided

	shapeSensors int // how many sensors are no planes

	pages facetPages
}

// plane is what a sweep needs of a plane. It has 48 bytes, since all planes are read for every new
// path of a body.
type plane struct {
	collide.Plane
	rate     float64 // speed along Normal, m/s
	surface  int32   // number
	twoSided bool    // or rotating
	rotating bool
}

// At returns surface k, or the one that has facet k. The pointer is valid until the next Add.
func (w *Set) At(k int32) *Surface {
	if IsFacet(k) {
		k = w.Owner(k)
	}
	return &w.surfaces[k]
}

// Numbers returns the number of numbers in use: all surfaces have smaller numbers, and all facets
// larger ones.
func (w *Set) Numbers() int { return len(w.surfaces) }

// Len returns the number of surfaces.
func (w *Set) Len() int { return len(w.surfaces) - len(w.free) - len(w.gone) }

// Moving returns how many surfaces move in this step.
func (w *Set) Moving() int { return w.moving }

// AppendMoving appends the numbers of the surfaces that move in this step, in ascending order. Its
// time doesn't depend on those that stand still.
func (w *Set) AppendMoving(out []int32) []int32 {
	w.movers = slices.DeleteFunc(w.movers, func(k int32) bool {
		f := &w.surfaces[k]
		f.isMover = f.Moves()
		return !f.isMover
	})
	slices.Sort(w.movers)
	return append(out, w.movers...)
}

// HasSensors reports whether any surface is a sensor.
func (w *Set) HasSensors() bool { return len(w.sensors) > 0 || w.shapeSensors > 0 }

// Bounded returns how many surfaces have bounds.
func (w *Set) Bounded() int { return w.tree.Len() }

// Add returns the number of a new surface. Define it with Put.
func (w *Set) Add() int32 {
	if n := len(w.free); n > 0 {
		k := w.free[n-1]
		w.free = w.free[:n-1]
		return k
	}
	w.surfaces = append(w.surfaces, Surface{})
	return int32(len(w.surfaces) - 1)
}

// Reserve makes room for n more surfaces.
func (w *Set) Reserve(n int) {
	w.surfaces = slices.Grow(w.surfaces, n)
	w.changed = slices.Grow(w.changed, n)
	w.boxes = slices.Grow(w.boxes[:0], len(w.surfaces)+n)
}

// Put defines or changes surface k. All predictions for it become void. It panics for a plane
// without a normal, such as a Shape of which no field is set.
func (w *Set) Put(k int32, f Shape) {
	if f.Kind() == Plane && f.Plane.Normal == (collide.Vec3{}) {
		panic("statics: a plane without a normal, or a Shape of which no field is set")
	}
	was := &w.surfaces[k]
	next := Surface{Shape: f, Alive: true, Stamp: was.Stamp + 1, queued: was.queued, isMover: was.isMover}
	next.turned = was.turned
	if was.polytope != nil && was.hasSamePolytope(&f) {
		next.polytope = was.polytope
	}
	if f.Turning.On {
		next.prepareTurning()
	}
	if f.HasFacets() {
		next.facets = was.facets
		// Where a game digs, contacts with the triangles that stay where they are go on.
		if was.facets == 0 || was.Facets() != f.Facets() {
			w.dropFacets(was)
			next.facets = w.pages.take(k, f.Facets())
		}
	} else {
		w.dropFacets(was)
	}
	w.replace(k, next)
}

// dropFacets makes the numbers of a surface's facets free after Release.
func (w *Set) dropFacets(f *Surface) {
	if f.facets != 0 {
		w.pages.drop(f.facets, f.Facets())
	}
}

// Remove removes surface k. Its number isn't used again before Release.
func (w *Set) Remove(k int32) {
	was := &w.surfaces[k]
	w.dropFacets(was)
	w.replace(k, Surface{Stamp: was.Stamp, queued: was.queued, isMover: was.isMover, turned: was.turned})
	w.gone = append(w.gone, k)
}

// HasRemoved reports whether there are removed surfaces to release.
func (w *Set) HasRemoved() bool { return len(w.gone) > 0 || len(w.pages.gone) > 0 }

// Release makes the numbers of removed surfaces available to Add. Nothing may refer to them any
// longer.
func (w *Set) Release() {
	w.free = append(w.free, w.gone...)
	w.gone = w.gone[:0]
	w.pages.release()
}

// replace replaces surface k in all lists but the tree. Update changes the tree for many surfaces
// at once, which is faster.
func (w *Set) replace(k int32, f Surface) {
	was := w.surfaces[k]
	w.surfaces[k] = f
	w.freeBox.stale = true
	if was.Moves() {
		w.moving--
	}
	if f.Moves() {
		w.moving++
		if !f.isMover {
			w.surfaces[k].isMover = true
			w.movers = append(w.movers, k)
		}
	}
	if was.Alive && was.Rotates() {
		w.turning--
	}
	if f.Alive && f.Rotates() {
		w.turning++
	}
	if was.Alive && was.IsOneSided() {
		w.oneSided--
	}
	if f.Alive && f.IsOneSided() {
		w.oneSided++
	}
	if was.isPlane() && !f.isPlane() {
		at, _ := w.findPlane(k)
		w.planes = slices.Delete(w.planes, at, at+1)
	}
	if was.isShapeSensor() {
		w.shapeSensors--
	}
	if f.isShapeSensor() {
		w.shapeSensors++
	}
	if at, found := slices.BinarySearch(w.sensors, k); found != f.isPlaneSensor() {
		if found {
			w.sensors = slices.Delete(w.sensors, at, at+1)
		} else {
			w.sensors = slices.Insert(w.sensors, at, k)
		}
	}
	if f.Kind() == Plane {
		w.tree.Remove(k)
	}
	if f.Alive {
		w.queue(k)
		w.derive(k)
	}
}

// queue makes Update update surface k.
func (w *Set) queue(k int32) {
	w.freeBox.stale = true
	f := &w.surfaces[k]
	f.derivedFor = 0
	if !f.queued {
		f.queued = true
		w.changed = append(w.changed, k)
	}
}

// derive computes what follows from the shape of surface k, unless that is done, and lists it if it
// is a plane.
func (w *Set) derive(k int32) {
	f := &w.surfaces[k]
	if f.derivedFor == w.seconds && w.seconds > 0 {
		return
	}
	key, middle := f.Key, f.middle
	f.derive(w.seconds)
	if f.derivedFor = w.seconds; f.hasKey {
		f.Key, f.middle = key, middle
	}
	f.hasKey = true
	if f.isPlane() {
		p := planeOf(f, k)
		if at, found := w.findPlane(k); found {
			w.planes[at] = p
		} else {
			w.planes = slices.Insert(w.planes, at, p)
		}
	}
}

// planeOf returns what a sweep needs of surface k, a plane.
func planeOf(f *Surface, k int32) plane {
	return plane{f.Plane, f.rate, k, f.TwoSided || f.Turning.On, f.Turning.On}
}

// findPlane returns the index in planes at which surface k is, or belongs.
func (w *Set) findPlane(k int32) (at int, found bool) {
	return slices.BinarySearchFunc(w.planes, k, func(p plane, k int32) int { return cmp.Compare(p.surface, k) })
}

// Update brings the tree up to date for a step of the given duration. It costs nothing if nothing
// has changed.
func (w *Set) Update(seconds float64) {
	if w.seconds != seconds {
		w.seconds = seconds
		for k := range w.surfaces {
			if w.surfaces[k].Moves() {
				w.queue(int32(k))
			}
		}
	}
	if len(w.changed) == 0 {
		return
	}
	w.boxes = w.boxes[:0]
	for _, k := range w.changed {
		f := &w.surfaces[k]
		f.queued = false
		if !f.Alive {
			continue
		}
		w.derive(k)
		if f.Kind() == Plane {
			continue
		}
		tight := f.bounds.Grow(f.margin)
		if f.Turning.On {
			next, largest := f.withReach(tight)
			if box, ok := w.tree.Box(k); !ok || !contains(box, tight) || !contains(largest, box) {
				w.boxes = append(w.boxes, bvh.Item{Box: next, Item: k})
			}
			continue
		}
		path := f.Velocity.Scale(stepsAhead * seconds)
		if box, ok := w.tree.Box(k); ok && contains(box, tight) && contains(tight.Grow(2*path.MaxAbs()), box) {
			continue
		}
		w.boxes = append(w.boxes, bvh.Item{Box: tight.Union(tight.Translate(path)), Item: k})
	}
	w.changed = w.changed[:0]
	w.tree.Put(w.boxes)
	w.check("Update")
}

// stepsAhead is the number of steps for which the tree's box of a moving surface covers its path,
// so that the tree changes only once in that many steps. With a smaller number, it changes more
// often; with a larger one, more bodies far from the surface are tested against it.
const stepsAhead = 8

// contains reports whether box a contains box b.
func contains(a, b collide.AABB) bool { return a.Union(b) == a }

// Stop stops a moving surface where it is at time t, for the rest of the step. All predictions for
// it become void.
func (w *Set) Stop(k int32, t float64) {
	f := &w.surfaces[k]
	if f.Moves() {
		w.moving--
	}
	f.travelled = f.Velocity.Scale(t)
	if f.Turning.On {
		f.turned.stopped, f.turned.until = true, t
		f.Turning.Angular, f.Turning.Loaded = collide.Vec3{}, false
	} else if f.Kind() == Plane {
		f.Plane.Distance += float64(f.rate * t)
	}
	f.rate, f.Velocity = 0, collide.Vec3{}
	f.Stamp++
	if at, found := w.findPlane(k); found {
		w.planes[at].Plane, w.planes[at].rate = f.Plane, 0
	}
	w.queue(k)
}

// Slow scales the velocity and the angular velocity of surface k for this step, as if they had been
// so from the start. All predictions for it become void.
func (w *Set) Slow(k int32, scale float64) {
	f := &w.surfaces[k]
	moved := f.Moves()
	v := f.Velocity.Scale(scale)
	f.Velocity, f.Turning.Angular = v, f.Turning.Angular.Scale(scale)
	if moved && !f.Moves() {
		w.moving--
	}
	if f.Turning.On {
		f.deriveMotion(w.seconds)
	}
	f.Stamp++
	f.rate = f.Plane.Normal.Dot(v)
	if at, found := w.findPlane(k); found {
		w.planes[at].rate = f.rate
	}
	w.queue(k)
}

// Travelled returns how far surface k moved in the last step, m.
func (w *Set) Travelled(k int32) collide.Vec3 { return w.surfaces[k].Travelled(w.seconds) }
