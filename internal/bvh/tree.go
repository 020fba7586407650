package bvh

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Tree is a set of items with boxes. An item is a number from 0 up; the tree needs memory for all
// numbers up to the largest. The zero Tree is empty. Several searches may run at the same time, but
// not at the same time as a change.
type Tree struct {
	nodes  []node  // the root is nodes[0]; siblings are neighbours, the first at an even index
	leaves []int32 // for each item its node, or -1
	spare  []int32 // unused pairs of nodes: the index of the first
	count  int
	items  []Item // scratch of Put
}

// Item is an item and its box.
type Item struct {
	Box  collide.AABB
	Item int32
}

// node is a leaf or the box around two nodes. Its size is 64 bytes, one cache line.
type node struct {
	box    collide.AABB
	parent int32 // -1 for the root
	child  int32 // index of the first child, or ^item for a leaf
	height int32 // levels above its lowest leaf
	_      int32
}

// maxHeight limits the height of a tree; a search has a stack of about that many nodes. Without the
// limit, boxes that contain each other, each half as large as the next, would make a tree as high
// as their number.
const maxHeight = 62

// Len returns the number of items.
func (t *Tree) Len() int { return t.count }

// Box returns the box of an item, or false if the tree doesn't contain it.
func (t *Tree) Box(item int32) (collide.AABB, bool) {
	if int(item) >= len(t.leaves) || t.leaves[item] < 0 {
		return collide.AABB{}, false
	}
	return t.nodes[t.leaves[item]].box, true
}

// rebuildShare is the share of new items among all items above which a new tree is faster than
// inserting them. A new tree takes 0.7 µs an item, inserting one 3 µs (BenchmarkBuild,
// BenchmarkPut).
const rebuildShare = 0.25

// Put adds items, or changes the boxes of those that the tree contains. Boxes must be finite and
// not empty. An item may occur once in items.
func (t *Tree) Put(items []Item) {
	if float64(len(items)) > rebuildShare*float64(t.count+len(items)) && len(items) > 1 {
		for _, i := range items {
			if int(i.Item) < len(t.leaves) {
				t.leaves[i.Item] = -1
			}
		}
		t.collect()
		t.items = append(t.items, items...)
		t.build(maxBinnedDepth)
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

// Remove removes an item, if the tree contains it.
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
		t.refit(up)
		if t.nodes[up] == before {
			return
		}
	}
}

// insert adds an item that the tree doesn't contain.
func (t *Tree) insert(i Item) {
	t.growLeaves(i.Item)
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
		t.refit(at)
		t.rotate(at)
	}
}

// sibling returns the node beside which a new box increases the surface of the tree's boxes the
// least. It follows one path from the root, so it finds a good node but not always the best.
func (t *Tree) sibling(box collide.AABB) int32 {
	at := int32(0)
	area := halfArea(t.nodes[0].box)
	for t.nodes[at].child >= 0 {
		with := halfArea(t.nodes[at].box.Union(box))
		// Either a new parent here, or a larger box here and a new parent further down.
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

// rotate swaps a child of a node with a grandchild below the other child, if that makes the other
// child's box smaller.
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
		for k := kids; k < kids+2; k++ { // the box of c with the other child in place of k
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
	t.refit(b.parent)
	t.refit(at)
}

// refit computes an inner node's box and height from those of its children.
func (t *Tree) refit(at int32) {
	n := &t.nodes[at]
	a, b := &t.nodes[n.child], &t.nodes[n.child+1]
	n.box = a.box.Union(b.box)
	n.height = 1 + max(a.height, b.height)
}

// move moves a node to another index, below parent.
func (t *Tree) move(from, to, parent int32) {
	t.nodes[to] = t.nodes[from]
	t.adopt(to, parent)
}

// adopt updates the references to a node that has moved, from its children or its item, and sets
// its parent.
func (t *Tree) adopt(at, parent int32) {
	n := &t.nodes[at]
	n.parent = parent
	if n.child < 0 {
		t.leaves[^n.child] = at
		return
	}
	t.nodes[n.child].parent, t.nodes[n.child+1].parent = at, at
}

// pair returns the index of an unused pair of nodes.
func (t *Tree) pair() int32 {
	if n := len(t.spare); n > 0 {
		at := t.spare[n-1]
		t.spare = t.spare[:n-1]
		return at
	}
	t.nodes = append(t.nodes, node{}, node{})
	return int32(len(t.nodes) - 2)
}

// growLeaves makes room for an item in leaves.
func (t *Tree) growLeaves(item int32) {
	for int(item) >= len(t.leaves) {
		t.leaves = append(t.leaves, -1)
	}
}

// halfArea returns half the surface of a box. The probability that a search visits a box is about
// proportional to its surface.
func halfArea(b collide.AABB) float64 {
	x, y, z := b.Max.X-b.Min.X, b.Max.Y-b.Min.Y, b.Max.Z-b.Min.Z
	return float64(x*y) + float64(y*z) + float64(z*x)
}
