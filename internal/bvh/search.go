package bvh

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Search iterates over the items whose boxes a moving box touches, roughly in the order of touch.
// It contains its own stack, so a local variable is enough: pass it to [Tree.Search], then call
// Next until it returns false. It may return items that the moving box misses by rounding.
type Search struct {
	nodes    []node
	box      collide.AABB // the moving box at time 0
	v        collide.Vec3
	from, to float64 // the time interval of the motion, seconds

	low, high collide.Vec3 // bounds of the swept box, with a margin

	// If the motion is long compared with the box along more than one axis, its bounds are much
	// larger than the swept box, and the cross product axes are tested as well.
	slanted    bool
	middle     collide.Vec3 // of the bounds
	half       collide.Vec3 // half of the motion
	halfAbs    collide.Vec3 // absolute values of half
	halfExtent collide.Vec3 // half the size of the moving box, with a margin

	single    bool // there is one item
	shortened bool // nodes on the stack were tested with a longer motion
	depth     int
	stack     [maxHeight + 2]int32
}

// margin enlarges the moving box, relative to its coordinates: 8,000 times the rounding with which
// a touch may be computed. Smaller, and a touch could be missed; items found in addition cost only
// a test.
const margin = 0x1p-40

// Search starts s: a search for the items that box touches when it moves at v, in metres per
// second, for that many seconds, which may be infinite.
func (t *Tree) Search(s *Search, box collide.AABB, v collide.Vec3, seconds float64) {
	s.nodes, s.depth, s.shortened, s.single = t.nodes, 0, false, false
	if t.count == 0 {
		return
	}
	if t.nodes[0].child < 0 { // a single item: to test it costs no more than to test its box
		s.depth, s.stack[0], s.single = 1, 0, true
		return
	}
	s.box, s.v, s.from, s.to = box, v, 0, seconds
	if v == (collide.Vec3{}) {
		s.to = 0
	}
	root := &t.nodes[0].box
	if distance := s.to * v.MaxAbs(); !(distance <= root.Max.Sub(root.Min).MaxAbs()) && !s.clip(root) {
		return
	}
	s.prepare()
	if s.touches(&t.nodes[0]) {
		s.depth, s.stack[0] = 1, 0
	}
}

// clip restricts the motion to the time interval in which it is inside the root box, and returns
// false if that is empty.
func (s *Search) clip(root *collide.AABB) bool {
	e := float64(margin * (root.Min.MaxAbs() + root.Max.MaxAbs() + s.box.Min.MaxAbs() + s.box.Max.MaxAbs()))
	for axis := range 3 {
		v := s.v.Component(axis)
		if v == 0 {
			continue
		}
		enter := root.Min.Component(axis) - s.box.Max.Component(axis) - e
		leave := root.Max.Component(axis) - s.box.Min.Component(axis) + e
		if v < 0 {
			enter, leave = leave, enter
		}
		s.from, s.to = max(s.from, enter/v), min(s.to, leave/v)
	}
	s.to = min(s.to, 0x1p1000) // at an extremely small speed
	return s.from <= s.to
}

// prepare computes what nodes are compared with.
func (s *Search) prepare() {
	a, b := s.v.Scale(s.from), s.v.Scale(s.to)
	// 2^-1000 keeps a touch at 0 from depending on the sign of a zero.
	e := float64(margin*(s.box.Min.MaxAbs()+s.box.Max.MaxAbs()+a.MaxAbs()+b.MaxAbs())) + 0x1p-1000
	s.low = collide.Vec3{
		X: s.box.Min.X + min(a.X, b.X) - e,
		Y: s.box.Min.Y + min(a.Y, b.Y) - e,
		Z: s.box.Min.Z + min(a.Z, b.Z) - e,
	}
	s.high = collide.Vec3{
		X: s.box.Max.X + max(a.X, b.X) + e,
		Y: s.box.Max.Y + max(a.Y, b.Y) + e,
		Z: s.box.Max.Z + max(a.Z, b.Z) + e,
	}
	s.half = b.Sub(a).Scale(0.5)
	s.halfAbs = collide.Vec3{X: math.Abs(s.half.X), Y: math.Abs(s.half.Y), Z: math.Abs(s.half.Z)}
	s.halfExtent = s.box.Max.Sub(s.box.Min).Scale(0.5)
	s.halfExtent = s.halfExtent.Add(collide.Vec3{X: e, Y: e, Z: e})
	wide := 0
	for axis := range 3 {
		if s.halfAbs.Component(axis) > s.halfExtent.Component(axis) {
			wide++
		}
	}
	s.slanted = wide > 1
	if s.slanted {
		s.middle = s.low.Add(s.high).Scale(0.5)
	}
}

// Until ends the motion at time t: Next may then omit items that are first touched later. If t was
// computed, it must include a margin for rounding.
func (s *Search) Until(t float64) {
	if t < s.to && !s.single {
		s.to = max(t, s.from)
		s.shortened = true
		s.prepare()
	}
}

// Next returns the next item, or false if there is none.
func (s *Search) Next() (item int32, ok bool) {
	nodes := s.nodes
	low, high := s.low, s.high
search:
	for s.depth > 0 {
		s.depth--
		at := &nodes[s.stack[s.depth]]
		if s.shortened && !s.touches(at) {
			continue
		}
		for at.child >= 0 {
			pair := nodes[at.child:][:2]
			first, second := &pair[0], &pair[1]
			a, b := isApart(&first.box, &low, &high), isApart(&second.box, &low, &high)
			if s.slanted {
				a, b = a || !s.touchesSlanted(&first.box), b || !s.touchesSlanted(&second.box)
			}
			switch {
			case a && b:
				continue search
			case a:
				at = second
			case b:
				at = first
			default:
				later := at.child + 1
				at = first
				if s.isAhead(first, second) {
					at, later = second, later-1
				}
				s.stack[s.depth] = later
				s.depth++
			}
		}
		return ^at.child, true
	}
	return 0, false
}

// isApart reports whether a box doesn't touch the box from low to high. It has no branch, because
// the result is unpredictable.
func isApart(b *collide.AABB, low, high *collide.Vec3) bool {
	return int64(math.Float64bits(b.Max.X-low.X)|math.Float64bits(high.X-b.Min.X)|
		math.Float64bits(b.Max.Y-low.Y)|math.Float64bits(high.Y-b.Min.Y)|
		math.Float64bits(b.Max.Z-low.Z)|math.Float64bits(high.Z-b.Min.Z)) < 0
}

// touches reports whether the swept box touches a node's box, with a margin.
func (s *Search) touches(n *node) bool {
	return !isApart(&n.box, &s.low, &s.high) && (!s.slanted || s.touchesSlanted(&n.box))
}

// touchesSlanted reports whether a slanted motion, whose bounds touch a box, also touches it along
// the axes perpendicular to the motion and to an edge of the box (separating axis test).
func (s *Search) touchesSlanted(b *collide.AABB) bool {
	// The size of a box that is much larger than the coordinates near the search is rounded as
	// well.
	const more = 1 + 0x1p-44
	d, p := s.half, s.halfAbs
	x := float64(0.5*(b.Min.X+b.Max.X)) - s.middle.X
	y := float64(0.5*(b.Min.Y+b.Max.Y)) - s.middle.Y
	z := float64(0.5*(b.Min.Z+b.Max.Z)) - s.middle.Z
	hx := float64(0.5*(b.Max.X-b.Min.X)) + s.halfExtent.X
	hy := float64(0.5*(b.Max.Y-b.Min.Y)) + s.halfExtent.Y
	hz := float64(0.5*(b.Max.Z-b.Min.Z)) + s.halfExtent.Z
	return math.Abs(float64(d.Y*z)-float64(d.Z*y)) <= float64((float64(p.Y*hz)+float64(p.Z*hy))*more) &&
		math.Abs(float64(d.Z*x)-float64(d.X*z)) <= float64((float64(p.Z*hx)+float64(p.X*hz))*more) &&
		math.Abs(float64(d.X*y)-float64(d.Y*x)) <= float64((float64(p.X*hy)+float64(p.Y*hx))*more)
}

// isAhead reports whether the motion reaches b before a, judged by the centres of their boxes.
func (s *Search) isAhead(a, b *node) bool {
	p, q := &a.box, &b.box
	return float64(((p.Min.X+p.Max.X)-(q.Min.X+q.Max.X))*s.v.X)+
		float64(((p.Min.Y+p.Max.Y)-(q.Min.Y+q.Max.Y))*s.v.Y)+
		float64(((p.Min.Z+p.Max.Z)-(q.Min.Z+q.Max.Z))*s.v.Z) > 0
}
