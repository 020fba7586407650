package bvh

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// maxBinnedDepth is the depth below which build divides items into halves instead of by bins. With
// up to 2^30 items the tree is then no higher than maxHeight.
const maxBinnedDepth = 32

// collect copies all items to t.items.
func (t *Tree) collect() {
	t.items = t.items[:0]
	for item, at := range t.leaves {
		if at >= 0 {
			t.items = append(t.items, Item{t.nodes[at].box, int32(item)})
		}
	}
}

// build makes a new tree of t.items. Below binnedDepth it divides items into halves.
func (t *Tree) build(binnedDepth int) {
	n := len(t.items)
	t.count = n
	t.spare = t.spare[:0]
	t.nodes = append(slices.Grow(t.nodes[:0], 2*n), node{}, node{})
	largest := int32(0)
	for _, i := range t.items {
		largest = max(largest, i.Item)
	}
	t.growLeaves(largest)
	t.fill(0, -1, t.items, binnedDepth)
}

// fill makes the subtree of items, with its root at index at. It reorders items.
func (t *Tree) fill(at, parent int32, items []Item, binnedDepth int) {
	if len(items) == 1 {
		t.nodes[at] = node{box: items[0].Box, parent: parent, child: ^items[0].Item}
		t.leaves[items[0].Item] = at
		return
	}
	cut := divide(items, binnedDepth <= 0)
	pair := t.pair()
	t.fill(pair, at, items[:cut], binnedDepth-1)
	t.fill(pair+1, at, items[cut:], binnedDepth-1)
	t.nodes[at] = node{parent: parent, child: pair}
	t.refit(at)
}

// maxHalved is the number of items up to which they are divided into halves: bins hardly ever find
// a better division of so few.
const maxHalved = 4

// divide reorders items into two groups, and returns the size of the first.
func divide(items []Item, halve bool) int {
	if len(items) == 2 {
		return 1
	}
	centers := collide.NewAABB()
	for k := range items {
		c := center2(&items[k])
		centers = centers.Union(collide.AABB{Min: c, Max: c})
	}
	axis, widest := 0, 0.0
	for k := range 3 {
		if w := centers.Max.Component(k) - centers.Min.Component(k); w > widest {
			axis, widest = k, w
		}
	}
	if widest == 0 {
		return len(items) / 2
	}
	if halve || len(items) <= maxHalved {
		slices.SortFunc(items, func(a, b Item) int {
			return cmp.Or(
				cmp.Compare(center2(&a).Component(axis), center2(&b).Component(axis)),
				cmp.Compare(a.Item, b.Item))
		})
		return len(items) / 2
	}
	return divideByBins(items, axis, centers.Min.Component(axis), widest)
}

// divideByBins divides items by their centres along an axis, which are between low and low+width.
// Of fifteen possible planes it chooses the one with the least cost: the sum over both groups of
// the surface of the group's box times its number of items.
func divideByBins(items []Item, axis int, low, width float64) int {
	const n = 16
	var boxes [n]collide.AABB
	var counts [n]int
	empty := collide.NewAABB()
	for k := range boxes {
		boxes[k] = empty
	}
	scale := n / width
	bin := func(i *Item) int { return max(0, min(n-1, int((center2(i).Component(axis)-low)*scale))) }
	for k := range items {
		b := bin(&items[k])
		boxes[b] = boxes[b].Union(items[k].Box)
		counts[b]++
	}
	var above [n]float64 // cost of the bins from k on
	box, count := empty, 0
	for k := n - 1; k > 0; k-- {
		box, count = box.Union(boxes[k]), count+counts[k]
		if count > 0 {
			above[k] = halfArea(box) * float64(count)
		}
	}
	best, cut := math.Inf(1), 0
	box, count = empty, 0
	for k := 1; k < n; k++ {
		box, count = box.Union(boxes[k-1]), count+counts[k-1]
		if count == 0 || count == len(items) {
			continue
		}
		if cost := float64(halfArea(box)*float64(count)) + above[k]; cost < best {
			best, cut = cost, k
		}
	}
	if cut == 0 {
		return len(items) / 2 // all are in one bin, or the surface is infinite
	}
	first := 0
	for k := range items {
		if bin(&items[k]) < cut {
			items[first], items[k] = items[k], items[first]
			first++
		}
	}
	return first
}

// center2 returns twice the centre of an item's box.
func center2(i *Item) collide.Vec3 { return i.Box.Min.Add(i.Box.Max) }
