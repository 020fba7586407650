package statics

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// planeFreeBox is a box that no plane enters in this step. Most bodies stay in it, and need not
// look at any plane.
//
// Between walls and a floor that are square to the axes it is all the space there is. Above a
// slope it ends where the slope is highest. Nothing but speed depends on it.
type planeFreeBox struct {
	middle, half collide.Vec3
	extent       collide.AABB // of all bodies
	stale        bool         // planes or extent have changed since
}

// SetExtent says in what part of space the bodies are, so that UpdateFreeBox can choose a box
// around them.
func (w *Set) SetExtent(bodies collide.AABB) {
	w.freeBox.extent = bodies
	w.freeBox.stale = true
}

// UpdateFreeBox finds the box that no plane enters in this step.
func (w *Set) UpdateFreeBox() {
	c := &w.freeBox
	if !c.stale {
		return
	}
	c.stale = false
	size := c.extent.Size()
	box := c.extent.Grow(float64(max(size.X, size.Y, size.Z) / 2)) // the bodies move on until SetExtent is called again
	margin := float64(roundingShare * max(box.Min.MaxAbs(), box.Max.MaxAbs()))
	center := c.extent.Center()
	for at := 0; at < len(w.planes) && !box.IsEmpty(); at++ {
		p := &w.planes[at]
		rise := float64(p.rate * w.seconds)
		n, nearest := p.Normal, max(p.Distance, p.Distance+rise)
		if p.twoSided && n.Dot(center) < nearest { // the side that most bodies are on
			n, nearest = n.Neg(), -min(p.Distance, p.Distance+rise)
		}
		box = cutBelow(box, n, nearest+margin+float64(roundingShare*(math.Abs(p.Distance)+math.Abs(rise))))
	}
	box = box.Grow(-margin)
	c.middle, c.half = box.Center(), box.Size().Scale(0.5)
}

// cutBelow returns the part of a box in which nothing is lower than a height along n. It is cut
// along the axis along which that takes least away.
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

// avoidsPlanes reports whether a sphere surely meets no plane between now and the end of the
// step. Its path is in the plane-free box, with room for the rounding of what [Set.First]
// computes from coordinates that large.
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
