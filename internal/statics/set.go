package statics

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/bvh"
)

// Set is all surfaces of a world, by small numbers that the set gives away. The zero value is
// empty.
//
// Update brings its lists up to date before a step, and after changes. Questions may then be
// asked by several goroutines at once, and of copies of the Set, as long as nothing changes it.
type Set struct {
	surfaces []Surface
	free     []int32 // numbers for new surfaces
	gone     []int32 // numbers that are free after Release

	planes  []plane    // the planes that stop things, by their numbers
	sensors []int32    // the sensors, in order
	tree    bvh.Tree   // all surfaces that have bounds, sensors too
	changed []int32    // what Update has to look at
	boxes   []bvh.Item // scratch of Update
	freeBox planeFreeBox

	seconds float64 // duration of the step
	moving  int     // how many surfaces move
}

// plane is what a sweep needs to know of a plane. It has 48 bytes, because all planes are read
// for every path of a body.
type plane struct {
	collide.Plane
	rate     float64
	surface  int32
	twoSided bool
}

// At returns surface k. The pointer is valid until the next Add.
func (w *Set) At(k int32) *Surface { return &w.surfaces[k] }

// Numbers returns how many numbers have been given away: all surfaces have smaller numbers.
func (w *Set) Numbers() int { return len(w.surfaces) }

// Len returns how many surfaces there are.
func (w *Set) Len() int { return len(w.surfaces) - len(w.free) - len(w.gone) }

// Moving returns how many surfaces move in this step.
func (w *Set) Moving() int { return w.moving }

// Sensors returns the numbers of the surfaces that are sensors, in order.
func (w *Set) Sensors() []int32 { return w.sensors }

// HasBounded reports whether any surface has bounds.
func (w *Set) HasBounded() bool { return w.tree.Len() > 0 }

// Add returns the number of a new surface. It is to be set with Put.
func (w *Set) Add() int32 {
	if n := len(w.free); n > 0 {
		k := w.free[n-1]
		w.free = w.free[:n-1]
		return k
	}
	w.surfaces = append(w.surfaces, Surface{})
	return int32(len(w.surfaces) - 1)
}

// Put says what surface k is. Whatever was predicted for it before is void.
func (w *Set) Put(k int32, f Shape) {
	was := &w.surfaces[k]
	w.replace(k, Surface{Shape: f, Alive: true, Stamp: was.Stamp + 1, queued: was.queued})
}

// Remove takes surface k out. Its number isn't given away again before Release.
func (w *Set) Remove(k int32) {
	was := &w.surfaces[k]
	w.replace(k, Surface{Stamp: was.Stamp, queued: was.queued})
	w.gone = append(w.gone, k)
}

// HasGone reports whether Release would release anything.
func (w *Set) HasGone() bool { return len(w.gone) > 0 }

// Release makes the numbers of removed surfaces available to Add. Nothing may refer to them any
// more.
func (w *Set) Release() {
	w.free = append(w.free, w.gone...)
	w.gone = w.gone[:0]
}

// replace puts another surface in the place of surface k, in all lists but the tree. Update does
// that for many at once, which is quicker. Surfaces that stay as they are cost nothing.
func (w *Set) replace(k int32, f Surface) {
	was := w.surfaces[k]
	w.surfaces[k] = f
	w.freeBox.stale = true
	if was.Moves() {
		w.moving--
	}
	if f.Moves() {
		w.moving++
	}
	if was.isPlane() && !f.isPlane() {
		at, _ := w.findPlane(k)
		w.planes = slices.Delete(w.planes, at, at+1)
	}
	if at, found := slices.BinarySearch(w.sensors, k); found != f.isSensor() {
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
		w.derive(k)
		w.queue(k)
	}
}

// queue has Update look at surface k.
func (w *Set) queue(k int32) {
	w.freeBox.stale = true
	if f := &w.surfaces[k]; !f.queued {
		f.queued = true
		w.changed = append(w.changed, k)
	}
}

// derive works out what follows from the shape of surface k, and lists it if it is a plane.
func (w *Set) derive(k int32) {
	f := &w.surfaces[k]
	f.derive(w.seconds)
	if f.isPlane() {
		p := plane{f.Plane, f.rate, k, f.TwoSided}
		if at, found := w.findPlane(k); found {
			w.planes[at] = p
		} else {
			w.planes = slices.Insert(w.planes, at, p)
		}
	}
}

// findPlane returns where in planes surface k is, or belongs.
func (w *Set) findPlane(k int32) (at int, found bool) {
	return slices.BinarySearchFunc(w.planes, k, func(p plane, k int32) int { return cmp.Compare(p.surface, k) })
}

// Update brings the tree up to date for a step of so many seconds. It costs nothing where nothing
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
		path := f.Velocity.Scale(stepsAhead * seconds)
		if box, ok := w.tree.Box(k); ok && contains(box, tight) && contains(tight.Grow(2*path.MaxAbs()), box) {
			continue
		}
		w.boxes = append(w.boxes, bvh.Item{Box: tight.Union(tight.Translate(path)), Item: k})
	}
	w.changed = w.changed[:0]
	w.tree.Put(w.boxes)
}

// stepsAhead is for how many steps ahead the tree's box of a moving surface covers its path, so
// that the tree changes once in as many steps. With less, it changes more often; with more,
// bodies far from the surface look at it in vain.
const stepsAhead = 8

func contains(a, b collide.AABB) bool { return a.Union(b) == a }

// Stop holds a moving surface where it is at time t for the rest of the step. Whatever was
// predicted for it is void.
func (w *Set) Stop(k int32, t float64) {
	f := &w.surfaces[k]
	if f.Moves() {
		w.moving--
	}
	f.travelled = f.Velocity.Scale(t)
	if f.Kind() == Plane {
		f.Plane.Distance += float64(f.rate * t)
	}
	f.rate, f.Velocity = 0, collide.Vec3{}
	f.Stamp++
	if at, found := w.findPlane(k); found {
		w.planes[at].Plane, w.planes[at].rate = f.Plane, 0
	}
	w.queue(k)
}

// SetVelocity gives surface k another velocity for this step, as if it had had it from the start.
// Whatever was predicted for it is void.
func (w *Set) SetVelocity(k int32, v collide.Vec3) {
	f := &w.surfaces[k]
	if f.Moves() && v == (collide.Vec3{}) {
		w.moving--
	}
	f.Velocity = v
	f.Stamp++
	f.rate = f.Plane.Normal.Dot(v)
	if at, found := w.findPlane(k); found {
		w.planes[at].rate = f.rate
	}
	w.queue(k)
}

// Travelled returns how far surface k has moved in the last step.
func (w *Set) Travelled(k int32) collide.Vec3 { return w.surfaces[k].Travelled(w.seconds) }
