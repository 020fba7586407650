package statics

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// planeFreeBox is a box that no plane enters in this step. Most bodies stay inside it and need not
// be tested against any plane.
//
// In a room with walls and floor along the axes, it is the whole interior. Above a slope it ends at
// the highest point of the slope. It affects speed only, never results.
type planeFreeBox struct {
	middle, half collide.Vec3
	extent       collide.AABB // bounding box of the bodies
	stale        bool         // planes or extent have changed since UpdateFreeBox
}

// SetExtent sets the bounding box of the bodies, around which UpdateFreeBox chooses its box.
func (w *Set) SetExtent(bodies collide.AABB) {
	w.freeBox.extent = bodies
	w.freeBox.stale = true
}

// UpdateFreeBox computes the box that no plane enters in this step, if anything has changed.
func (w *Set) UpdateFreeBox() {
	c := &w.freeBox
	if !c.stale {
		return
	}
	c.stale = false
	size := c.extent.Size()
	box := c.extent.Grow(float64(max(size.X, size.Y, size.Z) / 2)) // bodies may leave extent before it is set again
	margin := float64(roundingShare * max(box.Min.MaxAbs(), box.Max.MaxAbs()))
	center := c.extent.Center()
	for at := 0; at < len(w.planes) && !box.IsEmpty(); at++ {
		p := &w.planes[at]
		if p.rotating { // it may come anywhere
			box = collide.AABB{Min: box.Max, Max: box.Min}
			break
		}
		rise := float64(p.rate * w.seconds)
		n, nearest := p.Normal, max(p.Distance, p.Distance+rise)
		if p.twoSided && n.Dot(center) < nearest { // choose the side on which most bodies are
			n, nearest = n.Neg(), -min(p.Distance, p.Distance+rise)
		}
		box = cutBelow(box, n, nearest+margin+float64(roundingShare*(math.Abs(p.Distance)+math.Abs(rise))))
	}
	box = box.Grow(-margin)
	c.middle, c.half = box.Center(), box.Size().Scale(0.5)
	w.checkFreeBox()
}

// cutBelow returns the part of a box in which no point is lower than height along n. It moves one
// face of the box, along the axis where that removes least.
func cutBelow(box collide.AABB, n collide.Vec3, height float64) collide.AABB {
	lacks, cutAxis, most := height, 0, -1.0
	for axis := range 3 {
		c, lo, hi := n.Component(axis), box.Min.Component(axis), box.Max.Component(axis)
		lacks -= min(float64(c*lo), float64(c*hi))
		if width := math.Abs(c) * (hi - lo); c != 0 && width > most {
			cutAxis, most = axis, width
		}
	}
	if lacks <= 0 {
		return box
	}
	c := n.Component(cutAxis)
	end := &box.Min
	if c < 0 {
		end = &box.Max
	}
	*[3]*float64{&end.X, &end.Y, &end.Z}[cutAxis] += lacks / c
	return box
}

// avoidsPlanes reports whether a sphere certainly touches no plane between now and the end of the
// step: its path is inside the plane-free box, with a margin for the rounding of what [Set.First]
// computes from coordinates of that size.
func (w *Set) avoidsPlanes(x, v *collide.Vec3, radius, now float64) bool {
	if len(w.planes) == 0 {
		return true
	}
	c := &w.freeBox
	middle, half := (w.seconds+now)/2, float64((w.seconds-now)/2)+float64(roundingShare*w.seconds)
	return math.Abs(x.X-c.middle.X+float64(middle*v.X))+float64(half*math.Abs(v.X)) <= c.half.X-radius &&
		math.Abs(x.Y-c.middle.Y+float64(middle*v.Y))+float64(half*math.Abs(v.Y)) <= c.half.Y-radius &&
		math.Abs(x.Z-c.middle.Z+float64(middle*v.Z))+float64(half*math.Abs(v.Z)) <= c.half.Z-radius
}
