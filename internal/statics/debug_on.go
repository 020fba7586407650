//go:build dangodebug

package statics

import (
	"fmt"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// debugState is scratch of the checks.
type debugState struct{ numbers []int32 }

// Check panics if the lists of the set do not agree with its surfaces, after Update.
func (w *Set) Check(when string) { w.check(when) }

func (w *Set) check(when string) {
	w.tree.Check()
	bounded, moving, planes, sensors, shapeSensors := 0, 0, 0, 0, 0
	for k := range w.surfaces {
		f := &w.surfaces[k]
		n := int32(k)
		if !f.Alive {
			if _, ok := w.tree.Box(n); ok {
				panic(fmt.Sprintf("statics: %s: the tree contains surface %d, which has been removed", when, k))
			}
			continue
		}
		if f.Moves() {
			moving++
		}
		if f.isPlaneSensor() {
			sensors++
		}
		if f.isShapeSensor() {
			shapeSensors++
		}
		if f.isPlane() {
			planes++
			at, ok := w.findPlane(n)
			if p := planeOf(f, n); !ok || w.planes[at] != p {
				panic(fmt.Sprintf("statics: %s: surface %d is plane %v, but is not listed as that", when, k, p))
			}
		}
		if f.Kind() == Plane {
			continue
		}
		bounded++
		box, ok := w.tree.Box(n)
		// Where it has been stopped or slowed down since Update, its bounds are still those of the
		// step.
		if tight := f.bounds.Grow(f.margin); !ok || !contains(box, tight) {
			panic(fmt.Sprintf("statics: %s: surface %d has box %v in the tree (%v), want one around %v", when, k,
				box, ok, tight))
		}
	}
	if bounded != w.tree.Len() || moving != w.moving || planes != len(w.planes) || sensors != len(w.sensors) ||
		shapeSensors != w.shapeSensors || !slices.IsSorted(w.sensors) {
		panic(fmt.Sprintf("statics: %s: %d surfaces with bounds, %d that move, %d planes, %d sensors, but %d, %d, "+
			"%d and %d are listed",
			when, bounded, moving, planes, sensors, w.tree.Len(), w.moving, len(w.planes), len(w.sensors)))
	}
	for _, list := range [2][]int32{w.free, w.gone} {
		for _, k := range list {
			if w.surfaces[k].Alive {
				panic(fmt.Sprintf("statics: %s: number %d is free, but surface %d has not been removed", when, k, k))
			}
		}
	}
	if n := len(w.free) + len(w.gone); n > 0 { // as many as are not alive, and none twice
		s := append(append(w.debug.numbers[:0], w.free...), w.gone...)
		slices.Sort(s)
		w.debug.numbers = s
		for at := 1; at < n; at++ {
			if s[at] == s[at-1] {
				panic(fmt.Sprintf("statics: %s: number %d is free twice", when, s[at]))
			}
		}
	}
}

// checkFreeBox panics if a plane enters the plane-free box in this step.
func (w *Set) checkFreeBox() {
	c := &w.freeBox
	if !(c.half.X > 0 && c.half.Y > 0 && c.half.Z > 0) {
		return
	}
	for _, p := range w.planes {
		for corner := range 8 {
			x := c.middle
			for axis, h := range [3]float64{c.half.X, c.half.Y, c.half.Z} {
				if corner>>axis&1 != 0 {
					h = -h
				}
				switch axis {
				case 0:
					x.X += h
				case 1:
					x.Y += h
				case 2:
					x.Z += h
				}
			}
			first, last := p.Distance, p.Distance+float64(p.rate*w.seconds)
			height := p.Normal.Dot(x)
			front, behind := height >= max(first, last), height <= min(first, last)
			center := p.Normal.Dot(c.middle) >= p.Distance
			if !(front && center) && !(p.twoSided && behind && !center) {
				panic(fmt.Sprintf("statics: UpdateFreeBox: plane %d (%v, moving at %v m/s) enters the box around "+
					"%v of half size %v",
					p.surface, p.Plane, p.rate, c.middle, c.half))
			}
		}
	}
}

// IsNearFacets reports whether a ball at x is near enough at time t to overlap a facet of a mesh or
// height field. Behind its facets nothing overlaps, so what is outside of the bounds doesn't.
func (f *Surface) IsNearFacets(x collide.Vec3, radius, t float64) bool {
	p := f.toLocal(x, t)
	return f.ownBounds().ClosestPoint(p).Distance(p) <= radius+f.margin
}
