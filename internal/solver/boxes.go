package solver

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// cut is a node of the tree of boxes: what lies before at along axis belongs to the first child. A child is a cut, or -1-k for part k.
type cut struct {
	axis     int
	at       float64
	children [2]int32
}

const cutSample = 2048 // about how many bodies are looked at to choose where to cut

// share is some of the whole's bodies, which are sorted by the parts that they belong to.
type share struct {
	team   *team
	number int
	lists  [][]int32 // for each part, those that belong there
	moving int       // how many of them move
}

// sort finds out to which parts the bodies of the share belong.
func (h *share) sort() {
	t := h.team
	s := t.whole
	if n := len(t.parts); n > cap(h.lists) {
		h.lists = append(make([][]int32, 0, (n+7)&^7), h.lists...) // whole cache lines, on which no other share writes
	}
	h.lists = h.lists[:len(t.parts)]
	for k := range h.lists {
		h.lists[k] = h.lists[k][:0]
	}
	moving := 0
	n, all := len(s.bodies), len(t.shares)
	for i := h.number * n / all; i < (h.number+1)*n/all; i++ {
		b := &s.bodies[i]
		s.before[i] = b.x
		if s.flags[i]&alive == 0 {
			t.bodies[i], t.flags[i], t.marks[i], t.pulls[i] = body{}, 0, s.marks[i], collide.Vec3{}
			continue
		}
		if s.stirs(int32(i)) {
			moving++
		}
		h.add(0, int32(i), &b.x)
	}
	h.moving = moving
}

// add puts body i into the lists of the parts under node that it is in or near.
func (h *share) add(node, i int32, x *collide.Vec3) {
	for node >= 0 {
		c := &h.team.cuts[node]
		d := along(x, c.axis) - c.at
		switch m := h.team.margin; {
		case d < -m:
			node = c.children[0]
		case d > m:
			node = c.children[1]
		default:
			h.add(c.children[0], i, x)
			node = c.children[1]
		}
	}
	h.lists[-1-node] = append(h.lists[-1-node], i)
}

func along(v *collide.Vec3, axis int) float64 {
	switch axis {
	case 0:
		return v.X
	case 1:
		return v.Y
	}
	return v.Z
}

// cutUp chooses the boxes, so that each has about as many of the moving bodies as the others.
func (t *team) cutUp(s *Space, n int) {
	for len(t.parts) < n {
		p := &region{team: t, number: int32(len(t.parts))}
		p.space.region = p
		t.parts = append(t.parts, p)
	}
	t.parts = t.parts[:n]
	t.cuts, t.sample = t.cuts[:0], t.sample[:0]
	t.touch, t.speed = 0, 0
	every := s.stirring/cutSample + 1
	moving := 0
	for i := range s.bodies {
		b := &s.bodies[i]
		t.touch = max(t.touch, 2*b.radius)
		if b.v == (collide.Vec3{}) {
			continue
		}
		t.speed += b.v.Length()
		if moving%every == 0 {
			t.sample = append(t.sample, b.x)
		}
		moving++
	}
	t.speed /= float64(max(moving, 1))
	inf := math.Inf(1)
	t.cut(t.sample, 0, n, [3]float64{-inf, -inf, -inf}, [3]float64{inf, inf, inf})
	for _, p := range t.parts {
		p.space.unplaced = true // its grid was made for another box
	}
}

// cut cuts the box from lo to hi, in which the bodies of sample are, into n parts, the first of them part first, and returns its node.
func (t *team) cut(sample []collide.Vec3, first, n int, lo, hi [3]float64) int32 {
	if n == 1 {
		t.parts[first].lo, t.parts[first].hi = lo, hi
		return int32(-1 - first)
	}
	axis, widest := 0, -1.0
	for a := range 3 {
		least, most := math.Inf(1), math.Inf(-1)
		for k := range sample {
			x := along(&sample[k], a)
			least, most = min(least, x), max(most, x)
		}
		if most-least > widest {
			axis, widest = a, most-least
		}
	}
	slices.SortFunc(sample, func(a, b collide.Vec3) int {
		switch x, y := along(&a, axis), along(&b, axis); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	half := n / 2
	middle := len(sample) * half / n
	at := min(max(0, lo[axis]), hi[axis]) // without bodies anywhere will do that is in the box
	if len(sample) > 0 {
		at = along(&sample[middle], axis)
	}
	node := int32(len(t.cuts))
	t.cuts = append(t.cuts, cut{axis: axis, at: at})
	below, above := hi, lo
	below[axis], above[axis] = at, at
	a := t.cut(sample[:middle], first, half, lo, below)
	b := t.cut(sample[middle:], first+half, n-half, above, hi)
	t.cuts[node].children = [2]int32{a, b}
	return node
}
