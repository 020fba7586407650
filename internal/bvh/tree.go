// Package bvh finds which of very many boxes a moving box comes near: a tree of boxes around boxes.
//
// Many boxes at once make a new tree, by the surface area heuristic; a few go into the one there is and come out again, as in
// Catto's "Dynamic Bounding Volume Hierarchies" (2019). What a [Search] finds doesn't depend on the tree's shape, only the order
// does, and the time it takes.
package bvh

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Tree is a set of boxes, each of which belongs to an item: a number, not negative, and small, since the tree keeps a list of all up to the largest.
// The zero value is empty. Searches may run at the same time as each other, but not as a change.
type Tree struct {
	nodes  []node  // the root is the first; two siblings are neighbours, the first of them at an even place
	leaves []int32 // of each item: its node, or -1
	spare  []int32 // places of siblings that are free: the first of the two
	count  int
	items  []Item // scratch
}

// Item is an item with its box.
type Item struct {
	Box  collide.AABB
	Item int32
}

// node is a leaf, or a box around two. Sixty-four bytes, a cache line.
type node struct {
	box    collide.AABB
	parent int32 // -1 for the root
	child  int32 // the first of two, or ^item in a leaf
	height int32 // above its lowest leaf
	_      int32
}

// maxHeight is how high a tree may grow: a search keeps a list of that many nodes. Boxes within boxes within boxes, each half the size, are as
// high as they are many.
const maxHeight = 62

// Len returns how many items there are.
func (t *Tree) Len() int { return t.count }

// Box returns the box of an item, and false if it isn't there.
func (t *Tree) Box(item int32) (collide.AABB, bool) {
	if int(item) >= len(t.leaves) || t.leaves[item] < 0 {
		return collide.AABB{}, false
	}
	return t.nodes[t.leaves[item]].box, true
}

// many is the share of all items from which on it is quicker to make a new tree than to put them in one by one: making one took 0.5 µs an item,
// putting one in 2 µs (BenchmarkBuild, BenchmarkPut).
const many = 0.25

// Put gives items their boxes, which must be finite and not empty. Each item may be named once.
func (t *Tree) Put(items []Item) {
	if float64(len(items)) > many*float64(t.count+len(items)) && len(items) > 1 {
		for _, i := range items {
			if int(i.Item) < len(t.leaves) {
				t.leaves[i.Item] = -1
			}
		}
		t.collect()
		t.items = append(t.items, items...)
		t.build(steep)
		return
	}
	for _, i := range items {
		t.Remove(i.Item)
		t.insert(i)
		if t.nodes[0].height > maxHeight {
			t.collect()
			t.build(0)
		}
	}
}

// Remove takes an item out, if it is there.
func (t *Tree) Remove(item int32) {
	if int(item) >= len(t.leaves) || t.leaves[item] < 0 {
		return
	}
	at := t.leaves[item]
	t.leaves[item] = -1
	t.count--
	if t.count == 0 {
		t.nodes, t.spare = t.nodes[:0], t.spare[:0]
		return
	}
	parent := t.nodes[at].parent
	t.move(at^1, parent, t.nodes[parent].parent)
	t.spare = append(t.spare, at&^1)
	for up := t.nodes[parent].parent; up >= 0; up = t.nodes[up].parent {
		before := t.nodes[up]
		t.fit(up)
		if t.nodes[up] == before {
			return
		}
	}
}

// insert puts in an item that isn't there.
func (t *Tree) insert(i Item) {
	t.admit(i.Item)
	t.count++
	if t.count == 1 {
		t.nodes = append(t.nodes[:0], node{box: i.Box, parent: -1, child: ^i.Item}, node{})
		t.leaves[i.Item] = 0
		return
	}
	at := t.sibling(i.Box)
	pair := t.pair()
	t.move(at, pair, at)
	t.nodes[pair+1] = node{box: i.Box, parent: at, child: ^i.Item}
	t.leaves[i.Item] = pair + 1
	t.nodes[at].child = pair
	for ; at >= 0; at = t.nodes[at].parent {
		t.fit(at)
		t.rotate(at)
	}
}

// sibling returns the node beside which a new box makes the tree's boxes grow the least, as far as going down one way can tell.
func (t *Tree) sibling(box collide.AABB) int32 {
	at := int32(0)
	area := halfArea(t.nodes[0].box)
	for t.nodes[at].child >= 0 {
		with := halfArea(t.nodes[at].box.Union(box))
		// A new parent here, or a larger box here and a new parent further down.
		here, growth := 2*with, 2*(with-area)
		best, next, nextArea := math.Inf(1), int32(0), 0.0
		for c := t.nodes[at].child; c < t.nodes[at].child+2; c++ {
			n := &t.nodes[c]
			own := halfArea(n.box)
			cost := growth + halfArea(n.box.Union(box))
			if n.child >= 0 {
				cost -= own
			}
			if cost < best {
				best, next, nextArea = cost, c, own
			}
		}
		if here < best {
			break
		}
		at, area = next, nextArea
	}
	return at
}

// rotate exchanges a child of node at with a grandchild from the other side, where that makes the other child smaller.
func (t *Tree) rotate(at int32) {
	pair := t.nodes[at].child
	var from, to int32
	best := 0.0
	for c := pair; c < pair+2; c++ {
		other := c ^ 1
		kids := t.nodes[c].child
		if kids < 0 {
			continue
		}
		area := halfArea(t.nodes[c].box)
		for k := kids; k < kids+2; k++ { // c without k, but with the other
			gain := area - halfArea(t.nodes[k^1].box.Union(t.nodes[other].box))
			if gain > best {
				best, from, to = gain, other, k
			}
		}
	}
	if best == 0 {
		return
	}
	a, b := t.nodes[from], t.nodes[to]
	t.nodes[to], t.nodes[from] = a, b
	t.adopt(to, b.parent)
	t.adopt(from, a.parent)
	t.fit(b.parent)
	t.fit(at)
}

// fit makes an inner node's box and height those of its children.
func (t *Tree) fit(at int32) {
	n := &t.nodes[at]
	a, b := &t.nodes[n.child], &t.nodes[n.child+1]
	n.box = a.box.Union(b.box)
	n.height = 1 + max(a.height, b.height)
}

// move moves a node to another place, under parent.
func (t *Tree) move(from, to, parent int32) {
	t.nodes[to] = t.nodes[from]
	t.adopt(to, parent)
}

// adopt tells a node that has come to a place, and what hangs on it, where they are.
func (t *Tree) adopt(at, parent int32) {
	n := &t.nodes[at]
	n.parent = parent
	if n.child < 0 {
		t.leaves[^n.child] = at
		return
	}
	t.nodes[n.child].parent, t.nodes[n.child+1].parent = at, at
}

// pair returns a place for two siblings.
func (t *Tree) pair() int32 {
	if n := len(t.spare); n > 0 {
		at := t.spare[n-1]
		t.spare = t.spare[:n-1]
		return at
	}
	t.nodes = append(t.nodes, node{}, node{})
	return int32(len(t.nodes) - 2)
}

// admit makes room for an item in the list of leaves.
func (t *Tree) admit(item int32) {
	for int(item) >= len(t.leaves) {
		t.leaves = append(t.leaves, -1)
	}
}

// halfArea is half the surface of a box. What is searched for hits boxes about as often as their surface is large.
func halfArea(b collide.AABB) float64 {
	x, y, z := b.Max.X-b.Min.X, b.Max.Y-b.Min.Y, b.Max.Z-b.Min.Z
	return float64(x*y) + float64(y*z) + float64(z*x)
}
