package partition

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Partition is a division of space into boxes, numbered from 0. Call Build before use.
type Partition struct {
	nodes []kdNode // the root is the first; none if there is one box
	boxes []Box
}

// kdNode is an inner node of the k-d tree: a plane perpendicular to an axis. Points with a
// coordinate below at belong to children[0], the others to children[1]. A child is a node, or -1-k
// for box k.
type kdNode struct {
	axis     int
	at       float64 // metres
	children [2]int32
}

// Build divides space into n boxes, at least 1, that contain about the same number of points of
// sample each. It reorders sample. The result depends on the points, not on their order.
func (p *Partition) Build(sample []collide.Vec3, n int) {
	p.nodes, p.boxes = p.nodes[:0], slices.Grow(p.boxes[:0], n)[:n]
	inf := math.Inf(1)
	p.divide(sample, 0, n, Box{[3]float64{-inf, -inf, -inf}, [3]float64{inf, inf, inf}})
}

// divide divides a box that contains the points of sample into n boxes, numbered from first. It
// returns the subtree as a child of a kdNode.
func (p *Partition) divide(sample []collide.Vec3, first, n int, box Box) int32 {
	if n == 1 {
		p.boxes[first] = box
		return int32(-1 - first)
	}
	axis := widestAxis(sample)
	slices.SortFunc(sample, func(a, b collide.Vec3) int {
		switch x, y := a.Component(axis), b.Component(axis); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	half := n / 2
	middle := len(sample) * half / n
	at := min(max(0, box.Lo[axis]), box.Hi[axis]) // without points, any plane inside the box will do
	if len(sample) > 0 {
		at = sample[middle].Component(axis)
	}
	node := int32(len(p.nodes))
	p.nodes = append(p.nodes, kdNode{axis: axis, at: at})
	below, above := box, box
	below.Hi[axis], above.Lo[axis] = at, at
	a := p.divide(sample[:middle], first, half, below)
	b := p.divide(sample[middle:], first+half, n-half, above)
	p.nodes[node].children = [2]int32{a, b}
	return node
}

// widestAxis returns the axis along which the points extend farthest, the first of several.
func widestAxis(points []collide.Vec3) int {
	axis, widest := 0, -1.0
	for a := range 3 {
		least, most := math.Inf(1), math.Inf(-1)
		for k := range points {
			x := points[k].Component(a)
			least, most = min(least, x), max(most, x)
		}
		if most-least > widest {
			axis, widest = a, most-least
		}
	}
	return axis
}

// Len returns the number of boxes.
func (p *Partition) Len() int { return len(p.boxes) }

// Box returns box k.
func (p *Partition) Box(k int) Box { return p.boxes[k] }

// Lists has a list of bodies for each box. The zero value is ready for Reset.
type Lists struct{ of [][]int32 }

// Reset empties the lists, and makes n of them.
func (l *Lists) Reset(n int) {
	if n > cap(l.of) {
		// Whole cache lines: the lists of different workers must not share any, because every
		// append writes the length of a list. Sorting 10,000 bodies took 0.55 ms instead of 0.06.
		l.of = append(make([][]int32, 0, (n+7)&^7), l.of...)
	}
	l.of = l.of[:n]
	for k := range l.of {
		l.of[k] = l.of[k][:0]
	}
}

// Of returns the list of box k.
func (l *Lists) Of(k int32) []int32 { return l.of[k] }

// Total returns the sum of the lengths of all lists.
func (l *Lists) Total() (n int) {
	for _, list := range l.of {
		n += len(list)
	}
	return n
}

// Add adds body i, whose centre is at x, to the lists of its box and of all boxes that are at most
// halo metres away along each axis: those for which Box.Outside is at most halo.
func (p *Partition) Add(l *Lists, i int32, x *collide.Vec3, halo float64) {
	root := int32(0)
	if len(p.nodes) == 0 {
		root = -1
	}
	p.add(l, root, i, x, halo)
}

// add is Add for the boxes below a node.
func (p *Partition) add(l *Lists, node, i int32, x *collide.Vec3, halo float64) {
	for node >= 0 {
		c := &p.nodes[node]
		switch d := x.Component(c.axis) - c.at; {
		case d < -halo:
			node = c.children[0]
		case d > halo:
			node = c.children[1]
		default:
			p.add(l, c.children[0], i, x, halo)
			node = c.children[1]
		}
	}
	l.of[-1-node] = append(l.of[-1-node], i)
}
