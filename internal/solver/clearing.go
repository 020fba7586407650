package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// clearing is a box of space that no endless surface comes into in this step. Most bodies stay in it, and needn't look at any of them.
//
// It is as good as the surfaces are square to the axes: between walls and a floor it is all that there is between them. Of a slope it leaves out what lies below where the slope
// is highest. Nothing depends on it but speed.
type clearing struct {
	middle, half collide.Vec3
	extent       collide.AABB // of all bodies, when they were last sorted
	stale        bool         // surfaces or extent have changed since
}

// clearUp finds the clearing of this step.
func (s *Space) clearUp() {
	c := &s.clearing
	if !c.stale {
		return
	}
	c.stale = false
	size := c.extent.Size()
	box := c.extent.Grow(float64(max(size.X, size.Y, size.Z) / 2)) // room to fly on until they are sorted again
	margin := float64(slackShare * max(largest(box.Min), largest(box.Max)))
	center := c.extent.Center()
	for at := 0; at < len(s.planes) && !box.IsEmpty(); at++ {
		p := &s.planes[at]
		way := float64(p.rate * s.Seconds)
		n, nearest := p.Normal, max(p.Distance, p.Distance+way)
		if p.twoSided && n.Dot(center) < nearest { // it faces most of them, whatever side they are on
			n, nearest = n.Neg(), -min(p.Distance, p.Distance+way)
		}
		box = beyond(box, n, nearest+margin+float64(slackShare*(math.Abs(p.Distance)+math.Abs(way))))
	}
	box = box.Grow(-margin)
	c.middle, c.half = box.Center(), box.Size().Scale(0.5)
}

// beyond returns what is left of a box of which nothing may be lower than a height along n: it is cut along the axis along which that takes least away.
func beyond(box collide.AABB, n collide.Vec3, height float64) collide.AABB {
	lacks, along, most := height, 0, -1.0
	for axis := range 3 {
		c, lo, hi := part(n, axis), part(box.Min, axis), part(box.Max, axis)
		lacks -= min(float64(c*lo), float64(c*hi))
		if width := math.Abs(c) * (hi - lo); c != 0 && width > most {
			along, most = axis, width
		}
	}
	if lacks <= 0 {
		return box
	}
	c := part(n, along)
	end := &box.Min
	if c < 0 {
		end = &box.Max
	}
	*[3]*float64{&end.X, &end.Y, &end.Z}[along] += lacks / c
	return box
}

// staysClear reports whether a body, on its path from now on, surely meets no endless surface in this step: all of the path is in the clearing, with room for how
// lookForSurfaces rounds what is as far away as the body comes in a step.
func (s *Space) staysClear(b *body, now float64) bool {
	c := &s.clearing
	middle, half := (s.Seconds+now)/2, float64((s.Seconds-now)/2)+float64(slackShare*s.Seconds)
	return math.Abs(b.x.X-c.middle.X+float64(middle*b.v.X))+float64(half*math.Abs(b.v.X)) <= c.half.X-b.radius &&
		math.Abs(b.x.Y-c.middle.Y+float64(middle*b.v.Y))+float64(half*math.Abs(b.v.Y)) <= c.half.Y-b.radius &&
		math.Abs(b.x.Z-c.middle.Z+float64(middle*b.v.Z))+float64(half*math.Abs(b.v.Z)) <= c.half.Z-b.radius
}
