package bvh

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// steep is the depth from which on build halves what is left instead of looking for the best way to divide it. With 2^30 items that
// is maxHeight at most.
const steep = 32

// collect puts all items into t.items.
func (t *Tree) collect() {
	t.items = t.items[:0]
	for item, at := range t.leaves {
		if at >= 0 {
			t.items = append(t.items, Item{t.nodes[at].box, int32(item)})
		}
	}
}

// build makes a new tree of t.items.
func (t *Tree) build(steep int) {
	n := len(t.items)
	t.count = n
	t.spare = t.spare[:0]
	t.nodes = append(slices.Grow(t.nodes[:0], 2*n), node{}, node{})
	largest := int32(0)
	for _, i := range t.items {
		largest = max(largest, i.Item)
	}
	t.admit(largest)
	t.fill(0, -1, t.items, steep)
}

// fill makes node at a tree of items. It reorders them.
func (t *Tree) fill(at, parent int32, items []Item, steep int) {
	if len(items) == 1 {
		t.nodes[at] = node{box: items[0].Box, parent: parent, child: ^items[0].Item}
		t.leaves[items[0].Item] = at
		return
	}
	cut := divide(items, steep <= 0)
	pair := t.pair()
	t.fill(pair, at, items[:cut], steep-1)
	t.fill(pair+1, at, items[cut:], steep-1)
	t.nodes[at] = node{parent: parent, child: pair}
	t.fit(at)
}

// few is how many items are divided into halves: looking for a better way hardly finds one.
const few = 4

// divide reorders items and returns how many of them belong to the first of two groups.
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
		if w := part(centers.Max, k) - part(centers.Min, k); w > widest {
			axis, widest = k, w
		}
	}
	if widest == 0 {
		return len(items) / 2
	}
	if halve || len(items) <= few {
		slices.SortFunc(items, func(a, b Item) int {
			return cmp.Or(cmp.Compare(part(center2(&a), axis), part(center2(&b), axis)), cmp.Compare(a.Item, b.Item))
		})
		return len(items) / 2
	}
	return bins(items, axis, part(centers.Min, axis), widest)
}

// bins divides items by their centres along an axis, which are in a range from low, width wide: of fifteen places to cut it takes the one
// that leaves the least surface, counted for each item in it.
func bins(items []Item, axis int, low, width float64) int {
	const n = 16
	var boxes [n]collide.AABB
	var counts [n]int
	empty := collide.NewAABB()
	for k := range boxes {
		boxes[k] = empty
	}
	scale := n / width
	bin := func(i *Item) int { return max(0, min(n-1, int((part(center2(i), axis)-low)*scale))) }
	for k := range items {
		b := bin(&items[k])
		boxes[b] = boxes[b].Union(items[k].Box)
		counts[b]++
	}
	var above [n]float64 // what the bins from k on cost
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
		return len(items) / 2 // all in one bin, or of an infinite surface
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

// center2 returns twice the centre of a box.
func center2(i *Item) collide.Vec3 { return i.Box.Min.Add(i.Box.Max) }

func part(v collide.Vec3, axis int) float64 {
	switch axis {
	case 0:
		return v.X
	case 1:
		return v.Y
	}
	return v.Z
}
