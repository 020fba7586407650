package bvh

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Search goes through the items whose boxes a moving box touches on its way, the first ones roughly first. It keeps all that it
// needs in itself: declare one, and hand it to [Tree.Search].
type Search struct {
	nodes    []node
	box      collide.AABB // what moves, as it is at time 0
	v        collide.Vec3
	from, to float64 // the times between which it moves

	// Around all of its way, with a margin:
	low, high collide.Vec3
	// Where the way is long and slanted, its middle, half of it, and half the size of what moves:
	slanted                  bool
	middle, half, size, path collide.Vec3 // path has the absolute values of half

	shortened bool // nodes in waiting were looked at for a longer way
	waiting   int
	stack     [maxHeight + 2]int32
}

// margin is by how much a moving box is made larger, in parts of all its coordinates: 8,000 times the rounding that a touch may be computed with. What
// is found too much costs a look.
const margin = 0x1p-40

// Search begins a search for what box touches when it moves at v for seconds, which may be infinite.
func (t *Tree) Search(s *Search, box collide.AABB, v collide.Vec3, seconds float64) {
	s.nodes, s.waiting, s.shortened = t.nodes, 0, false
	if t.count == 0 {
		return
	}
	s.box, s.v, s.from, s.to = box, v, 0, seconds
	if v == (collide.Vec3{}) {
		s.to = 0
	}
	root := &t.nodes[0].box
	if way := s.to * largest(v); !(way <= largest(root.Max.Sub(root.Min))) && !s.clip(root) {
		return
	}
	s.aim()
	if s.meets(&t.nodes[0]) {
		s.waiting, s.stack[0] = 1, 0
	}
}

// clip shortens the way to where it leads through everything there is, and reports whether it does.
func (s *Search) clip(root *collide.AABB) bool {
	e := float64(margin * (largest(root.Min) + largest(root.Max) + largest(s.box.Min) + largest(s.box.Max)))
	for axis := range 3 {
		v := part(s.v, axis)
		if v == 0 {
			continue
		}
		enter, leave := part(root.Min, axis)-part(s.box.Max, axis)-e, part(root.Max, axis)-part(s.box.Min, axis)+e
		if v < 0 {
			enter, leave = leave, enter
		}
		s.from, s.to = max(s.from, enter/v), min(s.to, leave/v)
	}
	s.to = min(s.to, 0x1p1000) // at a speed of next to nothing
	return s.from <= s.to
}

// aim works out what the nodes are compared with.
func (s *Search) aim() {
	a, b := s.v.Scale(s.from), s.v.Scale(s.to)
	// 2^-1000 keeps a touch at 0 from hanging on the sign of a zero.
	e := float64(margin*(largest(s.box.Min)+largest(s.box.Max)+largest(a)+largest(b))) + 0x1p-1000
	s.low = collide.Vec3{X: s.box.Min.X + min(a.X, b.X) - e, Y: s.box.Min.Y + min(a.Y, b.Y) - e, Z: s.box.Min.Z + min(a.Z, b.Z) - e}
	s.high = collide.Vec3{X: s.box.Max.X + max(a.X, b.X) + e, Y: s.box.Max.Y + max(a.Y, b.Y) + e, Z: s.box.Max.Z + max(a.Z, b.Z) + e}
	s.half = b.Sub(a).Scale(0.5)
	s.path = collide.Vec3{X: math.Abs(s.half.X), Y: math.Abs(s.half.Y), Z: math.Abs(s.half.Z)}
	s.size = s.box.Max.Sub(s.box.Min).Scale(0.5)
	s.size = s.size.Add(collide.Vec3{X: e, Y: e, Z: e})
	wide := 0
	for axis := range 3 {
		if part(s.path, axis) > part(s.size, axis) {
			wide++
		}
	}
	s.slanted = wide > 1
	if s.slanted {
		s.middle = s.low.Add(s.high).Scale(0.5)
	}
}

// Until shortens the way: what is first touched later than at time t is of no interest any more. Whoever found out about t by
// computation allows for the rounding of it.
func (s *Search) Until(t float64) {
	if t < s.to {
		s.to = max(t, s.from)
		s.shortened = true
		s.aim()
	}
}

// Next returns the next item, and false when there are no more.
func (s *Search) Next() (item int32, ok bool) {
	nodes := s.nodes
	low, high := s.low, s.high
search:
	for s.waiting > 0 {
		s.waiting--
		at := &nodes[s.stack[s.waiting]]
		if s.shortened && !s.meets(at) {
			continue
		}
		for at.child >= 0 {
			pair := nodes[at.child:][:2]
			first, second := &pair[0], &pair[1]
			a, b := apart(&first.box, &low, &high), apart(&second.box, &low, &high)
			if s.slanted {
				a, b = a || !s.crosses(&first.box), b || !s.crosses(&second.box)
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
				if s.ahead(first, second) {
					at, later = second, later-1
				}
				s.stack[s.waiting] = later
				s.waiting++
			}
		}
		return ^at.child, true
	}
	return 0, false
}

// apart reports whether a box doesn't touch the one from low to high. There is no branch in it, because which do is as good as random.
func apart(b *collide.AABB, low, high *collide.Vec3) bool {
	return int64(math.Float64bits(b.Max.X-low.X)|math.Float64bits(high.X-b.Min.X)|
		math.Float64bits(b.Max.Y-low.Y)|math.Float64bits(high.Y-b.Min.Y)|
		math.Float64bits(b.Max.Z-low.Z)|math.Float64bits(high.Z-b.Min.Z)) < 0
}

// meets reports whether the way touches a node's box, or nearly.
func (s *Search) meets(n *node) bool {
	return !apart(&n.box, &s.low, &s.high) && (!s.slanted || s.crosses(&n.box))
}

// crosses reports whether a slanted way, the bounds of which meet a box, isn't past it at an angle: whether they are not apart along
// an axis at right angles to the way and to a side of the box.
func (s *Search) crosses(b *collide.AABB) bool {
	// The box's size rounds too, where it is much larger than where we are.
	const more = 1 + 0x1p-44
	d, p := s.half, s.path
	x, y, z := float64(0.5*(b.Min.X+b.Max.X))-s.middle.X, float64(0.5*(b.Min.Y+b.Max.Y))-s.middle.Y, float64(0.5*(b.Min.Z+b.Max.Z))-s.middle.Z
	hx, hy, hz := float64(0.5*(b.Max.X-b.Min.X))+s.size.X, float64(0.5*(b.Max.Y-b.Min.Y))+s.size.Y, float64(0.5*(b.Max.Z-b.Min.Z))+s.size.Z
	return math.Abs(float64(d.Y*z)-float64(d.Z*y)) <= float64((float64(p.Y*hz)+float64(p.Z*hy))*more) &&
		math.Abs(float64(d.Z*x)-float64(d.X*z)) <= float64((float64(p.Z*hx)+float64(p.X*hz))*more) &&
		math.Abs(float64(d.X*y)-float64(d.Y*x)) <= float64((float64(p.X*hy)+float64(p.Y*hx))*more)
}

// ahead reports whether the way comes to b before a, going by their middles.
func (s *Search) ahead(a, b *node) bool {
	p, q := &a.box, &b.box
	return float64(((p.Min.X+p.Max.X)-(q.Min.X+q.Max.X))*s.v.X)+
		float64(((p.Min.Y+p.Max.Y)-(q.Min.Y+q.Max.Y))*s.v.Y)+
		float64(((p.Min.Z+p.Max.Z)-(q.Min.Z+q.Max.Z))*s.v.Z) > 0
}

// largest returns the largest absolute value of v's parts.
func largest(v collide.Vec3) float64 { return max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z)) }
