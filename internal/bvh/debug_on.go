//go:build dangodebug

package bvh

import "fmt"

// Check panics if the tree is not in order: each box around its children's, each item found.
func (t *Tree) Check() {
	if t.count == 0 {
		return
	}
	leaves := 0
	if t.nodes[0].parent != -1 {
		panic(fmt.Sprintf("bvh: the root has parent %d, want none", t.nodes[0].parent))
	}
	var room [2 * maxHeight]int32 // keeps the check from allocating
	stack := append(room[:0], 0)
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &t.nodes[at]
		if n.child < 0 {
			leaves++
			if t.leaves[^n.child] != at || n.height != 0 {
				panic(fmt.Sprintf("bvh: node %d is the leaf of item %d, but that item's leaf is %d", at,
					^n.child, t.leaves[^n.child]))
			}
			continue
		}
		a, b := &t.nodes[n.child], &t.nodes[n.child+1]
		if a.parent != at || b.parent != at {
			panic(fmt.Sprintf("bvh: the children of node %d have parents %d and %d", at, a.parent, b.parent))
		}
		if n.box != a.box.Union(b.box) || n.height != 1+max(a.height, b.height) {
			panic(fmt.Sprintf("bvh: node %d has box %v and height %d, want the union of %v and %v and a height "+
				"above %d and %d",
				at, n.box, n.height, a.box, b.box, a.height, b.height))
		}
		if leaves+len(stack) > len(t.nodes) {
			panic("bvh: the tree has no end")
		}
		stack = append(stack, n.child, n.child+1)
	}
	if leaves != t.count {
		panic(fmt.Sprintf("bvh: the tree has %d leaves, want %d", leaves, t.count))
	}
}
